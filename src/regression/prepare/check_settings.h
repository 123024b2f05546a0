/* SPDX-License-Identifier: BSD-3-Clause */
/* Which settings of a regression go together. Internal. */
#ifndef DLPI_REGRESSION_CHECK_SETTINGS_H
#define DLPI_REGRESSION_CHECK_SETTINGS_H

#include "regression/prepare/prepare.h"

/* 0 stands for the default; impossible values are not mistaken for it. */
dlp_status dlpi_check_numbers(const dlp_regression_settings *settings, dlp_error *error);
/* Once the family and the grouping are known. Settings that would be ignored are mistakes:
   the user expects them to do something. */
dlp_status dlpi_check_settings(const dlpi_prepared *prepared, dlp_error *error);

#endif
