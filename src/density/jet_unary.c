/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations with one argument: value and first three derivatives over arrays. The
 * derivatives reuse what was computed for the value, and avoid differences of nearly
 * equal numbers.
 */
#include "density/jet.h"
#include "math/special/elementary.h"

#include <delaplace/special.h>
#include <math.h>

/* The parameters of each function: v (n) and, up to the order, d1, d2, d3. */
#define DERIVATIVES                                                                      \
    dlp_index n, const double *restrict x, int order, double *restrict v,                \
        double *restrict d1, double *restrict d2, double *restrict d3
#define EACH DLPI_SIMD() for (dlp_index i = 0; i < n; i++)

/* jet_NAME from NAME_loop: a loop for each order, without its conditions. */
#define BY_ORDER(name)                                                                   \
    DLPI_CLONES static void jet_##name(DERIVATIVES)                                      \
    {                                                                                    \
        switch (order) {                                                                 \
        case 0: name##_loop(n, x, 0, v, d1, d2, d3); return;                             \
        case 1: name##_loop(n, x, 1, v, d1, d2, d3); return;                             \
        case 2: name##_loop(n, x, 2, v, d1, d2, d3); return;                             \
        default: name##_loop(n, x, 3, v, d1, d2, d3); return;                            \
        }                                                                                \
    }

DLPI_INLINE double log_kernel(double x)
{
    const double y = dlpi_log_positive(x);
    const double edge = x == 0 ? -INFINITY : x > 0 ? x : NAN; /* infinity, too */
    return x > 0 && x <= DBL_MAX ? y : edge;
}

DLPI_INLINE double exp_any(double x)
{
    const double e = dlpi_exp_negative(-fabs(x), 0);
    return x > 0 ? 1 / e : e;
}

/* exp(x) - 1, x <= 0; by the polynomial of exp where x is close to 0 */
DLPI_INLINE double expm1_negative(double x)
{
    const double near = x + x * x * DLPI_POLY(exp_table, x);
    return x > -0.34 ? near : dlpi_exp_negative(x, 0) - 1;
}

/* log(1 - exp(x)), x <= 0: log1p(-exp x) or log(-expm1 x), whichever keeps digits. */
DLPI_INLINE double log1m_exp_kernel(double x)
{
    const double e = dlpi_exp_negative(x, 0), far = dlpi_log1p_near(e < 0.5 ? -e : 0);
    const double near = log_kernel(-expm1_negative(x));
    return x > 0 || x != x ? NAN : x < -0.69314718055994531 ? far : near;
}

DLPI_INLINE void exp_loop(DERIVATIVES)
{
    EACH v[i] = exp_any(x[i]);
    if (order > 0) EACH d1[i] = v[i];
    if (order > 1) EACH d2[i] = v[i];
    if (order > 2) EACH d3[i] = v[i];
}
BY_ORDER(exp)

DLPI_INLINE void log_loop(DERIVATIVES)
{
    EACH v[i] = log_kernel(x[i]);
    if (order > 0) EACH d1[i] = 1 / x[i];
    if (order > 1) EACH d2[i] = -d1[i] * d1[i];
    if (order > 2) EACH d3[i] = -2 * d1[i] * d2[i];
}
BY_ORDER(log)

DLPI_INLINE void sqrt_loop(DERIVATIVES)
{
    EACH v[i] = sqrt(x[i]);
    if (order > 0) EACH d1[i] = 0.5 / v[i];
    if (order > 1) EACH d2[i] = -0.5 * d1[i] / x[i];
    if (order > 2) EACH d3[i] = -1.5 * d2[i] / x[i];
}
BY_ORDER(sqrt)

DLPI_INLINE void square_loop(DERIVATIVES)
{
    EACH v[i] = x[i] * x[i];
    if (order > 0) EACH d1[i] = 2 * x[i];
    if (order > 1) EACH d2[i] = 2;
    if (order > 2) EACH d3[i] = 0;
}
BY_ORDER(square)

/* With p = ilogit(x), q = ilogit(-x): p, pq, pq (q - p) */
DLPI_INLINE void log1p_exp_loop(DERIVATIVES)
{
    EACH
    {
        const double e = dlpi_exp_negative(-fabs(x[i]), 0), over = 1 / (1 + e);
        const double p = (x[i] < 0 ? e : 1) * over, q = (x[i] < 0 ? 1 : e) * over;
        v[i] = (x[i] < 0 ? 0 : x[i]) + dlpi_log1p_near(e);
        if (order > 0) d1[i] = p;
        if (order > 1) d2[i] = p * q;
        if (order > 2) d3[i] = p * q * (q - p);
    }
}
BY_ORDER(log1p_exp)

/* p, pq, pq (q - p), pq ((q - p)^2 - 2 pq) */
DLPI_INLINE void ilogit_loop(DERIVATIVES)
{
    EACH
    {
        const double e = dlpi_exp_negative(-fabs(x[i]), 0), under = 1 + e;
        const double p = (x[i] < 0 ? e : 1) / under, q = (x[i] < 0 ? 1 : e) / under;
        v[i] = p;
        if (order > 0) d1[i] = p * q;
        if (order > 1) d2[i] = p * q * (q - p);
        if (order > 2) d3[i] = p * q * ((q - p) * (q - p) - 2 * p * q);
    }
}
BY_ORDER(ilogit)

DLPI_INLINE void logit_loop(DERIVATIVES)
{
    EACH
    {
        const double p = x[i], q = 1 - p;
        const double near = dlpi_log1p_near(p < 0.5 ? -p : 0);
        v[i] = log_kernel(p) - (p < 0.5 && p >= 0 ? near : log_kernel(q));
        if (order > 0) d1[i] = 1 / p + 1 / q;
        if (order > 1) d2[i] = 1 / (q * q) - 1 / (p * p);
        if (order > 2) d3[i] = 2 / (p * p * p) + 2 / (q * q * q);
    }
}
BY_ORDER(logit)

/* With s = e^x / (1 - e^x), s' = s (1 + s): -s, -s (1+s), -s (1+s) (1+2s) */
DLPI_INLINE void log1m_exp_loop(DERIVATIVES)
{
    EACH v[i] = log1m_exp_kernel(x[i]);
    if (order == 0) return;
    EACH
    {
        const double s = -dlpi_exp_negative(x[i], 0) / expm1_negative(x[i]);
        d1[i] = -s;
        if (order > 1) d2[i] = -s * (1 + s);
        if (order > 2) d3[i] = -s * (1 + s) * (1 + 2 * s);
    }
}
BY_ORDER(log1m_exp)

/* ---- the normal distribution ---- */

static const double ROOT_2PI = 2.50662827463100050242;

/* exp(-x^2/2) / sqrt(2 pi), the square in two parts */
DLPI_INLINE double normal_density(double x)
{
    const double t = fabs(x) > 40 ? 40 : fabs(x);
    const double upper = dlpi_from_bits(dlpi_bits(t) & 0xfffffffff8000000);
    return dlpi_exp_negative(-0.5 * upper * upper, -0.5 * (t - upper) * (t + upper)) /
           ROOT_2PI;
}

/* Beyond 1e10 all derivatives are as at 1e10; going no farther avoids infinity times
   0. */
DLPI_INLINE double within(double x)
{
    const double far = 1e10;
    return x > far ? far : x < -far ? -far : x;
}

static void jet_phi(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) v[i] = dlp_normal_cdf(x[i]);
    for (dlp_index i = 0; order > 0 && i < n; i++) {
        const double t = within(x[i]);
        d1[i] = normal_density(t);
        if (order > 1) d2[i] = -t * d1[i];
        if (order > 2) d3[i] = (t * t - 1) * d1[i];
    }
}

/*
 * r = phi(x) / Phi(x), r' = -r (x + r), r'' = r ((x + r) (x + 2r) - 1). On the left, with
 * t = -x, x + r = 1/t - 2/t^3 + ... is a small difference; far enough (t > 25) its series
 * in u = 1/t^2 takes over:
 *   t (x + r) = 1 - 2u + 10u^2 - 74u^3 + ...,
 *   (x + r) (x + 2r) - 1 = 2u^2 - 26u^3 + 330u^4 - ...
 */
DLPI_INLINE void inverse_mills(double x, double *r, double *x_plus_r, double *bend)
{
    static const double ratio[] = {1, -2, 10, -74, 706, -8162, 110410};
    static const double bends[] = {2, -26, 330, -4546, 69154};
    const double t = fabs(x), far = t > 25 ? t : 25, u = 1 / (far * far);
    const double mills = DLPI_RATIO(mills, t);
    const double right = normal_density(x) / (1 - normal_density(x) * ROOT_2PI * mills);
    *r = x < 0 ? 1 / (ROOT_2PI * mills) : right;
    const double near = x + *r, near_bend = near * (near + *r) - 1;
    *x_plus_r = x < -25 ? DLPI_POLY(ratio, u) / far : near;
    *bend = x < -25 ? u * u * DLPI_POLY(bends, u) : near_bend;
}

DLPI_INLINE void log_phi_more_loop(DERIVATIVES)
{
    (void)v;
    EACH
    {
        double r, x_plus_r, bend;
        inverse_mills(within(x[i]), &r, &x_plus_r, &bend);
        d1[i] = r;
        if (order > 1) d2[i] = -r * x_plus_r;
        if (order > 2) d3[i] = r * bend;
    }
}
BY_ORDER(log_phi_more)

static void jet_log_phi(DERIVATIVES)
{
    dlp_normal_log_cdf_array(n, x, v);
    if (order > 0) jet_log_phi_more(n, x, order, v, d1, d2, d3);
}

/* x = Phi^-1(p): 1/phi, x/phi^2, (1 + 2x^2)/phi^3 */
static void jet_probit(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        v[i] = dlp_normal_quantile(x[i]);
        if (order == 0) continue;
        d1[i] = 1 / normal_density(v[i]);
        if (order > 1) d2[i] = v[i] * d1[i] * d1[i];
        if (order > 2) d3[i] = (1 + 2 * v[i] * v[i]) * d1[i] * d1[i] * d1[i];
    }
}

/* ---- complementary log-log ---- */

/* log L, L = -log(1 - p), L' = 1/q, L'' = 1/q^2, L''' = 2/q^3 with q = 1 - p */
DLPI_INLINE void cloglog_loop(DERIVATIVES)
{
    EACH
    {
        const double p = x[i], q = 1 - p;
        const double near = dlpi_log1p_near(p < 0.5 ? -p : 0);
        const double big = -(p < 0.5 && p >= -0.5 ? near : log_kernel(q));
        const double s = 1 / q, t = s / big; /* L', L'/L */
        v[i] = log_kernel(big);
        if (order > 0) d1[i] = t;
        if (order > 1) d2[i] = t * (s - t);
        if (order > 2) d3[i] = t * (2 * s * s - 3 * s * t + 2 * t * t);
    }
}
BY_ORDER(cloglog)

/* 1 - exp(-e), e = exp(x): with s = e exp(-e): s, s (1 - e), s (1 - 3e + e^2) */
DLPI_INLINE void icloglog_loop(DERIVATIVES)
{
    EACH
    {
        const double e = exp_any(x[i] < 7 ? x[i] : 7); /* exp(-exp(7)) is 0 */
        const double s = e * dlpi_exp_negative(-e, 0);
        v[i] = x[i] != x[i] ? x[i] : -expm1_negative(-e);
        if (order > 0) d1[i] = s;
        if (order > 1) d2[i] = s * (1 - e);
        if (order > 2) d3[i] = s * (1 - 3 * e + e * e);
    }
}
BY_ORDER(icloglog)

/* ---- gamma functions ---- */

static void jet_lgamma(DERIVATIVES)
{
    dlp_lgamma_array(n, x, v);
    if (order > 0) dlp_digamma_array(n, x, d1);
    if (order > 1) dlp_trigamma_array(n, x, d2);
    if (order > 2) dlp_tetragamma_array(n, x, d3);
}

/* psi'''(x): psi'''(x + 1) = psi'''(x) - 6/x^4, and a series of 1/x where x is large. */
static double pentagamma(double x)
{
    const double enough = 15;
    double sum = 0;
    if (!(x > 0)) return x == 0 ? INFINITY : NAN;
    while (x < enough) {
        sum += 6 / (x * x * x * x);
        x += 1;
    }
    const double u = 1 / (x * x);
    const double series =
        2 + 3 / x +
        u * (2 + u * (-1 + u * (4.0 / 3 + u * (-3 + u * (10 - u * 691.0 / 15)))));
    return sum + series / (x * x * x);
}

static void jet_digamma(DERIVATIVES)
{
    dlp_digamma_array(n, x, v);
    if (order > 0) dlp_trigamma_array(n, x, d1);
    if (order > 1) dlp_tetragamma_array(n, x, d2);
    for (dlp_index i = 0; order > 2 && i < n; i++) d3[i] = pentagamma(x[i]);
}

/* ---- circular and hyperbolic functions: the C library's ---- */

static void jet_sine(dlpi_op op, DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double s = sin(x[i]), c = cos(x[i]);
        v[i] = op == DLPI_OP_SIN ? s : c;
        const double first = op == DLPI_OP_SIN ? c : -s;
        if (order > 0) d1[i] = first;
        if (order > 1) d2[i] = -v[i];
        if (order > 2) d3[i] = -first;
    }
}

/* t, 1 + t^2, 2 t (1 + t^2), (1 + t^2) (2 + 6 t^2) */
static void jet_tan(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double t = v[i] = tan(x[i]), first = 1 + t * t;
        if (order > 0) d1[i] = first;
        if (order > 1) d2[i] = 2 * t * first;
        if (order > 2) d3[i] = first * (2 + 6 * t * t);
    }
}

static void jet_atan(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double w = 1 / (1 + x[i] * x[i]);
        v[i] = atan(x[i]);
        if (order > 0) d1[i] = w;
        if (order > 1) d2[i] = -2 * x[i] * w * w;
        if (order > 2) d3[i] = (6 * x[i] * x[i] - 2) * w * w * w;
    }
}

/* g = log(1 + x) / x by its series: g, g', g'', g''' */
static void ratio_near(double x, double g[4])
{
    enum { TERMS = 24 };
    g[0] = g[1] = g[2] = g[3] = 0;
    for (int k = TERMS; k >= 0; k--) {
        const double c = (k % 2 ? -1. : 1.) / (k + 1);
        g[0] = g[0] * x + c;
        if (k < TERMS) g[1] = g[1] * x - (k + 1) * (k % 2 ? -1. : 1.) / (k + 2);
        if (k < TERMS - 1)
            g[2] = g[2] * x + (k + 1) * (k + 2) * (k % 2 ? -1. : 1.) / (k + 3);
        if (k < TERMS - 2)
            g[3] = g[3] * x - (k + 1) * (k + 2) * (k + 3) * (k % 2 ? -1. : 1.) / (k + 4);
    }
}

/* g' = (1/(1 + x) - g) / x, g'' = (-1/(1 + x)^2 - 2 g') / x, g''' = (2/(1 + x)^3 - 3 g'')
   / x */
static void jet_log1p_ratio(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double w = 1 / (1 + x[i]);
        double g[4];
        ratio_near(x[i], g);
        if (!(fabs(x[i]) < 0.2)) {
            g[0] = log_kernel(1 + x[i]) / x[i];
            g[1] = (w - g[0]) / x[i];
            g[2] = (-w * w - 2 * g[1]) / x[i];
            g[3] = (2 * w * w * w - 3 * g[2]) / x[i];
        }
        v[i] = g[0];
        if (order > 0) d1[i] = g[1];
        if (order > 1) d2[i] = g[2];
        if (order > 2) d3[i] = g[3];
    }
}

/* w = (1 - x^2)^(-1/2): w, x w^3, w^3 + 3 x^2 w^5; of acos with the other sign */
static void jet_asin(dlpi_op op, DERIVATIVES)
{
    const double sign = op == DLPI_OP_ASIN ? 1 : -1;
    for (dlp_index i = 0; i < n; i++) {
        const double w = 1 / sqrt((1 - x[i]) * (1 + x[i])), w3 = w * w * w;
        v[i] = op == DLPI_OP_ASIN ? asin(x[i]) : acos(x[i]);
        if (order > 0) d1[i] = sign * w;
        if (order > 1) d2[i] = sign * x[i] * w3;
        if (order > 2) d3[i] = sign * (w3 + 3 * x[i] * x[i] * w3 * w * w);
    }
}

static void jet_sinh(dlpi_op op, DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double s = sinh(x[i]), c = cosh(x[i]);
        v[i] = op == DLPI_OP_SINH ? s : c;
        const double first = op == DLPI_OP_SINH ? c : s;
        if (order > 0) d1[i] = first;
        if (order > 1) d2[i] = v[i];
        if (order > 2) d3[i] = first;
    }
}

/* t, s = 1/cosh^2, -2 t s, s (6 t^2 - 2) */
static void jet_tanh(DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        const double t = v[i] = tanh(x[i]), c = cosh(x[i]), s = 1 / c / c;
        if (order > 0) d1[i] = s;
        if (order > 1) d2[i] = -2 * t * s;
        if (order > 2) d3[i] = s * (6 * t * t - 2);
    }
}

/* ---- not smooth ---- */

static void jet_steps(dlpi_op op, DERIVATIVES)
{
    for (dlp_index i = 0; i < n; i++) {
        double first = 0;
        switch (op) {
        case DLPI_OP_ABS:
            v[i] = fabs(x[i]);
            first = x[i] < 0 ? -1 : 1;
            break;
        case DLPI_OP_STEP: v[i] = x[i] >= 0; break;
        case DLPI_OP_NOT: v[i] = x[i] == 0; break;
        case DLPI_OP_ROUND: v[i] = floor(x[i] + 0.5); break; /* as JAGS: -2.5 is -2 */
        case DLPI_OP_TRUNC: v[i] = trunc(x[i]); break;
        case DLPI_OP_FLOOR: v[i] = floor(x[i]); break;
        default: v[i] = NAN; break; /* no operation of one argument */
        }
        if (order > 0) d1[i] = first;
        if (order > 1) d2[i] = 0;
        if (order > 2) d3[i] = 0;
    }
}

/* ---- powers ---- */

/* x^m for a whole m, by squaring */
static double whole_power(double x, long m)
{
    double power = 1;
    for (unsigned long rest = (unsigned long)labs(m); rest; rest >>= 1, x *= x)
        if (rest & 1) power *= x;
    return m < 0 ? 1 / power : power;
}

double dlpi_power(double x, double p)
{
    const double few = 64;
    if (fabs(p) <= few && p == trunc(p)) return whole_power(x, (long)p);
    if (x == 1) return 1;
    if (x < 0) { /* whole exponents only */
        if (p != trunc(p)) return NAN;
        return fmod(p, 2) == 0 ? dlpi_power(-x, p) : -dlpi_power(-x, p);
    }
    return exp_any(dlpi_times(p, log_kernel(x)));
}

void dlpi_jet_power(dlp_index n, const double *x, const double *p, int order, double *v,
                    double *d1, double *d2, double *d3)
{
    for (dlp_index i = 0; i < n; i++) {
        v[i] = dlpi_power(x[i], p[i]);
        if (order > 0) d1[i] = dlpi_times(p[i], dlpi_power(x[i], p[i] - 1));
        if (order > 1) d2[i] = dlpi_times(p[i] * (p[i] - 1), dlpi_power(x[i], p[i] - 2));
        if (order > 2)
            d3[i] =
                dlpi_times(p[i] * (p[i] - 1) * (p[i] - 2), dlpi_power(x[i], p[i] - 3));
    }
}

double dlpi_log_add_exp(double a, double b)
{
    const double larger = a > b ? a : b, gap = a == b ? 0 : fabs(a - b);
    if (a != a || b != b) return NAN;
    return larger + dlpi_log1p_near(dlpi_exp_negative(-gap, 0));
}

void dlpi_jet_unary(dlpi_op op, dlp_index n, const double *x, int order, double *v,
                    double *d1, double *d2, double *d3)
{
#define CALL(...) __VA_ARGS__, order, v, d1, d2, d3
    switch (op) {
    case DLPI_OP_EXP: jet_exp(CALL(n, x)); return;
    case DLPI_OP_LOG: jet_log(CALL(n, x)); return;
    case DLPI_OP_SQRT: jet_sqrt(CALL(n, x)); return;
    case DLPI_OP_SQUARE: jet_square(CALL(n, x)); return;
    case DLPI_OP_LOG1P_EXP: jet_log1p_exp(CALL(n, x)); return;
    case DLPI_OP_ILOGIT: jet_ilogit(CALL(n, x)); return;
    case DLPI_OP_LOGIT: jet_logit(CALL(n, x)); return;
    case DLPI_OP_LOG1M_EXP: jet_log1m_exp(CALL(n, x)); return;
    case DLPI_OP_PHI: jet_phi(CALL(n, x)); return;
    case DLPI_OP_LOG_PHI: jet_log_phi(CALL(n, x)); return;
    case DLPI_OP_PROBIT: jet_probit(CALL(n, x)); return;
    case DLPI_OP_CLOGLOG: jet_cloglog(CALL(n, x)); return;
    case DLPI_OP_ICLOGLOG: jet_icloglog(CALL(n, x)); return;
    case DLPI_OP_LGAMMA: jet_lgamma(CALL(n, x)); return;
    case DLPI_OP_DIGAMMA: jet_digamma(CALL(n, x)); return;
    case DLPI_OP_SIN:
    case DLPI_OP_COS: jet_sine(op, CALL(n, x)); return;
    case DLPI_OP_TAN: jet_tan(CALL(n, x)); return;
    case DLPI_OP_ATAN: jet_atan(CALL(n, x)); return;
    case DLPI_OP_LOG1P_RATIO: jet_log1p_ratio(CALL(n, x)); return;
    case DLPI_OP_ASIN:
    case DLPI_OP_ACOS: jet_asin(op, CALL(n, x)); return;
    case DLPI_OP_SINH:
    case DLPI_OP_COSH: jet_sinh(op, CALL(n, x)); return;
    case DLPI_OP_TANH: jet_tanh(CALL(n, x)); return;
    default: jet_steps(op, CALL(n, x)); return;
    }
#undef CALL
}
