/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws from a fitted regression: of its parameters, of the expected responses of rows,
 * and of new responses; and files of them for other programs. Draws are independent, and
 * the same for the same seed.
 */
#ifndef DELAPLACE_DRAWS_H
#define DELAPLACE_DRAWS_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_draw_what {
    DLP_DRAW_PARAMETERS, /* as in dlp_regression_parameters; with groups, those of every
                            group. For a mixed model those of the population, then the sds
                            and correlations between levels, each drawn from its own
                            margin, a curve through the median and the ends of the
                            interval */
    DLP_DRAW_MEANS,      /* E[y] for each row of a table, or the probability of each
                            level */
    DLP_DRAW_RESPONSES /* a new response for each row; for levels, their number from 1 */
} dlp_draw_what;

typedef struct dlp_draws_settings {
    size_t size;        /* set by dlp_draws_settings_default */
    dlp_index n;        /* how many; default 1000 */
    unsigned long seed; /* default 1 */
    dlp_draw_what what;
    const dlp_table *table; /* whose rows; NULL for DLP_DRAW_PARAMETERS */
    int effects; /* non-zero: also the effects of levels of a mixed model; given the
                    coefficients, those of different levels are drawn independently */
    dlp_design_problem *problem; /* filled in when the table is refused; NULL: not
                                    wanted */
    dlp_progress_call *progress; /* reports rows or groups, and may stop the call; default
                                    NULL */
    void *context;               /* for progress */
} dlp_draws_settings;

DLP_API void dlp_draws_settings_init(dlp_draws_settings *settings, size_t size);
static inline dlp_draws_settings dlp_draws_settings_default(void)
{
    dlp_draws_settings settings;
    dlp_draws_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_draws {
    dlp_index n;
    dlp_index columns;
    const char *const *name; /* (columns) "x", "x[group]", "b[x g:level]"; for row 7 of
                                the table, counted from 1, "mean[7]", "p[7,yes]",
                                "y[7]" */
    const double *value;     /* (columns, n) one column after the other */
} dlp_draws;

/* Draws; released by dlp_draws_free. On failure *draws is NULL. The levels of rows of a
   mixed model must be levels of the fit, whose effects are used. */
DLP_API dlp_status dlp_regression_draw(const dlp_regression *regression,
                                       const dlp_draws_settings *settings,
                                       dlp_draws **draws, dlp_error *error);
DLP_API void dlp_draws_free(dlp_draws *draws); /* NULL is fine */

/* The i-th format, from 0: "csv", "cmdstan" (CmdStan's CSV, which R's posterior and
   Python's ArviZ read), "coda" (two files, PATHindex.txt and PATHchain1.txt); NULL past
   the last. */
DLP_API const char *dlp_draws_format(int i);
/* Writes the draws to path, whole or not at all, as dlp_file_write does. */
DLP_API dlp_status dlp_draws_save(const dlp_draws *draws, const char *format,
                                  const char *path, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
