/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which unknowns share a factor of q: the choice that Appendix A of the paper
 * leaves open, and on which the accuracy of the answer depends. Internal.
 *
 *   psi   integrated over at points: scales of unknowns, and other parameters that are
 *         not locations, as long as there are few
 *   x     one Gaussian, at the mode given psi
 *   leaf  one or two unknowns that are independent of all other leaves given psi and x:
 *         each leaf is integrated out numerically
 */
#ifndef DLPI_BUGS_PLAN_H
#define DLPI_BUGS_PLAN_H

#include "bugs/plan/factors.h"

typedef enum dlpi_role {
    DLPI_ROLE_NONE, /* no coordinate, or no data depend on it */
    DLPI_ROLE_PSI,
    DLPI_ROLE_X,
    DLPI_ROLE_LEAF
} dlpi_role;

typedef enum dlpi_reason {
    DLPI_NO_REASON,
    DLPI_SCALE_OF_UNKNOWNS,   /* psi */
    DLPI_PARAMETER_OF_DATA,   /* psi: not a location of what is observed */
    DLPI_FEW_UNKNOWNS,        /* psi: there are so few that all are integrated over */
    DLPI_LOCATION,            /* x */
    DLPI_TOO_MANY_PARAMETERS, /* x: would be psi if there were fewer */
    DLPI_SEPARATE             /* leaf */
} dlpi_reason;

typedef struct dlpi_plan {
    uint8_t *role, *reason; /* (n_cells) */
    int32_t *at;            /* (n_cells) index in psi or x; for a leaf, within the leaf */
    int32_t *leaf;          /* (n_cells) which leaf, or -1 */
    dlp_index m, n, L;      /* numbers of psi, x, leaves */
    int32_t *psi_cell;      /* (m) */
    int32_t *x_cell;        /* (n) */
    int32_t *leaf_cell;     /* (L, 2) -1: none */
    dlp_index classes;      /* only the first so many leaves are integrated out; */
    int32_t *alike;         /* (L) which of them each leaf equals; NULL: all differ */
    int32_t *next_alike;    /* (L) the next leaf of the same class, or -1 */
    double *times;          /* (classes) how often each counts */
    bool gaussian;          /* x is exactly Gaussian given psi */
    double cost;            /* roughly the instructions per evaluation of log p */
    int part;               /* which part of a model that falls into several; rows without
                               unknowns belong to the first */
} dlpi_plan;

/* Steps through the leaves of a class, starting from its first; -1 at the end. */
static inline dlp_index dlpi_next_alike(const dlpi_plan *plan, dlp_index l)
{
    return plan->next_alike ? plan->next_alike[l] : -1;
}

/* whole: if a grid over all of psi and x is cheap, make everything psi and leave no x. */
dlp_status dlpi_plan_make(const dlpi_factors *factors, bool whole, dlpi_plan *plan,
                          dlp_error *error);
/* The same, only for cells whose label (n_cells) is `part`; label NULL: all cells. */
dlp_status dlpi_plan_make_part(const dlpi_factors *factors, bool whole,
                               const int32_t *label, int part, dlpi_plan *plan,
                               dlp_error *error);
/* leaf_classes.c: groups identical leaves, so that each class is integrated out once. */
dlp_status dlpi_plan_class_leaves(const dlpi_factors *factors, dlpi_plan *plan,
                                  dlp_error *error);
/* Room for the cells, all zero. */
dlp_status dlpi_plan_alloc(dlp_index n_cells, dlpi_plan *plan, dlp_error *error);
void dlpi_plan_clear(dlpi_plan *plan); /* fine on a zeroed or failed one */

#endif
