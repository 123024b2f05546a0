/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of s(): functions of x, or of x and z, such that with coefficients N(0,
 * sd^2) their sum has the density exp{-J / 2 sd^2}, J the integral of its squared second
 * derivatives; for the fixed columns J is 0. They are those of mgcv: thin plate
 * regression splines (Wood, JRSS B 65, 2003), cubic regression splines and cyclic ones,
 * rotated so that J is a sum of squares, freed of the fixed ones over the data, and
 * scaled so that their sum has a variance of 1 on average over the data where the sd is
 * 1.
 */
#include "table/design/basis.h"

#include "math/dense.h"
#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

typedef struct point {
    double x[2];
} point;

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
    return 0;
}

/* The distinct points, ascending; returns how many. */
static dlp_index find_points(dlp_index n, dlp_index d, const double *const *x, point *out)
{
    dlp_index found = 0;
    for (dlp_index i = 0; i < n; i++) out[i] = (point){{x[0][i], d > 1 ? x[1][i] : 0}};
    qsort(out, (size_t)n, sizeof *out, compare_points);
    for (dlp_index i = 0; i < n; i++)
        if (i == 0 || compare_points(&out[i], &out[found - 1]) != 0)
            out[found++] = out[i];
    return found;
}

/* Keeps m of n points, evenly, both ends among them; they become the first m. */
static void thin_points(dlp_index n, dlp_index m, point *p)
{
    for (dlp_index i = 0; i < m && m < n; i++)
        p[i] = p[(dlp_index)((double)i * (double)(n - 1) / (double)(m - 1) + 0.5)];
}

/* ---- splines through values at knots ---- */

/* The symmetric B (n, n) and D (n, n) with B gamma = D v, gamma the second derivatives of
   a cubic spline with values v at the knots; for a cyclic one v_n = v_0. Natural ones
   have no second derivative at the ends: their rows of B are those of I. */
static void spline_system(dlp_index n, const double *knot, bool cyclic, double *B,
                          double *D)
{
    memset(B, 0, (size_t)(n * n) * sizeof *B);
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index before = i > 0 ? i - 1 : n - 1, after = i + 1 < n ? i + 1 : 0;
        if (!cyclic && (i == 0 || i == n - 1)) {
            B[i * n + i] = 1;
            continue;
        }
        const double left = i > 0 ? knot[i] - knot[i - 1] : knot[n] - knot[n - 1];
        const double right = knot[i + 1] - knot[i];
        B[i * n + i] += (left + right) / 3;
        if (cyclic || before > 0) B[i * n + before] += left / 6;
        if (cyclic || after < n - 1) B[i * n + after] += right / 6;
        D[i * n + before] += 1 / left;
        D[i * n + i] -= 1 / left + 1 / right;
        D[i * n + after] += 1 / right;
    }
}

/* The columns of D become B^-1 D. */
static bool solve_system(dlp_index n, double *B, double *D, double *room)
{
    if (dlpi_cholesky(n, B) >= 0) return false;
    for (dlp_index j = 0; j < n; j++) {
        for (dlp_index i = 0; i < n; i++) room[i] = D[i * n + j];
        dlpi_cholesky_solve(n, B, room);
        for (dlp_index i = 0; i < n; i++) D[i * n + j] = room[i];
    }
    return true;
}

bool dlpi_spline_curvature(dlp_index n, const double *knot, bool cyclic, double *F,
                           double *room)
{
    spline_system(n, knot, cyclic, room, F);
    return solve_system(n, room, F, room + n * n);
}

/* From J = v'Sv to values of functions whose coefficients' squares add up to J: S = U
   diag(lambda) U', v = U lambda^-1/2. unpenalised: dimensions without penalty. */
static bool rotate_values(dlp_index n, dlp_index unpenalised, double *S, double *lambda,
                          double *work, dlp_index columns, double *V)
{
    if (!dlpi_lapack_eigen(n, S, lambda, work)) return false;
    for (dlp_index k = 0; k < n - unpenalised; k++) {
        const dlp_index row = n - 1 - k; /* eigenvalues ascend: the least bent last */
        if (!(lambda[row] > 0)) return false;
        for (dlp_index i = 0; i < n; i++)
            V[i * columns + k] = S[row * n + i] / sqrt(lambda[row]);
    }
    return true;
}

/* For cubic regression splines, also cyclic ones, whose k knots are in out. V (n_knots,
   columns) from column `fixed` on. DLP_EINPUT if the knots allow no such functions. */
static dlp_status make_cubic(const dlp_basis *out, bool cyclic, double *V,
                             struct dlpi_pool *pool)
{
    const dlp_index k = out->n_knots, n = cyclic ? k - 1 : k;
    double *D = dlpi_pool_take(pool, n * n, sizeof *D);
    double *F = dlpi_pool_take(pool, n * n, sizeof *F);
    double *B = dlpi_pool_take(pool, n * n + 4 * n, sizeof *B);
    double *S = dlpi_pool_take(pool, n * n, sizeof *S);
    if (!D || !F || !B || !S) return DLP_ENOMEM;
    spline_system(n, out->knot, cyclic, B, D);
    memcpy(F, D, (size_t)(n * n) * sizeof *F);
    if (!solve_system(n, B, F, B + n * n)) return DLP_EINPUT;
    for (dlp_index i = 0; i < n; i++) /* S = D'B^-1 D, symmetric */
        for (dlp_index j = 0; j <= i; j++) {
            double sum = 0;
            for (dlp_index a = 0; a < n; a++) sum += D[a * n + i] * F[a * n + j];
            S[i * n + j] = S[j * n + i] = sum;
        }
    if (!rotate_values(n, cyclic ? 1 : 2, S, B, B + n, out->columns, V + out->fixed))
        return DLP_EINPUT;
    for (dlp_index j = out->fixed; cyclic && j < out->columns; j++)
        V[n * out->columns + j] = V[j];
    return DLP_OK;
}

/* ---- thin plates ---- */

double dlpi_thin_plate(dlp_index d, double r2)
{
    if (d == 1) return r2 * sqrt(r2) / 12;
    return r2 > 0 ? r2 * log(r2) / (16 * 3.14159265358979323846) : 0;
}

static double distance2(const double *a, const double *b, dlp_index d)
{
    double sum = 0;
    for (dlp_index i = 0; i < d; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Householder's Q of T (k, M), as the k - M rows of Z (k - M, k) with Z T = 0. */
static void null_space(dlp_index k, dlp_index M, double *T, double *Z)
{
    double beta[4] = {0};
    for (dlp_index l = 0; l < M; l++) {
        double norm = 0;
        for (dlp_index i = l; i < k; i++) norm = hypot(norm, T[i * M + l]);
        if (norm == 0) continue;
        norm = copysign(norm, T[l * M + l]);
        T[l * M + l] += norm;
        beta[l] = 1 / (norm * T[l * M + l]);
        for (dlp_index j = l + 1; j < M; j++) {
            double sum = 0;
            for (dlp_index i = l; i < k; i++) sum += T[i * M + l] * T[i * M + j];
            for (dlp_index i = l; i < k; i++)
                T[i * M + j] -= beta[l] * sum * T[i * M + l];
        }
    }
    memset(Z, 0, (size_t)((k - M) * k) * sizeof *Z);
    for (dlp_index row = 0; row < k - M; row++) {
        double *z = Z + row * k;
        z[M + row] = 1;
        for (dlp_index l = M - 1; l >= 0; l--) {
            double sum = 0;
            for (dlp_index i = l; i < k; i++) sum += T[i * M + l] * z[i];
            for (dlp_index i = l; i < k; i++) z[i] -= beta[l] * sum * T[i * M + l];
        }
    }
}

/* What a thin plate regression spline is made from. */
struct plate {
    dlp_index n, d, k, M; /* points, variables, dimension, 1 + d */
    const double *knot;   /* (n, d) */
    double *E;            /* (n, n), then the eigenvectors as rows */
    double *lambda;       /* (n) */
    dlp_index *largest;   /* (k) rows of E */
    double *T;            /* (k, M) */
    double *Z;            /* (k - M, k) */
    double *S;            /* (k - M, k - M) */
    double *work;         /* (3 n) */
};

/* The k eigenvectors of the largest |lambda|. */
static void choose_largest(struct plate *p)
{
    dlp_index low = 0, high = p->n - 1;
    for (dlp_index i = 0; i < p->k; i++)
        p->largest[i] = fabs(p->lambda[low]) > fabs(p->lambda[high]) ? low++ : high--;
}

/* If eigenvalues are not found, the values are to blame, unless memory was short. */
static dlp_status eigen_status(dlp_status found)
{
    return found == DLP_OK || found == DLP_ENOMEM ? found : DLP_EINPUT;
}

static dlp_status decompose(struct plate *p)
{
    for (dlp_index i = 0; i < p->n; i++)
        for (dlp_index j = 0; j < p->n; j++)
            p->E[i * p->n + j] = dlpi_thin_plate(
                p->d, distance2(p->knot + i * p->d, p->knot + j * p->d, p->d));
    DLP_TRY(eigen_status(dlpi_lapack_eigen_large(p->n, p->E, p->lambda, NULL)));
    choose_largest(p);
    for (dlp_index a = 0; a < p->k; a++) {
        const double *u = p->E + p->largest[a] * p->n;
        for (dlp_index l = 0; l < p->M; l++) {
            double sum = 0;
            for (dlp_index i = 0; i < p->n; i++)
                sum += u[i] * (l == 0 ? 1 : p->knot[i * p->d + l - 1] - p->knot[l - 1]);
            p->T[a * p->M + l] = sum;
        }
    }
    null_space(p->k, p->M, p->T, p->Z);
    const dlp_index m = p->k - p->M;
    for (dlp_index i = 0; i < m; i++) /* S = Z diag(lambda) Z' */
        for (dlp_index j = 0; j < m; j++) {
            double sum = 0;
            for (dlp_index a = 0; a < p->k; a++)
                sum += p->Z[i * p->k + a] * p->Z[j * p->k + a] * p->lambda[p->largest[a]];
            p->S[i * m + j] = sum;
        }
    return DLP_OK;
}

/* Weights of radial functions (n, m), or, of one variable, values at the knots: function
   j is sum_a U_a g_aj, with g = Z'V mu^-1/2, times lambda_a for values. */
static bool weigh(struct plate *p, bool values, dlp_index columns, double *out)
{
    const dlp_index m = p->k - p->M;
    double *mu = p->work, *g = p->work + m;
    if (!dlpi_lapack_eigen(m, p->S, mu, g)) return false;
    for (dlp_index j = 0; j < m; j++) {
        const dlp_index row = m - 1 - j;
        const double *v = p->S + row * m;
        if (!(mu[row] > 0)) return false;
        for (dlp_index a = 0; a < p->k; a++) {
            double sum = 0;
            for (dlp_index i = 0; i < m; i++) sum += p->Z[i * p->k + a] * v[i];
            const double weight =
                sum / sqrt(mu[row]) * (values ? p->lambda[p->largest[a]] : 1);
            const double *u = p->E + p->largest[a] * p->n;
            for (dlp_index i = 0; i < p->n; i++) out[i * columns + j] += weight * u[i];
        }
    }
    return true;
}

static dlp_status make_plate(const dlp_basis *out, dlp_index k, double *weight,
                             struct dlpi_pool *pool)
{
    const dlp_index n = out->n_knots, d = out->d, M = d + 1, m = k - M;
    struct plate p = {.n = n, .d = d, .k = k, .M = M, .knot = out->knot};
    p.E = dlpi_pool_take(pool, n * n, sizeof *p.E);
    p.lambda = dlpi_pool_take(pool, n, sizeof *p.lambda);
    p.largest = dlpi_pool_take(pool, k, sizeof *p.largest);
    p.T = dlpi_pool_take(pool, k * M, sizeof *p.T);
    p.Z = dlpi_pool_take(pool, m * k, sizeof *p.Z);
    p.S = dlpi_pool_take(pool, m * m, sizeof *p.S);
    p.work = dlpi_pool_take(pool, 3 * n + 4 * k, sizeof *p.work);
    if (!p.E || !p.lambda || !p.largest || !p.T || !p.Z || !p.S || !p.work)
        return DLP_ENOMEM;
    DLP_TRY(decompose(&p));
    return weigh(&p, d == 1, out->columns, weight + out->fixed) ? DLP_OK : DLP_EINPUT;
}

/* ---- random walks ---- */

/* S += w c c', c of m entries from `at` on. */
static void add_square(dlp_index n, dlp_index at, int m, const double *c, double w,
                       double *S)
{
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) S[(at + a) * n + at + b] += w * c[a] * c[b];
}

/*
 * J = sum_i (f_{i+1} - f_i)^2 / h_i of the first order, of the second
 * sum_i ((f_{i+1} - f_i) / h_i - (f_i - f_{i-1}) / h_{i-1})^2 2 / (h_{i-1} + h_i),
 * h the steps in mean steps (Lindgren & Rue, Scand. J. Statist. 35, 2008)
 */
static void walk_penalty(dlp_index n, const double *t, int order, double *S)
{
    const double mean = (t[n - 1] - t[0]) / (double)(n - 1);
    for (dlp_index i = 0; i + 1 < n && order == 1; i++) {
        const double c[] = {-1, 1};
        add_square(n, i, 2, c, mean / (t[i + 1] - t[i]), S);
    }
    for (dlp_index i = 0; i + 2 < n && order == 2; i++) {
        const double h = (t[i + 1] - t[i]) / mean, k = (t[i + 2] - t[i + 1]) / mean;
        const double c[] = {1 / h, -1 / h - 1 / k, 1 / k};
        add_square(n, i, 3, c, 2 / (h + k), S);
    }
}

/* So that the geometric mean of the variances of the values is 1 (Sorbye & Rue, Spatial
   Statistics 8, 2014). */
static void scale_walk(const dlp_basis *out, double *V)
{
    const dlp_index n = out->n_knots, m = out->columns;
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        double variance = DBL_MIN; /* so that it has a logarithm */
        for (dlp_index j = out->fixed; j < m; j++)
            variance += V[i * m + j] * V[i * m + j];
        sum += log(variance) / (double)n;
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = out->fixed; j < m; j++) V[i * m + j] *= exp(-0.5 * sum);
}

/* Values at the distinct values of t, which sum to 0. */
static dlp_status make_walk(const dlp_basis *out, int order, double *V,
                            struct dlpi_pool *pool)
{
    const dlp_index n = out->n_knots;
    double *S = dlpi_pool_take(pool, n * n, sizeof *S);
    double *lambda = dlpi_pool_take(pool, n, sizeof *lambda);
    if (!S || !lambda) return DLP_ENOMEM;
    walk_penalty(n, out->knot, order, S);
    DLP_TRY(eigen_status(dlpi_lapack_eigen_large(n, S, lambda, NULL)));
    for (dlp_index k = 0; k < n - order; k++) {
        const dlp_index row = n - 1 - k;
        if (!(lambda[row] > 0)) return DLP_EINPUT;
        for (dlp_index i = 0; i < n; i++)
            V[i * out->columns + out->fixed + k] = S[row * n + i] / sqrt(lambda[row]);
    }
    scale_walk(out, V);
    return DLP_OK;
}

/* ---- over the data ---- */

/* The fixed columns: each variable less its mean (2). */
static void set_fixed(const dlp_basis *out, const double *mean, double *weight)
{
    const dlp_index n = out->n_knots, columns = out->columns;
    if (out->kind == DLP_BASIS_TP) {
        for (dlp_index l = 0; l < out->d && l < 2; l++) {
            weight[n * columns + l] = out->knot[l] - mean[l];
            weight[(n + 1 + l) * columns + l] = 1;
        }
        return;
    }
    for (dlp_index i = 0; i < n && out->fixed > 0; i++)
        weight[i * columns] = out->knot[i] - mean[0];
}

/* Subtracts c times column l, and a constant, from column j. */
static void subtract(const dlp_basis *out, dlp_index j, dlp_index l, double c,
                     double constant, double *weight)
{
    const bool plate = out->kind == DLP_BASIS_TP;
    const dlp_index rows = plate ? out->n_knots + 1 + out->d : out->n_knots;
    for (dlp_index i = 0; i < rows; i++) {
        double *row = weight + i * out->columns;
        if (l >= 0) row[j] -= c * row[l];
        if (!plate || i == out->n_knots) row[j] -= constant;
    }
}

static void scale_column(const dlp_basis *out, dlp_index j, double by, double *weight)
{
    const dlp_index rows = out->n_weights / out->columns;
    for (dlp_index i = 0; i < rows; i++) weight[i * out->columns + j] *= by;
}

/* Makes the columns from `fixed` on orthogonal to the others and to the intercept, by
   least squares; then scales them. value (columns, n) is changed alike. */
static void free_and_scale(const dlp_basis *out, dlp_index n, double *value,
                           double *weight)
{
    double total = 0;
    for (dlp_index j = 0; j < out->columns; j++) {
        double *x = value + j * n;
        double mean = 0;
        for (dlp_index i = 0; i < n; i++) mean += x[i] / (double)n;
        for (dlp_index i = 0; i < n; i++) x[i] -= mean;
        subtract(out, j, -1, 0, mean, weight);
        const int passes = out->fixed > 1 ? 12 : 2; /* x and z may be correlated */
        for (int pass = 0; j >= out->fixed && pass < passes; pass++)
            for (dlp_index l = 0; l < out->fixed; l++) {
                const double *f = value + l * n;
                const double c = dlpi_dot(n, f, x) / dlpi_dot(n, f, f);
                for (dlp_index i = 0; i < n; i++) x[i] -= c * f[i];
                subtract(out, j, l, c, 0, weight);
            }
        if (j >= out->fixed) total += dlpi_dot(n, x, x) / (double)n;
    }
    for (dlp_index j = out->fixed; j < out->columns; j++)
        scale_column(out, j, 1 / sqrt(total), weight);
}

/* ---- the whole ---- */

static dlp_status fail_few(const struct dlpi_basis_spec *spec, dlp_index found,
                           dlp_index least, dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINPUT, "there are %td distinct values, and %s needs %td; %s", found,
        spec->k > 0 ? "a smooth with this k" : "a smooth", least,
        spec->k > 0 ? "take a smaller k" : "write factor(x), or leave the s() out");
}

/* The same knots as in mgcv: at even steps through the distinct values. */
static void place_knots(const struct dlpi_basis_spec *spec, dlp_index found,
                        const point *p, dlp_index k, double *knot)
{
    const bool ends = spec->knot && spec->n_knots == 2;
    for (dlp_index i = 0; i < k; i++) {
        const double at = (double)i * (double)(found - 1) / (double)(k - 1);
        const dlp_index low = (dlp_index)fmin(floor(at), (double)(found - 2));
        knot[i] = p[low].x[0] + (at - (double)low) * (p[low + 1].x[0] - p[low].x[0]);
        if (ends)
            knot[i] = spec->knot[0] +
                      (double)i / (double)(k - 1) * (spec->knot[1] - spec->knot[0]);
    }
    if (spec->knot && !ends) memcpy(knot, spec->knot, (size_t)k * sizeof *knot);
}

/* Chooses the sizes, and the number, places and kind of the knots. */
static dlp_status choose_shape(const struct dlpi_basis_spec *spec, dlp_index found,
                               point *p, struct dlpi_pool *pool, dlp_index *k,
                               dlp_basis *out, dlp_error *error)
{
    const bool plate = spec->kind == DLP_BASIS_TP;
    const dlp_index least = spec->d + 2, usual = spec->d > 1 ? 30 : 10;
    const bool stated = spec->knot && spec->n_knots != 2;
    *k = stated ? spec->n_knots : spec->k > 0 ? spec->k : usual < found ? usual : found;
    if (found < least || (!stated && *k > found) || *k < least + (spec->d == 1))
        return fail_few(spec, found, *k > least ? *k : least + 1, error);
    out->d = spec->d;
    out->kind = plate && spec->d == 2        ? DLP_BASIS_TP
                : spec->kind == DLP_BASIS_CC ? DLP_BASIS_CC
                                             : DLP_BASIS_CR;
    out->fixed = spec->kind == DLP_BASIS_CC ? 0 : spec->d;
    out->columns = out->fixed > 0 ? *k - 1 : *k - 2;
    const dlp_index enough = spec->d == 1 ? 100 : 500, most = 8 * *k;
    out->n_knots = !plate ? *k : enough > most ? enough : most;
    if (plate && out->n_knots > found) out->n_knots = found;
    double *knot = dlpi_pool_take(pool, out->n_knots * out->d, sizeof *knot);
    if (!knot) return dlpi_no_memory(error, "a smooth");
    out->knot = knot;
    if (plate) thin_points(found, out->n_knots, p);
    for (dlp_index i = 0; plate && i < out->n_knots; i++)
        memcpy(knot + i * out->d, p[i].x, (size_t)out->d * sizeof *knot);
    if (!plate) place_knots(spec, found, p, *k, knot);
    out->n_weights = (out->n_knots + (out->d == 2 ? 1 + out->d : 0)) * out->columns;
    return DLP_OK;
}

static dlp_status tell(dlp_status made, const char *what, dlp_error *error)
{
    if (made == DLP_OK) return DLP_OK;
    if (made == DLP_ENOMEM) return dlpi_no_memory(error, "a smooth");
    return dlp_fail(error, made,
                    "the values are too close together or too far apart for a %s", what);
}

/* rw1 and rw2: a knot at each distinct value. */
static dlp_status make_random_walk(const struct dlpi_basis_spec *spec, dlp_index found,
                                   const point *p, const double *mean,
                                   struct dlpi_pool *pool, dlp_basis *out,
                                   dlp_error *error)
{
    const int order = spec->kind == DLP_BASIS_RW1 ? 1 : 2;
    if (found < order + 2)
        return dlp_fail(error, DLP_EINPUT,
                        "there are %td distinct values, and a random walk needs %d or "
                        "more; leave it out",
                        found, order + 2);
    if (found > DLPI_MOST_STEPS) {
        double *t = dlpi_pool_take(pool, found, sizeof *t);
        if (!t) return dlpi_no_memory(error, "a random walk");
        for (dlp_index i = 0; i < found; i++) t[i] = p[i].x[0];
        return dlpi_basis_make_long_walk(spec->kind, found, t, mean[0], pool, out, error);
    }
    *out = (dlp_basis){.kind = spec->kind,
                       .d = 1,
                       .fixed = order - 1,
                       .columns = found - 1,
                       .n_knots = found,
                       .n_weights = found * (found - 1)};
    double *knot = dlpi_pool_take(pool, found, sizeof *knot);
    double *weight = dlpi_pool_take(pool, out->n_weights, sizeof *weight);
    if (!knot || !weight) return dlpi_no_memory(error, "a random walk");
    for (dlp_index i = 0; i < found; i++) knot[i] = p[i].x[0];
    out->knot = knot;
    out->weight = weight;
    set_fixed(out, mean, weight);
    return tell(make_walk(out, order, weight, pool), "random walk; use other units",
                error);
}

dlp_status dlpi_basis_make_smooth(const struct dlpi_basis_spec *spec, dlp_index n,
                                  const double *const *x, struct dlpi_pool *pool,
                                  dlp_basis *out, dlp_error *error)
{
    dlp_index k;
    *out = (dlp_basis){.columns = 0};
    point *p = dlpi_pool_take(pool, n, sizeof *p);
    if (!p) return dlpi_no_memory(error, "a smooth");
    const dlp_index found = find_points(n, spec->d, x, p);
    double mean[2] = {0, 0};
    for (dlp_index l = 0; l < spec->d; l++)
        for (dlp_index i = 0; i < n; i++) mean[l] += x[l][i] / (double)n;
    if (spec->kind == DLP_BASIS_RW1 || spec->kind == DLP_BASIS_RW2)
        return make_random_walk(spec, found, p, mean, pool, out, error);
    DLP_TRY(choose_shape(spec, found, p, pool, &k, out, error));
    double *weight = dlpi_pool_take(pool, out->n_weights, sizeof *weight);
    double *value = dlpi_pool_take(pool, out->columns * n, sizeof *value);
    double *room = dlpi_pool_take(pool, dlpi_basis_room(out), sizeof *room);
    if (!weight || !value || !room) return dlpi_no_memory(error, "a smooth");
    out->weight = weight;
    set_fixed(out, mean, weight);
    DLP_TRY(tell(spec->kind == DLP_BASIS_TP
                     ? make_plate(out, k, weight, pool)
                     : make_cubic(out, out->kind == DLP_BASIS_CC, weight, pool),
                 "smooth; use other units, or a smaller k", error));
    dlpi_basis_values(out, n, x, value, room);
    free_and_scale(out, n, value, weight);
    return DLP_OK;
}
