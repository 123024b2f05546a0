/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a model over constrained psi = T(theta) into one over theta, by the chain rule:
 *     f(theta) = f_psi(T(theta)) + log |dT/dtheta|.
 */
#include <delaplace/special.h>
#include <delaplace/transform.h>

#include "core/core.h"
#include "infer/infer.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

struct dlp_transformed {
    dlp_model_type inner_type;
    dlp_model inner;
    dlp_model_type type; /* of the model over theta */
    dlp_index n_psi, n_theta;
    dlp_index n_transforms;
    dlp_transform *transforms;
    bool has_simplex;
    double *psi;      /* (n_psi) */
    double *grad;     /* (n_psi) of the inner f */
    double *slope;    /* (n_theta) dpsi/dtheta of the componentwise kinds */
    double *diagonal; /* (n_theta) contributions of the curvature of T and of log|dT| */
    dlp_sym hess;     /* of the inner f; only with a simplex, whose size differs */
    double *J;        /* (n_psi, n_theta) dpsi/dtheta; only with a simplex */
    double *HJ;       /* (n_psi, n_theta) */
};

/* For one component: the derivatives psi' and psi'' in theta, and those of log psi'. */
typedef struct derivatives {
    double d1, d2, log_jacobian1, log_jacobian2;
} derivatives;

static derivatives component_derivatives(const dlp_transform *t, double theta)
{
    if (t->kind == DLP_POSITIVE) {
        const double e = exp(theta);
        return (derivatives){e, e, 1, 0};
    }
    if (t->kind == DLP_INTERVAL) {
        const double s = dlp_logistic(theta), r = dlp_logistic(-theta);
        const double width = t->upper - t->lower;
        return (derivatives){width * s * r, width * s * r * (r - s), r - s, -2 * s * r};
    }
    return (derivatives){1, 0, 0, 0};
}

/* Componentwise: grad_i = g_i psi_i' + (log psi_i')',
   hess_ij = psi_i' H_ij psi_j' + [i=j] (g_i psi_i'' + (log psi_i')'') */
static void chain_components(const dlp_transformed *T, const double *theta, double *grad,
                             dlp_sym *hess)
{
    dlp_index i = 0;
    for (dlp_index s = 0; s < T->n_transforms; s++)
        for (dlp_index end = i + T->transforms[s].n; i < end; i++) {
            const derivatives d = component_derivatives(&T->transforms[s], theta[i]);
            T->slope[i] = d.d1;
            T->diagonal[i] = T->grad[i] * d.d2 + d.log_jacobian2;
            if (grad) grad[i] = T->grad[i] * d.d1 + d.log_jacobian1;
        }
    if (!hess) return;
    dlp_sym_rescale(hess, T->slope);
    dlp_sym_add_diagonal(hess, T->diagonal);
}

/*
 * A simplex couples its components: with J = dpsi/dtheta, J_kj = psi_k ([k=j] - psi_j),
 *   grad_j = sum_k g_k J_kj + 1 - n psi_j
 *   hess   = J'HJ + sum_k g_k hess psi_k - n (diag psi - psi psi'),
 *   sum_k g_k d2psi_k/dtheta_i dtheta_j
 *          = [i=j] psi_i (g_i - c) - psi_i psi_j (g_i + g_j - 2c),  c = sum_k g_k psi_k.
 */
static void chain_simplex(const dlp_transformed *T, const dlp_transform *t,
                          dlp_index at_psi, dlp_index at, double *grad, double *hess)
{
    const dlp_index m = t->n - 1, N = T->n_theta;
    const double *psi = T->psi + at_psi, *g = T->grad + at_psi, n = (double)t->n;
    const double c = dlpi_dot(t->n, g, psi);
    for (dlp_index j = 0; j < m; j++) {
        if (grad) grad[at + j] = psi[j] * (g[j] - c) + 1 - n * psi[j];
        for (dlp_index i = 0; hess && i < m; i++)
            hess[(at + i) * N + at + j] += (i == j ? psi[i] * (g[i] - c - n) : 0) -
                                           psi[i] * psi[j] * (g[i] + g[j] - 2 * c - n);
    }
}

/* J for all transforms; zero outside their blocks. */
static void jacobian(const dlp_transformed *T, const double *theta)
{
    const dlp_index N = T->n_theta;
    memset(T->J, 0, (size_t)(T->n_psi * N) * sizeof *T->J);
    dlp_index p = 0, q = 0;
    for (dlp_index s = 0; s < T->n_transforms; s++) {
        const dlp_transform *t = &T->transforms[s];
        const dlp_index m = dlp_transform_dimension(t);
        for (dlp_index k = 0; k < t->n; k++)
            for (dlp_index j = 0; j < m; j++) {
                double *entry = &T->J[(p + k) * N + q + j];
                if (t->kind == DLP_SIMPLEX)
                    *entry = T->psi[p + k] * ((k == j) - T->psi[p + j]);
                else if (k == j)
                    *entry = component_derivatives(t, theta[q + j]).d1;
            }
        p += t->n;
        q += m;
    }
}

/* hess = J'HJ, dense */
static void congruence(const dlp_transformed *T, const double *H, double *hess)
{
    const dlp_index n = T->n_psi, N = T->n_theta;
    memset(T->HJ, 0, (size_t)(n * N) * sizeof *T->HJ);
    memset(hess, 0, (size_t)(N * N) * sizeof *hess);
    for (dlp_index k = 0; k < n; k++)
        for (dlp_index l = 0; l < n; l++)
            for (dlp_index j = 0; j < N; j++)
                T->HJ[k * N + j] += H[k * n + l] * T->J[l * N + j];
    for (dlp_index k = 0; k < n; k++)
        for (dlp_index i = 0; i < N; i++)
            for (dlp_index j = 0; j < N; j++)
                hess[i * N + j] += T->J[k * N + i] * T->HJ[k * N + j];
}

static void chain_with_simplex(const dlp_transformed *T, const double *theta,
                               double *grad, dlp_sym *hess)
{
    double *H = hess ? dlp_sym_block(hess, 0) : NULL;
    if (hess) {
        jacobian(T, theta);
        congruence(T, dlp_sym_block(&T->hess, 0), H);
    }
    dlp_index p = 0, q = 0;
    for (dlp_index s = 0; s < T->n_transforms; s++) {
        const dlp_transform *t = &T->transforms[s];
        if (t->kind == DLP_SIMPLEX) {
            chain_simplex(T, t, p, q, grad, H);
        } else {
            for (dlp_index i = 0; i < t->n; i++) {
                const derivatives d = component_derivatives(t, theta[q + i]);
                if (grad) grad[q + i] = T->grad[p + i] * d.d1 + d.log_jacobian1;
                if (H)
                    H[(q + i) * (T->n_theta + 1)] +=
                        T->grad[p + i] * d.d2 + d.log_jacobian2;
            }
        }
        p += t->n;
        q += dlp_transform_dimension(t);
    }
}

void dlp_transformed_apply(const dlp_transformed *T, const double *theta, double *psi)
{
    for (dlp_index s = 0; s < T->n_transforms; s++) {
        dlp_transform_apply(&T->transforms[s], theta, psi);
        theta += dlp_transform_dimension(&T->transforms[s]);
        psi += T->transforms[s].n;
    }
}

void dlp_transformed_invert(const dlp_transformed *T, const double *psi, double *theta)
{
    for (dlp_index s = 0; s < T->n_transforms; s++) {
        dlp_transform_invert(&T->transforms[s], psi, theta);
        theta += dlp_transform_dimension(&T->transforms[s]);
        psi += T->transforms[s].n;
    }
}

/* f(theta) = f_psi(T(theta)) + log |dT/dtheta| */
static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_transformed *T = state;
    dlp_sym *inner_hess = hess && T->has_simplex ? &T->hess : hess;
    dlp_transformed_apply(T, theta, T->psi);
    double value = T->inner.type->f(T->inner.state, T->psi, grad || hess ? T->grad : NULL,
                                    inner_hess);
    const double *at = theta;
    for (dlp_index s = 0; s < T->n_transforms; s++) {
        value += dlp_transform_log_jacobian(&T->transforms[s], at);
        at += dlp_transform_dimension(&T->transforms[s]);
    }
    if (!isfinite(value) || !(grad || hess)) return value;
    if (T->has_simplex)
        chain_with_simplex(T, theta, grad, hess);
    else
        chain_components(T, theta, grad, hess);
    return value;
}

static void expect_stats(void *state)
{
    dlp_transformed *T = state;
    T->inner.type->expect_stats(T->inner.state);
}

static void eta(void *state, const double *theta, double *out)
{
    dlp_transformed *T = state;
    dlp_transformed_apply(T, theta, T->psi);
    T->inner.type->eta(T->inner.state, T->psi, out);
}

static void update_z(void *state, const double *e_eta)
{
    dlp_transformed *T = state;
    T->inner.type->update_z(T->inner.state, e_eta);
}

static double objective_z(void *state)
{
    dlp_transformed *T = state;
    return T->inner.type->objective_z(T->inner.state);
}

static dlp_status failure(void *state, dlp_error *error)
{
    dlp_transformed *T = state;
    return T->inner.type->failure(T->inner.state, error);
}

/* The table offers what the inner model does, minus what a transform rules out. */
static dlp_model_type type_over(const dlp_model_type *inner)
{
    dlp_model_type type = {.size = sizeof type,
                           .name = inner->name,
                           .f = f,
                           .derivatives = inner->derivatives,
                           .failure = inner->failure ? failure : NULL};
    if (inner->update_z) {
        type.expect_stats = expect_stats;
        type.eta = eta;
        type.update_z = update_z;
        type.objective_z = objective_z;
    }
    return type;
}

dlp_model dlp_transformed_model(dlp_transformed *T)
{
    dlp_model model = T->inner;
    model.type = &T->type;
    model.state = T;
    if (T->has_simplex) model.shape = dlp_shape_dense(T->n_theta);
    return model;
}

static dlp_status check_transform(const dlp_transform *t, dlp_index s, dlp_error *error)
{
    if (t->kind < DLP_REAL || t->kind > DLP_SIMPLEX)
        return dlp_fail(error, DLP_EINVAL,
                        "transform %td has an unknown kind; see dlp_transform_kind", s);
    if (t->n < (t->kind == DLP_SIMPLEX ? 2 : 1))
        return dlp_fail(
            error, DLP_EINVAL,
            "transform %td has n = %td; n must be at least 1, and 2 for a simplex", s,
            t->n);
    if (t->kind == DLP_POSITIVE && !isfinite(t->lower))
        return dlp_fail(
            error, DLP_EINVAL,
            "transform %td: lower is not finite; give the bound that psi exceeds", s);
    if (t->kind == DLP_INTERVAL &&
        !(isfinite(t->upper - t->lower) && t->lower < t->upper))
        return dlp_fail(error, DLP_EINVAL,
                        "transform %td: the interval (%g, %g) needs finite lower < upper",
                        s, t->lower, t->upper);
    return DLP_OK;
}

static dlp_status check_transforms(const dlp_model *inner, dlp_index n,
                                   const dlp_transform *transforms, dlp_error *error)
{
    dlp_index psi = 0;
    bool simplex = false;
    for (dlp_index s = 0; s < n; s++) {
        DLP_TRY(check_transform(&transforms[s], s, error));
        psi = dlpi_size(1, transforms[s].n, psi);
        simplex |= transforms[s].kind == DLP_SIMPLEX;
    }
    if (psi != inner->shape.n)
        return dlp_fail(error, DLP_EINVAL,
                        "the transforms cover %td components, the model has %td; give "
                        "every component one"
                        " transform",
                        psi, inner->shape.n);
    if (inner->type->update_z && !inner->type->eta)
        return dlp_fail(error, DLP_EINVAL, "model %s needs eta to be transformed",
                        inner->type->name);
    if (simplex && (inner->shape.structure != DLP_BLOCKS || inner->shape.n_blocks != 1))
        return dlp_fail(
            error, DLP_EINVAL,
            "a simplex needs a model with a dense Hessian; use dlp_shape_dense");
    return DLP_OK;
}

static dlp_status allocate(dlp_transformed *T, dlp_error *error)
{
    T->transforms = dlpi_calloc(T->n_transforms, sizeof *T->transforms);
    T->psi = dlpi_calloc(T->n_psi, sizeof *T->psi);
    T->grad = dlpi_calloc(T->n_psi, sizeof *T->grad);
    T->slope = dlpi_calloc(T->n_theta, sizeof *T->slope);
    T->diagonal = dlpi_calloc(T->n_theta, sizeof *T->diagonal);
    if (!T->transforms || !T->psi || !T->grad || !T->slope || !T->diagonal)
        return dlpi_no_memory(error, "a transformed model");
    if (!T->has_simplex) return DLP_OK;
    DLP_TRY(dlp_sym_alloc(T->inner.shape, &T->hess, error));
    T->J = dlpi_calloc(dlpi_size(T->n_psi, T->n_theta, 0), sizeof *T->J);
    T->HJ = dlpi_calloc(dlpi_size(T->n_psi, T->n_theta, 0), sizeof *T->HJ);
    return T->J && T->HJ ? DLP_OK : dlpi_no_memory(error, "a transformed model");
}

dlp_status dlp_transformed_alloc(const dlp_model *inner, dlp_index n_transforms,
                                 const dlp_transform *transforms,
                                 dlp_transformed **transformed, dlp_error *error)
{
    dlp_status status;
    *transformed = NULL;
    dlp_transformed *T = dlpi_calloc(1, sizeof *T);
    if (!T) return dlpi_no_memory(error, "a transformed model");
    DLP_TRY_OR(failed, dlpi_take_model(inner, &T->inner_type, &T->inner, error));
    DLP_TRY_OR(failed, check_transforms(&T->inner, n_transforms, transforms, error));
    T->type = type_over(&T->inner_type);
    T->n_psi = T->n_theta = inner->shape.n;
    T->n_transforms = n_transforms;
    for (dlp_index s = 0; s < n_transforms; s++) {
        T->has_simplex |= transforms[s].kind == DLP_SIMPLEX;
        T->n_theta -= transforms[s].kind == DLP_SIMPLEX;
    }
    DLP_TRY_OR(failed, allocate(T, error));
    memcpy(T->transforms, transforms, (size_t)n_transforms * sizeof *transforms);
    *transformed = T;
    return DLP_OK;
failed:
    dlp_transformed_free(T);
    return status;
}

void dlp_transformed_free(dlp_transformed *T)
{
    if (!T) return;
    free(T->transforms);
    free(T->psi);
    free(T->grad);
    free(T->slope);
    free(T->diagonal);
    free(T->J);
    free(T->HJ);
    dlp_sym_free(&T->hess);
    free(T);
}
