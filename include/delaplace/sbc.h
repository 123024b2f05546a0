/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari & Gelman, 2018): are
 * the posteriors of a model right? Parameters are drawn from the prior, responses from
 * the model for the rows of a table, and the model is fitted to them. If the posteriors
 * are right, the share of each that lies below the parameter drawn is uniform, whatever
 * the prior.
 */
#ifndef DELAPLACE_SBC_H
#define DELAPLACE_SBC_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_sbc_settings {
    size_t size;          /* set by dlp_sbc_settings_default */
    dlp_index replicates; /* how many fits; default 200 */
    dlp_index bins;       /* of the ranks; default 20, but at most a quarter of the
                             replicates */
    unsigned long seed;   /* default 1 */
    int threads; /* the result does not depend on it. Default 0: as many as help */
    dlp_design_problem *problem; /* filled in when the table is refused; NULL: not
                                    wanted */
    dlp_progress_call *progress; /* reports each fit, and may stop the call; default
                                    NULL */
    void *context;               /* for progress */
} dlp_sbc_settings;

DLP_API void dlp_sbc_settings_init(dlp_sbc_settings *settings, size_t size);
static inline dlp_sbc_settings dlp_sbc_settings_default(void)
{
    dlp_sbc_settings settings;
    dlp_sbc_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_sbc_parameter {
    const char *name;    /* as in dlp_parameter_name; for a mixed model also "sd(g: x)" */
    const double *drawn; /* (replicates) from the prior; for a scale its logarithm */
    const double *rank;  /* (replicates) the share of the posterior below it, 0 to 1; NaN
                            if there is no fit */
    const dlp_index *count; /* (bins) ranks in each */
    dlp_index outside;      /* bins whose count is outside lower and upper */
    double p; /* the probability of counts at least as uneven if ranks are uniform
                 (chi-squared) */
    double mean_z,
        sd_z; /* of ranks as normal quantiles; 0 and 1 if posteriors are right. A mean
                 above 0: posteriors are too low; an sd above 1: too narrow */
    double covered; /* the share of drawn values within the middle 95 % of their
                       posterior */
    int even;       /* 0: p is too small to be chance, given the number of parameters */
} dlp_sbc_parameter;

/* New fields come last. */
typedef struct dlp_sbc {
    dlp_index replicates;
    dlp_index failed; /* replicates whose responses could not be fitted */
    dlp_index bins;
    dlp_index lower, upper; /* the middle 99 % of a count */
    dlp_index n;
    const dlp_sbc_parameter *parameter; /* (n) */
    double covered_lower,
        covered_upper; /* the range of `covered` in 95 of 100 cases if posteriors are
                          right */
    double expected;   /* a count on average if posteriors are right */
} dlp_sbc;

/*
 * Checks the model of a fit, with its prior, for the rows of a table. Released by
 * dlp_sbc_free; on failure *sbc is NULL. DLP_EINVAL for hierarchies and separate groups,
 * for weights, and for mixed models with processes or that dlp_regression_verify refuses.
 * A default prior is wide: what is drawn from it may be far from any real data.
 */
DLP_API dlp_status dlp_regression_sbc(const dlp_regression *regression,
                                      const dlp_table *table,
                                      const dlp_sbc_settings *settings, dlp_sbc **sbc,
                                      dlp_error *error);
DLP_API void dlp_sbc_free(dlp_sbc *sbc); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
