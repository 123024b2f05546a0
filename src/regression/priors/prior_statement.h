/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A prior in words: "sd(g, x) ~ half_normal(2)", "cor(g) ~ lkj(2)", "b(x) ~ normal(0, 1)".
 * Internal.
 */
#ifndef DLPI_REGRESSION_PRIOR_STATEMENT_H
#define DLPI_REGRESSION_PRIOR_STATEMENT_H

#include <delaplace/regression.h>
#include <stdbool.h>

typedef enum dlpi_prior_of {
    DLPI_PRIOR_OF_SD,
    DLPI_PRIOR_OF_CORRELATION,
    DLPI_PRIOR_OF_SHARE,
    DLPI_PRIOR_OF_COEFFICIENT
} dlpi_prior_of;

enum { DLPI_PRIOR_NAME = 256 };

typedef struct dlpi_prior_statement {
    dlpi_prior_of of;
    char name[2][DLPI_PRIOR_NAME];     /* group and effect, or a coefficient; "": all */
    dlp_sd_prior sd;                   /* of an sd */
    double lkj;                        /* of correlations */
    double share[2];                   /* of a share: a and b of Beta(a, b) */
    dlp_coefficient_prior coefficient; /* of a coefficient */
    const char *text;                  /* all of it, the caller's */
} dlpi_prior_statement;

/* DLP_EINVAL where the text is not a prior. */
dlp_status dlpi_prior_statement_parse(const char *text, dlpi_prior_statement *statement,
                                      dlp_error *error);
/* "half_t(3, 108)": a prior of an sd, by itself. */
dlp_status dlpi_sd_prior_parse(const char *text, dlp_sd_prior *prior, dlp_error *error);

/* n texts, in order, to be freed. No two may be about the same thing. */
dlp_status dlpi_prior_statements_parse(dlp_index n, const char *const *text,
                                       dlpi_prior_statement **statements,
                                       dlp_error *error);

/* How specific it is: of two that apply to the same thing, the more specific one
   counts. */
static inline int dlpi_prior_statement_depth(const dlpi_prior_statement *s)
{
    return s->name[1][0] ? 2 : s->name[0][0] ? 1 : 0;
}

#endif
