/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The density of a few hyperparameters psi, known only by its value at a point, which
 * costs a fit: its mode, its scale along m directions, on either side of the mode, and
 * points with weights for integrals over it (Rue, Martino & Chopin, JRSS B 71, 2009,
 * Section 6.5). Up to four dimensions use a grid. Up to eleven use a central composite
 * design or, on request, a lattice whose points are weighted by the density. More use a
 * small lattice. Internal.
 */
#ifndef DLPI_INFER_EXPLORE_H
#define DLPI_INFER_EXPLORE_H

#include <delaplace/fit.h>
#include <math.h>
#include <stdbool.h>

typedef struct dlpi_explore {
    dlp_index m;
    int threads; /* workers 0 to threads - 1 run concurrently */
    /* log p(psi, y) up to a constant; -INFINITY where it does not exist. The result may
       depend on the last starting point set, and on nothing else. */
    double (*log_density)(void *context, int worker, const double *psi);
    /* Sets the starting point. Called by one thread. If worker 0 has just been at psi,
       starts from its result. */
    void (*begin_at)(void *context, const double *psi);
    bool (*stopped)(void *context);
    /* A worker goes to the i-th point, from 0, of n; n 0: it is not known yet how many there
       will be. NULL: no one wants to know. */
    void (*tell)(void *context, int i, int n);
    void *context;
    bool no_design; /* use no design: its moments are right only for a normal density */
    bool bent;      /* normal along the axes need not mean normal between them: no axis
                 design */
    bool fine;      /* points closer together and farther out, on a grid of up to five
                  dimensions */
    bool
        cheap; /* points are cheap: use four times as many where there is neither grid nor
                  design */
    bool quick;   /* ten thousand points take less than a second: a finer grid for tails
                     that are not normal in four dimensions, too, one instead of adapted
                     points in five, and more rounds of adapted points */
    bool costly;  /* points are expensive: no finer grid for non-normal tails */
    bool no_grid; /* too expensive even for a grid: weighted points of a lattice */
    bool
        adaptive; /* the grid follows the density, not a normal one, and interpolates with
                     curvature: its points may be farther apart */
    const bool *log_sd; /* (m) whether psi_i is the logarithm of an sd; NULL: unknown */
    /* Optional, for speed; each may be NULL. */
    /* The gradient (m) at psi, where the worker has just been; it may come from another
       approximation. false: unknown. */
    bool (*gradient)(void *context, int worker, const double *psi, double *g);
    /* Minus the Hessian (m, m) there, called after the gradient, which is then the
       density's own; if not `exactly`, a cheaper approximation. false: unknown. */
    bool (*information)(void *context, int worker, const double *psi, bool exactly,
                        double *I);
    const double *stiff; /* (m) roughly minus the second derivatives; used with
                            `gradient` */
    /* note: the worker has just been at the i-th of the points -sqrt(2) and sqrt(2) in
       z_0, in z_1, ... or, first of all and for i = 2 m, at the mode. Returns a
       correction to add to the density there; elsewhere log_density() adds it itself.
       begin_near: the worker will start at z (m) from what was found at those points. */
    double (*note)(void *context, int worker, int i, bool is_known);
    /* That correction at psi, once `note` was called for the mode; NULL: none is known. */
    double (*beyond)(void *context, const double *psi);
    void (*begin_near)(void *context, int worker, const double *z);
    /* note_axis: the worker has just been at the i-th of the places -apart and apart from
       the mode along a coordinate of psi. begin_opposite: it goes to the i-th place next,
       opposite its last one. begin_aside: it goes to a psi near there. begin_beside: it
       goes to this point next, called after begin_near. note_point: it has been at that
       point. */
    void (*note_axis)(void *context, int worker, int i, double apart);
    void (*begin_opposite)(void *context, int worker, int i);
    void (*begin_aside)(void *context, int worker, const double *psi);
    void (*begin_beside)(void *context, int worker, int point);
    void (*note_point)(void *context, int worker, int point);
    /* look: the worker has just been at a point that counts. take: called afterwards in
       the order of the points, one at a time, with a weight that is right up to a
       factor. */
    void (*look)(void *context, int worker);
    void (*take)(void *context, int worker, int point, double weight);
    void (*forget)(void *context); /* all that was taken */
    /* For several processes that explore the same density together: each evaluates its
       share of the points, and all receive the results. comm NULL: a single process. */
    struct dlpi_comm *comm;
    dlp_index found,
        seen; /* how many numbers a worker finds at a point, and how many `look` adds */
    /* save writes what the worker found and, with `looked`, what `look` added; restore
       puts a worker into the state of having found it itself. */
    void (*save)(void *context, int worker, bool looked, double *to);
    void (*restore)(void *context, int worker, bool looked, const double *from);
    long (*effort)(void *context); /* total work of all workers so far, as a count */
    bool only_mode;                /* no integration: the mode is the only point */

    /* the result */
    dlp_outcome outcome;
    double *mode;         /* (m) */
    double log_mode;      /* the density there */
    double *root;         /* (m, m) psi = mode + root z */
    double *scale, *skew; /* (m) z = u (scale + skew tanh(u / 2)) makes u about N(0, 1) */
    int points;
    double *z;           /* (points, m) */
    double *log_p;       /* (points) the density there */
    double *weight;      /* (points) sum to 1 */
    double log_evidence; /* NAN if the mode is the only point */
    long evaluations;
    double
        stretch; /* for weighted points, which are a lattice of N(0, stretch^2) in u; else
                    0 */
    /* For adapted points (explore_adapt.h), otherwise NULL: */
    double *centre, *spread;   /* (m), (m, m) a lower triangle */
    double *count;             /* (points) their weights in the polynomial fit */
    double worth;              /* effective number of points, as a share of all */
    bool many;                 /* they represent the density, without a polynomial */
    bool is_informed;          /* the Hessian comes from `information`, near the mode */
    bool is_sharp;             /* trying the points of a sharp density */
    bool even;                 /* lattice points with equal weights */
    bool normal;               /* log p falls on all sides like a normal density's */
    bool nearly_normal;        /* or nearly so */
    bool normal_to_two_digits; /* or to two digits, enough for a design; only with
                                 `adaptive` */
    /* For a grid: points at multiples of `apart` in each u, the place of each point, and
       the point at each place, -1 for none. `reach` 0: no grid. */
    double apart;
    int reach;
    int *place;    /* (points, m) */
    int *at_place; /* (2 reach + 1)^m */

    double *work;
    int room;
    int settled; /* all workers know the points before this one, whoever evaluated them */
    long elsewhere; /* work that other processes did for this one */
    dlp_status
        shared;    /* status of the communication; after a failure there is no density, */
    dlp_error why; /*     and why */
} dlpi_explore;

/* Allocates the result. The search begins at e->mode, which the caller sets
   afterwards. */
dlp_status dlpi_explore_alloc(dlpi_explore *e, dlp_index m, dlp_error *error);
void dlpi_explore_free(dlpi_explore *e); /* fine on a zeroed or failed one */
dlp_status dlpi_explore_run(dlpi_explore *e, dlp_error *error);

/* Evaluates the densities of n points psi (n, m) on all workers. */
void dlpi_explore_evaluate(dlpi_explore *e, dlp_index n, const double *psi,
                           double *log_p);
/* explore_share.c: the same over several processes. */
void dlpi_explore_evaluate_shared(dlpi_explore *e, dlp_index n, const double *psi,
                                  double *log_p);
dlp_status dlpi_explore_visit_shared(dlpi_explore *e, int first, dlp_error *error);
/* explore_points.c. The worker evaluates the i-th point; psi (m) is room. true: its share
   of the integral is large enough to count. */
bool dlpi_explore_visit(dlpi_explore *e, int i, int worker, double *psi);
/* A point's approximate share of the integral. */
double dlpi_explore_share(const dlpi_explore *e, int point);
/* explore_ascend.c. Finds the mode by gradients, starting at e->mode, and writes minus
   the Hessian there to e->root; *f is the density. *found false: use differences of the
   density. */
dlp_status dlpi_explore_ascend(dlpi_explore *e, double *f, bool *found, dlp_error *error);
/* explore_points.c. Adds a point at z (m) that represents this volume; false without
   memory. */
bool dlpi_explore_add(dlpi_explore *e, const double *z, double volume);
/* Evaluates the densities of the points from `first` on. */
dlp_status dlpi_explore_evaluate_from(dlpi_explore *e, int first, dlp_error *error);
/* Chooses points and weights from the mode and the shape around it. */
dlp_status dlpi_explore_points(dlpi_explore *e, dlp_error *error);

/* Points on the axes alone, for a density that is normal to two digits; and whether m
   allows them. */
dlp_status dlpi_explore_axes(dlpi_explore *e, dlp_error *error);
bool dlpi_explore_has_axes(const dlpi_explore *e);

/* The total weight of a grid point's neighbours. */
double dlpi_explore_beside(const dlpi_explore *e, int point);

/* The point at a place (m) of a grid, -1 for none. */
int dlpi_explore_point_at(const dlpi_explore *e, const int *place);

/* Uses the mode as the only point. */
dlp_status dlpi_explore_mode(dlpi_explore *e, dlp_error *error);

/* z of direction k at u, and dz / du. */
static inline double dlpi_explore_z(const dlpi_explore *e, dlp_index k, double u)
{
    return u * (e->scale[k] + e->skew[k] * tanh(u / 2));
}
static inline double dlpi_explore_width(const dlpi_explore *e, dlp_index k, double u)
{
    const double t = tanh(u / 2);
    return e->scale[k] + e->skew[k] * (t + 0.5 * u * (1 - t * t));
}

/* psi (m) at z (m). */
void dlpi_explore_psi(const dlpi_explore *e, const double *z, double *psi);

/* Moves mode and root to those of the corrected density, whose value there is *f, where
   `beyond` moves them by much. */
dlp_status dlpi_explore_recentre(dlpi_explore *e, double *f, dlp_error *error);

#endif
