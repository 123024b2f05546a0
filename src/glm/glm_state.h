/* SPDX-License-Identifier: BSD-3-Clause */
/* What a generalised linear model holds, and the work that its kinds share. Internal. */
#ifndef DLPI_GLM_STATE_H
#define DLPI_GLM_STATE_H

#include <delaplace/glm.h>

#include "glm/families/family.h"
#include "glm/prior.h"
#include "math/dense.h"

typedef struct dlpi_worker dlpi_worker;
struct dlpi_row_sums;
struct dlpi_comm;

struct dlp_glm {
    const dlpi_family *family;
    dlp_glm_data data;
    dlp_index n;       /* parameters */
    dlp_index n_coefs; /* those of them that are coefficients; they come first */
    double held_tau;   /* tau, where it is none of the parameters */
    bool over_df;      /* student: data.df is one of many, over which draws are weighed */
    dlpi_prior prior;
    double *xi; /* (N) jaakkola_jordan.c: where the bound touches; else NULL */
    dlpi_rows rows;
    double *tile;             /* (p, DLPI_TILE) columns of X, scaled or not */
    double *half;             /* (p, DLPI_TILE) Sigma times them, or its root */
    double *extra;            /* what family->extra asked for, or jaakkola_jordan.c */
    struct dlpi_spill *spill; /* where rows are on disk; NULL: in memory */
    int workers;
    dlpi_worker *worker;        /* (workers) workers.h; 0 where one chunk is all rows */
    struct dlpi_row_sums *sums; /* of chunks; with `worker` */
};

/* glm_start.c. As dlp_model_type has it. */
int dlpi_glm_start(void *state, double *theta);

/* workers.c */
void dlpi_workers_free(dlp_glm *glm);
/* Threads, and processes, which all have the same rows and call the same functions of the
   regression in the same order: each sums its part of the rows. comm NULL: this one alone. */
dlp_status dlpi_glm_use_workers(dlp_glm *glm, struct dlpi_comm *comm, int threads,
                                dlp_error *error);
/* Whether they could tell each other their sums: after a failure these are no numbers. */
dlp_status dlpi_glm_check_workers(const dlp_glm *glm, dlp_error *error);

/* One table a kind of regression; all have a dlp_glm as their state. */
extern const dlp_model_type dlpi_glm_type, dlpi_jaakkola_jordan_type,
    dlpi_multinomial_type, dlpi_ordinal_type;

/* tile.c. eta = X beta + offset and the responses of the tile that begins at row `at`,
   into glm->rows; what follows is about the tile loaded last. */
void dlpi_tile_load(dlp_glm *glm, const double *beta, dlp_index at);
/* What the family says of the loaded tile, each row times its weight. */
void dlpi_tile_evaluate(dlp_glm *glm, double tau, int order);
/* out[j stride] += sum_n x_nj w_n */
void dlpi_tile_add_xw(const dlp_glm *glm, dlp_index at, const double *w, double *out,
                      dlp_index stride);
/* The upper triangle of C (p, p), rows glm->n apart, += X' diag(w) X. */
void dlpi_tile_add_xwx(dlp_glm *glm, dlp_index at, const double *w, double *C);
/* c_n = x_n'S x_n with S (p, p), rows glm->n apart. */
void dlpi_tile_variances(dlp_glm *glm, dlp_index at, const double *S, double *c);
/* The same for all tiles of one S in half the time: with R'R = S, c_n = ||R x_n||^2. The
   first writes R to glm->half, which is not to be used for others meanwhile; false where
   S is not positive definite, or of an order for which this is not faster. */
bool dlpi_tile_root(dlp_glm *glm, const double *S);
void dlpi_tile_variances_by_root(dlp_glm *glm, dlp_index at, double *c);
/* out_n = sum_j x_nj v[j stride] */
void dlpi_tile_times(const dlp_glm *glm, dlp_index at, const double *v, dlp_index stride,
                     double *out);

/* multinomial.c. H (n, n) has the upper triangles of the blocks (k, l), k <= l: those above the
   diagonal are symmetric themselves, and get their lower triangles. */
void dlpi_multinomial_complete(const dlp_glm *glm, double *H);

/* The family of that name and link; NULL with a message that lists them. */
const dlpi_family *dlpi_family_named(const char *name, const char *link,
                                     dlp_error *error);
/* Whether the numbers are finite, and the responses possible. */
dlp_status dlpi_glm_check_x(const dlp_glm_data *data, dlp_error *error);
dlp_status dlpi_glm_check_y(const dlpi_family *family, const dlp_glm_data *data,
                            dlp_error *error);
/* Says that they are too large for a posterior. gaussian_integral.c */
dlp_status dlpi_glm_too_large(dlp_error *error);

#endif
