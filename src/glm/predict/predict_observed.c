/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a new response will lie: quantiles of its distribution with q(theta) integrated out,
 *
 *   F(y) = E_q[F(y | eta, tau)],   (eta, tau) ~ N by q,
 *
 * by sums, not by simulation: the same row has the same interval, to all digits. Given tau,
 * eta is normal. A gaussian response is then normal itself; of the others F(y | eta, tau)
 * falls from 1 to 0 as eta rises, and is integrated over where it does. A row's weight says
 * how often it was observed, so that a new response has none.
 */
#include "core/core.h"
#include "glm/families/beta.h"
#include "glm/families/location_scale.h"
#include "glm/families/zero_negative_binomial.h"
#include "glm/predict/predict.h"
#include "math/special/gauss_legendre.h"
#include "math/special/tails.h"

#include <delaplace/special.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* A new response of one row. */
typedef struct response {
    const dlpi_family *family;
    const struct observed *how;
    double eta, eta_sd; /* under q */
    double tau, tau_sd;
    double slope;    /* E[eta | tau] = eta + slope (tau - E[tau]) */
    double given_sd; /* of eta given tau */
    double width;    /* roughly the sd of u */
    bool steep;      /* F(y | eta) may not be smooth on that scale */
    double trials;   /* of a binomial; else infinity */
    double df;       /* student */
} response;

/* How to find quantiles of a family's responses. The search is on a scale u on which they
   are closer to normal: y itself, log y, log(y + 1) or logit y. */
typedef struct observed {
    dlpi_family_number family;
    /* P(Y <= y(u) | eta, tau). For counts, a curve that passes through its values at the
       whole numbers. */
    double (*cdf)(const response *r, double u, double eta, double tau);
    /* Roughly the centre and the sd of u given eta and tau. */
    double (*centre)(const response *r);
    double (*spread)(const response *r);
    double (*back)(double u); /* y(u) */
    bool whole;
} observed;

/* ---- families ---- */

/* Nodes far out in a wide q(tau) would overflow. */
static double scale_at(double tau)
{
    return exp(fmin(fmax(tau, -690), 690));
}

static double same(double u)
{
    return u;
}

static double gaussian_centre(const response *r)
{
    return r->eta;
}

static double gaussian_spread(const response *r)
{
    return scale_at(r->tau);
}

/* eta is integrated out here: the sd includes that of eta given tau. */
static double gaussian_cdf(const response *r, double u, double eta, double tau)
{
    return dlp_normal_cdf((u - eta) / hypot(r->given_sd, scale_at(tau)));
}

/* Y = exp(eta) G / a, G ~ Gamma(a, 1) */
static double gamma_cdf(const response *r, double u, double eta, double tau)
{
    const double a = scale_at(tau);
    (void)r;
    return dlpi_gamma_tails(a, a * exp(u - eta)).lower;
}

static double gamma_spread(const response *r)
{
    return sqrt(1 / scale_at(r->tau));
}

/* P(Y <= y) = Q(y + 1, m) */
static double poisson_cdf(const response *r, double u, double eta, double tau)
{
    const double m = r->family->mean(eta);
    (void)tau;
    return m > 0 ? dlpi_gamma_tails(exp(u), m).upper : 1;
}

static double count_centre(const response *r)
{
    return r->family->positive ? log1p(r->family->mean(r->eta)) : dlp_log1pexp(r->eta);
}

static double poisson_spread(const response *r)
{
    return exp(-0.5 * count_centre(r));
}

/* P(Y <= y) = I_{k/(k+m)}(k, y + 1); with a large size k it is Poisson's. */
static double negative_binomial_cdf(const response *r, double u, double eta, double tau)
{
    const double poisson = 30; /* log size, beyond which rounding would dominate */
    if (tau > poisson) return poisson_cdf(r, u, eta, tau);
    const double x = dlp_logistic(tau - eta), y = dlp_logistic(eta - tau);
    return dlpi_beta_tails(scale_at(tau), exp(u), x, y).lower;
}

static double negative_binomial_spread(const response *r)
{
    return hypot(poisson_spread(r), sqrt(1 / scale_at(r->tau)));
}

/* P(Y <= y) = I_{1-p}(n - y, y + 1) */
static double binomial_cdf(const response *r, double u, double eta, double tau)
{
    const double left = r->trials - expm1(u), p = r->family->mean(eta);
    const double rounding = 1e-12 * (1 + r->trials); /* of u */
    (void)tau;
    return left > rounding ? dlpi_beta_tails(left, exp(u), 1 - p, p).lower : 1;
}

static double binomial_centre(const response *r)
{
    return log1p(r->trials * r->family->mean(r->eta));
}

static double binomial_spread(const response *r)
{
    return exp(-0.5 * binomial_centre(r));
}

/* Y = eta + exp(tau) T */
static double student_cdf(const response *r, double u, double eta, double tau)
{
    return dlp_student_cdf((u - eta) / scale_at(tau), r->df);
}

/* log Y = eta + exp(tau) Z, Z the logarithm of an exponential variable */
static double weibull_cdf(const response *r, double u, double eta, double tau)
{
    (void)r;
    return dlpi_extreme_cdf((u - eta) / scale_at(tau));
}

/* u = logit y */
static double beta_cdf(const response *r, double u, double eta, double tau)
{
    const double phi = scale_at(tau), a = phi * dlp_logistic(eta),
                 b = phi * dlp_logistic(-eta);
    (void)r;
    if (!(a > DBL_MIN)) return 1;
    if (!(b > DBL_MIN)) return 0;
    return dlpi_beta_tails(a, b, dlp_logistic(u), dlp_logistic(-u)).lower;
}

/* The variance of logit Y: psi'(a) + psi'(b) */
static double beta_spread(const response *r)
{
    const double phi = scale_at(r->tau), least = 1e-3;
    return sqrt(dlp_trigamma(fmax(phi * dlp_logistic(r->eta), least)) +
                dlp_trigamma(fmax(phi * dlp_logistic(-r->eta), least)));
}

/* Linear between whole numbers. */
static double beta_binomial_cdf(const response *r, double u, double eta, double tau)
{
    const double phi = scale_at(tau), a = phi * dlp_logistic(eta),
                 b = phi * dlp_logistic(-eta), y = expm1(u), below = floor(y);
    if (!(a > DBL_MIN)) return 1;
    if (!(b > DBL_MIN)) return y >= r->trials;
    const double F = dlpi_beta_binomial_cdf(r->trials, a, b, below);
    return y == below ? F
                      : F + (y - below) *
                                (dlpi_beta_binomial_cdf(r->trials, a, b, below + 1) - F);
}

static double beta_binomial_spread(const response *r)
{
    return hypot(binomial_spread(r), sqrt(1 / (1 + scale_at(r->tau))));
}

static double zero_inflated_cdf(const response *r, double u, double eta, double tau)
{
    const double pi = dlp_logistic(tau);
    return pi + (1 - pi) * poisson_cdf(r, u, eta, tau);
}

/* P(Y <= y) = pi + (1-pi) (F(y) - F(0)) / (1 - F(0)) */
static double hurdle_cdf(const response *r, double u, double eta, double tau)
{
    const double pi = dlp_logistic(tau), zero = exp(-exp(eta)), above = -expm1(-exp(eta));
    const double over = poisson_cdf(r, u, eta, tau) - zero;
    if (!(above > 0)) return u >= log(2) ? 1 : pi; /* only 0 and 1 are left */
    return pi + (1 - pi) * fmin(fmax(over / above, 0), 1);
}

static double inflated_negative_binomial_cdf(const response *r, double u, double eta,
                                             double tau)
{
    const double pi = dlp_logistic(tau);
    return pi + (1 - pi) * negative_binomial_cdf(r, u, eta, log(r->df));
}

static double hurdle_negative_binomial_cdf(const response *r, double u, double eta,
                                           double tau)
{
    const double pi = dlp_logistic(tau), A = dlpi_negative_binomial_log_zero(eta, r->df),
                 above = -expm1(A);
    if (!(above > 0)) return u >= log(2) ? 1 : pi;
    const double over = negative_binomial_cdf(r, u, eta, log(r->df)) - exp(A);
    return pi + (1 - pi) * fmin(fmax(over / above, 0), 1);
}

static double second_spread(const response *r)
{
    return hypot(poisson_spread(r), sqrt(1 / r->df));
}

static const observed table[] = {
    {DLPI_GAUSSIAN, gaussian_cdf, gaussian_centre, gaussian_spread, same, false},
    {DLPI_GAMMA, gamma_cdf, gaussian_centre, gamma_spread, exp, false},
    {DLPI_POISSON, poisson_cdf, count_centre, poisson_spread, expm1, true},
    {DLPI_NEGATIVE_BINOMIAL, negative_binomial_cdf, count_centre,
     negative_binomial_spread, expm1, true},
    {DLPI_BINOMIAL, binomial_cdf, binomial_centre, binomial_spread, expm1, true},
    {DLPI_STUDENT, student_cdf, gaussian_centre, gaussian_spread, same, false},
    {DLPI_TOBIT, gaussian_cdf, gaussian_centre, gaussian_spread, same, false},
    {DLPI_LOG_NORMAL, gaussian_cdf, gaussian_centre, gaussian_spread, exp, false},
    {DLPI_EXPONENTIAL, weibull_cdf, gaussian_centre, gaussian_spread, exp, false},
    {DLPI_WEIBULL, weibull_cdf, gaussian_centre, gaussian_spread, exp, false},
    {DLPI_BETA, beta_cdf, gaussian_centre, beta_spread, dlp_logistic, false},
    {DLPI_BETA_BINOMIAL, beta_binomial_cdf, binomial_centre, beta_binomial_spread, expm1,
     true},
    {DLPI_ZERO_INFLATED_POISSON, zero_inflated_cdf, count_centre, poisson_spread, expm1,
     true},
    {DLPI_HURDLE_POISSON, hurdle_cdf, count_centre, poisson_spread, expm1, true},
    {DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL, inflated_negative_binomial_cdf, count_centre,
     second_spread, expm1, true},
    {DLPI_HURDLE_NEGATIVE_BINOMIAL, hurdle_negative_binomial_cdf, count_centre,
     second_spread, expm1, true},
};

static const observed *find(const dlpi_family *family)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (dlp_family_at((int)table[i].family) == family->of) return &table[i];
    return NULL;
}

/* ---- F(y) ---- */

/* E[g(Z)], Z ~ N(0, 1), for a g that is smooth on the scale of the step: by the trapezoidal
   rule, whose weights are taken to add up to 1. */
typedef double smooth(const response *r, double u, double tau, double z);
static double normal_mean(smooth *g, double step, const response *r, double u, double tau)
{
    const double far = 6;
    const int nodes = (int)lround(2 * far / step);
    double sum = 0, weights = 0;
    for (int k = 0; k <= nodes; k++) {
        const double z = k * step - far, weight = exp(-0.5 * z * z);
        weights += weight;
        sum += weight * g(r, u, tau, z);
    }
    return sum / weights;
}

static double eta_given(const response *r, double tau, double z)
{
    return r->eta + r->slope * (tau - r->tau) + z * r->given_sd;
}

static double at_eta(const response *r, double u, double tau, double z)
{
    return r->how->cdf(r, u, eta_given(r, tau, z), tau);
}

/* Where F(y | eta) passes a value: above it at z = low, below at high. */
typedef struct passing {
    double value, low, high;
} passing;

static void halve(const response *r, double u, double tau, passing *p)
{
    const double middle = 0.5 * (p->low + p->high);
    if (at_eta(r, u, tau, middle) > p->value)
        p->low = middle;
    else
        p->high = middle;
}

/* Where F begins to fall and where it has fallen, to a tenth of the distance between the
   two, or the limits where that happens beyond them. */
static void find_fall(const response *r, double u, double tau, passing *begins,
                      passing *ends)
{
    const int most = 50; /* down to the rounding of z */
    if (at_eta(r, u, tau, begins->low) <= begins->value) begins->high = begins->low;
    if (at_eta(r, u, tau, ends->high) >= ends->value) ends->low = ends->high;
    for (int i = 0; i < most; i++) {
        const double tenth = 0.1 * (ends->high - begins->low);
        const bool early = begins->high - begins->low > tenth,
                   late = ends->high - ends->low > tenth;
        if (early) halve(r, u, tau, begins);
        if (late) halve(r, u, tau, ends);
        if (!early && !late) break;
    }
}

/* For an F(y | eta) that may be steep compared with q: integrates over where it falls;
   below that, F is 1. */
static double over_steep(const response *r, double u, double tau)
{
    const double far = 7, little = 1e-12, root_2pi = 2.5066282746310005024;
    passing begins = {1 - little, -far, far}, ends = {little, -far, far};
    find_fall(r, u, tau, &begins, &ends);
    double sum = dlp_normal_cdf(begins.low) * at_eta(r, u, tau, begins.low);
    for (int k = 0; k < DLPI_LEGENDRE; k++) {
        const double z = dlpi_legendre_node(k, begins.low, ends.high);
        const double weight = dlpi_legendre_weight(k, begins.low, ends.high) / root_2pi;
        sum += weight * exp(-0.5 * z * z) * at_eta(r, u, tau, z);
    }
    return sum;
}

/* E[F(y | eta, tau)] over eta given tau */
static double given_tau(const response *r, double u, double tau)
{
    if (r->given_sd == 0 || r->how->cdf == gaussian_cdf) return at_eta(r, u, tau, 0);
    return r->steep ? over_steep(r, u, tau) : normal_mean(at_eta, 1, r, u, tau);
}

static double at_tau(const response *r, double u, double tau, double z)
{
    return given_tau(r, u, tau + z * r->tau_sd);
}

/* E[F(y | tau)] over tau, with which F varies on a scale of 1 */
static double distribution(const response *r, double u)
{
    if (r->tau_sd == 0) return given_tau(r, u, r->tau);
    const double step = r->tau_sd < 0.25 ? 1 : r->tau_sd < 1 ? 0.5 : 0.2;
    return normal_mean(at_tau, step, r, u, r->tau);
}

/* ---- quantiles ---- */

/* A point, and how far F there is from p, in sds of a normal: nearly linear in u. */
typedef struct point {
    double u, off;
} point;

static point at(const response *r, double u, double p)
{
    const double F = distribution(r, u), most = 8;
    const double z = fmin(fmax(dlp_normal_quantile(fmin(fmax(F, 0), 1)), -most), most);
    return (point){u, z - dlp_normal_quantile(p)};
}

enum { MOST_STEPS = 200 };

/* Moves away from a point in growing steps until F has passed p. */
static point walk(const response *r, point from, double step, double p)
{
    point next = from;
    for (int i = 0; i < MOST_STEPS && (next.off < 0) == (from.off < 0); i++) {
        const double u = next.u + (from.off < 0 ? step : -step);
        next = at(r, r->how->whole ? fmax(u, 0) : u, p);
        step *= 2;
    }
    return next;
}

/* How close to the quantile is close enough: counts will be rounded. */
static double tolerance(const response *r, double u)
{
    return r->how->whole ? 0.2 * exp(-u) : 1e-10 * r->width + 4 * DBL_EPSILON * fabs(u);
}

/* False position, where an end that stays twice is pulled closer (Illinois). If it takes
   long, it bisects now and then, so that it always ends. */
static double between(const response *r, point low, point high, double p)
{
    const int long_enough = 8;
    const double close = 1e-9; /* to which F itself is known */
    char stayed = ' ';         /* the end that stayed last: 'l' or 'h' */
    for (int i = 1; i < MOST_STEPS; i++) {
        const double width = high.u - low.u, least = 0.3 * tolerance(r, high.u);
        const bool middle = i > long_enough && i % 2;
        const double share = middle ? 0.5 : -low.off / (high.off - low.off);
        if (!(width > 3 * least)) break;
        const point next =
            at(r, low.u + fmin(fmax(share * width, least), width - least), p);
        if (fabs(next.off) < close) return next.u;
        if (next.off < 0) {
            low = next;
            high.off *= stayed == 'h' ? 0.5 : 1;
            stayed = 'h';
        } else {
            high = next;
            low.off *= stayed == 'l' ? 0.5 : 1;
            stayed = 'l';
        }
    }
    return 0.5 * (low.u + high.u);
}

/* The smallest whole number with F >= p, from a u where F = p: rounding may be off by one. */
static double whole(const response *r, double u, double p)
{
    const double exact = 9e15;
    const double y = fmin(ceil(r->how->back(u)), r->trials);
    if (!(y < exact)) return y;
    if (distribution(r, log1p(y)) < p) return fmin(y + 1, r->trials);
    return y > 0 && distribution(r, log1p(y - 1)) >= p ? y - 1 : y;
}

static double quantile(const response *r, double p)
{
    const double centre = r->how->centre(r), sds = fabs(dlp_normal_quantile(p));
    const double step = fmax(1.1 * sds * r->width, 4 * DBL_EPSILON * fabs(centre));
    if (r->how->whole && at(r, 0, p).off >= 0) return 0;
    const point from = at(r, centre, p);
    const point to = walk(r, from, fmin(fmax(step, DBL_MIN), 1e6), p);
    const double u = from.off < 0 ? between(r, from, to, p) : between(r, to, from, p);
    return r->how->whole ? whole(r, u, p) : r->how->back(u);
}

/* ---- rows ---- */

static bool has_trials(const dlpi_family *family)
{
    return family->of->support == DLP_SUPPORT_TRIALS;
}

static response response_of(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                            const dlpi_predictor *q)
{
    response r = {.family = family,
                  .how = find(family),
                  .eta = q->eta,
                  .eta_sd = q->eta_sd,
                  .tau = q->tau,
                  .tau_sd = q->tau_sd,
                  .slope = q->slope,
                  .given_sd = q->given_sd,
                  .trials = INFINITY,
                  .df = d->df > 0 ? d->df : DLP_GLM_DF};
    if (has_trials(family)) r.trials = d->trials ? d->trials[i] : 1;
    const double spread = r.how->spread(&r);
    /* the sd of the logarithm of a mean that is eta or its square: at most 2 sd / eta */
    const double eta_sd =
        family->positive ? 2 * r.eta_sd / fmax(r.eta, r.eta_sd) : r.eta_sd;
    r.width = hypot(spread, eta_sd);
    /* how little responses vary where tau is three sds above its mean */
    r.steep = family->positive || spread * exp(-1.5 * r.tau_sd) < 3 * r.given_sd;
    return r;
}

static dlp_status check_trials(const dlpi_family *family, const dlp_glm_data *d,
                               dlp_error *error)
{
    for (dlp_index i = 0; has_trials(family) && d->trials && i < d->N; i++)
        if (!family->supports(0, d->trials[i]))
            return dlp_fail(
                error, DLP_EINPUT,
                "row %td: the number of trials is %g; it must be a whole number from 0",
                i + 1, d->trials[i]);
    return DLP_OK;
}

dlp_status dlpi_predict_observed(const dlpi_family *family, const dlp_glm_data *d,
                                 const double *mu, const dlp_sym *Sigma,
                                 const double *more, const dlp_glm_prediction *out,
                                 dlp_error *error)
{
    if (!find(family))
        return dlp_fail(error, DLP_EINVAL,
                        "a response of family %s is one of several levels: ask for their "
                        "probabilities, not for an interval",
                        family->of->name);
    DLP_TRY(check_trials(family, d, error));
    double *row = dlpi_calloc(d->p, sizeof *row);
    if (!row) return dlpi_no_memory(error, "predictions");
    for (dlp_index i = 0; i < d->N; i++) {
        dlpi_load_row(d, i, row);
        const dlpi_predictor q =
            dlpi_predictor_of(family, d, i, row, mu, Sigma, more ? more[i] : 0);
        const response r = response_of(family, d, i, &q);
        if (out->observed_lower)
            out->observed_lower[i] = quantile(&r, 1 - dlpi_upper_quantile(out));
        if (out->observed_upper)
            out->observed_upper[i] = quantile(&r, dlpi_upper_quantile(out));
    }
    free(row);
    return DLP_OK;
}

/* ---- the share below a response ---- */

/* u(y), the inverse of back. */
static double forth(const observed *how, double y)
{
    if (how->back == exp) return log(y);
    if (how->back == expm1) return log1p(y);
    if (how->back == dlp_logistic) return log(y) - log1p(-y);
    return y;
}

/* F at y, an end of an interval or a whole number. */
static double share_up_to(const response *r, double y)
{
    const bool positive = r->how->back != same;
    if (y == INFINITY) return 1;
    if (y == -INFINITY || (positive && y < 0) || (r->how->back == exp && y <= 0))
        return 0;
    return fmin(fmax(distribution(r, forth(r->how, y)), 0), 1);
}

/* P(y = 1) = E[mean(eta)] */
static double success(const dlpi_family *family, const dlpi_predictor *q)
{
    double sum = 0, weights = 0;
    for (int k = 0; k < DLPI_NODES; k++) {
        weights += dlpi_node_weight(k);
        sum += dlpi_node_weight(k) * family->mean(q->eta + q->eta_sd * dlpi_node(k));
    }
    return fmin(fmax(sum / weights, 0), 1);
}

void dlpi_predictive_cdf(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                         const dlpi_predictor *q, double *below, double *up_to)
{
    const double y = d->y[i];
    if (family->of->support == DLP_SUPPORT_BINARY) {
        const double p = success(family, q);
        *below = y > 0 ? 1 - p : 0;
        *up_to = y > 0 ? 1 : 1 - p;
        return;
    }
    const response r = response_of(family, d, i, q);
    if (family->of->censored) {
        *below = share_up_to(&r, y);
        *up_to = share_up_to(&r, dlpi_second_of(family, d->y, d->trials, i));
    } else {
        *up_to = share_up_to(&r, y);
        *below = r.how->whole ? share_up_to(&r, y - 1) : *up_to;
    }
    *below = fmin(*below, *up_to);
}
