/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bayesian generalised linear models: y_n ~ family(link^-1(x_n'beta + offset_n)) with a
 * Gaussian or Student-t prior on beta (Section 4.2 and Appendix C for the logistic case).
 * theta is beta, followed, in families that have a scale, by its logarithm tau. For
 * "multinomial" it is the coefficients of level 1, of level 2, ... (level 0 is the
 * reference); for "ordinal", beta (x without a constant), then delta: the cut points are
 * c_0 = delta_0, c_j = c_(j-1) + exp(delta_j), and p(y <= j) = sigma(c_j - x'beta).
 */
#ifndef DELAPLACE_GLM_H
#define DELAPLACE_GLM_H

#include <delaplace/family.h>
#include <delaplace/fit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Larger numbers are refused, and so, for numbers that are divided by, are those smaller
   than 1e-100: squares and cubes must not overflow. Within these limits units do not
   matter: a column in other units, with its prior, gives the same posterior in those
   units. */
#define DLP_GLM_LARGEST 1e100

/* The default degrees of freedom of a student response. */
#define DLP_GLM_DF 4

/* The data, which the caller keeps for as long as the model: no copy is taken. */
typedef struct dlp_glm_data {
    dlp_index N, p;         /* rows, and columns of X */
    const double *const *x; /* (p) columns, each (N) */
    const double *y;        /* (N) the response; binomial: successes; censored: its lower
                               limit */
    const double *trials;   /* (N) binomial: trials, NULL: 1 each. Censored: the upper
                               limit, y itself where the response is known exactly,
                               infinity if there is none; NULL: y each */
    const double *offset;   /* (N) or NULL */
    const double *weight;   /* (N) a row with weight w counts as w rows; NULL: 1 each */
    dlp_index levels;       /* multinomial, ordinal: y is 0, 1, ..., levels - 1 */
    double df;              /* student: the degrees of freedom; 0: DLP_GLM_DF */
    struct dlpi_division *division; /* the library's own: NULL */
} dlp_glm_data;

/* The prior of beta, copied. */
typedef struct dlp_glm_prior {
    size_t size;              /* set by dlp_glm_prior_default */
    const double *mean;       /* (p); NULL: 0 */
    double sd_all;            /* the sd of every coefficient, if the next two are NULL */
    const double *sd;         /* (p) the sd of each coefficient */
    const double *covariance; /* (p, p) Sigma_0, for a Gaussian prior only */
    double df;                /* 0: Gaussian; > 0: independent Student-t, scaled by sd */
    const double *df_each;    /* (p) the df of each coefficient; NULL: df for all */
    double scale_mean;        /* tau, and each delta, ~ N(scale_mean, scale_sd^2) */
    double scale_sd;
    double first_cut_sd;  /* ordinal: the sd of the first cut point around 0; 0:
                             scale_sd */
    int symmetric_levels; /* multinomial with a Gaussian prior, non-zero: the coefficients
                             of two levels have correlation 1/2, as differences from a
                             third level do, so that it does not matter which level is the
                             reference; 0: independent */
} dlp_glm_prior;

/* N(0, I) on beta, as in the paper; tau ~ N(0, 5^2), which is wide: two sds multiply or
   divide exp(tau) by 20,000. */
DLP_API void dlp_glm_prior_init(dlp_glm_prior *prior, size_t size);
static inline dlp_glm_prior dlp_glm_prior_default(void)
{
    dlp_glm_prior prior;
    dlp_glm_prior_init(&prior, sizeof prior);
    return prior;
}

/* The length of theta for p columns and, in families with levels, that many levels; 0 if
   there is no such model. */
DLP_API dlp_index dlp_glm_parameters(const char *family, dlp_index p, dlp_index levels);

typedef struct dlp_glm dlp_glm;

/* family as family.h lists them; link and prior NULL: the default ones. Checks that every number is
   finite and not too large, and that every response is possible; the error names the
   row, counted from 1. */
DLP_API dlp_status dlp_glm_alloc(const char *family, const char *link,
                                 const dlp_glm_data *data, const dlp_glm_prior *prior,
                                 dlp_glm **glm, dlp_error *error);
DLP_API void dlp_glm_free(dlp_glm *glm); /* NULL is fine */

/* Sets the number of threads (initially 1) that evaluate a regression with one linear
   predictor and more than 16,384 rows. The result does not depend on it. Each thread
   needs memory for O(p^2) numbers. DLP_EINVAL outside 1 to 1024, DLP_ENOMEM. */
DLP_API dlp_status dlp_glm_use_threads(dlp_glm *glm, int threads, dlp_error *error);

/* The model to fit; its Hessian is dense, of the order of theta. An evaluation costs
   O(N p^2), for a multinomial times levels^2/2. */
DLP_API dlp_model dlp_glm_model(dlp_glm *glm);

/* Turns the model into Jaakkola & Jordan's lower bound of the logistic model, the paper's
   baseline: fit it with the method "laplace", which is then exact. Only for logit
   links. */
DLP_API dlp_status dlp_glm_use_jaakkola_jordan(dlp_glm *glm, dlp_error *error);

/*
 * The exact posterior of a gaussian regression whose coefficients have a Gaussian prior:
 * mean mu (n), covariance Sigma (n, n) and log evidence. Given tau the coefficients are
 * normal, and tau is integrated out. O(N p^2 + p^3), for any number of rows and columns.
 * DLP_EINVAL for other models: see dlp_glm_can_integrate.
 */
DLP_API int dlp_glm_can_integrate(const dlp_glm *glm);
DLP_API dlp_status dlp_glm_integrate(dlp_glm *glm, double *mu, double *Sigma,
                                     double *log_evidence, dlp_error *error);

/*
 * The posterior of a regression with many columns for its rows: mean mu (n) and
 * covariance Sigma (n, n). A scale is integrated out numerically: the joint mode of all
 * parameters underestimates the noise, and with as many columns as rows it has none.
 * Given tau the coefficients are fitted by the settings' method; for "delta", expectation
 * propagation is used, which is more accurate if single rows are influential, and the
 * delta method where that does not converge. It costs about a hundred fits that start
 * close to their solution, each O(N p^2 + p^3); without propagation O(N^2 p) more.
 * DLP_EINVAL if dlp_glm_can_fit_wide is 0: for responses with levels, and for Jaakkola &
 * Jordan's bound.
 */
typedef struct dlp_glm_wide {
    dlp_outcome outcome; /* DLP_CONVERGED, or the outcome of the first fit, at a value of
                            tau that matters, that did not converge */
    int nodes;           /* values of tau that matter: each weighs more than 0.001 */
    int propagated;      /* non-zero: by expectation propagation, except at fallbacks */
    int fallbacks;       /* values at which propagation, or the delta method, failed */
    long evaluations;    /* of f, or sweeps of propagation, in all */
    double log_evidence; /* the objective of this method: approximately log p(y) */
} dlp_glm_wide;

DLP_API int dlp_glm_can_fit_wide(const dlp_glm *glm);
DLP_API dlp_status dlp_glm_fit_wide(dlp_glm *glm, const dlp_settings *settings,
                                    double *mu, double *Sigma, dlp_glm_wide *end,
                                    dlp_error *error);

/*
 * Predictions for rows of new data (p columns as at the fit; y is needed for the log
 * densities only). Each output may be NULL. Families with several levels write the
 * probabilities and log densities (ordinal also eta and eta_sd), the others everything
 * except the probabilities.
 */
typedef struct dlp_glm_prediction {
    double *eta;           /* (N) mean of the linear predictor under q */
    double *eta_sd;        /* (N) its sd */
    double *mean;          /* (N) E[y] (a proportion for binomials) at theta = mu */
    double *mean_averaged; /* (N) the same averaged over q(theta) */
    double *lower, *upper; /* (N) the middle 95 % of E[y] over q(eta) */
    /* (N) the middle 95 % of a new y, over q too: whole numbers if responses are counts
       (out of data->trials for binomials). DLP_EINVAL for bernoulli and several
       levels. */
    double *observed_lower, *observed_upper;
    double *log_density;          /* (N) log p(y | theta = mu), the paper's */
    double *log_density_averaged; /* (N) log E_q[p(y | theta)] */
    double *probability;          /* (N, levels) of each level at theta = mu */
    double *probability_averaged; /* (N, levels) the same averaged over q(theta) */
    double interval_level;        /* between 0 and 1; 0: 0.95 */
} dlp_glm_prediction;

DLP_API dlp_status dlp_glm_predict(const char *family, const char *link,
                                   const dlp_glm_data *data, const double *mu,
                                   const dlp_sym *Sigma, const dlp_glm_prediction *out,
                                   dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
