/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One term in all groups and topics. The Hessian over (eta, common, own) is an arrow of
 * arrows: own is eliminated first, as nothing couples its parts, then eta; what remains
 * is (G, G). With
 *
 *     D = lambda + w,   r = lambda w / D,   R_k = sum_g r_kg,
 *     S_gh = [g = h] (w_g + sum_k r_kg) - sum_k r_kg r_kh / R_k,      C = S^-1
 *
 * a step is O(K G^2 + G^3), and so are all variances.
 */
#include "topics/ctm/ctm_content.h"

#include "math/dense.h"

#include <delaplace/special.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double MOST_STEP = 1;

dlp_index dlpi_content_room(dlp_index G, dlp_index stride)
{
    return 6 * G * stride + 2 * stride + 2 * G + 3 * G * G;
}

void dlpi_content_take_room(dlpi_content_term *t, double *block)
{
    const dlp_index n = t->G * t->stride;
    double **const cells[] = {&t->a, &t->lambda, &t->w, &t->D, &t->r, &t->out};
    for (int i = 0; i < 6; i++, block += n) *cells[i] = block;
    t->R = block;
    t->top = block + t->stride;
    t->w_common = block + 2 * t->stride;
    t->step = t->w_common + t->G;
    t->S = t->step + t->G;
    t->C = t->S + t->G * t->G;
    t->work = t->C + t->G * t->G;
}

/* w = 1 / (b sqrt(m)) */
static void set_precisions(dlpi_content_term *t)
{
    for (dlp_index g = 0; g < t->G; g++) {
        const dlp_index at = g * t->stride;
        t->w_common[g] = 1 / (t->b[0] * sqrt(t->common_square[g]));
        for (dlp_index k = 0; k < t->K; k++)
            t->w[at + k] = 1 / (t->b[1] * sqrt(t->own_square[at + k]));
    }
}

static void set_lambda(const dlpi_content_term *t)
{
    for (dlp_index g = 0; g < t->G; g++) {
        const dlp_index at = g * t->stride;
        double *lambda = t->lambda + at;
        for (dlp_index k = 0; k < t->K; k++)
            lambda[k] = t->eta[k] + t->common[g] + t->own[at + k];
        dlp_exp_array(t->K, lambda, lambda);
        for (dlp_index k = 0; k < t->K; k++) lambda[k] *= t->rate[at + k];
    }
}

double dlpi_content_objective(const dlpi_content_term *t)
{
    double value = 0;
    set_lambda(t);
    for (dlp_index g = 0; g < t->G; g++) {
        value -= 0.5 * t->w_common[g] * t->common[g] * t->common[g];
        for (dlp_index k = 0; k < t->K; k++) {
            const dlp_index i = g * t->stride + k;
            value += t->a[i] * (t->eta[k] + t->common[g] + t->own[i]) - t->lambda[i] -
                     0.5 * t->w[i] * t->own[i] * t->own[i];
        }
    }
    return value;
}

/* Moves eta_k to where the rates of all groups add up to the counts, which is exact. */
static void shift_eta(const dlpi_content_term *t)
{
    set_lambda(t);
    for (dlp_index k = 0; k < t->K; k++) {
        double counts = 0, rates = 0;
        for (dlp_index g = 0; g < t->G; g++) {
            counts += t->a[g * t->stride + k];
            rates += t->lambda[g * t->stride + k];
        }
        if (counts > 0 && rates > 0) t->eta[k] += log(counts / rates);
    }
}

/* D, r, R and the factor of S; false: S is not positive definite. */
static bool factor(const dlpi_content_term *t)
{
    const dlp_index G = t->G, K = t->K, s = t->stride;
    set_lambda(t);
    memset(t->R, 0, (size_t)s * sizeof *t->R);
    for (dlp_index g = 0; g < G; g++)
        for (dlp_index k = 0; k < K; k++) {
            const dlp_index i = g * s + k;
            t->D[i] = t->lambda[i] + t->w[i];
            t->r[i] = t->lambda[i] / t->D[i] * t->w[i];
            t->R[k] += t->r[i];
        }
    for (dlp_index k = 0; k < K; k++) t->R[k] = fmax(t->R[k], 1e-200);
    for (dlp_index g = 0; g < G; g++)
        for (dlp_index h = g; h < G; h++) {
            double sum = 0;
            for (dlp_index k = 0; k < K; k++) {
                const double rg = t->r[g * s + k], rh = t->r[h * s + k];
                sum += g == h ? rg * (1 - rg / t->R[k]) : -rg * rh / t->R[k];
            }
            t->S[g * G + h] = t->S[h * G + g] = g == h ? t->w_common[g] + sum : sum;
        }
    return dlpi_cholesky(G, t->S) < 0;
}

/* The right-hand sides: out has the gradient of own; top and step have the gradients of
   eta and common with own eliminated, and in step with eta eliminated, too. */
static void set_gradients(const dlpi_content_term *t)
{
    const dlp_index G = t->G, K = t->K, s = t->stride;
    memset(t->top, 0, (size_t)s * sizeof *t->top);
    for (dlp_index g = 0; g < G; g++) {
        t->step[g] = -t->w_common[g] * t->common[g];
        for (dlp_index k = 0; k < K; k++) {
            const dlp_index i = g * s + k;
            const double off = t->a[i] - t->lambda[i];
            t->out[i] = off - t->w[i] * t->own[i];
            const double left = off - t->lambda[i] / t->D[i] * t->out[i];
            t->top[k] += left;
            t->step[g] += left;
        }
    }
    for (dlp_index g = 0; g < G; g++)
        for (dlp_index k = 0; k < K; k++)
            t->step[g] -= t->r[g * s + k] / t->R[k] * t->top[k];
}

/* Back from the step of common to those of eta, in top, and of own, in out. */
static double set_steps(const dlpi_content_term *t)
{
    const dlp_index G = t->G, K = t->K, s = t->stride;
    double most = 0;
    for (dlp_index g = 0; g < G; g++) {
        most = fmax(most, fabs(t->step[g]));
        for (dlp_index k = 0; k < K; k++) t->top[k] -= t->r[g * s + k] * t->step[g];
    }
    for (dlp_index k = 0; k < K; k++) {
        t->top[k] /= t->R[k];
        most = fmax(most, fabs(t->top[k]));
    }
    for (dlp_index g = 0; g < G; g++)
        for (dlp_index k = 0; k < K; k++) {
            const dlp_index i = g * s + k;
            t->out[i] = (t->out[i] - t->lambda[i] * (t->top[k] + t->step[g])) / t->D[i];
            most = fmax(most, fabs(t->out[i]));
        }
    return most;
}

static void newton(const dlpi_content_term *t)
{
    if (!factor(t)) return;
    set_gradients(t);
    dlpi_cholesky_solve(t->G, t->S, t->step);
    const double most = set_steps(t), part = most > MOST_STEP ? MOST_STEP / most : 1;
    if (!isfinite(most)) return;
    for (dlp_index k = 0; k < t->K; k++) t->eta[k] += part * t->top[k];
    for (dlp_index g = 0; g < t->G; g++) {
        t->common[g] += part * t->step[g];
        for (dlp_index k = 0; k < t->K; k++)
            t->own[g * t->stride + k] += part * t->out[g * t->stride + k];
    }
}

void dlpi_content_climb(dlpi_content_term *t, int steps)
{
    set_precisions(t);
    shift_eta(t);
    for (int i = 0; i < steps; i++) newton(t);
}

/* ---- variances ---- */

static bool invert(const dlpi_content_term *t)
{
    if (!factor(t)) return false;
    dlpi_cholesky_inverse(t->G, t->S, t->work, t->C);
    return true;
}

/* Of topic k: u = C r_k / R_k into step (G); returns 1/R_k + r_k'u / R_k, the variance of
   eta_k. */
static double around(const dlpi_content_term *t, dlp_index k)
{
    const dlp_index G = t->G;
    double variance = 1 / t->R[k];
    for (dlp_index g = 0; g < G; g++) {
        double sum = 0;
        for (dlp_index h = 0; h < G; h++)
            sum += t->C[g * G + h] * t->r[h * t->stride + k];
        t->step[g] = sum / t->R[k];
    }
    for (dlp_index g = 0; g < G; g++)
        variance += t->r[g * t->stride + k] / t->R[k] * t->step[g];
    return variance;
}

static double add_square(double x, double variance, double w, double *told,
                         double *squares)
{
    const double m = fmax(x * x + variance, 1e-20);
    *told += fmin(fmax(1 - w * variance, 0), 1);
    *squares += x * x / sqrt(m);
    return m;
}

/* Var(own_kg) = 1/D + (lambda/D)^2 Var(eta_k + common_g) */
void dlpi_content_set_squares(dlpi_content_term *t, double told[2], double squares[2])
{
    const dlp_index G = t->G;
    if (!invert(t)) return;
    for (dlp_index g = 0; g < G; g++)
        t->common_square[g] = add_square(t->common[g], t->C[g * (G + 1)], t->w_common[g],
                                         &told[0], &squares[0]);
    for (dlp_index k = 0; k < t->K; k++) {
        const double eta = around(t, k);
        for (dlp_index g = 0; g < G; g++) {
            const dlp_index i = g * t->stride + k;
            const double both = eta + t->C[g * (G + 1)] - 2 * t->step[g],
                         slope = t->lambda[i] / t->D[i];
            t->own_square[i] = add_square(t->own[i], 1 / t->D[i] + slope * slope * both,
                                          t->w[i], &told[1], &squares[1]);
        }
    }
}

/* The variance of x_g less the mean of all x, whose covariance is in `work` (G, G). */
static double contrast_variance(const dlpi_content_term *t, dlp_index g)
{
    const dlp_index G = t->G;
    double row = 0, all = 0;
    for (dlp_index h = 0; h < G; h++) row += t->work[g * G + h];
    for (dlp_index i = 0; i < G * G; i++) all += t->work[i];
    return t->work[g * (G + 1)] - 2 * row / (double)G + all / (double)(G * G);
}

/* log lambda_kg = (w/D) (eta_k + common_g) + N(0, 1/D), up to what is known */
static void set_covariance(const dlpi_content_term *t, dlp_index k)
{
    const dlp_index G = t->G, s = t->stride;
    const double eta = around(t, k);
    for (dlp_index g = 0; g < G; g++)
        for (dlp_index h = 0; h < G; h++) {
            const double fg = t->w[g * s + k] / t->D[g * s + k],
                         fh = t->w[h * s + k] / t->D[h * s + k];
            t->work[g * G + h] =
                fg * fh * (eta + t->C[g * G + h] - t->step[g] - t->step[h]) +
                (g == h ? 1 / t->D[g * s + k] : 0);
        }
}

void dlpi_content_contrast(dlpi_content_term *t, double *own, double *common)
{
    const dlp_index G = t->G;
    set_precisions(t);
    if (!invert(t)) return;
    memcpy(t->work, t->C, (size_t)(G * G) * sizeof *t->C);
    for (dlp_index g = 0; g < G; g++) common[g] = sqrt(fmax(contrast_variance(t, g), 0));
    for (dlp_index k = 0; k < t->K; k++) {
        set_covariance(t, k);
        for (dlp_index g = 0; g < G; g++)
            own[g * t->stride + k] = sqrt(fmax(contrast_variance(t, g), 0));
    }
}
