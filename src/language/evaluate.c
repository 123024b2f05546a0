/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/evaluate.h"

#include "language/graph_owner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what was computed last ---- */

struct entry {
    bool valid;
    double value;
    int32_t loop[4]; /* of the loops whose variables it mentions */
};
struct dlpi_memo {
    int32_t n;
    struct entry entry[];
};

dlpi_memo *dlpi_memo_alloc(int32_t n_nodes)
{
    dlpi_memo *memo = calloc(1, sizeof *memo + (size_t)n_nodes * sizeof *memo->entry);
    if (memo) memo->n = n_nodes;
    return memo;
}

void dlpi_memo_free(dlpi_memo *memo)
{
    free(memo);
}

/* The cache entry of an expression that inner loops do not change; NULL: they do. */
static struct entry *memo_entry(const dlpi_evaluator *e, const dlpi_syntax *s)
{
    if (!e->memo || !e->relation || s->depth >= 4 || s->id >= e->memo->n ||
        s->depth >= e->relation->n_loops - 1)
        return NULL;
    return &e->memo->entry[s->id];
}

static bool memo_holds(const dlpi_evaluator *e, const dlpi_syntax *s,
                       const struct entry *entry)
{
    if (!entry || !entry->valid) return false;
    for (int i = 0; i <= s->depth; i++)
        if (entry->loop[i] != e->loop[i]) return false;
    return true;
}

static void memo_set(const dlpi_evaluator *e, const dlpi_syntax *s, struct entry *entry,
                     double value)
{
    if (!entry) return;
    for (int i = 0; i <= s->depth; i++) entry->loop[i] = e->loop[i];
    entry->value = value;
    entry->valid = true;
}

/* ---- the stack, and failing ---- */

bool dlpi_evaluator_works(dlpi_evaluator *e, dlp_index work)
{
    if (!dlpi_progress_stops(e->progress, (size_t)work)) return true;
    e->unknown = -1;
    e->status = dlp_fail(e->error, DLP_ECANCELLED, "cancelled by the caller");
    return false;
}

bool dlpi_numbers_take(dlpi_evaluator *e, dlpi_numbers *x, dlp_index n)
{
    enum { EACH = 16 }; /* an element found, computed and put where it belongs */
    if (!dlpi_evaluator_works(e, EACH * (n + 1))) return false;
    if (n > e->room - e->used) {
        dlp_index room = e->room ? e->room : 64;
        while (room - e->used < n && room < PTRDIFF_MAX / 16) room *= 2;
        double *more = realloc(e->stack, (size_t)room * sizeof *more);
        if (!more) {
            e->unknown = -1;
            e->status = dlpi_no_memory(e->error, "the values of an expression");
            return false;
        }
        e->stack = more;
        e->room = room;
    }
    x->n = n;
    x->at = e->used;
    e->used += n;
    return true;
}

/* "; at i=3, j=1" for a message. */
static void put_loops(const dlpi_evaluator *e, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    if (!e->relation) return;
    for (int d = 0; d < e->relation->n_loops - e->n_unset; d++) {
        const dlpi_loop *l = e->relation->loop;
        while (l && l->depth != d) l = l->outer;
        if (!l || used + strlen(l->name) + 16 > size) return;
        used += (size_t)snprintf(out + used, size - used, "%s%s=%d", d ? ", " : "",
                                 l->name, e->loop[d]);
    }
}

bool(dlpi_evaluator_fail)(dlpi_evaluator *e, dlpi_position place, const char *format, ...)
{
    char message[600], loops[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    put_loops(e, loops, sizeof loops);
    const char *const around[2] = {loops[0] && !strstr(message, " at ") ? " (at " : "",
                                   loops[0] && !strstr(message, " at ") ? ")" : ""};
    e->unknown = -1;
    e->status = dlpi_graph_complain(e->graph, place, e->error, "%s%s%s%s", message,
                                    around[0], around[0][0] ? loops : "", around[1]);
    return false;
}

bool dlpi_numbers_take_long(dlpi_evaluator *e, dlpi_position place, dlpi_numbers *x,
                            dlp_index n)
{
    e->taken += n;
    if (e->most_taken > 0 && e->taken > e->most_taken)
        return dlpi_evaluator_fail(e, place,
                                   "ranges and rep() make more than %lld elements in all",
                                   (long long)e->most_taken);
    return dlpi_numbers_take(e, x, n);
}

static double value_of(const dlpi_evaluator *e, dlp_index cell)
{
    return e->known && e->known->value ? e->known->value(e->known->context, cell)
                                       : e->graph->value[cell];
}

/* ---- which cells ---- */

/* ", g[3]=3, data.R:3": the data that an index comes from. */
static void put_sources(dlpi_evaluator *e, const dlpi_syntax *s, char *out, size_t size)
{
    const dlpi_owner *const owner = e->graph->owner;
    const size_t used = strlen(out);
    char name[80], where[240] = "";
    dlpi_selection selection;
    if (s->kind == DLPI_SYNTAX_VARIABLE && dlpi_loop_depth(e->relation, s->name) < 0) {
        const dlp_index mark = e->used;
        dlp_error *const error = e->error;
        e->error = NULL;
        if (used + 100 < size && dlpi_select(e, s, false, &selection) &&
            selection.n == 1) {
            dlp_index cell;
            dlpi_selection_cells(e, &selection, &cell);
            dlpi_cell_name(e->graph, cell, name, sizeof name);
            const dlpi_data_array *datum =
                owner->datum_of ? owner->datum_of[selection.array - e->graph->array]
                                : NULL;
            if (datum)
                dlpi_datum_where(datum, cell - selection.array->first, where,
                                 sizeof where);
            snprintf(out + used, size - used, "%s%s=%g%s%s", used ? ", " : "", name,
                     value_of(e, cell), where[0] ? ", " : "", where);
        }
        e->error = error;
        e->used = mark;
    }
    for (int i = 0; i < s->n_args; i++) put_sources(e, s->arg[i], out, size);
}

static bool out_of_range(dlpi_evaluator *e, const dlpi_syntax *variable,
                         const dlpi_array *array, int d, double index)
{
    char text[160], context[400], sources[300] = "";
    put_loops(e, context, sizeof context);
    if (variable->n_args > d) put_sources(e, variable->arg[d], sources, sizeof sources);
    dlpi_syntax_text(variable, text, sizeof text);
    const dlp_index extent = array->n_dim > 0 ? array->dim[d] : 1;
    const char *which = "";
    char dimension[40] = "";
    if (array->n_dim > 1) {
        snprintf(dimension, sizeof dimension, " (dimension %d)", d + 1);
        which = dimension;
    }
    if (index != floor(index))
        return dlpi_evaluator_fail(
            e, variable->place,
            "index %g of '%s'%s is not a whole number (from %s%s%s%s%s)", index,
            array->name, which, text, context[0] ? " at " : "", context,
            sources[0] ? ", " : "", sources);
    return dlpi_evaluator_fail(
        e, variable->place,
        "index %.15g of '%s'%s is out of range 1..%lld (from %s%s%s%s%s)", index,
        array->name, which, (long long)extent, text, context[0] ? " at " : "", context,
        sources[0] ? ", " : "", sources);
}

static dlp_index extent_of(const dlpi_array *array, int d)
{
    return array->n_dim > 0 ? array->dim[d] : 1;
}

enum outcome { FAILED, DONE, ELSE };

/* One number, without the stack; ELSE: use the general way. */
static enum outcome scalar(dlpi_evaluator *e, const dlpi_syntax *s, double *x);

static bool is_within(double index, dlp_index extent)
{
    return index >= 1 && index <= (double)extent && index == floor(index);
}

/* a:b as index d of a variable. */
static bool select_range(dlpi_evaluator *e, const dlpi_syntax *variable, int d,
                         bool expand, dlpi_selection *selection)
{
    const dlpi_syntax *const index = variable->arg[d];
    const dlp_index extent = extent_of(selection->array, d);
    double from, to;
    if (!dlpi_evaluate_scalar(e, index->arg[0], &from) ||
        !dlpi_evaluate_scalar(e, index->arg[1], &to))
        return expand && e->unknown >= 0;
    if (!is_within(from, extent))
        return out_of_range(e, variable, selection->array, d, from);
    if (!is_within(to, extent)) return out_of_range(e, variable, selection->array, d, to);
    if (to < from)
        return dlpi_evaluator_fail(e, index->place, "the range %g:%g of indices is empty",
                                   from, to);
    selection->by[d].first = (dlp_index)from;
    selection->by[d].n = (dlp_index)(to - from) + 1;
    return true;
}

/* Index d of a variable. */
static bool select_index(dlpi_evaluator *e, const dlpi_syntax *variable, int d,
                         bool expand, dlpi_selection *selection)
{
    const dlpi_syntax *const index = variable->arg[d];
    const dlp_index extent = extent_of(selection->array, d), mark = e->used;
    double one;
    dlpi_numbers list;
    selection->by[d].list = -1;
    selection->by[d].first = 1;
    selection->by[d].n = extent;
    if (index->kind == DLPI_SYNTAX_BLANK) return true;
    if (index->kind == DLPI_SYNTAX_RANGE)
        return select_range(e, variable, d, expand, selection);
    if (scalar(e, index, &one) == DONE) {
        if (!is_within(one, extent))
            return out_of_range(e, variable, selection->array, d, one);
        selection->by[d].first = (dlp_index)one;
        selection->by[d].n = 1;
        return true;
    }
    if (!dlpi_evaluate_numbers(e, index, &list)) return expand && e->unknown >= 0;
    for (dlp_index i = 0; i < list.n; i++)
        if (!is_within(dlpi_numbers_at(e, &list)[i], extent))
            return out_of_range(e, variable, selection->array, d,
                                dlpi_numbers_at(e, &list)[i]);
    selection->by[d].n = list.n;
    selection->by[d].list = list.n == 1 ? -1 : list.at; /* which stays on the stack */
    if (list.n == 1) {
        selection->by[d].first = (dlp_index)dlpi_numbers_at(e, &list)[0];
        e->used = mark;
    }
    return true;
}

bool dlpi_select(dlpi_evaluator *e, const dlpi_syntax *variable, bool expand,
                 dlpi_selection *selection)
{
    const dlpi_array *array = dlpi_find_array(e->graph, variable->name);
    if (!array)
        return dlpi_evaluator_fail(e, variable->place,
                                   "'%s' is not defined and not in the data",
                                   variable->name);
    if (array->first < 0)
        return dlpi_evaluator_fail(
            e, variable->place,
            "'%s' is not known here: loop ranges, sizes and indices on the left must be "
            "known; give it as data, or compute it in data{}",
            array->name);
    selection->array = array;
    selection->whole = variable->n_args == 0;
    const int n_dim = array->n_dim > 0 ? array->n_dim : 1;
    if (variable->n_args > 0 && variable->n_args != n_dim)
        return dlpi_evaluator_fail(
            e, variable->place, "'%s' has %d %s, but is used here with %d indices",
            array->name, n_dim, n_dim == 1 ? "dimension" : "dimensions",
            variable->n_args);
    selection->n = 1;
    for (int d = 0; d < n_dim; d++) {
        if (variable->n_args == 0) {
            selection->by[d].list = -1;
            selection->by[d].first = 1;
            selection->by[d].n = extent_of(array, d);
        } else if (!select_index(e, variable, d, expand, selection)) {
            return false;
        }
        selection->n *= selection->by[d].n;
    }
    return true;
}

void dlpi_selection_cells(const dlpi_evaluator *e, const dlpi_selection *s,
                          dlp_index *cell)
{
    const int n_dim = s->array->n_dim > 0 ? s->array->n_dim : 1;
    dlp_index at[DLPI_MAX_DIM] = {0}, stride[DLPI_MAX_DIM] = {1};
    for (int d = 1; d < n_dim; d++) stride[d] = stride[d - 1] * s->array->dim[d - 1];
    for (dlp_index i = 0; i < s->n; i++) {
        dlp_index c = s->array->first;
        for (int d = 0; d < n_dim; d++) {
            const dlp_index index = s->by[d].list >= 0
                                        ? (dlp_index)e->stack[s->by[d].list + at[d]]
                                        : s->by[d].first + at[d];
            c += (index - 1) * stride[d];
        }
        cell[i] = c;
        for (int d = 0; d < n_dim; d++) {
            if (++at[d] < s->by[d].n) break;
            at[d] = 0;
        }
    }
}

int dlpi_selection_dims(const dlpi_selection *s, dlp_index dim[DLPI_MAX_DIM])
{
    int n = 0;
    if (s->whole) {
        for (int d = 0; d < s->array->n_dim; d++) dim[d] = s->array->dim[d];
        return s->array->n_dim;
    }
    for (int d = 0; d < s->array->n_dim; d++)
        if (s->by[d].n != 1) dim[n++] = s->by[d].n;
    return n;
}

/* ---- one number ---- */

/* The loop variable that a name without brackets is; -1: none. */
static int loop_of(const dlpi_syntax *s)
{
    return s->n_args == 0 && s->depth >= 0 ? s->depth : -1;
}

static enum outcome scalar_variable(dlpi_evaluator *e, const dlpi_syntax *s, double *x)
{
    const int loop = loop_of(s);
    if (loop >= 0) {
        *x = e->loop[loop];
        return DONE;
    }
    const dlpi_array *array = dlpi_find_array(e->graph, s->name);
    if (!array || (s->n_args > 0 && s->n_args != (array->n_dim > 0 ? array->n_dim : 1)))
        return ELSE;
    if (array->first < 0 || (s->n_args == 0 && array->size != 1)) return ELSE;
    dlp_index cell = array->first, stride = 1;
    for (int d = 0; d < s->n_args; d++) {
        double index;
        const enum outcome outcome = scalar(e, s->arg[d], &index);
        if (outcome != DONE) return outcome;
        const dlp_index extent = extent_of(array, d);
        if (!(index >= 1 && index <= (double)extent && index == floor(index)))
            return ELSE; /* the general way reports what is wrong */
        cell += ((dlp_index)index - 1) * stride;
        stride *= extent;
    }
    *x = value_of(e, cell);
    if (!isnan(*x)) return DONE;
    e->unknown = cell;
    return FAILED;
}

static enum outcome scalar_call(dlpi_evaluator *e, const dlpi_syntax *s, double *x)
{
    const struct entry *const entry = memo_entry(e, s);
    if (memo_holds(e, s, entry)) {
        *x = entry->value;
        return DONE;
    }
    const char *const f = s->name;
    const bool binary = s->n_args == 2 && f[1] == '\0' && strchr("+-*/", f[0]);
    if (!binary && !(s->n_args == 1 && strcmp(f, "neg") == 0)) return ELSE;
    double a, b = 0;
    enum outcome outcome = scalar(e, s->arg[0], &a);
    if (outcome == DONE && binary) outcome = scalar(e, s->arg[1], &b);
    if (outcome != DONE) return outcome;
    *x = f[0] == '+'   ? a + b
         : f[0] == '-' ? a - b
         : f[0] == '*' ? (a == 0 || b == 0 ? 0 : a * b)
         : f[0] == '/' ? a / b
                       : -a;
    return isnan(*x) ? ELSE : DONE;
}

static enum outcome scalar(dlpi_evaluator *e, const dlpi_syntax *s, double *x)
{
    switch (s->kind) {
    case DLPI_SYNTAX_NUMBER: *x = s->number; return DONE;
    case DLPI_SYNTAX_VARIABLE: return scalar_variable(e, s, x);
    case DLPI_SYNTAX_CALL: return scalar_call(e, s, x);
    default: return ELSE;
    }
}

bool dlpi_evaluate_scalar(dlpi_evaluator *e, const dlpi_syntax *s, double *result)
{
    const enum outcome outcome = scalar(e, s, result);
    if (outcome != ELSE) return outcome == DONE;
    dlpi_numbers x;
    const dlp_index mark = e->used;
    if (!dlpi_evaluate_numbers(e, s, &x)) return false;
    if (x.n != 1) {
        char text[160];
        dlpi_syntax_text(s, text, sizeof text);
        return dlpi_evaluator_fail(e, s->place,
                                   "%s has %lld elements where one number is needed",
                                   text, (long long)x.n);
    }
    *result = dlpi_numbers_at(e, &x)[0];
    e->used = mark;
    return true;
}

/* ---- any shape ---- */

static bool push_scalar(dlpi_evaluator *e, double value, dlpi_numbers *result)
{
    result->n_dim = 0;
    if (!dlpi_numbers_take(e, result, 1)) return false;
    dlpi_numbers_at(e, result)[0] = value;
    return true;
}

static bool evaluate_variable(dlpi_evaluator *e, const dlpi_syntax *s,
                              dlpi_numbers *result)
{
    dlpi_selection selection;
    if (loop_of(s) >= 0) return push_scalar(e, e->loop[loop_of(s)], result);
    if (!dlpi_select(e, s, false, &selection)) return false;
    result->n_dim = dlpi_selection_dims(&selection, result->dim);
    if (!dlpi_numbers_take(e, result, selection.n)) return false;
    dlp_index *cell = malloc((size_t)(selection.n > 0 ? selection.n : 1) * sizeof *cell);
    if (!cell) {
        e->unknown = -1;
        e->status = dlpi_no_memory(e->error, "the elements of an array");
        return false;
    }
    dlpi_selection_cells(e, &selection, cell);
    bool good = true;
    for (dlp_index i = 0; good && i < selection.n; i++) {
        const double x = value_of(e, cell[i]);
        if (isnan(x)) {
            e->unknown = cell[i];
            good = false;
        }
        dlpi_numbers_at(e, result)[i] = x;
    }
    free(cell);
    return good;
}

static bool evaluate_range(dlpi_evaluator *e, const dlpi_syntax *s, dlpi_numbers *result)
{
    double from, to;
    if (!dlpi_evaluate_scalar(e, s->arg[0], &from) ||
        !dlpi_evaluate_scalar(e, s->arg[1], &to))
        return false;
    if (!(to - from < DLPI_MOST_NUMBERS))
        return dlpi_evaluator_fail(e, s->place, "the range %g:%g has too many elements",
                                   from, to);
    const dlp_index n = to >= from ? (dlp_index)floor(to - from + 1e-10) + 1 : 0;
    result->n_dim = n == 1 ? 0 : 1;
    result->dim[0] = n;
    if (!dlpi_numbers_take_long(e, s->place, result, n)) return false;
    for (dlp_index i = 0; i < n; i++) dlpi_numbers_at(e, result)[i] = from + (double)i;
    return true;
}

/* length(x) and dim(x) do not need the values of x. */
static bool evaluate_size(dlpi_evaluator *e, const dlpi_syntax *s, bool length,
                          dlpi_numbers *result)
{
    dlpi_selection selection;
    dlp_index dim[DLPI_MAX_DIM];
    const dlp_index mark = e->used;
    if (!dlpi_select(e, s->arg[0], false, &selection)) return false;
    e->used = mark;
    if (length) return push_scalar(e, (double)selection.n, result);
    int n = dlpi_selection_dims(&selection, dim);
    if (n == 0) {
        dim[0] = 1;
        n = 1;
    }
    result->n_dim = n > 1 ? 1 : 0;
    result->dim[0] = n;
    if (!dlpi_numbers_take(e, result, n)) return false;
    for (int d = 0; d < n; d++) dlpi_numbers_at(e, result)[d] = (double)dim[d];
    return true;
}

static bool evaluate_call(dlpi_evaluator *e, const dlpi_syntax *s, dlpi_numbers *result)
{
    dlpi_numbers few[4], *arg = few;
    const dlpi_number_function *f = dlpi_number_function_of(e->graph, s);
    if (f && f->asks_size && s->n_args == 1 && s->arg[0]->kind == DLPI_SYNTAX_VARIABLE &&
        loop_of(s->arg[0]) < 0)
        return evaluate_size(e, s, f->shape == DLPI_SHAPE_OF_NUMBER, result);
    if (s->n_args > 4) arg = malloc((size_t)s->n_args * sizeof *arg);
    if (!arg) {
        e->unknown = -1;
        e->status = dlpi_no_memory(e->error, "an expression");
        return false;
    }
    bool good = true;
    for (int i = 0; good && i < s->n_args; i++)
        good = dlpi_evaluate_numbers(e, s->arg[i], &arg[i]);
    good = good && (f ? f->apply(e, f, s, s->n_args, arg, result)
                      : dlpi_evaluate_expression(e, s, arg, result));
    if (arg != few) free(arg);
    return good;
}

bool dlpi_evaluate_numbers(dlpi_evaluator *e, const dlpi_syntax *s, dlpi_numbers *result)
{
    switch (s->kind) {
    case DLPI_SYNTAX_NUMBER: return push_scalar(e, s->number, result);
    case DLPI_SYNTAX_VARIABLE: return evaluate_variable(e, s, result);
    case DLPI_SYNTAX_RANGE: return evaluate_range(e, s, result);
    case DLPI_SYNTAX_BLANK:
        return dlpi_evaluator_fail(e, s->place, "a value is missing here");
    case DLPI_SYNTAX_CALL: break;
    }
    struct entry *const entry = memo_entry(e, s);
    if (memo_holds(e, s, entry)) return push_scalar(e, entry->value, result);
    if (!evaluate_call(e, s, result)) return false;
    for (dlp_index i = 0; i < result->n; i++)
        if (isnan(dlpi_numbers_at(e, result)[i])) {
            char text[200];
            dlpi_syntax_text(s, text, sizeof text);
            return dlpi_evaluator_fail(e, s->place, "%s is not a number", text);
        }
    if (result->n == 1) memo_set(e, s, entry, dlpi_numbers_at(e, result)[0]);
    return true;
}
