/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log p(x, y | psi) with the leaves integrated out, its gradient and curvature in x, its
 * mode, and Laplace's log p(y | psi). Internal.
 */
#ifndef DLPI_BUGS_FIELD_H
#define DLPI_BUGS_FIELD_H

#include "bugs/plan/groups.h"
#include "infer/listener.h"

#include <delaplace/sym.h>

/* Shared by all workers, who only read it. */
typedef struct dlpi_field {
    const dlpi_plan *plan;
    const dlpi_groups *groups;
    dlp_pattern *pattern; /* NULL: dense */
    dlp_shape shape;
    int32_t **place;       /* (groups) where a sparse H has (pairs of entries, rows), */
    int32_t *leaf_place;   /* and where it has the upper triangles of leaves' supports */
    dlp_index *leaf_begin; /* (L + 1) */
    dlp_index n_blocks;    /* of leaves that are integrated out together, or one alone */
    dlp_index *block;      /* (n_blocks + 1) the first leaf of each */
    bool *together;        /* (n_blocks) */
    int lanes;             /* threads that share the leaves of an evaluation; 0: one */
    double *x, *b;         /* (n), (L, 2): where the next search begins */
    double tiny;           /* a step that gains no more than this is the last */
    int most_inputs, most_slots;
    size_t room;
} dlpi_field;

dlp_status dlpi_field_make(const dlpi_groups *groups, dlpi_field *field,
                           dlp_error *error);
void dlpi_field_clear(dlpi_field *field);

typedef struct dlpi_bugs_leaf_work dlpi_bugs_leaf_work;
typedef struct dlpi_leaf_sum dlpi_leaf_sum;

/* One worker. */
typedef struct dlpi_work {
    const dlpi_field *of;
    double *psi;               /* (m) */
    double **constant, **coef; /* (groups): (k, rows), (entries, rows) */
    double *x, *b;             /* (n), (L, 2) */
    const double *start; /* (n + 2 L) where the next search begins; NULL: the field's */
    double *gradient, *step, *from, *mode; /* (n) */
    dlp_sym H, trial, S; /* -Hessian; with a ridge; Cov[x | psi] where H has entries */
    dlp_cholesky *F;
    double f;
    double tiny; /* a step that gains no more than this is the last */
    bool converged;
    long evaluations;
    /* If `moments`, for the leaves at x: E[b] (L, 2), Var[b] (L, 3: 11, 12, 22) given x,
       and dE[b]/dx over the leaf's support, two rows each. */
    bool moments;
    double *mean, *variance, *slope;
    dlpi_bugs_leaf_work *leaf; /* of a lane */
    struct dlpi_work *lane;    /* (n_lanes) */
    int n_lanes;
    double *sums;            /* what leaves add to f, gradient and H, */
    dlpi_leaf_sum *sum;      /*     and where */
    dlpi_listener *listener; /* asked whether to stop; NULL: nobody */
    const double **input;    /* (most_inputs + most_slots) */
    double *batch;           /* their values, DLPI_BATCH each */
    int *slot;
    double *jet, *room, *block;
    dlpi_runner **runner; /* (groups, 4) of their bodies, by order; NULL: never run */
} dlpi_work;

dlp_status dlpi_work_alloc(const dlpi_field *of, dlpi_work *work, dlp_error *error);
void dlpi_work_free(dlpi_work *work);

/* log p(y | psi), searching from the field's starting point; leaves x and b at the mode.
   -INFINITY: there is no mode. */
double dlpi_work_at(dlpi_work *work, const double *psi);
/* f with gradient and H at x, b. */
void dlpi_work_expand(dlpi_work *work);
/* f alone, at x. */
double dlpi_work_value(dlpi_work *work);
/* After dlpi_work_at: sets S and the mode. */
void dlpi_work_moments(dlpi_work *work);
/* After that: t_l (n) = 1/2 d/dx_l Tr{Hessian S}, third derivatives by differences; leaves
   x at the mode. */
void dlpi_work_thirds(dlpi_work *work, double *t);
/* After dlpi_work_moments: sets step (n) to the distance from the mode of x to its mean, S
   t, at most an sd, beyond which the expansion is meaningless. Returns the largest in sds,
   before that limit. */
double dlpi_work_shift(dlpi_work *work, const double *t, double *step);

/* After dlpi_work_moments: how far log p, two sds to either side of the mode, differs
   from the -2 of a Gaussian, along so many of the n directions; leaves x at the mode. */
double dlpi_work_roughness(dlpi_work *work, dlp_index tried);

/* The place of entry (i, j) in a matrix of the field's shape. */
static inline dlp_index dlpi_field_place(const dlpi_field *field, dlp_index i,
                                         dlp_index j)
{
    if (field->pattern) return dlp_pattern_find(field->pattern, i, j);
    return i < j ? i * field->plan->n + j : j * field->plan->n + i;
}

/* Computes the slots' constants and coefficients at psi. */
void dlpi_work_set_psi(dlpi_work *work, const double *psi, bool first);
/* Points the inputs of a group's body at rows from `row` on; gathers those that are
   psi. */
void dlpi_work_inputs(dlpi_work *work, const dlpi_group *g, dlp_index row, dlp_index n);

/* The slots (k, n) of a group's rows from `row` on, at x: only the terms of one role. */
void dlpi_work_slots(const dlpi_work *work, int k, dlp_index row, dlp_index n,
                     dlpi_role role, double *slots);
/* Allocates memory for programs, with `more` numbers behind it, and readies the
   programs. */
dlp_status dlpi_work_alloc_room(dlpi_work *work, dlp_index more, dlp_error *error);
void dlpi_work_free_room(dlpi_work *work);
/* Runs the body of a group for n rows, whose inputs have been set; the result is in
   jet. */
static inline void dlpi_work_run(const dlpi_work *work, int k, dlp_index n, int order,
                                 double *jet)
{
    dlpi_runner_run(work->runner[4 * k + order], n, work->input, jet);
}

/* leaves.c. All leaves at x: adds the logarithms of their integrals and, if `order` is 2,
   gradient and curvature. -INFINITY: an integral failed, or the work was stopped. */
dlp_status dlpi_leaves_block(dlpi_field *of, dlp_error *error);
dlp_status dlpi_leaves_alloc(dlpi_work *work, dlp_error *error);
void dlpi_leaves_free(dlpi_work *work);
double dlpi_add_leaves(dlpi_work *work, int order);

/* leaf_draws.c. The distribution of a leaf of one coordinate given x, for draws. */
enum { DLPI_QUANTILES = 513 };
typedef struct dlpi_quantiles {
    int n;
    double value[DLPI_QUANTILES], below[DLPI_QUANTILES]; /* P(b <= value) */
} dlpi_quantiles;
void dlpi_quantiles_of(dlpi_work *work, dlp_index l, dlpi_quantiles *quantiles);
/* The quantile at probability P(N(0, 1) <= z). */
double dlpi_quantile_at(const dlpi_quantiles *quantiles, double z);

/* The same for two coordinates: cells of a grid with their probabilities. */
enum { DLPI_PLANE_CELLS = 625 };
typedef struct dlpi_plane {
    dlp_index n; /* 0: it is close to a normal distribution */
    double value[2 * DLPI_PLANE_CELLS], below[DLPI_PLANE_CELLS];
    double axis[3];   /* of a cell: (axis[0], 0) and (axis[1], axis[2]) */
    double shrink[2]; /* corrects the variances for the width of cells */
} dlpi_plane;
/* variance (3) is the leaf's given x. */
void dlpi_plane_of(dlpi_work *work, dlp_index l, const double *mean,
                   const double *variance, dlpi_plane *plane);
/* The deviation from the mean that two draws z of N(0, 1) give. */
void dlpi_plane_at(const dlpi_plane *plane, const double *mean, const double z[2],
                   double deviation[2]);

#endif
