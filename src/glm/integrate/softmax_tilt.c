/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/softmax_tilt.h"

#include "math/dense.h"
#include "math/eigen.h"
#include "math/special/gauss_hermite.h"

#include <math.h>
#include <string.h>

enum { MOST = DLPI_TILT_PREDICTORS, LEVELS = MOST + 1, MOST_STEPS = 100 };
static const double LOG_2_PI = 1.8378770664093454836;

/* The density to integrate. */
typedef struct tilted {
    dlp_index D, y;
    double weight;
    const double *m, *Q;
} tilted;

static const int points_along[MOST + 1] = {1, 32, 20, 12, 8};

double dlpi_softmax_tilt_points(dlp_index D)
{
    return pow(points_along[D], (double)D);
}

void dlpi_softmax_tilt_make(dlpi_softmax_tilt *tilt, dlp_index D)
{
    tilt->D = D;
    tilt->points = points_along[D];
    dlpi_gauss_hermite(tilt->points, tilt->t, tilt->log_w);
}

/* Its logarithm at eta, without the Gaussian's constant; pi (D) where it is not NULL. */
static double height(const tilted *of, const double *eta, double *pi)
{
    double e[LEVELS], top = 0, square = 0, all;
    for (dlp_index k = 0; k < of->D; k++) top = fmax(top, eta[k]);
    all = exp(-top);
    for (dlp_index k = 0; k < of->D; k++) {
        const double *row = of->Q + k * of->D;
        double Q_off = 0;
        for (dlp_index l = 0; l < of->D; l++) Q_off += row[l] * (eta[l] - of->m[l]);
        square += (eta[k] - of->m[k]) * Q_off;
        all += e[k] = exp(eta[k] - top);
    }
    for (dlp_index k = 0; pi && k < of->D; k++) pi[k] = e[k] / all;
    const double own = of->y > 0 ? eta[of->y - 1] : 0;
    return of->weight * (own - top - log(all)) - 0.5 * square;
}

/* The gradient, and the factor of minus the Hessian into U. */
static bool expand(const tilted *of, const double *eta, const double *pi, double *grad,
                   double *U)
{
    const dlp_index D = of->D;
    for (dlp_index k = 0; k < D; k++) {
        grad[k] = of->weight * ((of->y == k + 1) - pi[k]);
        for (dlp_index l = 0; l < D; l++) {
            grad[k] -= of->Q[k * D + l] * (eta[l] - of->m[l]);
            U[k * D + l] = of->Q[k * D + l] + of->weight * pi[k] * ((k == l) - pi[l]);
        }
    }
    return dlpi_cholesky(D, U) < 0;
}

/* Newton's method: l is concave. U is the factor at the mode. */
static bool find_mode(const tilted *of, double *at, double *U, double *top)
{
    const dlp_index D = of->D;
    double pi[MOST], grad[MOST], step[MOST], to[MOST];
    *top = height(of, at, pi);
    if (!isfinite(*top)) return false;
    for (int i = 0; i < MOST_STEPS; i++) {
        if (!expand(of, at, pi, grad, U)) return false;
        memcpy(step, grad, sizeof step);
        dlpi_cholesky_solve(D, U, step);
        const double gain = dlpi_dot(D, grad, step);
        if (gain < 1e-20) return true;
        double by = 1, there;
        do {
            for (dlp_index k = 0; k < D; k++) to[k] = at[k] + by * step[k];
            there = height(of, to, pi);
            by *= 0.5;
        } while (!(there >= *top + 0.1 * by * gain) && by > 1e-9);
        if (!(there > *top)) return gain < 1e-8; /* no digits are left */
        memcpy(at, to, (size_t)D * sizeof *at);
        *top = there;
    }
    return false;
}

/* axis (D, D): rows a_i with sum a_i a_i' = (U'U)^-1, along the principal axes of the
   utilities eta_k - mean, k = 0, ..., D. */
static bool find_axes(dlp_index D, const double *U, double *axis)
{
    const dlp_index K = D + 1;
    double S[MOST * MOST], work[LEVELS * LEVELS], mean[LEVELS] = {0}, all = 0;
    double V[LEVELS * LEVELS] = {0}, value[LEVELS];
    dlpi_cholesky_inverse(D, U, work, S);
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index l = 0; l < D; l++) {
            V[(k + 1) * K + l + 1] = S[k * D + l];
            mean[k + 1] += S[k * D + l] / (double)K;
            all += S[k * D + l] / (double)(K * K);
        }
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index l = 0; l < K; l++) V[k * K + l] += all - mean[k] - mean[l];
    if (!dlpi_eigen(K, V, value, work)) return false;
    for (dlp_index i = 0; i < D; i++)
        for (dlp_index k = 0; k < D; k++)
            axis[i * D + k] =
                sqrt(fmax(value[i + 1], 0)) * (V[(i + 1) * K + k + 1] - V[(i + 1) * K]);
    return true;
}

/* Adds point number `index`; `top` is the log density at the mode. */
static void add_point(const dlpi_softmax_tilt *tilt, const tilted *of, const double *mode,
                      const double *axis, double top, int index,
                      dlpi_softmax_moments *sum)
{
    const dlp_index D = tilt->D;
    double eta[MOST] = {0}, off[MOST] = {0}, log_w = 0;
    for (dlp_index i = 0; i < D; i++, index /= tilt->points) {
        const double t = tilt->t[index % tilt->points];
        log_w += tilt->log_w[index % tilt->points] + t * t;
        for (dlp_index k = 0; k < D; k++) off[k] += sqrt(2) * t * axis[i * D + k];
    }
    for (dlp_index k = 0; k < D; k++) eta[k] = mode[k] + off[k];
    const double w = exp(height(of, eta, NULL) - top + log_w);
    sum->log_z += w;
    for (dlp_index k = 0; k < D; k++) {
        sum->mean[k] += w * off[k];
        for (dlp_index l = 0; l < D; l++) sum->C[k * D + l] += w * off[k] * off[l];
    }
}

/* From sums to moments. Z = sqrt(det Q) / (2 pi)^(D/2) times 2^(D/2) / det U times the sum. */
static bool divide(const tilted *of, const double *mode, const double *U, double top,
                   dlpi_softmax_moments *sum)
{
    const dlp_index D = of->D;
    const double all = sum->log_z;
    double R[MOST * MOST];
    memcpy(R, of->Q, (size_t)(D * D) * sizeof *R);
    if (!(all > 0) || dlpi_cholesky(D, R) >= 0) return false;
    for (dlp_index k = 0; k < D; k++) sum->mean[k] /= all;
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index l = 0; l < D; l++)
            sum->C[k * D + l] = sum->C[k * D + l] / all - sum->mean[k] * sum->mean[l];
    for (dlp_index k = 0; k < D; k++) sum->mean[k] += mode[k];
    sum->log_z = log(all) + top +
                 0.5 * (dlpi_cholesky_log_det(D, R) - dlpi_cholesky_log_det(D, U) -
                        (double)D * (LOG_2_PI - log(2)));
    return isfinite(sum->log_z);
}

bool dlpi_softmax_tilt_moments(const dlpi_softmax_tilt *tilt, dlp_index y, double weight,
                               const double *m, const double *Q, double *mode,
                               dlpi_softmax_moments *out)
{
    const tilted of = {tilt->D, y, weight, m, Q};
    double U[MOST * MOST], axis[MOST * MOST], top;
    int points = 1;
    memset(out, 0, sizeof *out);
    if (!find_mode(&of, mode, U, &top) || !find_axes(tilt->D, U, axis)) return false;
    for (dlp_index i = 0; i < tilt->D; i++) points *= tilt->points;
    for (int i = 0; i < points; i++) add_point(tilt, &of, mode, axis, top, i, out);
    return divide(&of, mode, U, top, out);
}
