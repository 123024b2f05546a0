/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/tree.h"

#include "core/core.h"
#include "core/memory.h"

#include <string.h>

/* How many numbers are sent at once: enough for any network, and few enough for a
   cache. */
enum { PIECE = 1 << 16 };

dlp_index dlpi_tree_parts(dlp_index blocks)
{
    dlp_index parts = 1;
    while (2 * parts <= blocks && parts < (dlp_index)1 << DLPI_TREE_LEVELS) parts *= 2;
    return parts;
}

dlp_index dlpi_tree_begins(dlp_index parts, int rank, int size)
{
    return (parts * rank + size - 1) / size; /* rounded up: process 0 has one */
}

/* ---- within a process ---- */

static void push(dlpi_tree *tree, dlp_index part)
{
    tree->first[tree->depth] = part;
    tree->span[tree->depth] = 1;
    tree->depth++;
}

/* Whether the last two sums are the halves of a node. */
static bool is_pair(const dlpi_tree *tree)
{
    const int last = tree->depth - 1;
    return last > 0 && tree->span[last] == tree->span[last - 1] &&
           tree->first[last - 1] % (2 * tree->span[last]) == 0;
}

static void merge_names(dlpi_tree *tree)
{
    tree->depth--;
    tree->span[tree->depth - 1] *= 2;
}

int dlpi_tree_room(dlp_index from, dlp_index to)
{
    dlpi_tree tree = {.depth = 0};
    int most = 0;
    for (dlp_index part = from; part < to; part++) {
        push(&tree, part);
        most = tree.depth > most ? tree.depth : most;
        while (is_pair(&tree)) merge_names(&tree);
    }
    return most > 0 ? most : 1;
}

static void add(const dlpi_tree *tree, dlp_index n, const double *restrict from,
                double *restrict to)
{
#pragma omp parallel for schedule(static) num_threads(tree->threads) if (n > PIECE)
    for (dlp_index i = 0; i < n; i++) to[i] += from[i];
}

static dlp_status begin(dlpi_tree *tree, dlpi_comm *comm, dlp_index parts, dlp_index n,
                        int threads, dlp_error *error)
{
    *tree = (dlpi_tree){.comm = comm,
                        .threads = threads,
                        .parts = parts,
                        .from = dlpi_tree_begins(parts, comm->rank, comm->size),
                        .to = dlpi_tree_begins(parts, comm->rank + 1, comm->size),
                        .n = n};
    tree->room = dlpi_tree_room(tree->from, tree->to);
    tree->arrived = dlpi_calloc(comm->size > 1 ? PIECE : 1, sizeof *tree->arrived);
    return tree->arrived ? DLP_OK : dlpi_no_memory(error, "the sums of EM");
}

dlp_status dlpi_tree_alloc(dlpi_tree *tree, dlpi_comm *comm, dlp_index parts, dlp_index n,
                           int threads, dlp_error *error)
{
    DLP_TRY(begin(tree, comm, parts, n, threads, error));
    bool held = true;
    for (int i = 0; i < tree->room && held; i++) {
        tree->slot[i] = dlpi_calloc(n, sizeof **tree->slot);
        held = tree->slot[i] != NULL;
    }
    return held ? DLP_OK : dlpi_no_memory(error, "the sums of EM");
}

dlp_status dlpi_tree_alloc_in(dlpi_tree *tree, dlpi_comm *comm, dlp_index parts,
                              dlp_index n, int threads, double *room, dlp_error *error)
{
    DLP_TRY(begin(tree, comm, parts, n, threads, error));
    tree->lent = true;
    for (int i = 0; i < tree->room; i++) tree->slot[i] = room + i * n;
    return DLP_OK;
}

void dlpi_tree_end(dlpi_tree *tree)
{
    for (int i = 1; i < tree->room && !tree->lent; i++) free(tree->slot[i]);
    tree->room = tree->room < 1 ? tree->room : 1;
}

void dlpi_tree_free(dlpi_tree *tree)
{
    for (int i = 0; i < tree->room && !tree->lent; i++) free(tree->slot[i]);
    free(tree->arrived);
    *tree = (dlpi_tree){.room = 0};
}

void dlpi_tree_begin(dlpi_tree *tree)
{
    tree->depth = 0;
}

double *dlpi_tree_open(dlpi_tree *tree)
{
    return tree->slot[tree->depth];
}

void dlpi_tree_close(dlpi_tree *tree)
{
    const int before = tree->depth - 1;
    push(tree, before < 0 ? tree->from : tree->first[before] + tree->span[before]);
    while (is_pair(tree)) {
        add(tree, tree->n, tree->slot[tree->depth - 1], tree->slot[tree->depth - 2]);
        merge_names(tree);
    }
}

/* Chunks are summed several at a time, which need not end where a part does. */
void dlpi_tree_sum_chunks(dlpi_tree *tree, const dlpi_tree_chunks *of)
{
    const dlp_index end = of->chunks * tree->to / tree->parts;
    dlp_index chunk = of->chunks * tree->from / tree->parts;
    int known = 0, taken = 0;
    dlpi_tree_begin(tree);
    for (dlp_index part = tree->from; part < tree->to; part++) {
        const dlp_index last = of->chunks * (part + 1) / tree->parts;
        double *to = dlpi_tree_open(tree);
        memset(to, 0, (size_t)tree->n * sizeof *to);
        for (; chunk < last; chunk++, taken++) {
            if (taken == known) {
                known = of->sum(of->context, chunk, end - chunk);
                taken = 0;
            }
            of->add(of->context, taken, to);
        }
        dlpi_tree_close(tree);
    }
}

/* ---- between processes ---- */

static int owner_of(const dlpi_tree *tree, dlp_index part)
{
    const int size = tree->comm->size;
    int rank = 0;
    while (dlpi_tree_begins(tree->parts, rank + 1, size) <= part) rank++;
    return rank;
}

static int find(const dlpi_tree *tree, dlp_index first)
{
    int i = 0;
    while (tree->first[i] != first) i++;
    return i;
}

static dlp_status send(dlpi_tree *tree, const double *sum, int to, dlp_error *error)
{
    dlpi_comm *comm = tree->comm;
    for (dlp_index i = 0; i < tree->n; i += PIECE) {
        const dlp_index n = tree->n - i < PIECE ? tree->n - i : PIECE;
        DLP_TRY(comm->ops->send(comm, to, n * (dlp_index)sizeof *sum, sum + i, error));
    }
    return DLP_OK;
}

static dlp_status add_from(dlpi_tree *tree, int from, double *sum, dlp_error *error)
{
    dlpi_comm *comm = tree->comm;
    for (dlp_index i = 0; i < tree->n; i += PIECE) {
        const dlp_index n = tree->n - i < PIECE ? tree->n - i : PIECE;
        DLP_TRY(comm->ops->receive(comm, from, n * (dlp_index)sizeof *sum, tree->arrived,
                                   error));
        add(tree, n, tree->arrived, sum + i);
    }
    return DLP_OK;
}

/* The sum of the node of `span` parts from `first` on; it ends up in the process that
   has the first part. All processes go through the tree in the same order, so none waits
   in vain. */
static dlp_status collect(dlpi_tree *tree, dlp_index first, dlp_index span,
                          dlp_error *error)
{
    if (first >= tree->to || first + span <= tree->from) return DLP_OK;
    if (first >= tree->from && first + span <= tree->to)
        return DLP_OK; /* it is complete */
    const dlp_index half = span / 2;
    const int me = tree->comm->rank, left = owner_of(tree, first),
              right = owner_of(tree, first + half);
    DLP_TRY(collect(tree, first, half, error));
    DLP_TRY(collect(tree, first + half, half, error));
    if (left == me && right == me)
        add(tree, tree->n, tree->slot[find(tree, first + half)],
            tree->slot[find(tree, first)]);
    else if (left == me)
        return add_from(tree, right, tree->slot[find(tree, first)], error);
    else if (right == me)
        return send(tree, tree->slot[find(tree, first + half)], left, error);
    return DLP_OK;
}

dlp_status dlpi_tree_collect(dlpi_tree *tree, dlp_error *error)
{
    return collect(tree, 0, tree->parts, error);
}

dlp_status dlpi_tree_collect_for_all(dlpi_tree *tree, dlp_error *error)
{
    DLP_TRY(dlpi_tree_collect(tree, error));
    const dlp_index size = tree->n * (dlp_index)sizeof **tree->slot;
    return tree->comm->ops->broadcast(tree->comm, size, tree->slot[0], error);
}
