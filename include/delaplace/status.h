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

/* What a message recommends to change, for a program whose users know the setting by
   another name: the command line adds its option. */
typedef enum dlp_remedy {
    DLP_REMEDY_NONE,
    DLP_REMEDY_ADJACENCY,      /* dlp_regression_settings.adjacency */
    DLP_REMEDY_BUILD_CORPUS,   /* a corpus made from text, dlp_text_builder_read */
    DLP_REMEDY_CONVERT_CORPUS, /* a corpus written in the format dlpc, dlp_corpus_write */
    DLP_REMEDY_ENCODING,       /* dlp_table_options.encoding, "latin1" */
    DLP_REMEDY_FEWER_TOPICS,   /* dlp_topics_settings.K, or fewer terms */
    DLP_REMEDY_FIT_TOPICS,     /* a folder made by dlp_topic_folder_fit */
    DLP_REMEDY_GROUPING_MIXED, /* dlp_regression_settings.grouping */
    DLP_REMEDY_HOLD_OUT,       /* dlp_search_settings.every */
    DLP_REMEDY_HYPER_FACTOR,   /* hyper, "factor": independent factors */
    DLP_REMEDY_HYPER_INTEGRATE, /* hyper, "integrate": scales are integrated over */
    DLP_REMEDY_INITIAL_VALUES,  /* dlp_bugs_input.inits */
    DLP_REMEDY_METHOD_AUTO,     /* dlp_regression_settings.method */
    DLP_REMEDY_NO_CONTENT,      /* topics whose words are the same in all groups */
    DLP_REMEDY_NOT_ONLINE,      /* dlp_topics_settings.online, 0 */
    DLP_REMEDY_PRIOR_OF_SDS,    /* dlp_regression_settings.priors */
    DLP_REMEDY_RARE_TERMS,      /* terms dropped when the corpus is made */
    DLP_REMEDY_RESUME,          /* dlp_checkpoint_settings.resume */
    DLP_REMEDY_SCALAR_FACTORS,  /* dlp_bugs_settings.factor, "scalar" */
    DLP_REMEDY_SLICES,          /* fewer slices of time */
    DLP_REMEDY_START,           /* dlp_topics_settings.start */
    DLP_REMEDY_VOCABULARY,      /* dlp_corpus_options.vocab, a file of names */
    DLP_REMEDIES                /* how many there are */
} dlp_remedy;

/*
 * What went wrong, in words: where, what was expected, what to do. Owned by the
 * caller, often on its stack; nothing in it needs freeing. Every function that
 * takes a dlp_error * also takes NULL.
 */
typedef struct dlp_error {
    char message[1024]; /* "" until something fails; always NUL-terminated */
    dlp_remedy remedy;  /* what the message recommends, if it is in this list */
} dlp_error;

/* Writes the message (if error is not NULL), without a remedy, and returns status, so that
   `return dlp_fail(error, DLP_EINVAL, "...");` is one line. Users' models may call it too. */
DLP_API dlp_status dlp_fail(dlp_error *error, dlp_status status, const char *format, ...)
    DLP_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
