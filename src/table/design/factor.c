/* SPDX-License-Identifier: BSD-3-Clause */
/* Categorical variables: their levels, and a code for every row. */
#include "comm/division.h"
#include "math/distinct.h"
#include "table/design/design.h"

#include <math.h>
#include <string.h>

static const char what[] = "a categorical variable"; /* when memory is short */

/* ---- numbers as categories ---- */

/* A distinct number, and the code it was given when it was first met. */
struct number {
    double value;
    int32_t code;
};

/* Codes the numbers that this process has in the order in which they come; missing ones get -1. */
static dlp_status code_numbers(const dlp_table *table, const dlp_column *column,
                               struct dlpi_name_index *distinct, int32_t *code,
                               dlp_error *error)
{
    const dlp_index to = dlpi_rows_to(table->division, table->rows);
    for (dlp_index i = dlpi_rows_from(table->division); i < to; i++) {
        const double *x = &column->number[i];
        if (isinf(*x)) return dlpi_fail_infinite(column, i, error);
        const dlp_index number =
            isnan(*x) ? -1 : dlpi_name_index_add(distinct, x, sizeof *x);
        if (number < 0 && !isnan(*x)) return dlpi_no_memory(error, what);
        if (number > INT32_MAX)
            return dlp_fail(error, DLP_EINPUT, "column '%s' has more than %d levels",
                            dlpi_show(column->name).text, INT32_MAX);
        code[i] = (int32_t)number;
    }
    return DLP_OK;
}

/* The numbers of one process to all. */
static dlp_status share_numbers(dlpi_comm *comm, int from, dlp_index own,
                                struct dlpi_name_index *distinct, dlp_error *error)
{
    const bool mine = from == comm->rank;
    int64_t n = mine ? own : 0;
    DLP_TRY(comm->ops->sum_counts(comm, 1, &n, error));
    double *number = dlpi_pool_take(distinct->pool, (dlp_index)n, sizeof *number);
    if (!number) return dlpi_no_memory(error, what);
    for (int64_t i = 0; mine && i < n; i++)
        memcpy(&number[i], distinct->key[i].bytes, sizeof *number);
    DLP_TRY(comm->ops->share(comm, from, (dlp_index)n * (dlp_index)sizeof *number, number,
                             error));
    for (int64_t i = 0; i < n; i++)
        if (dlpi_name_index_add(distinct, &number[i], sizeof *number) < 0)
            return dlpi_no_memory(error, what);
    return DLP_OK;
}

/* After its own ones, each process lists those that only others have. */
static dlp_status unite_numbers(const dlpi_division *division,
                                struct dlpi_name_index *distinct, dlp_error *error)
{
    const dlp_index own = distinct->n;
    for (int from = 0; dlpi_is_divided(division) && from < division->comm->size; from++)
        DLP_TRY(share_numbers(division->comm, from, own, distinct, error));
    return DLP_OK;
}

/* Names the distinct numbers in their order; those of one text are one level. level_of
   takes codes of code_numbers to levels. */
static dlp_status name_numbers(const struct dlpi_name_index *distinct,
                               struct dlpi_pool *pool, struct dlpi_factor *factor,
                               int32_t *level_of, dlp_error *error)
{
    const dlp_index n = distinct->n;
    struct number *number = dlpi_pool_take(pool, n, sizeof *number);
    const char **level = dlpi_pool_take(pool, n, sizeof *level);
    if (!number || !level) return dlpi_no_memory(error, what);
    for (dlp_index i = 0; i < n; i++) {
        memcpy(&number[i].value, distinct->key[i].bytes, sizeof number[i].value);
        number[i].code = (int32_t)i;
    }
    qsort(number, (size_t)n, sizeof *number, dlpi_ascending);
    factor->n_found = 0;
    for (dlp_index i = 0; i < n; i++) {
        char text[DLPI_NUMBER_TEXT];
        dlpi_number_text(number[i].value, text);
        if (factor->n_found == 0 || strcmp(level[factor->n_found - 1], text) != 0) {
            level[factor->n_found] = dlpi_pool_copy(pool, text, strlen(text));
            if (!level[factor->n_found++]) return dlpi_no_memory(error, what);
        }
        level_of[number[i].code] = (int32_t)(factor->n_found - 1);
    }
    factor->found = level;
    return DLP_OK;
}

static dlp_status find_numbers(const dlp_table *table, struct dlpi_pool *pool,
                               struct dlpi_factor *factor, dlp_error *error)
{
    struct dlpi_name_index distinct = {.pool = pool};
    int32_t *code = dlpi_pool_take(pool, table->rows, sizeof *code);
    if (!code) return dlpi_no_memory(error, what);
    const dlp_status status =
        code_numbers(table, &table->column[factor->column], &distinct, code, error);
    DLP_TRY(dlpi_division_agree(table->division, status, error));
    DLP_TRY(unite_numbers(table->division, &distinct, error));
    int32_t *level_of = dlpi_pool_take(pool, distinct.n, sizeof *level_of);
    if (!level_of) return dlpi_no_memory(error, what);
    DLP_TRY(name_numbers(&distinct, pool, factor, level_of, error));
    const dlp_index to = dlpi_rows_to(table->division, table->rows);
    for (dlp_index i = dlpi_rows_from(table->division); i < to; i++)
        if (code[i] >= 0) code[i] = level_of[code[i]];
    factor->found_code = code;
    return DLP_OK;
}

/* ---- levels ---- */

dlp_status dlpi_factor_find(const dlp_table *table, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error)
{
    const dlp_column *column = &table->column[factor->column];
    if (column->kind == DLP_CATEGORICAL) {
        factor->n_found = column->n_levels;
        factor->found = (const char *const *)column->level;
        factor->found_code = column->code;
    } else {
        DLP_TRY(find_numbers(table, pool, factor, error));
    }
    factor->level_of = dlpi_pool_take(pool, factor->n_found, sizeof *factor->level_of);
    return factor->level_of ? DLP_OK : dlpi_no_memory(error, what);
}

dlp_status dlpi_factor_take(const dlp_levels *fitted, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error)
{
    struct dlpi_name_index known = {.pool = pool};
    for (dlp_index i = 0; i < fitted->n; i++)
        if (dlpi_name_index_add_text(&known, fitted->level[i]) < 0)
            return dlpi_no_memory(error, what);
    for (dlp_index i = 0; i < factor->n_found; i++)
        factor->level_of[i] =
            (int32_t)dlpi_name_index_find_text(&known, factor->found[i]);
    factor->levels.n = fitted->n;
    factor->levels.level = fitted->level;
    return DLP_OK;
}

/* One count for each level. */
static dlp_status find_any(const dlpi_division *division, dlp_index n, int64_t *occurs,
                           dlp_error *error)
{
    if (!dlpi_is_divided(division)) return DLP_OK;
    return division->comm->ops->sum_counts(division->comm, n, occurs, error);
}

dlp_status dlpi_factor_use(const dlp_index *row, dlp_index n, dlpi_division *division,
                           struct dlpi_pool *pool, struct dlpi_factor *factor,
                           dlp_error *error)
{
    const char **level = dlpi_pool_take(pool, factor->n_found, sizeof *level);
    int64_t *occurs = dlpi_pool_take(pool, factor->n_found, sizeof *occurs);
    if (!level || !occurs) return dlpi_no_memory(error, what);
    for (dlp_index i = dlpi_rows_from(division); i < dlpi_rows_to(division, n); i++)
        occurs[factor->found_code[row ? row[i] : i]] = 1;
    DLP_TRY(find_any(division, factor->n_found, occurs, error));
    factor->levels.n = 0;
    for (dlp_index i = 0; i < factor->n_found; i++) {
        factor->level_of[i] = occurs[i] ? (int32_t)factor->levels.n : -1;
        if (occurs[i]) level[factor->levels.n++] = factor->found[i];
    }
    factor->levels.level = level;
    return DLP_OK;
}

static bool keeps_codes(const struct dlpi_factor *factor)
{
    for (dlp_index i = 0; i < factor->n_found; i++)
        if (factor->level_of[i] != i) return false;
    return true;
}

dlp_status dlpi_factor_code(const dlp_table *table, const dlp_index *row, dlp_index n,
                            const dlpi_division *division, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error)
{
    if (!row && factor->found_code == table->column[factor->column].code &&
        keeps_codes(factor)) {
        factor->code = factor->found_code;
        return DLP_OK;
    }
    int32_t *code = dlpi_pool_take(pool, n, sizeof *code);
    if (!code) return dlpi_no_memory(error, what);
    for (dlp_index i = dlpi_rows_from(division); i < dlpi_rows_to(division, n); i++)
        code[i] = factor->level_of[factor->found_code[row ? row[i] : i]];
    factor->code = code;
    return DLP_OK;
}
