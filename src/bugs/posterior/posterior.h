/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of all coordinates: psi at points with weights, x and the leaves given psi;
 * moments of the mixture, and draws from it. Internal.
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
    const double *unit;  /* (n_cells) of psi: about their sds; NaN: 1. NULL: all */
    bool only_mode;      /* log_evidence is the density there, and x_mean is x's */
} dlpi_posterior_settings;

typedef struct dlpi_posterior {
    dlp_outcome outcome;
    dlp_index m, n, L;
    dlpi_explore explore;
    dlpi_psi_points psi_points; /* of psi; n 0: there is no psi */
    /* Of a model that is several: (n_parts), and the first psi of each, (n_parts + 1); then
       `psi_points` is empty. */
    int n_parts;
    dlpi_psi_points *part;
    dlp_index *first;
    dlp_index together; /* the most psi that share points */
    bool few;           /* a point costs so much that there is no grid */
    bool open;          /* the density is not low where the grid ends */
    double log_evidence;
    int points;
    long evaluations;
    double *center, *unit; /* (m) psi = center + unit times what is explored */
    /* Moments of the coordinates x and of the leaves' (L, 2). */
    double *x_mean, *x_sd, *leaf_mean, *leaf_sd;
    double shift;     /* the largest distance of a mean of x from its mode, in sds */
    double roughness; /* how far log p at two sds is from a Gaussian's */
    dlp_index draws;
    double *draw; /* (m + n + 2 L, draws), coordinate by coordinate, or fewer: */
    /* (n + 2 L) of x and leaves, which one's draws there are, or -1; NULL: of all. Many are
       drawn only where they are wanted. */
    int32_t *column;
    double *weight; /* (draws) which add up to 1; NULL: all weigh the same */
    double *memory;
} dlpi_posterior;

/* The points that psi_i has a part in, and the first psi of them. */
dlpi_psi_points *dlpi_posterior_points(dlpi_posterior *posterior, dlp_index i,
                                       dlp_index *first);
/* Where the draws of a coordinate are; NULL: it is not drawn. */
const double *dlpi_posterior_draws(const dlpi_posterior *posterior, const dlpi_plan *plan,
                                   dlp_index cell);

dlp_status dlpi_posterior_find(const dlpi_groups *groups,
                               const dlpi_posterior_settings *settings,
                               dlpi_posterior *posterior, dlp_error *error);
void dlpi_posterior_clear(dlpi_posterior *posterior); /* fine on a zeroed or failed one */

#endif
