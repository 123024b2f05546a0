/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log p as a sum of factors, each a function of a few coordinates: factors with the same
 * program are the rows of one template. Internal.
 */
#ifndef DLPI_BUGS_FACTORS_H
#define DLPI_BUGS_FACTORS_H

#include "bugs/plan/lower.h"
#include "density/program.h"

typedef struct dlpi_template {
    const dlpi_program *program;
    int n_data, n_cells;
    int *column; /* (n_inputs) of an input: column of data, or ~column of cells */
    dlp_index n, room;
    double **data;  /* (n_data) columns, each (n) */
    int32_t **cell; /* (n_cells) columns, each (n) */
    int32_t *owner; /* (n) the node whose prior a row is, or -1 */
    int32_t
        relation; /* where its first row came from; for a sum over states, one of many */
} dlpi_template;

/* A latent stochastic instance. */
typedef struct dlpi_node {
    int32_t relation, instance;
    int32_t first;               /* its first cell in dlpi_factors.node_cell, */
    int32_t n;                   /*     and the number of its cells */
    int32_t at_template, at_row; /* its own factor; -1: among those with discrete cells */
    bool discrete;
    bool split; /* its own factor is several rows, of which at_row is one */
    bool alive; /* data depend on it */
} dlpi_node;

/* A factor with discrete cells. */
typedef struct dlpi_discrete_factor {
    int32_t relation, instance, owner;
    int32_t first, n; /* its latent cells in dlpi_factors.scope, discrete or not */
    bool alive;
} dlpi_discrete_factor;

typedef struct dlpi_factors {
    dlpi_lowering *lowering;
    int n_templates, templates_room;
    dlpi_template *of;
    dlp_index n_nodes;
    dlpi_node *node;
    int32_t *node_cell; /* cells of nodes: all coordinates */
    int32_t *node_of;   /* (n_cells) -1: none */
    dlp_index n_discrete, discrete_room;
    dlpi_discrete_factor *discrete;
    dlp_index n_scope, scope_room;
    int32_t *scope;
    int32_t relation; /* the one whose factor is being added */
    bool bends;       /* a density has a kink, like |x|, in some unknown */
    bool impossible;  /* the data are impossible for every value of some discrete node */
    /* For the plan: do not integrate a scale of an unknown out on its own. The
       coefficient's prior that this leaves may have a pole, as the horseshoe does, and no
       maximum. */
    bool scales_on_points;
    int32_t *component, *head, *next; /* of those factors: see discrete.c */
    dlpi_program_draft draft;
    dlpi_program_table *table;
} dlpi_factors;

/* All factors of the graph except those of nodes on which no data depend; discrete nodes
   are summed out. */
dlp_status dlpi_factors_make(dlpi_lowering *lowering, dlpi_factors *factors,
                             dlp_error *error);
/* The same, but keeps discrete nodes: dlpi_factors.discrete has their factors. join: sums
   of data's densities that are nested in each other are one factor (nested.h). */
dlp_status dlpi_factors_list(dlpi_lowering *lowering, bool join, dlpi_factors *factors,
                             dlp_error *error);
/* The second half of dlpi_factors_make, after dlpi_factors_list. */
dlp_status dlpi_factors_sum(dlpi_factors *factors, dlp_error *error);
void dlpi_factors_clear(dlpi_factors *factors); /* fine on a zeroed or failed one */

/* Adds a row for the expression. */
dlp_status dlpi_factors_add(dlpi_factors *factors, dlpi_expr root, int32_t owner,
                            dlp_error *error);

/* merge_rows.c: merges identical rows of data into one with a weight. No row may be added
   afterwards. */
dlp_status dlpi_factors_merge(dlpi_factors *factors, dlp_error *error);

/* discrete.c: sums out the discrete cells of the live factors, component by component. */
dlp_status dlpi_sum_out(dlpi_factors *factors, dlp_error *error);
/* How many entries the tables of all factors have, and how many discrete unknowns the
   largest depends on; 0: a discrete unknown has no bounds. */
double dlpi_sum_entries(const dlpi_factors *factors, int *together);
/* log p of the live component that contains the cell, with the cell held at a state;
   state NaN: with the cell summed out, too. The difference of the two is
   log P(cell = state | coordinates, data). The lowering's builder holds log_p. */
dlp_status dlpi_log_probability(dlpi_factors *factors, dlp_index cell, double state,
                                dlpi_expr *log_p, dlp_error *error);

#endif
