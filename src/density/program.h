/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression as a list of instructions, run for many instances at a time: values, and
 * derivatives to third order in a few of its inputs, the slots (jets: truncated Taylor
 * series). Internal.
 */
#ifndef DLPI_BUGS_PROGRAM_H
#define DLPI_BUGS_PROGRAM_H

#include "core/sip.h"
#include "density/expression.h"

enum {
    DLPI_BATCH = 256 /* instances that a call may take */
};

typedef struct dlpi_instruction {
    uint16_t
        op; /* dlpi_op; DLPI_OP_DATA and DLPI_OP_CELL are inputs, with number arg[0] */
    int32_t arg[3]; /* instructions before this one; -1: none */
    double literal;
} dlpi_instruction;

typedef struct dlpi_program {
    int n; /* instructions; the last one is the result */
    dlpi_instruction *code;
    int n_inputs;
} dlpi_program;

/* A program with its inputs for one instance. {0} is empty; it grows as needed, and is
   meant to be reused. */
typedef struct dlpi_program_draft {
    dlpi_program program;
    dlp_index *cell; /* (n_inputs) the cell of an input; -1: it is data */
    double *value;   /* (n_inputs) of data; NaN for cells */
    int32_t owner;   /* above 0: only drafts of this owner share the program */
    int code_room, input_room;
} dlpi_program_draft;

/*
 * The instructions of an expression, in an order that depends only on its shape:
 * instances of the same shape have the same program. Inputs are numbered in the order in
 * which they first occur. Equal cells are one input, and so is a datum that is used
 * several times.
 */
dlp_status dlpi_program_make(dlpi_builder *builder, dlpi_expr root,
                             dlpi_program_draft *draft, dlp_error *error);
void dlpi_program_draft_free(dlpi_program_draft *draft);
/* Whether both have the same instructions, and cells at the same inputs. */
bool dlpi_program_same(const dlpi_program *a, const dlpi_program *b);

/* Adds the instructions to a hash. */
void dlpi_program_hash(const dlpi_program *program, struct dlpi_sip *sip);

/* A table of distinct programs, which it owns. */
typedef struct dlpi_program_table dlpi_program_table;
dlp_status dlpi_program_table_alloc(dlpi_program_table **table, dlp_error *error);
void dlpi_program_table_free(dlpi_program_table *table);
/* The number of the draft's program: 0, 1, ... in the order of their first occurrence. */
dlp_status dlpi_program_table_find(dlpi_program_table *table,
                                   const dlpi_program_draft *draft, int32_t *number,
                                   dlp_error *error);
int32_t dlpi_program_table_size(const dlpi_program_table *table);
/* The address is valid until the table is freed. */
const dlpi_program *dlpi_program_table_at(const dlpi_program_table *table,
                                          int32_t number);

/* Numbers of a jet in k slots: value, gradient (k), Hessian (i <= j: k(k+1)/2, row by
   row), third derivatives (i <= j <= l). */
static inline int dlpi_jet_size(int k, int order)
{
    return 1 + (order > 0 ? k : 0) + (order > 1 ? k * (k + 1) / 2 : 0) +
           (order > 2 ? k * (k + 1) * (k + 2) / 6 : 0);
}

/* The number of doubles that a run needs as room; k <= 64. Instructions that depend on no
   slot hold values only. SIZE_MAX: not enough memory to find out. */
size_t dlpi_program_room(const dlpi_program *program, int k, int order, const int *slot);
/* How many numbers a run computes for an instance: the jets of all instructions, each in
   the slots that it depends on. */
double dlpi_program_numbers(const dlpi_program *program, int k, int order,
                            const int *slot);

/*
 * Runs it for n <= DLPI_BATCH instances. input[i] (n) has the values of input i; slot[i]
 * is its slot, or -1. jet is (dlpi_jet_size, n): plain derivatives, not
 * divided by factorials. order is 0 to 3.
 */
void dlpi_program_run(const dlpi_program *program, dlp_index n,
                      const double *const *input, int k, const int *slot, int order,
                      double *jet, double *room);

/*
 * The same for a program that one thread runs often: decisions about its instructions are
 * made once. Runners may share their room, of dlpi_program_room doubles, as long as only
 * one runs at a time.
 */
typedef struct dlpi_runner dlpi_runner;
dlp_status dlpi_runner_alloc(const dlpi_program *program, int k, const int *slot,
                             int order, double *room, dlpi_runner **runner,
                             dlp_error *error);
void dlpi_runner_free(dlpi_runner *runner);
void dlpi_runner_run(dlpi_runner *runner, dlp_index n, const double *const *input,
                     double *jet);

#endif
