/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/prepare.h"
#include "table/formula/formula.h"

#include "comm/division.h"
#include "core/core.h"
#include "core/settings.h"
#include "regression/prepare/centre_powers.h"
#include "regression/prepare/check_settings.h"
#include "regression/prepare/choose_family.h"
#include "regression/prepare/divide.h"
#include "regression/prepare/keep_terms.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/precision.h"
#include "regression/prepare/trials.h"
#include "regression/priors/cut_prior.h"
#include "regression/priors/default_prior.h"
#include "regression/priors/prior_statement.h"
#include "regression/priors/smooth_prior.h"
#include "regression/priors/stated_prior.h"
#include "regression/solve.h"

#include <delaplace/hierarchy.h>
#include <stdio.h>
#include <string.h>

void dlp_regression_settings_init(dlp_regression_settings *settings, size_t size)
{
    const dlp_regression_settings defaults = {.size = sizeof defaults,
                                              .method = dlp_regression_method(0)};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static void clear_prior(dlpi_prior_choice *prior)
{
    free(prior->each);
    free(prior->covariance);
    free(prior->R);
    free(prior->R_sd);
    free(prior->R_covariance);
    *prior = (dlpi_prior_choice){0};
}

void dlpi_prepared_clear(dlpi_prepared *p)
{
    dlp_formula_free(p->made);
    clear_prior(&p->prior);
    dlp_terms_free(p->terms);
    dlpi_rows_free(p->code);
    free(p->statement);
    free(p->centre);
    free(p->written);
    dlp_design_free(p->design);
    *p = (dlpi_prepared){0};
}

dlp_status dlpi_in_table(const dlp_table *table, dlp_status status, dlp_error *error)
{
    if (status != DLP_EINPUT || !error || !table->source) return status;
    const dlp_error why = *error;
    return dlpi_advise(error, why.remedy,
                       dlp_fail(error, status, "%s: %s", table->source, why.message));
}

/* ---- rows ---- */

dlp_status dlpi_design_data(const dlp_design *d, dlpi_spill *spill,
                            const dlp_family *family, dlp_glm_data *data, double **code,
                            dlp_index *skipped, dlp_error *error)
{
    *code = NULL;
    if (d->response == DLP_RESPONSE_CATEGORICAL) {
        *code = dlpi_rows_alloc(spill, d->N, sizeof **code);
        if (!*code) return dlpi_no_memory(error, "the rows of the regression");
        const dlp_index to = dlpi_rows_to(d->division, d->N);
        for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
            (*code)[i] = d->class_code[i];
    }
    *skipped = family->support == DLP_SUPPORT_ORDERED && d->intercept == 0;
    *data = (dlp_glm_data){
        .N = d->N,
        .p = d->p - *skipped + d->n_penalised,
        .x = d->x + *skipped,
        .y = *code ? *code : d->y,
        .trials = d->trials,
        .offset = d->offset,
        .weight = d->weight,
        .levels = dlp_family_has_levels(family) ? d->terms->response.n : 0,
        .df = DLP_GLM_DF,
        .division = d->division,
    };
    return DLP_OK;
}

/* Rows that are all alike still inform a rate or a probability, but say that an sd is 0.
   Where no family was asked for, only cbind() decides. */
static int takes_constant(const dlp_family *family)
{
    if (!family) return 1;
    const bool rate = family->support == DLP_SUPPORT_COUNT ||
                      family->support == DLP_SUPPORT_BINARY ||
                      family->support == DLP_SUPPORT_TRIALS;
    return rate ? 2 : 0;
}

/* Bars are random effects, as in lme4. Settings for the paper's hierarchy ask for that
   instead. */
static dlp_grouping usual_grouping(const dlp_regression_settings *s)
{
    const bool hierarchy = s->group || s->paper_hyperprior || s->nu != 0 ||
                           s->phi0 != 0 || s->phi1 != 0 || s->paper_sigma0 || s->scale ||
                           s->hyper == DLP_HYPER_FACTOR;
    return hierarchy ? DLP_HIERARCHICAL : DLP_MIXED;
}

dlp_grouping dlpi_choose_grouping(const dlp_formula *formula,
                                  const dlp_regression_settings *s)
{
    const bool stated =
        s->grouping != DLP_GROUPING_DEFAULT && s->grouping != DLP_UNGROUPED;
    if (s->group || dlp_formula_groups(formula) > 0)
        return stated ? s->grouping : usual_grouping(s);
    return dlpi_formula_smooths(formula) > 0 ? DLP_MIXED : DLP_UNGROUPED;
}

/* Rows on disk are read from first to last; anything that goes through them by groups, or
   keeps something for each, needs them in memory. */
static dlp_status check_room(const dlpi_prepared *p, dlp_error *error)
{
    if (!dlpi_spill_is_on_disk(p->table->spill) || p->grouping == DLP_UNGROUPED ||
        p->grouping == DLP_POOLED)
        return DLP_OK;
    return dlp_fail(
        error, DLP_ENOMEM,
        "the table's %td rows do not fit into memory, and %s need them there: "
        "only regressions without groups read them from disk. Fit without, fit "
        "a sample of the rows, or give more memory",
        p->table->rows,
        p->grouping == DLP_MIXED ? "random effects and smooth terms"
                                 : "regressions by group");
}

static dlp_status build_design(dlpi_prepared *p, dlp_error *error)
{
    const dlp_regression_settings *asked = &p->asked;
    const dlp_family *family = dlp_family_find(asked->family);
    dlp_design_options options = dlp_design_options_default();
    options.group = asked->group;
    options.weight = asked->weights;
    options.precision = asked->precision;
    options.missing_is_error = asked->missing_is_error;
    options.response_is_factor = family && dlp_family_has_levels(family);
    options.constant_response = takes_constant(family);
    options.n_references = asked->n_references;
    options.reference = asked->reference;
    options.problem = asked->problem;
    options.adjacency = asked->adjacency;
    options.n_centres = p->n_centres;
    options.centre = p->centre;
    p->grouping = dlpi_choose_grouping(p->formula, asked);
    options.random = p->grouping == DLP_MIXED;
    dlp_status status = check_room(p, error);
    if (status == DLP_OK)
        status = dlp_design_build(p->formula, p->table, &options, &p->design, error);
    return dlpi_in_table(p->table, status, error);
}

/* Neighbours that no term uses would be ignored. */
static dlp_status check_adjacency(const dlpi_prepared *p, dlp_error *error)
{
    const dlp_terms *terms = p->design->terms;
    bool wanted = !p->asked.adjacency;
    for (dlp_index i = 0; !wanted && i < terms->n_bases; i++)
        wanted = dlp_basis_is_regional(&terms->basis[i]);
    if (wanted) return DLP_OK;
    return dlpi_advise(
        error, DLP_REMEDY_ADJACENCY,
        dlp_fail(
            error, DLP_EINVAL,
            "neighbours are given, but no term is about regions: write besag(region) "
            "or bym2(region), or leave the neighbours out"));
}

static dlp_status choose_family(dlpi_prepared *p, dlp_error *error)
{
    const dlp_regression_settings *asked = &p->asked;
    DLP_TRY(dlpi_choose_family(p->design, asked->family, asked->link, &p->linked, error));
    p->family = p->linked->of;
    return DLP_OK;
}

static dlp_status take_rows(dlpi_prepared *p, dlp_error *error)
{
    const dlp_design *d = p->design;
    DLP_TRY(dlpi_design_data(d, p->table->spill, p->family, &p->data, &p->code,
                             &p->skipped, error));
    if (p->asked.df > 0) p->data.df = p->asked.df;
    p->name = d->name + p->skipped;
    p->assign = d->assign + p->skipped;
    p->intercept = p->skipped ? -1 : d->intercept;
    p->total_weight = dlpi_total_weight(&p->data);
    return DLP_OK;
}

/* ---- powers ---- */

/* A stated prior is about the columns as they are written. */
static bool may_centre(const dlpi_prepared *p)
{
    const dlp_regression_settings *s = &p->asked;
    const bool stated = s->prior_sd != 0 || s->prior_df != 0 || s->intercept_sd != 0 ||
                        s->prior || s->prior_covariance || s->n_priors > 0 ||
                        s->paper_hyperprior;
    return !stated && p->design->n_smooths == 0;
}

static dlp_status centre_powers(dlpi_prepared *p, dlp_error *error)
{
    if (!may_centre(p)) return DLP_OK;
    DLP_TRY(dlpi_centre_powers(p, error));
    if (p->n_centres == 0) return DLP_OK;
    dlp_design_free(p->design);
    p->design = NULL;
    return build_design(p, error);
}

/* ---- the whole ---- */

static dlp_status find_shape(dlpi_prepared *p, dlp_error *error)
{
    p->M = dlpi_is_grouped(p->grouping) ? p->terms->group.n : 1;
    p->n = dlp_glm_parameters(p->family->name, p->data.p, p->terms->response.n);
    if (p->n > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "a regression of family %s needs %s",
                    p->family->name,
                    dlp_family_has_levels(p->family) ? "levels and columns" : "columns");
}

static dlp_status unknown_method(const char *asked, dlp_error *error)
{
    char list[256] = "";
    for (int i = 0; dlp_regression_method(i); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                 dlp_regression_method(i));
    }
    return dlp_fail(error, DLP_EINVAL, "unknown method '%.80s'; the methods are %s",
                    asked, list);
}

static dlp_status choose_method(dlpi_prepared *p, dlp_error *error)
{
    const char *asked = p->asked.method ? p->asked.method : dlp_regression_method(0);
    const bool hierarchy = p->grouping == DLP_HIERARCHICAL;
    const dlp_hierarchy_settings shared = dlp_hierarchy_settings_default();
    const dlp_settings one = dlp_settings_default();
    dlp_method_kind method;
    if (!dlpi_method_of_text(asked, &method)) return unknown_method(asked, error);
    if (p->grouping == DLP_MIXED && method > DLP_METHOD_LAPLACE)
        return dlp_fail(error, DLP_EINVAL,
                        "with random effects the method is auto, which integrates the "
                        "effects by quadrature, or laplace, not %.80s",
                        asked);
    if (p->grouping == DLP_MIXED && (p->asked.tol > 0 || p->asked.max_iter > 0))
        return dlp_fail(error, DLP_EINVAL,
                        "tol and max-iter do not apply to random effects and smooth "
                        "terms: leave them out");
    p->may_propagate = method == DLP_METHOD_AUTO;
    p->method = p->may_propagate ? DLP_METHOD_DELTA : method;
    p->tol = p->asked.tol > 0 ? p->asked.tol : hierarchy ? shared.tol : one.tol;
    p->max_iter = p->asked.max_iter > 0 ? p->asked.max_iter
                  : hierarchy           ? shared.max_iter
                                        : one.max_iter;
    return DLP_OK;
}

/* ---- hyperparameters ---- */

const char *dlp_hyper_name(int i)
{
    static const char *const names[] = {[DLP_HYPER_DEFAULT] = "default",
                                        [DLP_HYPER_INTEGRATE] = "integrate",
                                        [DLP_HYPER_FACTOR] = "factor",
                                        [DLP_HYPER_MAP] = "map"};
    return i >= 0 && i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

static dlp_status choose_hyper(dlpi_prepared *p, dlp_error *error)
{
    const dlp_hyper asked = p->asked.hyper;
    if (!dlp_hyper_name((int)asked))
        return dlp_fail(error, DLP_EINVAL, "hyper is %d, which is not one of its values",
                        (int)asked);
    if (p->grouping == DLP_HIERARCHICAL && asked == DLP_HYPER_INTEGRATE)
        return dlp_fail(error, DLP_EINVAL,
                        "a hierarchy estimates the prior that its groups share; to "
                        "integrate over it, fit a mixed model: bars in the formula and "
                        "no hierarchical grouping");
    if (p->grouping == DLP_MIXED && asked == DLP_HYPER_FACTOR)
        return dlp_fail(error, DLP_EINVAL,
                        "hyper factor is how the paper's hierarchy is fitted, in which "
                        "everything varies by group: ask for a hierarchical grouping, or "
                        "for integrate or map");
    const bool shared = p->grouping == DLP_HIERARCHICAL || p->grouping == DLP_MIXED;
    if (!shared && asked != DLP_HYPER_DEFAULT)
        return dlp_fail(error, DLP_EINVAL,
                        "hyper applies to random effects, and this regression has none: "
                        "write (1 | column) in the formula");
    p->hyper = !shared                           ? DLP_HYPER_DEFAULT
               : p->grouping == DLP_HIERARCHICAL ? DLP_HYPER_FACTOR
               : asked == DLP_HYPER_MAP          ? DLP_HYPER_MAP
                                                 : DLP_HYPER_INTEGRATE;
    return DLP_OK;
}

/* ---- priors ---- */

static dlp_status parse_priors(dlpi_prepared *p, dlp_error *error)
{
    const dlp_regression_settings *asked = &p->asked;
    const bool hierarchy = p->grouping == DLP_HIERARCHICAL;
    DLP_TRY(dlpi_prior_statements_parse(asked->n_priors, asked->priors, &p->statement,
                                        error));
    for (dlp_index i = 0; i < asked->n_priors; i++) {
        const dlpi_prior_statement *s = &p->statement[i];
        if (hierarchy)
            return dlp_fail(error, DLP_EINVAL,
                            "prior '%.100s': a hierarchy learns the prior of its groups, "
                            "by nu, phi0 and phi1; for priors by term fit a "
                            "mixed model: bars in the formula and grouping mixed",
                            s->text);
        if (p->grouping != DLP_MIXED && s->of != DLPI_PRIOR_OF_COEFFICIENT)
            return dlp_fail(error, DLP_EINVAL,
                            "prior '%.100s': there are no random effects; write (1 | "
                            "column) in the formula, or leave the prior out",
                            s->text);
    }
    return DLP_OK;
}

static bool states_coefficients(const dlpi_prepared *p)
{
    for (dlp_index i = 0; i < p->asked.n_priors; i++)
        if (p->statement[i].of == DLPI_PRIOR_OF_COEFFICIENT) return true;
    return false;
}

static dlp_status choose_prior_of_columns(dlpi_prepared *p, dlp_error *error)
{
    const dlp_regression_settings *asked = &p->asked;
    dlpi_prior_choice *prior = &p->prior;
    if (p->grouping == DLP_HIERARCHICAL) {
        prior->nu = asked->nu;
        prior->phi0 = asked->phi0;
        prior->phi1 = asked->phi1;
        prior->paper_hyperprior = asked->paper_hyperprior;
        prior->shared_scale =
            p->family->scale && !(asked->scale && !strcmp(asked->scale, "by-group"));
        return dlpi_default_hyperprior(p, prior, error);
    }
    prior->sd = asked->prior_sd;
    prior->df = asked->prior_df;
    if (asked->prior_covariance) {
        prior->sd = dlp_glm_prior_default().sd_all; /* no coefficient uses it */
    } else if (prior->sd == 0) {
        const bool of_cut = p->family->support == DLP_SUPPORT_ORDERED;
        const bool all_weak = !asked->prior && !states_coefficients(p) &&
                              (asked->intercept_sd == 0 || of_cut);
        prior->symmetric = all_weak && prior->df == 0;
        DLP_TRY(dlpi_in_table(p->table, dlpi_default_prior(p, all_weak, prior, error),
                              error));
    }
    DLP_TRY(dlpi_stated_prior(p, prior, error));
    return dlpi_in_table(p->table, dlpi_cut_prior(p, prior, error), error);
}

/* The wiggly columns of smooths have a prior of their own. */
static dlp_status choose_prior(dlpi_prepared *p, dlp_error *error)
{
    const dlp_index all = p->data.p;
    p->data.p -= p->design->n_penalised;
    const dlp_index fixed = p->data.p;
    const dlp_status status = choose_prior_of_columns(p, error);
    p->data.p = all;
    return status == DLP_OK ? dlpi_smooth_prior(p, fixed, &p->prior, error) : status;
}

/* ---- rows divided among processes ---- */

static dlp_status need_whole(dlpi_prepared *p, dlp_error *error)
{
    p->data.division = p->design->division;
    return dlpi_division_give_up(p->data.division, error);
}

/* Where rows may be few for the columns, all of them are looked at together; a single group
   has no process of its own. */
static bool has_few_rows(const dlpi_prepared *p)
{
    const double few = 10;
    if (!dlpi_is_divided(p->data.division)) return false;
    if (dlpi_is_grouped(p->grouping)) return p->M == 1;
    return dlpi_observations(p, &p->data) < few * (double)p->data.p;
}

dlp_status dlpi_prepare(const dlp_formula *formula, const dlp_table *table,
                        const dlp_regression_settings *settings, dlpi_prepared *p,
                        dlp_error *error)
{
    *p = (dlpi_prepared){.formula = formula, .table = table};
    dlp_regression_settings_init(&p->asked, sizeof p->asked);
    DLP_TRY(dlpi_settings_take(&p->asked, sizeof p->asked, settings, error));
    DLP_TRY(dlpi_check_numbers(&p->asked, error));
    if (p->asked.trials) {
        DLP_TRY(dlpi_formula_of_trials(formula, p->asked.trials, &p->made, error));
        p->formula = p->made;
    }
    DLP_TRY(build_design(p, error));
    DLP_TRY(check_adjacency(p, error));
    DLP_TRY(choose_family(p, error));
    if (!dlpi_may_divide(p)) return need_whole(p, error);
    DLP_TRY(dlpi_check_settings(p, error));
    DLP_TRY(choose_hyper(p, error));
    DLP_TRY(parse_priors(p, error));
    DLP_TRY(choose_method(p, error));
    DLP_TRY(centre_powers(p, error));
    DLP_TRY(take_rows(p, error));
    DLP_TRY(dlpi_keep_terms(p, error));
    DLP_TRY(dlpi_order_response(p, error));
    DLP_TRY(find_shape(p, error));
    if (has_few_rows(p)) return need_whole(p, error);
    return choose_prior(p, error);
}
