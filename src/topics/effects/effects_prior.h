/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of theta_d that a regression on covariates z_d asks for. Internal.
 *
 * Read under a prior that does not know z_d, a document's proportions are drawn towards
 * the mean of all, and so are the effects of z on them. So the prior mean becomes
 *
 *     m_d = Gamma' x_d + Delta' z_d,
 *
 * Gamma' x_d the model's own, and Delta and Sigma_0 are fitted to the documents by EM,
 * with the topics as they are. As in a fit (ctm_em.c), Sigma_0 has six rounds for that:
 * in documents that no logistic normal has drawn it would grow for ever. Then it stays,
 * and Delta comes to rest under it.
 */
#ifndef DLPI_TOPICS_EFFECTS_PRIOR_H
#define DLPI_TOPICS_EFFECTS_PRIOR_H

#include <delaplace/random.h>

#include "infer/anderson.h"
#include "topics/ctm/ctm.h"
#include "topics/effects/effects_regression.h"

typedef struct dlpi_effects_prior {
    dlp_topics topics;   /* beta is the model's; p of the model and of z */
    dlp_index p;         /* of z; its rows of Gamma, Delta, come last */
    double *S;           /* (K, K) of the documents' means around theirs: r_d r_d' / D */
    double *factor;      /* (K, K) of S, centred, for draws */
    double *shift;       /* (p, K) of Delta in the last M step */
    double *mean;        /* (K) */
    double *column;      /* (p) */
    double *next;        /* (p, K) Delta after a longer step */
    int rounds;          /* M steps so far */
    dlpi_anderson steps; /* of Delta, while Sigma_0 stays */
    double least;        /* the shortest of them, in sds, and the round of it */
    int least_round;
} dlpi_effects_prior;

/* Sums over documents: sum_d Sigma_d (K, K), sum_d r_d r_d' (K, K), sum_d z_d r_d' (p,
   K), r_d = mu_d - m_d; upper triangles. */
dlp_index dlpi_effects_sums_size(dlp_index K, dlp_index p); /* -1 when too many */
void dlpi_effects_add(dlp_index K, dlp_index p, const double *Sigma, const double *r,
                      const double *z, double *sums);

/* Delta = 0, Sigma_0 the model's. */
dlp_status dlpi_effects_prior_alloc(const dlp_topics *model, dlp_index p,
                                    dlpi_effects_prior *prior, dlp_error *error);
void dlpi_effects_prior_free(dlpi_effects_prior *prior); /* fine on a zeroed one */

/* m_d from the row (x_d, z_d), as long as topics.p. */
void dlpi_effects_prior_mean(const dlpi_effects_prior *prior, const double *row,
                             double *mean);

/* The M step from the sums. Returns the largest move of an entry of Delta, in units of
   the standard deviation that it would have if theta were known. */
double dlpi_effects_update(dlpi_effects_prior *prior, const dlpi_regression *regression,
                           const double *sums);

/*
 * A draw from the uncertainty of Delta, G (p, K) = P0 (Delta draw - Delta): its
 * covariance is that of the observed information, (Z'Z)^-1 x Sigma_0 S^-1 Sigma_0. It
 * moves the mean of theta_d by Sigma_d G' z_d. A shift of all topics moves nothing and is
 * left out.
 */
void dlpi_effects_factor(dlpi_effects_prior *prior);
void dlpi_effects_draw(const dlpi_effects_prior *prior, const dlpi_regression *regression,
                       dlp_rng *rng, double *G);

#endif
