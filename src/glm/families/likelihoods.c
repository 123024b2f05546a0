/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations are given above each function. */
#include "glm/families/likelihoods.h"

#include "glm/families/family.h"
#include "glm/families/negative_binomial_large.h"
#include "math/special/logistic.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

static double trials_of(const dlpi_rows *r, dlp_index i)
{
    return r->trials ? r->trials[i] : 1;
}

double dlpi_log_choose(double n, double y)
{
    return n == 1 ? 0 : dlp_lgamma(n + 1) - dlp_lgamma(y + 1) - dlp_lgamma(n - y + 1);
}

/* ---- binomial ---- */

/* logit: l = y log s + (n-y) log(1-s), s = sigma(eta):
   l' = y - n s,  l'' = -n s (1-s),  l''' = l'' (1-2s),  l'''' = l'' (1-6s (1-s)) */
static void logit_of_trials(dlpi_rows *r, int order)
{
    double *s = r->work[0], *log_s = r->work[1];
    if (order == 0)
        dlp_log_logistic_array(r->n, r->eta, log_s);
    else
        dlpi_logistic_both(r->n, r->eta, s, log_s);
    for (dlp_index i = 0; i < r->n; i++) {
        const double n = trials_of(r, i); /* log(1-s) = log s - eta */
        r->l[i] = n * log_s[i] - (n - r->y[i]) * r->eta[i];
    }
    for (dlp_index i = 0; !r->bare && r->trials && i < r->n; i++)
        r->l[i] += dlpi_log_choose(r->trials[i], r->y[i]);
    for (dlp_index i = 0; order > 0 && i < r->n; i++) {
        const double n = trials_of(r, i);
        r->l_e[i] = r->y[i] - n * s[i];
        r->l_ee[i] = -n * s[i] * (1 - s[i]);
        r->l_eee[i] = r->l_ee[i] * (1 - 2 * s[i]);
    }
}

void dlpi_binomial_logit(dlpi_rows *r, double tau, int order)
{
    double *s = r->work[0];
    (void)tau;
    if (r->trials || order == 0)
        logit_of_trials(r, order);
    else
        dlpi_logistic_likelihood(
            r->n, r->y, r->eta, (dlpi_logistic_rows){r->l, r->l_e, r->l_ee, r->l_eee, s});
    for (dlp_index i = 0; order == 4 && i < r->n; i++)
        r->l_eeee[i] = r->l_ee[i] * (1 - 6 * s[i] * (1 - s[i]));
}

/* log Phi and its derivatives, with m = phi/Phi:
   L' = m,  L'' = -m (x + m),  L''' = -L'' (x + 2m) - m,
   L'''' = -L''' (x + 2m) - 2 L'' (1 + L'') */
static void log_phi(double x, double log_Phi, double d[4])
{
    const double half_log_2_pi = 0.91893853320467274178;
    d[0] = exp(-0.5 * x * x - half_log_2_pi - log_Phi);
    d[1] = -d[0] * (x + d[0]);
    d[2] = -d[1] * (x + 2 * d[0]) - d[0];
    d[3] = -d[2] * (x + 2 * d[0]) - 2 * d[1] * (1 + d[1]);
}

/* probit: l = y log Phi(eta) + (n-y) log Phi(-eta) */
void dlpi_binomial_probit(dlpi_rows *r, double tau, int order)
{
    double *minus = r->work[0], *up = r->work[1], *down = r->work[2];
    (void)tau;
    for (dlp_index i = 0; i < r->n; i++) minus[i] = -r->eta[i];
    dlp_normal_log_cdf_array(r->n, r->eta, up);
    dlp_normal_log_cdf_array(r->n, minus, down);
    for (dlp_index i = 0; i < r->n; i++) {
        const double y = r->y[i], n = trials_of(r, i);
        r->l[i] = (y > 0 ? y * up[i] : 0) + (n > y ? (n - y) * down[i] : 0) +
                  (r->bare ? 0 : dlpi_log_choose(n, y));
        if (order == 0) continue;
        double u[4], d[4];
        log_phi(r->eta[i], up[i], u);
        log_phi(minus[i], down[i], d);
        r->l_e[i] = y * u[0] - (n - y) * d[0];
        r->l_ee[i] = y * u[1] + (n - y) * d[1];
        r->l_eee[i] = y * u[2] - (n - y) * d[2];
        r->l_eeee[i] = y * u[3] + (n - y) * d[3];
    }
}

/* cloglog: l = y A(eta) - (n-y) t, t = exp eta, A = log(1-exp(-t)); with g =
   t/(exp(t)-1): A' = g,  A'' = g (1-t-g),  A''' = A'' (1-t-2g) - g t,
   A'''' = A''' (1-t-2g) - A'' (t+2A'') - t (A''+g) */
void dlpi_binomial_cloglog(dlpi_rows *r, double tau, int order)
{
    double *t = r->work[0];
    (void)tau;
    dlp_exp_array(r->n, r->eta, t);
    for (dlp_index i = 0; i < r->n; i++) {
        const double y = r->y[i], n = trials_of(r, i),
                     rest = (n - y) > 0 ? (n - y) * t[i] : 0;
        const double A = t[i] < 1e-300 ? r->eta[i] : log(-expm1(-t[i]));
        r->l[i] = (y > 0 ? y * A : 0) - rest + (r->bare ? 0 : dlpi_log_choose(n, y));
        if (order == 0) continue;
        const double g = t[i] < 1e-300 ? 1 : t[i] > 700 ? 0 : t[i] / expm1(t[i]);
        const double A2 = g > 0 ? g * (1 - t[i] - g) : 0;
        const double A3 = g > 0 ? A2 * (1 - t[i] - 2 * g) - g * t[i] : 0;
        const double A4 =
            g > 0 ? A3 * (1 - t[i] - 2 * g) - A2 * (t[i] + 2 * A2) - t[i] * (A2 + g) : 0;
        r->l_e[i] = y * g - rest;
        r->l_ee[i] = y * A2 - rest;
        r->l_eee[i] = y * A3 - rest;
        r->l_eeee[i] = y * A4 - rest;
    }
}

/* ---- counts ---- */

/* l = y eta - m - log y!, m = exp eta; l' = y - m, l'' = l''' = l'''' = -m */
void dlpi_poisson_log(dlpi_rows *r, double tau, int order)
{
    double *m = r->work[0], *log_factorial = r->work[1];
    (void)tau;
    dlp_exp_array(r->n, r->eta, m);
    for (dlp_index i = 0; i < r->n; i++)
        r->l[i] = (r->y[i] > 0 ? r->y[i] * r->eta[i] : 0) - m[i];
    for (dlp_index i = 0; order > 0 && i < r->n; i++) {
        r->l_e[i] = r->y[i] - m[i];
        r->l_ee[i] = r->l_eee[i] = r->l_eeee[i] = -m[i];
    }
    if (r->bare) return;
    for (dlp_index i = 0; i < r->n; i++) log_factorial[i] = r->y[i] + 1;
    dlp_lgamma_array(r->n, log_factorial, log_factorial);
    for (dlp_index i = 0; i < r->n; i++) r->l[i] -= log_factorial[i];
}

/*
 * Negative binomial with mean m = exp eta and size k = exp tau; M = k + m, q = m/M:
 *   l = log Gamma(y+k) - log Gamma(k) - log y! + k log k + y eta - (y+k) log M
 *   l_e = y - (y+k) q,  l_ee = -(y+k) q (1-q),  l_eee = l_ee (1-2q),
 *   l_eeee = l_ee (1-6q (1-q))
 *   l_k   = Psi(y+k) - Psi(k) + log k + 1 - log M - (y+k)/M
 *   l_kk  = Psi'(y+k) - Psi'(k) + 1/k - 2/M + (y+k)/M^2
 *   l_kkk = Psi''(y+k) - Psi''(k) - 1/k^2 + 3/M^2 - 2 (y+k)/M^3
 *   l_ek = m (y-m)/M^2,  l_ekk = -2 l_ek/M,  l_eek = -m ((y+2k) M - 2k (y+k))/M^3
 * and d/dtau = k d/dk.
 */
static void negative_binomial_row(dlpi_rows *r, dlp_index i, double k,
                                  const double psi_k[3], int order)
{
    const double y = r->y[i], m = r->work[0][i], M = k + m, q = m / M, a = (y + k) / M;
    r->l_e[i] = y - (y + k) * q;
    r->l_ee[i] = -(y + k) * q * (1 - q);
    r->l_eee[i] = r->l_ee[i] * (1 - 2 * q);
    r->l_eeee[i] = r->l_ee[i] * (1 - 6 * q * (1 - q));
    if (r->bare) return;
    const double l_k = r->work[2][i] - psi_k[0] + log(k / M) + 1 - a;
    const double l_ek = q * (y - m) / M;
    r->l_t[i] = k * l_k;
    r->l_et[i] = k * l_ek;
    if (order == 1) return;
    const double l_kk = r->work[3][i] - psi_k[1] + 1 / k + (a - 2) / M;
    r->l_tt[i] = k * l_k + k * k * l_kk;
    if (order == 2) return;
    const double l_kkk = r->work[4][i] - psi_k[2] - 1 / (k * k) + (3 - 2 * a) / (M * M);
    r->l_ttt[i] = k * l_k + 3 * k * k * l_kk + k * k * k * l_kkk;
    r->l_eet[i] = -k * q * (y + 2 * k - 2 * k * a) / M;
    r->l_ett[i] = k * l_ek - 2 * k * k * l_ek / M;
}

void dlpi_negative_binomial_log(dlpi_rows *r, double tau, int order)
{
    double *m = r->work[0], *y_k = r->work[1], *y_1 = r->work[5];
    const double k = exp(tau), lgamma_k = dlp_lgamma(k);
    if (k > DLPI_LARGE_SIZE) {
        dlpi_negative_binomial_large(r, tau, order);
        return;
    }
    const double psi_k[3] = {dlp_digamma(k), dlp_trigamma(k), dlp_tetragamma(k)};
    dlp_exp_array(r->n, r->eta, m);
    for (dlp_index i = 0; i < r->n; i++) {
        y_k[i] = r->y[i] + k;
        y_1[i] = r->y[i] + 1;
    }
    if (order >= 1 && !r->bare) dlp_digamma_array(r->n, y_k, r->work[2]);
    if (order >= 2 && !r->bare) dlp_trigamma_array(r->n, y_k, r->work[3]);
    if (order >= 3 && !r->bare) dlp_tetragamma_array(r->n, y_k, r->work[4]);
    if (r->bare)
        memset(y_1, 0, (size_t)r->n * sizeof *y_1);
    else
        dlp_lgamma_array(r->n, y_1, y_1);
    dlp_lgamma_array(r->n, y_k, y_k);
    for (dlp_index i = 0; i < r->n; i++) {
        /* k log k - k log M = -k log1p(m/k); y eta - y log M = -y log1p(k/m) */
        const double y = r->y[i], zero = y > 0 ? y * log1p(k / m[i]) : 0;
        r->l[i] = y_k[i] - lgamma_k - y_1[i] - k * log1p(m[i] / k) - zero;
        if (order > 0) negative_binomial_row(r, i, k, psi_k, order);
    }
}

/* ---- real and positive responses ---- */

/* Gaussian with sd = exp tau; w = exp(-2 tau), e = y - eta:
   l = -w e^2/2 - tau - log(2 pi)/2 */
void dlpi_gaussian_identity(dlpi_rows *r, double tau, int order)
{
    const double w = exp(-2 * tau), half_log_2_pi = 0.91893853320467274178;
    for (dlp_index i = 0; i < r->n; i++) {
        const double e = r->y[i] - r->eta[i];
        r->l[i] = -0.5 * w * e * e - tau - half_log_2_pi;
        if (order == 0) continue;
        r->l_e[i] = w * e;
        r->l_ee[i] = -w;
        r->l_eee[i] = r->l_eeee[i] = 0;
        r->l_t[i] = w * e * e - 1;
        r->l_tt[i] = -2 * w * e * e;
        r->l_ttt[i] = 4 * w * e * e;
        r->l_et[i] = -2 * w * e;
        r->l_eet[i] = 2 * w;
        r->l_ett[i] = 4 * w * e;
    }
}

/*
 * Gamma with mean exp eta and shape a = exp tau; v = y exp(-eta):
 *   l = a (tau + log v - v) - log y - log Gamma(a)
 *   l_e = a (v-1),  l_ee = -a v,  l_eee = a v,  l_eeee = -a v
 *   l_t = a B with B = tau + 1 + log v - v - Psi(a); B_t = 1 - a Psi'(a),
 *   B_tt = -a Psi'(a) - a^2 Psi''(a); l_et = l_ett = l_e, l_eet = l_ee
 */
void dlpi_gamma_log(dlpi_rows *r, double tau, int order)
{
    const double a = exp(tau), lgamma_a = dlp_lgamma(a), psi = dlp_digamma(a);
    const double a_psi1 = a * dlp_trigamma(a), B_t = 1 - a_psi1;
    const double B_tt = -a_psi1 - a * a * dlp_tetragamma(a);
    for (dlp_index i = 0; i < r->n; i++) {
        const double log_y = log(r->y[i]), log_v = log_y - r->eta[i], v = exp(log_v);
        r->l[i] = a * (tau + log_v - v) - log_y - lgamma_a;
        if (order == 0) continue;
        const double B = tau + 1 + log_v - v - psi;
        r->l_e[i] = r->l_et[i] = r->l_ett[i] = a * (v - 1);
        r->l_ee[i] = r->l_eet[i] = r->l_eeee[i] = -a * v;
        r->l_eee[i] = a * v;
        r->l_t[i] = a * B;
        r->l_tt[i] = a * (B + B_t);
        r->l_ttt[i] = a * (B + 2 * B_t + B_tt);
    }
}
