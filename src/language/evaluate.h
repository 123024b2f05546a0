/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates expressions of known cells: for indices, sizes, data{}, and constant nodes.
 * Values only; derivatives are the business of program.h. Internal.
 */
#ifndef DLPI_BUGS_EVALUATE_H
#define DLPI_BUGS_EVALUATE_H

#include "core/progress.h"
#include "density/expression.h"
#include "language/graph.h"

/* A scalar, vector or array, in R's order; its elements are on the evaluator's stack. */
typedef struct dlpi_numbers {
    int n_dim; /* 0: a scalar */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index n;
    dlp_index at; /* where on the stack */
} dlpi_numbers;

typedef struct dlpi_memo dlpi_memo;

/* {.graph = ..., .relation = ..., .loop = ...}; free stack at the end. */
typedef struct dlpi_evaluator {
    const dlpi_graph *graph;
    const dlpi_relation *relation; /* NULL: outside of any */
    const int32_t *loop;
    int n_unset; /* how many innermost loops have no value yet: for messages */
    const dlpi_known *known; /* NULL: the graph's own values */
    double *stack;
    dlp_index used, room;
    dlp_index taken, most_taken; /* elements of all a:b and rep(); 0: there is no limit */
    dlp_index
        unknown; /* after a failure: the cell that is not known; -1: there was another
                    reason, see error */
    dlp_status status;
    dlp_error *error;
    struct dlpi_progress *progress; /* asked whether to stop; NULL: nobody */
    dlpi_memo *memo;                /* NULL: none; see dlpi_memo_alloc */
} dlpi_evaluator;

/* Evaluates an expression. False: see unknown, status and error. Reset `used` to release
   what it left on the stack. */
bool dlpi_evaluate_numbers(dlpi_evaluator *e, const dlpi_syntax *syntax,
                           dlpi_numbers *result);
/* The same for a single number, the most frequent case; leaves nothing on the stack. */
bool dlpi_evaluate_scalar(dlpi_evaluator *e, const dlpi_syntax *syntax, double *result);

static inline double *dlpi_numbers_at(const dlpi_evaluator *e, const dlpi_numbers *x)
{
    return e->stack + x->at;
}
/* As many multiplications follow, or work that takes as long; false: the caller has said stop. */
bool dlpi_evaluator_works(dlpi_evaluator *e, dlp_index work);
/* Makes room for a result on the stack; false: out of memory, or stopped. */
bool dlpi_numbers_take(dlpi_evaluator *e, dlpi_numbers *x, dlp_index n);
/* The same for a vector that a few characters make, such as 1:1000000 in a loop; also
   false if all of them so far are too long, which is no question of memory but of time. */
enum { DLPI_MOST_NUMBERS = 10000000 }; /* 80 MB */
bool dlpi_numbers_take_long(dlpi_evaluator *e, dlpi_position place, dlpi_numbers *x,
                            dlp_index n);
/* Ends an evaluation with a message; always false. */
bool dlpi_evaluator_fail(dlpi_evaluator *e, dlpi_position place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* like dlp_fail in core.h */
#define dlpi_evaluator_fail(...) ((void)(dlpi_evaluator_fail)(__VA_ARGS__), false)
#endif

/* Caches the last values of expressions that do not change while inner loops run. */
dlpi_memo *dlpi_memo_alloc(int32_t n_nodes);
void dlpi_memo_free(dlpi_memo *memo);

/* ---- which cells a variable selects ---- */

typedef struct dlpi_selection {
    const dlpi_array *array;
    bool whole; /* without brackets */
    dlp_index n;
    struct {
        dlp_index n, first; /* first, first + 1, ...; counted from 1 */
        dlp_index list;     /* or, if this is not -1, numbers on the stack */
    } by[DLPI_MAX_DIM];     /* (array->n_dim, at least 1) */
} dlpi_selection;

/* expand: an unknown index selects the whole extent. */
bool dlpi_select(dlpi_evaluator *e, const dlpi_syntax *variable, bool expand,
                 dlpi_selection *selection);
/* Its cells, in R's order: cell (selection->n). */
void dlpi_selection_cells(const dlpi_evaluator *e, const dlpi_selection *selection,
                          dlp_index *cell);
/* Its dimensions. Drops those of one element, unless the variable has no brackets. */
int dlpi_selection_dims(const dlpi_selection *selection, dlp_index dim[DLPI_MAX_DIM]);

/* ---- the functions ---- */

/* The shape of a function's value. */
typedef enum dlpi_shape_rule {
    DLPI_SHAPE_OF_ELEMENTS, /* that of the longest argument: it works element by element */
    DLPI_SHAPE_OF_NUMBER,
    DLPI_SHAPE_OF_ALL,   /* a vector of all elements */
    DLPI_SHAPE_OF_FIRST, /* a vector of as many elements as the first argument has */
    DLPI_SHAPE_OF_PRODUCT,
    DLPI_SHAPE_TRANSPOSED,
    DLPI_SHAPE_OF_VALUE /* what it evaluates to */
} dlpi_shape_rule;

typedef struct dlpi_number_function {
    const char *name, *alias;
    int n_args, n_args_max; /* -1: any number */
    bool (*apply)(dlpi_evaluator *e, const struct dlpi_number_function *f,
                  const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                  dlpi_numbers *result);
    dlpi_op op; /* computes it, of an element or of all; or else one of these: */
    double (*one)(double);
    double (*two)(double, double);
    dlpi_shape_rule shape;
    bool asks_size; /* it needs the size of a variable, but not its values */
} dlpi_number_function;

/* Of a call, once names are known; NULL: it is not in the table. */
const dlpi_number_function *dlpi_number_function_of(const dlpi_graph *graph,
                                                    const dlpi_syntax *call);

const dlpi_number_function *dlpi_number_function_find(const char *name);
const dlpi_number_function *dlpi_number_function_at(int i); /* NULL: past the last */

/* For functions that are not in the table: evaluates their expression
   (distribution.h). */
bool dlpi_evaluate_expression(dlpi_evaluator *e, const dlpi_syntax *call,
                              const dlpi_numbers *arg, dlpi_numbers *result);

/* The inverse of a link function. */
dlpi_op dlpi_inverse_link(dlpi_bugs_link link);

#endif
