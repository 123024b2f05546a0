/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: a call either does what it promises (DLP_OK) or says why not. What an algorithm
 * concluded ("converged", "max-iterations", ...) is a result, not an error: see
 * dlp_outcome.
 */
#ifndef DELAPLACE_STATUS_H
#define DELAPLACE_STATUS_H

#include <delaplace/export.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one index type: signed, as wide as a pointer. */
typedef ptrdiff_t dlp_index;

/* Every code with its description. */
#define DLP_STATUS_LIST(X)                                                               \
    X(DLP_OK, "done")                                                                    \
    X(DLP_EINVAL, "an argument of the call is wrong")                                    \
    X(DLP_EINPUT, "the input data are wrong")                                            \
    X(DLP_ENOMEM, "not enough memory")                                                   \
    X(DLP_EIO, "reading or writing a file failed")                                       \
    X(DLP_ECANCELLED, "the caller's progress function ended the call")                   \
    X(DLP_EFORMULA, "the formula is wrong")

typedef enum dlp_status {
#define DLP_STATUS_CODE(code, sentence) code,
    DLP_STATUS_LIST(DLP_STATUS_CODE)
#undef DLP_STATUS_CODE
} dlp_status;

/* The description of a code; never NULL. */
DLP_API const char *dlp_status_string(dlp_status status);

/*
 * What went wrong, in words: where, what was expected, what to do. Owned by the
 * caller, often on its stack; nothing in it needs freeing. Every function that
 * takes a dlp_error * also takes NULL.
 */
typedef struct dlp_error {
    char message[1024]; /* "" until something fails; always NUL-terminated */
} dlp_error;

/* Writes the message (if error is not NULL) and returns status, so that `return
   dlp_fail(error, DLP_EINVAL, "...");` is one line. Users' models may call it too. */
DLP_API dlp_status dlp_fail(dlp_error *error, dlp_status status, const char *format, ...)
    DLP_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
