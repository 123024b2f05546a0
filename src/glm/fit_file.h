/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json: fit_write.c writes it, fit_read.c reads it back. Internal. */
#ifndef DLPI_GLM_FIT_FILE_H
#define DLPI_GLM_FIT_FILE_H

#include "glm/regression.h"

#define DLPI_FIT_FORMAT "delaplace-glm"
enum { DLPI_FIT_VERSION = 1 };

#endif
