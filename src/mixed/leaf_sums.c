/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaf_sums.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <omp.h>
#include <string.h>

dlp_status dlpi_leaf_sums_alloc(const dlpi_division *division, dlp_index most, int lanes,
                                dlpi_leaf_sums *sums, dlp_error *error)
{
    *sums = (dlpi_leaf_sums){.division = division, .most = most, .lanes = lanes};
    if (!division) return DLP_OK;
    sums->chunk = dlpi_calloc(lanes, (size_t)most * sizeof *sums->chunk);
    if (!sums->chunk) return dlpi_no_memory(error, "a mixed model");
    return dlpi_tree_alloc(&sums->tree, division->comm, dlpi_tree_parts(division->chunks),
                           most, 1, error);
}

void dlpi_leaf_sums_clear(dlpi_leaf_sums *sums)
{
    dlpi_tree_free(&sums->tree);
    free(sums->chunk);
    *sums = (dlpi_leaf_sums){.division = NULL};
}

/* What all lanes read. */
typedef struct task {
    dlpi_leaf_sums *sums;
    dlp_index n;
    dlpi_leaves_add *add;
    void *context;
} task;

/* The chunks from `first` on, one in each lane. */
static void sum_chunks(const task *t, dlp_index first, int count)
{
    const dlpi_division *d = t->sums->division;
#pragma omp parallel for schedule(static, 1) num_threads(count) if (count > 1)
    for (int lane = 0; lane < count; lane++) {
        double *to = t->sums->chunk + lane * t->sums->most;
        const dlp_index *begin = d->begin + first + lane;
        memset(to, 0, (size_t)t->n * sizeof *to);
        t->add(t->context, lane, begin[0] - d->from, begin[1] - d->from, to);
    }
}

static void sum_parts(const task *t, int lanes)
{
    dlpi_leaf_sums *s = t->sums;
    dlpi_tree *tree = &s->tree;
    const dlp_index chunks = s->division->chunks, end = chunks * tree->to / tree->parts;
    dlp_index chunk = chunks * tree->from / tree->parts;
    int known = 0, taken = 0; /* of the lanes' sums */
    dlpi_tree_begin(tree);
    for (dlp_index part = tree->from; part < tree->to; part++) {
        const dlp_index last = chunks * (part + 1) / tree->parts;
        double *to = dlpi_tree_open(tree);
        memset(to, 0, (size_t)t->n * sizeof *to);
        for (; chunk < last; chunk++, taken++) {
            if (taken == known) {
                known = end - chunk < lanes ? (int)(end - chunk) : lanes;
                sum_chunks(t, chunk, known);
                taken = 0;
            }
            dlpi_axpy(t->n, 1, s->chunk + taken * s->most, to);
        }
        dlpi_tree_close(tree);
    }
}

/* All processes then have the sum. */
static dlp_status collect(dlpi_leaf_sums *s)
{
    dlpi_tree *tree = &s->tree;
    DLP_TRY(dlpi_tree_collect(tree, &s->error));
    return tree->comm->ops->broadcast(
        tree->comm, tree->n * (dlp_index)sizeof **tree->slot, tree->slot[0], &s->error);
}

void dlpi_leaf_sums_add(dlpi_leaf_sums *sums, dlp_index L, dlp_index n, int lanes,
                        dlpi_leaves_add *add, void *context, double *sum)
{
    if (!sums->division) {
        add(context, 0, 0, L, sum);
        return;
    }
    const task t = {sums, n, add, context};
    sums->tree.n = n;
    if (sums->status == DLP_OK) {
        sum_parts(&t, lanes);
        sums->status = collect(sums);
    }
    for (dlp_index i = 0; i < n; i++)
        sum[i] += sums->status == DLP_OK ? sums->tree.slot[0][i] : NAN;
}

dlp_status dlpi_leaf_sums_check(const dlpi_leaf_sums *sums, dlp_error *error)
{
    if (sums->status == DLP_OK) return DLP_OK;
    return dlp_fail(error, sums->status, "%s", sums->error.message);
}
