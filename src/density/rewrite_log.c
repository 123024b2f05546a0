/* SPDX-License-Identifier: BSD-3-Clause */
/* How logarithms are written: those of probabilities in both tails, of products, and of
   sums of exponentials. */
#include "density/builder.h"

#include <math.h>

static dlpi_expr log_of(dlpi_builder *b, dlpi_expr x)
{
    return dlpi_apply1(b, DLPI_OP_LOG, x);
}

static dlpi_expr times(dlpi_builder *b, double number, dlpi_expr x)
{
    return dlpi_apply2(b, DLPI_OP_MUL, dlpi_literal(b, number), x);
}

/* The logarithm of a probability; -1: x is not one that we know. */
static dlpi_expr log_probability(dlpi_builder *b, dlpi_op op, dlpi_expr u)
{
    if (op == DLPI_OP_ILOGIT) { /* -log(1 + e^-u) */
        const dlpi_expr minus = dlpi_apply1(b, DLPI_OP_NEG, u);
        const dlpi_expr log1p = dlpi_apply1(b, DLPI_OP_LOG1P_EXP, minus);
        return dlpi_apply1(b, DLPI_OP_NEG, log1p);
    }
    if (op == DLPI_OP_PHI) return dlpi_apply1(b, DLPI_OP_LOG_PHI, u);
    if (op == DLPI_OP_ICLOGLOG) { /* log(1 - exp(-e^u)) */
        const dlpi_expr minus =
            dlpi_apply1(b, DLPI_OP_NEG, dlpi_apply1(b, DLPI_OP_EXP, u));
        return dlpi_apply1(b, DLPI_OP_LOG1M_EXP, minus);
    }
    return -1;
}

/* log(1 - x), where x is an exponential. */
static dlpi_expr log_one_minus(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr log_x = dlpi_sum_log(b, x);
    return log_x >= 0 && b->built[x].has_exp ? dlpi_apply1(b, DLPI_OP_LOG1M_EXP, log_x)
                                             : -1;
}

/* log(u op v) from log u and log v, if u or v is known to be positive: then the other is,
   too, wherever the whole has a logarithm. */
static dlpi_expr log_product(dlpi_builder *b, const dlpi_expr_node *node)
{
    const dlpi_expr u = node->arg[0], v = node->arg[1];
    if (!dlpi_is_positive(b, u) && !dlpi_is_positive(b, v)) return -1;
    return dlpi_apply2(b, node->op == DLPI_OP_MUL ? DLPI_OP_ADD : DLPI_OP_SUB,
                       log_of(b, u), log_of(b, v));
}

dlpi_expr dlpi_log_rule(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr_node node = *dlpi_at(b, x);
    const dlpi_expr u = node.arg[0];
    double one;
    switch (node.op) {
    case DLPI_OP_EXP: return u;
    case DLPI_OP_SQRT: return times(b, 0.5, log_of(b, u));
    case DLPI_OP_SQUARE: return dlpi_is_positive(b, u) ? times(b, 2, log_of(b, u)) : -1;
    case DLPI_OP_POW:
        if (!dlpi_is_positive(b, u)) return -1;
        return dlpi_apply2(b, DLPI_OP_MUL, node.arg[1], log_of(b, u));
    case DLPI_OP_MUL:
    case DLPI_OP_DIV: return log_product(b, &node);
    case DLPI_OP_ADD: return dlpi_sum_log(b, x);
    case DLPI_OP_SUB:
        return dlpi_is_number(b, u, &one) && dlpi_is_positive(b, u) && one == 1
                   ? log_one_minus(b, node.arg[1])
                   : -1;
    case DLPI_OP_IFELSE:
        return dlpi_apply(b, DLPI_OP_IFELSE, u, log_of(b, node.arg[1]),
                          log_of(b, node.arg[2]));
    default: return log_probability(b, node.op, u);
    }
}

/* ---- sums of exponentials ---- */

static dlpi_expr sum_log_of(dlpi_builder *b, const dlpi_expr_node *node, bool *has_exp);

/* log(u op v), if both have one. */
static dlpi_expr combine(dlpi_builder *b, const dlpi_expr_node *node, bool *has_exp)
{
    const dlpi_expr log_u = dlpi_sum_log(b, node->arg[0]);
    const dlpi_expr log_v = log_u >= 0 ? dlpi_sum_log(b, node->arg[1]) : -1;
    if (log_v < 0) return -1;
    const bool exp_u = b->built[node->arg[0]].has_exp;
    const bool exp_v = b->built[node->arg[1]].has_exp;
    *has_exp = exp_u || exp_v;
    if (node->op == DLPI_OP_MUL) return dlpi_apply2(b, DLPI_OP_ADD, log_u, log_v);
    if (node->op == DLPI_OP_DIV) return dlpi_apply2(b, DLPI_OP_SUB, log_u, log_v);
    return *has_exp ? dlpi_apply2(b, DLPI_OP_LOG_ADD_EXP, log_u, log_v) : -1;
}

static dlpi_expr sum_log_of(dlpi_builder *b, const dlpi_expr_node *node, bool *has_exp)
{
    const dlpi_expr u = node->arg[0];
    switch (node->op) {
    case DLPI_OP_EXP: *has_exp = true; return u;
    case DLPI_OP_LITERAL:
        return node->number > 0
                   ? dlpi_literal(b, dlpi_op_value(DLPI_OP_LOG, node->number, 0, 0))
                   : -1;
    case DLPI_OP_ADD:
    case DLPI_OP_MUL:
    case DLPI_OP_DIV: return combine(b, node, has_exp);
    case DLPI_OP_SQRT:
    case DLPI_OP_SQUARE: {
        const dlpi_expr log_u = dlpi_sum_log(b, u);
        *has_exp = log_u >= 0 && b->built[u].has_exp;
        return log_u < 0 ? -1 : times(b, node->op == DLPI_OP_SQRT ? 0.5 : 2, log_u);
    }
    default: return log_probability(b, node->op, u);
    }
}

dlpi_expr dlpi_sum_log(dlpi_builder *b, dlpi_expr x)
{
    enum { DEEPEST = 200 }; /* terms of terms: a chain that long is left as it is */
    if (b->built[x].sum_log != DLPI_UNKNOWN) return b->built[x].sum_log;
    if (b->failed || b->depth >= DEEPEST) return -1;
    const dlpi_expr_node node = *dlpi_at(b, x);
    bool has_exp = false;
    b->depth++;
    dlpi_expr log = sum_log_of(b, &node, &has_exp);
    b->depth--;
    if (log < 0 && b->built[x].positive && node.op == DLPI_OP_CELL)
        log = dlpi_node_of(b, DLPI_OP_LOG, x, -1, -1);
    if (b->failed) return -1;
    b->built[x].sum_log = log;
    b->built[x].has_exp = has_exp;
    return log;
}
