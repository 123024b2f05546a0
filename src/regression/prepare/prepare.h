/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression before its fit: a formula, a table and settings have become rows, a family
 * and a prior. It does not change from here on; the fit reads it and writes a result.
 * Internal.
 */
#ifndef DLPI_REGRESSION_PREPARE_H
#define DLPI_REGRESSION_PREPARE_H

#include "comm/comm.h"
#include "core/spill.h"
#include "glm/families/family.h"

#include <delaplace/glm.h>
#include <delaplace/regression.h>
#include <stdbool.h>
#include <string.h>

/* The prior, with everything decided. Nothing is decided when zeroed. */
typedef struct dlpi_prior_choice {
    /* for coefficients, except in a hierarchy */
    double sd, df;               /* for weak ones, sd is in spreads of the columns */
    dlp_coefficient_prior *each; /* (p) of each; NULL: N(0, sd^2) */
    double *covariance;          /* (p, p) of all; NULL: independent */
    bool symmetric;              /* symmetric in the levels of a multinomial response */
    double cut_sd; /* of the first cut point, at the means of the columns; 0: none */
    double first_cut_sd; /* and where the columns are 0 */
    double scale_mean;   /* tau's mean: the log of the unit of a response with an identity
                            link */
    /* for a hierarchy */
    double nu, phi0, phi1;
    bool paper_hyperprior, shared_scale;
    /* columns to be fitted in place of x (basis.h), and their prior */
    double *R;            /* (p, p + 1); NULL: x itself */
    double *R_sd;         /* (p) */
    double *R_covariance; /* (p, p); NULL: independent */
} dlpi_prior_choice;

/* Empty when zeroed. */
typedef struct dlpi_prepared {
    dlp_regression_settings asked; /* with defaults filled in */
    const dlp_formula *formula;
    dlp_formula *made; /* the formula, unless it is the caller's */
    const dlp_table *table;
    dlp_design *design;
    dlp_terms *terms; /* the design's, kept for the fit */
    dlp_grouping grouping;
    const dlp_family *family;
    const dlpi_family *linked; /* the family with its link */
    dlp_method_kind method;    /* delta for auto */
    bool may_propagate;        /* expectation propagation may replace it */
    double tol;
    int max_iter;

    dlp_index skipped;       /* columns of the design before those of the data */
    dlp_glm_data data;       /* the design's rows, the response as numbers */
    double *code;            /* (N) the response as numbers, if it has categories; else
                                NULL */
    const char *const *name; /* (data.p) the columns' names */
    const dlp_index *assign; /* (data.p) and terms; -1: the intercept */
    dlp_index intercept;     /* its column, or -1 */
    dlp_index n, M;          /* parameters of each group, and groups (1 without) */
    double total_weight;
    struct dlpi_prior_statement *statement; /* (asked.n_priors) */
    dlp_index n_centres;
    dlp_centre *centre; /* (n_centres) of powers: centre_powers.h */
    dlp_index n_written;
    dlp_written *written; /* (n_written) */
    dlp_hyper hyper;
    dlpi_prior_choice prior;
} dlpi_prepared;

/* regression.c. The method of that name; false: there is none. */
bool dlpi_method_of_text(const char *name, dlp_method_kind *method);

static inline const char *dlpi_link_of(const dlpi_prepared *p)
{
    return dlp_link_name((int)p->linked->link);
}
/* What the engine calls a method. Jaakkola and Jordan's bound is quadratic, so that
   Laplace's update is exact. */
static inline const char *dlpi_engine_method(dlp_method_kind method)
{
    return dlp_regression_method(
        (int)(method == DLP_METHOD_JAAKKOLA_JORDAN ? DLP_METHOD_LAPLACE : method));
}

/* settings may be NULL; formula, table and whatever settings point to must outlive it. */
dlp_status dlpi_prepare(const dlp_formula *formula, const dlp_table *table,
                        const dlp_regression_settings *settings, dlpi_prepared *prepared,
                        dlp_error *error);
void dlpi_prepared_clear(dlpi_prepared *prepared); /* fine on a half-built one */

/* What bars and a group mean, where that is not stated. */
dlp_grouping dlpi_choose_grouping(const dlp_formula *formula,
                                  const dlp_regression_settings *settings);

/* How many linear predictors a row has. */
static inline dlp_index dlpi_predictors_of(const dlpi_prepared *p)
{
    return p->family->support == DLP_SUPPORT_LEVELS ? p->data.levels - 1 : 1;
}

/* The columns, offset, weights and response of a design, for a family. An ordinal
   regression has cut points in place of an intercept. *code (N), the categories of a
   response as numbers, is to be freed. Returns how many leading columns of the design, 0
   or 1, are left out. */
dlp_status dlpi_design_data(const dlp_design *design, dlpi_spill *spill,
                            const dlp_family *family, dlp_glm_data *data, double **code,
                            dlp_index *skipped, dlp_error *error);

/* Puts the table's name before a message about data; a message about the formula alone
   needs none. Returns status. */
dlp_status dlpi_in_table(const dlp_table *table, dlp_status status, dlp_error *error);

/* The processes that share the fit, or NULL. */
static inline struct dlpi_comm *dlpi_comm_of(const dlpi_prepared *p)
{
    return p->asked.processes ? dlpi_processes_comm(p->asked.processes) : NULL;
}

static inline bool dlpi_is_grouped(dlp_grouping grouping)
{
    return grouping == DLP_HIERARCHICAL || grouping == DLP_SEPARATE;
}
/* The number of trials of a row, where a family has trials; a censored row has something
   else in that place. */
static inline double dlpi_trials_of(const dlp_family *family, const dlp_glm_data *data,
                                    dlp_index i)
{
    return data->trials && family->support == DLP_SUPPORT_TRIALS ? data->trials[i] : 1;
}
/* Whether the linear predictor is the mean. */
static inline bool dlpi_is_linear(const dlp_family *family)
{
    return family->support == DLP_SUPPORT_REAL;
}

#endif
