/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns: checking them, building them from terms, and querying them. */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <string.h>

static dlp_status check_size(dlp_index n, dlp_index count, dlp_error *error)
{
    if (n < 1)
        return dlp_fail(error, DLP_EINVAL, "a pattern has n = %td; n must be at least 1",
                        n);
    if (n >= INT32_MAX || count >= INT32_MAX)
        return dlp_fail(
            error, DLP_EINVAL,
            "a pattern of %td rows and %td entries is too large; both must be "
            "less than 2^31",
            n, count);
    return DLP_OK;
}

/* start (rows+1) begins with 0 and does not descend. */
static dlp_status check_start(dlp_index rows, const dlp_index *start, const char *what,
                              dlp_error *error)
{
    if (start[0] != 0)
        return dlp_fail(error, DLP_EINVAL, "start[0] is %td; it must be 0", start[0]);
    for (dlp_index i = 0; i < rows; i++)
        if (start[i + 1] < start[i])
            return dlp_fail(error, DLP_EINVAL,
                            "%s %td ends before it begins: start has %td, then %td", what,
                            i, start[i], start[i + 1]);
    return DLP_OK;
}

static dlp_status check_row(dlp_index n, dlp_index i, dlp_index count, const int32_t *row,
                            dlp_error *error)
{
    if (count < 1 || row[0] != i)
        return dlp_fail(error, DLP_EINVAL,
                        "row %td of a pattern begins with column %td; it must begin with "
                        "its diagonal, %td, and have only columns above it",
                        i, count < 1 ? (dlp_index)-1 : (dlp_index)row[0], i);
    for (dlp_index k = 1; k < count; k++) {
        if (row[k] >= n)
            return dlp_fail(error, DLP_EINVAL,
                            "row %td of a pattern has column %d; the last column is %td",
                            i, (int)row[k], n - 1);
        if (row[k] <= row[k - 1])
            return dlp_fail(error, DLP_EINVAL,
                            "row %td of a pattern has column %d after column %d; columns "
                            "must ascend, each once",
                            i, (int)row[k], (int)row[k - 1]);
    }
    return DLP_OK;
}

static dlp_status check_rows(dlp_index n, const dlp_index *start, const int32_t *column,
                             dlp_error *error)
{
    if (!start || !column)
        return dlp_fail(error, DLP_EINVAL,
                        "a pattern needs start and column; one is NULL");
    DLP_TRY(check_start(n, start, "row", error));
    DLP_TRY(check_size(n, start[n], error));
    for (dlp_index i = 0; i < n; i++)
        DLP_TRY(check_row(n, i, start[i + 1] - start[i], column + start[i], error));
    return DLP_OK;
}

/* A pattern with a copy of the upper triangle, which has been checked; and the rest. */
static dlp_status make(dlp_index n, const dlp_index *start, const int32_t *column,
                       dlp_pattern **pattern, dlp_error *error)
{
    dlp_status status;
    dlp_pattern *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "a pattern");
    made->n = n;
    made->start = dlpi_calloc(n + 1, sizeof *made->start);
    made->column = dlpi_calloc(start[n], sizeof *made->column);
    if (!made->start || !made->column) {
        status = dlpi_no_memory(error, "a pattern");
        goto failed;
    }
    memcpy(made->start, start, (size_t)(n + 1) * sizeof *start);
    memcpy(made->column, column, (size_t)start[n] * sizeof *column);
    DLP_TRY_OR(failed, dlpi_sparse_analyse(made, error));
    *pattern = made;
    return DLP_OK;
failed:
    dlp_pattern_free(made);
    return status;
}

dlp_status dlp_pattern_alloc(dlp_index n, const dlp_index *start, const int32_t *column,
                             dlp_pattern **pattern, dlp_error *error)
{
    *pattern = NULL;
    DLP_TRY(check_size(n, 0, error));
    DLP_TRY(check_rows(n, start, column, error));
    return make(n, start, column, pattern, error);
}

void dlp_pattern_free(dlp_pattern *pattern)
{
    if (!pattern) return;
    free(pattern->start);
    free(pattern->column);
    free(pattern->order);
    free(pattern->super);
    free(pattern->super_of);
    free(pattern->rows);
    free(pattern->relative);
    free(pattern->entry);
    free(pattern->place);
    free(pattern);
}

dlp_index dlp_pattern_find(const dlp_pattern *pattern, dlp_index i, dlp_index j)
{
    const dlp_index row = i < j ? i : j, wanted = i < j ? j : i;
    if (row < 0 || wanted >= pattern->n) return -1;
    dlp_index lo = pattern->start[row], hi = pattern->start[row + 1];
    while (hi - lo > 1) {
        const dlp_index middle = lo + (hi - lo) / 2;
        if (pattern->column[middle] <= wanted)
            lo = middle;
        else
            hi = middle;
    }
    return pattern->column[lo] == wanted ? lo : -1;
}

const dlp_index *dlp_pattern_start(const dlp_pattern *pattern)
{
    return pattern->start;
}

const int32_t *dlp_pattern_column(const dlp_pattern *pattern)
{
    return pattern->column;
}

dlp_pattern_cost dlp_pattern_cost_of(const dlp_pattern *pattern)
{
    const dlp_shape shape = {.pattern = pattern};
    return (dlp_pattern_cost){.n = pattern->n,
                              .entries = pattern->start[pattern->n],
                              .cholesky_entries = pattern->factor_count,
                              .stored = dlpi_sparse_factor_size(&shape),
                              .supernodes = pattern->n_supers,
                              .flops = pattern->flops};
}

void dlpi_sparse_transpose(dlp_index n, const dlp_index *start, const int32_t *column,
                           dlp_index *to_start, int32_t *to_column)
{
    memset(to_start, 0, (size_t)(n + 1) * sizeof *to_start);
    for (dlp_index e = 0; e < start[n]; e++) to_start[column[e] + 1]++;
    for (dlp_index i = 0; i < n; i++) to_start[i + 1] += to_start[i];
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index e = start[i]; e < start[i + 1]; e++)
            to_column[to_start[column[e]]++] = (int32_t)i;
    /* each start has moved to its row's end, which is the next one's start */
    memmove(to_start + 1, to_start, (size_t)n * sizeof *to_start);
    to_start[0] = 0;
}
