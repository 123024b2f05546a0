/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/lower.h"

#include "bugs/plan/coordinates.h"
#include "core/core.h"
#include "density/program.h"
#include "language/evaluate.h"
#include "language/parse.h"

#include <math.h>
#include <string.h>

/* Calls inside each other before a cell is put off, see lower_chain, where a cell takes as
   much of the stack as some calls. An expression itself is at most DLPI_MAX_HEIGHT high, and
   frames of its calls are small, so that a stack of 1 MB is enough. */
enum { DEEPEST = 400, PER_CELL = 4, FEW_ARGS = 2 };

static const int32_t *loop_of(const dlpi_lowering *l, int relation, dlp_index instance)
{
    const dlpi_instances *of = &l->graph->of[relation];
    return of->loop + instance * of->relation->n_loops;
}

/* ---- expressions ---- */

static dlp_status lower_syntax(dlpi_lowering *l, const dlpi_relation *r,
                               const int32_t *loop, const dlpi_syntax *s,
                               dlpi_value *value, dlp_error *error);

static dlpi_value scalar(dlpi_lowering *l, dlpi_expr e)
{
    dlpi_expr *at = dlpi_builder_room(l->builder, 1);
    if (at) *at = e;
    return (dlpi_value){.n = at ? 1 : 0, .at = at};
}

static dlp_status check_memory(const dlpi_lowering *l, dlp_error *error)
{
    if (!dlpi_builder_failed(l->builder)) return DLP_OK;
    return dlpi_no_memory(error, "the expressions of the model");
}

/* A discrete cell that the expression depends on; -1: none. */
static dlp_index discrete_in(const dlpi_lowering *l, dlpi_expr e)
{
    dlpi_program_draft draft = {0};
    dlp_index found = -1;
    if (dlpi_program_make(l->builder, e, &draft, NULL) == DLP_OK)
        for (int i = 0; i < draft.program.n_inputs && found < 0; i++)
            if (draft.cell[i] >= 0 && l->domain[draft.cell[i]] == DLPI_DOMAIN_DISCRETE)
                found = draft.cell[i];
    dlpi_program_draft_free(&draft);
    return found;
}

/* For indices: the value of a cell, if it is known by now. */
static double value_of(void *context, dlp_index cell)
{
    dlpi_lowering *l = context;
    double number = NAN;
    const uint8_t kind = l->graph->kind[cell];
    dlpi_expr e;
    if (kind == DLPI_CELL_CONSTANT || kind == DLPI_CELL_OBSERVED)
        return l->graph->value[cell];
    if (l->stamp[cell] == l->now) {
        e = l->memo[cell];
        if (!dlpi_is_number(l->builder, e, &number) && l->unknown < 0)
            l->unknown = discrete_in(l, e);
        return number;
    }
    if (kind == DLPI_CELL_LATENT) {
        if (l->domain[cell] == DLPI_DOMAIN_DISCRETE) l->unknown = cell;
        return NAN;
    }
    /* The indices that are being resolved are in l->cells. */
    const dlpi_cells outer = l->cells;
    l->cells = (dlpi_cells){0};
    if (dlpi_lower_cell(l, cell, &e, NULL) == DLP_OK &&
        !dlpi_is_number(l->builder, e, &number) && l->unknown < 0)
        l->unknown = discrete_in(l, e);
    free(l->cells.cell);
    l->cells = outer;
    return number;
}

/* The one index that is an expression in continuous unknowns (e.g. with step()), and its
   place; false: there is not exactly one. */
static bool find_unknown_index(dlpi_lowering *l, const dlpi_relation *r,
                               const int32_t *loop, const dlpi_syntax *s, int *place,
                               dlpi_expr *index)
{
    int found = 0;
    for (int i = 0; i < s->n_args; i++) {
        dlpi_value v;
        if (s->arg[i]->kind == DLPI_SYNTAX_BLANK || s->arg[i]->kind == DLPI_SYNTAX_RANGE)
            continue;
        if (lower_syntax(l, r, loop, s->arg[i], &v, NULL) != DLP_OK) return false;
        if (v.n != 1 || dlpi_is_number(l->builder, v.at[0], &(double){0})) continue;
        *place = i;
        *index = v.at[0];
        found++;
    }
    return found == 1 && discrete_in(l, *index) < 0;
}

/* a[e] where e is not known: a[1] if e = 1, else a[2] if e = 2, and so on. */
static dlp_status lower_choice(dlpi_lowering *l, const dlpi_relation *r,
                               const int32_t *loop, const dlpi_syntax *s,
                               dlpi_value *value)
{
    const dlpi_array *a = NULL;
    for (int i = 0; i < l->graph->n_arrays; i++)
        if (strcmp(l->graph->array[i].name, s->name) == 0) a = &l->graph->array[i];
    dlpi_syntax copy = *s, number = {.kind = DLPI_SYNTAX_NUMBER, .place = s->place};
    dlpi_syntax *arg[DLPI_MAX_DIM];
    dlpi_expr index = -1, chosen = -1;
    int place = 0;
    if (!a || s->n_args > DLPI_MAX_DIM ||
        !find_unknown_index(l, r, loop, s, &place, &index))
        return DLP_EINVAL;
    memcpy((void *)arg, (const void *)s->arg, (size_t)s->n_args * sizeof *arg);
    arg[place] = &number;
    copy.arg = arg;
    for (dlp_index k = a->n_dim > 0 ? a->dim[place] : 1; k >= 1; k--) {
        dlpi_value v;
        number.number = (double)k;
        const dlp_status status = lower_syntax(l, r, loop, &copy, &v, NULL);
        if (l->stopped_at >= 0) return DLP_EINVAL;
        if (status != DLP_OK || v.n != 1) continue;
        const dlpi_expr is_k = dlpi_apply2(l->builder, DLPI_OP_EQUALS, index,
                                           dlpi_literal(l->builder, (double)k));
        chosen = chosen < 0
                     ? v.at[0]
                     : dlpi_apply(l->builder, DLPI_OP_IFELSE, is_k, v.at[0], chosen);
    }
    if (chosen < 0) return DLP_EINVAL;
    *value = scalar(l, chosen);
    return check_memory(l, NULL);
}

/* A loop variable of a relation is the same datum wherever it occurs, like a cell with a
   value: it has a number of its own, beyond those of cells. */
static dlpi_expr lower_loop(dlpi_lowering *l, const dlpi_relation *r, int depth,
                            int32_t value)
{
    const uint64_t loop = (uint64_t)r->right->id * DLPI_MAX_LOOPS + (uint64_t)depth;
    const uint64_t number = (loop << 32 | (uint32_t)value) & (UINT64_MAX >> 2);
    return dlpi_datum_of(l->builder, l->graph->n_cells + (dlp_index)number, value);
}

static dlp_status lower_variable(dlpi_lowering *l, const dlpi_relation *r,
                                 const int32_t *loop, const dlpi_syntax *s,
                                 dlpi_value *value, dlp_error *error)
{
    const int depth = s->n_args == 0 ? dlpi_loop_depth(r, s->name) : -1;
    if (depth >= 0) {
        *value = scalar(l, lower_loop(l, r, depth, loop[depth]));
        return check_memory(l, error);
    }
    const dlpi_known known = {value_of, l};
    dlpi_reference ref;
    dlp_index unknown;
    const dlp_status status =
        dlpi_graph_refer(l->graph, r, loop, s, &known, &l->cells, &ref, &unknown, error);
    if (status != DLP_OK && unknown >= 0 && l->unknown < 0 && l->stopped_at < 0 &&
        lower_choice(l, r, loop, s, value) == DLP_OK)
        return DLP_OK;
    DLP_TRY(status);
    dlpi_expr *at = dlpi_builder_room(l->builder, ref.n);
    DLP_TRY(check_memory(l, error));
    for (dlp_index i = 0; i < ref.n; i++) at[i] = (dlpi_expr)ref.cell[i];
    for (dlp_index i = 0; i < ref.n; i++)
        DLP_TRY(dlpi_lower_cell(l, at[i], &at[i], error));
    *value = (dlpi_value){.n_dim = ref.n_dim, .n = ref.n, .at = at};
    memcpy(value->dim, ref.dim, sizeof value->dim);
    return DLP_OK;
}

static dlp_status lower_range(dlpi_lowering *l, const dlpi_relation *r,
                              const int32_t *loop, const dlpi_syntax *s,
                              dlpi_value *value, dlp_error *error)
{
    enum { LONGEST = 1 << 24 };
    double end[2];
    for (int i = 0; i < 2; i++) {
        dlpi_value v;
        DLP_TRY(lower_syntax(l, r, loop, s->arg[i], &v, error));
        if (v.n != 1 || !dlpi_is_number(l->builder, v.at[0], &end[i]))
            return dlpi_graph_complain(
                l->graph, s->arg[i]->place, error,
                "both ends of a range must be numbers known from the data");
    }
    if (!(end[1] >= end[0] && end[1] - end[0] < LONGEST))
        return dlpi_graph_complain(l->graph, s->place, error,
                                   "the range from %g to %g has no elements, or too many",
                                   end[0], end[1]);
    const dlp_index n = (dlp_index)(end[1] - end[0]) + 1;
    dlpi_expr *at = dlpi_builder_room(l->builder, n);
    DLP_TRY(check_memory(l, error));
    for (dlp_index i = 0; i < n; i++) at[i] = dlpi_datum(l->builder, end[0] + (double)i);
    *value = (dlpi_value){.n_dim = 1, .dim = {n}, .n = n, .at = at};
    return check_memory(l, error);
}

static dlp_status lower_call(dlpi_lowering *l, const dlpi_relation *r,
                             const int32_t *loop, const dlpi_syntax *s, dlpi_value *value,
                             dlp_error *error)
{
    const dlpi_bugs_function *f = dlpi_bugs_function_find(s->name);
    dlpi_value few[FEW_ARGS], *args = few;
    if (!f)
        return dlpi_graph_complain(l->graph, s->place, error, "unknown function '%s'",
                                   s->name);
    if (s->n_args > FEW_ARGS) {
        args = dlpi_calloc(s->n_args, sizeof *args);
        if (!args) return dlpi_no_memory(error, "the expressions of the model");
    }
    dlp_status status = DLP_OK;
    l->levels++;
    for (int i = 0; i < s->n_args && status == DLP_OK; i++)
        status = s->arg[i]->kind == DLPI_SYNTAX_CALL
                     ? lower_call(l, r, loop, s->arg[i], &args[i], error)
                     : lower_syntax(l, r, loop, s->arg[i], &args[i], error);
    l->levels--;
    if (status == DLP_OK) {
        status = f->build(f, l->builder, s->n_args, args, value, &l->refusal);
        if (status == DLP_EINVAL)
            status =
                dlpi_graph_complain(l->graph, s->place, error, "%s", l->refusal.message);
    }
    if (args != few) free(args);
    return status == DLP_OK ? check_memory(l, error) : status;
}

static dlp_status lower_syntax(dlpi_lowering *l, const dlpi_relation *r,
                               const int32_t *loop, const dlpi_syntax *s,
                               dlpi_value *value, dlp_error *error)
{
    switch (s->kind) {
    case DLPI_SYNTAX_NUMBER:
        *value = scalar(l, dlpi_literal(l->builder, s->number));
        return check_memory(l, error);
    case DLPI_SYNTAX_VARIABLE: return lower_variable(l, r, loop, s, value, error);
    case DLPI_SYNTAX_RANGE: return lower_range(l, r, loop, s, value, error);
    case DLPI_SYNTAX_CALL: return lower_call(l, r, loop, s, value, error);
    case DLPI_SYNTAX_BLANK: break;
    }
    return dlpi_graph_complain(l->graph, s->place, error,
                               "an empty index is not allowed here");
}

/* ---- cells ---- */

dlp_status dlpi_lower_defined(dlpi_lowering *l, int relation, dlp_index instance,
                              dlpi_reference *reference, dlp_error *error)
{
    const dlpi_relation *r = l->graph->of[relation].relation;
    return dlpi_graph_refer(l->graph, r, loop_of(l, relation, instance), r->left, NULL,
                            &l->cells, reference, NULL, error);
}

static dlp_status lower_computed(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    const int relation = l->graph->definer[cell];
    const dlp_index instance = l->graph->instance[cell];
    const dlpi_relation *r = l->graph->of[relation].relation;
    dlpi_value value;
    dlpi_reference left;
    DLP_TRY(lower_syntax(l, r, loop_of(l, relation, instance), r->right, &value, error));
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &left, error));
    if (value.n != left.n && value.n != 1)
        return dlpi_graph_complain(
            l->graph, r->place, error,
            "the left-hand side has %lld elements, but the right-hand side has %lld",
            (long long)left.n, (long long)value.n);
    for (dlp_index i = 0; i < left.n; i++) {
        dlpi_expr e = value.at[value.n == 1 ? 0 : i];
        if (r->link) e = dlpi_apply(l->builder, dlpi_inverse_link(r->link), e, -1, -1);
        dlpi_remember(l, left.cell[i], e);
    }
    return check_memory(l, error);
}

/* A deterministic cell, or one with a coordinate, whose bounds may refer to others. */
static dlp_status lower_unknown(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    return l->graph->kind[cell] == DLPI_CELL_COMPUTED
               ? lower_computed(l, cell, error)
               : dlpi_coordinates_of(l, cell, error);
}

/* A cell that another one refers to. It stops where the cell is open, which closes a cycle
   that the compiler cannot see, or where the stack would become deep. */
static dlp_status lower_inner(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    if (l->stopped_at >= 0) return DLP_EINVAL; /* already */
    l->closes = l->open[cell];
    if (l->closes || l->levels > DEEPEST) {
        l->stopped_at = cell;
        return DLP_EINVAL;
    }
    l->open[cell] = true;
    l->levels += PER_CELL;
    const dlp_status status = lower_unknown(l, cell, error);
    l->levels -= PER_CELL;
    l->open[cell] = false;
    return status;
}

static dlp_status complain_of_cycle(const dlpi_lowering *l, dlp_error *error)
{
    char name[128];
    dlpi_cell_name(l->graph, l->stopped_at, name, sizeof name);
    return dlpi_graph_complain(
        l->graph, l->graph->of[l->graph->definer[l->stopped_at]].relation->place, error,
        "'%s' depends on itself through an index that is not known from the data", name);
}

static dlp_status wait_for(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    if (l->n_waiting == l->waiting.room) {
        const dlp_index room = 2 * l->waiting.room + 16;
        dlp_index *more = realloc(l->waiting.cell, (size_t)room * sizeof *more);
        if (!more) return dlpi_no_memory(error, "the expressions of the model");
        l->waiting = (dlpi_cells){more, room};
    }
    l->waiting.cell[l->n_waiting++] = cell;
    l->open[cell] = true;
    return DLP_OK;
}

/* A cell that may end a chain of any length: where the stack would become deep, the cell
   that was reached comes first, from here, and then those that wait for it again. */
static dlp_status lower_chain(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    const int levels = l->levels;
    l->levels = 0;
    l->inside = true;
    dlp_status status = wait_for(l, cell, error);
    while (status == DLP_OK && l->n_waiting > 0) {
        const dlp_index last = l->waiting.cell[l->n_waiting - 1];
        l->stopped_at = -1;
        if (l->stamp[last] != l->now) status = lower_unknown(l, last, error);
        if (l->stopped_at >= 0)
            status = l->closes ? complain_of_cycle(l, error)
                               : wait_for(l, l->stopped_at, error);
        else if (status == DLP_OK)
            l->open[l->waiting.cell[--l->n_waiting]] = false;
    }
    while (l->n_waiting > 0) l->open[l->waiting.cell[--l->n_waiting]] = false;
    l->stopped_at = -1;
    l->inside = false;
    l->levels = levels;
    return status;
}

dlp_status dlpi_lower_cell(dlpi_lowering *l, dlp_index cell, dlpi_expr *value,
                           dlp_error *error)
{
    if (l->stamp[cell] != l->now) {
        switch ((dlpi_cell_kind)l->graph->kind[cell]) {
        case DLPI_CELL_CONSTANT:
        case DLPI_CELL_OBSERVED:
            dlpi_remember(l, cell,
                          dlpi_datum_of(l->builder, cell, l->graph->value[cell]));
            break;
        case DLPI_CELL_LATENT:
            if (!isnan(l->lower[cell]) && !isnan(l->upper[cell])) {
                DLP_TRY(dlpi_coordinates_of(l, cell, error));
                break;
            }
            /* fallthrough */
        case DLPI_CELL_COMPUTED:
            DLP_TRY(l->inside ? lower_inner(l, cell, error)
                              : lower_chain(l, cell, error));
            break;
        case DLPI_CELL_NONE: {
            char name[128];
            dlpi_cell_name(l->graph, cell, name, sizeof name);
            return dlp_fail(error, DLP_EINPUT, "%s has no value", name);
        }
        }
    }
    *value = l->memo[cell];
    return check_memory(l, error);
}

void dlpi_lower_begin(dlpi_lowering *l)
{
    dlpi_builder_clear(l->builder);
    dlpi_lower_forget(l);
}

void dlpi_lower_forget(dlpi_lowering *l)
{
    l->unknown = -1;
    l->holds = false;
    if (++l->now == 0) {
        memset(l->stamp, 0, (size_t)l->graph->n_cells * sizeof *l->stamp);
        l->now = 1;
    }
}

void dlpi_lower_assign(dlpi_lowering *l, dlp_index cell, double state)
{
    dlpi_remember(l, cell, dlpi_literal(l->builder, state));
    l->holds = true;
}

/* ---- densities ---- */

/* A negative number of trials, in a state of a discrete unknown: no count is possible. */
static bool is_empty(const dlpi_lowering *l, int relation, double trials)
{
    const dlpi_distribution *d = l->of[relation];
    return l->holds && d->support == DLPI_COUNT && d->bounds && trials < 0 &&
           trials == floor(trials);
}

dlp_status dlpi_lower_parameters(dlpi_lowering *l, int relation, dlp_index instance,
                                 dlpi_value *params, dlp_error *error)
{
    const dlpi_relation *r = l->graph->of[relation].relation;
    const int32_t *loop = loop_of(l, relation, instance);
    for (int i = 0; i < 8; i++) params[i] = (dlpi_value){0};
    for (int i = 0; i < r->right->n_args && i < 8; i++) {
        DLP_TRY(lower_syntax(l, r, loop, r->right->arg[i], &params[i], error));
        if (params[i].n < 1)
            return dlpi_graph_complain(l->graph, r->right->arg[i]->place, error,
                                       "parameter %d of %s has no elements", i + 1,
                                       r->right->name);
        double v;
        const char *wrong = NULL;
        if (params[i].n == 1 && dlpi_is_number(l->builder, params[i].at[0], &v) &&
            l->of[relation]->complain)
            wrong = l->of[relation]->complain(i, v);
        if (wrong && !is_empty(l, relation, v))
            return dlpi_graph_complain(l->graph, r->right->arg[i]->place, error,
                                       "parameter %d of %s is %g; it %s", i + 1,
                                       r->right->name, v, wrong);
    }
    return DLP_OK;
}

dlp_status dlpi_lower_truncation(dlpi_lowering *l, int relation, dlp_index instance,
                                 dlpi_expr bound[2], dlp_error *error)
{
    const dlpi_relation *r = l->graph->of[relation].relation;
    const dlpi_syntax *side[2] = {r->lower, r->upper};
    bound[0] = bound[1] = -1;
    for (int i = 0; i < 2 && r->truncation != DLPI_NOT_TRUNCATED; i++) {
        dlpi_value v;
        if (!side[i]) continue;
        DLP_TRY(lower_syntax(l, r, loop_of(l, relation, instance), side[i], &v, error));
        if (v.n == 1) bound[i] = v.at[0];
    }
    return DLP_OK;
}

/* log P(lower <= Y <= upper). */
static dlp_status log_between(dlpi_lowering *l, int relation, const dlpi_value *params,
                              const dlpi_expr bound[2], dlpi_expr *log_p,
                              dlp_error *error)
{
    const dlpi_distribution *d = l->of[relation];
    *log_p = dlpi_log_between(d, l->builder, params, bound[0], bound[1]);
    if (*log_p < 0)
        return dlpi_graph_complain(
            l->graph, l->graph->of[relation].relation->place, error,
            "%s cannot be truncated or censored here: its distribution function is not "
            "known",
            d->name);
    return check_memory(l, error);
}

dlp_status dlpi_lower_censoring(dlpi_lowering *l, dlp_index cell, dlpi_expr bound[2],
                                dlp_error *error)
{
    const int by = l->censor_relation[cell];
    if (by < 0) /* by its own I(,) */
        return dlpi_lower_truncation(l, l->graph->definer[cell], l->graph->instance[cell],
                                     bound, error);
    const dlpi_relation *r = l->graph->of[by].relation;
    dlpi_value cuts;
    dlpi_reference left;
    DLP_TRY(dlpi_lower_defined(l, by, l->censor[cell], &left, error));
    const double value = l->graph->value[left.cell[0]];
    DLP_TRY(lower_syntax(l, r, loop_of(l, by, l->censor[cell]), r->right->arg[1], &cuts,
                         error));
    l->of[by]->censor(l->builder, dlpi_datum_of(l->builder, left.cell[0], value), value,
                      &cuts, bound);
    return check_memory(l, error);
}

/* A censored cell's prior and its dinterval at once: log P(cut[y] < T <= cut[y + 1]). */
static dlp_status censored_density(dlpi_lowering *l, int relation, dlp_index instance,
                                   dlp_index cell, dlpi_expr *log_p, dlp_error *error)
{
    dlpi_value params[8];
    dlpi_expr bound[2];
    DLP_TRY(dlpi_lower_censoring(l, cell, bound, error));
    DLP_TRY(dlpi_lower_parameters(l, relation, instance, params, error));
    return log_between(l, relation, params, bound, log_p, error);
}

/* A number outside the bounds of its distribution: in a sum over states, it is
   impossible. */
static bool is_outside(dlpi_lowering *l, const dlpi_distribution *d, const dlpi_value *y,
                       const dlpi_value *params)
{
    dlpi_expr bound[2];
    double v, low, high;
    if (!d->bounds || y->n != 1 || !dlpi_is_number(l->builder, y->at[0], &v))
        return false;
    d->bounds(l->builder, params, &bound[0], &bound[1]);
    return (dlpi_is_number(l->builder, bound[0], &low) && v < low) ||
           (dlpi_is_number(l->builder, bound[1], &high) && v > high);
}

/* ---- categories of a simplex that is its own coordinate ---- */

/* The one index of a variable that is a range and does not depend on loops; -1: there is
   none, or another index is not a single number. *first: where the range begins. */
static int range_of(const dlpi_syntax *s, double *first)
{
    int place = -1;
    *first = 1;
    if (s->kind != DLPI_SYNTAX_VARIABLE) return -1;
    for (int i = 0; i < s->n_args; i++) {
        const dlpi_syntax *arg = s->arg[i];
        if (arg->kind != DLPI_SYNTAX_BLANK && arg->kind != DLPI_SYNTAX_RANGE) continue;
        const bool fixed = arg->kind == DLPI_SYNTAX_BLANK ||
                           (arg->depth < 0 && arg->arg[0]->kind == DLPI_SYNTAX_NUMBER);
        if (place >= 0 || !fixed) return -1;
        if (arg->kind == DLPI_SYNTAX_RANGE) *first = arg->arg[0]->number;
        place = i;
    }
    return place;
}

/* Whether the cells are all that one instance of a simplex defines. */
static bool is_whole_simplex(dlpi_lowering *l, const dlpi_reference *ref)
{
    const dlp_index cell = ref->cell[0], n = ref->n;
    const int definer = l->graph->definer[cell];
    double first;
    dlpi_reference own;
    if (l->domain[cell] != DLPI_DOMAIN_PLAIN || l->of[definer]->support != DLPI_SIMPLEX ||
        range_of(l->graph->of[definer].relation->left, &first) < 0)
        return false;
    for (dlp_index i = 0; i < n; i++)
        if (l->graph->definer[ref->cell[i]] != definer ||
            l->graph->instance[ref->cell[i]] != l->graph->instance[cell])
            return false;
    return dlpi_lower_defined(l, definer, l->graph->instance[cell], &own, NULL) ==
               DLP_OK &&
           own.n == n;
}

/* 1 plus the simplex relation whose instances are the probabilities of a relation's
   categories; -1: there is none. Looked up once, since ranges are the same in all
   instances. */
static int simplex_of(dlpi_lowering *l, int relation, const int32_t *loop,
                      const dlpi_syntax *p)
{
    const dlpi_known known = {value_of, l};
    dlpi_reference ref;
    if (l->simplex[relation]) return l->simplex[relation];
    if (dlpi_graph_refer(l->graph, l->graph->of[relation].relation, loop, p, &known,
                         &l->cells, &ref, NULL, NULL) != DLP_OK ||
        ref.n == 0)
        return -1; /* not known yet */
    const int definer = l->graph->definer[ref.cell[0]];
    l->simplex[relation] = is_whole_simplex(l, &ref) ? definer + 1 : -1;
    return l->simplex[relation];
}

/* log p[y] of dcat(p[]), where p is a whole simplex: only this element is needed, out of
   a vocabulary of thousands. */
static bool lower_category(dlpi_lowering *l, int relation, dlp_index instance,
                           dlp_index y_cell, dlpi_expr *log_p)
{
    const dlpi_relation *r = l->graph->of[relation].relation;
    const int32_t *loop = loop_of(l, relation, instance);
    const dlpi_known known = {value_of, l};
    const dlpi_syntax *p = r->right->arg[0];
    dlpi_syntax copy = *p, number = {.kind = DLPI_SYNTAX_NUMBER, .place = p->place};
    dlpi_syntax *arg[DLPI_MAX_DIM];
    dlpi_reference ref;
    dlpi_expr y;
    double which, first;
    const int place = range_of(p, &first);
    if (place < 0 || p->n_args > DLPI_MAX_DIM || l->simplex[relation] < 0 ||
        dlpi_lower_cell(l, y_cell, &y, NULL) != DLP_OK ||
        !dlpi_is_number(l->builder, y, &which) || simplex_of(l, relation, loop, p) < 0)
        return false;
    memcpy((void *)arg, (const void *)p->arg, (size_t)p->n_args * sizeof *arg);
    number.number = first + which - 1;
    arg[place] = &number;
    copy.arg = arg;
    if (dlpi_graph_refer(l->graph, r, loop, &copy, &known, &l->cells, &ref, NULL, NULL) !=
            DLP_OK ||
        ref.n != 1 || l->graph->definer[ref.cell[0]] + 1 != l->simplex[relation])
        return false;
    *log_p = dlpi_apply(l->builder, DLPI_OP_LOG,
                        dlpi_positive_cell(l->builder, ref.cell[0]), -1, -1);
    return true;
}

/* The cells of a left-hand side, lowered. */
static dlp_status lower_left(dlpi_lowering *l, const dlpi_reference *left, dlpi_value *y,
                             dlp_error *error)
{
    const dlp_index n = left->n;
    dlpi_expr *at = dlpi_builder_room(l->builder, n);
    DLP_TRY(check_memory(l, error));
    *y = (dlpi_value){.n_dim = left->n_dim, .n = n, .at = at};
    memcpy(y->dim, left->dim, sizeof y->dim);
    for (dlp_index i = 0; i < n; i++) at[i] = (dlpi_expr)left->cell[i];
    for (dlp_index i = 0; i < n; i++) DLP_TRY(dlpi_lower_cell(l, at[i], &at[i], error));
    return DLP_OK;
}

/* log_p -= log P(lower < y < upper), where the distribution is truncated. */
static dlp_status normalise_truncated(dlpi_lowering *l, int relation, dlp_index instance,
                                      dlp_index cell, const dlpi_value *params,
                                      dlpi_expr *log_p, dlp_error *error)
{
    const dlpi_relation *r = l->graph->of[relation].relation;
    dlpi_expr bound[2], inside;
    DLP_TRY(dlpi_lower_truncation(l, relation, instance, bound, error));
    /* I(,) on observed data describes only the missing elements */
    const bool tells =
        r->truncation == DLPI_TRUNCATED_I && dlpi_cell_array(l->graph, cell)->in_data;
    if (tells || (bound[0] < 0 && bound[1] < 0)) return DLP_OK;
    DLP_TRY(log_between(l, relation, params, bound, &inside, error));
    *log_p = dlpi_apply(l->builder, DLPI_OP_SUB, *log_p, inside, -1);
    return DLP_OK;
}

dlp_status dlpi_lower_density(dlpi_lowering *l, int relation, dlp_index instance,
                              dlpi_expr *log_p, dlp_error *error)
{
    const dlpi_distribution *d = l->of[relation];
    dlpi_value y, params[8];
    dlpi_reference left;
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &left, error));
    const dlp_index cell = left.cell[0];
    if (l->domain[cell] == DLPI_DOMAIN_CENSORED)
        return censored_density(l, relation, instance, cell, log_p, error);
    if (d->support == DLPI_CATEGORY) {
        if (lower_category(l, relation, instance, cell, log_p))
            return check_memory(l, error);
        DLP_TRY(dlpi_lower_defined(l, relation, instance, &left, error));
    }
    DLP_TRY(lower_left(l, &left, &y, error));
    DLP_TRY(dlpi_lower_parameters(l, relation, instance, params, error));
    if (d->shapes_agree && !d->shapes_agree(&y, params))
        return dlpi_graph_complain(
            l->graph, l->graph->of[relation].relation->place, error,
            "the sizes of the left-hand side and of the parameters of %s do not match",
            d->name);
    if (is_outside(l, d, &y, params)) {
        *log_p = dlpi_literal(l->builder, -INFINITY);
        return check_memory(l, error);
    }
    *log_p = d->log_density(l->builder, &y, params);
    DLP_TRY(normalise_truncated(l, relation, instance, cell, params, log_p, error));
    if (l->graph->kind[cell] == DLPI_CELL_LATENT)
        DLP_TRY(dlpi_add_jacobian(l, cell, log_p, error));
    return check_memory(l, error);
}
