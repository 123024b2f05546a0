/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plate diagram of a model: a node for each variable, a box for each loop, and an
 * arrow from each variable that a relation mentions to the one that it defines. Internal.
 */
#ifndef DLPI_BUGS_DIAGRAM_H
#define DLPI_BUGS_DIAGRAM_H

#include "language/graph.h"
#include "language/parse.h"

typedef enum dlpi_drawn {
    DLPI_DRAWN_STOCHASTIC,    /* a circle */
    DLPI_DRAWN_DETERMINISTIC, /* a dashed circle */
    DLPI_DRAWN_CONSTANT       /* a rectangle: data that nothing defines */
} dlpi_drawn;

typedef struct dlpi_drawn_node {
    const char *name;
    dlpi_drawn kind;
    dlp_index observed, latent;    /* how many of its cells */
    const dlpi_relation *relation; /* NULL: a constant */
    int plate;                     /* -1: in none */
    bool itself;                   /* some of its elements depend on others */
    int rank;
    double x, y, rx, ry;
} dlpi_drawn_node;

typedef struct dlpi_drawn_edge {
    int from, to;
    bool back; /* points against the order of the others: it closes a cycle */
} dlpi_drawn_edge;

typedef struct dlpi_drawn_plate {
    int parent;            /* -1: in none */
    const dlpi_loop *loop; /* one of the loops that it represents */
    char range[64], label[128];
    dlp_index most;     /* its largest index; 0: unknown, or not always the same */
    int rank[2], level; /* first and last rank; depth of the plates nested in it */
    double left, right, top, bottom;
} dlpi_drawn_plate;

typedef struct dlpi_diagram {
    int n_nodes, n_edges, n_plates;
    int nodes_room, edges_room, plates_room;
    dlpi_drawn_node *node;
    dlpi_drawn_edge *edge;
    dlpi_drawn_plate *plate;
    double width, height;
} dlpi_diagram;

/* The diagram of a model as written; graph NULL: without data. */
dlp_status dlpi_diagram_make(const dlpi_model_syntax *model, const dlpi_graph *graph,
                             dlpi_diagram *diagram, dlp_error *error);
/* Decides where everything goes. */
dlp_status dlpi_diagram_place(dlpi_diagram *diagram, dlp_error *error);
/* The diagram as SVG; the caller frees *out. */
dlp_status dlpi_diagram_svg(const dlpi_diagram *diagram, const char *title, char **out,
                            size_t *size, dlp_error *error);
void dlpi_diagram_clear(dlpi_diagram *diagram);

#endif
