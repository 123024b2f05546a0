/* SPDX-License-Identifier: BSD-3-Clause */
/* The co-occurrence matrix, never formed. Every output is summed by one thread in the
   corpus's order, so the bits do not depend on the number of threads. */
#include "core/core.h"
#include "math/dense.h"
#include "topics/spectral/spectral_parts.h"

#include <omp.h>
#include <string.h>

static void weigh_documents(dlpi_cooccurrence *Q)
{
    const dlp_corpus *c = Q->corpus;
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = 0; d < c->D; d++) {
        double n = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++) n += c->count[k];
        Q->weight[d] = n < 2 ? 0 : 1 / (n * (n - 1));
        Q->through[d] = n < 2 ? 0 : 1 / n;
    }
}

static void sum_terms(dlpi_cooccurrence *Q)
{
    const dlp_postings *p = Q->postings;
#pragma omp parallel for schedule(dynamic, 64) num_threads(Q->threads)
    for (dlp_index i = 0; i < Q->corpus->V; i++)
        for (dlp_index k = p->row[i]; k < p->row[i + 1]; k++) {
            const int32_t d = p->document[k];
            Q->subtracted[i] += Q->weight[d] * p->count[k];
            Q->total[i] += Q->through[d] * p->count[k];
            Q->used[i] += Q->weight[d] > 0;
        }
}

dlp_status dlpi_cooccurrence_init(const dlp_corpus *corpus, const dlp_postings *postings,
                                  int threads, dlpi_cooccurrence *Q, dlp_error *error)
{
    const dlp_index D = corpus->D, V = corpus->V;
    *Q = (dlpi_cooccurrence){.corpus = corpus, .postings = postings, .threads = threads};
    Q->weight = dlpi_calloc(D, sizeof *Q->weight);
    Q->through = dlpi_calloc(D, sizeof *Q->through);
    Q->subtracted = dlpi_calloc(V, sizeof *Q->subtracted);
    Q->total = dlpi_calloc(V, sizeof *Q->total);
    Q->used = dlpi_calloc(V, sizeof *Q->used);
    Q->rows = dlpi_calloc(V, (size_t)threads * sizeof *Q->rows);
    if (!Q->weight || !Q->through || !Q->subtracted || !Q->total || !Q->used ||
        !Q->rows) {
        dlpi_cooccurrence_clear(Q);
        return dlpi_no_memory(error, "the co-occurrences of terms");
    }
    weigh_documents(Q);
    sum_terms(Q);
    return DLP_OK;
}

void dlpi_cooccurrence_clear(dlpi_cooccurrence *Q)
{
    free(Q->weight);
    free(Q->through);
    free(Q->subtracted);
    free(Q->total);
    free(Q->used);
    free(Q->rows);
    memset(Q, 0, sizeof *Q);
}

/* row += term i's row of sum_d x_d x_d' / (n_d (n_d - 1)); returns the additions made */
static dlp_index add_row(const dlpi_cooccurrence *Q, dlp_index i, double *restrict row)
{
    const dlp_corpus *c = Q->corpus;
    const dlp_postings *p = Q->postings;
    dlp_index additions = 0;
    for (dlp_index k = p->row[i]; k < p->row[i + 1]; k++) {
        const dlp_index from = c->row[p->document[k]], to = c->row[p->document[k] + 1];
        const double x = Q->weight[p->document[k]] * p->count[k];
        for (dlp_index l = from; l < to; l++) row[c->term[l]] += x * c->count[l];
        additions += to - from;
    }
    return additions;
}

/* The sum of squares of a row made by add_row, which becomes zero again: by the same way
   through the documents where that is shorter than the row. */
static double square_and_zero(const dlpi_cooccurrence *Q, dlp_index i,
                              dlp_index additions, double *restrict row)
{
    const dlp_corpus *c = Q->corpus;
    const dlp_postings *p = Q->postings;
    double sum = 0;
    if (additions >= c->V / 4) {
        sum = dlpi_dot(c->V, row, row);
        memset(row, 0, (size_t)c->V * sizeof *row);
        return sum;
    }
    for (dlp_index k = p->row[i]; k < p->row[i + 1]; k++)
        for (dlp_index l = c->row[p->document[k]]; l < c->row[p->document[k] + 1]; l++) {
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
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = 0; d < c->D; d++) {
        double sum = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++)
            sum += (double)c->count[k] * c->count[k];
        Q->through[d] = sum;
    }
}

/* Each document's part of term i's row is x_di (x_d - e_i) / (n_d (n_d - 1)): the sum of
   their squared lengths, from those of the x_d. */
static double square_alone(const dlpi_cooccurrence *Q, dlp_index i)
{
    const dlp_postings *p = Q->postings;
    double sum = 0;
    for (dlp_index k = p->row[i]; k < p->row[i + 1]; k++) {
        const double x = p->count[k], a = Q->weight[p->document[k]] * x;
        sum += a * a * (Q->through[p->document[k]] - 2 * x + 1);
    }
    return sum;
}

void dlpi_cooccurrence_squares(dlpi_cooccurrence *Q, double *square, double *noise)
{
    const dlp_index V = Q->corpus->V;
    square_documents(Q);
#pragma omp parallel for schedule(dynamic, 16) num_threads(Q->threads)
    for (dlp_index i = 0; i < V; i++) {
        double *row = Q->rows + omp_get_thread_num() * V;
        square[i] = noise[i] = 0;
        if (Q->used[i] == 0 || dlpi_cooccurrence_stops(Q, i)) continue;
        const double total = Q->total[i] * Q->total[i];
        const dlp_index additions = add_row(Q, i, row);
        row[i] -= Q->subtracted[i];
        square[i] = square_and_zero(Q, i, additions, row) / total;
        noise[i] = square_alone(Q, i) / total;
    }
}

void dlpi_cooccurrence_row(const dlpi_cooccurrence *Q, dlp_index i, double *row)
{
    const dlp_index V = Q->corpus->V;
    memset(row, 0, (size_t)V * sizeof *row);
    if (Q->used[i] == 0) return;
    (void)add_row(Q, i, row);
    row[i] -= Q->subtracted[i];
    for (dlp_index j = 0; j < V; j++) row[j] /= Q->total[i];
}

/* u_d = x_d'v / (n_d (n_d - 1)) */
void dlpi_cooccurrence_through(dlpi_cooccurrence *Q, const double *v)
{
    const dlp_corpus *c = Q->corpus;
#pragma omp parallel for schedule(static) num_threads(Q->threads)
    for (dlp_index d = 0; d < c->D; d++) {
        double sum = 0;
        for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++)
            sum += v[c->term[k]] * c->count[k];
        Q->through[d] = Q->weight[d] * sum;
    }
}

/* (sum_d x_di u_d - v_i sum_d x_di / (n_d (n_d - 1))) / sum_j Q_ij */
double dlpi_cooccurrence_times(const dlpi_cooccurrence *Q, dlp_index i, const double *v)
{
    const dlp_postings *p = Q->postings;
    double sum = 0;
    if (Q->used[i] == 0) return 0;
    for (dlp_index k = p->row[i]; k < p->row[i + 1]; k++)
        sum += Q->through[p->document[k]] * p->count[k];
    return (sum - Q->subtracted[i] * v[i]) / Q->total[i];
}
