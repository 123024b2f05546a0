/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All leaves at x, in threads: each thread takes blocks of leaves, and their
 * contributions to log p, its gradient and its curvature are added in the order of the
 * leaves, so that the result does not depend on threads, to the last bit.
 */
#include "bugs/posterior/leaf.h"
#include "core/core.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    MOST_JETS = 2000,   /* numbers of a block at a node that fit in the cache, */
    MOST_ALONE = 16000, /* and of a leaf that is a block by itself */
    MOST_LEAVES = 256,  /* of a block */
    AT_ONCE =
        1024 /* blocks between two additions, for which threads wait for each other */
};

/* ---- blocks ---- */

/* Whether a leaf's density may have several maxima: then its nodes must reach far out. */
bool dlpi_leaf_is_bumpy(const dlpi_field *of, dlp_index l)
{
    for (int k = 0; k < of->groups->n; k++)
        if (of->groups->of[k].leaf && of->groups->of[k].slots.bumpy &&
            dlpi_leaf_begin(of, k, l + 1) > dlpi_leaf_begin(of, k, l))
            return true;
    return false;
}

/* How many numbers a leaf's jets have at a node; 0: the leaf is not part of a block. */
static dlp_index size_of(const dlpi_field *of, dlp_index l)
{
    dlp_index n = 0;
    if (of->plan->leaf_cell[2 * l + 1] >= 0 || dlpi_leaf_is_bumpy(of, l)) return 0;
    for (int k = 0; k < of->groups->n; k++) {
        const dlpi_group *g = &of->groups->of[k];
        if (!g->leaf) continue;
        n += (dlpi_leaf_begin(of, k, l + 1) - dlpi_leaf_begin(of, k, l)) *
             dlpi_jet_size(g->slots.k, 2);
    }
    return n;
}

dlp_status dlpi_leaves_block(dlpi_field *of, dlp_error *error)
{
    const dlp_index L = of->plan->classes;
    dlp_index room = 0;
    of->block = dlpi_calloc(L + 1, sizeof *of->block);
    of->together = dlpi_calloc(L + 1, sizeof *of->together);
    if (!of->block || !of->together)
        return dlpi_no_memory(error, "the factors of the model");
    for (dlp_index l = 0; l < L; l++) {
        const dlp_index size = size_of(of, l), last = of->n_blocks - 1;
        const bool together = size > 0 && size <= MOST_ALONE;
        const bool joins = together && last >= 0 && of->together[last] &&
                           room + size <= MOST_JETS && l - of->block[last] < MOST_LEAVES;
        room = joins ? room + size : size;
        if (joins) continue;
        of->block[of->n_blocks] = l;
        of->together[of->n_blocks++] = together;
    }
    of->block[of->n_blocks] = L;
    return DLP_OK;
}

/* ---- memory ---- */

/* Where the leaves of AT_ONCE blocks from the i-th on end. */
static dlp_index end_of(const dlpi_field *of, dlp_index i)
{
    return of->block[i + AT_ONCE < of->n_blocks ? i + AT_ONCE : of->n_blocks];
}

/* How many numbers the leaves from l up to `end` contribute. */
static dlp_index sums_of(const dlpi_field *of, dlp_index l, dlp_index end)
{
    const dlpi_groups *groups = of->groups;
    return end - l + groups->support_begin[end] - groups->support_begin[l] +
           of->leaf_begin[end] - of->leaf_begin[l];
}

static dlp_status alloc_lane(dlpi_work *w, dlpi_work *lane, dlp_error *error)
{
    *lane = *w;
    lane->block = NULL;
    lane->input = NULL;
    lane->slot = NULL;
    lane->runner = NULL;
    lane->leaf = NULL;
    DLP_TRY(dlpi_work_alloc_room(lane, 0, error));
    return dlpi_leaf_alloc(w->of, &lane->leaf, error);
}

dlp_status dlpi_leaves_alloc(dlpi_work *w, dlp_error *error)
{
    const dlpi_field *of = w->of;
    dlp_index sums = 1, leaves = 1;
    for (dlp_index i = 0; i < of->n_blocks; i += AT_ONCE) {
        const dlp_index l = of->block[i], end = end_of(of, i), n = sums_of(of, l, end);
        if (n > sums) sums = n;
        if (end - l > leaves) leaves = end - l;
    }
    const int lanes = of->lanes > 1 ? of->lanes : 1;
    w->lane = dlpi_calloc(lanes, sizeof *w->lane);
    w->sums = dlpi_calloc(sums, sizeof *w->sums);
    w->sum = dlpi_calloc(leaves, sizeof *w->sum);
    if (!w->lane || !w->sums || !w->sum) return dlpi_no_memory(error, "the posterior");
    w->n_lanes = lanes;
    for (int i = 0; i < lanes; i++) DLP_TRY(alloc_lane(w, &w->lane[i], error));
    return DLP_OK;
}

void dlpi_leaves_free(dlpi_work *w)
{
    for (int i = 0; w->lane && i < w->n_lanes; i++) {
        dlpi_leaf_free(w->lane[i].leaf);
        if (w->lane[i].of) dlpi_work_free_room(&w->lane[i]);
    }
    free(w->lane);
    free(w->sums);
    free(w->sum);
}

/* ---- the whole ---- */

/* Sets where the sums of leaves from l up to `end` go. */
static void place_sums(dlpi_work *w, dlp_index l, dlp_index end)
{
    const dlpi_field *of = w->of;
    double *next = w->sums;
    memset(next, 0, (size_t)sums_of(of, l, end) * sizeof *next);
    for (dlp_index i = l; i < end; i++) {
        w->sum[i - l].log_integral = next++;
        w->sum[i - l].gradient = next;
        next += dlpi_leaf_support(of, i);
        w->sum[i - l].curvature = next;
        next += of->leaf_begin[i + 1] - of->leaf_begin[i];
    }
}

static bool add_block(dlpi_work *lane, dlp_index i, int order, const dlpi_leaf_sum *sum)
{
    const dlpi_field *of = lane->of;
    if (lane->listener && dlpi_listener_poll_inside(lane->listener)) return false;
    if (of->together[i])
        return dlpi_leaf_block_add(lane, of->block[i], of->block[i + 1], order, sum);
    dlpi_leaf_alone(lane, of->block[i], order, *sum);
    return isfinite(*sum->log_integral);
}

static bool add_blocks(dlpi_work *w, dlp_index first, dlp_index last, int order)
{
    const dlp_index *block = w->of->block;
    bool fine = true;
    if (w->n_lanes == 1) { /* this may itself be running in a thread */
        for (dlp_index i = first; i < last && fine; i++)
            fine = add_block(&w->lane[0], i, order, w->sum + block[i] - block[first]);
        return fine;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->n_lanes) reduction(&& : fine)
    for (dlp_index i = first; i < last; i++)
        if (fine)
            fine = add_block(&w->lane[omp_get_thread_num()], i, order,
                             w->sum + block[i] - block[first]);
    return fine;
}

static void scatter(dlpi_work *w, dlp_index l, double times, const dlpi_leaf_sum *sum)
{
    const dlp_index m = dlpi_leaf_support(w->of, l),
                    pairs = w->of->leaf_begin[l + 1] - w->of->leaf_begin[l];
    const int32_t *support = w->of->groups->support + w->of->groups->support_begin[l];
    const int32_t *place = w->of->leaf_place + w->of->leaf_begin[l];
    for (dlp_index i = 0; i < m; i++) w->gradient[support[i]] += times * sum->gradient[i];
    for (dlp_index i = 0; i < pairs; i++) w->H.a[place[i]] += times * sum->curvature[i];
}

/* Copies the results of a leaf to those identical to it. */
static void copy_alike(dlpi_work *w)
{
    const dlpi_plan *plan = w->of->plan;
    const dlp_index *begin = w->of->groups->support_begin;
    for (dlp_index l = plan->classes; l < plan->L; l++) {
        const dlp_index from = plan->alike[l];
        memcpy(w->b + 2 * l, w->b + 2 * from, 2 * sizeof *w->b);
        if (!w->moments) continue;
        memcpy(w->mean + 2 * l, w->mean + 2 * from, 2 * sizeof *w->mean);
        memcpy(w->variance + 3 * l, w->variance + 3 * from, 3 * sizeof *w->variance);
        memcpy(w->slope + 2 * begin[l], w->slope + 2 * begin[from],
               (size_t)(2 * (begin[l + 1] - begin[l])) * sizeof *w->slope);
    }
}

double dlpi_add_leaves(dlpi_work *w, int order)
{
    const dlpi_field *of = w->of;
    const double *times = of->plan->times;
    double sum = 0;
    for (int i = 0; i < w->n_lanes; i++) {
        w->lane[i].moments = w->moments;
        w->lane[i].listener = w->listener;
    }
    for (dlp_index i = 0; i < of->n_blocks; i += AT_ONCE) {
        const dlp_index l = of->block[i], end = end_of(of, i);
        const dlp_index last = i + AT_ONCE < of->n_blocks ? i + AT_ONCE : of->n_blocks;
        place_sums(w, l, end);
        if (!add_blocks(w, i, last, order)) return -INFINITY;
        for (dlp_index k = l; k < end; k++) {
            sum += (times ? times[k] : 1) * *w->sum[k - l].log_integral;
            if (order == 2) scatter(w, k, times ? times[k] : 1, &w->sum[k - l]);
        }
    }
    copy_alike(w);
    return sum;
}
