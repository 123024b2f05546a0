/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the mode of a document's theta to its mean. Where log p(x, theta) has the third
 * derivatives T at the mode, the mean is by second order (Tierney and Kadane 1986)
 *
 *     theta + 1/2 Sigma g,   g_i = sum_jk T_ijk Sigma_jk,
 *
 * and the words and the normaliser, both log sums of exponentials, have
 *
 *     g = sum_w c_w t(phi_w) - N t(pi),
 *     t(phi)_i = phi_i [Sigma_ii - s - 2 ((Sigma phi)_i - phi'Sigma phi)],
 *     s = sum_k phi_k Sigma_kk,
 *
 * the gradient of tr{(diag phi - phi phi') Sigma}.
 */
#include "topics/ctm/ctm.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* Topics with less of a word than this are taken to have none. */
static const double LEAST_SHARE = 1e-4;

/* g += c t(phi), over the n topics listed in doc->active; Sigma_phi (K) to work in */
static void add_bend(dlpi_ctm_document *doc, const double *Sigma, const double *phi,
                     double c, double *Sigma_phi, double *g)
{
    const dlp_index K = doc->shared->K, n = doc->n_active;
    const int32_t *active = doc->active;
    double s = 0, square = 0;
    for (dlp_index a = 0; a < n; a++) {
        const double *row = Sigma + active[a] * K;
        double sum = 0;
        for (dlp_index b = 0; b < n; b++) sum += row[active[b]] * phi[active[b]];
        Sigma_phi[active[a]] = sum;
        s += phi[active[a]] * row[active[a]];
        square += phi[active[a]] * sum;
    }
    for (dlp_index a = 0; a < n; a++) {
        const dlp_index i = active[a];
        g[i] += c * phi[i] * (Sigma[i * (K + 1)] - s - 2 * (Sigma_phi[i] - square));
    }
}

static void list_topics(dlpi_ctm_document *doc, const double *phi)
{
    doc->n_active = 0;
    for (dlp_index k = 0; k < doc->shared->K; k++)
        if (phi[k] >= LEAST_SHARE) doc->active[doc->n_active++] = (int32_t)k;
}

/* Where it is as long as the sd the expansion has left its ground: then it is halved. */
static void damp(dlp_index K, const double *g, double *shift)
{
    const double square = 0.5 * dlpi_dot(K, g, shift) / (double)K; /* shift'A shift / K */
    for (dlp_index k = 0; k < K; k++) shift[k] /= 1 + fmax(square, 0);
}

void dlpi_ctm_mean_shift(dlpi_ctm_document *doc, const double *Sigma, double *shift)
{
    const dlpi_ctm_shared *m = doc->shared;
    const dlp_index K = m->K;
    double *phi = doc->spare, *Sigma_phi = phi + K, *g = Sigma_phi + K;
    memset(g, 0, (size_t)K * sizeof *g);
    for (dlp_index w = 0; w < doc->n; w++) {
        const double *beta = m->beta + doc->term[w] * m->stride;
        for (dlp_index k = 0; k < K; k++) phi[k] = doc->e[k] * beta[k] / doc->s[w];
        list_topics(doc, phi);
        add_bend(doc, Sigma, phi, doc->c[w], Sigma_phi, g);
    }
    list_topics(doc, doc->pi);
    add_bend(doc, Sigma, doc->pi, -doc->N, Sigma_phi, g);
    dlpi_symmetric_multiply(K, Sigma, g, shift);
    for (dlp_index k = 0; k < K; k++) shift[k] *= 0.5;
    damp(K, g, shift);
}
