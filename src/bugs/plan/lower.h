/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From what is written to expressions: the log density of one instance of a relation, with
 * everything deterministic put in its place. Internal.
 *
 * A latent cell that is bounded is a function of a coordinate that is not (positive: its
 * logarithm; between bounds: a logit; a simplex: log ratios to its last element; a positive
 * definite matrix: its Cholesky factor, the diagonal by logarithms), and DLPI_OP_CELL stands
 * for that coordinate. Densities are those of coordinates: Jacobians are in them.
 */
#ifndef DLPI_BUGS_LOWER_H
#define DLPI_BUGS_LOWER_H

#include "density/distribution.h"
#include "infer/listener.h"
#include "language/graph.h"

typedef enum dlpi_domain {
    DLPI_NOT_LATENT,
    DLPI_DOMAIN_REAL,
    DLPI_DOMAIN_ABOVE,   /* its lower bound */
    DLPI_DOMAIN_BELOW,   /* its upper bound */
    DLPI_DOMAIN_BETWEEN, /* both */
    DLPI_DOMAIN_SIMPLEX,
    DLPI_DOMAIN_MATRIX,
    DLPI_DOMAIN_DISCRETE,
    DLPI_DOMAIN_PLAIN, /* its own coordinate, bounds or not: see meanfield.h */
    DLPI_DOMAIN_CENSORED, /* known to lie in an interval: integrated out where it is defined */
    DLPI_DOMAIN_DEPENDENT /* not a coordinate: the last of a simplex, an upper triangle */
} dlpi_domain;

typedef struct dlpi_lowering {
    const dlpi_graph *graph;
    const dlpi_distribution **of; /* (n_relations) NULL: deterministic */
    uint8_t *domain;              /* (n_cells) dlpi_domain */
    double *lower, *upper;        /* (n_cells) where they are numbers, else NaN */
    int32_t *censor; /* (n_cells) of a censored one: the dinterval, as an instance
                                     of relation */
    int32_t *censor_relation;
    int32_t *simplex; /* (n_relations) of categories: see lower_category */
    dlpi_builder *builder;
    dlpi_expr *memo; /* (n_cells) what a cell is since dlpi_lower_begin, */
    uint32_t *stamp; /*     where this is `now` */
    uint32_t now;
    dlpi_cells cells;
    dlp_index
        unknown; /* after a failure: the discrete cell that an index hangs on, or -1 */
    int depth;
    int bound_depth; /* of bounds that hang on those of other cells */
    void *room;
    dlpi_listener *listener; /* asked while factors are made, or NULL */
} dlpi_lowering;

/* DLP_ECANCELLED: nobody waits for them. */
dlp_status dlpi_lowering_ask(const dlpi_lowering *lowering, dlp_error *error);

/* Decides the domain of every latent cell. */
dlp_status dlpi_lowering_make(const dlpi_graph *graph, dlpi_lowering *lowering,
                              dlp_error *error);
void dlpi_lowering_clear(dlpi_lowering *lowering); /* fine on a zeroed or failed one */

/* Forgets all expressions. */
void dlpi_lower_begin(dlpi_lowering *lowering);
/* Forgets what cells are, and keeps expressions. */
void dlpi_lower_forget(dlpi_lowering *lowering);
/* Makes a discrete cell known, until the next dlpi_lower_begin. */
void dlpi_lower_assign(dlpi_lowering *lowering, dlp_index cell, double state);
/* log p of what the instance defines, given all that its right-hand side refers to. */
dlp_status dlpi_lower_density(dlpi_lowering *lowering, int relation, dlp_index instance,
                              dlpi_expr *log_p, dlp_error *error);
/* What a cell is: a number, its coordinate's function, or the expression that defines it. */
dlp_status dlpi_lower_cell(dlpi_lowering *lowering, dlp_index cell, dlpi_expr *value,
                           dlp_error *error);
/* The parameters of the instance; params (8) point into the builder's room. */
dlp_status dlpi_lower_parameters(dlpi_lowering *lowering, int relation,
                                 dlp_index instance, dlpi_value *params,
                                 dlp_error *error);
/* Whether an instance of dinterval censors a latent cell. */
bool dlpi_is_censoring(dlpi_lowering *lowering, int relation, dlp_index instance);
/* Between which cut points a censored cell lies; -1: none on that side. */
dlp_status dlpi_lower_censoring(dlpi_lowering *lowering, dlp_index cell,
                                dlpi_expr bound[2], dlp_error *error);
/* Bounds that T(,) or I(,) state; -1: none on that side. */
dlp_status dlpi_lower_truncation(dlpi_lowering *lowering, int relation,
                                 dlp_index instance, dlpi_expr bound[2],
                                 dlp_error *error);
/* The states of a discrete latent cell: from *first to *last. DLP_EINVAL: they are not finite
   in number, or are not known. */
dlp_status dlpi_lower_states(dlpi_lowering *lowering, dlp_index cell, double *first,
                             double *last, dlp_error *error);
/* Whether the last of these is not a bound of the model's. */
bool dlpi_is_cut_off(dlpi_lowering *lowering, dlp_index cell);
/* The cells that an instance defines: they stand in lowering->cells until the next call. */
dlp_status dlpi_lower_defined(dlpi_lowering *lowering, int relation, dlp_index instance,
                              dlpi_reference *reference, dlp_error *error);

#endif
