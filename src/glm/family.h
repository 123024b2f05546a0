/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families of responses with one linear predictor: log p(y | eta, tau) and its
 * derivatives, a tile of rows at a time. tau is the logarithm of a scale that some
 * families have (noise sd, gamma shape, negative binomial size); the others ignore it.
 * Internal.
 */
#ifndef DLPI_GLM_FAMILY_H
#define DLPI_GLM_FAMILY_H

#include <delaplace/family.h>
#include <delaplace/model.h>
#include <stdbool.h>

enum { DLPI_TILE = 256 };

/* Rows of data and what a family says of them. Derivatives are named by what they are
   taken by: l_eet is d3 l / d eta d eta d tau. */
typedef struct dlpi_rows {
    dlp_index n;          /* <= DLPI_TILE */
    const double *y;      /* (n) */
    const double *trials; /* (n) binomial; NULL: 1 each */
    const double *weight; /* (n) NULL: 1 each; the families do not look at it */
    const double *xi; /* (n) where the bound of jaakkola_jordan.c touches, else NULL */
    double eta[DLPI_TILE];
    double l[DLPI_TILE];
    double l_e[DLPI_TILE], l_ee[DLPI_TILE], l_eee[DLPI_TILE], l_eeee[DLPI_TILE];
    double l_t[DLPI_TILE], l_tt[DLPI_TILE], l_ttt[DLPI_TILE];
    double l_et[DLPI_TILE], l_eet[DLPI_TILE], l_ett[DLPI_TILE];
    double work[6][DLPI_TILE];
} dlpi_rows;

/* A family with one of its links. */
typedef struct dlpi_family {
    const dlp_family *of;
    const char *link;
    /* Writes l and all derivatives up to `order` (0..3), and for 4 l_eeee. NULL: several
       levels. */
    void (*evaluate)(dlpi_rows *rows, double tau, int order);
    /* E[y | eta] for a single trial. */
    double (*mean)(double eta);
    /* Whether y (of `most` trials, or with `most` as the last level) is a possible
       response, and in words what is. */
    bool (*supports)(double y, double most);
    const char *support; /* in words */
    /* Its table, how many parameters it has, and how much extra memory it needs. */
    const dlp_model_type *type;
    dlp_index (*parameters)(dlp_index p, dlp_index levels);
    dlp_index (*extra)(dlp_index p, dlp_index levels);
} dlpi_family;

static inline double dlpi_weight_of(const dlpi_rows *rows, dlp_index i)
{
    return rows->weight ? rows->weight[i] : 1;
}

/* log (n choose y); 0 for a single trial. */
double dlpi_log_choose(double n, double y);

/* The family and link by name; link NULL: the family's first. NULL when there is none. */
const dlpi_family *dlpi_family_find(const char *name, const char *link);

#endif
