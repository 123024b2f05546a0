/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/graph_labels.h"

#include <math.h>

enum { SIDES = 8, PASSES = 6 };
static const double GAP = 2;
/* The cost of each further side, in pixels of line: the side below is preferred. */
static const double SIDE_COST = 1.5;
/* Lines this close to a label count as crossing it. */
static const double CALM = 1;
/* A label this close to another node might seem to name that node; and what that
   costs. */
static const double NEAR = 7, NEAR_COST = 12;

typedef struct rectangle {
    double left, top, right, bottom;
} rectangle;

typedef struct labels {
    int n, edges;
    dlpi_graph_label *label;
    const dlpi_graph_edge *edge;
    double width, height;
} labels;

static rectangle rectangle_of(const dlpi_graph_label *l)
{
    return (rectangle){l->left, l->top, l->left + l->width, l->top + l->height};
}

/* ---- sides ---- */

/* Moves the label to a side of its node: below, above, right, left, then the corners. */
static void put(dlpi_graph_label *l, int side)
{
    static const struct {
        double x, y;
    } way[SIDES] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    const double x = way[side].x, y = way[side].y;
    const double away = (l->radius + GAP) * (x != 0 && y != 0 ? 0.72 : 1);
    l->side = side;
    l->left = l->x + x * away - l->width * (1 - x) / 2;
    l->top = l->y + y * away - l->height * (1 - y) / 2;
}

/* ---- what is in the way ---- */

static bool overlap(rectangle a, rectangle b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static double between(double x, double low, double high)
{
    return fmin(high, fmax(low, x));
}

/* Whether the rim of a node is within the given distance. */
static bool is_near(rectangle r, const dlpi_graph_label *node, double distance)
{
    const double dx = node->x - between(node->x, r.left, r.right);
    const double dy = node->y - between(node->y, r.top, r.bottom);
    const double least = node->radius + distance;
    return dx * dx + dy * dy < least * least;
}

static bool is_free(const labels *all, int k)
{
    const rectangle own = rectangle_of(&all->label[k]);
    if (own.left < 0 || own.top < 0 || own.right > all->width || own.bottom > all->height)
        return false;
    for (int i = 0; i < all->n; i++)
        if (i != k && (is_near(own, &all->label[i], 1) ||
                       overlap(own, rectangle_of(&all->label[i]))))
            return false;
    return true;
}

/* ---- lines ---- */

/* Narrows [from, to], fractions of a line, to where start + part * way lies between low
   and high. */
static void cut(double start, double way, double low, double high, double *from,
                double *to)
{
    if (way == 0) {
        if (start <= low || start >= high) *to = *from;
        return;
    }
    const double a = (low - start) / way, b = (high - start) / way;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

/* How many pixels of the line between two nodes are inside the rectangle. */
static double length_inside(const dlpi_graph_label *a, const dlpi_graph_label *b,
                            rectangle r)
{
    const double dx = b->x - a->x, dy = b->y - a->y;
    double from = 0, to = 1;
    cut(a->x, dx, r.left - CALM, r.right + CALM, &from, &to);
    cut(a->y, dy, r.top - CALM, r.bottom + CALM, &from, &to);
    return from < to ? (to - from) * sqrt(dx * dx + dy * dy) : 0;
}

/* Rounded, so that differences in the last bits between machines decide nothing. */
static double cost(const labels *all, int k)
{
    const rectangle own = rectangle_of(&all->label[k]);
    double sum = SIDE_COST * all->label[k].side;
    for (int e = 0; e < all->edges; e++)
        sum +=
            length_inside(&all->label[all->edge[e].i], &all->label[all->edge[e].j], own);
    for (int i = 0; i < all->n; i++)
        if (i != k && is_near(own, &all->label[i], NEAR)) sum += NEAR_COST;
    return round(64 * sum);
}

/* ---- all of them ---- */

/* Puts the label on the best side that is free. */
static void improve(const labels *all, int k)
{
    dlpi_graph_label *own = &all->label[k];
    int best = own->side;
    double least = cost(all, k);
    for (int side = 0; side < SIDES; side++) {
        put(own, side);
        if (!is_free(all, k)) continue;
        const double here = cost(all, k);
        if (here >= least) continue;
        least = here;
        best = side;
    }
    put(own, best);
}

void dlpi_graph_labels(int n, dlpi_graph_label *label, int edges,
                       const dlpi_graph_edge *edge, double width, double height)
{
    const labels all = {n, edges, label, edge, width, height};
    for (int k = 0; k < n; k++) put(&label[k], 0);
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = 0; k < n; k++) improve(&all, k);
}
