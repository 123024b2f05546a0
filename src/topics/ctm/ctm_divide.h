/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics divided among processes, if beta and its counts are too large for one. Internal.
 *
 * The terms are in the DLPI_CTM_TERM_CHUNKS chunks of the M step. A process owns the rows
 * of beta and of the counts of consecutive chunks. In an E step it fetches the rows that
 * its documents need from their owners, as many at a time as there is room for
 * (ctm_fetch.c). Then all processes compute the counts, one slice of the terms after the
 * other, in the same tree as in a fit that is not divided (ctm_divide.c), so that the
 * sums are the same, bit by bit. Process 0 has a whole copy on disk, for the start,
 * checkpoints and the model.
 */
#ifndef DLPI_TOPICS_CTM_DIVIDE_H
#define DLPI_TOPICS_CTM_DIVIDE_H

#include "topics/ctm/ctm_fit.h"

struct dlpi_divided {
    dlp_index from, to; /* the terms of this process */
    double *counts;     /* (to - from, stride) */
    double *beta;       /* (to - from, stride) */
    double *words;      /* (K) of each topic, once the fit has ended */
    dlpi_scratch whole; /* (V, stride) all of beta, with process 0 alone */

    /* rows that are here for the documents, in shared.beta */
    dlp_index rows;        /* as many as there is room for */
    int32_t *slot;         /* (V) the row of a term; -1: it is not here */
    int32_t *stamp;        /* (V) the last batch that had it */
    int32_t *term;         /* (rows) the term of a row; -1: none */
    int32_t *ask;          /* (rows) terms to fetch, in their order */
    int32_t *asked;        /* (to - from) terms that another process asks for */
    int32_t batch;         /* counts through all iterations */
    unsigned char *begins; /* (blocks) whether a batch begins with this block */
    dlp_index blocks;
    dlp_index rounds, round; /* of fetching in an E step: the same for all processes */
    dlp_index piece;         /* rows that travel at once */
    double *out, *in;        /* (piece, stride) */

    /* a slice of the terms; its sums take the place of shared.beta after the documents */
    dlp_index together; /* chunks in a slice, at most */
    dlpi_tree tree;
    double *slice; /* beta of it */
};

/* Whether such a fit can be divided. */
bool dlpi_divided_may(const dlp_ctm *ctm);
/* Decides which process owns what, and how many rows there is room for in at_hand bytes;
   *bytes: what will be used. All processes call it; it makes ctm->divided. */
dlp_status dlpi_divided_plan(dlp_ctm *ctm, double at_hand, double *bytes,
                             dlp_error *error);
/* To be called once shared.beta has dlpi_divided_arena rows. */
dlp_index dlpi_divided_arena(const dlp_ctm *ctm);
dlp_status dlpi_divided_alloc(dlp_ctm *ctm, dlp_error *error);
void dlpi_divided_free(struct dlpi_divided *divided); /* NULL is fine */

/* The first term of a chunk; the first chunk of a process. */
dlp_index dlpi_divided_term(dlp_index V, dlp_index chunk);
dlp_index dlpi_divided_chunk(int rank, int size);

/* ctm_fetch.c: into how many batches the documents of this process are divided, with that
   many rows */
dlp_index dlpi_divided_batches(dlp_ctm *ctm);
/* The most distinct terms in a block, and those in all documents of this process. */
void dlpi_divided_distinct(dlp_ctm *ctm, dlp_index *block, dlp_index *all);

#endif
