/* SPDX-License-Identifier: BSD-3-Clause */
/* Which topics go together, as a picture for a paper: the graph of the report. */
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/graph.h"
#include "io/print_file.h"
#include "report/plot_graph.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TOPICS = 200, /* as many as fit on a page */
    MANY_TOPICS = 40,  /* with more, a label is one word */
    TITLE_WORDS = 6,
    WORDS = 512,
};
typedef struct drawing {
    const cli_topics_view *view;
    int n;                 /* topics shown: the n most prevalent */
    char **label, **whole; /* (n) */
    char (*number)[32];    /* (n) */
    dlpi_graph_node *node; /* (n) */
    dlpi_graph_edge *edge; /* (n (n - 1) / 2 at most) */
    int edges;
    cli_topics_graph graph;
    char title[WORDS], caption[WORDS], warning[WORDS];
} drawing;

/* ---- topics ---- */

static bool fill_node(const drawing *d, int i)
{
    const cli_topics_view *view = d->view;
    const dlp_index k = view->order[i];
    const double share = view->prevalence[k];
    char prefix[64];
    dlpi_graph_node *node = &d->node[i];
    snprintf(d->number[i], sizeof d->number[i], "%td", k + 1);
    snprintf(prefix, sizeof prefix, "Topic %td, %.1f %%: ", k + 1, 100 * share);
    d->label[i] =
        cli_topics_name(view->model, &view->frex, k, d->n > MANY_TOPICS ? 1 : 2, "");
    d->whole[i] = cli_topics_name(view->model, &view->frex, k, TITLE_WORDS, prefix);
    *node = (dlpi_graph_node){d->number[i], d->label[i], d->whole[i], share,
                              d->graph.group[k]};
    return node->label && node->title;
}

/* ---- lines ---- */

static void find_edges(drawing *d)
{
    for (int i = 0; i < d->n; i++)
        for (int j = i + 1; j < d->n; j++) {
            const dlp_index a = d->view->order[i], b = d->view->order[j];
            if (cli_topics_graph_joins(&d->graph, a, b))
                d->edge[d->edges++] = (dlpi_graph_edge){
                    i, j, cli_topics_graph_pair(&d->graph, a, b)->correlation};
        }
}

/* ---- words ---- */

/* What is to be doubted about the lines */
static void write_warning(drawing *d)
{
    const dlp_outcome outcome = dlp_topic_model_get_info(d->view->model)->outcome;
    dlp_topic_mixing m = {0};
    int length = 0;
    if (outcome != DLP_RUNNING && outcome != DLP_CONVERGED)
        length = snprintf(d->warning, WORDS, "The fit did not converge (%s).",
                          dlp_outcome_name(outcome));
    (void)dlp_topic_model_mixing(d->view->model, &m);
    const char *gap = length > 0 ? " " : "";
    if (m.clusters)
        snprintf(d->warning + length, (size_t)(WORDS - length),
                 "%sTopics are clusters of documents here: correlations say little.",
                 gap);
    if (m.few_words)
        snprintf(
            d->warning + length, (size_t)(WORDS - length),
            "%sDocuments are short for so many topics: the largest has %.1f words of "
            "each, and %s.",
            gap, m.largest_words,
            m.averaged ? "other topics may fit as well"
                       : "correlations come out too near 0");
}

static void write_texts(drawing *d)
{
    const dlp_index K = d->view->topics->K;
    snprintf(d->title, WORDS, "%td topic%s of %td documents", K, cli_plural(K),
             d->view->D);
    int length =
        snprintf(d->caption, WORDS,
                 "Topics by their numbers and their first words by FREX; areas are "
                 "mean shares of a document, the smallest drawn larger. ");
    if (d->edges > 0)
        length +=
            snprintf(d->caption + length, (size_t)(WORDS - length),
                     "Lines: correlations of log ratios whose 95 %% interval is above "
                     "%g. Colours: topics with many lines between them.",
                     d->graph.threshold / 100.0);
    else
        length +=
            snprintf(d->caption + length, (size_t)(WORDS - length),
                     "No correlation of log ratios has its 95 %% interval above 0.");
    if (d->n < K)
        snprintf(d->caption + length, (size_t)(WORDS - length),
                 " Shown are the %d most prevalent of the %td topics.", d->n, K);
    write_warning(d);
}

/* ---- the picture ---- */

static void print_svg(FILE *out, const void *what)
{
    dlpi_plot_graph(out, what);
}

static bool allocate(drawing *d)
{
    const size_t n = (size_t)d->n, pairs = n * (n - 1) / 2;
    d->label = calloc(n, sizeof *d->label);
    d->whole = calloc(n, sizeof *d->whole);
    d->number = calloc(n, sizeof *d->number);
    d->node = calloc(n, sizeof *d->node);
    d->edge = calloc(pairs + 1, sizeof *d->edge);
    return d->label && d->whole && d->number && d->node && d->edge;
}

static dlp_status no_memory(const char *path, dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    return DLP_ENOMEM; /* a literal, for static analysers */
}

static dlp_status fill(drawing *d, const char *path, dlp_error *error)
{
    if (!allocate(d)) return no_memory(path, error);
    CLI_TRY(cli_topics_graph_make(d->view, NULL, &d->graph, error));
    for (int i = 0; i < d->n; i++)
        if (!fill_node(d, i)) return no_memory(path, error);
    find_edges(d);
    write_texts(d);
    return DLP_OK;
}

static dlp_status draw(drawing *d, const char *path, dlp_error *error)
{
    dlpi_plotted_graph graph = {.page = {.title = d->title,
                                         .kind = "Graph of which topics go together",
                                         .caption = d->caption,
                                         .warning = d->warning,
                                         .width = DLPI_SVG_PAPER},
                                .sizes_are = "Share",
                                .weights_are = "Correlation",
                                .n = d->n,
                                .edges = d->edges,
                                .node = d->node,
                                .edge = d->edge};
    const dlp_status status = dlpi_graph_arrange(&graph)
                                  ? dlpi_print_file(path, print_svg, &graph, error)
                                  : no_memory(path, error);
    dlpi_graph_clear(&graph);
    return status;
}

dlp_status cli_topics_view_write_svg(const cli_topics_view *view, const char *path,
                                     dlp_error *error)
{
    const dlp_index K = view->topics->K;
    drawing d = {.view = view, .n = K < MOST_TOPICS ? (int)K : MOST_TOPICS};
    dlp_status status = fill(&d, path, error);
    if (status == DLP_OK) status = draw(&d, path, error);
    for (int i = 0; i < d.n; i++) {
        if (d.label) free(d.label[i]);
        if (d.whole) free(d.whole[i]);
    }
    free(d.label);
    free(d.whole);
    free(d.number);
    free(d.node);
    free(d.edge);
    cli_topics_graph_clear(&d.graph);
    return status;
}
