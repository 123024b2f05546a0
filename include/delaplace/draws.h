/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws from the fit of a regression: of its parameters, of what it expects of rows, and of
 * new responses of theirs; and files of them for other programs. Draws are independent, and
 * the same for the same seed.
 */
#ifndef DELAPLACE_DRAWS_H
#define DELAPLACE_DRAWS_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_draw_what {
    DLP_DRAW_PARAMETERS, /* as people read them, dlp_regression_parameters; with groups, of all.
                            Of a mixed model the population's, then the sds and correlations
                            between levels, which are drawn by their margins alone: through the median
                            and the ends of the interval */
    DLP_DRAW_MEANS,    /* E[y] of each row of a table, or the probability of each level */
    DLP_DRAW_RESPONSES /* a new response of each row; of levels, their number from 1 */
} dlp_draw_what;

typedef struct dlp_draws_settings {
    size_t size;        /* set by dlp_draws_settings_default */
    dlp_index n;        /* how many; default 1000 */
    unsigned long seed; /* default 1 */
    dlp_draw_what what;
    const dlp_table *table; /* whose rows; for DLP_DRAW_PARAMETERS NULL */
    int effects; /* non-zero: of a mixed model the effects of levels, too, given which
                    coefficients those of two levels are drawn independently */
    dlp_design_problem
        *problem; /* filled in when the table is refused; NULL: not wanted */
    dlp_progress_call *progress; /* reports rows or groups; may stop it; default NULL */
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
    const char *const
        *name; /* (columns) "x", "x[group]", "b[x g:level]"; "mean[7]", "p[7,yes]",
                                "y[7]" of row 7 of the table, from 1 */
    const double *value; /* (columns, n) one column after the other */
} dlp_draws;

/* Released by dlp_draws_free; on failure *draws is NULL. Rows of a mixed model have the effects of
   their levels, which must be levels of the fit. */
DLP_API dlp_status dlp_regression_draw(const dlp_regression *regression,
                                       const dlp_draws_settings *settings,
                                       dlp_draws **draws, dlp_error *error);
DLP_API void dlp_draws_free(dlp_draws *draws); /* NULL is fine */

/* "csv", "cmdstan" (CmdStan's CSV, which R's posterior and Python's ArviZ read) and "coda" (two
   files, PATHindex.txt and PATHchain1.txt); NULL from the end on. */
DLP_API const char *dlp_draws_format(int i);
/* Whole or not at all; path as dlp_file_write takes it. */
DLP_API dlp_status dlp_draws_save(const dlp_draws *draws, const char *format,
                                  const char *path, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
