/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of ICU, in a library that was built without it: runs of letters stay whole
   and are counted. */
#include "corpus/text/text_segment.h"

struct dlpi_segmenter *dlpi_segmenter_alloc(bool *no_memory)
{
    (void)no_memory;
    return NULL;
}

void dlpi_segmenter_free(struct dlpi_segmenter *segmenter)
{
    (void)segmenter; /* there is none but NULL */
}

bool dlpi_segmenter_open(struct dlpi_segmenter *segmenter, const unsigned char *run,
                         size_t size, bool *no_memory)
{
    (void)segmenter, (void)run, (void)size, (void)no_memory;
    return false;
}

size_t dlpi_segmenter_next(struct dlpi_segmenter *segmenter)
{
    (void)segmenter;
    return 0;
}

const char *dlpi_segmenter_version(void)
{
    return NULL;
}
