/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression for users: which parts to show, in words, and as a picture. */
#ifndef DLP_CLI_GLM_VIEW_H
#define DLP_CLI_GLM_VIEW_H

#include "cli/glm/intervals.h"

#include <delaplace.h>
#include <stdbool.h>
#include <stddef.h>

/* What to show of a fit. */
typedef struct cli_glm_view {
    bool plot;        /* draw the intervals */
    bool guessed;     /* say that the family is a guess */
    dlp_index most;   /* how many parameters to list; 0: all */
    dlp_index group;  /* only this group or, in a mixed model, this level, numbered over
                        all terms; -1: all as one */
    bool every_group; /* each group by itself */
    cli_intervals intervals; /* of parameters; none: 95 % */
    bool exponentiate;       /* exp() of coefficients */
} cli_glm_view;

/* print.c. The fit on a screen. */
dlp_status cli_glm_print(const dlp_regression *fit, const cli_glm_view *view,
                         dlp_error *error);
/* The same as JSON: the summary and what the view asks for. */
dlp_status cli_glm_print_json(const dlp_regression *fit, const cli_glm_view *view,
                              dlp_error *error);

/* parameters.c. All parameters of one group, or of the groups together
   (DLP_MEAN_OF_GROUPS, ...), to be freed. */
dlp_status cli_glm_parameters(const dlp_regression *fit, dlp_index whose,
                              dlp_parameter **parameters, dlp_error *error);
/* The name of parameter i; "" when out of memory. */
void cli_glm_parameter_name(const dlp_regression *fit, dlp_index i, char *out,
                            size_t room);
/* One that is listed: its number among all, and what its verification found, or NULL. */
typedef struct cli_glm_listed {
    dlp_parameter parameter;
    dlp_index number;
    const dlp_verified *verified;
} cli_glm_listed;
typedef struct cli_glm_list_of {
    dlp_index n;
    cli_glm_listed *item; /* to be freed */
} cli_glm_list_of;
/* Those of the first n that mean something on their own, so not the wiggly parts of
   smooths. */
dlp_status cli_glm_list(const dlp_regression *fit, dlp_index whose, dlp_index n,
                        cli_glm_list_of *out, dlp_error *error);

/* print_head.c. What was fitted, with which prior; and how it ended. */
void cli_glm_print_head(const dlp_regression *regression, bool guessed);
/* In what default priors are: the words behind "in sds of". */
const char *cli_glm_prior_units(const dlp_regression_result *fit);
void cli_glm_print_outcome(const dlp_regression_result *fit);

/* print_random.c. For a mixed model: lines of the head, how much levels differ, and the
   effects of level m, numbered over all terms. */
void cli_glm_print_random_head(const dlp_regression_result *fit);
void cli_glm_print_random_method(const dlp_regression_result *fit);
void cli_glm_print_sds(const dlp_regression_result *fit);
dlp_status cli_glm_print_level(const dlp_regression *regression, dlp_index m,
                               dlp_error *error);

/* print_smooths.c. For smooth terms: a line of the head, and the table of their sds. */
void cli_glm_print_smooth_head(const dlp_regression_result *fit);
void cli_glm_print_smooths(const dlp_regression_result *fit);

/* print_verification.c. What the verification of a fit says, in a sentence; more accurate
   numbers for the parameters of group m (0 without groups), and a line for each group. */
void cli_glm_print_grades(const dlp_regression *fit);
dlp_status cli_glm_print_verified(const dlp_regression *fit, dlp_index m,
                                  const cli_intervals *levels, dlp_error *error);
void cli_glm_print_verified_groups(const dlp_regression *fit);

/* tidy.c. The parameters as CSV, with the names of R's broom. */
dlp_status cli_glm_write_tidy(const dlp_regression *fit, const cli_glm_view *view,
                              const char *path, dlp_error *error);

/* curves_svg.c. Whether there are smooths of one variable, and a picture of them. */
bool cli_glm_has_curves(const dlp_regression_result *fit);
dlp_status cli_glm_write_curves(const dlp_regression *fit, const char *path,
                                dlp_error *error);

/* warnings.c. The diagnostics of a fit in sentences: those about how it ended, those
   about priors and data. */
void cli_glm_print_end(const dlp_regression *regression);
void cli_glm_print_warnings(const dlp_regression *fit);

/* words.c. How the fit was made, in words that follow "the fit by". */
const char *cli_glm_method_used(const dlp_regression_result *fit);
/* The levels of the response, "no (0), yes (1)", "low < high"; "" for a response without
   levels. To be freed; NULL when out of memory. */
char *cli_levels_text(const dlp_regression_result *fit);
/* The warning in a picture of a fit that did not converge; "" for others. */
void cli_glm_warn(const dlp_regression_result *fit, char *out, size_t room);

/* svg.c. A forest plot of a group or, with -1, of the single fit or the population. */
dlp_status cli_glm_write_svg(const dlp_regression *fit, dlp_index group, const char *path,
                             dlp_error *error);
/* calibration_svg.c */
dlp_status cli_calibration_write_svg(const dlp_regression *regression,
                                     const dlp_calibration *calibration, const char *path,
                                     dlp_error *error);

#endif
