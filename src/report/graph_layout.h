/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the nodes of a graph stand: springs along the edges, repulsion between all
 * (Fruchterman and Reingold 1991), then boxes around nodes and labels are pushed apart. It
 * starts from a circle ordered by group, and every step rounds to a grid, so that the same
 * graph has the same picture on every machine. Internal.
 */
#ifndef DLPI_REPORT_GRAPH_LAYOUT_H
#define DLPI_REPORT_GRAPH_LAYOUT_H

#include "report/communities.h"

/* A node with what is written at it: a box, which no other is to touch. */
typedef struct dlpi_graph_box {
    double width, height;
    int group;   /* -1: by itself */
    double x, y; /* its middle: the answer */
} dlpi_graph_box;

/* Places n boxes between 0 and width, and 0 and the height, which it returns: about
   `height`, or what the boxes want. Negative without memory. */
double dlpi_graph_layout(int n, dlpi_graph_box *box, int edges,
                         const dlpi_graph_edge *edge, double width, double height);

#endif
