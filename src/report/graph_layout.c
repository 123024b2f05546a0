/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/graph_layout.h"

#include "report/ticks.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 500, PASSES = 400, STRETCHES = 20 };
/* How strongly nodes are pulled to the middle: more if they have no edges, so that they
   stay near the others. */
static const double JOINED = 0.9, ALONE = 1.8;
static const double MOST_STRETCH = 1.5;
static const double GRID = 1024; /* steps per pixel */
static const double TAU = 6.283185307179586;

typedef struct force {
    double x, y;
} force;

typedef struct layout {
    int n;
    dlpi_graph_box *box;
    int edges;
    const dlpi_graph_edge *edge;
    double width, height, length;
    double *pull; /* (n) */
    force *force; /* (n) */
} layout;

/* Rounds away differences in the last bits between machines. */
static double to_grid(double x)
{
    return round(x * GRID) / GRID;
}

/* ---- springs ---- */

/* Nodes by themselves come last, so that they do not split a group. */
static bool comes_before(const dlpi_graph_box *box, int a, int b)
{
    const int u = box[a].group, v = box[b].group;
    if (u == v) return a < b;
    return v < 0 || (u >= 0 && u < v);
}

static void start_on_circle(const layout *l)
{
    for (int k = 0; k < l->n; k++) {
        int rank = 0;
        for (int j = 0; j < l->n; j++) rank += j != k && comes_before(l->box, j, k);
        const double angle = TAU * rank / l->n;
        l->box[k].x = to_grid(0.35 * l->width * cos(angle));
        l->box[k].y = to_grid(0.35 * l->height * sin(angle));
    }
}

/* Applies a force between i and j along (dx, dy); a positive size repels. */
static void push(const layout *l, int i, int j, double dx, double dy, double size)
{
    l->force[i].x += dx * size;
    l->force[i].y += dy * size;
    l->force[j].x -= dx * size;
    l->force[j].y -= dy * size;
}

static void add_forces(const layout *l)
{
    const double length = l->length;
    for (int i = 0; i < l->n; i++)
        for (int j = i + 1; j < l->n; j++) {
            const double dx = l->box[i].x - l->box[j].x, dy = l->box[i].y - l->box[j].y;
            push(l, i, j, dx, dy, length * length / fmax(1, dx * dx + dy * dy));
        }
    for (int e = 0; e < l->edges; e++) {
        const int i = l->edge[e].i, j = l->edge[e].j;
        const double dx = l->box[i].x - l->box[j].x, dy = l->box[i].y - l->box[j].y;
        const double d = fmax(1, sqrt(dx * dx + dy * dy));
        push(l, i, j, dx, dy, -(0.4 + 1.6 * l->edge[e].weight) * d / length);
    }
}

/* Moves nodes by their forces and towards the middle (less along the longer side), by at
   most limit. */
static void move(const layout *l, double limit)
{
    const double aspect = l->width / l->height;
    for (int k = 0; k < l->n; k++) {
        dlpi_graph_box *b = &l->box[k];
        const double fx = l->force[k].x - b->x * l->pull[k] / aspect;
        const double fy = l->force[k].y - b->y * l->pull[k] * aspect;
        const double size = fmax(1e-9, sqrt(fx * fx + fy * fy));
        const double by = fmin(size, limit) / size;
        b->x = to_grid(b->x + fx * by);
        b->y = to_grid(b->y + fy * by);
    }
}

static void relax(const layout *l)
{
    for (int step = 0; step < STEPS; step++) {
        const double left = 1 - (double)step / STEPS;
        for (int k = 0; k < l->n; k++) l->force[k] = (force){0, 0};
        add_forces(l);
        move(l, 0.12 * l->width * left * sqrt(left));
    }
}

/* ---- boxes ---- */

/* Maps x from the range `from` to low..high, around the middle; a few nodes are not
   spread out to fill the frame. */
static double moved(double x, const dlpi_range *from, double low, double high)
{
    const double length = from->high - from->low;
    const double by = length > 0 ? fmin(MOST_STRETCH, (high - low) / length) : 1;
    return (low + high) / 2 + by * (x - (from->low + from->high) / 2);
}

/* Fills the frame: the outermost boxes touch its edges. */
static void fit(const layout *l)
{
    dlpi_range x = dlpi_range_of_none(), y = x;
    double widest = 0, highest = 0;
    for (int k = 0; k < l->n; k++) {
        dlpi_range_cover(&x, l->box[k].x);
        dlpi_range_cover(&y, l->box[k].y);
        widest = fmax(widest, l->box[k].width);
        highest = fmax(highest, l->box[k].height);
    }
    for (int k = 0; k < l->n; k++) {
        dlpi_graph_box *b = &l->box[k];
        b->x = to_grid(moved(b->x, &x, widest / 2, l->width - widest / 2));
        b->y = to_grid(moved(b->y, &y, highest / 2, l->height - highest / 2));
    }
}

static void keep_inside(const layout *l, dlpi_graph_box *b)
{
    b->x = to_grid(fmin(l->width - b->width / 2, fmax(b->width / 2, b->x)));
    b->y = to_grid(fmin(l->height - b->height / 2, fmax(b->height / 2, b->y)));
}

/* Pushes two boxes apart in the shorter direction; false if they do not touch. */
static bool part(dlpi_graph_box *a, dlpi_graph_box *b)
{
    const double over_x = (a->width + b->width) / 2 - fabs(a->x - b->x);
    const double over_y = (a->height + b->height) / 2 - fabs(a->y - b->y);
    if (over_x <= 0 || over_y <= 0) return false;
    if (over_x < over_y) {
        const double half = (a->x < b->x ? -1 : 1) * (over_x / 2 + 0.1);
        a->x += half;
        b->x -= half;
    } else {
        const double half = (a->y < b->y ? -1 : 1) * (over_y / 2 + 0.1);
        a->y += half;
        b->y -= half;
    }
    return true;
}

/* Returns true if no boxes touched. */
static bool part_all(const layout *l)
{
    bool apart = true;
    for (int i = 0; i < l->n; i++)
        for (int j = i + 1; j < l->n; j++) apart &= !part(&l->box[i], &l->box[j]);
    for (int k = 0; k < l->n; k++) keep_inside(l, &l->box[k]);
    return apart;
}

/* If the boxes do not fit into the frame, it grows in height. */
static void separate(layout *l)
{
    for (int stretch = 0; stretch < STRETCHES; stretch++) {
        for (int pass = 0; pass < PASSES; pass++)
            if (part_all(l)) return;
        l->height *= 1.1;
        for (int k = 0; k < l->n; k++) l->box[k].y *= 1.1;
    }
}

/* ---- both ---- */

static void arrange(layout *l)
{
    l->length = 0.75 * sqrt(l->width * l->height / l->n);
    for (int k = 0; k < l->n; k++) l->pull[k] = ALONE;
    for (int e = 0; e < l->edges; e++)
        l->pull[l->edge[e].i] = l->pull[l->edge[e].j] = JOINED;
    start_on_circle(l);
    relax(l);
    fit(l);
    separate(l);
}

double dlpi_graph_layout(int n, dlpi_graph_box *box, int edges,
                         const dlpi_graph_edge *edge, double width, double height)
{
    layout l = {n, box, edges, edge, width, height, 0, NULL, NULL};
    if (n == 0) return height;
    l.pull = calloc((size_t)n, sizeof *l.pull);
    l.force = calloc((size_t)n, sizeof *l.force);
    if (l.pull && l.force)
        arrange(&l);
    else
        l.height = -1;
    free(l.pull);
    free(l.force);
    return l.height;
}
