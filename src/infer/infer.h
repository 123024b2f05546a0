/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a fit: what the loop, the methods and the expectations share. Internal. */
#ifndef DLPI_INFER_H
#define DLPI_INFER_H

#include <delaplace/fit.h>

#include "infer/anderson.h"
#include "optim/optim.h"

/* q(theta) = N(mu, Sigma), with its precision factored. */
typedef struct dlpi_gaussian {
    double *mu; /* (n) */
    dlp_sym Sigma;
    dlp_factor *precision; /* Sigma^-1 */
    double log_det;        /* log |Sigma| */
} dlpi_gaussian;

/* A way to update q(theta): Figure 1, line 4. */
typedef struct dlpi_method {
    const char *name;
    /* Reads fit->old (the q of the last iteration) and fit->optim.at (f there); writes
       fit->q. DLP_RUNNING when done, else why it could not. */
    dlp_outcome (*update_theta)(dlp_fit *fit);
} dlpi_method;

extern const dlpi_method dlpi_laplace, dlpi_delta, dlpi_previous_mean;

/* The method of that name, or NULL. */
const dlpi_method *dlpi_method_find(const char *name);

struct dlp_fit {
    dlp_model model;
    dlp_settings settings;
    const dlpi_method *method;

    dlpi_gaussian q, old;   /* now, and at the last iteration */
    dlpi_optim optim;       /* maximises f */
    bool at_is_current;     /* optim.at is f at q.mu under the current q(z) */
    dlpi_optim delta;       /* the delta method's: maximises f + 1/2 Tr{hess f Sigma} */
    dlpi_anderson anderson; /* the fast route */
    bool settled;           /* the last update left nothing to do until q(z) changes */
    bool at_maximum;        /* the last update of q(theta) went all the way */
    bool stats_current;     /* E[t(z)] belongs to the current q(z) */

    double *laplace; /* (3n) delta: Laplace's mean and sds, and delta's mean from there */
    bool climbed;    /* delta: all three are those of this run */
    bool warm;       /* delta: the last are those of the run before */
    double *e_eta;   /* (n_eta) E[eta(theta)] */
    double *eta;     /* (3 n_eta) for differences */
    double *shrink;  /* (n) how much shorter the steps of differences must be */
    long evaluations; /* calls of the model's f */
    double *vector;   /* (5 n) for differences and the trace gradient */
    dlp_sym hess;     /* for Tr{hess f Sigma} and its differences */

    dlp_trace_row *trace;
    dlp_result result;
};

/* DLP_OK, or what the model's table lacks: check_model.c */
dlp_status dlpi_check_model(const dlp_model *model, dlp_error *error);

/* f with all its derivatives: the model's own, or differences where it has none.
   A dlp_function over the fit. differences.c */
dlp_function dlpi_evaluate;
/* grad (n) of Tr{hess f(theta) Sigma}, the model's own or by differences. */
void dlpi_trace_grad(dlp_fit *fit, const double *theta, const dlp_sym *Sigma,
                     double *grad);
/* Which derivatives are differences, as result.differenced says it. */
int dlpi_differenced(const dlp_model *model, const dlpi_method *method, bool taylor_eta);

/* q = N(0, I), and no result yet. */
void dlpi_reset(dlp_fit *fit);

/* What a run leaves behind for the next one of the same model, which has changed a little
   by then. One fit may serve several models of a shape in turn. */
typedef struct dlpi_trail {
    double *start; /* (n) where to start: at the mean; delta: at Laplace's */
    double *away;  /* (n) delta: how far from there the run ended */
    bool climbed;  /* there is such a distance */
} dlpi_trail;

void dlpi_fit_leave(const dlp_fit *fit, dlpi_trail *trail);
/* dlp_fit_run from there. */
dlp_status dlpi_fit_rerun(dlp_fit *fit, const dlpi_trail *trail, dlp_error *error);

/* Figure 1, line 3: E[t(z)], unless it is current. */
void dlpi_expect_stats(dlp_fit *fit);
/* Figure 1, line 5: E[eta(theta)], exactly or by eq:eta-theta-approx. taylor.c */
void dlpi_expect_eta(dlp_fit *fit);

/* q = N(optim.at.x, -H^-1) with H at optim.at (or its diagonal): the end of each
   method. DLP_RUNNING, or DLP_NOT_CONCAVE. */
dlp_outcome dlpi_set_q(dlp_fit *fit);
/* Laplace's update from optim.at, where Newton's method ends with a step of tol:
   laplace.c */
dlp_outcome dlpi_update_theta_laplace(dlp_fit *fit, double tol);

/* The objective, eq:monitor completed, at the present q: monitor.c */
double dlpi_monitor(dlp_fit *fit);

/* A step this small is the end of an inner optimisation; the Newton step behind it
   squares the error. */
#define DLPI_INNER_TOL 1e-6
enum { DLPI_INNER_MAX_ITER = 200 };

#endif
