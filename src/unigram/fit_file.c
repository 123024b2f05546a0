/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json of the language model. docs/file-formats.md lists the keys. */
#include "io/json.h"
#include "unigram/fit.h"

#include <delaplace/version.h>

#include <stdio.h>

static json_t *summary_json(const dlp_unigram_fit *fit)
{
    const dlp_unigram_result *r = &fit->result;
    const dlp_result *e = r->engine;
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:b, s:o, s:i, s:s, s:i, s:I, s:i, s:o, s:o, s:o, s:s,"
        " s:I, s:I, s:I}",
        "format", "delaplace-unigram", "version", 1, "library_version", DLP_VERSION,
        "method", r->method, "route", r->plain ? "plain" : "fast", "diagonal",
        r->diagonal, "tol", dlpi_json_real(r->tol), "max_iter", r->max_iter, "outcome",
        dlp_outcome_name(e->outcome), "iterations", e->iterations, "evaluations",
        (json_int_t)e->evaluations, "fallbacks", e->fallbacks, "objective",
        dlpi_json_real(e->objective), "objective_per_word",
        dlpi_json_real(r->objective_per_word), "concentration",
        dlpi_json_real(r->concentration), "sd_is",
        r->z_summed_out ? "z-summed-out" : "given-z", "D", (json_int_t)r->D, "V",
        (json_int_t)r->V, "words", (json_int_t)r->words);
}

/* A term without a name is written as its number. */
static json_t *term_json(const void *of, dlp_index v)
{
    char number[32];
    const dlp_unigram_term t = dlp_unigram_fit_term(of, v);
    snprintf(number, sizeof number, "%td", v);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "term",
                     dlpi_json_text(t.name ? t.name : number), "mean",
                     dlpi_json_real(t.mean), "sd", dlpi_json_real(t.sd), "sd_given_z",
                     dlpi_json_real(t.sd_given_z), "lower", dlpi_json_real(t.lower),
                     "upper", dlpi_json_real(t.upper), "dirichlet",
                     dlpi_json_real(t.dirichlet));
}

static json_t *row_json(const void *of, dlp_index i)
{
    const dlp_trace_row *row = (const dlp_trace_row *)of + i;
    return json_pack("{s:i, s:o, s:o, s:i}", "iteration", row->iteration, "objective",
                     dlpi_json_real(row->objective), "change",
                     dlpi_json_real(row->change), "evaluations", row->evaluations);
}

/* NULL when out of memory. */
static json_t *whole_json(const dlp_unigram_fit *fit)
{
    const dlp_result *e = fit->result.engine;
    json_t *root = summary_json(fit);
    int failed = !root;
    if (root) {
        failed |= json_object_set_new(root, "coefficients",
                                      dlpi_json_list(fit->result.V, term_json, fit));
        failed |= json_object_set_new(root, "trace",
                                      dlpi_json_list(e->iterations, row_json, e->trace));
    }
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

dlp_status dlp_unigram_fit_save(const dlp_unigram_fit *fit, const char *path,
                                dlp_error *error)
{
    json_t *root = whole_json(fit);
    const dlp_status status = dlpi_json_write(root, path, error);
    json_decref(root);
    return status;
}

dlp_status dlp_unigram_fit_json(const dlp_unigram_fit *fit, int summary, char **text,
                                size_t *size, dlp_error *error)
{
    json_t *root = summary ? summary_json(fit) : whole_json(fit);
    *text = dlpi_json_lines(root, size);
    json_decref(root);
    return *text ? DLP_OK : dlpi_no_memory(error, "the JSON of the fit");
}
