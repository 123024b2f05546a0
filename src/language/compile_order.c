/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds an order in which every instance comes after those it refers to, by a depth-first
 * search that finds edges as it goes and keeps none. On the way back it computes
 * constants. An instance that it meets again while still open closes a cycle.
 */
#include "core/suggest.h"
#include "language/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEW, OPEN, DONE };

struct frame {
    dlp_index id; /* of the instance */
    int relation;
    dlp_index next, last; /* it waits for wait[next] to wait[last - 1], */
    dlp_index first;      /* of which wait[first] came first */
    bool again; /* an index was unknown: look again when what it waits for is done */
};

/* What is known about the cells of a reference that inner loops do not change. */
struct seen {
    bool valid, known, constant;
    int32_t loop[4];
};

struct order {
    dlpi_compile *b;
    uint8_t *state; /* (instances) */
    struct frame *frame;
    dlp_index n_frames, frame_room;
    dlp_index *wait; /* ids of instances */
    dlp_index n_wait, wait_room;
    dlpi_cells cells;
    struct seen *seen; /* (syntax nodes) */
    dlp_index work;    /* elements referred to so far */
    /* of the instance being looked at */
    const dlpi_relation *relation;
    bool known, constant; /* everything that it refers to is known, constant */
    bool again;
    bool failed;
    uint8_t
        *broken; /* (relations) an index of an instance has no value: so it is with all */
    int number;  /* of the relation */
    dlp_status status;
};

static bool no_memory(struct order *o)
{
    o->status = dlpi_no_memory(o->b->e.error, "the order of the nodes");
    return false;
}

static dlp_index id_of(const struct order *o, dlp_index cell)
{
    const dlpi_graph *const g = o->b->graph;
    return o->b->base[g->definer[cell]] + g->instance[cell];
}

static bool wait_for(struct order *o, dlp_index id)
{
    if (o->n_wait >= o->wait_room) {
        const dlp_index room = o->wait_room ? 2 * o->wait_room : 256;
        dlp_index *more = realloc(o->wait, (size_t)room * sizeof *more);
        if (!more) return no_memory(o);
        o->wait = more;
        o->wait_room = room;
    }
    o->wait[o->n_wait++] = id;
    return true;
}

/* ---- what is wrong ---- */

static void undefined(struct order *o, const dlpi_syntax *s, dlp_index cell)
{
    dlpi_compile *const b = o->b;
    const dlpi_array *const a = dlpi_cell_array(b->graph, cell);
    const dlpi_data_array *const datum = b->owner->datum_of[a - b->graph->array];
    char name[100], place[260] = "", message[500];
    dlpi_cell_name(b->graph, cell, name, sizeof name);
    o->failed = true;
    if (datum) {
        dlpi_datum_where(datum, cell - a->first, place, sizeof place);
        snprintf(message, sizeof message,
                 "node '%s' is missing in the data (%s) and not defined (used at %d:%d); "
                 "give it a prior or a value",
                 name, place, s->place.line, s->place.column);
    } else {
        snprintf(message, sizeof message,
                 "node '%s' is not defined and not in the data (used at %d:%d); give it "
                 "a prior or add it to the data",
                 name, s->place.line, s->place.column);
    }
    /* Otherwise every iteration of a loop would report another element of the array. */
    for (int i = 0; i < b->found->n; i++) {
        const dlpi_syntax *told = b->found->item[i].undefined;
        if (told && told->place.line == s->place.line &&
            told->place.column == s->place.column)
            return;
    }
    dlpi_diagnostic *d =
        dlpi_report(b->found, true, &b->owner->source, o->relation->place, "%s", message);
    if (d) d->undefined = s;
}

static void left_name(const struct order *o, const struct frame *f, char *out,
                      size_t size)
{
    dlpi_evaluator *e =
        dlpi_compile_at(o->b, f->relation, f->id - o->b->base[f->relation]);
    dlpi_selection selection;
    dlp_error *const error = e->error;
    e->error = NULL;
    snprintf(out, size, "%s", e->relation->left->name);
    if (dlpi_select(e, e->relation->left, false, &selection) && selection.n == 1) {
        dlp_index cell;
        dlpi_selection_cells(e, &selection, &cell);
        dlpi_cell_name(o->b->graph, cell, out, size);
    }
    e->error = error;
}

/* Whether everything in the cycle has bounds, as a[1] ~ dnorm(0, 1) I(, a[2]) and
   a[2] ~ dnorm(0, 1) I(a[1], ) of WinBUGS. */
static bool by_bounds(const struct order *o, dlp_index start)
{
    for (dlp_index i = start; i < o->n_frames; i++) {
        const dlpi_relation *r = o->b->graph->of[o->frame[i].relation].relation;
        if (!r->lower && !r->upper) return false;
    }
    return true;
}

/* 'a' depends on itself: a (line 3) <- b (line 4) <- a. */
static void report_cycle(struct order *o, dlp_index id)
{
    dlpi_compile *const b = o->b;
    dlp_index start = o->n_frames - 1;
    char chain[700], name[100], first[100];
    size_t used = 0;
    o->failed = true;
    while (start > 0 && o->frame[start].id != id) start--;
    left_name(o, &o->frame[start], first, sizeof first);
    for (dlp_index i = start; i < o->n_frames && used + 160 < sizeof chain; i++) {
        const dlpi_relation *r = b->graph->of[o->frame[i].relation].relation;
        left_name(o, &o->frame[i], name, sizeof name);
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s (line %d) <- ",
                                 name, r->place.line);
        if (i - start > 8) {
            used += (size_t)snprintf(chain + used, sizeof chain - used, "... <- ");
            break;
        }
    }
    snprintf(chain + used, sizeof chain - used, "%s", first);
    dlpi_diagnostic *d =
        dlpi_report(b->found, true, &b->owner->source,
                    b->graph->of[o->frame[start].relation].relation->place,
                    "'%s' depends on itself: %s%s", first, chain,
                    by_bounds(o, start) ? "; of two bounds that refer to each other, "
                                          "keep the one of the later node"
                                        : "");
    if (d) d->is_cycle = true;
}

/* ---- what an instance refers to ---- */

enum { CELL_SEEN = 16 }; /* to look at a cell takes as long as so many multiplications */

/* False: the caller has said stop. */
static bool works(struct order *o, dlp_index work)
{
    if (dlpi_evaluator_works(&o->b->e, work)) return true;
    o->status = o->b->e.status;
    return false;
}

/* expanded: the cell is only one of those that an index may select. */
static bool refer_cell(struct order *o, const dlpi_syntax *s, dlp_index cell,
                       bool expanded)
{
    const dlpi_graph *const g = o->b->graph;
    if (g->kind[cell] == DLPI_CELL_CONSTANT) return true;
    if (g->kind[cell] == DLPI_CELL_NONE) {
        if (!expanded) undefined(o, s, cell);
        o->known = o->constant = false;
        return true;
    }
    const dlp_index id = id_of(o, cell);
    o->constant = false;
    if (isnan(g->value[cell])) o->known = false;
    if (o->state[id] == DONE || (expanded && o->state[id] == OPEN)) return true;
    return wait_for(o, id);
}

static bool refer(struct order *o, const dlpi_syntax *s);

static bool refer_args(struct order *o, const dlpi_syntax *s)
{
    for (int i = 0; i < s->n_args; i++)
        if (!refer(o, s->arg[i])) return false;
    return true;
}

/* An index depends on an unknown cell. Waits for it, if it may become known later. */
static bool refer_unknown(struct order *o, const dlpi_syntax *s, dlp_index cell,
                          bool *expand)
{
    const dlpi_graph *const g = o->b->graph;
    if (g->kind[cell] == DLPI_CELL_NONE) {
        undefined(o, s, cell);
        return true;
    }
    const dlp_index id = id_of(o, cell);
    if (o->state[id] == NEW) {
        o->again = true;
        return wait_for(o, id);
    }
    *expand = true;
    return true;
}

static struct seen *seen_of(const struct order *o, const dlpi_syntax *s)
{
    return s->depth < 4 && s->depth < o->relation->n_loops - 1 ? &o->seen[s->id] : NULL;
}

static bool seen_holds(const struct order *o, const dlpi_syntax *s,
                       const struct seen *seen)
{
    if (!seen || !seen->valid) return false;
    for (int i = 0; i <= s->depth; i++)
        if (seen->loop[i] != o->b->e.loop[i]) return false;
    return true;
}

static bool take_cells(struct order *o, const dlpi_syntax *s,
                       const dlpi_selection *selection, bool expanded)
{
    o->work += selection->n;
    if (!works(o, CELL_SEEN * selection->n)) return false;
    if (o->work / 16 > o->b->limit) { /* it would take minutes, and a fit even longer */
        dlpi_report(o->b->found, true, &o->b->owner->source, o->relation->place,
                    "the relations refer to more than %lld elements in all; write "
                    "running sums as s[i] <- s[i-1] + x[i]",
                    16 * (long long)o->b->limit);
        return false;
    }
    if (selection->n > o->cells.room) {
        free(o->cells.cell);
        o->cells.room = selection->n + 64;
        o->cells.cell = malloc((size_t)o->cells.room * sizeof *o->cells.cell);
        if (!o->cells.cell) {
            o->cells.room = 0;
            return no_memory(o);
        }
    }
    dlpi_selection_cells(&o->b->e, selection, o->cells.cell);
    for (dlp_index i = 0; i < selection->n && !o->failed; i++)
        if (!refer_cell(o, s, o->cells.cell[i], expanded)) return false;
    return true;
}

static bool refer_variable(struct order *o, const dlpi_syntax *s)
{
    dlpi_evaluator *const e = &o->b->e;
    dlpi_selection selection;
    bool expand = false;
    struct seen *const seen = seen_of(o, s);
    if (s->n_args == 0 && s->depth >= 0) return true; /* a loop's variable */
    if (seen_holds(o, s, seen)) {
        o->known &= seen->known;
        o->constant &= seen->constant;
        return true;
    }
    const bool known = o->known, constant = o->constant;
    const dlp_index waits = o->n_wait;
    o->known = o->constant = true;
    if (!refer_args(o, s)) return false;
    e->used = 0;
    if (!dlpi_select(e, s, false, &selection)) {
        if (e->unknown < 0) {
            o->failed = true;
            o->broken[o->number] = 1;
            o->status = dlpi_compile_report(o->b, e->error);
            return o->status == DLP_OK;
        }
        if (!refer_unknown(o, s, e->unknown, &expand)) return false;
        o->known = o->constant = false;
        if (!expand) return true;
        e->used = 0;
        if (!dlpi_select(e, s, true, &selection)) return true;
    }
    if (!take_cells(o, s, &selection, expand)) return false;
    if (seen && o->n_wait == waits && !o->failed) {
        *seen = (struct seen){true, o->known, o->constant, {0}};
        for (int i = 0; i <= s->depth; i++) seen->loop[i] = e->loop[i];
    }
    o->known &= known;
    o->constant &= constant;
    return true;
}

static bool refer(struct order *o, const dlpi_syntax *s)
{
    if (o->failed) return true;
    if (s->kind == DLPI_SYNTAX_VARIABLE) return refer_variable(o, s);
    const dlpi_number_function *const f =
        s->kind == DLPI_SYNTAX_CALL ? dlpi_number_function_of(o->b->graph, s) : NULL;
    if (f && f->asks_size && s->n_args == 1 && s->arg[0]->kind == DLPI_SYNTAX_VARIABLE)
        return refer_args(o, s->arg[0]); /* its size, not its values */
    return refer_args(o, s);
}

/* Finds what an instance refers to, and waits for what is not done yet. */
static bool look(struct order *o, int relation, dlp_index instance)
{
    const dlpi_relation *const r = o->b->graph->of[relation].relation;
    dlpi_compile_at(o->b, relation, instance);
    if (!works(o, DLPI_INSTANCE_SEEN)) return false;
    o->relation = r;
    o->known = o->constant = true;
    o->again = o->failed = false;
    o->number = relation;
    return refer(o, r->right) && (!r->lower || refer(o, r->lower)) &&
           (!r->upper || refer(o, r->upper));
}

/* ---- what is then known about it ---- */

static dlp_status compute(struct order *o, int relation, dlp_index instance)
{
    dlpi_graph *const g = o->b->graph;
    dlpi_evaluator *e = dlpi_compile_at(o->b, relation, instance);
    const dlpi_relation *const r = e->relation;
    dlpi_numbers x;
    dlpi_selection left;
    if (!dlpi_evaluate_numbers(e, r->right, &x)) {
        if (e->unknown < 0) return dlpi_compile_report(o->b, e->error);
        return DLP_OK; /* a part is still unknown: computed later */
    }
    if (!dlpi_select(e, r->left, false, &left)) return DLP_OK;
    if (left.n != x.n) {
        char text[160];
        dlpi_syntax_text(r->left, text, sizeof text);
        dlpi_report(o->b->found, true, &o->b->owner->source, r->place,
                    "%s has %lld elements, but the right-hand side has %lld", text,
                    (long long)left.n, (long long)x.n);
        return DLP_OK;
    }
    if (left.n > o->cells.room) {
        free(o->cells.cell);
        o->cells.room = left.n + 64;
        o->cells.cell = malloc((size_t)o->cells.room * sizeof *o->cells.cell);
        if (!o->cells.cell) {
            o->cells.room = 0;
            return dlpi_no_memory(e->error, "the elements of a variable");
        }
    }
    dlpi_selection_cells(e, &left, o->cells.cell);
    for (dlp_index i = 0; i < left.n; i++) {
        double value = dlpi_numbers_at(e, &x)[i];
        if (r->link) value = dlpi_op_value(dlpi_inverse_link(r->link), value, 0, 0);
        g->value[o->cells.cell[i]] = value;
        if (o->constant) g->kind[o->cells.cell[i]] = DLPI_CELL_CONSTANT;
    }
    return DLP_OK;
}

static bool finish(struct order *o, int relation, dlp_index id)
{
    dlpi_graph *const g = o->b->graph;
    const dlp_index instance = id - o->b->base[relation];
    o->state[id] = DONE;
    g->order[2 * g->n_order] = relation;
    g->order[2 * g->n_order++ + 1] = (int32_t)instance;
    if (o->relation->stochastic || !o->known || o->failed) return true;
    o->status = compute(o, relation, instance);
    return o->status == DLP_OK;
}

/* ---- the search ---- */

static int relation_of(const struct order *o, dlp_index id)
{
    int low = 0, high = o->b->graph->n_relations - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (o->b->base[middle + 1] > id)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool enter(struct order *o, int relation, dlp_index id)
{
    const dlp_index first = o->n_wait;
    if (o->broken[relation]) { /* what it refers to may take long to find, and is wrong */
        o->failed = true;
        o->relation = o->b->graph->of[relation].relation;
        return finish(o, relation, id);
    }
    if (!look(o, relation, id - o->b->base[relation])) return false;
    if (o->n_wait == first && !o->again) return finish(o, relation, id);
    if (o->n_frames >= o->frame_room) {
        const dlp_index room = o->frame_room ? 2 * o->frame_room : 256;
        struct frame *more = realloc(o->frame, (size_t)room * sizeof *more);
        if (!more) return no_memory(o);
        o->frame = more;
        o->frame_room = room;
    }
    o->state[id] = OPEN;
    o->frame[o->n_frames++] =
        (struct frame){id, relation, first, o->n_wait, first, o->again};
    return true;
}

/* All that the last frame waits for is done. */
static bool leave(struct order *o)
{
    struct frame *f = &o->frame[o->n_frames - 1];
    const dlp_index instance = f->id - o->b->base[f->relation];
    o->n_wait = f->first;
    if (!look(o, f->relation, instance)) return false;
    f = &o->frame[o->n_frames - 1];
    if (f->again && o->n_wait > f->first && !o->failed) { /* there is more to wait for */
        f->next = f->first;
        f->last = o->n_wait;
        f->again = o->again;
        return true;
    }
    o->n_wait = f->first;
    o->n_frames--;
    return finish(o, f->relation, f->id);
}

static bool search(struct order *o, int relation, dlp_index id)
{
    if (o->state[id] != NEW) return true;
    if (!enter(o, relation, id)) return false;
    while (o->n_frames > 0) {
        struct frame *f = &o->frame[o->n_frames - 1];
        if (f->next == f->last) {
            if (!leave(o)) return false;
            continue;
        }
        const dlp_index next = o->wait[f->next++];
        if (o->state[next] == OPEN) {
            if (o->b->found->n_errors <= DLPI_MAX_ERRORS) report_cycle(o, next);
        } else if (o->state[next] == NEW && !enter(o, relation_of(o, next), next)) {
            return false;
        }
    }
    return true;
}

dlp_status dlpi_compile_order(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    const dlp_index n = b->base[g->n_relations];
    struct order o = {.b = b};
    o.state = calloc((size_t)n + 1, 1);
    o.seen = calloc((size_t)b->owner->syntax.n_nodes + 1, sizeof *o.seen);
    o.broken = calloc((size_t)g->n_relations + 1, 1);
    g->order = malloc((2 * (size_t)n + 1) * sizeof *g->order);
    bool good = o.state && o.seen && o.broken && g->order;
    if (!good) o.status = dlpi_no_memory(error, "the order of the nodes");
    for (int r = 0; good && r < g->n_relations; r++)
        for (dlp_index i = 0; good && i < g->of[r].n; i++)
            good = search(&o, r, b->base[r] + i);
    free(o.state);
    free(o.seen);
    free(o.broken);
    free(o.frame);
    free(o.wait);
    free(o.cells.cell);
    return good ? DLP_OK : o.status;
}
