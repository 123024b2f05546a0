/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/effects/covariates_splines.h"

#include "core/core.h"
#include "math/distinct.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a spline, as in stm, and the fewest that a cubic one has. */
enum { MOST_DF = 10, LEAST_DF = 3, CALL = 48 };

/* How many values the column of that name has; MOST_DF + 1 where it is unknown. */
static dlp_status count_values(const dlp_table *table, const char *name, size_t length,
                               dlp_index *found, dlp_error *error)
{
    const dlp_column *column = NULL;
    *found = MOST_DF + 1;
    for (dlp_index c = 0; c < table->columns; c++)
        if (strlen(table->column[c].name) == length &&
            !memcmp(table->column[c].name, name, length))
            column = &table->column[c];
    if (!column || column->kind != DLP_NUMERIC) return DLP_OK;
    double *x = dlpi_calloc(table->rows, sizeof *x);
    if (!x) return dlpi_no_memory(error, "the covariates");
    dlp_index n = 0;
    for (dlp_index i = 0; i < table->rows; i++)
        if (!isnan(column->number[i])) x[n++] = column->number[i];
    *found = dlpi_distinct(n, x);
    free(x);
    return DLP_OK;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The end of what begins with a quote or backtick at `at`. */
static const char *skip_quoted(const char *at)
{
    const char *end = strchr(at + 1, *at);
    return end ? end + 1 : at + strlen(at);
}

/* The bracket that closes the one before `at`, or NULL; *comma: the first comma at its level, or
   NULL. */
static const char *find_close(const char *at, const char **comma)
{
    int depth = 1;
    *comma = NULL;
    while (*at) {
        if (*at == '`' || *at == '"' || *at == '\'') {
            at = skip_quoted(at);
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at;
        if (*at == ',' && depth == 1 && !*comma) *comma = at;
        at++;
    }
    return NULL;
}

/* s(inside), at out. */
static dlp_status write_spline(const dlp_table *table, const char *inside,
                               const char *close, const char *comma, char **out,
                               dlp_error *error)
{
    const char *end = comma ? comma : close;
    dlp_index n;
    while (inside < end && isspace((unsigned char)*inside)) inside++;
    while (end > inside && isspace((unsigned char)end[-1])) end--;
    const int length = (int)(end - inside);
    DLP_TRY(count_values(table, inside, (size_t)length, &n, error));
    const int df = n - 1 < MOST_DF ? (int)(n - 1) : MOST_DF;
    if (comma)
        *out += sprintf(*out, "bs(%.*s", (int)(close + 1 - inside), inside);
    else if (n < LEAST_DF)
        *out += sprintf(*out, "%.*s", length, inside);
    else
        *out += sprintf(*out, df > LEAST_DF ? "bs(%.*s, df = %d)" : "poly(%.*s, %d)",
                        length, inside, df);
    return DLP_OK;
}

static dlp_status rewrite(const char *at, const dlp_table *table, char *out,
                          dlp_error *error)
{
    while (*at) {
        const char *from = at, *comma, *close;
        if (*at == '`' || *at == '"' || *at == '\'') {
            at = skip_quoted(at);
        } else if (is_name(*at)) {
            while (is_name(*at)) at++;
            const char *open = at;
            while (isspace((unsigned char)*open)) open++;
            close = *open == '(' ? find_close(open + 1, &comma) : NULL;
            if (close && at - from == 1 && *from == 's') {
                DLP_TRY(write_spline(table, open + 1, close, comma, &out, error));
                at = close + 1;
                continue;
            }
        } else {
            at++;
        }
        memcpy(out, from, (size_t)(at - from));
        out += at - from;
    }
    *out = '\0';
    return DLP_OK;
}

dlp_status dlpi_covariates_splines(const char *formula, const dlp_table *table,
                                   char **out, dlp_error *error)
{
    size_t calls = 0;
    for (const char *at = formula; *at; at++) calls += *at == '(';
    *out = dlpi_calloc((dlp_index)(strlen(formula) + CALL * calls + 1), 1);
    if (!*out) return dlpi_no_memory(error, "the covariates");
    const dlp_status status = rewrite(formula, table, *out, error);
    if (status == DLP_OK) return DLP_OK;
    free(*out);
    *out = NULL;
    return status;
}
