/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unrolls loops: an instance of a relation is a row of loop values. An array that is
 * neither declared nor in the data extends to the largest index on the left, as in JAGS.
 */
#include "language/compile.h"
#include "language/shape.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct unroll {
    dlpi_compile *b;
    const dlpi_relation *relation;
    dlpi_instances *of;
    dlp_index room;
    const dlpi_loop *loop[DLPI_MAX_LOOPS]; /* the outermost first */
    int32_t at[DLPI_MAX_LOOPS];
    dlp_index *steps;  /* taken in all relations */
    dlpi_array *sized; /* whose extents follow from this relation; NULL: they are known */
    bool counting;     /* the innermost loop is counted, not run */
    dlp_status status;
};

dlp_status dlpi_compile_report(dlpi_compile *b, dlp_error *error)
{
    dlpi_evaluator *const e = &b->e;
    if (e->unknown < 0 && e->status != DLP_EINVAL && e->status != DLP_EINPUT)
        return e->status;
    if (e->unknown < 0) dlpi_report_made(b->found, e->error->message);
    (void)error;
    return DLP_OK;
}

/* Something needed to reach an instance is unknown. */
static bool not_known(struct unroll *u, const dlpi_syntax *s, const char *what)
{
    dlpi_compile *const b = u->b;
    char name[100], text[160];
    if (b->e.unknown < 0) {
        u->status = dlpi_compile_report(b, b->e.error);
        return false;
    }
    dlpi_cell_name(b->graph, b->e.unknown, name, sizeof name);
    dlpi_syntax_text(s, text, sizeof text);
    dlpi_report(b->found, true, &b->owner->source, s->place,
                "%s %s needs '%s', which is missing in the data", what, text, name);
    return false;
}

static bool too_many(struct unroll *u, const dlpi_loop *loop)
{
    dlpi_report(
        u->b->found, true, &u->b->owner->source, loop->place,
        "the loops make more than %lld instances of relations; check the range of "
        "'%s'",
        (long long)u->b->limit, loop->name);
    return false;
}

/* ---- extents ---- */

/* The largest value of an index on the left; 0: something is wrong. */
static dlp_index largest(struct unroll *u, const dlpi_syntax *index)
{
    dlpi_evaluator *const e = &u->b->e;
    double x = 0;
    dlpi_numbers list;
    if (index->kind == DLPI_SYNTAX_BLANK) {
        dlpi_report(u->b->found, true, &u->b->owner->source, u->relation->left->place,
                    "the size of '%s' is not known: write its indices out, or declare it "
                    "with 'var'",
                    u->relation->left->name);
        return 0;
    }
    if (index->kind == DLPI_SYNTAX_RANGE) index = index->arg[1];
    const dlp_index mark = e->used;
    if (!dlpi_evaluate_numbers(e, index, &list)) {
        not_known(u, index, "the index");
        return 0;
    }
    for (dlp_index i = 0; i < list.n; i++) x = fmax(x, dlpi_numbers_at(e, &list)[i]);
    e->used = mark;
    if (x >= 1 && x <= (double)u->b->limit) return (dlp_index)x;
    char text[160];
    dlpi_syntax_text(u->relation->left, text, sizeof text);
    if (x < 1)
        dlpi_report(u->b->found, true, &u->b->owner->source, u->relation->left->place,
                    "index %g of %s is out of range; indices start at 1", x, text);
    else
        dlpi_report(u->b->found, true, &u->b->owner->source, u->relation->left->place,
                    "index %g of %s is larger than any array can be", x, text);
    return 0;
}

static bool grow_extent(struct unroll *u)
{
    for (int d = 0; d < u->relation->left->n_args; d++) {
        const dlp_index x = largest(u, u->relation->left->arg[d]);
        if (x == 0) return false;
        if (x > u->sized->dim[d]) u->sized->dim[d] = x;
    }
    return true;
}

/* ---- loops ---- */

static bool add_instance(struct unroll *u)
{
    const int n_loops = u->relation->n_loops;
    if (u->of->n >= u->room) { /* without loops, too, so that `loop` is not NULL */
        const dlp_index room = u->room ? 2 * u->room : 16;
        int32_t *more =
            realloc(u->of->loop, ((size_t)room * (size_t)n_loops + 1) * sizeof *more);
        if (!more) {
            u->status = dlpi_no_memory(u->b->e.error, "the instances of the relations");
            return false;
        }
        u->of->loop = more;
        u->room = room;
    }
    for (int d = 0; d < n_loops; d++) u->of->loop[u->of->n * n_loops + d] = u->at[d];
    u->of->n++;
    return !u->sized || grow_extent(u);
}

static bool run(struct unroll *u, int depth);

static bool run_value(struct unroll *u, int depth, double value)
{
    if (!(value >= INT_MIN && value <= INT_MAX && value == floor(value))) {
        dlpi_report(u->b->found, true, &u->b->owner->source, u->loop[depth]->range->place,
                    "the loop over '%s' reaches %g; loops run over whole numbers",
                    u->loop[depth]->name, value);
        return false;
    }
    u->at[depth] = (int32_t)value;
    return run(u, depth + 1);
}

static bool count_steps(struct unroll *u, int depth, double n)
{
    if (!(n <= (double)(u->b->limit - *u->steps))) return too_many(u, u->loop[depth]);
    *u->steps += (dlp_index)n;
    return true;
}

/* JAGS refuses a range that ends between two whole numbers, which R and its a:b allow. */
static bool ends_whole(const struct unroll *u, int depth, double to)
{
    if (fabs(to - round(to)) < 1e-7) return true;
    dlpi_report(u->b->found, true, &u->b->owner->source, u->loop[depth]->range->place,
                "the loop over '%s' ends at %.15g; loops run over whole numbers",
                u->loop[depth]->name, to);
    return false;
}

/* for (i in a:b); nothing where b < a. */
static bool run_range(struct unroll *u, int depth)
{
    const dlpi_syntax *const range = u->loop[depth]->range;
    double from, to;
    if (!dlpi_evaluate_scalar(&u->b->e, range->arg[0], &from))
        return not_known(u, range->arg[0], "the loop's range");
    if (!dlpi_evaluate_scalar(&u->b->e, range->arg[1], &to))
        return not_known(u, range->arg[1], "the loop's range");
    if (!ends_whole(u, depth, to)) return false;
    if (to < from) return true;
    if (u->counting && !count_steps(u, depth, to - from + 1)) return false;
    if (u->counting && depth == u->relation->n_loops - 1) return true;
    const dlp_index n = (dlp_index)floor(to - from + 1e-7) + 1;
    for (dlp_index i = 0; i < n; i++)
        if (!run_value(u, depth, from + (double)i)) return false;
    return true;
}

/* for (i in x), x any vector. */
static bool run_list(struct unroll *u, int depth)
{
    dlpi_evaluator *const e = &u->b->e;
    dlpi_numbers list;
    const dlp_index mark = e->used;
    if (!dlpi_evaluate_numbers(e, u->loop[depth]->range, &list))
        return not_known(u, u->loop[depth]->range, "the loop's range");
    if (u->counting && !count_steps(u, depth, (double)list.n)) return false;
    for (dlp_index i = 0; i < list.n; i++)
        if (!run_value(u, depth, dlpi_numbers_at(e, &list)[i])) return false;
    e->used = mark;
    return true;
}

static bool run(struct unroll *u, int depth)
{
    if (!dlpi_evaluator_works(&u->b->e, DLPI_INSTANCE_SEEN)) {
        u->status = u->b->e.status;
        return false;
    }
    u->b->e.n_unset = u->relation->n_loops - depth;
    const dlpi_loop *const loop = depth < u->relation->n_loops ? u->loop[depth] : NULL;
    if (!loop) return u->counting || add_instance(u);
    return loop->range->kind == DLPI_SYNTAX_RANGE ? run_range(u, depth)
                                                  : run_list(u, depth);
}

static dlp_status unroll(dlpi_compile *b, dlpi_instances *of, dlp_index *steps)
{
    struct unroll u = {.b = b, .relation = of->relation, .of = of, .steps = steps};
    dlpi_array *const array =
        &b->graph->array[b->owner->array_of[dlpi_name_number(of->relation->left->name)]];
    if (array->first < 0) u.sized = array;
    for (const dlpi_loop *l = of->relation->loop; l; l = l->outer) u.loop[l->depth] = l;
    b->e.relation = of->relation;
    b->e.loop = u.at;
    b->e.used = 0;
    /* Refuses ranges with too many combinations before anything is made. */
    u.counting = true;
    const bool fits = run(&u, 0);
    u.counting = false;
    if (fits) run(&u, 0);
    b->e.n_unset = 0;
    return u.status;
}

/* ---- cells ---- */

/* Appends its cells to those that exist. */
static bool place_array(dlpi_compile *b, dlpi_array *a, dlpi_position place)
{
    dlp_index n = 1;
    bool fits = true;
    for (int d = 0; d < a->n_dim; d++)
        fits = fits && !__builtin_mul_overflow(n, a->dim[d], &n);
    if (!fits || n > b->limit - b->graph->n_cells) {
        dlpi_report(b->found, true, &b->owner->source, place,
                    "'%s' would make more than %lld elements", a->name,
                    (long long)b->limit);
        return false;
    }
    a->size = n;
    a->first = b->graph->n_cells;
    b->graph->n_cells += n;
    return true;
}

static dlp_status size_declared(dlpi_compile *b, const dlpi_syntax *v)
{
    dlpi_array *a = &b->graph->array[b->owner->array_of[dlpi_name_number(v->name)]];
    dlp_index dim[DLPI_MAX_DIM] = {1};
    if (v->n_args > DLPI_MAX_DIM) return DLP_OK; /* reported elsewhere */
    b->e.relation = NULL;
    b->e.used = 0;
    for (int d = 0; d < v->n_args; d++) {
        double x = 0;
        if (v->arg[d]->kind == DLPI_SYNTAX_BLANK ||
            !dlpi_evaluate_scalar(&b->e, v->arg[d], &x)) {
            if (v->arg[d]->kind != DLPI_SYNTAX_BLANK && b->e.unknown < 0)
                return dlpi_compile_report(b, b->e.error);
            x = 0;
        }
        if (!(x >= 1 && x < (double)b->limit && x == floor(x))) {
            dlpi_report(b->found, true, &b->owner->source, v->place,
                        "dimension %d of '%s' must be a known whole number, at least 1 "
                        "and not too large",
                        d + 1, v->name);
            return DLP_OK;
        }
        dim[d] = (dlp_index)x;
    }
    const bool same =
        a->first < 0 || (v->n_args == a->n_dim &&
                         memcmp(dim, a->dim, (size_t)v->n_args * sizeof *dim) == 0);
    if (!same && !(a->size == 1 && v->n_args <= 1 && dim[0] == 1))
        dlpi_report(b->found, true, &b->owner->source, v->place,
                    "'%s' is declared with dimensions that differ from those in the data",
                    v->name);
    if (a->first >= 0) return DLP_OK;
    a->n_dim = v->n_args;
    memcpy(a->dim, dim, (size_t)v->n_args * sizeof *dim);
    place_array(b, a, v->place);
    return DLP_OK;
}

/* Grows graph->value to all cells, with NaN behind those it had. */
static dlp_status grow_values(dlpi_compile *b, dlp_index had, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    double *more = realloc(g->value, (size_t)(g->n_cells + 1) * sizeof *more);
    if (!more) return dlpi_no_memory(error, "the elements of the variables");
    for (dlp_index i = had; i < g->n_cells; i++) more[i] = NAN;
    g->value = more;
    return DLP_OK;
}

/* A variable without brackets on the left takes the shape of the right side. False: that
   is not known yet. */
static bool infer_shape(dlpi_compile *b, int r)
{
    const dlpi_relation *const relation = b->graph->of[r].relation;
    dlpi_array *const a =
        &b->graph->array[b->owner->array_of[dlpi_name_number(relation->left->name)]];
    dlpi_shape shape;
    if (a->first >= 0 || relation->left->n_args > 0 || b->graph->of[r].n == 0)
        return false;
    dlpi_evaluator *e = dlpi_compile_at(b, r, 0);
    if (!(relation->stochastic ? dlpi_shape_of_draw(e, relation->right, &shape)
                               : dlpi_shape_of(e, relation->right, &shape)))
        return false;
    a->n_dim = shape.n == 1 ? 0 : shape.n_dim;
    for (int d = 0; d < shape.n_dim; d++) a->dim[d] = shape.dim[d];
    return place_array(b, a, relation->place);
}

/* Shapes that depend on each other are found in passes, down the file and up again. */
static dlp_status infer_shapes(dlpi_compile *b, dlp_error *error)
{
    bool found = true;
    for (int pass = 0; found && pass < 200 && b->found->n_errors == 0; pass++) {
        found = false;
        for (int i = 0; i < b->graph->n_relations; i++) {
            const dlp_index had = b->graph->n_cells;
            if (!infer_shape(b, pass % 2 ? b->graph->n_relations - 1 - i : i)) continue;
            DLP_TRY(grow_values(b, had, error));
            found = true;
        }
    }
    return DLP_OK;
}

/* n <- length(y): a constant that a loop or a size may need. False: it is not such a
   constant, or is already known. */
static bool compute_early(dlpi_compile *b, const dlpi_relation *r)
{
    dlpi_array *const a =
        &b->graph->array[b->owner->array_of[dlpi_name_number(r->left->name)]];
    double value;
    if (r->stochastic || r->link || r->n_loops > 0 || r->left->n_args > 0 ||
        a->first >= 0 || a->n_dim > 0) /* it has elements elsewhere */
        return false;
    dlp_error *const error = b->e.error;
    b->e.relation = r;
    b->e.used = 0;
    b->e.error = NULL;
    const bool known = dlpi_evaluate_scalar(&b->e, r->right, &value);
    b->e.error = error;
    if (!known || !place_array(b, a, r->place)) return false;
    a->n_dim = 0;
    b->early = value;
    return true;
}

static dlp_status compute_constants(dlpi_compile *b, dlp_error *error)
{
    bool found = true;
    for (int pass = 0; found && pass < 20; pass++) {
        found = false;
        for (int i = 0; i < b->graph->n_relations; i++) {
            const int r = pass % 2 ? b->graph->n_relations - 1 - i : i;
            const dlp_index had = b->graph->n_cells;
            if (!compute_early(b, b->graph->of[r].relation)) continue;
            DLP_TRY(grow_values(b, had, error));
            b->graph->value[had] = b->early;
            found = true;
        }
    }
    return DLP_OK;
}

static bool check_dims(dlpi_compile *b)
{
    for (int r = 0; r < b->graph->n_relations; r++) {
        const dlpi_syntax *left = b->graph->of[r].relation->left;
        if (left->n_args > DLPI_MAX_DIM)
            dlpi_report(b->found, true, &b->owner->source, left->place,
                        "'%s' has %d dimensions; at most %d are possible", left->name,
                        left->n_args, (int)DLPI_MAX_DIM);
    }
    return b->found->n_errors == 0;
}

static dlpi_position first_place(const dlpi_compile *b, const char *name)
{
    for (int r = 0; r < b->graph->n_relations; r++)
        if (b->graph->of[r].relation->left->name == name)
            return b->graph->of[r].relation->left->place;
    return (dlpi_position){0};
}

/* Places the arrays with indices on the left, whose extents are known now. */
static dlp_status place_indexed(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    const dlp_index had = g->n_cells;
    for (int i = 0; i < g->n_arrays; i++)
        if (g->array[i].first < 0 && g->array[i].n_dim > 0 &&
            !place_array(b, &g->array[i], first_place(b, g->array[i].name)))
            return DLP_OK;
    return grow_values(b, had, error);
}

/* Whatever is left is a scalar. */
static dlp_status place_rest(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    const dlp_index had = g->n_cells;
    for (int i = 0; i < g->n_arrays; i++)
        if (g->array[i].first < 0 && !place_array(b, &g->array[i], (dlpi_position){0}))
            return DLP_OK;
    return grow_values(b, had, error);
}

static int by_first(const void *a, const void *b)
{
    const dlpi_array *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size); /* empty ones first */
}

/* Sorts arrays by their cells, together with what is kept about each. */
static dlp_status sort_arrays(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    dlpi_owner *const o = b->owner;
    const dlp_index n = g->n_arrays;
    const dlpi_data_array **datum = dlpi_pool_take(&o->pool, n, sizeof *datum);
    uint8_t *left = dlpi_pool_take(&o->pool, n, 1);
    int32_t *from = dlpi_pool_take(&o->pool, o->n_names, sizeof *from);
    if (!datum || !left || !from) return dlpi_no_memory(error, "the variables");
    memcpy(from, o->array_of, (size_t)o->n_names * sizeof *from);
    qsort(g->array, (size_t)n, sizeof *g->array, by_first);
    for (int i = 0; i < n; i++) {
        const int32_t name = dlpi_name_number(g->array[i].name);
        datum[i] = o->datum_of[from[name]];
        left[i] = b->has_left[from[name]];
        o->array_of[name] = i;
    }
    o->datum_of = datum;
    b->has_left = left;
    return DLP_OK;
}

dlp_status dlpi_compile_unroll(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    dlp_index steps = 0, had = g->n_cells;
    if (!check_dims(b)) return DLP_OK;
    for (int i = 0; i < b->owner->syntax.n_declarations; i++)
        DLP_TRY(size_declared(b, b->owner->syntax.declaration[i].variable));
    DLP_TRY(grow_values(b, had, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(compute_constants(b, error));
    for (int r = 0; r < g->n_relations; r++) {
        const dlp_status status = unroll(b, &g->of[r], &steps);
        if (status != DLP_OK) return status;
    }
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(place_indexed(b, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(infer_shapes(b, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(place_rest(b, error));
    return sort_arrays(b, error);
}
