/* SPDX-License-Identifier: BSD-3-Clause */
/* What to write instead of names that R, Stan, WinBUGS and others have. Internal. */
#ifndef DLPI_LANGUAGE_ADVICE_H
#define DLPI_LANGUAGE_ADVICE_H

/* NULL: there is no advice. */
const char *dlpi_function_advice(const char *name);
const char *dlpi_distribution_advice(const char *name);

#endif
