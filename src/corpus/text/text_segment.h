/* SPDX-License-Identifier: BSD-3-Clause */
/* Where words end in scripts that put no blanks between them, by ICU's dictionaries.
   Internal. */
#ifndef DLPI_CORPUS_TEXT_SEGMENT_H
#define DLPI_CORPUS_TEXT_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a character is of such a script: Han, kana, Thai, Lao, Khmer, Burmese. */
bool dlpi_is_unspaced(int32_t character);
/* Whether it writes a syllable or a word rather than a sound: Han and kana. */
bool dlpi_is_syllabic(int32_t character);

struct dlpi_segmenter;
/* NULL without ICU, or without memory, in which case *no_memory is set. */
struct dlpi_segmenter *dlpi_segmenter_alloc(bool *no_memory);
void dlpi_segmenter_free(struct dlpi_segmenter *segmenter); /* NULL is fine */
/* Begins with a run of letters in UTF-8, which stays the caller's; false where it
   cannot. */
bool dlpi_segmenter_open(struct dlpi_segmenter *segmenter, const unsigned char *run,
                         size_t size, bool *no_memory);
/* Where the next piece ends, in bytes from the beginning of the run; 0 after the last. */
size_t dlpi_segmenter_next(struct dlpi_segmenter *segmenter);
/* "ICU 72.1", or NULL. */
const char *dlpi_segmenter_version(void);

#endif
