/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the spectral start: the co-occurrence matrix as an operator, the search
 * for anchors, and the nearest point of a convex hull. Internal.
 */
#ifndef DLPI_TOPICS_SPECTRAL_PARTS_H
#define DLPI_TOPICS_SPECTRAL_PARTS_H

#include "corpus/formats/block.h"
#include "topics/spectral/spectral.h"

/*
 * Q = sum_d (x_d x_d' - diag x_d) / (n_d (n_d - 1)) over the documents of n_d >= 2 words:
 * the probability that two words of a document are terms i and j, times the number of
 * documents. Qbar has its rows divided by their sums, so that they are distributions; the
 * row of a term in none of those documents is 0.
 */
typedef struct dlpi_cooccurrence {
    const dlp_corpus *corpus;
    int threads;
    bool whole;           /* all documents are one block */
    dlp_index room;       /* documents of a block, at most */
    dlp_index tile;       /* rows that there is room for */
    dlpi_block block;     /* the documents that are looked at */
    double *weight;       /* (room) 1 / (n_d (n_d - 1)), or 0, of the block's documents */
    double *through;      /* (room) weight_d x_d'v of the last v */
    double *subtracted;   /* (V) sum_d weight_d x_di, taken off the diagonal */
    double *total;        /* (V) the row sums of Q: sum_d x_di / n_d */
    dlp_index *used;      /* (V) documents of two words or more with the term */
    dlp_index *additions; /* (tile) */
    double *rows;         /* (tile, V) zero between calls */
    dlpi_listener *listener; /* or NULL */
} dlpi_cooccurrence;

/* Reports, inside a parallel region, that it is at term i; returns whether it is to
   stop. */
static inline bool dlpi_cooccurrence_stops(const dlpi_cooccurrence *Q, dlp_index i)
{
    const dlp_progress progress =
        dlpi_progress_count("starting", "terms", i, Q->corpus->V);
    return Q->listener && dlpi_listener_report_inside(Q->listener, progress);
}

/* memory: bytes that blocks and rows may take. If that is too little for all documents by
   their terms, each call reads the corpus anew; dlpi_cooccurrence_squares reads it once
   for every batch of rows that fits into half of the memory. */
dlp_status dlpi_cooccurrence_init(const dlp_corpus *corpus, double memory, int threads,
                                  dlpi_cooccurrence *Q, dlp_error *error);
void dlpi_cooccurrence_clear(dlpi_cooccurrence *Q);

/* square (V): the squared lengths of Qbar's rows. noise (V): the part of them that comes
   from products of a document with itself. The rest, products of different documents, is
   not larger for rare terms, whose rows are little more than chance. */
void dlpi_cooccurrence_squares(dlpi_cooccurrence *Q, double *square, double *noise);
/* row (V) := Qbar_i. */
void dlpi_cooccurrence_row(dlpi_cooccurrence *Q, dlp_index i, double *row);
/* product (V) := Qbar v. */
void dlpi_cooccurrence_times(dlpi_cooccurrence *Q, const double *v, double *product);

/*
 * Terms whose rows span Qbar well: each is the one farthest from the span of those
 * before, by inner products M = Qbar Qbar' - share diag(noise). P (V, K) has the
 * coordinates of all rows along the directions found: inner products with the anchors'
 * rows are those of the rows of P. Where too few terms will do, the share goes down from
 * 1 to 0, then min_docs by halves to 1. The columns of P beyond those found are
 * undefined. work (5, V).
 */
struct dlpi_spectral_report dlpi_anchors_find(dlpi_cooccurrence *Q, dlp_index K,
                                              int min_docs, double *P, dlp_index *anchors,
                                              double *work);

/*
 * min_c |a - sum_k c_k A_k|^2 over the simplex c >= 0, sum_k c_k = 1, in Gram form: with
 * G (n, n) = A A', positive definite, and h (n) = A a.
 */
typedef struct dlpi_hull {
    dlp_index n;
    const double *G;
    double scale;       /* the largest of G */
    dlp_index m;        /* points in the support */
    dlp_index *support; /* (n) */
    double *L;          /* (n, n) lower factor of G over the support, row by row */
    double *c;          /* (n) of the support, as the next three */
    double *target;     /* (n) the minimum with the signs of c left free */
    double *y, *w;      /* (n) L y = h, L w = 1 */
    double *gradient;   /* (n) of all points: G c - h */
} dlpi_hull;

/* Numbers and indices that a hull needs room for. */
dlp_index dlpi_hull_numbers(dlp_index n);
void dlpi_hull_init(dlpi_hull *hull, dlp_index n, const double *G, double *numbers,
                    dlp_index *indices);
/* The minimising c (n) by an active set method: exact zeros outside the support. */
void dlpi_hull_nearest(dlpi_hull *hull, const double *h, double *c);

#endif
