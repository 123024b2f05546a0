/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of a graph that go together, for colours. Internal. */
#ifndef DLPI_REPORT_COMMUNITIES_H
#define DLPI_REPORT_COMMUNITIES_H

#include <stdbool.h>

typedef struct dlpi_graph_edge {
    int i, j;
    double weight; /* positive */
} dlpi_graph_edge;

/* The group of each of n nodes into group (n): numbered from 0 by the sum of their sizes,
   the largest first; -1 for a node by itself. Modularity, merged greedily (Clauset,
   Newman and Moore 2004); nothing is left to chance: of equals the first is taken. False
   without memory. */
bool dlpi_communities(int n, int edges, const dlpi_graph_edge *edge, const double *size,
                      int *group);

#endif
