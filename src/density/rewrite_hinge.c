/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hinges: u step(u) has a kink but no jump, and is rewritten as max(0, u). This way a
 * line that bends at an unknown place, b (x - k) step(x - k), has a density that can be
 * integrated.
 */
#include "density/builder.h"

enum { MOST_FACTORS = 12 };

typedef struct product {
    dlpi_expr factor[MOST_FACTORS];
    int n;
    bool whole; /* all factors are there */
} product;

static void flatten(const dlpi_builder *b, dlpi_expr e, product *p)
{
    const dlpi_expr_node *node = dlpi_at(b, e);
    if (p->n == MOST_FACTORS) {
        p->whole = false;
    } else if (node->op == DLPI_OP_MUL) {
        flatten(b, node->arg[0], p);
        flatten(b, node->arg[1], p);
    } else {
        p->factor[p->n++] = e;
    }
}

/* Whether e is 1 where u >= 0 (or u > 0) and 0 elsewhere; *below: the other way round. */
static bool is_condition(dlpi_builder *b, dlpi_expr e, dlpi_expr *u, bool *below)
{
    const dlpi_expr_node node = *dlpi_at(b, e);
    double one;
    const bool not = node.op == DLPI_OP_NOT;
    if (not || (node.op == DLPI_OP_SUB && dlpi_is_number(b, node.arg[0], &one) &&
                dlpi_at(b, node.arg[0])->op == DLPI_OP_LITERAL && one == 1)) {
        if (!is_condition(b, node.arg[not ? 0 : 1], u, below)) return false;
        *below = !*below;
        return true;
    }
    *below = false;
    if (node.op == DLPI_OP_STEP)
        *u = node.arg[0];
    else if (node.op == DLPI_OP_GREATER || node.op == DLPI_OP_GREATER_EQUAL)
        *u = dlpi_apply2(b, DLPI_OP_SUB, node.arg[0], node.arg[1]);
    else
        return false;
    return true;
}

/* The product without factor `without`, and with factor `at`, which is u or -u, replaced
   by a hinge, max(0, u) or min(0, u). */
static dlpi_expr with_hinge(dlpi_builder *b, const product *p, int without, int at,
                            dlpi_expr u, bool below)
{
    dlpi_expr e =
        dlpi_apply2(b, below ? DLPI_OP_MIN : DLPI_OP_MAX, dlpi_literal(b, 0), u);
    if (p->factor[at] != u) e = dlpi_apply1(b, DLPI_OP_NEG, e);
    for (int i = 0; i < p->n; i++)
        if (i != without && i != at) e = dlpi_apply2(b, DLPI_OP_MUL, p->factor[i], e);
    return e;
}

static int find_factor(dlpi_builder *b, const product *p, dlpi_expr u)
{
    const dlpi_expr minus = dlpi_apply1(b, DLPI_OP_NEG, u);
    for (int i = 0; i < p->n; i++)
        if (p->factor[i] == u || p->factor[i] == minus) return i;
    return -1;
}

/* c ? y : z, times u: y max(0, u) + z min(0, u) where c says that u is positive. */
static dlpi_expr choice(dlpi_builder *b, product *p, int at, dlpi_expr u, int place,
                        bool below)
{
    const dlpi_expr_node node = *dlpi_at(b, p->factor[at]);
    dlpi_expr e = dlpi_literal(b, 0);
    for (int i = 1; i <= 2; i++) {
        const dlpi_expr hinge = with_hinge(b, p, at, place, u, below == (i == 1));
        e = dlpi_apply2(b, DLPI_OP_ADD, e,
                        dlpi_apply2(b, DLPI_OP_MUL, node.arg[i], hinge));
    }
    return e;
}

dlpi_expr dlpi_hinge_rule(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    product p = {.whole = true};
    flatten(b, x, &p);
    flatten(b, y, &p);
    for (int i = 0; p.whole && i < p.n; i++) {
        dlpi_expr u;
        bool below;
        const dlpi_expr_node node = *dlpi_at(b, p.factor[i]);
        const bool chooses = node.op == DLPI_OP_IFELSE;
        if (!is_condition(b, chooses ? node.arg[0] : p.factor[i], &u, &below)) continue;
        const int place = find_factor(b, &p, u);
        if (place < 0 || place == i) continue;
        return chooses ? choice(b, &p, i, u, place, below)
                       : with_hinge(b, &p, i, place, u, below);
    }
    return -1;
}

/* number == first + c with a condition c, as in an index 1 + step(u): c, not c, or 0. */
dlpi_expr dlpi_equals_rule(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    const dlpi_expr_node node = *dlpi_at(b, y);
    double number, first = 0;
    dlpi_expr u, c = y;
    bool below;
    if (!dlpi_is_number(b, x, &number)) return -1;
    if (node.op == DLPI_OP_ADD && dlpi_is_number(b, node.arg[0], &first)) c = node.arg[1];
    if (!is_condition(b, c, &u, &below)) return -1;
    if (number == first + 1) return c;
    if (number == first) return dlpi_apply1(b, DLPI_OP_NOT, c);
    return dlpi_literal(b, 0);
}
