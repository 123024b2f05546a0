/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of a graph that go together, for colours. Internal. */
#ifndef DLPI_REPORT_COMMUNITIES_H
#define DLPI_REPORT_COMMUNITIES_H

#include <stdbool.h>

typedef struct dlpi_graph_edge {
    int i, j;
    double weight; /* positive */
} dlpi_graph_edge;

/* Assigns each of n nodes to a group (n): numbered from 0 by the sum of their sizes, the
   largest first; -1 for a node by itself. Merges greedily by modularity (Clauset, Newman
   and Moore 2004), and is deterministic: of equals the first is taken. False when out of
   memory. */
bool dlpi_communities(int n, int edges, const dlpi_graph_edge *edge, const double *size,
                      int *group);

#endif
