/* SPDX-License-Identifier: BSD-3-Clause */
/* Residuals for programs: CSV and JSON. */
#include "cli/glm/look.h"
#include "cli/json.h"
#include "io/print_file.h"

#include <math.h>
#include <stdio.h>

/* ---- CSV ---- */

static void write_number(FILE *out, double x)
{
    if (isnan(x))
        fputc(',', out);
    else
        fprintf(out, ",%.10g", x);
}

void cli_residuals_csv(FILE *out, const void *what)
{
    const dlp_residuals *r = what;
    fputs("row,response,fitted,below,up_to,pit,residual,leverage", out);
    fputs(r->k ? ",elpd,k\n" : "\n", out);
    for (dlp_index i = 0; i < r->N; i++) {
        fprintf(out, "%td", (r->row ? r->row[i] : i) + 1);
        write_number(out, r->response[i]);
        write_number(out, r->fitted[i]);
        write_number(out, r->below[i]);
        write_number(out, r->up_to[i]);
        write_number(out, r->pit[i]);
        write_number(out, r->residual[i]);
        write_number(out, r->leverage[i]);
        if (r->k) write_number(out, r->elpd[i]);
        if (r->k) write_number(out, r->k[i]);
        fputc('\n', out);
    }
}

/* ---- JSON ---- */

typedef struct parts {
    const dlp_look_by *by;
    bool replicated;
} parts;

static json_t *part_json(const void *of, dlp_index k)
{
    const parts *all = of;
    const dlp_look_part *p = &all->by->part[k];
    json_t *root = json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "label",
                             dlpi_json_text(p->label), "x", dlpi_json_real(p->x), "rows",
                             (json_int_t)p->rows, "mean", dlpi_json_real(p->mean),
                             "lower", dlpi_json_real(p->lower), "upper",
                             dlpi_json_real(p->upper), "sd", dlpi_json_real(p->sd));
    if (!all->replicated) return root;
    root = cli_json_with(root, "sd_lower", dlpi_json_real(p->sd_lower));
    return cli_json_with(root, "sd_upper", dlpi_json_real(p->sd_upper));
}

json_t *cli_look_by_json(const dlp_look_by *by, dlp_index n, bool replicated)
{
    json_t *list = json_array();
    int failed = list ? 0 : -1;
    for (dlp_index k = 0; k < n && !failed; k++) {
        const parts all = {&by[k], replicated};
        json_t *one = json_pack(
            "{s:o, s:b, s:b, s:I, s:o}", "name", dlpi_json_text(by[k].name), "is_fitted",
            by[k].is_fitted, "numeric", by[k].numeric, "outside",
            (json_int_t)by[k].outside, "parts", dlpi_json_list(by[k].n, part_json, &all));
        if (!replicated) one = cli_json_with(one, "p", dlpi_json_real(by[k].p));
        failed = json_array_append_new(list, one);
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *row_json(const void *of, dlp_index i)
{
    const dlp_residuals *r = of;
    json_t *root = json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o}", "row", (json_int_t)(r->row ? r->row[i] : i) + 1,
        "response", dlpi_json_real(r->response[i]), "fitted",
        dlpi_json_real(r->fitted[i]), "pit", dlpi_json_real(r->pit[i]), "residual",
        dlpi_json_real(r->residual[i]), "leverage", dlpi_json_real(r->leverage[i]));
    if (!r->k) return root;
    root = cli_json_with(root, "elpd", dlpi_json_real(r->elpd[i]));
    return cli_json_with(root, "k", dlpi_json_real(r->k[i]));
}

json_t *cli_residuals_json(const void *residuals)
{
    const dlp_residuals *r = residuals;
    return json_pack("{s:I, s:I, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o}",
                     "rows", (json_int_t)r->N, "dropped", (json_int_t)r->dropped,
                     "left_out", r->left_out, "discrete", r->discrete, "kept",
                     (json_int_t)r->kept, "mean", dlpi_json_real(r->mean), "sd",
                     dlpi_json_real(r->sd), "ks", dlpi_json_real(r->ks), "ks_p",
                     dlpi_json_real(r->ks_p), "beyond_3", (json_int_t)r->beyond,
                     "beyond_3_expected", dlpi_json_real(r->beyond_expected), "by",
                     cli_look_by_json(r->by, r->n_by, false), "values",
                     dlpi_json_list(r->N, row_json, r));
}
