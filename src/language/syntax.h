/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model as written: the syntax tree of JAGS's language. Internal.
 *
 * Everything belongs to one arena (the model's), and every node knows its place, so that
 * any later phase can complain with line and column.
 */
#ifndef DLPI_BUGS_SYNTAX_H
#define DLPI_BUGS_SYNTAX_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stdint.h>

/* The place of something in its file; lines and columns count from 1. */
typedef struct dlpi_position {
    int32_t line, column, length;
} dlpi_position;

typedef enum dlpi_syntax_kind {
    DLPI_SYNTAX_NUMBER, /* 1.0E-6 */
    DLPI_SYNTAX_VARIABLE, /* name, or name[index, ...]: arg has the indices; n_args 0: all of it */
    DLPI_SYNTAX_CALL, /* f(arg, ...); operators are calls of "+", "-", "*", "/", "^", "%*%",
                              "neg", ">", ">=", "<", "<=", "==", "!=", "&&", "||", "!" */
    DLPI_SYNTAX_RANGE, /* arg[0]:arg[1], in an index or as an argument */
    DLPI_SYNTAX_BLANK  /* an empty index: the whole extent */
} dlpi_syntax_kind;

typedef struct dlpi_syntax {
    dlpi_syntax_kind kind;
    dlpi_position place;
    double number;
    const char
        *name; /* of a variable or function; interned: equal names, equal pointers */
    int n_args;
    struct dlpi_syntax **arg;
    int32_t id; /* its number in the model: 0, 1, ... */
    /* The deepest loop whose variable it or anything below it mentions: its value can
       change only when this loop or one around it moves on. -1: none. */
    int32_t depth;
    int32_t height; /* depth of the tree below: 1 for a leaf */
} dlpi_syntax;

typedef struct dlpi_loop {
    const struct dlpi_loop *outer; /* NULL: outermost */
    const char *name;
    const dlpi_syntax *range; /* a:b, or any vector of integers */
    dlpi_position place;
    int depth; /* 0: outermost; the index of its value among the loop values */
} dlpi_loop;

typedef enum dlpi_truncation {
    DLPI_NOT_TRUNCATED,
    DLPI_TRUNCATED_T,
    DLPI_TRUNCATED_I
} dlpi_truncation;

/* A link function on the left: logit(p) <- x. */
typedef enum dlpi_bugs_link {
    DLPI_BUGS_NO_LINK,
    DLPI_BUGS_LOG,
    DLPI_BUGS_LOGIT,
    DLPI_BUGS_PROBIT,
    DLPI_BUGS_CLOGLOG
} dlpi_bugs_link;
extern const char *const dlpi_bugs_link_name[]; /* NULL for none */

/* One line: left <- right, or left ~ right. */
typedef struct dlpi_relation {
    bool stochastic;
    bool in_data;        /* it is in data{} */
    dlpi_bugs_link link; /* on the left */
    dlpi_syntax *left;   /* a variable */
    dlpi_syntax *right;  /* an expression; if stochastic, the call of a distribution */
    dlpi_truncation truncation;
    dlpi_syntax *lower, *upper; /* its bounds; NULL: none on that side */
    const dlpi_loop *loop;      /* the innermost; NULL: none */
    int n_loops;
    dlpi_position place;
} dlpi_relation;

#endif
