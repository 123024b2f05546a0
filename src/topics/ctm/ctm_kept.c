/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When new documents are added to a model, those that it was fitted to are no longer
 * there, but their sums are. Each M step adds these sums to those of the new documents:
 * EM in which q of the former documents stays as it was (incremental EM, Neal and Hinton
 * 1998).
 *
 * The sums follow from the model, since an M step made it from them: with n_k words of
 * topic k and D documents, where shrinking was to (1 - s) Sigma_0ij off the diagonal,
 *
 *     counts_vk = beta_kv (n_k + V smooth) - smooth,     sum_d Sigma_d + r_d r_d' = D Sigma_0,
 *     sum_d r_d = 0,
 *
 * where V is the number of terms that the model has seen. All sums are multiplied by the
 * weight of a former document.
 */
#include "core/core.h"
#include "topics/ctm/ctm_divide.h"

#include <math.h>
#include <string.h>

struct dlpi_ctm_kept {
    double *sums; /* (n) as the tree has them; r_d by the present mu_0 */
    double D;
};

void dlpi_ctm_kept_free(struct dlpi_ctm_kept *kept)
{
    if (kept) free(kept->sums);
    free(kept);
}

void dlpi_ctm_move_sums(const dlp_ctm *ctm, const double *shift, double D, double *sums)
{
    const dlp_index K = ctm->shared.K;
    dlpi_ctm_sums s = dlpi_ctm_sums_at(ctm, sums + ctm->shared.V * ctm->shared.stride);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++)
            s.scatter[i * K + j] +=
                D * shift[i] * shift[j] - shift[i] * s.cross[j] - s.cross[i] * shift[j];
    for (dlp_index k = 0; k < K; k++) s.cross[k] -= D * shift[k];
}

/* Terms that the former documents had are seen, whether or not the present ones have
   them. */
static void put_counts(dlp_ctm *ctm, const dlpi_ctm_former *former, double *counts)
{
    const dlp_topics *start = ctm->settings.start;
    const dlp_index K = start->K, V = start->V, stride = ctm->shared.stride;
    const double smooth = former->smooth > 0 ? former->smooth : ctm->settings.smooth;
    for (dlp_index k = 0; k < K; k++) {
        const double *beta = start->beta + k * V;
        double seen = 0;
        for (dlp_index v = 0; v < V; v++) seen += beta[v] > 0;
        for (dlp_index v = 0; v < V; v++) {
            const double count = beta[v] * (former->words[k] + seen * smooth) - smooth;
            counts[v * stride + k] = former->weight * fmax(count, 0);
            if (beta[v] > 0 && ctm->occurs[v] == 0) ctm->occurs[v] = 1;
        }
    }
}

static void put_scatter(const dlp_ctm *ctm, double *scatter)
{
    const dlp_index K = ctm->shared.K;
    const double left = ctm->settings.diagonal ? 0 : 1 - ctm->settings.shrink;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++) {
            const double sum = ctm->kept->D * ctm->settings.start->Sigma0[i * K + j];
            scatter[i * K + j] = i == j ? sum : left > 0 ? sum / left : 0;
        }
}

dlp_status dlpi_ctm_keep(dlp_ctm *ctm, const dlpi_ctm_former *former, dlp_error *error)
{
    const dlp_index counts = ctm->shared.V * ctm->shared.stride;
    ctm->kept = dlpi_calloc(1, sizeof *ctm->kept);
    if (!ctm->kept) return dlpi_no_memory(error, "the sums of the model");
    ctm->kept->D = former->weight * former->D;
    ctm->kept->sums = dlpi_calloc(ctm->tree.n, sizeof *ctm->kept->sums);
    if (!ctm->kept->sums) return dlpi_no_memory(error, "the sums of the model");
    put_counts(ctm, former, ctm->kept->sums);
    put_scatter(ctm, dlpi_ctm_sums_at(ctm, ctm->kept->sums + counts).scatter);
    ctm->gram[0] += ctm->kept->D;
    ctm->ridge_factor[0] = sqrt(ctm->gram[0]);
    return DLP_OK;
}

void dlpi_ctm_add_kept(dlp_ctm *ctm)
{
    if (!ctm->kept) return;
    const double *kept = ctm->kept->sums;
    double *sums = ctm->tree.slot[0];
    for (dlp_index i = 0; i < ctm->tree.n; i++) sums[i] += kept[i];
}

void dlpi_ctm_move_kept(dlp_ctm *ctm)
{
    if (ctm->kept) dlpi_ctm_move_sums(ctm, ctm->shift, ctm->kept->D, ctm->kept->sums);
}

bool dlpi_ctm_topic_words(const dlp_ctm *ctm, double *words)
{
    const dlp_index K = ctm->shared.K, V = ctm->shared.V, stride = ctm->shared.stride;
    if (ctm->divided) {
        memcpy(words, ctm->divided->words, (size_t)K * sizeof *words);
        return ctm->summed;
    }
    memset(words, 0, (size_t)K * sizeof *words);
    for (dlp_index v = 0; ctm->summed && v < V; v++)
        for (dlp_index k = 0; k < K; k++) words[k] += ctm->counts[v * stride + k];
    return ctm->summed;
}
