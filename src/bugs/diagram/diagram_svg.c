/* SPDX-License-Identifier: BSD-3-Clause */
/* A plate diagram as a picture. */
#include "bugs/diagram/diagram.h"
#include "core/core.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    char *at;
    size_t n, room;
    bool failed;
} text;

static void reserve(text *t, size_t more)
{
    if (t->n + more < t->room || t->failed) return;
    const size_t room = 2 * t->room + more + 4096;
    char *to = realloc(t->at, room);
    t->failed = !to;
    if (!to) return;
    t->at = to;
    t->room = room;
}

static void append(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void append(text *t, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const size_t n = length < 0                     ? 0
                     : (size_t)length < sizeof line ? (size_t)length
                                                    : sizeof line - 1;
    reserve(t, n + 1);
    if (t->failed) return;
    memcpy(t->at + t->n, line, n);
    t->n += n;
    t->at[t->n] = '\0';
}

/* Escapes characters that are special in XML, or not allowed. */
static void append_words(text *t, const char *words)
{
    for (; *words; words++) {
        const unsigned char c = (unsigned char)*words;
        if (c == '<')
            append(t, "&lt;");
        else if (c == '>')
            append(t, "&gt;");
        else if (c == '&')
            append(t, "&amp;");
        else if (c < 0x20 || c == 0x7F)
            append(t, "?");
        else
            append(t, "%c", c);
    }
}

/* ---- parts ---- */

static void draw_plate(text *t, const dlpi_drawn_plate *p)
{
    append(t,
           "<rect class=\"plate\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
           "rx=\"6\"/>\n<text class=\"index\" x=\"%.1f\" y=\"%.1f\">",
           p->left, p->top, p->right - p->left, p->bottom - p->top, p->right - 7,
           p->bottom - 7);
    append_words(t, p->label);
    append(t, "</text>\n");
}

/* From a node's centre towards (dx, dy): where its outline is. */
static void outline(const dlpi_drawn_node *n, double dx, double dy, double *x, double *y)
{
    double by;
    if (n->kind == DLPI_DRAWN_CONSTANT)
        by = fmin(n->rx / fmax(fabs(dx), 1e-9), n->ry / fmax(fabs(dy), 1e-9));
    else
        by = 1 / sqrt(dx * dx / (n->rx * n->rx) + dy * dy / (n->ry * n->ry) + 1e-18);
    *x = n->x + by * dx;
    *y = n->y + by * dy;
}

/* How far an arrow has to bend to get around what is in its way. */
static double bend(const dlpi_diagram *d, const dlpi_drawn_edge *e)
{
    const dlpi_drawn_node *a = &d->node[e->from], *b = &d->node[e->to];
    const double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy);
    for (int k = 0; k < d->n_nodes; k++) {
        const dlpi_drawn_node *c = &d->node[k];
        if (k == e->from || k == e->to) continue;
        const double t = ((c->x - a->x) * dx + (c->y - a->y) * dy) / (length * length);
        if (t <= 0.02 || t >= 0.98) continue;
        const double away = ((c->x - a->x) * dy - (c->y - a->y) * dx) / length;
        const double size = fabs(dy) > fabs(dx) ? c->rx : c->ry;
        if (fabs(away) > size + 3) continue;
        const double room = 2 * (size + 10 - fabs(away));
        return away > 0 ? -room : room;
    }
    return e->back ? 40 : 0;
}

static void draw_edge(text *t, const dlpi_diagram *d, const dlpi_drawn_edge *e)
{
    const dlpi_drawn_node *a = &d->node[e->from], *b = &d->node[e->to];
    const double dx = b->x - a->x, dy = b->y - a->y;
    const double length = sqrt(dx * dx + dy * dy), by = bend(d, e);
    if (!(length > 0)) return;
    const double mx = (a->x + b->x) / 2 + by * dy / length,
                 my = (a->y + b->y) / 2 - by * dx / length;
    double x0, y0, x1, y1;
    outline(a, mx - a->x, my - a->y, &x0, &y0);
    outline(b, mx - b->x, my - b->y, &x1, &y1);
    append(t, "<path class=\"edge\" d=\"M%.1f,%.1f", x0, y0);
    if (by != 0) append(t, " Q%.1f,%.1f", mx, my);
    append(t, " %s%.1f,%.1f\"/>\n", by != 0 ? "" : "L", x1, y1);
}

/* An arrow from a node to itself. */
static void draw_loop(text *t, const dlpi_drawn_node *n)
{
    append(t, "<path class=\"edge\" d=\"M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
           n->x + 0.75 * n->rx, n->y - 0.66 * n->ry, n->x + n->rx + 22, n->y - n->ry - 8,
           n->x + n->rx + 22, n->y + n->ry + 8, n->x + 0.75 * n->rx, n->y + 0.66 * n->ry);
}

/* The relation that defines it, as a tooltip. */
static void append_title(text *t, const dlpi_relation *r)
{
    char line[300];
    append(t, "<title>");
    if (r) {
        if (r->link) append(t, "%s(", dlpi_bugs_link_name[r->link]);
        dlpi_syntax_text(r->left, line, sizeof line);
        append_words(t, line);
        append(t, "%s %s ", r->link ? ")" : "", r->stochastic ? "~" : "&lt;-");
        dlpi_syntax_text(r->right, line, sizeof line);
        append_words(t, line);
        append(t, " (line %d)", r->place.line);
    } else {
        append(t, "data");
    }
    append(t, "</title>");
}

static void draw_node(text *t, const dlpi_drawn_node *n)
{
    const char *shade = n->observed == 0 ? "" : n->latent == 0 ? " observed" : " partly";
    append(t, "<g>");
    append_title(t, n->relation);
    if (n->kind == DLPI_DRAWN_CONSTANT)
        append(t,
               "<rect class=\"constant\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
               "height=\"%.1f\"/>",
               n->x - n->rx, n->y - n->ry, 2 * n->rx, 2 * n->ry);
    else
        append(
            t,
            "<ellipse class=\"%s%s\" cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\"/>",
            n->kind == DLPI_DRAWN_DETERMINISTIC ? "computed" : "node", shade, n->x, n->y,
            n->rx, n->ry);
    append(t, "<text x=\"%.1f\" y=\"%.1f\">", n->x, n->y + 4.5);
    append_words(t, n->name);
    append(t, "</text></g>\n");
}

static const char STYLE[] =
    "<style>\n"
    "text { font: 13px Helvetica, Arial, sans-serif; text-anchor: middle; fill: #111 }\n"
    "text.index { font-size: 11.5px; text-anchor: end; fill: #333 }\n"
    ".node, .computed { fill: #fff; stroke: #222; stroke-width: 1.3 }\n"
    ".computed { stroke-dasharray: 4 3 }\n"
    ".observed { fill: #cfd4da }\n"
    ".partly { fill: #ebedf0 }\n"
    ".constant { fill: #fff; stroke: #888; stroke-width: 1 }\n"
    ".plate { fill: none; stroke: #777; stroke-width: 1 }\n"
    ".edge { fill: none; stroke: #444; stroke-width: 1.1; marker-end: url(#arrow) }\n"
    "</style>\n"
    "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9.5\" refY=\"5\" "
    "markerWidth=\"7.5\" markerHeight=\"7.5\" orient=\"auto\">"
    "<path d=\"M0,1.2 L10,5 L0,8.8 z\" fill=\"#444\"/></marker></defs>\n";

dlp_status dlpi_diagram_svg(const dlpi_diagram *d, const char *title, char **out,
                            size_t *size, dlp_error *error)
{
    text t = {0};
    append(&t,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
           "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>Plate diagram of ",
           d->width, d->height, d->width, d->height);
    append_words(&t, title);
    append(&t, "</title>\n");
    reserve(&t, sizeof STYLE);
    append(&t, "%.*s", (int)(sizeof STYLE / 2), STYLE);
    append(&t, "%s", STYLE + sizeof STYLE / 2);
    append(&t, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    for (int i = 0; i < d->n_plates; i++)
        if (d->plate[i].rank[1] >= 0) draw_plate(&t, &d->plate[i]);
    for (int i = 0; i < d->n_edges; i++) draw_edge(&t, d, &d->edge[i]);
    for (int i = 0; i < d->n_nodes; i++) {
        if (d->node[i].itself) draw_loop(&t, &d->node[i]);
        draw_node(&t, &d->node[i]);
    }
    append(&t, "</svg>\n");
    if (t.failed) {
        free(t.at);
        return dlpi_no_memory(error, "the picture");
    }
    *out = t.at;
    *size = t.n;
    return DLP_OK;
}
