/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Central differences for the derivatives that a model leaves out. If a step leaves the
 * domain (f is not finite there and wrote nothing), it is shortened, for that coordinate
 * and for the rest of the run. If no step is short enough, the derivative is NaN and the
 * optimiser sees it.
 */
#include "infer/infer.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The only place that calls a model's f. */
static double call_f(dlp_fit *fit, const double *theta, double *grad, dlp_sym *hess)
{
    if (dlpi_is_stopped(fit)) return NAN;
    fit->evaluations++;
    const double f = fit->type.f(fit->model.state, theta, grad, hess);
    if (isnan(f)) dlpi_ask_failure(fit);
    return f;
}

/* A step for coordinate i at x that balances truncation, h^2, against noise of relative
   size `noise` over h^order; the sum x + h is exact. */
static double step_of(const dlp_fit *fit, dlp_index i, double x, double noise, int order)
{
    const double h = pow(noise, 1.0 / (2 + order)) * fmax(1, fabs(x)) * fit->shrink[i];
    volatile double shifted = x + h;
    return shifted - x;
}

/* Shortens the steps for coordinate i; false when it is time to give up. */
static bool shrink(dlp_fit *fit, dlp_index i)
{
    fit->shrink[i] /= 16;
    return fit->shrink[i] > 1e-9;
}

/* f with x[i] moved by h; restores x. */
static double value_at(dlp_fit *fit, double *x, dlp_index i, double h)
{
    const double centre = x[i];
    x[i] = centre + h;
    const double f = call_f(fit, x, NULL, NULL);
    x[i] = centre;
    return f;
}

/* f on both sides of x[i], and the step used; NaN if every step leaves the domain. */
static double both_sides(dlp_fit *fit, double *x, dlp_index i, int order, double *up,
                         double *down)
{
    double h;
    do {
        h = step_of(fit, i, x[i], DBL_EPSILON, order);
        *up = value_at(fit, x, i, h);
        *down = value_at(fit, x, i, -h);
    } while (!(isfinite(*up) && isfinite(*down)) && shrink(fit, i));
    return h;
}

static void gradient_by_values(dlp_fit *fit, const double *theta, double *grad)
{
    const dlp_index n = fit->model.shape.n;
    double *x = fit->vector + n, up, down;
    memcpy(x, theta, (size_t)n * sizeof *x);
    for (dlp_index i = 0; i < n; i++) {
        const double h = both_sides(fit, x, i, 1, &up, &down);
        grad[i] = (up - down) / (2 * h);
    }
}

/* d2f / dx_i dx_j from the four corners */
static double mixed_difference(dlp_fit *fit, double *x, dlp_index i, dlp_index j)
{
    const double centre = x[i], hi = step_of(fit, i, x[i], DBL_EPSILON, 2);
    const double hj = step_of(fit, j, x[j], DBL_EPSILON, 2);
    x[i] = centre + hi;
    const double right = value_at(fit, x, j, hj) - value_at(fit, x, j, -hj);
    x[i] = centre - hi;
    const double left = value_at(fit, x, j, hj) - value_at(fit, x, j, -hj);
    x[i] = centre;
    return (right - left) / (4 * hi * hj);
}

/* Block (b, b) beginning at coordinate `first`, from values of f alone. */
static void block_by_values(dlp_fit *fit, double *x, double f, dlp_index first,
                            dlp_index b, double *H)
{
    double up, down;
    for (dlp_index i = 0; i < b; i++) {
        const double h = both_sides(fit, x, first + i, 2, &up, &down);
        H[i * b + i] = (up - 2 * f + down) / (h * h);
        for (dlp_index j = 0; j < i; j++)
            H[i * b + j] = H[j * b + i] = mixed_difference(fit, x, first + i, first + j);
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
   affect each other, so one gradient serves them all. false outside the domain. */
static bool shifted_gradient(dlp_fit *fit, const double *theta, dlp_index c, int sign,
                             double *grad)
{
    const dlp_shape *shape = &fit->model.shape;
    double *x = fit->vector + shape->n;
    memcpy(x, theta, (size_t)shape->n * sizeof *x);
    for (dlp_index k = 0, i = c; k < shape->n_blocks; i += block_size(shape, k++))
        if (c < block_size(shape, k))
            x[i] += sign * step_of(fit, i, theta[i], DBL_EPSILON, 1);
    return isfinite(call_f(fit, x, grad, NULL));
}

/* Both gradients, with steps short enough; NaN in `up` if none is. */
static void both_gradients(dlp_fit *fit, const double *theta, dlp_index c, double *up,
                           double *down)
{
    const dlp_shape *shape = &fit->model.shape;
    bool again = true;
    while (!(shifted_gradient(fit, theta, c, 1, up) &&
             shifted_gradient(fit, theta, c, -1, down))) {
        if (!again) {
            for (dlp_index i = 0; i < shape->n; i++) up[i] = NAN;
            return;
        }
        for (dlp_index k = 0, i = c; k < shape->n_blocks; i += block_size(shape, k++))
            if (c < block_size(shape, k)) again = shrink(fit, i) && again;
    }
}

/* Column c of block (b, b) beginning at `first`. Entries shared with an earlier column
   are averaged, which makes the block symmetric. */
static void set_column(double *H, dlp_index b, dlp_index c, const double *up,
                       const double *down, double h)
{
    for (dlp_index i = 0; i < b; i++) {
        const double slope = (up[i] - down[i]) / (2 * h);
        H[i * b + c] = i < c ? 0.5 * (H[c * b + i] + slope) : slope;
        if (i < c) H[c * b + i] = H[i * b + c];
    }
}

static void hessian_by_gradients(dlp_fit *fit, const double *theta, dlp_sym *hess)
{
    const dlp_shape *shape = &fit->model.shape;
    double *up = fit->vector + 2 * shape->n, *down = up + shape->n;
    dlp_index widest = 0;
    for (dlp_index k = 0; k < shape->n_blocks; k++)
        if (block_size(shape, k) > widest) widest = block_size(shape, k);
    for (dlp_index c = 0; c < widest; c++) {
        both_gradients(fit, theta, c, up, down);
        double *H = hess->a;
        for (dlp_index k = 0, first = 0; k < shape->n_blocks; k++) {
            const dlp_index b = block_size(shape, k), i = first + c;
            if (c < b)
                set_column(H, b, c, up + first, down + first,
                           step_of(fit, i, theta[i], DBL_EPSILON, 1));
            first += b;
            H += b * b;
        }
    }
}

double dlpi_evaluate(void *context, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_fit *fit = context;
    const int has = fit->model.type->derivatives;
    const double f = call_f(fit, theta, has >= 1 ? grad : NULL, has >= 2 ? hess : NULL);
    if (!isfinite(f)) return f;
    if (grad && has < 1) gradient_by_values(fit, theta, grad);
    if (hess && has == 1) hessian_by_gradients(fit, theta, hess);
    if (hess && has < 1) hessian_by_values(fit, theta, f, hess);
    return f;
}

/* Tr{hess f Sigma} with x[k] moved by h; NaN outside the domain. */
static double trace_at(dlp_fit *fit, double *x, dlp_index k, double h,
                       const dlp_sym *Sigma)
{
    const double centre = x[k];
    x[k] = centre + h;
    const bool inside = isfinite(dlpi_evaluate(fit, x, NULL, &fit->hess));
    x[k] = centre;
    return inside ? dlp_sym_trace(&fit->hess, Sigma) : NAN;
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
    /* the precision of the Hessian depends on how it was computed */
    const double noise =
        (const double[]){1e-8, 1e-11, DBL_EPSILON}[model->type->derivatives];
    double *x = fit->vector + 4 * n; /* dlpi_evaluate uses the earlier ones */
    memcpy(x, theta, (size_t)n * sizeof *x);
    for (dlp_index k = 0; k < n; k++) {
        double h, up, down;
        do {
            h = step_of(fit, k, x[k], noise, 1);
            up = trace_at(fit, x, k, h, Sigma);
            down = trace_at(fit, x, k, -h, Sigma);
        } while (!(isfinite(up) && isfinite(down)) && shrink(fit, k));
        grad[k] = (up - down) / (2 * h);
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
