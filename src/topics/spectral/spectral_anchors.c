/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search for anchors. Gram-Schmidt on the rows of Qbar with the farthest row next is
 * the pivoted Cholesky factorisation of Qbar Qbar': it needs one column of that matrix an
 * anchor, which is two sparse products, and keeps the rows' coordinates alone.
 *
 * The farthest rows of all would be those of rare terms, which are far from anything
 * because they are the sum of a few documents. So the diagonal leaves out the products of
 * a document with itself. On two corpora with up to 60 topics, held-out words were
 * predicted no worse than with the best min_docs and the full diagonal, mostly better,
 * and min_docs mattered little. For many topics there may be too few terms that stand out
 * beyond chance; then the search begins again with a smaller share left out.
 */
#include "math/dense.h"
#include "topics/spectral/spectral_parts.h"

#include <math.h>

/* What rounding leaves of a squared length after the whole row is projected out, with a
   margin: rows this near the span of the anchors count as inside it. */
static const double inside = 1e-10;

typedef struct search {
    dlpi_cooccurrence *Q;
    int min_docs;
    double *square;  /* (V) of each row */
    double *noise;   /* (V) the part of it that is products of a document with itself */
    double *left;    /* (V) what of the rest is outside the span */
    double *row;     /* (V) Qbar_s of the last anchor */
    double *product; /* (V) Qbar Qbar_s */
} search;

/* The term farthest from the span, the first of equals; -1 when all are inside. */
static dlp_index farthest(const search *f)
{
    dlp_index best = -1;
    for (dlp_index i = 0; i < f->Q->corpus->V; i++)
        if (f->Q->used[i] >= f->min_docs && f->left[i] > inside * f->square[i] &&
            (best < 0 || f->left[i] > f->left[best]))
            best = i;
    return best;
}

/* Column t of P for the new direction, which Qbar_s points to from the span:
   P_it = (M_is - sum_{u<t} P_iu P_su) / P_st */
static void add_direction(search *f, dlp_index K, dlp_index t, dlp_index s, double *P)
{
    const double length = sqrt(f->left[s]);
    dlpi_cooccurrence_row(f->Q, s, f->row);
    dlpi_cooccurrence_times(f->Q, f->row, f->product);
#pragma omp parallel for schedule(dynamic, 64) num_threads(f->Q->threads)
    for (dlp_index i = 0; i < f->Q->corpus->V; i++) {
        const double known = dlpi_dot(t, P + i * K, P + s * K);
        const double coordinate = i == s ? length : (f->product[i] - known) / length;
        P[i * K + t] = coordinate;
        f->left[i] -= coordinate * coordinate;
    }
}

static bool stopped(const dlpi_cooccurrence *Q)
{
    return Q->listener && dlpi_listener_stopped(Q->listener);
}

static bool stops(const dlpi_cooccurrence *Q, dlp_index found, dlp_index K)
{
    const dlp_progress progress = dlpi_progress_count("starting", "topics", found, K);
    return Q->listener && dlpi_listener_report(Q->listener, progress);
}

/* Finds anchors until there are K or no term is outside their span; `found` exist
   already. */
static dlp_index find_more(search *f, dlp_index K, dlp_index found, double *P,
                           dlp_index *anchors)
{
    while (found < K) {
        const dlp_index s = farthest(f);
        if (s < 0 || stops(f->Q, found, K)) break;
        add_direction(f, K, found, s, P);
        anchors[found++] = s;
    }
    return found;
}

struct dlpi_spectral_report dlpi_anchors_find(dlpi_cooccurrence *Q, dlp_index K,
                                              int min_docs, double *P, dlp_index *anchors,
                                              double *work)
{
    const dlp_index V = Q->corpus->V;
    search f = {.Q = Q, .min_docs = min_docs, .square = work, .noise = work + V};
    const double shares[] = {1, 0.75, 0.5, 0.25, 0};
    dlp_index found = 0;
    int k = 0;
    f.left = f.noise + V;
    f.row = f.left + V;
    f.product = f.row + V;
    dlpi_cooccurrence_squares(Q, f.square, f.noise);
    for (;; k++) {
        for (dlp_index i = 0; i < V; i++)
            f.left[i] = f.square[i] - shares[k] * f.noise[i];
        found = find_more(&f, K, 0, P, anchors);
        if (found == K || shares[k] == 0 || stopped(Q)) break;
    }
    while (found < K && f.min_docs > 1 && !stopped(Q)) {
        f.min_docs /= 2;
        found = find_more(&f, K, found, P, anchors);
    }
    return (struct dlpi_spectral_report){
        .found = found, .noise_share = shares[k], .min_docs = f.min_docs};
}
