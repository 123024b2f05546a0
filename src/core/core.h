/* SPDX-License-Identifier: BSD-3-Clause */
/* What every folder may use: error propagation and checked memory. Internal. */
#ifndef DLPI_CORE_H
#define DLPI_CORE_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stdlib.h>

/* Analysers do not look into dlp_fail; this shows them that it returns the status it is
   given. */
#ifdef __clang_analyzer__
#define dlp_fail(error, status, ...)                                                     \
    ((void)(dlp_fail)(error, status, __VA_ARGS__), (status))
#endif

/* Passes a failure on. */
#define DLP_TRY(call)                                                                    \
    do {                                                                                 \
        dlp_status dlp_try_ = (call);                                                    \
        if (dlp_try_ != DLP_OK) return dlp_try_;                                         \
    } while (0)

/* Passes a failure on by way of the clean-up label; needs `dlp_status status`. */
#define DLP_TRY_OR(label, call)                                                          \
    do {                                                                                 \
        status = (call);                                                                 \
        if (status != DLP_OK) goto label;                                                \
    } while (0)

/* count * size zeroed bytes, aligned to a cache line; NULL when the product
   overflows, count is negative or memory is short. Never NULL for count = 0.
   Released by free(). */
void *dlpi_calloc(dlp_index count, size_t size);
/* The same without setting them: of large arrays, pages that are never written to take no
   memory and no time. */
void *dlpi_alloc_unset(dlp_index count, size_t size);

/* Whether the data or a formula is at fault, rather than the caller or the system. */
static inline bool dlpi_is_wrong_input(dlp_status status)
{
    return status == DLP_EINPUT || status == DLP_EFORMULA;
}

/* Adds what the message recommends, or recommended before it was worded again, and passes
   the failure on. */
static inline dlp_status dlpi_advise(dlp_error *error, dlp_remedy remedy,
                                     dlp_status status)
{
    if (error && status != DLP_OK) error->remedy = remedy;
    return status;
}
#ifdef __clang_analyzer__
#define dlpi_advise(error, remedy, status) ((void)(error), (void)(remedy), (status))
#endif

/* The messages of failed allocations. Their status is written out here, so that analysers
   see that it is not DLP_OK. */
static inline dlp_status dlpi_no_memory(dlp_error *error, const char *what)
{
    (void)dlp_fail(error, DLP_ENOMEM,
                   "not enough memory for %s; use less data or a machine with more",
                   what);
    return DLP_ENOMEM;
}
static inline dlp_status dlpi_no_memory_to_read(dlp_error *error, const char *name)
{
    (void)dlp_fail(error, DLP_ENOMEM, "%s: not enough memory to read it", name);
    return DLP_ENOMEM;
}

#endif
