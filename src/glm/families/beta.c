/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With a = mu phi and b = (1 - mu) phi either likelihood is P(a) + Q(b) + G(phi):
 *
 *   beta           P = a log y - log Gamma(a),  Q = b log(1-y) - log Gamma(b),
 *                  G = log Gamma(phi) - log y - log(1-y)
 *   beta-binomial  P = log Gamma(y+a) - log Gamma(a), Q the same of n - y and b,
 *                  G = log Gamma(phi) - log Gamma(n+phi) + log (n choose y)
 *
 * a_t = a and a_et = a_e, so that by the chain rule, with a_1 = a_e, a_2 = a_ee, ...,
 *
 *   P_e = P' a_1,  P_ee = P'' a_1^2 + P' a_2,  P_eee = P''' a_1^3 + 3 P'' a_1 a_2 + P' a_3,
 *   P_eeee = P'''' a_1^4 + 6 P''' a_1^2 a_2 + P'' (3 a_2^2 + 4 a_1 a_3) + P' a_4,
 *   P_t = P' a,  P_tt = P'' a^2 + P' a,  P_ttt = P''' a^3 + 3 P'' a^2 + P' a,
 *   P_et = a_1 (P' + a P''),  P_ett = a_1 (P' + 3 a P'' + a^2 P'''),
 *   P_eet = a_1^2 (2 P'' + a P''') + a_2 (P' + a P'')
 */
#include "glm/families/beta.h"

#include "glm/families/likelihoods.h"
#include "math/special/tails.h"

#include <delaplace/special.h>
#include <math.h>

/* Below, 1/a^4 would overflow. */
static const double LEAST = 1e-70;
/* Sums replace log Gamma for counts up to FEW_TERMS, and give the cdf for up to
   MOST_TERMS trials. */
static const double FEW_TERMS = 30;
static const double MOST_TERMS = 5000;

/* psi'''(x): upwards to where its series holds */
static double pentagamma(double x)
{
    double sum = 0;
    while (x < 12) {
        sum += 6 / (x * x * x * x);
        x += 1;
    }
    const double y = 1 / (x * x);
    const double rest =
        2 + y * (-1 + y * (4.0 / 3 + y * (-3 + y * (10 - y * (691.0 / 15)))));
    return sum + y / x * (2 + 3 / x + y * rest);
}

/* d[0..4] += sign times log Gamma and its derivatives, up to the order. */
static void add_lgamma(double x, double sign, int order, double d[5])
{
    d[0] += sign * dlp_lgamma(x);
    if (order > 0) d[1] += sign * dlp_digamma(x);
    if (order > 0) d[2] += sign * dlp_trigamma(x);
    if (order > 2) d[3] += sign * dlp_tetragamma(x);
    if (order > 3) d[4] += sign * pentagamma(x);
}

/* d[0..4] += sign times log Gamma(x+y) - log Gamma(x) and its derivatives, y a whole
   number. For small y this is the sum of log(x+k), which keeps its digits where x is
   large. */
static void add_rising(double x, double y, double sign, int order, double d[5])
{
    if (y > FEW_TERMS) {
        add_lgamma(x + y, sign, order, d);
        add_lgamma(x, -sign, order, d);
        return;
    }
    for (int k = 0; k < y; k++) {
        const double r = 1 / (x + k);
        d[0] += sign * log(x + k);
        d[1] += sign * r;
        d[2] -= sign * r * r;
        d[3] += 2 * sign * r * r * r;
        d[4] -= 6 * sign * r * r * r * r;
    }
}

/* A function of a, and its derivatives by eta and tau; `by` holds the derivatives of a by
   eta. */
static void add_function(dlpi_rows *r, dlp_index i, double a, const double by[5],
                         const double P[5], int order)
{
    const double a1 = by[1], a2 = by[2], slope = P[1] + a * P[2];
    r->l[i] += P[0];
    if (order == 0) return;
    r->l_e[i] += P[1] * a1;
    r->l_ee[i] += P[2] * a1 * a1 + P[1] * a2;
    r->l_t[i] += P[1] * a;
    r->l_tt[i] += a * slope;
    r->l_et[i] += a1 * slope;
    if (order < 3) return;
    r->l_eee[i] += P[3] * a1 * a1 * a1 + 3 * P[2] * a1 * a2 + P[1] * by[3];
    r->l_ttt[i] += a * (P[1] + 3 * a * P[2] + a * a * P[3]);
    r->l_ett[i] += a1 * (P[1] + 3 * a * P[2] + a * a * P[3]);
    r->l_eet[i] += a1 * a1 * (2 * P[2] + a * P[3]) + a2 * slope;
    r->l_eeee[i] += P[4] * a1 * a1 * a1 * a1 + 6 * P[3] * a1 * a1 * a2 +
                    P[2] * (3 * a2 * a2 + 4 * a1 * by[3]) + P[1] * by[4];
}

static void clear(dlpi_rows *r)
{
    double *const all[] = {r->l,    r->l_e,   r->l_ee, r->l_eee, r->l_eeee, r->l_t,
                           r->l_tt, r->l_ttt, r->l_et, r->l_eet, r->l_ett};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (dlp_index i = 0; i < r->n; i++) all[k][i] = 0;
}

/* sigma(eta) phi and its derivatives by eta: phi times s, v = s (1-s), v (1-2s), v (1-6v),
   v (1-2s) (1-12v) */
static void share_of(double eta, double phi, double by[5])
{
    const double s = dlp_logistic(eta), other = dlp_logistic(-eta), v = s * other;
    by[0] = fmax(phi * s, LEAST);
    by[1] = phi * v;
    by[2] = by[1] * (other - s);
    by[3] = by[1] * (1 - 6 * v);
    by[4] = by[2] * (1 - 12 * v);
}

/* Adds P(a) + Q(b) to row i. side: log y and log(1-y) of a share, or y and n - y of
   counts. */
static void add_sides(dlpi_rows *r, dlp_index i, double phi, const double side[2],
                      bool counts, int order)
{
    for (int k = 0; k < 2; k++) {
        double by[5], P[5] = {0};
        share_of(k == 0 ? r->eta[i] : -r->eta[i], phi, by);
        if (k == 1) {
            by[1] = -by[1]; /* odd orders change sign: b has -eta */
            by[3] = -by[3];
        }
        if (counts) {
            add_rising(by[0], side[k], 1, order, P);
        } else {
            P[0] = by[0] * side[k];
            P[1] = side[k];
            add_lgamma(by[0], -1, order, P);
        }
        add_function(r, i, by[0], by, P, order);
    }
}

/* G(phi), a function of tau alone */
static void add_total(dlpi_rows *r, double phi, double n, int order, dlp_index i)
{
    const double none[5] = {0};
    double G[5] = {0};
    if (n > 0)
        add_rising(phi, n, -1, order, G);
    else
        add_lgamma(phi, 1, order, G);
    add_function(r, i, phi, none, G, order);
}

static double phi_of(double tau)
{
    return exp(fmin(fmax(tau, -140), 140));
}

void dlpi_beta_logit(dlpi_rows *r, double tau, int order)
{
    const double phi = phi_of(tau);
    clear(r);
    for (dlp_index i = 0; i < r->n; i++) {
        const double side[2] = {log(r->y[i]), log1p(-r->y[i])};
        r->l[i] = -side[0] - side[1];
        add_sides(r, i, phi, side, false, order);
        add_total(r, phi, 0, order, i);
    }
}

void dlpi_beta_binomial_logit(dlpi_rows *r, double tau, int order)
{
    const double phi = phi_of(tau);
    clear(r);
    for (dlp_index i = 0; i < r->n; i++) {
        const double n = r->trials ? r->trials[i] : 1, side[2] = {r->y[i], n - r->y[i]};
        r->l[i] = dlpi_log_choose(n, r->y[i]);
        if (n == 0) continue;
        add_sides(r, i, phi, side, true, order);
        add_total(r, phi, n, order, i);
    }
}

/* ---- draws and sums ---- */

double dlpi_draw_beta(dlp_rng *rng, double a, double b)
{
    const double log_a = dlp_draw_log_gamma(rng, a), log_b = dlp_draw_log_gamma(rng, b);
    return dlp_logistic(log_a - log_b);
}

/* p(k+1)/p(k) = (n-k) (k+a) / ((k+1) (n-k-1+b)) */
double dlpi_beta_binomial_cdf(double n, double a, double b, double y)
{
    double log_p = dlp_lgamma(n + b) - dlp_lgamma(b) + dlp_lgamma(a + b) -
                   dlp_lgamma(n + a + b),
           sum = 0;
    if (y >= n) return 1;
    if (n > MOST_TERMS) { /* a share with the same mean and variance */
        const double phi = a + b, same = n * (phi + 1) / (phi + n) - 1, x = (y + 0.5) / n;
        return dlpi_beta_tails(same * a / phi, same * b / phi, x, 1 - x).lower;
    }
    for (int k = 0; k <= y; k++) {
        sum += exp(log_p);
        log_p += log((n - k) / (k + 1)) + log((k + a) / (n - k - 1 + b));
    }
    return fmin(sum, 1);
}
