/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the search for a posterior works with, and its steps: psi is explored
 * (psi_search.c), draws are shared among its points (draw_places.c), x and the leaves are
 * found at each of them (at_points.c). Internal to posterior.c.
 */
#ifndef DLPI_BUGS_POSTERIOR_RUN_H
#define DLPI_BUGS_POSTERIOR_RUN_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_posterior_run {
    const dlpi_plan *plan;
    const dlpi_posterior_settings *settings;
    dlpi_posterior *p;
    dlpi_field field;
    dlpi_work *work; /* (threads) */
    int threads, lanes;
    double time; /* of an evaluation */
    dlp_index n_kept;
    int32_t *kept;  /* (n_kept) the x and leaves, from 0 to n + 2 L, that are drawn */
    double *center; /* (points, n_kept) their means at each point */
    double *found;  /* (n_found, n + 2 L) x and b at points that count */
    int *found_at;  /* (n_found) the point */
    int n_found, found_room;
    bool no_memory;       /* for them */
    double *here;         /* (threads, 2, n + 2 L) means and variances at one point */
    int *nearest;         /* (draws) the point whose x is drawn */
    dlp_index *own;       /* (draws) sorted by point: the draws of point q are */
    dlp_index *own_begin; /* (points + 1) from own_begin[q] to own_begin[q + 1] */
    double *psi;          /* (draws, m) */
    double *point;        /* (points, m) */
    double *at;           /* (threads, m) */
    double *thirds;       /* (n) what moves means away from modes, where it is alike */
    enum { DLPI_SHIFT_NONE, DLPI_SHIFT_ALIKE, DLPI_SHIFT_EACH } shifts;
} dlpi_posterior_run;

static inline bool dlpi_run_stopped(void *context)
{
    const dlpi_posterior_run *r = context;
    return dlpi_listener_stopped(r->settings->listener);
}

static inline double dlpi_point_weight(const dlpi_posterior_run *r, int point)
{
    return r->plan->m ? r->p->explore.weight[point] : 1;
}

/* Points whose weight matters. */
static inline bool dlpi_point_counts(const dlpi_posterior_run *r, int q)
{
    return dlpi_point_weight(r, q) > 1e-7;
}

/* The start of an unknown about which nothing is known: near 0, but not where its
   neighbour starts. Components of a mixture, or cut points, that start equal would stay
   equal. */
static inline double dlpi_start_apart(int32_t cell, double by)
{
    return by * (cell % 7);
}

static inline double *dlpi_kept_draws(const dlpi_posterior_run *r, dlp_index i)
{
    return r->p->draw + (r->plan->m + i) * r->p->draws;
}

/* Whether draws of a leaf are asked for. */
static inline bool dlpi_leaf_is_wanted(const dlpi_posterior_run *r, dlp_index l)
{
    const bool *wanted = r->settings->wanted;
    const int32_t *cell = r->plan->leaf_cell + 2 * l;
    return !wanted || wanted[cell[0]] || (cell[1] >= 0 && wanted[cell[1]]);
}

/* psi_search.c */

/* psi of what is explored, in the worker's own memory. */
const double *dlpi_run_psi(dlpi_posterior_run *r, int worker, const double *explored);
/* Points for psi, their weights and the density beyond them. */
dlp_status dlpi_psi_explore(dlpi_posterior_run *r, dlp_error *error);
/* Without psi there is one point. */
dlp_status dlpi_psi_one_point(dlpi_posterior_run *r);
/* x and b as they were found at a point that counts; NULL: they were not kept. */
const double *dlpi_found_at(const dlpi_posterior_run *r, int point);

/* draw_places.c */

/* Which x and leaves are drawn: all or, if there are too many, those wanted. */
dlp_status dlpi_choose_kept(dlpi_posterior_run *r, dlp_error *error);
/* psi of the draws: points in proportion to their weights, in order. */
void dlpi_choose_psi(dlpi_posterior_run *r);
/* The point whose x is drawn with each psi: the nearest that matters. */
dlp_status dlpi_find_nearest(dlpi_posterior_run *r, dlp_error *error);
/* Draws point by point, those of each in their order. */
void dlpi_list_draws(dlpi_posterior_run *r);
/* How the centers move with psi: least squares, G (n_kept, m). */
dlp_status dlpi_regress_centers(dlpi_posterior_run *r, double *G, dlp_error *error);
/* Deviations become draws. */
void dlpi_place_draws(dlpi_posterior_run *r, const double *G);

/* at_points.c */

/* How far means lie from modes at the point with the most weight, and whether what moves
   them is the same at all points. */
void dlpi_find_shift(dlpi_posterior_run *r);
/* Means and variances of x and leaves, and deviations of draws from the means. */
void dlpi_visit_points(dlpi_posterior_run *r);

#endif
