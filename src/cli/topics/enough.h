/* SPDX-License-Identifier: BSD-3-Clause */
/* How many topics so many documents can tell apart: topics of less than two documents each
   are about single documents. */
#ifndef DLP_CLI_TOPICS_ENOUGH_H
#define DLP_CLI_TOPICS_ENOUGH_H

#include <delaplace.h>
#include <stdbool.h>

/* A number to begin with; 0: the documents are too few for any. */
dlp_index cli_topics_enough(dlp_index D);
/* A note where K are more than D documents, of the corpus at path, can tell. `compare` is
   whether 'topics search-k' may be told of. */
void cli_topics_note_many(const char *path, dlp_index D, dlp_index K, bool compare);

#endif
