/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/importance.h"

#include "core/core.h"
#include "glm/predict/at_draws.h"
#include "math/dense.h"
#include "math/products.h"
#include "math/shuffle.h"
#include "math/symmetric/structure.h"
#include "regression/check/align.h"
#include "regression/prepare/student_df.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 5, RADIUS_STREAM = 1 << 30 };
static const double LEAST_DF = 8;
static const double LOG_2_PI = 1.8378770664093454836, LOG_PI = 1.1447298858494001741;

/* The proposal: a Student-t distribution with location mu and scale U'U, but normal along
   axes that change no row's predictor, where the fit is exact: the weights then do not
   depend on how many of these a coding has. */
typedef struct proposal {
    double df;
    double *mu; /* (n) */
    double *U;  /* (n, n) upper triangular, with zeros below, unless it was rotated */
    dlp_index active; /* the first rows of U */
    double log_det;   /* of U'U */
} proposal;

typedef struct work {
    dlp_glm *glm;
    dlp_index n, S;
    unsigned long seed;
    int threads;
    bool aligned;
    proposal q, g;                 /* q's df is not used */
    double *z;                     /* (S, n) */
    double *log_g, *log_p, *log_q; /* (S) */
    double *Sigma;                 /* (n, n) */
    double *off;                   /* (n) */
    dlp_index *order;              /* (S / 2) */
} work;

/* ---- normal draws ---- */

void dlpi_draw_cells(dlp_index S, dlp_index n, unsigned long seed, double *z,
                     dlp_index *order)
{
    const dlp_index half = S / 2;
    for (dlp_index j = 0; j < n; j++) {
        dlp_rng rng = dlp_rng_at(seed, (uint64_t)j);
        dlpi_shuffle(half, &rng, order);
        for (dlp_index i = 0; i < half; i++) {
            const double u = dlp_draw_uniform(&rng), sign = u < 0.5 ? -1 : 1;
            const double within = 2 * u - (u < 0.5 ? 0 : 1);
            const double cell = ((double)order[i] + within) / (double)S;
            const double x = sign * dlp_normal_quantile(fmax(cell, 1e-300));
            z[2 * i * n + j] = x;
            z[(2 * i + 1) * n + j] = -x;
        }
    }
}

/* ---- the proposal ---- */

static double square(dlp_index n, const double *z)
{
    return dlpi_dot(n, z, z);
}

/* log of the density of the proposal at mu + U'z. */
static double student(dlp_index n, const proposal *g, const double *z)
{
    const double df = g->df, d = (double)g->active, r2 = square(g->active, z);
    const double rest = square(n - g->active, z + g->active);
    return dlp_lgamma(0.5 * (df + d)) - dlp_lgamma(0.5 * df) -
           0.5 * d * (log(df) + LOG_PI) - 0.5 * g->log_det -
           0.5 * (df + d) * log1p(r2 / df) -
           0.5 * ((double)(n - g->active) * LOG_2_PI + rest);
}

static double normal(dlp_index n, const proposal *q, double r2)
{
    return -0.5 * ((double)n * LOG_2_PI + q->log_det + r2);
}

static dlp_status set_scale(dlp_index n, const double *Sigma, proposal *g,
                            dlp_error *error)
{
    memcpy(g->U, Sigma, (size_t)(n * n) * sizeof *g->U);
    const dlp_index failed = dlpi_cholesky(n, g->U);
    if (failed >= 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the covariance of the fit is not positive definite to the last "
                        "digits at parameter %td; use scale() in the formula",
                        failed + 1);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k < i; k++) g->U[i * n + k] = 0;
    g->log_det = dlpi_cholesky_log_det(n, g->U);
    return DLP_OK;
}

/* Sets the scale of the proposal. */
static dlp_status set_proposal(work *w, const double *Sigma, dlp_error *error)
{
    DLP_TRY(set_scale(w->n, Sigma, &w->g, error));
    w->g.active = w->n;
    return w->aligned ? dlpi_align(w->glm, w->g.mu, w->g.U, &w->g.active, error) : DLP_OK;
}

/* theta_s = mu + r_s U'z_s, with r_s^2 = df / chi^2(df), the same for both of a pair; 1
   instead of r_s along axes that change nothing. */
static void draw(const work *w, int round, double *theta)
{
    const dlp_index n = w->n, S = w->S;
    const unsigned long seed = w->seed + 1000003UL * (unsigned long)round;
    dlpi_draw_cells(S, n, seed, w->z, w->order);
    dlp_rng rng = dlp_rng_at(seed, RADIUS_STREAM);
    for (dlp_index s = 0; s < S; s += 2) {
        const double chi2 = 2 * dlp_draw_gamma(&rng, 0.5 * w->g.df);
        const double r = sqrt(w->g.df / fmax(chi2, 1e-12));
        for (int k = 0; k < 2; k++) {
            double *z = w->z + (s + k) * n;
            for (dlp_index i = 0; i < w->g.active; i++) z[i] *= r;
            w->log_g[s + k] = student(n, &w->g, z);
        }
    }
    for (dlp_index s = 0; s < S; s++)
        memcpy(theta + s * n, w->g.mu, (size_t)n * sizeof *theta);
    dlpi_add_product(S, n, n, 1, w->z, n, w->g.U, n, theta, n);
}

/* log q of each draw; in the first round z is known. */
static void weigh_q(const work *w, int round, const double *theta)
{
    const dlp_index n = w->n;
    for (dlp_index s = 0; s < w->S; s++) {
        const double *z = w->z + s * n;
        if (round > 0) {
            for (dlp_index i = 0; i < n; i++) w->off[i] = theta[s * n + i] - w->q.mu[i];
            dlpi_cholesky_forward(n, w->q.U, w->off);
            z = w->off;
        }
        w->log_q[s] = normal(n, &w->q, square(n, z));
    }
}

/* ---- weights ---- */

/* log_weight - log sum exp, and 1 / sum w^2; the sum's logarithm is *total. */
static double normalise(dlp_index S, double *log_weight, double *total)
{
    double most = -INFINITY, sum = 0, squares = 0;
    for (dlp_index s = 0; s < S; s++) most = fmax(most, log_weight[s]);
    for (dlp_index s = 0; s < S; s++) sum += exp(log_weight[s] - most);
    *total = most + log(fmax(sum, DBL_MIN));
    for (dlp_index s = 0; s < S; s++) {
        log_weight[s] -= *total;
        squares += exp(2 * log_weight[s]);
    }
    return 1 / squares;
}

/* For a student response, summed over its degrees of freedom where they were not stated:
   log p = log sum_k p(df_k) p(y, theta | df_k) */
static dlp_status sum_over_df(const work *w, const double *theta, dlp_error *error)
{
    const dlp_index S = w->S;
    const double held = w->glm->data.df;
    double *at = dlpi_calloc(S, sizeof *at);
    dlp_status status = at ? DLP_OK : dlpi_no_memory(error, "the draws");
    for (dlp_index s = 0; s < S; s++) w->log_p[s] = -INFINITY;
    for (int k = 0; status == DLP_OK && k < DLPI_DF_POINTS; k++) {
        const double log_prior = dlpi_df_log_prior(k);
        w->glm->data.df = dlpi_df_at(k);
        status = dlpi_glm_at_draws(w->glm, w->threads, S, theta, at, error);
        for (dlp_index s = 0; status == DLP_OK && s < S; s++) {
            const double both[] = {w->log_p[s], at[s] + log_prior};
            w->log_p[s] = dlp_logsumexp(2, both);
        }
    }
    w->glm->data.df = held;
    free(at);
    return status;
}

static dlp_status density_at_draws(const work *w, const double *theta, dlp_error *error)
{
    return w->glm->over_df
               ? sum_over_df(w, theta, error)
               : dlpi_glm_at_draws(w->glm, w->threads, w->S, theta, w->log_p, error);
}

/* The weights of the draws that theta holds, into out. */
static dlp_status weigh(const work *w, int round, dlpi_sample *out, dlp_error *error)
{
    const dlp_index S = w->S;
    bool any = false;
    double total;
    DLP_TRY(density_at_draws(w, out->theta, error));
    weigh_q(w, round, out->theta);
    for (dlp_index s = 0; s < S; s++) {
        out->log_weight[s] = w->log_p[s] - w->log_g[s];
        out->log_q[s] = w->log_q[s] - w->log_g[s];
        any |= out->log_weight[s] > -INFINITY;
    }
    if (!any)
        return dlp_fail(
            error, DLP_EINPUT,
            "the posterior cannot be computed where the fit says it is; was the "
            "model fitted to these data?");
    out->q_size = normalise(S, out->log_q, &total);
    const double size = normalise(S, out->log_weight, &total);
    out->log_evidence = total - log((double)S);
    out->log_evidence_se = sqrt(fmax(1 / size - 1 / (double)S, 0));
    out->rounds = round + 1;
    return dlpi_psis(out->log_weight, (size_t)S, &out->psis) == DLP_OK
               ? DLP_OK
               : dlpi_no_memory(error, "the weights");
}

/* ---- rounds ---- */

/* The weighted mean of z goes into off; z becomes what is left of it, times the roots of
   the weights, and 0 along axes that change nothing. */
static void centre_draws(work *w, const dlpi_sample *from)
{
    const dlp_index n = w->n, active = w->g.active;
    memset(w->off, 0, (size_t)n * sizeof *w->off);
    for (dlp_index s = 0; s < w->S; s++)
        dlpi_axpy(active, exp(from->log_weight[s]), w->z + s * n, w->off);
    for (dlp_index s = 0; s < w->S; s++) {
        const double root = exp(0.5 * from->log_weight[s]);
        double *z = w->z + s * n;
        for (dlp_index i = 0; i < n; i++)
            z[i] = i < active ? root * (z[i] - w->off[i]) : 0;
    }
}

/* A new proposal from the weighted moments of the last draws, as far as there are enough:
   mu + U'E[z] and U'Cov[z]U, with U'Cov[z]U = (RU)'(RU) for Cov[z] = R'R. */
static dlp_status move(work *w, const dlpi_sample *from, dlp_error *error)
{
    const dlp_index n = w->n, active = w->g.active;
    const double trust = from->psis.size / (from->psis.size + 4 * (double)active);
    double *R = w->Sigma, *Sigma = w->Sigma;
    centre_draws(w, from);
    for (dlp_index i = 0; i < active; i++)
        dlpi_axpy(n, trust * w->off[i], w->g.U + i * n, w->g.mu);
    memset(R, 0, (size_t)(n * n) * sizeof *R);
    dlpi_add_gram(n, n, w->S, 1, w->z, n, R, n);
    for (dlp_index i = 0; i < n * n; i++) R[i] *= trust;
    for (dlp_index i = 0; i < n; i++) R[i * (n + 1)] += i < active ? 1 - trust : 1;
    DLP_TRY(dlpi_cholesky(n, R) < 0 ? DLP_OK : dlp_fail(error, DLP_EINPUT, "no spread"));
    dlpi_triangle_product(n, n, R, n, w->g.U, n);
    memset(Sigma, 0, (size_t)(n * n) * sizeof *Sigma);
    dlpi_add_gram(n, n, n, 1, w->g.U, n, Sigma, n);
    dlpi_mirror(n, Sigma);
    return set_proposal(w, Sigma, error);
}

static dlp_status sample_alloc(dlp_index n, dlp_index S, dlpi_sample *out,
                               dlp_error *error)
{
    *out = (dlpi_sample){.n = n, .S = S};
    out->theta = dlpi_calloc(S, (size_t)n * sizeof *out->theta);
    out->log_weight = dlpi_calloc(S, sizeof *out->log_weight);
    out->log_q = dlpi_calloc(S, sizeof *out->log_q);
    if (out->theta && out->log_weight && out->log_q) return DLP_OK;
    return dlpi_no_memory(error, "the draws");
}

void dlpi_sample_clear(dlpi_sample *sample)
{
    free(sample->theta);
    free(sample->log_weight);
    free(sample->log_q);
    *sample = (dlpi_sample){0};
}

static bool is_better(const dlpi_sample *a, const dlpi_sample *b)
{
    return a->psis.k < b->psis.k;
}

/* Repeats until the weights can be trusted or stop improving, and keeps the best
   round. */
static dlp_status run_rounds(work *w, dlpi_sample *best, dlp_error *error)
{
    dlpi_sample next = {0};
    const dlpi_sample *last = best;
    draw(w, 0, best->theta);
    DLP_TRY(weigh(w, 0, best, error));
    if (!(best->psis.k > DLP_TAIL_K_FAIR)) return DLP_OK;
    dlp_status status = sample_alloc(w->n, w->S, &next, error);
    for (int round = 1;
         status == DLP_OK && round < MOST_ROUNDS && best->psis.k > DLP_TAIL_K_FAIR;
         round++) {
        if (move(w, last, NULL) != DLP_OK) break;
        draw(w, round, next.theta);
        if (weigh(w, round, &next, NULL) != DLP_OK) break;
        last = &next;
        if (!is_better(&next, best)) continue;
        const dlpi_sample other = *best;
        *best = next;
        next = other;
        last = best;
    }
    dlpi_sample_clear(&next);
    return status;
}

/* ---- memory ---- */

static void free_work(work *w)
{
    free(w->q.mu);
    free(w->q.U);
    free(w->g.mu);
    free(w->g.U);
    free(w->z);
    free(w->log_g);
    free(w->Sigma);
    free(w->order);
}

static dlp_status make_room(work *w, dlp_error *error)
{
    const dlp_index n = w->n, S = w->S;
    const size_t square = (size_t)n * sizeof(double);
    w->q.mu = dlpi_calloc(n, sizeof(double));
    w->g.mu = dlpi_calloc(2, square);
    w->q.U = dlpi_calloc(n, square);
    w->g.U = dlpi_calloc(n, square);
    w->Sigma = dlpi_calloc(n, square);
    w->z = dlpi_calloc(S, square);
    w->log_g = dlpi_calloc(3, (size_t)S * sizeof(double));
    w->order = dlpi_calloc(S, sizeof *w->order);
    if (!w->q.mu || !w->g.mu || !w->q.U || !w->g.U || !w->Sigma || !w->z || !w->log_g ||
        !w->order)
        return dlpi_no_memory(error, "the draws");
    w->off = w->g.mu + n;
    w->log_p = w->log_g + S;
    w->log_q = w->log_p + S;
    return DLP_OK;
}

static dlp_status run(work *w, const double *mu, const double *Sigma, dlpi_sample *sample,
                      dlp_error *error)
{
    const dlp_index n = w->n;
    DLP_TRY(make_room(w, error));
    memcpy(w->q.mu, mu, (size_t)n * sizeof *mu);
    memcpy(w->g.mu, mu, (size_t)n * sizeof *mu);
    DLP_TRY(set_scale(n, Sigma, &w->q, error));
    DLP_TRY(set_proposal(w, Sigma, error));
    /* with a smaller df, many dimensions waste all draws */
    w->g.df = fmax(LEAST_DF, (double)w->g.active);
    DLP_TRY(sample_alloc(n, w->S, sample, error));
    return run_rounds(w, sample, error);
}

static dlp_status make(work *w, const double *mu, const double *Sigma,
                       dlpi_sample *sample, dlp_error *error)
{
    const dlp_status status = run(w, mu, Sigma, sample, error);
    free_work(w);
    if (status != DLP_OK) dlpi_sample_clear(sample);
    return status;
}

dlp_status dlpi_sample_make(dlp_glm *glm, const double *mu, const double *Sigma,
                            dlp_index S, unsigned long seed, int threads,
                            dlpi_sample *sample, dlp_error *error)
{
    work w = {.glm = glm, .n = glm->n, .S = S + S % 2, .seed = seed, .threads = threads};
    return make(&w, mu, Sigma, sample, error);
}

dlp_status dlpi_sample_make_aligned(dlp_glm *glm, const double *mu, const double *Sigma,
                                    dlp_index S, unsigned long seed, dlpi_sample *sample,
                                    dlp_error *error)
{
    work w = {.glm = glm,
              .n = glm->n,
              .S = S + S % 2,
              .seed = seed,
              .threads = 1,
              .aligned = dlpi_can_align(glm)};
    return make(&w, mu, Sigma, sample, error);
}
