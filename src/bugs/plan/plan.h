/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which unknowns share a factor of q: the choice that Appendix A of the paper leaves open,
 * and that decides how exact an answer is. Internal.
 *
 *   psi   integrated over by points: scales of unknowns, and other parameters that are not
 *         locations, as long as they are few
 *   x     one Gaussian, at the mode given psi
 *   leaf  unknowns, one or two together, that are independent of each other given psi and x:
 *         each integrated out numerically
 */
#ifndef DLPI_BUGS_PLAN_H
#define DLPI_BUGS_PLAN_H

#include "bugs/plan/factors.h"

typedef enum dlpi_role {
    DLPI_ROLE_NONE, /* not a coordinate, or no data depend on it */
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
    int32_t *at;            /* (n_cells) which of psi or x; of a leaf which of its own */
    int32_t *leaf;          /* (n_cells) which leaf, or -1 */
    dlp_index m, n, L;      /* how many psi, x, leaves */
    int32_t *psi_cell;      /* (m) */
    int32_t *x_cell;        /* (n) */
    int32_t *leaf_cell;     /* (L, 2) -1: none */
    dlp_index classes;      /* leaves that are integrated out: the first so many, */
    int32_t *alike;         /* (L) and to which of them each is alike; NULL: all differ */
    int32_t *next_alike;    /* (L) the next of the same class, or -1 */
    double *times;          /* (classes) how often each counts */
    bool gaussian;          /* x is exactly Gaussian given psi */
    double cost;            /* about the instructions of an evaluation of log p */
    int part; /* of a model that is several: which one; rows without unknowns
                               are the first one's */
} dlpi_plan;

/* Through the leaves of a class, from its first one on, until -1. */
static inline dlp_index dlpi_next_alike(const dlpi_plan *plan, dlp_index l)
{
    return plan->next_alike ? plan->next_alike[l] : -1;
}

/* whole: where a grid over all of psi and x is cheap, there is no x. */
dlp_status dlpi_plan_make(const dlpi_factors *factors, bool whole, dlpi_plan *plan,
                          dlp_error *error);
/* The same for those cells alone whose label (n_cells) is `part`; NULL: all. */
dlp_status dlpi_plan_make_part(const dlpi_factors *factors, bool whole,
                               const int32_t *label, int part, dlpi_plan *plan,
                               dlp_error *error);
/* leaf_classes.c: numbers the leaves, so that those that are alike are integrated out once. */
dlp_status dlpi_plan_class_leaves(const dlpi_factors *factors, dlpi_plan *plan,
                                  dlp_error *error);
void dlpi_plan_clear(dlpi_plan *plan); /* fine on a zeroed or failed one */

#endif
