/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects of priors and data on a fit that most people would not expect. */
#include <delaplace/diagnostics.h>

#include "regression/margins.h"
#include "regression/regression.h"

#include <math.h>
#include <string.h>

/* Those found so far. */
typedef struct list {
    const dlp_regression *of;
    const dlp_regression_result *r;
    dlp_index room, n;
    dlp_diagnostic *out;
} list;

static void add(list *l, dlp_diagnostic found)
{
    if (l->n < l->room) l->out[l->n] = found;
    l->n++;
}

/* ---- fits that found no maximum ---- */

static bool has_ended(const dlp_regression_result *r)
{
    return r->outcome == DLP_CONVERGED || r->outcome == DLP_CANCELLED;
}

/* The most likely means of some counts may be 0, where there is no density. */
static void find_link(list *l)
{
    const dlp_regression_result *r = l->r;
    if (r->family->support != DLP_SUPPORT_COUNT || r->link_kind == DLP_LINK_LOG ||
        has_ended(r))
        return;
    add(l, (dlp_diagnostic){.kind = DLP_LINK_LEAVES_SUPPORT, .parameter = -1});
}

/* The usual reason why a regression with a scale finds no maximum. The default method
   needs no joint maximum of all parameters, so it has one reason less. */
static void find_lost_scale(list *l)
{
    const dlp_regression_result *r = l->r;
    const bool by_group = r->mu0 && !r->shared_scale;
    if (!r->family->scale || has_ended(r) || !(by_group || dlp_regression_is_lost(r)))
        return;
    const dlp_diagnostic_kind kind = by_group ? DLP_SCALE_OF_GROUPS
                                     : r->method_kind != DLP_METHOD_DELTA
                                         ? DLP_SCALE_WITHOUT_MODE
                                         : DLP_RESPONSE_EXPLAINED;
    add(l, (dlp_diagnostic){.kind = kind, .parameter = -1});
}

/* ---- priors ---- */

/* The Gaussian prior of a coefficient, or of the first cut point, which takes the place
   of an intercept; false for other parameters. */
static bool gaussian_prior(const list *l, dlp_index i, dlp_coefficient_prior *prior)
{
    const dlp_regression_result *r = l->r;
    const dlp_glm_prior usual = dlp_glm_prior_default();
    const bool by_level = r->family->support == DLP_SUPPORT_LEVELS;
    const dlp_index column = by_level ? i % r->p : i;
    if (column >= dlp_regression_plain_columns(r) && column < r->p)
        return false; /* of a smooth */
    if (i < r->p || by_level) {
        *prior = dlpi_regression_prior_of(l->of, i % r->p);
        return !(prior->df > 0);
    }
    *prior = (dlp_coefficient_prior){.mean = usual.scale_mean,
                                     .sd = r->first_cut_sd > 0 ? r->first_cut_sd
                                                               : usual.scale_sd,
                                     .weak = r->first_cut_sd > 0};
    return r->family->support == DLP_SUPPORT_ORDERED && i == r->p;
}

/* A prior sd that would let parameter i move freely. That of a cut point refers to the
   means of the columns. */
static double wider_sd(const dlp_regression_result *r, dlp_index i, double sd)
{
    const bool cut = r->family->support == DLP_SUPPORT_ORDERED && i >= r->p;
    if (cut) return 10 * r->cut_sd;
    return (dlp_regression_is_intercept(r, i) ? 100 : 10) * sd;
}

/* A parameter more than two sds from the mean of its prior: data and prior disagree, and
   the answer is a compromise. With few rows a prior matters in any case. */
static void find_held_back(list *l)
{
    const dlp_regression_result *r = l->r;
    dlp_diagnostic found = {.parameter = -1, .value = 2};
    dlp_coefficient_prior prior;
    for (dlp_index i = 0; i < r->n; i++) {
        if (!gaussian_prior(l, i, &prior)) continue;
        const double away = fabs(r->mu[i] - prior.mean) / prior.sd;
        if (!(away > found.value)) continue;
        found.value = away;
        found.parameter = i;
        found.prior = prior;
    }
    if (found.parameter < 0) return;
    found.kind = r->few_rows ? DLP_PRIOR_MATTERS : DLP_PRIOR_HOLDS_BACK;
    found.wider_sd = wider_sd(r, found.parameter, found.prior.sd);
    add(l, found);
}

/* Posteriors that equal the prior: the data say nothing about the parameter, or the units
   of a column keep them from saying more. */
static void find_idle(list *l)
{
    const double idle = 0.99; /* the share of the prior's sd that is left */
    const dlp_regression_result *r = l->r;
    dlp_diagnostic found = {.kind = DLP_PRIOR_ALONE, .parameter = -1};
    for (dlp_index i = 0; i < r->n; i++) {
        dlp_coefficient_prior prior;
        const double sd = sqrt(r->Sigma[i * (r->n + 1)]);
        if (!gaussian_prior(l, i, &prior) || !(sd > idle * prior.sd)) continue;
        if (found.count++ == 0) {
            found.parameter = i;
            found.prior = prior;
        }
        found.stated_column |= !prior.weak && !dlp_regression_is_intercept(r, i);
        found.stated_intercept |= !prior.weak && dlp_regression_is_intercept(r, i);
    }
    if (found.count > 0) add(l, found);
}

/* Where the data are silent, the prior decides. A weak one says next to nothing. */
static void find_few_rows(list *l)
{
    const dlp_regression_result *r = l->r;
    const double rows = dlpi_counted_rows(r);
    if (rows > (double)dlp_regression_plain_columns(r) || r->prior_df > 0 ||
        !dlp_regression_is_weak(l->of))
        return;
    add(l, (dlp_diagnostic){.kind = DLP_FEW_ROWS, .parameter = -1, .value = rows});
}

/* Families with levels are fitted by propagation when rows are few. */
static void find_unpropagated(list *l)
{
    const dlp_regression_result *r = l->r;
    if (!dlp_family_has_levels(r->family) || !r->few_rows || r->propagated ||
        r->method_kind != DLP_METHOD_DELTA)
        return;
    add(l, (dlp_diagnostic){.kind = DLP_LEVELS_NOT_PROPAGATED,
                            .parameter = -1,
                            .count = r->terms->response.n});
}

static double mean_of_groups(const dlp_regression_result *r, dlp_index i)
{
    double sum = 0;
    for (dlp_index m = 0; m < r->M; m++) sum += r->mu[m * r->n + i];
    return sum / (double)r->M;
}

/* Groups that lie far from their mean under the paper's hyperprior, which is near 0. */
static void find_hyperprior(list *l)
{
    const dlp_regression_result *r = l->r;
    double most = 2 * sqrt(r->phi1);
    dlp_index farthest = -1;
    if (r->grouping != DLP_HIERARCHICAL || !r->paper_hyperprior) return;
    for (dlp_index i = 0; i < r->n; i++) {
        const double away = fabs(mean_of_groups(r, i));
        if (!(away > most)) continue;
        most = away;
        farthest = i;
    }
    if (farthest < 0) return;
    add(l, (dlp_diagnostic){.kind = DLP_HYPERPRIOR_HOLDS_BACK,
                            .parameter = farthest,
                            .value = most / sqrt(r->phi1)});
}

/* Cut points whose gaps have long tails that were not followed. */
static void find_cuts(list *l)
{
    dlp_diagnostic found = {.kind = DLP_CUTS_BY_LOGARITHMS, .parameter = -1};
    found.count = dlpi_unfollowed_cuts(l->r, &found.value);
    if (found.count > 0) add(l, found);
}

/* ---- the whole ---- */

dlp_index dlp_regression_diagnose(const dlp_regression *regression, dlp_index room,
                                  dlp_diagnostic *diagnostic)
{
    list l = {regression, &regression->result, room, 0, diagnostic};
    find_link(&l);
    find_lost_scale(&l);
    if (!dlp_regression_is_grouped(l.r)) {
        find_held_back(&l);
        find_idle(&l);
        find_few_rows(&l);
        find_unpropagated(&l);
    }
    find_hyperprior(&l);
    find_cuts(&l);
    if (regression->constants > 0)
        add(&l, (dlp_diagnostic){.kind = DLP_CONSTANT_COLUMN,
                                 .parameter = regression->constant,
                                 .count = regression->constants,
                                 .value = regression->constant_value});
    if (regression->separated)
        add(&l, (dlp_diagnostic){.kind = DLP_SEPARATION, .parameter = -1});
    for (dlp_index i = 0; i < regression->n_notes; i++) add(&l, regression->note[i]);
    if (regression->alphabetical)
        add(&l, (dlp_diagnostic){.kind = DLP_LEVELS_BY_ALPHABET, .parameter = -1});
    if (regression->collinear.count > 0 && regression->constants == 0)
        add(&l, regression->collinear);
    if (regression->near_zero.count > 0) add(&l, regression->near_zero);
    if (regression->ungraded.count > 0) add(&l, regression->ungraded);
    if (regression->counts)
        add(&l, (dlp_diagnostic){.kind = DLP_COUNTS_AS_NUMBERS, .parameter = -1});
    return l.n;
}
