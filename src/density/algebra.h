/* SPDX-License-Identifier: BSD-3-Clause */
/* Short names, so that a log density in C reads as it does on paper. Internal. */
#ifndef DLPI_BUGS_ALGEBRA_H
#define DLPI_BUGS_ALGEBRA_H

#include "density/distribution.h"

#include <math.h>

static inline dlpi_expr num(dlpi_builder *b, double number)
{
    return dlpi_literal(b, number);
}

#define DLPI_UNARY(name, op)                                                             \
    static inline dlpi_expr name(dlpi_builder *b, dlpi_expr x)                           \
    {                                                                                    \
        return dlpi_apply1(b, op, x);                                                    \
    }
#define DLPI_BINARY(name, op)                                                            \
    static inline dlpi_expr name(dlpi_builder *b, dlpi_expr x, dlpi_expr y)              \
    {                                                                                    \
        return dlpi_apply2(b, op, x, y);                                                 \
    }
DLPI_UNARY(neg, DLPI_OP_NEG)
DLPI_UNARY(log_, DLPI_OP_LOG)
DLPI_UNARY(exp_, DLPI_OP_EXP)
DLPI_UNARY(sqrt_, DLPI_OP_SQRT)
DLPI_UNARY(square, DLPI_OP_SQUARE)
DLPI_UNARY(lgamma_, DLPI_OP_LGAMMA)
DLPI_UNARY(phi, DLPI_OP_PHI)
DLPI_UNARY(log_phi, DLPI_OP_LOG_PHI)
DLPI_UNARY(ilogit, DLPI_OP_ILOGIT)
DLPI_UNARY(log1p_exp, DLPI_OP_LOG1P_EXP)
DLPI_BINARY(add, DLPI_OP_ADD)
DLPI_BINARY(sub, DLPI_OP_SUB)
DLPI_BINARY(mul, DLPI_OP_MUL)
DLPI_BINARY(over, DLPI_OP_DIV)
#undef DLPI_UNARY
#undef DLPI_BINARY

/* c x, c + x, c - x */
static inline dlpi_expr times(dlpi_builder *b, double c, dlpi_expr x)
{
    return mul(b, num(b, c), x);
}
static inline dlpi_expr plus(dlpi_builder *b, double c, dlpi_expr x)
{
    return add(b, num(b, c), x);
}
static inline dlpi_expr minus_from(dlpi_builder *b, double c, dlpi_expr x)
{
    return sub(b, num(b, c), x);
}

static inline dlpi_expr if_else(dlpi_builder *b, dlpi_expr c, dlpi_expr x, dlpi_expr y)
{
    return dlpi_apply(b, DLPI_OP_IFELSE, c, x, y);
}
static inline dlpi_expr at_least(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    return dlpi_apply2(b, DLPI_OP_GREATER_EQUAL, x, y);
}
static inline dlpi_expr above(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    return dlpi_apply2(b, DLPI_OP_GREATER, x, y);
}
static inline dlpi_expr both(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    return dlpi_apply2(b, DLPI_OP_AND, x, y);
}

/* Sums as balanced trees: these are shallow, and rounding errors grow slowly. */
dlpi_expr dlpi_sum(dlpi_builder *b, dlp_index n, const dlpi_expr *x);
/* The same for any associative operation; n > 0. */
dlpi_expr dlpi_reduce(dlpi_builder *b, dlpi_op op, dlp_index n, const dlpi_expr *x);

/* A symmetric matrix as L D L', L with a unit diagonal; (n, n), in R's order. A matrix of
   numbers is factored numerically. */
typedef struct dlpi_ldl {
    dlp_index n;
    dlpi_expr *l, *d; /* (n, n), (n) */
} dlpi_ldl;
/* The values of n numbers, for the caller to free; NULL: not all are numbers, or no
   memory. */
double *dlpi_numbers(const dlpi_builder *b, dlp_index n, const dlpi_expr *x,
                     bool *literal);
dlpi_expr dlpi_number(dlpi_builder *b, double number, bool literal);
/* The same factorisation of numbers, in place: L below the diagonal, D on it. */
void dlpi_ldl_numbers(dlpi_builder *builder, dlp_index n, double *a);
dlp_status dlpi_ldl_make(dlpi_builder *b, dlp_index n, const dlpi_expr *a, dlpi_ldl *f);
/* log |A| */
dlpi_expr dlpi_ldl_log_det(dlpi_builder *b, const dlpi_ldl *f);
/* x' A^-1 x */
dlpi_expr dlpi_ldl_inverse_form(dlpi_builder *b, const dlpi_ldl *f, const dlpi_expr *x);
/* x' A x of a symmetric matrix. */
dlpi_expr dlpi_quadratic_form(dlpi_builder *b, dlp_index n, const dlpi_expr *a,
                              const dlpi_expr *x);

/* The logarithms of n weights and of their sum, both without any factor that all weights
   share. NULL: out of memory. */
dlpi_expr *dlpi_log_weights(dlpi_builder *b, dlp_index n, const dlpi_expr *w,
                            dlpi_expr *log_sum);

#endif
