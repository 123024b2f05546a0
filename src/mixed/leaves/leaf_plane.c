/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_plane.h"

#include "math/dense.h"
#include "mixed/gaussian_parts.h"

#include <math.h>
#include <string.h>

enum { FIRST = 4, MORE = 3, MOST_WIDENINGS = 6 };

/* Where nodes are: at b + i along + j across. A line has one j. */
typedef struct plane {
    const double *b;
    double along[2], across[2], log_w;
    double least;   /* an omega below this is negligible */
    int from, to;   /* the line's nodes that are not */
    bool exhausted; /* more nodes are needed than there is room for */
} plane;

/* s_r = U'^-1 z_r: how eta of row r moves when b moves by an sd. */
static void see_row(const dlpi_leaf_work *w, dlp_index r, double *s)
{
    const double *z = w->rows->Z + r * 2, *U = w->U;
    s[0] = z[0] / U[0];
    s[1] = (z[1] - U[1] * s[0]) / U[3];
}

/* Two orthogonal directions v (2, 2) in units of sds, first that of which the rows say
   most: the eigenvectors of sum_r -l_ee s_r s_r', without trigonometry, whose last digits
   differ between machines. */
static void find_directions(const dlpi_leaf_work *w, dlp_index g, double *v)
{
    const dlp_index from = w->rows->begin[g], n = w->rows->begin[g + 1] - from;
    double A[3] = {0}, s[2]; /* entries 00, 01, 11 */
    for (dlp_index r = 0; r < n; r++) {
        see_row(w, from + r, s);
        A[0] -= w->l_ee[r] * s[0] * s[0];
        A[1] -= w->l_ee[r] * s[0] * s[1];
        A[2] -= w->l_ee[r] * s[1] * s[1];
    }
    const double apart = A[0] - A[2], gap = sqrt(apart * apart + 4 * A[1] * A[1]),
                 cos_twice = gap > 0 ? apart / gap : 1;
    v[0] = v[3] = sqrt(fmax(0, 0.5 * (1 + cos_twice)));
    v[1] = copysign(sqrt(fmax(0, 0.5 * (1 - cos_twice))), A[1]);
    v[2] = -v[1];
}

/* Nodes are `close` times as far apart as an sd, or as a move of eta by the stride,
   whichever is less: see leaf_nodes.c. */
static void set_steps(const dlpi_leaf_work *w, dlp_index g, double close, plane *p)
{
    const double *U = w->U, stride = 1.7;
    const dlp_index from = w->rows->begin[g], n = w->rows->begin[g + 1] - from;
    double v[4], s[2], most[2] = {0};
    find_directions(w, g, v);
    for (dlp_index r = 0; r < n; r++) {
        see_row(w, from + r, s);
        for (int i = 0; i < 2; i++)
            most[i] = fmax(most[i], fabs(dlpi_dot(2, v + 2 * i, s)));
    }
    p->log_w = -dlpi_half_log_det(2, U);
    for (int i = 0; i < 2; i++) {
        const double apart = close * fmin(1, most[i] > 0 ? stride / most[i] : INFINITY);
        double *to = i == 0 ? p->along : p->across;
        to[1] = apart * v[2 * i + 1] / U[3];
        to[0] = (apart * v[2 * i] - U[1] * to[1]) / U[0];
        p->log_w += log(apart);
    }
}

/* Adds nodes i, i + sign, ... of line j. Returns whether the last of them still counts. */
static bool visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g, double h0,
                  plane *p, int j, int i, int sign, int count, const dlpi_leaf *leaf)
{
    const int first = w->nodes;
    p->exhausted = p->exhausted || first + count > w->most_nodes;
    if (p->exhausted) return false;
    for (int k = 0; k < count; k++) {
        double *node = w->node + (first + k) * 2;
        for (int d = 0; d < 2; d++)
            node[d] = p->b[d] + (i + sign * k) * p->along[d] + j * p->across[d];
        w->log_w[first + k] = p->log_w;
    }
    w->nodes += count;
    dlpi_leaf_visit(w, prior, g, first, count, h0, leaf);
    for (int k = 0; k < count; k++) {
        const int at = i + sign * k;
        if (!(w->omega[first + k] > p->least)) continue;
        if (at < p->from) p->from = at;
        if (at > p->to) p->to = at;
    }
    return w->omega[w->nodes - 1] > p->least;
}

/* Line j, beginning with nodes `from` to `to`; false: none of them counts. */
static bool visit_line(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                       double h0, plane *p, int j, int from, int to,
                       const dlpi_leaf *leaf)
{
    p->from = to + 1;
    p->to = from - 1;
    (void)visit(w, prior, g, h0, p, j, from, 1, to - from + 1, leaf);
    for (int end = to; p->to == end; end += MORE)
        if (!visit(w, prior, g, h0, p, j, end + 1, 1, MORE, leaf)) break;
    for (int end = from; p->from == end; end -= MORE)
        if (!visit(w, prior, g, h0, p, j, end - 1, -1, MORE, leaf)) break;
    return p->from <= p->to && !p->exhausted;
}

/* Line after line, each as wide as the one before it and as much wider as needed. */
static void visit_lines(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        double h0, plane *p, const dlpi_leaf *leaf)
{
    if (!visit_line(w, prior, g, h0, p, 0, -FIRST, FIRST, leaf)) return;
    const int from = p->from, to = p->to;
    for (int side = -1; side <= 1; side += 2) {
        p->from = from;
        p->to = to;
        for (int j = side;
             visit_line(w, prior, g, h0, p, j, p->from - 1, p->to + 1, leaf); j += side) {
        }
    }
}

void dlpi_leaf_plane(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                     const double *b, double h0, double close, const dlpi_leaf *leaf)
{
    const double low = exp(-12.0 / close);
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    plane p = {.b = b, .exhausted = true};
    for (int i = 0; i < MOST_WIDENINGS && p.exhausted; i++, close *= 1.4) {
        set_steps(w, g, close, &p);
        p.least = low * exp(p.log_w);
        p.exhausted = false;
        w->nodes = 0;
        memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
        memset(w->E_ee, 0, (size_t)n * sizeof *w->E_ee);
        visit_lines(w, prior, g, h0, &p, leaf);
    }
}
