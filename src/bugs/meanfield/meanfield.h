/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Appendix A of the paper: q(theta) = prod_i q(theta_i) over the nodes of any directed
 * model, by coordinate ascent. Internal.
 *
 * log p is written as a sum of terms c a_1 a_2 ..., each atom a function of one factor of
 * q, so that E[log p] = sum c E[a_1] E[a_2] ... without an approximation. The weight of
 * an atom, E_{-i} of what it is multiplied by, is then all that an update of factor i
 * needs:
 *
 *   f(theta_i) = sum over atoms a of factor i of weight(a) a(theta_i)   (eq:general-laplace-f)
 *
 * Where all atoms of a node are sufficient statistics of an exponential family, their
 * weights are its natural parameters and q(theta_i) is exact. Any other node is Gaussian
 * in unbounded coordinates, by Laplace's or the delta method. A function of several
 * factors that cannot be split into such atoms is one joint atom of all of them, and
 * expectations over the other factors are taken by a rule that is exact to third order.
 */
#ifndef DLPI_BUGS_MEANFIELD_H
#define DLPI_BUGS_MEANFIELD_H

#include "bugs/plan/factors.h"
#include "bugs/plan/slots.h"
#include "infer/listener.h"

#include <delaplace/bugs.h>
#include <delaplace/sym.h>

typedef enum dlpi_q_family {
    DLPI_GAUSSIAN,    /* of coordinates: laplace or delta */
    DLPI_NORMAL,      /* x, x^2 */
    DLPI_GAMMA,       /* log x, x */
    DLPI_SCALE,       /* log x, x^-2, between 0 and a bound: an sd with a uniform prior */
    DLPI_BETA,        /* log x, log(1 - x) */
    DLPI_DIRICHLET,   /* log x_k */
    DLPI_WISHART,     /* X_ij for i >= j, column by column; log|X| */
    DLPI_CATEGORICAL, /* [x = s] */
    DLPI_N_FAMILIES
} dlpi_q_family;

typedef enum dlpi_way { DLPI_ANY_WAY, DLPI_LAPLACE, DLPI_DELTA, DLPI_CONJUGATE } dlpi_way;

/* A factor of q. */
typedef struct dlpi_q {
    dlpi_q_family family;
    dlpi_way way;            /* the method asked for */
    bool block;              /* the factor that holds all locations */
    int32_t relation;        /* of its node; for a block, of its first node */
    dlp_index first;         /* its cells are cell[first], ..., */
    int32_t n;               /*     n of them: the coordinates of a Gaussian */
    int32_t size;            /* for a matrix: its rows */
    dlp_index stat;          /* where its expectations begin, */
    int32_t n_stats;         /*     and its natural parameters in mf.natural */
    double low;              /* for a categorical factor: its first state */
    dlp_index at;            /* for a Gaussian: its first coordinate */
    dlp_index atom, n_atoms; /* for a Gaussian: its range in mf.member */
    struct dlp_fit *fit;     /* for a Gaussian of more than one coordinate */
    struct dlpi_of_q *of;    /* the state of that fit's model */
    dlp_pattern *pattern;
    double log_det; /* log |Sigma| */
    bool quadratic; /* a Gaussian that is exact */
    bool apart;     /* a Gaussian that shares no atom with another factor */
    bool known;     /* it has a covariance */
    bool by_delta;  /* its last update used the delta method */
    int fallbacks;  /* how often the delta method fell back to Laplace's */
} dlpi_q;

/* Rows of atoms that share a program. */
typedef struct dlpi_atoms {
    const dlpi_program *program;
    dlpi_slots slots;
    int n_inputs, n_entries;
    int *slot, *input; /* (n_entries) */
    bool *is_cell;     /* (n_inputs) */
    dlp_index n, room;
    double *value;       /* (n, n_inputs) data */
    int32_t *coordinate; /* (n, n_inputs) of cells */
    int32_t *atom;       /* (n) their numbers */
    double *constant;    /* (n, k) of slots, */
    double *coef;        /* (n, n_entries) and coefficients */
} dlpi_atoms;

typedef struct dlpi_meanfield {
    dlpi_factors *factors;
    const dlp_bugs_settings *settings;
    dlpi_listener *listener;
    const double *start; /* (n_cells) starting coordinates; NaN: not given */
    const double *value; /* (n_cells) start of nodes with a family; NULL: from inits */
    bool scalar;         /* every node is a factor of its own */
    bool delta;          /* the delta method, where a variable has none of its own */
    dlp_index n_q;
    dlpi_q *q;
    int32_t *cell;     /* all cells, factor by factor */
    int32_t *q_of;     /* (n_cells) -1: none */
    int32_t *place;    /* (n_cells) index within its factor */
    uint8_t *domain;   /* (n_cells) as the lowering had it */
    uint8_t *way;      /* (n_relations) dlpi_way that was asked for */
    uint8_t *is_scale; /* (n_relations) its nodes are not locations */
    bool *gaussian;    /* (n_relations) its nodes have no family of their own */
    bool *broken;      /* (n_relations) its family turned out not to fit, */
    int32_t *because;  /*     because of this relation; -1: its own */
    /* atoms: statistics first, then rows */
    dlp_index n_stats, n_rows, rows_room;
    int32_t *row_of, *atoms_of; /* (n_rows) which row of which atoms */
    int n_shapes, shapes_room;
    dlpi_atoms *shape;
    dlpi_program_table *table;
    uint32_t *bucket;
    dlp_index n_buckets;
    uint64_t key[2]; /* of the hash */
    /* terms */
    dlp_index n_terms, terms_room, n_uses, uses_room;
    double *c;
    dlp_index *begin;             /* (n_terms + 1) */
    int32_t *use;                 /* atoms */
    dlp_index *user_begin, *user; /* the terms that use each atom */
    double constant;              /* of log p */
    double *expected;             /* (n_stats + n_rows) E[a] */
    double *natural;              /* (n_stats) */
    double *weight;               /* (n_rows) */
    bool *impossible;             /* (n_stats) states that are impossible */
    int32_t *member;              /* rows of Gaussians */
    dlp_index n_coordinates;
    int32_t *q_of_coordinate; /* (n_coordinates) */
    double *mean, *variance;  /* (n_coordinates) */
    struct dlp_fit *one[2];   /* for Gaussians of one coordinate: laplace, delta */
    struct dlpi_of_q *of_one[2];
    double *root; /* of the covariance due to other factors: see meanfield_f.c */
    double *room, *jet, *sum, *batch, *slots, *spread; /* of programs */
    const double **input;
    int *slot;
    int order; /* highest order of derivatives that there is room for */
    /* the result */
    dlp_outcome outcome;
    int sweeps;
    double *elbo; /* (sweeps), with room for max_iter */
    dlp_index fallbacks;
} dlpi_meanfield;

/* Finds q, and makes the factors on the way. */
dlp_status dlpi_meanfield_find(dlpi_lowering *lowering, dlpi_factors *factors,
                               const dlp_bugs_settings *settings, dlpi_listener *listener,
                               const double *start, const double *value,
                               dlpi_meanfield *mf, dlp_error *error);
/* Starting values for a fit in which every node is a factor: the means that a fit of all
   locations together finds. That fit begins at start (n_cells); its means go into start
   and value (n_cells). */
dlp_status dlpi_meanfield_begin(const dlpi_graph *graph,
                                const dlp_bugs_settings *settings,
                                dlpi_listener *listener, double *start, double *value,
                                dlp_error *error);
void dlpi_meanfield_clear(dlpi_meanfield *mf); /* fine on a zeroed or failed one */

/* ---- meanfield_plan.c: the factors and their families ---- */

/* Notes the ways that the user asked for, and the nodes that may have a family of their
   own: these are their own coordinates. */
dlp_status dlpi_meanfield_prepare(dlpi_meanfield *mf, dlpi_lowering *lowering,
                                  dlp_error *error);
/* Finds the relations whose nodes are not the location of anything. */
dlp_status dlpi_meanfield_find_scales(dlpi_meanfield *mf, dlp_error *error);
/* Makes the factors. */
dlp_status dlpi_meanfield_number(dlpi_meanfield *mf, dlp_error *error);
/* Makes `broken` nodes Gaussian. DLP_EINPUT: the user asked for their family. */
dlp_status dlpi_meanfield_mend(dlpi_meanfield *mf, bool *changed, dlp_error *error);
static inline bool dlpi_is_gaussian(const dlpi_meanfield *mf, int32_t q)
{
    return mf->q[q].family == DLPI_GAUSSIAN;
}

/* ---- meanfield_terms.c: log p as terms of atoms ---- */

/* Makes all terms; if some families do not fit, `broken` marks them and the terms are of
   no use. sample: only for a few instances of each relation. */
dlp_status dlpi_meanfield_terms(dlpi_meanfield *mf, bool sample, dlp_error *error);

/* meanfield_expand.c. Adds an expression, times indicators (n), as terms. */
dlp_status dlpi_meanfield_expand(dlpi_meanfield *mf, int relation, dlpi_expr e, int n,
                                 const int32_t *indicator, dlp_error *error);

/* ---- meanfield_atoms.c ---- */

/* The number of the atom for an expression. */
dlp_status dlpi_meanfield_atom(dlpi_meanfield *mf, dlpi_expr e, int32_t *atom,
                               dlp_error *error);
dlp_status dlpi_meanfield_add_term(dlpi_meanfield *mf, double c, int n,
                                   const int32_t *atom, dlp_error *error);
void dlpi_meanfield_forget(dlpi_meanfield *mf); /* terms and atoms */
/* After the last term: finds the slots of atoms, and the terms that use each atom. */
dlp_status dlpi_meanfield_seal(dlpi_meanfield *mf, dlp_error *error);

/* ---- meanfield_f.c ---- */

/* A factor of q, as the state of a model for the engine. */
typedef struct dlpi_of_q {
    dlpi_meanfield *mf;
    int32_t q;
} dlpi_of_q;

/* Computes the weights of its atoms, and how far the other factors spread them. */
void dlpi_meanfield_weigh(dlpi_meanfield *mf, int32_t at);
/* sum of weight(a) E_{-q}[a](theta) over its atoms, with derivatives (see
   dlp_model_type); state is a dlpi_of_q. */
double dlpi_meanfield_f(void *state, const double *theta, double *grad, dlp_sym *hess);
/* grad of Tr{hess f(theta) Sigma}. */
void dlpi_meanfield_trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                               double *grad);
/* Computes E[a] of all its atoms. */
void dlpi_meanfield_expect(dlpi_meanfield *mf, int32_t at);
/* E_{-a} of the sum of all that an atom is multiplied by. */
double dlpi_meanfield_weight(const dlpi_meanfield *mf, dlp_index atom);

/* ---- meanfield_conjugate.c ---- */

/* Updates q from the weights of its statistics. False: these give no distribution. */
bool dlpi_conjugate_update(dlpi_meanfield *mf, dlpi_q *q);
/* The second half of that: expectations from natural parameters. */
bool dlpi_conjugate_expect(dlpi_meanfield *mf, dlpi_q *q);
/* Starts from a point: sets the expectations to the statistics at `value`. */
void dlpi_conjugate_start(dlpi_meanfield *mf, dlpi_q *q, const double *value);
double dlpi_conjugate_entropy(const dlpi_meanfield *mf, const dlpi_q *q);
/* Mean and sd of each of its cells. */
void dlpi_conjugate_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                            double *sd);
/* Draws its cells into value (n). */
void dlpi_conjugate_draw(const dlpi_meanfield *mf, const dlpi_q *q, struct dlp_rng *rng,
                         double *value);
/* meanfield_scale.c: the same for sds. */
bool dlpi_scale_expect(const dlpi_meanfield *mf, const dlpi_q *q, double *expected);
double dlpi_scale_entropy(const dlpi_meanfield *mf, const dlpi_q *q);
void dlpi_scale_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                        double *sd);
double dlpi_scale_quantile(const dlpi_meanfield *mf, const dlpi_q *q, double p);
extern const char *const dlpi_family_name[DLPI_N_FAMILIES];

/* ---- meanfield_sweeps.c: coordinate ascent ---- */

dlp_status dlpi_meanfield_ascend(dlpi_meanfield *mf, dlp_error *error);

/* meanfield_state.c. The parameters of all but the discrete factors, without bounds. */
dlp_index dlpi_meanfield_state_size(const dlpi_meanfield *mf);
void dlpi_meanfield_state(const dlpi_meanfield *mf, double *state, double *unit);
/* False: some parameters give no distribution. */
bool dlpi_meanfield_set_state(dlpi_meanfield *mf, const double *state);

/* ---- meanfield_gaussian.c: by the engine of src/infer ---- */

dlp_status dlpi_gaussian_update(dlpi_meanfield *mf, int32_t at, dlp_error *error);
bool dlpi_gaussian_by_delta(const dlpi_meanfield *mf, const dlpi_q *q);
double dlpi_gaussian_covariance(const dlpi_meanfield *mf, dlp_index i, dlp_index j);

#endif
