/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model with every mixed derivative and all that a model may offer, in any shape: for
 * each block (or for the whole)
 *
 *     f = sum_i -a_i (x_i - b_i)^2 / 2 + b_i sin x_i + s^3 / 6,   s = sum_i b_i x_i,
 *
 * so that its Hessian is diagonal plus rank one in each block, and
 *
 *     eta = (x_0 x_1, exp x_2, (sum_i x_i)^2).
 */
#ifndef DLP_TESTS_WAVES_H
#define DLP_TESTS_WAVES_H

#include "support.h"

enum { WAVES_MOST = 16, WAVES_ETA = 3 };

typedef struct waves {
    dlp_shape shape;
    double a[WAVES_MOST], b[WAVES_MOST];
} waves;

/* One block of coordinates. */
typedef struct stretch {
    dlp_index k, first, n;
} stretch;

/* The stretches, one after another from {0}; false after the last. */
static inline bool waves_next(const waves *w, stretch *p)
{
    const bool blocks = w->shape.structure == DLP_BLOCKS && w->shape.block;
    if (p->n > 0) {
        p->first += p->n;
        p->k++;
    }
    if (p->k >= (blocks ? w->shape.n_blocks : 1)) return false;
    p->n = blocks ? w->shape.block[p->k] : w->shape.n;
    return true;
}

static inline double waves_sum(const waves *w, const stretch *p, const double *x)
{
    double s = 0;
    for (dlp_index i = p->first; i < p->first + p->n; i++) s += w->b[i] * x[i];
    return s;
}

static inline void waves_hessian(const waves *w, const stretch *p, const double *x,
                                 dlp_sym *hess)
{
    const double s = waves_sum(w, p, x), *b = w->b + p->first;
    for (dlp_index i = 0; i < p->n; i++) {
        const double d = -w->a[p->first + i] - b[i] * sin(x[p->first + i]);
        if (hess->shape.structure == DLP_LOW_RANK) {
            dlp_sym_diag(hess)[i] = d;
            dlp_sym_core(hess)[0] = s;
            dlp_sym_low_rank(hess)[i] = b[i];
            continue;
        }
        for (dlp_index j = 0; j < p->n; j++)
            dlp_sym_block(hess, p->k)[i * p->n + j] = b[i] * b[j] * s + (i == j ? d : 0);
    }
}

static inline double waves_f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const waves *w = m;
    double f = 0;
    for (stretch p = {0}; waves_next(w, &p);) {
        const double s = waves_sum(w, &p, x);
        f += s * s * s / 6;
        for (dlp_index i = p.first; i < p.first + p.n; i++) {
            const double e = x[i] - w->b[i];
            f += w->b[i] * sin(x[i]) - 0.5 * w->a[i] * e * e;
            if (grad) grad[i] = w->b[i] * (cos(x[i]) + 0.5 * s * s) - w->a[i] * e;
        }
        if (hess) waves_hessian(w, &p, x, hess);
    }
    return f;
}

/* d/dx_k sum_ij H_ij Sigma_ij = b_k (b' Sigma b - cos(x_k) Sigma_kk), in its block */
static inline void waves_trace_grad(void *m, const double *x, const dlp_sym *Sigma,
                                    double *grad)
{
    const waves *w = m;
    const dlp_index n = w->shape.n;
    double S[WAVES_MOST * WAVES_MOST];
    dlp_sym_to_dense(Sigma, S);
    for (stretch p = {0}; waves_next(w, &p);) {
        double bSb = 0;
        const dlp_index end = p.first + p.n;
        for (dlp_index i = p.first; i < end; i++)
            for (dlp_index j = p.first; j < end; j++)
                bSb += w->b[i] * S[i * n + j] * w->b[j];
        for (dlp_index i = p.first; i < end; i++)
            grad[i] = w->b[i] * (bSb - cos(x[i]) * S[i * n + i]);
    }
}

static inline void waves_eta(void *m, const double *x, double *eta)
{
    const waves *w = m;
    double sum = 0;
    for (dlp_index i = 0; i < w->shape.n; i++) sum += x[i];
    eta[0] = x[0] * x[1];
    eta[1] = exp(x[2]);
    eta[2] = sum * sum;
}

static inline void waves_eta_trace(void *m, const double *x, const dlp_sym *Sigma,
                                   double *trace)
{
    const waves *w = m;
    const dlp_index n = w->shape.n;
    double S[WAVES_MOST * WAVES_MOST];
    dlp_sym_to_dense(Sigma, S);
    trace[0] = 2 * S[1];
    trace[1] = exp(x[2]) * S[2 * n + 2];
    trace[2] = 0;
    for (dlp_index i = 0; i < n * n; i++) trace[2] += 2 * S[i];
}

/* The table of a model that writes this many derivatives of f. */
static inline dlp_model_type waves_type(int derivatives)
{
    return (dlp_model_type){.size = sizeof(dlp_model_type),
                            .name = "waves",
                            .f = waves_f,
                            .derivatives = derivatives};
}

static inline dlp_model make_waves(waves *w, dlp_shape shape, const dlp_model_type *type)
{
    dlp_rng rng = dlp_rng_at(8, 4);
    w->shape = shape;
    for (dlp_index i = 0; i < shape.n; i++) {
        w->a[i] = 0.3 + dlp_draw_uniform(&rng);
        w->b[i] = 0.5 * dlp_draw_normal(&rng);
    }
    return (dlp_model){.type = type, .state = w, .shape = shape, .n_eta = WAVES_ETA};
}

#endif
