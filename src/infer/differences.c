/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivatives a model leaves out, by central differences of those it has. */
#include "infer/infer.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A step for x that balances truncation, h^2, against noise of relative size `noise`
   over h^order; the sum x + h is exact. */
static double difference_step(double x, double noise, int order)
{
    const double h = pow(noise, 1.0 / (2 + order)) * fmax(1, fabs(x));
    volatile double shifted = x + h;
    return shifted - x;
}

static double value(dlp_fit *fit, const double *theta)
{
    return fit->model.type->f(fit->model.state, theta, NULL, NULL);
}

/* Sets x[i] to centre + shift, evaluates, puts centre back. */
static double value_at(dlp_fit *fit, double *x, dlp_index i, double shift)
{
    const double centre = x[i];
    x[i] = centre + shift;
    const double f = value(fit, x);
    x[i] = centre;
    return f;
}

static void gradient_by_values(dlp_fit *fit, const double *theta, double *grad)
{
    const dlp_index n = fit->model.shape.n;
    double *x = fit->vector + n;
    memcpy(x, theta, (size_t)n * sizeof *x);
    for (dlp_index i = 0; i < n; i++) {
        const double h = difference_step(x[i], DBL_EPSILON, 1);
        grad[i] = (value_at(fit, x, i, h) - value_at(fit, x, i, -h)) / (2 * h);
    }
}

/* Block (b, b) beginning at coordinate `first`, from values of f alone. */
static void block_by_values(dlp_fit *fit, double *x, double f, dlp_index first,
                            dlp_index b, double *H)
{
    for (dlp_index i = 0; i < b; i++) {
        const double xi = x[first + i], hi = difference_step(xi, DBL_EPSILON, 2);
        H[i * b + i] =
            (value_at(fit, x, first + i, hi) - 2 * f + value_at(fit, x, first + i, -hi)) /
            (hi * hi);
        for (dlp_index j = 0; j < i; j++) {
            const double hj = difference_step(x[first + j], DBL_EPSILON, 2);
            x[first + i] = xi + hi;
            const double up =
                value_at(fit, x, first + j, hj) - value_at(fit, x, first + j, -hj);
            x[first + i] = xi - hi;
            const double down =
                value_at(fit, x, first + j, hj) - value_at(fit, x, first + j, -hj);
            x[first + i] = xi;
            H[i * b + j] = H[j * b + i] = (up - down) / (4 * hi * hj);
        }
    }
}

static dlp_index block_size(const dlp_shape *shape, dlp_index k)
{
    return shape->block ? shape->block[k] : shape->n;
}

static void hessian_by_values(dlp_fit *fit, const double *theta, double f, dlp_sym *hess)
{
    const dlp_shape *shape = &fit->model.shape;
    double *x = fit->vector + shape->n, *H = hess->a;
    memcpy(x, theta, (size_t)shape->n * sizeof *x);
    for (dlp_index k = 0, first = 0; k < shape->n_blocks; k++) {
        const dlp_index b = block_size(shape, k);
        block_by_values(fit, x, f, first, b, H);
        first += b;
        H += b * b;
    }
}

/* The gradient with coordinate c of every block moved by `sign` steps. Blocks do not
   feel each other, so one gradient serves them all. */
static void shifted_gradient(dlp_fit *fit, const double *theta, dlp_index c, int sign,
                             double *grad)
{
    const dlp_shape *shape = &fit->model.shape;
    double *x = fit->vector + shape->n;
    memcpy(x, theta, (size_t)shape->n * sizeof *x);
    for (dlp_index k = 0, first = 0; k < shape->n_blocks; k++) {
        const dlp_index b = block_size(shape, k);
        if (c < b) x[first + c] += sign * difference_step(x[first + c], DBL_EPSILON, 1);
        first += b;
    }
    fit->model.type->f(fit->model.state, x, grad, NULL);
}

static void hessian_by_gradients(dlp_fit *fit, const double *theta, dlp_sym *hess)
{
    const dlp_shape *shape = &fit->model.shape;
    double *up = fit->vector + 2 * shape->n, *down = up + shape->n;
    dlp_index widest = 0;
    for (dlp_index k = 0; k < shape->n_blocks; k++)
        if (block_size(shape, k) > widest) widest = block_size(shape, k);
    for (dlp_index c = 0; c < widest; c++) {
        shifted_gradient(fit, theta, c, 1, up);
        shifted_gradient(fit, theta, c, -1, down);
        double *H = hess->a;
        for (dlp_index k = 0, first = 0; k < shape->n_blocks; k++) {
            const dlp_index b = block_size(shape, k);
            const double h =
                c < b ? difference_step(theta[first + c], DBL_EPSILON, 1) : 0;
            for (dlp_index i = 0; i < b && c < b; i++) {
                const double slope = (up[first + i] - down[first + i]) / (2 * h);
                /* column c meets row c: half from each side makes it symmetric */
                H[i * b + c] = i < c ? 0.5 * (H[c * b + i] + slope) : slope;
                if (i < c) H[c * b + i] = H[i * b + c];
            }
            first += b;
            H += b * b;
        }
    }
}

double dlpi_evaluate(void *context, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_fit *fit = context;
    const dlp_model_type *type = fit->model.type;
    const int has = type->derivatives;
    const double f =
        type->f(fit->model.state, theta, has >= 1 ? grad : NULL, has >= 2 ? hess : NULL);
    if (!isfinite(f)) return f;
    if (grad && has < 1) gradient_by_values(fit, theta, grad);
    if (hess && has == 1) hessian_by_gradients(fit, theta, hess);
    if (hess && has < 1) hessian_by_values(fit, theta, f, hess);
    return f;
}

void dlpi_trace_grad(dlp_fit *fit, const double *theta, const dlp_sym *Sigma,
                     double *grad)
{
    const dlp_model *model = &fit->model;
    const dlp_index n = model->shape.n;
    if (model->type->trace_grad) {
        model->type->trace_grad(model->state, theta, Sigma, grad);
        return;
    }
    /* how exact the Hessian is, by how it was made */
    const double noise[] = {1e-8, 1e-11, DBL_EPSILON};
    double *x = fit->vector + 4 * n; /* dlpi_evaluate uses the ones before */
    memcpy(x, theta, (size_t)n * sizeof *x);
    for (dlp_index k = 0; k < n; k++) {
        const double h = difference_step(x[k], noise[model->type->derivatives], 1);
        x[k] = theta[k] + h;
        dlpi_evaluate(fit, x, NULL, &fit->hess);
        const double up = dlp_sym_trace(&fit->hess, Sigma);
        x[k] = theta[k] - h;
        dlpi_evaluate(fit, x, NULL, &fit->hess);
        grad[k] = (up - dlp_sym_trace(&fit->hess, Sigma)) / (2 * h);
        x[k] = theta[k];
    }
}

int dlpi_differenced(const dlp_model *model, const dlpi_method *method, bool taylor_eta)
{
    const dlp_model_type *type = model->type;
    const bool by_taylor = type->update_z && (taylor_eta || !type->expect_eta);
    return (type->derivatives < 1 ? 1 : 0) | (type->derivatives < 2 ? 2 : 0) |
           (method == &dlpi_delta && !type->trace_grad ? 4 : 0) |
           (by_taylor && !type->eta_trace ? 8 : 0);
}
