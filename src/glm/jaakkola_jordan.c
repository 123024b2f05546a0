/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jaakkola & Jordan's bound of the logistic likelihood (1996), the paper's baseline:
 *
 *   log(1 + e^eta) <= lambda(xi) (eta^2 - xi^2) + (eta - xi)/2 + log(1 + e^xi),
 *   lambda(xi) = tanh(xi/2) / (4 xi),
 *
 * with a xi for each row. Given xi the bounded f is quadratic, so that q(theta) is
 * exactly Gaussian, and the best xi is xi^2 = E[eta^2]. In the engine's terms xi is the
 * conjugate variable: eta of the engine is (x'theta)^2, and Laplace's update is exact.
 * The data are read once for each xi; from there f costs O(p^2).
 */
#include "core/core.h"
#include "glm/families/likelihoods.h"
#include "glm/glm_state.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* The bounded log likelihood, constant + slope'theta + 1/2 theta'H theta, stored in
   glm->extra. */
typedef struct quadratic {
    double *constant; /* NAN: xi has changed since */
    double *slope;    /* (p) */
    double *H;        /* (p, p) */
    double *zero;     /* (p) theta = 0 */
} quadratic;

static quadratic quadratic_of(const dlp_glm *g)
{
    const dlp_index p = g->data.p;
    double *slope = g->extra + 1;
    return (quadratic){g->extra, slope, slope + p, slope + p + p * p};
}

/* lambda(xi) given s = sigma(xi), as tanh(xi/2) = 2s - 1; near 0 by its series */
static double lambda(double xi, double s)
{
    const double z = xi * xi;
    return xi < 0.02 ? 0.125 - z * (1.0 / 96 - z * (1.0 / 960 - z * (17.0 / 161280)))
                     : (s - 0.5) / (2 * xi);
}

/* n trials: l >= (y - n/2) eta - n lambda (eta^2 - xi^2) + n (xi/2 - log(1 + e^xi)) */
void dlpi_bounded_logit(dlpi_rows *r, double tau, int order)
{
    double *s = r->work[0], *log_s = r->work[1];
    (void)tau, (void)order;
    dlp_logistic_array(r->n, r->xi, s);
    dlp_log_logistic_array(r->n, r->xi, log_s); /* xi - log(1 + e^xi) */
    for (dlp_index i = 0; i < r->n; i++) {
        const double n = r->trials ? r->trials[i] : 1, xi = r->xi[i];
        const double slope = r->y[i] - 0.5 * n, eta = r->eta[i], L = lambda(xi, s[i]);
        r->l[i] = slope * eta - n * L * (eta * eta - xi * xi) +
                  n * (log_s[i] - 0.5 * xi) + dlpi_log_choose(n, r->y[i]);
        r->l_e[i] = slope - 2 * n * L * eta;
        r->l_ee[i] = -2 * n * L;
    }
}

/* The bound at theta = 0, where eta is the offset, and its derivatives. */
static void expand(dlp_glm *g, const quadratic *q)
{
    const dlp_index p = g->data.p;
    *q->constant = 0;
    memset(q->slope, 0, (size_t)p * sizeof *q->slope);
    memset(q->H, 0, (size_t)(p * p) * sizeof *q->H);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, q->zero, at);
        dlpi_tile_evaluate(g, 0, 2);
        for (dlp_index i = 0; i < g->rows.n; i++) *q->constant += g->rows.l[i];
        dlpi_tile_add_xw(g, at, g->rows.l_e, q->slope, 1);
        dlpi_tile_add_xwx(g, at, g->rows.l_ee, q->H);
    }
    dlpi_mirror(p, q->H);
}

static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_glm *g = state;
    const dlp_index p = g->data.p;
    const quadratic q = quadratic_of(g);
    if (isnan(*q.constant)) expand(g, &q);
    double *H = hess ? dlp_sym_block(hess, 0) : NULL, value = *q.constant;
    for (dlp_index j = 0; j < p; j++) {
        const double bend = dlpi_dot(p, q.H + j * p, theta);
        value += theta[j] * (q.slope[j] + 0.5 * bend);
        if (grad) grad[j] = q.slope[j] + bend;
    }
    if (H) memcpy(H, q.H, (size_t)(p * p) * sizeof *H);
    value += dlpi_prior_add(&g->prior, theta, grad, H);
    if (H) dlpi_mirror(p, H);
    return value;
}

static void no_statistics(void *state)
{
    (void)state; /* f uses xi itself */
}

/* E[(x'theta)^2] = (x'mu)^2 + x'Sigma x, row by row; offsets included */
static void expect_squares(void *state, const double *mu, const dlp_sym *Sigma,
                           double *out)
{
    dlp_glm *g = state;
    const double *S = dlp_sym_block(Sigma, 0);
    const bool root = dlpi_tile_root(g, S);
    double c_ee[DLPI_TILE];
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, mu, at);
        if (root)
            dlpi_tile_variances_by_root(g, at, c_ee);
        else
            dlpi_tile_variances(g, at, S, c_ee);
        for (dlp_index i = 0; i < g->rows.n; i++)
            out[at + i] = g->rows.eta[i] * g->rows.eta[i] + c_ee[i];
    }
}

static void update_xi(void *state, const double *squares)
{
    dlp_glm *g = state;
    for (dlp_index i = 0; i < g->data.N; i++) g->xi[i] = sqrt(squares[i]);
    *quadratic_of(g).constant = NAN;
}

static double nothing_else(void *state)
{
    (void)state; /* f is the whole bound */
    return 0;
}

const dlp_model_type dlpi_jaakkola_jordan_type = {
    .size = sizeof dlpi_jaakkola_jordan_type,
    .name = "jaakkola-jordan",
    .f = f,
    .derivatives = 2,
    .expect_stats = no_statistics,
    .expect_eta = expect_squares,
    .update_z = update_xi,
    .objective_z = nothing_else,
};

bool dlpi_is_jaakkola_jordan(const char *method)
{
    return method && !strcmp(method, dlpi_jaakkola_jordan_type.name);
}

dlp_status dlp_glm_use_jaakkola_jordan(dlp_glm *glm, dlp_error *error)
{
    if (glm->family->evaluate != dlpi_binomial_logit || glm->family->of->scale)
        return dlp_fail(
            error, DLP_EINVAL,
            "jaakkola-jordan bounds the logistic likelihood only; family %s with "
            "link %s needs laplace or delta",
            glm->family->of->name, dlp_link_name((int)glm->family->link));
    const dlp_index p = glm->data.p, size = dlpi_size(p, p, dlpi_size(2, p, 1));
    double *xi = dlpi_calloc(glm->data.N, sizeof *xi),
           *extra = dlpi_calloc(size, sizeof *extra);
    if (!xi || !extra) {
        free(xi);
        free(extra);
        return dlpi_no_memory(error, "the bound");
    }
    free(glm->extra);
    glm->xi = xi;
    glm->extra = extra;
    *quadratic_of(glm).constant = NAN;
    glm->family = &dlpi_bounded_family;
    return DLP_OK;
}
