/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggests which name was meant: the nearest of the valid ones. Internal, and compiled
   into the program too. */
#ifndef DLPI_CORE_SUGGEST_H
#define DLPI_CORE_SUGGEST_H

#include <delaplace/status.h>

struct dlpi_suggestion {
    const char *typed;
    const char *best; /* NULL if nothing is near */
    int distance;     /* from typed to best; without best, more than allowed */
};

/* A suggestion for a name; names too far from it, for its length, are never offered. */
struct dlpi_suggestion dlpi_suggestion_for(const char *typed);
void dlpi_suggestion_consider(struct dlpi_suggestion *suggestion, const char *candidate);

/* The name among n that `wrong` is likely a misspelling of, or NULL. */
const char *dlpi_suggest(const char *wrong, const char *const *name, dlp_index n);

#endif
