/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How sure the correlations of topics are. Were every document's theta known, Fisher's z
 * would give the interval of a correlation over D documents. It is known from the
 * document's words alone, and only a part of its variance, the reliability of topic k,
 *
 *     rho_k = var_d(mean of the centred theta_dk) / (C Sigma_0 C)_kk,
 *
 * is seen in the posterior means. They would show the correlation r sqrt(rho_i rho_j), so
 * its interval, over the same root, is that of r: the classical correction for attenuation
 * (Spearman 1904), with the reliabilities taken as known.
 */
#ifndef DLP_CLI_TOPICS_PAIRS_H
#define DLP_CLI_TOPICS_PAIRS_H

#include "cli/report.h"
#include "cli/topics/folder.h"

/* rho (K), to be freed. X: the model's own covariates, or NULL. NULL without memory. */
double *cli_topics_reliabilities(const cli_topics_folder *folder,
                                 const dlp_covariates *X);

/* About 95 % of what the correlation r of two topics may be, over D documents. */
cli_interval cli_topics_pair_interval(double r, double rho_i, double rho_j, dlp_index D);

#endif
