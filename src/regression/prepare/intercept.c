/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/intercept.h"

#include "comm/division.h"

/* Whether columns [first, first + n) are 0 but for one of them, which is 1, in each row. */
static bool are_levels(const dlp_glm_data *d, dlp_index first, dlp_index n)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    bool others = false;
    for (dlp_index i = dlpi_rows_from(d->division); i < to && !others; i++) {
        dlp_index ones = 0;
        for (dlp_index j = first; j < first + n; j++) {
            others = others || (d->x[j][i] != 0 && d->x[j][i] != 1);
            ones += d->x[j][i] == 1;
        }
        others = others || ones != 1;
    }
    return !dlpi_division_any(d->division, others);
}

/* The columns of a term are neighbours. */
static dlpi_intercept find_factor(const dlp_glm_data *d, const dlp_index *assign)
{
    dlp_index n;
    for (dlp_index first = 0; first < d->p; first += n) {
        for (n = 1; first + n < d->p && assign[first + n] == assign[first];) n++;
        if (are_levels(d, first, n)) return (dlpi_intercept){first, n, assign[first]};
    }
    return (dlpi_intercept){.term = -1};
}

dlpi_intercept dlpi_intercept_find(const dlpi_prepared *prepared)
{
    const dlp_glm_data *d = &prepared->data;
    if (prepared->intercept >= 0) return (dlpi_intercept){prepared->intercept, 1, -1};
    if (prepared->family->support == DLP_SUPPORT_ORDERED)
        return (dlpi_intercept){d->p, 1, -1};
    return find_factor(d, prepared->assign);
}

bool dlpi_intercept_has(const dlpi_intercept *intercept, dlp_index j)
{
    return j >= intercept->first && j < intercept->first + intercept->n;
}
