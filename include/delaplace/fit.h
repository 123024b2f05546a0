/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonconjugate variational inference: Figure 1 of the paper, for any model.
 *
 *     dlp_fit *fit = NULL;
 *     if (dlp_fit_alloc(&model, NULL, &fit, &error) == DLP_OK &&
 *         dlp_fit_run(fit, NULL, &error) == DLP_OK) {
 *         const dlp_result *r = dlp_fit_result(fit);  // r->mu, r->Sigma, r->outcome
 *     }
 *     dlp_fit_free(fit);
 */
#ifndef DELAPLACE_FIT_H
#define DELAPLACE_FIT_H

#include <delaplace/model.h>
#include <delaplace/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The probability of the intervals in results, and the default for all others. */
#define DLP_INTERVAL_LEVEL 0.95

/* How a fit ended. Every outcome leaves a result without NaN in it; result.valid tells
   whether its numbers are an estimate. */
#define DLP_OUTCOME_LIST(X)                                                              \
    X(DLP_RUNNING, "running")               /* not ended yet */                          \
    X(DLP_CONVERGED, "converged")           /* the L2 rule held */                       \
    X(DLP_MAX_ITERATIONS, "max-iterations") /* settings.max_iter came first */           \
    X(DLP_NOT_CONCAVE, "not-concave")       /* no maximum with -H positive definite */   \
    X(DLP_DIVERGED, "diverged")             /* f or theta grew without limit */          \
    X(DLP_STALLED, "stalled")               /* f decreases along its gradient */         \
    X(DLP_CANCELLED, "cancelled")           /* the progress callback said stop */        \
    X(DLP_NOT_STARTED, "not-started")       /* before a run, or one that cannot start */ \
    X(DLP_FAILED, "failed")                 /* the model reported a failure */

typedef enum dlp_outcome {
#define DLP_OUTCOME_CODE(code, name) code,
    DLP_OUTCOME_LIST(DLP_OUTCOME_CODE)
#undef DLP_OUTCOME_CODE
} dlp_outcome;

/* "converged", "max-iterations", ...; never NULL. */
DLP_API const char *dlp_outcome_name(dlp_outcome outcome);

/* The names of the methods: "laplace", "delta", "previous-mean"; NULL from the
   end of the list on. */
DLP_API const char *dlp_method_name(int i);

/* One iteration, as the trace keeps it. */
typedef struct dlp_trace_row {
    int iteration;    /* from 1 */
    int evaluations;  /* calls of f in this iteration, those for differences included */
    double objective; /* eq:monitor, completed, after both updates */
    double change;    /* ||mu - mu_old||_2 by the update of q(theta) */
} dlp_trace_row;

/* Whether the objective fell in row i, from 0, by more than rounding. */
DLP_API int dlp_trace_fell(const dlp_trace_row *trace, int i);

/* Fill one by dlp_settings_default(). */
typedef struct dlp_settings {
    size_t size;        /* of the struct, as the program knows it */
    const char *method; /* one of dlp_method_name; default "laplace" */
    int diagonal;       /* non-zero: Sigma diagonal, Sigma_kk = 1/(-H_kk); default 0 */
    int taylor_eta;     /* non-zero: E[eta] by eq:eta-theta-approx even where the
                           model knows it exactly; default 0 */
    int plain;          /* non-zero: Figure 1 exactly; default 0: between iterations
                           mu takes Anderson steps ahead to the same fixed point,
                           often in a hundredth of the iterations */
    double tol;         /* stop when ||mu-mu_old|| <= tol (1+||mu||), each coordinate in
                           its own units, 1/sqrt|H_ii|; > 0; default 1e-8 */
    int max_iter;       /* iterations of Figure 1; default 1000, 1..1000000 */
    /* Called after each iteration and, with `polled` set, before each evaluation of f; a
       non-zero return cancels. Default NULL. */
    dlp_progress_call *progress;
    void *context;
} dlp_settings;

/* The defaults, into the first size bytes of settings. */
DLP_API void dlp_settings_init(dlp_settings *settings, size_t size);
static inline dlp_settings dlp_settings_default(void)
{
    dlp_settings settings;
    dlp_settings_init(&settings, sizeof settings);
    return settings;
}

/* The largest max_iter of any settings. */
enum { DLP_MOST_ITERATIONS = 1000000 };
/* What to try if max_iter iterations were too few: ten times as many, or the most. */
DLP_API int dlp_more_iterations(int max_iter);

typedef struct dlp_result {
    dlp_outcome outcome;
    int iterations;
    long evaluations;     /* calls of f, in all */
    double objective;     /* eq:monitor, completed, at (mu, Sigma, phi) */
    dlp_index n;          /* the dimension of theta */
    const double *mu;     /* (n) mean of q(theta) */
    const dlp_sym *Sigma; /* covariance of q(theta), in the model's shape: for a band,
                             border or pattern, only the entries of the shape */
    const dlp_trace_row *trace; /* (iterations) */
    int differenced;            /* derivatives replaced by differences, as bits: 1
                                   gradient, 2 Hessian, 4 trace gradient, 8 trace of eta.
                                   The cost of each grows with n: bit 4 (delta without
                                   trace_grad) needs 2n Hessians per step */
    int fallbacks;              /* delta: iterations that fell back to Laplace because the
                                   delta optimum was not found, far from Laplace's mean,
                                   far wider, or without -H positive definite */
    dlp_index worst;            /* not-concave: the coordinate where -H failed; else -1 */
    int valid; /* non-zero: q(theta) comes from an iteration. 0: there was none yet, or
                  the first one failed, so mu is the start and Sigma is I: numbers, but no
                  estimate */
} dlp_result;

typedef struct dlp_fit dlp_fit;
struct dlp_rng; /* random.h */

/* Checks the model's table and the settings (NULL: the defaults), and allocates all that
   the fit will need. Both are copied; the model's state must outlive the fit. */
DLP_API dlp_status dlp_fit_alloc(const dlp_model *model, const dlp_settings *settings,
                                 dlp_fit **fit, dlp_error *error);
DLP_API void dlp_fit_free(dlp_fit *fit); /* NULL is fine */

/* The whole of Figure 1 from mu = start (n; NULL: the start that the model offers, else the
   maximum of its `subsample`, else 0) and Sigma = I. Fails if f is not
   finite at the start, and with whatever the model's `failure` reports. If the progress
   callback cancels, the call ends soon with the last good q and DLP_OK or, if there is
   none yet, with DLP_ECANCELLED. */
DLP_API dlp_status dlp_fit_run(dlp_fit *fit, const double *start, dlp_error *error);

/* The same in steps: init, then step while not done. A step beyond the end does nothing. */
DLP_API dlp_status dlp_fit_init(dlp_fit *fit, const double *start, dlp_error *error);
DLP_API dlp_status dlp_fit_step(dlp_fit *fit, dlp_error *error);
DLP_API int dlp_fit_done(const dlp_fit *fit);

/* Valid until the fit is freed; changes with each step. */
DLP_API const dlp_result *dlp_fit_result(const dlp_fit *fit);
/* The standard deviations of q(theta), the square roots of Sigma's diagonal, into sd (n).
 */
DLP_API void dlp_fit_sd(const dlp_fit *fit, double *sd);
/*
 * The uncertainty to report, into sd (n). Sigma of the paper holds q(z) fixed and so is
 * too small in a model with z; this one comes from the curvature at mu of log p(x, theta)
 * with z integrated out. Returns 1 where the model offers it (`marginal`) and that
 * curvature is positive definite; else 0, and sd is dlp_fit_sd's. Without z the two are
 * the same and 1 is returned. 0 while the result is not valid.
 */
DLP_API int dlp_fit_marginal_sd(dlp_fit *fit, double *sd);
/* x := Sigma x, x (n), with all entries of Sigma, whatever the shape of the model: this
   gives a'Sigma b, the covariance of a'theta and b'theta, for any a and b. */
DLP_API void dlp_fit_apply_sigma(const dlp_fit *fit, double *x);
/* A draw from q(theta), into theta (n); random.h has dlp_rng_at. */
DLP_API void dlp_fit_draw(const dlp_fit *fit, struct dlp_rng *rng, double *theta);

#ifdef __cplusplus
}
#endif

#endif
