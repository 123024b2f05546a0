/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the operations of expressions, their numbers of arguments, and their
   values. */
#include "density/expression.h"
#include "density/jet.h"

#include <math.h>

typedef struct operation {
    const char *name;
    int arity;
    bool smooth;
} operation;

static const operation table[DLPI_N_OPS] = {
    [DLPI_OP_LITERAL] = {"number", 0, true},
    [DLPI_OP_DATA] = {"datum", 0, true},
    [DLPI_OP_CELL] = {"cell", 0, true},
    [DLPI_OP_ADD] = {"+", 2, true},
    [DLPI_OP_SUB] = {"-", 2, true},
    [DLPI_OP_MUL] = {"*", 2, true},
    [DLPI_OP_DIV] = {"/", 2, true},
    [DLPI_OP_NEG] = {"neg", 1, true},
    [DLPI_OP_POW] = {"pow", 2, true},
    [DLPI_OP_EXP] = {"exp", 1, true},
    [DLPI_OP_LOG] = {"log", 1, true},
    [DLPI_OP_SQRT] = {"sqrt", 1, true},
    [DLPI_OP_SQUARE] = {"square", 1, true},
    [DLPI_OP_LOG1P_EXP] = {"log1p_exp", 1, true},
    [DLPI_OP_ILOGIT] = {"ilogit", 1, true},
    [DLPI_OP_LOGIT] = {"logit", 1, true},
    [DLPI_OP_LOG1M_EXP] = {"log1m_exp", 1, true},
    [DLPI_OP_LOG_ADD_EXP] = {"log_add_exp", 2, true},
    [DLPI_OP_PHI] = {"phi", 1, true},
    [DLPI_OP_LOG_PHI] = {"log_phi", 1, true},
    [DLPI_OP_PROBIT] = {"probit", 1, true},
    [DLPI_OP_CLOGLOG] = {"cloglog", 1, true},
    [DLPI_OP_ICLOGLOG] = {"icloglog", 1, true},
    [DLPI_OP_LGAMMA] = {"loggam", 1, true},
    [DLPI_OP_DIGAMMA] = {"digamma", 1, true},
    [DLPI_OP_SIN] = {"sin", 1, true},
    [DLPI_OP_COS] = {"cos", 1, true},
    [DLPI_OP_TAN] = {"tan", 1, true},
    [DLPI_OP_ATAN] = {"arctan", 1, true},
    [DLPI_OP_LOG1P_RATIO] = {"log1p_ratio", 1, true},
    [DLPI_OP_ASIN] = {"arcsin", 1, true},
    [DLPI_OP_ACOS] = {"arccos", 1, true},
    [DLPI_OP_SINH] = {"sinh", 1, true},
    [DLPI_OP_COSH] = {"cosh", 1, true},
    [DLPI_OP_TANH] = {"tanh", 1, true},
    [DLPI_OP_P_GAMMA] = {"p_gamma", 2, true},
    [DLPI_OP_Q_GAMMA] = {"q_gamma", 2, true},
    [DLPI_OP_P_BETA] = {"p_beta", 3, true},
    [DLPI_OP_ABS] = {"abs", 1, false},
    [DLPI_OP_MAX] = {"max", 2, false},
    [DLPI_OP_MIN] = {"min", 2, false},
    [DLPI_OP_STEP] = {"step", 1, false},
    [DLPI_OP_EQUALS] = {"equals", 2, false},
    [DLPI_OP_GREATER] = {">", 2, false},
    [DLPI_OP_GREATER_EQUAL] = {">=", 2, false},
    [DLPI_OP_AND] = {"&&", 2, false},
    [DLPI_OP_OR] = {"||", 2, false},
    [DLPI_OP_NOT] = {"!", 1, false},
    [DLPI_OP_IFELSE] = {"ifelse", 3, false},
    [DLPI_OP_ROUND] = {"round", 1, false},
    [DLPI_OP_TRUNC] = {"trunc", 1, false},
    [DLPI_OP_FLOOR] = {"floor", 1, false},
};

int dlpi_op_arity(dlpi_op op)
{
    return table[op].arity;
}

const char *dlpi_op_name(dlpi_op op)
{
    return table[op].name;
}

bool dlpi_op_is_smooth(dlpi_op op)
{
    return table[op].smooth;
}

double dlpi_op_value(dlpi_op op, double a, double b, double c)
{
    double value = a;
    switch (op) {
    case DLPI_OP_ADD: return a + b;
    case DLPI_OP_SUB: return a - b;
    case DLPI_OP_MUL: return dlpi_times(a, b);
    case DLPI_OP_DIV: return a / b;
    case DLPI_OP_NEG: return -a;
    case DLPI_OP_POW: return dlpi_power(a, b);
    case DLPI_OP_LOG_ADD_EXP: return dlpi_log_add_exp(a, b);
    case DLPI_OP_P_GAMMA: return dlpi_p_gamma(a, b);
    case DLPI_OP_Q_GAMMA: return dlpi_q_gamma(a, b);
    case DLPI_OP_P_BETA: return dlpi_p_beta(a, b, c);
    case DLPI_OP_MAX: return isnan(a) || a > b ? a : b;
    case DLPI_OP_MIN: return isnan(a) || a < b ? a : b;
    case DLPI_OP_EQUALS: return a == b;
    case DLPI_OP_GREATER: return a > b;
    case DLPI_OP_GREATER_EQUAL: return a >= b;
    case DLPI_OP_AND: return a != 0 && b != 0;
    case DLPI_OP_OR: return a != 0 || b != 0;
    case DLPI_OP_IFELSE: return a != 0 ? b : c;
    default: dlpi_jet_unary(op, 1, &a, 0, &value, NULL, NULL, NULL); return value;
    }
}
