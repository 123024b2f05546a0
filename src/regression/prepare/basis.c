/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/basis.h"

#include "comm/division.h"
#include "core/core.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <string.h>

/* ---- to the basis ---- */

static bool is_standardised(const dlpi_prepared *p)
{
    return p->grouping == DLP_HIERARCHICAL && !p->prior.paper_hyperprior;
}

static bool counts_from_means(const dlpi_prepared *p)
{
    return p->grouping != DLP_HIERARCHICAL && p->family->support == DLP_SUPPORT_ORDERED;
}

static dlp_status list_entries(const double *R, dlpi_basis *b, dlp_error *error)
{
    const dlp_index p = b->p;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++) b->entries += k != j && R[j * (p + 1) + k] != 0;
    b->entry = dlpi_calloc((dlp_index)b->entries + 1, sizeof *b->entry);
    if (!b->entry) return dlpi_no_memory(error, "the columns");
    dlpi_basis_entry *at = b->entry;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++)
            if (k != j && R[j * (p + 1) + k] != 0)
                *at++ = (dlpi_basis_entry){j, k, R[j * (p + 1) + k]};
    return DLP_OK;
}

/* x'_j = sum_k R_jk x_k, its own column first. */
static void rotate_columns(const dlp_glm_data *d, const dlpi_basis *b)
{
    const dlp_index from = dlpi_rows_from(d->division),
                    end = dlpi_rows_to(d->division, d->N);
    for (dlp_index j = 0; j < d->p && end > from; j++)
        memcpy(b->X + j * d->N + from, d->x[j] + from,
               (size_t)(end - from) * sizeof *b->X);
    for (size_t e = 0; e < b->entries; e++) {
        const dlpi_basis_entry *of = &b->entry[e];
        double *to = b->X + of->j * d->N;
        for (dlp_index i = from; i < end; i++) to[i] += of->value * d->x[of->k][i];
    }
}

/* x' = (x' - centre) / spread, by the rows whose columns are X. */
static dlp_status standardise_columns(const dlp_glm_data *rotated, dlpi_basis *b,
                                      dlp_error *error)
{
    const dlp_index N = rotated->N, from = dlpi_rows_from(rotated->division),
                    to = dlpi_rows_to(rotated->division, N);
    b->centre = dlpi_calloc(b->p, sizeof *b->centre);
    b->spread = dlpi_calloc(b->p, sizeof *b->spread);
    if (!b->centre || !b->spread) return dlpi_no_memory(error, "the columns");
    for (dlp_index j = 0; j < b->p; j++) {
        const dlpi_column_units units = dlpi_column_measure(rotated, j, b->intercept);
        double *x = b->X + j * N;
        b->centre[j] = units.centre;
        b->spread[j] = units.spread;
        for (dlp_index i = from; i < to; i++) x[i] = (x[i] - units.centre) / units.spread;
    }
    return DLP_OK;
}

/* x' = x' - centre, the mean of each column; its rounding is corrected by the mean of
   what is left. */
static dlp_status centre_columns(const dlp_glm_data *rotated, dlpi_basis *b,
                                 dlp_error *error)
{
    const dlp_index N = rotated->N;
    b->centre = dlpi_calloc(b->p, sizeof *b->centre);
    if (!b->centre) return dlpi_no_memory(error, "the columns");
    for (dlp_index j = 0; j < b->p; j++)
        for (int pass = 0; pass < 2; pass++) {
            double *x = b->X + j * N;
            const double mean = dlpi_column_mean(rotated, x);
            b->centre[j] += mean;
            for (dlp_index i = 0; i < N; i++) x[i] -= mean;
        }
    b->cut = true;
    return DLP_OK;
}

static dlp_status change_columns(const dlpi_prepared *p, dlp_glm_data *rows,
                                 dlpi_basis *b, dlp_error *error)
{
    const dlp_index N = rows->N;
    if (!p->prior.R && !is_standardised(p) && !counts_from_means(p)) return DLP_OK;
    b->X = dlpi_rows_alloc(p->table->spill, b->p, (size_t)N * sizeof *b->X);
    b->x = dlpi_calloc(b->p, sizeof *b->x);
    if (!b->X || !b->x) return dlpi_no_memory(error, "the columns");
    if (p->prior.R) DLP_TRY(list_entries(p->prior.R, b, error));
    rotate_columns(rows, b);
    for (dlp_index j = 0; j < b->p; j++) b->x[j] = b->X + j * N;
    rows->x = b->x;
    if (counts_from_means(p)) return centre_columns(rows, b, error);
    return is_standardised(p) ? standardise_columns(rows, b, error) : DLP_OK;
}

static dlp_status change_response(const dlpi_prepared *p, dlp_glm_data *rows,
                                  dlpi_basis *b, dlp_error *error)
{
    dlpi_spill *spill = p->table->spill;
    const dlp_index N = rows->N, to = dlpi_rows_to(rows->division, N);
    dlpi_response_measure(rows, b->intercept, &b->shift, &b->unit);
    b->log_jacobian = p->total_weight * log(b->unit);
    b->y = dlpi_rows_alloc(spill, N, sizeof *b->y);
    if (rows->offset) b->offset = dlpi_rows_alloc(spill, N, sizeof *b->offset);
    if (!b->y || (rows->offset && !b->offset))
        return dlpi_no_memory(error, "the response");
    for (dlp_index i = dlpi_rows_from(rows->division); i < to; i++) {
        b->y[i] = (rows->y[i] - b->shift) / b->unit;
        if (rows->offset) b->offset[i] = rows->offset[i] / b->unit;
    }
    rows->y = b->y;
    rows->offset = b->offset;
    return DLP_OK;
}

dlp_status dlpi_basis_make(const dlpi_prepared *p, dlp_glm_data *rows, dlpi_basis *b,
                           dlp_error *error)
{
    const bool by_level = p->family->support == DLP_SUPPORT_LEVELS;
    *b = (dlpi_basis){.p = rows->p,
                      .n = p->n,
                      .coefficients = by_level ? p->n : rows->p,
                      .intercept = p->intercept};
    b->was = dlpi_calloc(p->n, sizeof *b->was);
    if (!b->was) return dlpi_no_memory(error, "the parameters");
    if (p->grouping == DLP_HIERARCHICAL && dlpi_is_linear(p->family))
        DLP_TRY(change_response(p, rows, b, error));
    return change_columns(p, rows, b, error);
}

void dlpi_basis_drop_rows(dlpi_basis *b)
{
    dlpi_rows_free(b->X);
    dlpi_rows_free(b->y);
    dlpi_rows_free(b->offset);
    free(b->x);
    b->X = b->y = b->offset = NULL;
    b->x = NULL;
}

void dlpi_basis_clear(dlpi_basis *b)
{
    dlpi_basis_drop_rows(b);
    free(b->entry);
    free(b->centre);
    free(b->spread);
    free(b->was);
    *b = (dlpi_basis){0};
}

/* ---- and back ---- */

/* beta_j = beta'_j / spread_j, and the intercept is less by sum_j centre_j beta_j. */
static void unstandardise_mean(const dlpi_basis *b, double *beta)
{
    for (dlp_index j = 0; j < b->p; j++) beta[j] /= b->spread[j];
    for (dlp_index j = 0; j < b->p && b->intercept >= 0; j++)
        beta[b->intercept] -= b->centre[j] * beta[j];
}

/* The same of a covariance, p coefficients from `first` on. */
static void unstandardise_covariance(const dlpi_basis *b, dlp_index first, double *Sigma)
{
    const dlp_index p = b->p, n = b->n, at = first + b->intercept;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < n; k++) {
            Sigma[(first + j) * n + k] /= b->spread[j];
            Sigma[k * n + first + j] /= b->spread[j];
        }
    for (dlp_index j = 0; j < p && b->intercept >= 0; j++)
        for (dlp_index k = 0; k < n; k++)
            Sigma[at * n + k] -= b->centre[j] * Sigma[(first + j) * n + k];
    for (dlp_index j = 0; j < p && b->intercept >= 0; j++)
        for (dlp_index k = 0; k < n; k++)
            Sigma[k * n + at] -= b->centre[j] * Sigma[k * n + first + j];
}

/* beta = unit beta', the intercept plus the shift, and tau = tau' + log unit. */
static void unscale_mean(const dlpi_basis *b, double *mu)
{
    for (dlp_index j = 0; j < b->p; j++) mu[j] *= b->unit;
    if (b->intercept >= 0) mu[b->intercept] += b->shift;
    mu[b->p] += log(b->unit);
}

static void unscale_covariance(const dlpi_basis *b, double *Sigma)
{
    for (dlp_index j = 0; j < b->p; j++)
        for (dlp_index k = 0; k < b->n; k++) {
            Sigma[j * b->n + k] *= b->unit;
            Sigma[k * b->n + j] *= b->unit;
        }
}

/* c_0 - x'beta = c'_0 - (x - centre)'beta, where the numbers are `step` apart. */
static void move_cut(const dlpi_basis *b, double *v, dlp_index step)
{
    for (dlp_index j = 0; j < b->p; j++) v[b->p * step] += b->centre[j] * v[j * step];
}

/* beta = R'beta' for each level, where the numbers are `step` apart. */
static void rotate_back(const dlpi_basis *b, double *v, dlp_index step)
{
    for (dlp_index i = 0; i < b->n; i++) b->was[i] = v[i * step];
    for (dlp_index first = 0; first < b->coefficients; first += b->p)
        for (size_t e = 0; e < b->entries; e++) {
            const dlpi_basis_entry *of = &b->entry[e];
            v[(first + of->k) * step] += of->value * b->was[first + of->j];
        }
}

void dlpi_basis_mean(const dlpi_basis *b, double *mu)
{
    for (dlp_index first = 0; b->spread && first < b->coefficients; first += b->p)
        unstandardise_mean(b, mu + first);
    if (b->unit > 0) unscale_mean(b, mu);
    if (b->cut) move_cut(b, mu, 1);
    if (b->entry) rotate_back(b, mu, 1);
}

void dlpi_basis_covariance(const dlpi_basis *b, double *Sigma)
{
    const dlp_index n = b->n;
    for (dlp_index first = 0; b->spread && first < b->coefficients; first += b->p)
        unstandardise_covariance(b, first, Sigma);
    if (b->unit > 0) unscale_covariance(b, Sigma);
    if (!b->entry && !b->cut) return;
    for (dlp_index i = 0; i < n && b->cut; i++) move_cut(b, Sigma + i * n, 1);
    for (dlp_index i = 0; i < n && b->cut; i++) move_cut(b, Sigma + i, n);
    for (dlp_index i = 0; i < n && b->entry; i++) rotate_back(b, Sigma + i * n, 1);
    for (dlp_index i = 0; i < n && b->entry; i++) rotate_back(b, Sigma + i, n);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k < i; k++) Sigma[i * n + k] = Sigma[k * n + i];
}
