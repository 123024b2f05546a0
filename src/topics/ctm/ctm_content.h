/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of topics that differ by group: what the M step does with one term. Internal. */
#ifndef DLPI_TOPICS_CTM_CONTENT_H
#define DLPI_TOPICS_CTM_CONTENT_H

#include <delaplace/topic_content.h>

#include <delaplace/status.h>

/*
 * A term in all groups g and topics k. Its expected counts a_kg are treated as Poisson
 * counts with rates
 *
 *     lambda_kg = rate_kg exp(eta_k + common_g + own_kg),
 *
 * where common_g and own_kg have Laplace priors with scales b. A Laplace distribution is
 * a normal one whose variance is drawn from an exponential one, so that in mean field a
 * deviation x with E[x^2] = m has the precision w = 1 / (b sqrt(m)) (Eisenstein, Ahmed
 * and Xing 2011).
 */
typedef struct dlpi_content_term {
    dlp_index G, K, stride;
    double b[2];                      /* the scales: of common, of own */
    const double *rate;               /* (G, stride) */
    double *eta, *common, *own;       /* (stride), (G), (G, stride) */
    double *common_square;            /* (G) E[common^2] */
    double *own_square;               /* (G, stride) */
    double *a;                        /* (G, stride) */
    double *lambda, *w, *D, *r, *out; /* (G, stride) room */
    double *R, *top;                  /* (stride) room */
    double *w_common, *step;          /* (G) room */
    double *S, *C, *work;             /* (G, G) room */
} dlpi_content_term;

/* How many numbers a term needs, and a term whose arrays are in `block`, of that size. */
dlp_index dlpi_content_room(dlp_index G, dlp_index stride);
void dlpi_content_take_room(dlpi_content_term *t, double *block);

/* sum a log lambda - lambda - 1/2 sum w x^2, with the present precisions. */
double dlpi_content_objective(const dlpi_content_term *t);
/* Sets the precisions from the squares, then shifts eta of each topic; then takes `steps`
   Newton steps. */
void dlpi_content_climb(dlpi_content_term *t, int steps);
/* Sets the squares by Laplace's method at the maximum. Adds to told (2), for common and
   own, how many of the deviations the counts determine, sum 1 - w Var, and to squares (2)
   sum x^2/sqrt(m); the new scale is their ratio. */
void dlpi_content_set_squares(dlpi_content_term *t, double told[2], double squares[2]);
/* The sds of log lambda_kg - mean over groups, into own (G, stride), and of common_g less
   the mean of common, into common (G). */
void dlpi_content_contrast(dlpi_content_term *t, double *own, double *common);

/* Finds dilution from beta. describe/content_words.c */
dlp_status dlpi_content_find_dilution(dlp_topic_content *content, dlp_error *error);

#endif
