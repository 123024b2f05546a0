/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/by_states.h"

#include "core/core.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

static const double MOST_NUMBERS = 4e7; /* draws of all nodes in all states */
static const double NEGLIGIBLE = 1e-3;  /* weight of a state */
static const double MUCH = 0.05;        /* of all states, not tried in full */
static const double UNLIKELY = 1e-4;    /* of one whose neighbours do not matter either */

void dlpi_held_find(const dlpi_factors *f, double most, dlpi_held_states *held)
{
    *held = (dlpi_held_states){.total = 1};
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        double low, high;
        if (!node->alive || !node->discrete) continue;
        const dlp_index cell = f->node_cell[node->first];
        dlpi_lower_begin(f->lowering);
        if (held->n == DLPI_HELD_CELLS ||
            dlpi_lower_states(f->lowering, cell, &low, &high, NULL) != DLP_OK ||
            dlpi_is_cut_off(f->lowering, cell) || held->total * (high - low + 1) > most) {
            held->n = 0;
            return;
        }
        held->cell[held->n] = cell;
        held->low[held->n] = low;
        held->count[held->n++] = (int)(high - low) + 1;
        held->total *= high - low + 1;
    }
}

typedef struct mixing {
    dlp_bugs *model;
    const dlpi_held_states *held;
    dlp_bugs_settings settings; /* of the fits of states: */
    const char **monitor;       /*     the nodes that are not held */
    int *held_node;             /* (nodes) which of the held cells it is, or -1 */
    int n, room;                /* states that are fitted, of at most so many */
    dlp_index *code;            /* (room) the state as a number, the first cell fastest */
    bool *known;                /* (room) its neighbours are among the states */
    dlp_bugs *fit;              /* (room) {0}: the state is impossible */
    double *weight;             /* (room) at first the logarithm of the evidence */
    dlpi_weighted *sorted;      /* (draws) room */
    int *state_of;              /* (draws) */
    bool failed;
} mixing;

/* Which of its values held cell i has. */
static int place_at(const mixing *x, int state, int i)
{
    dlp_index code = x->code[state];
    for (int k = 0; k < i; k++) code /= x->held->count[k];
    return (int)(code % x->held->count[i]);
}

static double state_at(const mixing *x, int state, int i)
{
    return x->held->low[i] + place_at(x, state, i);
}

/* ---- one fit per state ---- */

static void hold(mixing *x, int state, bool yes)
{
    dlpi_graph *g = x->model->graph;
    for (int i = 0; i < x->held->n; i++) {
        const dlp_index cell = x->held->cell[i];
        g->kind[cell] = yes ? DLPI_CELL_OBSERVED : DLPI_CELL_LATENT;
        g->value[cell] = yes ? state_at(x, state, i) : NAN;
    }
    g->n_held = yes ? x->held->n : 0;
    g->held = yes ? x->held->cell : NULL;
}

static dlp_status fit_state(mixing *x, int state, double *log_evidence, dlp_error *error)
{
    dlp_bugs *fit = &x->fit[state];
    dlp_error own = {0};
    fit->graph = x->model->graph;
    hold(x, state, true);
    const dlp_status status = dlp_bugs_fit(fit, &x->settings, &own);
    hold(x, state, false);
    *log_evidence = -INFINITY;
    if (status == DLP_OK && fit->result.outcome == DLP_CANCELLED)
        return dlp_fail(error, DLP_ECANCELLED, "cancelled");
    if (status == DLP_OK && fit->result.outcome == DLP_CONVERGED &&
        (fit->result.n_nodes == x->settings.n_monitors || x->settings.n_monitors == 0) &&
        isfinite(fit->result.log_evidence)) {
        *log_evidence = fit->result.log_evidence;
        return DLP_OK;
    }
    if (status == DLP_ECANCELLED || status == DLP_ENOMEM) {
        if (error) *error = own;
        return status;
    }
    x->failed = x->failed || status == DLP_OK || !fit->impossible;
    return DLP_OK;
}

/* log evidence = log sum of theirs; weights add up to 1 */
static void weigh(mixing *x, double *log_evidence)
{
    double top = -INFINITY, sum = 0;
    for (int k = 0; k < x->n; k++) top = fmax(top, x->weight[k]);
    x->failed = x->failed || !isfinite(top);
    for (int k = 0; k < x->n; k++) sum += x->weight[k] = exp(x->weight[k] - top);
    for (int k = 0; k < x->n; k++) x->weight[k] /= sum;
    *log_evidence = x->n > 0 ? top + log(sum) : top;
}

static dlp_status add_state(mixing *x, dlp_index code, dlp_error *error)
{
    x->code[x->n] = code;
    const dlp_status status = fit_state(x, x->n, &x->weight[x->n], error);
    x->n++;
    return status;
}

static bool has_state(const mixing *x, dlp_index code)
{
    for (int k = 0; k < x->n; k++)
        if (x->code[k] == code) return true;
    return false;
}

/* The likeliest state whose neighbours are not known yet; -1: none of them matters. */
static int next_to_know(const mixing *x)
{
    double top = -INFINITY, sum = 0;
    int best = -1;
    for (int k = 0; k < x->n; k++) top = fmax(top, x->weight[k]);
    for (int k = 0; k < x->n; k++) {
        if (isfinite(top)) sum += exp(x->weight[k] - top);
        if (!x->known[k] && (best < 0 || x->weight[k] > x->weight[best])) best = k;
    }
    const bool matters =
        best >= 0 && (!isfinite(top) || exp(x->weight[best] - top) > UNLIKELY * sum);
    return matters ? best : -1;
}

/* Adds the states that differ from one in a single cell. */
static dlp_status add_neighbours(mixing *x, int state, dlp_error *error)
{
    dlp_index stride = 1;
    for (int i = 0; i < x->held->n; i++) {
        const int own = place_at(x, state, i);
        for (int v = 0; v < x->held->count[i]; v++) {
            const dlp_index code = x->code[state] + (v - own) * stride;
            if (v == own || x->failed || has_state(x, code)) continue;
            if (x->n == x->room) return DLP_OK;
            DLP_TRY(add_state(x, code, error));
        }
        stride *= x->held->count[i];
    }
    x->known[state] = true;
    return DLP_OK;
}

/* All states or, if they are too many, those found from the likeliest on; with few draws,
   for their evidence. */
static dlp_status fit_roughly(mixing *x, double *log_evidence, dlp_error *error)
{
    x->settings.draws = DLP_BUGS_LEAST_DRAWS;
    x->settings.verify = 0;
    const bool all = x->held->total <= x->room;
    for (int k = 0; k < (all ? x->room : 1) && !x->failed; k++)
        DLP_TRY(add_state(x, k, error));
    for (int k = 0; !all && k >= 0 && x->n < x->room && !x->failed;) {
        k = next_to_know(x);
        if (k >= 0) DLP_TRY(add_neighbours(x, k, error));
    }
    if (!x->failed) weigh(x, log_evidence);
    return DLP_OK;
}

/* The share of states whose neighbours were not tried because there were too many. */
static double share_of_unknown(const mixing *x)
{
    double sum = 0;
    if (x->n < x->room || x->held->total <= x->room) return 0;
    for (int k = 0; k < x->n; k++) sum += x->known[k] ? 0 : x->weight[k];
    return sum;
}

/* The states that matter once more, with draws by weight; those that matter most are
   verified. */
static dlp_status fit_well(mixing *x, const dlp_bugs_settings *settings, dlp_error *error)
{
    const double spare = 4, much = 1.0 / 64;
    double log_evidence, top = 0;
    for (int k = 0; k < x->n; k++) top = fmax(top, x->weight[k]);
    for (int k = 0; k < x->n && !x->failed; k++) {
        const double w = x->weight[k], least = DLP_BUGS_LEAST_DRAWS,
                     draws = fmin(spare * w, 1) * (double)settings->draws;
        if (w < NEGLIGIBLE && w < top) continue;
        x->settings.draws = 2 * (dlp_index)(fmax(draws, least) / 2);
        x->settings.verify = w >= much || w >= top ? settings->verify : 0;
        DLP_TRY(fit_state(x, k, &log_evidence, error));
    }
    return DLP_OK;
}

/* ---- nodes ---- */

/* Assigns a state to each pair of draws, in proportion to the weights, in random
   order. */
static void share_draws(mixing *x)
{
    const dlp_index pairs = x->model->result.n_draws / 2;
    dlp_rng rng = dlp_rng_at(dlpi_draw_stream(x->settings.seed, -2), 0);
    int state = 0;
    double sum = x->weight[0];
    for (dlp_index i = 0; i < pairs; i++) {
        while (state + 1 < x->n && ((double)i + 0.5) / (double)pairs > sum)
            sum += x->weight[++state];
        x->state_of[2 * i] = x->state_of[2 * i + 1] = state;
    }
    for (dlp_index i = pairs - 1; i > 0; i--) {
        const dlp_index j = (dlp_index)(dlp_draw_uniform(&rng) * (double)(i + 1));
        const int other = x->state_of[2 * j];
        x->state_of[2 * j] = x->state_of[2 * j + 1] = x->state_of[2 * i];
        x->state_of[2 * i] = x->state_of[2 * i + 1] = other;
    }
}

/* The draw of a state that takes the place of the d-th of all; pairs stay together. */
static double draw_at(const mixing *x, int state, const double *draw, dlp_index d)
{
    const dlp_index own = x->fit[state].result.n_draws / 2,
                    all = x->model->result.n_draws / 2;
    return draw[all > 0 ? 2 * (d / 2 * own / all) + d % 2 : 0];
}

/* Node i in a state; its draws, or NULL where it is held. */
static dlp_bugs_node in_state(const mixing *x, dlp_index i, dlp_index inner, int state,
                              const double **draw)
{
    const int held = x->held_node[i];
    *draw = NULL;
    if (held >= 0) {
        const dlp_margin at = {.mean = state_at(x, state, held)};
        return (dlp_bugs_node){.margin = at, .sampled = at};
    }
    const dlp_bugs_result *r = &x->fit[state].result;
    *draw = r->draw + inner * r->n_draws;
    return r->node[inner];
}

/* Mean and sd of a mixture: sum w m, and the root of sum w (s^2 + m^2) - mean^2. */
typedef struct moments {
    double mean, square;
} moments;

static void add_moments(moments *to, double weight, const dlp_margin *m)
{
    to->mean += weight * m->mean;
    to->square += weight * (m->sd * m->sd + m->mean * m->mean);
}

static void set_moments(const moments *from, dlp_margin *m)
{
    m->mean = from->mean;
    m->sd = sqrt(fmax(from->square - from->mean * from->mean, 0));
}

static void mix_node(mixing *x, dlp_index i, dlp_index inner)
{
    dlp_bugs *m = x->model;
    const dlp_index draws = m->result.n_draws;
    const double *draw[DLPI_HELD_STATES] = {NULL};
    double at[DLPI_HELD_STATES] = {0};
    moments found = {0}, sampled = {0};
    for (int k = 0; k < x->n; k++) {
        if (x->weight[k] <= 0) continue;
        const dlp_bugs_node own = in_state(x, i, inner, k, &draw[k]);
        at[k] = own.margin.mean;
        add_moments(&found, x->weight[k], &own.margin);
        const bool known = isfinite(own.sampled.mean);
        add_moments(&sampled, x->weight[k], known ? &own.sampled : &own.margin);
        if (own.grade > m->node[i].grade || k == 0) m->node[i].grade = own.grade;
    }
    double *to = m->draw + i * draws;
    for (dlp_index d = 0; d < draws; d++) {
        const int k = x->state_of[d];
        to[d] = draw[k] ? draw_at(x, k, draw[k], d) : at[k];
        x->sorted[d] = (dlpi_weighted){to[d], 1 / (double)draws};
    }
    dlpi_weighted_sort(draws, x->sorted);
    dlp_margin margin = {.lower = dlpi_weighted_quantile(draws, x->sorted, 0.025),
                         .median = dlpi_weighted_quantile(draws, x->sorted, 0.5),
                         .upper = dlpi_weighted_quantile(draws, x->sorted, 0.975)};
    set_moments(&sampled, &margin);
    m->node[i].sampled = margin;
    set_moments(&found, &margin);
    m->node[i].margin = m->node[i].found = margin;
    m->node[i].error = 0;
}

/* ---- the report ---- */

static int likeliest(const mixing *x)
{
    int top = 0;
    for (int k = 1; k < x->n; k++)
        if (x->weight[k] > x->weight[top]) top = k;
    return top;
}

/* The name of the model's own node, as the fit of a state is freed. */
static const char *own_name(const dlp_bugs *m, const char *name)
{
    for (dlp_index i = 0; name && i < m->result.n_nodes; i++)
        if (strcmp(m->node[i].name, name) == 0) return m->node[i].name;
    return NULL;
}

static void tell(mixing *x, double log_evidence)
{
    dlp_bugs_result *r = &x->model->result;
    const dlp_bugs_result before = *r;
    const int top = likeliest(x);
    *r = x->fit[top].result;
    r->node = before.node;
    r->n_nodes = before.n_nodes;
    r->draw = before.draw;
    r->n_draws = before.n_draws;
    r->plan = before.plan;
    r->n_plans = before.n_plans;
    r->not_summarised = before.not_summarised;
    r->rarest = own_name(x->model, r->rarest);
    r->longest = own_name(x->model, r->longest);
    r->log_evidence = log_evidence;
    r->n_states = x->n;
    r->doubt_states = share_of_unknown(x) > MUCH;
    for (int k = 0; k < x->n; k++) {
        const dlp_bugs_result *own = &x->fit[k].result;
        if (x->weight[k] < NEGLIGIBLE) continue;
        r->exact = r->exact && own->exact;
        r->doubt_gaussian = r->doubt_gaussian || own->doubt_gaussian;
        r->doubt_omitted = r->doubt_omitted || own->doubt_omitted;
        r->doubt_design = r->doubt_design || own->doubt_design;
        r->kinks = r->kinks || own->kinks;
        r->doubt_tail = r->doubt_tail || own->doubt_tail;
        r->modes = r->modes > own->modes ? r->modes : own->modes;
        if (own->verdict == DLP_BUGS_NOT_CONFIRMED) r->verdict = own->verdict;
    }
    /* Only states that matter much were verified. */
    if (r->verdict == DLP_BUGS_CONFIRMED &&
        (r->doubt_gaussian || r->doubt_omitted || r->doubt_design || r->doubt_tail ||
         r->doubt_states || r->kinks))
        r->verdict = DLP_BUGS_CONFIRMED_HERE;
}

/* The plan of the likeliest state; the lines of the held cells stay as they were. */
static void mix_plan(mixing *x)
{
    dlp_bugs *m = x->model;
    const int top = likeliest(x);
    const dlp_bugs_result *own = &x->fit[top].result;
    for (int i = 0; i < m->result.n_plans; i++) {
        dlp_bugs_plan *line = &m->plan[i];
        if (line->summed) {
            line->reason = "discrete: held at each of its values in turn";
            continue;
        }
        for (int j = 0; j < own->n_plans; j++)
            if (own->plan[j].line == line->line && own->plan[j].name == line->name)
                *line = own->plan[j];
    }
}

/* ---- the whole ---- */

static dlp_status prepare(mixing *x, dlp_error *error)
{
    const dlp_bugs *m = x->model;
    const dlp_index n = m->result.n_nodes, draws = m->result.n_draws;
    x->monitor = dlpi_calloc(n, sizeof *x->monitor);
    x->held_node = dlpi_calloc(n, sizeof *x->held_node);
    x->code = dlpi_calloc(x->room, sizeof *x->code);
    x->known = dlpi_calloc(x->room, sizeof *x->known);
    x->fit = dlpi_calloc(x->room, sizeof *x->fit);
    x->weight = dlpi_calloc(x->room, sizeof *x->weight);
    x->sorted = dlpi_calloc(draws, sizeof *x->sorted);
    x->state_of = dlpi_calloc(draws, sizeof *x->state_of);
    if (!x->monitor || !x->held_node || !x->code || !x->known || !x->fit || !x->weight ||
        !x->sorted || !x->state_of)
        return dlpi_no_memory(error, "the nodes");
    for (dlp_index i = 0; i < n; i++) {
        char name[256];
        x->held_node[i] = -1;
        for (int k = 0; k < x->held->n; k++) {
            dlpi_cell_name(m->graph, x->held->cell[k], name, sizeof name);
            if (strcmp(name, m->node[i].name) == 0) x->held_node[i] = k;
        }
        if (x->held_node[i] < 0) x->monitor[x->settings.n_monitors++] = m->node[i].name;
    }
    x->settings.monitor = x->monitor;
    return DLP_OK;
}

static dlp_status mix(mixing *x, const dlp_bugs_settings *settings, dlp_error *error)
{
    dlp_bugs *m = x->model;
    double log_evidence;
    dlp_index inner = 0;
    DLP_TRY(prepare(x, error));
    DLP_TRY(fit_roughly(x, &log_evidence, error));
    if (!x->failed) DLP_TRY(fit_well(x, settings, error));
    if (x->failed) return DLP_OK;
    share_draws(x);
    for (dlp_index i = 0; i < m->result.n_nodes; i++) {
        mix_node(x, i, inner);
        inner += x->held_node[i] < 0;
    }
    mix_plan(x);
    tell(x, log_evidence);
    return DLP_OK;
}

dlp_status dlpi_fit_by_states(dlp_bugs *model, const dlp_bugs_settings *settings,
                              const dlpi_held_states *held, dlp_error *error)
{
    mixing x = {.model = model, .held = held, .settings = *settings};
    const dlp_bugs_result *r = &model->result;
    x.settings.n_monitors = 0;
    x.room = (int)fmin(held->total, DLPI_HELD_STATES);
    const double draws =
        (double)x.room * DLP_BUGS_LEAST_DRAWS + 5 * (double)settings->draws;
    if (draws * (double)r->n_nodes > MOST_NUMBERS) return DLP_OK;
    const dlp_status status = mix(&x, settings, error);
    for (int k = 0; x.fit && k < x.room; k++) dlpi_bugs_clear_result(&x.fit[k]);
    free((void *)x.monitor);
    free(x.held_node);
    free(x.code);
    free(x.known);
    free(x.fit);
    free(x.weight);
    free(x.sorted);
    free(x.state_of);
    return status;
}
