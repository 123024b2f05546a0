/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

const char *dlp_status_string(dlp_status status)
{
    switch (status) {
#define DLP_STATUS_SENTENCE(code, sentence)                                              \
    case code: return sentence;
        DLP_STATUS_LIST(DLP_STATUS_SENTENCE)
#undef DLP_STATUS_SENTENCE
    }
    return "an unknown status code";
}

dlp_status(dlp_fail)(dlp_error *error, dlp_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
        error->remedy = DLP_REMEDY_NONE;
    }
    return status;
}

/* Uses huge pages for large arrays if the system has them: each normal page costs a fault
   when it is first written to. */
static void ask_for_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t large = (size_t)1 << 21;
    char *first = (char *)(((uintptr_t)p + large - 1) & ~(uintptr_t)(large - 1));
    const size_t before = (size_t)(first - (char *)p);
    if (bytes >= before + large)
        (void)madvise(first, (bytes - before) & ~(large - 1), MADV_HUGEPAGE);
#else
    (void)p, (void)bytes;
#endif
}

void *dlpi_alloc_unset(dlp_index count, size_t size)
{
    const size_t line = 64, many = (size_t)1 << 22;
    if (count < 0 || (size && (size_t)count > (PTRDIFF_MAX - line) / size)) return NULL;
    const size_t bytes = count > 0 && size > 0 ? (size_t)count * size : 1;
    void *p = NULL;
    if (posix_memalign(&p, line, bytes) != 0) return NULL;
    if (bytes >= many) ask_for_large_pages(p, bytes);
    return p;
}

void *dlpi_calloc(dlp_index count, size_t size)
{
    void *p = dlpi_alloc_unset(count, size);
    const size_t bytes = count > 0 && size > 0 ? (size_t)count * size : 1;
    return p ? memset(p, 0, bytes) : NULL;
}
