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
 */
#include "core/core.h"
#include "math/dense.h"
#include "model/glm_state.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

static double lambda(double xi)
{
    /* tanh(x/2)/(4x) = 1/8 - x^2/96 + ... */
    return xi < 1e-4 ? 0.125 - xi * xi / 96 : tanh(0.5 * xi) / (4 * xi);
}

/* n trials: l >= (y - n/2) eta - n lambda (eta^2 - xi^2) + n (xi/2 - log(1 + e^xi)) */
static void bounded_logit(dlpi_rows *r, double tau, int order)
{
    (void)tau;
    for (dlp_index i = 0; i < r->n; i++) {
        const double n = r->trials ? r->trials[i] : 1, xi = r->xi[i], L = lambda(xi);
        const double slope = r->y[i] - 0.5 * n, eta = r->eta[i];
        r->l[i] = slope * eta - n * L * (eta * eta - xi * xi) +
                  n * (0.5 * xi - dlp_log1pexp(xi)) + dlpi_log_choose(n, r->y[i]);
        if (order == 0) continue;
        r->l_e[i] = slope - 2 * n * L * eta;
        r->l_ee[i] = -2 * n * L;
        r->l_eee[i] = 0;
    }
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
    double c_ee[DLPI_TILE];
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, mu, at);
        dlpi_tile_variances(g, at, dlp_sym_block(Sigma, 0), c_ee);
        for (dlp_index i = 0; i < g->rows.n; i++)
            out[at + i] = g->rows.eta[i] * g->rows.eta[i] + c_ee[i];
    }
}

static void update_xi(void *state, const double *squares)
{
    dlp_glm *g = state;
    for (dlp_index i = 0; i < g->data.N; i++) g->xi[i] = sqrt(squares[i]);
}

static double nothing_else(void *state)
{
    (void)state; /* the bound is all in f */
    return 0;
}

const dlp_model_type dlpi_jaakkola_jordan_type = {
    .name = "jaakkola-jordan",
    .f = dlpi_glm_f,
    .derivatives = 2,
    .expect_stats = no_statistics,
    .expect_eta = expect_squares,
    .update_z = update_xi,
    .bound_z = nothing_else,
};

static const dlpi_family bounded = {.name = "bernoulli",
                                    .link = "logit",
                                    .evaluate = bounded_logit,
                                    .type = &dlpi_jaakkola_jordan_type};

dlp_status dlp_glm_use_jaakkola_jordan(dlp_glm *glm, dlp_error *error)
{
    if (strcmp(glm->family->link, "logit") != 0 || !glm->family->evaluate)
        return dlp_fail(
            error, DLP_EINVAL,
            "jaakkola-jordan bounds the logistic likelihood only; family %s with "
            "link %s needs laplace or delta",
            glm->family->name, glm->family->link);
    if (!glm->xi) glm->xi = dlpi_calloc(glm->data.N, sizeof *glm->xi);
    if (!glm->xi) return dlpi_no_memory(error, "the bound");
    glm->family = &bounded;
    return DLP_OK;
}
