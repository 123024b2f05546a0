/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions whose neighbours are alike, scaled to a generalised variance of 1 part by part
   (Freni-Sterrantino, Ventrucci & Rue, Spatial and Spatio-temporal Epidemiology 26, 2018). */
#include "core/core.h"
#include "mixed/process/process_build.h"

#include <delaplace/sym.h>
#include <math.h>

/* Marks the nodes connected with node i as part c, in order; returns how many there
   are. */
static dlp_index list_part(const dlp_index *begin, const dlp_index *neighbour,
                           dlp_index i, dlp_index c, dlp_index *part, dlp_index *list)
{
    dlp_index n = 0;
    list[n++] = i;
    part[i] = c;
    for (dlp_index at = 0; at < n; at++)
        for (dlp_index k = begin[list[at]]; k < begin[list[at] + 1]; k++)
            if (part[neighbour[k]] < 0) {
                part[neighbour[k]] = c;
                list[n++] = neighbour[k];
            }
    return n;
}

/* The parts of a graph, each nodes list[from[c]] to list[from[c + 1] - 1]. */
typedef struct parts {
    dlp_index n, *of, *list, *from;
} parts;

static bool find_parts(dlp_index n, const dlp_index *begin, const dlp_index *neighbour,
                       parts *p)
{
    p->of = dlpi_calloc(3 * n + 1, sizeof *p->of);
    if (!p->of) return false;
    p->list = p->of + n;
    p->from = p->list + n;
    for (dlp_index i = 0; i < n; i++) p->of[i] = -1;
    for (dlp_index i = 0; i < n; i++) {
        if (p->of[i] >= 0) continue;
        const dlp_index at = p->from[p->n];
        p->from[p->n + 1] =
            at + list_part(begin, neighbour, i, p->n, p->of, p->list + at);
        p->n++;
    }
    return true;
}

/* Each part of more than one node sums to 0; `first` is where its nodes begin. */
static void hold_parts(const parts *p, dlp_index first, dlpi_process *out)
{
    dlp_index at = 0;
    for (dlp_index c = 0; c < p->n; c++) {
        if (p->from[c + 1] - p->from[c] == 1) continue;
        for (dlp_index k = p->from[c]; k < p->from[c + 1]; k++) {
            out->node[at] = (int32_t)(first + p->list[k]);
            out->weight[at++] = 1;
        }
        out->begin[++out->constraints] = at;
    }
}

/* P = R + e e' of the first node of each part: |P| is the part's pdet(R) / n, and N(0, P^-1)
   without its mean is N(0, R^-). */
typedef struct pinned {
    dlp_pattern *pattern;
    dlp_sym P, S;
    dlp_cholesky *F;
    double *sums; /* (n) P^-1 1 */
} pinned;

static void free_pinned(pinned *of)
{
    dlp_cholesky_free(of->F);
    dlp_sym_free(&of->P);
    dlp_sym_free(&of->S);
    dlp_pattern_free(of->pattern);
    free(of->sums);
}

/* The entries of R belong to the nodes from `first` on. */
static dlp_status make_pattern(dlp_index n, const dlpi_process *of, dlp_index first,
                               dlp_pattern **pattern, dlp_error *error)
{
    dlp_index *start = dlpi_calloc(of->entries + 1, sizeof *start), terms = 0;
    int32_t *column = dlpi_calloc(of->entries, 2 * sizeof *column);
    dlp_status status = start && column ? DLP_OK : dlpi_process_no_memory(error);
    for (dlp_index e = 0; start && column && e < of->entries; e++) {
        if (of->row[e] < first) continue;
        column[2 * terms] = (int32_t)(of->row[e] - first);
        column[2 * terms + 1] = (int32_t)(of->column[e] - first);
        terms++;
        start[terms] = 2 * terms;
    }
    if (status == DLP_OK)
        status = dlp_pattern_from_sum(n, terms, start, column, pattern, error);
    free(start);
    free(column);
    return status;
}

static dlp_status make_pinned(dlp_index n, const dlpi_process *of, dlp_index first,
                              const parts *p, pinned *out, dlp_error *error)
{
    DLP_TRY(make_pattern(n, of, first, &out->pattern, error));
    const dlp_shape shape = dlp_shape_sparse(out->pattern);
    DLP_TRY(dlp_sym_alloc(shape, &out->P, error));
    DLP_TRY(dlp_sym_alloc(shape, &out->S, error));
    DLP_TRY(dlp_cholesky_alloc(shape, &out->F, error));
    out->sums = dlpi_calloc(n, sizeof *out->sums);
    if (!out->sums) return dlpi_process_no_memory(error);
    for (dlp_index e = 0; e < of->entries; e++)
        if (of->row[e] >= first)
            out->P.a[dlp_pattern_find(out->pattern, of->row[e] - first,
                                      of->column[e] - first)] += of->R[e];
    for (dlp_index c = 0; c < p->n; c++) {
        const dlp_index i = p->list[p->from[c]];
        out->P.a[dlp_pattern_find(out->pattern, i, i)] += 1;
    }
    if (dlp_cholesky_compute(out->F, &out->P) >= 0)
        return dlp_fail(error, DLP_EINPUT, "the regions have no finite variances");
    dlp_cholesky_inverse(out->F, &out->S);
    for (dlp_index i = 0; i < n; i++) out->sums[i] = 1;
    dlp_cholesky_solve(out->F, out->sums);
    return DLP_OK;
}

/* The factor for R of part c, and what it adds to the log determinant. */
static double scale_of(const pinned *of, const parts *p, dlp_index c, double *log_det)
{
    const dlp_index from = p->from[c], to = p->from[c + 1];
    const double n = (double)(to - from);
    double all = 0, sum = 0;
    if (n == 1) return 1;
    for (dlp_index k = from; k < to; k++) all += of->sums[p->list[k]];
    for (dlp_index k = from; k < to; k++) {
        const dlp_index i = p->list[k];
        sum += log(of->S.a[dlp_pattern_find(of->pattern, i, i)] - 2 * of->sums[i] / n +
                   all / (n * n)) /
               n;
    }
    *log_det += log(n) + (n - 1) * sum;
    return exp(sum);
}

static dlp_status scale_graph(dlp_index n, const parts *p, dlp_index first,
                              dlpi_process *out, dlp_error *error)
{
    const double ridge = 1e-8; /* a part without rows still has a precision */
    pinned of = {.pattern = NULL};
    double *scale = dlpi_calloc(p->n, sizeof *scale);
    dlp_status status =
        scale ? make_pinned(n, out, first, p, &of, error) : dlpi_process_no_memory(error);
    if (status == DLP_OK && scale && p->of && of.S.a) {
        out->log_det = dlp_cholesky_log_det(of.F);
        for (dlp_index c = 0; c < p->n; c++)
            scale[c] = scale_of(&of, p, c, &out->log_det);
        for (dlp_index e = 0; e < out->entries; e++) {
            if (out->row[e] < first) continue;
            const dlp_index c = p->of[out->row[e] - first];
            out->R[e] *= scale[c];
            if (p->from[c + 1] - p->from[c] == 1) out->R[e] = 1;
            if (out->row[e] == out->column[e]) out->R[e] += ridge;
        }
    }
    free(scale);
    free_pinned(&of);
    return status;
}

/* R = D - A; for bym2, after the entries of the sums. */
static void fill_graph(dlp_index n, const dlp_index *begin, const dlp_index *neighbour,
                       dlp_index first, dlpi_process *out)
{
    for (dlp_index i = 0; i < first; i++) {
        dlpi_process_put(out, i, i, 0);
        dlpi_process_put(out, i, first + i, 0);
    }
    for (dlp_index i = 0; i < n; i++)
        dlpi_process_put(out, first + i, first + i, (double)(begin[i + 1] - begin[i]));
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = begin[i]; k < begin[i + 1]; k++)
            if (neighbour[k] > i)
                dlpi_process_put(out, first + i, first + neighbour[k], -1);
}

dlp_status dlpi_process_graph(dlp_index n, const dlp_index *begin,
                              const dlp_index *neighbour, bool bym2, dlpi_process *out,
                              dlp_error *error)
{
    const dlp_index first = bym2 ? n : 0;
    parts p = {.n = 0};
    *out = (dlpi_process){
        .kind = bym2 ? DLPI_BYM2 : DLPI_INTRINSIC, .n = first + n, .reference = 1};
    const bool there = dlpi_process_alloc(2 * first + n + begin[n], true, out) &&
                       dlpi_process_alloc_constraints(n, n, out) &&
                       find_parts(n, begin, neighbour, &p);
    dlp_status status = there ? DLP_OK : dlpi_process_no_memory(error);
    if (status == DLP_OK) {
        fill_graph(n, begin, neighbour, first, out);
        hold_parts(&p, first, out);
        status = scale_graph(n, &p, first, out, error);
    }
    free(p.of);
    return status;
}
