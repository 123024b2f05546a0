/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How FIT.json is read back: glm_read.c reads the whole, glm_read_terms.c what makes the
 * columns. The file may be damaged or made by hand, so nothing of it is believed before it
 * is checked.
 */
#ifndef DLP_CLI_GLM_READ_H
#define DLP_CLI_GLM_READ_H

#include "cli/glm/fit.h"

typedef struct cli_reader {
    const char *name; /* of the file */
    const json_t *root;
    cli_glm_fit *fit;
    dlp_error *error;
} cli_reader;

/* "fit.json: "key" must be what was expected; ..." */
dlp_status cli_reader_wrong(const cli_reader *r, const char *key, const char *expected);
dlp_status cli_reader_no_memory(const cli_reader *r);

/* The values of an object; the text stays the object's. */
dlp_status cli_read_text(const cli_reader *r, const json_t *object, const char *key,
                         const char **text);
dlp_status cli_read_real(const cli_reader *r, const json_t *object, const char *key,
                         double *real);

/* Fills in the fit's terms and columns from the object "terms". */
dlp_status cli_read_terms(const cli_reader *r, const json_t *object);

#endif
