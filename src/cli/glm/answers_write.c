/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers about a regression for programs: CSV with the names of R's broom, and JSON. */
#include "cli/csv.h"
#include "cli/glm/questions.h"
#include "cli/json.h"
#include "io/json.h"
#include "io/print_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- CSV ---- */

static void write_head(FILE *out, const cli_answers *a)
{
    const dlp_answers *of = a->answers;
    fputs("kind,term,value", out);
    for (dlp_index k = 0; k < of->n_by; k++) {
        fputc(',', out);
        cli_csv_text(out, "", of->by[k]);
    }
    fputs(",response,estimate,std.error,median", out);
    for (dlp_index i = 0; i < of->n_intervals; i++)
        if (of->n_intervals == 1)
            fputs(",conf.low,conf.high", out);
        else
            fprintf(out, ",conf.low.%.4g,conf.high.%.4g", of->interval_level[i],
                    of->interval_level[i]);
    fputs(",probability\n", out);
}

/* A bound that the data do not determine is left empty; in JSON it is null. */
static void write_number(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, ",%.10g", x);
    else
        fputc(',', out);
}

static void write_answer(FILE *out, const cli_answers *a, const char *kind,
                         const dlp_answer *x)
{
    const dlp_answers *of = a->answers;
    fprintf(out, "%s,", kind);
    cli_csv_text(out, "", of->of ? of->of : "");
    fputc(',', out);
    cli_csv_text(out, "", x->label);
    for (dlp_index k = 0; k < of->n_by; k++) {
        fputc(',', out);
        cli_csv_text(out, "", x->by[k]);
    }
    fputc(',', out);
    cli_csv_text(out, "", x->category ? x->category : "");
    write_number(out, of->exponentiated ? x->median : x->mean);
    write_number(out, x->sd);
    write_number(out, x->median);
    for (dlp_index i = 0; i < of->n_intervals; i++) {
        write_number(out, x->lower[i]);
        write_number(out, x->upper[i]);
    }
    write_number(out, x->above);
    fputc('\n', out);
}

static void write_csv(FILE *out, const void *what)
{
    const cli_answers *a = what;
    const dlp_answers *of = a->answers;
    write_head(out, a);
    for (dlp_index i = 0; i < of->n_values; i++)
        write_answer(out, a, "value", &of->value[i]);
    for (dlp_index i = 0; i < of->n_changes; i++)
        write_answer(out, a, "change", &of->change[i]);
}

dlp_status cli_answers_csv(const cli_answers *a, const char *path, dlp_file_set *files,
                           dlp_error *error)
{
    return dlpi_print_file_in(files, path, write_csv, a, error);
}

/* ---- JSON ---- */

static json_t *interval_json(const dlp_answers *of, const dlp_answer *x, dlp_index i)
{
    return json_pack("{s:f, s:o, s:o}", "level", of->interval_level[i], "lower",
                     dlpi_json_real(x->lower[i]), "upper", dlpi_json_real(x->upper[i]));
}

static json_t *answer_json(const dlp_answers *of, const dlp_answer *x)
{
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "label", dlpi_json_text(x->label), "mean",
                  dlpi_json_real(x->mean), "sd", dlpi_json_real(x->sd), "median",
                  dlpi_json_real(x->median), "probability", dlpi_json_real(x->above));
    json_t *by = json_object(), *intervals = json_array();
    int failed = root && by && intervals ? 0 : -1;
    for (dlp_index k = 0; k < of->n_by && !failed; k++)
        failed = json_object_set_new(by, of->by[k], dlpi_json_text(x->by[k]));
    for (dlp_index i = 0; i < of->n_intervals && !failed; i++)
        failed = json_array_append_new(intervals, interval_json(of, x, i));
    if (!failed && x->category)
        failed = json_object_set_new(root, "response", dlpi_json_text(x->category));
    if (!failed && !isnan(x->x))
        failed = json_object_set_new(root, "x", dlpi_json_real(x->x));
    if (of->n_by == 0) {
        json_decref(by);
        by = NULL;
    }
    if (by) failed |= json_object_set_new(root, "by", by);
    failed |= json_object_set_new(root, "intervals", intervals);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

static json_t *list_json(const dlp_answers *of, dlp_index n, const dlp_answer *x)
{
    json_t *list = json_array();
    int failed = list ? 0 : -1;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, answer_json(of, &x[i]));
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static const char *groups_word(const cli_answers *a)
{
    const dlp_regression_result *r = dlp_regression_result_of(a->fit);
    if (r->grouping != DLP_MIXED && !dlp_regression_is_grouped(r)) return "none";
    switch (a->answers->effects) {
    case DLP_EFFECTS_OF_NONE: return "middle";
    case DLP_EFFECTS_OF_NEW: return "average";
    case DLP_EFFECTS_OF_LEVELS: break;
    }
    return "own";
}

dlp_status cli_answers_json(const cli_answers *a, dlp_error *error)
{
    const dlp_answers *of = a->answers;
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:o, s:o}", "question", a->question,
        "scale", of->on == DLP_ON_LINK ? "link" : "response", "over",
        of->over == DLP_OVER_ROWS   ? "rows"
        : of->over == DLP_OVER_GRID ? "grid"
                                    : "none",
        "groups", groups_word(a), "exponentiated", of->exponentiated, "rows",
        (json_int_t)of->rows, "dropped", (json_int_t)of->dropped, "averaged",
        (json_int_t)of->averaged, "values", list_json(of, of->n_values, of->value),
        "changes", list_json(of, of->n_changes, of->change));
    if (of->of) root = cli_json_with(root, "of", dlpi_json_text(of->of));
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}
