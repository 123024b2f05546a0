/* SPDX-License-Identifier: BSD-3-Clause */
/* What the topics of a fit become when some are merged. Internal. */
#ifndef DLPI_TOPICS_MERGED_TOPICS_H
#define DLPI_TOPICS_MERGED_TOPICS_H

#include "topics/model/model.h"

/* The G topics that merge makes of those of a fit; on failure there is nothing to free. */
dlp_status dlpi_merged_topics_make(const dlpi_topic_merge *merge, const dlp_topics *from,
                                   dlp_index G, dlp_topics *to, dlp_error *error);

#endif
