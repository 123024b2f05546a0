/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/student_df.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On even spaces of a logarithm, nearly. With fewer than 1 the tails have no limit that
   means anything; with more than 50 they are normal. */
static const double candidates[] = {1, 1.5, 2, 3, 4, 6, 10, 20, 50};

bool dlpi_chooses_df(const dlpi_prepared *p)
{
    return !strcmp(p->family->name, "student") && p->asked.df == 0 &&
           (p->grouping == DLP_UNGROUPED || p->grouping == DLP_POOLED);
}

/* Of log df: df^2 exp(-df/10) */
static double log_prior(double df)
{
    return 2 * log(df) - df / 10;
}

dlp_status dlpi_choose_df(const dlpi_prepared *p, dlp_glm_data *rows,
                          const dlp_settings *settings, double *mu, double *Sigma,
                          dlp_error *error)
{
    double best = -INFINITY, chosen = rows->df;
    for (size_t k = 0; k < sizeof candidates / sizeof *candidates; k++) {
        dlp_glm *glm = NULL;
        dlp_glm_data at = *rows;
        dlpi_solution end = {.trace = NULL};
        at.df = candidates[k];
        dlp_status status = dlpi_make_glm(p, &at, &glm, error);
        if (status == DLP_OK)
            status = dlpi_solve(p, &at, glm, settings, false, mu, Sigma, &end, error);
        free(end.trace);
        dlp_glm_free(glm);
        if (status == DLP_EINPUT) continue; /* the fit itself will say why */
        if (status != DLP_OK) return status;
        const double value = end.objective + log_prior(at.df);
        if (!(value > best)) continue;
        best = value;
        chosen = at.df;
    }
    rows->df = chosen;
    return DLP_OK;
}
