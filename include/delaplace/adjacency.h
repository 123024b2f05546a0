/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which regions are neighbours, for besag(region) in a formula. A file has one line for
 * each region: its name, then the names of its neighbours, separated by blanks or tabs:
 *
 *     north west east
 *     west north
 *
 * or, if a line has a comma, pairs: north,west. Naming two neighbours once is enough. A
 * name with blanks needs a file of pairs. Empty lines and lines that start with # are
 * skipped, and so is a first line "region,neighbour".
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
    dlp_index n;             /* regions, in the order in which they are first named */
    const char *const *name; /* (n) */
    const dlp_index *begin;  /* (n + 1) the neighbours of region i are neighbour[begin[i]]
                                to neighbour[begin[i+1]-1] */
    const dlp_index *neighbour; /* (begin[n]) ascending, without repeats; each pair is
                                   listed under both regions */
    dlp_index islands;          /* regions without neighbours */
    dlp_index one_sided; /* pairs that one region's line names and the other region's line
                            omits; 0 for a file of pairs */
} dlp_adjacency;

/* Reads a file, or bytes in memory, which messages call `name`. Released by
   dlp_adjacency_free; on failure *adjacency is NULL. O(length). */
DLP_API dlp_status dlp_adjacency_read(const char *path, dlp_adjacency **adjacency,
                                      dlp_error *error);
DLP_API dlp_status dlp_adjacency_parse(const char *name, const char *text, size_t size,
                                       dlp_adjacency **adjacency, dlp_error *error);
DLP_API void dlp_adjacency_free(dlp_adjacency *adjacency); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
