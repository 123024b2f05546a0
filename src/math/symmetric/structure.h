/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a structure of symmetric matrices must be able to do: one table a structure.
 * dlp_sym_* and dlp_factor_* (sym.c) look the table up and call it. Internal.
 */
#ifndef DLPI_MATH_STRUCTURE_H
#define DLPI_MATH_STRUCTURE_H

#include <delaplace/sym.h>

typedef struct dlpi_structure {
    /* DLP_OK, or what is wrong with a shape; n >= 1 is checked elsewhere. */
    dlp_status (*check)(const dlp_shape *shape, dlp_error *error);
    /* How many doubles a value and a factor hold; -1 on overflow. */
    dlp_index (*value_size)(const dlp_shape *shape);
    dlp_index (*factor_size)(const dlp_shape *shape);
    /* Bytes behind A->own, -1 on overflow, and what is written there once; NULL: none. */
    dlp_index (*own_size)(const dlp_shape *shape);
    void (*prepare)(dlp_sym *A);

    /* The operations of sym.h on a value. */
    void (*set_identity)(dlp_sym *A);
    void (*negate)(dlp_sym *A); /* NULL: all numbers change their sign */
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
    dlp_index (*factor)(dlp_factor *F, const dlp_sym *P);
    void (*solve)(const dlp_factor *F, double *b);
    double (*log_det)(const dlp_factor *F);
    void (*inverse)(const dlp_factor *F, dlp_sym *Sigma);
    void (*draw)(const dlp_factor *F, double *z);
    void (*whiten)(const dlp_factor *F, double *z);
    void (*multiply_root)(const dlp_factor *F, double *z);
} dlpi_structure;

extern const dlpi_structure dlpi_blocks, dlpi_low_rank, dlpi_band, dlpi_bordered,
    dlpi_sparse;

struct dlp_factor {
    dlp_shape shape;
    double *a; /* factor_size doubles, laid out as the structure likes */
};

/* a * b + c, or -1 when any is negative or the result overflows: for sizes. */
dlp_index dlpi_size(dlp_index a, dlp_index b, dlp_index c);

/* How many doubles a value of a shape that is right holds. */
dlp_index dlpi_value_size(const dlp_shape *shape);

/* DLP_OK, or what is wrong with a shape. */
dlp_status dlpi_shape_check(const dlp_shape *shape, dlp_error *error);

#endif
