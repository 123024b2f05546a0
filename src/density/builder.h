/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a builder; for expression.c, rewrite.c and program.c. Internal. */
#ifndef DLPI_BUGS_BUILDER_H
#define DLPI_BUGS_BUILDER_H

#include "density/expression.h"

enum { DLPI_UNKNOWN = -2 }; /* not computed yet; -1 means that there is none */

typedef struct dlpi_built {
    dlpi_expr_node node;
    dlpi_expr sum_log;   /* its logarithm, from those of its terms; see rewrite_log.c */
    uint32_t visit;      /* the last walk that came here, */
    int32_t place;       /* and what it noted */
    dlp_index simplex;   /* for a cell: which simplex it belongs to, */
    dlp_index n_simplex; /* and how many cells that has; 0: none */
    bool positive;
    bool has_exp; /* the terms of sum_log include an exponential */
} dlpi_built;

typedef struct dlpi_bucket {
    uint32_t generation; /* a bucket of another generation is empty */
    dlpi_expr e;
} dlpi_bucket;

typedef struct dlpi_room {
    struct dlpi_room *next;
    dlp_index size, used;
    dlpi_expr at[];
} dlpi_room;

struct dlpi_builder {
    dlpi_built *built;
    dlp_index n, room;
    dlpi_bucket *bucket;
    uint32_t mask;   /* buckets - 1, a power of 2 less 1 */
    uint64_t key[2]; /* of the hash */
    uint32_t generation;
    uint32_t visit;
    int depth; /* of rules that call one another */
    bool failed;
    bool (*stop)(void *context); /* asked whether to stop; NULL: nobody */
    void *context;
    dlp_index work;   /* operations since it was asked last */
    dlpi_expr *stack; /* of walks */
    dlp_index stack_room;
    dlpi_room *first, *last; /* dlpi_builder_room */
};

/* The node exactly as given, without rewriting; equal nodes are one. */
dlpi_expr dlpi_node_of(dlpi_builder *builder, dlpi_op op, dlpi_expr x, dlpi_expr y,
                       dlpi_expr z);
/* A number that operation op computes from data. */
dlpi_expr dlpi_folded(dlpi_builder *builder, dlpi_op op, const dlpi_expr arg[3],
                      double number);

static inline const dlpi_expr_node *dlpi_at(const dlpi_builder *builder, dlpi_expr e)
{
    return &builder->built[e].node;
}

/* The logarithm of x, rewritten by a rule; -1: none applies. */
dlpi_expr dlpi_log_rule(dlpi_builder *builder, dlpi_expr x);
/* log x of a sum of exponentials (or an exponential, or a positive literal, or products
   and quotients of these): without overflow. -1: it is none of these. */
dlpi_expr dlpi_sum_log(dlpi_builder *builder, dlpi_expr x);
/* x * y, where one has a factor u and the other step(u): by max(0, u). x == y, where x is
   a number and y 1 + step(u): step(u). -1: the rule does not apply. */
dlpi_expr dlpi_hinge_rule(dlpi_builder *builder, dlpi_expr x, dlpi_expr y);
dlpi_expr dlpi_equals_rule(dlpi_builder *builder, dlpi_expr x, dlpi_expr y);

#endif
