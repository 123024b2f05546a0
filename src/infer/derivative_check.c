/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a model's derivatives, entry by entry, with differences of its lower ones. */
#include <delaplace/check.h>
#include <delaplace/random.h>

#include "core/core.h"
#include "infer/infer.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct checker {
    const dlp_model *model;
    dlp_index n, n_eta;
    double f; /* at the point */
    dlp_sym hess, Sigma;
    dlp_cholesky *precision;
    double *x, *grad, *trace_grad; /* (n) */
    double *table;                 /* (HALVINGS, max(n, n_eta)) Romberg's */
    double *dense;                 /* (n, n) the Hessian's entries */
    double *eta;                   /* (2 n_eta) */
    double *numeric;               /* max(n, n_eta) */
} checker;

/* Central differences at steps h, h/2, h/4, h/8, extrapolated to h = 0 (Romberg). */
enum { HALVINGS = 4 };
static const double FIRST_STEP = 0.02;

/* Entries that the model does not write stay NaN, and NaN is always reported. */
static void fill_with_nan(dlp_index n, double *x)
{
    for (dlp_index i = 0; i < n; i++) x[i] = NAN;
}

/* The function to differentiate: writes g (m) at c->x. */
typedef void vector_function(checker *c, double *g);

static void f_only(checker *c, double *g)
{
    g[0] = c->model->type->f(c->model->state, c->x, NULL, NULL);
}

static void gradient_only(checker *c, double *g)
{
    c->model->type->f(c->model->state, c->x, g, NULL);
}

static void trace_only(checker *c, double *g)
{
    c->model->type->f(c->model->state, c->x, NULL, &c->hess);
    g[0] = dlp_sym_trace(&c->hess, &c->Sigma);
}

static bool is_inside(checker *c, dlp_index k, double at)
{
    const double centre = c->x[k];
    c->x[k] = at;
    const double f = c->model->type->f(c->model->state, c->x, NULL, NULL);
    c->x[k] = centre;
    return isfinite(f);
}

/* The first step along x_k: at most a quarter of the distance to the end of the domain,
   so that f's behaviour there does not matter. */
static double first_step(checker *c, dlp_index k)
{
    const double x = c->x[k];
    double h = FIRST_STEP * fmax(1, fabs(x));
    for (int halved = 0; halved < 40; halved++, h /= 2)
        if (is_inside(c, k, x - 4 * h) && is_inside(c, k, x + 4 * h)) break;
    return h;
}

/* c->numeric (m) = d g / d x_k. Extrapolation cancels the error terms h^2, h^4, h^6. */
static void differentiate(checker *c, vector_function *g, dlp_index m, dlp_index k)
{
    const double centre = c->x[k], step = first_step(c, k);
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double h = ldexp(step, -halving);
        double *row = c->table + halving * m;
        c->x[k] = centre + h;
        g(c, row);
        c->x[k] = centre - h;
        g(c, c->numeric);
        for (dlp_index i = 0; i < m; i++) row[i] = (row[i] - c->numeric[i]) / (2 * h);
    }
    c->x[k] = centre;
    for (int order = 1; order < HALVINGS; order++)
        for (int halving = HALVINGS - 1; halving >= order; halving--)
            for (dlp_index i = 0; i < m; i++) {
                double *fine = &c->table[halving * m + i], coarse = fine[-m];
                *fine += (*fine - coarse) / (ldexp(1, 2 * order) - 1);
            }
    memcpy(c->numeric, c->table + (HALVINGS - 1) * m, (size_t)m * sizeof *c->numeric);
}

static double largest(dlp_index n, const double *x)
{
    double most = 0;
    for (dlp_index i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Keeps the entry if it is the worst so far; NaN is worse than anything. The error is
   relative to the entry, but to no less than differences can resolve next to the largest
   entry, `scale`, and next to f. */
static void compare(const checker *c, dlp_check_entry *worst, dlp_index point,
                    dlp_index i, dlp_index j, double analytic, double numeric,
                    double scale)
{
    const double resolved = 1e-5 * scale + 1e-6 * (1 + fabs(c->f));
    double error =
        fabs(analytic - numeric) / (fmax(fabs(analytic), fabs(numeric)) + resolved);
    if (isnan(error)) error = INFINITY;
    if (worst->checked && error <= worst->error) return;
    *worst = (dlp_check_entry){1, error, analytic, numeric, i, j, point};
}

/* The model's own derivatives, all in one call as the engine asks for them. */
static void evaluate_all(checker *c)
{
    const bool with_hess = c->model->type->derivatives >= 2;
    fill_with_nan(c->n, c->grad);
    fill_with_nan(dlpi_value_size(&c->hess.shape), c->hess.a);
    c->model->type->f(c->model->state, c->x, c->grad, with_hess ? &c->hess : NULL);
}

static void check_gradient(checker *c, dlp_index point, dlp_check_entry *worst)
{
    const double scale = largest(c->n, c->grad);
    for (dlp_index k = 0; k < c->n; k++) {
        differentiate(c, f_only, 1, k);
        compare(c, worst, point, k, -1, c->grad[k], c->numeric[0], scale);
    }
}

static void check_hessian(checker *c, dlp_index point, dlp_check_entry *worst)
{
    dlp_sym_to_dense(&c->hess, c->dense);
    const double scale = largest(c->n * c->n, c->dense);
    for (dlp_index k = 0; k < c->n; k++) {
        differentiate(c, gradient_only, c->n, k);
        for (dlp_index i = 0; i < c->n; i++)
            compare(c, worst, point, i, k, c->dense[i * c->n + k], c->numeric[i], scale);
    }
}

static void check_trace_grad(checker *c, dlp_index point, dlp_check_entry *worst)
{
    const dlp_model *model = c->model;
    fill_with_nan(c->n, c->trace_grad);
    model->type->trace_grad(model->state, c->x, &c->Sigma, c->trace_grad);
    const double scale = largest(c->n, c->trace_grad);
    for (dlp_index k = 0; k < c->n; k++) {
        differentiate(c, trace_only, 1, k);
        compare(c, worst, point, k, -1, c->trace_grad[k], c->numeric[0], scale);
    }
}

/* Tr{hess eta_i Sigma}: second differences of eta along the columns of Sigma's root. */
static void check_eta_trace(checker *c, dlp_index point, dlp_check_entry *worst)
{
    const dlp_model *model = c->model;
    const double h = 4e-3;
    double *analytic = c->eta, *shifted = c->eta + c->n_eta, *r = c->grad;
    fill_with_nan(c->n_eta, analytic);
    model->type->eta_trace(model->state, c->x, &c->Sigma, analytic);
    memset(c->numeric, 0, (size_t)c->n_eta * sizeof *c->numeric);
    for (dlp_index k = 0; k < c->n; k++) {
        memset(r, 0, (size_t)c->n * sizeof *r);
        r[k] = 1;
        dlp_cholesky_draw(c->precision, r);
        /* weights -1, 16, -30, 16, -1 over 12 h^2: exact to h^4 */
        const double weight[] = {-1, 16, -30, 16, -1};
        for (int s = -2; s <= 2; s++) {
            for (dlp_index i = 0; i < c->n; i++)
                c->trace_grad[i] = c->x[i] + s * h * r[i];
            model->type->eta(model->state, c->trace_grad, shifted);
            for (dlp_index i = 0; i < c->n_eta; i++)
                c->numeric[i] += weight[s + 2] * shifted[i] / (12 * h * h);
        }
    }
    /* second differences are coarse: for eta of size 1 they resolve about 1e-9 */
    const double scale = largest(c->n_eta, analytic) + 1e3;
    for (dlp_index i = 0; i < c->n_eta; i++)
        compare(c, worst, point, i, -1, analytic[i], c->numeric[i], scale);
}

/* g g' added to each block, g random */
static void add_random_blocks(checker *c, dlp_rng *rng)
{
    const dlp_shape *shape = &c->hess.shape;
    for (dlp_index k = 0; k < shape->n_blocks; k++) {
        const dlp_index b = shape->block ? shape->block[k] : c->n;
        double *block = dlp_sym_block(&c->hess, k), *g = c->grad;
        for (dlp_index i = 0; i < b; i++) g[i] = dlp_draw_normal(rng);
        for (dlp_index i = 0; i < b; i++)
            for (dlp_index j = 0; j < b; j++) block[i * b + j] += g[i] * g[j];
    }
}

/* s_i s_j for all entries, s random, and a diagonal that exceeds the rest of each row. */
static void fill_randomly(checker *c, dlp_rng *rng)
{
    const dlp_index n = c->n, size = dlpi_value_size(&c->hess.shape);
    for (dlp_index e = 0; e < size; e++) c->hess.a[e] = 1;
    for (dlp_index i = 0; i < n; i++) c->grad[i] = dlp_draw_normal(rng);
    dlp_sym_rescale(&c->hess, c->grad);
    dlp_sym_to_dense(&c->hess, c->dense);
    for (dlp_index i = 0; i < n; i++) {
        c->grad[i] = 0;
        for (dlp_index j = 0; j < n; j++) c->grad[i] += fabs(c->dense[i * n + j]);
    }
    dlp_sym_add_diagonal(&c->hess, c->grad);
}

/* A random Sigma of the model's shape, as the inverse of a matrix that is definite. */
static void random_sigma(checker *c, uint64_t seed, dlp_index point)
{
    dlp_rng rng = dlp_rng_at(seed, 2 * (uint64_t)point + 1);
    const dlp_index r = c->hess.shape.rank;
    dlp_sym_set_identity(&c->hess);
    if (c->hess.shape.structure == DLP_LOW_RANK) { /* diag(d) + E'E with d > 0 */
        double *C = dlp_sym_core(&c->hess), *U = dlp_sym_low_rank(&c->hess);
        for (dlp_index a = 0; a < r; a++) C[a * r + a] = 1;
        for (dlp_index i = 0; i < r * c->n; i++) U[i] = dlp_draw_normal(&rng);
    } else if (c->hess.shape.structure == DLP_BLOCKS) {
        add_random_blocks(c, &rng);
    } else {
        fill_randomly(c, &rng);
    }
    for (dlp_index i = 0; i < c->n; i++) c->grad[i] = 3 * dlp_draw_uniform(&rng);
    dlp_sym_add_diagonal(&c->hess, c->grad);
    dlp_cholesky_compute(c->precision, &c->hess);
    dlp_cholesky_inverse(c->precision, &c->Sigma);
}

static dlp_status check_point(checker *c, dlp_index point, const double *points,
                              uint64_t seed, dlp_check *check, dlp_error *error)
{
    const dlp_model_type *type = c->model->type;
    dlp_error unheard;
    dlp_rng rng = dlp_rng_at(seed, 2 * (uint64_t)point);
    for (dlp_index i = 0; i < c->n; i++)
        c->x[i] = points ? points[point * c->n + i] : dlp_draw_normal(&rng);
    f_only(c, c->numeric);
    c->f = c->numeric[0];
    if (isnan(c->f) && type->failure)
        DLP_TRY(type->failure(c->model->state, error ? error : &unheard));
    if (!isfinite(c->f))
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s: f is not finite at point %td; give points inside its domain",
            type->name, point);
    if (type->derivatives >= 1) evaluate_all(c);
    if (type->derivatives >= 1) check_gradient(c, point, &check->gradient);
    if (type->derivatives >= 2) check_hessian(c, point, &check->hessian);
    random_sigma(c, seed, point);
    if (type->trace_grad && type->derivatives >= 2)
        check_trace_grad(c, point, &check->trace_grad);
    if (type->eta_trace && type->eta) check_eta_trace(c, point, &check->eta_trace);
    return DLP_OK;
}

static void checker_free(checker *c)
{
    dlp_sym_free(&c->hess);
    dlp_sym_free(&c->Sigma);
    dlp_cholesky_free(c->precision);
    free(c->x);
    free(c->dense);
}

static dlp_status checker_alloc(checker *c, const dlp_model *model, dlp_error *error)
{
    const dlp_index n = model->shape.n, n_eta = model->n_eta,
                    widest = n > n_eta ? n : n_eta;
    memset(c, 0, sizeof *c);
    c->model = model;
    c->n = n;
    c->n_eta = n_eta;
    DLP_TRY(dlp_sym_alloc(model->shape, &c->hess, error));
    DLP_TRY(dlp_sym_alloc(model->shape, &c->Sigma, error));
    DLP_TRY(dlp_cholesky_alloc(model->shape, &c->precision, error));
    c->x = dlpi_calloc(dlpi_size(3, n, dlpi_size(HALVINGS + 3, widest, 0)), sizeof *c->x);
    c->dense = dlpi_calloc(dlpi_size(n, n, 0), sizeof *c->dense);
    if (!c->x || !c->dense) return dlpi_no_memory(error, "the check of derivatives");
    c->grad = c->x + n;
    c->trace_grad = c->grad + n;
    c->numeric = c->trace_grad + n;
    c->eta = c->numeric + widest;
    c->table = c->eta + 2 * widest;
    return DLP_OK;
}

/* log p(x, theta) with z integrated out, as a model of its own */
static dlp_status check_marginal(const dlp_model *model, dlp_index n_points,
                                 const double *points, uint64_t seed, dlp_check *check,
                                 dlp_error *error)
{
    const dlp_model_type type = {.size = sizeof type,
                                 .name = model->type->name,
                                 .f = model->type->marginal,
                                 .derivatives = 2};
    dlp_model marginal = *model;
    dlp_check sub;
    marginal.type = &type;
    marginal.n_eta = 0;
    DLP_TRY(dlp_check_derivatives(&marginal, n_points, points, seed, &sub, error));
    check->marginal = sub.gradient.error > sub.hessian.error ? sub.gradient : sub.hessian;
    return DLP_OK;
}

enum { KINDS = 5 };

static void all_entries(const dlp_check *check, const dlp_check_entry *all[KINDS])
{
    all[0] = &check->gradient;
    all[1] = &check->hessian;
    all[2] = &check->trace_grad;
    all[3] = &check->eta_trace;
    all[4] = &check->marginal;
}

dlp_status dlp_check_derivatives(const dlp_model *given, dlp_index n_points,
                                 const double *points, uint64_t seed, dlp_check *check,
                                 dlp_error *error)
{
    dlp_model_type type;
    dlp_model whole, *model = &whole;
    checker c;
    memset(check, 0, sizeof *check);
    if (n_points < 1)
        return dlp_fail(error, DLP_EINVAL, "a check needs at least one point");
    DLP_TRY(dlpi_take_model(given, &type, model, error));
    if (model->n_eta < 0)
        return dlp_fail(error, DLP_EINVAL,
                        "model %s: n_eta is %td; it is the length of eta(theta)",
                        model->type->name, model->n_eta);
    dlp_status status = checker_alloc(&c, model, error);
    for (dlp_index p = 0; p < n_points && status == DLP_OK; p++)
        status = check_point(&c, p, points, seed, check, error);
    checker_free(&c);
    if (status == DLP_OK && model->type->marginal)
        status = check_marginal(model, n_points, points, seed, check, error);
    const dlp_check_entry *all[KINDS];
    all_entries(check, all);
    for (int k = 0; k < KINDS; k++)
        if (all[k]->checked) check->error = fmax(check->error, all[k]->error);
    return status;
}

void dlp_check_describe(const dlp_check *check, char *buffer, size_t size)
{
    const char *name[KINDS] = {"gradient", "hessian", "trace gradient", "trace of eta",
                               "derivative of the marginal"};
    const dlp_check_entry *all[KINDS], *worst = NULL;
    char entry[64];
    int which = 0;
    all_entries(check, all);
    for (int k = 0; k < KINDS; k++)
        if (all[k]->checked && (!worst || all[k]->error > worst->error)) {
            worst = all[k];
            which = k;
        }
    if (!worst) {
        snprintf(buffer, size, "the model offers no derivatives to check");
        return;
    }
    if (worst->j < 0)
        snprintf(entry, sizeof entry, "(%td)", worst->i);
    else
        snprintf(entry, sizeof entry, "(%td,%td)", worst->i, worst->j);
    snprintf(
        buffer, size, "%s %s: model %.10g, differences %.10g, error %.2g, at point %td",
        name[which], entry, worst->analytic, worst->numeric, worst->error, worst->point);
}
