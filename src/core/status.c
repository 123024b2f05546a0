/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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
    }
    return status;
}

void *dlpi_calloc(dlp_index count, size_t size)
{
    const size_t line = 64;
    if (count < 0 || (size && (size_t)count > (PTRDIFF_MAX - line) / size)) return NULL;
    const size_t bytes = count > 0 && size > 0 ? (size_t)count * size : 1;
    void *p = NULL;
    if (posix_memalign(&p, line, bytes) != 0) return NULL;
    return memset(p, 0, bytes);
}
