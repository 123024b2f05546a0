/* SPDX-License-Identifier: BSD-3-Clause */
/* The slices of time that documents are in, from a column of a table. */
#include <delaplace/topic_slices.h>

#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 200, MOST_SLICES = 10000, NAME = 40 };

typedef struct finding {
    const char *column;
    const dlp_column *values;
    const dlp_index *row;
    dlp_document_times *times;
    dlp_error *error;
} finding;

static dlp_index row_of(const finding *f, dlp_index d)
{
    return f->row ? f->row[d] : d;
}

static bool is_missing(const finding *f, dlp_index d)
{
    const dlp_index i = row_of(f, d);
    return f->values->number ? !isfinite(f->values->number[i]) : f->values->code[i] < 0;
}

static dlp_status check_count(const finding *f, dlp_index T)
{
    if (T < 2)
        return dlp_fail(f->error, DLP_EINPUT,
                        "column '%.60s' has one value; there must be two slices or more",
                        f->column);
    if (T > MOST_VALUES)
        return dlpi_advise(
            f->error, DLP_REMEDY_SLICES,
            dlp_fail(f->error, DLP_EINPUT,
                     "column '%.60s' has more than %d values, each of which would be a "
                     "slice; divide its range into fewer",
                     f->column, MOST_VALUES));
    return DLP_OK;
}

/* name (T) in one block with room for texts of `bytes` in all */
static dlp_status alloc_names(const finding *f, dlp_index T, size_t bytes)
{
    f->times->T = T;
    f->times->name = dlpi_calloc(T * (dlp_index)sizeof(char *) + (dlp_index)bytes, 1);
    return f->times->name ? DLP_OK : dlpi_no_memory(f->error, "the slices");
}

/* ---- numbers ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static dlp_status name_numbers(const finding *f, dlp_index T, const double *value)
{
    DLP_TRY(alloc_names(f, T, (size_t)T * NAME));
    char *text = (char *)(f->times->name + T);
    for (dlp_index t = 0; t < T; t++) {
        f->times->name[t] = text + t * NAME;
        snprintf(f->times->name[t], NAME, "%.10g", value[t]);
    }
    return DLP_OK;
}

static dlp_status by_value(const finding *f, double *value)
{
    const dlp_index D = f->times->D;
    dlp_index T = 0;
    for (dlp_index d = 0; d < D; d++) value[d] = f->values->number[row_of(f, d)];
    qsort(value, (size_t)D, sizeof *value, ascending);
    for (dlp_index d = 0; d < D; d++)
        if (T == 0 || value[d] != value[T - 1]) value[T++] = value[d];
    DLP_TRY(check_count(f, T));
    for (dlp_index d = 0; d < D; d++) {
        const double x = f->values->number[row_of(f, d)];
        dlp_index t = 0;
        while (value[t] != x) t++;
        f->times->slice[d] = (int32_t)t;
    }
    return name_numbers(f, T, value);
}

/* The least and the largest value in each slice, low and high (T); false: a slice is empty,
   or some are not whole numbers from 0 on. */
static bool find_ends(const finding *f, dlp_index T, double *low, double *high)
{
    bool whole = true;
    for (dlp_index t = 0; t < T; t++) low[t] = INFINITY, high[t] = -INFINITY;
    for (dlp_index d = 0; d < f->times->D; d++) {
        const double x = f->values->number[row_of(f, d)];
        const int32_t t = f->times->slice[d];
        low[t] = fmin(low[t], x);
        high[t] = fmax(high[t], x);
        whole &= x == floor(x) && x >= 0 && x < 1e9;
    }
    for (dlp_index t = 0; t < T; t++) whole &= low[t] <= high[t];
    return whole;
}

/* A slice of whole numbers is named after its ends, as 1996-1999. */
static void name_ends(const finding *f, dlp_index T, const double *low,
                      const double *high)
{
    for (dlp_index t = 0; t < T; t++)
        if (low[t] < high[t])
            snprintf(f->times->name[t], NAME, "%.10g-%.10g", low[t], high[t]);
        else
            snprintf(f->times->name[t], NAME, "%.10g", low[t]);
}

/* A slice is named after the middle of its interval, or what it has of whole numbers;
   work (2, T). */
static dlp_status by_interval(const finding *f, dlp_index T, double *work)
{
    double low = INFINITY, high = -INFINITY, *middle = work;
    for (dlp_index d = 0; d < f->times->D; d++) {
        const double x = f->values->number[row_of(f, d)];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    const double width = (high - low) / (double)T;
    if (!(width > 0) || !isfinite(width))
        return dlp_fail(f->error, DLP_EINPUT, "column '%.60s' has no range to divide",
                        f->column);
    for (dlp_index d = 0; d < f->times->D; d++) {
        const double at = (f->values->number[row_of(f, d)] - low) / width;
        f->times->slice[d] = (int32_t)fmin(floor(at), (double)(T - 1));
    }
    for (dlp_index t = 0; t < T; t++) middle[t] = low + ((double)t + 0.5) * width;
    DLP_TRY(name_numbers(f, T, middle));
    if (find_ends(f, T, work, work + T)) name_ends(f, T, work, work + T);
    return DLP_OK;
}

/* ---- words ---- */

/* Levels that documents have, in their order. number (n_levels) is room. */
static dlp_status by_level(const finding *f, dlp_index *number)
{
    dlp_document_times *times = f->times;
    dlp_index T = 0;
    size_t bytes = 0;
    for (dlp_index d = 0; d < times->D; d++) number[f->values->code[row_of(f, d)]] = 1;
    for (dlp_index l = 0; l < f->values->n_levels; l++) {
        if (number[l]) bytes += strlen(f->values->level[l]) + 1;
        number[l] = number[l] ? T++ : -1;
    }
    DLP_TRY(check_count(f, T));
    DLP_TRY(alloc_names(f, T, bytes));
    char *text = (char *)(times->name + T);
    for (dlp_index l = 0; l < f->values->n_levels; l++) {
        if (number[l] < 0) continue;
        const size_t size = strlen(f->values->level[l]) + 1;
        times->name[number[l]] = memcpy(text, f->values->level[l], size);
        text += size;
    }
    for (dlp_index d = 0; d < times->D; d++)
        times->slice[d] = (int32_t)number[f->values->code[row_of(f, d)]];
    return DLP_OK;
}

static dlp_status find(const finding *f, dlp_index slices)
{
    const bool numeric = f->values->number != NULL;
    const dlp_index D = f->times->D,
                    room = numeric ? D + 2 * slices : f->values->n_levels;
    if (!numeric && slices > 0)
        return dlp_fail(f->error, DLP_EINPUT,
                        "column '%.60s' has words, which have no range to divide",
                        f->column);
    for (dlp_index d = 0; d < D; d++)
        if (is_missing(f, d))
            return dlp_fail(f->error, DLP_EINPUT,
                            "document %td has no '%.60s'; every document needs its time",
                            d + 1, f->column);
    f->times->slice = dlpi_calloc(D, sizeof *f->times->slice);
    void *work = dlpi_calloc(room, sizeof(double));
    dlp_status status = DLP_OK;
    if (!f->times->slice || !work)
        status = dlpi_no_memory(f->error, "the slices");
    else if (!numeric)
        status = by_level(f, work);
    else
        status = slices > 0 ? by_interval(f, slices, work) : by_value(f, work);
    free(work);
    return status;
}

dlp_status dlp_document_times_find(const dlp_table *table, const char *column,
                                   dlp_index D, const dlp_index *row, dlp_index slices,
                                   dlp_document_times *times, dlp_error *error)
{
    *times = (dlp_document_times){.D = D};
    const dlp_index j = dlp_table_find(table, column);
    if (j < 0)
        return dlp_fail(error, DLP_EINPUT, "the table has no column '%.60s'", column);
    if (slices == 1 || slices < 0 || slices > MOST_SLICES)
        return dlp_fail(error, DLP_EINVAL, "slices must be 2 to %d", MOST_SLICES);
    if (!row && D > table->rows)
        return dlp_fail(error, DLP_EINPUT, "the table has %td rows for %td documents",
                        table->rows, D);
    const finding f = {column, &table->column[j], row, times, error};
    const dlp_status status = find(&f, slices);
    if (status != DLP_OK) dlp_document_times_free(times);
    return status;
}

void dlp_document_times_free(dlp_document_times *times)
{
    free(times->slice);
    free(times->name);
    *times = (dlp_document_times){0};
}
