/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The covariance of a document's theta, to the same order as its mean in ctm_shift.c.
 * Where log p(x, theta) has the third and fourth derivatives T and Q at the mode, A is
 * its curvature there, Sigma = A^-1 and delta leads to the mean, the inverse of the
 * covariance is
 *
 *     A_ab - sum_c T_abc delta_c - 1/2 sum_cd Q_abcd Sigma_cd
 *          - 1/2 sum_cdef T_acd Sigma_ce Sigma_df T_bef.
 *
 * Were the topic of every word known, T and Q would be those of -N log sum_k exp theta_k.
 * With s_ab = (e_a - pi)'Sigma (e_b - pi), where e_a is a unit vector, and without what
 * is the same for all topics (delta_a less pi'delta, v_a = s_aa less sum_k pi_k s_kk)
 * they make of the sums
 *
 *     N {[a = b] pi_a (delta_a + v_a / 2)
 *         - pi_a pi_b (delta_a + delta_b + (v_a + v_b) / 2 + s_ab)}
 *     - 1/2 N^2 pi_a pi_b (s_ab^2 - u_a - u_b + sum_k pi_k u_k),   u_a = sum_k pi_k s_ak^2.
 *
 * But the topics of words are not known, so that only a part kappa_a of the curvature N
 * pi_a (1 - pi_a) for a is there. The same part of the derivatives is taken: kappa_a
 * kappa_b in the square of T, sqrt(kappa_a kappa_b) elsewhere. This is exact if the
 * topics of words are known, and if words carry no information.
 */
#include "topics/ctm/ctm.h"

#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>

/* What the sums need of each topic (K). */
typedef struct topic_parts {
    double *kappa;
    double *bend; /* delta_a + v_a / 2 */
    double *u;
    double u_mean; /* sum_k pi_k u_k */
} topic_parts;

static void find_known_part(const dlpi_ctm_document *doc, double *kappa)
{
    const dlp_index K = doc->shared->K;
    for (dlp_index k = 0; k < K; k++) {
        const double e = doc->e[k], all = doc->N * doc->pi[k] * (1 - doc->pi[k]);
        const double open = e * (doc->tally[k] - e * doc->pairs[k * (K + 1)]);
        kappa[k] = all > 0 ? fmin(1, fmax(0, 1 - open / all)) : 0;
    }
}

/* s (K, K); Sigma_pi (K) to work in */
static void find_s(const dlpi_ctm_document *doc, double *Sigma_pi, double *s)
{
    const dlp_index K = doc->shared->K;
    dlpi_symmetric_multiply(K, doc->Sigma, doc->pi, Sigma_pi);
    const double square = dlpi_dot(K, doc->pi, Sigma_pi);
    for (dlp_index a = 0; a < K; a++) {
        const double *restrict Sigma = doc->Sigma + a * K, off = square - Sigma_pi[a];
        double *restrict row = s + a * K;
        for (dlp_index b = 0; b < K; b++) row[b] = Sigma[b] - Sigma_pi[b] + off;
    }
}

/* For a topic whose n words are nearly all that is known about it, the sums leave
   n (1 - s_aa / 2): beyond s_aa = 2 the expansion no longer holds. */
static bool on_its_ground(dlp_index K, const double *s)
{
    for (dlp_index a = 0; a < K; a++)
        if (!(s[a * (K + 1)] < 2)) return false;
    return true;
}

static void find_parts(const dlpi_ctm_document *doc, const double *s, const double *shift,
                       topic_parts *t)
{
    const dlp_index K = doc->shared->K;
    const double *restrict pi = doc->pi;
    double mean = 0;
    t->u_mean = 0;
    for (dlp_index a = 0; a < K; a++) {
        const double *restrict row = s + a * K;
        double u = 0;
        for (dlp_index k = 0; k < K; k++) u += pi[k] * row[k] * row[k];
        t->u[a] = u;
        t->u_mean += pi[a] * u;
        t->bend[a] = shift[a] + 0.5 * row[a];
        mean += pi[a] * t->bend[a];
    }
    for (dlp_index a = 0; a < K; a++) t->bend[a] -= mean;
}

/* The sums are added to the upper triangle of A. */
static void add_sums(const dlpi_ctm_document *doc, const double *s, const topic_parts *t,
                     double *A)
{
    const dlp_index K = doc->shared->K;
    const double *restrict pi = doc->pi, *restrict kappa = t->kappa;
    for (dlp_index a = 0; a < K; a++) {
        const double *restrict s_a = s + a * K;
        double *restrict row = A + a * K;
        const double n_a = doc->N * pi[a];
        for (dlp_index b = a; b < K; b++) {
            const double both = kappa[a] * kappa[b], n_ab = n_a * pi[b];
            row[b] -= sqrt(both) * n_ab * (t->bend[a] + t->bend[b] + s_a[b]) +
                      0.5 * both * n_ab * doc->N *
                          (s_a[b] * s_a[b] - t->u[a] - t->u[b] + t->u_mean);
        }
        row[a] += kappa[a] * n_a * t->bend[a];
    }
}

bool dlpi_ctm_moment_covariance(dlpi_ctm_document *doc, const double *shift)
{
    const dlp_index K = doc->shared->K, stride = doc->shared->stride;
    double *s = doc->work;
    topic_parts t = {
        .kappa = doc->spare, .bend = doc->spare + stride, .u = doc->spare + 2 * stride};
    find_known_part(doc, t.kappa);
    find_s(doc, t.u, s);
    if (!on_its_ground(K, s)) return false;
    find_parts(doc, s, shift, &t);
    dlpi_ctm_curvature_of_pairs(doc, doc->A);
    add_sums(doc, s, &t, doc->A);
    if (dlpi_cholesky(K, doc->A) >= 0) return false;
    dlpi_cholesky_inverse(K, doc->A, doc->work, doc->Sigma);
    return true;
}
