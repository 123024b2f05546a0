/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms that a fit keeps for other tables, with its names and levels. Internal. */
#ifndef DLPI_REGRESSION_KEEP_TERMS_H
#define DLPI_REGRESSION_KEEP_TERMS_H

#include "regression/prepare/prepare.h"

/* A pooled fit ignores the groups, so it does not need them for predictions, unless they
   are in its formula. */
dlp_status dlpi_keep_terms(dlpi_prepared *prepared, dlp_error *error);
/* Puts the levels of the response into the order that was asked for, in these terms and
   in the rows. */
dlp_status dlpi_order_response(dlpi_prepared *prepared, dlp_error *error);

#endif
