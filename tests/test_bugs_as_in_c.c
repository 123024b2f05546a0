/* SPDX-License-Identifier: BSD-3-Clause */
/* The curvature of a model in the language of BUGS, beside that of the same model in C. */
#include "bugs_agree.h"

enum { ROWS = 9, COLUMNS = 5 };
static const double first[ROWS] = {1, 1, 1, 0, 0, 0, 0, 0, 0},
                    second[ROWS] = {0, 0, 0, 1, 1, 1, 0, 0, 0},
                    third[ROWS] = {0, 0, 0, 0, 0, 0, 1, 1, 1},
                    ones[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                    slope[ROWS] = {-1.9, 0.3, 0.8, -0.4, 1.1, -1.3, 2.2, 0.6, -0.7};
static const double *const columns[COLUMNS] = {ones, slope, first, second, third};

static dlp_index x_of(const dlp_bugs *bugs, const dlpi_plan *plan, const char *name)
{
    return plan->at[bugs_cell(bugs->graph, name)];
}

/* Laplace's approximation, as the steps of a fit find it when nothing is put on points. */
static void laplace_of(const dlp_bugs *bugs, dlp_index n, const char *const *name,
                       double *mode, double *sigma)
{
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_plan plan = {0};
    dlpi_groups groups = {0};
    dlpi_field field = {0};
    dlpi_work work = {0};
    assert_ok(dlpi_lowering_make(bugs->graph, NULL, &lowering, error));
    assert_ok(dlpi_factors_make(&lowering, &factors, error));
    assert_ok(dlpi_plan_make(&factors, false, &plan, error));
    assert_int_equal(plan.m, 0);
    assert_int_equal(plan.L, 0);
    assert_int_equal(plan.n, n);
    assert_ok(dlpi_groups_make(&factors, &plan, &groups, error));
    assert_ok(dlpi_field_make(&groups, &field, error));
    assert_ok(dlpi_work_alloc(&field, &work, error));
    /* The search ends with a step; the curvature at its end is that of a search from there. */
    for (int round = 0; round < 2; round++) {
        assert_true(isfinite(dlpi_work_at(&work, work.psi)));
        memcpy(field.x, work.x, (size_t)n * sizeof *field.x);
    }
    for (dlp_index i = 0; i < n; i++) mode[i] = work.x[x_of(bugs, &plan, name[i])];
    dlpi_work_moments(&work);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            sigma[i * n + j] = dlp_sym_entry(&work.S, x_of(bugs, &plan, name[i]),
                                             x_of(bugs, &plan, name[j]));
    dlpi_work_free(&work);
    dlpi_field_clear(&field);
    dlpi_groups_clear(&groups);
    dlpi_plan_clear(&plan);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
}

/* The same regression, by glm. */
static void same_as_glm(const char *family, const dlp_glm_data *rows, const char *model,
                        const char *data)
{
    static const double sd[COLUMNS] = {5, 2, 0.8, 0.8, 0.8};
    static const char *const name[COLUMNS] = {"a", "b", "u[1]", "u[2]", "u[3]"};
    dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *glm = NULL;
    dlp_fit *fit = NULL;
    dlp_settings settings = dlp_settings_default();
    double mode[COLUMNS], sigma[COLUMNS * COLUMNS];
    prior.sd = sd;
    settings.tol = 1e-12;
    assert_ok(dlp_glm_alloc(family, NULL, rows, &prior, &glm, error));
    const dlp_model in_c = dlp_glm_model(glm);
    assert_ok(dlp_fit_alloc(&in_c, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    dlp_bugs *bugs = read_model(model, data);
    laplace_of(bugs, COLUMNS, name, mode, sigma);
    const dlp_result *result = dlp_fit_result(fit);
    for (int i = 0; i < COLUMNS; i++) {
        double unit[COLUMNS] = {0};
        assert_near(mode[i], result->mu[i], 1e-8);
        unit[i] = 1;
        dlp_fit_apply_sigma(fit, unit);
        for (int j = 0; j < COLUMNS; j++)
            assert_near(sigma[i * COLUMNS + j], unit[j], 1e-8);
    }
    dlp_bugs_free(bugs);
    dlp_fit_free(fit);
    dlp_glm_free(glm);
}

#define PRIORS                                                                           \
    "a ~ dnorm(0, 0.04)\n b ~ dnorm(0, 0.25)\n"                                          \
    "for (j in 1:3) { u[j] ~ dnorm(0, 1 / 0.64) } }"
#define PREDICTORS                                                                       \
    "x <- c(-1.9, 0.3, 0.8, -0.4, 1.1, -1.3, 2.2, 0.6, -0.7)\n"                          \
    "g <- c(1, 1, 1, 2, 2, 2, 3, 3, 3)\n"

static void logistic_as_in_c(void **state)
{
    (void)state;
    static const double y[ROWS] = {0, 1, 1, 0, 1, 1, 1, 0, 0};
    const dlp_glm_data rows = {.N = ROWS, .p = COLUMNS, .x = columns, .y = y};
    same_as_glm("bernoulli", &rows,
                "model { for (i in 1:9) { y[i] ~ dbern(p[i])\n"
                "logit(p[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                PREDICTORS "y <- c(0, 1, 1, 0, 1, 1, 1, 0, 0)");
}

static void poisson_as_in_c(void **state)
{
    (void)state;
    static const double y[ROWS] = {0, 3, 2, 1, 6, 1, 9, 2, 0};
    const dlp_glm_data rows = {.N = ROWS, .p = COLUMNS, .x = columns, .y = y};
    same_as_glm("poisson", &rows,
                "model { for (i in 1:9) { y[i] ~ dpois(mu[i])\n"
                "log(mu[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                PREDICTORS "y <- c(0, 3, 2, 1, 6, 1, 9, 2, 0)");
}

/* Rows beyond the first batch have the derivatives of their own coefficients, too. */
static void many_rows_as_in_c(void **state)
{
    enum { MANY = 2 * DLPI_BATCH + 90 };
    static double column[COLUMNS][MANY], y[MANY];
    static char data[3 * 24 * MANY];
    const double *x[COLUMNS];
    size_t at = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        column[0][i] = 1;
        column[1][i] = (i * 379 % 997) / 300.0 - 1.5;
        column[2 + i % 3][i] = 1;
        y[i] = (i * 7 + i / 5) % 5 < 2 + i / 300;
    }
    for (int j = 0; j < COLUMNS; j++) x[j] = column[j];
    for (int which = 0; which < 3; which++) {
        at += (size_t)snprintf(data + at, sizeof data - at, "%c <- c(", "xgy"[which]);
        for (int i = 0; i < MANY; i++)
            at +=
                (size_t)snprintf(data + at, sizeof data - at, "%s%.17g", i > 0 ? "," : "",
                                 which == 0   ? column[1][i]
                                 : which == 1 ? 1 + i % 3
                                              : y[i]);
        at += (size_t)snprintf(data + at, sizeof data - at, ")\n");
    }
    const dlp_glm_data rows = {.N = MANY, .p = COLUMNS, .x = x, .y = y};
    same_as_glm("bernoulli", &rows,
                "model { for (i in 1:602) { y[i] ~ dbern(p[i])\n"
                "logit(p[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic_as_in_c),
        cmocka_unit_test(poisson_as_in_c),
        cmocka_unit_test(many_rows_as_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
