/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plate diagram of a model: a node a variable, a box a loop, an arrow from what a
 * relation mentions to what it defines. Internal.
 */
#ifndef DLPI_BUGS_DIAGRAM_H
#define DLPI_BUGS_DIAGRAM_H

#include "language/graph.h"
#include "language/parse.h"

typedef enum dlpi_drawn {
    DLPI_DRAWN_STOCHASTIC,    /* a circle */
    DLPI_DRAWN_DETERMINISTIC, /* a dashed one */
    DLPI_DRAWN_CONSTANT       /* a rectangle: data that nothing defines */
} dlpi_drawn;

typedef struct dlpi_drawn_node {
    const char *name;
    dlpi_drawn kind;
    dlp_index observed, latent;    /* cells */
    const dlpi_relation *relation; /* NULL: a constant */
    int plate;                     /* -1: in none */
    bool itself;                   /* it depends on other elements of itself */
    int rank;
    double x, y, rx, ry;
} dlpi_drawn_node;

typedef struct dlpi_drawn_edge {
    int from, to;
    bool back; /* against the order of the others: of a cycle of variables */
} dlpi_drawn_edge;

typedef struct dlpi_drawn_plate {
    int parent;            /* -1: in none */
    const dlpi_loop *loop; /* one of those that it stands for */
    char range[64], label[128];
    dlp_index most;     /* its largest index; 0: not known, or not always the same */
    int rank[2], level; /* from, to; plates inside of one another */
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

/* Of a model as it is written; graph NULL: without data. */
dlp_status dlpi_diagram_make(const dlpi_model_syntax *model, const dlpi_graph *graph,
                             dlpi_diagram *diagram, dlp_error *error);
/* Where everything stands. */
dlp_status dlpi_diagram_place(dlpi_diagram *diagram, dlp_error *error);
/* As SVG, to be freed. */
dlp_status dlpi_diagram_svg(const dlpi_diagram *diagram, const char *title, char **out,
                            size_t *size, dlp_error *error);
void dlpi_diagram_clear(dlpi_diagram *diagram);

#endif
