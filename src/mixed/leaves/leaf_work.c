/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_work.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/special/gauss_hermite.h"
#include "math/special/gauss_legendre.h"
#include "mixed/gaussian_parts.h"

#include <math.h>
#include <string.h>

enum { MOST_NODES = 1024 };  /* for the trapezoidal rule, and for three or more effects */
enum { MOST_OF_TWO = 4096 }; /* for the trapezoidal rule of two effects */
enum { TOGETHER = 4096 };    /* rows, times nodes, that are evaluated together */
static const int EACH[DLPI_LEAF_RULES] = {3, 5, 7,
                                          9}; /* Gauss-Hermite nodes per dimension */

/* A product of q rules, without the nodes of negligible weight. */
static void fill_rule(int each, dlp_index q, dlpi_hermite *to)
{
    const double least = 3e-6; /* relative to the largest weight */
    double t[DLPI_LEAF_MOST_EACH], log_w[DLPI_LEAF_MOST_EACH];
    dlpi_gauss_hermite(each, t, log_w);
    const double top = log_w[each / 2];
    for (int k = 0; k < (q == 1 ? each : each * each); k++) {
        const int i = k % each, j = k / each;
        const double weight = q == 1 ? log_w[i] - top : log_w[i] + log_w[j] - 2 * top;
        if (weight < log(least)) continue;
        double *node = to->node + to->n * q;
        node[0] = sqrt(2) * t[i];
        to->log_w[to->n] = log_w[i] + t[i] * t[i] + 0.5 * log(2);
        if (q == 2) {
            node[1] = sqrt(2) * t[j];
            to->log_w[to->n] += log_w[j] + t[j] * t[j] + 0.5 * log(2);
        }
        to->n++;
    }
}

typedef struct span {
    double **field;
    dlp_index size;
} span;

/* One block for all spans. NULL when out of memory. */
static double *alloc_spans(int n, const span *each)
{
    dlp_index total = 0;
    for (int i = 0; i < n; i++) total += each[i].size;
    double *block = dlpi_calloc(total, sizeof *block), *at = block;
    for (int i = 0; block && i < n; i++) {
        *each[i].field = at;
        at += each[i].size;
    }
    return block;
}

/* For the rows of a leaf and its mode. */
static double *alloc_rows(dlpi_leaf_work *w)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index q = rows->q, capacity = w->capacity, each = rows->most_rows;
    const span part[] = {
        {&w->y, capacity},    {&w->trials, capacity}, {&w->weight, capacity},
        {&w->eta, capacity},  {&w->l, capacity},      {&w->l_e, capacity},
        {&w->l_ee, capacity}, {&w->eta0, each},       {&w->E_e, each},
        {&w->E_ee, each},     {&w->l_eee, each},      {&w->l_eeee, each},
        {&w->trial, q},       {&w->step, q},          {&w->g, q},
        {&w->C, q * q},       {&w->U, q * q},         {&w->value, rows->width + rows->p},
        {&w->E_v, each},      {&w->E_vv, each},
    };
    return alloc_spans(sizeof part / sizeof part[0], part);
}

/* For the nodes about the mode, and what they add up to. */
static double *alloc_nodes(dlpi_leaf_work *w)
{
    const dlpi_mixed_rows *rows = w->rows;
    const bool many = w->rule == DLPI_LEAF_CUBATURE,
               bounded = w->rule == DLPI_LEAF_INTERVAL;
    const dlp_index q = rows->q, m = rows->most_support + rows->p, nodes = w->most_nodes;
    const span part[] = {
        {&w->node, nodes * q},
        {&w->across, q > 1 ? nodes * q : 0},
        {&w->omega, nodes},
        {&w->log_w, nodes},
        {&w->D, nodes * m},
        {&w->centred, nodes * m},
        {&w->gradient, m},
        {&w->curvature, m * m},
        {&w->mean, q},
        {&w->variance, q * q},
        {&w->slope, q * m},
        {&w->seen, many ? rows->most_rows * q : 0},
        {&w->B, many      ? q * m
                : bounded ? 2 * m
                          : 0},
        {&w->h_b, many || bounded ? q * nodes : 0},
    };
    return alloc_spans(sizeof part / sizeof part[0], part);
}

dlp_status dlpi_leaf_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                dlpi_leaf_work **work, dlp_error *error)
{
    const int most_nodes = rule == DLPI_LEAF_LAPLACE    ? 1
                           : rule == DLPI_LEAF_HERMITE  ? MOST_OF_TWO
                           : rule == DLPI_LEAF_INTERVAL ? DLPI_LEGENDRE
                                                        : MOST_NODES;
    const dlp_index q = rows->q;
    dlpi_leaf_work *w = dlpi_calloc(1, sizeof *w);
    *work = w;
    if (!w) return dlpi_no_memory(error, "a mixed model");
    w->rows = rows;
    w->rule = rule;
    w->other = -1;
    w->tile.bare = true;
    w->most_nodes = most_nodes;
    if (rule == DLPI_LEAF_CUBATURE)
        DLP_TRY(dlpi_cubature_alloc(q, most_nodes, &w->many, error));
    for (int i = 0; i < DLPI_LEAF_RULES && q <= 2; i++)
        fill_rule(EACH[i], q, &w->normal[i]);
    w->capacity = rows->most_rows > TOGETHER ? rows->most_rows : TOGETHER;
    w->index = dlpi_calloc(rows->width + rows->p + rows->n_other, sizeof *w->index);
    w->other_q = w->index ? w->index + rows->width + rows->p : NULL;
    for (dlp_index o = 0; w->index && o < rows->n_other; o++)
        w->other_q[o] = rows->data->term[rows->term[o]].q;
    w->of_rows = alloc_rows(w);
    w->of_nodes = alloc_nodes(w);
    return w->index && w->of_rows && w->of_nodes ? DLP_OK
                                                 : dlpi_no_memory(error, "a mixed model");
}

void dlpi_leaf_work_free(dlpi_leaf_work *work)
{
    if (!work) return;
    dlpi_cubature_free(&work->many);
    free(work->of_rows);
    free(work->of_nodes);
    free(work->index);
    free(work);
}

/* A row of weight 0 says nothing, not even that its mean is positive. */
static void multiply(dlp_index n, const double *by, double *x)
{
    for (dlp_index i = 0; i < n; i++) x[i] = by[i] == 0 ? 0 : by[i] * x[i];
}

void dlpi_leaf_evaluate(dlpi_leaf_work *w, dlp_index n, const double *tau, bool all)
{
    dlpi_rows *tile = &w->tile;
    dlpi_mixed_tell(w->rows->data, tau, tile);
    for (dlp_index at = 0; at < n; at += DLPI_TILE) {
        tile->n = n - at < DLPI_TILE ? n - at : DLPI_TILE;
        tile->y = w->y + at;
        tile->trials = w->rows->data->trials ? w->trials + at : NULL;
        const size_t size = (size_t)tile->n * sizeof *tile->eta;
        memcpy(tile->eta, w->eta + at, size);
        w->rows->data->likelihood(tile, tau[0], all ? 4 : 2);
        memcpy(w->l + at, tile->l, size);
        memcpy(w->l_e + at, tile->l_e, size);
        memcpy(w->l_ee + at, tile->l_ee, size);
        if (all) memcpy(w->l_eee + at, tile->l_eee, size);
        if (all) memcpy(w->l_eeee + at, tile->l_eeee, size);
    }
    if (!w->rows->weighted && w->other < 0) return;
    multiply(n, w->weight, w->l);
    multiply(n, w->weight, w->l_e);
    multiply(n, w->weight, w->l_ee);
    if (all) multiply(n, w->weight, w->l_eee);
    if (all) multiply(n, w->weight, w->l_eeee);
}

void dlpi_leaf_copy_rows(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const size_t size = (size_t)n * sizeof(double);
    memcpy(w->y, rows->y + from, size);
    memcpy(w->trials, rows->trials + from, size);
    memcpy(w->weight, rows->weight + from, size);
    if (w->other >= from && w->other < from + n)
        w->weight[w->other - from] = w->other_weight;
}

/* eta of the leaf's rows at b */
static void set_eta(dlpi_leaf_work *w, dlp_index g, const double *b, double *eta)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const double *Z = rows->Z + from * q;
    for (dlp_index r = 0; r < n; r++) {
        double sum = w->eta0[r];
        for (dlp_index j = 0; j < q; j++) sum += *Z++ * b[j];
        eta[r] = sum;
    }
}

double dlpi_leaf_expand(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        const double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    double h = -dlpi_half_quadratic(q, prior->P, b);
    set_eta(w, g, b, w->eta);
    dlpi_leaf_evaluate(w, n, prior->tau, w->rule != DLPI_LEAF_LAPLACE);
    for (int convex = 0; convex < 2; convex++) {
        memcpy(w->C, prior->P, (size_t)(q * q) * sizeof *w->C);
        for (dlp_index r = 0; r < n; r++) {
            const double *z = rows->Z + (from + r) * q;
            const double bend = convex ? fmax(-w->l_ee[r], 0) : -w->l_ee[r];
            for (dlp_index i = 0; i < q; i++)
                for (dlp_index j = i; j < q; j++) w->C[i * q + j] += bend * z[i] * z[j];
        }
        memcpy(w->U, w->C, (size_t)(q * q) * sizeof *w->U);
        if (dlpi_cholesky(q, w->U) < 0) break;
    }
    for (dlp_index i = 0; i < q; i++) w->g[i] = -dlpi_dot(q, prior->P + i * q, b);
    for (dlp_index r = 0; r < n; r++) {
        h += w->l[r];
        for (dlp_index i = 0; i < q; i++)
            w->g[i] += w->l_e[r] * rows->Z[(from + r) * q + i];
    }
    return h;
}
