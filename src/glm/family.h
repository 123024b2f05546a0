/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families of responses with one linear predictor: log p(y | eta, tau) and its
 * derivatives, a tile of rows at a time (infer/rows.h). tau is the logarithm of a scale that
 * some families have (noise sd, gamma shape, negative binomial size); the others ignore it.
 * Internal.
 */
#ifndef DLPI_GLM_FAMILY_H
#define DLPI_GLM_FAMILY_H

#include <delaplace/family.h>
#include <delaplace/model.h>
#include <stdbool.h>

#include "infer/rows.h"

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

/* log (n choose y); 0 for a single trial. */
double dlpi_log_choose(double n, double y);

/* The family and link by name; link NULL: the family's first. NULL when there is none. */
const dlpi_family *dlpi_family_find(const char *name, const char *link);

#endif
