/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "corpus/text/text_segment.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

struct dlpi_segmenter {
    UBreakIterator *breaks;
    UText text;
};

/* The root locale, not the machine's: the same text gives the same words everywhere. */
struct dlpi_segmenter *dlpi_segmenter_alloc(bool *no_memory)
{
    UErrorCode code = U_ZERO_ERROR;
    struct dlpi_segmenter *s = dlpi_calloc(1, sizeof *s);
    *no_memory |= !s;
    if (!s) return NULL;
    s->text = (UText)UTEXT_INITIALIZER;
    s->breaks = ubrk_open(UBRK_WORD, "", NULL, 0, &code);
    if (U_SUCCESS(code)) return s;
    *no_memory |= code == U_MEMORY_ALLOCATION_ERROR;
    dlpi_segmenter_free(s);
    return NULL;
}

void dlpi_segmenter_free(struct dlpi_segmenter *s)
{
    if (!s) return;
    if (s->breaks) ubrk_close(s->breaks);
    utext_close(&s->text);
    free(s);
}

bool dlpi_segmenter_open(struct dlpi_segmenter *s, const unsigned char *run, size_t size,
                         bool *no_memory)
{
    UErrorCode code = U_ZERO_ERROR;
    utext_openUTF8(&s->text, (const char *)run, (int64_t)size, &code);
    ubrk_setUText(s->breaks, &s->text, &code);
    *no_memory |= code == U_MEMORY_ALLOCATION_ERROR;
    if (U_FAILURE(code)) return false;
    (void)ubrk_first(s->breaks);
    return true;
}

size_t dlpi_segmenter_next(struct dlpi_segmenter *s)
{
    const int32_t end = ubrk_next(s->breaks);
    return end == UBRK_DONE ? 0 : (size_t)end;
}

const char *dlpi_segmenter_version(void)
{
    return "ICU " U_ICU_VERSION;
}
