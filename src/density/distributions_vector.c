/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions of vectors and matrices. */
#include "density/distribution_tables.h"
#include "math/draw_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_square(const dlpi_value *m, dlp_index n)
{
    return m->n == n * n && (m->n_dim == 2 ? m->dim[0] == n && m->dim[1] == n : n == 1);
}

/* y - mu */
static dlpi_expr *residual(dlpi_builder *b, const dlpi_value *y, const dlpi_value *mean)
{
    dlpi_expr *r = dlpi_builder_room(b, y->n);
    for (dlp_index i = 0; r && i < y->n; i++) r[i] = sub(b, y->at[i], mean->at[i]);
    return r;
}

/* log |A|, a matrix of precisions or variances */
static dlpi_expr log_det(dlpi_builder *b, dlp_index n, const dlpi_expr *a)
{
    dlpi_ldl f;
    return dlpi_ldl_make(b, n, a, &f) == DLP_OK ? dlpi_ldl_log_det(b, &f) : 0;
}

/* ---- multivariate normal ---- */

static dlpi_expr normal_terms(dlpi_builder *b, dlp_index n, dlpi_expr log_det_precision,
                              dlpi_expr form)
{
    return plus(b, -DLPI_HALF_LOG_2PI * (double)n,
                times(b, 0.5, sub(b, log_det_precision, form)));
}

/* (log |Omega| - n log 2 pi - (y-mu)' Omega (y-mu)) / 2 */
static dlpi_expr normal_density(LOG_DENSITY)
{
    const dlp_index n = value->n;
    const dlpi_expr *r = residual(b, value, &p[0]);
    if (!r) return 0;
    return normal_terms(b, n, log_det(b, n, p[1].at),
                        dlpi_quadratic_form(b, n, p[1].at, r));
}

static dlpi_expr normal_vcov_density(LOG_DENSITY)
{
    dlpi_ldl f;
    const dlpi_expr *r = residual(b, value, &p[0]);
    if (!r || dlpi_ldl_make(b, value->n, p[1].at, &f) != DLP_OK) return 0;
    return normal_terms(b, value->n, neg(b, dlpi_ldl_log_det(b, &f)),
                        dlpi_ldl_inverse_form(b, &f, r));
}

/* log Gamma((k+n)/2) - log Gamma(k/2) - n/2 log(k pi) + log|Omega| / 2
   - (k+n)/2 log(1 + form / k) */
static dlpi_expr student_density(LOG_DENSITY)
{
    const dlp_index n = value->n;
    const dlpi_expr k = p[2].at[0], half = times(b, 0.5, plus(b, (double)n, k));
    const dlpi_expr *r = residual(b, value, &p[0]);
    if (!r) return 0;
    const dlpi_expr form = dlpi_quadratic_form(b, n, p[1].at, r);
    const dlpi_expr front = sub(b, lgamma_(b, half), lgamma_(b, times(b, 0.5, k)));
    const dlpi_expr scale =
        times(b, 0.5,
              sub(b, log_det(b, n, p[1].at),
                  times(b, (double)n, plus(b, DLPI_LOG_PI, log_(b, k)))));
    const dlpi_expr bend = mul(b, half, log_(b, plus(b, 1, over(b, form, k))));
    return sub(b, add(b, front, scale), bend);
}

static bool normal_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n == p[0].n && is_square(&p[1], y->n);
}

static bool student_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return normal_shapes(y, p) && p[2].n == 1;
}

static const char *student_complain(int i, double v)
{
    return i == 2 ? positive(v) : NULL;
}

/* ---- matrices of numbers, for draws ---- */

/* A = L L' by columns, in place, below the diagonal; false: not positive definite. */
static bool cholesky(dlp_index n, double *a)
{
    for (dlp_index j = 0; j < n; j++)
        for (dlp_index i = j; i < n; i++) {
            double sum = a[i + n * j];
            for (dlp_index k = 0; k < j; k++) sum -= a[i + n * k] * a[j + n * k];
            if (i == j && !(sum > 0)) return false;
            a[i + n * j] = i == j ? sqrt(sum) : sum / a[j + n * j];
        }
    return true;
}

/* x = L'^-1 x */
static void solve_upper(dlp_index n, const double *l, double *x)
{
    for (dlp_index i = n; i-- > 0;) {
        for (dlp_index k = i + 1; k < n; k++) x[i] -= l[k + n * i] * x[k];
        x[i] /= l[i + n * i];
    }
}

/* The factor of a copy; NULL: out of memory, or not positive definite. */
static double *factor_of(dlp_index n, const double *a)
{
    double *l = malloc((size_t)(n * n) * sizeof *l + 1);
    if (l) memcpy(l, a, (size_t)(n * n) * sizeof *l);
    if (l && cholesky(n, l)) return l;
    free(l);
    return NULL;
}

static void all_nan(dlp_index n, double *y)
{
    for (dlp_index i = 0; i < n; i++) y[i] = NAN;
}

/* mu + scale L'^-1 z has the precision L L' / scale^2. */
static void draw_by_precision(dlp_index n, const double *mean, const double *precision,
                              double scale, dlp_rng *rng, double *y)
{
    double *l = factor_of(n, precision);
    if (!l) {
        all_nan(n, y);
        return;
    }
    for (dlp_index i = 0; i < n; i++) y[i] = scale * dlp_draw_normal(rng);
    solve_upper(n, l, y);
    for (dlp_index i = 0; i < n; i++) y[i] += mean[i];
    free(l);
}

static void normal_draw(DRAW)
{
    (void)n_p;
    draw_by_precision(n, p[0], p[1], 1, rng, y);
}

static void normal_vcov_draw(DRAW)
{
    (void)n_p;
    double *l = factor_of(n, p[1]);
    if (!l) {
        all_nan(n, y);
        return;
    }
    for (dlp_index i = 0; i < n; i++) y[i] = dlp_draw_normal(rng);
    for (dlp_index i = n; i-- > 0;) { /* L z in place, from the last element back */
        double sum = 0;
        for (dlp_index k = 0; k <= i; k++) sum += l[i + n * k] * y[k];
        y[i] = sum;
    }
    for (dlp_index i = 0; i < n; i++) y[i] += p[0][i];
    free(l);
}

static void student_draw(DRAW)
{
    (void)n_p;
    const double half = 0.5 * p[2][0];
    const double scale = exp(0.5 * (log(half) - dlp_draw_log_gamma(rng, half)));
    draw_by_precision(n, p[0], p[1], scale, rng, y);
}

/* ---- Wishart: R, k; its mean is k R^-1 ---- */

static dlp_index side_of(const dlpi_value *m)
{
    return m->n_dim == 2 ? m->dim[0] : 1;
}

/* log of pi^(n(n-1)/4) prod_j Gamma(k/2 - (j-1)/2) 2^(nk/2) */
static dlpi_expr wishart_constant(dlpi_builder *b, dlp_index n, dlpi_expr k)
{
    dlpi_expr sum = num(b, 0.25 * (double)(n * (n - 1)) * DLPI_LOG_PI);
    for (dlp_index j = 0; j < n; j++)
        sum = add(b, sum, lgamma_(b, times(b, 0.5, plus(b, -(double)j, k))));
    return add(b, sum, times(b, 0.5 * (double)n * DLPI_LOG_2, k));
}

/* (k-n-1)/2 log|Omega| + k/2 log|R| - tr(R Omega)/2 - constant */
static dlpi_expr wishart_density(LOG_DENSITY)
{
    const dlp_index n = side_of(value);
    const dlpi_expr *omega = value->at, *r = p[0].at, k = p[1].at[0];
    dlpi_expr trace = num(b, 0);
    for (dlp_index j = 0; j < n; j++) /* from the lower triangle */
        for (dlp_index i = j; i < n; i++)
            trace = add(b, trace,
                        times(b, i == j ? 1 : 2, mul(b, r[i + n * j], omega[i + n * j])));
    const dlpi_expr of_omega = mul(b, plus(b, -(double)(n + 1), k), log_det(b, n, omega));
    const dlpi_expr of_r = mul(b, k, log_det(b, n, r));
    const dlpi_expr front = times(b, 0.5, sub(b, add(b, of_omega, of_r), trace));
    return sub(b, front, wishart_constant(b, n, k));
}

static bool wishart_shapes(const dlpi_value *y, const dlpi_value *p)
{
    const dlp_index n = side_of(y);
    return is_square(y, n) && is_square(&p[0], n) && p[1].n == 1;
}

static const char *wishart_complain(int i, double v)
{
    return i == 1 ? positive(v) : NULL;
}

/* Bartlett: A A' with A_ii^2 ~ chi^2(k-i), A_ij ~ N(0,1) below it; and L'^-1 A for R = L
   L' */
static void wishart_draw(DRAW)
{
    (void)n_p;
    const dlp_index side = (dlp_index)lround(sqrt((double)n));
    double *l = factor_of(side, p[0]);
    double *a = calloc((size_t)n, sizeof *a);
    if (!l || !a || !(p[1][0] > (double)(side - 1))) {
        all_nan(n, y);
    } else {
        for (dlp_index j = 0; j < side; j++) {
            const double half = 0.5 * (p[1][0] - (double)j);
            a[j + side * j] = sqrt(2 * dlp_draw_gamma(rng, half));
            for (dlp_index i = j + 1; i < side; i++)
                a[i + side * j] = dlp_draw_normal(rng);
            solve_upper(side, l, a + side * j);
        }
        for (dlp_index j = 0; j < side; j++)
            for (dlp_index i = 0; i < side; i++) {
                double sum = 0;
                for (dlp_index k = 0; k < side; k++)
                    sum += a[i + side * k] * a[j + side * k];
                y[i + side * j] = sum;
            }
    }
    free(l);
    free(a);
}

/* ---- Dirichlet: alpha ---- */

/* log Gamma(sum alpha) - sum log Gamma(alpha) + sum (alpha - 1) log y; without those
   whose alpha is 0, which are 0 for certain, as in JAGS */
static dlpi_expr dirichlet_density(LOG_DENSITY)
{
    const dlp_index n = value->n;
    const dlpi_expr *alpha = p[0].at;
    dlpi_expr sum = lgamma_(b, dlpi_sum(b, n, alpha));
    double zero;
    for (dlp_index i = 0; i < n; i++) {
        if (dlpi_is_number(b, alpha[i], &zero) && zero == 0) continue;
        const dlpi_expr kernel = mul(b, plus(b, -1, alpha[i]), log_(b, value->at[i]));
        sum = add(b, sum, sub(b, kernel, lgamma_(b, alpha[i])));
    }
    return sum;
}

static const char *dirichlet_complain(int i, double v)
{
    (void)i;
    return positive(v);
}

static bool dirichlet_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n > 0 && y->n == p[0].n;
}

static void dirichlet_draw(DRAW)
{
    (void)n_p;
    dlp_draw_dirichlet(rng, n, p[0], y);
}

/* ---- multinomial: probabilities, size ---- */

/* log n! - sum log y! + sum y log p - n log sum p */
static dlpi_expr multinomial_density(LOG_DENSITY)
{
    dlpi_expr log_sum;
    const dlpi_expr *log_p = dlpi_log_weights(b, value->n, p[0].at, &log_sum);
    dlpi_expr sum = lgamma_(b, plus(b, 1, p[1].at[0]));
    for (dlp_index i = 0; log_p && i < value->n; i++) {
        const dlpi_expr y = value->at[i];
        sum = add(b, sum, sub(b, mul(b, y, log_p[i]), lgamma_(b, plus(b, 1, y))));
    }
    return log_p ? sub(b, sum, mul(b, p[1].at[0], log_sum)) : 0;
}

static const char *multinomial_complain(int i, double v)
{
    if (i == 0) return v >= 0 ? NULL : "must not be negative";
    return v >= 0 && v == floor(v) ? NULL : "must be a whole number, 0 or more";
}

static bool multinomial_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n > 0 && y->n == p[0].n && p[1].n == 1;
}

static void multinomial_draw(DRAW) /* each a binomial of what is left */
{
    (void)n_p;
    double left = p[1][0], weight = 0;
    for (dlp_index i = 0; i < n; i++) weight += p[0][i];
    for (dlp_index i = 0; i < n; i++) {
        const double share = i + 1 < n && weight > 0 ? p[0][i] / weight : 1;
        y[i] = dlpi_draw_binomial(rng, left, fmin(share, 1));
        left -= y[i];
        weight -= p[0][i];
    }
}

/* ---- intrinsic autoregression: neighbours, weights, their numbers, precision ---- */

/* The neighbour at place `edge` of the list, from 0 on; -1: it is none. */
static dlp_index neighbour_at(const dlpi_builder *b, const dlpi_value *p, dlp_index edge)
{
    double number;
    if (edge >= p[0].n || !dlpi_is_number(b, p[0].at[edge], &number)) return -1;
    return number >= 1 && number <= (double)p[2].n ? (dlp_index)number - 1 : -1;
}

/* The number of neighbours of i; -1: unknown. */
static dlp_index neighbours_of(const dlpi_builder *b, const dlpi_value *p, dlp_index i)
{
    double number;
    if (!dlpi_is_number(b, p[2].at[i], &number)) return -1;
    return number >= 0 && number <= (double)p[0].n ? (dlp_index)number : -1;
}

static dlp_index root_of(const dlp_index *parent, dlp_index i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

/* The number of connected components; parent (n) is scratch. -1: the graph is invalid. */
static dlp_index count_parts(const dlpi_builder *b, const dlpi_value *p,
                             dlp_index *parent)
{
    const dlp_index n = p[2].n;
    dlp_index edge = 0, parts = n;
    for (dlp_index i = 0; i < n; i++) parent[i] = i;
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index count = neighbours_of(b, p, i);
        if (count < 0) return -1;
        for (dlp_index last = edge + count; edge < last; edge++) {
            const dlp_index j = neighbour_at(b, p, edge);
            if (j < 0) return -1;
            const dlp_index x = root_of(parent, i), y = root_of(parent, j);
            parts -= x != y;
            parent[x > y ? x : y] = x > y ? y : x;
        }
    }
    return edge == p[0].n ? parts : -1;
}

/* (n - parts)/2 log(tau / 2 pi) - tau/2 sum_(i<j) w_ij (y_i - y_j)^2; each pair is in
   the list twice. */
static dlpi_expr car_density(LOG_DENSITY)
{
    const dlp_index n = value->n;
    const dlpi_expr tau = p[3].at[0];
    dlp_index *parent = calloc((size_t)n + 1, sizeof *parent);
    const dlp_index parts = parent ? count_parts(b, p, parent) : -1;
    free(parent);
    dlpi_expr *term = dlpi_builder_room(b, p[0].n);
    if (parts < 0 || !term) return num(b, NAN);
    for (dlp_index i = 0, edge = 0; i < n; i++)
        for (dlp_index last = edge + neighbours_of(b, p, i); edge < last; edge++) {
            const dlp_index j = neighbour_at(b, p, edge);
            const dlpi_expr gap =
                sub(b, value->at[i < j ? i : j], value->at[i < j ? j : i]);
            term[edge] = times(b, 0.5, mul(b, p[1].at[edge], square(b, gap)));
        }
    const dlpi_expr log_tau = plus(b, -2 * DLPI_HALF_LOG_2PI, log_(b, tau));
    return times(b, 0.5,
                 sub(b, times(b, (double)(n - parts), log_tau),
                     mul(b, tau, dlpi_sum(b, p[0].n, term))));
}

/* The same, where each connected part adds up to 0, as in WinBUGS: that is, up to an error
   so small beside the differences between neighbours, and so scaled with them, that it
   says nothing about tau. Without it, an intercept would not be identified. */
static dlpi_expr car_centred_density(LOG_DENSITY)
{
    const double precise = 1e6;
    const dlp_index n = value->n;
    const dlpi_expr tau = p[3].at[0];
    dlp_index *parent = calloc((size_t)n + 1, sizeof *parent);
    const dlp_index parts = parent ? count_parts(b, p, parent) : -1;
    dlpi_expr sum = num(b, 0), *term = dlpi_builder_room(b, n);
    for (dlp_index i = 0; parts > 0 && term && i < n; i++) {
        dlp_index size = 0;
        if (root_of(parent, i) != i) continue;
        for (dlp_index j = i; j < n; j++)
            if (root_of(parent, j) == i) term[size++] = value->at[j];
        sum = add(b, sum,
                  times(b, precise / (double)size, square(b, dlpi_sum(b, size, term))));
    }
    free(parent);
    const dlpi_expr log_precision =
        plus(b, log(precise) - 2 * DLPI_HALF_LOG_2PI, log_(b, tau));
    return add(
        b, car_density(b, value, p),
        times(b, 0.5, sub(b, times(b, (double)parts, log_precision), mul(b, tau, sum))));
}

static bool car_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n == p[2].n && p[0].n == p[1].n && p[3].n == 1;
}

static const char *car_complain(int i, double v)
{
    return i == 3 ? positive(v) : NULL;
}

static void car_draw(DRAW) /* improper: there is none */
{
    (void)p, (void)n_p, (void)rng;
    all_nan(n, y);
}

/* ---- the table ---- */

const dlpi_distribution dlpi_vector_distributions[] = {
    {.name = "dmnorm",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL_VECTOR,
     .params = "mean vector, precision matrix",
     .log_density = normal_density,
     .draw = normal_draw,
     .shapes_agree = normal_shapes},
    {.name = "dmnorm.vcov",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL_VECTOR,
     .params = "mean vector, covariance matrix",
     .log_density = normal_vcov_density,
     .draw = normal_vcov_draw,
     .shapes_agree = normal_shapes},
    {.name = "dmt",
     .n_params = 3,
     .n_params_max = 3,
     .support = DLPI_REAL_VECTOR,
     .params = "location vector, precision matrix, degrees of freedom",
     .complain = student_complain,
     .log_density = student_density,
     .draw = student_draw,
     .shapes_agree = student_shapes},
    {.name = "dwish",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_POSITIVE_DEFINITE,
     .params = "inverse scale matrix, degrees of freedom",
     .complain = wishart_complain,
     .log_density = wishart_density,
     .draw = wishart_draw,
     .shapes_agree = wishart_shapes},
    {.name = "car.normal",
     .n_params = 4,
     .n_params_max = 4,
     .support = DLPI_REAL_VECTOR,
     .params = "neighbours, weights, numbers of neighbours, precision",
     .complain = car_complain,
     .log_density = car_centred_density,
     .draw = car_draw,
     .shapes_agree = car_shapes,
     .shaped_like = 2},
    {.name = "dcar_normal",
     .n_params = 4,
     .n_params_max = 4,
     .support = DLPI_REAL_VECTOR,
     .params = "neighbours, weights, numbers of neighbours, precision",
     .complain = car_complain,
     .log_density = car_density,
     .draw = car_draw,
     .shapes_agree = car_shapes,
     .shaped_like = 2},
    {.name = "ddirch",
     .alias = "ddirich",
     .n_params = 1,
     .n_params_max = 1,
     .support = DLPI_SIMPLEX,
     .params = "alpha",
     .complain = dirichlet_complain,
     .log_density = dirichlet_density,
     .draw = dirichlet_draw,
     .shapes_agree = dirichlet_shapes,
     .location = DLPI_EVERY_PARAMETER},
    {.name = "dmulti",
     .alias = "dmultinom",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_COUNT_VECTOR,
     .params = "probabilities, size",
     .complain = multinomial_complain,
     .log_density = multinomial_density,
     .draw = multinomial_draw,
     .shapes_agree = multinomial_shapes},
};
const int dlpi_n_vector_distributions =
    sizeof dlpi_vector_distributions / sizeof dlpi_vector_distributions[0];
