/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits with several numbers of topics, compared on documents held out. */
#ifndef DLP_CLI_TOPICS_SEARCH_H
#define DLP_CLI_TOPICS_SEARCH_H

#include "cli/progress.h"

#include <jansson.h>

/* A held-out likelihood a word is close to the best within this part of it. */
#define CLI_SEARCH_CLOSE 0.005

/* What a number of topics came to. */
typedef struct cli_search_row {
    dlp_index K;
    double bound_per_word;   /* of the fit */
    double heldout_per_word; /* by document completion; NaN when there was no word */
    double coherence, exclusivity; /* means over topics */
    int iterations;
    dlp_outcome outcome;
    double seconds; /* of the fit alone */
} cli_search_row;

typedef struct cli_search {
    const dlp_corpus *train, *test;
    dlp_topics_settings settings; /* but for K and progress */
    dlp_index count;
    cli_search_row *row; /* (count) with K; the rest is found */
    dlp_index done;      /* rows found */
} cli_search;

/* Finds the next row. A signal ends its fit: *stopped is true and the row is not found. */
dlp_status cli_search_next(cli_search *search, cli_progress *progress, bool *stopped,
                           dlp_error *error);

/* Numbers of topics, 0 when there is none. */
typedef struct cli_search_advice {
    dlp_index best_held_out, best_coherence; /* of equals the first */
    dlp_index suggested; /* the fewest whose held-out likelihood is close to the best */
    dlp_index least, largest; /* that were tried */
} cli_search_advice;

cli_search_advice cli_search_advise(const cli_search *search);

/* topics_search_report.c */
/* path: the corpus as it was typed, for the command to type next */
void cli_search_print(const cli_search *search, const char *path);
dlp_status cli_search_write_csv(const cli_search *search, const char *path,
                                dlp_error *error);
/* topics_search_svg.c: as a picture for a paper. */
dlp_status cli_search_write_svg(const cli_search *search, const char *path,
                                dlp_error *error);
json_t *cli_search_json(const cli_search *search); /* NULL without memory */

#endif
