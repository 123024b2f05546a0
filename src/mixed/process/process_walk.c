/* SPDX-License-Identifier: BSD-3-Clause */
/* Autoregressions and random walks, these scaled to a generalised variance of 1 (Sorbye & Rue,
   Spatial Statistics 8, 2014). */
#include "core/core.h"
#include "mixed/process/process_build.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- autoregressions ---- */

dlp_status dlpi_process_ar1(dlp_index n, const double *gap, bool positive,
                            dlpi_process *out, dlp_error *error)
{
    *out = (dlpi_process){.kind = DLPI_AR1, .n = n, .positive = positive, .reference = 1};
    out->gap = dlpi_calloc(n, sizeof *out->gap);
    if (!out->gap || !dlpi_process_alloc(2 * n, false, out))
        return dlpi_process_no_memory(error);
    memcpy(out->gap, gap, (size_t)n * sizeof *gap);
    for (dlp_index i = 0; i < n; i++) {
        if (gap[i] != 0) dlpi_process_put(out, i - 1, i, 0);
        dlpi_process_put(out, i, i, 0);
    }
    return DLP_OK;
}

/* ---- walks ---- */

/* v'Rv = sum_i w_i (c_i'v)^2: of order 1, (v_{i+1} - v_i)^2 / h; of order 2 the change of
   slope, (v_{i+2} - v_{i+1}) / k - (v_{i+1} - v_i) / h, by 2 / (h + k). */
static double weight_of(const double *t, int order)
{
    return order == 1 ? t[1] - t[0] : 2 / (t[2] - t[0]);
}

/* Where the entries of row i begin: each has order + 1, but for the last rows. */
static dlp_index row_begin(dlp_index n, int order, dlp_index i)
{
    return i * (order + 1) - (order == 2 && i == n - 1 ? 1 : 0);
}

/* With N = (1) or (1, t), the null space of R, and E the first one or two units,
   |R + E E'| = pdet(R) |E'N|^2 / |N'N|, and [E'; D] is triangular where R = D'W D. */
static void fill_walk(dlp_index n, const double *t, int order, double squares,
                      dlpi_process *out)
{
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k <= order && i + k < n; k++)
            dlpi_process_put(out, i, i + k, 0);
    out->log_det = log((double)n);
    if (order == 2) out->log_det += log(squares) - 2 * log(t[1] - t[0]);
    for (dlp_index i = 0; i + order < n; i++) {
        const double h = t[i + 1] - t[i], k = order == 2 ? t[i + 2] - t[i + 1] : 1,
                     one[] = {-1 / h, 1 / h, 0}, two[] = {1 / h, -1 / h - 1 / k, 1 / k},
                     *c = order == 1 ? one : two, w = weight_of(t + i, order);
        for (dlp_index a = 0; a <= order && a < 3; a++)
            for (dlp_index b = a; b <= order && b < 3; b++)
                out->R[row_begin(n, order, i + a) + b - a] += w * c[a] * c[b];
        out->log_det += log(w) + 2 * log(c[order]);
    }
}

/* The geometric mean of the variances of the values less their mean: increment j, of
   variance h, moves later values by 1. */
static double reference_1(dlp_index n, const double *t, double *room)
{
    double sum = 0, before = 0;
    room[n - 1] = 0;
    for (dlp_index j = n - 2; j >= 0; j--) { /* after node i: sum_{j >= i} */
        const double share = (double)(n - 1 - j) / (double)n;
        room[j] = room[j + 1] + (t[j + 1] - t[j]) * share * share;
    }
    for (dlp_index i = 0; i < n; i++) {
        if (i > 0) {
            const double share = (double)i / (double)n;
            before += (t[i] - t[i - 1]) * share * share;
        }
        sum += log(before + room[i]) / (double)n;
    }
    return exp(sum);
}

/* The same, less a line, too: change of slope j moves later values by (t - t_j), and
   c_j'v by 1. */
static double reference_2(dlp_index n, const double *t, double *room)
{
    double sum = 0, *level = room, *slope = room + n, above = 0, cross = 0, count = 0;
    double centre = 0, squares = 0;
    for (dlp_index i = 0; i < n; i++) centre += t[i] / (double)n;
    for (dlp_index i = 0; i < n; i++) squares += (t[i] - centre) * (t[i] - centre);
    for (dlp_index j = n - 1; j >= 0; j--) { /* sums over i >= j */
        level[j] = (above - count * (t[j] - centre)) / (double)n;
        slope[j] = (cross - above * (t[j] - centre)) / squares;
        above += t[j] - centre;
        cross += (t[j] - centre) * (t[j] - centre);
        count += 1;
    }
    for (dlp_index i = 0; i < n; i++) {
        double variance = 0;
        for (dlp_index j = 1; j + 1 < n; j++) {
            const double v = fmax(t[i] - t[j], 0) - level[j] - slope[j] * (t[i] - centre);
            variance += v * v * 0.5 * (t[j + 1] - t[j - 1]);
        }
        sum += log(fmax(variance, DBL_MIN)) / (double)n;
    }
    return exp(sum);
}

double dlpi_walk_reference(dlp_index n, const double *t, int order, double *room)
{
    return order == 1 ? reference_1(n, t, room) : reference_2(n, t, room);
}

/* Values sum to 0; with order 2, also when multiplied by t. */
static void hold_walk(dlp_index n, const double *t, int order, double centre,
                      dlpi_process *out)
{
    const double unit = t[n - 1] - t[0];
    out->constraints = order;
    for (int c = 0; c < order; c++) {
        out->begin[c + 1] = (c + 1) * n;
        for (dlp_index i = 0; i < n; i++) {
            out->node[c * n + i] = (int32_t)i;
            out->weight[c * n + i] = c == 0 ? 1 : (t[i] - centre) / unit;
        }
    }
}

static void scale_all(double by, double ridge, dlpi_process *out)
{
    for (dlp_index e = 0; e < out->entries; e++) {
        out->R[e] *= by;
        if (out->row[e] == out->column[e]) out->R[e] += ridge;
    }
    out->reference = by;
    out->log_det += (double)(out->n - out->constraints) * log(by);
}

dlp_status dlpi_process_walk(dlp_index n, const double *t, int order, dlpi_process *out,
                             dlp_error *error)
{
    const double ridge = 1e-10;
    double centre = 0, squares = 0;
    *out = (dlpi_process){.kind = DLPI_INTRINSIC, .n = n};
    double *room = dlpi_calloc(2 * n, sizeof *room);
    if (!room || !dlpi_process_alloc((order + 1) * n, true, out) ||
        !dlpi_process_alloc_constraints(order, order * n, out)) {
        free(room);
        return dlpi_process_no_memory(error);
    }
    for (dlp_index i = 0; i < n; i++) centre += t[i] / (double)n;
    for (dlp_index i = 0; i < n; i++) squares += (t[i] - centre) * (t[i] - centre);
    fill_walk(n, t, order, squares, out);
    hold_walk(n, t, order, centre, out);
    scale_all(dlpi_walk_reference(n, t, order, room), ridge, out);
    free(room);
    if (isfinite(out->log_det)) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the values are too close together or too far apart for a random "
                    "walk; use other units");
}
