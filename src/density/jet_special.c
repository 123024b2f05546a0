/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The incomplete gamma and beta functions with their derivatives. Those in x, and those
 * that mix x with a shape, come from the density, whose logarithm has derivatives in
 * closed form. What is left, derivatives in the shapes alone, are differences.
 */
#include "density/jet.h"
#include "density/program.h"
#include "math/special/tails.h"

#include <delaplace/special.h>
#include <math.h>

double dlpi_p_gamma(double x, double a)
{
    return a > 0 ? dlpi_gamma_tails(a, x).lower : NAN;
}

double dlpi_q_gamma(double x, double a)
{
    return a > 0 ? dlpi_gamma_tails(a, x).upper : NAN;
}

double dlpi_p_beta(double x, double a, double b)
{
    return a > 0 && b > 0 ? dlpi_beta_tails(a, b, x, 1 - x).lower : NAN;
}

static double value_of(dlpi_op op, const double *arg)
{
    switch (op) {
    case DLPI_OP_P_GAMMA: return dlpi_p_gamma(arg[0], arg[1]);
    case DLPI_OP_Q_GAMMA: return dlpi_q_gamma(arg[0], arg[1]);
    default: return dlpi_p_beta(arg[0], arg[1], arg[2]);
    }
}

/* The log density and its derivatives to second order, as a jet in (x, shapes). */
static void log_density_gamma(const double *arg, double *L)
{
    const double x = arg[0], a = arg[1];
    /* (a-1) log x - x - log Gamma(a) */
    L[0] = (a - 1) * log(x) - x - dlp_lgamma(a);
    L[1] = (a - 1) / x - 1;
    L[2] = log(x) - dlp_digamma(a);
    L[dlpi_place2(2, 0, 0)] = -(a - 1) / (x * x);
    L[dlpi_place2(2, 0, 1)] = 1 / x;
    L[dlpi_place2(2, 1, 1)] = -dlp_trigamma(a);
}

static void log_density_beta(const double *arg, double *L)
{
    const double x = arg[0], y = 1 - x, a = arg[1], b = arg[2];
    /* (a-1) log x + (b-1) log(1-x) - log B(a, b) */
    const double tri = dlp_trigamma(a + b), di = dlp_digamma(a + b);
    L[0] = (a - 1) * log(x) + (b - 1) * log1p(-x) + dlp_lgamma(a + b) - dlp_lgamma(a) -
           dlp_lgamma(b);
    L[1] = (a - 1) / x - (b - 1) / y;
    L[2] = log(x) + di - dlp_digamma(a);
    L[3] = log1p(-x) + di - dlp_digamma(b);
    L[dlpi_place2(3, 0, 0)] = -(a - 1) / (x * x) - (b - 1) / (y * y);
    L[dlpi_place2(3, 0, 1)] = 1 / x;
    L[dlpi_place2(3, 0, 2)] = -1 / y;
    L[dlpi_place2(3, 1, 1)] = tri - dlp_trigamma(a);
    L[dlpi_place2(3, 1, 2)] = tri;
    L[dlpi_place2(3, 2, 2)] = tri - dlp_trigamma(b);
}

/* ---- differences in the shapes ---- */

/* The scale on which a shape changes the function: the width of the distribution. */
static double scale_of(double shape)
{
    return shape < 1 ? shape : sqrt(shape);
}

/* f at i and j steps from the shapes. */
static double stepped(dlpi_op op, const double *arg, const double *step, int i, int j)
{
    const double moved[3] = {arg[0], arg[1] + i * step[0], arg[2] + j * step[1]};
    return value_of(op, moved);
}

/* Central differences of order p and q in the two shapes, with steps of h times their
   scales; the errors are even in h. */
static double difference(dlpi_op op, const double *arg, int p, int q, double h)
{
    static const double weight[4][5] = {
        {0, 0, 1, 0, 0}, {0, -0.5, 0, 0.5, 0}, {0, 1, -2, 1, 0}, {-0.5, 1, 0, -1, 0.5}};
    const double step[2] = {h * scale_of(arg[1]), h * scale_of(arg[2])};
    double sum = 0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
            const double w = weight[p][i + 2] * weight[q][j + 2];
            if (w != 0) sum += w * stepped(op, arg, step, i, j);
        }
    for (int i = 0; i < p; i++) sum /= step[0];
    for (int i = 0; i < q; i++) sum /= step[1];
    return sum;
}

/* Richardson's extrapolation of three steps */
static double shape_derivative(dlpi_op op, const double *arg, int p, int q)
{
    const double h = 0.04;
    const double wide = difference(op, arg, p, q, 2 * h);
    const double middle = difference(op, arg, p, q, h);
    const double narrow = difference(op, arg, p, q, h / 2);
    const double first = (4 * middle - wide) / 3, second = (4 * narrow - middle) / 3;
    return (16 * second - first) / 15;
}

/* ---- all of them ---- */

/* Derivatives in which x takes part are those of the density: once less in x. */
static void by_density(int m, double sign, const double *L, int order, double *F)
{
    const double f = sign * exp(L[0]);
    F[1] = f;
    for (int i = 0; order > 1 && i < m; i++) F[dlpi_place2(m, 0, i)] = f * L[1 + i];
    for (int i = 0; order > 2 && i < m; i++)
        for (int j = i; j < m; j++)
            F[dlpi_place3(m, 0, i, j)] =
                f * (L[1 + i] * L[1 + j] + L[dlpi_place2(m, i, j)]);
}

/* Only for active shapes: each derivative costs evaluations of the function. */
static void by_differences(dlpi_op op, int m, const double *arg, unsigned active,
                           int order, double *F)
{
    for (int i = 1; i < m; i++)
        if (active >> i & 1) F[1 + i] = shape_derivative(op, arg, i == 1, i == 2);
    for (int i = 1; order > 1 && i < m; i++)
        for (int j = i; j < m; j++) {
            if (!(active >> i & active >> j & 1)) continue;
            const int q = (i == 2) + (j == 2);
            F[dlpi_place2(m, i, j)] = shape_derivative(op, arg, 2 - q, q);
            for (int l = j; order > 2 && l < m; l++) {
                if (!(active >> l & 1)) continue;
                const int all = q + (l == 2);
                F[dlpi_place3(m, i, j, l)] = shape_derivative(op, arg, 3 - all, all);
            }
        }
}

void dlpi_jet_special(dlpi_op op, const double *arg, unsigned active, int order,
                      double *F)
{
    double L[10];
    const int m = dlpi_op_arity(op), size = dlpi_jet_size(m, order);
    const double sign = op == DLPI_OP_Q_GAMMA ? -1 : 1;
    const bool inside =
        arg[0] > 0 && arg[1] > 0 && (op != DLPI_OP_P_BETA || (arg[0] < 1 && arg[2] > 0));
    for (int i = 0; i < size; i++) F[i] = 0;
    F[0] = value_of(op, arg);
    if (order == 0 || !inside) return;
    if (op == DLPI_OP_P_BETA) log_density_beta(arg, L);
    if (op != DLPI_OP_P_BETA) log_density_gamma(arg, L);
    by_density(m, sign, L, order, F);
    by_differences(op, m, arg, active, order, F);
}
