/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Responses that are known to lie in an interval, with R's words for them:
 *
 *   Surv(time, status)                         status 0: above time; 1: time
 *   Surv(time, status, type = "left")          status 0: below time; 1: time
 *   Surv(lower, upper, type = "interval2")     a missing end is infinite
 *   Surv(time, time2, event, type = "interval")  event 0: above time; 1: time; 2: below
 *                                              time; 3: from time to time2
 *   tobit(y, left = 0, right = 10)             a y at a limit, or beyond, is there or beyond
 */
#include "table/design/design.h"

#include <math.h>
#include <string.h>

/* ---- what is asked for ---- */

static dlp_status fail_option(struct dlpi_build *b, const struct dlpi_node *at,
                              const char *what)
{
    return dlpi_formula_fail(b->formula->text, at->at, b->error, "%s", what);
}

static dlp_status take_type(struct dlpi_build *b, const struct dlpi_node *value)
{
    static const char *const names[] = {[DLPI_CENSORED_RIGHT] = "right",
                                        [DLPI_CENSORED_LEFT] = "left",
                                        [DLPI_CENSORED_INTERVAL] = "interval",
                                        [DLPI_CENSORED_INTERVAL2] = "interval2"};
    for (size_t i = 0; value->kind == DLPI_NODE_TEXT && i < sizeof names / sizeof *names;
         i++)
        if (!strcmp(value->name, names[i])) {
            b->response.censoring = (enum dlpi_censoring)i;
            return DLP_OK;
        }
    return fail_option(b, value,
                       "the type of Surv() is \"right\", \"left\", \"interval\" or "
                       "\"interval2\"; counting processes are not supported");
}

static dlp_status take_limit(struct dlpi_build *b, const struct dlpi_node *option)
{
    const bool left = !strcmp(option->name, "left");
    if ((!left && strcmp(option->name, "right") != 0) ||
        option->first->kind != DLPI_NODE_NUMBER)
        return fail_option(b, option, "tobit() has the limits left = 0 and right = 10");
    *(left ? &b->response.left : &b->response.right) = option->first->number;
    return DLP_OK;
}

/* Reads what follows the first two arguments; *third is one without a name. */
static dlp_status take_options(struct dlpi_build *b, bool limits,
                               const struct dlpi_node *option,
                               const struct dlpi_node **third)
{
    for (; option; option = option->next) {
        if (!limits && option->kind == DLPI_NODE_NAME && !*third) {
            *third = option;
            continue;
        }
        if (option->kind != DLPI_NODE_OPTION)
            return fail_option(b, option, "this is one argument too many");
        if (limits) {
            DLP_TRY(take_limit(b, option));
            continue;
        }
        if (strcmp(option->name, "type") != 0)
            return fail_option(b, option, "Surv() has one option: type = \"left\"");
        DLP_TRY(take_type(b, option->first));
    }
    return DLP_OK;
}

static dlp_status bind(struct dlpi_build *b, const struct dlpi_node *node,
                       struct dlpi_expression *out)
{
    return dlpi_expression_make(b->formula, node, &b->columns, b->scratch, out, b->error);
}

/* An end of an interval may be missing, so its column does not require values, unless a
   term, bound later, uses it too. */
static dlp_status bind_end(struct dlpi_build *b, const struct dlpi_node *node,
                           struct dlpi_expression *out)
{
    if (node->kind != DLPI_NODE_NAME)
        return fail_option(b, node, "an end of \"interval2\" is the name of a column");
    DLP_TRY(bind(b, node, out));
    const dlp_index column = dlpi_expression_column(out);
    if (column >= 0) b->columns.used[column] = false;
    return DLP_OK;
}

dlp_status dlpi_bind_censored(struct dlpi_build *b, const struct dlpi_node *call)
{
    struct dlpi_response *r = &b->response;
    const bool limits = call->function->has_limits;
    const struct dlpi_node *first = call->first, *second = first->next, *third = NULL;
    r->kind = DLP_RESPONSE_CENSORED;
    b->design->has_limits = limits;
    r->left = -INFINITY;
    r->right = INFINITY;
    r->censoring = limits ? DLPI_CENSORED_LIMITS : DLPI_CENSORED_RIGHT;
    DLP_TRY(take_options(b, limits, limits ? second : second->next, &third));
    if (limits && isinf(r->left) && isinf(r->right)) r->left = 0;
    if (limits && !(r->left < r->right))
        return fail_option(b, call, "the left limit must be below the right one");
    if ((third != NULL) != (r->censoring == DLPI_CENSORED_INTERVAL))
        return fail_option(b, call,
                           "write Surv(time, status), Surv(lower, upper, type = "
                           "\"interval2\") or Surv(time, time2, event, type = "
                           "\"interval\")");
    const bool ends = r->censoring == DLPI_CENSORED_INTERVAL2;
    DLP_TRY((ends ? bind_end : bind)(b, first, &r->first));
    if (!limits) DLP_TRY((ends ? bind_end : bind)(b, second, &r->second));
    return third ? bind(b, third, &r->third) : DLP_OK;
}

/* ---- rows ---- */

/* The rows that this process has. */
static dlp_index from(const struct dlpi_build *b)
{
    return dlpi_rows_from(b->design->division);
}

static dlp_index to(const struct dlpi_build *b)
{
    return dlpi_rows_to(b->design->division, b->design->N);
}

/* 0 and 1; R takes 1 and 2, too, where there is a 2. */
static double least_code(const struct dlpi_build *b, const double *code, double most)
{
    bool two = false, zero = false;
    for (dlp_index i = from(b); i < to(b); i++) {
        two = two || code[i] == 2;
        zero = zero || code[i] == 0;
    }
    two = dlpi_division_any(b->design->division, two);
    zero = dlpi_division_any(b->design->division, zero);
    return most == 1 && two && !zero ? 1 : 0;
}

static dlp_status check_codes(const struct dlpi_build *b, const double *code, double most,
                              double least)
{
    for (dlp_index i = from(b); i < to(b); i++)
        if (!(code[i] >= least && code[i] <= most + least) || code[i] != floor(code[i]))
            return dlp_fail(
                b->error, DLP_EINPUT,
                "the status in '%s' is %g in row %td (counted from 1); it "
                "must be %s",
                dlpi_show(b->response.label).text, code[i], dlpi_row_number(b->design, i),
                most == 1 ? "0, censored, or 1, an event"
                          : "0, above; 1, known; 2, below; or 3, an interval");
    return DLP_OK;
}

/* By R's event code: 0 above, 1 known, 2 below, 3 from first to second. */
static void put_row(double event, double first, double second, double *lower,
                    double *upper)
{
    *lower = event == 2 ? -INFINITY : first;
    *upper = event == 0 ? INFINITY : event == 3 ? second : first;
}

static void fill_limits(struct dlpi_build *b, const double *y, double *lower,
                        double *upper)
{
    const struct dlpi_response *r = &b->response;
    for (dlp_index i = from(b); i < to(b); i++) {
        lower[i] = y[i] <= r->left ? -INFINITY : fmin(y[i], r->right);
        upper[i] = y[i] >= r->right ? INFINITY : fmax(y[i], r->left);
    }
}

static void fill_ends(struct dlpi_build *b, const double *first, const double *second,
                      double *lower, double *upper)
{
    for (dlp_index i = from(b); i < to(b); i++) {
        lower[i] = isnan(first[i]) ? -INFINITY : first[i];
        upper[i] = isnan(second[i]) ? INFINITY : second[i];
    }
}

static dlp_status fill_events(struct dlpi_build *b, const double *const *given,
                              double *lower, double *upper)
{
    const bool coded = b->response.censoring == DLPI_CENSORED_INTERVAL,
               left = b->response.censoring == DLPI_CENSORED_LEFT;
    const double *code = coded ? given[2] : given[1], most = coded ? 3 : 1,
                 least = least_code(b, code, most);
    DLP_TRY(check_codes(b, code, most, least));
    for (dlp_index i = from(b); i < to(b); i++) {
        const double event = code[i] - least;
        put_row(left && event == 0 ? 2 : event, given[0][i], given[1][i], &lower[i],
                &upper[i]);
    }
    return DLP_OK;
}

/* given (3): the columns in the brackets, or NULL */
static dlp_status fill_rows(struct dlpi_build *b, const double *const *given,
                            double *lower, double *upper)
{
    switch (b->response.censoring) {
    case DLPI_CENSORED_LIMITS: fill_limits(b, given[0], lower, upper); return DLP_OK;
    case DLPI_CENSORED_INTERVAL2:
        fill_ends(b, given[0], given[1], lower, upper);
        return DLP_OK;
    default: return fill_events(b, given, lower, upper);
    }
}

static dlp_status check_rows(const struct dlpi_build *b, const double *lower,
                             const double *upper)
{
    for (dlp_index i = from(b); i < to(b); i++)
        if (!(lower[i] <= upper[i]))
            return dlp_fail(b->error, DLP_EINPUT,
                            "the response '%s' is from %g to %g in row %td (counted from "
                            "1); the lower end comes first",
                            dlpi_show(b->response.label).text, lower[i], upper[i],
                            dlpi_row_number(b->design, i));
    return DLP_OK;
}

static dlp_status check_any(const struct dlpi_build *b, const double *lower,
                            const double *upper)
{
    bool any = b->fitted != NULL;
    for (dlp_index i = from(b); i < to(b); i++)
        any = any || (isfinite(lower[i]) && isfinite(upper[i]));
    if (dlpi_division_any(b->design->division, any)) return DLP_OK;
    return dlp_fail(b->error, DLP_EINPUT,
                    "the response '%s' is censored in every row, so its spread cannot be "
                    "estimated; check the status",
                    dlpi_show(b->response.label).text);
}

static dlp_status read_given(struct dlpi_build *b, const double **given)
{
    const enum dlpi_censoring kind = b->response.censoring;
    DLP_TRY(dlpi_build_values(b, &b->response.first, b->scratch, &given[0]));
    if (kind != DLPI_CENSORED_LIMITS)
        DLP_TRY(dlpi_build_values(b, &b->response.second, b->scratch, &given[1]));
    if (kind == DLPI_CENSORED_INTERVAL)
        DLP_TRY(dlpi_build_values(b, &b->response.third, b->scratch, &given[2]));
    return DLP_OK;
}

dlp_status dlpi_make_censored(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    const double *given[3] = {NULL};
    double *lower = dlpi_pool_take(b->pool, d->N, sizeof *lower);
    double *upper = dlpi_pool_take(b->pool, d->N, sizeof *upper);
    const dlp_status room = lower && upper ? DLP_OK : dlpi_build_no_memory(b);
    DLP_TRY(dlpi_build_agree(b, room));
    if (!lower || !upper) return DLP_ENOMEM; /* which all know */
    DLP_TRY(dlpi_build_agree(b, read_given(b, given)));
    DLP_TRY(dlpi_build_agree(b, fill_rows(b, given, lower, upper)));
    d->y = lower;
    d->trials = upper;
    DLP_TRY(dlpi_build_agree(b, check_rows(b, lower, upper)));
    return check_any(b, lower, upper);
}
