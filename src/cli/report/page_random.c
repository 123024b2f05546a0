/* SPDX-License-Identifier: BSD-3-Clause */
/* The random effects of a mixed model for its report. */
#include "cli/report/page.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LEVELS = 5000, MOST_NODES = 20000 }; /* of a term, in a picture */

typedef struct named {
    const char *first, *second; /* of a correlation */
    const dlp_margin *margin;
} named;

static json_t *margin_json(const named *n)
{
    json_t *name = n->second ? json_sprintf("%s, %s", n->first, n->second)
                             : dlpi_json_text(n->first);
    return json_pack("{s:o, s:o, s:o, s:o}", "name", name, "mean",
                     dlpi_json_real(n->margin->mean), "lower",
                     dlpi_json_real(n->margin->lower), "upper",
                     dlpi_json_real(n->margin->upper));
}

static json_t *sd_at(const void *of, dlp_index k)
{
    const dlp_random_effects *e = of;
    return margin_json(&(named){.first = e->name[k], .margin = &e->sd[k]});
}

/* Pairs are ordered 0 1, 0 2, 1 2, 0 3, ... */
static json_t *correlation_at(const void *of, dlp_index i)
{
    const dlp_random_effects *e = of;
    dlp_index k = 1, before = 0;
    while (before + k <= i) before += k++;
    return margin_json(&(named){.first = e->name[i - before],
                                .second = e->name[k],
                                .margin = &e->correlation[i]});
}

static json_t *text_at(const void *of, dlp_index i)
{
    return dlpi_json_text(((const char *const *)of)[i]);
}

static json_t *mean_at(const void *of, dlp_index l)
{
    const dlp_random_effects *e = of;
    return cli_page_reals(e->q, e->mean + l * e->q);
}

typedef struct member {
    const dlp_random_effects *effects;
    dlp_index level;
} member;

static json_t *member_sd_at(const void *of, dlp_index k)
{
    const member *m = of;
    return dlpi_json_real(dlp_random_effects_sd(m->effects, m->level, k));
}

static json_t *level_sd_at(const void *of, dlp_index l)
{
    const dlp_random_effects *e = of;
    const member m = {e, l};
    return dlpi_json_list(e->q, member_sd_at, &m);
}

static json_t *count_at(const void *of, dlp_index l)
{
    return json_integer(((const dlp_index *)of)[l]);
}

static json_t *prior_at(const void *of, dlp_index k)
{
    char text[128];
    dlp_sd_prior_text((const dlp_sd_prior *)of + k, 3, text, sizeof text);
    return json_string(text);
}

static json_t *series_at(const void *of, dlp_index i)
{
    return json_integer((json_int_t)dlp_basis_series_of(of, i));
}

/* The groups of ar1(t | g), or null. */
static json_t *series_names(const dlp_terms *terms, const dlp_basis *b)
{
    for (dlp_index i = 0; i < terms->n_factors; i++)
        if (!strcmp(terms->factor[i].variable, b->variable))
            return dlpi_json_list(terms->factor[i].n, text_at, terms->factor[i].level);
    return json_null();
}

/* For a process: the positions of its nodes, and its parameter besides the sd, if any.
   Null for other terms. */
static json_t *process_json(const dlp_regression_result *fit, const dlp_random_effects *e,
                            dlp_index drawn)
{
    const dlp_basis *b = e->process;
    if (!b) return json_null();
    const bool ar1 = b->kind == DLP_BASIS_AR1, bym2 = b->kind == DLP_BASIS_BYM2;
    char prior[128] = "";
    if (ar1) snprintf(prior, sizeof prior, "lkj(%.3g)", e->lkj);
    if (bym2) snprintf(prior, sizeof prior, "beta(%.3g, %.3g)", e->share[0], e->share[1]);
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "kind", dlp_basis_name((int)b->kind), "t",
        cli_page_reals(drawn, b->knot), "series",
        ar1 ? dlpi_json_list(drawn, series_at, b) : json_null(), "names",
        ar1 ? series_names(fit->terms, b) : json_null(), "step",
        ar1 ? dlpi_json_real(dlp_basis_step(b)) : json_null(), "second",
        ar1 || bym2
            ? margin_json(&(named){.first = ar1 ? "correlation" : "share of neighbours",
                                   .margin = &e->second})
            : json_null(),
        "prior", prior);
}

static json_t *term_at(const void *of, dlp_index t)
{
    const dlp_regression_result *fit = of;
    const dlp_random_effects *e = &fit->random[t];
    const dlp_index most = e->process ? MOST_NODES : MOST_LEVELS,
                    drawn = e->levels <= most ? e->levels : 0;
    json_t *label = e->category ? json_sprintf("%s, for %s", e->label, e->category)
                                : dlpi_json_text(e->label);
    return json_pack(
        "{s:o, s:o, s:I, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
        label, "group", dlpi_json_text(e->group), "levels", (json_int_t)e->levels, "name",
        dlpi_json_list(e->q, text_at, e->name), "priors",
        dlpi_json_list(e->q, prior_at, e->prior), "lkj", e->lkj, "rows",
        e->rows ? dlpi_json_list(drawn, count_at, e->rows) : json_null(), "sds",
        dlpi_json_list(e->q, sd_at, e), "correlations",
        dlpi_json_list(e->q * (e->q - 1) / 2, correlation_at, e), "level",
        dlpi_json_list(drawn, text_at, e->level), "mean",
        dlpi_json_list(drawn, mean_at, e), "sd", dlpi_json_list(drawn, level_sd_at, e),
        "process", process_json(fit, e, drawn));
}

json_t *cli_page_random(const dlp_regression_result *fit)
{
    if (fit->grouping != DLP_MIXED) return json_null();
    return dlpi_json_list(fit->n_random, term_at, fit);
}
