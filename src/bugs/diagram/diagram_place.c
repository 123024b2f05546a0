/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places a diagram's nodes and plates. Parents go above their children: ranks are rows.
 * Within a row, a plate keeps its contents together. The order in a row is improved, swap
 * by swap, as long as arrows become shorter and cross less.
 */
#include "bugs/diagram/diagram.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

static const double LETTER = 7.4, RADIUS = 22, GAP = 26, PAD = 16, EDGE = 16;
enum { ROUNDS = 6, MOVES = 8 };

typedef struct placing {
    dlpi_diagram *d;
    int n; /* things: nodes, then plates */
    int *order;
    double *left, *width, *shift; /* (n) within the surrounding plate */
    double *skyline;              /* (ranks) */
    int *sorted;                  /* (n) */
    int ranks;
} placing;

/* ---- ranks ---- */

/* Arrows that close a cycle point back. */
static void find_back_edges(dlpi_diagram *d, int node, uint8_t *state)
{
    state[node] = 1;
    for (int i = 0; i < d->n_edges; i++) {
        if (d->edge[i].from != node) continue;
        if (state[d->edge[i].to] == 1) d->edge[i].back = true;
        if (state[d->edge[i].to] == 0) find_back_edges(d, d->edge[i].to, state);
    }
    state[node] = 2;
}

static void set_ranks(dlpi_diagram *d)
{
    for (int round = 0; round < d->n_nodes; round++)
        for (int i = 0; i < d->n_edges; i++) {
            const dlpi_drawn_edge *e = &d->edge[i];
            if (!e->back && d->node[e->to].rank <= d->node[e->from].rank)
                d->node[e->to].rank = d->node[e->from].rank + 1;
        }
    /* a node without parents goes right above its first child */
    for (int k = 0; k < d->n_nodes; k++) {
        int lowest = d->n_nodes;
        for (int i = 0; i < d->n_edges; i++) {
            if (d->edge[i].back) continue;
            if (d->edge[i].to == k) lowest = -1;
            if (d->edge[i].from == k && lowest >= 0 &&
                d->node[d->edge[i].to].rank - 1 < lowest)
                lowest = d->node[d->edge[i].to].rank - 1;
        }
        if (lowest >= 0 && lowest < d->n_nodes) d->node[k].rank = lowest;
    }
}

static void set_plates(dlpi_diagram *d)
{
    for (int p = 0; p < d->n_plates; p++) {
        d->plate[p].rank[0] = d->n_nodes;
        d->plate[p].rank[1] = -1;
    }
    for (int k = 0; k < d->n_nodes; k++)
        for (int p = d->node[k].plate; p >= 0; p = d->plate[p].parent) {
            if (d->node[k].rank < d->plate[p].rank[0])
                d->plate[p].rank[0] = d->node[k].rank;
            if (d->node[k].rank > d->plate[p].rank[1])
                d->plate[p].rank[1] = d->node[k].rank;
        }
    for (int p = d->n_plates - 1; p >= 0; p--) { /* those inside come later */
        const int parent = d->plate[p].parent;
        if (parent >= 0 && d->plate[parent].level <= d->plate[p].level)
            d->plate[parent].level = d->plate[p].level + 1;
    }
}

/* ---- from left to right ---- */

static int around(const placing *w, int thing)
{
    return thing < w->d->n_nodes ? w->d->node[thing].plate
                                 : w->d->plate[thing - w->d->n_nodes].parent;
}

static void rows_of(const placing *w, int thing, int rank[2])
{
    if (thing < w->d->n_nodes)
        rank[0] = rank[1] = w->d->node[thing].rank;
    else
        memcpy(rank, w->d->plate[thing - w->d->n_nodes].rank, 2 * sizeof *rank);
}

static bool side_by_side(const placing *w, int a, int b)
{
    int of_a[2], of_b[2];
    rows_of(w, a, of_a);
    rows_of(w, b, of_b);
    return of_a[0] <= of_b[1] && of_b[0] <= of_a[1];
}

/* The contents of a plate (-1: the page), in order; returns their number. */
static int list(const placing *w, int plate, int *things)
{
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        if (around(w, i) != plate) continue;
        if (i >= w->d->n_nodes && w->d->plate[i - w->d->n_nodes].rank[1] < 0) continue;
        int at = n++;
        for (; at > 0 && w->order[things[at - 1]] > w->order[i]; at--)
            things[at] = things[at - 1];
        things[at] = i;
    }
    return n;
}

static double label_width(const dlpi_drawn_plate *p)
{
    return 6.4 * (double)strlen(p->label) + 14;
}

/* Moves each as far left as possible. */
static double pack(placing *w, int plate, int *things)
{
    double wide = 0;
    const int n = list(w, plate, things);
    for (int i = 0; i < n; i++)
        if (things[i] >= w->d->n_nodes)
            w->width[things[i]] =
                fmax(pack(w, things[i] - w->d->n_nodes, things + n) + 2 * PAD,
                     label_width(&w->d->plate[things[i] - w->d->n_nodes]));
    for (int r = 0; r < w->ranks; r++) w->skyline[r] = 0;
    for (int i = 0; i < n; i++) {
        int rank[2];
        double x = 0;
        rows_of(w, things[i], rank);
        for (int r = rank[0]; r <= rank[1]; r++) x = fmax(x, w->skyline[r]);
        w->left[things[i]] = x;
        for (int r = rank[0]; r <= rank[1]; r++)
            w->skyline[r] = x + w->width[things[i]] + GAP;
        wide = fmax(wide, x + w->width[things[i]]);
    }
    return wide;
}

/* Converts positions within a plate to positions on the page. */
static void put(placing *w, int plate, double x, int *things)
{
    const int n = list(w, plate, things);
    for (int i = 0; i < n; i++) {
        const int t = things[i];
        const double at = x + w->left[t];
        if (t < w->d->n_nodes) {
            w->d->node[t].x = at + w->width[t] / 2;
            continue;
        }
        dlpi_drawn_plate *p = &w->d->plate[t - w->d->n_nodes];
        p->left = at;
        p->right = at + w->width[t];
        put(w, t - w->d->n_nodes, at + PAD, things + n);
    }
}

static bool is_in(const placing *w, int node, int thing)
{
    if (thing < w->d->n_nodes) return node == thing;
    int p = w->d->node[node].plate;
    while (p >= 0 && p != thing - w->d->n_nodes) p = w->d->plate[p].parent;
    return p >= 0;
}

/* How far a thing should move: the mean over the arrows that leave it. */
static double pull(const placing *w, int thing)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < w->d->n_edges; i++) {
        const dlpi_drawn_edge *e = &w->d->edge[i];
        const bool from = is_in(w, e->from, thing), to = is_in(w, e->to, thing);
        if (from == to) continue;
        const double by = w->d->node[e->to].x - w->d->node[e->from].x;
        sum += from ? by : -by;
        n++;
    }
    return n ? sum / n : 0;
}

/* Moves things towards those they are connected to, as far as their neighbours allow. */
static void relax(placing *w, int plate, double wide, int *things)
{
    const int n = list(w, plate, things);
    for (int i = 0; i < n; i++) {
        const int t = things[i];
        double low = 0, high = wide - w->width[t];
        for (int j = 0; j < n; j++) {
            if (j == i || !side_by_side(w, t, things[j])) continue;
            if (j < i)
                low = fmax(low, w->left[things[j]] + w->width[things[j]] + GAP);
            else
                high = fmin(high, w->left[things[j]] - GAP - w->width[t]);
        }
        const double to = fmin(fmax(w->left[t] + w->shift[t], low), fmax(high, low));
        w->left[t] = to;
    }
    for (int i = 0; i < n; i++)
        if (things[i] >= w->d->n_nodes)
            relax(w, things[i] - w->d->n_nodes, w->width[things[i]] - 2 * PAD,
                  things + n);
}

static void lay_out(placing *w)
{
    const double wide = pack(w, -1, w->sorted);
    put(w, -1, EDGE, w->sorted);
    for (int i = 0; i < MOVES; i++) {
        for (int t = 0; t < w->n; t++) w->shift[t] = pull(w, t);
        relax(w, -1, wide, w->sorted);
        put(w, -1, EDGE, w->sorted);
    }
    w->d->width = wide + 2 * EDGE;
}

/* ---- how good it is ---- */

static double orientation(const dlpi_drawn_node *a, const dlpi_drawn_node *b,
                          const dlpi_drawn_node *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool cross(const dlpi_diagram *d, const dlpi_drawn_edge *e,
                  const dlpi_drawn_edge *f)
{
    const dlpi_drawn_node *a = &d->node[e->from], *b = &d->node[e->to],
                          *p = &d->node[f->from], *q = &d->node[f->to];
    if (a == p || a == q || b == p || b == q) return false;
    return orientation(a, b, p) * orientation(a, b, q) < 0 &&
           orientation(p, q, a) * orientation(p, q, b) < 0;
}

/* Whether the arrow runs over a node that it does not belong to. */
static bool runs_over(const dlpi_diagram *d, const dlpi_drawn_edge *e, int k)
{
    const dlpi_drawn_node *a = &d->node[e->from], *b = &d->node[e->to], *c = &d->node[k];
    if (c == a || c == b) return false;
    const double dx = b->x - a->x, dy = b->y - a->y;
    const double t =
        ((c->x - a->x) * dx + (c->y - a->y) * dy) / (dx * dx + dy * dy + 1e-9);
    if (t <= 0 || t >= 1) return false;
    const double x = (a->x + t * dx - c->x) / (c->rx + 5),
                 y = (a->y + t * dy - c->y) / (c->ry + 5);
    return x * x + y * y < 1;
}

static double cost(const dlpi_diagram *d)
{
    double sum = 0.3 * d->width;
    for (int i = 0; i < d->n_edges; i++) {
        const dlpi_drawn_edge *e = &d->edge[i];
        sum += fabs(d->node[e->from].x - d->node[e->to].x);
        for (int j = 0; j < i; j++) sum += cross(d, e, &d->edge[j]) ? 150 : 0;
        for (int k = 0; k < d->n_nodes; k++) sum += runs_over(d, e, k) ? 250 : 0;
    }
    return sum;
}

/* Swaps pairs within the same plate, as long as a swap helps. */
static void improve(placing *w)
{
    double best = cost(w->d);
    for (int round = 0; round < ROUNDS; round++) {
        const double before = best;
        for (int a = 0; a < w->n; a++)
            for (int b = 0; b < a; b++) {
                if (around(w, a) != around(w, b)) continue;
                const int keep = w->order[a];
                w->order[a] = w->order[b];
                w->order[b] = keep;
                lay_out(w);
                const double now = cost(w->d);
                if (now < best - 1e-6) {
                    best = now;
                    continue;
                }
                w->order[b] = w->order[a];
                w->order[a] = keep;
            }
        if (!(best < before)) break;
    }
    lay_out(w);
}

/* ---- rows ---- */

static void set_rows(dlpi_diagram *d)
{
    int level = 0, last = 0;
    for (int p = 0; p < d->n_plates; p++)
        if (d->plate[p].level > level) level = d->plate[p].level;
    const double row = 92 + 34 * level, top = EDGE + RADIUS + 18 + 12 * level;
    for (int k = 0; k < d->n_nodes; k++) {
        d->node[k].y = top + row * d->node[k].rank;
        if (d->node[k].rank > last) last = d->node[k].rank;
    }
    for (int p = 0; p < d->n_plates; p++) {
        dlpi_drawn_plate *plate = &d->plate[p];
        plate->top = top + row * plate->rank[0] - RADIUS - 12 - 12 * plate->level;
        plate->bottom = top + row * plate->rank[1] + RADIUS + 24 + 20 * plate->level;
    }
    d->height = top + row * last + RADIUS + 24 + 20 * level + EDGE;
}

static void size_nodes(placing *w)
{
    for (int k = 0; k < w->d->n_nodes; k++) {
        dlpi_drawn_node *node = &w->d->node[k];
        const double text = LETTER * (double)strlen(node->name) / 2;
        const bool box = node->kind == DLPI_DRAWN_CONSTANT;
        node->rx = box ? text + 7 : fmax(RADIUS, text + 9);
        node->ry = box ? 12 : RADIUS;
        w->width[k] = 2 * node->rx;
    }
}

dlp_status dlpi_diagram_place(dlpi_diagram *d, dlp_error *error)
{
    enum { MOST = 40 }; /* with more things, improving the order takes too long */
    placing w = {.d = d, .n = d->n_nodes + d->n_plates, .ranks = d->n_nodes + 1};
    uint8_t *state = dlpi_calloc(d->n_nodes, 1);
    w.left = dlpi_calloc(3 * w.n + w.ranks, sizeof *w.left);
    w.order = dlpi_calloc(w.n + w.n * (d->n_plates + 2), sizeof *w.order);
    dlp_status status = DLP_OK;
    if (!state || !w.left || !w.order) {
        status = dlpi_no_memory(error, "the picture");
    } else {
        w.width = w.left + w.n;
        w.shift = w.width + w.n;
        w.skyline = w.shift + w.n;
        w.sorted = w.order + w.n;
        for (int i = 0; i < w.n; i++) w.order[i] = i;
        for (int k = 0; k < d->n_nodes; k++)
            if (state[k] == 0) find_back_edges(d, k, state);
        set_ranks(d);
        set_plates(d);
        size_nodes(&w);
        set_rows(d);
        lay_out(&w);
        if (w.n <= 2 * MOST) improve(&w);
    }
    free(state);
    free(w.left);
    free(w.order);
    return status;
}
