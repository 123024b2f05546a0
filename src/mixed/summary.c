/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/summary.h"

#include "core/core.h"
#include "math/dense.h"

#include <delaplace/special.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- memory ---- */

static bool alloc_effects(const dlpi_mixed_term *term, dlp_index p, dlpi_mixed_effects *e)
{
    const dlp_index L = term->L, q = term->q;
    *e = (dlpi_mixed_effects){.L = L, .q = q};
    e->mean = dlpi_calloc(L, (size_t)(q * (1 + q + p)) * sizeof *e->mean);
    e->covariance = dlpi_calloc(q * q, sizeof *e->covariance);
    e->sd = dlpi_calloc(q + q * (q - 1) / 2, sizeof *e->sd);
    if (!e->mean || !e->covariance || !e->sd) return false;
    e->variance = e->mean + L * q;
    e->with_beta = e->variance + L * q * q;
    e->correlation = e->sd + q;
    return true;
}

dlp_status dlpi_mixed_result_alloc(const dlpi_mixed_data *data, dlpi_mixed_result *result,
                                   dlp_error *error)
{
    const dlp_index p = data->p, n = p + (data->family->of->scale != NULL);
    result->p = p;
    result->n = n;
    result->n_terms = data->n_terms;
    result->beta = dlpi_calloc(n * (n + 1), sizeof *result->beta);
    result->margin = dlpi_calloc(n, sizeof *result->margin);
    result->effects = dlpi_calloc(data->n_terms, sizeof *result->effects);
    bool there = result->beta && result->margin && result->effects;
    for (dlp_index t = 0; there && t < data->n_terms; t++)
        there = alloc_effects(&data->term[t], p, &result->effects[t]);
    if (!there) return dlpi_no_memory(error, "the effects of a mixed model");
    result->covariance = result->beta + n;
    return DLP_OK;
}

void dlpi_mixed_result_clear(dlpi_mixed_result *result)
{
    for (dlp_index t = 0; result->effects && t < result->n_terms; t++) {
        free(result->effects[t].mean);
        free(result->effects[t].covariance);
        free(result->effects[t].sd);
    }
    free(result->effects);
    free(result->beta);
    free(result->margin);
    *result = (dlpi_mixed_result){.outcome = DLP_NOT_STARTED};
}

/* ---- beta and effects ---- */

/* Adds a level's moments at a point; beta counts from where it is at the mode. */
static void add_level(double weight, dlp_index q, dlp_index p, const double *mean,
                      const double *variance, const double *with_beta,
                      const double *beta_off, dlpi_mixed_effects *e, dlp_index level)
{
    double *m = e->mean + level * q, *V = e->variance + level * q * q,
           *B = e->with_beta + level * q * p;
    for (dlp_index i = 0; i < q; i++) {
        for (dlp_index j = 0; j < q; j++)
            V[i * q + j] += weight * (variance[i * q + j] + mean[i] * mean[j]);
        for (dlp_index j = 0; j < p; j++)
            B[i * p + j] += weight * (with_beta[i * p + j] + mean[i] * beta_off[j]);
        m[i] += weight * mean[i];
    }
}

/* The effects of a term that is in x. */
static void add_others(const dlpi_mixed *model, const dlpi_mixed_block *k, dlp_index o,
                       double weight, const double *beta_off, double *room,
                       dlpi_mixed_effects *e)
{
    const dlp_index n = model->rows.n, p = model->rows.p, q = e->q;
    double *variance = room, *with_beta = room + q * q;
    for (dlp_index level = 0; level < e->L; level++) {
        const dlp_index at = model->rows.start[o] + level * q;
        for (dlp_index i = 0; i < q; i++) {
            memcpy(variance + i * q, k->S + (at + i) * n + at, (size_t)q * sizeof *room);
            memcpy(with_beta + i * p, k->S + (at + i) * n + n - p,
                   (size_t)p * sizeof *room);
        }
        add_level(weight, q, p, k->x + at, variance, with_beta, beta_off, e, level);
    }
}

/* The leaves, whose moments stand in room, leaf by leaf. */
static void add_leaves(const dlpi_mixed *model, double weight, const double *beta_off,
                       const double *room, dlpi_mixed_effects *e)
{
    const dlp_index p = model->rows.p, q = e->q, size = q * (1 + q + p);
    for (dlp_index g = 0; g < e->L; g++) {
        const double *at = room + g * size;
        add_level(weight, q, p, at, at + q, at + q + q * q, beta_off, e, g);
    }
}

static void visit_leaves(dlpi_mixed_block *k, double *room)
{
    const dlp_index p = k->of->rows.p, q = k->of->rows.q, size = q * (1 + q + p);
    for (dlp_index g = 0; g < k->of->rows.L; g++) {
        double *at = room + g * size;
        dlpi_mixed_block_leaf(k, g, at, at + q, at + q + q * q);
    }
}

/* From sums of products to covariances. */
static void centre(dlp_index p, const double *beta_off, dlpi_mixed_effects *e)
{
    const dlp_index q = e->q;
    for (dlp_index level = 0; level < e->L; level++) {
        const double *m = e->mean + level * q;
        for (dlp_index i = 0; i < q; i++) {
            for (dlp_index j = 0; j < q; j++)
                e->variance[(level * q + i) * q + j] -= m[i] * m[j];
            for (dlp_index j = 0; j < p; j++)
                e->with_beta[(level * q + i) * p + j] -= m[i] * beta_off[j];
        }
    }
}

/* Where a mixture of normals has probability P below. */
static double mixture_quantile(int n, const double *w, const double *m, const double *S,
                               dlp_index p, dlp_index j, double P)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < n; k++) {
        const double far = 9 * sqrt(S[k * p * p + j * (p + 1)]);
        if (w[k] == 0) continue;
        lo = fmin(lo, m[k * p + j] - far);
        hi = fmax(hi, m[k * p + j] + far);
    }
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (lo + hi);
        double sum = 0;
        for (int k = 0; k < n; k++)
            if (w[k] > 0)
                sum += w[k] * dlp_normal_cdf((mid - m[k * p + j]) /
                                             sqrt(S[k * p * p + j * (p + 1)]));
        *(sum < P ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

static void summarise_beta(int points, const double *w, const double *m, const double *S,
                           dlpi_mixed_result *result)
{
    const dlp_index p = result->p, n = result->n;
    for (int k = 0; k < points; k++)
        for (dlp_index i = 0; i < p; i++) result->beta[i] += w[k] * m[k * p + i];
    for (int k = 0; k < points; k++)
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = 0; j < p; j++)
                result->covariance[i * n + j] +=
                    w[k] *
                    (S[(k * p + i) * p + j] +
                     (m[k * p + i] - result->beta[i]) * (m[k * p + j] - result->beta[j]));
    for (dlp_index j = 0; j < p; j++)
        result->margin[j] =
            (dlp_margin){.mean = result->beta[j],
                         .sd = sqrt(result->covariance[j * (n + 1)]),
                         .lower = mixture_quantile(points, w, m, S, p, j, 0.025),
                         .median = mixture_quantile(points, w, m, S, p, j, 0.5),
                         .upper = mixture_quantile(points, w, m, S, p, j, 0.975)};
}

/* Of the logarithm of the scale, and how it varies with beta over the points. */
static void summarise_tau(const dlpi_explore *e, dlp_index at, const double *w,
                          const double *m, dlpi_mixed_result *result)
{
    const dlp_index p = result->p, n = result->n;
    double mean = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < e->points; k++) {
            const double tau =
                e->mode[at] + dlpi_dot(e->m, e->root + at * e->m, e->z + k * e->m);
            if (pass == 0) {
                mean += w[k] * tau;
                continue;
            }
            result->covariance[p * (n + 1)] += w[k] * (tau - mean) * (tau - mean);
            for (dlp_index j = 0; j < p; j++)
                result->covariance[p * n + j] +=
                    w[k] * (tau - mean) * (m[k * p + j] - result->beta[j]);
        }
    for (dlp_index j = 0; j < p; j++)
        result->covariance[j * n + p] = result->covariance[p * n + j];
    result->beta[p] = mean;
}

/* The points that matter, in their order whatever the threads do. */
dlp_status dlpi_summarise_effects(const dlpi_mixed *model, const dlpi_explore *e,
                                  dlpi_mixed_block *block, int threads,
                                  dlpi_mixed_result *result, dlp_error *error)
{
    const double overlooked = 1e-4;
    const dlp_index p = result->p, n = model->rows.n, q = model->rows.q;
    const dlp_index size = model->rows.L * q * (1 + q + p) + p + 64 * 64 + 64 * p;
    double *w = dlpi_calloc(e->points, (size_t)(1 + p + p * p) * sizeof *w);
    double *room = dlpi_calloc(threads, (size_t)size * sizeof *room);
    double *psi = dlpi_calloc(threads, (size_t)e->m * sizeof *psi);
    double *origin = dlpi_calloc(2 * p, sizeof *origin), kept = 0;
    if (!w || !room || !psi || !origin) {
        free(w), free(room), free(psi), free(origin);
        return dlpi_no_memory(error, "the effects of a mixed model");
    }
    double *m = w + e->points, *S = m + e->points * p;
    memcpy(origin, model->x + n - p, (size_t)p * sizeof *origin);
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (int i = 0; i < e->points; i++) {
        const int t = omp_get_thread_num();
        dlpi_mixed_block *k = &block[t];
        double *leaves = room + t * size, *off = leaves + size - p,
               *some = off - 64 * 64 - 64 * p;
        bool there = e->weight[i] > overlooked;
        if (there) {
            dlpi_explore_psi(e, e->z + i * e->m, psi + t * e->m);
            there = isfinite(dlpi_mixed_block_at(k, psi + t * e->m));
        }
        if (there) {
            dlpi_mixed_block_invert(k);
            visit_leaves(k, leaves);
        }
#pragma omp ordered
        if (there) {
            w[i] = e->weight[i];
            kept += w[i];
            for (dlp_index j = 0; j < p; j++) {
                m[i * p + j] = k->x[n - p + j];
                off[j] = m[i * p + j] - origin[j];
                origin[p + j] += w[i] * off[j];
                memcpy(S + (i * p + j) * p, k->S + (n - p + j) * n + n - p,
                       (size_t)p * sizeof *S);
            }
            for (dlp_index o = 0; o < model->rows.n_other; o++)
                add_others(model, k, o, w[i], off, some,
                           &result->effects[model->rows.term[o]]);
            add_leaves(model, w[i], off, leaves, &result->effects[model->rows.leaf]);
        }
    }
    for (int i = 0; i < e->points; i++) w[i] /= kept;
    for (dlp_index j = 0; j < p; j++) origin[p + j] /= kept;
    for (dlp_index t = 0; t < result->n_terms; t++) {
        dlpi_mixed_effects *of = &result->effects[t];
        const dlp_index all = of->L * of->q * (1 + of->q + p);
        for (dlp_index i = 0; i < all; i++) of->mean[i] /= kept;
        centre(p, origin + p, of);
    }
    summarise_beta(e->points, w, m, S, result);
    if (model->layout.tau >= 0) summarise_tau(e, model->layout.tau, w, m, result);
    free(w), free(room), free(psi), free(origin);
    return DLP_OK;
}

/* ---- sds, correlations, scale ---- */

static void summarise_term(dlpi_cloud *cloud, dlp_index at, dlpi_mixed_effects *e,
                           double *room)
{
    const dlp_index q = e->q;
    double *sd = room, *R = room + q, *each = R + q * q; /* (n, q + q (q-1) / 2) */
    const dlp_index wide = q + q * (q - 1) / 2;
    for (dlp_index i = 0; i < cloud->n; i++) {
        dlpi_hyper_term(q, cloud->psi + i * cloud->m + at, sd, R);
        double *to = each + i * wide;
        for (dlp_index a = 0; a < q; a++) to[a] = sd[a];
        for (dlp_index b = 0, k = q; b < q; b++)
            for (dlp_index a = 0; a <= b; a++) {
                double r = 0;
                for (dlp_index c = 0; c < q; c++) r += R[c * q + a] * R[c * q + b];
                e->covariance[a * q + b] += cloud->weight[i] * sd[a] * sd[b] * r;
                if (a < b) to[k++] = r;
            }
    }
    dlpi_mirror(q, e->covariance);
    for (dlp_index k = 0; k < wide; k++) {
        for (dlp_index i = 0; i < cloud->n; i++) cloud->value[i] = each[i * wide + k];
        e->sd[k] = dlpi_cloud_margin(cloud); /* correlations stand behind the sds */
    }
}

dlp_status dlpi_summarise_hyper(const dlpi_mixed *model, const dlpi_explore *e,
                                dlpi_mixed_result *result, dlp_error *error)
{
    const dlp_index q = model->layout.largest;
    dlpi_cloud cloud = {0};
    dlp_status status = dlpi_cloud_make(e, &cloud, error);
    double *room = NULL;
    if (status == DLP_OK) {
        room = dlpi_calloc(cloud.n + 2, (size_t)(q * q + q) * sizeof *room);
        if (!room) status = dlpi_no_memory(error, "the scales");
    }
    if (status == DLP_OK) {
        for (dlp_index t = 0; t < result->n_terms; t++)
            summarise_term(&cloud, model->layout.at[t], &result->effects[t], room);
        if (model->layout.tau >= 0) {
            for (dlp_index i = 0; i < cloud.n; i++)
                cloud.value[i] = exp(cloud.psi[i * cloud.m + model->layout.tau]);
            result->margin[result->p] = dlpi_cloud_margin(&cloud);
        }
    }
    free(room);
    dlpi_cloud_free(&cloud);
    return status;
}
