/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/bugs.h"

#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"

#include <math.h>
#include <string.h>

void dlp_bugs_settings_init(dlp_bugs_settings *settings, size_t size)
{
    const dlp_bugs_settings defaults = {
        .size = sizeof defaults, .draws = 4096, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

void dlpi_bugs_clear_result(dlp_bugs *bugs)
{
    free(bugs->node);
    free(bugs->plan);
    free(bugs->draw);
    dlpi_pool_free(&bugs->names);
    bugs->node = NULL;
    bugs->plan = NULL;
    bugs->draw = NULL;
    bugs->fitted = false;
    bugs->result = (dlp_bugs_result){0};
}

/* ---- the fit ---- */

typedef struct fit {
    dlp_bugs *model;
    const dlp_bugs_settings *settings;
    dlpi_lowering lowering;
    dlpi_factors factors;
    dlpi_plan plan;
    dlpi_groups groups;
    dlpi_posterior posterior;
    dlpi_margins margins;
    double *start, *unit;
    dlp_index *cells, n_cells;
    bool *wanted;
} fit;

/* Coordinates to begin at, of the cells that inits give. */
static dlp_status set_start(fit *f, dlp_error *error)
{
    const dlpi_graph *g = f->model->graph;
    const dlpi_lowering *l = &f->lowering;
    f->start = dlpi_calloc(2 * g->n_cells, sizeof *f->start);
    if (!f->start) return dlpi_no_memory(error, "the model");
    f->unit = f->start + g->n_cells;
    for (dlp_index c = 0; c < g->n_cells; c++) {
        const double v = g->start ? g->start[c] : NAN;
        const double low = l->lower[c], high = l->upper[c];
        f->start[c] = NAN;
        if (!isfinite(v)) continue;
        switch ((dlpi_domain)l->domain[c]) {
        case DLPI_DOMAIN_REAL: f->start[c] = v; break;
        case DLPI_DOMAIN_ABOVE: f->start[c] = log(v - low); break;
        case DLPI_DOMAIN_BELOW: f->start[c] = log(high - v); break;
        case DLPI_DOMAIN_BETWEEN: f->start[c] = log((v - low) / (high - v)); break;
        default: break;
        }
    }
    return DLP_OK;
}

static dlp_status list_nodes(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    const dlp_index n = f->n_cells;
    m->node = dlpi_calloc(n, sizeof *m->node);
    m->draw = dlpi_calloc(n * f->posterior.draws, sizeof *m->draw);
    if (!m->node || !m->draw) return dlpi_no_memory(error, "the nodes");
    for (dlp_index i = 0; i < n; i++) {
        dlpi_node_margin margin;
        char name[256];
        DLP_TRY(dlpi_margin_of(&f->margins, f->cells[i], m->draw + i * f->posterior.draws,
                               &margin, error));
        dlpi_cell_name(m->graph, f->cells[i], name, sizeof name);
        m->node[i].name = dlpi_pool_copy(&m->names, name, strlen(name));
        if (!m->node[i].name) return dlpi_no_memory(error, "the nodes");
        m->node[i].margin = (dlp_margin){.mean = margin.mean,
                                         .sd = margin.sd,
                                         .lower = margin.lower,
                                         .median = margin.median,
                                         .upper = margin.upper};
    }
    r->n_nodes = n;
    r->node = m->node;
    r->draw = m->draw;
    r->n_draws = f->posterior.draws;
    return DLP_OK;
}

/* Where all unknowns are to be integrated over, a fit with a Gaussian tells where they are,
   and in which units to look. */
static dlp_status look_first(fit *f, dlpi_posterior_settings *settings, dlp_error *error)
{
    dlpi_plan plan = {0};
    dlpi_groups groups = {0};
    dlpi_posterior first = {0};
    const dlp_index n_cells = f->model->graph->n_cells;
    dlp_index draws = settings->draws;
    settings->draws = 2;
    dlp_status status = dlpi_plan_make(&f->factors, false, &plan, error);
    if (status == DLP_OK) status = dlpi_groups_make(&f->factors, &plan, &groups, error);
    if (status == DLP_OK) status = dlpi_posterior_find(&groups, settings, &first, error);
    settings->draws = draws;
    if (status == DLP_OK && first.points > 0) {
        for (dlp_index c = 0; c < n_cells; c++) f->unit[c] = NAN;
        for (dlp_index k = 0; k < plan.n; k++) {
            f->start[plan.x_cell[k]] = first.x_mean[k];
            f->unit[plan.x_cell[k]] = first.x_sd[k];
        }
        for (dlp_index k = 0; k < plan.m; k++)
            f->start[plan.psi_cell[k]] =
                first.center[k] + first.unit[k] * first.explore.mode[k];
        settings->unit = f->unit;
    }
    dlpi_posterior_clear(&first);
    dlpi_groups_clear(&groups);
    dlpi_plan_clear(&plan);
    return status;
}

/* Many leaves are drawn only where they are asked for. */
static dlp_status choose_draws(fit *f, dlpi_posterior_settings *settings,
                               dlp_error *error)
{
    const dlp_index many = 500;
    if (f->plan.L <= many) return DLP_OK;
    f->wanted = dlpi_calloc(f->model->graph->n_cells, sizeof *f->wanted);
    if (!f->wanted) return dlpi_no_memory(error, "the nodes");
    settings->wanted = f->wanted;
    return dlpi_wanted(&f->factors, f->n_cells, f->cells, f->wanted, error);
}

/* Whether psi holds what could be a location: because there are few unknowns, or because it
   is no location of the data's. */
static bool is_whole(const fit *f)
{
    const dlpi_plan *plan = &f->plan;
    for (dlp_index k = 0; k < plan->m; k++) {
        const int32_t cell = plan->psi_cell[k];
        if (plan->reason[cell] == DLPI_FEW_UNKNOWNS ||
            (plan->reason[cell] == DLPI_PARAMETER_OF_DATA &&
             f->lowering.domain[cell] == DLPI_DOMAIN_REAL))
            return true;
    }
    return false;
}

/* Limits by which the models of study/bugs and examples/bugs that disagree with JAGS are told
   from those that agree. */
static void note_doubts(dlp_bugs_result *r)
{
    const double far = 0.2, rough = 1;
    const dlp_index by_grid = 5;
    r->doubt_gaussian = r->shift > far || r->roughness > rough;
    r->doubt_design = r->points > 0 && r->n_points > by_grid;
    r->doubt_maximum =
        r->points == 0 && r->n_points + r->n_gaussian + r->n_quadrature > 0;
}

static dlp_status run(fit *f, dlp_error *error)
{
    dlp_bugs *m = f->model;
    dlp_bugs_result *r = &m->result;
    dlpi_listener listener = {.call = f->settings->progress,
                              .context = f->settings->context};
    DLP_TRY(dlpi_lowering_make(m->graph, &f->lowering, error));
    DLP_TRY(dlpi_factors_make(&f->lowering, &f->factors, error));
    DLP_TRY(dlpi_plan_make(&f->factors, true, &f->plan, error));
    DLP_TRY(dlpi_groups_make(&f->factors, &f->plan, &f->groups, error));
    DLP_TRY(set_start(f, error));
    m->plan = dlpi_calloc(m->graph->n_relations, sizeof *m->plan);
    if (!m->plan) return dlpi_no_memory(error, "the plan");
    r->n_plans = dlpi_explain(&f->factors, &f->plan, m->plan);
    r->plan = m->plan;
    dlpi_posterior_settings settings = {.threads = dlpi_threads(f->settings->threads),
                                        .draws = f->settings->draws,
                                        .seed = f->settings->seed,
                                        .listener = &listener,
                                        .start = f->start};
    DLP_TRY(dlpi_monitored(m->graph, f->settings, &f->cells, &f->n_cells,
                           &r->not_summarised, error));
    DLP_TRY(choose_draws(f, &settings, error));
    if (is_whole(f)) DLP_TRY(look_first(f, &settings, error));
    DLP_TRY(dlpi_posterior_find(&f->groups, &settings, &f->posterior, error));
    r->outcome = f->posterior.outcome;
    r->log_evidence = f->posterior.log_evidence;
    r->points = f->posterior.points;
    r->n_points = f->plan.m;
    r->n_gaussian = f->plan.n;
    r->n_quadrature = f->plan.L;
    r->exact = f->plan.gaussian;
    r->shift = f->posterior.shift;
    r->roughness = f->posterior.roughness;
    r->kinks = f->factors.bends && f->plan.n > 0;
    note_doubts(r);
    m->fitted = true;
    if (f->posterior.points == 0) return DLP_OK;
    DLP_TRY(dlpi_margins_begin(&f->factors, &f->plan, &f->posterior, f->settings->seed,
                               &f->margins, error));
    DLP_TRY(dlpi_margins_check(&f->margins, error));
    return list_nodes(f, error);
}

dlp_status dlp_bugs_fit(dlp_bugs *model, const dlp_bugs_settings *given, dlp_error *error)
{
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    if (!model->graph)
        return dlp_fail(error, DLP_EINVAL, "the model has errors: it cannot be fitted");
    if (settings.draws < 2 || settings.draws > 10000000)
        return dlp_fail(error, DLP_EINVAL, "draws must be between 2 and 10,000,000");
    settings.draws += settings.draws % 2; /* they come in pairs */
    dlpi_bugs_clear_result(model);
    fit f = {.model = model, .settings = &settings};
    dlp_status status = run(&f, error);
    if (status == DLP_EINVAL)
        status = DLP_EINPUT; /* the model's fault, not the caller's */
    dlpi_margins_end(&f.margins);
    dlpi_posterior_clear(&f.posterior);
    dlpi_groups_clear(&f.groups);
    dlpi_plan_clear(&f.plan);
    dlpi_factors_clear(&f.factors);
    dlpi_lowering_clear(&f.lowering);
    free(f.start);
    free(f.cells);
    free(f.wanted);
    if (status != DLP_OK) dlpi_bugs_clear_result(model);
    return status;
}

const dlp_bugs_result *dlp_bugs_result_of(const dlp_bugs *model)
{
    return model->fitted ? &model->result : NULL;
}
