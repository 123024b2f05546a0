/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dose that brings a response about: t with eta(t) = eta*, where eta(t) = a(t)'theta is normal.
 * Where eta rises with t, the dose is below t just where eta(t) is above eta*, so that
 *
 *   P(dose < t) = Phi((E[eta(t)] - eta*) / sd[eta(t)]),
 *
 * whose quantiles are the ends of Fieller's interval. Where the mean response depends on
 * scales, so does eta*; it is linear in their logarithms around the posterior mean.
 */
#include "core/core.h"
#include "core/text.h"
#include "math/symmetric/structure.h"
#include "regression/questions/question.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCAN = 64, DOUBLINGS = 14, BISECTIONS = 80 };

typedef struct doses {
    dlpi_question *q;
    dlpi_asked asked;
    double at;        /* the dose that is tried */
    double low, high; /* of the data */
    double target;    /* eta* at the posterior mean of the scales, */
    double slope[2];  /* and how it moves with the logarithm of each */
    dlpi_outcome high_at, low_at;
    bool no_memory; /* a value could not be computed */
} doses;

/* ---- eta* ---- */

/* The eta at which the mean response is y; NaN where there is none. */
static double link_of(const dlpi_question *q, double y, dlpi_scales scales)
{
    double low = -1, high = 1;
    for (int i = 0; i < 60; i++, low *= 2, high *= 2) {
        const double from = dlpi_question_mean(q, low, scales),
                     to = dlpi_question_mean(q, high, scales);
        if (!isfinite(from) || !isfinite(to)) return NAN;
        if ((from < y && y < to) || (to < y && y < from)) break;
        if (high > 1e9) return NAN;
    }
    const bool rises =
        dlpi_question_mean(q, high, scales) > dlpi_question_mean(q, low, scales);
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        if ((dlpi_question_mean(q, middle, scales) < y) == rises)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* d eta* / d log scale, for each scale of the first block */
static dlp_status find_slopes(doses *d, double y, dlp_error *error)
{
    const dlpi_question *q = d->q;
    const dlp_index p = q->r->p, n = q->post.n;
    const double step = 1e-3;
    double *theta = dlpi_calloc(n, sizeof *theta);
    if (!theta) return dlpi_no_memory(error, "the answers");
    memcpy(theta, q->post.mu, (size_t)n * sizeof *theta);
    for (dlp_index j = p; j < n && j < p + 2; j++) {
        theta[j] = q->post.mu[j] + step;
        const double high = link_of(q, y, dlpi_question_scales(q, theta));
        theta[j] = q->post.mu[j] - step;
        const double low = link_of(q, y, dlpi_question_scales(q, theta));
        theta[j] = q->post.mu[j];
        d->slope[j - p] = isfinite(high) && isfinite(low) ? (high - low) / (2 * step) : 0;
    }
    free(theta);
    return DLP_OK;
}

/* ---- eta(t) ---- */

static dlp_status eta_at(doses *d, double t, double *mean, double *sd, dlp_error *error)
{
    dlpi_outcome out;
    double variance;
    d->at = t;
    DLP_TRY(dlpi_question_outcome(d->q, d->asked.n, d->asked.setting, &out, error));
    dlpi_linear_moments(d->q, out.a, mean, &variance);
    *mean += out.constant[0] - d->target;
    if (dlpi_question_has_scales(d->q)) {
        double ignored;
        for (dlp_index j = d->q->r->p, k = 0; j < d->q->post.n && k < 2; j++, k++)
            out.a[j] -= d->slope[k];
        dlpi_linear_moments(d->q, out.a, &ignored, &variance);
    }
    *sd = sqrt(fmax(variance, 0));
    return DLP_OK;
}

/* (E[eta(t)] - eta*) / sd, or with `plain` not divided; NaN where eta has no value. */
static double score(doses *d, double t, bool plain)
{
    double mean, sd;
    dlp_error ignored;
    const dlp_status status = eta_at(d, t, &mean, &sd, &ignored);
    d->no_memory |= status == DLP_ENOMEM;
    if (status != DLP_OK) return NAN;
    return plain ? mean : sd > 0 ? mean / sd : mean > 0 ? INFINITY : -INFINITY;
}

/* Where sign * score is z, between t0 where it is less and t1 where it is more. */
static double bisect(doses *d, double t0, double t1, double sign, double z, bool plain)
{
    for (int i = 0; i < BISECTIONS && t0 != t1; i++) {
        const double middle = 0.5 * (t0 + t1);
        if (middle == t0 || middle == t1) break;
        if (sign * score(d, middle, plain) < z)
            t0 = middle;
        else
            t1 = middle;
    }
    return 0.5 * (t0 + t1);
}

/* ---- the dose ---- */

/* Where E[eta(t)] crosses eta* in [low, high], first from the middle; NaN: nowhere. */
static double scan(doses *d, double low, double high)
{
    double best = NAN, last = NAN, at = NAN;
    const double middle = 0.5 * (d->low + d->high);
    for (int i = 0; i <= SCAN; i++) {
        const double t = low + (high - low) * i / SCAN, f = score(d, t, true);
        if (isfinite(f) && isfinite(last) && (f < 0) != (last < 0)) {
            const double root = bisect(d, at, t, last < 0 ? 1 : -1, 0, true);
            if (!(fabs(best - middle) <= fabs(root - middle))) best = root;
        }
        last = f;
        at = t;
    }
    return best;
}

static double find_dose(doses *d)
{
    double reach = 0, dose = NAN;
    const double range = d->high - d->low;
    for (int i = 0; i < 8 && isnan(dose); i++) {
        dose = scan(d, d->low - reach, d->high + reach);
        reach = i == 0 ? range : 2 * reach;
    }
    return dose;
}

/* The quantile with normal score z, searched outwards from the dose; infinite where there
   is none. */
static double quantile(doses *d, double dose, double sign, double z)
{
    const double outwards = z < 0 ? -1 : 1, range = d->high - d->low;
    double inside = dose, step = range / 16;
    for (int i = 0; i < DOUBLINGS; i++) {
        const double t = inside + outwards * step;
        const double f = sign * score(d, t, false);
        if (isnan(f)) { /* outside the range where the formula has values: go closer to
                           its end */
            step /= 2;
            continue;
        }
        if (outwards * f >= outwards * z)
            return z < 0 ? bisect(d, t, inside, sign, z, false)
                         : bisect(d, inside, t, sign, z, false);
        inside = t;
        step *= 2;
    }
    return outwards * INFINITY;
}

/* The slope of eta at the dose, and the probability that it is above 0. */
static dlp_status find_slope(doses *d, double dose, double *slope, double *above,
                             dlp_error *error)
{
    const dlpi_question *q = d->q;
    const double step = dlpi_question_step(dose, d->high - d->low);
    double mean, variance;
    d->at = dose + step;
    DLP_TRY(
        dlpi_question_outcome(d->q, d->asked.n, d->asked.setting, &d->high_at, error));
    d->at = dose - step;
    DLP_TRY(dlpi_question_outcome(d->q, d->asked.n, d->asked.setting, &d->low_at, error));
    for (dlp_index i = 0; i < q->post.B * q->post.n; i++)
        d->high_at.a[i] -= d->low_at.a[i];
    dlpi_linear_moments(q, d->high_at.a, &mean, &variance);
    mean += d->high_at.constant[0] - d->low_at.constant[0];
    *slope = mean / (2 * step);
    *above = variance > 0 ? dlp_normal_cdf(mean / sqrt(variance)) : mean > 0;
    return DLP_OK;
}

static dlp_status fail_dose(const doses *d, double response, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "no value of '%s' from %.4g to %.4g, and none far beyond, brings the "
                    "response to %g",
                    dlpi_show(d->q->to->answers.of).text, d->low, d->high, response);
}

static dlp_status answer_one(doses *d, double response, dlp_answer *out, dlp_error *error)
{
    dlpi_question *q = d->q;
    double slope, mean, sd;
    char label[64];
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    snprintf(label, sizeof label, "response %g", response);
    out->label = dlpi_pool_copy(q->pool, label, strlen(label));
    if (!out->label) return dlpi_no_memory(error, "the answers");
    const double dose = find_dose(d);
    if (d->no_memory) return dlpi_no_memory(error, "the answers");
    if (isnan(dose)) return fail_dose(d, response, error);
    DLP_TRY(find_slope(d, dose, &slope, &out->above, error));
    DLP_TRY(eta_at(d, dose, &mean, &sd, error));
    out->x = response;
    out->mean = out->median = dose;
    out->sd = sd / fabs(slope);
    for (dlp_index i = 0; i < q->s.n_intervals; i++) {
        const double z = dlp_normal_quantile(0.5 + 0.5 * q->s.interval_level[i]);
        lower[i] = quantile(d, dose, slope > 0 ? 1 : -1, -z);
        upper[i] = quantile(d, dose, slope > 0 ? 1 : -1, z);
    }
    return d->no_memory ? dlpi_no_memory(error, "the answers") : DLP_OK;
}

/* ---- the whole ---- */

static dlp_status set_target(doses *d, double response, dlp_error *error)
{
    const dlpi_question *q = d->q;
    const bool link = q->s.on == DLP_ON_LINK;
    d->target =
        link ? response : link_of(q, response, dlpi_question_scales(q, q->post.mu));
    d->slope[0] = d->slope[1] = 0;
    if (isfinite(d->target))
        return link || !dlpi_question_has_scales(q) ? DLP_OK
                                                    : find_slopes(d, response, error);
    return dlp_fail(error, DLP_EINVAL, "the mean cannot be %g", response);
}

static dlp_status answer(doses *d, const char *column, dlp_index n,
                         const double *response, dlp_error *error)
{
    dlpi_question *q = d->q;
    if (q->K > 1 || q->D > 1)
        return dlp_fail(error, DLP_EINVAL,
                        "doses need a response without levels, and this one is %s",
                        q->r->family->name);
    q->linear = true;
    q->s.exponentiate = 0;
    DLP_TRY(dlpi_asked_make(q, column, false, 2, &d->asked, error));
    dlpi_dimension *of = &d->asked.dimension[0];
    if (!of->number || of->factor)
        return dlp_fail(error, DLP_EINVAL, "a dose is a number, and '%s' has levels",
                        dlpi_show(column).text);
    d->low = of->number[0];
    d->high = of->number[of->n - 1];
    if (!(d->high > d->low))
        return dlp_fail(error, DLP_EINVAL, "'%s' does not vary", dlpi_show(column).text);
    of->number = &d->at;
    of->n = 1;
    d->asked.setting[0].value = 0;
    DLP_TRY(dlpi_question_room(q, dlpi_size(d->asked.combinations, n, 0), 0, error));
    for (dlp_index c = 0; c < d->asked.combinations; c++) {
        const char *const *by = dlpi_asked_by(q, &d->asked, c);
        if (!by) return dlpi_no_memory(error, "the answers");
        for (dlp_index i = 0; i < n; i++) {
            dlp_answer *out = dlpi_question_value(q);
            out->by = by;
            DLP_TRY(set_target(d, response[i], error));
            DLP_TRY(answer_one(d, response[i], out, error));
        }
    }
    return DLP_OK;
}

dlp_status dlp_regression_doses(const dlp_regression *regression, const dlp_table *table,
                                const char *column, dlp_index n, const double *response,
                                const dlp_question_settings *settings,
                                dlp_answers **answers, dlp_error *error)
{
    dlpi_question q;
    doses d = {.q = &q};
    *answers = NULL;
    if (!table || !column || n < 1 || !response)
        return dlp_fail(error, DLP_EINVAL, "doses need a table, a column and a response");
    dlp_status status = dlpi_question_begin(&q, regression, table, settings, error);
    if (q.s.over == DLP_OVER_DEFAULT) q.s.over = DLP_OVER_GRID;
    if (status == DLP_OK) status = answer(&d, column, n, response, error);
    return dlpi_question_end(&q, status, answers);
}
