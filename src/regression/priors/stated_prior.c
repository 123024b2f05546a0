/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/stated_prior.h"

#include "core/core.h"
#include "core/suggest.h"
#include "regression/priors/prior_statement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is stated, and where it goes. */
typedef struct statement {
    const dlpi_prepared *of;
    dlp_index p;
    dlpi_prior_choice *prior;
} statement;

/* The coefficient of that name, or -1. */
static dlp_index find_column(const statement *s, const char *name)
{
    for (dlp_index j = 0; j < s->p; j++)
        if (!strcmp(s->of->name[j], name)) return j;
    return -1;
}

static dlp_status fail_unknown(const statement *s, bool or_term, const char *name,
                               dlp_error *error)
{
    const dlp_design *d = s->of->design;
    const char *suggested = dlpi_suggest(name, s->of->name, s->p);
    if (!suggested && or_term) suggested = dlpi_suggest(name, d->term, d->n_terms);
    if (suggested)
        return dlp_fail(error, DLP_EINPUT,
                        "the regression has no term '%.80s'; did you mean '%.80s'?", name,
                        suggested);
    return dlp_fail(error, DLP_EINPUT, "the regression has no term '%.80s'", name);
}

/* ---- a prior for each of some terms ---- */

/* The table, and which coefficients have a row in it. */
typedef struct prior_table {
    const dlp_table *table;
    const dlp_column *term, *mean, *sd, *df; /* NULL: the table has none */
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
                            "column '%.80s' is not one of those of a table of priors: "
                            "term, mean, sd and df",
                            column->name);
        if (column->kind != fields[f].kind)
            return dlp_fail(error, DLP_EINPUT, "column '%s' must hold %s", column->name,
                            f == 0 ? "names of terms" : "numbers");
        *fields[f].column = column;
    }
    return DLP_OK;
}

/* The number in a line, or the default where the line has none. */
static double field_of(const dlp_column *column, dlp_index row, double usual)
{
    return column && !isnan(column->number[row]) ? column->number[row] : usual;
}

static dlp_status state_one(prior_table *t, dlp_index row, dlp_index j,
                            const statement *s, dlp_error *error)
{
    const char *name = s->of->name[j];
    dlp_coefficient_prior *prior = &s->prior->each[j];
    if (t->stated[j])
        return dlp_fail(error, DLP_EINPUT, "row %td: the prior of '%.80s' is given twice",
                        row + 1, name);
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
                    row + 1, name, prior->mean, prior->sd, prior->df, most);
}

/* A line is about a column, or about all columns of a term. */
static dlp_status state_row(prior_table *t, dlp_index row, const statement *s,
                            dlp_error *error)
{
    const dlp_design *design = s->of->design;
    const int32_t code = t->term->code[row];
    if (code < 0) return dlp_fail(error, DLP_EINPUT, "row %td names no term", row + 1);
    const char *name = t->term->level[code];
    const dlp_index column = find_column(s, name);
    if (column >= 0) return state_one(t, row, column, s, error);
    bool found = false;
    for (dlp_index d = 0; d < design->p; d++) {
        const dlp_index of = design->assign[d], j = find_column(s, design->name[d]);
        if (of < 0 || j < 0 || strcmp(design->term[of], name) != 0) continue;
        DLP_TRY(state_one(t, row, j, s, error));
        found = true;
    }
    return found ? DLP_OK : fail_unknown(s, true, name, error);
}

static dlp_status state_rows(prior_table *t, const statement *s, dlp_error *error)
{
    DLP_TRY(find_fields(t, error));
    if (!t->term) return dlp_fail(error, DLP_EINPUT, "column 'term' is missing");
    if (s->of->asked.prior_covariance && (t->sd || t->df))
        return dlp_fail(error, DLP_EINPUT,
                        "together with a prior covariance, a table of priors can only "
                        "give means; leave out 'sd' and 'df'");
    for (dlp_index row = 0; row < t->table->rows; row++)
        DLP_TRY(state_row(t, row, s, error));
    return DLP_OK;
}

static dlp_status take_priors(const statement *s, dlp_error *error)
{
    prior_table t = {.table = s->of->asked.prior};
    t.stated = dlpi_calloc(s->p, sizeof *t.stated);
    const dlp_status status =
        t.stated ? state_rows(&t, s, error) : dlpi_no_memory(error, "the prior");
    free(t.stated);
    return dlpi_in_table(t.table, status, error);
}

/* ---- priors in words ---- */

static dlp_status take_words(const statement *s, const dlpi_prior_statement *words,
                             dlp_error *error)
{
    const dlp_design *design = s->of->design;
    const char *name = words->name[0];
    const dlp_index column = name[0] ? find_column(s, name) : -1;
    bool found = column >= 0;
    if (found) s->prior->each[column] = words->coefficient;
    for (dlp_index d = 0; column < 0 && d < design->p; d++) {
        const dlp_index of = design->assign[d], j = find_column(s, design->name[d]);
        const bool about =
            of >= 0 && j >= 0 && (!name[0] || !strcmp(design->term[of], name));
        if (!about) continue;
        s->prior->each[j] = words->coefficient;
        found = true;
    }
    if (found) return DLP_OK;
    if (name[0]) return fail_unknown(s, true, name, error);
    return dlp_fail(error, DLP_EINPUT,
                    "prior '%.100s': there are no coefficients except the intercept; "
                    "write b(Intercept)",
                    words->text);
}

/* b ~ ... applies to all but the intercept; a statement about a term or column overrides
   it. */
static dlp_status take_statements(const statement *s, dlp_error *error)
{
    for (int depth = 0; depth <= 1; depth++)
        for (dlp_index i = 0; i < s->of->asked.n_priors; i++) {
            const dlpi_prior_statement *words = &s->of->statement[i];
            if (words->of != DLPI_PRIOR_OF_COEFFICIENT ||
                dlpi_prior_statement_depth(words) != depth)
                continue;
            if (s->of->asked.prior_covariance)
                return dlp_fail(error, DLP_EINVAL,
                                "prior '%.100s': a prior covariance of all coefficients "
                                "is given, too; leave one of them out",
                                words->text);
            DLP_TRY(take_words(s, words, error));
        }
    return DLP_OK;
}

static bool has_statements(const dlpi_prepared *p)
{
    for (dlp_index i = 0; i < p->asked.n_priors; i++)
        if (p->statement[i].of == DLPI_PRIOR_OF_COEFFICIENT) return true;
    return false;
}

/* ---- a covariance of all ---- */

/* place[j]: the column of the table for coefficient j. The table may begin with a column
   of names, as R writes one; its rows are in the order of its columns. */
static dlp_status match_columns(const dlp_table *table, dlp_index first,
                                const statement *s, dlp_index *place, dlp_error *error)
{
    for (dlp_index k = first; k < table->columns; k++) {
        const dlp_column *column = &table->column[k];
        const dlp_index j = find_column(s, column->name);
        if (j < 0) return fail_unknown(s, false, column->name, error);
        if (column->kind != DLP_NUMERIC || column->missing)
            return dlp_fail(error, DLP_EINPUT, "column '%.80s' must hold only numbers",
                            column->name);
        place[j] = k;
    }
    for (dlp_index j = 0; j < s->p; j++)
        if (place[j] < 0)
            return dlp_fail(error, DLP_EINPUT,
                            "there is no column '%.80s'; a prior covariance needs all "
                            "%td coefficients",
                            s->of->name[j], s->p);
    if (table->rows == s->p) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "there are %td rows; a prior covariance of %td coefficients has as "
                    "many",
                    table->rows, s->p);
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

static dlp_status check_symmetry(const statement *s, dlp_error *error)
{
    const dlp_index p = s->p;
    double *S = s->prior->covariance;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < j; k++) {
            const double a = S[j * p + k], b = S[k * p + j];
            if (!(fabs(a - b) <= 1e-8 * sqrt(fabs(S[j * p + j] * S[k * p + k]))))
                return dlp_fail(error, DLP_EINPUT,
                                "the covariance of '%.80s' and '%.80s' is %g in one "
                                "place and %g in the other; it must be symmetric",
                                s->of->name[k], s->of->name[j], b, a);
            S[j * p + k] = S[k * p + j] = 0.5 * (a + b);
        }
    return DLP_OK;
}

static dlp_status check_positive(const statement *s, dlp_error *error)
{
    const dlp_index p = s->p;
    const dlp_shape shape = dlp_shape_dense(p);
    dlp_sym S = {.a = NULL};
    dlp_cholesky *factor = NULL;
    dlp_index failed = -1;
    dlp_status status = dlp_sym_alloc(shape, &S, error);
    if (status == DLP_OK) status = dlp_cholesky_alloc(shape, &factor, error);
    if (status == DLP_OK) {
        memcpy(dlp_sym_block(&S, 0), s->prior->covariance,
               (size_t)(p * p) * sizeof(double));
        failed = dlp_cholesky_compute(factor, &S);
    }
    if (failed >= 0)
        status =
            dlp_fail(error, DLP_EINPUT,
                     "the prior covariance is not positive definite: given the columns "
                     "before it, '%.80s' would have no positive variance",
                     s->of->name[failed]);
    dlp_cholesky_free(factor);
    dlp_sym_free(&S);
    return status;
}

static dlp_status check_variances(const statement *s, dlp_error *error)
{
    for (dlp_index j = 0; j < s->p; j++) {
        const double variance = s->prior->covariance[j * (s->p + 1)];
        if (!(sqrt(variance) >= 1 / DLP_GLM_LARGEST && sqrt(variance) <= DLP_GLM_LARGEST))
            return dlp_fail(error, DLP_EINPUT,
                            "the variance of '%.80s' is %g; it must be above 0",
                            s->of->name[j], variance);
    }
    return DLP_OK;
}

static dlp_status read_covariance(const statement *s, dlp_index *place, dlp_error *error)
{
    const dlp_index p = s->p;
    const dlp_table *table = s->of->asked.prior_covariance;
    const dlp_index first = table->column[0].kind == DLP_CATEGORICAL ? 1 : 0;
    for (dlp_index j = 0; j < p; j++) place[j] = -1;
    DLP_TRY(match_columns(table, first, s, place, error));
    if (first) DLP_TRY(check_row_names(table, error));
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++)
            s->prior->covariance[j * p + k] =
                table->column[place[k]].number[place[j] - first];
    DLP_TRY(check_variances(s, error));
    DLP_TRY(check_symmetry(s, error));
    return check_positive(s, error);
}

static dlp_status take_covariance(const statement *s, dlp_error *error)
{
    const dlp_index p = s->p;
    dlp_index *place = dlpi_calloc(p, sizeof *place);
    s->prior->covariance = dlpi_calloc(p, (size_t)p * sizeof(double));
    if (!place || !s->prior->covariance) {
        free(place);
        return dlpi_no_memory(error, "the prior");
    }
    const dlp_status status = read_covariance(s, place, error);
    free(place);
    DLP_TRY(dlpi_in_table(s->of->asked.prior_covariance, status, error));
    /* the sds to report are the margins of the covariance */
    for (dlp_index j = 0; j < p; j++)
        s->prior->each[j].sd = sqrt(s->prior->covariance[j * (p + 1)]);
    return DLP_OK;
}

/* ---- the whole ---- */

/* In an ordinal regression it belongs to the first cut point (cut_prior.h). */
static dlp_status state_intercept(const statement *s, dlp_error *error)
{
    const dlp_index j = s->of->intercept;
    if (s->of->family->support == DLP_SUPPORT_ORDERED) return DLP_OK;
    if (j < 0)
        return dlp_fail(
            error, DLP_EINVAL,
            "an sd for the intercept needs an intercept, and this regression has none");
    s->prior->each[j].sd = s->of->asked.intercept_sd;
    s->prior->each[j].weak = false;
    return DLP_OK;
}

/* Coefficients without a statement of their own have the prior of all, or their weak
   one. */
static dlp_status begin_with_the_others(const statement *s, dlp_error *error)
{
    dlpi_prior_choice *prior = s->prior;
    if (prior->each) return DLP_OK;
    prior->each = dlpi_calloc(s->p, sizeof *prior->each);
    if (!prior->each) return dlpi_no_memory(error, "the prior");
    for (dlp_index j = 0; j < s->p; j++)
        prior->each[j] = (dlp_coefficient_prior){0, prior->sd, prior->df, false};
    return DLP_OK;
}

dlp_status dlpi_stated_prior(const dlpi_prepared *prepared, dlpi_prior_choice *prior,
                             dlp_error *error)
{
    const dlp_regression_settings *asked = &prepared->asked;
    const statement s = {prepared, prepared->data.p, prior};
    const bool of_intercept = asked->intercept_sd > 0;
    if (!asked->prior && !asked->prior_covariance && !of_intercept &&
        !has_statements(prepared))
        return DLP_OK;
    DLP_TRY(begin_with_the_others(&s, error));
    if (of_intercept) DLP_TRY(state_intercept(&s, error));
    if (asked->prior) DLP_TRY(take_priors(&s, error));
    DLP_TRY(take_statements(&s, error));
    return asked->prior_covariance ? take_covariance(&s, error) : DLP_OK;
}
