/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression as clients see it: from a request to a result, and the queries on it. */
#include "regression/regression.h"
#include "regression/collinear.h"
#include "regression/near_zero.h"

#include "comm/division.h"
#include "core/core.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"
#include "regression/check/grade.h"
#include "regression/random/random_notes.h"
#include "regression/random/variance_explained.h"
#include "table/formula/formula.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

/* ---- names ---- */

const char *dlp_grouping_name(int i)
{
    static const char *const names[] = {"default", "hierarchical", "separate",
                                        "pooled",  "mixed",        "none"};
    return i >= 0 && i <= DLP_UNGROUPED ? names[i] : NULL;
}

const char *dlp_regression_method(int i)
{
    int engine = 0;
    while (dlp_method_name(engine)) engine++;
    if (i == 0) return "auto";
    return i >= 1 && i <= engine ? dlp_method_name(i - 1)
           : i == engine + 1     ? dlpi_jaakkola_jordan_type.name
                                 : NULL;
}

bool dlpi_method_of_text(const char *name, dlp_method_kind *method)
{
    for (int i = 0; dlp_regression_method(i); i++) {
        *method = (dlp_method_kind)i;
        if (!strcmp(dlp_regression_method(i), name)) return true;
    }
    return false;
}

/* ---- memory ---- */

dlp_regression *dlpi_regression_new(void)
{
    dlp_regression *r = dlpi_calloc(1, sizeof *r);
    if (r) r->constant = -1;
    return r;
}

void dlp_regression_free(dlp_regression *r)
{
    if (!r) return;
    dlp_terms_free(r->terms);
    dlpi_pool_free(&r->pool);
    free(r->mu);
    free(r->Sigma);
    free(r->mu0);
    free(r->Sigma0);
    free(r->mu0_covariance);
    free(r);
}

bool dlpi_regression_keep(dlp_regression *r, const char *text, const char **copy)
{
    *copy = text ? dlpi_pool_copy(&r->pool, text, strlen(text)) : NULL;
    return !text || *copy;
}

dlp_status dlpi_regression_room(dlp_regression *r, dlp_error *error)
{
    dlp_regression_result *result = &r->result;
    const dlp_index n = result->n, M = result->M, square = dlpi_size(n, n, 0);
    const bool shared = result->grouping == DLP_HIERARCHICAL;
    r->mu = dlpi_calloc(dlpi_size(M, n, 0), sizeof *r->mu);
    r->Sigma = dlpi_calloc(dlpi_size(M, square, 0), sizeof *r->Sigma);
    if (shared) {
        r->mu0 = dlpi_calloc(n, sizeof *r->mu0);
        r->Sigma0 = dlpi_calloc(square, sizeof *r->Sigma0);
        r->mu0_covariance = dlpi_calloc(square, sizeof *r->mu0_covariance);
    }
    result->mu = r->mu;
    result->Sigma = r->Sigma;
    result->mu0 = r->mu0;
    result->Sigma0 = r->Sigma0;
    result->mu0_covariance = r->mu0_covariance;
    if (r->mu && r->Sigma && (!shared || (r->mu0 && r->Sigma0 && r->mu0_covariance)))
        return DLP_OK;
    return dlp_fail(error, DLP_ENOMEM,
                    "not enough memory for the posterior: %td x %td numbers in each of "
                    "%td groups",
                    n, n, M);
}

/* ---- from what was prepared ---- */

static bool keep_names(const dlpi_prepared *p, dlp_regression *r)
{
    dlp_regression_result *result = &r->result;
    const char **column = dlpi_pool_take(&r->pool, p->data.p, sizeof *column);
    bool kept = column != NULL;
    for (dlp_index j = 0; j < p->data.p && kept; j++)
        kept = dlpi_regression_keep(r, p->name[j], &column[j]);
    result->column = column;
    result->formula = dlpi_formula_write(p->formula, NULL, &r->pool);
    return kept && result->formula &&
           dlpi_regression_keep(r, p->asked.weights, &result->weights) &&
           dlpi_regression_keep(r, p->asked.precision, &result->precision);
}

/* Which levels of a factor have columns. */
enum { NO_LEVEL = -1, OTHER_LEVELS = 0, FIRST_LEVEL = -2 };

static void note_levels(const dlp_design *d, dlp_index j, dlp_index *found)
{
    const dlp_index t = d->assign[j];
    for (dlp_index k = d->term_begin[t]; k < d->term_begin[t + 1]; k++) {
        const dlp_index f = d->variable[d->term_variable[k]].factor;
        if (f < 0) continue;
        if (d->level[j][k - d->term_begin[t]] == 0)
            found[f] = FIRST_LEVEL;
        else if (found[f] == NO_LEVEL)
            found[f] = OTHER_LEVELS;
    }
}

/* A factor is compared with its first level if exactly the other levels have columns. */
static bool keep_references(const dlpi_prepared *p, dlp_regression *r)
{
    const dlp_design *d = p->design;
    const dlp_index n = d->terms->n_factors;
    dlp_index *reference = dlpi_pool_take(&r->pool, n, sizeof *reference);
    if (!reference) return false;
    for (dlp_index f = 0; f < n; f++) reference[f] = NO_LEVEL;
    for (dlp_index j = 0; j < d->p; j++)
        if (d->assign[j] >= 0) note_levels(d, j, reference);
    for (dlp_index f = 0; f < n; f++)
        if (reference[f] != OTHER_LEVELS) reference[f] = -1;
    r->result.reference = reference;
    return true;
}

static bool keep_numbers(dlp_regression *r, dlp_index n, size_t size, const void *from,
                         const void **copy)
{
    void *to = from ? dlpi_pool_take(&r->pool, n, size) : NULL;
    if (to && n > 0) memcpy(to, from, (size_t)n * size);
    *copy = to;
    return !from || to;
}

static bool keep_prior(const dlpi_prepared *p, dlp_regression *r)
{
    const dlpi_prior_choice *prior = &p->prior;
    dlp_regression_result *result = &r->result;
    const dlp_index count = p->data.p;
    const void *each, *covariance;
    const bool kept =
        keep_numbers(r, count, sizeof *prior->each, prior->each, &each) &&
        keep_numbers(r, dlpi_size(count, count, 0), sizeof *prior->covariance,
                     prior->covariance, &covariance);
    if (!kept) return false;
    result->prior = each;
    result->prior_covariance = covariance;
    result->prior_sd = prior->sd;
    result->prior_df = prior->df;
    result->first_cut_sd = prior->first_cut_sd;
    result->cut_sd = prior->cut_sd;
    result->paper_hyperprior = prior->paper_hyperprior;
    result->nu = prior->nu;
    result->phi0 = prior->phi0;
    result->phi1 = prior->phi1;
    result->paper_sigma0 = p->asked.paper_sigma0;
    result->shared_scale = prior->shared_scale;
    result->scale_mean = prior->scale_mean;
    result->symmetric_levels =
        prior->symmetric && p->family->support == DLP_SUPPORT_LEVELS;
    result->prior_complete = 1;
    return true;
}

/* All but the posterior. */
static dlp_status take_prepared(const dlpi_prepared *p, dlp_regression *r,
                                dlp_error *error)
{
    dlp_regression_result *result = &r->result;
    r->terms = p->terms;
    *result = (dlp_regression_result){.terms = r->terms,
                                      .family = p->family,
                                      .link = dlpi_link_of(p),
                                      .link_kind = p->linked->link,
                                      .method = dlp_regression_method((int)p->method),
                                      .method_kind = p->method,
                                      .method_stated = !p->may_propagate,
                                      .grouping = p->grouping,
                                      .tol = p->tol,
                                      .max_iter = p->max_iter,
                                      .rows = p->design->N,
                                      .dropped = p->design->dropped,
                                      .total_weight = p->total_weight,
                                      .p = p->data.p,
                                      .n = p->n,
                                      .M = p->M,
                                      .hyper = p->hyper,
                                      .df = p->data.df};
    const void *written;
    const bool kept =
        keep_numbers(r, p->n_written, sizeof *p->written, p->written, &written);
    result->n_written = p->n_written;
    result->written = written;
    if (!kept || !keep_names(p, r) || !keep_references(p, r) || !keep_prior(p, r))
        return dlpi_no_memory(error, "the regression");
    return dlpi_regression_room(r, error);
}

/* ---- what only the data can tell ---- */

/* Columns about whose coefficients the data say nothing, or that cannot be told from the
   intercept. If there is no intercept (nor cut points in its place), a nonzero constant
   column acts as one. */
static void find_constants(const dlpi_prepared *p, dlp_regression *r)
{
    const dlp_glm_data *d = &p->data;
    const bool centred = p->intercept >= 0 || p->family->support == DLP_SUPPORT_ORDERED;
    for (dlp_index j = d->p - 1; j >= 0; j--) {
        double value;
        const bool idle = j != p->intercept &&
                          dlpi_division_constant(d->division, d->N, d->x[j], &value) &&
                          (centred || value == 0);
        if (!idle) continue;
        r->constant = j;
        r->constants++;
        r->constant_value = value;
    }
}

/* Whether the levels of an ordered response are plain words, not like "1 low", and no
   order was stated. */
static bool is_alphabetical(const dlpi_prepared *p, const dlp_regression_result *r)
{
    const dlp_levels *levels = &r->terms->response;
    bool sorted = r->family->support == DLP_SUPPORT_ORDERED && p->asked.n_levels == 0;
    for (dlp_index i = 0; i < levels->n && sorted; i++) {
        const char first = levels->level[i][0];
        sorted = strchr("+-.0123456789", first) == NULL &&
                 (i == 0 || strcmp(levels->level[i - 1], levels->level[i]) < 0);
    }
    return sorted && levels->n > 2;
}

/* Whether whole numbers from 0 or 1 on were treated as Gaussian because no family was
   named. */
static bool looks_like_counts(const dlpi_prepared *p)
{
    dlpi_division *division = p->data.division;
    const dlp_index to = dlpi_rows_to(division, p->data.N);
    double least = INFINITY, most = -INFINITY;
    bool others = false;
    if (p->asked.family || p->family->support != DLP_SUPPORT_REAL) return false;
    for (dlp_index i = dlpi_rows_from(division); i < to && !others; i++) {
        const double y = p->data.y[i];
        others = !(y >= 0) || y != floor(y);
        least = fmin(least, y);
        most = fmax(most, y);
    }
    if (dlpi_division_any(division, others)) return false;
    return -dlpi_division_most(division, -least) <= 1 &&
           dlpi_division_most(division, most) >= 3;
}

/* Only for columns outside smooths, since those of smooths are penalised. */
static void find_collinear(const dlpi_prepared *p, dlp_regression *r)
{
    dlp_glm_data plain = p->data;
    plain.p = dlp_regression_plain_columns(&r->result);
    const dlpi_collinear found = dlpi_collinear_find(&plain, p->table->spill);
    r->collinear = (dlp_diagnostic){
        .kind = DLP_COLLINEAR, .parameter = found.column, .count = found.n};
    memcpy(r->collinear.column, found.with, sizeof found.with);
}

static dlp_status run(const dlpi_prepared *p, dlp_regression *r, dlp_error *error)
{
    DLP_TRY(take_prepared(p, r, error));
    const dlp_status status = dlpi_regression_run(p, r, error);
    DLP_TRY(dlpi_in_table(p->table, status, error));
    find_constants(p, r);
    r->alphabetical = is_alphabetical(p, &r->result);
    r->counts = looks_like_counts(p);
    find_collinear(p, r);
    DLP_TRY(dlpi_find_near_zero(p, &r->result, &r->near_zero, error));
    if (p->grouping == DLP_MIXED) {
        DLP_TRY(dlpi_random_notes(p, r, error));
        DLP_TRY(dlpi_variance_explained(p, r, error));
    }
    /* a failed diagnosis is no reason to lose the fit */
    if (r->result.outcome == DLP_MAX_ITERATIONS &&
        dlpi_separates(p, r, &r->separated, NULL) != DLP_OK)
        r->separated = false;
    return DLP_OK;
}

dlp_status dlp_regression_fit(const char *formula, const dlp_table *table,
                              const dlp_regression_settings *settings,
                              dlp_regression **regression, dlp_error *error)
{
    dlp_formula *parsed;
    *regression = NULL;
    if (!formula || !table)
        return dlp_fail(error, DLP_EINVAL, "a regression needs a formula and a table");
    DLP_TRY(dlp_formula_parse(formula, &parsed, error));
    const dlp_status status =
        dlp_regression_fit_formula(parsed, table, settings, regression, error);
    dlp_formula_free(parsed);
    return status;
}

/* A sum over rows that failed is no number, and what fails after it fails because of it. */
static dlp_status explain_sums(const dlpi_prepared *p, dlp_status status,
                               dlp_error *error)
{
    const dlp_design *design = p->design;
    const dlp_status sums = dlpi_division_check(design ? design->division : NULL, error);
    return sums != DLP_OK ? sums : status;
}

/* *whole: rows are divided among processes, and have to be whole in each. */
static dlp_status fit_rows(const dlp_formula *formula, const dlp_table *table,
                           const dlp_regression_settings *settings, bool *whole,
                           dlp_regression **regression, dlp_error *error)
{
    dlpi_prepared prepared;
    dlp_regression *r = dlpi_regression_new();
    dlp_status status = dlpi_prepare(formula, table, settings, &prepared, error);
    if (status == DLP_OK)
        status = r ? run(&prepared, r, error) : dlpi_no_memory(error, "the regression");
    status = dlpi_spill_explain(table->spill, status, error);
    if (prepared.data.division) *whole = prepared.data.division->wanted;
    status = explain_sums(&prepared, status, error);
    if (r && r->terms) prepared.terms = NULL; /* the regression now owns them */
    const bool graded = status == DLP_OK && !prepared.asked.ungraded;
    const int threads = prepared.asked.threads;
    dlpi_prepared_clear(&prepared);
    if (graded) status = dlpi_grade_fit(r, table, threads, error);
    if (status == DLP_OK)
        *regression = r;
    else
        dlp_regression_free(r);
    return status;
}

dlp_status dlp_regression_fit_formula(const dlp_formula *formula, const dlp_table *table,
                                      const dlp_regression_settings *settings,
                                      dlp_regression **regression, dlp_error *error)
{
    bool whole = false;
    *regression = NULL;
    if (!formula || !table)
        return dlp_fail(error, DLP_EINVAL, "a regression needs a formula and a table");
    const dlp_status status =
        fit_rows(formula, table, settings, &whole, regression, error);
    if (!whole) return status;
    DLP_TRY(dlpi_table_gather(table, error));
    return fit_rows(formula, table, settings, &whole, regression, error);
}

/* ---- what it says of itself ---- */

const dlp_regression_result *dlp_regression_result_of(const dlp_regression *r)
{
    return &r->result;
}

const char *dlp_regression_group(const dlp_regression *r, dlp_index m)
{
    const bool has = dlpi_is_grouped(r->result.grouping) && m >= 0 && m < r->result.M;
    return has ? r->terms->group.level[m] : NULL;
}

dlp_index dlp_regression_find_group(const dlp_regression *r, const char *name)
{
    for (dlp_index m = 0; dlp_regression_group(r, m); m++)
        if (!strcmp(dlp_regression_group(r, m), name)) return m;
    return -1;
}

dlp_coefficient_prior dlpi_regression_prior_of(const dlp_regression *r, dlp_index j)
{
    const dlp_regression_result *of = &r->result;
    dlp_coefficient_prior prior = {.mean = 0, .sd = of->prior_sd, .df = of->prior_df};
    if (of->prior) prior = of->prior[j];
    if (of->prior_covariance) prior.sd = sqrt(of->prior_covariance[j * (of->p + 1)]);
    return prior;
}

int dlp_regression_is_weak(const dlp_regression *r)
{
    bool weak = r->result.prior != NULL;
    const dlp_index p = dlp_regression_plain_columns(&r->result);
    for (dlp_index j = 0; weak && j < p; j++) weak = r->result.prior[j].weak;
    return weak;
}
