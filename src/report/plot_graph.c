/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plot_graph.h"

#include "report/letters.h"
#include "report/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layout, in pixels at the picture's own size. */
enum {
    LINE = 13, /* the height of a line of text */
    LABEL_GAP = 2,
    BOX_GAP = 6,
    MOST_LABEL = 150,
    LEGEND = 44,
    LEAST_HEIGHT = 80,
    MOST_HEIGHT = 820,
    COLOURS = 8, /* g0 to g7; g8 is for nodes by themselves */
};
/* The share of the page that boxes may cover before it grows in height. */
static const double FULL = 0.42;
static const double ASPECT = 1.8; /* of the frame if there are few nodes */
/* The radius that a node needs for its number: a base, and some pixels per digit. */
static const double NUMBER_ROOM = 2.6, DIGIT_ROOM = 2.3, MOST_RADIUS = 22;

typedef struct drawing {
    FILE *out;
    const dlpi_plotted_graph *graph;
    dlpi_graph_box *box; /* (n) */
    double left, top;    /* of the frame around the boxes */
    double most;         /* the largest size */
    double largest;      /* its radius */
    double least;        /* the least radius that has room for a number */
} drawing;

static double radius(const drawing *d, double size)
{
    if (!(d->most > 0)) return d->least;
    return fmax(d->least, d->largest * sqrt(fmax(0, size) / d->most));
}

static double edge_width(double weight)
{
    return 0.5 + 7 * pow(weight, 1.2);
}

/* ---- boxes ---- */

static double label_room(const dlpi_graph_node *node)
{
    return fmin(MOST_LABEL, dlpi_letters_width(node->label, DLPI_SVG_SMALL) + 1);
}

/* Makes the boxes, and a frame for them: as wide as the page, or narrower for few. */
static void make_boxes(const drawing *d, double most_width, dlpi_plotted_graph *graph)
{
    double area = 0, widest = 0;
    for (int k = 0; k < d->graph->n; k++) {
        const dlpi_graph_node *node = &d->graph->node[k];
        const double r = radius(d, node->size);
        dlpi_graph_box *b = &d->box[k];
        b->group = node->group;
        b->width = fmax(2 * r, label_room(node)) + BOX_GAP;
        b->height = 2 * r + LABEL_GAP + LINE + BOX_GAP;
        area += b->width * b->height / FULL;
        widest = fmax(widest, b->width);
    }
    graph->width = fmin(most_width, fmax(widest, sqrt(ASPECT * area)));
    graph->height = fmin(MOST_HEIGHT, fmax(LEAST_HEIGHT, area / graph->width));
}

/* ---- nodes and edges ---- */

static double node_x(const drawing *d, int k)
{
    return d->left + d->box[k].x;
}

/* The node is at the top of its box, the label below. */
static double node_y(const drawing *d, int k)
{
    const double r = radius(d, d->graph->node[k].size);
    return d->top + d->box[k].y - d->box[k].height / 2 + BOX_GAP / 2.0 + r;
}

static void print_edges(const drawing *d)
{
    fputs("  <g style=\"stroke:#5b6773;stroke-opacity:0.42;stroke-linecap:round\">\n",
          d->out);
    for (int e = 0; e < d->graph->edges; e++) {
        const dlpi_graph_edge *edge = &d->graph->edge[e];
        fprintf(d->out,
                "    <path style=\"stroke-width:%.2f\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n",
                edge_width(edge->weight), node_x(d, edge->i), node_y(d, edge->i),
                node_x(d, edge->j), node_y(d, edge->j));
    }
    fputs("  </g>\n", d->out);
}

static void print_node(const drawing *d, int k)
{
    const dlpi_graph_node *node = &d->graph->node[k];
    fprintf(d->out,
            "  <circle class=\"g%d\" style=\"stroke:#ffffff;stroke-width:1.2\" "
            "cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
            node->group < 0 ? COLOURS : node->group % COLOURS, node_x(d, k), node_y(d, k),
            radius(d, node->size));
    dlpi_xml_text(d->out, node->title);
    fputs("</title></circle>\n", d->out);
    dlpi_svg_text(d->out, node_x(d, k), node_y(d, k) + 3.2, "number", node->number);
}

/* ---- labels ---- */

/* Printed twice: first wide and white, to hide the lines behind it, then normally. Some
   programs do not support paint-order. */
static void print_label(const drawing *d, int k, bool halo)
{
    const char *text = d->graph->node[k].label;
    const dlpi_graph_label *place = &d->graph->label[k];
    const size_t fit = dlpi_letters_fit(text, DLPI_SVG_SMALL, place->width);
    fprintf(d->out, "  <text x=\"%.1f\" y=\"%.1f\" class=\"small mid%s\"%s>",
            d->left + place->left + place->width / 2,
            d->top + place->top + 0.77 * place->height, halo ? " halo" : "",
            halo ? " aria-hidden=\"true\"" : "");
    dlpi_xml_bytes(d->out, text, fit);
    fputs(text[fit] ? "\xe2\x80\xa6</text>\n" : "</text>\n", d->out);
}

static void place_labels(const drawing *d)
{
    const dlpi_plotted_graph *g = d->graph;
    for (int k = 0; k < g->n; k++)
        g->label[k] = (dlpi_graph_label){.x = node_x(d, k) - d->left,
                                         .y = node_y(d, k),
                                         .radius = radius(d, g->node[k].size),
                                         .width = label_room(&g->node[k]),
                                         .height = LINE};
    dlpi_graph_labels(g->n, g->label, g->edges, g->edge, g->width, g->height);
}

/* ---- the legend ---- */

/* The largest of 1, 2, 5 times a power of ten that is not above x. */
static double round_down(double x)
{
    const double power = pow(10, floor(log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
}

/* Prints a sample of a node size, unless nodes of that size are drawn larger for their
   number. */
static double print_size(const drawing *d, double size, double x, double y)
{
    const double r = radius(d, size);
    char text[32];
    if (!(r > d->least)) return x;
    snprintf(text, sizeof text, "%.3g %%", 100 * size);
    fprintf(d->out, "  <circle class=\"g%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
            COLOURS, x + r, y, r);
    dlpi_svg_text(d->out, x + 2 * r + 5, y + 4, "small dim", text);
    return x + 2 * r + 5 + dlpi_letters_width(text, DLPI_SVG_SMALL) + 14;
}

static double print_weight(const drawing *d, double weight, double x, double y)
{
    char text[32];
    snprintf(text, sizeof text, "%.2f", weight);
    fprintf(d->out,
            "  <path style=\"stroke:#5b6773;stroke-opacity:0.42;stroke-width:%.2f\" "
            "d=\"M%.1f,%.1fh26\"/>\n",
            edge_width(weight), x, y);
    dlpi_svg_text(d->out, x + 31, y + 4, "small dim", text);
    return x + 31 + dlpi_letters_width(text, DLPI_SVG_SMALL) + 14;
}

static double print_heading(const drawing *d, const char *text, double x, double y)
{
    dlpi_svg_text(d->out, x, y + 4, "small", text);
    return x + dlpi_letters_width(text, DLPI_SVG_SMALL) + 10;
}

static void print_legend(const drawing *d, double y)
{
    const dlpi_plotted_graph *g = d->graph;
    double x = DLPI_SVG_EDGE + 2, least = INFINITY, most = 0;
    if (d->most > 0) {
        const double large = round_down(d->most);
        x = print_heading(d, g->sizes_are, x, y);
        x = print_size(d, large / 10, x, y);
        x = print_size(d, round_down(large / 2.5), x, y);
        x = print_size(d, large, x, y) + 20;
    }
    for (int e = 0; e < g->edges; e++) {
        least = fmin(least, g->edge[e].weight);
        most = fmax(most, g->edge[e].weight);
    }
    if (g->edges == 0) return;
    x = print_heading(d, g->weights_are, x, y);
    x = print_weight(d, least, x, y);
    if (g->edges > 1) print_weight(d, most, x, y);
}

/* ---- positions ---- */

static drawing drawing_of(const dlpi_plotted_graph *graph, FILE *out)
{
    drawing d = {.out = out,
                 .graph = graph,
                 .box = graph->box,
                 .left = (graph->page.width - graph->width) / 2,
                 .largest = fmin(MOST_RADIUS, 60 / sqrt(fmax(1, graph->n)) + 7)};
    size_t digits = 2;
    for (int k = 0; k < graph->n; k++) {
        d.most = fmax(d.most, graph->node[k].size);
        if (strlen(graph->node[k].number) > digits)
            digits = strlen(graph->node[k].number);
    }
    d.least = NUMBER_ROOM + DIGIT_ROOM * (double)digits;
    return d;
}

bool dlpi_graph_arrange(dlpi_plotted_graph *graph)
{
    graph->box = calloc((size_t)graph->n + 1, sizeof *graph->box);
    graph->label = calloc((size_t)graph->n + 1, sizeof *graph->label);
    if (!graph->box || !graph->label) return false;
    const drawing d = drawing_of(graph, NULL);
    make_boxes(&d, graph->page.width - 2 * DLPI_SVG_EDGE, graph);
    graph->height = dlpi_graph_layout(graph->n, graph->box, graph->edges, graph->edge,
                                      graph->width, graph->height);
    if (graph->height >= 0) place_labels(&d);
    return graph->height >= 0;
}

void dlpi_graph_clear(dlpi_plotted_graph *graph)
{
    free(graph->box);
    free(graph->label);
    graph->box = NULL;
    graph->label = NULL;
}

/* ---- the page ---- */

void dlpi_plot_graph(FILE *out, const dlpi_plotted_graph *graph)
{
    drawing d = drawing_of(graph, out);
    d.top = dlpi_svg_open(out, &graph->page, graph->height + LEGEND);
    print_edges(&d);
    for (int k = 0; k < graph->n; k++) print_node(&d, k);
    for (int k = 0; k < graph->n; k++) print_label(&d, k, true);
    for (int k = 0; k < graph->n; k++) print_label(&d, k, false);
    print_legend(&d, d.top + graph->height + LEGEND / 2.0);
    dlpi_svg_close(out);
}
