/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A density whose correction is known only after its mode was found: where that moves the
 * mode by much, points are better laid about the corrected one.
 */
#include "infer/explore.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

static const double LITTLE = 0.3;   /* sds that the mode may be off */
static const double FARTHEST = 2.5; /* from the mode, in each direction */
static const double STEP = 0.25;    /* of differences */
static const double LEAST = 0.3;    /* curvature */
enum { MOST_STEPS = 30 };

typedef struct search {
    dlpi_explore *e;
    double *z, *psi, *g, *lambda; /* (m) */
    double *A, *V, *work;         /* (m, m), (m, m), (2 m, m) */
} search;

/* What the correction adds at z + a e_i + b e_k. */
static double beyond(const search *s, dlp_index i, double a, dlp_index k, double b)
{
    const double kept_i = s->z[i], kept_k = s->z[k];
    s->z[i] += a;
    s->z[k] += b;
    dlpi_explore_psi(s->e, s->z, s->psi);
    s->z[k] = kept_k;
    s->z[i] = kept_i;
    return s->e->beyond(s->e->context, s->psi);
}

/* Of -z'z / 2 and the correction: the gradient, and minus the Hessian. */
static void differentiate(const search *s)
{
    const dlp_index m = s->e->m;
    const double h = STEP, here = beyond(s, 0, 0, 0, 0);
    for (dlp_index i = 0; i < m; i++) {
        const double up = beyond(s, i, h, i, 0), down = beyond(s, i, -h, i, 0);
        s->g[i] = (up - down) / (2 * h) - s->z[i];
        s->A[i * (m + 1)] = 1 - (up - 2 * here + down) / (h * h);
        for (dlp_index k = 0; k < i; k++)
            s->A[i * m + k] = s->A[k * m + i] =
                -(beyond(s, i, h, k, h) - beyond(s, i, h, k, -h) -
                  beyond(s, i, -h, k, h) + beyond(s, i, -h, k, -h)) /
                (4 * h * h);
    }
}

/* V and lambda of the curvature at z; false: it has none. */
static bool decompose(const search *s)
{
    const dlp_index m = s->e->m;
    differentiate(s);
    memcpy(s->V, s->A, (size_t)(m * m) * sizeof *s->V);
    if (!dlpi_lapack_eigen(m, s->V, s->lambda, s->work)) return false;
    for (dlp_index k = 0; k < m; k++) s->lambda[k] = fmax(s->lambda[k], LEAST);
    return true;
}

/* A step of Newton's method; returns how far it goes. */
static double step(const search *s)
{
    const dlp_index m = s->e->m;
    double farthest = 0;
    if (!decompose(s)) return NAN;
    memset(s->psi, 0, (size_t)m * sizeof *s->psi);
    for (dlp_index k = 0; k < m; k++)
        dlpi_axpy(m, dlpi_dot(m, s->V + k * m, s->g) / s->lambda[k], s->V + k * m,
                  s->psi);
    for (dlp_index i = 0; i < m; i++) farthest = fmax(farthest, fabs(s->psi[i]));
    const double by = farthest > 1 ? 1 / farthest : 1;
    for (dlp_index i = 0; i < m; i++)
        s->z[i] = fmin(fmax(s->z[i] + by * s->psi[i], -FARTHEST), FARTHEST);
    return by * farthest;
}

/* Mode and root at z, if the density has a value there, *f. */
static void move(const search *s, double *f)
{
    dlpi_explore *e = s->e;
    const dlp_index m = e->m;
    double *old_root = s->work, value;
    memcpy(old_root, e->root, (size_t)(m * m) * sizeof *old_root);
    dlpi_explore_psi(e, s->z, s->psi);
    dlpi_explore_evaluate(e, 1, s->psi, &value);
    if (!isfinite(value)) return;
    *f = value + e->beyond(e->context, s->psi);
    if (e->begin_at) e->begin_at(e->context, s->psi);
    memcpy(e->mode, s->psi, (size_t)m * sizeof *e->mode);
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index k = 0; k < m; k++)
            e->root[i * m + k] =
                dlpi_dot(m, old_root + i * m, s->V + k * m) / sqrt(s->lambda[k]);
}

dlp_status dlpi_explore_recentre(dlpi_explore *e, double *f, dlp_error *error)
{
    const dlp_index m = e->m;
    double *memory = dlpi_calloc(4 * m * (m + 1), sizeof *memory), far = 0, by = 1;
    if (!memory) return dlpi_no_memory(error, "the scales");
    search s = {.e = e, .z = memory, .psi = memory + m, .g = memory + 2 * m};
    s.lambda = memory + 3 * m;
    s.A = memory + 4 * m;
    s.V = s.A + m * m;
    s.work = s.V + m * m;
    for (int i = 0; i < MOST_STEPS && by > 0.02; i++) by = step(&s);
    for (dlp_index i = 0; i < m; i++) far = fmax(far, fabs(s.z[i]));
    if (isfinite(by) && far > LITTLE && decompose(&s)) move(&s, f);
    free(memory);
    return DLP_OK;
}
