/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a fit: the data that the loop, the methods and the expectations share.
   Internal. */
#ifndef DLPI_INFER_H
#define DLPI_INFER_H

#include <delaplace/fit.h>

#include "infer/anderson.h"
#include "infer/listener.h"
#include "optim/optim.h"

/* q(theta) = N(mu, Sigma), with its precision factored. */
typedef struct dlpi_gaussian {
    double *mu; /* (n) */
    dlp_sym Sigma;
    dlp_cholesky *precision; /* Sigma^-1 */
    double log_det;          /* log |Sigma| */
} dlpi_gaussian;

/* A way to update q(theta): Figure 1, line 4. */
typedef struct dlpi_method {
    const char *name;
    /* Reads fit->old (the q of the last iteration) and fit->optim.at (f there); writes
       fit->q and fit->updated. DLP_RUNNING if it succeeded, else the reason why not. */
    dlp_outcome (*update_theta)(dlp_fit *fit);
} dlpi_method;

/* How far an update of q(theta) went. */
typedef enum dlpi_updated {
    DLPI_MOVED,     /* all the way, given the old q */
    DLPI_SETTLED,   /* the same, and nothing is left to do until q(z) changes */
    DLPI_UNFINISHED /* not all the way: the next update continues */
} dlpi_updated;

/* Carried over from one run to the next one of the same model, slightly changed. One fit
   may serve several models of the same shape in turn. */
typedef struct dlpi_warm_start {
    double *start;  /* (n) where to start: the mean; for delta, Laplace's mean */
    double *offset; /* (n) delta: from there to where the run ended */
    bool has_offset;
} dlpi_warm_start;

extern const dlpi_method dlpi_laplace, dlpi_delta, dlpi_previous_mean;

/* The method of that name, or NULL. */
const dlpi_method *dlpi_method_find(const char *name);

struct dlp_fit {
    dlp_model_type type; /* the model's table, whole */
    dlp_model model;     /* its type is the one above */
    dlp_settings settings;
    const dlpi_method *method;
    dlpi_listener listener; /* the caller's callback, which may stop the run */
    dlp_status failure;     /* the model's failure, in this run */
    dlp_error *error;       /* receives its message: the caller's, NULL between calls */

    dlpi_gaussian q, old;   /* now and at the last iteration */
    dlpi_optim optim;       /* maximises f */
    dlpi_optim delta;       /* the delta method's: maximises f + 1/2 Tr{hess f Sigma} */
    dlpi_anderson anderson; /* the fast route */
    dlpi_updated updated;   /* how far the last update of q(theta) went */
    struct {                /* written only in state.c */
        bool at;            /* optim.at is f at q.mu under the present q(z) */
        bool stats;         /* E[t(z)] belongs to the present q(z) */
    } current;

    /* delta */
    double *laplace;   /* (n) Laplace's mean */
    double *offset;    /* (n) from Laplace's mean to where this run ended, or the last */
    enum dlpi_offset { /* whose offset that is */
                       DLPI_NO_OFFSET,
                       DLPI_LAST_RUNS,
                       DLPI_THIS_RUNS
    } offset_is;
    double *e_eta;    /* (n_eta) E[eta(theta)] */
    double *eta;      /* (3 n_eta) for differences */
    double *shrink;   /* (n) how much the steps of differences must shrink */
    long evaluations; /* calls of the model's f */
    double *vector;   /* (5 n) for differences and the trace gradient */
    dlp_sym hess;     /* for Tr{hess f Sigma} and its differences */

    dlp_trace_row *trace;
    dlp_result result;
};

/* Completes the model's table in *type: entries unknown to a program compiled with an
   older header become NULL. Returns DLP_OK, or an error naming what the table lacks.
   check_model.c */
dlp_status dlpi_take_model(const dlp_model *given, dlp_model_type *type, dlp_model *model,
                           dlp_error *error);

/* Whether to stop, because the caller said so or the model failed. Called before each
   evaluation, so it asks the caller. state.c */
bool dlpi_is_stopped(dlp_fit *fit);
/* Asks the model whether it failed; the answer goes to fit->failure and fit->error. */
void dlpi_ask_failure(dlp_fit *fit);

/* f with all its derivatives: the model's own, or differences where it has none. A
   dlp_function over the fit. differences.c */
dlp_function dlpi_evaluate;
/* grad (n) of Tr{hess f(theta) Sigma}, the model's own or by differences. */
void dlpi_trace_grad(dlp_fit *fit, const double *theta, const dlp_sym *Sigma,
                     double *grad);
/* Which derivatives are differences, in the form of result.differenced. */
int dlpi_differenced(const dlp_model *model, const dlpi_method *method, bool taylor_eta);

/* The program's settings over the defaults; NULL: the defaults. fit.c */
dlp_settings dlpi_settings_of(const dlp_settings *given);

/* q = N(0, I), and no result yet. */
void dlpi_reset(dlp_fit *fit);

/* Saves where the next run may start; both in warm_start.c. */
void dlpi_fit_keep_warm(const dlp_fit *fit, dlpi_warm_start *warm);
/* dlp_fit_run from there. */
dlp_status dlpi_fit_run_warm(dlp_fit *fit, const dlpi_warm_start *warm, dlp_error *error);

/* What is currently known about f and z: state.c. A new run knows nothing. */
void dlpi_forget(dlp_fit *fit);
/* q.mu has changed: f there is unknown. */
void dlpi_mean_moved(dlp_fit *fit);
/* Evaluates f at q.mu with its derivatives into optim.at, unless already there. */
void dlpi_evaluate_at_mean(dlp_fit *fit);
/* Figure 1, line 3: E[t(z)], unless it is current. */
void dlpi_expect_stats(dlp_fit *fit);
/* Figure 1, line 6: q(z) from E[eta(theta)]. */
void dlpi_update_z(dlp_fit *fit);
/* Figure 1, line 5: E[eta(theta)], exactly or by eq:eta-theta-approx. taylor.c */
void dlpi_expect_eta(dlp_fit *fit);

/* q = N(optim.at.x, -H^-1) with H at optim.at (or its diagonal): the final step of each
   method. DLP_RUNNING, or DLP_NOT_CONCAVE. state.c */
dlp_outcome dlpi_set_q(dlp_fit *fit);
/* Laplace's update from optim.at; Newton's method stops at a step of tol. laplace.c */
dlp_outcome dlpi_update_theta_laplace(dlp_fit *fit, double tol);

/* The objective, eq:monitor completed, at the current q: monitor.c */
double dlpi_monitor(dlp_fit *fit);

/* A step this small ends an inner optimisation; the Newton step that follows squares the
   error. */
#define DLPI_INNER_TOL 1e-6
enum { DLPI_INNER_MAX_ITER = 200 };

#endif
