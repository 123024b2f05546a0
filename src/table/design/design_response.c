/* SPDX-License-Identifier: BSD-3-Clause */
/* The response, the offset, the weights and the groups of a design. */
#include "table/design/design.h"

#include <math.h>

/* ---- the response ---- */

static dlp_status fail_constant(const struct dlpi_build *b, const char *value)
{
    const dlp_index N = b->design->N;
    return dlp_fail(
        b->error, DLP_EINPUT,
        "the response '%s' is '%s' in %s%td row%s used, so there is nothing to "
        "explain; check the column and the missing values",
        dlpi_show(b->response.label).text, dlpi_show(value).text,
        N == 1 ? "the " : "each of the ", N, N == 1 ? "" : "s");
}

static dlp_status make_numeric(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    double constant;
    DLP_TRY(
        dlpi_build_agree(b, dlpi_build_values(b, &b->response.first, b->pool, &d->y)));
    if (b->fitted || b->options.constant_response > 1 ||
        !dlpi_division_constant(d->division, d->N, d->y, &constant))
        return DLP_OK;
    char value[DLPI_NUMBER_TEXT];
    dlpi_number_text(constant, value);
    return fail_constant(b, value);
}

/* `what` they count, and the remedy where there are fewer than 0. */
static dlp_status check_count(const struct dlpi_build *b, const char *what,
                              const double *count, const char *remedy)
{
    const dlp_design *d = b->design;
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        char value[DLPI_NUMBER_TEXT];
        if (count[i] >= 0) continue;
        dlpi_number_text(count[i], value);
        return dlp_fail(b->error, DLP_EINPUT,
                        "the response '%s' has %s %s in row %td (counted from 1); counts "
                        "are not negative%s",
                        dlpi_show(b->response.label).text, value, what,
                        dlpi_row_number(b->design, i), remedy);
    }
    return DLP_OK;
}

static bool is_zero(const dlp_design *d, const double *x)
{
    double value;
    return dlpi_division_constant(d->division, d->N, x, &value) && value == 0;
}

/* A share times the number of trials is a count, up to rounding: within 0.001, as in
   R. */
static dlp_status snap_to_whole(struct dlpi_build *b, const double **count)
{
    const double close = 1e-3, *x = *count;
    const dlp_design *d = b->design;
    const dlp_index from = dlpi_rows_from(d->division),
                    to = dlpi_rows_to(d->division, d->N);
    bool whole = true;
    for (dlp_index i = from; i < to; i++) whole = whole && x[i] == rint(x[i]);
    if (!dlpi_division_any(d->division, !whole)) return DLP_OK;
    double *snapped =
        dlpi_pool_take(b->pool, d->N, sizeof *snapped); /* x may be the table's */
    if (!snapped) return dlpi_build_no_memory(b);
    for (dlp_index i = from; i < to; i++)
        snapped[i] = fabs(x[i] - rint(x[i])) <= close ? rint(x[i]) : x[i];
    *count = snapped;
    return DLP_OK;
}

static dlp_status count_outcomes(struct dlpi_build *b, const double **failures)
{
    dlp_design *d = b->design;
    DLP_TRY(dlpi_build_values(b, &b->response.first, b->pool, &d->y));
    DLP_TRY(dlpi_build_values(b, &b->response.second, b->scratch, failures));
    DLP_TRY(check_count(b, "successes", d->y, ""));
    return check_count(b, "failures", *failures,
                       ". With a column of trials the response is the share of successes "
                       "in them, from 0 to 1; of counts, write cbind(won, trials - won)");
}

static dlp_status make_binomial(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    const double *failures = NULL;
    double *trials = dlpi_pool_take(b->pool, d->N, sizeof *trials);
    if (!trials) return dlpi_build_no_memory(b);
    DLP_TRY(dlpi_build_agree(b, count_outcomes(b, &failures)));
    DLP_TRY(snap_to_whole(b, &d->y));
    DLP_TRY(snap_to_whole(b, &failures));
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        trials[i] = d->y[i] + failures[i];
    d->trials = trials;
    DLP_TRY(dlpi_build_agree(b, dlpi_build_check(b, b->response.label, trials)));
    if (b->fitted || b->options.constant_response > 0) return DLP_OK;
    if (is_zero(d, d->y)) return fail_constant(b, "no success");
    if (is_zero(d, failures)) return fail_constant(b, "no failure");
    return DLP_OK;
}

static dlp_status make_categorical(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    struct dlpi_factor *factor = b->response.factor;
    DLP_TRY(dlpi_factor_code(b->columns.table, d->row, d->N, d->division, b->pool, factor,
                             b->error));
    d->class_code = factor->code;
    if (b->fitted || factor->levels.n > 1) return DLP_OK;
    return fail_constant(b, factor->levels.level[0]);
}

dlp_status dlpi_build_response(struct dlpi_build *build)
{
    build->design->response = build->response.kind;
    switch (build->response.kind) {
    case DLP_RESPONSE_NUMERIC: return make_numeric(build);
    case DLP_RESPONSE_BINOMIAL: return make_binomial(build);
    case DLP_RESPONSE_CATEGORICAL: return make_categorical(build);
    case DLP_RESPONSE_CENSORED: return dlpi_make_censored(build);
    case DLP_RESPONSE_NONE: break;
    }
    return DLP_OK;
}

/* ---- offset, weights and groups ---- */

dlp_status dlpi_build_offset(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    dlp_design *d = b->design;
    if (b->n_offsets == 0) return DLP_OK;
    if (b->n_offsets == 1)
        return dlpi_build_values(b, &b->offset[0], b->pool, &d->offset);
    const dlp_index from = dlpi_rows_from(d->division),
                    to = dlpi_rows_to(d->division, d->N);
    double *sum = dlpi_pool_take(b->pool, d->N, sizeof *sum);
    if (!sum) return dlpi_build_no_memory(b);
    for (dlp_index k = 0; k < b->n_offsets; k++) {
        const double *part;
        DLP_TRY(dlpi_build_values(b, &b->offset[k], b->scratch, &part));
        for (dlp_index i = from; i < to; i++) sum[i] += part[i];
    }
    d->offset = sum;
    return dlpi_build_check(b, "the sum of the offsets", sum);
}

static dlp_status build_precision(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    const double most = 1e100;
    if (!b->options.precision) return DLP_OK;
    DLP_TRY(dlpi_build_values(b, &b->precision, b->pool, &d->precision));
    for (dlp_index i = 0; i < d->N; i++)
        if (!(d->precision[i] >= 1 / most && d->precision[i] <= most))
            return dlp_fail(b->error, DLP_EINPUT,
                            "the precision '%s' is %g in row %td (counted from 1); "
                            "precisions are positive",
                            dlpi_show(b->options.precision).text, d->precision[i],
                            dlpi_row_number(d, i));
    return DLP_OK;
}

static dlp_status take_weights(struct dlpi_build *b, bool *any)
{
    dlp_design *d = b->design;
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    DLP_TRY(dlpi_build_values(b, &b->weight, b->pool, &d->weight));
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        *any |= d->weight[i] > 0;
        if (d->weight[i] < 0)
            return dlp_fail(b->error, DLP_EINPUT,
                            "the weight '%s' is %g in row %td (counted from 1); weights "
                            "are 0 or more",
                            dlpi_show(b->options.weight).text, d->weight[i],
                            dlpi_row_number(d, i));
    }
    return DLP_OK;
}

dlp_status dlpi_build_weight(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    bool any = false;
    DLP_TRY(build_precision(b));
    if (!b->options.weight) return DLP_OK;
    DLP_TRY(dlpi_build_agree(b, take_weights(b, &any)));
    if (!dlpi_division_any(b->design->division, any))
        return dlp_fail(b->error, DLP_EINPUT, "the weight '%s' is 0 in every row",
                        dlpi_show(b->options.weight).text);
    return DLP_OK;
}

dlp_status dlpi_build_group(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    if (!b->group) return DLP_OK;
    DLP_TRY(dlpi_factor_code(b->columns.table, b->design->row, b->design->N,
                             b->design->division, b->pool, b->group, b->error));
    b->design->group = b->group->code;
    return DLP_OK;
}
