/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws from a fit: what their files share. Internal. */
#ifndef DLPI_REGRESSION_DRAWS_H
#define DLPI_REGRESSION_DRAWS_H

#include <delaplace/draws.h>
#include <delaplace/verification.h>

#include "core/pool.h"
#include "regression/regression.h"

/* Draws under construction. */
typedef struct dlpi_drawing {
    dlp_draws draws; /* first: it is what clients have */
    struct dlpi_pool pool;
    const dlp_regression *of;
    dlp_draws_settings s;
    const char **name;
    double *value;
    double *theta;   /* (M, n draws, n) of the engine's parameters, to be freed */
    double *scale;   /* (n draws, m) numbers of scale_points.h, likewise; or NULL */
    dlp_margin *cut; /* (J) of dlpi_normal_cuts, or NULL */
    dlp_index room;  /* columns there is memory for */
} dlpi_drawing;

/* Room for that many columns. */
dlp_status dlpi_drawing_room(dlpi_drawing *d, dlp_index columns, dlp_error *error);
/* Reports how many are done; DLP_ECANCELLED: the caller has asked to stop. */
dlp_status dlpi_drawing_tell(const dlpi_drawing *d, const char *unit, dlp_index done,
                             dlp_index total, dlp_error *error);
/* A new column of that name; returns where its values (n) go. NULL without memory. */
double *dlpi_drawing_column(dlpi_drawing *d, const char *name);
/* A number with that margin, at a standard normal z: normal on each side of the
   median. */
double dlpi_margin_at(const dlp_margin *margin, double z);
/* The inverse: z of a value. */
double dlpi_margin_place(const dlp_margin *margin, double x);
/* The same for a positive number: its logarithm is normal on each side. */
double dlpi_positive_at(const dlp_margin *margin, double z);
/* The same for a number in a range, on a scale that ends where the range does. */
double dlpi_within_at(const dlp_margin *margin, dlp_range range, double z);

/* The margins (J) that the cut points of a regression of one level would have if the gaps
   were log-normal, from the pool; NULL where they have no other margins, or when out of
   memory. */
dlp_margin *dlpi_normal_cuts(const dlp_regression_result *result, struct dlpi_pool *pool);
/* Cut point j at a draw theta (n) of the engine's parameters: moved to the same quantile
   of its own margin, keeping the order. */
double dlpi_cut_at(const dlp_regression_result *result, const dlp_margin *normal,
                   dlp_index j, const double *theta);

/* theta: all draws of the engine's parameters. */
dlp_status dlpi_draw_theta(dlpi_drawing *d, dlp_error *error);
/* draw_rows.c. Means or responses of the rows of the table. */
dlp_status dlpi_draw_rows(dlpi_drawing *d, dlp_error *error);
/* draw_points.c. theta and scale of a mixed model that has points. */
dlp_status dlpi_draw_points(dlpi_drawing *d, dlp_error *error);
/* draw_effects.c. The columns of sds, correlations and effects, and how many there
   are. */
dlp_index dlpi_count_random(const dlpi_drawing *d);
dlp_status dlpi_draw_random(dlpi_drawing *d, dlp_error *error);

/* What drawn effects of levels add to the D linear predictors of rows of a design. */
typedef struct dlpi_row_effects {
    const dlp_regression_result *of;
    const dlp_design *design;
    const double *b; /* one effect of a level after another, (draws) each; NULL: none */
    dlp_index draws, D;
} dlpi_row_effects;
/* row_effects.c. Draws them into d, which has theta and no columns; models without random
   effects have none. */
dlp_status dlpi_row_effects_make(dlpi_drawing *d, const dlp_design *design,
                                 dlpi_row_effects *effects, dlp_error *error);
/* Adds those of draw s in row i to eta (D). */
void dlpi_row_effects_add(const dlpi_row_effects *effects, dlp_index i, dlp_index s,
                          double *eta);

#endif
