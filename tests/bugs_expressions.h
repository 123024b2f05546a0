/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and derivatives of expressions of the modelling language, for tests. */
#ifndef DLP_TESTS_BUGS_EXPRESSIONS_H
#define DLP_TESTS_BUGS_EXPRESSIONS_H

#include "bugs/program.h"
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

#endif
