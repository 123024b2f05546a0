/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over parts of the data, always in the same order, whichever process has which
 * part. Internal.
 *
 * There are 2^m parts. The sums of parts 0 and 1 are added, those of 2 and 3, ...; then
 * these in pairs, and so on. In this tree the same numbers are added to each other
 * whatever the number of processes. A process has consecutive parts and adds up its nodes
 * of the tree. If the first half of a node is in an earlier process, it sends its sum
 * there.
 */
#ifndef DLPI_COMM_TREE_H
#define DLPI_COMM_TREE_H

#include "comm/comm.h"

#include <stdbool.h>

enum { DLPI_TREE_LEVELS = 8 }; /* at most 2^8 parts */

typedef struct dlpi_tree {
    dlpi_comm *comm;
    int threads;
    dlp_index parts;    /* 2^m */
    dlp_index from, to; /* this process has parts from..to-1 */
    dlp_index n;        /* numbers in a sum */
    int depth;          /* sums held, each of span[i] parts from first[i] on */
    int room;           /* how many there is room for */
    double *slot[2 * DLPI_TREE_LEVELS + 2]; /* (room) each (n) */
    dlp_index first[2 * DLPI_TREE_LEVELS + 2], span[2 * DLPI_TREE_LEVELS + 2];
    bool lent;       /* the slots are the caller's memory */
    double *arrived; /* what another process sends, a piece at a time */
} dlpi_tree;

/* The number of parts that this many blocks of data should be divided into. */
dlp_index dlpi_tree_parts(dlp_index blocks);
/* The first of the parts that a process has; for rank == size, the number of parts. */
dlp_index dlpi_tree_begins(dlp_index parts, int rank, int size);
/* How many sums a process with these parts holds at once. */
int dlpi_tree_room(dlp_index from, dlp_index to);

/* The comm is the caller's. */
dlp_status dlpi_tree_alloc(dlpi_tree *tree, dlpi_comm *comm, dlp_index parts, dlp_index n,
                           int threads, dlp_error *error);
/* The same in the caller's memory, which must outlive the tree: `room` sums in a row. */
dlp_status dlpi_tree_alloc_in(dlpi_tree *tree, dlpi_comm *comm, dlp_index parts,
                              dlp_index n, int threads, double *room, dlp_error *error);
/* Frees all but the sum over all parts, slot[0]; nothing can be summed any more. */
void dlpi_tree_end(dlpi_tree *tree);
void dlpi_tree_free(dlpi_tree *tree); /* fine on a zeroed or failed one */

/* Begins anew. Then, for each part of this process, in order: open gives memory for its
   sum (n), not initialised; once it is written, close adds it to the tree. */
void dlpi_tree_begin(dlpi_tree *tree);
double *dlpi_tree_open(dlpi_tree *tree);
void dlpi_tree_close(dlpi_tree *tree);
/* In process 0, slot[0] becomes the sum over all parts. */
dlp_status dlpi_tree_collect(dlpi_tree *tree, dlp_error *error);
/* In all processes. */
dlp_status dlpi_tree_collect_for_all(dlpi_tree *tree, dlp_error *error);

/* Where parts are made of chunks, each of which is summed from zero: part i of P has chunks
   i C / P to (i + 1) C / P - 1 of all C. */
typedef struct dlpi_tree_chunks {
    dlp_index chunks; /* in all parts of all processes */
    /* Sums chunks from `first` on, at most `left`; returns how many. */
    int (*sum)(void *context, dlp_index first, dlp_index left);
    /* Adds the sum of number i of these to `to`. */
    void (*add)(void *context, int i, double *to);
    void *context;
} dlpi_tree_chunks;
/* Sums the parts of this process: begin, and open and close for each. */
void dlpi_tree_sum_chunks(dlpi_tree *tree, const dlpi_tree_chunks *of);

#endif
