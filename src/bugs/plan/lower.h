/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a model as written to expressions: the log density of one instance of a relation,
 * with everything deterministic substituted. Internal.
 *
 * A bounded latent cell is a function of an unbounded coordinate (positive: its
 * logarithm; between bounds: a logit; a simplex: log ratios to its last element; a
 * positive definite matrix: its Cholesky factor, with the logarithms of the diagonal),
 * and DLPI_OP_CELL means that coordinate. Densities are those of the coordinates: they
 * include the Jacobians.
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
    DLPI_DOMAIN_PLAIN,    /* its own coordinate, bounds or not: see meanfield.h */
    DLPI_DOMAIN_CENSORED, /* known to lie in an interval: integrated out in place */
    DLPI_DOMAIN_DEPENDENT /* not a coordinate: the last of a simplex, an upper triangle */
} dlpi_domain;

typedef struct dlpi_lowering {
    const dlpi_graph *graph;
    const dlpi_distribution **of; /* (n_relations) NULL: deterministic */
    uint8_t *domain;              /* (n_cells) dlpi_domain */
    double *lower, *upper;        /* (n_cells) if they are numbers, else NaN */
    int32_t *censor;              /* (n_cells) for a censored cell: its dinterval, as an
                                     instance of censor_relation */
    int32_t *censor_relation;
    bool
        *relied_on; /* (n_cells) censored cells on whose values other densities depend: */
    bool may_rely;  /*     they are only noted if a caller can give them coordinates */
    bool found_relied_on;
    int32_t *simplex; /* (n_relations) of categories: see lower_category */
    dlpi_builder *builder;
    dlpi_expr *memo; /* (n_cells) a cell's expression since dlpi_lower_begin, */
    uint32_t *stamp; /*     valid if this equals `now` */
    uint32_t now;
    dlpi_cells cells;
    dlp_index
        unknown; /* after a failure: a discrete cell on which an index depends, or -1 */
    bool *open;  /* (n_cells) being lowered, or waiting for one that is */
    bool inside; /* a cell is being lowered */
    int levels;  /* expressions inside each other that are being lowered */
    dlp_index stopped_at; /* the cell where the lowering of another stopped, or -1: */
    bool closes;          /*     it closes a cycle (else it lay too deep) */
    dlpi_cells waiting;   /* for those after them, see lower_chain */
    dlp_index n_waiting;
    dlp_error refusal; /* of a call: here, since frames of its recursion must be small */
    bool holds;        /* discrete cells at states: see dlpi_lower_assign */
    int bound_depth;   /* for bounds that depend on the bounds of other cells */
    void *room;
    dlpi_listener *listener; /* asked while factors are made, or NULL */
} dlpi_lowering;

/* Asks the listener whether to go on; DLP_ECANCELLED: it says no. */
dlp_status dlpi_lowering_ask(const dlpi_lowering *lowering, dlp_error *error);

/* Decides the domain of every latent cell. The listener may be NULL. */
dlp_status dlpi_lowering_make(const dlpi_graph *graph, dlpi_listener *listener,
                              dlpi_lowering *lowering, dlp_error *error);
/* Gives coordinates to the censored cells that were found to be relied on. */
dlp_status dlpi_lowering_free_relied_on(dlpi_lowering *lowering, dlp_error *error);
void dlpi_lowering_clear(dlpi_lowering *lowering); /* fine on a zeroed or failed one */

/* Forgets all expressions. */
void dlpi_lower_begin(dlpi_lowering *lowering);
/* Forgets which expression belongs to which cell, but keeps the expressions. */
void dlpi_lower_forget(dlpi_lowering *lowering);
/* Gives a discrete cell a value until the next dlpi_lower_begin. */
void dlpi_lower_assign(dlpi_lowering *lowering, dlp_index cell, double state);
/* log p of the cells that the instance defines, given all that its right side uses. */
dlp_status dlpi_lower_density(dlpi_lowering *lowering, int relation, dlp_index instance,
                              dlpi_expr *log_p, dlp_error *error);
/* A cell as a number, a function of its coordinate, or the expression that defines it. */
dlp_status dlpi_lower_cell(dlpi_lowering *lowering, dlp_index cell, dlpi_expr *value,
                           dlp_error *error);
/* The parameters of the instance; params (8) point into the builder's memory. */
dlp_status dlpi_lower_parameters(dlpi_lowering *lowering, int relation,
                                 dlp_index instance, dlpi_value *params,
                                 dlp_error *error);
/* Whether an instance of dinterval censors a latent cell. */
bool dlpi_is_censoring(dlpi_lowering *lowering, int relation, dlp_index instance);
/* The cut points between which a censored cell lies; -1: none on that side. */
dlp_status dlpi_lower_censoring(dlpi_lowering *lowering, dlp_index cell,
                                dlpi_expr bound[2], dlp_error *error);
/* The bounds given by T(,) or I(,); -1: none on that side. */
dlp_status dlpi_lower_truncation(dlpi_lowering *lowering, int relation,
                                 dlp_index instance, dlpi_expr bound[2],
                                 dlp_error *error);
/* The states of a discrete latent cell: *first to *last, cut off (by `usual_bound`) if
   there are infinitely many. Fails if there are none, or if the bound is unknown. */
dlp_status dlpi_lower_states(dlpi_lowering *lowering, dlp_index cell, double *first,
                             double *last, dlp_error *error);
/* Whether the last state is a cutoff of ours and not a bound that the model states. */
bool dlpi_is_cut_off(dlpi_lowering *lowering, dlp_index cell);
/* The cells that an instance defines: lowering->cells holds them until the next call. */
dlp_status dlpi_lower_defined(dlpi_lowering *lowering, int relation, dlp_index instance,
                              dlpi_reference *reference, dlp_error *error);

#endif
