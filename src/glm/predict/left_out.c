/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes a row out of a fit without fitting again. Under q the row's linear predictor is
 * N(m, v). The row's own likelihood l(eta) has contributed a slope g = l' and a precision
 * w = -l'', both at m. Without them
 *
 *   v_- = v / (1 - w v),   m_- = m - v_- g.
 *
 * h = w v is the row's leverage. In a linear regression with a flat prior it is the
 * diagonal of the hat matrix, and m_- is exact. (Vehtari, Mononen, Tolvanen, Sivula &
 * Winther, "Bayesian leave-one-out cross-validation approximations for Gaussian latent
 * variable models", 2016, call it Laplace's leave-one-out.) With the logarithm tau of a
 * scale
 *
 *   V_- = (V^-1 - W)^-1,   W = diag(w, -l_tt / 2),   m_- = m - V_- (l_e, l_t)',
 *
 * where taking half of the curvature by tau lies between a step of first and one of
 * second order. For noise around n rows, sigma_-^2 = sigma^2 (1 - r^2 / n), it is right
 * to third order in r^2 / n.
 */
#include "glm/predict/left_out.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "math/psis.h"

#include <delaplace/special.h>
#include <math.h>

/* What the row's likelihood contributes at the mean of q. A row of weight 3 counts as
   three rows, one of which is left out. */
typedef struct own_part {
    double g, w;     /* by eta */
    double g_t, w_t; /* by tau */
} own_part;

static own_part part_of(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                        const dlpi_predictor *q, dlpi_rows *rows)
{
    rows->n = 1;
    rows->y = d->y + i;
    rows->trials = d->trials ? d->trials + i : NULL;
    rows->df = d->df > 0 ? d->df : DLP_GLM_DF;
    rows->eta[0] = q->eta;
    family->evaluate(rows, q->tau, 2);
    return (own_part){.g = rows->l_e[0],
                      .w = -rows->l_ee[0],
                      .g_t = q->tau_sd > 0 ? rows->l_t[0] : 0,
                      .w_t = q->tau_sd > 0 ? -0.5 * rows->l_tt[0] : 0};
}

/* V_- = (I - V W)^-1 V and m_- for W = diag(w, w_t); false where V_- is no covariance. */
static bool take_out(dlpi_predictor *q, const own_part *own)
{
    const double v = q->eta_sd * q->eta_sd, t = q->tau_sd * q->tau_sd, c = q->slope * t;
    const double a = 1 - v * own->w, b = 1 - t * own->w_t,
                 det = a * b - c * c * own->w * own->w_t;
    if (!(a > 0 && b > 0 && det > 0)) return false;
    /* (I - VW)^-1 = [b, c w_t; c w, a] / det */
    const double vv = (b * v + c * own->w_t * c) / det,
                 cc = (b * c + c * own->w_t * t) / det,
                 tt = (c * own->w * c + a * t) / det;
    const double eta = q->eta - vv * own->g - cc * own->g_t,
                 tau = q->tau - cc * own->g - tt * own->g_t;
    if (!isfinite(eta) || !isfinite(tau) || !isfinite(vv) || !isfinite(tt)) return false;
    q->eta = eta;
    q->eta_sd = sqrt(fmax(vv, 0));
    q->given_sd = tt > 0 ? sqrt(fmax(vv - cc * cc / tt, 0)) : q->eta_sd;
    q->tau = tau;
    q->tau_sd = sqrt(fmax(tt, 0));
    q->slope = tt > 0 ? cc / tt : 0;
    return true;
}

/* If that leaves no covariance, tau's curvature is left in; if need be, its slope,
   too. */
static bool leave_out(dlpi_predictor *q, own_part own)
{
    if (take_out(q, &own)) return true;
    own.w_t = 0;
    if (take_out(q, &own)) return true;
    own.g_t = 0;
    return take_out(q, &own);
}

/* ---- the tail ---- */

double dlpi_tail_shape(dlp_index n, double *log_weight)
{
    struct dlpi_psis psis;
    return dlpi_psis(log_weight, (size_t)n, &psis) == DLP_OK ? psis.k : INFINITY;
}

/* The tail shape of 1 / p(y | eta), from values of eta that are equally probable under
   q. */
static double tail_of(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                      const dlpi_predictor *q, dlpi_rows *rows)
{
    double y[DLPI_TILE], trials[DLPI_TILE], log_weight[DLPI_TAIL_POINTS];
    for (int at = 0; at < DLPI_TAIL_POINTS; at += DLPI_TILE) {
        const int left = DLPI_TAIL_POINTS - at, n = left < DLPI_TILE ? left : DLPI_TILE;
        for (int k = 0; k < n; k++) {
            y[k] = d->y[i];
            trials[k] = dlpi_second_of(family, d->y, d->trials, i);
            rows->eta[k] = q->eta + q->eta_sd * dlp_normal_quantile((at + k + 0.5) /
                                                                    DLPI_TAIL_POINTS);
        }
        rows->n = n;
        rows->y = y;
        rows->trials = d->trials ? trials : NULL;
        family->evaluate(rows, q->tau, 0);
        for (int k = 0; k < n; k++) log_weight[at + k] = -fmax(rows->l[k], -1e300);
    }
    return dlpi_tail_shape(DLPI_TAIL_POINTS, log_weight);
}

static void look_at(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                    dlpi_predictor q, bool as_new, dlpi_rows *rows,
                    const dlpi_left_out *out)
{
    const own_part own = part_of(family, d, i, &q, rows);
    out->leverage[i] = own.w * q.eta_sd * q.eta_sd;
    if (out->k) out->k[i] = tail_of(family, d, i, &q, rows);
    if (out->seen) out->seen[i] = dlpi_log_density_averaged(family, d, i, &q, rows);
    out->kept[i] = as_new || !leave_out(&q, own);
    if (out->elpd) out->elpd[i] = dlpi_log_density_averaged(family, d, i, &q, rows);
    dlpi_predictive_cdf(family, d, i, &q, &out->below[i], &out->up_to[i]);
}

dlp_status dlpi_left_out_rows(const dlpi_family *family, const dlp_glm_data *d,
                              const double *mu, const dlp_sym *Sigma,
                              const dlpi_added *added, bool as_new,
                              const dlpi_left_out *out, dlp_error *error)
{
    if (!family->evaluate)
        return dlpi_left_out_levels(family, d, mu, Sigma, added, as_new, out, error);
    DLP_TRY(dlpi_glm_check_x(d, error));
    DLP_TRY(dlpi_glm_check_y(family, d, error));
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (dlp_index at = 0; at < d->N; at += DLPI_TILE) {
        dlpi_rows *rows = dlpi_calloc(1, sizeof *rows);
        double *row = dlpi_calloc(d->p, sizeof *row);
        failed |= !rows || !row;
        for (dlp_index i = at; rows && row && i < d->N && i < at + DLPI_TILE; i++) {
            dlpi_load_row(d, i, row);
            const dlpi_predictor q = dlpi_predictor_of(
                family, d, i, row, mu, Sigma, added->variance ? added->variance[i] : 0);
            look_at(family, d, i, q, as_new, rows, out);
        }
        free(rows);
        free(row);
    }
    return failed ? dlpi_no_memory(error, "the rows") : DLP_OK;
}
