/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Crossed effects, as in Rasch's model of tests: persons of ability a answer items of
 * difficulty b, each a few of many,
 *
 *   a_p ~ N(0, 1.2^2),   b_i ~ N(0, 1),   y_pi ~ Bernoulli(logistic(a_p - b_i)).
 *
 * The Hessian has an entry where a person met an item, and no other structure: a pattern,
 * made of the terms of the density. With a third argument the answers are printed as a
 * table, to be fitted elsewhere.
 *
 *   rasch [PERSONS [ITEMS [print]]]
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double A_SD = 1.2, B_SD = 1;
static const double LOG_2_PI = 1.8378770664093454836;
enum { ANSWERS = 10 }; /* a person */

typedef struct answer {
    int32_t person, item; /* as coordinates: persons, then items */
    double y;             /* 1 or -1 */
    /* where the entries of the Hessian are that it adds to */
    dlp_index at_person, at_item, at_both;
} answer;

typedef struct test {
    dlp_index persons, items, n_answers;
    answer *answers;
    dlp_pattern *pattern;
} test;

/* f = sum log logistic(y (a - b)) + log p(a) + log p(b) */
static double f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const test *c = m;
    const dlp_index n = c->persons + c->items;
    double value = -0.5 * (double)n * LOG_2_PI;
    if (hess) dlp_sym_set_zero(hess);
    for (dlp_index i = 0; i < n; i++) {
        const double sd = i < c->persons ? A_SD : B_SD, p = 1 / (sd * sd);
        value -= 0.5 * p * theta[i] * theta[i] + log(sd);
        if (grad) grad[i] = -p * theta[i];
        if (hess) hess->a[dlp_pattern_start(c->pattern)[i]] = -p; /* the diagonal */
    }
    for (const answer *k = c->answers; k < c->answers + c->n_answers; k++) {
        const double u = theta[k->person] - theta[k->item], s = dlp_logistic(-k->y * u);
        value += dlp_log_logistic(k->y * u);
        if (grad) grad[k->person] += k->y * s;
        if (grad) grad[k->item] -= k->y * s;
        if (!hess) continue;
        const double d2 = -s * (1 - s);
        hess->a[k->at_person] += d2;
        hess->a[k->at_item] += d2;
        hess->a[k->at_both] -= d2;
    }
    return value;
}

/* Tr{H Sigma} = sum_answers d2 v + constants, v the variance of a - b: three entries of
   Sigma, all on the pattern */
static void trace_grad(void *m, const double *theta, const dlp_sym *Sigma, double *grad)
{
    const test *c = m;
    for (dlp_index i = 0; i < c->persons + c->items; i++) grad[i] = 0;
    for (const answer *k = c->answers; k < c->answers + c->n_answers; k++) {
        const double s = dlp_logistic(theta[k->person] - theta[k->item]);
        const double v =
            Sigma->a[k->at_person] - 2 * Sigma->a[k->at_both] + Sigma->a[k->at_item];
        const double d3 = -s * (1 - s) * (1 - 2 * s);
        grad[k->person] += d3 * v;
        grad[k->item] -= d3 * v;
    }
}

static const dlp_model_type type = {.size = sizeof type,
                                    .name = "rasch",
                                    .f = f,
                                    .derivatives = 2,
                                    .trace_grad = trace_grad};

/* Each answer is a term of two coordinates. */
static dlp_status find_pattern(test *c, dlp_error *error)
{
    dlp_index *start = calloc((size_t)c->n_answers + 1, sizeof *start);
    int32_t *column = calloc((size_t)c->n_answers, 2 * sizeof *column);
    dlp_status status = DLP_ENOMEM;
    for (dlp_index t = 0; start && column && t < c->n_answers; t++) {
        column[2 * t] = c->answers[t].person;
        column[2 * t + 1] = c->answers[t].item;
        start[t + 1] = 2 * t + 2;
    }
    if (start && column)
        status = dlp_pattern_from_sum(c->persons + c->items, c->n_answers, start, column,
                                      &c->pattern, error);
    free(start);
    free(column);
    if (status != DLP_OK) return status;
    for (answer *k = c->answers; k < c->answers + c->n_answers; k++) {
        k->at_person = dlp_pattern_find(c->pattern, k->person, k->person);
        k->at_item = dlp_pattern_find(c->pattern, k->item, k->item);
        k->at_both = dlp_pattern_find(c->pattern, k->person, k->item);
    }
    return DLP_OK;
}

static dlp_status simulate(test *c, dlp_error *error)
{
    const dlp_index n = c->persons + c->items;
    dlp_rng rng = dlp_rng_at(1, 0);
    double *theta = calloc((size_t)n, sizeof *theta);
    c->n_answers = ANSWERS * c->persons;
    c->answers = calloc((size_t)c->n_answers, sizeof *c->answers);
    if (!theta || !c->answers) {
        free(theta);
        return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    }
    for (dlp_index i = 0; i < n; i++)
        theta[i] = (i < c->persons ? A_SD : B_SD) * dlp_draw_normal(&rng);
    for (dlp_index t = 0; t < c->n_answers; t++) {
        answer *k = &c->answers[t];
        k->person = (int32_t)(t / ANSWERS);
        k->item = (int32_t)(c->persons +
                            (dlp_index)(dlp_draw_uniform(&rng) * (double)c->items));
        const double p = dlp_logistic(theta[k->person] - theta[k->item]);
        k->y = dlp_draw_uniform(&rng) < p ? 1 : -1;
    }
    free(theta);
    return DLP_OK;
}

static dlp_status check(const dlp_model *model, dlp_error *error)
{
    dlp_check check;
    char text[256];
    const dlp_status status = dlp_check_derivatives(model, 1, NULL, 1, &check, error);
    if (status != DLP_OK) return status;
    dlp_check_describe(&check, text, sizeof text);
    if (check.error < 1e-7) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "the derivatives are wrong: %s", text);
}

static dlp_status run(const test *c, const char *method, dlp_error *error)
{
    const dlp_model model = {
        .type = &type, .state = (void *)c, .shape = dlp_shape_sparse(c->pattern)};
    dlp_fit *fit = NULL;
    dlp_settings settings = dlp_settings_default();
    settings.method = method;
    dlp_status status = c->persons + c->items <= 100 ? check(&model, error) : DLP_OK;
    if (status == DLP_OK) status = dlp_fit_alloc(&model, &settings, &fit, error);
    if (status == DLP_OK) status = dlp_fit_run(fit, NULL, error);
    if (status == DLP_OK) {
        const dlp_result *r = dlp_fit_result(fit);
        printf("%s: %s, log p(y) %.4f; person 1 %.4f (%.4f), item 1 %.4f (%.4f)\n",
               method, dlp_outcome_name(r->outcome), r->objective, r->mu[0],
               sqrt(dlp_sym_entry(r->Sigma, 0, 0)), r->mu[c->persons],
               sqrt(dlp_sym_entry(r->Sigma, c->persons, c->persons)));
    }
    dlp_fit_free(fit);
    return status;
}

int main(int argc, char **argv)
{
    test c = {.persons = argc > 1 ? (dlp_index)strtol(argv[1], NULL, 10) : 200,
              .items = argc > 2 ? (dlp_index)strtol(argv[2], NULL, 10) : 30};
    dlp_error error = {.message = "PERSONS and ITEMS must be 1 or more"};
    dlp_status status = c.persons < 1 || c.items < 1 ? DLP_EINVAL : simulate(&c, &error);
    if (status == DLP_OK && argc > 3) {
        printf("person,item,y\n");
        for (const answer *k = c.answers; k < c.answers + c.n_answers; k++)
            printf("p%d,i%d,%d\n", (int)k->person, (int)k->item, k->y > 0);
        free(c.answers);
        return 0;
    }
    if (status == DLP_OK) status = find_pattern(&c, &error);
    if (status == DLP_OK) {
        const dlp_pattern_cost cost = dlp_pattern_cost_of(c.pattern);
        printf("%td parameters: %td entries, %td with fill-in\n", cost.n, cost.entries,
               cost.cholesky_entries);
        status = run(&c, "laplace", &error);
    }
    if (status == DLP_OK) status = run(&c, "delta", &error);
    if (status != DLP_OK) fprintf(stderr, "rasch: %s\n", error.message);
    dlp_pattern_free(c.pattern);
    free(c.answers);
    return status == DLP_OK ? 0 : 1;
}
