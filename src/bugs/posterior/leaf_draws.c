/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws from the density of a leaf given x. */
#include "bugs/posterior/leaf_alone.h"

#include <delaplace/special.h>
#include <math.h>

enum { FINE = 4 };            /* parts of what lies between two nodes, for quantiles */
static const double TAIL = 9; /* quantiles are less exact where it has fallen by this */

/* The nodes of a line from left to right. */
static void sort_line(dlpi_bugs_leaf_work *leaf)
{
    for (dlp_index i = 1; i < leaf->n; i++) {
        const double at = leaf->node[2 * i], h = leaf->h[i];
        dlp_index k = i;
        for (; k > 0 && leaf->node[2 * (k - 1)] > at; k--) {
            leaf->node[2 * k] = leaf->node[2 * (k - 1)];
            leaf->h[k] = leaf->h[k - 1];
        }
        leaf->node[2 * k] = at;
        leaf->h[k] = h;
    }
}

/* h between nodes i and i + 1: the cubic through four nodes, t from 0 to 1. */
static double between(const dlpi_bugs_leaf_work *leaf, dlp_index i, double t)
{
    const double *h = leaf->h;
    if (i < 1 || i + 2 >= leaf->n) return h[i] + t * (h[i + 1] - h[i]);
    const double a = h[i - 1], b = h[i], c = h[i + 1], d = h[i + 2];
    return b + t * (c - a / 3 - b / 2 - d / 6 +
                    t * (a / 2 - b + c / 2 + t * (b / 2 - a / 6 - c / 2 + d / 6)));
}

void dlpi_quantiles_of(dlpi_work *w, dlp_index l, dlpi_quantiles *q)
{
    w = &w->lane[0];
    dlpi_bugs_leaf_work *leaf = w->leaf;
    leaf->spread = true;
    (void)dlpi_bugs_leaf_integrate(w, l);
    leaf->spread = false;
    sort_line(leaf);
    const double top = dlpi_leaf_highest(leaf);
    dlp_index most = leaf->n > 1 ? (DLPI_QUANTILES - 1) / (leaf->n - 1) : 1;
    most = most > FINE ? FINE : most < 1 ? 1 : most;
    double sum = 0, last = 0;
    q->n = 0;
    for (dlp_index i = 0; i + 1 < leaf->n && q->n + most < DLPI_QUANTILES; i++) {
        const bool counts = fmax(leaf->h[i], leaf->h[i + 1]) > top - TAIL;
        const dlp_index fine = counts ? most : 1;
        const double wide = (leaf->node[2 * i + 2] - leaf->node[2 * i]) / (double)fine;
        for (dlp_index k = 0; k < fine; k++) {
            const double p = exp(between(leaf, i, (double)k / (double)fine) - top) * wide;
            sum += 0.5 * (p + last);
            last = p;
            q->value[q->n] = leaf->node[2 * i] + wide * (double)k;
            q->below[q->n++] = sum;
        }
    }
    for (int i = 0; i < q->n; i++) q->below[i] /= sum;
}

double dlpi_quantile_at(const dlpi_quantiles *q, double z)
{
    const double p = dlp_normal_cdf(z);
    int low = 0, high = q->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (q->below[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    const double step = q->below[high] - q->below[low];
    const double t = step > 0 ? fmin(fmax((p - q->below[low]) / step, 0), 1) : 0;
    return q->value[low] + t * (q->value[high] - q->value[low]);
}

/* How far the nodes' weights are from a normal distribution with these moments: half the
   sum of absolute differences. */
static double off_normal(const dlpi_bugs_leaf_work *leaf, const double *mean,
                         const double *v)
{
    const double det = v[0] * v[2] - v[1] * v[1];
    double normal = 0, off = 0;
    if (!(det > 1e-12 * v[0] * v[2])) return 0;
    for (int pass = 0; pass < 2; pass++)
        for (dlp_index i = 0; i < leaf->n; i++) {
            const double a = leaf->node[2 * i] - mean[0],
                         b = leaf->node[2 * i + 1] - mean[1];
            const double p =
                exp(-0.5 * (v[2] * a * a - 2 * v[1] * a * b + v[0] * b * b) / det);
            if (pass == 0)
                normal += p;
            else
                off += 0.5 * fabs(leaf->weight[i] - p / normal);
        }
    return off;
}

void dlpi_plane_of(dlpi_work *w, dlp_index l, const double *mean, const double *variance,
                   dlpi_plane *plane)
{
    const double far = 0.06;
    w = &w->lane[0];
    dlpi_bugs_leaf_work *leaf = w->leaf;
    plane->n = 0;
    if (!isfinite(dlpi_bugs_leaf_integrate(w, l)) || leaf->normal ||
        off_normal(leaf, mean, variance) < far)
        return;
    double sum = 0;
    dlpi_leaf_axes(leaf, plane->axis);
    for (int k = 0; k < 3; k++) plane->axis[k] *= leaf->apart;
    for (dlp_index i = 0; i < leaf->n && plane->n < DLPI_PLANE_CELLS; i++) {
        if (leaf->weight[i] < DLPI_LEAF_NEGLIGIBLE) continue;
        plane->value[2 * plane->n] = leaf->node[2 * i];
        plane->value[2 * plane->n + 1] = leaf->node[2 * i + 1];
        plane->below[plane->n++] = sum += leaf->weight[i];
    }
    for (int i = 0; i < plane->n; i++) plane->below[i] /= sum;
    const double *a = plane->axis,
                 cell[2] = {(a[0] * a[0] + a[1] * a[1]) / 12, a[2] * a[2] / 12};
    for (int c = 0; c < 2; c++) {
        const double v = fmax(variance[c ? 2 : 0], 0);
        plane->shrink[c] = v > 0 ? sqrt(v / (v + cell[c])) : 0;
    }
}

void dlpi_plane_at(const dlpi_plane *plane, const double *mean, const double z[2],
                   double deviation[2])
{
    const double p = dlp_normal_cdf(z[0]);
    dlp_index low = 0, high = plane->n - 1;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        if (plane->below[middle] < p)
            low = middle + 1;
        else
            high = middle;
    }
    const double from = low > 0 ? plane->below[low - 1] : 0,
                 wide = plane->below[low] - from;
    const double s = wide > 0 ? fmin(fmax((p - from) / wide, 0), 1) - 0.5 : 0,
                 t = dlp_normal_cdf(z[1]) - 0.5;
    const double at[2] = {plane->value[2 * low] + plane->axis[0] * s + plane->axis[1] * t,
                          plane->value[2 * low + 1] + plane->axis[2] * t};
    for (int c = 0; c < 2; c++) deviation[c] = plane->shrink[c] * (at[c] - mean[c]);
}
