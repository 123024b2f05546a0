/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of a mixed model, in the order of the leaves: the levels of the term that is
 * integrated out one by one. x is what is left: the effects of the other terms, term by term
 * and level by level, then beta. Internal.
 */
#ifndef DLPI_MIXED_ROWS_H
#define DLPI_MIXED_ROWS_H

#include "mixed/mixed.h"

typedef struct dlpi_mixed_rows {
    const dlpi_mixed_data *data;
    dlp_index N, p, n; /* n: the length of x */
    dlp_index leaf;    /* the term that is integrated out; -1: none, and leaves are rows
                       without effects of their own, q = 0, by the levels of another term;
                       without terms there are no leaves, L = 0 (single_level.h) */
    dlp_index by;      /* the term whose levels they are */
    dlp_index L, q;    /* its levels and effects */
    dlp_index all;     /* its levels in all processes */
    dlp_index n_other; /* the other terms, */
    dlp_index width;   /*     and their effects on a row */
    dlp_index *term;   /* (n_other) which they are, */
    dlp_index *start;  /* (n_other + 1) and where in x they begin; at last, beta */

    dlp_index *begin;                     /* (L + 1) the rows of a leaf */
    dlp_index *row;                       /* (N) its number in the data */
    double *y, *trials, *weight, *offset; /* (N) */
    double *constant;  /* (L) of the log likelihood: what depends on y and trials alone */
    bool weighted;     /* not all weights are 1 */
    double all_weight; /* of all rows, also those of data->absorbed and other processes */
    double *Z;         /* (N, q) */
    double *X;         /* (N, p) */
    double *O;         /* (N, width) */
    /* Of x, a leaf sees its support, ascending, and beta. */
    int32_t *slot;            /* (N, n_other) where in the support a row's level begins */
    dlp_index *support_begin; /* (L + 1) */
    dlp_index *support;       /* indices of x */
    dlp_index most_rows, most_support; /* of a leaf */
} dlpi_mixed_rows;

dlp_status dlpi_mixed_rows_make(const dlpi_mixed_data *data, dlp_index leaf,
                                dlpi_mixed_rows *rows, dlp_error *error);
void dlpi_mixed_rows_clear(dlpi_mixed_rows *rows); /* fine on a zeroed or failed one */

/* How many coordinates of x leaf g sees, beta among them. */
static inline dlp_index dlpi_leaf_sees(const dlpi_mixed_rows *rows, dlp_index g)
{
    return rows->support_begin[g + 1] - rows->support_begin[g] + rows->p;
}

/* eta of the rows of leaf g, without the leaf's own effects. */
void dlpi_mixed_rows_eta(const dlpi_mixed_rows *rows, dlp_index g, const double *x,
                         double *eta);
/* sum += weight A_r, where row r sees the support and beta through A_r. */
void dlpi_mixed_rows_add(const dlpi_mixed_rows *rows, dlp_index r, dlp_index support,
                         double weight, double *sum);

#endif
