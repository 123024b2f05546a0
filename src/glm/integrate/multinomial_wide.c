/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/multinomial_wide.h"

#include "core/core.h"
#include "glm/integrate/softmax_tilt.h"
#include "infer/expectation_propagation.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

enum { MOST = DLPI_TILT_PREDICTORS };
static const double MOST_POINTS = 1e7; /* over all rows: about twenty seconds */
static const double LOG_2_PI = 1.8378770664093454836;

/* Row i is replaced by exp(-eta'A eta/2 + b'eta). */
typedef struct sites {
    dlp_glm *g;
    dlp_index D, n;
    dlpi_softmax_tilt tilt;
    double *A, *b, *mode; /* (N, D, D), (N, D), (N, D) */
    double *P, *C, *work; /* (n, n) */
    double *h, *mu;       /* (n) */
    double *eta, *V;      /* (D, DLPI_TILE), (D, D, DLPI_TILE) */
    const double *theta;  /* (n) roughly where the posterior is */
    dlpi_listener *listener;
    double damping, log_evidence, mismatch;
} sites;

bool dlpi_multinomial_is_wide(const dlp_glm *glm)
{
    const dlpi_prior *prior = &glm->prior;
    const dlp_index D = glm->data.levels - 1;
    bool may = glm->family->type == &dlpi_multinomial_type && glm->data.p > 0 &&
               D <= MOST &&
               (double)glm->data.N * dlpi_softmax_tilt_points(D) <= MOST_POINTS;
    for (dlp_index j = 0; may && !prior->precision && j < prior->n; j++)
        may = prior->df[j] == 0;
    return may;
}

static double offset_at(const sites *s, dlp_index i)
{
    return s->g->data.offset ? s->g->data.offset[i] : 0;
}

/* ---- the Gaussian posterior ---- */

/* P += sum_i A_i x x', block by block; h += (b_i - A_i o) x. Returns the part that does
   not depend on theta. */
static double add_tile(sites *s, dlp_index at)
{
    dlp_glm *g = s->g;
    const dlp_index D = s->D, p = g->data.p;
    double w[DLPI_TILE], rest = 0;
    dlpi_tile_load(g, s->mu, at);
    for (dlp_index k = 0; k < D; k++) {
        for (dlp_index l = k; l < D; l++) {
            for (dlp_index i = 0; i < g->rows.n; i++)
                w[i] = s->A[((at + i) * D + k) * D + l];
            dlpi_tile_add_xwx(g, at, w, s->P + k * p * s->n + l * p);
        }
        for (dlp_index i = 0; i < g->rows.n; i++) {
            const double *A = s->A + ((at + i) * D + k) * D, o = offset_at(s, at + i);
            double A_o = 0;
            for (dlp_index l = 0; l < D; l++) A_o += A[l] * o;
            w[i] = s->b[(at + i) * D + k] - A_o;
            rest += o * (s->b[(at + i) * D + k] - 0.5 * A_o);
        }
        dlpi_tile_add_xw(g, at, w, s->h + k * p, 1);
    }
    return rest;
}

static bool take_posterior(sites *s)
{
    const dlp_index n = s->n;
    double constant = 0;
    memset(s->P, 0, (size_t)(n * n) * sizeof *s->P);
    memset(s->h, 0, (size_t)n * sizeof *s->h);
    for (dlp_index at = 0; at < s->g->data.N; at += DLPI_TILE)
        constant += add_tile(s, at);
    dlpi_multinomial_complete(s->g, s->P);
    constant += dlpi_prior_add_natural(&s->g->prior, s->P, s->h);
    if (dlpi_cholesky(n, s->P) >= 0) return false;
    memcpy(s->mu, s->h, (size_t)n * sizeof *s->mu);
    dlpi_cholesky_solve(n, s->P, s->mu);
    s->log_evidence = constant + 0.5 * ((double)n * LOG_2_PI + dlpi_dot(n, s->h, s->mu) -
                                        dlpi_cholesky_log_det(n, s->P));
    dlpi_cholesky_inverse(n, s->P, s->work, s->C);
    return isfinite(s->log_evidence);
}

/* ---- a row ---- */

/* The inverse of the D x D matrix M, and the logarithm of its determinant. */
static bool invert(dlp_index D, const double *M, double *inverse, double *log_det)
{
    double U[MOST * MOST], work[MOST * MOST];
    memcpy(U, M, (size_t)(D * D) * sizeof *U);
    if (dlpi_cholesky(D, U) >= 0) return false;
    *log_det = dlpi_cholesky_log_det(D, U);
    dlpi_cholesky_inverse(D, U, work, inverse);
    return true;
}

static double quadratic(dlp_index D, const double *M, const double *x)
{
    double sum = 0;
    for (dlp_index k = 0; k < D; k++) sum += x[k] * dlpi_dot(D, M + k * D, x);
    return sum;
}

/* How far the moments are from agreeing, in sds, in any coordinates. */
static double mismatch_of(dlp_index D, const double *eta, const double *inverse,
                          const double *V, const dlpi_softmax_moments *t)
{
    double off[MOST], B[MOST * MOST] = {0}, square = 0;
    for (dlp_index k = 0; k < D; k++) off[k] = t->mean[k] - eta[k];
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index l = 0; l < D; l++)
            for (dlp_index j = 0; j < D; j++)
                B[k * D + l] += inverse[k * D + j] * (t->C[j * D + l] - V[j * D + l]);
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index l = 0; l < D; l++) square += B[k * D + l] * B[l * D + k];
    return sqrt(fmax(quadratic(D, inverse, off), 0.25 * square));
}

/* Row i, whose eta is N(eta, V) under the posterior. */
static bool update_row(sites *s, dlp_index i, const double *eta, const double *V)
{
    const dlp_index D = s->D;
    const double weight = s->g->data.weight ? s->g->data.weight[i] : 1,
                 copies = fmax(weight, 1);
    double *A = s->A + i * D * D, *b = s->b + i * D, m[MOST] = {0}, shift[MOST];
    double inverse[MOST * MOST], Q[MOST * MOST], rest[MOST * MOST], log_V, log_Q, log_C;
    dlpi_softmax_moments t;
    if (weight == 0) return true;
    if (!invert(D, V, inverse, &log_V)) return false;
    for (dlp_index k = 0; k < D * D; k++) Q[k] = inverse[k] - A[k] / copies;
    if (!invert(D, Q, rest, &log_Q)) return false;
    for (dlp_index k = 0; k < D; k++)
        shift[k] = dlpi_dot(D, inverse + k * D, eta) - b[k] / copies;
    for (dlp_index k = 0; k < D; k++) m[k] = dlpi_dot(D, rest + k * D, shift);
    if (!dlpi_softmax_tilt_moments(&s->tilt, (dlp_index)s->g->data.y[i], weight / copies,
                                   m, Q, s->mode + i * D, &t))
        return false;
    s->log_evidence += copies * (t.log_z - 0.5 * (quadratic(D, inverse, eta) -
                                                  quadratic(D, Q, m) + log_Q + log_V));
    s->mismatch = fmax(s->mismatch, mismatch_of(D, eta, inverse, V, &t));
    if (!invert(D, t.C, inverse, &log_C)) return false;
    const double step = s->damping * copies;
    for (dlp_index k = 0; k < D; k++) {
        b[k] += step * (dlpi_dot(D, inverse + k * D, t.mean) - shift[k] - b[k] / copies);
        for (dlp_index l = 0; l < D; l++)
            A[k * D + l] +=
                step * (inverse[k * D + l] - Q[k * D + l] - A[k * D + l] / copies);
    }
    return true;
}

static bool update_tile(sites *s, dlp_index at)
{
    dlp_glm *g = s->g;
    const dlp_index D = s->D, p = g->data.p;
    double eta[MOST], V[MOST * MOST];
    for (dlp_index k = 0; k < D; k++) {
        dlpi_tile_load(g, s->mu + k * p, at);
        memcpy(s->eta + k * DLPI_TILE, g->rows.eta, (size_t)g->rows.n * sizeof *eta);
        for (dlp_index l = 0; l <= k; l++)
            dlpi_tile_variances(g, at, s->C + k * p * s->n + l * p,
                                s->V + (k * D + l) * DLPI_TILE);
    }
    for (dlp_index i = 0; i < g->rows.n; i++) {
        for (dlp_index k = 0; k < D; k++) {
            eta[k] = s->eta[k * DLPI_TILE + i];
            for (dlp_index l = 0; l <= k; l++)
                V[k * D + l] = V[l * D + k] = s->V[(k * D + l) * DLPI_TILE + i];
        }
        if (!update_row(s, at + i, eta, V)) return false;
    }
    return true;
}

/* ---- the whole ---- */

/* Gaussians with the rows' slopes and curvatures at theta. */
static void start(void *state)
{
    sites *s = state;
    dlp_glm *g = s->g;
    const double *theta = s->theta;
    const dlp_index D = s->D, p = g->data.p;
    memcpy(s->mu, theta, (size_t)s->n * sizeof *s->mu);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        for (dlp_index k = 0; k < D; k++) {
            dlpi_tile_load(g, theta + k * p, at);
            for (dlp_index i = 0; i < g->rows.n; i++)
                s->mode[(at + i) * D + k] = g->rows.eta[i];
        }
    }
    for (dlp_index i = 0; i < g->data.N; i++) {
        const double *eta = s->mode + i * D,
                     weight = g->data.weight ? g->data.weight[i] : 1;
        double pi[MOST], *A = s->A + i * D * D, top = 0, all;
        for (dlp_index k = 0; k < D; k++) top = fmax(top, eta[k]);
        all = exp(-top);
        for (dlp_index k = 0; k < D; k++) all += pi[k] = exp(eta[k] - top);
        for (dlp_index k = 0; k < D; k++) pi[k] /= all;
        for (dlp_index k = 0; k < D; k++) {
            double *b = s->b + i * D + k;
            *b = weight * ((g->data.y[i] == (double)(k + 1)) - pi[k]);
            for (dlp_index l = 0; l < D; l++) {
                A[k * D + l] = weight * pi[k] * ((k == l) - pi[l]);
                *b += A[k * D + l] * eta[l];
            }
        }
    }
}

static dlp_outcome sweep(void *state, double damping, double *mismatch)
{
    sites *s = state;
    s->damping = damping;
    s->mismatch = 0;
    if (!take_posterior(s)) return DLP_NOT_CONCAVE;
    for (dlp_index at = 0; at < s->g->data.N; at += DLPI_TILE) {
        if (!update_tile(s, at)) return DLP_NOT_CONCAVE;
        if (dlpi_listener_poll(s->listener)) return DLP_CANCELLED;
    }
    *mismatch = s->mismatch;
    return DLP_RUNNING;
}

static bool is_stopped(void *state)
{
    return dlpi_listener_stopped(((sites *)state)->listener);
}

static dlp_status take_room(sites *s, double **block, dlp_error *error)
{
    const dlp_index N = s->g->data.N, D = s->D, n = s->n, square = dlpi_size(n, n, 0);
    const dlp_index rows = dlpi_size(N, D * (D + 2), DLPI_TILE * D * (D + 1));
    double *at = *block =
        dlpi_calloc(dlpi_size(3, square, dlpi_size(2, n, rows)), sizeof **block);
    if (!at) return dlpi_no_memory(error, "expectation propagation");
    s->P = at;
    s->C = s->P + square;
    s->work = s->C + square;
    s->h = s->work + square;
    s->mu = s->h + n;
    s->A = s->mu + n;
    s->b = s->A + N * D * D;
    s->mode = s->b + N * D;
    s->eta = s->mode + N * D;
    s->V = s->eta + D * DLPI_TILE;
    return DLP_OK;
}

dlp_status dlpi_multinomial_fit_wide(dlp_glm *glm, dlpi_listener *listener, double *mu,
                                     double *Sigma, double *log_evidence,
                                     dlp_error *error)
{
    double *block = NULL;
    static const dlpi_ep_loop_type loop = {
        .start = start, .sweep = sweep, .stopped = is_stopped};
    sites s = {.g = glm,
               .D = glm->data.levels - 1,
               .n = glm->n,
               .theta = mu,
               .listener = listener};
    dlpi_softmax_tilt_make(&s.tilt, s.D);
    DLP_TRY(take_room(&s, &block, error));
    const bool found = dlpi_ep_loop(&loop, &s, false) == DLP_CONVERGED;
    if (found) {
        memcpy(mu, s.mu, (size_t)s.n * sizeof *mu);
        memcpy(Sigma, s.C, (size_t)(s.n * s.n) * sizeof *Sigma);
        *log_evidence = s.log_evidence;
    }
    free(block);
    return found ? DLP_OK
                 : dlp_fail(error, DLP_EINPUT,
                            "expectation propagation of a multinomial regression failed");
}
