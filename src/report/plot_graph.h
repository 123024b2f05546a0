/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph: nodes drawn by size with a number inside, edges by weight, labels that do not
   overlap. Internal. */
#ifndef DLPI_REPORT_PLOT_GRAPH_H
#define DLPI_REPORT_PLOT_GRAPH_H

#include "report/graph_labels.h"
#include "report/graph_layout.h"
#include "report/svg.h"

typedef struct dlpi_graph_node {
    const char *number; /* "12", inside */
    const char *label;  /* beside */
    const char *title;  /* the full description */
    double size;        /* 0 to 1: proportional to its area */
    int group;          /* its colour; -1: by itself */
} dlpi_graph_node;

typedef struct dlpi_plotted_graph {
    dlpi_svg_page page;
    const char *sizes_are, *weights_are; /* for the legend: "share" */
    int n, edges;
    const dlpi_graph_node *node; /* (n) */
    const dlpi_graph_edge *edge; /* (edges) weights up to 1 */

    /* Set by dlpi_graph_arrange. */
    dlpi_graph_box *box;     /* (n) */
    dlpi_graph_label *label; /* (n) */
    double width, height;    /* of the frame around the boxes */
} dlpi_plotted_graph;

/* Lays out the graph before it is printed. False when out of memory. */
bool dlpi_graph_arrange(dlpi_plotted_graph *graph);
/* Frees what dlpi_graph_arrange allocated. */
void dlpi_graph_clear(dlpi_plotted_graph *graph);
void dlpi_plot_graph(FILE *out, const dlpi_plotted_graph *graph);

#endif
