/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hierarchical language model of Section 2.2:
 *     theta ~ N(0, I),  z_d ~ Dirichlet(exp theta),  x_d ~ Multinomial(N_d, z_d).
 *
 * q(z_d) = Dirichlet(phi_d), phi_d = m + x_d, with m = E[exp theta] the same for every
 * document. So a sum over documents of a function of phi_di is a sum over the distinct
 * counts of term i, each with its multiplicity: the documents without the term share one
 * evaluation, and so do all that contain it once. An iteration costs O(V + distinct
 * (term, count) pairs), never O(D V).
 */
#include <delaplace/special.h>
#include <delaplace/unigram.h>

#include "core/core.h"
#include "math/dense.h"
#include "math/distinct.h"

#include <math.h>
#include <string.h>

/* Distinct whole numbers x, how often each occurs, and room for a function of them. */
typedef struct tally {
    dlp_index n;
    double *x;     /* (n) */
    double *times; /* (n) */
    double *phi;   /* (n) x plus its share of m */
    double *value; /* (n) */
} tally;

struct dlp_unigram {
    dlp_index V, D;
    tally counts;      /* the x_di term by term; those of term i start at first[i] */
    dlp_index *first;  /* (V+1) */
    tally lengths;     /* the N_d = sum_i x_di */
    double log_choose; /* sum_d log (N_d! / prod_i x_di!) */
    double *m;         /* (V) E[eta(theta)] = E[exp theta] */
    double *stats;     /* (V) E_q(z)[t(z)] */
    double *e;         /* (V) exp theta */
    double *polygamma; /* (4, V) log Gamma(e), Psi(e), Psi'(e), Psi''(e) */
    double *scratch;   /* (2, V) */
};

/* E_q(z)[t(z)]_i = sum_d Psi(phi_di) - Psi(sum_j phi_dj) */
static void expect_stats(void *state)
{
    dlp_unigram *u = state;
    tally *c = &u->counts, *l = &u->lengths;
    dlp_digamma_array(c->n, c->phi, c->value);
    dlp_digamma_array(l->n, l->phi, l->value);
    const double total = dlpi_dot(l->n, l->times, l->value);
    for (dlp_index i = 0; i < u->V; i++) {
        const dlp_index at = u->first[i], n = u->first[i + 1] - at;
        u->stats[i] = dlpi_dot(n, c->times + at, c->value + at) - total;
    }
}

/* e = exp theta; returns S = sum_i e_i */
static double exp_and_sum(dlp_unigram *u, const double *theta)
{
    double S = 0;
    dlp_exp_array(u->V, theta, u->e);
    for (dlp_index i = 0; i < u->V; i++) S += u->e[i];
    return S;
}

/*
 * f = exp(theta)' E[t(z)] - D (sum_i log Gamma(e_i) - log Gamma(S)) + log N(theta; 0, I)
 *     with e = exp theta, S = sum_i e_i                                  (eq:unigram-f)
 *
 * grad_i  = e_i (T_i - D Psi(e_i) + D Psi(S)) - theta_i,   T = E[t(z)]
 * hess_ij = D Psi'(S) e_i e_j
 *           + [i=j] (e_i (T_i - D Psi(e_i) + D Psi(S)) - D e_i^2 Psi'(e_i) - 1)
 */
static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_unigram *u = state;
    const dlp_index V = u->V;
    const double D = (double)u->D, log_2_pi = 1.8378770664093454836;
    double *e = u->e, *lgamma_e = u->polygamma, *psi = lgamma_e + V, *psi1 = psi + V;
    const double S = exp_and_sum(u, theta);
    if (!isfinite(S)) return -INFINITY;

    dlp_lgamma_array(V, e, lgamma_e);
    double value = D * dlp_lgamma(S) - 0.5 * (double)V * log_2_pi;
    for (dlp_index i = 0; i < V; i++)
        value += e[i] * u->stats[i] - D * lgamma_e[i] - 0.5 * theta[i] * theta[i];

    if (grad || hess) dlp_digamma_array(V, e, psi);
    const double psi_S = dlp_digamma(S);
    for (dlp_index i = 0; grad && i < V; i++)
        grad[i] = e[i] * (u->stats[i] - D * psi[i] + D * psi_S) - theta[i];
    if (hess) {
        double *diag = dlp_sym_diag(hess);
        dlp_trigamma_array(V, e, psi1);
        for (dlp_index i = 0; i < V; i++)
            diag[i] = e[i] * (u->stats[i] - D * psi[i] + D * psi_S) -
                      D * e[i] * e[i] * psi1[i] - 1;
        dlp_sym_core(hess)[0] = D * dlp_trigamma(S);
        memcpy(dlp_sym_low_rank(hess), e, (size_t)V * sizeof *e);
    }
    return value;
}

/*
 * The gradient of Tr{hess f Sigma} = sum_i h_i Sigma_ii + D Psi'(S) e'Sigma e, where
 * h_i is the bracket above:
 *
 *   Sigma_kk e_k (T_k - D Psi(e_k) + D Psi(S) - 3 D e_k Psi'(e_k) - D e_k^2 Psi''(e_k))
 *   + e_k (D Psi'(S) sum_i e_i Sigma_ii + D Psi''(S) e'Sigma e + 2 D Psi'(S) (Sigma e)_k)
 *
 * It needs the tetragamma function; the paper says trigamma (erratum E8).
 */
static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    dlp_unigram *u = state;
    const dlp_index V = u->V;
    const double D = (double)u->D;
    double *e = u->e, *psi = u->polygamma + V, *psi1 = psi + V, *psi2 = psi1 + V;
    double *Sigma_e = u->scratch, *variance = Sigma_e + V;
    const double S = exp_and_sum(u, theta);
    dlp_digamma_array(V, e, psi);
    dlp_trigamma_array(V, e, psi1);
    dlp_tetragamma_array(V, e, psi2);
    dlp_sym_multiply(Sigma, e, Sigma_e);
    dlp_sym_get_diagonal(Sigma, variance);

    const double psi_S = dlp_digamma(S), psi1_S = dlp_trigamma(S);
    const double shared = D * psi1_S * dlpi_dot(V, e, variance) +
                          D * dlp_tetragamma(S) * dlpi_dot(V, e, Sigma_e);
    for (dlp_index k = 0; k < V; k++) {
        const double own = u->stats[k] - D * psi[k] + D * psi_S -
                           D * e[k] * (3 * psi1[k] + e[k] * psi2[k]);
        grad[k] = e[k] * (variance[k] * own + shared + 2 * D * psi1_S * Sigma_e[k]);
    }
}

/* eta(theta) = exp theta */
static void eta(void *state, const double *theta, double *out)
{
    const dlp_unigram *u = state;
    dlp_exp_array(u->V, theta, out);
}

/* Tr{hess eta_i(mu) Sigma} = exp(mu_i) Sigma_ii */
static void eta_trace(void *state, const double *mu, const dlp_sym *Sigma, double *trace)
{
    const dlp_unigram *u = state;
    dlp_sym_get_diagonal(Sigma, trace);
    for (dlp_index i = 0; i < u->V; i++) trace[i] *= exp(mu[i]);
}

/* E[exp theta] = exp(mu + diag(Sigma)/2), exactly */
static void expect_eta(void *state, const double *mu, const dlp_sym *Sigma, double *e_eta)
{
    const dlp_unigram *u = state;
    dlp_sym_get_diagonal(Sigma, e_eta);
    for (dlp_index i = 0; i < u->V; i++) e_eta[i] = mu[i] + 0.5 * e_eta[i];
    dlp_exp_array(u->V, e_eta, e_eta);
}

/* q(z_d) = Dirichlet(E[exp theta] + x_d), for the distinct counts and lengths */
static void update_z(void *state, const double *e_eta)
{
    dlp_unigram *u = state;
    double total = 0;
    for (dlp_index i = 0; i < u->V; i++) {
        total += u->m[i] = e_eta[i];
        for (dlp_index k = u->first[i]; k < u->first[i + 1]; k++)
            u->counts.phi[k] = e_eta[i] + u->counts.x[k];
    }
    for (dlp_index k = 0; k < u->lengths.n; k++)
        u->lengths.phi[k] = total + u->lengths.x[k];
}

/*
 * E[log p(x|z)] + E[log h(z)] - E[log q(z)]
 *     = sum_d log choose_d + sum_i (x_di - phi_di) E[log z_di]
 *             + sum_i log Gamma(phi_di) - log Gamma(sum_i phi_di),
 * where x_d - phi_d = -m, so that the middle sum is -m'E[t(z)].
 */
static double objective_z(void *state)
{
    dlp_unigram *u = state;
    tally *c = &u->counts, *l = &u->lengths;
    dlp_lgamma_array(c->n, c->phi, c->value);
    dlp_lgamma_array(l->n, l->phi, l->value);
    return u->log_choose + dlpi_dot(c->n, c->times, c->value) -
           dlpi_dot(l->n, l->times, l->value) - dlpi_dot(u->V, u->m, u->stats);
}

/* A tally's function of x + shift, summed over its entries with their multiplicities. */
typedef void array_function(dlp_index n, const double *x, double *y);

static double sum_over(const tally *t, dlp_index from, dlp_index to, double shift,
                       array_function *function)
{
    double *value = t->value + from;
    for (dlp_index k = from; k < to; k++) t->value[k] = t->x[k] + shift;
    function(to - from, value, value);
    return dlpi_dot(to - from, t->times + from, value);
}

/* log Gamma(a + x) - log Gamma(a), by Stirling's formula where the two would cancel. */
static double log_rising(double a, double x)
{
    if (a < 100) return dlp_lgamma(a + x) - dlp_lgamma(a);
    const double b = a + x, end_a = 1 / (12 * a) - 1 / (360 * a * a * a),
                 end_b = 1 / (12 * b) - 1 / (360 * b * b * b);
    return (a - 0.5) * log1p(x / a) + x * (log(b) - 1) + end_b - end_a;
}

static double sum_log_rising(const tally *t, dlp_index from, dlp_index to, double a)
{
    double sum = 0;
    for (dlp_index k = from; k < to; k++) sum += t->times[k] * log_rising(a, t->x[k]);
    return sum;
}

/*
 * log p(x, theta) with z integrated out: the documents are Dirichlet-multinomial,
 *
 *   sum_d log choose_d + log Gamma(S) - log Gamma(S + N_d)
 *         + sum_i log Gamma(e_i + x_di) - log Gamma(e_i)    + log N(theta; 0, I)
 *
 * so, with A_i = sum_d Psi(e_i + x_di) - Psi(e_i), A'_i the same with Psi', and B, B'
 * the same for S and N_d:
 *
 *   grad_i  = e_i (A_i - B) - theta_i
 *   hess_ij = -B' e_i e_j + [i=j] (e_i (A_i - B) + e_i^2 A'_i - 1)
 */
static double marginal(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_unigram *u = state;
    const dlp_index V = u->V;
    const double D = (double)u->D, log_2_pi = 1.8378770664093454836;
    const tally *c = &u->counts, *l = &u->lengths;
    const double *e = u->e, S = exp_and_sum(u, theta);
    if (!isfinite(S)) return -INFINITY;

    double value =
        u->log_choose - 0.5 * (double)V * log_2_pi - sum_log_rising(l, 0, l->n, S);
    const double B = sum_over(l, 0, l->n, S, dlp_digamma_array) - D * dlp_digamma(S);
    for (dlp_index i = 0; i < V; i++) {
        const dlp_index from = u->first[i], to = u->first[i + 1];
        value += sum_log_rising(c, from, to, e[i]) - 0.5 * theta[i] * theta[i];
        if (!grad && !hess) continue;
        const double A =
            sum_over(c, from, to, e[i], dlp_digamma_array) - D * dlp_digamma(e[i]);
        if (grad) grad[i] = e[i] * (A - B) - theta[i];
        if (!hess) continue;
        const double A1 =
            sum_over(c, from, to, e[i], dlp_trigamma_array) - D * dlp_trigamma(e[i]);
        dlp_sym_diag(hess)[i] = e[i] * (A - B + e[i] * A1) - 1;
    }
    if (hess) {
        dlp_sym_core(hess)[0] =
            D * dlp_trigamma(S) - sum_over(l, 0, l->n, S, dlp_trigamma_array);
        memcpy(dlp_sym_low_rank(hess), e, (size_t)V * sizeof *e);
    }
    return value;
}

static const dlp_model_type unigram_type = {
    .size = sizeof unigram_type,
    .name = "unigram",
    .f = f,
    .derivatives = 2,
    .trace_grad = trace_grad,
    .expect_stats = expect_stats,
    .expect_eta = expect_eta,
    .eta = eta,
    .eta_trace = eta_trace,
    .update_z = update_z,
    .objective_z = objective_z,
    .marginal = marginal,
};

/* Adds to t the distinct values of x (n, sorted here) with their multiplicities. */
static void tally_add(tally *t, dlp_index n, double *x)
{
    qsort(x, (size_t)n, sizeof *x, dlpi_ascending);
    for (dlp_index k = 0; k < n; k++) {
        if (k == 0 || x[k] != x[k - 1]) t->x[t->n++] = x[k];
        t->times[t->n - 1] += 1;
    }
}

static int tally_alloc(tally *t, dlp_index most)
{
    t->x = dlpi_calloc(most, sizeof *t->x);
    t->times = dlpi_calloc(most, sizeof *t->times);
    return t->x && t->times;
}

/* The tally has its final size: frees unused memory and allocates the work arrays. */
static int tally_settle(tally *t)
{
    double **part[] = {&t->x, &t->times};
    for (int k = 0; k < 2; k++) {
        double *fitted = dlpi_calloc(t->n, sizeof *fitted);
        if (!fitted) return 0;
        memcpy(fitted, *part[k], (size_t)t->n * sizeof *fitted);
        free(*part[k]);
        *part[k] = fitted;
    }
    t->phi = dlpi_calloc(t->n, sizeof *t->phi);
    t->value = dlpi_calloc(t->n, sizeof *t->value);
    return t->phi && t->value;
}

static void tally_free(tally *t)
{
    free(t->x);
    free(t->times);
    free(t->phi);
    free(t->value);
}

/* The counts of each term over the documents, zeros included. */
static int tally_counts(dlp_unigram *u, const dlp_corpus *corpus)
{
    double *x = dlpi_calloc(corpus->nnz, sizeof *x); /* counts, sorted by term */
    dlp_index *next = dlpi_calloc(u->V + 1, sizeof *next);
    int ok = x && next && tally_alloc(&u->counts, corpus->nnz + u->V);
    if (ok) {
        for (dlp_index k = 0; k < corpus->nnz; k++) next[corpus->term[k] + 1]++;
        for (dlp_index i = 0; i < u->V; i++) next[i + 1] += next[i];
        for (dlp_index k = 0; k < corpus->nnz; k++)
            x[next[corpus->term[k]]++] = corpus->count[k];
        for (dlp_index i = 0; i < u->V; i++) { /* next[i] is now term i's end */
            const dlp_index begin = i ? next[i - 1] : 0, present = next[i] - begin;
            u->first[i] = u->counts.n;
            if (present < u->D) {
                u->counts.times[u->counts.n++] = (double)(u->D - present);
            }
            tally_add(&u->counts, present, x + begin);
        }
        u->first[u->V] = u->counts.n;
        ok = tally_settle(&u->counts);
    }
    free(x);
    free(next);
    return ok;
}

static int tally_lengths(dlp_unigram *u, const dlp_corpus *corpus)
{
    double *length = dlpi_calloc(u->D, sizeof *length);
    int ok = length && tally_alloc(&u->lengths, u->D);
    if (ok) {
        for (dlp_index d = 0; d < u->D; d++) {
            for (dlp_index k = corpus->row[d]; k < corpus->row[d + 1]; k++) {
                length[d] += corpus->count[k];
                u->log_choose -= dlp_lgamma(corpus->count[k] + 1.0);
            }
            u->log_choose += dlp_lgamma(length[d] + 1);
        }
        tally_add(&u->lengths, u->D, length);
        ok = tally_settle(&u->lengths);
    }
    free(length);
    return ok;
}

dlp_status dlp_unigram_alloc(const dlp_corpus *corpus, dlp_unigram **unigram,
                             dlp_error *error)
{
    *unigram = NULL;
    if (corpus->D < 1 || corpus->V < 1)
        return dlp_fail(
            error, DLP_EINPUT,
            "the corpus has %td documents and %td terms; it needs at least one of each",
            corpus->D, corpus->V);
    DLP_TRY(dlp_corpus_check(corpus, error));
    dlp_unigram *u = dlpi_calloc(1, sizeof *u);
    if (!u) return dlpi_no_memory(error, "the language model");
    u->V = corpus->V;
    u->D = corpus->D;
    u->first = dlpi_calloc(u->V + 1, sizeof *u->first);
    u->m = dlpi_calloc(u->V, 9 * sizeof *u->m); /* the vectors, one after another */
    if (!u->first || !u->m || !tally_counts(u, corpus) || !tally_lengths(u, corpus)) {
        dlp_unigram_free(u);
        return dlpi_no_memory(error, "the language model");
    }
    u->stats = u->m + u->V;
    u->e = u->stats + u->V;
    u->polygamma = u->e + u->V;
    u->scratch = u->polygamma + 4 * u->V;
    *unigram = u;
    return DLP_OK;
}

void dlp_unigram_free(dlp_unigram *unigram)
{
    if (!unigram) return;
    tally_free(&unigram->counts);
    tally_free(&unigram->lengths);
    free(unigram->first);
    free(unigram->m);
    free(unigram);
}

dlp_model dlp_unigram_model(dlp_unigram *unigram)
{
    return (dlp_model){.type = &unigram_type,
                       .state = unigram,
                       .shape = dlp_shape_low_rank(unigram->V, 1),
                       .n_eta = unigram->V};
}

const double *dlp_unigram_dirichlet(const dlp_unigram *unigram)
{
    return unigram->m;
}
