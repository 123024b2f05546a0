/* SPDX-License-Identifier: BSD-3-Clause */
/* How coefficients of centred columns become those of the columns as they are written. */
#include "core/core.h"
#include "io/json.h"
#include "regression/file/fit_file.h"
#include "regression/file/fit_values.h"

static json_t *entry_at(const void *of, dlp_index i)
{
    const dlp_written *w = &((const dlp_regression_result *)of)->written[i];
    return json_pack("[I, I, o]", (json_int_t)w->from, (json_int_t)w->to,
                     dlpi_json_real(w->value));
}

int dlpi_fit_add_written(const dlp_regression *r, json_t *root)
{
    const dlp_regression_result *fit = &r->result;
    if (fit->terms->n_centres == 0) return 0;
    return json_object_set_new(root, "written",
                               dlpi_json_list(fit->n_written, entry_at, fit));
}

static bool read_column(const dlpi_fit_reader *r, const json_t *value, dlp_index *column)
{
    const json_int_t at = json_integer_value(value);
    *column = (dlp_index)at;
    return json_is_integer(value) && at >= 0 && at < r->fit->p;
}

dlp_status dlpi_fit_read_written(const dlpi_fit_reader *r)
{
    const json_t *list = json_object_get(r->root, "written");
    const dlp_index n = (dlp_index)json_array_size(list);
    /* a slope alone, beside cut points, adds to nothing */
    if ((r->fit->terms->n_centres > 0) != json_is_array(list))
        return dlpi_fit_wrong(r, "written",
                              "present if, and only if, there are \"centres\"");
    dlp_written *written = dlpi_pool_take(&r->of->pool, n, sizeof *written);
    if (!written) return dlpi_no_memory_to_read(r->error, r->name);
    for (dlp_index i = 0; i < n; i++) {
        const json_t *entry = json_array_get(list, (size_t)i);
        if (!dlpi_is_list(entry, 3) ||
            !read_column(r, json_array_get(entry, 0), &written[i].from) ||
            !read_column(r, json_array_get(entry, 1), &written[i].to) ||
            !json_is_number(json_array_get(entry, 2)))
            return dlpi_fit_wrong(r, "written", "made of two columns and a number each");
        written[i].value = json_number_value(json_array_get(entry, 2));
    }
    r->fit->n_written = n;
    r->fit->written = written;
    return DLP_OK;
}
