/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The density of a few hyperparameters psi, known only by its value at a point, which costs
 * a fit: its mode, its scale along m directions, on either side of the mode, and points with
 * weights for integrals over it (Rue, Martino & Chopin, JRSS B 71, 2009, Section 6.5).
 * Up to four dimensions have a grid, up to eleven a central composite design or, on demand,
 * a lattice whose points weigh as the density has it, more a small lattice.
 * Internal.
 */
#ifndef DLPI_INFER_EXPLORE_H
#define DLPI_INFER_EXPLORE_H

#include <delaplace/fit.h>
#include <math.h>
#include <stdbool.h>

typedef struct dlpi_explore {
    dlp_index m;
    int threads; /* workers 0 to threads - 1 are used at the same time */
    /* log p(psi, y) up to a constant; -INFINITY where there is none. The answer may depend
       on where it was last told to begin, and on nothing else. */
    double (*log_density)(void *context, int worker, const double *psi);
    /* By one thread; where worker 0 has just been there, from what it found. */
    void (*begin_at)(void *context, const double *psi);
    bool (*stopped)(void *context);
    void *context;
    bool no_design; /* no design, whose moments are right for a normal density alone */
    bool
        bent; /* what is normal along the axes may not be so between them: no design by axes */
    bool fine; /* points nearer to each other and farther out, on a grid of up to five */
    bool
        cheap; /* a point costs little: four times as many where there is neither grid nor design */
    bool costly; /* a point costs much: no finer grid in tails that are not normal */
    bool
        no_grid; /* so much that there is no grid either: points of a lattice, weighted */
    bool
        adaptive; /* the grid goes on where the density does, not as a normal one would, and
                    is bent between its points: they may be farther apart */
    const bool *log_sd; /* (m) psi is the logarithm of an sd; NULL: not known */
    /* What makes it faster; each may be NULL. */
    /* The gradient (m) at psi, where the worker has just been; it may be another
       approximation's. false: it is not known. */
    bool (*gradient)(void *context, int worker, const double *psi, double *g);
    /* Minus the Hessian (m, m) there, after the gradient, which is the density's own; or
       about that,
       where it costs less. false: it is not known. */
    bool (*information)(void *context, int worker, const double *psi, bool exactly,
                        double *I);
    const double *stiff; /* (m) about minus the second derivatives, with `gradient` */
    /* The worker has just been at the i-th of the points -sqrt(2) and sqrt(2) in z_0, in
       z_1, ... or, first of all and for i = 2 m, at the mode; it will begin at z (m) from
       what was found there. Returns what is to be added to the density there; at z
       log_density() adds it. */
    double (*note)(void *context, int worker, int i, bool is_known);
    void (*begin_near)(void *context, int worker, const double *z);
    /* The worker has just been at the i-th of the places -apart and apart away from the mode along a
       coordinate of psi; it is about to be at the i-th, opposite the one where it was last;
       it is about to be at a psi not far from there, at a point, which it begins
       after begin_near; and has been at that point. */
    void (*note_axis)(void *context, int worker, int i, double apart);
    void (*begin_opposite)(void *context, int worker, int i);
    void (*begin_aside)(void *context, int worker, const double *psi);
    void (*begin_beside)(void *context, int worker, int point);
    void (*note_point)(void *context, int worker, int point);
    /* The worker has just been at a point that counts; then, in the order of the points and
       one at a time, with a weight that is right up to a factor. */
    void (*look)(void *context, int worker);
    void (*take)(void *context, int worker, int point, double weight);
    void (*forget)(void *context); /* all that was taken */
    /* Several processes, which have the same density and explore it together: each is at its part of the
       points, and all learn what it found there. comm NULL: this one is alone. */
    struct dlpi_comm *comm;
    dlp_index found,
        seen; /* how many numbers a worker finds at a point, and sees by `look` */
    /* What the worker has found, and with `looked` seen behind that; it is as if it had. */
    void (*pack)(void *context, int worker, bool looked, double *to);
    void (*unpack)(void *context, int worker, bool looked, const double *from);
    long (*effort)(void *context); /* of all workers so far, as a count */
    bool only_mode; /* nothing is integrated over: the one point is the mode */

    /* the result */
    dlp_outcome outcome;
    double *mode;         /* (m) */
    double log_mode;      /* the density there */
    double *root;         /* (m, m) psi = mode + root z */
    double *scale, *skew; /* (m) z = u (scale + skew tanh(u / 2)) makes u about N(0, 1) */
    int points;
    double *z;           /* (points, m) */
    double *log_p;       /* (points) the density there */
    double *weight;      /* (points) which add up to 1 */
    double log_evidence; /* of the mode alone, NAN */
    long evaluations;
    double
        stretch; /* of weighted points, which are those of a lattice of N(0, stretch^2) in u;
                       else 0 */
    /* Of points that were adapted (explore_adapt.h), or NULL: */
    double *centre, *spread; /* (m), (m, m) a lower triangle */
    double *count;           /* (points) how they count for a polynomial */
    double worth;       /* how many points that weigh the same they are, as a share */
    bool is_informed;   /* the Hessian is information's, about the mode */
    bool is_sharp;      /* and the points are being tried that a sharp density needs */
    bool even;          /* the points are those of a lattice and weigh the same */
    bool normal;        /* log p falls on all sides as if it were normal */
    bool nearly_normal; /* or nearly so */
    bool
        normal_to_two_digits; /* or to two digits, which is enough for a design; with `adaptive` alone */
    /* Of a grid: points at multiples of `apart` in each u; where each is, and which point is
       at a place, -1 for none. `reach` 0: there is no grid. */
    double apart;
    int reach;
    int *place;    /* (points, m) */
    int *at_place; /* (2 reach + 1)^m */

    double *work;
    int room;
    int settled; /* points before this one are known to all workers, whoever was there */
    long elsewhere; /* effort of other processes in this one's stead */
    dlp_status
        shared;    /* how telling each other went; after a failure there is no density, */
    dlp_error why; /*     and why */
} dlpi_explore;

/* Allocates the result; begins at mode, which the caller sets then. */
dlp_status dlpi_explore_alloc(dlpi_explore *e, dlp_index m, dlp_error *error);
void dlpi_explore_free(dlpi_explore *e); /* fine on a zeroed or failed one */
dlp_status dlpi_explore_run(dlpi_explore *e, dlp_error *error);

/* By all workers: the densities of n points psi (n, m). */
void dlpi_explore_evaluate(dlpi_explore *e, dlp_index n, const double *psi,
                           double *log_p);
/* explore_share.c: the same by several processes. */
void dlpi_explore_evaluate_shared(dlpi_explore *e, dlp_index n, const double *psi,
                                  double *log_p);
dlp_status dlpi_explore_visit_shared(dlpi_explore *e, int first, dlp_error *error);
/* explore_points.c. The i-th point, by the worker; psi (m) is room. true: it counts, */
bool dlpi_explore_visit(dlpi_explore *e, int i, int worker, double *psi);
double dlpi_explore_share(const dlpi_explore *e, int point); /* about so much */
/* explore_ascend.c. The mode by gradients, from e->mode on, and minus the Hessian there into
   e->root; *f is the density. false: it is left to differences of the density. */
dlp_status dlpi_explore_ascend(dlpi_explore *e, double *f, bool *found, dlp_error *error);
/* explore_points.c. Adds a point at z (m), which stands for so much volume; false without memory. */
bool dlpi_explore_add(dlpi_explore *e, const double *z, double volume);
/* The densities of the points from `first` on. */
dlp_status dlpi_explore_evaluate_from(dlpi_explore *e, int first, dlp_error *error);
/* From the mode and its surroundings to points and weights. */
dlp_status dlpi_explore_points(dlpi_explore *e, dlp_error *error);

/* Points on the axes alone, for a density that is normal to two digits; whether m allows them. */
dlp_status dlpi_explore_axes(dlpi_explore *e, dlp_error *error);
bool dlpi_explore_has_axes(const dlpi_explore *e);

/* What the points beside one of a grid weigh together. */
double dlpi_explore_beside(const dlpi_explore *e, int point);

/* The point at a place (m) of a grid, -1 for none. */
int dlpi_explore_point_at(const dlpi_explore *e, const int *place);

/* Or the mode alone. */
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

#endif
