/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a text, one after the other: see <delaplace/text.h> for what a word is.
   Internal. */
#ifndef DLPI_CORPUS_TEXT_WORDS_H
#define DLPI_CORPUS_TEXT_WORDS_H

#include "core/core.h"
#include "corpus/text/text_segment.h"

enum {
    DLPI_WORD_LENGTH = 64,                     /* the most characters */
    DLPI_WORD_BYTES = 4 * DLPI_WORD_LENGTH + 2 /* the most bytes, and 't */
};

struct dlpi_words {
    unsigned char
        letter[256]; /* an ASCII letter in lower case (a digit with keep_numbers); 0: it
                        separates words, or is not ASCII */
    bool keep_numbers;
    bool whole_runs;                  /* a run of an unspaced script is one word */
    const unsigned char *at, *end;    /* what is left of the text */
    dlp_index invalid_bytes;          /* met so far, over all texts */
    dlp_index runs_too_long;          /* likewise */
    dlp_index segmented;              /* likewise: runs that were split into words */
    dlp_index unsegmented;            /* likewise: those that were not, for want of ICU */
    struct dlpi_segmenter *segmenter; /* NULL: not needed so far */
    bool no_memory;                   /* a run was not split for want of it */
    bool no_segmenter;                /* it was needed and is not there */
    const unsigned char *piece, *run, *run_end; /* of a run that is being split: what is
                                                   left of it; NULL: there is none */
    const unsigned char *start; /* of the word, in the text; at is its end */
    bool apart; /* more than blanks or a hyphen is between it and the word before */
    char word[DLPI_WORD_BYTES]; /* the word, without a NUL */
    size_t size;
};

void dlpi_words_start(struct dlpi_words *w, bool keep_numbers);
void dlpi_words_end(struct dlpi_words *w); /* frees what reading took */
/* Goes to the beginning of a text, which stays the caller's. */
void dlpi_words_open(struct dlpi_words *w, const char *text, size_t size);
/* Sets word and size to the next word; false at the end of the text. */
bool dlpi_words_next(struct dlpi_words *w);
/* The length of a word, in letters. Han and kana characters count as two, since most
   words have only two of them. */
dlp_index dlpi_word_length(const char *word, size_t size);

#endif
