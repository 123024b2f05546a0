/* SPDX-License-Identifier: BSD-3-Clause */
/* The workspace of the optimisers and their common line search. */
#include "core/core.h"
#include "math/dense.h"
#include "optim/optim.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_optim_alloc(dlpi_optim *o, dlp_shape shape, dlp_function *f,
                            void *context, dlp_error *error)
{
    dlp_status status = DLP_OK;
    memset(o, 0, sizeof *o);
    o->n = shape.n;
    o->f = f;
    o->context = context;
    DLP_TRY_OR(fail, dlp_sym_alloc(shape, &o->at.hess, error));
    DLP_TRY_OR(fail, dlp_sym_alloc(shape, &o->trial.hess, error));
    DLP_TRY_OR(fail, dlp_sym_alloc(shape, &o->P, error));
    DLP_TRY_OR(fail, dlp_cholesky_alloc(shape, &o->metric, error));
    o->block = dlpi_calloc(shape.n, (8 + 3 * DLPI_LBFGS_PAIRS) * sizeof *o->block);
    if (!o->block) {
        status = dlpi_no_memory(error, "the optimiser");
        goto fail;
    }
    double **vectors[] = {&o->at.x, &o->at.grad, &o->trial.x, &o->trial.grad,
                          &o->step, &o->scale,   &o->unit,    &o->solved};
    double *next = o->block;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, next += shape.n)
        *vectors[k] = next;
    for (dlp_index i = 0; i < shape.n; i++) o->unit[i] = 1;
    o->S = next;
    o->Y = o->S + DLPI_LBFGS_PAIRS * shape.n;
    o->solved_Y = o->Y + DLPI_LBFGS_PAIRS * shape.n;
    return DLP_OK;
fail:
    dlpi_optim_free(o);
    return status;
}

void dlpi_optim_free(dlpi_optim *o)
{
    dlp_sym_free(&o->at.hess);
    dlp_sym_free(&o->trial.hess);
    dlp_sym_free(&o->P);
    dlp_cholesky_free(o->metric);
    free(o->block);
    memset(o, 0, sizeof *o);
}

static void evaluate(dlpi_optim *o, dlpi_point *p)
{
    p->f = o->f(o->context, p->x, p->grad, o->with_hess ? &p->hess : NULL);
    o->evaluations++;
}

void dlpi_optim_evaluate(dlpi_optim *o)
{
    evaluate(o, &o->at);
}

void dlpi_optim_measure(dlpi_optim *o)
{
    dlp_sym_get_diagonal(&o->at.hess, o->scale);
    for (dlp_index i = 0; i < o->n; i++) {
        const double curvature = fabs(o->scale[i]);
        const bool known = curvature > 0 && isfinite(curvature);
        o->unit[i] = known ? ldexp(1, -ilogb(curvature) / 2) : 1;
    }
}

double dlpi_optim_length(const dlpi_optim *o, const double *v)
{
#pragma omp simd
    for (dlp_index i = 0; i < o->n; i++) o->scale[i] = v[i] / o->unit[i];
    return dlpi_norm(o->n, o->scale);
}

static bool finite_at(const dlpi_optim *o, const dlpi_point *p)
{
    if (!isfinite(p->f) || !dlpi_all_finite(o->n, p->grad)) return false;
    if (!o->with_hess) return true;
    dlp_sym_get_diagonal(&p->hess, o->scale);
    return dlpi_all_finite(o->n, o->scale);
}

bool dlpi_optim_finite(const dlpi_optim *o)
{
    return finite_at(o, &o->at);
}

bool dlpi_optim_diverged(dlpi_optim *o)
{
    o->size = dlpi_optim_length(o, o->at.x);
    return !(o->size < DLPI_FAR && o->at.f < DLPI_HIGH);
}

double dlpi_rounding(double f)
{
    return 1e-13 * (1 + fabs(f));
}

double dlpi_stretch(double stretch, double alpha)
{
    return alpha == 1 ? fmin(10 * stretch, 1e30) : 1;
}

/* Limited both in units and in x itself: many rows of data make the units small, though f
   is as smooth as with few. */
double dlpi_limit_step(dlpi_optim *o)
{
    const double length = dlpi_optim_length(o, o->step), longest = 100 * (1 + o->size);
    if (!(length > longest)) return length;
    const double plain = dlpi_norm(o->n, o->step);
    const double longest_plain = 100 * (1 + dlpi_norm(o->n, o->at.x));
    if (!(plain > longest_plain)) return length;
    const double factor = fmax(longest / length, longest_plain / plain);
    for (dlp_index i = 0; i < o->n; i++) o->step[i] *= factor;
    return factor * length;
}

bool dlpi_settled(const dlpi_optim *o, double length, double slope, double tol)
{
    if (o->in_sds > 0) return fabs(slope) <= o->in_sds * o->in_sds * (double)o->n;
    return length <= tol * (1 + o->size) &&
           slope <= fmax(0.01 * tol * (double)o->n, dlpi_rounding(o->at.f));
}

/* trial.x = at.x + alpha step; false when rounding swallows the whole step. */
static bool move(dlpi_optim *o, double alpha)
{
    const size_t bytes = (size_t)o->n * sizeof *o->step;
#pragma omp simd
    for (dlp_index i = 0; i < o->n; i++) o->trial.x[i] = o->at.x[i] + alpha * o->step[i];
    return memcmp(o->trial.x, o->at.x, bytes) != 0;
}

static bool take_trial(dlpi_optim *o, double least_rise)
{
    if (!finite_at(o, &o->trial) || o->trial.f - o->at.f < least_rise) return false;
    dlpi_point old = o->at;
    o->at = o->trial;
    o->trial = old;
    return true;
}

bool dlpi_take_full_step(dlpi_optim *o)
{
    if (!move(o, 1)) return false;
    evaluate(o, &o->trial);
    return take_trial(o, -100 * dlpi_rounding(o->at.f));
}

void dlpi_take_back(dlpi_optim *o)
{
    const dlpi_point old = o->trial;
    o->trial = o->at;
    o->at = old;
}

/* The maximum of the parabola through f(at), its slope and f at alpha, kept within
   [0.1, 0.5] of alpha. */
static double shorten(double alpha, double slope, double rise)
{
    const double parabola = 0.5 * slope * alpha * alpha / (slope * alpha - rise);
    return isfinite(parabola) ? fmin(fmax(parabola, 0.1 * alpha), 0.5 * alpha)
                              : 0.1 * alpha;
}

/* Armijo's rule. The full step nearly always succeeds, so it is evaluated with
   derivatives at once; shorter ones by value until one is good. Only the full step gets
   an allowance for rounding: a step too short for f to resolve must not pass for
   progress. */
double dlpi_line_search(dlpi_optim *o, double slope, double curvature)
{
    const double rounding = dlpi_rounding(o->at.f);
    double alpha = 1;
    for (int k = 0; k < 40 && move(o, alpha); k++) {
        if (k == 0) {
            evaluate(o, &o->trial);
        } else {
            o->trial.f = o->f(o->context, o->trial.x, NULL, NULL);
            o->evaluations++;
        }
        const double rise = o->trial.f - o->at.f;
        const double expected = alpha * slope + 0.5 * alpha * alpha * curvature;
        if (isfinite(rise) && rise >= 1e-4 * expected - (k == 0 ? rounding : 0)) {
            if (k > 0) evaluate(o, &o->trial);
            if (take_trial(o, -rounding)) return alpha;
        }
        alpha = shorten(alpha, slope, rise);
    }
    return 0;
}
