/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a model. Internal. */
#ifndef DLPI_BUGS_LEX_H
#define DLPI_BUGS_LEX_H

#include "language/source.h"

typedef enum dlpi_token_kind {
    DLPI_TOKEN_END,
    DLPI_TOKEN_NAME,
    DLPI_TOKEN_NUMBER,
    DLPI_TOKEN_ARROW, /* <- or = */
    DLPI_TOKEN_SIGN   /* all others: operators and brackets; `sign` tells which */
} dlpi_token_kind;

/* Signs of more than one character; the others are their character. */
enum {
    DLPI_SIGN_GE = 256,
    DLPI_SIGN_LE,
    DLPI_SIGN_EQ,
    DLPI_SIGN_NE,
    DLPI_SIGN_AND,
    DLPI_SIGN_OR,
    DLPI_SIGN_MATMUL
};

typedef struct dlpi_bugs_token {
    dlpi_token_kind kind;
    int sign;
    bool called;      /* a name followed by '(' */
    bool begins_line; /* only blanks and comments before it on its line */
    dlpi_position place;
    double number;
    const char *name; /* interned */
} dlpi_bugs_token;

typedef struct dlpi_tokens {
    dlp_index n; /* the last one is DLPI_TOKEN_END */
    dlpi_bugs_token *token;
} dlpi_tokens;

/* All words of a text; free tokens->token. Reports and skips what is not a word. */
dlp_status dlpi_bugs_lex(const dlpi_source *source, dlpi_names *names,
                         dlpi_tokens *tokens, dlpi_diagnostics *found, dlp_error *error);

#endif
