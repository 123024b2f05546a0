/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that are written beside a corpus: corpus_write.c. Internal. */
#ifndef DLPI_CORPUS_COMPANIONS_H
#define DLPI_CORPUS_COMPANIONS_H

#include "corpus/corpus.h"
#include "corpus/names.h"

/* Whether the files that go with a corpus can be written next to path. If the corpus has
   no names, no file of names may be there. */
dlp_status dlpi_corpus_plan_companions(const dlp_corpus *corpus, const char *path,
                                       dlp_error *error);
/* Adds its names, its text and how its words were made to the set of files that path
   leads. */
dlp_status dlpi_corpus_put_companions(const dlp_corpus *corpus, const char *path,
                                      dlp_file_set *set, dlp_error *error);

#endif
