/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The margins of the nodes a user asks for: latent nodes, those computed from them, and
 * those on which no data depend (predictions). Internal.
 */
#ifndef DLPI_BUGS_NODES_H
#define DLPI_BUGS_NODES_H

#include "bugs/posterior/posterior.h"
#include "density/mix.h"
#include "math/weighted.h"

typedef struct dlpi_node_margin {
    dlp_index cell;
    double mean, sd, lower, median, upper;
    double error, sd_error; /* standard errors of mean and sd when taken from draws */
    bool by_draws;          /* mean and sd are from draws, too, not from the mixture */
} dlpi_node_margin;

typedef struct dlpi_known_columns dlpi_known_columns;

typedef struct dlpi_node_margins {
    dlpi_factors *factors;
    const dlpi_plan *plan;
    dlpi_posterior *posterior;
    uint64_t seed;
    double **column; /* (n_cells) draws of nodes without data below them, and of discrete
                        ones; NULL: not drawn yet */
    double *
        moment; /* (n_cells, 3) of a discrete cell that was drawn with others: weight, mean
                        and mean square, by the probabilities of its states */
    bool *censored; /* (n_cells) by dinterval: drawn between its cut points */
    double *batch, *room;
    dlpi_weighted *value; /* (draws) */
    const double **input;
    int most_inputs;
    size_t room_size;
    dlpi_program_draft draft;
    int depth;
    dlpi_known_columns *known; /* what draw_together has computed */
} dlpi_node_margins;

dlp_status dlpi_margins_begin(dlpi_factors *factors, const dlpi_plan *plan,
                              dlpi_posterior *posterior, uint64_t seed,
                              dlpi_node_margins *margins, dlp_error *error);
/* The same nodes from another posterior of the same plan. */
dlp_status dlpi_margins_change(dlpi_node_margins *margins, dlpi_posterior *posterior,
                               dlp_error *error);
void dlpi_margins_end(dlpi_node_margins *margins); /* fine on a zeroed or failed one */

/* DLP_EINVAL: counts without a bound, which are summed up to a cutoff, may well lie
   beyond it. */
dlp_status dlpi_margins_check(dlpi_node_margins *margins, dlp_error *error);

/* deviance.c. Stands for the deviance in lists of cells, although it is not a cell. */
static inline dlp_index dlpi_deviance_cell(const dlpi_graph *graph)
{
    return graph->n_cells;
}
/* -2 log p(data | the rest) for each draw; values (draws). As in JAGS, this conditions on
   discrete unknowns, too, and the dinterval of a censored value adds nothing. */
dlp_status dlpi_deviance_by_draws(dlpi_node_margins *margins, double *values,
                                  dlp_error *error);
/* log p of an instance for each draw; values (draws). */
dlp_status dlpi_margins_density(dlpi_node_margins *margins, int relation,
                                dlp_index instance, double *values, dlp_error *error);

/* The margin of a cell, or of the deviance; its draws go into values (draws), unless that
   is NULL. */
dlp_status dlpi_margin_of(dlpi_node_margins *margins, dlp_index cell, double *values,
                          dlpi_node_margin *margin, dlp_error *error);

/* The stream of random numbers of a cell: it differs from those of other cells, and from
   streams that are made of the seed and a small number. */
static inline uint64_t dlpi_draw_stream(uint64_t seed, dlp_index cell)
{
    return dlpi_mix(dlpi_mix(0x6e6f646573, seed), (uint64_t)cell + 1);
}

/* Runs the draft's program for each draw; values (draws). */
dlp_status dlpi_margins_run(dlpi_node_margins *margins, const dlpi_program_draft *draft,
                            double *values, dlp_error *error);

/* draw_together.c: draws all cells of a live discrete cell's component jointly into their
   columns. *done false: there are too many, and none was drawn. */
dlp_status dlpi_draw_together(dlpi_node_margins *margins, dlp_index cell, bool *done,
                              dlp_error *error);
void dlpi_known_columns_free(dlpi_known_columns *known); /* NULL is fine */

#endif
