/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's names for table/terms_json.h. */
#ifndef DLP_CLI_TERMS_JSON_H
#define DLP_CLI_TERMS_JSON_H

#include "table/terms_json.h"

#include <delaplace.h>

typedef dlpi_read_columns cli_read_columns;

static inline json_t *cli_terms_json(const dlp_terms *terms, dlp_index p,
                                     const char *const *column)
{
    return dlpi_terms_json(terms, p, column);
}

static inline dlp_status cli_terms_parse(const char *name, const json_t *object,
                                         cli_read_columns *columns, dlp_error *error)
{
    return dlpi_terms_parse(name, object, columns, error);
}

static inline void cli_read_columns_clear(cli_read_columns *columns)
{
    dlpi_read_columns_clear(columns);
}

#endif
