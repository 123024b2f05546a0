/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/scores.h"

#include "io/json.h"

json_t *cli_score_json(dlp_score_sum sum)
{
    return json_pack("{s:o, s:o}", "value", dlpi_json_real(sum.value), "se",
                     dlpi_json_real(sum.se));
}

static json_t *row_at(const void *of, dlp_index i)
{
    const dlp_scores *s = of;
    return json_pack("{s:I, s:o, s:o}", "row", (json_int_t)(s->row ? s->row[i] : i) + 1,
                     "elpd", dlpi_json_real(s->elpd[i]), "pareto_k",
                     dlpi_json_real(s->k[i]));
}

json_t *cli_score_rows_json(const dlp_scores *scores)
{
    return dlpi_json_list(scores->N, row_at, scores);
}
