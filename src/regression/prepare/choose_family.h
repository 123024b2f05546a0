/* SPDX-License-Identifier: BSD-3-Clause */
/* The family of a regression, as asked for or inferred from its response; and the order
   of the response's levels. Internal. */
#ifndef DLPI_REGRESSION_CHOOSE_FAMILY_H
#define DLPI_REGRESSION_CHOOSE_FAMILY_H

#include "glm/families/family.h"

#include <delaplace/design.h>

/*
 * The family and link for the response of a design. What is asked for may be NULL: then the
 * family is bernoulli for two levels, or 0 and 1, binomial for cbind(), multinomial for
 * more levels and else gaussian, and the link is the family's first. Refuses what does not
 * go together.
 */
dlp_status dlpi_choose_family(const dlp_design *design, const char *asked_family,
                              const char *asked_link, const dlpi_family **linked,
                              dlp_error *error);

/* The levels of a response in the order asked for, which must name each one once: ordered
   (levels->n) receives their names and rank (levels->n) the new place of each. */
dlp_status dlpi_order_levels(const dlp_levels *levels, dlp_index n_asked,
                             const char *const *asked, const char **ordered,
                             dlp_index *rank, dlp_error *error);

#endif
