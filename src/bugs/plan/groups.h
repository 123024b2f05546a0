/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Factors sorted by the roles of their coordinates: rows that share a program and the
 * roles of its inputs, so that one loop serves them. Internal.
 */
#ifndef DLPI_BUGS_GROUPS_H
#define DLPI_BUGS_GROUPS_H

#include "bugs/plan/plan.h"
#include "bugs/plan/slots.h"

#include <delaplace/pattern.h>

typedef struct dlpi_group {
    dlpi_slots slots;
    int n_inputs;    /* of the program */
    uint8_t *role;   /* (n_inputs) dlpi_role; DLPI_ROLE_NONE: data */
    int *leaf_at;    /* (n_inputs) which coordinate of its leaf */
    double **data;   /* (n_inputs) columns (n), of data */
    int32_t **index; /* (n_inputs) columns (n): index in psi or x */
    dlp_index n;     /* rows */
    int32_t *leaf;   /* (n) the leaf of each row, ascending; NULL: no leaf is involved */
    bool *by_psi;    /* (k) slots that depend on psi */
    /* Entries: the terms of all slots, slot by slot. */
    int n_entries;
    int *slot;       /* (n_entries) */
    int *input;      /* (n_entries) */
    int32_t **local; /* (n_entries) for an entry that is x, in rows with leaves: columns
                        (n), where it is in the leaf's support */
    bool *steady;    /* (n_entries) for these: the rows of a leaf have the same x */
    bool active;     /* x or leaves are involved */
} dlpi_group;

typedef struct dlpi_groups {
    const dlpi_plan *plan;
    int n, room;
    dlpi_group *of;
    /* What each leaf depends on: rows of each group, and x. */
    dlp_index *begin; /* (n, L + 1) rows of leaf g in group k: begin[k (L+1) + g] */
    dlp_index *support_begin; /* (L + 1) */
    int32_t *support;         /* the x that a leaf depends on, ascending */
    dlp_index most_support, most_rows;
} dlpi_groups;

/* Takes over the columns of the templates. */
dlp_status dlpi_groups_make(dlpi_factors *factors, const dlpi_plan *plan,
                            dlpi_groups *groups, dlp_error *error);
void dlpi_groups_clear(dlpi_groups *groups); /* fine on a zeroed or failed one */

/* The sparsity pattern of x's curvature; *pattern NULL: dense. */
dlp_status dlpi_groups_pattern(const dlpi_groups *groups, dlp_pattern **pattern,
                               dlp_error *error);

#endif
