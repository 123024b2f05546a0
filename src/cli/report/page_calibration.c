/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitted against observed responses, for a report. */
#include "cli/report/page.h"
#include "io/json.h"

static json_t *part_at(const void *of, dlp_index i)
{
    const dlp_calibration_part *p = (const dlp_calibration_part *)of + i;
    return json_pack("{s:o, s:o, s:o, s:o, s:I}", "fitted", dlpi_json_real(p->fitted),
                     "observed", dlpi_json_real(p->observed), "lower",
                     dlpi_json_real(p->lower), "upper", dlpi_json_real(p->upper), "rows",
                     (json_int_t)p->rows);
}

static json_t *point_at(const void *of, dlp_index i)
{
    const dlp_calibration_point *p = (const dlp_calibration_point *)of + i;
    return json_pack("[o, o]", dlpi_json_real(p->fitted), dlpi_json_real(p->observed));
}

static json_t *series_at(const void *of, dlp_index k)
{
    const dlp_calibration_series *s = (const dlp_calibration_series *)of + k;
    return json_pack(
        "{s:o, s:o, s:o}", "level", s->level ? dlpi_json_text(s->level) : json_null(),
        "parts", dlpi_json_list(s->parts, part_at, s->part), "points",
        s->points > 0 ? dlpi_json_list(s->points, point_at, s->point) : json_null());
}

json_t *cli_page_calibration(const dlp_calibration *calibration)
{
    json_t *list = dlpi_json_list(calibration->n, series_at, calibration->series);
    return list ? json_pack("{s:I, s:o}", "rows", (json_int_t)calibration->rows, "series",
                            list)
                : NULL;
}
