/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the labels of a graph stand, as on a map. Every label starts below its node, where
 * the layout has kept room for it; then each in turn goes to the side of its node where
 * the lines run through it least, if nothing else is there. So none ever covers another,
 * or a node, and the same graph has the same labels everywhere. Internal.
 */
#ifndef DLPI_REPORT_GRAPH_LABELS_H
#define DLPI_REPORT_GRAPH_LABELS_H

#include "report/communities.h"

/* A node, the room that its label wants, and where the label stands. */
typedef struct dlpi_graph_label {
    double x, y, radius;
    double width, height;
    double left, top; /* the answer */
    int side;         /* of the node that it stands on */
} dlpi_graph_label;

/* Places the labels of n nodes between 0 and width, and 0 and height. */
void dlpi_graph_labels(int n, dlpi_graph_label *label, int edges,
                       const dlpi_graph_edge *edge, double width, double height);

#endif
