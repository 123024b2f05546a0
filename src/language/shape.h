/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of an expression, without its values. Internal to src/language. */
#ifndef DLPI_BUGS_SHAPE_H
#define DLPI_BUGS_SHAPE_H

#include "language/evaluate.h"

typedef struct dlpi_shape {
    int n_dim; /* 0: a scalar */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index n;
} dlpi_shape;

/* False: it depends on something unknown, or the shapes do not agree. */
bool dlpi_shape_of(dlpi_evaluator *e, const dlpi_syntax *syntax, dlpi_shape *shape);
/* The shape of what a stochastic relation defines, given its distribution and
   parameters. */
bool dlpi_shape_of_draw(dlpi_evaluator *e, const dlpi_syntax *call, dlpi_shape *shape);

#endif
