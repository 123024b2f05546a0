/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of an ordinal response given its cut points: log p(y | eta - c_0), where rows->cut
 * holds the distance of each cut point above the first, and rows->gap the logarithms of
 * the gaps between them. For engines with one linear predictor per row. Internal.
 */
#ifndef DLPI_GLM_ORDINAL_ROWS_H
#define DLPI_GLM_ORDINAL_ROWS_H

#include "glm/families/ordinal_link.h"
#include "infer/rows.h"

dlpi_likelihood dlpi_ordinal_logit_rows, dlpi_ordinal_probit_rows,
    dlpi_ordinal_cloglog_rows;

#endif
