/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the ARFF reader share: arff.c, arff_header.c, arff_words.c. */
#ifndef DLPI_TABLE_ARFF_H
#define DLPI_TABLE_ARFF_H

#include "io/input.h"
#include "table/table.h"

enum dlpi_arff_type { DLPI_ARFF_NUMBERS, DLPI_ARFF_NOMINAL, DLPI_ARFF_STRINGS };

struct dlpi_arff_attribute {
    enum dlpi_arff_type type;
    struct dlpi_string_set levels; /* by code: as declared, or as met in strings */
};

struct dlpi_arff {
    struct dlpi_scan s;
    struct dlpi_missing missing;
    struct dlpi_bytes plain; /* a quoted word without its backslashes */
    dlp_table *table;
    struct dlpi_arff_attribute *attribute; /* (columns) */
};

/* Valid until the next one is read. */
struct dlpi_arff_word {
    const char *at;
    size_t length;
    bool quoted;
};

/* Reads a word, in quotes or up to one of the characters that end it or the end of the
   line; blanks around it are not part of it. */
dlp_status dlpi_arff_next_word(struct dlpi_arff *a, const char *ends,
                               struct dlpi_arff_word *w, dlp_error *error);
/* True at one of the characters. */
bool dlpi_arff_at(const struct dlpi_scan *s, const char *characters);
/* Steps over the keyword, in any case, if it is the next whole word. */
bool dlpi_arff_take_keyword(struct dlpi_scan *s, const char *keyword);
/* To the next line that is neither blank nor a comment; false when none is left. */
bool dlpi_arff_find_line(struct dlpi_scan *s);

/* Reads up to the line after '@data': makes and names the columns, without values, and
   their attributes. */
dlp_status dlpi_arff_read_header(struct dlpi_arff *a, dlp_error *error);

#endif
