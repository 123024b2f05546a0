/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks values against the support of their distribution and parameters against their
   ranges, and finds what nothing uses. */
#include "density/distribution.h"
#include "language/compile.h"
#include "language/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The name of parameter i out of "mean, precision"; "parameter" where there is none. */
static void param_name(const dlpi_distribution *d, int i, char *out, size_t size)
{
    const char *at = d->params ? d->params : "";
    for (; i > 0 && at; i--) {
        at = strchr(at, ',');
        if (at) at += at[1] == ' ' ? 2 : 1;
    }
    const int n = at ? (int)strcspn(at, ",") : 0;
    snprintf(out, size, "%.*s", n > 0 ? n : 9, n > 0 ? at : "parameter");
}

struct check {
    dlpi_compile *b;
    const dlpi_relation *r;
    const dlpi_distribution *d;
};

/* Known parameters: checked once for all instances if no loop changes them. */
static void check_params(struct check *c, int relation, dlp_index instance)
{
    dlpi_compile *const b = c->b;
    for (int i = 0; c->d->complain && i < c->r->right->n_args; i++) {
        const dlpi_syntax *const arg = c->r->right->arg[i];
        double value;
        if (instance > 0 && arg->depth < 0) continue;
        dlpi_evaluator *e = dlpi_compile_at(b, relation, instance);
        dlp_error *const error = e->error;
        e->error = NULL;
        const bool known = dlpi_evaluate_scalar(e, arg, &value);
        e->error = error;
        const char *complaint = known ? c->d->complain(i, value) : NULL;
        if (!complaint) continue;
        char name[60];
        param_name(c->d, i, name, sizeof name);
        dlpi_report(b->found, true, &b->owner->source, arg->place,
                    "%s of %s is %g; it %s", name, c->r->right->name, value, complaint);
    }
}

/* Whether parameter i of the instance is a known scalar; *value receives it. */
static bool known_param(struct check *c, int i, double *value)
{
    dlpi_evaluator *e = &c->b->e;
    dlp_error *const error = e->error;
    if (i >= c->r->right->n_args) return false;
    e->error = NULL;
    const bool known = dlpi_evaluate_scalar(e, c->r->right->arg[i], value);
    e->error = error;
    return known;
}

/* How many elements a parameter has; 0: not known. */
static dlp_index param_length(struct check *c, int i)
{
    dlpi_evaluator *e = &c->b->e;
    dlpi_selection selection;
    const dlpi_syntax *const arg = c->r->right->arg[i];
    dlp_error *const error = e->error;
    if (arg->kind != DLPI_SYNTAX_VARIABLE) return 0;
    e->error = NULL;
    const bool good = dlpi_select(e, arg, false, &selection);
    e->error = error;
    return good ? selection.n : 0;
}

/* Each describes the support if y is outside of it. */
static void outside_category(struct check *c, double y, char *support, size_t size)
{
    const dlp_index n = param_length(c, 0);
    if (y >= 1 && y == floor(y) && (n == 0 || y <= (double)n)) return;
    if (n > 0)
        snprintf(support, size, "{1,...,%lld}", (long long)n);
    else
        snprintf(support, size, "{1,2,...}");
}

static void outside_count(struct check *c, double y, char *support, size_t size)
{
    double bound = INFINITY, n;
    const int by = c->d->upper_by - 1;
    if (by >= 0 && c->d->upper_by_length)
        bound = param_length(c, by) > 0 ? (double)param_length(c, by) : INFINITY;
    else if (by >= 0 && known_param(c, by, &n))
        bound = n;
    if (y >= 0 && y <= bound && y == floor(y)) return;
    if (isfinite(bound))
        snprintf(support, size, "{0,...,%.15g}", bound);
    else
        snprintf(support, size, "{0,1,2,...}");
}

/* "Inf" as in the data. */
static const char *end_text(double end, char *text, size_t size)
{
    snprintf(text, size, "%.15g", end);
    return isinf(end) ? end > 0 ? "Inf" : "-Inf" : text;
}

static void outside_interval(struct check *c, double y, char *support, size_t size)
{
    const dlpi_distribution *const d = c->d;
    double low = 0, high = d->end > 0 ? d->end : INFINITY;
    if (d->lower_by && !known_param(c, d->lower_by - 1, &low)) low = -INFINITY;
    if (d->upper_by && !known_param(c, d->upper_by - 1, &high)) high = INFINITY;
    if (d->open ? y > low && y < high : y >= low && y <= high) return;
    char from[32], to[32];
    snprintf(support, size, "%c%s,%s%c", d->lower_by ? '[' : '(',
             end_text(low, from, sizeof from), end_text(high, to, sizeof to),
             d->upper_by ? ']' : ')');
}

/* Describes the support if y is outside of it; "" if it is inside. */
static void outside(struct check *c, double y, char *support, size_t size)
{
    support[0] = '\0';
    switch (c->d->support) {
    case DLPI_BINARY:
        if (y != 0 && y != 1) snprintf(support, size, "{0,1}");
        break;
    case DLPI_CATEGORY: outside_category(c, y, support, size); break;
    case DLPI_COUNT: outside_count(c, y, support, size); break;
    case DLPI_INTERVAL: outside_interval(c, y, support, size); break;
    case DLPI_SIMPLEX:
        if (!(y >= 0 && y <= 1)) snprintf(support, size, "[0,1]");
        break;
    case DLPI_COUNT_VECTOR:
        if (y < 0 || y != floor(y)) snprintf(support, size, "{0,1,2,...}");
        break;
    default: break;
    }
    if (isinf(y) && !support[0]) snprintf(support, size, "(-Inf,Inf)");
}

static void check_bound(struct check *c, const dlpi_syntax *bound, bool is_lower,
                        double y, char *support, size_t size)
{
    dlpi_evaluator *e = &c->b->e;
    dlp_error *const error = e->error;
    double x;
    if (!bound || c->r->truncation != DLPI_TRUNCATED_T || support[0]) return;
    e->error = NULL;
    if (dlpi_evaluate_scalar(e, bound, &x) && (is_lower ? y < x : y > x))
        snprintf(support, size, is_lower ? "T(%g,)" : "T(,%g)", x);
    e->error = error;
}

static void check_value(struct check *c, dlp_index cell)
{
    dlpi_compile *const b = c->b;
    const double y = b->graph->value[cell];
    char support[80], name[100], place[260];
    outside(c, y, support, sizeof support);
    check_bound(c, c->r->lower, true, y, support, sizeof support);
    check_bound(c, c->r->upper, false, y, support, sizeof support);
    if (!support[0]) return;
    const dlpi_array *const a = dlpi_cell_array(b->graph, cell);
    dlpi_cell_name(b->graph, cell, name, sizeof name);
    dlpi_datum_where(b->owner->datum_of[a - b->graph->array], cell - a->first, place,
                     sizeof place);
    dlpi_report(b->found, true, &b->owner->source, c->r->place,
                "%s = %.15g is outside the support %s of %s (%s)", name, y, support,
                c->r->right->name, place);
}

static bool is_multivariate(dlpi_support s)
{
    return s >= DLPI_REAL_VECTOR;
}

/* A scalar distribution for a vector, or the other way round. */
static void check_shape(struct check *c, const dlpi_selection *left)
{
    char text[160];
    if (is_multivariate(c->d->support) || left->n == 1) return;
    dlpi_syntax_text(c->r->left, text, sizeof text);
    dlpi_report(
        c->b->found, true, &c->b->owner->source, c->r->place,
        "%s is a distribution of one number, but %s has %lld elements; write a loop",
        c->r->right->name, text, (long long)left->n);
}

/* Checks parameters that are single numbers; vectors are up to the distribution. */
static void check_param_shapes(struct check *c)
{
    for (int i = 0; i < c->r->right->n_args; i++) {
        const dlpi_syntax *const arg = c->r->right->arg[i];
        dlpi_shape shape;
        char name[60];
        const bool takes_vector = is_multivariate(c->d->support) ||
                                  c->d->support == DLPI_CATEGORY || c->d->takes_vectors;
        if (takes_vector || !dlpi_shape_of(&c->b->e, arg, &shape) || shape.n == 1)
            continue;
        param_name(c->d, i, name, sizeof name);
        dlpi_report(c->b->found, true, &c->b->owner->source, arg->place,
                    "%s of %s has %lld elements; it must be one number", name,
                    c->r->right->name, (long long)shape.n);
    }
}

/* A bound of T() or I() is one number. */
static void check_bound_shape(struct check *c, const dlpi_syntax *bound)
{
    dlpi_shape shape;
    if (!bound || !dlpi_shape_of(&c->b->e, bound, &shape) || shape.n == 1) return;
    dlpi_report(c->b->found, true, &c->b->owner->source, bound->place,
                "this bound of %s has %lld elements; it must be one number",
                c->r->right->name, (long long)shape.n);
}

static void check_relation(dlpi_compile *b, int relation)
{
    const dlpi_instances *const of = &b->graph->of[relation];
    if (!of->relation->stochastic) return;
    struct check c = {b, of->relation, dlpi_distribution_find(of->relation->right->name)};
    if (!c.d) return;
    for (dlp_index i = 0; i < of->n; i++) {
        dlpi_selection left;
        if (!dlpi_evaluator_works(&b->e, DLPI_INSTANCE_SEEN)) return;
        const int errors = b->found->n_errors;
        check_params(&c, relation, i);
        dlpi_evaluator *e = dlpi_compile_at(b, relation, i);
        if (!dlpi_select(e, of->relation->left, false, &left)) return;
        if (left.n == 0) {
            dlpi_report(b->found, true, &b->owner->source, of->relation->left->place,
                        "'%s' has no elements in the data; if it is unknown, leave it "
                        "out of the data",
                        of->relation->left->name);
            return;
        }
        check_shape(&c, &left);
        if (i == 0) {
            check_param_shapes(&c);
            check_bound_shape(&c, c.r->lower);
            check_bound_shape(&c, c.r->upper);
        }
        dlp_index one, *cell = left.n == 1 ? &one : malloc((size_t)left.n * sizeof *cell);
        if (!cell) return;
        dlpi_selection_cells(e, &left, cell);
        if (b->graph->kind[cell[0]] == DLPI_CELL_OBSERVED)
            for (dlp_index k = 0; k < left.n; k++) check_value(&c, cell[k]);
        if (cell != &one) free(cell);
        if (b->found->n_errors > errors) return; /* one error per relation is enough */
    }
}

/* Data that nothing mentions. */
static void check_unused(dlpi_compile *b)
{
    for (int i = 0; i < b->graph->n_arrays; i++) {
        const dlpi_data_array *datum = b->owner->datum_of[i];
        if (!datum || b->used[dlpi_name_number(datum->name)] || b->has_left[i]) continue;
        dlpi_report(b->found, false, datum->source, datum->place,
                    "'%s' is in the data, but the model does not use it", datum->name);
    }
}

static bool has_kind(const dlpi_graph *g, const dlpi_array *a, dlpi_cell_kind kind)
{
    for (dlp_index i = 0; i < a->size; i++)
        if (g->kind[a->first + i] == (uint8_t)kind) return true;
    return false;
}

/* Whether an expression mentions anything that is not constant. */
static bool mentions_unknown(const dlpi_graph *g, const dlpi_syntax *s)
{
    if (s->kind == DLPI_SYNTAX_VARIABLE) {
        const dlpi_array *const a = dlpi_find_array(g, s->name);
        if (a && (has_kind(g, a, DLPI_CELL_LATENT) || has_kind(g, a, DLPI_CELL_COMPUTED)))
            return true;
    }
    for (int i = 0; i < s->n_args; i++)
        if (mentions_unknown(g, s->arg[i])) return true;
    return false;
}

/* A latent node on which nothing depends. If it has unknown parents and something else is
   observed, it is a prediction and fine; otherwise the user has forgotten something. */
static void check_leaf(dlpi_compile *b, const dlpi_relation *r, bool observed)
{
    const dlpi_array *const a = dlpi_find_array(b->graph, r->left->name);
    if (!r->stochastic || b->used[dlpi_name_number(r->left->name)] || a->in_data) return;
    if (observed && mentions_unknown(b->graph, r->right)) return;
    dlpi_report(b->found, false, &b->owner->source, r->place,
                "nothing depends on '%s': the data say nothing about it%s", a->name,
                observed ? "" : ", as no node has data");
}

dlp_status dlpi_compile_check(dlpi_compile *b, dlp_error *error)
{
    (void)error;
    for (int r = 0; r < b->graph->n_relations; r++) check_relation(b, r);
    check_unused(b);
    bool observed = false;
    for (int i = 0; i < b->graph->n_arrays && !observed; i++)
        observed = has_kind(b->graph, &b->graph->array[i], DLPI_CELL_OBSERVED);
    for (int r = 0; r < b->graph->n_relations; r++)
        check_leaf(b, b->graph->of[r].relation, observed);
    return DLP_OK;
}
