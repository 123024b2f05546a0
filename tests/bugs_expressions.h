/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and derivatives of expressions of the modelling language, for tests. */
#ifndef DLP_TESTS_BUGS_EXPRESSIONS_H
#define DLP_TESTS_BUGS_EXPRESSIONS_H

#include "density/jet.h"
#include "density/program.h"
#include "support.h"

/* The jet of e in cells 0 to k-1, which have the values x, at one point. */
static inline void jet_at(dlpi_builder *b, dlpi_expr e, int k, const double *x, int order,
                          double *jet)
{
    dlpi_program_draft draft = {0};
    assert_ok(dlpi_program_make(b, e, &draft, error));
    const int n = draft.program.n_inputs;
    int *slot = malloc((size_t)(n + 1) * sizeof *slot);
    const double **input = malloc((size_t)(n + 1) * sizeof *input);
    for (int i = 0; i < n; i++) {
        slot[i] = draft.cell[i] >= 0 && draft.cell[i] < k ? (int)draft.cell[i] : -1;
        input[i] = draft.cell[i] >= 0 ? &x[draft.cell[i]] : &draft.value[i];
    }
    const size_t size = dlpi_program_room(&draft.program, k, order, slot);
    double *room = malloc(size * sizeof *room);
    dlpi_program_run(&draft.program, 1, input, k, slot, order, jet, room);
    free(room);
    free(slot);
    free(input);
    dlpi_program_draft_free(&draft);
}

static inline double value_at(dlpi_builder *b, dlpi_expr e, const double *x)
{
    double value;
    jet_at(b, e, 0, x, 0, &value);
    return value;
}

/* The derivative of component c of a jet of order o in x[i], by Richardson's extrapolation
   of central differences. */
static inline double difference(dlpi_builder *b, dlpi_expr e, int k, const double *x,
                                int i, int order, int c, double h)
{
    double estimate[4][4];
    for (int row = 0; row < 4; row++, h /= 2) {
        double jet[2][64], moved[2][8];
        for (int side = 0; side < 2; side++) {
            for (int j = 0; j < k; j++) moved[side][j] = x[j];
            moved[side][i] += side ? h : -h;
            jet_at(b, e, k, moved[side], order, jet[side]);
        }
        estimate[row][0] = (jet[1][c] - jet[0][c]) / (moved[1][i] - moved[0][i]);
        double power = 4;
        for (int col = 1; col <= row; col++, power *= 4)
            estimate[row][col] =
                estimate[row][col - 1] +
                (estimate[row][col - 1] - estimate[row - 1][col - 1]) / (power - 1);
    }
    return estimate[3][3];
}

static inline void near_difference(double a, double d, double scale, double tolerance,
                                   const char *name, const char *what)
{
    if (fabs(a - d) <= tolerance * (scale + fabs(d))) return;
    fail_msg("%s: %s is %.15g, by differences %.15g", name, what, a, d);
}

/* Each derivative of the jet is the derivative of one of a lower order. */
static inline void check_jet(dlpi_builder *b, dlpi_expr e, int k, const double *x,
                             double h, double tolerance, const char *name)
{
    double jet[64], scale = 0;
    jet_at(b, e, k, x, 3, jet);
    for (int c = 0; c < dlpi_jet_size(k, 3); c++) scale = fmax(scale, fabs(jet[c]));
    for (int i = 0; i < k; i++) {
        near_difference(jet[1 + i], difference(b, e, k, x, i, 0, 0, h), scale, tolerance,
                        name, "first derivative");
        for (int j = i; j < k; j++) {
            near_difference(jet[dlpi_place2(k, i, j)],
                            difference(b, e, k, x, i, 1, 1 + j, h), scale, tolerance,
                            name, "second derivative");
            for (int l = j; l < k; l++)
                near_difference(jet[dlpi_place3(k, i, j, l)],
                                difference(b, e, k, x, i, 2, dlpi_place2(k, j, l), h),
                                scale, tolerance, name, "third derivative");
        }
    }
}

#endif
