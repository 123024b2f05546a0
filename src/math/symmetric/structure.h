/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations that a structure of symmetric matrices must provide: one table per
 * structure. dlp_sym_* and dlp_cholesky_* (sym.c) look up the table and call it. Internal.
 */
#ifndef DLPI_MATH_STRUCTURE_H
#define DLPI_MATH_STRUCTURE_H

#include <delaplace/sym.h>
#include <stdbool.h>

typedef struct dlpi_structure {
    /* DLP_OK, or an error for an invalid shape; n >= 1 is checked elsewhere. */
    dlp_status (*check)(const dlp_shape *shape, dlp_error *error);
    /* The number of doubles in a value and in a factor; -1 on overflow. */
    dlp_index (*value_size)(const dlp_shape *shape);
    dlp_index (*factor_size)(const dlp_shape *shape);
    bool begins_unset; /* a factor writes each of its numbers before it reads it */
    /* The number of bytes at A->own, -1 on overflow, and a function that fills them once;
       NULL: none. */
    dlp_index (*own_size)(const dlp_shape *shape);
    void (*prepare)(dlp_sym *A);

    /* The operations of sym.h on a value. */
    void (*set_identity)(dlp_sym *A);
    void (*negate)(dlp_sym *A); /* NULL: negate all numbers */
    void (*multiply)(const dlp_sym *A, const double *x, double *y);
    double (*quadratic)(const dlp_sym *A, const double *x);
    double (*entry)(const dlp_sym *A, dlp_index i, dlp_index j);
    void (*get_diagonal)(const dlp_sym *A, double *d);
    void (*add_diagonal)(dlp_sym *A, const double *d);
    void (*keep_diagonal)(dlp_sym *A);
    void (*rescale)(dlp_sym *A, const double *s);
    double (*trace)(const dlp_sym *A, const dlp_sym *B);
    void (*to_dense)(const dlp_sym *A, double *out);

    /* The operations of sym.h on a factor. */
    dlp_index (*factor)(dlp_cholesky *F, const dlp_sym *P);
    void (*solve)(const dlp_cholesky *F, double *b);
    double (*log_det)(const dlp_cholesky *F);
    void (*inverse)(const dlp_cholesky *F, dlp_sym *Sigma);
    void (*draw)(const dlp_cholesky *F, double *z);
    void (*whiten)(const dlp_cholesky *F, double *z);
    void (*multiply_root)(const dlp_cholesky *F, double *z);
} dlpi_structure;

extern const dlpi_structure dlpi_blocks, dlpi_low_rank, dlpi_band, dlpi_bordered,
    dlpi_sparse;

struct dlp_cholesky {
    dlp_shape shape;
    double *a; /* factor_size doubles, in the structure's own layout */
};

/* a * b + c, or -1 when any is negative or the result overflows: for sizes. */
dlp_index dlpi_size(dlp_index a, dlp_index b, dlp_index c);

/* The number of doubles in a value of a valid shape. */
dlp_index dlpi_value_size(const dlp_shape *shape);

/* DLP_OK, or an error for an invalid shape. */
dlp_status dlpi_shape_check(const dlp_shape *shape, dlp_error *error);

#endif
