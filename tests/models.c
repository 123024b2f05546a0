/* SPDX-License-Identifier: BSD-3-Clause */
#include <delaplace/special.h>

#include "models.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double log_2_pi = 1.8378770664093454836;

static void nothing(void *memory)
{
    (void)memory;
}

/* ---- a Gaussian ---- */

const double gaussian_a[3] = {0.385, -2.17, 14.3};
const double gaussian_P[9] = {2.31, 0.42, -0.83, 0.42, 1.77, 0.29, -0.83, 0.29, 0.918};
const double gaussian_evidence = -3.725; /* what f integrates to, as a logarithm */

static double det3(const double *A)
{
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
           A[2] * (A[3] * A[7] - A[4] * A[6]);
}

static double gaussian_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    (void)m;
    double value = gaussian_evidence - 1.5 * log_2_pi + 0.5 * log(det3(gaussian_P));
    for (int i = 0; i < 3; i++) {
        double row = 0;
        for (int j = 0; j < 3; j++)
            row += gaussian_P[3 * i + j] * (theta[j] - gaussian_a[j]);
        value -= 0.5 * (theta[i] - gaussian_a[i]) * row;
        if (grad) grad[i] = -row;
    }
    for (int k = 0; hess && k < 9; k++) dlp_sym_block(hess, 0)[k] = -gaussian_P[k];
    return value;
}

static void no_third_derivative(void *m, const double *theta, const dlp_sym *Sigma,
                                double *grad)
{
    (void)m;
    (void)theta;
    memset(grad, 0, (size_t)Sigma->shape.n * sizeof *grad);
}

static const dlp_model_type gaussian_type = {.size = sizeof gaussian_type,
                                             .name = "gaussian",
                                             .f = gaussian_f,
                                             .derivatives = 2,
                                             .trace_grad = no_third_derivative};

dlp_model make_gaussian(void **memory)
{
    *memory = NULL;
    return (dlp_model){.type = &gaussian_type, .shape = dlp_shape_dense(3)};
}

/* ---- a conditionally conjugate chain ---- */

const double chain_x[CHAIN_N] = {1.385, -0.42, 2.91, 0.77, 1.13};
const double chain_T = 2.7, chain_S = 0.64, chain_R = 1.9;

/* p(z|theta): eta = theta/S, t(z) = sum_i z_i, a = CHAIN_N theta^2/(2S) */
typedef struct chain {
    double mean[CHAIN_N], variance; /* q(z_i) */
    double stats;                   /* E[sum_i z_i] */
} chain;

static double chain_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const chain *c = m;
    const double t = theta[0];
    if (grad) grad[0] = c->stats / chain_S - CHAIN_N * t / chain_S - t / chain_T;
    if (hess) dlp_sym_block(hess, 0)[0] = -CHAIN_N / chain_S - 1 / chain_T;
    return t * c->stats / chain_S - 0.5 * CHAIN_N * t * t / chain_S -
           0.5 * t * t / chain_T - 0.5 * (log_2_pi + log(chain_T));
}

static void chain_expect_stats(void *m)
{
    chain *c = m;
    c->stats = 0;
    for (int i = 0; i < CHAIN_N; i++) c->stats += c->mean[i];
}

static void chain_eta(void *m, const double *theta, double *eta)
{
    (void)m;
    eta[0] = theta[0] / chain_S;
}

static void chain_expect_eta(void *m, const double *mu, const dlp_sym *Sigma,
                             double *e_eta)
{
    (void)Sigma;
    chain_eta(m, mu, e_eta);
}

static void chain_update_z(void *m, const double *e_eta)
{
    chain *c = m;
    c->variance = 1 / (1 / chain_S + 1 / chain_R);
    for (int i = 0; i < CHAIN_N; i++)
        c->mean[i] = c->variance * (e_eta[0] + chain_x[i] / chain_R);
}

/* E[log N(x|z, R)] + E[log h(z)] + entropy; h(z) = N(z; 0, S) */
static double chain_bound_z(void *m)
{
    const chain *c = m;
    double sum = 0;
    for (int i = 0; i < CHAIN_N; i++) {
        const double square = c->mean[i] * c->mean[i] + c->variance;
        const double miss = chain_x[i] - c->mean[i];
        sum += -0.5 * (log_2_pi + log(chain_R) + (miss * miss + c->variance) / chain_R);
        sum += -0.5 * (log_2_pi + log(chain_S) + square / chain_S);
        sum += 0.5 * (log_2_pi + 1 + log(c->variance));
    }
    return sum;
}

static const dlp_model_type chain_type = {.size = sizeof chain_type,
                                          .name = "normal-chain",
                                          .f = chain_f,
                                          .derivatives = 2,
                                          .trace_grad = no_third_derivative,
                                          .expect_stats = chain_expect_stats,
                                          .expect_eta = chain_expect_eta,
                                          .eta = chain_eta,
                                          .update_z = chain_update_z,
                                          .objective_z = chain_bound_z};

dlp_model make_normal_chain(void **memory)
{
    *memory = calloc(1, sizeof(chain));
    return (dlp_model){
        .type = &chain_type, .state = *memory, .shape = dlp_shape_dense(1), .n_eta = 1};
}

/* ---- one-dimensional models for quadrature ---- */

static double poisson_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    (void)m;
    const double y = 3, t = theta[0], rate = exp(t);
    if (grad) grad[0] = y - rate - t;
    if (hess) dlp_sym_block(hess, 0)[0] = -rate - 1;
    return y * t - rate - log(6) - 0.5 * t * t - 0.5 * log_2_pi;
}

static void poisson_trace_grad(void *m, const double *theta, const dlp_sym *Sigma,
                               double *grad)
{
    (void)m;
    grad[0] = -exp(theta[0]) * dlp_sym_block(Sigma, 0)[0];
}

static const dlp_model_type poisson_type = {.size = sizeof poisson_type,
                                            .name = "poisson",
                                            .f = poisson_f,
                                            .derivatives = 2,
                                            .trace_grad = poisson_trace_grad};

dlp_model make_poisson(void **memory)
{
    *memory = NULL;
    return (dlp_model){.type = &poisson_type, .shape = dlp_shape_dense(1)};
}

static const double logit_x[6] = {0.7, 2.385, -1.1, 1.9, 0.31, 2.2};

static double logit_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    (void)m;
    double value = -0.5 * theta[0] * theta[0] - 0.5 * log_2_pi, g = -theta[0], h = -1;
    for (int i = 0; i < 6; i++) { /* the labels are folded into the signs of x */
        const double s = dlp_logistic(-logit_x[i] * theta[0]);
        value += dlp_log_logistic(logit_x[i] * theta[0]);
        g += s * logit_x[i];
        h -= s * (1 - s) * logit_x[i] * logit_x[i];
    }
    if (grad) grad[0] = g;
    if (hess) dlp_sym_block(hess, 0)[0] = h;
    return value;
}

static const dlp_model_type logit_type = {
    .size = sizeof logit_type, .name = "logit", .f = logit_f, .derivatives = 2};

dlp_model make_logit(void **memory)
{
    *memory = NULL;
    return (dlp_model){.type = &logit_type, .shape = dlp_shape_dense(1)};
}

/* ---- blocks: independent Poisson rates in groups ---- */

static const dlp_index block_sizes[3] = {2, 1, 3};

/* in each block, theta ~ N(0, I) and counts 1, 2, ... of rate exp(sum of the block) */
static double blocks_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    (void)m;
    double value = 0;
    for (int k = 0, at = 0; k < 3; at += (int)block_sizes[k++]) {
        const dlp_index b = block_sizes[k];
        double sum = 0, y = 1.0 + k;
        for (dlp_index i = 0; i < b; i++) {
            sum += theta[at + i];
            value -= 0.5 * theta[at + i] * theta[at + i];
        }
        value += y * sum - exp(sum);
        for (dlp_index i = 0; i < b; i++) {
            if (grad) grad[at + i] = y - exp(sum) - theta[at + i];
            for (dlp_index j = 0; hess && j < b; j++)
                dlp_sym_block(hess, k)[i * b + j] = -exp(sum) - (i == j);
        }
    }
    return value;
}

static const dlp_model_type blocks_type = {
    .size = sizeof blocks_type, .name = "blocks", .f = blocks_f, .derivatives = 2};

static dlp_model make_blocks(void **memory)
{
    *memory = NULL;
    return (dlp_model){.type = &blocks_type, .shape = dlp_shape_blocks(3, block_sizes)};
}

/* ---- counts along a chain, in each structure that holds it ---- */

/* x_0 = mu ~ N(0, 1), x_t ~ N(0.8 x_{t-1}, 1), y_t ~ Poisson(exp(x_t)), t = 0..CHAIN_T-1: a
   band; and mu last in a border where `bordered`, y_t ~ Poisson(exp(mu + x_t)). */
enum { CHAIN_T = 6 };
static const double chain_y[CHAIN_T] = {1, 0, 3, 2, 5, 4};

typedef struct counts_chain {
    dlp_index block[CHAIN_T];
    dlp_pattern *pattern;
    bool with_mu;
} counts_chain;

/* Adds v to the entry (i, j) of any structure, i <= j. */
static void add_entry(dlp_sym *A, dlp_index i, dlp_index j, double v)
{
    const dlp_index n = A->shape.n, m = A->shape.border;
    if (A->shape.structure == DLP_SPARSE) {
        A->a[dlp_pattern_find(A->shape.pattern, i, j)] += v;
    } else if (A->shape.structure == DLP_BAND) {
        A->a[i * (A->shape.bandwidth + 1) + j - i] += v;
    } else if (j < n - m) {
        double *block = dlp_sym_block(A, 0);
        block[i * (n - m) + j] += v;
        if (i != j) block[j * (n - m) + i] += v;
    } else {
        dlp_sym_border(A)[i * m + j - n + m] += v; /* the corner follows */
    }
}

static double counts_chain_f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const counts_chain *c = m;
    const double mu = c->with_mu ? x[CHAIN_T] : 0, rho = 0.8;
    double value = -0.5 * mu * mu;
    if (grad) memset(grad, 0, (CHAIN_T + c->with_mu) * sizeof *grad);
    if (grad && c->with_mu) grad[CHAIN_T] = -mu;
    if (hess) {
        dlp_sym_set_identity(hess); /* for the diagonal of the prior, so far */
        dlp_sym_negate(hess);
    }
    for (int t = 0; t < CHAIN_T; t++) {
        const double rate = exp(mu + x[t]), r = x[t] - (t ? rho * x[t - 1] : 0);
        value += chain_y[t] * (mu + x[t]) - rate - 0.5 * r * r;
        if (grad) grad[t] += chain_y[t] - rate - r;
        if (grad && t) grad[t - 1] += rho * r;
        if (grad && c->with_mu) grad[CHAIN_T] += chain_y[t] - rate;
        if (!hess) continue;
        add_entry(hess, t, t, -rate);
        if (t) add_entry(hess, t - 1, t - 1, -rho * rho);
        if (t) add_entry(hess, t - 1, t, rho);
        if (c->with_mu) add_entry(hess, t, CHAIN_T, -rate);
        if (c->with_mu) add_entry(hess, CHAIN_T, CHAIN_T, -rate);
    }
    return value;
}

/* Tr{H Sigma} = -sum_t rate_t v_t + constants, v_t the variance of mu + x_t */
static void counts_chain_trace_grad(void *m, const double *x, const dlp_sym *Sigma,
                                    double *grad)
{
    const counts_chain *c = m;
    const double mu = c->with_mu ? x[CHAIN_T] : 0;
    if (c->with_mu) grad[CHAIN_T] = 0;
    for (int t = 0; t < CHAIN_T; t++) {
        double v = dlp_sym_entry(Sigma, t, t);
        if (c->with_mu)
            v += 2 * dlp_sym_entry(Sigma, t, CHAIN_T) +
                 dlp_sym_entry(Sigma, CHAIN_T, CHAIN_T);
        grad[t] = -exp(mu + x[t]) * v;
        if (c->with_mu) grad[CHAIN_T] += grad[t];
    }
}

static const dlp_model_type counts_chain_type = {.size = sizeof counts_chain_type,
                                                 .name = "counts-chain",
                                                 .f = counts_chain_f,
                                                 .derivatives = 2,
                                                 .trace_grad = counts_chain_trace_grad};

static counts_chain *make_counts_chain(void **memory, bool with_mu)
{
    counts_chain *c = calloc(1, sizeof *c);
    if (!c) abort();
    c->with_mu = with_mu;
    c->block[0] = CHAIN_T;
    *memory = c;
    return c;
}

dlp_model make_band(void **memory)
{
    return (dlp_model){.type = &counts_chain_type,
                       .state = make_counts_chain(memory, false),
                       .shape = dlp_shape_band(CHAIN_T, 1)};
}

dlp_model make_bordered(void **memory)
{
    counts_chain *c = make_counts_chain(memory, true);
    return (dlp_model){.type = &counts_chain_type,
                       .state = c,
                       .shape = dlp_shape_bordered(1, c->block, 1)};
}

/* a term for each factor of the density */
static dlp_model make_sparse_chain(void **memory, bool with_mu)
{
    counts_chain *c = make_counts_chain(memory, with_mu);
    dlp_index start[2 * CHAIN_T] = {0};
    int32_t column[4 * CHAIN_T];
    int terms = 0, at = 0;
    for (int t = 0; t < CHAIN_T; t++) {
        column[at++] = t;
        if (with_mu) column[at++] = CHAIN_T;
        start[++terms] = at;
        if (t == 0) continue;
        column[at++] = t - 1;
        column[at++] = t;
        start[++terms] = at;
    }
    if (dlp_pattern_from_sum(CHAIN_T + with_mu, terms, start, column, &c->pattern,
                             NULL) != DLP_OK)
        abort();
    return (dlp_model){
        .type = &counts_chain_type, .state = c, .shape = dlp_shape_sparse(c->pattern)};
}

dlp_model make_sparse(void **memory)
{
    return make_sparse_chain(memory, false);
}

dlp_model make_sparse_arrow(void **memory)
{
    return make_sparse_chain(memory, true);
}

void release_counts_chain(void *memory)
{
    counts_chain *c = memory;
    dlp_pattern_free(c->pattern);
    free(c);
}

/* ---- a robust location: Student-t errors, not concave everywhere ---- */

static const double robust_y[7] = {1.2, 0.9, 1.35, 1.1, 0.7, 9.4, -6.1};

static double robust_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    (void)m;
    const double nu = 4, t = theta[0];
    double value = -0.5 * t * t / 25, g = -t / 25, h = -1.0 / 25;
    for (int i = 0; i < 7; i++) {
        const double r = robust_y[i] - t, d = nu + r * r;
        value -= 0.5 * (nu + 1) * log1p(r * r / nu);
        g += (nu + 1) * r / d;
        h -= (nu + 1) * (nu - r * r) / (d * d);
    }
    if (grad) grad[0] = g;
    if (hess) dlp_sym_block(hess, 0)[0] = h;
    return value;
}

static const dlp_model_type robust_type = {
    .size = sizeof robust_type, .name = "robust", .f = robust_f, .derivatives = 2};

static dlp_model make_robust(void **memory)
{
    *memory = NULL;
    return (dlp_model){.type = &robust_type, .shape = dlp_shape_dense(1)};
}

/* ---- a gamma rate on (0, inf), by transform ---- */

static double rate_f(void *m, const double *psi, double *grad, dlp_sym *hess)
{
    (void)m;
    const double shape = 2.385, rate = 1.7, y = 4, exposure = 3.1, p = psi[0];
    if (!(p > 0)) return -INFINITY;
    if (grad) grad[0] = (shape - 1 + y) / p - rate - exposure;
    if (hess) dlp_sym_block(hess, 0)[0] = -(shape - 1 + y) / (p * p);
    return (shape - 1 + y) * log(p) - (rate + exposure) * p;
}

static const dlp_model_type rate_type = {
    .size = sizeof rate_type, .name = "rate", .f = rate_f, .derivatives = 2};

static dlp_model make_rate(void **memory)
{
    const dlp_model inner = {.type = &rate_type, .shape = dlp_shape_dense(1)};
    const dlp_transform positive = {.kind = DLP_POSITIVE, .n = 1};
    dlp_transformed *made = NULL;
    if (dlp_transformed_alloc(&inner, 1, &positive, &made, NULL) != DLP_OK) abort();
    *memory = made;
    return dlp_transformed_model(made);
}

static void release_rate(void *memory)
{
    dlp_transformed_free(memory);
}

/* ---- the language model ---- */

dlp_model make_unigram(void **memory)
{
    const int32_t x[20] = {3, 0, 1, 6, 2, 2, 0, 5, 0, 1, 1, 4, 5, 0, 0, 3, 1, 0, 2, 9};
    dlp_corpus *corpus = NULL;
    dlp_unigram *unigram = NULL;
    if (dlp_corpus_from_counts(5, 4, x, &corpus, NULL) != DLP_OK ||
        dlp_unigram_alloc(corpus, &unigram, NULL) != DLP_OK)
        abort();
    dlp_corpus_free(corpus);
    *memory = unigram;
    return dlp_unigram_model(unigram);
}

static void release_unigram(void *memory)
{
    dlp_unigram_free(memory);
}

const test_model test_models[] = {
    {"gaussian", 1, make_gaussian, nothing},
    {"normal-chain", 1, make_normal_chain, free},
    {"poisson", 1, make_poisson, nothing},
    {"logit", 1, make_logit, nothing},
    {"blocks", 1, make_blocks, nothing},
    {"band", 1, make_band, release_counts_chain},
    {"bordered", 1, make_bordered, release_counts_chain},
    {"sparse", 1, make_sparse, release_counts_chain},
    {"sparse-arrow", 1, make_sparse_arrow, release_counts_chain},
    {"robust", 1, make_robust, nothing},
    {"rate", 1, make_rate, release_rate},
    {"unigram", 1, make_unigram, release_unigram},
};
const int n_test_models = sizeof test_models / sizeof *test_models;
