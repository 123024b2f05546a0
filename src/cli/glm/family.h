/* SPDX-License-Identifier: BSD-3-Clause */
/* The family of a regression: as asked for, or guessed from the response; and the order
   of its levels. */
#ifndef DLP_CLI_GLM_FAMILY_H
#define DLP_CLI_GLM_FAMILY_H

#include <delaplace.h>

/* The links of all families, each once; NULL from the end on. */
const char *cli_glm_any_link(int i);

/*
 * The family and link for the response of a design. What is asked for may be NULL: then
 * the family is guessed (two levels, or 0 and 1: bernoulli; cbind: binomial; more levels:
 * multinomial; other numbers: gaussian) and the link is the family's first. Refuses what
 * does not go together.
 */
dlp_status cli_glm_choose(const dlp_design *design, const char *asked_family,
                          const char *asked_link, const char **family, const char **link,
                          dlp_error *error);

/* The levels of a response in the order asked for, "low,middle,high", which must name
   each once: ordered (n) gets their names and rank (n) the new place of each. */
dlp_status cli_glm_order_levels(const dlp_levels *levels, const char *asked,
                                const char **ordered, dlp_index *rank, dlp_error *error);

#endif
