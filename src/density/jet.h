/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and derivatives of the operations; for program runs. Internal. */
#ifndef DLPI_BUGS_JET_H
#define DLPI_BUGS_JET_H

#include "density/expression.h"

/* ---- of one number: the values of operations with two or three arguments ---- */

/* a b, but 0 times infinity is 0: y log p with y = p = 0. */
static inline double dlpi_times(double a, double b)
{
    const double product = a * b;
    return product != product && a == a && b == b ? 0 : product;
}

double dlpi_power(double x, double p);
double dlpi_log_add_exp(double a, double b);
double dlpi_p_gamma(double x, double a);
double dlpi_q_gamma(double x, double a);
double dlpi_p_beta(double x, double a, double b);

/* ---- of many ---- */

/* v = f(x) and its derivatives up to the order, for operations with one argument; n
   numbers each. Derivatives beyond the order are not touched. */
void dlpi_jet_unary(dlpi_op op, dlp_index n, const double *x, int order, double *v,
                    double *d1, double *d2, double *d3);
/* The same for x^p, in x. */
void dlpi_jet_power(dlp_index n, const double *x, const double *p, int order, double *v,
                    double *d1, double *d2, double *d3);

/*
 * All partial derivatives of an operation with m <= 3 arguments at one point, as a jet in
 * m slots (dlpi_jet_size): those of the incomplete gamma and beta functions. Those in
 * arguments that are not in `active` may be left 0.
 */
void dlpi_jet_special(dlpi_op op, const double *arg, unsigned active, int order,
                      double *F);

/* ---- a jet: n numbers for each derivative ---- */

/* Which derivatives of an instruction may differ from 0: those in the slots of `mask`, up
   to `degree`. at[0] is the value; derivative number c (as in dlpi_jet_size) is at + c
   stride. */
typedef struct dlpi_jet {
    double *at;
    uint64_t mask;
    int degree;
} dlpi_jet;

typedef struct dlpi_jet_shape {
    dlp_index n;      /* numbers at a time */
    dlp_index stride; /* from one derivative to the next */
    int k, order;
} dlpi_jet_shape;

static inline int dlpi_place2(int k, int i, int j) /* i <= j */
{
    return 1 + k + i * k - i * (i - 1) / 2 + (j - i);
}

/* i <= j <= l: triples that begin before i, then pairs (j, l) from i on */
static inline int dlpi_place3(int k, int i, int j, int l)
{
    const int m = k - i, first = j - i;
    return 1 + k + k * (k + 1) / 2 + k * (k + 1) * (k + 2) / 6 -
           m * (m + 1) * (m + 2) / 6 + first * m - first * (first - 1) / 2 + (l - j);
}

/* z = f(x), with the derivatives of f. */
void dlpi_jet_chain(const dlpi_jet_shape *s, const dlpi_jet *x, const double *d1,
                    const double *d2, const double *d3, const dlpi_jet *z);
/* z = a + sign b; a or b may be numbers. */
void dlpi_jet_sum(const dlpi_jet_shape *s, const dlpi_jet *a, double sign,
                  const dlpi_jet *b, const dlpi_jet *z);
/* z = -a */
void dlpi_jet_negative(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *z);
/* z = c a, c numbers. */
void dlpi_jet_scale(const dlpi_jet_shape *s, const double *c, const dlpi_jet *a,
                    const dlpi_jet *z);
void dlpi_jet_product(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                      const dlpi_jet *z);
void dlpi_jet_quotient(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                       const dlpi_jet *z);
void dlpi_jet_log_add_exp(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                          const dlpi_jet *z, double *scratch);
void dlpi_jet_log_add_exp_values(dlp_index n, const double *a, const double *b,
                                 double *z);
/* z = a where which is not 0, else b. */
void dlpi_jet_select(const dlpi_jet_shape *s, const double *which, const dlpi_jet *a,
                     const dlpi_jet *b, const dlpi_jet *z);
/* z = f(x[0], ..., x[m-1]), m <= 3. */
void dlpi_jet_compose(const dlpi_jet_shape *s, dlpi_op op, int m,
                      const dlpi_jet *const *x, const dlpi_jet *z);

#endif
