/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits with several numbers of topics, as text, CSV, JSON and a picture. */
#ifndef DLP_CLI_TOPICS_SEARCH_H
#define DLP_CLI_TOPICS_SEARCH_H

#include <delaplace.h>
#include <jansson.h>

/* The state of a search. */
typedef struct cli_search {
    dlp_topic_search *search;
    dlp_index count; /* fits that were asked for */
    dlp_index done;  /* fits that are done, in row */
    const dlp_search_row *row;
    const dlp_corpus *train, *test;
} cli_search;

/* path: the corpus as the user typed it, for suggesting the next command */
void cli_search_print(const cli_search *search, const char *path);
dlp_status cli_search_write_csv(const cli_search *search, const char *path,
                                dlp_error *error);
/* search_svg.c: as a picture for a paper. */
dlp_status cli_search_write_svg(const cli_search *search, const char *path,
                                dlp_error *error);
json_t *cli_search_json(const cli_search *search); /* NULL when out of memory */

#endif
