/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an operation of expressions is written: folded where its arguments are numbers, and
 * otherwise in the form that keeps digits and that most models share.
 *
 * The result must not depend on the values of data, or the instances of one relation
 * would have different shapes: literals may vanish (x + 0, x * 1), data may not. Two
 * rules hold only where both sides have values: a product with the literal 0 is 0, though
 * the other factor may be infinite (y log p with y = p = 0 counts as 0 in a log density),
 * and the square of a root is its argument, though that may be negative.
 */
#include "density/builder.h"

#include <math.h>

enum { DEEPEST = 200 }; /* of rules that call one another; beyond, none is applied */

static dlpi_expr neg(dlpi_builder *b, dlpi_expr x)
{
    return dlpi_apply1(b, DLPI_OP_NEG, x);
}

static bool is_literal(const dlpi_builder *b, dlpi_expr e, double number)
{
    const dlpi_expr_node *node = dlpi_at(b, e);
    return node->op == DLPI_OP_LITERAL && node->number == number;
}

static bool any_literal(const dlpi_builder *b, dlpi_expr e, double *number)
{
    const dlpi_expr_node *node = dlpi_at(b, e);
    *number = node->number;
    return node->op == DLPI_OP_LITERAL;
}

/* u, if x is op(u); else -1. */
static dlpi_expr inside(const dlpi_builder *b, dlpi_op op, dlpi_expr x)
{
    const dlpi_expr_node *node = dlpi_at(b, x);
    return node->op == op ? node->arg[0] : -1;
}

/* u, if x is 1/u; else -1. */
static dlpi_expr reciprocal(const dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr_node *node = dlpi_at(b, x);
    return node->op == DLPI_OP_DIV && is_literal(b, node->arg[0], 1) ? node->arg[1] : -1;
}

/* ---- sums ---- */

/* number + (number + u) and the like. */
static dlpi_expr add_number(dlpi_builder *b, dlpi_expr number, dlpi_expr x)
{
    const dlpi_expr_node node = *dlpi_at(b, x);
    if (node.op != DLPI_OP_ADD && node.op != DLPI_OP_SUB) return -1;
    const dlpi_op op = node.op;
    if (dlpi_is_number(b, node.arg[0], NULL)) /* c + (d +- u) */
        return dlpi_apply2(b, op, dlpi_apply2(b, DLPI_OP_ADD, number, node.arg[0]),
                           node.arg[1]);
    if (dlpi_is_number(b, node.arg[1], NULL)) /* c + (u +- d) */
        return dlpi_apply2(b, DLPI_OP_ADD, dlpi_apply2(b, op, number, node.arg[1]),
                           node.arg[0]);
    return -1;
}

static dlpi_expr rule_add(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    if (is_literal(b, x, 0)) return y;
    if (is_literal(b, y, 0)) return x;
    if (x == y) return dlpi_apply2(b, DLPI_OP_MUL, dlpi_literal(b, 2), x);
    const dlpi_expr minus_x = inside(b, DLPI_OP_NEG, x);
    const dlpi_expr minus_y = inside(b, DLPI_OP_NEG, y);
    if (minus_y >= 0) return dlpi_apply2(b, DLPI_OP_SUB, x, minus_y);
    if (minus_x >= 0) return dlpi_apply2(b, DLPI_OP_SUB, y, minus_x);
    if (dlpi_is_number(b, x, NULL)) return add_number(b, x, y);
    if (dlpi_is_number(b, y, NULL)) return add_number(b, y, x);
    return -1;
}

/* 1 - y, without a difference */
static dlpi_expr one_minus(dlpi_builder *b, dlpi_expr y)
{
    const dlpi_expr_node node = *dlpi_at(b, y);
    const dlpi_expr u = node.arg[0];
    if (node.op == DLPI_OP_ILOGIT || node.op == DLPI_OP_PHI)
        return dlpi_apply1(b, node.op, neg(b, u));
    if (node.op == DLPI_OP_ICLOGLOG) /* exp(-exp(u)) */
        return dlpi_apply1(b, DLPI_OP_EXP, neg(b, dlpi_apply1(b, DLPI_OP_EXP, u)));
    if (node.op == DLPI_OP_SUB && is_literal(b, u, 1)) return node.arg[1];
    if (node.op == DLPI_OP_EXP) {
        const dlpi_expr minus = inside(b, DLPI_OP_NEG, u);
        const dlpi_expr v = minus >= 0 ? inside(b, DLPI_OP_EXP, minus) : -1;
        if (v >= 0) return dlpi_apply1(b, DLPI_OP_ICLOGLOG, v);
    }
    if (node.op == DLPI_OP_P_GAMMA)
        return dlpi_apply2(b, DLPI_OP_Q_GAMMA, u, node.arg[1]);
    if (node.op == DLPI_OP_Q_GAMMA)
        return dlpi_apply2(b, DLPI_OP_P_GAMMA, u, node.arg[1]);
    return -1;
}

static dlpi_expr rule_sub(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    if (is_literal(b, y, 0)) return x;
    if (is_literal(b, x, 0)) return neg(b, y);
    if (x == y) return dlpi_literal(b, 0);
    const dlpi_expr minus_x = inside(b, DLPI_OP_NEG, x);
    const dlpi_expr minus_y = inside(b, DLPI_OP_NEG, y);
    if (minus_y >= 0) return dlpi_apply2(b, DLPI_OP_ADD, x, minus_y);
    if (minus_x >= 0) return neg(b, dlpi_apply2(b, DLPI_OP_ADD, minus_x, y));
    if (is_literal(b, x, 1)) return one_minus(b, y);
    return -1;
}

static dlpi_expr rule_neg(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr_node node = *dlpi_at(b, x);
    if (node.op == DLPI_OP_NEG) return node.arg[0];
    if (node.op == DLPI_OP_SUB)
        return dlpi_apply2(b, DLPI_OP_SUB, node.arg[1], node.arg[0]);
    const bool product = node.op == DLPI_OP_MUL || node.op == DLPI_OP_DIV;
    if (product && dlpi_is_number(b, node.arg[0], NULL))
        return dlpi_apply2(b, node.op, neg(b, node.arg[0]), node.arg[1]);
    if (product && dlpi_is_number(b, node.arg[1], NULL))
        return dlpi_apply2(b, node.op, node.arg[0], neg(b, node.arg[1]));
    return -1;
}

/* ---- products ---- */

/* number * x, where x has a number in front, too. */
static dlpi_expr mul_number(dlpi_builder *b, dlpi_expr number, dlpi_expr x)
{
    if (is_literal(b, number, 0)) return number;
    if (is_literal(b, number, 1)) return x;
    if (is_literal(b, number, -1)) return neg(b, x);
    const dlpi_expr_node node = *dlpi_at(b, x);
    const bool product = node.op == DLPI_OP_MUL || node.op == DLPI_OP_DIV;
    for (int i = 0; product && i < (node.op == DLPI_OP_MUL ? 2 : 1); i++)
        if (dlpi_is_number(b, node.arg[i], NULL))
            return dlpi_apply2(b, node.op,
                               dlpi_apply2(b, DLPI_OP_MUL, number, node.arg[i]),
                               node.arg[1 - i]);
    if (node.op == DLPI_OP_SUB && is_literal(b, number, -1)) return neg(b, x);
    return -1;
}

static dlpi_expr rule_mul(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    if (x == y) return dlpi_apply1(b, DLPI_OP_SQUARE, x);
    const dlpi_expr minus_x = inside(b, DLPI_OP_NEG, x);
    const dlpi_expr minus_y = inside(b, DLPI_OP_NEG, y);
    if (minus_x >= 0) return neg(b, dlpi_apply2(b, DLPI_OP_MUL, minus_x, y));
    if (minus_y >= 0) return neg(b, dlpi_apply2(b, DLPI_OP_MUL, x, minus_y));
    dlpi_expr e = -1;
    if (dlpi_is_number(b, x, NULL)) e = mul_number(b, x, y);
    if (e < 0 && dlpi_is_number(b, y, NULL)) e = mul_number(b, y, x);
    if (e >= 0) return e;
    const dlpi_expr one_over_x = reciprocal(b, x), one_over_y = reciprocal(b, y);
    if (one_over_x >= 0) return dlpi_apply2(b, DLPI_OP_DIV, y, one_over_x);
    if (one_over_y >= 0) return dlpi_apply2(b, DLPI_OP_DIV, x, one_over_y);
    const dlpi_expr log_x = inside(b, DLPI_OP_EXP, x), log_y = inside(b, DLPI_OP_EXP, y);
    if (log_x >= 0 && log_y >= 0)
        return dlpi_apply1(b, DLPI_OP_EXP, dlpi_apply2(b, DLPI_OP_ADD, log_x, log_y));
    return dlpi_hinge_rule(b, x, y);
}

/* x / y = exp(log x - log y), where y is a sum of exponentials: softmax. */
static dlpi_expr softmax(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    if (dlpi_at(b, y)->op != DLPI_OP_ADD) return -1;
    const dlpi_expr log_y = dlpi_sum_log(b, y);
    const dlpi_expr log_x = log_y >= 0 ? dlpi_sum_log(b, x) : -1;
    if (log_x < 0) return -1;
    const dlpi_expr u = inside(b, DLPI_OP_LOG1P_EXP, log_y);
    if (u >= 0 && log_x == u) return dlpi_apply1(b, DLPI_OP_ILOGIT, u);
    if (u >= 0 && is_literal(b, log_x, 0))
        return dlpi_apply1(b, DLPI_OP_ILOGIT, neg(b, u));
    return dlpi_apply1(b, DLPI_OP_EXP, dlpi_apply2(b, DLPI_OP_SUB, log_x, log_y));
}

static dlpi_expr rule_div(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    double divisor;
    if (is_literal(b, y, 1) || is_literal(b, x, 0)) return x;
    if (x == y) return dlpi_literal(b, 1);
    if (any_literal(b, y, &divisor) && fabs(frexp(divisor, &(int){0})) == 0.5)
        return dlpi_apply2(b, DLPI_OP_MUL, x, dlpi_literal(b, 1 / divisor));
    const dlpi_expr minus_x = inside(b, DLPI_OP_NEG, x);
    const dlpi_expr minus_y = inside(b, DLPI_OP_NEG, y);
    if (minus_x >= 0) return neg(b, dlpi_apply2(b, DLPI_OP_DIV, minus_x, y));
    if (minus_y >= 0) return neg(b, dlpi_apply2(b, DLPI_OP_DIV, x, minus_y));
    const dlpi_expr_node over = *dlpi_at(b, y);
    if (over.op == DLPI_OP_EXP)
        return dlpi_apply2(b, DLPI_OP_MUL, x,
                           dlpi_apply1(b, DLPI_OP_EXP, neg(b, over.arg[0])));
    if (over.op == DLPI_OP_DIV && dlpi_is_number(b, over.arg[0], NULL))
        return dlpi_apply2(b, DLPI_OP_DIV, dlpi_apply2(b, DLPI_OP_MUL, x, over.arg[1]),
                           over.arg[0]);
    return softmax(b, x, y);
}

/* ---- powers ---- */

static dlpi_expr one_over(dlpi_builder *b, dlpi_expr x)
{
    return dlpi_apply2(b, DLPI_OP_DIV, dlpi_literal(b, 1), x);
}

static dlpi_expr literal_power(dlpi_builder *b, dlpi_expr x, double p)
{
    if (p == 0) return dlpi_literal(b, 1);
    if (p == 1) return x;
    const dlpi_expr under = inside(b, DLPI_OP_SQRT, x);
    if (under >= 0) return dlpi_apply2(b, DLPI_OP_POW, under, dlpi_literal(b, p / 2));
    if (p == 0.5) return dlpi_apply1(b, DLPI_OP_SQRT, x);
    if (p == 2) return dlpi_apply1(b, DLPI_OP_SQUARE, x);
    if (p == 3) return dlpi_apply2(b, DLPI_OP_MUL, x, dlpi_apply1(b, DLPI_OP_SQUARE, x));
    if (p == 4) return literal_power(b, dlpi_apply1(b, DLPI_OP_SQUARE, x), 2);
    if (p == -0.5 || p == -1 || p == -2 || p == -3 || p == -4)
        return one_over(b, literal_power(b, x, -p));
    return -1;
}

/* A power whose exponent is not a number becomes an exponential: x^y = exp(y log x). */
static dlpi_expr rule_pow(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    double p;
    const dlpi_expr log_x = inside(b, DLPI_OP_EXP, x);
    if (log_x >= 0)
        return dlpi_apply1(b, DLPI_OP_EXP, dlpi_apply2(b, DLPI_OP_MUL, log_x, y));
    if (any_literal(b, y, &p)) return literal_power(b, x, p);
    if (dlpi_is_number(b, y, NULL)) return -1;
    const dlpi_expr log = dlpi_apply1(b, DLPI_OP_LOG, x);
    return dlpi_apply1(b, DLPI_OP_EXP, dlpi_apply2(b, DLPI_OP_MUL, y, log));
}

static dlpi_expr rule_sqrt(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr square = inside(b, DLPI_OP_SQUARE, x);
    if (square >= 0 && dlpi_is_positive(b, square)) return square;
    const dlpi_expr u = reciprocal(b, x), log = inside(b, DLPI_OP_EXP, x);
    if (u >= 0) return one_over(b, dlpi_apply1(b, DLPI_OP_SQRT, u));
    if (log >= 0)
        return dlpi_apply1(b, DLPI_OP_EXP,
                           dlpi_apply2(b, DLPI_OP_MUL, dlpi_literal(b, 0.5), log));
    return -1;
}

static dlpi_expr rule_square(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr_node node = *dlpi_at(b, x);
    if (node.op == DLPI_OP_NEG || node.op == DLPI_OP_ABS)
        return dlpi_apply1(b, DLPI_OP_SQUARE, node.arg[0]);
    if (node.op == DLPI_OP_SQRT) return node.arg[0];
    if (node.op == DLPI_OP_EXP)
        return dlpi_apply1(b, DLPI_OP_EXP,
                           dlpi_apply2(b, DLPI_OP_MUL, dlpi_literal(b, 2), node.arg[0]));
    const dlpi_expr u = reciprocal(b, x);
    if (u >= 0) return one_over(b, dlpi_apply1(b, DLPI_OP_SQUARE, u));
    return -1;
}

/* ---- functions and their inverses ---- */

static dlpi_expr rule_exp(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr_node node = *dlpi_at(b, x);
    double p;
    if (node.op == DLPI_OP_LOG) return node.arg[0];
    if (node.op == DLPI_OP_LOG_PHI) return dlpi_apply1(b, DLPI_OP_PHI, node.arg[0]);
    if (node.op == DLPI_OP_NEG) {
        const dlpi_expr u = inside(b, DLPI_OP_LOG, node.arg[0]);
        const dlpi_expr v = inside(b, DLPI_OP_LOG1P_EXP, node.arg[0]);
        if (u >= 0) return one_over(b, u);
        if (v >= 0) return dlpi_apply1(b, DLPI_OP_ILOGIT, neg(b, v));
    }
    if (node.op == DLPI_OP_MUL && any_literal(b, node.arg[0], &p)) {
        const dlpi_expr u = inside(b, DLPI_OP_LOG, node.arg[1]);
        if (u >= 0) return dlpi_apply2(b, DLPI_OP_POW, u, node.arg[0]);
    }
    return -1;
}

static dlpi_expr rule_inverse(dlpi_builder *b, dlpi_op op, dlpi_expr x)
{
    static const dlpi_op inverse[DLPI_N_OPS] = {
        [DLPI_OP_ILOGIT] = DLPI_OP_LOGIT,     [DLPI_OP_LOGIT] = DLPI_OP_ILOGIT,
        [DLPI_OP_PHI] = DLPI_OP_PROBIT,       [DLPI_OP_PROBIT] = DLPI_OP_PHI,
        [DLPI_OP_ICLOGLOG] = DLPI_OP_CLOGLOG, [DLPI_OP_CLOGLOG] = DLPI_OP_ICLOGLOG,
    };
    return inverse[op] ? inside(b, inverse[op], x) : -1;
}

static dlpi_expr rule_log_add_exp(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    if (is_literal(b, x, -INFINITY)) return y;
    if (is_literal(b, y, -INFINITY)) return x;
    if (is_literal(b, x, 0)) return dlpi_apply1(b, DLPI_OP_LOG1P_EXP, y);
    if (is_literal(b, y, 0)) return dlpi_apply1(b, DLPI_OP_LOG1P_EXP, x);
    return -1;
}

static dlpi_expr rule_abs(dlpi_builder *b, dlpi_expr x)
{
    const dlpi_expr minus = inside(b, DLPI_OP_NEG, x);
    if (dlpi_is_positive(b, x)) return x;
    return minus >= 0 ? dlpi_apply1(b, DLPI_OP_ABS, minus) : -1;
}

static dlpi_expr rule_ifelse(dlpi_builder *b, dlpi_expr x, dlpi_expr y, dlpi_expr z)
{
    const dlpi_expr contrary = inside(b, DLPI_OP_NOT, x);
    if (y == z) return y;
    return contrary >= 0 ? dlpi_apply(b, DLPI_OP_IFELSE, contrary, z, y) : -1;
}

static dlpi_expr rule(dlpi_builder *b, dlpi_op op, dlpi_expr x, dlpi_expr y, dlpi_expr z)
{
    switch (op) {
    case DLPI_OP_ADD: return rule_add(b, x, y);
    case DLPI_OP_SUB: return rule_sub(b, x, y);
    case DLPI_OP_NEG: return rule_neg(b, x);
    case DLPI_OP_MUL: return rule_mul(b, x, y);
    case DLPI_OP_DIV: return rule_div(b, x, y);
    case DLPI_OP_POW: return rule_pow(b, x, y);
    case DLPI_OP_SQRT: return rule_sqrt(b, x);
    case DLPI_OP_SQUARE: return rule_square(b, x);
    case DLPI_OP_EXP: return rule_exp(b, x);
    case DLPI_OP_LOG: return dlpi_log_rule(b, x);
    case DLPI_OP_LOG_ADD_EXP: return rule_log_add_exp(b, x, y);
    case DLPI_OP_ABS: return rule_abs(b, x);
    case DLPI_OP_MAX:
    case DLPI_OP_MIN: return x == y ? x : -1;
    case DLPI_OP_EQUALS: return dlpi_equals_rule(b, x, y);
    case DLPI_OP_IFELSE: return rule_ifelse(b, x, y, z);
    default: return rule_inverse(b, op, x);
    }
}

/* ---- numbers ---- */

/* A number, if all arguments are numbers; otherwise -1. A condition that is a number
   selects a branch. */
static dlpi_expr fold(dlpi_builder *b, dlpi_op op, const dlpi_expr arg[3])
{
    double v[3] = {0};
    bool literal = true;
    const int arity = dlpi_op_arity(op);
    if (op == DLPI_OP_IFELSE && dlpi_is_number(b, arg[0], &v[0]) && !isnan(v[0]))
        return v[0] != 0 ? arg[1] : arg[2];
    for (int i = 0; i < 3 && i < arity; i++) {
        if (!dlpi_is_number(b, arg[i], &v[i])) return -1;
        literal = literal && dlpi_at(b, arg[i])->op == DLPI_OP_LITERAL;
    }
    const double value = dlpi_op_value(op, v[0], v[1], v[2]);
    return literal ? dlpi_literal(b, value) : dlpi_folded(b, op, arg, value);
}

static bool commutes(dlpi_op op)
{
    switch (op) {
    case DLPI_OP_ADD:
    case DLPI_OP_MUL:
    case DLPI_OP_LOG_ADD_EXP:
    case DLPI_OP_MAX:
    case DLPI_OP_MIN:
    case DLPI_OP_EQUALS:
    case DLPI_OP_AND:
    case DLPI_OP_OR: return true;
    default: return false;
    }
}

/* Numbers come first, then the others in the order in which they were made. */
static bool in_order(const dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    const bool number_x = dlpi_is_number(b, x, NULL);
    return number_x != dlpi_is_number(b, y, NULL) ? number_x : x <= y;
}

dlpi_expr dlpi_apply(dlpi_builder *b, dlpi_op op, dlpi_expr x, dlpi_expr y, dlpi_expr z)
{
    if (b->failed) return 0;
    if (commutes(op) && !in_order(b, x, y)) {
        const dlpi_expr first = y;
        y = x;
        x = first;
    }
    dlpi_expr e = fold(b, op, (dlpi_expr[3]){x, y, z});
    if (e < 0 && b->depth < DEEPEST) {
        b->depth++;
        e = rule(b, op, x, y, z);
        b->depth--;
    }
    return e >= 0 ? e : dlpi_node_of(b, op, x, y, z);
}
