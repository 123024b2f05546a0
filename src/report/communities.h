/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds groups of related nodes in a graph, to colour them. Internal. */
#ifndef DLPI_REPORT_COMMUNITIES_H
#define DLPI_REPORT_COMMUNITIES_H

#include <stdbool.h>

typedef struct dlpi_graph_edge {
    int i, j;
    double weight; /* positive */
} dlpi_graph_edge;

/* Assigns each of n nodes to a group (n). Groups are numbered from 0 by the sum of their
   nodes' sizes, largest first; -1 for a node by itself. Merges greedily by modularity
   (Clauset, Newman and Moore 2004). Deterministic: the first wins a tie. False when out
   of memory. */
bool dlpi_communities(int n, int edges, const dlpi_graph_edge *edge, const double *size,
                      int *group);

#endif
