/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of all coordinates: psi at points with weights, x and the leaves given
 * psi; moments of the mixture, and draws from it. Internal.
 */
#ifndef DLPI_BUGS_POSTERIOR_H
#define DLPI_BUGS_POSTERIOR_H

#include "bugs/posterior/field.h"
#include "infer/explore.h"
#include "infer/listener.h"
#include "infer/psi_points.h"

typedef struct dlpi_posterior_settings {
    int threads;
    dlp_index draws; /* how many */
    uint64_t seed;
    dlpi_listener *listener;
    const double *start; /* (n_cells) coordinates to begin at; NaN: 0 */
    const bool *wanted;  /* (n_cells) leaves that have to be drawn; NULL: all */
    const double *unit;  /* (n_cells) of psi: rough sds; NaN: 1. NULL: all 1 */
    const dlpi_lowering
        *lowering;  /* of the nodes: for a look beyond the points; or NULL */
    bool only_mode; /* log_evidence is the density at the mode, x_mean its x */
} dlpi_posterior_settings;

typedef struct dlpi_posterior {
    dlp_outcome outcome;
    dlp_index m, n, L;
    dlpi_explore explore;
    dlpi_psi_points psi_points; /* of psi; n 0: there is no psi */
    /* Of a model that falls into parts: (n_parts), and the first psi of each,
       (n_parts + 1); `psi_points` is then empty. */
    int n_parts;
    dlpi_psi_points *part;
    dlp_index *first;
    dlp_index together; /* the largest number of psi that share points */
    bool few;           /* points cost too much for a grid */
    bool open;          /* the density is not yet low where the grid ends */
    double log_evidence;
    int points;
    long evaluations;
    double *center, *unit; /* (m) psi = center + unit times the explored variable */
    /* Moments of x and of the leaves' coordinates (L, 2). */
    double *x_mean, *x_sd, *leaf_mean, *leaf_sd;
    double shift;     /* the largest distance of a mean of x from its mode, in sds */
    double roughness; /* how far log p at two sds is from that of a Gaussian */
    double omitted; /* how far what Laplace's method leaves out would move psi, in sds */
    dlp_index draws;
    double *draw; /* (m + n + 2 L, draws), coordinate by coordinate, or fewer: */
    /* (n + 2 L) the column of draws of each x and leaf, or -1; NULL: all are drawn. If
       there are many, only those that are wanted are drawn. */
    int32_t *column;
    double *weight; /* (draws) add up to 1; NULL: all are equal */
    double *memory;
} dlpi_posterior;

/* The points that psi_i belongs to, and their first psi. */
dlpi_psi_points *dlpi_posterior_points(dlpi_posterior *posterior, dlp_index i,
                                       dlp_index *first);
/* The draws of a coordinate; NULL: it was not drawn. */
const double *dlpi_posterior_draws(const dlpi_posterior *posterior, const dlpi_plan *plan,
                                   dlp_index cell);

dlp_status dlpi_posterior_find(const dlpi_groups *groups,
                               const dlpi_posterior_settings *settings,
                               dlpi_posterior *posterior, dlp_error *error);
void dlpi_posterior_clear(dlpi_posterior *posterior); /* fine on a zeroed or failed one */

#endif
