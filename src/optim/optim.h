/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maximises f: by Newton's method with a Hessian, by L-BFGS without. Both end with a
 * named outcome after a bounded number of evaluations, whatever f returns, and never
 * move to a point where f or its gradient is not finite.
 *
 * The units of x do not matter. Newton's step, its slope and the Cholesky factor behind
 * them are the same in any units (scaling rows and columns by powers of two changes no
 * bit of the factor's mantissas), so nothing is rescaled. Only the length of a step
 * depends on units, so we measure lengths in `unit`, the natural unit of each
 * coordinate. Internal.
 */
#ifndef DLPI_OPTIM_H
#define DLPI_OPTIM_H

#include <delaplace/fit.h>
#include <stdbool.h>

/* f and its derivatives at a point. */
typedef struct dlpi_point {
    double *x;    /* (n) */
    double *grad; /* (n) */
    dlp_sym hess;
    double f;
} dlpi_point;

enum { DLPI_LBFGS_PAIRS = 8 };

/* The workspace; `at` is both the start and the result. */
typedef struct dlpi_optim {
    dlp_index n;
    dlp_function *f;
    void *context;
    bool with_hess;       /* evaluations include the Hessian */
    dlpi_point at;        /* the best point so far */
    dlpi_point trial;     /* the point being tried */
    dlp_sym P;            /* -H plus a ridge */
    dlp_cholesky *metric; /* P factored; L-BFGS may use it as its first metric */
    /* v := M^-1 v, in the caller's own metric, used instead; NULL: none */
    void (*solve)(void *context, double *v);
    bool trusts;      /* Newton: the last step need not be evaluated if tiny */
    double in_sds;    /* settled is a full step of this many sds, whatever the units of x,
                         and the last is taken without being evaluated; 0: by tol */
    dlp_index failed; /* where -H last failed to be positive definite */
    double *step;     /* (n) */
    double *unit;     /* (n) of x: 1 until dlpi_optim_measure */
    double *scale;    /* (n) of the ridge */
    double *S, *Y;    /* (pairs, n) L-BFGS: steps, and decreases of the gradient */
    double *solved;   /* (n) L-BFGS: M^-1 grad(at), M the first metric */
    double *solved_Y; /* (pairs, n) L-BFGS: M^-1 y */
    double *block;    /* the single allocation behind the vectors above */
    double size;      /* the length of at.x in units at the start of an iteration */
    long evaluations;
    double slope; /* L-BFGS: the gain that the last full step promised */
} dlpi_optim;

dlp_status dlpi_optim_alloc(dlpi_optim *o, dlp_shape shape, dlp_function *f,
                            void *context, dlp_error *error);
void dlpi_optim_free(dlpi_optim *o); /* fine on a zeroed or failed one */

/* Evaluates f at o->at.x, with its gradient and, when with_hess, its Hessian. */
void dlpi_optim_evaluate(dlpi_optim *o);
/* Sets the units from H(at): a power of two near 1/sqrt|H_ii|, the standard deviation of
   x_i when the others are held; 1 where there is no curvature. */
void dlpi_optim_measure(dlpi_optim *o);
/* The length of v (n) in these units. */
double dlpi_optim_length(const dlpi_optim *o, const double *v);
/* Whether `at` has a finite value, gradient and (with_hess) Hessian diagonal. */
bool dlpi_optim_finite(const dlpi_optim *o);

/* Factors -H(at) + ridge into o->metric, with the smallest ridge tried that makes it
   positive definite. Returns the ridge relative to the diagonal, 0 when none was
   needed, NAN when none sufficed. */
double dlpi_optim_factor(dlpi_optim *o);

/* Both start from `at`, evaluated (Newton: with its Hessian), stop when dlpi_settled, and
   leave `at` evaluated in the same way. L-BFGS does not use a Hessian, but keeps it up to
   date if with_hess is set. */
dlp_outcome dlpi_newton(dlpi_optim *o, double tol, int max_iter);
/* with_metric: begin from o->metric instead of a multiple of the identity. */
dlp_outcome dlpi_lbfgs(dlpi_optim *o, bool with_metric, double tol, int max_iter);

/* Shared by the two, in search.c. Steps from `at` along o->step, where f should rise by
   slope alpha + 1/2 curvature alpha^2. Returns the alpha taken, in (0, 1], with `at` the
   new point and `trial` the old one; 0 when there was none. */
double dlpi_line_search(dlpi_optim *o, double slope, double curvature);
/* Moves to at + o->step, where f may be equal up to rounding; `trial` keeps the old
   point. false: f is lower there. */
bool dlpi_take_full_step(dlpi_optim *o);
/* Undoes that step. */
void dlpi_take_back(dlpi_optim *o);
/* The factor of the next step where f is not concave: it grows while full steps
   succeed. */
double dlpi_stretch(double stretch, double alpha);
/* Limits o->step to a plausible length; returns its length in units. */
double dlpi_limit_step(dlpi_optim *o);
/* Whether the full step, of this length and slope, is the last: short in units, ||step||
   <= tol (1 + ||x||), and short in standard deviations. The slope is the sum of their
   squares: slope <= n tol / 100, or below the rounding of f. With in_sds, the square of
   that times n is the limit. */
bool dlpi_settled(const dlpi_optim *o, double length, double slope, double tol);
/* How much f may appear to fall by rounding alone. */
double dlpi_rounding(double f);
/* Beyond this length in units x has diverged, and above this height f has. */
#define DLPI_FAR  1e25
#define DLPI_HIGH 1e300
bool dlpi_optim_diverged(dlpi_optim *o); /* sets o->size */

#endif
