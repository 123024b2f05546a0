/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalar expressions as a graph without repetitions: equal expressions are one node,
 * constants are folded, and expressions that would lose digits are rewritten (log of an
 * inverse logit, 1 minus it, ...). Internal.
 */
#ifndef DLPI_BUGS_EXPRESSION_H
#define DLPI_BUGS_EXPRESSION_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stdint.h>

enum { DLPI_MAX_DIM = 8 }; /* of an array */

typedef enum dlpi_op {
    DLPI_OP_LITERAL, /* a number in the model's text: the same in every instance */
    DLPI_OP_DATA, /* a number that comes from data: may differ from instance to instance */
    DLPI_OP_CELL, /* a variable: cell of the graph */
    DLPI_OP_ADD,
    DLPI_OP_SUB,
    DLPI_OP_MUL,
    DLPI_OP_DIV,
    DLPI_OP_NEG,
    DLPI_OP_POW,
    DLPI_OP_EXP,
    DLPI_OP_LOG,
    DLPI_OP_SQRT,
    DLPI_OP_SQUARE,
    DLPI_OP_LOG1P_EXP, /* log(1 + e^x) */
    DLPI_OP_ILOGIT,
    DLPI_OP_LOGIT,
    DLPI_OP_LOG1M_EXP,   /* log(1 - e^x), x < 0 */
    DLPI_OP_LOG1P_RATIO, /* log(1 + x) / x, x > -1; 1 where x is 0 */
    DLPI_OP_LOG_ADD_EXP, /* log(e^x + e^y) */
    DLPI_OP_PHI,
    DLPI_OP_LOG_PHI,
    DLPI_OP_PROBIT, /* normal: cdf, its log, quantile */
    DLPI_OP_CLOGLOG,
    DLPI_OP_ICLOGLOG,
    DLPI_OP_LGAMMA,
    DLPI_OP_DIGAMMA,
    DLPI_OP_SIN,
    DLPI_OP_COS,
    DLPI_OP_TAN,
    DLPI_OP_ATAN,
    DLPI_OP_ASIN,
    DLPI_OP_ACOS,
    DLPI_OP_SINH,
    DLPI_OP_COSH,
    DLPI_OP_TANH,
    /* derivatives in all arguments; those in shapes alone are differences */
    DLPI_OP_P_GAMMA, /* P(a, x) of (x, a): the cdf of Gamma(a, 1) at x */
    DLPI_OP_Q_GAMMA, /* 1 - P(a, x) */
    DLPI_OP_P_BETA,  /* I_x(a, b) of (x, a, b) */
    /* not smooth: values only; derivatives are those of the branch taken */
    DLPI_OP_ABS,
    DLPI_OP_MAX,
    DLPI_OP_MIN,
    DLPI_OP_STEP,
    DLPI_OP_EQUALS,
    DLPI_OP_GREATER,
    DLPI_OP_GREATER_EQUAL,
    DLPI_OP_AND,
    DLPI_OP_OR,
    DLPI_OP_NOT,
    DLPI_OP_IFELSE,
    DLPI_OP_ROUND,
    DLPI_OP_TRUNC,
    DLPI_OP_FLOOR,
    DLPI_N_OPS
} dlpi_op;

typedef int32_t dlpi_expr; /* a node of a builder; -1: none */

typedef struct dlpi_expr_node {
    dlpi_op op;
    dlpi_expr arg[3]; /* -1 beyond the arguments of op */
    double number;    /* of literals and data */
    dlp_index cell;
} dlpi_expr_node;

typedef struct dlpi_builder dlpi_builder;

dlp_status dlpi_builder_alloc(dlpi_builder **builder, dlp_error *error);
void dlpi_builder_free(dlpi_builder *builder);
/* Forgets all nodes and keeps the memory. */
void dlpi_builder_clear(dlpi_builder *builder);
/* From now on it asks `stop` now and then, and has failed once that says true. NULL: nobody is
   asked. */
void dlpi_builder_watch(dlpi_builder *builder, bool (*stop)(void *context),
                        void *context);
/* So many multiplications or comparisons follow: asks, if that is due. False: it has failed, and they
   are pointless. */
bool dlpi_builder_works(dlpi_builder *builder, dlp_index operations);
/* Whether memory ran out, or it was told to stop, at any time since the last clear; every
   later node is then 0. */
bool dlpi_builder_failed(const dlpi_builder *builder);
const dlpi_expr_node *dlpi_builder_node(const dlpi_builder *builder, dlpi_expr e);

dlpi_expr dlpi_literal(dlpi_builder *builder, double number);
dlpi_expr dlpi_datum(dlpi_builder *builder, double number);
/* The same for a cell with a value: asking again gives the same node. Equal numbers of
   different cells are different nodes, so that all instances of a relation have the same
   shape. */
dlpi_expr dlpi_datum_of(dlpi_builder *builder, dlp_index cell, double number);
dlpi_expr dlpi_cell(dlpi_builder *builder, dlp_index cell);
/* The same for a cell that is known to be positive: logarithms of products with it can be
   split. Call this before the cell is used. */
dlpi_expr dlpi_positive_cell(dlpi_builder *builder, dlp_index cell);
/* The same for one of n cells that add up to 1; `simplex` is any number that all of them
   share. Their sum becomes the literal 1. */
dlpi_expr dlpi_simplex_cell(dlpi_builder *builder, dlp_index cell, dlp_index simplex,
                            dlp_index n);
/* Folds and rewrites. An operation on literals and data alone gives a number, which is
   data if any argument is. A folded value that is not finite stays: the caller must check
   dlpi_is_number and isfinite. */
dlpi_expr dlpi_apply(dlpi_builder *builder, dlpi_op op, dlpi_expr x, dlpi_expr y,
                     dlpi_expr z);
bool dlpi_is_number(const dlpi_builder *builder, dlpi_expr e, double *number);
/* Whether its value is certainly above 0 wherever it has one. */
bool dlpi_is_positive(const dlpi_builder *builder, dlpi_expr e);
dlp_index dlpi_builder_size(const dlpi_builder *builder); /* nodes */
/* The largest number of places that a search for a node looks at; O(places). */
dlp_index dlpi_builder_longest_search(const dlpi_builder *builder);

static inline dlpi_expr dlpi_apply1(dlpi_builder *builder, dlpi_op op, dlpi_expr a)
{
    return dlpi_apply(builder, op, a, -1, -1);
}
static inline dlpi_expr dlpi_apply2(dlpi_builder *builder, dlpi_op op, dlpi_expr a,
                                    dlpi_expr b)
{
    return dlpi_apply(builder, op, a, b, -1);
}

/* The value of an operation, exactly as a program computes it, to the last bit. */
double dlpi_op_value(dlpi_op op, double a, double b, double c);

/* Room for n expressions, which the builder owns until it is cleared. NULL: out of
   memory, and the builder has failed. */
dlpi_expr *dlpi_builder_room(dlpi_builder *builder, dlp_index n);

/* How many arguments an operation has, and its name. */
int dlpi_op_arity(dlpi_op op);
const char *dlpi_op_name(dlpi_op op);
bool dlpi_op_is_smooth(dlpi_op op);

#endif
