/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a sum: two coordinates in the same summand make an entry. */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <string.h>

/* Which summands a coordinate is in, and the rows as they grow. */
typedef struct builder {
    dlp_index n, n_summands;
    const dlp_index *start; /* (n_summands+1) the caller's */
    const int32_t *column;
    dlp_index *summand_start; /* (n+1) */
    int32_t *summand;         /* (start[n_summands]) */
    int32_t *seen;            /* (n) the last row, from 1, that a column was found for */
    dlp_index *row_start;     /* (n+1) the upper triangle, columns in any order */
    int32_t *row;             /* (room) */
    dlp_index room;
    dlp_index *sorted_start; /* (n+1) its transpose, or it, with columns ascending */
    int32_t *sorted;
} builder;

static void builder_free(builder *b)
{
    free(b->summand_start);
    free(b->summand);
    free(b->seen);
    free(b->row_start);
    free(b->row);
    free(b->sorted_start);
    free(b->sorted);
}

static dlp_status check(const builder *b, dlp_error *error)
{
    if (b->n < 1 || b->n >= INT32_MAX || b->n_summands < 0 || b->n_summands >= INT32_MAX)
        return dlp_fail(
            error, DLP_EINVAL,
            "a pattern has n = %td and %td summands; n must be at least 1, and "
            "both less than 2^31",
            b->n, b->n_summands);
    if (!b->start || (!b->column && b->n_summands > 0))
        return dlp_fail(error, DLP_EINVAL,
                        "a pattern needs start and column; one is NULL");
    if (b->start[0] != 0)
        return dlp_fail(error, DLP_EINVAL, "start[0] is %td; it must be 0", b->start[0]);
    for (dlp_index t = 0; t < b->n_summands; t++) {
        if (b->start[t + 1] < b->start[t])
            return dlp_fail(error, DLP_EINVAL,
                            "summand %td ends before it begins: start has %td, then %td",
                            t, b->start[t], b->start[t + 1]);
        for (dlp_index e = b->start[t]; e < b->start[t + 1]; e++)
            if (b->column[e] < 0 || b->column[e] >= b->n)
                return dlp_fail(
                    error, DLP_EINVAL,
                    "summand %td has coordinate %d; they go from 0 to n-1 = %td", t,
                    (int)b->column[e], b->n - 1);
    }
    return DLP_OK;
}

static dlp_status allocate(builder *b, dlp_error *error)
{
    b->room = dlpi_size(4, b->n, 16);
    b->summand_start = dlpi_calloc(b->n + 1, sizeof *b->summand_start);
    b->summand = dlpi_calloc(b->start[b->n_summands], sizeof *b->summand);
    b->seen = dlpi_calloc(b->n, sizeof *b->seen);
    b->row_start = dlpi_calloc(b->n + 1, sizeof *b->row_start);
    b->row = malloc((size_t)b->room * sizeof *b->row);
    b->sorted_start = dlpi_calloc(b->n + 1, sizeof *b->sorted_start);
    return b->summand_start && b->summand && b->seen && b->row_start && b->row &&
                   b->sorted_start
               ? DLP_OK
               : dlpi_no_memory(error, "a pattern");
}

/* The summands of each coordinate; a coordinate listed twice in a summand appears twice. */
static void find_terms(builder *b)
{
    dlp_index *at = b->summand_start;
    for (dlp_index e = 0; e < b->start[b->n_summands]; e++) at[b->column[e] + 1]++;
    for (dlp_index i = 0; i < b->n; i++) at[i + 1] += at[i];
    for (dlp_index t = 0; t < b->n_summands; t++)
        for (dlp_index e = b->start[t]; e < b->start[t + 1]; e++)
            b->summand[at[b->column[e]]++] = (int32_t)t;
    memmove(at + 1, at, (size_t)b->n * sizeof *at);
    at[0] = 0;
}

/* Makes room for another full row. */
static dlp_status grow(builder *b, dlp_index used, dlp_error *error)
{
    if (b->room - used >= b->n) return DLP_OK;
    const dlp_index room = dlpi_size(2, b->room, b->n);
    int32_t *row = room < 0 ? NULL : realloc(b->row, (size_t)room * sizeof *row);
    if (!row) return dlpi_no_memory(error, "a pattern");
    b->row = row;
    b->room = room;
    return DLP_OK;
}

static dlp_status find_rows(builder *b, dlp_error *error)
{
    dlp_index used = 0;
    for (dlp_index i = 0; i < b->n; i++) {
        DLP_TRY(grow(b, used, error));
        b->row[used++] = (int32_t)i;
        b->seen[i] = (int32_t)i + 1;
        for (dlp_index k = b->summand_start[i]; k < b->summand_start[i + 1]; k++) {
            const int32_t t = b->summand[k];
            for (dlp_index e = b->start[t]; e < b->start[t + 1]; e++) {
                const int32_t j = b->column[e];
                if (j < i || b->seen[j] == i + 1) continue;
                b->seen[j] = (int32_t)i + 1;
                b->row[used++] = j;
            }
        }
        b->row_start[i + 1] = used;
    }
    return DLP_OK;
}

/* Transposing twice sorts the columns. */
static dlp_status sort_rows(builder *b, dlp_error *error)
{
    b->sorted = dlpi_calloc(b->row_start[b->n], sizeof *b->sorted);
    if (!b->sorted) return dlpi_no_memory(error, "a pattern");
    dlpi_sparse_transpose(b->n, b->row_start, b->row, b->sorted_start, b->sorted);
    dlpi_sparse_transpose(b->n, b->sorted_start, b->sorted, b->row_start, b->row);
    return DLP_OK;
}

dlp_status dlp_pattern_from_sum(dlp_index n, dlp_index n_summands, const dlp_index *start,
                                const int32_t *column, dlp_pattern **pattern,
                                dlp_error *error)
{
    dlp_status status;
    builder b = {.n = n, .n_summands = n_summands, .start = start, .column = column};
    *pattern = NULL;
    DLP_TRY(check(&b, error));
    DLP_TRY_OR(done, allocate(&b, error));
    find_terms(&b);
    DLP_TRY_OR(done, find_rows(&b, error));
    DLP_TRY_OR(done, sort_rows(&b, error));
    status = dlp_pattern_alloc(n, b.row_start, b.row, pattern, error);
done:
    builder_free(&b);
    return status;
}
