/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/answer/nodes.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 100000, MOST_TRIES = 1000 };

/* ---- memory ---- */

dlp_status dlpi_margins_begin(dlpi_factors *f, const dlpi_plan *plan,
                              dlpi_posterior *posterior, uint64_t seed,
                              dlpi_node_margins *m, dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    *m = (dlpi_node_margins){
        .factors = f, .plan = plan, .posterior = posterior, .seed = seed};
    m->column = dlpi_calloc(n_cells, sizeof *m->column);
    m->value = dlpi_calloc(posterior->draws + 1, sizeof *m->value);
    m->censored = dlpi_calloc(n_cells, sizeof *m->censored);
    m->moment = dlpi_calloc(3 * n_cells, sizeof *m->moment);
    if (!m->column || !m->value || !m->censored || !m->moment)
        return dlpi_no_memory(error, "the nodes");
    /* Nodes on which no data depend are used as they are: they have no coordinates. */
    for (dlp_index c = 0; c < n_cells; c++)
        if (f->lowering->domain[c] == DLPI_DOMAIN_CENSORED)
            m->censored[c] = true, f->lowering->domain[c] = DLPI_DOMAIN_REAL;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        dlpi_reference of;
        if (f->node[k].alive) continue;
        DLP_TRY(dlpi_lower_defined(f->lowering, f->node[k].relation, f->node[k].instance,
                                   &of, error));
        for (dlp_index i = 0; i < of.n; i++)
            f->lowering->domain[of.cell[i]] =
                f->node[k].discrete ? DLPI_DOMAIN_DISCRETE : DLPI_DOMAIN_REAL;
    }
    return DLP_OK;
}

static void forget_columns(dlpi_node_margins *m)
{
    dlpi_known_columns_free(m->known);
    m->known = NULL;
    const dlp_index n_cells = m->factors ? m->factors->lowering->graph->n_cells : 0;
    for (dlp_index c = 0; m->column && c < n_cells; c++) {
        free(m->column[c]);
        m->column[c] = NULL;
    }
    if (m->moment) memset(m->moment, 0, (size_t)(3 * n_cells) * sizeof *m->moment);
}

dlp_status dlpi_margins_change(dlpi_node_margins *m, dlpi_posterior *posterior,
                               dlp_error *error)
{
    forget_columns(m);
    free(m->value);
    m->posterior = posterior;
    m->value = dlpi_calloc(posterior->draws + 1, sizeof *m->value);
    return m->value ? DLP_OK : dlpi_no_memory(error, "the nodes");
}

void dlpi_margins_end(dlpi_node_margins *m)
{
    forget_columns(m);
    free((void *)m->column);
    free(m->value);
    free(m->censored);
    free(m->moment);
    free(m->batch);
    free(m->room);
    free((void *)m->input);
    dlpi_program_draft_free(&m->draft);
    *m = (dlpi_node_margins){0};
}

static dlp_status make_room(dlpi_node_margins *m, const dlpi_program *p, dlp_error *error)
{
    if (p->n_inputs > m->most_inputs) {
        free(m->batch);
        free((void *)m->input);
        m->most_inputs = 2 * p->n_inputs;
        m->batch = dlpi_calloc(m->most_inputs, DLPI_BATCH * sizeof *m->batch);
        m->input = dlpi_calloc(m->most_inputs, sizeof *m->input);
    }
    int *slot = dlpi_calloc(p->n_inputs + 1, sizeof *slot);
    if (!slot) return dlpi_no_memory(error, "the nodes");
    for (int i = 0; i < p->n_inputs; i++) slot[i] = -1;
    const size_t room = dlpi_program_room(p, 0, 0, slot);
    free(slot);
    if (room > m->room_size) {
        free(m->room);
        m->room_size = room;
        m->room = dlpi_calloc((dlp_index)room, sizeof *m->room);
    }
    if ((m->most_inputs && (!m->batch || !m->input)) || (m->room_size && !m->room))
        return dlpi_no_memory(error, "the nodes");
    return DLP_OK;
}

/* ---- expressions by draws ---- */

static dlp_status column_of(dlpi_node_margins *m, dlp_index cell, const double **column,
                            dlp_error *error);

/* The draft's program for n points; inputs that are cells have `stride` between them, or
   are in columns. */
static void run(dlpi_node_margins *m, const dlpi_program_draft *d,
                const double *const *column, dlp_index n, double *values)
{
    for (dlp_index at = 0; at < n; at += DLPI_BATCH) {
        const dlp_index count = n - at < DLPI_BATCH ? n - at : DLPI_BATCH;
        for (int i = 0; i < d->program.n_inputs; i++) {
            double *to = m->batch + (dlp_index)i * DLPI_BATCH;
            m->input[i] = column[i] ? column[i] + at : to;
            for (dlp_index q = 0; !column[i] && q < count; q++) to[q] = d->value[i];
        }
        dlpi_program_run(&d->program, count, m->input, 0, NULL, 0, values + at, m->room);
    }
}

dlp_status dlpi_margins_run(dlpi_node_margins *m, const dlpi_program_draft *d,
                            double *values, dlp_error *error)
{
    dlp_status status = DLP_OK;
    const double **column = dlpi_calloc(d->program.n_inputs, sizeof *column);
    if (!column) return dlpi_no_memory(error, "the nodes");
    for (int i = 0; status == DLP_OK && i < d->program.n_inputs; i++)
        if (d->cell[i] >= 0) status = column_of(m, d->cell[i], &column[i], error);
    if (status == DLP_OK) status = make_room(m, &d->program, error);
    if (status == DLP_OK) run(m, d, column, m->posterior->draws, values);
    free((void *)column);
    return status;
}

/* Uses a draft of its own: drawing parents would overwrite the one in the margins. */
static dlp_status evaluate(dlpi_node_margins *m, dlpi_expr e, double *values,
                           dlp_error *error)
{
    dlpi_program_draft d = {0};
    dlp_status status = dlpi_program_make(m->factors->lowering->builder, e, &d, error);
    if (status == DLP_OK) status = dlpi_margins_run(m, &d, values, error);
    dlpi_program_draft_free(&d);
    return status;
}

/* ---- nodes without data below them ---- */

/* Parameters of an instance, by draws: (total elements, draws). */
typedef struct parameters {
    int n;
    dlp_index size[8], total;
    double *values;
} parameters;

static dlp_status lower_all(dlpi_node_margins *m, int relation, dlp_index instance,
                            dlp_index censored, dlpi_expr **e, parameters *p,
                            dlp_error *error)
{
    dlpi_lowering *l = m->factors->lowering;
    dlpi_value params[8];
    dlpi_expr bound[2];
    DLP_TRY(dlpi_lower_parameters(l, relation, instance, params, error));
    DLP_TRY(dlpi_lower_truncation(l, relation, instance, bound, error));
    if (censored >= 0) DLP_TRY(dlpi_lower_censoring(l, censored, bound, error));
    p->n = l->graph->of[relation].relation->right->n_args;
    p->total = 2;
    for (int i = 0; i < p->n; i++) p->total += p->size[i] = params[i].n;
    *e = dlpi_calloc(p->total, sizeof **e);
    if (!*e) return dlpi_no_memory(error, "the nodes");
    dlp_index at = 0;
    for (int i = 0; i < p->n; i++)
        for (dlp_index k = 0; k < params[i].n; k++) (*e)[at++] = params[i].at[k];
    (*e)[at++] = bound[0] >= 0 ? bound[0] : dlpi_literal(l->builder, -INFINITY);
    (*e)[at++] = bound[1] >= 0 ? bound[1] : dlpi_literal(l->builder, INFINITY);
    return DLP_OK;
}

/* ---- indices that depend on a discrete cell ---- */

/* Discrete cells on which indices depend, and the states being tried. */
typedef struct held {
    int n;
    dlp_index cell[8];
    double state[8];
} held;

/* What to compute for each draw: a cell, an element of the parameters of an instance, or
   its log density. */
typedef struct wanted {
    dlp_index cell; /* -1: of an instance */
    int relation;
    dlp_index instance, censored, element;
    bool density;
} wanted;

static dlp_status lower_wanted(dlpi_node_margins *m, const wanted *w, const held *h,
                               dlpi_expr *e, dlp_error *error)
{
    dlpi_lowering *l = m->factors->lowering;
    dlpi_lower_begin(l);
    for (int i = 0; i < h->n; i++) dlpi_lower_assign(l, h->cell[i], h->state[i]);
    if (w->cell >= 0) return dlpi_lower_cell(l, w->cell, e, error);
    if (w->density) return dlpi_lower_density(l, w->relation, w->instance, e, error);
    parameters p = {0};
    dlpi_expr *all = NULL;
    DLP_TRY(lower_all(m, w->relation, w->instance, w->censored, &all, &p, error));
    *e = all[w->element];
    free(all);
    return DLP_OK;
}

static dlp_status values_held(dlpi_node_margins *m, const wanted *w, held *h,
                              double *values, dlp_error *error);

/* The next state above s that a draw is in; infinity: there is none. */
static double next_state(const double *column, dlp_index draws, double s)
{
    double next = INFINITY;
    for (dlp_index i = 0; i < draws; i++)
        if (column[i] > s && column[i] < next) next = column[i];
    return next;
}

/* Computes it for every state of a discrete cell; each draw takes the value of its
   state. */
static dlp_status values_by_state(dlpi_node_margins *m, const wanted *w, held *h,
                                  dlp_index unknown, double *values, dlp_error *error)
{
    const dlp_index draws = m->posterior->draws;
    const double *column;
    DLP_TRY(column_of(m, unknown, &column, error));
    double *own = dlpi_calloc(draws, sizeof *own);
    if (!own) return dlpi_no_memory(error, "the nodes");
    dlp_status status = DLP_OK;
    const int at = h->n++;
    h->cell[at] = unknown;
    for (double s = next_state(column, draws, -INFINITY); isfinite(s) && status == DLP_OK;
         s = next_state(column, draws, s)) {
        h->state[at] = s;
        status = values_held(m, w, h, own, error);
        for (dlp_index i = 0; status == DLP_OK && i < draws; i++)
            if (column[i] == s) values[i] = own[i];
    }
    h->n--;
    free(own);
    return status;
}

static dlp_status values_held(dlpi_node_margins *m, const wanted *w, held *h,
                              double *values, dlp_error *error)
{
    dlpi_expr e;
    const dlp_status status = lower_wanted(m, w, h, &e, error);
    const dlp_index unknown = m->factors->lowering->unknown;
    if (status == DLP_OK) return evaluate(m, e, values, error);
    if (unknown < 0 || h->n == 8) return status;
    return values_by_state(m, w, h, unknown, values, error);
}

static dlp_status values_of(dlpi_node_margins *m, dlp_index cell, double *values,
                            dlp_error *error)
{
    held h = {0};
    return values_held(m, &(wanted){.cell = cell}, &h, values, error);
}

dlp_status dlpi_margins_density(dlpi_node_margins *m, int relation, dlp_index instance,
                                double *values, dlp_error *error)
{
    held h = {0};
    return values_held(
        m,
        &(wanted){
            .cell = -1, .relation = relation, .instance = instance, .density = true},
        &h, values, error);
}

/* The number of parameters and their sizes, with the cells on which indices depend in any
   state that was drawn. */
static dlp_status count_parameters(dlpi_node_margins *m, const wanted *w, parameters *p,
                                   dlp_error *error)
{
    dlpi_lowering *l = m->factors->lowering;
    held h = {0};
    for (;;) {
        const double *column;
        dlpi_expr *e = NULL;
        dlpi_lower_begin(l);
        for (int i = 0; i < h.n; i++) dlpi_lower_assign(l, h.cell[i], h.state[i]);
        const dlp_status status =
            lower_all(m, w->relation, w->instance, w->censored, &e, p, error);
        const dlp_index unknown = l->unknown;
        free(e);
        if (status == DLP_OK || unknown < 0 || h.n == 8) return status;
        DLP_TRY(column_of(m, unknown, &column, error));
        h.cell[h.n] = unknown;
        h.state[h.n++] = column[0];
    }
}

/* Parents that have to be drawn use the builder, too, which forgets between columns. So
   we lower the parameters again for each of their elements. */
static dlp_status evaluate_parameters(dlpi_node_margins *m, int relation,
                                      dlp_index instance, dlp_index censored,
                                      parameters *p, dlp_error *error)
{
    const dlp_index draws = m->posterior->draws;
    wanted w = {
        .cell = -1, .relation = relation, .instance = instance, .censored = censored};
    *p = (parameters){0};
    DLP_TRY(count_parameters(m, &w, p, error));
    p->values = dlpi_calloc(p->total * draws, sizeof *p->values);
    if (!p->values) return dlpi_no_memory(error, "the nodes");
    dlp_status status = DLP_OK;
    for (; w.element < p->total && status == DLP_OK; w.element++) {
        held h = {0};
        status = values_held(m, &w, &h, p->values + w.element * draws, error);
    }
    return status;
}

static void draw_one(const dlpi_distribution *d, const parameters *p, dlp_index i,
                     dlp_index draws, double *room, dlp_index n, dlp_rng *rng, double *y)
{
    const double *params[8];
    dlp_index at = 0;
    for (int k = 0; k < p->n; k++) {
        params[k] = room + at;
        for (dlp_index q = 0; q < p->size[k]; q++, at++)
            room[at] = p->values[at * draws + i];
    }
    const double low = p->values[at * draws + i], high = p->values[(at + 1) * draws + i];
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        d->draw(params, p->size, n, rng, y);
        if (n > 1 || (y[0] >= low && y[0] <= high)) return;
    }
    y[0] = fmin(fmax(y[0], low), high);
}

static dlp_status draw_node(dlpi_node_margins *m, const dlpi_node *node,
                            dlp_index censored, dlp_error *error)
{
    const dlpi_lowering *l = m->factors->lowering;
    const dlp_index draws = m->posterior->draws;
    dlpi_reference of;
    parameters p = {0};
    dlp_status status =
        evaluate_parameters(m, node->relation, node->instance, censored, &p, error);
    if (status == DLP_OK)
        status = dlpi_lower_defined(m->factors->lowering, node->relation, node->instance,
                                    &of, error);
    double *room = status == DLP_OK ? dlpi_calloc(p.total + of.n, sizeof *room) : NULL;
    if (status == DLP_OK && !room) status = dlpi_no_memory(error, "the nodes");
    for (dlp_index k = 0; status == DLP_OK && k < of.n; k++) {
        m->column[of.cell[k]] = dlpi_calloc(draws, sizeof(double));
        if (!m->column[of.cell[k]]) status = dlpi_no_memory(error, "the nodes");
    }
    for (dlp_index i = 0; status == DLP_OK && i < draws; i++) {
        dlp_rng rng = dlp_rng_at(dlpi_draw_stream(m->seed, of.cell[0]), (uint64_t)i);
        double *y = room + p.total;
        draw_one(l->of[node->relation], &p, i, draws, room, of.n, &rng, y);
        for (dlp_index k = 0; k < of.n; k++) m->column[of.cell[k]][i] = y[k];
    }
    free(room);
    free(p.values);
    return status;
}

/* ---- discrete nodes ---- */

/* log p of the cell's component at this state, by draws; NaN: summed over its states. */
static dlp_status log_probability(dlpi_node_margins *m, dlp_index cell, double state,
                                  double *values, dlp_error *error)
{
    dlpi_expr e;
    dlpi_lower_begin(m->factors->lowering);
    DLP_TRY(dlpi_log_probability(m->factors, cell, state, &e, error));
    double v;
    if (!dlpi_is_number(m->factors->lowering->builder, e, &v))
        return evaluate(m, e, values, error);
    for (dlp_index i = 0; i < m->posterior->draws; i++) values[i] = v;
    return DLP_OK;
}

/* One uniform number per draw decides the cell's state. Ignores the states of its
   neighbours: there are too many of them for joint tables. */
static dlp_status draw_alone(dlpi_node_margins *m, dlp_index cell, dlp_error *error)
{
    const dlp_index draws = m->posterior->draws;
    double first, last;
    dlpi_lower_begin(m->factors->lowering);
    DLP_TRY(dlpi_lower_states(m->factors->lowering, cell, &first, &last, error));
    double *sum = dlpi_calloc(3 * draws, sizeof *sum), *p = sum + draws, *all = p + draws;
    double *column = m->column[cell] = dlpi_calloc(draws, sizeof *column);
    dlp_status status = sum && column ? DLP_OK : dlpi_no_memory(error, "the nodes");
    for (dlp_index i = 0; status == DLP_OK && i < draws; i++) column[i] = last;
    if (status == DLP_OK) status = log_probability(m, cell, NAN, all, error);
    for (double s = first; s < last && status == DLP_OK; s++) {
        status = log_probability(m, cell, s, p, error);
        for (dlp_index i = 0; status == DLP_OK && i < draws; i++)
            p[i] = exp(p[i] - all[i]);
        for (dlp_index i = 0; status == DLP_OK && i < draws; i++) {
            dlp_rng rng = dlp_rng_at(dlpi_draw_stream(m->seed, cell), (uint64_t)i);
            const double u = dlp_draw_uniform(&rng);
            if (sum[i] <= u && u < sum[i] + p[i]) column[i] = s;
            sum[i] += p[i];
        }
    }
    free(sum);
    return status;
}

static dlp_status draw_state(dlpi_node_margins *m, dlp_index cell, dlp_error *error)
{
    bool done;
    DLP_TRY(dlpi_draw_together(m, cell, &done, error));
    return done ? DLP_OK : draw_alone(m, cell, error);
}

/* P(cell = its last state), on average. */
static dlp_status last_probability(dlpi_node_margins *m, dlp_index cell, double *p,
                                   dlp_error *error)
{
    const dlp_index draws = m->posterior->draws;
    double first, last;
    double *at = dlpi_calloc(2 * draws, sizeof *at);
    if (!at) return dlpi_no_memory(error, "the nodes");
    double *const all = at + draws;
    dlpi_lower_begin(m->factors->lowering);
    dlp_status status =
        dlpi_lower_states(m->factors->lowering, cell, &first, &last, error);
    if (status == DLP_OK) status = log_probability(m, cell, NAN, all, error);
    if (status == DLP_OK) status = log_probability(m, cell, last, at, error);
    *p = 0;
    for (dlp_index i = 0; status == DLP_OK && i < draws; i++)
        *p += exp(at[i] - all[i]) / (double)draws;
    free(at);
    return status;
}

dlp_status dlpi_margins_check(dlpi_node_margins *m, dlp_error *error)
{
    enum { MOST = 30 }; /* nodes to look at: the others are similar */
    const double little = 1e-4;
    const dlpi_factors *f = m->factors;
    int looked = 0;
    for (dlp_index k = 0; k < f->n_nodes && looked < MOST; k++) {
        const dlpi_node *node = &f->node[k];
        const dlp_index cell = f->node_cell[node->first];
        double p;
        if (!node->alive || !node->discrete ||
            f->lowering->of[node->relation]->support != DLPI_COUNT)
            continue;
        looked++;
        DLP_TRY(last_probability(m, cell, &p, error));
        if (p < little || !dlpi_is_cut_off(f->lowering, cell)) continue;
        char name[128];
        dlpi_cell_name(f->lowering->graph, cell, name, sizeof name);
        return dlpi_graph_complain(
            f->lowering->graph, f->lowering->graph->of[node->relation].relation->place,
            error,
            "%s may be larger than the values that were summed over; add T(,m), with a "
            "number m that it almost never exceeds",
            name);
    }
    return DLP_OK;
}

/* ---- columns ---- */

static dlp_status column_of(dlpi_node_margins *m, dlp_index cell, const double **column,
                            dlp_error *error)
{
    *column = dlpi_posterior_draws(m->posterior, m->plan, cell);
    if (*column) return DLP_OK;
    if (!m->column[cell]) {
        const int32_t k = m->factors->node_of[cell];
        const dlpi_node *node = k >= 0 ? &m->factors->node[k] : NULL;
        if (++m->depth > DEEPEST)
            return dlp_fail(error, DLP_EINPUT,
                            "the predictions depend on each other in too long a chain");
        if (node && node->alive && node->discrete)
            DLP_TRY(draw_state(m, cell, error));
        else if (node)
            DLP_TRY(draw_node(m, node, -1, error));
        else if (m->censored[cell])
            DLP_TRY(draw_node(
                m,
                &(dlpi_node){.relation = m->factors->lowering->graph->definer[cell],
                             .instance = m->factors->lowering->graph->instance[cell]},
                cell, error));
        m->depth--;
    }
    *column = m->column[cell];
    if (*column) return DLP_OK;
    char name[128];
    dlpi_cell_name(m->factors->lowering->graph, cell, name, sizeof name);
    return dlp_fail(error, DLP_EINPUT, "%s cannot be computed", name);
}

/* ---- margins ---- */

/* Draws with positive weight, sorted; -1: some are not finite. */
static dlp_index sort_draws(dlpi_node_margins *m, const double *values)
{
    const dlp_index draws = m->posterior->draws;
    const double *weight = m->posterior->weight;
    dlp_index n = 0;
    for (dlp_index i = 0; i < draws; i++) {
        if (weight && weight[i] < 1e-3 / (double)draws) continue;
        if (!isfinite(values[i])) return -1;
        m->value[n++] =
            (dlpi_weighted){values[i], weight ? weight[i] : 1 / (double)draws};
    }
    dlpi_weighted_sort(n, m->value);
    return n;
}

/* sum w^2 {(value - mean)^2 - variance}^2 */
static double fourth(dlp_index n, const dlpi_weighted *w, double mean, double variance)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double d = w[i].value - mean, off = w[i].weight * (d * d - variance);
        sum += off * off;
    }
    return sum;
}

/* error^2 = sum w^2 (value - mean)^2 / (sum w)^2, and likewise for the variance, whose
   error is 2 sd times the error of the sd */
static void summarise(dlpi_node_margins *m, const double *values,
                      dlpi_node_margin *margin)
{
    const dlp_index n = sort_draws(m, values);
    double mean = 0, square = 0, all = 0, error = 0;
    if (n <= 0) { /* some draws are not finite, so there is no mean */
        *margin =
            (dlpi_node_margin){margin->cell, NAN, NAN, NAN, NAN, NAN, NAN, NAN, true};
        return;
    }
    for (dlp_index i = 0; i < n; i++) {
        mean += m->value[i].weight * m->value[i].value;
        all += m->value[i].weight;
    }
    mean /= all;
    for (dlp_index i = 0; i < n; i++) {
        const double w = m->value[i].weight /= all, d = m->value[i].value - mean;
        square += w * d * d;
        error += w * w * d * d;
    }
    margin->mean = mean;
    margin->sd = sqrt(square);
    margin->error = sqrt(error);
    margin->sd_error =
        sqrt(fourth(n, m->value, mean, square)) / (2 * fmax(margin->sd, 1e-300));
    margin->lower = dlpi_weighted_quantile(n, m->value, 0.025);
    margin->median = dlpi_weighted_quantile(n, m->value, 0.5);
    margin->upper = dlpi_weighted_quantile(n, m->value, 0.975);
    margin->by_draws = true;
}

/* Takes mean and sd from the mixture, and moves the quantiles of the draws
   accordingly. */
static void correct(dlpi_node_margin *margin, double mean, double sd)
{
    const double by = margin->sd > 0 ? sd / margin->sd : 1;
    margin->lower = mean + by * (margin->lower - margin->mean);
    margin->median = mean + by * (margin->median - margin->mean);
    margin->upper = mean + by * (margin->upper - margin->mean);
    margin->mean = mean;
    margin->sd = sd;
    margin->error = margin->sd_error = 0;
    margin->by_draws = false;
}

/* For a discrete cell: mean and sd from the probabilities of its states. The
   probabilities of states that were never drawn are unreliable, so their errors are not
   0. */
static void correct_state(const dlpi_node_margins *m, dlp_index cell,
                          dlpi_node_margin *margin)
{
    const double least = 0.004;
    const double *moment = m->moment + 3 * cell;
    if (!(moment[0] > 0) || !isfinite(margin->mean)) return;
    margin->mean = moment[1] / moment[0];
    margin->sd = sqrt(fmax(moment[2] / moment[0] - margin->mean * margin->mean, 0));
    margin->error = fmax(margin->error, least);
    margin->sd_error = fmax(margin->sd_error, least);
}

/* The points of psi to which all inputs of the draft belong; NULL: an input is not psi,
   or the inputs belong to several parts of the model. Without inputs: the points
   given. */
static dlpi_psi_points *points_of_inputs(const dlpi_node_margins *m,
                                         dlpi_psi_points *psi_points, dlp_index *first)
{
    const dlpi_program_draft *d = &m->draft;
    bool any = false;
    for (int i = 0; i < d->program.n_inputs; i++) {
        dlp_index own_first;
        if (d->cell[i] < 0) continue;
        if (m->plan->role[d->cell[i]] != DLPI_ROLE_PSI) return NULL;
        dlpi_psi_points *own =
            dlpi_posterior_points(m->posterior, m->plan->at[d->cell[i]], &own_first);
        if (any && own != psi_points) return NULL;
        psi_points = own;
        *first = own_first;
        any = true;
    }
    return psi_points;
}

/* Runs the draft at each of the points, whose psi begin at `first`. */
static void evaluate_at_points(dlpi_node_margins *m, dlp_index first,
                               dlpi_psi_points *psi_points)
{
    const dlpi_program_draft *d = &m->draft;
    for (dlp_index at = 0; at < psi_points->n; at += DLPI_BATCH) {
        const dlp_index n =
            psi_points->n - at < DLPI_BATCH ? psi_points->n - at : DLPI_BATCH;
        for (int i = 0; i < d->program.n_inputs; i++) {
            double *to = m->batch + (dlp_index)i * DLPI_BATCH;
            m->input[i] = to;
            for (dlp_index q = 0; q < n; q++)
                to[q] = d->cell[i] < 0 ? d->value[i]
                                       : psi_points->psi[(at + q) * psi_points->m +
                                                         m->plan->at[d->cell[i]] - first];
        }
        dlpi_program_run(&d->program, n, m->input, 0, NULL, 0, psi_points->value + at,
                         m->room);
    }
}

/* The margin of a function of psi alone, from the points of psi's density. */
static dlp_status margin_by_psi(dlpi_node_margins *m, dlp_index cell,
                                dlpi_node_margin *margin, bool *done, dlp_error *error)
{
    dlpi_lowering *l = m->factors->lowering;
    dlp_index first;
    dlpi_psi_points *psi_points = dlpi_posterior_points(m->posterior, 0, &first);
    dlpi_expr e;
    *done = false;
    if (m->posterior->m == 0 || psi_points->n == 0) return DLP_OK;
    dlpi_lower_begin(l);
    const dlp_status status = dlpi_lower_cell(l, cell, &e, error);
    if (status != DLP_OK && l->unknown >= 0) return DLP_OK; /* by draws */
    DLP_TRY(status);
    DLP_TRY(dlpi_program_make(l->builder, e, &m->draft, error));
    psi_points = points_of_inputs(m, psi_points, &first);
    if (!psi_points) return DLP_OK;
    DLP_TRY(make_room(m, &m->draft.program, error));
    evaluate_at_points(m, first, psi_points);
    const dlp_margin by = dlpi_psi_points_margin(psi_points);
    *margin = (dlpi_node_margin){.cell = cell,
                                 .mean = by.mean,
                                 .sd = by.sd,
                                 .lower = by.lower,
                                 .median = by.median,
                                 .upper = by.upper};
    *done = true;
    return DLP_OK;
}

/* The margin of the deviance, or of a cell. */
static dlp_status find_margin(dlpi_node_margins *m, dlp_index cell, bool draws,
                              double *own, dlpi_node_margin *margin, dlp_error *error)
{
    const dlpi_plan *plan = m->plan;
    bool done;
    if (cell == dlpi_deviance_cell(m->factors->lowering->graph)) {
        DLP_TRY(dlpi_deviance_by_draws(m, own, error));
        summarise(m, own, margin);
        return DLP_OK;
    }
    dlp_status status = margin_by_psi(m, cell, margin, &done, error);
    if (status == DLP_OK && (!done || draws)) {
        const dlpi_node_margin exact = *margin;
        status = values_of(m, cell, own, error);
        if (status == DLP_OK) summarise(m, own, margin);
        if (status == DLP_OK) correct_state(m, cell, margin);
        if (done) *margin = exact;
    }
    if (status == DLP_OK && m->posterior->x_mean &&
        m->factors->lowering->domain[cell] == DLPI_DOMAIN_REAL) {
        const dlp_index at = plan->at[cell];
        if (plan->role[cell] == DLPI_ROLE_X)
            correct(margin, m->posterior->x_mean[at], m->posterior->x_sd[at]);
        else if (plan->role[cell] == DLPI_ROLE_LEAF)
            correct(margin, m->posterior->leaf_mean[2 * (dlp_index)plan->leaf[cell] + at],
                    m->posterior->leaf_sd[2 * (dlp_index)plan->leaf[cell] + at]);
    }
    return status;
}

dlp_status dlpi_margin_of(dlpi_node_margins *m, dlp_index cell, double *values,
                          dlpi_node_margin *margin, dlp_error *error)
{
    double *own = values ? values : dlpi_calloc(m->posterior->draws, sizeof *own);
    if (!own) return dlpi_no_memory(error, "the nodes");
    *margin = (dlpi_node_margin){.cell = cell};
    const dlp_status status = find_margin(m, cell, values != NULL, own, margin, error);
    if (!values) free(own);
    return status;
}
