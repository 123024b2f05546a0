/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of parameters, and the probability that they are above or below others. */
#include "core/core.h"
#include "regression/draw/draws.h"
#include "regression/questions/contrast.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* The parameter that a linear combination is a multiple of; -1: there are several, or none. */
static dlp_index only_one(const dlpi_question *q, const double *a)
{
    dlp_index found = -1;
    for (dlp_index i = 0; i < q->post.B * q->post.n; i++) {
        if (a[i] == 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

/* A single coefficient has the interval that the fit reports for it, which follows its
   skewness. */
static void follow_margin(const dlpi_question *q, const dlpi_contrast_value *value,
                          dlp_answer *out)
{
    const dlp_index i = only_one(q, value->a);
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    if (!q->r->margin || q->r->grouping == DLP_MIXED || q->r->n_written > 0 || i < 0)
        return;
    const double by = value->a[i], from = value->constant;
    for (dlp_index k = 0; k < q->s.n_intervals; k++) {
        const double z = dlp_normal_quantile(0.5 + 0.5 * q->s.interval_level[k]),
                     one = from + by * dlpi_margin_at(&q->r->margin[i], -z),
                     other = from + by * dlpi_margin_at(&q->r->margin[i], z);
        lower[k] = fmin(one, other);
        upper[k] = fmax(one, other);
        if (q->s.exponentiate) lower[k] = exp(lower[k]), upper[k] = exp(upper[k]);
    }
    const double median = from + by * q->r->margin[i].median,
                 below = dlp_normal_cdf(dlpi_margin_place(&q->r->margin[i], -from / by));
    out->median = q->s.exponentiate ? exp(median) : median;
    out->above = by > 0 ? 1 - below : below;
}

static dlp_status answer_one(dlpi_question *q, const dlpi_contrast_names *names,
                             const char *text, dlp_answer *out, dlp_error *error)
{
    dlpi_contrast_value value;
    int sign;
    out->label = dlpi_pool_copy(q->pool, text, strlen(text));
    if (!out->label) return dlpi_no_memory(error, "the answers");
    DLP_TRY(dlpi_contrast_parse(q, names, text, &value, &sign, error));
    if (value.draw)
        DLP_TRY(dlpi_answer_draws(q, value.draw, out, error));
    else if (value.a)
        DLP_TRY(dlpi_answer_linear(q, value.a, value.constant, out, error));
    else
        DLP_TRY(dlpi_answer_normal(q, value.constant, 0, out, error));
    if (value.a && !value.draw) follow_margin(q, &value, out);
    out->compared = sign != 0;
    if (sign < 0) out->above = 1 - out->above;
    return DLP_OK;
}

static dlp_status answer(dlpi_question *q, dlp_index n, const char *const *text,
                         dlp_error *error)
{
    dlpi_contrast_names names = {.n = 0};
    DLP_TRY(dlpi_contrast_blocks(q, error));
    DLP_TRY(dlpi_question_room(q, n, 0, error));
    dlp_status status = dlpi_contrast_names_make(q, &names, error);
    for (dlp_index i = 0; status == DLP_OK && i < n; i++)
        status = answer_one(q, &names, text[i], dlpi_question_value(q), error);
    dlp_draws_free(names.draws);
    return status;
}

dlp_status dlp_regression_contrasts(const dlp_regression *regression, dlp_index n,
                                    const char *const *text,
                                    const dlp_question_settings *settings,
                                    dlp_answers **answers, dlp_error *error)
{
    dlpi_question q;
    *answers = NULL;
    if (n < 1 || !text)
        return dlp_fail(error, DLP_EINVAL, "say which combination of coefficients");
    dlp_status status = dlpi_question_begin(&q, regression, NULL, settings, error);
    if (status == DLP_OK) status = answer(&q, n, text, error);
    return dlpi_question_end(&q, status, answers);
}
