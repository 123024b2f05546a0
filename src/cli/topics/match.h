/* SPDX-License-Identifier: BSD-3-Clause */
/* One vocabulary for a model and a corpus: terms are the same when their names are. Where
   one of the two has no names, terms are their numbers. */
#ifndef DLP_CLI_TOPICS_MATCH_H
#define DLP_CLI_TOPICS_MATCH_H

#include "cli/topics/folder.h"

/* Gives the words of the corpus the model's numbers, and leaves out and counts those of
   terms that the model does not have. They would have come last in every document, so the
   halves of document completion are the same without them. The corpus has no vocabulary
   afterwards. */
dlp_status cli_topics_match_corpus(const cli_topics_folder *folder, dlp_corpus *corpus,
                                   dlp_index *unseen, dlp_error *error);

/* The model's topics over the corpus' terms: 0 for terms that the model does not have,
   and rows that sum to 1 again. To be freed by dlp_topics_free. */
dlp_status cli_topics_match_topics(const cli_topics_folder *folder,
                                   const dlp_corpus *corpus, dlp_topics *topics,
                                   dlp_error *error);

#endif
