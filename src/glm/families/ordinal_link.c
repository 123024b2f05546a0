/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/ordinal_link.h"

#include "math/special/log_gap.h"

#include <delaplace/special.h>
#include <math.h>

double dlpi_log_level(const dlpi_ordinal_link *link, dlp_index y, dlp_index levels,
                      double t, double delta, dlpi_level_slopes *slopes)
{
    *slopes = (dlpi_level_slopes){0};
    return y == 0            ? link->below(t, slopes)
           : y == levels - 1 ? link->above(t, slopes)
                             : link->between(t, delta, slopes);
}

/* ---- logit: F = sigma ---- */

/* log sigma(t): s' = sigma(-t), s'' = -sigma(t) sigma(-t), s''' = s'' (1 - 2 sigma(t)) */
static double logit_below(double t, dlpi_level_slopes *s)
{
    const double below = dlp_logistic(t);
    s->t = dlp_logistic(-t);
    s->tt = -below * s->t;
    s->ttt = s->tt * (1 - 2 * below);
    return dlp_log_logistic(t);
}

static double logit_above(double t, dlpi_level_slopes *s)
{
    (void)logit_below(t, s);
    s->t = -dlp_logistic(t);
    return dlp_log_logistic(-t);
}

/* sigma(b) - sigma(t) = sigma(b) sigma(-t) (1 - exp(t - b)), b = t + w, w = exp delta:
   l = log sigma(b) + log sigma(-t) + A(delta), A(d) = log(1 - exp(-exp d)) */
static double logit_between(double t, double delta, dlpi_level_slopes *s)
{
    dlpi_level_slopes up = {0};
    double A[3];
    const double w = exp(delta), lower = logit_above(t, s),
                 upper = logit_below(t + w, &up), gap = dlpi_log_gap(delta, A);
    s->t += up.t;
    s->tt += up.tt;
    s->ttt += up.ttt;
    s->d = A[0];
    s->dd = A[1];
    s->ddd = A[2];
    if (up.t == 0) return lower + upper + gap; /* w may be infinite */
    const double w1 = w * up.t, w2 = w * w * up.tt, w3 = w * w * w * up.ttt;
    s->d += w1;
    s->dd += w1 + w2;
    s->ddd += w1 + 3 * w2 + w3;
    s->td = w * up.tt;
    s->ttd = w * up.ttt;
    s->tdd = w * up.tt + w * w * up.ttt;
    return lower + upper + gap;
}

static void logit_sides(dlp_index n, const double *u, double *below, double *above)
{
    double *e = above;
    for (dlp_index i = 0; i < n; i++) e[i] = -fabs(u[i]);
    dlp_exp_array(n, e, e);
    for (dlp_index i = 0; i < n; i++) {
        const double more = 1 / (1 + e[i]), less = e[i] * more;
        below[i] = u[i] > 0 ? more : less;
        above[i] = u[i] > 0 ? less : more;
    }
}

static double logit_density(double t)
{
    return dlp_logistic(t) * dlp_logistic(-t);
}

/* ---- probit: F = Phi ---- */

static double log_phi(double x)
{
    const double half_log_2_pi = 0.91893853320467274178;
    return -0.5 * x * x - half_log_2_pi;
}

static double log_Phi(double x)
{
    double l;
    dlp_normal_log_cdf_array(1, &x, &l);
    return l;
}

/* with m = phi/Phi: L' = m,  L'' = -m (x + m),  L''' = -L'' (x + 2m) - m */
static double probit_below(double t, dlpi_level_slopes *s)
{
    const double l = log_Phi(t), m = exp(log_phi(t) - l);
    s->t = m;
    s->tt = -m * (t + m);
    s->ttt = -s->tt * (t + 2 * m) - m;
    return l;
}

static double probit_above(double t, dlpi_level_slopes *s)
{
    const double l = probit_below(-t, s);
    s->t = -s->t;
    s->ttt = -s->ttt;
    return l;
}

/* log(Phi(b) - Phi(a)), computed in the tail that holds both, to keep the digits. */
static double log_difference(double a, double b)
{
    if (a > 0) return log_difference(-b, -a);
    const double upper = log_Phi(b), lower = log_Phi(a);
    return upper + log(-expm1(lower - upper));
}

/* For a difference D = F(t + w) - F(t): D_t/D, D_tt/D, D_ttt/D, and f, f', f'' at t + w
   over D. */
typedef struct difference {
    double log_D, p, p1, p2, u, u1, u2;
} difference;

static difference of_wide(double t, double b)
{
    const double l = log_difference(t, b), u = exp(log_phi(b) - l),
                 v = exp(log_phi(t) - l);
    const double u1 = u > 0 ? -b * u : 0, u2 = u > 0 ? (b * b - 1) * u : 0,
                 v1 = v > 0 ? -t * v : 0, v2 = v > 0 ? (t * t - 1) * v : 0;
    return (difference){l, u - v, u1 - v1, u2 - v2, u, u1, u2};
}

/* D = w f(m) (1 + w^2 f''(m) / (24 f(m)) + ...), m in the middle; phi''/phi = m^2 - 1 */
static difference of_narrow(double t, double delta)
{
    const double w = exp(delta), b = t + w, m = t + 0.5 * w, h2 = m * m - 1;
    const double l = delta + log_phi(m) + log1p(w * w * h2 / 24), u = exp(log_phi(b) - l);
    return (difference){l, -m, h2, m * (3 - m * m), u, -b * u, (b * b - 1) * u};
}

/* Derivatives of log D by t and w, h_xy = D_xy/D - D_x D_y/D^2 and so on; then w = exp delta. */
static double probit_between(double t, double delta, dlpi_level_slopes *s)
{
    const double w = exp(delta), narrow = 1e-5;
    const difference D = w < narrow ? of_narrow(t, delta) : of_wide(t, t + w);
    const double p = D.p, u = D.u;
    s->t = p;
    s->tt = D.p1 - p * p;
    s->ttt = D.p2 - 3 * D.p1 * p + 2 * p * p * p;
    if (!(u > 0)) return D.log_D; /* w may be infinite */
    const double tw = D.u1 - u * p, ttw = D.u2 - D.p1 * u - 2 * D.u1 * p + 2 * p * p * u,
                 tww = D.u2 - 2 * D.u1 * u - D.u1 * p + 2 * p * u * u, ww = D.u1 - u * u,
                 www = D.u2 - 3 * D.u1 * u + 2 * u * u * u;
    s->d = w * u;
    s->dd = w * u + w * w * ww;
    s->ddd = w * u + 3 * w * w * ww + w * w * w * www;
    s->td = w * tw;
    s->ttd = w * ttw;
    s->tdd = w * tw + w * w * tww;
    return D.log_D;
}

static void probit_sides(dlp_index n, const double *u, double *below, double *above)
{
    for (dlp_index i = 0; i < n; i++) {
        below[i] = dlp_normal_cdf(u[i]);
        above[i] = dlp_normal_cdf(-u[i]);
    }
}

static double probit_density(double t)
{
    return exp(log_phi(t));
}

/* ---- cloglog: F = 1 - exp(-exp t), so that log F = A ---- */

static double cloglog_below(double t, dlpi_level_slopes *s)
{
    double A[3];
    const double l = dlpi_log_gap(t, A);
    s->t = A[0];
    s->tt = A[1];
    s->ttt = A[2];
    return l;
}

static double cloglog_above(double t, dlpi_level_slopes *s)
{
    const double e = exp(t);
    s->t = s->tt = s->ttt = -e;
    return -e;
}

/*
 * exp(-exp t) - exp(-exp(t + w)) = exp(-exp t) (1 - exp(-exp(t + L))), L = log(exp(w) - 1), so
 * l = -exp(t) + A(t + L). By delta, w = exp delta, with m = w/(1 - exp(-w)) and r = w - m:
 * L' = m,  L'' = m (1 + r),  L''' = m ((1 + r)^2 + r (1 - m))
 */
static double cloglog_between(double t, double delta, dlpi_level_slopes *s)
{
    const double w = exp(delta), tiny = 1e-300, far = 700;
    const double L = w < tiny  ? delta
                     : w > far ? w
                               : log(expm1(w)),
                 m = w < tiny ? 1 : w / -expm1(-w),
                 r = w < tiny  ? -1
                     : w > far ? 0
                               : -w / expm1(w);
    double A[3];
    const double l = cloglog_above(t, s) + dlpi_log_gap(t + L, A);
    s->t += A[0];
    s->tt += A[1];
    s->ttt += A[2];
    if (A[0] == 0) return l; /* w may be infinite */
    const double L2 = m * (1 + r), L3 = m * ((1 + r) * (1 + r) + r * (1 - m));
    s->d = A[0] * m;
    s->dd = A[1] * m * m + A[0] * L2;
    s->ddd = A[2] * m * m * m + 3 * A[1] * m * L2 + A[0] * L3;
    s->td = A[1] * m;
    s->ttd = A[2] * m;
    s->tdd = A[2] * m * m + A[1] * L2;
    return l;
}

static void cloglog_sides(dlp_index n, const double *u, double *below, double *above)
{
    for (dlp_index i = 0; i < n; i++) {
        const double e = exp(u[i]);
        below[i] = -expm1(-e);
        above[i] = exp(-e);
    }
}

static double cloglog_density(double t)
{
    return exp(t - exp(t));
}

const dlpi_ordinal_link dlpi_ordinal_logit = {"logit",       logit_below, logit_above,
                                              logit_between, logit_sides, logit_density},
                        dlpi_ordinal_probit = {"probit",     probit_below,
                                               probit_above, probit_between,
                                               probit_sides, probit_density},
                        dlpi_ordinal_cloglog = {"cloglog",     cloglog_below,
                                                cloglog_above, cloglog_between,
                                                cloglog_sides, cloglog_density};
