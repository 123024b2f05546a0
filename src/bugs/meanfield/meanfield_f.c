/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * f(theta_i) of a Gaussian factor, eq:general-laplace-f, with its derivatives, and the
 * expectations of its atoms, which other factors need.
 *
 * An atom is g(u), with u = c + A x a few slots. For an atom of one factor, E[g] is g(u)
 * + 1/2 sum g_jk Cov(u)_jk, which is exact if g is quadratic (P35), or, with one slot, a
 * Gauss-Hermite integral. For a joint atom, the covariance of the factors other than i
 * spreads u: E_{-i}[g] is a mean over 2k + 1 points along its root.
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"
#include "density/jet.h"
#include "math/special/gauss_hermite.h"

#include <math.h>
#include <string.h>

enum { NODES = 15 };

double dlpi_meanfield_weight(const dlpi_meanfield *mf, dlp_index atom)
{
    double sum = 0;
    for (dlp_index i = mf->user_begin[atom]; i < mf->user_begin[atom + 1]; i++) {
        const dlp_index t = mf->user[i];
        double product = mf->c[t];
        for (dlp_index u = mf->begin[t]; u < mf->begin[t + 1]; u++)
            if (mf->use[u] != atom) product *= mf->expected[mf->use[u]];
        sum += product;
    }
    return sum;
}

/* ---- batches ---- */

/* Rows of one shape: member[at], ..., so many. */
typedef struct batch {
    const dlpi_atoms *a;
    const int32_t *member;
    dlp_index n;
} batch;

static batch batch_at(const dlpi_meanfield *mf, const dlpi_q *q, dlp_index at)
{
    const int32_t *member = mf->member + q->atom + at;
    const int32_t shape = mf->atoms_of[member[0]];
    dlp_index n = 1;
    while (at + n < q->n_atoms && n < DLPI_BATCH && mf->atoms_of[member[n]] == shape) n++;
    return (batch){&mf->shape[shape], member, n};
}

static dlp_index row(const dlpi_meanfield *mf, const batch *b, dlp_index r)
{
    return mf->row_of[b->member[r]];
}

/* The body's inputs: data, and slots at theta for factor q and at the means of others. */
static void set_inputs(dlpi_meanfield *mf, const batch *b, int32_t q, const double *theta)
{
    const dlpi_atoms *a = b->a;
    const int k = a->slots.k;
    for (int i = 0; i < a->n_inputs; i++) {
        double *to = mf->batch + (dlp_index)i * DLPI_BATCH;
        mf->input[i] = to;
        mf->slot[i] = -1;
        for (dlp_index r = 0; r < b->n; r++)
            to[r] = a->value[row(mf, b, r) * a->n_inputs + i];
    }
    for (int j = 0; j < k; j++) {
        double *u = mf->slots + (dlp_index)j * DLPI_BATCH;
        mf->input[a->n_inputs + j] = u;
        mf->slot[a->n_inputs + j] = j;
        for (dlp_index r = 0; r < b->n; r++) u[r] = a->constant[row(mf, b, r) * k + j];
    }
    for (int e = 0; e < a->n_entries; e++) {
        double *u = mf->slots + (dlp_index)a->slot[e] * DLPI_BATCH;
        for (dlp_index r = 0; r < b->n; r++) {
            const dlp_index at = row(mf, b, r);
            const int32_t c = a->coordinate[at * a->n_inputs + a->input[e]];
            const double v = theta && mf->q_of_coordinate[c] == q ? theta[c - mf->q[q].at]
                                                                  : mf->mean[c];
            u[r] += a->coef[at * a->n_entries + e] * v;
        }
    }
}

static void run(dlpi_meanfield *mf, const batch *b, int order, double *jet)
{
    dlpi_program_run(&b->a->slots.body, b->n, mf->input, b->a->slots.k, mf->slot, order,
                     jet, mf->room);
}

/* Cov of the slots of a row, C (k, k): due to all factors but `except`; or due only to
   the factor `only`, whose covariance is Sigma. */
static void slot_covariance(const dlpi_meanfield *mf, const dlpi_atoms *a, dlp_index at,
                            int32_t except, int32_t only, const dlp_sym *Sigma, double *C)
{
    const int k = a->slots.k;
    memset(C, 0, (size_t)(k * k) * sizeof *C);
    for (int e = 0; e < a->n_entries; e++)
        for (int g = e; g < a->n_entries; g++) {
            const int32_t i = a->coordinate[at * a->n_inputs + a->input[e]],
                          j = a->coordinate[at * a->n_inputs + a->input[g]];
            const int32_t q = mf->q_of_coordinate[i];
            if (q != mf->q_of_coordinate[j] || q == except || (only >= 0 && q != only))
                continue;
            const double cov =
                Sigma ? dlp_sym_entry(Sigma, i - mf->q[q].at, j - mf->q[q].at)
                      : dlpi_gaussian_covariance(mf, i, j);
            const double c =
                a->coef[at * a->n_entries + e] * a->coef[at * a->n_entries + g] * cov;
            const int s = a->slot[e], t = a->slot[g];
            C[s * k + t] += c;
            if (e != g) C[t * k + s] += c;
        }
}

/* C = R R' in place, R lower triangular; directions without spread are 0. */
static void root_of(int k, double *C)
{
    for (int j = 0; j < k; j++) {
        double d = C[j * k + j];
        for (int i = 0; i < j; i++) d -= C[j * k + i] * C[j * k + i];
        d = d > 1e-14 * C[j * k + j] && d > 0 ? sqrt(d) : 0;
        for (int r = j + 1; r < k; r++) {
            double s = C[r * k + j];
            for (int i = 0; i < j; i++) s -= C[r * k + i] * C[j * k + i];
            C[r * k + j] = d > 0 ? s / d : 0;
            C[j * k + r] = 0;
        }
        C[j * k + j] = d;
    }
}

/* The mean of the body's jets over points along R: exact to third order, and for one slot
   to fifth. root: k^2 numbers per row. Into mf->sum. */
static void run_spread(dlpi_meanfield *mf, const batch *b, int order, const double *root)
{
    const int k = b->a->slots.k;
    const dlp_index size = (dlp_index)dlpi_jet_size(k, order) * b->n;
    const double h = sqrt(k > 3 ? k : 3), w = 1 / (2 * h * h), centre = 1 - k / (h * h);
    run(mf, b, order, mf->jet);
    for (dlp_index i = 0; i < size; i++) mf->sum[i] = centre * mf->jet[i];
    for (int d = 0; d < k; d++)
        for (int side = -1; side <= 1; side += 2) {
            for (int pass = 0; pass < 2; pass++) { /* there, and back */
                for (int j = d; j < k; j++) {
                    double *u = mf->slots + (dlp_index)j * DLPI_BATCH;
                    for (dlp_index r = 0; r < b->n; r++)
                        u[r] += (pass ? -side : side) * h * root[(r * k + j) * k + d];
                }
                if (!pass) run(mf, b, order, mf->jet);
            }
            for (dlp_index i = 0; i < size; i++) mf->sum[i] += w * mf->jet[i];
        }
}

void dlpi_meanfield_weigh(dlpi_meanfield *mf, int32_t at)
{
    const dlpi_q *q = &mf->q[at];
    double *root = mf->root;
    for (dlp_index i = 0; i < q->n_atoms; i++) {
        const int32_t atom = mf->member[q->atom + i];
        const dlpi_atoms *a = &mf->shape[mf->atoms_of[atom]];
        mf->weight[atom] = dlpi_meanfield_weight(mf, mf->n_stats + atom);
        if (q->apart) continue;
        slot_covariance(mf, a, mf->row_of[atom], at, -1, NULL, root);
        root_of(a->slots.k, root);
        root += (dlp_index)a->slots.k * a->slots.k;
    }
}

/* The jets of a batch as a function of q; advances *root. */
static const double *jets(dlpi_meanfield *mf, const batch *b, int32_t q,
                          const double *theta, int order, const double **root)
{
    set_inputs(mf, b, q, theta);
    if (mf->q[q].apart) {
        run(mf, b, order, mf->jet);
        return mf->jet;
    }
    run_spread(mf, b, order, *root);
    *root += b->n * b->a->slots.k * b->a->slots.k;
    return mf->sum;
}

/* ---- f ---- */

static void add_gradient(const dlpi_meanfield *mf, const batch *b, int32_t q,
                         const double *jet, double *grad)
{
    const dlpi_atoms *a = b->a;
    for (int e = 0; e < a->n_entries; e++)
        for (dlp_index r = 0; r < b->n; r++) {
            const dlp_index at = row(mf, b, r);
            const int32_t c = a->coordinate[at * a->n_inputs + a->input[e]];
            if (mf->q_of_coordinate[c] != q) continue;
            grad[c - mf->q[q].at] += mf->weight[b->member[r]] *
                                     a->coef[at * a->n_entries + e] *
                                     jet[(1 + a->slot[e]) * b->n + r];
        }
}

static void add_entry(const dlp_sym *H, dlp_index n, dlp_index i, dlp_index j, double h)
{
    if (H->shape.structure == DLP_SPARSE) {
        H->a[dlp_pattern_find(H->shape.pattern, i, j)] += h;
        return;
    }
    H->a[i * n + j] += h;
    if (i != j) H->a[j * n + i] += h;
}

static void add_hessian(const dlpi_meanfield *mf, const batch *b, int32_t q,
                        const double *jet, dlp_sym *hess)
{
    const dlpi_atoms *a = b->a;
    const dlp_index first = mf->q[q].at, n = mf->q[q].n;
    for (dlp_index r = 0; r < b->n; r++) {
        const dlp_index at = row(mf, b, r);
        const double w = mf->weight[b->member[r]];
        const double *coef = a->coef + at * a->n_entries;
        const int32_t *coordinate = a->coordinate + at * a->n_inputs;
        for (int e = 0; e < a->n_entries; e++) {
            const int32_t i = coordinate[a->input[e]];
            if (mf->q_of_coordinate[i] != q) continue;
            for (int g = e; g < a->n_entries; g++) {
                const int32_t j = coordinate[a->input[g]];
                if (mf->q_of_coordinate[j] != q) continue;
                const int s = a->slot[e] < a->slot[g] ? a->slot[e] : a->slot[g],
                          t = a->slot[e] < a->slot[g] ? a->slot[g] : a->slot[e];
                const double h = w * coef[e] * coef[g] *
                                 jet[(dlp_index)dlpi_place2(a->slots.k, s, t) * b->n + r];
                add_entry(hess, n, i - first, j - first, e != g && i == j ? 2 * h : h);
            }
        }
    }
}

static void clear_matrix(dlp_sym *H, dlp_index n)
{
    const dlp_index entries =
        H->shape.structure == DLP_SPARSE ? dlp_pattern_start(H->shape.pattern)[n] : n * n;
    memset(H->a, 0, (size_t)entries * sizeof *H->a);
}

double dlpi_meanfield_f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    const dlpi_of_q *of = state;
    dlpi_meanfield *mf = of->mf;
    const dlpi_q *q = &mf->q[of->q];
    const int order = hess ? 2 : grad ? 1 : 0;
    const double *root = mf->root;
    double f = 0;
    if (grad) memset(grad, 0, (size_t)q->n * sizeof *grad);
    if (hess) clear_matrix(hess, q->n);
    for (dlp_index at = 0; at < q->n_atoms;) {
        const batch b = batch_at(mf, q, at);
        const double *jet = jets(mf, &b, of->q, theta, order, &root);
        for (dlp_index r = 0; r < b.n; r++) {
            const double w = mf->weight[b.member[r]];
            if (w != 0) f += w * jet[r];
        }
        if (grad) add_gradient(mf, &b, of->q, jet, grad);
        if (hess) add_hessian(mf, &b, of->q, jet, hess);
        at += b.n;
    }
    return isnan(f) ? -INFINITY : f;
}

/* d/dx_l of sum_jk g_jk C_jk = sum_jkm g_jkm C_jk a_ml */
static void add_third(const dlpi_meanfield *mf, const batch *b, int32_t q,
                      const double *jet, const dlp_sym *Sigma, double *C, double *grad)
{
    const dlpi_atoms *a = b->a;
    const int k = a->slots.k;
    double *by = C + (dlp_index)k * k;
    for (dlp_index r = 0; r < b->n; r++) {
        const dlp_index at = row(mf, b, r);
        slot_covariance(mf, a, at, -1, q, Sigma, C);
        memset(by, 0, (size_t)k * sizeof *by);
        for (int i = 0; i < k; i++)
            for (int j = i; j < k; j++)
                for (int m = j; m < k; m++) {
                    const double g = jet[(dlp_index)dlpi_place3(k, i, j, m) * b->n + r];
                    const double ij = C[i * k + j], im = C[i * k + m], jm = C[j * k + m];
                    if (i == j && j == m) {
                        by[i] += g * ij;
                    } else if (i == j) {
                        by[m] += g * ij;
                        by[i] += 2 * g * im;
                    } else if (j == m) {
                        by[i] += g * jm;
                        by[j] += 2 * g * ij;
                    } else {
                        by[i] += 2 * g * jm;
                        by[j] += 2 * g * im;
                        by[m] += 2 * g * ij;
                    }
                }
        for (int e = 0; e < a->n_entries; e++) {
            const int32_t c = a->coordinate[at * a->n_inputs + a->input[e]];
            if (mf->q_of_coordinate[c] == q)
                grad[c - mf->q[q].at] += mf->weight[b->member[r]] *
                                         a->coef[at * a->n_entries + e] * by[a->slot[e]];
        }
    }
}

void dlpi_meanfield_trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                               double *grad)
{
    const dlpi_of_q *of = state;
    dlpi_meanfield *mf = of->mf;
    const dlpi_q *q = &mf->q[of->q];
    const double *root = mf->root;
    memset(grad, 0, (size_t)q->n * sizeof *grad);
    for (dlp_index at = 0; at < q->n_atoms;) {
        const batch b = batch_at(mf, q, at);
        const double *jet = jets(mf, &b, of->q, theta, 3, &root);
        add_third(mf, &b, of->q, jet, Sigma, mf->spread, grad);
        at += b.n;
    }
}

/* ---- expectations ---- */

/* g + 1/2 sum g_jk C_jk */
static void expect_by_taylor(dlpi_meanfield *mf, const batch *b)
{
    const int k = b->a->slots.k;
    run(mf, b, 2, mf->jet);
    for (dlp_index r = 0; r < b->n; r++) {
        const double *C = mf->spread + r * k * k;
        double e = mf->jet[r];
        for (int i = 0; i < k; i++)
            for (int j = i; j < k; j++) {
                const double g = mf->jet[(dlp_index)dlpi_place2(k, i, j) * b->n + r];
                if (g != 0) e += (i == j ? 0.5 : 1) * g * C[i * k + j];
            }
        mf->expected[mf->n_stats + b->member[r]] = e;
    }
}

/* For one slot: at Gauss-Hermite nodes. */
static void expect_by_nodes(dlpi_meanfield *mf, const batch *b)
{
    double t[NODES], log_w[NODES], total = 0;
    double centre[DLPI_BATCH];
    dlpi_gauss_hermite(NODES, t, log_w);
    memcpy(centre, mf->slots, (size_t)b->n * sizeof *centre);
    memset(mf->sum, 0, (size_t)b->n * sizeof *mf->sum);
    for (int i = 0; i < NODES; i++) {
        const double w = exp(log_w[i]);
        for (dlp_index r = 0; r < b->n; r++)
            mf->slots[r] = centre[r] + sqrt(2 * mf->spread[r]) * t[i];
        run(mf, b, 0, mf->jet);
        for (dlp_index r = 0; r < b->n; r++) mf->sum[r] += w * mf->jet[r];
        total += w;
    }
    for (dlp_index r = 0; r < b->n; r++)
        mf->expected[mf->n_stats + b->member[r]] = mf->sum[r] / total;
}

void dlpi_meanfield_expect(dlpi_meanfield *mf, int32_t at)
{
    const dlpi_q *q = &mf->q[at];
    for (dlp_index i = 0; i < q->n_atoms;) {
        const batch b = batch_at(mf, q, i);
        const int k = b.a->slots.k;
        set_inputs(mf, &b, -1, NULL);
        for (dlp_index r = 0; r < b.n; r++)
            slot_covariance(mf, b.a, row(mf, &b, r), -1, -1, NULL,
                            mf->spread + r * k * k);
        if (k == 1 && b.a->slots.degree > 2) {
            expect_by_nodes(mf, &b);
        } else if (q->apart || b.a->slots.degree <= 2) {
            expect_by_taylor(mf, &b);
        } else {
            for (dlp_index r = 0; r < b.n; r++) root_of(k, mf->spread + r * k * k);
            run_spread(mf, &b, 0, mf->spread);
            for (dlp_index r = 0; r < b.n; r++)
                mf->expected[mf->n_stats + b.member[r]] = mf->sum[r];
        }
        i += b.n;
    }
}
