/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/shape.h"

#include "density/distribution.h"
#include "language/graph_owner.h"

#include <math.h>
#include <string.h>

static bool give(dlpi_shape *s, int n_dim, dlp_index rows, dlp_index columns)
{
    s->n_dim = n_dim;
    s->dim[0] = rows;
    s->dim[1] = columns;
    s->n = n_dim == 0 ? 1 : n_dim == 1 ? rows : rows * columns;
    return true;
}

/* How many elements an index selects. */
static bool count_index(dlpi_evaluator *e, const dlpi_syntax *index, dlp_index extent,
                        dlp_index *n)
{
    dlpi_shape s;
    *n = extent;
    if (index->kind == DLPI_SYNTAX_BLANK) return true;
    if (!dlpi_shape_of(e, index, &s)) return false;
    *n = s.n;
    return true;
}

static bool shape_of_variable(dlpi_evaluator *e, const dlpi_syntax *v, dlpi_shape *s)
{
    const dlpi_array *const a = dlpi_find_array(e->graph, v->name);
    if (v->n_args == 0 && v->depth >= 0) return give(s, 0, 1, 1);
    if (!a || a->first < 0) return false;
    const int n_dim = a->n_dim > 0 ? a->n_dim : 1;
    s->n_dim = 0;
    s->n = 1;
    if (v->n_args == 0) {
        s->n_dim = a->n_dim;
        s->n = a->size;
        for (int d = 0; d < a->n_dim; d++) s->dim[d] = a->dim[d];
        return true;
    }
    if (v->n_args != n_dim) return false;
    for (int d = 0; d < n_dim; d++) {
        dlp_index n;
        if (!count_index(e, v->arg[d], a->n_dim > 0 ? a->dim[d] : 1, &n)) return false;
        if (n != 1) s->dim[s->n_dim++] = n;
        s->n *= n;
    }
    return true;
}

static bool shape_of_range(dlpi_evaluator *e, const dlpi_syntax *r, dlpi_shape *s)
{
    double from, to;
    dlp_error *const error = e->error;
    e->error = NULL;
    const bool known = dlpi_evaluate_scalar(e, r->arg[0], &from) &&
                       dlpi_evaluate_scalar(e, r->arg[1], &to);
    e->error = error;
    if (!known || !(to >= from) || !(to - from <= 1e9)) return false; /* Inf - Inf */
    const dlp_index n = (dlp_index)floor(to - from) + 1;
    return give(s, n == 1 ? 0 : 1, n, 1);
}

static bool shape_of_product(const dlpi_shape *a, const dlpi_shape *b, dlpi_shape *s)
{
    if (a->n_dim > 2 || b->n_dim > 2) return false;
    /* A vector on the left is a row, on the right a column, if that agrees. */
    dlp_index m = a->n_dim == 2 ? a->dim[0] : 1, k = a->n_dim == 2 ? a->dim[1] : a->n;
    dlp_index k2 = b->n_dim == 2 ? b->dim[0] : b->n, n = b->n_dim == 2 ? b->dim[1] : 1;
    if (k != k2 && a->n_dim < 2 && k2 == 1) {
        m = a->n;
        k = 1;
    }
    if (k != k2 && b->n_dim < 2 && k == 1) {
        k2 = 1;
        n = b->n;
    }
    if (k != k2) return false;
    s->n_dim = 0;
    if (m != 1) s->dim[s->n_dim++] = m;
    if (n != 1) s->dim[s->n_dim++] = n;
    s->n = m * n;
    return true;
}

/* For functions that work element by element: the shape of the longest argument. */
static bool shape_of_elements(dlpi_evaluator *e, const dlpi_syntax *call, dlpi_shape *s)
{
    give(s, 0, 1, 1);
    for (int i = 0; i < call->n_args; i++) {
        dlpi_shape a;
        if (!dlpi_shape_of(e, call->arg[i], &a)) return false;
        if (a.n != 1 && s->n != 1 && a.n != s->n) return false;
        if (a.n > s->n || a.n_dim > s->n_dim) *s = a;
    }
    return true;
}

static bool shape_of_combination(dlpi_evaluator *e, const dlpi_syntax *call,
                                 dlpi_shape *s)
{
    dlp_index n = 0;
    for (int i = 0; i < call->n_args; i++) {
        dlpi_shape a;
        if (!dlpi_shape_of(e, call->arg[i], &a)) return false;
        n += a.n;
    }
    return give(s, n == 1 ? 0 : 1, n, 1);
}

/* The shape of what it evaluates to, if that is known. */
static bool shape_of_value(dlpi_evaluator *e, const dlpi_syntax *call, dlpi_shape *s)
{
    dlpi_numbers x;
    const dlp_index mark = e->used;
    dlp_error *const error = e->error;
    e->error = NULL;
    const bool known = dlpi_evaluate_numbers(e, call, &x);
    e->error = error;
    e->used = mark;
    return known && give(s, x.n == 1 ? 0 : 1, x.n, 1);
}

static bool shape_of_call(dlpi_evaluator *e, const dlpi_syntax *call, dlpi_shape *s)
{
    const dlpi_number_function *const f = dlpi_number_function_of(e->graph, call);
    const dlpi_shape_rule rule = f ? f->shape : DLPI_SHAPE_OF_ELEMENTS;
    dlpi_shape a = {0}, b = {0};
    if (rule == DLPI_SHAPE_OF_NUMBER) return give(s, 0, 1, 1);
    if (rule == DLPI_SHAPE_OF_ALL) return shape_of_combination(e, call, s);
    if (rule == DLPI_SHAPE_OF_VALUE) return shape_of_value(e, call, s);
    if (rule == DLPI_SHAPE_OF_ELEMENTS) return shape_of_elements(e, call, s);
    if (call->n_args < 1 || !dlpi_shape_of(e, call->arg[0], &a)) return false;
    if (rule == DLPI_SHAPE_OF_PRODUCT)
        return dlpi_shape_of(e, call->arg[1], &b) && shape_of_product(&a, &b, s);
    if (rule == DLPI_SHAPE_TRANSPOSED)
        return a.n_dim == 2 ? give(s, 2, a.dim[1], a.dim[0])
                            : give(s, a.n == 1 ? 0 : 2, 1, a.n);
    return give(s, a.n == 1 ? 0 : 1, a.n, 1); /* DLPI_SHAPE_OF_FIRST */
}

bool dlpi_shape_of(dlpi_evaluator *e, const dlpi_syntax *syntax, dlpi_shape *shape)
{
    switch (syntax->kind) {
    case DLPI_SYNTAX_NUMBER: return give(shape, 0, 1, 1);
    case DLPI_SYNTAX_VARIABLE: return shape_of_variable(e, syntax, shape);
    case DLPI_SYNTAX_RANGE: return shape_of_range(e, syntax, shape);
    case DLPI_SYNTAX_CALL: return shape_of_call(e, syntax, shape);
    default: return false;
    }
}

bool dlpi_shape_of_draw(dlpi_evaluator *e, const dlpi_syntax *call, dlpi_shape *shape)
{
    const dlpi_distribution *const d = dlpi_distribution_find(call->name);
    if (!d || d->support < DLPI_REAL_VECTOR || call->n_args < 1)
        return give(shape, 0, 1, 1);
    const int by = d->shaped_like < call->n_args ? d->shaped_like : 0;
    if (!dlpi_shape_of(e, call->arg[by], shape)) return false;
    if (d->support == DLPI_POSITIVE_DEFINITE && shape->n_dim == 1) /* scales */
        return give(shape, 2, shape->n, shape->n);
    return true;
}
