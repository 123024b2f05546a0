/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/bugs.h"
#include "bugs/choice.h"

#include "bugs/check/grade.h"
#include "bugs/check/long_tail.h"
#include "bugs/check/modes.h"
#include "bugs/meanfield/meanfield_answer.h"
#include "bugs/posterior/by_states.h"
#include "bugs/posterior/evaluation_time.h"
#include "bugs/posterior/field_memory.h"
#include "bugs/posterior/parts.h"
#include "bugs/posterior/start.h"
#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void dlp_bugs_settings_init(dlp_bugs_settings *settings, size_t size)
{
    const dlp_bugs_settings defaults = {.size = sizeof defaults,
                                        .draws = 4096,
                                        .seed = 1,
                                        .tol = 1e-8,
                                        .max_iter = 10000,
                                        .verify = -1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

void dlpi_bugs_clear_result(dlp_bugs *bugs)
{
    free(bugs->node);
    free(bugs->plan);
    free(bugs->draw);
    free(bugs->objective);
    dlpi_pool_free(&bugs->names);
    bugs->node = NULL;
    bugs->plan = NULL;
    bugs->draw = NULL;
    bugs->objective = NULL;
    bugs->fitted = bugs->impossible = false;
    bugs->result = (dlp_bugs_result){0};
}

/* ---- the fit ---- */

typedef struct fit {
    dlp_bugs *model;
    const dlp_bugs_settings *settings;
    dlpi_bugs_choice choice;
    dlpi_lowering lowering;
    dlpi_factors factors;
    dlpi_plan plan;
    dlpi_parts parts;
    dlpi_groups groups;
    dlpi_posterior posterior;
    dlpi_node_margins margins;
    dlpi_meanfield factored; /* of a fit by factors */
    double *start, *unit, *value;
    dlp_index *cells, n_cells;
    bool *wanted;
    dlpi_held_states held; /* n is 0: nothing is to be fitted state by state */
    bool by_sum;           /* the sum over states comes first, however long it takes */
    bool spared;           /* it does not */
    bool hopeless;         /* there is none */
    dlp_status refused;    /* not DLP_OK: only state by state can it be fitted, */
    dlp_error reason;      /*     and this is why */
    double *error;         /* (n_cells, 2) standard errors of mean and sd */
} fit;

/* Sets the starting coordinates of cells that have initial values. */
static dlp_status set_start(fit *f, dlp_error *error)
{
    const dlpi_graph *g = f->model->graph;
    f->start = dlpi_calloc(2 * g->n_cells, sizeof *f->start);
    if (!f->start) return dlpi_no_memory(error, "the model");
    f->unit = f->start + g->n_cells;
    dlpi_start_given(&f->lowering, f->start);
    return DLP_OK;
}

/* Room for all nodes and so many draws of each, and their names. */
static dlp_status name_nodes(fit *f, dlp_index draws, dlp_error *error)
{
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    const dlp_index n = f->n_cells;
    m->node = dlpi_calloc(n, sizeof *m->node);
    m->draw = dlpi_calloc(n * draws, sizeof *m->draw);
    f->error = dlpi_calloc(2 * n, sizeof *f->error);
    if (!m->node || !m->draw || !f->error) return dlpi_no_memory(error, "the nodes");
    for (dlp_index i = 0; i < n; i++) {
        char name[256];
        if (f->cells[i] == dlpi_deviance_cell(m->graph))
            snprintf(name, sizeof name, "deviance");
        else
            dlpi_cell_name(m->graph, f->cells[i], name, sizeof name);
        m->node[i].name = dlpi_pool_copy(&m->names, name, strlen(name));
        if (!m->node[i].name) return dlpi_no_memory(error, "the nodes");
    }
    r->n_nodes = n;
    r->node = m->node;
    r->draw = m->draw;
    r->n_draws = draws;
    return DLP_OK;
}

static dlp_status list_nodes(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    DLP_TRY(name_nodes(f, f->posterior.draws, error));
    for (dlp_index i = 0; i < f->n_cells; i++) {
        dlp_bugs_node *node = &m->node[i];
        dlpi_node_margin margin;
        if (!f->factored.q) /* sweeps that were stopped have a result */
            DLP_TRY(dlpi_lowering_ask(&f->lowering, error));
        DLP_TRY(dlpi_margin_of(&f->margins, f->cells[i], m->draw + i * f->posterior.draws,
                               &margin, error));
        if (f->factored.q) dlpi_meanfield_margin(&f->factored, f->cells[i], &margin);
        node->margin = node->found = dlpi_public_margin(&margin);
        node->error = f->error[2 * i] = margin.error;
        f->error[2 * i + 1] = margin.sd_error;
        node->sampled = (dlp_margin){NAN, NAN, NAN, NAN, NAN};
    }
    return DLP_OK;
}

/* How many draws of a node with two values have the rarer one; 0: the node has more than
   two values, or only one. */
static dlp_index count_rarer(const double *draw, dlp_index n)
{
    double other = NAN;
    dlp_index same = 0;
    for (dlp_index k = 0; k < n; k++) {
        if (draw[k] == draw[0])
            same++;
        else if (isnan(other))
            other = draw[k];
        else if (draw[k] != other)
            return 0;
    }
    return same < n - same ? same : n - same;
}

static bool is_discrete(const fit *f, dlp_index cell)
{
    return cell < f->model->graph->n_cells &&
           f->lowering.domain[cell] == DLPI_DOMAIN_DISCRETE;
}

/* Two-valued nodes known from draws alone, one value of which is so rare that their sd
   has one digit at best: for example step() of a rare event. */
static void note_rare(const fit *f)
{
    const dlp_index few = 25; /* a standard error of a tenth of the sd */
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    const bool drawn = r->verdict == DLP_BUGS_CORRECTED;
    r->rare = 0;
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        if (!drawn && !(f->error[2 * i] > 0)) continue;
        if (is_discrete(f, f->cells[i]))
            continue; /* known from the probabilities of its states */
        const dlp_index n = count_rarer(m->draw + i * r->n_draws, r->n_draws);
        if (n == 0 || n >= few) continue;
        if (r->rare++ == 0) r->rarest = m->node[i].name;
    }
}

/* Nodes with long tails, by the fit's own draws where no weighted ones told of them. */
static dlp_status note_long_tails(const fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    const dlp_index n = r->n_draws;
    if (r->verified > 0) return DLP_OK;
    double *weight = dlpi_calloc(2 * n + 1, sizeof *weight);
    if (!weight) return dlpi_no_memory(error, "the draws");
    for (dlp_index k = 0; k < n; k++) weight[k] = 1 / (double)n;
    dlp_status status = DLP_OK;
    for (dlp_index i = 0; i < r->n_nodes && status == DLP_OK; i++) {
        bool is_long;
        status = dlpi_has_long_tail(n, weight, m->draw + i * n, m->node[i].margin.mean,
                                    weight + n, &is_long, error);
        if (status == DLP_OK && is_long && r->long_tails++ == 0)
            r->longest = m->node[i].name;
    }
    free(weight);
    return status;
}

/* If there are many unknowns, draws only those that are asked for. */
static dlp_status choose_draws(fit *f, dlpi_posterior_settings *settings,
                               dlp_error *error)
{
    const dlp_index many = 500;
    if (f->plan.n + f->plan.L <= many) return DLP_OK;
    f->wanted = dlpi_calloc(f->model->graph->n_cells, sizeof *f->wanted);
    if (!f->wanted) return dlpi_no_memory(error, "the nodes");
    settings->wanted = f->wanted;
    return dlpi_wanted(&f->factors, f->n_cells, f->cells, f->wanted, error);
}

static dlp_status find(fit *f, dlpi_posterior_settings *settings, dlp_error *error)
{
    settings->unit = NULL;
    return dlpi_parts_find(&f->factors, &f->parts, &f->groups, settings, f->start,
                           f->unit, &f->posterior, error);
}

/* Plans how each unknown is treated. */
static dlp_status plan(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    DLP_TRY(dlpi_plan_make(&f->factors, true, &f->plan, error));
    DLP_TRY(dlpi_parts_make(&f->factors, &f->plan, &f->parts, error));
    DLP_TRY(dlpi_groups_make(&f->factors, &f->plan, &f->groups, error));
    m->result.n_plans = dlpi_explain(&f->factors, &f->plan, m->plan);
    m->result.plan = m->plan;
    return DLP_OK;
}

/* Starts from the priors if there is no way up from 0, e.g. with unordered cut points. */
static dlp_status find_from_priors(fit *f, dlpi_posterior_settings *settings,
                                   dlp_error *error)
{
    bool any;
    dlpi_start_given(&f->lowering, f->start);
    dlpi_start_at_priors(&f->factors, f->start, &any);
    if (!any) return DLP_OK;
    dlpi_posterior_clear(&f->posterior);
    return find(f, settings, error);
}

/* Fits again, now with points for scales that were integrated out one by one, unless
   there are too many of them. */
static dlp_status find_with_scales(fit *f, dlpi_posterior_settings *settings,
                                   dlp_error *error)
{
    const dlp_index m = f->plan.m;
    const dlp_outcome outcome = f->posterior.outcome;
    if (f->plan.L == 0) return DLP_OK;
    dlpi_posterior_clear(&f->posterior);
    f->posterior.outcome = outcome;
    dlpi_groups_clear(&f->groups);
    dlpi_parts_clear(&f->parts);
    dlpi_plan_clear(&f->plan);
    f->factors.scales_on_points = true;
    DLP_TRY(plan(f, error));
    dlpi_start_given(&f->lowering, f->start);
    if (f->plan.m <= m) return DLP_OK;
    return find(f, settings, error);
}

static dlp_status find_somewhere(fit *f, dlpi_posterior_settings *settings,
                                 dlp_error *error)
{
    DLP_TRY(find(f, settings, error));
    if (f->posterior.points == 0) DLP_TRY(find_from_priors(f, settings, error));
    if (f->posterior.points == 0) DLP_TRY(find_with_scales(f, settings, error));
    return DLP_OK;
}

/* ---- other modes ---- */

/* The means and sds of the coordinates, from their draws. */
static void set_where(const fit *f, double *where, double *sd)
{
    const dlp_index n = f->posterior.draws;
    for (dlp_index c = 0; c < f->model->graph->n_cells; c++) {
        const uint8_t role = f->plan.role[c];
        const double *draw = role == DLPI_ROLE_PSI || role == DLPI_ROLE_X
                                 ? dlpi_posterior_draws(&f->posterior, &f->plan, c)
                                 : NULL;
        double mean = 0, square = 0;
        where[c] = sd[c] = NAN;
        if (!draw || f->posterior.points == 0) continue;
        for (dlp_index i = 0; i < n; i++) mean += draw[i] / (double)n;
        for (dlp_index i = 0; i < n; i++)
            square += (draw[i] - mean) * (draw[i] - mean) / (double)n;
        where[c] = mean;
        sd[c] = sqrt(square);
    }
}

/* Looks for other maxima; if one is higher, fits the posterior again from there. */
static dlp_status look_once(fit *f, dlpi_posterior_settings *settings, bool *moved,
                            dlp_error *error)
{
    const dlp_index n_cells = f->model->graph->n_cells;
    dlp_bugs_result *r = &f->model->result;
    dlpi_modes modes = {0};
    double *where = dlpi_calloc(2 * n_cells, sizeof *where);
    if (!where) return dlpi_no_memory(error, "the modes");
    set_where(f, where, where + n_cells);
    dlp_status status =
        dlpi_modes_look(&f->factors, settings, where, where + n_cells, &modes, error);
    r->modes = modes.others;
    r->switched = modes.switched;
    *moved = modes.above > 1;
    if (status == DLP_OK && *moved) {
        memcpy(f->start, modes.best, (size_t)n_cells * sizeof *f->start);
        dlpi_posterior_clear(&f->posterior);
        status = find(f, settings, error);
        r->moved += modes.above;
    }
    dlpi_modes_clear(&modes);
    free(where);
    return status;
}

/* Whether a prior is improper: then there may be no posterior, and an apparent maximum
   elsewhere may not be one. */
static bool is_improper(const dlpi_lowering *l)
{
    for (int r = 0; r < l->graph->n_relations; r++)
        if (l->of[r] && l->of[r]->improper) return true;
    return false;
}

/* Looks for other modes if it costs little and the user did not say where to begin. */
static dlp_status look_around(fit *f, dlpi_posterior_settings *settings, dlp_error *error)
{
    const double little = 1e8; /* nanoseconds that importance sampling may take */
    const dlpi_graph *g = f->model->graph;
    bool moved = true;
    if (f->plan.m + f->plan.n == 0 || (f->plan.gaussian && f->posterior.points > 0) ||
        dlpi_verify_affordable(&f->groups, little) == 0)
        return DLP_OK;
    if (is_improper(&f->lowering)) return DLP_OK;
    for (dlp_index c = 0; c < g->n_cells; c++)
        if (g->start && isfinite(g->start[c])) return DLP_OK;
    for (int again = 0; again < 2 && moved; again++)
        DLP_TRY(look_once(f, settings, &moved, error));
    return DLP_OK;
}

/* ---- the whole ---- */

/* Limits that separate the models of study/bugs and examples/bugs that disagree with JAGS
   from those that agree. */
static void note_doubts(dlp_bugs_result *r, const dlpi_posterior *p)
{
    const double far = 0.2, rough = 1, moved = 0.1;
    const dlp_index by_grid = 5;
    const double enough = 2000; /* effective draws: fewer do not show a long tail */
    const bool known = r->verdict == DLP_BUGS_CONFIRMED ||
                       r->verdict == DLP_BUGS_CONFIRMED_HERE ||
                       r->verdict == DLP_BUGS_CORRECTED;
    r->doubt_gaussian = !known && (r->shift > far || r->roughness > rough);
    r->doubt_omitted = !known && !(r->omitted <= moved);
    const bool checked =
        known && (r->verdict == DLP_BUGS_CORRECTED || r->effective > enough);
    r->doubt_design = !checked && r->points > 0 && (p->few || p->together > by_grid);
    r->kinks = r->kinks && !known;
    r->doubt_tail = p->open;
    r->doubt_maximum =
        r->points == 0 && r->n_points + r->n_gaussian + r->n_quadrature > 0;
}

/* ---- by factors: Appendix A ---- */

static dlp_status check_settings(const dlp_bugs_settings *s,
                                 const dlpi_bugs_choice *choice, dlp_error *error)
{
    if (s->verify > 0 && s->verify < DLP_BUGS_LEAST_DRAWS)
        return dlp_fail(
            error, DLP_EINVAL,
            "verify is %td: at least %d draws are needed; 0 turns the check off",
            s->verify, DLP_BUGS_LEAST_DRAWS);
    if (s->verify > 0 && choice->factors)
        return dlp_fail(error, DLP_EINVAL,
                        "verify works only for a fit that integrates over scales, not "
                        "for a fit by factors");
    if (!(s->tol > 0) || s->max_iter < 1)
        return dlp_fail(error, DLP_EINVAL,
                        "tol must be positive, and max_iter at least 1");
    return DLP_OK;
}

static dlp_status tell_factors(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    dlpi_meanfield *mf = &f->factored;
    m->plan = dlpi_calloc(m->graph->n_relations, sizeof *m->plan);
    if (!m->plan) return dlpi_no_memory(error, "the plan");
    r->n_plans = dlpi_meanfield_explain(mf, m->plan);
    r->plan = m->plan;
    r->outcome = mf->outcome;
    r->log_evidence = NAN;
    r->n_factors = mf->n_q;
    for (dlp_index i = 0; i < mf->n_q; i++)
        r->n_conjugate += mf->q[i].family != DLPI_GAUSSIAN || mf->q[i].quadratic;
    r->n_gaussian = mf->n_coordinates;
    r->exact = r->n_conjugate == r->n_factors;
    r->sweeps = mf->sweeps;
    r->objective = m->objective = mf->elbo;
    mf->elbo = NULL;
    r->fallbacks = mf->fallbacks;
    r->doubt_factors = mf->n_q > 1;
    r->doubt_maximum = mf->outcome == DLP_NOT_CONCAVE || mf->outcome == DLP_DIVERGED ||
                       mf->outcome == DLP_STALLED;
    r->points = !r->doubt_maximum;
    return DLP_OK;
}

/* With every node as a factor the search is less reliable than with all locations
   together. */
static dlp_status begin_together(fit *f, dlpi_listener *listener, dlp_error *error)
{
    const dlpi_graph *g = f->model->graph;
    if (!f->choice.scalar) return DLP_OK;
    f->value = dlpi_calloc(g->n_cells, sizeof *f->value);
    if (!f->value) return dlpi_no_memory(error, "q");
    for (dlp_index c = 0; c < g->n_cells; c++) f->value[c] = g->start ? g->start[c] : NAN;
    return dlpi_meanfield_begin(g, f->settings, listener, f->start, f->value, error);
}

static dlp_status run_factored(fit *f, dlpi_listener *listener, dlp_error *error)
{
    dlp_bugs *m = f->model;
    DLP_TRY(dlpi_monitored(m->graph, f->settings, &f->cells, &f->n_cells,
                           &m->result.not_summarised, error));
    for (dlp_index i = 0; i < f->n_cells; i++)
        if (f->cells[i] == dlpi_deviance_cell(m->graph))
            return dlp_fail(error, DLP_EINPUT,
                            "a fit by factors has no deviance: monitor other nodes, or "
                            "choose hyper 'integrate'");
    DLP_TRY(set_start(f, error));
    DLP_TRY(begin_together(f, listener, error));
    DLP_TRY(dlpi_meanfield_find(&f->lowering, &f->factors, f->settings, listener,
                                f->start, f->value, &f->factored, error));
    if (f->factored.outcome == DLP_CANCELLED && f->factored.sweeps == 0)
        return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
    DLP_TRY(dlpi_meanfield_check(&f->factored, error));
    DLP_TRY(tell_factors(f, error));
    m->fitted = true;
    if (m->result.doubt_maximum) return DLP_OK;
    DLP_TRY(dlpi_meanfield_answer(&f->factored, f->n_cells, f->cells, f->settings->draws,
                                  f->settings->seed, &f->plan, &f->posterior, error));
    DLP_TRY(dlpi_margins_begin(&f->factors, &f->plan, &f->posterior, f->settings->seed,
                               &f->margins, error));
    return list_nodes(f, error);
}

/* Topic models: discrete nodes whose probabilities are too many unknowns for points or a
   single Gaussian to be of any use. */
static bool is_hopeless(const dlpi_lowering *l)
{
    const dlp_index most = 40;
    dlp_index simplex = 0, discrete = 0;
    for (dlp_index c = 0; c < l->graph->n_cells; c++) {
        simplex += l->domain[c] == DLPI_DOMAIN_SIMPLEX;
        discrete += l->domain[c] == DLPI_DOMAIN_DISCRETE;
    }
    return simplex > most && discrete > most;
}

/* Whether a density depends on so many discrete unknowns, each with a few values, that
   the sum over them is hopeless: then only their likely states can be fitted. */
static bool is_sum_hopeless(fit *f)
{
    enum { TOGETHER = 8, FEW = 4 };
    const double many = 2e5, most_states = 1e15;
    int together;
    if (dlpi_sum_entries(&f->factors, &together) < many || together < TOGETHER)
        return false;
    dlpi_held_find(&f->factors, most_states, &f->held);
    for (int i = 0; i < f->held.n; i++)
        if (f->held.count[i] > FEW) f->held.n = 0;
    return f->held.n > 0;
}

/* log p as factors, with discrete unknowns summed out unless that is hopeless. */
static dlp_status make_factors(fit *f, dlp_error *error)
{
    f->lowering.may_rely = true;
    dlp_status listed = dlpi_factors_list(&f->lowering, true, &f->factors, error);
    if (f->lowering.found_relied_on) {
        dlpi_factors_clear(&f->factors);
        DLP_TRY(dlpi_lowering_free_relied_on(&f->lowering, error));
        listed = dlpi_factors_list(&f->lowering, true, &f->factors, error);
    }
    DLP_TRY(listed);
    f->hopeless = is_sum_hopeless(f);
    return f->hopeless ? dlp_fail(error, DLP_EINPUT,
                                  "too many joint states of %d discrete unknowns to sum "
                                  "over, and no fit given some of them",
                                  f->held.n)
                       : dlpi_factors_sum(&f->factors, error);
}

/* Decides how each unknown is integrated, and where to begin. */
static dlp_status prepare(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    const dlp_status made = make_factors(f, error);
    m->impossible = f->factors.impossible;
    DLP_TRY(made);
    DLP_TRY(dlpi_factors_merge(&f->factors, error));
    DLP_TRY(dlpi_factors_check_memory(&f->factors, error));
    m->plan = dlpi_calloc(m->graph->n_relations, sizeof *m->plan);
    if (!m->plan) return dlpi_no_memory(error, "the plan");
    DLP_TRY(plan(f, error));
    DLP_TRY(set_start(f, error));
    return dlpi_monitored(m->graph, f->settings, &f->cells, &f->n_cells,
                          &m->result.not_summarised, error);
}

static void take_result(const fit *f, dlp_bugs_result *r)
{
    r->outcome = f->posterior.outcome;
    r->log_evidence = f->posterior.log_evidence;
    r->points = f->posterior.points;
    r->n_points = f->plan.m;
    r->n_gaussian = f->plan.n;
    r->n_quadrature = f->plan.L;
    r->exact = f->plan.gaussian;
    r->shift = f->posterior.shift;
    r->roughness = f->posterior.roughness;
    r->omitted = f->posterior.omitted;
    r->kinks = f->factors.bends && f->plan.n > 0;
    note_doubts(r, &f->posterior);
}

/* The nodes, and how good they are. */
static dlp_status summarise(fit *f, const dlpi_posterior_settings *settings,
                            dlp_error *error)
{
    const dlpi_verify_settings verify = {.threads = settings->threads,
                                         .draws = f->settings->verify,
                                         .seed = f->settings->seed,
                                         .listener = settings->listener,
                                         .wanted = settings->wanted};
    DLP_TRY(dlpi_margins_begin(&f->factors, &f->plan, &f->posterior, f->settings->seed,
                               &f->margins, error));
    DLP_TRY(dlpi_margins_check(&f->margins, error));
    DLP_TRY(list_nodes(f, error));
    DLP_TRY(dlpi_grade(f->model, &f->groups, &f->posterior, &f->margins, f->cells,
                       f->error, &verify, error));
    note_doubts(&f->model->result, &f->posterior);
    note_rare(f);
    return note_long_tails(f, error);
}

/* Whether to fit the model for each state of its discrete unknowns: if the sum over them
   is not Gaussian, and nothing else confirms the answer. */
static void decide_states(fit *f)
{
    const double most = 5e9; /* nanoseconds */
    const dlp_bugs_result *r = &f->model->result;
    const bool known =
        r->verdict == DLP_BUGS_CONFIRMED || r->verdict == DLP_BUGS_CONFIRMED_HERE;
    const bool unsure = r->doubt_gaussian || r->doubt_omitted || r->doubt_design ||
                        r->kinks || r->verdict != DLP_BUGS_NOT_VERIFIED ||
                        (r->n_gaussian > 0 && !r->exact);
    if (known || !unsure || r->points == 0) return;
    /* A single state costs a fraction of the sum over all. */
    if (r->points * dlpi_evaluation_time(&f->groups) < most)
        dlpi_held_find(&f->factors, DLPI_HELD_STATES, &f->held);
}

/* Leaves the fit to those of single states. */
static dlp_status prepare_states(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    m->result.n_plans = dlpi_explain(&f->factors, f->hopeless ? NULL : &f->plan, m->plan);
    m->result.plan = m->plan;
    m->fitted = true;
    return name_nodes(f, f->settings->draws, error);
}

/* A sum over states ties too many unknowns together; given a state, they may be apart. */
static dlp_status leave_to_states(fit *f, dlp_status refused, dlp_error *error)
{
    dlp_bugs *m = f->model;
    if (!f->groups.too_wide && !f->hopeless) return refused;
    if (!f->hopeless) dlpi_held_find(&f->factors, DLPI_HELD_STATES, &f->held);
    if (f->held.n == 0) return refused;
    if (!m->plan) m->plan = dlpi_calloc(m->graph->n_relations, sizeof *m->plan);
    if (!m->plan) return dlpi_no_memory(error, "the plan");
    f->refused = refused;
    if (error) f->reason = *error;
    DLP_TRY(dlpi_monitored(f->model->graph, f->settings, &f->cells, &f->n_cells,
                           &f->model->result.not_summarised, error));
    return prepare_states(f, error);
}

/* Whether a search by the sum over states takes longer than fits of all states: counted,
   not measured. */
static bool is_sum_dear(fit *f)
{
    const double steps = 20, state = 3e6, least = 1e8; /* nanoseconds */
    const double search = steps * dlpi_evaluation_time(&f->groups);
    if (search < least) return false;
    dlpi_held_find(&f->factors, DLPI_HELD_STATES, &f->held);
    if (f->held.n > 0 && search > state * f->held.total) return true;
    f->held.n = 0;
    return false;
}

static dlp_status run_heard(fit *f, dlpi_listener *listener, dlp_error *error)
{
    dlp_bugs_result *r = &f->model->result;
    DLP_TRY(dlpi_lowering_make(f->model->graph, listener, &f->lowering, error));
    r->chose_factors =
        !f->choice.integrates && !f->choice.factors && is_hopeless(&f->lowering);
    if (f->choice.factors || r->chose_factors) return run_factored(f, listener, error);
    const dlp_status prepared = prepare(f, error);
    if (prepared != DLP_OK) return leave_to_states(f, prepared, error);
    dlpi_posterior_settings settings = {.threads = dlpi_threads(f->settings->threads),
                                        .draws = f->settings->draws,
                                        .seed = f->settings->seed,
                                        .listener = listener,
                                        .lowering = &f->lowering,
                                        .start = f->start};
    DLP_TRY(choose_draws(f, &settings, error));
    f->spared = !f->by_sum && is_sum_dear(f);
    if (f->spared) return prepare_states(f, error);
    DLP_TRY(find_somewhere(f, &settings, error));
    DLP_TRY(look_around(f, &settings, error));
    take_result(f, r);
    f->model->fitted = true;
    if (f->posterior.points == 0) return DLP_OK;
    DLP_TRY(summarise(f, &settings, error));
    decide_states(f);
    return DLP_OK;
}

/* Once the caller has said stop, whatever failed, failed for that. */
static dlp_status run(fit *f, dlp_error *error)
{
    dlpi_listener listener = {.call = f->settings->progress,
                              .context = f->settings->context,
                              .progress = {.phase = "starting"}};
    const dlp_status status = run_heard(f, &listener, error);
    if (status == DLP_OK || !dlpi_listener_stopped(&listener)) return status;
    return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
}

/* again: the fits of single states that were tried first have failed. */
static dlp_status fit_model(dlp_bugs *model, const dlp_bugs_settings *settings,
                            const dlpi_bugs_choice *choice, bool by_sum, bool *again,
                            dlp_error *error)
{
    dlpi_bugs_clear_result(model);
    fit f = {.model = model, .settings = settings, .choice = *choice, .by_sum = by_sum};
    dlp_status status = run(&f, error);
    if (status == DLP_EINVAL)
        status = DLP_EINPUT; /* the model's fault, not the caller's */
    dlpi_margins_end(&f.margins);
    dlpi_meanfield_clear(&f.factored);
    dlpi_posterior_clear(&f.posterior);
    dlpi_groups_clear(&f.groups);
    dlpi_parts_clear(&f.parts);
    dlpi_plan_clear(&f.plan);
    dlpi_factors_clear(&f.factors);
    dlpi_lowering_clear(&f.lowering);
    free(f.start);
    free(f.value);
    free(f.cells);
    free(f.wanted);
    free(f.error);
    if (status == DLP_OK && f.held.n > 0)
        status = dlpi_fit_by_states(model, settings, &f.held, error);
    *again = status == DLP_OK && f.spared && model->result.n_states == 0;
    if (status == DLP_OK && f.refused != DLP_OK && model->result.n_states == 0) {
        status = f.refused == DLP_EINVAL ? DLP_EINPUT : f.refused;
        if (error) *error = f.reason;
    }
    return status;
}

dlp_status dlp_bugs_fit(dlp_bugs *model, const dlp_bugs_settings *given, dlp_error *error)
{
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    bool again;
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    if (!model->graph)
        return dlp_fail(error, DLP_EINVAL, "the model has errors: it cannot be fitted");
    if (settings.draws < DLP_BUGS_LEAST_DRAWS || settings.draws > 10000000)
        return dlp_fail(error, DLP_EINVAL,
                        "draws is %td; it must be between %d and 10,000,000",
                        settings.draws, DLP_BUGS_LEAST_DRAWS);
    dlpi_bugs_choice choice;
    DLP_TRY(dlpi_bugs_choice_read(&settings, &choice, error));
    DLP_TRY(check_settings(&settings, &choice, error));
    settings.draws += settings.draws % 2; /* they come in pairs */
    dlp_status status = fit_model(model, &settings, &choice, false, &again, error);
    if (again) status = fit_model(model, &settings, &choice, true, &again, error);
    if (status != DLP_OK) dlpi_bugs_clear_result(model);
    return status;
}

const dlp_bugs_result *dlp_bugs_result_of(const dlp_bugs *model)
{
    return model->fitted ? &model->result : NULL;
}
