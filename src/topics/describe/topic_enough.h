/* SPDX-License-Identifier: BSD-3-Clause */
/* How many topics documents can tell apart. Internal. */
#ifndef DLPI_TOPICS_ENOUGH_H
#define DLPI_TOPICS_ENOUGH_H

#include <delaplace/topic_search.h>

/* How many topics D documents support: one for every ten documents, and at least 2; 0:
   too few documents for any. */
dlp_index dlpi_topics_enough(dlp_index D);
/* Whether K topics are more than D documents can tell apart: with fewer than two
   documents per topic, topics describe single documents. */
int dlpi_topics_too_many(dlp_index D, dlp_index K);

#endif
