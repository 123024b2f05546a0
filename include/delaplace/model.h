/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model: p(theta, z, x) = p(x|z) p(z|theta) p(theta)   (eq:joint)
 *
 * theta in R^n is the nonconjugate variable, z the conjugate one, x the data. p(z|theta)
 * = h(z) exp{eta(theta)' t(z) - a(eta(theta))} (eq:z-dist). A model without z (a
 * regression) leaves out the functions of z.
 *
 * A model is a const table of functions and a state, which the functions get as m. The
 * functions of the library's own models cannot fail and allocate nothing; a model that
 * can fail (because it runs a script, say) returns NaN from f and reports why through
 * `failure`. examples/ has complete models; dlp_check_derivatives (check.h) checks the
 * mathematics.
 */
#ifndef DELAPLACE_MODEL_H
#define DELAPLACE_MODEL_H

#include <delaplace/sym.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A function of theta with optional derivatives: returns f(theta) and, if grad or hess is
 * not NULL, writes the whole gradient (n) and Hessian there, in one call so that common
 * terms are computed once. What is there before is not zero (dlp_sym_set_zero makes it
 * so). Outside the domain it returns -INFINITY or NaN, and then need not write
 * derivatives.
 */
typedef double dlp_function(void *m, const double *theta, double *grad, dlp_sym *hess);

/*
 * The table. Later versions of the library may add optional functions at its end, and
 * tell by `size` which of them a program was compiled with:
 *
 *     static const dlp_model_type my_type = {
 *         .size = sizeof my_type, .name = "mine", .f = my_f, .derivatives = 2};
 */
typedef struct dlp_model_type {
    size_t size; /* sizeof(dlp_model_type) */
    const char *name;

    /* Required: f(theta) = eta(theta)' E[t(z)] - a(eta(theta)) + log p(theta)
       (eq:f-laplace), all constants included; without z, log p(x, theta). */
    dlp_function *f;
    /* How many derivatives f writes: 2, 1 (gradient) or 0. Missing ones are replaced by
       finite differences, which are slower and less exact; dlp_result.differenced tells
       which. A model that does not write its Hessian has the shape DLP_BLOCKS. */
    int derivatives;

    /* Optional, for the delta method: writes grad (n) of Tr{hess f(theta) Sigma} with
       respect to theta, Sigma held fixed. Default: differences of the Hessian, 2n calls
       of f with its Hessian for each gradient of the delta method: a fit with n = 800
       then takes 16,000 evaluations instead of 13. */
    void (*trace_grad)(void *m, const double *theta, const dlp_sym *Sigma, double *grad);

    /* Optional, with derivatives == 2: f for a part of the data, scaled up to all of
       them. A fit without a given start begins at its maximum, which is cheap to find, or
       at 0 if this returns -INFINITY or has no maximum. */
    dlp_function *subsample;

    /* The conjugate variable z, whose q(z|phi) the model keeps in its state. All of
       the following, or update_z == NULL. */

    /* Computes E_q(z)[t(z)] from phi, for use by f. Figure 1, line 3. */
    void (*expect_stats)(void *m);
    /* Writes E_q(theta)[eta(theta)] (n_eta), exactly. Figure 1, line 5. Optional:
       where it is NULL the engine uses eq:eta-theta-approx through the next two. */
    void (*expect_eta)(void *m, const double *mu, const dlp_sym *Sigma, double *e_eta);
    /* Writes eta(theta) (n_eta). Needed when expect_eta is NULL. */
    void (*eta)(void *m, const double *theta, double *eta);
    /* Optional: writes Tr{hess eta_i(mu) Sigma} for each i. Default: differences. */
    void (*eta_trace)(void *m, const double *mu, const dlp_sym *Sigma, double *trace);
    /* Updates q(z) from E[eta(theta)] (eq:q-z-exact2). Figure 1, line 6. */
    void (*update_z)(void *m, const double *e_eta);
    /* The part of the objective that does not involve theta, given the newest statistics:
       E[log p(x|z)] + E[log h(z)] - E[log q(z)] (eq:monitor, completed). */
    double (*objective_z)(void *m);
    /* Optional: log p(x, theta) with z integrated out, with its derivatives, without
       touching q(z). It gives an uncertainty that does not hold z fixed:
       dlp_fit_marginal_sd. */
    dlp_function *marginal;

    /* Optional, with or without z: what went wrong inside the functions above. Called
       when f or subsample returned NaN, and after each iteration. DLP_OK: nothing. Any
       other status ends the fit, which returns it with the message written to error (not
       NULL); q is then the last good one. f is not called again in that run; the
       functions of z are, to restore q(z). m may forget a failure once it has reported
       it. */
    dlp_status (*failure)(void *m, dlp_error *error);

    /* Optional: writes theta (n), the start of a fit that is given none, for models whose
       f is not finite at 0. Returns 0 if it has no start to offer. */
    int (*start)(void *m, double *theta);
} dlp_model_type;

typedef struct dlp_model {
    const dlp_model_type *type;
    void *state;     /* handed to the functions as m */
    dlp_shape shape; /* of the Hessian of f; shape.n is the dimension of theta */
    dlp_index n_eta; /* the length of eta(theta); 0 without z */
} dlp_model;

#ifdef __cplusplus
}
#endif

#endif
