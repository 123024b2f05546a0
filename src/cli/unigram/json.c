/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json.h"
#include "cli/corpus/source.h"
#include "cli/report.h"
#include "cli/unigram/report.h"

#include <math.h>

double cli_unigram_per_word(const cli_unigram *fit)
{
    return fit->corpus->words ? fit->result->objective / (double)fit->corpus->words : NAN;
}

double cli_unigram_concentration(const cli_unigram *fit)
{
    double sum = 0;
    for (dlp_index v = 0; v < fit->corpus->V; v++) sum += fit->dirichlet[v];
    return sum;
}

json_t *cli_unigram_summary_json(const cli_unigram *fit)
{
    const dlp_result *r = fit->result;
    const dlp_settings *s = fit->settings;
    json_t *root = json_object();
    int failed = !root;
    failed |= json_object_set_new(root, "format", json_string("delaplace-unigram"));
    failed |= json_object_set_new(root, "version", json_integer(1));
    failed |= json_object_set_new(root, "library_version", json_string(DLP_VERSION));
    failed |= json_object_set_new(root, "method", json_string(s->method));
    failed |=
        json_object_set_new(root, "route", json_string(s->plain ? "plain" : "fast"));
    failed |= json_object_set_new(root, "diagonal", json_boolean(s->diagonal));
    failed |= json_object_set_new(root, "tol", dlpi_json_real(s->tol));
    failed |= json_object_set_new(root, "max_iter", json_integer(s->max_iter));
    failed |=
        json_object_set_new(root, "outcome", json_string(dlp_outcome_name(r->outcome)));
    failed |= json_object_set_new(root, "iterations", json_integer(r->iterations));
    failed |= json_object_set_new(root, "evaluations", json_integer(r->evaluations));
    failed |= json_object_set_new(root, "fallbacks", json_integer(r->fallbacks));
    if (!r->valid) failed |= json_object_set_new(root, "estimated", json_false());
    failed |= json_object_set_new(root, "objective", dlpi_json_real(r->objective));
    failed |= json_object_set_new(root, "objective_per_word",
                                  dlpi_json_real(cli_unigram_per_word(fit)));
    failed |= json_object_set_new(root, "concentration",
                                  dlpi_json_real(cli_unigram_concentration(fit)));
    failed |= json_object_set_new(
        root, "sd_is", json_string(fit->z_summed_out ? "z-summed-out" : "given-z"));
    failed |= json_object_set_new(root, "D", json_integer(fit->corpus->D));
    failed |= json_object_set_new(root, "V", json_integer(fit->corpus->V));
    failed |= json_object_set_new(root, "words", json_integer(fit->corpus->words));
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

static json_t *coefficient_json(const cli_unigram *fit, dlp_index v)
{
    char number[32];
    const double mean = fit->result->mu[v];
    const cli_interval interval = cli_interval_of(mean, fit->sd[v]);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "term",
                     dlpi_json_text(cli_corpus_term(fit->corpus, v, number)), "mean",
                     dlpi_json_real(mean), "sd", dlpi_json_real(fit->sd[v]), "sd_given_z",
                     dlpi_json_real(fit->sd_given_z[v]), "lower",
                     dlpi_json_real(interval.lower), "upper",
                     dlpi_json_real(interval.upper), "dirichlet",
                     dlpi_json_real(fit->dirichlet[v]));
}

json_t *cli_unigram_fit_json(const cli_unigram *fit)
{
    json_t *root = cli_unigram_summary_json(fit);
    json_t *coefficients = json_array(), *trace = json_array();
    int failed = !root || !coefficients || !trace;
    for (dlp_index v = 0; v < fit->corpus->V && !failed; v++)
        failed = json_array_append_new(coefficients, coefficient_json(fit, v));
    for (int i = 0; i < fit->result->iterations && !failed; i++)
        failed = json_array_append_new(trace, cli_json_trace(&fit->result->trace[i]));
    failed |= json_object_set(root, "coefficients", coefficients);
    failed |= json_object_set(root, "trace", trace);
    json_decref(coefficients);
    json_decref(trace);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}
