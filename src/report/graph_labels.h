/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places the labels of a graph, as on a map. Every label starts below its node, where the
 * layout has kept room for it. Then each in turn moves to the side of its node where the
 * fewest lines cross it, if nothing else is there. So no label ever covers another or a
 * node, and the same graph has the same labels on every machine. Internal.
 */
#ifndef DLPI_REPORT_GRAPH_LABELS_H
#define DLPI_REPORT_GRAPH_LABELS_H

#include "report/communities.h"

/* A node, the size of its label, and where the label goes. */
typedef struct dlpi_graph_label {
    double x, y, radius;
    double width, height;
    double left, top; /* set by dlpi_graph_labels */
    int side;         /* the side of the node where the label is */
} dlpi_graph_label;

/* Places the labels of n nodes between 0 and width, and 0 and height. */
void dlpi_graph_labels(int n, dlpi_graph_label *label, int edges,
                       const dlpi_graph_edge *edge, double width, double height);

#endif
