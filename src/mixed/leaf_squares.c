/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaf_squares.h"

#include "core/core.h"

#include <stdlib.h>

dlp_status dlpi_leaf_squares_make(const dlpi_mixed_rows *rows, dlpi_leaf_squares *s,
                                  dlp_error *error)
{
    const dlp_index others = rows->n - rows->p, all = rows->support_begin[rows->L];
    s->start = dlpi_calloc(others + 2, sizeof *s->start);
    s->leaf = dlpi_calloc(2 * all, sizeof *s->leaf);
    if (!s->start || !s->leaf) return dlpi_no_memory(error, "a mixed model");
    s->place = s->leaf + all;
    dlp_index *next = s->start + 1; /* moves to where the following coordinate begins */
    for (dlp_index e = 0; e < all; e++) next[rows->support[e] + 1]++;
    for (dlp_index i = 0; i < others; i++) next[i + 1] += next[i];
    for (dlp_index g = 0; g < rows->L; g++) {
        const dlp_index from = rows->support_begin[g];
        for (dlp_index e = from; e < rows->support_begin[g + 1]; e++) {
            const dlp_index at = next[rows->support[e]]++;
            s->leaf[at] = (int32_t)g;
            s->place[at] = (int32_t)(e - from);
        }
    }
    return DLP_OK;
}

void dlpi_leaf_squares_clear(dlpi_leaf_squares *s)
{
    free(s->start);
    free(s->leaf);
    *s = (dlpi_leaf_squares){.start = NULL};
}

/* What is kept of leaf g, from Var[b] on. */
static const double *kept_of(const dlpi_mixed_rows *rows, const double *kept, dlp_index g)
{
    return kept + g * (2 + rows->p) + rows->support_begin[g] + 1;
}

/* to (p, p) of H: the part of leaf g between coefficients. */
static void subtract_beta(const dlpi_mixed_rows *rows, const double *slope, double v,
                          double *to)
{
    for (dlp_index j = 0; j < rows->p; j++)
        for (dlp_index k = j; k < rows->p; k++)
            to[j * rows->n + k] -= slope[j] * slope[k] / v;
}

void dlpi_leaf_squares_subtract(const dlpi_leaf_squares *s, const dlpi_mixed_rows *rows,
                                const bool *apart, const double *kept, double *H)
{
    const dlp_index n = rows->n, p = rows->p, beta = n - p;
    for (dlp_index i = 0; i < beta; i++) {
        double *row = H + i * n;
        for (dlp_index e = s->start[i]; e < s->start[i + 1]; e++) {
            const dlp_index g = s->leaf[e];
            if (!apart[g]) continue;
            const dlp_index *support = rows->support + rows->support_begin[g],
                            seen = rows->support_begin[g + 1] - rows->support_begin[g];
            const double *of = kept_of(rows, kept, g), *slope = of + 1;
            const double by = slope[s->place[e]] / of[0];
            for (dlp_index j = s->place[e]; j < seen; j++)
                row[support[j]] -= by * slope[j];
            for (dlp_index j = 0; j < p; j++) row[beta + j] -= by * slope[seen + j];
        }
    }
    for (dlp_index g = 0; g < rows->L; g++) {
        const double *of = kept_of(rows, kept, g);
        const dlp_index seen = rows->support_begin[g + 1] - rows->support_begin[g];
        if (apart[g]) subtract_beta(rows, of + 1 + seen, of[0], H + beta * (n + 1));
    }
}
