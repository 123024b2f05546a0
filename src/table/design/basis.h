/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the formula that make several columns: basis_spec.c reads what was asked
 * for, basis_poly.c and basis_splines.c find the constants of poly(), bs() and ns(), as R
 * does, basis_smooth.c those of s(), as mgcv does, and basis_values.c computes the
 * columns at other numbers. Internal.
 */
#ifndef DLPI_TABLE_BASIS_H
#define DLPI_TABLE_BASIS_H

#include "table/design/design.h"

enum {
    DLPI_MOST_DEGREE = 20,
    DLPI_MOST_SMOOTH = 200,
    DLPI_MOST_STEPS = 500, /* beyond this, walks and regions are processes */
    DLPI_MOST_BASIS = 1000
}; /* columns */

/* The most nodes of a process. A second-order walk may have fewer: over more of them, its
   differences would be rounding errors. */
enum { DLPI_MOST_NODES = 20000, DLPI_MOST_BENDS = 2000, DLPI_MOST_REGIONS = 5000 };

/* What a call asks for. */
struct dlpi_basis_spec {
    const struct dlpi_node *node; /* the call */
    dlp_basis_kind kind;
    dlp_index d;
    dlp_index degree;
    dlp_index columns; /* -1: the data decide */
    bool intercept;    /* bs and ns: keep the first column */
    dlp_index n_knots; /* inner knots that are stated */
    const double *knot;
    dlp_index k;                         /* of s(): its dimension; 0: not stated */
    const struct dlpi_node *second, *by; /* of s(): z, by = g; or NULL */
    const struct dlpi_node *series;      /* of ar1(t | g): g; or NULL */
    bool has_ends;                       /* Boundary.knots */
    double ends[2];
};

/* The kind of that name; DLP_BASIS_NONE: there is none. */
dlp_basis_kind dlpi_basis_kind_of(const char *name);

/* Reads the options of a call of role DLPI_ROLE_BASIS. */
dlp_status dlpi_basis_spec_read(const dlp_formula *formula, const struct dlpi_node *call,
                                struct dlpi_pool *pool, struct dlpi_basis_spec *spec,
                                dlp_error *error);

/* The same for a call of role DLPI_ROLE_SMOOTH. */
dlp_status dlpi_smooth_spec_read(const dlp_formula *formula, const struct dlpi_node *call,
                                 struct dlpi_pool *pool, struct dlpi_basis_spec *spec,
                                 dlp_error *error);

/* Finds the constants from n numbers x; memory comes from pool. */
dlp_status dlpi_basis_make_poly(const struct dlpi_basis_spec *spec, dlp_index n,
                                const double *x, struct dlpi_pool *pool, dlp_basis *out,
                                dlp_error *error);
dlp_status dlpi_basis_make_splines(const struct dlpi_basis_spec *spec, dlp_index n,
                                   const double *x, struct dlpi_pool *pool,
                                   dlp_basis *out, dlp_error *error);

/* x (d) of n numbers each. */
dlp_status dlpi_basis_make_smooth(const struct dlpi_basis_spec *spec, dlp_index n,
                                  const double *const *x, struct dlpi_pool *pool,
                                  dlp_basis *out, dlp_error *error);
/*
 * basis_cubic.c, basis_plate.c, basis_walk.c: the wiggly part of s(), from column `fixed` on. The
 * knots are in out; V and weight are (n_knots, columns), values at the knots or, of a thin plate
 * of two variables, weights of radial functions. k is the dimension of a plate, order 1 or 2
 * that of a walk, whose values sum to 0. DLP_EINPUT if the knots allow no such functions.
 */
dlp_status dlpi_basis_make_cubic(const dlp_basis *out, bool cyclic, double *V,
                                 struct dlpi_pool *pool);
dlp_status dlpi_basis_make_plate(const dlp_basis *out, dlp_index k, double *weight,
                                 struct dlpi_pool *pool);
dlp_status dlpi_basis_make_walk(const dlp_basis *out, int order, double *V,
                                struct dlpi_pool *pool);
/* If eigenvalues are not found, the values are to blame, unless memory was short. */
static inline dlp_status dlpi_basis_eigen_status(dlp_status found)
{
    return found == DLP_OK || found == DLP_ENOMEM ? found : DLP_EINPUT;
}
/* basis_regions.c. For besag(): the values at the regions, from pool. */
dlp_status dlpi_basis_make_regions(const dlp_adjacency *adjacency, struct dlpi_pool *pool,
                                   dlp_basis *out, dlp_error *error);
/*
 * basis_process.c. Values that are not columns, but nodes of a process (design.h,
 * dlp_basis): an autoregression over x (n) within each of `series` (n), or NULL: one; a
 * long walk; regions.
 */
dlp_status dlpi_basis_make_ar1(dlp_index n, const double *x, const int32_t *series,
                               struct dlpi_pool *pool, dlp_basis *out, dlp_error *error);
dlp_status dlpi_basis_make_long_walk(dlp_basis_kind kind, dlp_index found,
                                     const double *t, double mean, struct dlpi_pool *pool,
                                     dlp_basis *out, dlp_error *error);
dlp_status dlpi_basis_make_region_nodes(dlp_basis_kind kind,
                                        const dlp_adjacency *adjacency,
                                        struct dlpi_pool *pool, dlp_basis *out,
                                        dlp_error *error);
/* The node at x of a series, or -1. */
int32_t dlpi_process_node(const dlp_basis *basis, int32_t series, double x);
bool dlpi_process_is_sound(const dlp_basis *basis);
/* basis_smooth.c. F (n, n) such that F v are the second derivatives at the knots of the
   cubic spline with values v there: natural, or cyclic with knot[n] the end. room (n^2 +
   n). */
bool dlpi_spline_curvature(dlp_index n, const double *knot, bool cyclic, double *F,
                           double *room);
/* The radial function in d dimensions, of the squared distance r2. */
double dlpi_thin_plate(dlp_index d, double r2);

/* The columns (columns, n) at x (d) of n numbers each; room (dlpi_basis_room). */
void dlpi_basis_values(const dlp_basis *basis, dlp_index n, const double *const *x,
                       double *out, double *room);
dlp_index dlpi_basis_room(const dlp_basis *basis);
/* Whether the sizes of its parts fit together; in a damaged file they may not. */
bool dlpi_basis_is_sound(const dlp_basis *basis);

/* basis_splines.c. The splines of that order at x that are not 0 in interval i, knot[i]
   <= x < knot[i + 1] (beyond the ends, the polynomials continue): derivatives of order r,
   into out (order) for splines i - order + 1, ..., i. */
void dlpi_bspline(const double *knot, dlp_index i, int order, int r, double x,
                  double *out);
/* The interval of x; beyond the ends, the outermost one. */
dlp_index dlpi_bspline_interval(const double *knot, dlp_index n_knots, int order,
                                double x);

/* x ascending; quantiles as in R's type 7. */
double dlpi_sorted_quantile(const double *x, dlp_index n, double P);
/* A copy of the n numbers, ascending; NULL without memory. */
double *dlpi_sorted_copy(const double *x, dlp_index n, struct dlpi_pool *pool);

#endif
