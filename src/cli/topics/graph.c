/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/graph.h"

#include "cli/message.h"
#include "report/communities.h"

#include <math.h>
#include <stdlib.h>

/* A graph with more lines per topic than this is unreadable. */
static const double LINES = 1.6;

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the graph of topics");
}

static dlp_index count_pairs(dlp_index K)
{
    return K * (K - 1) / 2;
}

const dlp_topic_association *cli_topics_graph_pair(const cli_topics_graph *graph,
                                                   dlp_index i, dlp_index j)
{
    const dlp_index a = i < j ? i : j, b = i < j ? j : i;
    return &graph->pair[count_pairs(graph->K) - count_pairs(graph->K - a) + b - a - 1];
}

bool cli_topics_graph_joins(const cli_topics_graph *graph, dlp_index i, dlp_index j)
{
    return dlp_topics_go_together(cli_topics_graph_pair(graph, i, j),
                                  graph->threshold / 100.0);
}

/* ---- pairs ---- */

/* An unknown correlation counts as 0. */
static double in_thousandths(double x)
{
    return isfinite(x) ? (double)lround(1000 * x) / 1000.0 : 0;
}

static dlp_status fill_pairs(const cli_topics_view *view,
                             const dlp_document_covariates *X,
                             const cli_topics_graph *graph, dlp_error *error)
{
    const dlp_covariates numbers = X ? dlp_covariates_of(X) : (dlp_covariates){0};
    CLI_TRY(dlp_topic_model_associations(view->model, X ? &numbers : NULL, view->R,
                                         graph->pair, error));
    for (dlp_index p = 0; p < count_pairs(graph->K); p++) {
        dlp_topic_association *pair = &graph->pair[p];
        pair->correlation = in_thousandths(pair->correlation);
        pair->lower = in_thousandths(pair->lower);
        pair->upper = in_thousandths(pair->upper);
    }
    return DLP_OK;
}

/* ---- lines ---- */

/* The smallest threshold, in hundredths, that leaves few enough lines. */
static dlp_status find_threshold(cli_topics_graph *graph, dlp_error *error)
{
    const dlp_index most = (dlp_index)lround(LINES * (double)graph->K);
    double threshold;
    CLI_TRY(dlp_topics_threshold(count_pairs(graph->K), graph->pair, most, &threshold,
                                 error));
    graph->threshold = ((int)lround(1000 * threshold) + 9) / 10;
    return DLP_OK;
}

/* ---- colours ---- */

static int list_lines(const cli_topics_graph *graph, dlpi_graph_edge *edge)
{
    int n = 0;
    for (dlp_index i = 0; i < graph->K; i++)
        for (dlp_index j = i + 1; j < graph->K; j++)
            if (cli_topics_graph_joins(graph, i, j))
                edge[n++] = (dlpi_graph_edge){
                    (int)i, (int)j, cli_topics_graph_pair(graph, i, j)->correlation};
    return n;
}

/* Colours topics by the communities of the graph; all alike if there are no lines. */
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

static dlp_status make(const cli_topics_view *view, const dlp_document_covariates *X,
                       cli_topics_graph *graph, dlp_error *error)
{
    const dlp_index K = graph->K;
    graph->pair = calloc((size_t)count_pairs(K) + 1, sizeof *graph->pair);
    graph->group = calloc((size_t)K, sizeof *graph->group);
    if (!graph->pair || !graph->group) return no_memory(error);
    CLI_TRY(fill_pairs(view, X, graph, error));
    CLI_TRY(find_threshold(graph, error));
    return colour(view, graph) ? DLP_OK : no_memory(error);
}

dlp_status cli_topics_graph_make(const cli_topics_view *view,
                                 const dlp_document_covariates *X,
                                 cli_topics_graph *graph, dlp_error *error)
{
    *graph = (cli_topics_graph){.K = view->topics->K};
    const dlp_status status = make(view, X, graph, error);
    if (status != DLP_OK) cli_topics_graph_clear(graph);
    return status;
}

void cli_topics_graph_clear(cli_topics_graph *graph)
{
    free(graph->pair);
    free(graph->group);
    *graph = (cli_topics_graph){0};
}
