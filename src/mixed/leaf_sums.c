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
    int lanes;
    dlpi_leaves_add *add;
    void *context;
} task;

/* The chunks from `first` on, one in each lane. */
static int sum_chunks(void *context, dlp_index first, dlp_index left)
{
    const task *t = context;
    const dlpi_division *d = t->sums->division;
    const int count = left < t->lanes ? (int)left : t->lanes;
#pragma omp parallel for schedule(static, 1) num_threads(count) if (count > 1)
    for (int lane = 0; lane < count; lane++) {
        double *to = t->sums->chunk + lane * t->sums->most;
        const dlp_index *begin = d->begin + first + lane;
        memset(to, 0, (size_t)t->n * sizeof *to);
        t->add(t->context, lane, begin[0] - d->from, begin[1] - d->from, to);
    }
    return count;
}

static void add_chunk(void *context, int lane, double *to)
{
    const task *t = context;
    dlpi_axpy(t->n, 1, t->sums->chunk + lane * t->sums->most, to);
}

void dlpi_leaf_sums_add(dlpi_leaf_sums *sums, dlp_index L, dlp_index n, int lanes,
                        dlpi_leaves_add *add, void *context, double *sum)
{
    if (!sums->division) {
        add(context, 0, 0, L, sum);
        return;
    }
    task t = {sums, n, lanes, add, context};
    const dlpi_tree_chunks chunks = {sums->division->chunks, sum_chunks, add_chunk, &t};
    sums->tree.n = n;
    if (sums->status == DLP_OK) {
        dlpi_tree_sum_chunks(&sums->tree, &chunks);
        sums->status = dlpi_tree_collect_for_all(&sums->tree, &sums->error);
    }
    for (dlp_index i = 0; i < n; i++)
        sum[i] += sums->status == DLP_OK ? sums->tree.slot[0][i] : NAN;
}

dlp_status dlpi_leaf_sums_check(const dlpi_leaf_sums *sums, dlp_error *error)
{
    if (sums->status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, sums->error.remedy,
                       dlp_fail(error, sums->status, "%s", sums->error.message));
}
