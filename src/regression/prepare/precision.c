/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/precision.h"

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdlib.h>

bool dlpi_takes_precision(const dlp_family *family)
{
    return dlpi_is_linear(family);
}

double dlpi_log_unit(const double *precision, dlp_index i)
{
    return precision ? 0.5 * log(precision[i]) : 0;
}

/* root(w) x into `to`, which moves past it; NULL stays NULL. */
static const double *scale(dlp_index N, const double *precision, const double *x,
                           double **to)
{
    double *out = *to;
    if (!x) return NULL;
    for (dlp_index i = 0; i < N; i++) out[i] = sqrt(precision[i]) * x[i];
    *to += N;
    return out;
}

dlp_status dlpi_precise_rows_make(const double *precision, dlpi_spill *spill,
                                  dlp_glm_data *rows, dlpi_precise_rows *made,
                                  dlp_error *error)
{
    const dlp_index N = rows->N, p = rows->p;
    *made = (dlpi_precise_rows){0};
    if (!precision) return DLP_OK;
    made->numbers = dlpi_rows_alloc(spill, dlpi_size(p + 3, N, 0), sizeof *made->numbers);
    made->x = dlpi_calloc(p, sizeof *made->x);
    if (!made->numbers || !made->x) {
        dlpi_precise_rows_clear(made);
        return dlpi_no_memory(error, "the rows by their precision");
    }
    double *to = made->numbers;
    for (dlp_index j = 0; j < p; j++) made->x[j] = scale(N, precision, rows->x[j], &to);
    rows->x = made->x;
    rows->y = scale(N, precision, rows->y, &to);
    rows->trials = scale(N, precision, rows->trials, &to);
    rows->offset = scale(N, precision, rows->offset, &to);
    for (dlp_index i = 0; i < N; i++)
        made->log_jacobian +=
            (rows->weight ? rows->weight[i] : 1) * dlpi_log_unit(precision, i);
    return DLP_OK;
}

void dlpi_precise_rows_clear(dlpi_precise_rows *rows)
{
    dlpi_rows_free(rows->numbers);
    free(rows->x);
    *rows = (dlpi_precise_rows){0};
}
