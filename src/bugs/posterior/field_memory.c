/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/field_memory.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { MATRICES = 3 }; /* beside a factor */

static dlp_status check(double bytes, double unknowns, dlp_error *error)
{
    char what[96];
    snprintf(what, sizeof what,
             "a fit in which a density depends on %.0f unknowns at once", unknowns);
    return dlpi_memory_check(
        bytes, what, "let each depend on fewer, as sums of sums do, or use less data",
        error);
}

static double pairs(double n)
{
    return n * (n + 1) / 2;
}

dlp_status dlpi_factors_check_memory(const dlpi_factors *factors, dlp_error *error)
{
    const int many = 1000; /* other parts of a plan have fewer */
    int widest = 0;
    for (int k = 0; k < factors->n_templates; k++)
        if (factors->of[k].n > 0 && factors->of[k].n_cells > widest)
            widest = factors->of[k].n_cells;
    if (widest < many) return DLP_OK;
    return check((MATRICES + 1) * pairs(widest) * sizeof(double), widest, error);
}

/* The unknowns of a row: at least those of its widest slot. */
static int width(const dlpi_group *g)
{
    int most = 0;
    for (int j = 0; j < g->slots.k; j++)
        if (g->slots.n_terms[j] > most) most = g->slots.n_terms[j];
    return most;
}

dlp_status dlpi_groups_check_memory(const dlpi_groups *groups, dlp_error *error)
{
    const dlp_index L = groups->plan->L;
    double places = 0, widest = 0;
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        if (g->leaf || !g->active) continue;
        places += (double)g->n * pairs(g->n_entries);
        widest = fmax(widest, width(g));
    }
    for (dlp_index l = 0; l < L; l++) {
        const double m =
            (double)(groups->support_begin[l + 1] - groups->support_begin[l]);
        places += pairs(m);
        widest = fmax(widest, m);
    }
    return check(places * sizeof(int32_t) +
                     (MATRICES + 1) * pairs(widest) * sizeof(double),
                 widest, error);
}

dlp_status dlpi_pattern_check_memory(const dlp_pattern *pattern, dlp_error *error)
{
    char what[96];
    if (!pattern) return DLP_OK; /* dense, and small */
    const dlp_pattern_cost cost = dlp_pattern_cost_of(pattern);
    if (cost.entries > INT32_MAX)
        return dlp_fail(error, DLP_EINPUT,
                        "%td unknowns in one Gaussian have %td second derivatives, more "
                        "than %d: use less data",
                        cost.n, cost.entries, (int)INT32_MAX);
    const double numbers = MATRICES * (double)cost.entries + (double)cost.stored;
    snprintf(what, sizeof what, "a fit of %td unknowns in one Gaussian", cost.n);
    return dlpi_memory_check(numbers * sizeof(double), what,
                             "use less data or a machine with more", error);
}
