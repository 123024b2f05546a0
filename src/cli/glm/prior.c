/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/prior.h"

#include "cli/guess.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char INTERCEPT[] = "(Intercept)";

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the prior");
}

/* The coefficient of that name, or -1. */
static dlp_index find_column(const cli_glm_fit *fit, const char *name)
{
    for (dlp_index j = 0; j < fit->p; j++)
        if (!strcmp(fit->column[j], name)) return j;
    return -1;
}

/* design: NULL where only columns are meant, not terms. */
static dlp_status fail_unknown(const dlp_design *design, const cli_glm_fit *fit,
                               const char *name, dlp_error *error)
{
    cli_guess guess = cli_guess_for(name);
    for (dlp_index j = 0; j < fit->p; j++) cli_guess_consider(&guess, fit->column[j]);
    for (dlp_index t = 0; design && t < design->n_terms; t++)
        cli_guess_consider(&guess, design->term[t]);
    if (guess.best)
        return dlp_fail(error, DLP_EINPUT,
                        "the regression has no term '%.80s'; did you mean '%.80s'?", name,
                        guess.best);
    return dlp_fail(error, DLP_EINPUT,
                    "the regression has no term '%.80s'; 'delaplace glm show' lists its "
                    "terms",
                    name);
}

/* ---- a prior for each of some terms ---- */

/* The file, and which coefficients have got a line of it. */
typedef struct prior_table {
    dlp_table *table;
    const dlp_column *term, *mean, *sd, *df; /* NULL where the file has none */
    bool *stated;                            /* (p) */
} prior_table;

static dlp_status find_fields(prior_table *t, dlp_error *error)
{
    const struct {
        const char *name;
        const dlp_column **column;
        dlp_column_kind kind;
    } fields[] = {{"term", &t->term, DLP_CATEGORICAL},
                  {"mean", &t->mean, DLP_NUMERIC},
                  {"sd", &t->sd, DLP_NUMERIC},
                  {"df", &t->df, DLP_NUMERIC}};
    for (dlp_index k = 0; k < t->table->columns; k++) {
        const dlp_column *column = &t->table->column[k];
        size_t f = 0;
        while (f < 4 && strcmp(fields[f].name, column->name) != 0) f++;
        if (f == 4)
            return dlp_fail(error, DLP_EINPUT,
                            "column '%.80s' is not one of a prior's, which are term, "
                            "mean, sd and df",
                            column->name);
        if (column->kind != fields[f].kind)
            return dlp_fail(error, DLP_EINPUT, "column '%s' must hold %s", column->name,
                            f == 0 ? "names of terms" : "numbers");
        *fields[f].column = column;
    }
    if (t->term) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "column 'term' is missing");
}

/* The number of a line, or what stands where it has none. */
static double field_of(const dlp_column *column, dlp_index row, double usual)
{
    return column && !isnan(column->number[row]) ? column->number[row] : usual;
}

static dlp_status state_one(prior_table *t, dlp_index row, dlp_index j, cli_glm_fit *fit,
                            dlp_error *error)
{
    cli_glm_prior *prior = &fit->own_prior[j];
    if (t->stated[j])
        return dlp_fail(error, DLP_EINPUT, "row %td: the prior of '%.80s' stands twice",
                        row + 1, fit->column[j]);
    t->stated[j] = true;
    prior->mean = field_of(t->mean, row, prior->mean);
    prior->sd = field_of(t->sd, row, prior->sd);
    prior->df = field_of(t->df, row, prior->df);
    prior->weak = false;
    const double most = DLP_GLM_LARGEST;
    if (fabs(prior->mean) <= most && prior->sd >= 1 / most && prior->sd <= most &&
        prior->df >= 0 && prior->df <= 1e9)
        return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "row %td: the prior of '%.80s' has mean %g, sd %g and df %g; sd must "
                    "be above 0, mean and sd at most %g, df from 0 (normal) to 1e9",
                    row + 1, fit->column[j], prior->mean, prior->sd, prior->df, most);
}

/* A line is about a column, or about all columns of a term. */
static dlp_status state_row(prior_table *t, dlp_index row, const dlp_design *design,
                            cli_glm_fit *fit, dlp_error *error)
{
    const int32_t code = t->term->code[row];
    if (code < 0) return dlp_fail(error, DLP_EINPUT, "row %td names no term", row + 1);
    const char *name = t->term->level[code];
    const dlp_index column = find_column(fit, name);
    if (column >= 0) return state_one(t, row, column, fit, error);
    bool found = false;
    for (dlp_index d = 0; d < design->p; d++) {
        const dlp_index of = design->assign[d], j = find_column(fit, design->name[d]);
        if (of < 0 || j < 0 || strcmp(design->term[of], name) != 0) continue;
        CLI_TRY(state_one(t, row, j, fit, error));
        found = true;
    }
    return found ? DLP_OK : fail_unknown(design, fit, name, error);
}

static dlp_status state_rows(prior_table *t, const dlp_design *design, bool with_sd,
                             cli_glm_fit *fit, dlp_error *error)
{
    CLI_TRY(find_fields(t, error));
    if (!with_sd && (t->sd || t->df))
        return dlp_fail(error, DLP_EINPUT,
                        "beside --prior-covariance a prior file has means alone; leave "
                        "out 'sd' and 'df'");
    for (dlp_index row = 0; row < t->table->rows; row++)
        CLI_TRY(state_row(t, row, design, fit, error));
    return DLP_OK;
}

static dlp_table_options csv(void)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "csv";
    return options;
}

static dlp_status read_priors(const cli_glm_stated_prior *stated,
                              const dlp_design *design, cli_glm_fit *fit,
                              dlp_error *error)
{
    const dlp_table_options options = csv();
    prior_table t = {.table = NULL};
    CLI_TRY(cli_table_read(stated->file, &options, &t.table, error));
    t.stated = calloc((size_t)fit->p + 1, sizeof *t.stated);
    const dlp_status status =
        t.stated ? state_rows(&t, design, !stated->covariance, fit, error)
                 : no_memory(error);
    free(t.stated);
    dlp_table_free(t.table);
    return cli_in_file(stated->file, status, error);
}

/* ---- a covariance of all ---- */

/* place[j]: the column of the table for coefficient j. The table may begin with a column
   of names, as R writes one; its rows are in the order of its columns. */
static dlp_status match_columns(const dlp_table *table, dlp_index first,
                                const cli_glm_fit *fit, dlp_index *place,
                                dlp_error *error)
{
    for (dlp_index k = first; k < table->columns; k++) {
        const dlp_column *column = &table->column[k];
        const dlp_index j = find_column(fit, column->name);
        if (j < 0) return fail_unknown(NULL, fit, column->name, error);
        if (column->kind != DLP_NUMERIC || column->missing)
            return dlp_fail(error, DLP_EINPUT, "column '%.80s' must hold numbers alone",
                            column->name);
        place[j] = k;
    }
    for (dlp_index j = 0; j < fit->p; j++)
        if (place[j] < 0)
            return dlp_fail(error, DLP_EINPUT,
                            "there is no column '%.80s'; a prior covariance is one of "
                            "all %td coefficients",
                            fit->column[j], fit->p);
    if (table->rows == fit->p) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "there are %td rows; a prior covariance of %td coefficients has as "
                    "many",
                    table->rows, fit->p);
}

/* The names of the rows, where there are any, are those of the columns. */
static dlp_status check_row_names(const dlp_table *table, dlp_error *error)
{
    const dlp_column *names = &table->column[0];
    for (dlp_index i = 0; i < table->rows; i++) {
        const char *wanted = table->column[i + 1].name;
        const char *got = names->code[i] < 0 ? "" : names->level[names->code[i]];
        if (strcmp(got, wanted) != 0)
            return dlp_fail(error, DLP_EINPUT,
                            "row %td is called '%.80s' and column %td '%.80s'; rows and "
                            "columns must be in the same order",
                            i + 1, got, i + 1, wanted);
    }
    return DLP_OK;
}

static dlp_status check_symmetry(const cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index p = fit->p;
    double *S = fit->prior_covariance;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < j; k++) {
            const double a = S[j * p + k], b = S[k * p + j];
            if (!(fabs(a - b) <= 1e-8 * sqrt(fabs(S[j * p + j] * S[k * p + k]))))
                return dlp_fail(error, DLP_EINPUT,
                                "the covariance of '%.80s' and '%.80s' is %g in one "
                                "place and %g in the other; it must be symmetric",
                                fit->column[k], fit->column[j], b, a);
            S[j * p + k] = S[k * p + j] = 0.5 * (a + b);
        }
    return DLP_OK;
}

static dlp_status check_positive(const cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index p = fit->p;
    const dlp_shape shape = dlp_shape_dense(p);
    dlp_sym S = {.a = NULL};
    dlp_factor *factor = NULL;
    dlp_index failed = -1;
    dlp_status status = dlp_sym_alloc(shape, &S, error);
    if (status == DLP_OK) status = dlp_factor_alloc(shape, &factor, error);
    if (status == DLP_OK) {
        memcpy(dlp_sym_block(&S, 0), fit->prior_covariance,
               (size_t)(p * p) * sizeof(double));
        failed = dlp_factor_compute(factor, &S);
    }
    if (failed >= 0)
        status = dlp_fail(error, DLP_EINPUT,
                          "the prior covariance is not positive definite: by the columns "
                          "before it, '%.80s' would have no variance of its own, or less",
                          fit->column[failed]);
    dlp_factor_free(factor);
    dlp_sym_free(&S);
    return status;
}

static dlp_status take_covariance(const dlp_table *table, cli_glm_fit *fit,
                                  dlp_index *place, dlp_error *error)
{
    const dlp_index p = fit->p;
    const dlp_index first = table->column[0].kind == DLP_CATEGORICAL ? 1 : 0;
    CLI_TRY(match_columns(table, first, fit, place, error));
    if (first) CLI_TRY(check_row_names(table, error));
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++)
            fit->prior_covariance[j * p + k] =
                table->column[place[k]].number[place[j] - first];
    for (dlp_index j = 0; j < p; j++) {
        const double variance = fit->prior_covariance[j * (p + 1)];
        if (!(sqrt(variance) >= 1 / DLP_GLM_LARGEST && sqrt(variance) <= DLP_GLM_LARGEST))
            return dlp_fail(error, DLP_EINPUT,
                            "the variance of '%.80s' is %g; it must be above 0",
                            fit->column[j], variance);
    }
    CLI_TRY(check_symmetry(fit, error));
    return check_positive(fit, error);
}

static dlp_status read_covariance(const char *path, cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index p = fit->p;
    const dlp_table_options options = csv();
    dlp_table *table = NULL;
    CLI_TRY(cli_table_read(path, &options, &table, error));
    dlp_index *place = malloc(((size_t)p + 1) * sizeof *place);
    fit->prior_covariance = calloc((size_t)(p * p) + 1, sizeof(double));
    for (dlp_index j = 0; place && j < p; j++) place[j] = -1;
    const dlp_status status = place && fit->prior_covariance
                                  ? take_covariance(table, fit, place, error)
                                  : no_memory(error);
    free(place);
    dlp_table_free(table);
    return cli_in_file(path, status, error);
}

/* ---- the whole ---- */

static dlp_status state_intercept(double sd, cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index j = find_column(fit, INTERCEPT);
    if (j < 0)
        return dlp_fail(error, DLP_EINVAL,
                        "--intercept-sd needs an intercept, and this regression has %s",
                        cli_glm_is_ordinal(fit->family) ? "cut points in its place"
                                                        : "none");
    fit->own_prior[j].sd = sd;
    fit->own_prior[j].weak = false;
    return DLP_OK;
}

/* Coefficients of which nothing more is said have the prior of all, or their weak one. */
static dlp_status begin_with_the_others(cli_glm_fit *fit, dlp_error *error)
{
    if (fit->own_prior) return DLP_OK;
    fit->own_prior = calloc((size_t)fit->p + 1, sizeof *fit->own_prior);
    if (!fit->own_prior) return no_memory(error);
    for (dlp_index j = 0; j < fit->p; j++)
        fit->own_prior[j] = (cli_glm_prior){0, fit->prior_sd, fit->prior_df, false};
    return DLP_OK;
}

dlp_status cli_glm_prior_take(const cli_glm_stated_prior *stated,
                              const dlp_design *design, cli_glm_fit *fit,
                              dlp_error *error)
{
    if (!stated->file && !stated->covariance && stated->intercept_sd == 0) return DLP_OK;
    CLI_TRY(begin_with_the_others(fit, error));
    if (stated->intercept_sd > 0)
        CLI_TRY(state_intercept(stated->intercept_sd, fit, error));
    if (stated->file) CLI_TRY(read_priors(stated, design, fit, error));
    if (stated->covariance) CLI_TRY(read_covariance(stated->covariance, fit, error));
    /* the margins of the covariance are the sds to tell */
    for (dlp_index j = 0; stated->covariance && j < fit->p; j++)
        fit->own_prior[j].sd = cli_glm_prior_of(fit, j).sd;
    return DLP_OK;
}
