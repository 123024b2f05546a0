/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/zero_negative_binomial.h"

#include "glm/families/likelihoods.h"
#include "math/draw_counts.h"

#include <delaplace/special.h>
#include <math.h>

/* A function A of eta (e) and of the logarithm of the size (s), with its derivatives. */
typedef struct surface {
    double A, e, ee, eee, eeee, s, ss, sss, es, ees, ess;
} surface;

/* log(1-q) + q, which is -q^2/2 where q = sigma(x) is small */
static double log_rest(double x, double q)
{
    const double small = 1e-3;
    if (q > small) return dlp_log_logistic(-x) + q;
    return -q * q * (0.5 + q * (1.0 / 3 + q * (0.25 + q * (0.2 + q / 6))));
}

double dlpi_negative_binomial_log_zero(double eta, double k)
{
    return k * dlp_log_logistic(log(k) - eta);
}

/*
 * A = log P(0) = -k log(1 + m/k), with q = m/(k+m) and L = log(1-q) + q:
 *   A_e = -kq, A_ee = -kq(1-q), A_eee = A_ee (1-2q), A_eeee = A_ee (1 - 6q(1-q)),
 *   A_s = kL, A_ss = k(L + q^2), A_sss = k(L + 2q^3),
 *   A_es = -kq^2, A_ees = -2kq^2(1-q), A_ess = kq^2(1-2q).
 */
static surface log_zero(double eta, double k)
{
    const double x = eta - log(k), q = dlp_logistic(x), rest = dlp_logistic(-x),
                 L = log_rest(x, q), kq = k * q;
    surface a = {
        .A = dlpi_negative_binomial_log_zero(eta, k), .e = -kq, .ee = -kq * rest};
    a.eee = a.ee * (1 - 2 * q);
    a.eeee = a.ee * (1 - 6 * q * rest);
    a.s = k * L;
    a.ss = k * (L + q * q);
    a.sss = k * (L + 2 * q * q * q);
    a.es = -kq * q;
    a.ees = -2 * kq * q * rest;
    a.ess = kq * q * (1 - 2 * q);
    return a;
}

/* Adds G(A), whose derivatives by A are G[1] to G[4]. */
static void add_function(dlpi_rows *r, dlp_index i, const surface *a, const double G[5])
{
    r->l[i] += G[0];
    r->l_e[i] += G[1] * a->e;
    r->l_ee[i] += G[2] * a->e * a->e + G[1] * a->ee;
    r->l_eee[i] += G[3] * a->e * a->e * a->e + 3 * G[2] * a->e * a->ee + G[1] * a->eee;
    r->l_eeee[i] += G[4] * a->e * a->e * a->e * a->e + 6 * G[3] * a->e * a->e * a->ee +
                    G[2] * (4 * a->e * a->eee + 3 * a->ee * a->ee) + G[1] * a->eeee;
    r->l_s[i] += G[1] * a->s;
    r->l_ss[i] += G[2] * a->s * a->s + G[1] * a->ss;
    r->l_sss[i] += G[3] * a->s * a->s * a->s + 3 * G[2] * a->s * a->ss + G[1] * a->sss;
    r->l_es[i] += G[2] * a->e * a->s + G[1] * a->es;
    r->l_ees[i] += G[3] * a->e * a->e * a->s + G[2] * (a->ee * a->s + 2 * a->es * a->e) +
                   G[1] * a->ees;
    r->l_ess[i] += G[3] * a->e * a->s * a->s + G[2] * (a->ss * a->e + 2 * a->es * a->s) +
                   G[1] * a->ess;
}

/* The negative binomial likelihood, whose tau is the second scale here, for rows above 0;
   0 for the others. */
static void put_counts(dlpi_rows *r, int order)
{
    dlpi_negative_binomial_log(r, log(r->df), order > 0 ? 3 : 0);
    for (dlp_index i = 0; i < r->n; i++) {
        const bool on = r->y[i] > 0; /* not a product: the rest may be infinite */
        if (!on) r->l[i] = 0;
        if (order == 0) continue;
        r->l_s[i] = on ? r->l_t[i] : 0;
        r->l_ss[i] = on ? r->l_tt[i] : 0;
        r->l_sss[i] = on ? r->l_ttt[i] : 0;
        r->l_es[i] = on ? r->l_et[i] : 0;
        r->l_ees[i] = on ? r->l_eet[i] : 0;
        r->l_ess[i] = on ? r->l_ett[i] : 0;
        if (!on) r->l_e[i] = r->l_ee[i] = r->l_eee[i] = r->l_eeee[i] = 0;
    }
}

/* log(1 - pi) = log sigma(-tau), the only part that depends on tau */
static void add_rest(dlpi_rows *r, double tau, int order)
{
    const double pi = dlp_logistic(tau), v = pi * dlp_logistic(-tau);
    for (dlp_index i = 0; i < r->n; i++) {
        r->l[i] += dlp_log_logistic(-tau);
        if (order == 0) continue;
        r->l_t[i] = -pi;
        r->l_tt[i] = -v;
        r->l_ttt[i] = -v * (1 - 2 * pi);
        r->l_et[i] = r->l_eet[i] = r->l_ett[i] = 0;
        r->l_ts[i] = r->l_tts[i] = r->l_tss[i] = r->l_ets[i] = 0;
    }
}

/* ---- zero-inflated ---- */

/* log(pi + (1-pi) P(0)) = log(1-pi) + tau + G(w), G = log(1 + exp w), w = A - tau: see zero.c */
static void add_zero(dlpi_rows *r, dlp_index i, double tau, int order)
{
    const surface a = log_zero(r->eta[i], r->df);
    const double w = a.A - tau, q = dlp_logistic(w), v = q * dlp_logistic(-w);
    const double G[] = {tau + dlp_log1pexp(w), q, v, v * (1 - 2 * q), v * (1 - 6 * v)};
    if (order == 0) {
        r->l[i] += G[0];
        return;
    }
    add_function(r, i, &a, G);
    r->l_t[i] += 1 - q;
    r->l_tt[i] += v;
    r->l_ttt[i] -= G[3];
    r->l_et[i] -= v * a.e;
    r->l_eet[i] -= G[3] * a.e * a.e + v * a.ee;
    r->l_ett[i] += G[3] * a.e;
    r->l_ts[i] -= v * a.s;
    r->l_tts[i] += G[3] * a.s;
    r->l_tss[i] -= G[3] * a.s * a.s + v * a.ss;
    r->l_ets[i] -= G[3] * a.e * a.s + v * a.es;
}

void dlpi_zero_inflated_negative_binomial_log(dlpi_rows *r, double tau, int order)
{
    put_counts(r, order);
    add_rest(r, tau, order);
    for (dlp_index i = 0; i < r->n; i++)
        if (!(r->y[i] > 0)) add_zero(r, i, tau, order);
}

/* ---- with a hurdle ---- */

/* -log(1 - exp A): with g = 1/(exp(-A)-1) its derivatives are g, g(1+g), g(1+g)(1+2g),
   g(1+g)(1+6g+6g^2) */
static void subtract_positive_of(dlpi_rows *r, dlp_index i, int order)
{
    const surface a = log_zero(r->eta[i], r->df);
    const double A = a.A, g = A < -700 ? 0 : 1 / expm1(-A), gg = g * (1 + g);
    const double G[] = {-log(-expm1(A)), g, gg, gg * (1 + 2 * g), gg * (1 + 6 * gg)};
    if (order == 0)
        r->l[i] += G[0];
    else
        add_function(r, i, &a, G);
}

/* -log(1 - exp A) = -log m + m (1 + 1/k) / 2 + O(m^2) for small m, where the terms of the
   derivatives above would cancel */
static void subtract_small_positive(dlpi_rows *r, dlp_index i, int order)
{
    const double m = exp(r->eta[i]), by_k = m / (2 * r->df), all = 0.5 * m + by_k;
    r->l[i] += all - r->eta[i];
    if (order == 0) return;
    r->l_e[i] += all - 1;
    r->l_ee[i] += all;
    r->l_eee[i] += all;
    r->l_eeee[i] += all;
    r->l_s[i] -= by_k;
    r->l_ss[i] += by_k;
    r->l_sss[i] -= by_k;
    r->l_es[i] -= by_k;
    r->l_ees[i] -= by_k;
    r->l_ess[i] += by_k;
}

static void subtract_positive(dlpi_rows *r, dlp_index i, int order)
{
    const double small = 1e-6;
    if (exp(r->eta[i]) * (1 + 1 / r->df) < small)
        subtract_small_positive(r, i, order);
    else
        subtract_positive_of(r, i, order);
}

void dlpi_hurdle_negative_binomial_log(dlpi_rows *r, double tau, int order)
{
    put_counts(r, order);
    add_rest(r, tau, order);
    for (dlp_index i = 0; i < r->n; i++) {
        if (r->y[i] > 0) {
            subtract_positive(r, i, order);
        } else {
            r->l[i] += tau; /* log pi = log(1-pi) + tau */
            if (order > 0) r->l_t[i] += 1;
        }
    }
}

double dlpi_hurdle_negative_binomial_mean(double eta, double tau, double k)
{
    const double A = dlpi_negative_binomial_log_zero(eta, k);
    return dlp_logistic(-tau) * (A > -1e-300 ? 1 : exp(eta) / -expm1(A));
}

/* ---- draws ---- */

double dlpi_draw_negative_binomial(dlp_rng *rng, double mean, double k)
{
    return dlpi_draw_poisson(rng, dlp_draw_gamma(rng, k) * mean / k);
}

/* Draws until a count is above 0 or, where that would take long, inverts the distribution
   of counts above 0. */
double dlpi_draw_positive_negative_binomial(dlp_rng *rng, double mean, double k)
{
    const double above = -expm1(dlpi_negative_binomial_log_zero(log(mean), k)),
                 often = 0.1;
    double y = 0;
    while (above > often && y == 0) y = dlpi_draw_negative_binomial(rng, mean, k);
    if (y > 0) return y;
    /* P(1) = P(0) k q and P(y+1) = P(y) q (y+k)/(y+1), q = m/(k+m) */
    const double q = mean / (k + mean);
    double p = above > 0 ? (1 - above) * k * q / above : 1, left = dlp_draw_uniform(rng);
    for (y = 1; left > p && y < 1e4; y++) {
        left -= p;
        p *= q * (y + k) / (y + 1);
    }
    return y;
}
