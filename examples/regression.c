/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A logistic regression from a table, and what it predicts for another:
 *
 *   regression FORMULA TABLE NEW
 *
 * The response has two levels; the probability is that of the second.
 */
#include <delaplace.h>
#include <stdio.h>
#include <stdlib.h>

/* All that is allocated, so that one function can free it, whatever went wrong. */
typedef struct regression {
    dlp_formula *formula;
    dlp_table *table, *new_table;
    dlp_design *design, *new_design;
    double *y;
    dlp_glm *glm;
    dlp_fit *fit;
} regression;

static void free_all(regression *r)
{
    dlp_fit_free(r->fit);
    dlp_glm_free(r->glm);
    free(r->y);
    dlp_design_free(r->new_design);
    dlp_design_free(r->design);
    dlp_table_free(r->new_table);
    dlp_table_free(r->table);
    dlp_formula_free(r->formula);
}

/* The columns that the formula makes of the table; a level of the response as 0 or 1. */
static dlp_status read_data(regression *r, const char *formula, const char *table,
                            dlp_error *error)
{
    dlp_status status = dlp_formula_parse(formula, &r->formula, error);
    if (status == DLP_OK) status = dlp_table_read(table, NULL, &r->table, error);
    if (status == DLP_OK)
        status = dlp_design_build(r->formula, r->table, NULL, &r->design, error);
    if (status != DLP_OK) return status;
    const dlp_design *d = r->design;
    if (d->response != DLP_RESPONSE_CATEGORICAL || d->terms->response.n != 2)
        return dlp_fail(error, DLP_EINPUT, "the response does not have two levels");
    r->y = calloc((size_t)d->N, sizeof *r->y);
    if (!r->y) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    for (dlp_index i = 0; i < d->N; i++) r->y[i] = d->class_code[i];
    return DLP_OK;
}

static dlp_status run_fit(regression *r, dlp_error *error)
{
    const dlp_design *d = r->design;
    const dlp_glm_data data = {.N = d->N, .p = d->p, .x = d->x, .y = r->y};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    dlp_status status =
        dlp_glm_alloc("bernoulli", "logit", &data, &prior, &r->glm, error);
    if (status == DLP_OK) {
        const dlp_model model = dlp_glm_model(r->glm);
        status = dlp_fit_alloc(&model, &settings, &r->fit, error);
    }
    return status == DLP_OK ? dlp_fit_run(r->fit, NULL, error) : status;
}

static dlp_status print_coefficients(const regression *r, dlp_error *error)
{
    const dlp_result *result = dlp_fit_result(r->fit);
    double *sd = calloc((size_t)result->n, sizeof *sd);
    if (!sd) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    dlp_fit_sd(r->fit, sd);
    printf("%s\n", dlp_outcome_name(result->outcome));
    for (dlp_index j = 0; j < result->n; j++)
        printf("%s: %.4f (sd %.4f)\n", r->design->name[j], result->mu[j], sd[j]);
    free(sd);
    return DLP_OK;
}

/* The new table becomes the same columns: the same levels, scaled by the same constants. */
static dlp_status print_predictions(regression *r, const char *table, dlp_error *error)
{
    dlp_status status = dlp_table_read(table, NULL, &r->new_table, error);
    dlp_design_options options = dlp_design_options_default();
    options.skip_response = 1;
    if (status == DLP_OK)
        status = dlp_design_rebuild(r->design->terms, r->new_table, &options,
                                    &r->new_design, error);
    if (status != DLP_OK) return status;
    const dlp_design *d = r->new_design;
    double *mean = calloc((size_t)d->N, sizeof *mean);
    if (!mean) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    const dlp_glm_data data = {.N = d->N, .p = d->p, .x = d->x};
    const dlp_glm_prediction wanted = {.mean_averaged = mean};
    const dlp_result *q = dlp_fit_result(r->fit);
    status =
        dlp_glm_predict("bernoulli", "logit", &data, q->mu, q->Sigma, &wanted, error);
    for (dlp_index i = 0; status == DLP_OK && i < d->N; i++)
        printf("row %td: %.4f\n", i + 1, mean[i]);
    free(mean);
    return status;
}

int main(int argc, char **argv)
{
    regression r = {0};
    dlp_error error = {""};
    if (argc != 4) {
        fprintf(stderr, "usage: regression FORMULA TABLE NEW\n");
        return 2;
    }
    dlp_status status = read_data(&r, argv[1], argv[2], &error);
    if (status == DLP_OK) status = run_fit(&r, &error);
    if (status == DLP_OK) status = print_coefficients(&r, &error);
    if (status == DLP_OK) status = print_predictions(&r, argv[3], &error);
    free_all(&r);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "regression: %s\n", error.message);
    return 1;
}
