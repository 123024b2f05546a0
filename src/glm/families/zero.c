/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/zero.h"

#include "math/draw_counts.h"

#include <delaplace/special.h>
#include <math.h>

/* Beyond, exp(-m) is 0 whatever m is, and m^4 would overflow. */
static const double MOST_MEAN = 1e60;

/* ---- what both share ---- */

/* log(1 - pi) = log sigma(-tau) and its derivatives by tau, for the row */
static void put_rest(dlpi_rows *r, dlp_index i, double tau)
{
    const double pi = dlp_logistic(tau), v = pi * dlp_logistic(-tau);
    r->l[i] = dlp_log_logistic(-tau);
    r->l_t[i] = -pi;
    r->l_tt[i] = -v;
    r->l_ttt[i] = -v * (1 - 2 * pi);
    r->l_e[i] = r->l_ee[i] = r->l_eee[i] = r->l_eeee[i] = 0;
    r->l_et[i] = r->l_eet[i] = r->l_ett[i] = 0;
}

/* y eta - m - log y!, of a count above 0 */
static void add_poisson(dlpi_rows *r, dlp_index i)
{
    const double m = exp(r->eta[i]);
    r->l[i] += r->y[i] * r->eta[i] - m - dlp_lgamma(r->y[i] + 1);
    r->l_e[i] += r->y[i] - m;
    r->l_ee[i] -= m;
    r->l_eee[i] -= m;
    r->l_eeee[i] -= m;
}

/* ---- zero-inflated ---- */

/*
 * A zero: log(pi + (1-pi) exp(-m)) = log(1-pi) + tau + L(w), L = log(1 + exp w), w = -m -
 * tau; with q = L' = sigma(w), v = L'' = q (1-q), L''' = v (1-2q), L'''' = v (1-6v), and all
 * derivatives of w by eta -m:
 */
static void add_zero(dlpi_rows *r, dlp_index i, double tau)
{
    const double m = fmin(exp(r->eta[i]), MOST_MEAN), w = -m - tau;
    const double q = dlp_logistic(w), v = q * dlp_logistic(-w), L3 = v * (1 - 2 * q),
                 L4 = v * (1 - 6 * v);
    r->l[i] += tau + dlp_log1pexp(w);
    r->l_e[i] -= q * m;
    r->l_ee[i] += v * m * m - q * m;
    r->l_eee[i] += -L3 * m * m * m + 3 * v * m * m - q * m;
    r->l_eeee[i] += L4 * m * m * m * m - 6 * L3 * m * m * m + 7 * v * m * m - q * m;
    r->l_t[i] += 1 - q;
    r->l_tt[i] += v;
    r->l_ttt[i] -= L3;
    r->l_et[i] += v * m;
    r->l_eet[i] += v * m - L3 * m * m;
    r->l_ett[i] -= L3 * m;
}

void dlpi_zero_inflated_poisson_log(dlpi_rows *r, double tau, int order)
{
    (void)order;
    for (dlp_index i = 0; i < r->n; i++) {
        put_rest(r, i, tau);
        if (r->y[i] > 0)
            add_poisson(r, i);
        else
            add_zero(r, i, tau);
    }
}

double dlpi_zero_inflated_poisson_mean(double eta, double tau, double second)
{
    (void)second;
    return exp(eta) * dlp_logistic(-tau);
}

/* ---- with a hurdle ---- */

/* log(1 - exp(-m)): with g = m/(exp(m)-1), A' = g, A'' = g (1-m-g), A''' = A'' (1-m-2g) -
   g m, A'''' = A''' (1-m-2g) - A'' (m+2A'') - m (A''+g) */
static void subtract_positive(dlpi_rows *r, dlp_index i)
{
    const double m = exp(r->eta[i]);
    const double g = m < 1e-300 ? 1 : m > 700 ? 0 : m / expm1(m), u = 1 - m - 2 * g;
    r->l[i] -= m < 1e-300 ? r->eta[i] : log(-expm1(-m));
    if (g == 0) return;
    const double A2 = g * (1 - m - g), A3 = A2 * u - g * m;
    r->l_e[i] -= g;
    r->l_ee[i] -= A2;
    r->l_eee[i] -= A3;
    r->l_eeee[i] -= A3 * u - A2 * (m + 2 * A2) - m * (A2 + g);
}

/* log pi = log(1-pi) + tau */
void dlpi_hurdle_poisson_log(dlpi_rows *r, double tau, int order)
{
    (void)order;
    for (dlp_index i = 0; i < r->n; i++) {
        put_rest(r, i, tau);
        if (r->y[i] > 0) {
            add_poisson(r, i);
            subtract_positive(r, i);
        } else {
            r->l[i] += tau;
            r->l_t[i] += 1;
        }
    }
}

/* m / (1 - exp(-m)) is 1 where m is small */
double dlpi_hurdle_poisson_mean(double eta, double tau, double second)
{
    (void)second;
    const double m = exp(eta);
    return dlp_logistic(-tau) * (m < 1e-300 ? 1 : m / -expm1(-m));
}

/* Arrivals at rate 1 up to time m, given that there is at least one: the first at t ~
   exponential given t < m, then a Poisson number in the time that is left. */
double dlpi_draw_positive_poisson(dlp_rng *rng, double mean)
{
    const double u = dlp_draw_uniform(rng), first = -log1p(u * expm1(-mean));
    return 1 + dlpi_draw_poisson(rng, fmax(mean - first, 0));
}
