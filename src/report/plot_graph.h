/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph: nodes by size with a number inside each, edges by weight, no label on another.
   Internal. */
#ifndef DLPI_REPORT_PLOT_GRAPH_H
#define DLPI_REPORT_PLOT_GRAPH_H

#include "report/graph_labels.h"
#include "report/graph_layout.h"
#include "report/svg.h"

typedef struct dlpi_graph_node {
    const char *number; /* "12", inside */
    const char *label;  /* beside */
    const char *title;  /* all that there is to say */
    double size;        /* 0 to 1: its area */
    int group;          /* its colour; -1: by itself */
} dlpi_graph_node;

typedef struct dlpi_plotted_graph {
    dlpi_svg_page page;
    const char *sizes_are, *weights_are; /* for the legend: "share" */
    int n, edges;
    const dlpi_graph_node *node; /* (n) */
    const dlpi_graph_edge *edge; /* (edges) weights up to 1 */

    /* What dlpi_graph_arrange finds. */
    dlpi_graph_box *box;     /* (n) */
    dlpi_graph_label *label; /* (n) */
    double width, height;    /* of the frame around the boxes */
} dlpi_plotted_graph;

/* Finds where all stands, before it is printed. False without memory. */
bool dlpi_graph_arrange(dlpi_plotted_graph *graph);
/* Frees what that has found. */
void dlpi_graph_clear(dlpi_plotted_graph *graph);
void dlpi_plot_graph(FILE *out, const dlpi_plotted_graph *graph);

#endif
