/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/scale_mixture.h"

#include "core/core.h"
#include "math/weighted.h"

#include <math.h>
#include <string.h>

enum { POINTS = 1000 };

void dlpi_scale_mixture_clear(dlpi_scale_mixture *s)
{
    free(s->value);
    free(s->point);
    free(s->mean);
    *s = (dlpi_scale_mixture){0};
}

/* ---- numbers ---- */

dlp_index dlpi_scale_mixture_width(const dlpi_hyper_layout *layout)
{
    dlp_index m = layout->scales;
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const dlp_index blocks = dlpi_hyper_blocks(layout, t), q = layout->q[t] / blocks;
        const dlpi_process *process = dlpi_hyper_process(layout, t);
        m += blocks * (q + q * (q - 1) / 2);
        if (process) m += dlpi_process_more(process);
    }
    return m;
}

/* atanh, where it is finite. */
static double unbound(double r)
{
    const double most = 1 - 1e-15;
    return atanh(fmin(fmax(r, -most), most));
}

void dlpi_scale_mixture_numbers(const dlpi_hyper_layout *layout, const double *psi,
                                double *room, double *out)
{
    const double *all = dlpi_hyper_all(layout, psi, room);
    double *sd = room + layout->all, *R = sd + layout->largest;
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const dlp_index q = layout->q[t], size = q / dlpi_hyper_blocks(layout, t);
        const dlpi_process *process = dlpi_hyper_process(layout, t);
        const double *own = all + layout->at[t];
        dlpi_hyper_term(q, own, sd, R);
        for (dlp_index first = 0; first < q; first += size) {
            for (dlp_index a = first; a < first + size; a++) *out++ = own[a];
            for (dlp_index b = first; b < first + size; b++)
                for (dlp_index a = first; a < b; a++) {
                    double r = 0;
                    for (dlp_index c = 0; c < q; c++) r += R[c * q + a] * R[c * q + b];
                    *out++ = unbound(r);
                }
        }
        if (process && dlpi_process_more(process) > 0)
            *out++ = fmin(fmax(own[1], -30), 30);
    }
    for (dlp_index i = 0; i < layout->scales; i++) *out++ = psi[layout->tau + i];
}

/* ---- points that weigh the same ---- */

typedef struct ranked {
    double value;
    dlp_index index;
} ranked;

typedef struct making {
    const dlpi_hyper_layout *layout;
    const dlpi_explore *e;
    const dlpi_psi_points *psi_points;
    const dlpi_taken *taken;
    dlp_index m, p;
    double *room;         /* scratch space, */
    double *one;          /* and (m) the numbers of one point */
    double *all;          /* (psi_points, m) the numbers of the points of psi, */
    double *mean, *sd;    /* (m) their means and sds, */
    dlpi_weighted *order; /* (psi_points) and room for their order */
    ranked *ranked;       /* (n) and for that of the chosen points */
    double *at;           /* (points, m) the numbers of those taken */
    int *most;            /* (points) which these are */
    dlp_index points;
    dlpi_scale_mixture *to;
} making;

/* The numbers of all points of psi, with their means and sds. */
static void measure_points(const making *k)
{
    const dlpi_psi_points *c = k->psi_points;
    for (dlp_index i = 0; i < c->n; i++) {
        const double *x = k->all + i * k->m;
        dlpi_scale_mixture_numbers(k->layout, c->psi + i * c->m, k->room,
                                   k->all + i * k->m);
        for (dlp_index j = 0; j < k->m; j++) k->mean[j] += c->weight[i] * x[j];
    }
    for (dlp_index i = 0; i < c->n; i++)
        for (dlp_index j = 0; j < k->m; j++) {
            const double off = k->all[i * k->m + j] - k->mean[j];
            k->sd[j] += c->weight[i] * off * off;
        }
    for (dlp_index j = 0; j < k->m; j++) k->sd[j] = sqrt(k->sd[j]);
}

/* Chooses one point for each n-th part of the weight. */
static void choose(const making *k)
{
    const dlpi_psi_points *c = k->psi_points;
    const dlp_index n = k->to->n, m = k->m;
    double sum = 0;
    dlp_index next = 0;
    for (dlp_index i = 0; i < c->n; i++) {
        sum += c->weight[i];
        for (; next < n && (((double)next + 0.5) / (double)n < sum || i == c->n - 1);
             next++)
            memcpy(k->to->value + next * m, k->all + i * m,
                   (size_t)m * sizeof *k->to->value);
    }
}

/* ---- with the margins of the points of psi ---- */

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->index > y->index) - (x->index < y->index);
}

/* Number j: the i-th smallest of n becomes the quantile (i + 1/2) / n over the points of
   psi. */
static void give_margin(const making *k, dlp_index j)
{
    const dlpi_psi_points *c = k->psi_points;
    const dlp_index n = k->to->n, m = k->m;
    dlpi_weighted *of = k->order;
    ranked *own = k->ranked;
    for (dlp_index i = 0; i < c->n; i++)
        of[i] = (dlpi_weighted){k->all[i * m + j], c->weight[i]};
    for (dlp_index i = 0; i < n; i++) own[i] = (ranked){k->to->value[i * m + j], i};
    dlpi_weighted_sort(c->n, of);
    qsort(own, (size_t)n, sizeof *own, by_value);
    double below = 0.5 * of[0].weight; /* a value is in the middle of its weight */
    dlp_index at = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double share = ((double)i + 0.5) / (double)n;
        double *x = k->to->value + own[i].index * m + j;
        while (at + 1 < c->n &&
               below + 0.5 * (of[at].weight + of[at + 1].weight) < share) {
            below += 0.5 * (of[at].weight + of[at + 1].weight);
            at++;
        }
        *x = of[at].value;
        if (share <= below || at + 1 == c->n) continue;
        const double step = 0.5 * (of[at].weight + of[at + 1].weight);
        *x += (share - below) / step * (of[at + 1].value - of[at].value);
    }
}

/* ---- their Gaussians ---- */

/* The heaviest ones, as many as justify the later cost of matrices of size p. */
static void choose_gaussians(making *k)
{
    const dlpi_taken *t = k->taken;
    const double p = (double)(k->p > 0 ? k->p : 1), most = 1 + 2e8 / (p * p * p);
    double least = 0;
    dlp_index count = t->n;
    while ((double)count > most) {
        double next = INFINITY;
        for (int i = 0; i < t->n; i++)
            if (t->w[i] > least) next = fmin(next, t->w[i]);
        least = fmax(next, 1.2 * least);
        count = 0;
        for (int i = 0; i < t->n; i++) count += t->w[i] > least;
    }
    for (int i = 0; i < t->n; i++)
        if (t->w[i] > least) k->most[k->points++] = i;
    int heaviest = 0; /* all may be alike */
    for (int i = 1; i < t->n; i++)
        if (t->w[i] > t->w[heaviest]) heaviest = i;
    if (k->points == 0) k->most[k->points++] = heaviest;
}

static void place_gaussians(const making *k)
{
    double *psi = k->one + k->m;
    for (dlp_index i = 0; i < k->points; i++) {
        dlpi_explore_psi(k->e, k->e->z + k->taken->point[k->most[i]] * k->e->m, psi);
        dlpi_scale_mixture_numbers(k->layout, psi, k->room, k->at + i * k->m);
    }
}

static int32_t nearest(const making *k, const double *x)
{
    double least = INFINITY;
    int32_t at = 0;
    for (dlp_index i = 0; i < k->points; i++) {
        double sum = 0;
        for (dlp_index j = 0; j < k->m && sum < least; j++) {
            const double off = k->sd[j] > 0 ? (x[j] - k->at[i * k->m + j]) / k->sd[j] : 0;
            sum += off * off;
        }
        if (sum < least) at = (int32_t)i;
        least = fmin(least, sum);
    }
    return at;
}

/* Keeps the Gaussians that are used, and renumbers them. */
static bool keep_gaussians(const making *k)
{
    dlpi_scale_mixture *to = k->to;
    const dlp_index p = k->p;
    int32_t *number = dlpi_calloc(k->points, sizeof *number);
    if (!number) return false;
    for (dlp_index i = 0; i < to->n; i++) number[to->point[i]] = 1;
    for (dlp_index i = 0; i < k->points; i++)
        number[i] = number[i] ? (int32_t)to->points++ : -1;
    for (dlp_index i = 0; i < to->n; i++) to->point[i] = number[to->point[i]];
    to->mean = dlpi_calloc(to->points, (size_t)(p * (p + 1)) * sizeof *to->mean);
    to->covariance = to->mean ? to->mean + to->points * p : NULL;
    for (dlp_index i = 0; to->mean && i < k->points; i++) {
        if (number[i] < 0) continue;
        memcpy(to->mean + number[i] * p, k->taken->m + k->most[i] * p,
               (size_t)p * sizeof *to->mean);
        memcpy(to->covariance + number[i] * p * p, k->taken->S + k->most[i] * p * p,
               (size_t)(p * p) * sizeof *to->mean);
    }
    free(number);
    return to->mean != NULL;
}

static bool make(making *k)
{
    dlpi_scale_mixture *to = k->to;
    to->value = dlpi_calloc(to->n, (size_t)to->m * sizeof *to->value);
    to->point = dlpi_calloc(to->n, sizeof *to->point);
    if (!to->value || !to->point) return false;
    measure_points(k);
    choose(k);
    for (dlp_index j = 0; j < k->m; j++) give_margin(k, j);
    choose_gaussians(k);
    place_gaussians(k);
    for (dlp_index i = 0; i < to->n; i++) to->point[i] = nearest(k, to->value + i * k->m);
    return keep_gaussians(k);
}

dlp_status dlpi_scale_mixture_make(const dlpi_hyper_layout *layout, const dlpi_explore *e,
                                   const dlpi_psi_points *psi_points,
                                   const dlpi_taken *taken, dlpi_mixed_result *result,
                                   dlp_error *error)
{
    const dlp_index m = dlpi_scale_mixture_width(layout), q = layout->largest;
    making k = {
        .layout = layout, .e = e, .psi_points = psi_points, .taken = taken, .m = m};
    k.p = result->p;
    k.to = &result->scale_mixture;
    *k.to = (dlpi_scale_mixture){.n = POINTS, .m = m};
    const dlp_index numbers = layout->all + q + q * q + 3 * m + layout->m;
    k.room = dlpi_calloc(numbers + taken->n * m, sizeof *k.room);
    k.most = dlpi_calloc(taken->n, sizeof *k.most);
    k.all = dlpi_calloc(psi_points->n, (size_t)m * sizeof *k.all);
    k.order = dlpi_calloc(psi_points->n, sizeof *k.order);
    k.ranked = dlpi_calloc(POINTS, sizeof *k.ranked);
    bool made = k.room && k.most && k.all && k.order && k.ranked;
    if (made) {
        k.mean = k.room + layout->all + q + q * q;
        k.sd = k.mean + m;
        k.one = k.sd + m; /* followed by psi */
        k.at = k.one + m + layout->m;
        made = make(&k);
    }
    free(k.room);
    free(k.most);
    free(k.all);
    free(k.order);
    free(k.ranked);
    return made ? DLP_OK : dlpi_no_memory(error, "the points of the scales");
}
