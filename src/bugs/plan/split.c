/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/split.h"

#include "core/core.h"

/* What is still to be taken apart: by * e; by -1: e alone. */
typedef struct piece {
    dlpi_expr e, by;
} piece;

typedef struct splitting {
    dlpi_builder *b;
    dlp_index n, room;
    piece *stack;
    double number; /* the sum of the terms that are numbers */
    dlpi_terms *terms;
} splitting;

static bool is_sum(const dlpi_builder *b, dlpi_expr e)
{
    for (;;) {
        const dlpi_expr_node *const at = dlpi_builder_node(b, e);
        double number;
        if (at->op == DLPI_OP_ADD || at->op == DLPI_OP_SUB) return true;
        if (at->op == DLPI_OP_NEG || at->op == DLPI_OP_DIV)
            e = at->arg[0];
        else if (at->op == DLPI_OP_MUL)
            e = at->arg[dlpi_is_number(b, at->arg[0], &number) ? 1 : 0];
        else
            return false;
    }
}

static bool push(splitting *s, dlpi_expr e, dlpi_expr by)
{
    if (s->n == s->room) {
        const dlp_index room = 2 * s->room + 64;
        piece *to = realloc(s->stack, (size_t)room * sizeof *to);
        if (!to) return false;
        s->stack = to;
        s->room = room;
    }
    s->stack[s->n++] = (piece){e, by};
    return true;
}

static dlpi_expr times(splitting *s, dlpi_expr by, dlpi_expr e)
{
    return by < 0 ? e : dlpi_apply2(s->b, DLPI_OP_MUL, by, e);
}

static dlpi_expr negative(splitting *s, dlpi_expr by)
{
    return by < 0 ? dlpi_literal(s->b, -1) : dlpi_apply1(s->b, DLPI_OP_NEG, by);
}

static bool keep(splitting *s, dlpi_expr term)
{
    dlpi_terms *const t = s->terms;
    double number;
    if (dlpi_is_number(s->b, term, &number)) {
        s->number += number;
        return true;
    }
    if (t->n == t->room) {
        const dlp_index room = 2 * t->room + 64;
        dlpi_expr *to = realloc(t->of, (size_t)room * sizeof *to);
        if (!to) return false;
        t->of = to;
        t->room = room;
    }
    t->of[t->n++] = term;
    return true;
}

static bool take_apart(splitting *s, piece p)
{
    const dlpi_expr_node at = *dlpi_builder_node(s->b, p.e); /* nodes may move */
    switch (at.op) {
    case DLPI_OP_ADD: return push(s, at.arg[1], p.by) && push(s, at.arg[0], p.by);
    case DLPI_OP_SUB:
        return push(s, at.arg[1], negative(s, p.by)) && push(s, at.arg[0], p.by);
    case DLPI_OP_NEG: return push(s, at.arg[0], negative(s, p.by));
    case DLPI_OP_MUL:
        for (int i = 0; i < 2; i++)
            if (is_sum(s->b, at.arg[i]) && !is_sum(s->b, at.arg[1 - i]))
                return push(s, at.arg[i], times(s, p.by, at.arg[1 - i]));
        break;
    case DLPI_OP_DIV:
        if (is_sum(s->b, at.arg[0])) {
            const dlpi_expr by = p.by < 0 ? dlpi_literal(s->b, 1) : p.by;
            return push(s, at.arg[0], dlpi_apply2(s->b, DLPI_OP_DIV, by, at.arg[1]));
        }
        break;
    default: break;
    }
    return keep(s, times(s, p.by, p.e));
}

dlp_status dlpi_terms_of(dlpi_builder *builder, dlpi_expr sum, dlpi_terms *terms,
                         dlp_error *error)
{
    splitting s = {.b = builder, .terms = terms};
    const dlp_index first = terms->n;
    bool ok = push(&s, sum, -1);
    while (ok && s.n > 0) ok = take_apart(&s, s.stack[--s.n]);
    free(s.stack);
    if (ok && terms->n > first && s.number != 0)
        terms->of[first] = dlpi_apply2(builder, DLPI_OP_ADD, terms->of[first],
                                       dlpi_datum(builder, s.number));
    return ok && !dlpi_builder_failed(builder)
               ? DLP_OK
               : dlpi_no_memory(error, "the factors of the model");
}
