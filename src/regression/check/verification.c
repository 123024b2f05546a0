/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a fit with the posterior that it approximates. */
#include <delaplace/verification.h>

#include "core/core.h"
#include "core/settings.h"
#include "infer/listener.h"
#include "math/symmetric/structure.h"
#include "mixed/scales/scale_mixture.h"
#include "regression/check/importance.h"
#include "regression/check/mixed_target.h"
#include "regression/check/target.h"
#include "regression/check/weighted_margin.h"
#include "regression/draw/draws.h"
#include "regression/draw/scale_points.h"
#include "regression/regression.h"
#include "regression/written.h"

#include <delaplace/special.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* In sds. A good fit should be within 0.1, and draws do not reveal all of the error. */
static const double GOOD = 0.09, FAIR = 0.5;

void dlp_verification_settings_init(dlp_verification_settings *settings, size_t size)
{
    const dlp_verification_settings defaults = {
        .size = sizeof defaults, .draws = 4000, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

const char *dlp_grade_name(int i)
{
    static const char *const names[] = {"good", "fair", "poor", "unknown"};
    return i >= 0 && i <= DLP_GRADE_UNKNOWN ? names[i] : NULL;
}

/* A fit that is not good is off by its distance, rounded up to a tenth. */
void dlp_verified_remark(const dlp_verified *v, char *out, size_t room)
{
    switch (v->grade) {
    case DLP_GRADE_GOOD: snprintf(out, room, "%s", ""); break;
    case DLP_GRADE_FAIR:
        snprintf(out, room, "\302\261%.1f sd", ceil(v->off * 10 - 1e-9) / 10);
        break;
    case DLP_GRADE_POOR: snprintf(out, room, "do not trust"); break;
    case DLP_GRADE_UNKNOWN: snprintf(out, room, "not verified"); break;
    }
}

dlp_index dlp_verification_count(const dlp_regression_result *r, dlp_grade grade)
{
    const dlp_verification *v = r->verification;
    dlp_index count = 0;
    for (dlp_index m = 0; v && m < r->M; m++)
        for (dlp_index i = 0; i < r->n; i++)
            count += v->fit[m].parameter[i].grade == grade;
    for (dlp_index i = 0; v && i < v->fit[0].n_scales; i++)
        count += v->fit[0].scale[i].grade == grade;
    return count;
}

dlp_index dlp_verified_worst(const dlp_verified_fit *v, dlp_index n)
{
    dlp_index worst = 0;
    for (dlp_index i = 1; i < n; i++)
        if (v->parameter[i].off > v->parameter[worst].off) worst = i;
    return worst;
}

void dlp_verified_interval(const dlp_verified *v, dlp_range range, double interval_level,
                           double *lower, double *upper)
{
    const double z = dlp_normal_quantile(0.5 + 0.5 * fmin(fmax(interval_level, 0), 1));
    const dlp_margin m = {v->mean, v->sd, v->lower, v->median, v->upper};
    const bool known = interval_level == DLP_INTERVAL_LEVEL;
    *lower = known ? v->lower : dlpi_within_at(&m, range, -z);
    *upper = known ? v->upper : dlpi_within_at(&m, range, z);
}

/* ---- parameters ---- */

/* The draws of parameter i on the scale that users see. */
static void take_values(const dlp_regression_result *r, const dlpi_sample *sample,
                        const double *weight, const dlp_parameter *parameter, dlp_index i,
                        dlpi_twice_weighted *draw)
{
    const dlp_index S = sample->S;
    for (dlp_index s = 0; s < S; s++) {
        const double *theta = sample->theta + s * r->n;
        double value = dlpi_written_value(r, i, theta);
        if (parameter->kind == DLP_SCALE) value = exp(value);
        if (parameter->kind == DLP_CUT_POINT) {
            value = theta[r->p];
            for (dlp_index j = r->p + 1; j <= i; j++) value += exp(theta[j]);
        }
        draw[s] = (dlpi_twice_weighted){value, {weight[s], weight[S + s]}};
    }
}

/* An interval end with normal score z, by Cornish and Fisher. */
static double end_by_moments(const dlp_verified *v, double z, double skewness,
                             double kurtosis)
{
    const double by = (z * z - 1) * skewness / 6 + (z * z - 3) * z * kurtosis / 24 -
                      (2 * z * z - 5) * z * skewness * skewness / 36;
    return v->mean + v->sd * (z + by);
}

/* Moments of all draws are much less noisy than the few draws beyond an end, and say the
   same where a margin is close to normal. */
static void smooth_ends(const dlpi_weighted_margin *p, const dlpi_weighted_margin *of_q,
                        dlp_verified *out)
{
    const double most_skewness = 0.4, most_kurtosis = 0.8;
    const double z = dlp_normal_quantile(0.975), skewness = p->skewness - of_q->skewness,
                 kurtosis = p->kurtosis - of_q->kurtosis;
    if (!(fabs(skewness) < most_skewness && fabs(kurtosis) < most_kurtosis)) return;
    out->lower = end_by_moments(out, -z, skewness, kurtosis);
    out->upper = end_by_moments(out, z, skewness, kurtosis);
}

/*
 * The fit's own values are known exactly, and the same draws estimate both sides, so
 * their difference is known far better than either. Once the draws are no longer centred
 * on q, they cannot be used for q.
 */
static void correct(const dlp_parameter *q, const dlpi_weighted_margin *p,
                    const dlpi_weighted_margin *of_q, bool around, dlp_verified *out)
{
    *out = (dlp_verified){.mean = p->mean,
                          .sd = p->sd,
                          .lower = p->lower,
                          .median = p->median,
                          .upper = p->upper,
                          .skewness = p->skewness};
    if (!around || !(of_q->sd > 0)) return;
    out->mean = q->mean + (p->mean - of_q->mean);
    out->sd = q->sd * (p->sd / of_q->sd);
    out->lower = q->lower + (p->lower - of_q->lower);
    out->upper = q->upper + (p->upper - of_q->upper);
    if (q->kind == DLP_COEFFICIENT) smooth_ends(p, of_q, out);
}

/* noise: the error of the draws themselves, in sds. */
static void grade(const dlp_parameter *q, double k, double noise, dlp_verified *v)
{
    const double sd = fmax(v->sd, 1e-300);
    v->off = fmax(fmax(fabs(q->mean - v->mean), fabs(q->sd - v->sd)),
                  fmax(fabs(q->lower - v->lower), fabs(q->upper - v->upper))) /
             sd;
    v->grade = v->off <= GOOD + noise ? DLP_GRADE_GOOD
               : v->off <= FAIR       ? DLP_GRADE_FAIR
                                      : DLP_GRADE_POOR;
    if (!(k <= DLP_TAIL_K_FAIR) && v->grade != DLP_GRADE_POOR)
        v->grade = DLP_GRADE_UNKNOWN;
    if (!isfinite(v->off)) v->grade = DLP_GRADE_UNKNOWN;
}

/* For what the groups of a hierarchy share, only the value of the fit is known, and no
   median. */
static dlp_verified held(const dlp_parameter *q)
{
    return (dlp_verified){.mean = q->mean,
                          .sd = q->sd,
                          .lower = q->lower,
                          .median = q->mean,
                          .upper = q->upper,
                          .grade = DLP_GRADE_UNKNOWN};
}

/* A coefficient under q, whose interval may be skewed. */
static dlp_parameter normal_like(const dlp_parameter *told)
{
    dlp_parameter normal = *told;
    if (told->kind != DLP_COEFFICIENT) return normal;
    normal.lower = told->mean - dlp_normal_quantile(0.975) * told->sd;
    normal.upper = told->mean + dlp_normal_quantile(0.975) * told->sd;
    return normal;
}

/* The shape of the weights' tail. Where their relative variance is below a thousandth, a
   shape that is fitted to what differs says nothing about the posterior. */
static double tail_of(const dlpi_sample *sample)
{
    const double even = 0.999;
    const bool noise = sample->psis.size > even * (double)sample->S;
    return noise && sample->psis.k > DLP_TAIL_K_LIGHT ? -INFINITY : sample->psis.k;
}

static dlp_status summarise(const dlp_regression *regression, dlp_index m,
                            const dlpi_sample *sample, dlp_parameter *parameter,
                            double *weight, dlpi_twice_weighted *draw,
                            dlp_verified_fit *fit, dlp_verified *out, dlp_error *error)
{
    const dlp_regression_result *r = &regression->result;
    const bool around = sample->q_size > 0.5 * (double)sample->S;
    DLP_TRY(dlp_regression_parameters(regression, m, parameter, error));
    *fit = (dlp_verified_fit){.k = tail_of(sample),
                              .effective = sample->psis.size,
                              .rounds = sample->rounds,
                              .log_evidence = sample->log_evidence,
                              .log_evidence_se = sample->log_evidence_se,
                              .parameter = out};
    for (dlp_index s = 0; s < sample->S; s++) {
        weight[s] = exp(sample->log_weight[s]);
        weight[sample->S + s] = exp(sample->log_q[s]);
    }
    for (dlp_index i = 0; i < r->n; i++) {
        take_values(r, sample, weight, &parameter[i], i, draw);
        dlpi_twice_weighted_sort(sample->S, draw);
        const dlpi_weighted_margin p = dlpi_weighted_margin_of(sample->S, draw, 0),
                                   q = dlpi_weighted_margin_of(sample->S, draw, 1);
        /* for a margin other than q's, draws estimate the ends of intervals directly,
           each with its own error */
        const bool own = r->margin && (r->grouping == DLP_MIXED ||
                                       parameter[i].kind != DLP_COEFFICIENT);
        const double noise = own ? 3 / sqrt(sample->psis.size) : 0;
        const dlp_parameter normal = normal_like(&parameter[i]);
        correct(&normal, &p, &q, around && !own, &out[i]);
        if (parameter[i].shared) {
            out[i] = held(&parameter[i]);
            continue;
        }
        grade(&parameter[i], fit->k, noise, &out[i]);
        if (out[i].grade > fit->grade) fit->grade = out[i].grade;
    }
    return DLP_OK;
}

/* ---- posteriors ---- */

typedef struct work {
    dlp_verification_settings s;
    dlpi_target target;
    int threads;
    double *mu, *Sigma; /* (n), (n, n) */
    dlp_parameter *parameter;
    double *weight;            /* (2, S) */
    dlpi_twice_weighted *draw; /* (S) */
    dlp_verified_fit *fit;
    dlp_verified *out; /* (M, n) */
} work;

/* Extends draws of what varies by group to draws of all parameters, with the shared
   scale. */
static dlp_status add_shared(double shared, dlpi_sample *sample, dlp_error *error)
{
    const dlp_index q = sample->n, n = q + 1;
    double *theta = dlpi_calloc(sample->S, (size_t)n * sizeof *theta);
    if (!theta) return dlpi_no_memory(error, "the draws");
    for (dlp_index s = 0; s < sample->S; s++) {
        memcpy(theta + s * n, sample->theta + s * q, (size_t)q * sizeof *theta);
        theta[s * n + q] = shared;
    }
    free(sample->theta);
    sample->theta = theta;
    sample->n = n;
    return DLP_OK;
}

/* Moves the first q rows and columns of Sigma (n, n) together. */
static void take_corner(dlp_index n, dlp_index q, double *Sigma)
{
    for (dlp_index i = 0; i < q && q < n; i++)
        memmove(Sigma + i * q, Sigma + i * n, (size_t)q * sizeof *Sigma);
}

static dlp_status sample_group(const work *w, dlp_index m, dlpi_sample *sample,
                               dlp_error *error)
{
    const dlp_regression_result *r = &w->target.of->result;
    const dlp_glm_data rows = dlpi_rows_of_group(&w->target.rows, m);
    const dlp_index q = dlpi_target_varies(r);
    dlp_glm *glm = NULL;
    DLP_TRY(dlpi_target_glm(&w->target, &rows, &glm, error));
    dlpi_target_posterior(&w->target, m, w->mu, w->Sigma);
    take_corner(r->n, q, w->Sigma);
    dlp_status status = dlpi_sample_make(glm, w->mu, w->Sigma, w->s.draws, w->s.seed,
                                         w->threads, sample, error);
    dlp_glm_free(glm);
    if (status == DLP_OK && q < r->n) status = add_shared(w->mu[q], sample, error);
    if (status == DLP_OK) dlpi_target_back(&w->target, sample->S, sample->theta);
    if (status == DLP_OK) sample->log_evidence += w->target.precise.log_jacobian;
    return status;
}

/* ---- a mixed model ---- */

typedef struct mixed_draws {
    const work *w;
    const dlpi_mixed_target *mixed;
    dlpi_sample *sample;
    double *number; /* (S, m) of scale_points.h */
    dlp_index m;
} mixed_draws;

/* The numbers that represent sds and correlations. */
static bool take_numbers(const dlpi_mixed *model, const dlpi_mixed_sample *of,
                         mixed_draws *c)
{
    const dlpi_hyper_layout *layout = &model->layout;
    const dlp_index q = layout->largest;
    double *room = dlpi_calloc(layout->all + q * (q + 1), sizeof *room);
    c->m = dlpi_scale_mixture_width(layout);
    c->number = dlpi_calloc(of->S, (size_t)c->m * sizeof *c->number);
    for (dlp_index i = 0; room && c->number && i < of->S; i++)
        dlpi_scale_mixture_numbers(layout, of->psi + i * layout->m, room,
                                   c->number + i * c->m);
    free(room);
    return room && c->number;
}

/* Draws of the regression's parameters, from those of x and psi. */
static dlp_status take_sample(void *context, const dlpi_mixed_found *found,
                              dlp_error *error)
{
    mixed_draws *c = context;
    const dlp_verification_settings *s = &c->w->s;
    const dlpi_mixed *model = found->model;
    const dlp_index n = c->w->target.of->result.n, m = model->layout.m,
                    wide = model->rows.n;
    dlpi_mixed_sample of = {0};
    DLP_TRY(dlpi_mixed_sample_make(found, s->draws, s->seed, &of, error));
    *c->sample = (dlpi_sample){.n = n,
                               .S = of.S,
                               .theta = dlpi_calloc(of.S, (size_t)n * sizeof(double)),
                               .log_q = dlpi_calloc(of.S, sizeof(double)),
                               .log_weight = of.log_weight,
                               .psis = of.psis,
                               .log_evidence = of.log_evidence,
                               .log_evidence_se = of.log_evidence_se,
                               .rounds = 1};
    of.log_weight = NULL; /* the sample owns them now */
    double *theta = c->sample->theta;
    for (dlp_index i = 0; theta && i < of.S; i++)
        dlpi_mixed_target_theta(c->mixed, model, of.x + i * wide,
                                of.psi + i * m + model->layout.tau, theta + i * n);
    if (theta) dlpi_target_back(&c->w->target, of.S, theta);
    const bool numbers = take_numbers(model, &of, c);
    dlpi_mixed_sample_clear(&of);
    return theta && numbers && c->sample->log_q ? DLP_OK
                                                : dlpi_no_memory(error, "the draws");
}

/* Compares sds and correlations of the fit with those of the draws. */
static dlp_status summarise_scales(const mixed_draws *c, dlp_regression *r,
                                   dlp_verified_fit *fit, dlp_error *error)
{
    const work *w = c->w;
    const dlpi_sample *sample = c->sample;
    const dlp_index n = dlpi_scale_numbers(&r->result) - dlpi_own_scales(&r->result);
    dlp_verified *out = dlpi_pool_take(&r->pool, n, sizeof *out);
    const char **name = dlpi_pool_take(&r->pool, n, sizeof *name);
    dlp_range *range = dlpi_pool_take(&r->pool, n, sizeof *range);
    dlpi_scale_place at = {0};
    dlpi_scale scale;
    if (!out || !name || !range) return dlpi_no_memory(error, "the verification");
    for (dlp_index i = 0; i < n && dlpi_scale_next(&r->result, &at, &scale); i++) {
        const dlp_margin *m = scale.margin;
        const dlp_parameter q = {
            .mean = m->mean, .sd = m->sd, .lower = m->lower, .upper = m->upper};
        for (dlp_index s = 0; s < sample->S; s++)
            w->draw[s] =
                (dlpi_twice_weighted){dlpi_scale_value(&scale, c->number[s * c->m + i]),
                                      {exp(sample->log_weight[s]), 0}};
        dlpi_twice_weighted_sort(sample->S, w->draw);
        const dlpi_weighted_margin p = dlpi_weighted_margin_of(sample->S, w->draw, 0);
        correct(&q, &p, &p, false, &out[i]);
        if (m->sd > 0) /* else it is fixed */
            grade(&q, fit->k, 3 / sqrt(sample->psis.size), &out[i]);
        if (out[i].grade > fit->grade) fit->grade = out[i].grade;
        range[i] = dlpi_scale_range(&scale);
        if (!dlpi_regression_keep(r, scale.name, &name[i]))
            return dlpi_no_memory(error, "the verification");
    }
    fit->n_scales = n;
    fit->scale = out;
    fit->scale_name = name;
    fit->scale_range = range;
    return DLP_OK;
}

static dlp_status sample_mixed(const work *w, dlpi_sample *sample, mixed_draws *draws,
                               dlp_error *error)
{
    dlpi_mixed_target mixed = {0};
    *draws = (mixed_draws){.w = w, .mixed = &mixed, .sample = sample};
    dlpi_listener listener = {.call = w->s.progress, .context = w->s.context};
    dlp_status status = dlpi_mixed_target_make(&w->target, false, &mixed, error);
    if (status == DLP_OK)
        status = dlpi_mixed_target_fit(&mixed, NULL, w->threads, &listener, take_sample,
                                       draws, error);
    dlpi_mixed_target_clear(&mixed);
    draws->mixed = NULL;
    if (status != DLP_OK) dlpi_sample_clear(sample);
    return status;
}

static dlp_status verify_mixed(const work *w, dlp_regression *r, dlp_error *error)
{
    dlpi_sample sample = {0};
    mixed_draws draws;
    dlp_status status = sample_mixed(w, &sample, &draws, error);
    if (status == DLP_OK)
        status = summarise(r, 0, &sample, w->parameter, w->weight, w->draw, &w->fit[0],
                           w->out, error);
    if (status == DLP_OK) status = summarise_scales(&draws, r, &w->fit[0], error);
    free(draws.number);
    dlpi_sample_clear(&sample);
    return status;
}

/* ---- one posterior ---- */

static dlp_status verify_group(const work *w, dlp_index m, dlp_error *error)
{
    const dlp_regression *of = w->target.of;
    dlpi_sample sample = {0};
    DLP_TRY(sample_group(w, m, &sample, error));
    const dlp_status status = summarise(of, m, &sample, w->parameter, w->weight, w->draw,
                                        &w->fit[m], w->out + m * of->result.n, error);
    dlpi_sample_clear(&sample);
    return status;
}

static dlp_status tell(const work *w, dlp_index m, dlp_error *error)
{
    const dlp_progress now =
        dlpi_progress_count("verifying", "groups", m, w->target.of->result.M);
    if (!w->s.progress || !w->s.progress(w->s.context, &now)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "%s", dlp_status_string(DLP_ECANCELLED));
}

/* ---- the whole ---- */

int dlpi_threads_for_draws(int asked, dlp_index draws, dlp_index N, dlp_index p)
{
    const double enough = 1 << 24; /* multiplications per thread */
    const double work_of_all = (double)draws * (double)N * (double)(p + 10);
    if (asked > 0) return asked;
    return (int)fmin(omp_get_num_procs(), 1 + floor(work_of_all / enough));
}

static dlp_status make_room(dlp_regression *r, work *w, dlp_error *error)
{
    const dlp_index n = r->result.n, M = r->result.M;
    w->mu = dlpi_calloc(n, sizeof *w->mu);
    w->Sigma = dlpi_calloc(n, (size_t)n * sizeof *w->Sigma);
    w->parameter = dlpi_calloc(n, sizeof *w->parameter);
    w->draw = dlpi_calloc(w->s.draws + 1, sizeof *w->draw);
    w->weight = dlpi_calloc(w->s.draws + 1, 2 * sizeof *w->weight);
    w->fit = dlpi_pool_take(&r->pool, M, sizeof *w->fit);
    w->out = dlpi_pool_take(&r->pool, dlpi_size(M, n, 0), sizeof *w->out);
    if (w->mu && w->Sigma && w->parameter && w->draw && w->weight && w->fit && w->out)
        return DLP_OK;
    return dlpi_no_memory(error, "the verification");
}

static dlp_status verify(dlp_regression *r, const dlp_table *table, work *w,
                         dlp_error *error)
{
    DLP_TRY(dlpi_target_make(r, table, false, true, w->s.problem, &w->target, error));
    w->threads =
        dlpi_threads_for_draws(w->s.threads, w->s.draws, r->result.rows, r->result.p);
    DLP_TRY(make_room(r, w, error));
    dlp_verification *made = dlpi_pool_take(&r->pool, 1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the verification");
    *made = (dlp_verification){
        .draws = w->s.draws + w->s.draws % 2, .seed = w->s.seed, .fit = w->fit};
    for (dlp_index m = 0; m < r->result.M; m++) {
        DLP_TRY(tell(w, m, error));
        DLP_TRY(r->result.grouping == DLP_MIXED ? verify_mixed(w, r, error)
                                                : verify_group(w, m, error));
        if (w->fit[m].grade > made->grade) made->grade = w->fit[m].grade;
    }
    r->result.verification = made;
    return DLP_OK;
}

dlp_status dlp_regression_verify(dlp_regression *regression, const dlp_table *table,
                                 const dlp_verification_settings *settings,
                                 dlp_error *error)
{
    work w = {.s = dlp_verification_settings_default()};
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL,
                        "a verification needs a regression and its table");
    DLP_TRY(dlpi_settings_take(&w.s, sizeof w.s, settings, error));
    if (w.s.draws < 100 || w.s.draws > 10000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td draws are asked for; there must be 100 to 10,000,000",
                        w.s.draws);
    const dlp_status status = verify(regression, table, &w, error);
    dlpi_target_clear(&w.target);
    free(w.mu);
    free(w.Sigma);
    free(w.parameter);
    free(w.draw);
    free(w.weight);
    return status;
}

dlp_tail dlp_tail_of(double k)
{
    if (k <= DLP_TAIL_K_LIGHT) return DLP_TAIL_LIGHT;
    return k <= DLP_TAIL_K_FAIR ? DLP_TAIL_FAIR : DLP_TAIL_HEAVY;
}
