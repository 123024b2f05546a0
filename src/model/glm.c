/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalised linear models with one linear predictor (Appendix C for other families):
 *
 *     f(theta) = sum_n l(eta_n, tau; y_n) + log p(beta) + log p(tau),  eta = X beta +
 * offset
 *
 * Rows are taken in tiles: a tile of eta, what the family says of it (family.c), and its
 * part of the gradient and Hessian. X is read column by column where it lies and never
 * copied, but for the tile at hand.
 */
#include "math/dense.h"
#include "math/lapack.h"
#include "model/glm_state.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double tau_of(const dlp_glm *g, const double *theta)
{
    return g->family->scale ? theta[g->data.p] : 0;
}

void dlpi_glm_load_tile(dlp_glm *g, const double *beta, dlp_index at)
{
    const dlp_glm_data *d = &g->data;
    dlpi_rows *r = &g->rows;
    r->n = d->N - at < DLPI_TILE ? d->N - at : DLPI_TILE;
    r->y = d->y + at;
    r->trials = d->trials ? d->trials + at : NULL;
    r->xi = g->xi ? g->xi + at : NULL;
    for (dlp_index i = 0; i < r->n; i++) r->eta[i] = d->offset ? d->offset[at + i] : 0;
    for (dlp_index j = 0; j < d->p; j++) {
        const double *x = d->x[j] + at, b = beta[j];
        for (dlp_index i = 0; i < r->n; i++) r->eta[i] += b * x[i];
    }
}

static double sum(dlp_index n, const double *x)
{
    double s = 0;
    for (dlp_index i = 0; i < n; i++) s += x[i];
    return s;
}

/* grad_j += sum_n x_nj w_n over the tile */
static void add_columns(const dlp_glm *g, dlp_index at, const double *w, double *grad)
{
    for (dlp_index j = 0; j < g->data.p; j++)
        grad[j] += dlpi_dot(g->rows.n, g->data.x[j] + at, w);
}

/* The upper triangle of H += X' diag(l_ee) X over the tile: sqrt(-l_ee) scales the rows;
   rows with l_ee > 0, rare, come in with the other sign. */
static void add_curvature(dlp_glm *g, dlp_index at, double sign, double *H)
{
    const dlpi_rows *r = &g->rows;
    double *root = g->rows.work[5];
    bool any = false;
    for (dlp_index i = 0; i < r->n; i++) {
        root[i] = sign * r->l_ee[i] > 0 ? sqrt(sign * r->l_ee[i]) : 0;
        any |= root[i] > 0;
    }
    if (!any) return;
    for (dlp_index j = 0; j < g->data.p; j++) {
        const double *x = g->data.x[j] + at;
        for (dlp_index i = 0; i < r->n; i++) g->tile[j * r->n + i] = x[i] * root[i];
    }
    dlpi_blas_syrk(g->data.p, r->n, sign, g->tile, H, g->n);
}

/* The rows and columns of tau in H, upper triangle. */
static void add_scale_curvature(const dlp_glm *g, dlp_index at, double *H)
{
    const dlpi_rows *r = &g->rows;
    const dlp_index p = g->data.p;
    for (dlp_index j = 0; j < p; j++)
        H[j * g->n + p] += dlpi_dot(r->n, g->data.x[j] + at, r->l_et);
    H[p * g->n + p] += sum(r->n, r->l_tt);
}

double dlpi_glm_f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_glm *g = state;
    const dlp_index n = g->n, p = g->data.p;
    double *H = hess ? dlp_sym_block(hess, 0) : NULL, value = 0;
    if (grad) memset(grad, 0, (size_t)n * sizeof *grad);
    if (H) memset(H, 0, (size_t)(n * n) * sizeof *H);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_glm_load_tile(g, theta, at);
        g->family->evaluate(&g->rows, tau_of(g, theta), hess ? 2 : grad ? 1 : 0);
        value += sum(g->rows.n, g->rows.l);
        if (grad) add_columns(g, at, g->rows.l_e, grad);
        if (grad && n > p) grad[p] += sum(g->rows.n, g->rows.l_t);
        if (!H) continue;
        add_curvature(g, at, -1, H);
        add_curvature(g, at, 1, H);
        if (n > p) add_scale_curvature(g, at, H);
    }
    value += dlpi_prior_add(&g->prior, theta, grad, H);
    for (dlp_index i = 0; H && i < n; i++)
        for (dlp_index j = 0; j < i; j++) H[i * n + j] = H[j * n + i];
    return value;
}

/* c_ee = x'Sigma x and, with a scale, c_et = x'Sigma_(beta,tau) for each row of the tile
 */
void dlpi_glm_tile_variances(dlp_glm *g, dlp_index at, const double *S, double *c_ee,
                             double *c_et)
{
    const dlp_index p = g->data.p, n = g->rows.n;
    memset(c_ee, 0, (size_t)n * sizeof *c_ee);
    memset(c_et, 0, (size_t)n * sizeof *c_et);
    for (dlp_index j = 0; j < p; j++) {
        const double *x = g->data.x[j] + at, cross = g->n > p ? S[j * g->n + p] : 0;
        memcpy(g->tile + j * n, x, (size_t)n * sizeof *x);
        for (dlp_index i = 0; i < n; i++) c_et[i] += cross * x[i];
    }
    dlpi_blas_symm(p, n, S, g->n, g->tile, g->half);
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index i = 0; i < n; i++)
            c_ee[i] += g->tile[j * n + i] * g->half[j * n + i];
}

/*
 * With u = (eta, tau) linear in theta and C = the covariance of u under Sigma,
 *   d/d theta Tr{hess f Sigma} = sum_n sum_k (sum_ij l_ijk C_ij) du_k/d theta:
 * for eta, l_eee C_ee + 2 l_eet C_et + l_ett C_tt; for tau, l_eet C_ee + 2 l_ett C_et +
 * l_ttt C_tt.
 */
static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    dlp_glm *g = state;
    const dlp_index n = g->n, p = g->data.p;
    const double *S = dlp_sym_block(Sigma, 0), c_tt = n > p ? S[p * n + p] : 0;
    double c_ee[DLPI_TILE], c_et[DLPI_TILE];
    dlpi_rows *r = &g->rows;
    memset(grad, 0, (size_t)n * sizeof *grad);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_glm_load_tile(g, theta, at);
        g->family->evaluate(r, tau_of(g, theta), 3);
        dlpi_glm_tile_variances(g, at, S, c_ee, c_et);
        double *w = r->work[5];
        for (dlp_index i = 0; i < r->n; i++) {
            w[i] = r->l_eee[i] * c_ee[i];
            if (n == p) continue;
            w[i] += 2 * r->l_eet[i] * c_et[i] + r->l_ett[i] * c_tt;
            grad[p] +=
                r->l_eet[i] * c_ee[i] + 2 * r->l_ett[i] * c_et[i] + r->l_ttt[i] * c_tt;
        }
        add_columns(g, at, w, grad);
    }
    dlpi_prior_add_trace_grad(&g->prior, theta, S, grad);
}

static const dlp_model_type glm_type = {
    .name = "glm", .f = dlpi_glm_f, .derivatives = 2, .trace_grad = trace_grad};

dlp_model dlp_glm_model(dlp_glm *glm)
{
    const dlp_shape shape = dlp_shape_dense(glm->n);
    if (glm->xi)
        return (dlp_model){.type = &dlpi_jaakkola_jordan_type,
                           .state = glm,
                           .shape = shape,
                           .n_eta = glm->data.N};
    return (dlp_model){.type = &glm_type, .state = glm, .shape = shape};
}
