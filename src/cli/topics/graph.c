/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/graph.h"

#include "report/communities.h"

#include <math.h>
#include <stdlib.h>

/* A graph of more lines than this for each topic is not readable. */
static const double LINES = 1.6;

static dlp_index count_pairs(dlp_index K)
{
    return K * (K - 1) / 2;
}

const cli_topics_pair *cli_topics_graph_pair(const cli_topics_graph *graph, dlp_index i,
                                             dlp_index j)
{
    const dlp_index a = i < j ? i : j, b = i < j ? j : i;
    return &graph->pair[count_pairs(graph->K) - count_pairs(graph->K - a) + b - a - 1];
}

bool cli_topics_graph_joins(const cli_topics_graph *graph, dlp_index i, dlp_index j)
{
    return cli_topics_graph_pair(graph, i, j)->lower > 10 * graph->threshold;
}

/* ---- pairs ---- */

/* What is not known says nothing of the two. */
static int thousandths(double x)
{
    return isfinite(x) ? (int)lround(1000 * x) : 0;
}

static bool fill_pairs(const cli_topics_view *view, const dlp_document_covariates *X,
                       const cli_topics_graph *graph)
{
    const dlp_index K = graph->K;
    const dlp_covariates numbers = X ? dlp_covariates_of(X) : (dlp_covariates){0};
    double *lower = calloc((size_t)(2 * K * K), sizeof *lower);
    cli_topics_pair *pair = graph->pair;
    if (!lower || dlp_topics_correlation_intervals(view->topics, view->D, view->theta,
                                                   X ? &numbers : NULL, lower,
                                                   lower + K * K, NULL) != DLP_OK) {
        free(lower);
        return false;
    }
    const double *upper = lower + K * K;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i + 1; j < K; j++) {
            const dlp_index at = i * K + j;
            *pair++ = (cli_topics_pair){thousandths(view->R[at]), thousandths(lower[at]),
                                        thousandths(upper[at])};
        }
    free(lower);
    return true;
}

/* ---- lines ---- */

static int descending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

/* The least number of hundredths that leaves few enough lines. */
static bool find_threshold(cli_topics_graph *graph)
{
    const dlp_index most = (dlp_index)lround(LINES * (double)graph->K);
    const dlp_index pairs = count_pairs(graph->K);
    int *lower = calloc((size_t)pairs + 1, sizeof *lower);
    dlp_index n = 0;
    if (!lower) return false;
    for (dlp_index p = 0; p < pairs; p++)
        if (graph->pair[p].lower > 0) lower[n++] = graph->pair[p].lower;
    qsort(lower, (size_t)n, sizeof *lower, descending);
    graph->threshold = n > most ? (lower[most] + 9) / 10 : 0;
    free(lower);
    return true;
}

/* ---- colours ---- */

static int list_lines(const cli_topics_graph *graph, dlpi_graph_edge *edge)
{
    int n = 0;
    for (dlp_index i = 0; i < graph->K; i++)
        for (dlp_index j = i + 1; j < graph->K; j++)
            if (cli_topics_graph_joins(graph, i, j))
                edge[n++] = (dlpi_graph_edge){
                    (int)i, (int)j, cli_topics_graph_pair(graph, i, j)->r / 1000.0};
    return n;
}

/* By who goes with whom; one colour for all where nobody does. */
static bool colour(const cli_topics_view *view, const cli_topics_graph *graph)
{
    dlpi_graph_edge *edge = calloc((size_t)count_pairs(graph->K) + 1, sizeof *edge);
    if (!edge) return false;
    const int edges = list_lines(graph, edge);
    const bool done = edges == 0 || dlpi_communities((int)graph->K, edges, edge,
                                                     view->prevalence, graph->group);
    free(edge);
    return done;
}

/* ---- the whole ---- */

bool cli_topics_graph_make(const cli_topics_view *view, const dlp_document_covariates *X,
                           cli_topics_graph *graph)
{
    const dlp_index K = view->topics->K;
    *graph = (cli_topics_graph){.K = K};
    graph->pair = calloc((size_t)count_pairs(K) + 1, sizeof *graph->pair);
    graph->group = calloc((size_t)K, sizeof *graph->group);
    if (graph->pair && graph->group && fill_pairs(view, X, graph) &&
        find_threshold(graph) && colour(view, graph))
        return true;
    cli_topics_graph_clear(graph);
    return false;
}

void cli_topics_graph_clear(cli_topics_graph *graph)
{
    free(graph->pair);
    free(graph->group);
    *graph = (cli_topics_graph){0};
}
