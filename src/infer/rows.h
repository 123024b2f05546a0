/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of data with one linear predictor eta each, processed a tile at a time, and their
 * likelihood: log p(y | eta, tau) and its derivatives. Internal.
 */
#ifndef DLPI_INFER_ROWS_H
#define DLPI_INFER_ROWS_H

#include <delaplace/status.h>
#include <stdbool.h>

enum { DLPI_TILE = 256 };

/* Rows of data, and the derivatives of a family's log likelihood. Subscripts name the
   variables of differentiation: l_eet is d3 l / d eta d eta d tau. */
typedef struct dlpi_rows {
    dlp_index n;          /* <= DLPI_TILE */
    const double *y;      /* (n) */
    const double *trials; /* (n) binomial; NULL: 1 each. Censored: the upper end of the
                             interval that begins at y; NULL: y */
    double df;            /* student; for families with two scales, the second */
    const double *weight; /* (n) NULL: 1 each; families ignore it */
    /* For an ordinal response given its cut points (glm/families/ordinal_rows.h): the cut
       points relative to the first, and the logarithms of the gaps above each but the
       last. */
    dlp_index levels;
    const double *cut, *gap; /* (levels - 1), (levels - 2) */
    bool bare;               /* l without the terms that depend only on y and trials; no
                                derivatives in tau */
    const double *xi; /* (n) where the bound of jaakkola_jordan.c is tight, else NULL */
    double eta[DLPI_TILE];
    double l[DLPI_TILE];
    double l_e[DLPI_TILE], l_ee[DLPI_TILE], l_eee[DLPI_TILE], l_eeee[DLPI_TILE];
    double l_t[DLPI_TILE], l_tt[DLPI_TILE], l_ttt[DLPI_TILE];
    double l_et[DLPI_TILE], l_eet[DLPI_TILE], l_ett[DLPI_TILE];
    /* in s, the logarithm of a second scale, for families that have one */
    double l_s[DLPI_TILE], l_ss[DLPI_TILE], l_sss[DLPI_TILE];
    double l_es[DLPI_TILE], l_ees[DLPI_TILE], l_ess[DLPI_TILE];
    double l_ts[DLPI_TILE], l_tts[DLPI_TILE], l_tss[DLPI_TILE], l_ets[DLPI_TILE];
    double work[6][DLPI_TILE];
} dlpi_rows;

/* Writes l and all derivatives up to `order` (0..3), and for 4 l_eeee. */
typedef void dlpi_likelihood(dlpi_rows *rows, double tau, int order);

static inline double dlpi_weight_of(const dlpi_rows *rows, dlp_index i)
{
    return rows->weight ? rows->weight[i] : 1;
}

#endif
