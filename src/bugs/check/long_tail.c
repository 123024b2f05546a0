/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/check/long_tail.h"

#include "core/core.h"
#include "math/psis.h"

#include <math.h>

/* Whether it is a probability or a count: one has bounds, the other's rare values have
   probabilities that are computed. */
static bool has_no_tail(dlp_index n, const double *value)
{
    bool between = true, whole = true;
    for (dlp_index i = 0; i < n && (between || whole); i++) {
        between = between && value[i] >= 0 && value[i] <= 1;
        whole = whole && value[i] == floor(value[i]);
    }
    return between || whole;
}

/* The error of a mean of n draws whose tail has the shape k falls as n^(k - 1): with k at
   0.7, 4,096 draws know a variance to 8 %. If k is less, the largest draw has less than
   about that share. */
dlp_status dlpi_has_long_tail(dlp_index n, const double *weight, const double *value,
                              double mean, double *room, bool *yes, dlp_error *error)
{
    const double much = 0.5 * pow((double)n, DLP_TAIL_K_FAIR - 1);
    const double most_of_it = 0.2;
    double sum = 0, most = 0;
    struct dlpi_psis psis;
    *yes = false;
    for (dlp_index i = 0; i < n; i++) {
        const double d = value[i] - mean, part = weight[i] * d * d;
        if (!isfinite(part)) return DLP_OK;
        sum += part;
        most = fmax(most, part);
        room[i] = log(part);
    }
    if (!(most > much * sum) || has_no_tail(n, value)) return DLP_OK;
    *yes = most > most_of_it * sum; /* as of a ratio whose divisor may be 0 */
    if (*yes) return DLP_OK;
    if (dlpi_psis(room, (size_t)n, &psis) != DLP_OK)
        return dlpi_no_memory(error, "the draws");
    *yes = psis.k > DLP_TAIL_K_FAIR;
    return DLP_OK;
}
