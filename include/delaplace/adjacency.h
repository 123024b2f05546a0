/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which regions are neighbours, for besag(region) in a formula. A file has a line for each
 * region, its name and then those of its neighbours, between blanks or tabs:
 *
 *     north west east
 *     west north
 *
 * or, where a line has a comma, pairs: north,west. It is enough to name neighbours once.
 * A name with blanks needs a file of pairs. Empty lines and those that start with # are
 * passed over, and so is a first line "region,neighbour".
 */
#ifndef DELAPLACE_ADJACENCY_H
#define DELAPLACE_ADJACENCY_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_adjacency {
    dlp_index n;             /* regions, in the order in which they are named */
    const char *const *name; /* (n) */
    const dlp_index *begin;  /* (n + 1) the neighbours of region i begin there */
    const dlp_index
        *neighbour;      /* (begin[n]) ascending, without repeats, listed for both */
    dlp_index islands;   /* regions without neighbours */
    dlp_index one_sided; /* neighbours that one region's line names and the other's, which
                            is there, too, does not; 0 of pairs */
} dlp_adjacency;

/* From a file, or from bytes in memory, `name` standing for the file in messages. On failure
   *adjacency is NULL. O(length). */
DLP_API dlp_status dlp_adjacency_read(const char *path, dlp_adjacency **adjacency,
                                      dlp_error *error);
DLP_API dlp_status dlp_adjacency_parse(const char *name, const char *text, size_t size,
                                       dlp_adjacency **adjacency, dlp_error *error);
DLP_API void dlp_adjacency_free(dlp_adjacency *adjacency); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
