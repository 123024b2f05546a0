/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/mixed_ordinal.h"

#include "core/core.h"
#include "regression/regression.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

void dlpi_place_coefficients(const dlpi_mixed_data *data, dlp_index J, dlp_index *place)
{
    const dlp_index fixed = dlpi_mixed_fixed(data) - J, p = data->p - J;
    for (dlp_index j = 0; j < data->p; j++)
        place[j] = j < fixed ? j : j < fixed + J ? p + j - fixed : j - J;
}

/* x[place[i]] = x[i], the numbers being `step` apart; room (n). */
static void move(dlp_index n, const dlp_index *place, dlp_index step, double *x,
                 double *room)
{
    for (dlp_index i = 0; i < n; i++) room[place[i]] = x[i * step];
    for (dlp_index i = 0; i < n; i++) x[i * step] = room[i];
}

static void move_all(const dlp_index *place, dlpi_mixed_result *found, double *room,
                     dlp_margin *margin)
{
    const dlp_index p = found->p, n = found->n;
    memcpy(margin, found->margin, (size_t)p * sizeof *margin);
    for (dlp_index i = 0; i < p; i++) found->margin[place[i]] = margin[i];
    for (int k = 0; k < 2; k++) {
        double *mean = k == 0 ? found->beta : found->linear, *V = k == 0
                                                                      ? found->covariance
                                                                  : mean ? mean + n
                                                                         : NULL;
        if (!mean) break;
        move(p, place, 1, mean, room);
        for (dlp_index i = 0; i < n; i++) move(p, place, 1, V + i * n, room);
        for (dlp_index i = 0; i < n; i++) move(p, place, n, V + i, room);
    }
    for (dlp_index t = 0; t < found->n_terms; t++) {
        const dlpi_mixed_effects *e = &found->effects[t];
        for (dlp_index i = 0; i < e->L * e->q; i++)
            move(p, place, 1, e->with_beta + i * n, room);
    }
}

dlp_status dlpi_move_coefficients(const dlp_index *place, dlpi_mixed_result *found,
                                  dlp_error *error)
{
    double *room = dlpi_calloc(found->p, sizeof *room);
    dlp_margin *margin = dlpi_calloc(found->p, sizeof *margin);
    const bool there = room && margin;
    if (there) move_all(place, found, room, margin);
    free(room);
    free(margin);
    return there ? DLP_OK : dlpi_no_memory(error, "the coefficients");
}

/* A normal interval, or one that reaches as far to both sides as m does, in sds, where
   what m was made of is not far from the truth. */
static dlp_margin reshape(double mean, double sd, const dlp_margin *m)
{
    const double half = dlp_normal_quantile(0.975) * sd, by = m->sd > 0 ? sd / m->sd : 0,
                 near = 0.95;
    if (!(by > near && by < 1 / near))
        return (dlp_margin){mean, sd, mean - half, mean, mean + half};
    return (dlp_margin){mean, sd, mean + by * (m->lower - m->mean),
                        mean + by * (m->median - m->mean),
                        mean + by * (m->upper - m->mean)};
}

/* c_j = c_0 + g_1 + ... + g_j */
static void add_up(dlp_index n, dlp_index J, const double *linear, const double *V,
                   dlp_margin *margin)
{
    const dlp_index p = n - J;
    double mean = 0, variance = 0;
    for (dlp_index j = p; j < n; j++) {
        mean += linear[j];
        variance += V[j * (n + 1)];
        for (dlp_index i = p; i < j; i++) variance += 2 * V[i * n + j];
        margin[j - p] = reshape(mean, sqrt(fmax(variance, 0)), &margin[j - p]);
    }
}

dlp_status dlpi_cut_margins(const dlpi_basis *basis, const dlpi_mixed_result *found,
                            dlp_index J, const double *mu, const double *Sigma,
                            dlp_margin *margin, dlp_error *error)
{
    const dlp_index n = found->n, p = n - J;
    const size_t size = (size_t)(n * (n + 1)) * sizeof(double);
    double *linear = dlpi_calloc(n, (size_t)(n + 1) * sizeof *linear);
    const bool there =
        linear && dlpi_cut_points(n, J, mu + p, Sigma + p * (n + 1), margin);
    if (there) { /* one cut point has no gaps */
        memcpy(linear, found->linear ? found->linear : found->beta, size);
        dlpi_basis_mean(basis, linear);
        dlpi_basis_covariance(basis, linear + n);
        const dlp_margin *first = &found->margin[p];
        margin[0] = (dlp_margin){first->mean, first->sd, first->lower, first->median,
                                 first->upper};
        add_up(n, J, linear, linear + n, margin);
    }
    free(linear);
    return there ? DLP_OK : dlpi_no_memory(error, "the cut points");
}
