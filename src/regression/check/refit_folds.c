/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds of a model that cannot be fitted by its file alone, a hierarchy or a mixed model
 * of a response with levels: the formula is fitted once more to the other rows of the
 * table, with the settings recorded in the result.
 */
#include "regression/check/refit_folds.h"

#include "core/core.h"

#include <delaplace/prediction.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PRIORS = 64, STATEMENT = 512 };

/* Settings, and what they point to. */
typedef struct again {
    dlp_regression_settings s;
    dlp_reference *reference;
    char (*text)[STATEMENT];
    const char *prior[MOST_PRIORS];
} again;

/* ---- settings ---- */

/* The priors of sds as they were, including those that were not stated. */
static void set_priors(const dlp_regression_result *r, again *a)
{
    for (dlp_index t = 0; t < r->n_random; t++) {
        const dlp_random_effects *e = &r->random[t];
        for (dlp_index k = 0; k < e->q && a->s.n_priors < MOST_PRIORS; k++) {
            char prior[128];
            char *text = a->text[a->s.n_priors];
            if (e->process || (t > 0 && !strcmp(e->label, r->random[t - 1].label)))
                continue; /* the same for another level of the response */
            dlp_sd_prior_text(&e->prior[k], 15, prior, sizeof prior);
            snprintf(text, STATEMENT, "sd(%s, %s) ~ %s", e->group, e->name[k], prior);
            a->prior[a->s.n_priors++] = text;
        }
    }
    a->s.priors = a->prior;
}

static void set_hierarchy(const dlp_regression_result *r, dlp_regression_settings *s)
{
    if (r->grouping != DLP_HIERARCHICAL) return;
    const dlp_formula *formula = r->terms->parsed;
    if (formula && dlp_formula_groups(formula) == 0) s->group = r->terms->group.variable;
    s->paper_hyperprior = r->paper_hyperprior;
    s->nu = r->nu;
    s->phi0 = r->phi0;
    s->phi1 = r->phi1;
    s->paper_sigma0 = r->paper_sigma0;
    if (r->family->scale) s->scale = r->shared_scale ? "shared" : "by-group";
}

/* Coefficients have the prior that was stated for all of them, or a weak one. */
static void set_coefficients(const dlp_regression_result *r, dlp_regression_settings *s)
{
    if (r->grouping == DLP_HIERARCHICAL || r->prior_covariance) return;
    for (dlp_index j = 0; r->prior && j < r->p; j++)
        if (r->prior[j].weak) return;
    s->prior_sd = r->prior_sd;
    s->prior_df = r->prior_df;
}

static bool set_again(const dlp_regression_result *r, again *a)
{
    const dlp_terms *terms = r->terms;
    a->s = dlp_regression_settings_default();
    a->reference = dlpi_calloc(terms->n_factors + 1, sizeof *a->reference);
    a->text = dlpi_calloc(MOST_PRIORS, sizeof *a->text);
    if (!a->reference || !a->text) return false;
    for (dlp_index f = 0; f < terms->n_factors; f++)
        a->reference[f] =
            (dlp_reference){terms->factor[f].variable, terms->factor[f].level[0]};
    a->s.reference = a->reference;
    a->s.n_references = terms->n_factors;
    a->s.family = r->family->name;
    a->s.link = r->link;
    a->s.n_levels = terms->response.n;
    a->s.level = terms->response.level;
    a->s.weights = r->weights;
    a->s.grouping = r->grouping;
    a->s.method = r->method_kind == DLP_METHOD_DELTA ? NULL : r->method;
    a->s.df = r->family->df ? r->df : 0;
    a->s.hyper = r->grouping == DLP_MIXED ? r->hyper : DLP_HYPER_DEFAULT;
    set_hierarchy(r, &a->s);
    set_coefficients(r, &a->s);
    set_priors(r, a);
    return true;
}

/* ---- a fold ---- */

typedef struct folding {
    const dlp_regression *of;
    const dlp_table *table;
    const dlp_index *row; /* (N) of the table; NULL: all */
    dlp_index N;
    again again;
    unsigned char *keep; /* (rows of the table) */
    double *elpd;        /* (N) */
    dlp_index *index;    /* (N) of the fold's rows */
} folding;

static dlp_index table_row(const folding *w, dlp_index i)
{
    return w->row ? w->row[i] : i;
}

/* The rows of a fold, or the others, as a table. */
static dlp_status take(const folding *w, const dlp_index *fold, dlp_index f, bool others,
                       dlp_table **out, dlp_error *error)
{
    memset(w->keep, 0, (size_t)w->table->rows);
    for (dlp_index i = 0; i < w->N; i++)
        w->keep[table_row(w, i)] = (fold[i] == f) != others;
    return dlp_table_select(w->table, w->keep, out, error);
}

static dlp_status predict(const folding *w, const dlp_regression *fit,
                          const dlp_table *held, dlp_index count, dlp_error *error)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_prediction *p = NULL;
    settings.what = DLP_PREDICT_SCORES;
    settings.unseen_group = DLP_UNSEEN_POPULATION;
    DLP_TRY(dlp_regression_predict(fit, held, &settings, &p, error));
    const dlp_prediction_result *r = dlp_prediction_result_of(p);
    for (dlp_index i = 0; i < r->N; i++) {
        const dlp_index at = r->row ? r->row[i] : i;
        if (at < count) w->elpd[w->index[at]] = r->log_density_averaged[i];
    }
    dlp_prediction_free(p);
    return DLP_OK;
}

static dlp_status run_fold(const folding *w, const dlp_index *fold, dlp_index f,
                           dlp_error *error)
{
    dlp_table *others = NULL, *held = NULL;
    dlp_regression *fit = NULL;
    dlp_index count = 0;
    for (dlp_index i = 0; i < w->N; i++)
        if (fold[i] == f) w->index[count++] = i;
    dlp_status status = take(w, fold, f, true, &others, error);
    if (status == DLP_OK) status = take(w, fold, f, false, &held, error);
    if (status == DLP_OK)
        status = dlp_regression_fit_formula(w->of->result.terms->parsed, others,
                                            &w->again.s, &fit, error);
    if (status == DLP_OK) status = predict(w, fit, held, count, error);
    dlp_regression_free(fit);
    dlp_table_free(held);
    dlp_table_free(others);
    return status;
}

dlp_status dlpi_score_refits(const dlpi_target *t, const dlp_comparison_settings *s,
                             const dlp_index *fold, dlp_index folds, dlp_scores *scores,
                             dlp_error *error)
{
    folding w = {.of = t->of,
                 .table = t->table,
                 .row = t->design->row,
                 .N = t->data.N,
                 .elpd = (double *)scores->elpd};
    w.keep = dlpi_calloc(t->table->rows, sizeof *w.keep);
    w.index = dlpi_calloc(w.N, sizeof *w.index);
    dlp_status status = w.keep && w.index && set_again(&t->of->result, &w.again)
                            ? DLP_OK
                            : dlpi_no_memory(error, "the folds");
    w.again.s.threads = s->threads;
    w.again.s.ungraded = 1;
    for (dlp_index f = 0; f < folds && status == DLP_OK; f++) {
        status = dlpi_comparison_tell(s, "cross-validating", "folds", f, folds, error);
        if (status == DLP_OK) status = run_fold(&w, fold, f, error);
    }
    free(w.keep);
    free(w.index);
    free(w.again.reference);
    free(w.again.text);
    return status;
}
