/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/file/fit_values.h"

#include "core/core.h"
#include "math/covariance.h"

#include <math.h>
#include <stdlib.h>

dlp_status dlpi_fit_wrong(const dlpi_fit_reader *r, const char *key, const char *expected)
{
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: \"%s\" must be %s; the file is damaged or edited, fit again",
                    r->name, key, expected);
}

dlp_status dlpi_fit_text(const dlpi_fit_reader *r, const json_t *object, const char *key,
                         const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text ? DLP_OK : dlpi_fit_wrong(r, key, "a text");
}

dlp_status dlpi_fit_real(const dlpi_fit_reader *r, const json_t *object, const char *key,
                         double *real)
{
    const json_t *value = json_object_get(object, key);
    *real = json_number_value(value);
    return json_is_number(value) && isfinite(*real) ? DLP_OK
                                                    : dlpi_fit_wrong(r, key, "a number");
}

dlp_status dlpi_fit_numbers(const dlpi_fit_reader *r, const char *key, const json_t *list,
                            dlp_index n, double *out)
{
    for (dlp_index i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i]))
            return dlpi_fit_wrong(r, key, "made of finite numbers");
    }
    return DLP_OK;
}

bool dlpi_is_list(const json_t *value, dlp_index size)
{
    return json_is_array(value) && json_array_size(value) == (size_t)size;
}

/* Fits may write singular covariances, for example of groups that share a scale. */
static dlp_status check_covariance(const dlpi_fit_reader *r, const char *key, dlp_index n,
                                   const double *S)
{
    double *work = dlpi_calloc(n, (size_t)n * sizeof *work);
    if (!work) return dlpi_no_memory_to_read(r->error, r->name);
    const bool sound = dlpi_is_covariance(n, S, work);
    free(work);
    return sound ? DLP_OK
                 : dlpi_fit_wrong(r, key,
                                  "a covariance: symmetric, and positive semidefinite");
}

/* (n, n) numbers: a covariance. */
dlp_status dlpi_fit_square(const dlpi_fit_reader *r, const char *key, const json_t *rows,
                           dlp_index n, double *out)
{
    for (dlp_index i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        if (!dlpi_is_list(rows, n) || !dlpi_is_list(row, n))
            return dlpi_fit_wrong(r, key, "as large as \"parameters\" is long");
        DLP_TRY(dlpi_fit_numbers(r, key, row, n, out + i * n));
        if (out[i * n + i] < 0)
            return dlpi_fit_wrong(r, key, "without negative variances");
    }
    return check_covariance(r, key, n, out);
}
