/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/mixed_fit.h"
#include "regression/random/random_notes.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/integrate/scale_prior.h"
#include "glm/integrate/student_sites.h"
#include "mixed/fit.h"
#include "regression/draw/scale_points.h"
#include "regression/prepare/link_units.h"
#include "regression/prepare/moments.h"
#include "regression/priors/random_prior.h"
#include "regression/random/divided_term.h"
#include "regression/random/level_rows.h"
#include "regression/random/mixed_ordinal.h"
#include "regression/random/process_of.h"
#include "regression/random/student_fit.h"
#include "regression/solve.h"

#include <math.h>
#include <string.h>

/* All that a fit allocates. */
typedef struct work {
    dlp_index terms;           /* n_random */
    dlpi_mixed_term *term;     /* (n_random) */
    dlpi_mixed_smooth *smooth; /* (n_smooths) */
    dlpi_process *process;     /* (n_random) */
    dlpi_random_priors prior;
    double *precision;    /* (n, n) of beta's prior, followed by */
    double *mean, *begin; /* (n) its mean, and where the search begins */
    double *start;        /* (n + n^2) */
    dlp_index *place;     /* (n) where in theta each of beta is */
    double *tau;          /* (n, 2) priors of scales */
    dlpi_level_rows levels;
    dlpi_divided_term divided; /* where rows are divided among processes */
    dlpi_mixed_result result;
} work;

static void free_work(work *w)
{
    dlpi_mixed_result_clear(&w->result);
    dlpi_level_rows_clear(&w->levels);
    dlpi_divided_term_clear(&w->divided);
    free(w->place);
    free(w->tau);
    free(w->term);
    free(w->smooth);
    for (dlp_index t = 0; w->process && t < w->terms; t++)
        dlpi_process_clear(&w->process[t]);
    free(w->process);
    free(w->prior.sd);
    free(w->prior.lkj);
    free(w->prior.lkj_stated);
    free(w->precision);
    free(w->start);
}

/* ---- priors ---- */

/* Repeats them for each of D linear predictors. */
static void repeat_priors(const dlpi_prepared *p, dlp_index D, dlp_sd_prior *sd)
{
    dlp_index effects = 0;
    for (dlp_index t = 0; t < p->design->n_random; t++) effects += p->design->random[t].q;
    for (dlp_index s = p->design->n_smooths; s-- > 0;) /* from the end: nothing is
                                                          overwritten */
        for (dlp_index k = D; k-- > 0;) sd[D * (effects + s) + k] = sd[effects + s];
    for (dlp_index t = p->design->n_random; t-- > 0;) {
        const dlp_index q = p->design->random[t].q;
        effects -= q;
        for (dlp_index k = D; k-- > 0;)
            memmove(sd + D * effects + k * q, sd + effects, (size_t)q * sizeof *sd);
    }
}

/* ---- what was found ---- */

static void *keep(dlp_regression *out, dlp_index n, size_t size, const void *from)
{
    void *to = dlpi_pool_take(&out->pool, n, size);
    if (to && n > 0) memcpy(to, from, (size_t)n * size);
    return to;
}

/* Transforms covariances with beta from the variables of the basis to those of the
   columns; `wide` of them are kept, one after another. */
static void change_back(const dlpi_basis *basis, dlp_index rows, dlp_index n,
                        dlp_index wide, double *with_beta, double *room)
{
    for (dlp_index i = 0; i < rows; i++) {
        memcpy(room, with_beta + i * n, (size_t)n * sizeof *room);
        memset(room + wide, 0, (size_t)(n - wide) * sizeof *room);
        dlpi_basis_mean(basis, room);
        memcpy(with_beta + i * wide, room, (size_t)wide * sizeof *room);
    }
}

/* A margin with that mean and variance whose quantiles are as far out, in sds, as those
   of a given shape; mirrored where that points the other way. */
static dlp_margin shaped_margin(double mean, double variance, const dlp_margin *shape,
                                bool flipped)
{
    const double sd = sqrt(fmax(variance, 0)), by = shape->sd > 0 ? sd / shape->sd : 0;
    const double low = by * (shape->lower - shape->mean),
                 middle = by * (shape->median - shape->mean),
                 high = by * (shape->upper - shape->mean);
    return (dlp_margin){.mean = mean,
                        .sd = sd,
                        .lower = mean + (flipped ? -high : low),
                        .median = mean + (flipped ? -middle : middle),
                        .upper = mean + (flipped ? -low : high)};
}

/* Margins of the columns' coefficients, beta = R'beta', from those of the basis: the mean
   and sd are those of the sum, the shape is that of its largest part; then those of
   `cuts` cut points, in_beta of which are in beta. room (n + n^2). */
static dlp_status margins_of_columns(const dlpi_basis *basis,
                                     const dlpi_mixed_result *found, dlp_index cuts,
                                     dlp_index in_beta, double *room, dlp_margin *margin,
                                     dlp_error *error)
{
    const dlp_index n = found->n;
    const dlp_margin *was = found->margin;
    double *Sigma = room + n;
    memcpy(room, found->beta, (size_t)n * sizeof *room);
    memcpy(Sigma, found->covariance, (size_t)(n * n) * sizeof *Sigma);
    dlpi_basis_mean(basis, room);
    dlpi_basis_covariance(basis, Sigma);
    for (dlp_index k = 0; k < found->p - in_beta; k++) {
        const dlp_index first = k - k % basis->p; /* of its level */
        dlp_index largest = k;
        double most = was[k].sd;
        bool flipped = false, changed = false;
        for (size_t e = 0; e < basis->entries; e++) {
            const dlpi_basis_entry *of = &basis->entry[e];
            if (of->k != k - first) continue;
            changed = true;
            if (!(fabs(of->value) * was[first + of->j].sd > most)) continue;
            most = fabs(of->value) * was[first + of->j].sd;
            largest = first + of->j;
            flipped = of->value < 0;
        }
        if (changed)
            margin[k] =
                shaped_margin(room[k], Sigma[k * (n + 1)], &was[largest], flipped);
    }
    return cuts > 0 ? dlpi_cut_margins(basis, found, cuts, room, Sigma, margin + n - cuts,
                                       error)
                    : DLP_OK;
}

static const dlp_levels *levels_of(const dlp_terms *terms, const char *group)
{
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        if (!strcmp(terms->grouping[i].variable, group)) return &terms->grouping[i];
    return NULL;
}

/* How many rows each level has. */
static const dlp_index *count_rows(const dlp_random *random, const dlp_glm_data *data,
                                   dlp_regression *out)
{
    dlp_index *rows = dlpi_pool_take(&out->pool, random->group.n, sizeof *rows);
    if (!rows) return NULL;
    const dlp_status status =
        dlpi_count_groups(data, random->code, random->group.n, rows, NULL);
    return status == DLP_OK ? rows : NULL;
}

static bool keep_term(const dlp_random *random, const dlp_sd_prior *prior,
                      const dlpi_mixed_effects *e, dlp_regression *out,
                      dlp_random_effects *to)
{
    const dlp_index q = e->q, p = dlpi_effects_width(&out->result);
    const dlp_levels *group = levels_of(out->result.terms, random->group.variable);
    const char **name = dlpi_pool_take(&out->pool, q, sizeof *name);
    if (!name || !group || !dlpi_regression_keep(out, random->label, &to->label))
        return false;
    for (dlp_index j = 0; j < q; j++)
        if (!dlpi_regression_keep(out, random->name[j], &name[j])) return false;
    to->group = group->variable;
    to->levels = group->n;
    to->level = group->level;
    const dlp_index L = group->n; /* for bym2, the structured parts follow */
    to->q = q;
    to->name = name;
    to->prior = keep(out, q, sizeof *prior, prior);
    to->sd = keep(out, q, sizeof *e->sd, e->sd);
    to->correlation = keep(out, q * (q - 1) / 2, sizeof *e->sd, e->correlation);
    to->covariance = keep(out, q * q, sizeof(double), e->covariance);
    to->mean = keep(out, L * q, sizeof(double), e->mean);
    to->variance = keep(out, L * q * q, sizeof(double), e->variance);
    to->with_beta = keep(out, L * q * p, sizeof(double), e->with_beta);
    return to->prior && to->sd && to->correlation && to->covariance && to->mean &&
           to->variance && to->with_beta;
}

/* Keeps the fields of a process, besides those of any term. */
static bool keep_process(const dlp_random *random, const dlpi_process *process,
                         const dlpi_mixed_effects *e, dlp_regression *out,
                         dlp_random_effects *to)
{
    to->reference = 1;
    if (!random->process) return true;
    const dlp_terms *terms = out->result.terms;
    for (dlp_index i = 0; i < terms->n_bases; i++)
        if (!strcmp(terms->basis[i].variable, random->process->variable))
            to->process = &terms->basis[i];
    to->second = e->second;
    to->reference = process->reference;
    to->next = keep(out, to->levels, sizeof(double), e->next);
    return to->process && to->next;
}

static bool keep_pairs(const dlpi_mixed_result *found, dlp_regression *out)
{
    dlp_effect_pairs *pairs = dlpi_pool_take(&out->pool, found->n_pairs, sizeof *pairs);
    bool kept = pairs != NULL;
    for (dlp_index i = 0; kept && i < found->n_pairs; i++) {
        const dlpi_mixed_pairs *from = &found->pairs[i];
        const dlp_index square =
            found->effects[from->first].q * found->effects[from->second].q;
        pairs[i] = (dlp_effect_pairs){
            .first = from->first,
            .second = from->second,
            .n = from->n,
            .level = keep(out, 2 * from->n, sizeof *from->level, from->level),
            .covariance =
                keep(out, from->n * square, sizeof *from->covariance, from->covariance)};
        kept = pairs[i].level && pairs[i].covariance;
    }
    out->result.n_pairs = found->n_pairs;
    out->result.pairs = pairs;
    return kept;
}

/* For scales at their mode nothing else is known, unless they are fixed. */
static void forget_spread(const dlp_sd_prior *prior, dlpi_mixed_result *found)
{
    for (dlp_index t = 0; t < found->n_terms; t++) {
        dlpi_mixed_effects *e = &found->effects[t];
        e->second = dlpi_margin_of_mode(e->second.mean);
        const dlp_index pairs = e->q * (e->q - 1) / 2;
        for (dlp_index k = 0; k < e->q; k++, prior++)
            if (prior->distribution != DLP_SD_FIXED)
                e->sd[k] = dlpi_margin_of_mode(e->sd[k].mean);
        for (dlp_index k = 0; k < pairs; k++)
            e->correlation[k] = dlpi_margin_of_mode(e->correlation[k].mean);
    }
    for (dlp_index i = found->p; i < found->n; i++)
        found->margin[i] = dlpi_margin_of_mode(found->margin[i].mean);
}

/* For the predictor of a level, with the level's name in front. */
static bool keep_label(const dlp_family *family, const char *label, dlp_index k,
                       dlp_regression *out, const char **to)
{
    if (family->support != DLP_SUPPORT_LEVELS)
        return dlpi_regression_keep(out, label, to);
    const char *level = out->result.terms->response.level[1 + k];
    const size_t size = strlen(level) + strlen(label) + 3;
    char *whole = dlpi_pool_take(&out->pool, (dlp_index)size, 1);
    if (whole) snprintf(whole, size, "%s: %s", level, label);
    *to = whole;
    return whole != NULL;
}

static bool keep_smooths(const dlpi_prepared *p, const dlp_sd_prior *prior,
                         const dlpi_mixed_effects *e, dlp_regression *out)
{
    const dlp_index D = dlpi_predictors(&out->result), S = D * p->design->n_smooths;
    dlp_smooth_effect *smooth = dlpi_pool_take(&out->pool, S, sizeof *smooth);
    bool kept = smooth != NULL;
    for (dlp_index s = 0; kept && s < S; s++) {
        const dlp_smooth *of = &p->design->smooth[s / D];
        const dlp_index from = s % D * out->result.p - p->skipped;
        smooth[s] = (dlp_smooth_effect){.level = of->level,
                                        .basis = of->basis,
                                        .fixed = of->n_fixed > 0 ? of->fixed + from : 0,
                                        .n_fixed = of->n_fixed,
                                        .first = of->first + from,
                                        .n = of->n,
                                        .prior = prior[s],
                                        .sd = e[s].sd[0],
                                        .square = e[s].covariance[0]};
        kept = keep_label(p->family, of->label, s % D, out, &smooth[s].label) &&
               dlpi_regression_keep(out, of->by, &smooth[s].by);
    }
    out->result.n_smooths = S;
    out->result.smooth = smooth;
    return kept;
}

/* The random terms of each predictor and the smooths. False when out of memory. */
static bool keep_terms(const dlpi_prepared *p, const dlpi_basis *basis, work *w,
                       dlp_regression *out)
{
    dlp_regression_result *result = &out->result;
    const dlpi_mixed_result *found = &w->result;
    const dlp_index D = dlpi_predictors(result), T = D * p->design->n_random;
    dlp_random_effects *random = dlpi_pool_take(&out->pool, T, sizeof *random);
    const dlp_sd_prior *prior = w->prior.sd;
    bool kept = random != NULL;
    for (dlp_index t = 0; kept && t < T; t++) {
        dlpi_mixed_effects *e = &found->effects[t];
        change_back(basis, e->L * e->q, found->n, dlpi_effects_width(result),
                    e->with_beta, w->start);
        const dlp_index i = t / D;
        const dlp_random *of = &p->design->random[i];
        kept = keep_term(of, prior, e, out, &random[t]);
        random[t].rows = count_rows(of, &p->data, out);
        kept = kept && random[t].rows &&
               keep_process(of, &w->process[i], e, out, &random[t]);
        random[t].lkj = w->prior.lkj[i];
        random[t].lkj_stated = w->prior.lkj_stated[i];
        memcpy(random[t].share, w->prior.share + 2 * i, sizeof random[t].share);
        random[t].share_stated = w->prior.share_stated[i];
        if (p->family->support == DLP_SUPPORT_LEVELS)
            random[t].category = result->terms->response.level[1 + t % D];
        prior += e->q;
    }
    result->n_random = T;
    result->random = random;
    return kept && keep_smooths(p, prior, found->effects + T, out);
}

static dlp_status keep_result(const dlpi_prepared *p, const dlpi_basis *basis, work *w,
                              dlp_regression *out, dlp_error *error)
{
    dlp_regression_result *result = &out->result;
    const dlpi_mixed_result *found = &w->result;
    const dlp_index n = result->n;
    const bool kept = keep_terms(p, basis, w, out);
    dlp_margin *margin = keep(out, n, sizeof *found->margin, found->margin);
    if (!kept || !margin || !keep_pairs(found, out))
        return dlpi_no_memory(error, "the random effects");
    DLP_TRY(margins_of_columns(basis, found, w->levels.ordinal.cuts,
                               w->levels.ordinal.in_beta, w->start, margin, error));
    result->margin = margin;
    memcpy(out->mu, found->beta, (size_t)n * sizeof *out->mu);
    memcpy(out->Sigma, found->covariance, (size_t)(n * n) * sizeof *out->Sigma);
    DLP_TRY(dlpi_scale_points_keep(basis, w->place, found, out, error));
    result->outcome = found->outcome;
    result->objective = found->log_evidence;
    result->evaluations = found->evaluations;
    result->points = found->points;
    result->estimated = found->points > 0;
    result->scale_integrated = p->family->scale != NULL;
    return DLP_OK;
}

/* ---- the whole ---- */

/* Whether effects and columns leave nothing of a Gaussian response from which to estimate
   its sd. */
static bool is_explained(const dlpi_prepared *p, const dlpi_mixed_result *found,
                         double unit)
{
    return dlpi_is_gaussian(p->family) && found->points > 0 &&
           found->margin[found->p].mean < 1e-8 * unit;
}

static int poll(void *listener, const dlp_progress *progress)
{
    (void)progress;
    return dlpi_listener_poll(listener);
}

/* The search starts from the regression without random effects, or from 0 where that
   fails; but not if memory ran out, which must not decide where the search starts. */
static dlp_status find_start(const dlpi_prepared *p, dlp_glm *glm,
                             dlpi_listener *listener, double *start, dlp_error *error)
{
    dlp_settings settings = dlp_settings_default();
    if (listener) settings.progress = poll;
    settings.context = listener;
    dlpi_solution end = {.trace = NULL};
    dlp_error why = {0};
    const dlp_status status = dlpi_solve(p, &glm->data, glm, &settings, false, start,
                                         start + glm->n, &end, &why);
    free(end.trace);
    if (glm->data.division && glm->data.division->wanted) { /* all processes begin anew */
        if (error) *error = why;
        return status;
    }
    if (status != DLP_OK) memset(start, 0, (size_t)glm->n * sizeof *start);
    if (status != DLP_OK) (void)dlpi_glm_start(glm, start); /* where eta is positive */
    if (status != DLP_ENOMEM) return DLP_OK;
    if (error) *error = why;
    return status;
}

/* The random terms and smooths as the engine takes them. */
static dlp_status set_terms(const dlpi_prepared *p, work *w, dlp_error *error)
{
    for (dlp_index t = 0; t < w->terms; t++) {
        const dlp_random *random = &p->design->random[t];
        w->term[t] = (dlpi_mixed_term){
            .L = random->group.n, .q = random->q, .code = random->code, .x = random->x};
        if (!random->process) continue;
        DLP_TRY(
            dlpi_process_of(random->process, p->asked.adjacency, &w->process[t], error));
        w->term[t].process = &w->process[t];
        w->term[t].L = w->process[t].n;
    }
    for (dlp_index s = 0; s < p->design->n_smooths; s++)
        w->smooth[s] = (dlpi_mixed_smooth){p->design->smooth[s].first - p->skipped,
                                           p->design->smooth[s].n};
    return DLP_OK;
}

static dlp_status alloc_work(const dlpi_prepared *p, const dlp_glm *glm, work *w,
                             dlp_error *error)
{
    const dlp_index T = p->design->n_random, n = glm->n;
    const dlp_index D = dlpi_predictors_of(p);
    dlp_index effects = 0;
    for (dlp_index t = 0; t < T; t++) effects += D * p->design->random[t].q;
    const dlp_index S = D * p->design->n_smooths;
    effects += S;
    w->term = dlpi_calloc(T, sizeof *w->term);
    w->smooth = dlpi_calloc(p->design->n_smooths, sizeof *w->smooth);
    w->terms = T;
    w->process = dlpi_calloc(T, sizeof *w->process);
    w->prior.sd = dlpi_calloc(effects, sizeof *w->prior.sd);
    w->prior.lkj = dlpi_calloc(3 * T + S, sizeof *w->prior.lkj);
    w->prior.lkj_stated = dlpi_calloc(2 * T, sizeof *w->prior.lkj_stated);
    w->precision = dlpi_calloc(n * (n + 2), sizeof *w->precision);
    w->place = dlpi_calloc(n, sizeof *w->place);
    w->tau = dlpi_calloc(n, 2 * sizeof *w->tau);
    w->start = dlpi_calloc(n * (n + 1), sizeof *w->start);
    if (!w->term || !w->smooth || !w->process || !w->prior.sd || !w->prior.lkj ||
        !w->prior.lkj_stated || !w->precision || !w->start || !w->place || !w->tau)
        return dlpi_no_memory(error, "the random effects");
    w->prior.share = w->prior.lkj + T + S;
    for (dlp_index s = 0; s < S; s++) w->prior.lkj[T + s] = 1;
    w->prior.share_stated = w->prior.lkj_stated + T;
    w->mean = w->precision + n * n;
    w->begin = w->mean + n;
    return set_terms(p, w, error);
}

/* Responses are rarely known to more digits than these. */
static double rounding_of(const dlp_glm_data *rows, double unit)
{
    const double digits = 1e-10 * unit;
    return (double)rows->N * digits * digits;
}

/* The priors of sds and correlations, where to start, and the unit of the response. */
static dlp_status begin(const dlpi_prepared *p, dlp_glm *glm, dlpi_listener *listener,
                        work *w, double *unit, dlp_error *error)
{
    double centre;
    DLP_TRY(dlpi_division_agree(glm->data.division, alloc_work(p, glm, w, error), error));
    dlpi_link_measure(p, &glm->data, p->intercept, &centre, unit);
    DLP_TRY(dlpi_random_prior(p, &glm->data, *unit, &w->prior, error));
    repeat_priors(p, dlpi_predictors_of(p), w->prior.sd);
    DLP_TRY(find_start(p, glm, listener, w->start, error));
    if (listener && dlpi_listener_stopped(listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
    return DLP_OK;
}

/* Where rows are divided among processes, this one takes those of its levels. */
static dlp_status divide_term(const dlpi_prepared *p, const dlp_glm *glm, work *w,
                              dlpi_mixed_data *data, dlp_error *error)
{
    if (!dlpi_is_divided(glm->data.division)) return DLP_OK;
    DLP_TRY(dlpi_divided_term_make(p, &glm->data, &w->divided, error));
    dlpi_divided_term_take(&w->divided, data);
    if (dlpi_student_sites_any(&glm->prior)) /* several fits */
        w->divided.division.columns = NULL;
    return DLP_OK;
}

static dlp_status fit(const dlpi_prepared *p, const dlpi_basis *basis, dlp_glm *glm,
                      int threads, dlpi_listener *listener, work *w, dlp_regression *out,
                      dlp_error *error)
{
    double unit;
    DLP_TRY(begin(p, glm, listener, w, &unit, error));
    dlpi_mixed_data data =
        dlpi_level_rows_data(glm, w->terms, w->term, p->design->n_smooths, w->smooth);
    DLP_TRY(divide_term(p, glm, w, &data, error));
    dlpi_mixed_prior prior = {.mean = w->mean,
                              .precision = w->precision,
                              .sd = w->prior.sd,
                              .lkj = w->prior.lkj,
                              .share = w->prior.share,
                              .tau = w->tau};
    DLP_TRY(dlpi_level_rows_make(glm, false, &data, &prior, w->place, &w->levels, error));
    dlpi_level_rows_prior(glm, data.p, w->place, w->mean, w->precision);
    dlpi_scale_priors(glm, data.p, data.scales, w->tau);
    data.rounding = rounding_of(&glm->data, unit);
    for (dlp_index i = 0; i < data.p; i++) w->begin[i] = w->start[w->place[i]];
    const dlpi_mixed_settings settings = {.threads = threads,
                                          .start = w->begin,
                                          .tau_start = w->start + data.p,
                                          .laplace = p->method == DLP_METHOD_LAPLACE,
                                          .only_mode = p->hyper == DLP_HYPER_MAP,
                                          .listener = listener,
                                          .comm = dlpi_comm_of(p)};
    DLP_TRY(dlpi_student_fit(glm, w->place, w->mean, w->precision, &data, &prior,
                             &settings, &w->result, error));
    DLP_TRY(dlpi_move_coefficients(w->place, &w->result, error));
    if (data.predictors > 1) DLP_TRY(dlpi_multinomial_split(&data, &w->result, error));
    if (is_explained(p, &w->result, unit)) w->result.outcome = DLP_STALLED;
    if (p->hyper == DLP_HYPER_MAP) forget_spread(w->prior.sd, &w->result);
    dlpi_random_doubts(p, &w->result, out);
    return keep_result(p, basis, w, out, error);
}

dlp_status dlpi_mixed_regression(const dlpi_prepared *p, const dlpi_basis *basis,
                                 dlp_glm *glm, int threads, dlpi_listener *listener,
                                 dlp_regression *out, dlp_error *error)
{
    work w = {.term = NULL};
    const dlp_status status = fit(p, basis, glm, threads, listener, &w, out, error);
    free_work(&w);
    return status;
}
