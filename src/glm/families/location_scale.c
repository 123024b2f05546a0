/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With s = exp(-tau) and z = (h(y) - eta) s, a function g(z) has by the chain rule, as z_e =
 * -s and z_t = -z,
 *
 *   g_e = -s g',  g_ee = s^2 g'',  g_eee = -s^3 g''',  g_eeee = s^4 g'''',
 *   g_t = -z g',  g_tt = z g' + z^2 g'',  g_ttt = -z g' - 3 z^2 g'' - z^3 g''',
 *   g_et = s (g' + z g''),  g_eet = -s^2 (2 g'' + z g'''),
 *   g_ett = -s (g' + 3 z g'' + z^2 g''').
 *
 * A row that is known exactly has l = log f(z) - tau, and - log y where h is the logarithm;
 * one that is known to be above or below a limit has log P(Z > z) or log P(Z < z); one
 * between two limits has log P with P = F(z_b) - F(z_a), whose derivatives are differences
 * of those of F.
 */
#include "glm/families/location_scale.h"

#include <delaplace/special.h>
#include <math.h>

static const double HALF_LOG_2_PI = 0.91893853320467274178;

/* A standard variable: d is a logarithm and its four derivatives by z. */
typedef struct standard {
    void (*density)(double z, double df, double d[5]);
    void (*above)(double z, double d[5]); /* log P(Z > z) */
    void (*below)(double z, double d[5]); /* log P(Z < z) */
    bool logarithm;                       /* h(y) = log y */
    double (*constant)(double df); /* the constant of log f, which `density` leaves out;
                                      NULL: 0 */
} standard;

/* ---- the normal one ---- */

static void normal_density(double z, double df, double d[5])
{
    (void)df;
    d[0] = -0.5 * z * z - HALF_LOG_2_PI;
    d[1] = -z;
    d[2] = -1;
    d[3] = d[4] = 0;
}

/* With m = phi/Phi: L' = m, L'' = -m (z + m), L''' = -L'' (z + 2m) - m, L'''' = -L''' (z +
   2m) - 2 L'' (1 + L'') */
static void normal_below(double z, double d[5])
{
    dlp_normal_log_cdf_array(1, &z, d);
    d[1] = exp(-0.5 * z * z - HALF_LOG_2_PI - d[0]);
    d[2] = -d[1] * (z + d[1]);
    d[3] = -d[2] * (z + 2 * d[1]) - d[1];
    d[4] = -d[3] * (z + 2 * d[1]) - 2 * d[2] * (1 + d[2]);
}

static void normal_above(double z, double d[5])
{
    normal_below(-z, d);
    d[1] = -d[1];
    d[3] = -d[3];
}

/* ---- Weibull's: exp(Z) is exponential ---- */

static void extreme_density(double z, double df, double d[5])
{
    const double t = exp(z);
    (void)df;
    d[0] = z - t;
    d[1] = 1 - t;
    d[2] = d[3] = d[4] = -t;
}

static void extreme_above(double z, double d[5])
{
    d[0] = d[1] = d[2] = d[3] = d[4] = -exp(z);
}

/* log(1 - exp(-t)), t = exp z; with g = t/(exp(t)-1): A' = g, A'' = g (1-t-g), A''' = A''
   (1-t-2g) - g t, A'''' = A''' (1-t-2g) - A'' (t+2A'') - t (A''+g) */
static void extreme_below(double z, double d[5])
{
    const double t = exp(z);
    d[0] = t < 1e-300 ? z : log(-expm1(-t));
    d[1] = t < 1e-300 ? 1 : t > 700 ? 0 : t / expm1(t);
    d[2] = d[3] = d[4] = 0;
    if (d[1] == 0) return;
    const double u = 1 - t - 2 * d[1];
    d[2] = d[1] * (1 - t - d[1]);
    d[3] = d[2] * u - d[1] * t;
    d[4] = d[3] * u - d[2] * (t + 2 * d[2]) - t * (d[2] + d[1]);
}

double dlpi_extreme_cdf(double z)
{
    return -expm1(-exp(z));
}

double dlpi_draw_extreme(dlp_rng *rng)
{
    return log(-log(dlp_draw_uniform(rng)));
}

/* ---- Student's ---- */

/* log f = C - (nu+1)/2 log(1 + z^2/nu); with q = nu + z^2 and r = z^2/q its derivatives are
   (nu+1) times -z/q, -(1-2r)/q, 2z (3-4r)/q^2, 6 (1 - 8r (1-r))/q^2 */
static void student_density(double z, double nu, double d[5])
{
    const double q = nu + z * z, r = isinf(q) ? 1 : z * z / q;
    d[0] = -0.5 * (nu + 1) * log1p(z * z / nu);
    d[1] = -(nu + 1) * (z / q);
    d[2] = -(nu + 1) * (1 - 2 * r) / q;
    d[3] = 2 * (nu + 1) * (z / q) * (3 - 4 * r) / q;
    d[4] = 6 * (nu + 1) * (1 - 8 * r * (1 - r)) / q / q;
}

static double student_constant(double nu)
{
    const double log_pi = 1.1447298858494001741;
    return dlp_lgamma(0.5 * (nu + 1)) - dlp_lgamma(0.5 * nu) - 0.5 * (log(nu) + log_pi);
}

double dlpi_draw_student(dlp_rng *rng, double df)
{
    const double normal = dlp_draw_normal(rng);
    return normal * sqrt(0.5 * df / dlp_draw_gamma(rng, 0.5 * df));
}

/* ---- rows ---- */

/* The derivatives of a row's l by eta and tau, whatever its kind. */
typedef struct jet {
    double e, ee, eee, eeee, t, tt, ttt, et, eet, ett;
} jet;

static jet chain(double z, double s, const double d[5])
{
    const double zd1 = z * d[1], zd2 = z * d[2], zd3 = z * d[3];
    return (jet){.e = -s * d[1],
                 .ee = s * s * d[2],
                 .eee = -s * s * s * d[3],
                 .eeee = s * s * s * s * d[4],
                 .t = -zd1,
                 .tt = zd1 + z * zd2,
                 .ttt = -zd1 - 3 * z * zd2 - z * z * zd3,
                 .et = s * (d[1] + zd2),
                 .eet = -s * s * (2 * d[2] + zd3),
                 .ett = -s * (d[1] + 3 * zd2 + z * zd3)};
}

/* The derivatives of F by eta and tau, divided by P, from those of log f: f' = f d1, f''
   = f (d2 + d1^2), f''' = f (d3 + 3 d1 d2 + d1^3) */
static jet chain_of_cdf(const standard *of, double z, double s, double log_P)
{
    double d[5];
    of->density(z, 0, d);
    const double f = exp(d[0] - log_P);
    if (!(f > 0)) return (jet){0};
    const double by_z[5] = {0, f, f * d[1], f * (d[2] + d[1] * d[1]),
                            f * (d[3] + 3 * d[1] * d[2] + d[1] * d[1] * d[1])};
    return chain(z, s, by_z);
}

/* log(exp(a) - exp(b)), a > b */
static double log_difference(double a, double b)
{
    return isinf(a) ? a : a + log(-expm1(b - a));
}

/* log(F(b) - F(a)), computed in the tail that keeps the digits */
static double log_between(const standard *of, double a, double b)
{
    double at_a[5], at_b[5];
    if (a > 0) {
        of->above(a, at_a);
        of->above(b, at_b);
        return log_difference(at_a[0], at_b[0]);
    }
    of->below(a, at_a);
    of->below(b, at_b);
    return log_difference(at_b[0], at_a[0]);
}

/* The derivatives of log P from r, those of P divided by P: r_xyz - r_xy r_z - ... + 2
   r_x r_y r_z, and so on */
static jet log_of(const jet *r)
{
    const double e = r->e, t = r->t;
    return (jet){.e = e,
                 .t = t,
                 .ee = r->ee - e * e,
                 .et = r->et - e * t,
                 .tt = r->tt - t * t,
                 .eee = r->eee - 3 * r->ee * e + 2 * e * e * e,
                 .eet = r->eet - r->ee * t - 2 * r->et * e + 2 * e * e * t,
                 .ett = r->ett - r->tt * e - 2 * r->et * t + 2 * e * t * t,
                 .ttt = r->ttt - 3 * r->tt * t + 2 * t * t * t,
                 .eeee = r->eeee - 4 * r->eee * e - 3 * r->ee * r->ee +
                         12 * r->ee * e * e - 6 * e * e * e * e};
}

static double between(const standard *of, double a, double b, double s, jet *out)
{
    const double log_P = log_between(of, a, b);
    if (!out) return log_P;
    const jet at_a = chain_of_cdf(of, a, s, log_P), at_b = chain_of_cdf(of, b, s, log_P);
    const jet r = {.e = at_b.e - at_a.e,
                   .ee = at_b.ee - at_a.ee,
                   .eee = at_b.eee - at_a.eee,
                   .eeee = at_b.eeee - at_a.eeee,
                   .t = at_b.t - at_a.t,
                   .tt = at_b.tt - at_a.tt,
                   .ttt = at_b.ttt - at_a.ttt,
                   .et = at_b.et - at_a.et,
                   .eet = at_b.eet - at_a.eet,
                   .ett = at_b.ett - at_a.ett};
    *out = log_of(&r);
    return log_P;
}

/* h of an end of an interval: the logarithm of 0 or less is taken as -infinity */
static double height(const standard *of, double y)
{
    return !of->logarithm ? y : y > 0 ? log(y) : -INFINITY;
}

/* l of one row that lies between h_a and h_b, without the constant, and its derivatives
   where they are wanted */
static double row(const standard *of, double h_a, double h_b, double eta, double s,
                  double tau, double df, jet *out)
{
    const double a = (h_a - eta) * s, b = (h_b - eta) * s;
    double d[5];
    if (out) *out = (jet){0};
    if (h_a == h_b) {
        of->density(a, df, d);
        if (out) *out = chain(a, s, d);
        if (out) out->t -= 1;
        return d[0] - tau - (of->logarithm ? h_a : 0);
    }
    if (isinf(h_a) && isinf(h_b)) return 0; /* any value is possible */
    if (!isinf(h_a) && !isinf(h_b)) return between(of, a, b, s, out);
    (isinf(h_b) ? of->above : of->below)(isinf(h_b) ? a : b, d);
    if (out) *out = chain(isinf(h_b) ? a : b, s, d);
    return d[0];
}

static void put(dlpi_rows *r, dlp_index i, const jet *of)
{
    r->l_e[i] = of->e;
    r->l_ee[i] = of->ee;
    r->l_eee[i] = of->eee;
    r->l_eeee[i] = of->eeee;
    r->l_t[i] = of->t;
    r->l_tt[i] = of->tt;
    r->l_ttt[i] = of->ttt;
    r->l_et[i] = of->et;
    r->l_eet[i] = of->eet;
    r->l_ett[i] = of->ett;
}

/* Quadrature asks for many eta of one response, so h is computed only once. */
static void evaluate(const standard *of, dlpi_rows *r, double tau, int order)
{
    const double s = exp(-tau), constant = of->constant ? of->constant(r->df) : 0;
    double h_a = 0, h_b = 0;
    for (dlp_index i = 0; i < r->n; i++) {
        jet by;
        if (i == 0 || r->y[i] != r->y[i - 1]) h_a = height(of, r->y[i]);
        if (!r->trials)
            h_b = h_a;
        else if (i == 0 || r->trials[i] != r->trials[i - 1])
            h_b = height(of, r->trials[i]);
        r->l[i] = constant +
                  row(of, h_a, h_b, r->eta[i], s, tau, r->df, order > 0 ? &by : NULL);
        if (order > 0) put(r, i, &by);
    }
}

/* ---- families ---- */

static const standard normal = {normal_density, normal_above, normal_below, false, NULL},
                      normal_of_log = {normal_density, normal_above, normal_below, true,
                                       NULL},
                      extreme_of_log = {extreme_density, extreme_above, extreme_below,
                                        true, NULL},
                      student = {student_density, NULL, NULL, false, student_constant};

void dlpi_student_identity(dlpi_rows *rows, double tau, int order)
{
    evaluate(&student, rows, tau, order);
}

void dlpi_tobit_identity(dlpi_rows *rows, double tau, int order)
{
    evaluate(&normal, rows, tau, order);
}

void dlpi_log_normal_log(dlpi_rows *rows, double tau, int order)
{
    evaluate(&normal_of_log, rows, tau, order);
}

void dlpi_weibull_log(dlpi_rows *rows, double tau, int order)
{
    evaluate(&extreme_of_log, rows, tau, order);
}

/* The scale is 1, so there is no tau. */
void dlpi_exponential_log(dlpi_rows *rows, double tau, int order)
{
    (void)tau;
    evaluate(&extreme_of_log, rows, 0, order);
}

/* ---- means and supports ---- */

double dlpi_log_normal_mean(double eta, double tau, double second)
{
    (void)second;
    return exp(eta + 0.5 * exp(2 * tau));
}

/* exp(eta) E[T^sigma] = exp(eta) Gamma(1 + sigma) */
double dlpi_weibull_mean(double eta, double tau, double second)
{
    (void)second;
    return exp(eta + dlp_lgamma(1 + exp(tau)));
}

bool dlpi_is_real_interval(double lower, double upper)
{
    return lower < upper || (lower == upper && isfinite(lower));
}

bool dlpi_is_positive_interval(double lower, double upper)
{
    const bool exact = lower == upper && lower > 0 && isfinite(lower);
    return exact || ((lower >= 0 || isinf(lower)) && upper > 0 && lower < upper);
}
