/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The co-occurrence matrix, never formed. Documents are read in blocks: a single one if
 * memory has room for all of them by their terms, else as many as needed. Every output is
 * summed by one thread in the corpus's order, so the bits depend on neither threads nor
 * blocks.
 */
#include "core/core.h"
#include "corpus/formats/mapped.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/spectral/spectral_parts.h"

#include <omp.h>
#include <string.h>

/* ---- blocks of documents ---- */

static dlp_index longest(const dlp_corpus *c)
{
    dlp_index most = 1;
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index d = from; d < to; d++)
            most = c->row[d + 1] - c->row[d] > most ? c->row[d + 1] - c->row[d] : most;
        dlpi_corpus_leave_rows(c, from, to);
    }
    return most;
}

/* How many pairs and documents a block has room for, and rows of the matrix, given the
   memory: all documents, or else half of it for rows. A document is 16 bytes, a pair
   8. */
static void divide(const dlp_corpus *c, double memory, dlpi_cooccurrence *Q,
                   dlp_index *pairs)
{
    const double V = (double)c->V, all = 8 * (double)c->nnz + 16 * (double)c->D;
    const dlp_index least = 1 << 12;
    Q->whole = all + 8 * V * (double)Q->threads <= memory;
    Q->tile = Q->threads;
    Q->room = c->D;
    *pairs = c->nnz;
    if (Q->whole) return;
    const double half = memory / 2, rows = half / (8 * V), in_half = half / 12;
    if (rows > (double)Q->tile) Q->tile = rows < V ? (dlp_index)rows : c->V;
    *pairs = in_half > (double)least ? (dlp_index)in_half : least;
    if (*pairs < longest(c)) *pairs = longest(c);
    if (*pairs > c->nnz) *pairs = c->nnz;
    Q->room = *pairs / 4 + 1 < c->D ? *pairs / 4 + 1 : c->D;
}

/* The end of the block that begins with document `from`: as far as there is room. */
static dlp_index block_end(const dlpi_cooccurrence *Q, dlp_index from)
{
    const dlp_corpus *c = Q->corpus;
    dlp_index low = from + 1, high = c->D - from < Q->room
                                         ? c->D
                                         : from + Q->room; /* the latest possible end */
    while (low < high) {
        const dlp_index middle = low + (high - low + 1) / 2;
        if (c->row[middle] - c->row[from] <= Q->block.room)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void weigh_documents(dlpi_cooccurrence *Q, dlp_index from, dlp_index to)
{
    const dlp_corpus *c = Q->corpus;
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = from; d < to; d++) {
        double n = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++) n += c->count[k];
        Q->weight[d - from] = n < 2 ? 0 : 1 / (n * (n - 1));
        Q->through[d - from] = n < 2 ? 0 : 1 / n;
    }
}

/* Reads the block that begins with document `from`, with the weights of its documents;
   returns its end. Overwrites `through`. */
static dlp_index open_block(dlpi_cooccurrence *Q, dlp_index from)
{
    const dlp_index to = block_end(Q, from);
    if (Q->block.to == to && Q->block.from == from && to > from) return to;
    dlpi_block_read(&Q->block, Q->corpus, from, to);
    weigh_documents(Q, from, to);
    return to;
}

static void close_block(const dlpi_cooccurrence *Q)
{
    if (!Q->whole) dlpi_corpus_leave(Q->corpus, Q->block.from, Q->block.to);
}

static void sum_terms(dlpi_cooccurrence *Q)
{
    const dlpi_block *b = &Q->block;
    for (dlp_index from = 0, to; from < Q->corpus->D; from = to) {
        to = open_block(Q, from);
#pragma omp parallel for schedule(dynamic, 64) num_threads(Q->threads)
        for (dlp_index i = 0; i < Q->corpus->V; i++)
            for (dlp_index k = b->row[i]; k < b->row[i + 1]; k++) {
                const dlp_index d = b->document[k] - from;
                Q->subtracted[i] += Q->weight[d] * b->count[k];
                Q->total[i] += Q->through[d] * b->count[k];
                Q->used[i] += Q->weight[d] > 0;
            }
        close_block(Q);
    }
}

dlp_status dlpi_cooccurrence_init(const dlp_corpus *corpus, double memory, int threads,
                                  dlpi_cooccurrence *Q, dlp_error *error)
{
    const dlp_index V = corpus->V;
    dlp_index pairs;
    *Q = (dlpi_cooccurrence){.corpus = corpus, .threads = threads};
    divide(corpus, memory, Q, &pairs);
    DLP_TRY(dlpi_block_alloc(V, pairs, threads, &Q->block, error));
    Q->weight = dlpi_calloc(Q->room, sizeof *Q->weight);
    Q->through = dlpi_calloc(Q->room, sizeof *Q->through);
    Q->subtracted = dlpi_calloc(V, sizeof *Q->subtracted);
    Q->total = dlpi_calloc(V, sizeof *Q->total);
    Q->used = dlpi_calloc(V, sizeof *Q->used);
    Q->additions = dlpi_calloc(Q->tile, sizeof *Q->additions);
    Q->rows = dlpi_calloc(dlpi_size(V, Q->tile, 0), sizeof *Q->rows);
    if (!Q->weight || !Q->through || !Q->subtracted || !Q->total || !Q->used ||
        !Q->additions || !Q->rows) {
        dlpi_cooccurrence_clear(Q);
        return dlpi_no_memory(error, "the co-occurrences of terms");
    }
    sum_terms(Q);
    return DLP_OK;
}

void dlpi_cooccurrence_clear(dlpi_cooccurrence *Q)
{
    dlpi_block_free(&Q->block);
    free(Q->weight);
    free(Q->through);
    free(Q->subtracted);
    free(Q->total);
    free(Q->used);
    free(Q->additions);
    free(Q->rows);
    memset(Q, 0, sizeof *Q);
}

/* ---- rows of the matrix ---- */

/* row += term i's row of sum_d x_d x_d' / (n_d (n_d - 1)) over the block; returns the
   additions made */
static dlp_index add_row(const dlpi_cooccurrence *Q, dlp_index i, double *restrict row)
{
    const dlp_corpus *c = Q->corpus;
    const dlpi_block *b = &Q->block;
    dlp_index additions = 0;
    for (dlp_index k = b->row[i]; k < b->row[i + 1]; k++) {
        const dlp_index d = b->document[k], from = c->row[d], to = c->row[d + 1];
        const double x = Q->weight[d - b->from] * b->count[k];
        for (dlp_index l = from; l < to; l++) row[c->term[l]] += x * c->count[l];
        additions += to - from;
    }
    return additions;
}

/* Whether a row has so many additions that it is squared as a whole; otherwise the way
   through the documents is shorter. */
static bool is_dense(const dlpi_cooccurrence *Q, dlp_index additions)
{
    return additions >= Q->corpus->V / 4;
}

static double square_dense(const dlpi_cooccurrence *Q, double *restrict row)
{
    const dlp_index V = Q->corpus->V;
    const double sum = dlpi_dot(V, row, row);
    memset(row, 0, (size_t)V * sizeof *row);
    return sum;
}

/* Continues the sum of squares of a row with the documents of the block; what was squared
   becomes zero. */
static double square_sparse(const dlpi_cooccurrence *Q, dlp_index i, double sum,
                            double *restrict row)
{
    const dlp_corpus *c = Q->corpus;
    const dlpi_block *b = &Q->block;
    for (dlp_index k = b->row[i]; k < b->row[i + 1]; k++)
        for (dlp_index l = c->row[b->document[k]]; l < c->row[b->document[k] + 1]; l++) {
            const int32_t j = c->term[l];
            sum += row[j] * row[j];
            row[j] = 0;
        }
    return sum;
}

/* u_d = x_d'x_d */
static void square_documents(dlpi_cooccurrence *Q)
{
    const dlp_corpus *c = Q->corpus;
    const dlp_index from = Q->block.from, to = Q->block.to;
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = from; d < to; d++) {
        double sum = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++)
            sum += (double)c->count[k] * c->count[k];
        Q->through[d - from] = sum;
    }
}

/* Each document's part of term i's row is x_di (x_d - e_i) / (n_d (n_d - 1)): continues
   the sum of their squared lengths, from those of the x_d. */
static double square_alone(const dlpi_cooccurrence *Q, dlp_index i, double sum)
{
    const dlpi_block *b = &Q->block;
    for (dlp_index k = b->row[i]; k < b->row[i + 1]; k++) {
        const dlp_index d = b->document[k] - b->from;
        const double x = b->count[k], a = Q->weight[d] * x;
        sum += a * a * (Q->through[d] - 2 * x + 1);
    }
    return sum;
}

/* All documents are one block: a row a thread. */
static void square_whole(dlpi_cooccurrence *Q, double *square, double *noise)
{
    const dlp_index V = Q->corpus->V;
    if (Q->corpus->D == 0) return;
    (void)open_block(Q, 0);
    square_documents(Q);
#pragma omp parallel for schedule(dynamic, 16) num_threads(Q->threads)
    for (dlp_index i = 0; i < V; i++) {
        double *row = Q->rows + omp_get_thread_num() * V;
        if (Q->used[i] == 0 || dlpi_cooccurrence_stops(Q, i)) continue;
        const dlp_index additions = add_row(Q, i, row);
        row[i] -= Q->subtracted[i];
        square[i] =
            is_dense(Q, additions) ? square_dense(Q, row) : square_sparse(Q, i, 0, row);
        noise[i] = square_alone(Q, i, 0);
    }
}

/* The rows of terms first..end-1, block by block. */
static void add_tile(dlpi_cooccurrence *Q, dlp_index first, dlp_index end, double *noise)
{
    const dlp_index V = Q->corpus->V;
    memset(Q->additions, 0, (size_t)(end - first) * sizeof *Q->additions);
    for (dlp_index from = 0; from < Q->corpus->D; from = Q->block.to) {
        (void)open_block(Q, from);
        square_documents(Q);
#pragma omp parallel for schedule(dynamic, 16) num_threads(Q->threads)
        for (dlp_index i = first; i < end; i++) {
            if (Q->used[i] == 0 || dlpi_cooccurrence_stops(Q, i)) continue;
            Q->additions[i - first] += add_row(Q, i, Q->rows + (i - first) * V);
            noise[i] = square_alone(Q, i, noise[i]);
        }
        close_block(Q);
    }
}

/* The sparse rows of a tile need the documents once more. */
static void square_tile(dlpi_cooccurrence *Q, dlp_index first, dlp_index end,
                        double *square)
{
    const dlp_index V = Q->corpus->V;
    bool sparse = false;
    for (dlp_index i = first; i < end; i++) {
        double *row = Q->rows + (i - first) * V;
        if (Q->used[i] == 0) continue;
        row[i] -= Q->subtracted[i];
        if (is_dense(Q, Q->additions[i - first]))
            square[i] = square_dense(Q, row);
        else
            sparse = true;
    }
    for (dlp_index from = 0; sparse && from < Q->corpus->D; from = Q->block.to) {
        (void)open_block(Q, from);
#pragma omp parallel for schedule(dynamic, 16) num_threads(Q->threads)
        for (dlp_index i = first; i < end; i++)
            if (Q->used[i] > 0 && !is_dense(Q, Q->additions[i - first]))
                square[i] = square_sparse(Q, i, square[i], Q->rows + (i - first) * V);
        close_block(Q);
    }
}

void dlpi_cooccurrence_squares(dlpi_cooccurrence *Q, double *square, double *noise)
{
    const dlp_index V = Q->corpus->V;
    memset(square, 0, (size_t)V * sizeof *square);
    memset(noise, 0, (size_t)V * sizeof *noise);
    if (Q->whole) square_whole(Q, square, noise);
    for (dlp_index first = 0, end; !Q->whole && first < V; first = end) {
        end = V - first < Q->tile ? V : first + Q->tile;
        add_tile(Q, first, end, noise);
        square_tile(Q, first, end, square);
    }
    for (dlp_index i = 0; i < V; i++) {
        const double total = Q->total[i] * Q->total[i];
        if (Q->used[i] == 0) continue;
        square[i] /= total;
        noise[i] /= total;
    }
}

/* ---- products ---- */

/* The first pair of document d whose term is no less than v. */
static dlp_index find_term(const dlp_corpus *c, dlp_index d, dlp_index v)
{
    dlp_index low = c->row[d], high = c->row[d + 1];
    while (low < high) {
        const dlp_index middle = low + (high - low) / 2;
        if (c->term[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* add_row over all documents, searching each for the term. */
static void add_row_by_search(const dlpi_cooccurrence *Q, dlp_index i, double *row)
{
    const dlp_corpus *c = Q->corpus;
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index d = from; d < to; d++) {
            const dlp_index k = find_term(c, d, i);
            if (k == c->row[d + 1] || c->term[k] != i) continue;
            double n = 0;
            for (dlp_index l = c->row[d]; l < c->row[d + 1]; l++) n += c->count[l];
            const double weight = n < 2 ? 0 : 1 / (n * (n - 1)), x = weight * c->count[k];
            for (dlp_index l = c->row[d]; l < c->row[d + 1]; l++)
                row[c->term[l]] += x * c->count[l];
        }
        dlpi_corpus_leave(c, from, to);
    }
}

void dlpi_cooccurrence_row(dlpi_cooccurrence *Q, dlp_index i, double *row)
{
    const dlp_index V = Q->corpus->V;
    memset(row, 0, (size_t)V * sizeof *row);
    if (Q->used[i] == 0) return;
    if (Q->whole) {
        (void)open_block(Q, 0);
        (void)add_row(Q, i, row);
    } else {
        add_row_by_search(Q, i, row);
    }
    row[i] -= Q->subtracted[i];
    for (dlp_index j = 0; j < V; j++) row[j] /= Q->total[i];
}

/* u_d = x_d'v / (n_d (n_d - 1)) of documents from..to-1, whose weights are there */
static void multiply_documents(dlpi_cooccurrence *Q, const double *v, dlp_index from,
                               dlp_index to)
{
    const dlp_corpus *c = Q->corpus;
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = from; d < to; d++) {
        double sum = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++)
            sum += v[c->term[k]] * c->count[k];
        Q->through[d - from] = Q->weight[d - from] * sum;
    }
}

/* product_i += sum_d x_di u_d */
static void multiply_whole(dlpi_cooccurrence *Q, const double *v, double *product)
{
    const dlpi_block *b = &Q->block;
    if (Q->corpus->D == 0) return;
    (void)open_block(Q, 0);
    multiply_documents(Q, v, 0, Q->corpus->D);
#pragma omp parallel for schedule(dynamic, 64) num_threads(Q->threads)
    for (dlp_index i = 0; i < Q->corpus->V; i++) {
        double sum = 0;
        for (dlp_index k = b->row[i]; k < b->row[i + 1]; k++)
            sum += Q->through[b->document[k]] * b->count[k];
        product[i] = sum;
    }
}

/* The same for terms first..end-1 and documents from..to-1, without a block. */
static void add_terms(const dlpi_cooccurrence *Q, dlp_index from, dlp_index to,
                      dlp_index first, dlp_index end, double *product)
{
    const dlp_corpus *c = Q->corpus;
    for (dlp_index d = from; d < to; d++)
        for (dlp_index k = find_term(c, d, first); k < c->row[d + 1] && c->term[k] < end;
             k++)
            product[c->term[k]] += Q->through[d - from] * c->count[k];
}

/* Each thread has some of the terms: nothing needs to be sorted. */
static void multiply_by_stretches(dlpi_cooccurrence *Q, const double *v, double *product)
{
    const dlp_index V = Q->corpus->V, parts = Q->threads;
    Q->block.from = Q->block.to = 0; /* its weights are overwritten */
    for (dlp_index from = 0, to; from < Q->corpus->D; from = to) {
        to = dlpi_corpus_stretch(Q->corpus, from);
        if (to - from > Q->room) to = from + Q->room;
        weigh_documents(Q, from, to);
        multiply_documents(Q, v, from, to);
#pragma omp parallel for schedule(static) num_threads(Q->threads)
        for (dlp_index t = 0; t < parts; t++)
            add_terms(Q, from, to, V * t / parts, V * (t + 1) / parts, product);
        dlpi_corpus_leave(Q->corpus, from, to);
    }
}

/* (sum_d x_di u_d - v_i sum_d x_di / (n_d (n_d - 1))) / sum_j Q_ij */
void dlpi_cooccurrence_times(dlpi_cooccurrence *Q, const double *v, double *product)
{
    const dlp_index V = Q->corpus->V;
    memset(product, 0, (size_t)V * sizeof *product);
    if (Q->whole)
        multiply_whole(Q, v, product);
    else
        multiply_by_stretches(Q, v, product);
    for (dlp_index i = 0; i < V; i++)
        product[i] =
            Q->used[i] == 0 ? 0 : (product[i] - Q->subtracted[i] * v[i]) / Q->total[i];
}
