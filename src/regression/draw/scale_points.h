/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What draws of a mixed model are made of: points of its scales that weigh the same
 * (mixed/scales/scale_mixture.h), and the Gaussian of the coefficients at each,
 *
 *   beta | point ~ N(m, D R D),  D = diag(sd),
 *
 * with one R for all, chosen so that the mixture has the mean and the covariance of the
 * fit. Internal.
 */
#ifndef DLPI_REGRESSION_SCALE_POINTS_H
#define DLPI_REGRESSION_SCALE_POINTS_H

#include <delaplace/verification.h>
#include <jansson.h>

#include "mixed/fit.h"
#include "regression/file/fit_values.h"
#include "regression/prepare/basis.h"
#include "regression/regression.h"

struct dlpi_scale_points {
    dlp_index n, m;          /* points, and numbers per point */
    const double *value;     /* (n, m) */
    const int32_t *gaussian; /* (n) which Gaussian each has */
    dlp_index gaussians, p;  /* how many Gaussians, of how many parameters: all but the
                                scale */
    const double *mean, *sd; /* (gaussians, p) */
    const double *R;         /* (p, p) */
};

/* How many numbers a point of this regression has. */
dlp_index dlpi_scale_numbers(const dlp_regression_result *result);

/* One of these numbers, except tau: what it represents, and its margin in the fit. */
typedef struct dlpi_scale {
    char name[1024]; /* "sd(g: x)", "cor(g: (Intercept); x)", "share(bym2(r))" */
    const dlp_margin *margin;
    bool is_sd;
    const dlp_basis *process; /* for the second number of a process, else NULL */
} dlpi_scale;
/* Steps to the next number of a regression, starting from a zeroed place; false: no
   more. */
typedef struct dlpi_scale_place {
    dlp_index term, effect, other;
} dlpi_scale_place;
bool dlpi_scale_next(const dlp_regression_result *result, dlpi_scale_place *place,
                     dlpi_scale *scale);
/* The sd, correlation or share that a number represents. */
double dlpi_scale_value(const dlpi_scale *scale, double number);
/* Where it can be. */
dlp_range dlpi_scale_range(const dlpi_scale *scale);
/* The name of effect k of a term: "x", or "level: x" in a multinomial regression; 256
   bytes. */
void dlpi_scale_effect(const dlp_random_effects *of, dlp_index k, char *out);

/* Built from a fit, whose coefficients are moved to place (p) and are then those of the
   basis. */
dlp_status dlpi_scale_points_keep(const dlpi_basis *basis, const dlp_index *place,
                                  const dlpi_mixed_result *found, dlp_regression *out,
                                  dlp_error *error);

/* In FIT.json; files of older versions have none. */
int dlpi_fit_add_scale_points(const dlp_regression *r, json_t *root);
dlp_status dlpi_fit_read_scale_points(const dlpi_fit_reader *r);

#endif
