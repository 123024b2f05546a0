/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of terms or documents, one per line. Any bytes make a name, if there is at least
   one. Internal. */
#ifndef DLPI_CORPUS_NAMES_H
#define DLPI_CORPUS_NAMES_H

#include "corpus/corpus.h"

struct dlpi_names {
    dlp_index n;
    char **name; /* (n) one block, pointers first, so that one free() releases them */
};

/* What is named, for messages. */
struct dlpi_named {
    const char *one;   /* "the name of a term" */
    const char *whole; /* "a vocabulary" */
};
extern const struct dlpi_named dlpi_named_terms, dlpi_named_documents;

/* On failure names is empty. */
dlp_status dlpi_names_parse(const char *file, const char *text, size_t size,
                            const struct dlpi_named *named, struct dlpi_names *names,
                            dlp_error *error);
dlp_status dlpi_names_read(const char *path, const struct dlpi_named *named,
                           struct dlpi_names *names, dlp_error *error);

/* The same names in a block of their own; NULL without memory. */
char **dlpi_names_copy(const char *const *name, dlp_index n);

/* True when a line of a file can hold the name: it has more than blanks, and no line
   end. */
bool dlpi_name_is_sound(const char *name);

#endif
