/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of U become the principal axes of what theta does to the rows' predictors, with the
 * metric
 *
 *   M = sum_n w_n x_n x_n',  w_n = 2 + tanh of the standardised predictor at the mean,
 *
 * which does not depend on how the columns are coded. Unequal weights separate the levels
 * of balanced factors, whose axes would be arbitrary otherwise. Each scale has a number
 * of its own.
 */
#include "regression/check/align.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "math/dense.h"
#include "math/eigen.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

typedef struct axes {
    const dlp_glm *glm;
    dlp_index n, p, N;
    double *w;        /* (N) */
    double *eta;      /* (N) */
    double *M;        /* (n, n) */
    double *B;        /* (n, n) */
    double *rotation; /* (n, n) */
    double *work;     /* (2n) */
} axes;

bool dlpi_can_align(const dlp_glm *glm)
{
    return glm->family->evaluate && glm->data.p > 0;
}

static void project(const axes *a, const double *beta, double *eta)
{
    memset(eta, 0, (size_t)a->N * sizeof *eta);
    for (dlp_index j = 0; j < a->p; j++) dlpi_axpy(a->N, beta[j], a->glm->data.x[j], eta);
}

static void set_weights(const axes *a, const double *mu)
{
    double mean = 0, square = 0;
    project(a, mu, a->eta);
    for (dlp_index i = 0; i < a->N; i++) mean += a->eta[i] / (double)a->N;
    for (dlp_index i = 0; i < a->N; i++)
        square += (a->eta[i] - mean) * (a->eta[i] - mean) / (double)a->N;
    const double sd = fmax(sqrt(square), 1e-6 * fabs(mean));
    for (dlp_index i = 0; i < a->N; i++)
        a->w[i] = 2 + (sd > 0 ? tanh((a->eta[i] - mean) / sd) : 0);
}

/* The metric of the coefficients. */
static void set_metric(const axes *a)
{
    memset(a->M, 0, (size_t)(a->n * a->n) * sizeof *a->M);
    for (dlp_index j = 0; j < a->p; j++) {
        const double *x = a->glm->data.x[j];
        for (dlp_index i = 0; i < a->N; i++) a->eta[i] = a->w[i] * x[i];
        for (dlp_index k = j; k < a->p; k++)
            a->M[j * a->n + k] = a->M[k * a->n + j] =
                dlpi_dot(a->N, a->eta, a->glm->data.x[k]);
    }
}

/* B = U M U', scaled to trace 1; each scale adds its part of U, in sds, times a number of
   its own. */
static void set_rotated(const axes *a, const double *U)
{
    const dlp_index n = a->n;
    double trace = 0;
    for (dlp_index i = 0; i < n; i++) {
        double *M_u = a->work;
        for (dlp_index j = 0; j < n; j++) M_u[j] = dlpi_dot(n, a->M + j * n, U + i * n);
        for (dlp_index k = 0; k < n; k++) a->B[i * n + k] = dlpi_dot(n, U + k * n, M_u);
        trace += a->B[i * (n + 1)];
    }
    for (dlp_index i = 0; i < n * n; i++) a->B[i] /= trace;
    for (dlp_index j = a->p; j < n; j++) {
        double variance = 0;
        for (dlp_index i = 0; i < n; i++) variance += U[i * n + j] * U[i * n + j];
        const double by = 0.37 * (double)(j - a->p + 1) / variance;
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index k = 0; k < n; k++)
                a->B[i * n + k] += by * U[i * n + j] * U[k * n + j];
    }
}

/* Whether an axis points down: by the sum of the cubes of what it does to rows and
   scales. */
static bool points_down(const axes *a, const double *axis)
{
    double up = 0, size = 0;
    project(a, axis, a->eta);
    for (dlp_index i = 0; i < a->N; i++) {
        up += a->w[i] * a->eta[i] * a->eta[i] * a->eta[i];
        size += a->w[i] * fabs(a->eta[i]) * a->eta[i] * a->eta[i];
    }
    up = size > 0 ? up / size : 0;
    for (dlp_index j = a->p; j < a->n; j++) up += 0.1 * axis[j];
    return up < 0;
}

/* The first eigenvectors, of eigenvalues that are 0 but for rounding, become the last
   axes. */
static dlp_index rotate(const axes *a, const double *eigenvalue, double *U)
{
    const double zero = 1e-12 * eigenvalue[a->n - 1];
    const dlp_index n = a->n;
    dlp_index silent = 0;
    while (eigenvalue[silent] < zero) silent++;
    memset(a->rotation, 0, (size_t)(n * n) * sizeof *a->rotation);
    for (dlp_index i = 0; i < n; i++) {
        double *axis = a->rotation + (i + n - silent) % n * n;
        for (dlp_index k = 0; k < n; k++) dlpi_axpy(n, a->B[i * n + k], U + k * n, axis);
        const bool down = points_down(a, axis);
        for (dlp_index k = 0; down && k < n; k++) axis[k] = -axis[k];
    }
    memcpy(U, a->rotation, (size_t)(n * n) * sizeof *U);
    return n - silent;
}

dlp_status dlpi_align(const dlp_glm *glm, const double *mu, double *U, dlp_index *active,
                      dlp_error *error)
{
    const dlp_index n = glm->n, N = glm->data.N, square = dlpi_size(n, n, 0);
    axes a = {.glm = glm, .n = n, .p = glm->data.p, .N = N};
    a.w = dlpi_calloc(dlpi_size(3, square, dlpi_size(2, N, 2 * n)), sizeof *a.w);
    if (!a.w) return dlpi_no_memory(error, "the draws");
    a.eta = a.w + N;
    a.M = a.eta + N;
    a.B = a.M + square;
    a.rotation = a.B + square;
    a.work = a.rotation + square;
    set_weights(&a, mu);
    set_metric(&a);
    set_rotated(&a, U);
    *active = n;
    if (dlpi_eigen(n, a.B, a.work, a.work + n)) *active = rotate(&a, a.work, U);
    free(a.w);
    return DLP_OK;
}
