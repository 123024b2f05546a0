/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts on a lattice, whose log rates vary smoothly: a Gaussian Markov random field,
 *
 *   p(x) ~ exp{-tau/2 (sum over neighbours (x_i - x_j)^2 + kappa sum x_i^2)},
 *   b ~ N(0, 5^2),   y_i ~ Poisson(exp(b + x_i)).
 *
 * Neighbours are entries of the Hessian, and b, which all counts share, has a full row: it
 * is eliminated last. The field itself is drawn by the same means. A small lattice is fitted
 * again as a dense matrix, which must give the same.
 *
 *   lattice_counts [SIDE]
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TAU = 4, KAPPA = 0.1, B_SD = 5;
static const double LOG_2_PI = 1.8378770664093454836;

typedef struct field {
    dlp_index side, n;  /* n = side^2; theta = (x, b) */
    double *y;          /* (n) */
    double log_det;     /* of the precision of x */
    dlp_pattern *prior; /* of x alone */
    dlp_pattern *joint; /* of x and b */
    dlp_index *with_b;  /* (n) where (x_i, b) is in the Hessian */
    dlp_sym hess;       /* for the dense model */
} field;

/* The field's precision times sign, into A, whose pattern has its entries and perhaps b. */
static void fill_prior(const field *c, double sign, dlp_sym *A)
{
    const dlp_index *start = dlp_pattern_start(A->shape.pattern);
    const int32_t *column = dlp_pattern_column(A->shape.pattern);
    for (dlp_index i = 0; i < c->n; i++) A->a[start[i]] = sign * TAU * KAPPA;
    for (dlp_index i = 0; i < c->n; i++)
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++) {
            A->a[e] = column[e] < c->n ? -sign * TAU : 0;
            if (column[e] >= c->n) continue;
            A->a[start[i]] += sign * TAU;
            A->a[start[column[e]]] += sign * TAU;
        }
}

/* log p(x) with its gradient, the pairs of neighbours from the pattern */
static double log_prior(const field *c, const double *x, double *grad)
{
    const dlp_index *start = dlp_pattern_start(c->prior);
    const int32_t *column = dlp_pattern_column(c->prior);
    double value = 0.5 * c->log_det - 0.5 * (double)c->n * LOG_2_PI;
    for (dlp_index i = 0; grad && i < c->n; i++) grad[i] = 0;
    for (dlp_index i = 0; i < c->n; i++) {
        value -= 0.5 * TAU * KAPPA * x[i] * x[i];
        if (grad) grad[i] -= TAU * KAPPA * x[i];
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++) {
            const double off = x[i] - x[column[e]];
            value -= 0.5 * TAU * off * off;
            if (grad) grad[i] -= TAU * off;
            if (grad) grad[column[e]] += TAU * off;
        }
    }
    return value;
}

static double f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const field *c = m;
    const dlp_index n = c->n;
    const double b = theta[n], p = 1 / (B_SD * B_SD);
    double value = log_prior(c, theta, grad), *corner = NULL;
    value -= 0.5 * (p * b * b - log(p) + LOG_2_PI);
    if (grad) grad[n] = -p * b;
    if (hess) {
        fill_prior(c, -1, hess);
        corner = &hess->a[dlp_pattern_start(c->joint)[n]];
        *corner = -p;
    }
    for (dlp_index i = 0; i < n; i++) {
        const double rate = exp(b + theta[i]);
        value += c->y[i] * (b + theta[i]) - rate - dlp_lgamma(c->y[i] + 1);
        if (grad) grad[i] += c->y[i] - rate;
        if (grad) grad[n] += c->y[i] - rate;
        if (!hess) continue;
        hess->a[dlp_pattern_start(c->joint)[i]] -= rate;
        hess->a[c->with_b[i]] = -rate;
        *corner -= rate;
    }
    return value;
}

/* Tr{H Sigma} = -sum_i rate_i v_i + constants, v_i the variance of b + x_i */
static void trace_grad(void *m, const double *theta, const dlp_sym *Sigma, double *grad)
{
    const field *c = m;
    const dlp_index n = c->n;
    const double variance_b = dlp_sym_entry(Sigma, n, n);
    grad[n] = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double v =
            dlp_sym_entry(Sigma, i, i) + 2 * dlp_sym_entry(Sigma, i, n) + variance_b;
        grad[i] = -exp(theta[n] + theta[i]) * v;
        grad[n] += grad[i];
    }
}

/* The same model over a dense Hessian. */
static double f_dense(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    field *c = m;
    const double value = f(c, theta, grad, hess ? &c->hess : NULL);
    if (hess) dlp_sym_to_dense(&c->hess, dlp_sym_block(hess, 0));
    return value;
}

static const dlp_model_type sparse_type = {.size = sizeof sparse_type,
                                           .name = "lattice",
                                           .f = f,
                                           .derivatives = 2,
                                           .trace_grad = trace_grad};
static const dlp_model_type dense_type = {.size = sizeof dense_type,
                                          .name = "lattice, dense",
                                          .f = f_dense,
                                          .derivatives = 2,
                                          .trace_grad = trace_grad};

/* Terms: pairs of neighbours, and with b each count's. */
static dlp_status find_pattern(field *c, int with_b, dlp_pattern **pattern,
                               dlp_error *error)
{
    const dlp_index n = c->n, most = 3 * n;
    dlp_index *start = calloc((size_t)most + 1, sizeof *start), terms = 0;
    int32_t *column = calloc((size_t)most, 2 * sizeof *column);
    dlp_status status = dlp_fail(error, DLP_ENOMEM, "not enough memory");
    for (dlp_index i = 0; start && column && i < n; i++)
        for (int k = 0; k < 3; k++) { /* to the right, down, with b */
            const dlp_index other = k == 0 ? i + 1 : k == 1 ? i + c->side : n;
            if ((k == 0 && other % c->side == 0) || (k == 1 && other >= n)) continue;
            if (k == 2 && !with_b) continue;
            column[2 * terms] = (int32_t)i;
            column[2 * terms + 1] = (int32_t)other;
            terms++;
            start[terms] = 2 * terms;
        }
    if (start && column)
        status = dlp_pattern_from_sum(with_b ? n + 1 : n, terms, start, column, pattern,
                                      error);
    free(start);
    free(column);
    return status;
}

/* x ~ N(0, Q^-1) by the factor of Q, then counts of rate exp(1 + x). */
static dlp_status simulate(field *c, dlp_error *error)
{
    dlp_rng rng = dlp_rng_at(1, 0);
    dlp_sym Q = {0};
    dlp_cholesky *F = NULL;
    dlp_status status = dlp_sym_alloc(dlp_shape_sparse(c->prior), &Q, error);
    if (status == DLP_OK) status = dlp_cholesky_alloc(Q.shape, &F, error);
    if (status == DLP_OK) {
        fill_prior(c, 1, &Q);
        if (dlp_cholesky_compute(F, &Q) >= 0)
            status = dlp_fail(error, DLP_EINVAL, "the prior is not positive definite");
    }
    if (status == DLP_OK) {
        c->log_det = dlp_cholesky_log_det(F);
        for (dlp_index i = 0; i < c->n; i++) c->y[i] = dlp_draw_normal(&rng);
        dlp_cholesky_draw(F, c->y);
        for (dlp_index i = 0; i < c->n; i++) { /* arrivals within a time of 1 */
            const double rate = exp(1 + c->y[i]);
            double count = -1;
            for (double t = 0; t < 1; count++) t -= log(dlp_draw_uniform(&rng)) / rate;
            c->y[i] = count;
        }
    }
    dlp_cholesky_free(F);
    dlp_sym_free(&Q);
    return status;
}

static dlp_status make(field *c, dlp_error *error)
{
    c->y = calloc((size_t)c->n, sizeof *c->y);
    c->with_b = calloc((size_t)c->n, sizeof *c->with_b);
    if (!c->y || !c->with_b) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    dlp_status status = find_pattern(c, 0, &c->prior, error);
    if (status == DLP_OK) status = find_pattern(c, 1, &c->joint, error);
    if (status == DLP_OK)
        status = dlp_sym_alloc(dlp_shape_sparse(c->joint), &c->hess, error);
    if (status != DLP_OK) return status;
    for (dlp_index i = 0; i < c->n; i++)
        c->with_b[i] = dlp_pattern_find(c->joint, i, c->n);
    return simulate(c, error);
}

static dlp_status run(field *c, dlp_shape shape, dlp_fit **fit, dlp_error *error)
{
    const dlp_model_type *type =
        shape.structure == DLP_SPARSE ? &sparse_type : &dense_type;
    const dlp_model model = {.type = type, .state = c, .shape = shape};
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    dlp_status status = dlp_fit_alloc(&model, &settings, fit, error);
    if (status == DLP_OK) status = dlp_fit_run(*fit, NULL, error);
    if (status != DLP_OK) return status;
    const dlp_result *r = dlp_fit_result(*fit);
    printf("%s: %s, log p(y) %.4f, b %.4f (%.4f), x at the centre %.4f (%.4f)\n",
           type->name, dlp_outcome_name(r->outcome), r->objective, r->mu[c->n],
           sqrt(dlp_sym_entry(r->Sigma, c->n, c->n)), r->mu[c->n / 2],
           sqrt(dlp_sym_entry(r->Sigma, c->n / 2, c->n / 2)));
    return DLP_OK;
}

/* The largest difference of a mean or sd, in sds. */
static double difference(const dlp_fit *a, const dlp_fit *b)
{
    const dlp_result *p = dlp_fit_result(a), *q = dlp_fit_result(b);
    double most = 0;
    for (dlp_index i = 0; i < p->n; i++) {
        const double sd = sqrt(dlp_sym_entry(p->Sigma, i, i));
        most = fmax(most, fabs(p->mu[i] - q->mu[i]) / sd);
        most = fmax(most, fabs(sqrt(dlp_sym_entry(q->Sigma, i, i)) / sd - 1));
    }
    return most;
}

int main(int argc, char **argv)
{
    const long side = argc > 1 ? strtol(argv[1], NULL, 10) : 14;
    field c = {.side = side, .n = side * side};
    dlp_fit *sparse = NULL, *dense = NULL;
    dlp_error error = {.message = "SIDE must be between 2 and 5000"};
    dlp_status status = side < 2 || side > 5000 ? DLP_EINVAL : make(&c, &error);
    if (status == DLP_OK) status = run(&c, dlp_shape_sparse(c.joint), &sparse, &error);
    if (status == DLP_OK && side <= 25) {
        status = run(&c, dlp_shape_dense(c.n + 1), &dense, &error);
        if (status == DLP_OK)
            printf("they differ by %s\n", difference(sparse, dense) < 1e-6
                                              ? "less than a millionth of an sd"
                                              : "too much");
    }
    if (status != DLP_OK) fprintf(stderr, "lattice_counts: %s\n", error.message);
    dlp_fit_free(sparse);
    dlp_fit_free(dense);
    dlp_sym_free(&c.hess);
    dlp_pattern_free(c.prior);
    dlp_pattern_free(c.joint);
    free(c.with_b);
    free(c.y);
    return status == DLP_OK ? 0 : 1;
}
