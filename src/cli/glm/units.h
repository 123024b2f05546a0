/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hierarchical regression with an identity link, in units of its response: EM starts
 * from mu0 = 0 and Sigma0 = I, and its hyperpriors are about numbers of the order of one.
 * So the response is taken from its mean (where there is an intercept to tell it to) in
 * its standard deviations, and the posterior is turned back into what was asked for.
 */
#ifndef DLP_CLI_GLM_UNITS_H
#define DLP_CLI_GLM_UNITS_H

#include "cli/glm/rows.h"

/* Zeroed, it changes nothing. */
typedef struct cli_glm_units {
    double unit;         /* y = centre + unit y', 0: other links */
    double centre;       /* 0 without an intercept */
    dlp_index intercept; /* its column, or -1 */
    double *y, *offset;  /* (N) y', and the offset in the same unit */
} cli_glm_units;

/* The mean of the response less its offset, or 0 without an intercept, and the root mean
   square of what is left, or 1 where that is 0. */
void cli_glm_measure_response(const dlp_glm_data *d, dlp_index intercept, double *centre,
                              double *unit);
/* Replaces the response and the offset in *data, which must outlive the units. */
dlp_status cli_glm_units_take(const cli_glm_fit *fit, dlp_glm_data *data,
                              cli_glm_units *units, dlp_error *error);
/* The posteriors of the fit, its objective and trace, as if y had been fitted. */
void cli_glm_units_give_back(const cli_glm_units *units, cli_glm_fit *fit);
void cli_glm_units_clear(cli_glm_units *units);

#endif
