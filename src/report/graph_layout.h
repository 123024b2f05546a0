/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places the nodes of a graph: springs along the edges, repulsion between all nodes
 * (Fruchterman and Reingold 1991), then boxes around nodes and labels are pushed apart.
 * It starts from a circle ordered by group, and rounds every step to a grid, so that the
 * same graph has the same picture on every machine. Internal.
 */
#ifndef DLPI_REPORT_GRAPH_LAYOUT_H
#define DLPI_REPORT_GRAPH_LAYOUT_H

#include "report/communities.h"

/* A node and its label: a box that must not touch any other. */
typedef struct dlpi_graph_box {
    double width, height;
    int group;   /* -1: by itself */
    double x, y; /* its middle, set by dlpi_graph_layout */
} dlpi_graph_box;

/* Places n boxes between 0 and width, and between 0 and the height, which it returns:
   about `height`, or more if the boxes need it. Negative when out of memory. */
double dlpi_graph_layout(int n, dlpi_graph_box *box, int edges,
                         const dlpi_graph_edge *edge, double width, double height);

#endif
