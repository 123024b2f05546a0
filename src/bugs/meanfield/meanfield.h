/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Appendix A of the paper: q(theta) = prod_i q(theta_i) over the nodes of any directed model,
 * by coordinate ascent. Internal.
 *
 * log p is written as a sum of terms c a_1 a_2 ..., each atom a function of one factor of q,
 * so that E[log p] = sum c E[a_1] E[a_2] ... without an approximation. The weight of an atom,
 * E_{-i} of what it is multiplied by, is then all that an update of factor i needs:
 *
 *   f(theta_i) = sum over atoms a of factor i of weight(a) a(theta_i)   (eq:general-laplace-f)
 *
 * Where all atoms of a node are sufficient statistics of an exponential family, their weights
 * are its natural parameters and q(theta_i) is exact. Any other node is Gaussian in
 * coordinates without bounds, by Laplace's or the delta method. What does not fall apart into
 * such atoms, a function of several factors, is one atom of all of them, and expectations
 * over the others are taken by a rule that is exact to third order.
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
    dlpi_way way;            /* asked for */
    bool block;              /* the one that holds all locations */
    int32_t relation;        /* of its node; of a block: of its first */
    dlp_index first;         /* its cells are cell[first], ..., */
    int32_t n;               /*     so many: coordinates of a Gaussian */
    int32_t size;            /* of a matrix: rows */
    dlp_index stat;          /* where its expectations stand, */
    int32_t n_stats;         /*     and its natural parameters in mf.natural */
    double low;              /* of a categorical one: its first state */
    dlp_index at;            /* of a Gaussian: its first coordinate */
    dlp_index atom, n_atoms; /* of a Gaussian: which of mf.member */
    struct dlp_fit *fit;     /* of a Gaussian of more than one coordinate */
    struct dlpi_of_q *of;    /* what that fit is of */
    dlp_pattern *pattern;
    double log_det; /* log |Sigma| */
    bool quadratic; /* a Gaussian that is exact */
    bool apart;     /* no atom of a Gaussian is another factor's, too */
    bool known;     /* it has a covariance */
    bool by_delta;  /* its last update was */
    int fallbacks;  /* how often that fell back to Laplace's */
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
    const double *start; /* (n_cells) coordinates; NaN: none */
    const double *value; /* (n_cells) the same of nodes with a family; NULL: inits */
    bool scalar;         /* every node a factor */
    dlp_index n_q;
    dlpi_q *q;
    int32_t *cell;     /* all cells, factor by factor */
    int32_t *q_of;     /* (n_cells) -1: none */
    int32_t *place;    /* (n_cells) which of its factor */
    uint8_t *domain;   /* (n_cells) as the lowering had it */
    uint8_t *way;      /* (n_relations) dlpi_way that was asked for */
    uint8_t *is_scale; /* (n_relations) no location of anything */
    bool *gaussian;    /* (n_relations) its nodes have no family of their own */
    bool *broken;      /* (n_relations) found to be so, */
    int32_t *because;  /*     for this relation's sake; -1: its own */
    /* atoms: statistics first, then rows */
    dlp_index n_stats, n_rows, rows_room;
    int32_t *row_of, *atoms_of; /* (n_rows) which row of which atoms */
    int n_shapes, shapes_room;
    dlpi_atoms *shape;
    dlpi_program_table *table;
    uint32_t *bucket;
    dlp_index n_buckets;
    uint64_t key[2]; /* of their hash */
    /* terms */
    dlp_index n_terms, terms_room, n_uses, uses_room;
    double *c;
    dlp_index *begin;             /* (n_terms + 1) */
    int32_t *use;                 /* atoms */
    dlp_index *user_begin, *user; /* of each atom: its terms */
    double constant;              /* of log p */
    double *expected;             /* (n_stats + n_rows) E[a] */
    double *natural;              /* (n_stats) */
    double *weight;               /* (n_rows) */
    bool *impossible;             /* (n_stats) states that are */
    int32_t *member;              /* rows of Gaussians */
    dlp_index n_coordinates;
    int32_t *q_of_coordinate; /* (n_coordinates) */
    double *mean, *variance;  /* (n_coordinates) */
    struct dlp_fit *one[2];   /* of Gaussians of one coordinate: laplace, delta */
    struct dlpi_of_q *of_one[2];
    double *root; /* of the atom's other factors: see meanfield_f.c */
    double *room, *jet, *sum, *batch, *slots, *spread; /* of programs */
    const double **input;
    int *slot;
    int order; /* of derivatives that there is room for */
    /* what came out */
    dlp_outcome outcome;
    int sweeps;
    double *elbo; /* (sweeps) */
    int elbo_room;
    dlp_index fallbacks;
} dlpi_meanfield;

/* Finds q; makes the factors, too. */
dlp_status dlpi_meanfield_find(dlpi_lowering *lowering, dlpi_factors *factors,
                               const dlp_bugs_settings *settings, dlpi_listener *listener,
                               const double *start, const double *value,
                               dlpi_meanfield *mf, dlp_error *error);
/* Where a fit of every node on its own begins: at the means that a fit of all locations
   together finds, from where these are; start and value (n_cells) are both. */
dlp_status dlpi_meanfield_begin(const dlpi_graph *graph,
                                const dlp_bugs_settings *settings,
                                dlpi_listener *listener, double *start, double *value,
                                dlp_error *error);
void dlpi_meanfield_clear(dlpi_meanfield *mf); /* fine on a zeroed or failed one */

/* ---- meanfield_plan.c: who is a factor of which family ---- */

/* The ways that were asked for, and nodes that may have a family of their own: those are
   their own coordinates. */
dlp_status dlpi_meanfield_prepare(dlpi_meanfield *mf, dlpi_lowering *lowering,
                                  dlp_error *error);
/* Relations whose nodes are no location of anything. */
dlp_status dlpi_meanfield_find_scales(dlpi_meanfield *mf, dlp_error *error);
/* The factors. */
dlp_status dlpi_meanfield_number(dlpi_meanfield *mf, dlp_error *error);
/* Nodes that are `broken` become Gaussian. DLP_EINPUT: their family was asked for. */
dlp_status dlpi_meanfield_mend(dlpi_meanfield *mf, bool *changed, dlp_error *error);
static inline bool dlpi_is_gaussian(const dlpi_meanfield *mf, int32_t q)
{
    return mf->q[q].family == DLPI_GAUSSIAN;
}

/* ---- meanfield_terms.c: log p as terms of atoms ---- */

/* All terms; where families do not fit, `broken` says so and the rest does not matter.
   sample: of a few instances of each relation. */
dlp_status dlpi_meanfield_terms(dlpi_meanfield *mf, bool sample, dlp_error *error);

/* meanfield_expand.c. An expression as terms, times indicators (n); -1 of memory. */
dlp_status dlpi_meanfield_expand(dlpi_meanfield *mf, int relation, dlpi_expr e, int n,
                                 const int32_t *indicator, dlp_error *error);

/* ---- meanfield_atoms.c ---- */

/* The atom of an expression: its number. */
dlp_status dlpi_meanfield_atom(dlpi_meanfield *mf, dlpi_expr e, int32_t *atom,
                               dlp_error *error);
dlp_status dlpi_meanfield_add_term(dlpi_meanfield *mf, double c, int n,
                                   const int32_t *atom, dlp_error *error);
void dlpi_meanfield_forget(dlpi_meanfield *mf); /* terms and atoms */
/* After the last: slots, who uses what. */
dlp_status dlpi_meanfield_seal(dlpi_meanfield *mf, dlp_error *error);

/* ---- meanfield_f.c ---- */

/* A factor of q, as the state of a model of the engine. */
typedef struct dlpi_of_q {
    dlpi_meanfield *mf;
    int32_t q;
} dlpi_of_q;

/* The weights of its atoms, and how far the other factors spread them. */
void dlpi_meanfield_weigh(dlpi_meanfield *mf, int32_t at);
/* sum of weight(a) E_{-q}[a](theta) over its atoms, with derivatives (see dlp_model_type);
   state is a dlpi_of_q. */
double dlpi_meanfield_f(void *state, const double *theta, double *grad, dlp_sym *hess);
/* grad of Tr{hess f(theta) Sigma}. */
void dlpi_meanfield_trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                               double *grad);
/* E[a] of all its atoms. */
void dlpi_meanfield_expect(dlpi_meanfield *mf, int32_t at);
/* E_{-a} of what an atom is multiplied by. */
double dlpi_meanfield_weight(const dlpi_meanfield *mf, dlp_index atom);

/* ---- meanfield_conjugate.c ---- */

/* q from the weights of its statistics. False: it is no distribution. */
bool dlpi_conjugate_update(dlpi_meanfield *mf, dlpi_q *q);
/* The second half: expectations from its natural parameters. */
bool dlpi_conjugate_expect(dlpi_meanfield *mf, dlpi_q *q);
/* Expectations of a point to begin with. */
void dlpi_conjugate_start(dlpi_meanfield *mf, dlpi_q *q, const double *value);
double dlpi_conjugate_entropy(const dlpi_meanfield *mf, const dlpi_q *q);
/* Mean and sd of each of its cells. */
void dlpi_conjugate_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                            double *sd);
/* value (n) of its cells. */
void dlpi_conjugate_draw(const dlpi_meanfield *mf, const dlpi_q *q, struct dlp_rng *rng,
                         double *value);
/* meanfield_scale.c: the same of sds. */
bool dlpi_scale_expect(const dlpi_meanfield *mf, const dlpi_q *q, double *expected);
double dlpi_scale_entropy(const dlpi_meanfield *mf, const dlpi_q *q);
void dlpi_scale_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                        double *sd);
double dlpi_scale_quantile(const dlpi_meanfield *mf, const dlpi_q *q, double p);
extern const char *const dlpi_family_name[DLPI_N_FAMILIES];

/* ---- meanfield_sweeps.c: coordinate ascent ---- */

dlp_status dlpi_meanfield_ascend(dlpi_meanfield *mf, dlp_error *error);

/* meanfield_state.c. The parameters of all factors that are not discrete, without bounds. */
dlp_index dlpi_meanfield_state_size(const dlpi_meanfield *mf);
void dlpi_meanfield_state(const dlpi_meanfield *mf, double *state, double *unit);
/* False: they are no distributions. */
bool dlpi_meanfield_set_state(dlpi_meanfield *mf, const double *state);

/* ---- meanfield_gaussian.c: by the engine of src/infer ---- */

dlp_status dlpi_gaussian_update(dlpi_meanfield *mf, int32_t at, dlp_error *error);
bool dlpi_gaussian_by_delta(const dlpi_meanfield *mf, const dlpi_q *q);
double dlpi_gaussian_covariance(const dlpi_meanfield *mf, dlp_index i, dlp_index j);

#endif
