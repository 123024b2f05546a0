/* SPDX-License-Identifier: BSD-3-Clause */
/* Which draws there are, at which points of psi, and where x and leaves are drawn about. */
#include "bugs/posterior/posterior_run.h"
#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

typedef dlpi_posterior_run run;

/* ---- which x and leaves ---- */

/* The most numbers to keep for draws; up to FEW_DRAWN of them, all x and leaves are kept. */
static const double MOST_DRAWN = 6e7, FEW_DRAWN = 4e6;

/* Marks the x and leaves that are wanted, and the x on which such leaves depend. */
static void mark_wanted(const run *r, const bool *wanted)
{
    const dlpi_plan *plan = r->plan;
    const dlpi_groups *groups = r->field.groups;
    int32_t *column = r->p->column;
    for (dlp_index k = 0; k < plan->n; k++) column[k] = wanted[plan->x_cell[k]] ? 0 : -1;
    for (dlp_index l = 0; l < plan->L; l++) {
        const int32_t keep = dlpi_leaf_is_wanted(r, l) ? 0 : -1;
        column[plan->n + 2 * l] = column[plan->n + 2 * l + 1] = keep;
        for (dlp_index i = groups->support_begin[l];
             keep == 0 && i < groups->support_begin[l + 1]; i++)
            column[groups->support[i]] = 0;
    }
}

/* Which x and leaves are drawn: all or, if there are too many, those wanted. */
dlp_status dlpi_choose_kept(run *r, dlp_error *error)
{
    dlpi_posterior *p = r->p;
    const dlp_index m = r->plan->m, wide = r->plan->n + 2 * r->plan->L;
    const bool *wanted = r->settings->wanted;
    const bool all =
        !wanted || (double)r->settings->draws * (double)(m + wide) <= FEW_DRAWN;
    r->kept = dlpi_calloc(wide, sizeof *r->kept);
    if (!all) p->column = dlpi_calloc(wide, sizeof *p->column);
    if (!r->kept || (!all && !p->column)) return dlpi_no_memory(error, "the posterior");
    if (p->column && wanted) mark_wanted(r, wanted);
    for (dlp_index c = 0; c < wide; c++) {
        if (p->column && p->column[c] < 0) continue;
        if (p->column) p->column[c] = (int32_t)r->n_kept;
        r->kept[r->n_kept++] = (int32_t)c;
    }
    p->draws = r->settings->draws;
    if ((double)p->draws * (double)(m + r->n_kept) > MOST_DRAWN)
        p->draws = (dlp_index)(MOST_DRAWN / (double)(m + r->n_kept)) / 2 * 2 + 2;
    return DLP_OK;
}

/* ---- which draws a point has ---- */

/* psi of the draws: points in proportion to their weights, in order. */
void dlpi_choose_psi(run *r)
{
    const dlpi_psi_points *c = &r->p->psi_points;
    const dlp_index m = r->plan->m, draws = r->p->draws;
    double sum = 0;
    dlp_index at = 0;
    for (dlp_index i = 0; i < draws; i++) {
        const double want = ((double)i + 0.5) / (double)draws;
        while (at + 1 < c->n && sum + c->weight[at] < want) sum += c->weight[at++];
        memcpy(r->psi + i * m, c->psi + at * m, (size_t)m * sizeof *r->psi);
    }
}

/* 1 / variance (m) of each psi by the points. */
static void find_scales(const run *r, double *scale)
{
    const dlp_index m = r->plan->m;
    const dlpi_explore *e = &r->p->explore;
    for (dlp_index k = 0; k < m; k++) {
        double mean = 0, square = 0;
        for (int i = 0; i < e->points; i++) mean += e->weight[i] * r->point[i * m + k];
        for (int i = 0; i < e->points; i++)
            square += e->weight[i] * (r->point[i * m + k] - mean) *
                      (r->point[i * m + k] - mean);
        scale[k] = 1 / fmax(square, 1e-300);
    }
}

/* Which of n points is nearest to psi; the search starts at the one found for another
   psi. */
static int nearest_to(const run *r, const double *psi, const double *scale, int n,
                      const int *point, int first)
{
    const dlp_index m = r->plan->m;
    double best = INFINITY;
    int found = first;
    for (int c = -1; c < n; c++) {
        const int q = c < 0 ? first : point[c];
        const double *at = r->point + q * m;
        double sum = 0;
        for (dlp_index k = 0; k < m && sum <= best; k++)
            sum += (psi[k] - at[k]) * (psi[k] - at[k]) * scale[k];
        if (sum < best || (sum == best && q < found)) {
            best = sum;
            found = q;
        }
    }
    return found;
}

/* Measured in units in which psi is about N(0, I), by the covariance of the points, and
   only among the points that matter: nothing is known about the others. */
dlp_status dlpi_find_nearest(run *r, dlp_error *error)
{
    const dlp_index m = r->plan->m;
    const int points = r->p->explore.points;
    double *scale = dlpi_calloc(m, sizeof *scale);
    int *point = dlpi_calloc(points, sizeof *point), n = 0;
    const dlp_status status =
        scale && point ? DLP_OK : dlpi_no_memory(error, "the posterior");
    if (status == DLP_OK) {
        find_scales(r, scale);
        for (int q = 0; q < points; q++)
            if (dlpi_point_counts(r, q)) point[n++] = q;
        for (dlp_index i = 0; n > 0 && i < r->p->draws; i++)
            r->nearest[i] = nearest_to(r, r->psi + i * m, scale, n, point,
                                       i ? r->nearest[i - 1] : point[0]);
    }
    free(scale);
    free(point);
    return status;
}

/* Draws point by point, those of each in their order. */
void dlpi_list_draws(run *r)
{
    dlp_index *begin = r->own_begin;
    for (dlp_index i = 0; i < r->p->draws; i++) begin[r->nearest[i] + 1]++;
    for (int q = 0; q < r->p->points; q++) begin[q + 1] += begin[q];
    for (dlp_index i = r->p->draws - 1; i >= 0; i--)
        r->own[--begin[r->nearest[i] + 1]] = i;
    for (int q = 0; q < r->p->points; q++) begin[q] = begin[q + 1];
    begin[r->p->points] = r->p->draws;
}

/* ---- from deviations to draws ---- */

/* How the centers move with psi: least squares, G (n_kept, m). */
dlp_status dlpi_regress_centers(run *r, double *G, dlp_error *error)
{
    const dlp_index m = r->plan->m, wide = r->n_kept;
    double *A = dlpi_calloc(m * m + m * (wide + 1) + m, sizeof *A);
    if (!A) return dlpi_no_memory(error, "the posterior");
    double *B = A + m * m, *mean = B + m * wide;
    for (int q = 0; q < r->p->points; q++)
        for (dlp_index k = 0; k < m; k++)
            mean[k] += dlpi_point_weight(r, q) * r->point[q * m + k];
    for (int q = 0; q < r->p->points; q++) {
        if (!dlpi_point_counts(r, q)) continue;
        for (dlp_index k = 0; k < m; k++) {
            const double d = dlpi_point_weight(r, q) * (r->point[q * m + k] - mean[k]);
            for (dlp_index j = 0; j < m; j++)
                A[k * m + j] += d * (r->point[q * m + j] - mean[j]);
            for (dlp_index c = 0; c < wide; c++)
                B[k * wide + c] +=
                    d * (r->center[q * wide + c] - r->p->x_mean[r->kept[c]]);
        }
    }
    for (dlp_index k = 0; k < m; k++) A[k * (m + 1)] += 1e-12 + 1e-9 * A[k * (m + 1)];
    if (dlpi_cholesky(m, A) < 0)
        for (dlp_index c = 0; c < wide; c++) {
            for (dlp_index k = 0; k < m; k++) mean[k] = B[k * wide + c];
            dlpi_cholesky_solve(m, A, mean);
            memcpy(G + c * m, mean, (size_t)m * sizeof *mean);
        }
    free(A);
    return DLP_OK;
}

/* Deviations become draws. */
void dlpi_place_draws(run *r, const double *G)
{
    const dlp_index m = r->plan->m, wide = r->n_kept;
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index i = 0; i < r->p->draws; i++)
            r->p->draw[k * r->p->draws + i] = r->psi[i * m + k];
    for (dlp_index c = 0; c < wide; c++)
        for (dlp_index i = 0; i < r->p->draws; i++) {
            const int q = r->nearest[i];
            double v = r->center[q * wide + c];
            for (dlp_index k = 0; k < m; k++)
                v += G[c * m + k] * (r->psi[i * m + k] - r->point[q * m + k]);
            dlpi_kept_draws(r, c)[i] += v;
        }
}
