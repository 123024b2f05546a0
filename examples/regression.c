/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression from a table, and what it predicts for another:
 *
 *   regression FORMULA TABLE NEW [FIT.json]
 *
 * The numbers are those of `delaplace glm fit` and `glm predict`, which do the same; the fit
 * can be saved for them.
 */
#include <delaplace.h>
#include <stdio.h>
#include <stdlib.h>

static dlp_status print_parameters(const dlp_regression *fit, dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    dlp_parameter *parameter = calloc((size_t)r->n, sizeof *parameter);
    if (!parameter) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    const dlp_status status = dlp_regression_parameters(fit, 0, parameter, error);
    printf("%s, link %s, by %s: %s\n", r->family->name, r->link, r->method,
           dlp_outcome_name(r->outcome));
    for (dlp_index i = 0; i < r->n && status == DLP_OK; i++) {
        char name[80];
        dlp_parameter_name(&parameter[i], name, sizeof name);
        printf("%s: %.17g (sd %.17g)\n", name, parameter[i].mean, parameter[i].sd);
    }
    free(parameter);
    return status;
}

/* The new table becomes the same columns: the same levels, scaled by the same constants. */
static dlp_status print_predictions(const dlp_regression *fit, const char *path,
                                    dlp_error *error)
{
    dlp_table *table = NULL;
    dlp_prediction *prediction = NULL;
    dlp_status status = dlp_table_read(path, NULL, &table, error);
    if (status == DLP_OK)
        status = dlp_regression_predict(fit, table, NULL, &prediction, error);
    if (status == DLP_OK) {
        const dlp_prediction_result *p = dlp_prediction_result_of(prediction);
        for (dlp_index i = 0; i < p->N && p->mean_averaged; i++)
            printf("row %td: %.10g [%.10g, %.10g]\n", i + 1, p->mean_averaged[i],
                   p->lower[i], p->upper[i]);
    }
    dlp_prediction_free(prediction);
    dlp_table_free(table);
    return status;
}

int main(int argc, char **argv)
{
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_error error = {0};
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: regression FORMULA TABLE NEW [FIT.json]\n");
        return 2;
    }
    dlp_status status = dlp_table_read(argv[2], NULL, &table, &error);
    if (status == DLP_OK) status = dlp_regression_fit(argv[1], table, NULL, &fit, &error);
    if (status == DLP_OK) status = print_parameters(fit, &error);
    if (status == DLP_OK) status = print_predictions(fit, argv[3], &error);
    if (status == DLP_OK && argc == 5) status = dlp_regression_save(fit, argv[4], &error);
    dlp_regression_free(fit);
    dlp_table_free(table);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "regression: %s\n", error.message);
    return 1;
}
