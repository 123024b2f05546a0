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
    double held_tau;   /* tau, where it is not a parameter */
    bool over_df;      /* student: df is unknown; importance weights sum over a grid of
                          values */
    dlpi_prior prior;
    double *xi; /* (N) jaakkola_jordan.c: where the bound touches; else NULL */
    dlpi_rows rows;
    double *tile;             /* (p, DLPI_TILE) columns of X, scaled or not */
    double *half;             /* (p, DLPI_TILE) Sigma times them, or its root */
    double *extra;            /* (family->extra) scratch, or that of jaakkola_jordan.c */
    struct dlpi_spill *spill; /* where rows are on disk; NULL: in memory */
    int workers;
    dlpi_worker *worker;        /* (workers) workers.h; NULL: one chunk holds all rows */
    struct dlpi_row_sums *sums; /* sums over chunks; with `worker` */
};

/* glm_start.c. The `start` of dlp_model_type. */
int dlpi_glm_start(void *state, double *theta);

/* workers.c */
void dlpi_workers_free(dlp_glm *glm);
/* Divides the rows among threads and processes. All processes must have the same rows and
   call the same functions of the regression in the same order. comm NULL: this process
   alone. */
dlp_status dlpi_glm_use_workers(dlp_glm *glm, struct dlpi_comm *comm, int threads,
                                dlp_error *error);
/* Fails if the processes could not exchange their sums, which are NaN from then on. */
dlp_status dlpi_glm_check_workers(const dlp_glm *glm, dlp_error *error);

/* One table per kind of regression; all have a dlp_glm as their state. */
extern const dlp_model_type dlpi_glm_type, dlpi_jaakkola_jordan_type,
    dlpi_multinomial_type, dlpi_ordinal_type;

/* jaakkola_jordan.c. Whether that is the name of the method. */
bool dlpi_is_jaakkola_jordan(const char *method);

/* tile.c. eta = X beta + offset and the responses of the tile that begins at row `at`,
   into glm->rows; what follows is about the tile loaded last. */
void dlpi_tile_load(dlp_glm *glm, const double *beta, dlp_index at);
/* The family's l and its derivatives for the loaded tile, each row times its weight. */
void dlpi_tile_evaluate(dlp_glm *glm, double tau, int order);
/* out[j stride] += sum_n x_nj w_n */
void dlpi_tile_add_xw(const dlp_glm *glm, dlp_index at, const double *w, double *out,
                      dlp_index stride);
/* The upper triangle of C (p, p), rows glm->n apart, += X' diag(w) X. */
void dlpi_tile_add_xwx(dlp_glm *glm, dlp_index at, const double *w, double *C);
/* c_n = x_n'S x_n with S (p, p), rows glm->n apart. */
void dlpi_tile_variances(dlp_glm *glm, dlp_index at, const double *S, double *c);
/* The same for all tiles of one S in half the time: with R'R = S, c_n = ||R x_n||^2. The
   first writes R to glm->half, which must not be used for anything else meanwhile; false
   where S is not positive definite, or of an order for which this is not faster. */
bool dlpi_tile_root(dlp_glm *glm, const double *S);
void dlpi_tile_variances_by_root(dlp_glm *glm, dlp_index at, double *c);
/* out_n = sum_j x_nj v[j stride] */
void dlpi_tile_times(const dlp_glm *glm, dlp_index at, const double *v, dlp_index stride,
                     double *out);

/* multinomial.c. H (n, n) holds the upper triangles of the blocks (k, l), k <= l. Blocks
   off the diagonal are symmetric themselves: their lower triangles are filled in. */
void dlpi_multinomial_complete(const dlp_glm *glm, double *H);

/* The family of that name and link; NULL with a message if there is none. */
const dlpi_family *dlpi_family_named(const char *name, const char *link,
                                     dlp_error *error);
/* Check that the numbers are finite and the responses possible. */
dlp_status dlpi_glm_check_x(const dlp_glm_data *data, dlp_error *error);
dlp_status dlpi_glm_check_y(const dlpi_family *family, const dlp_glm_data *data,
                            dlp_error *error);
/* Fails, saying that the numbers are too large to compute with. gaussian_integral.c */
dlp_status dlpi_glm_too_large(dlp_error *error);

#endif
