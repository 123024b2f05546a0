/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_kernels.h"

#include "math/add_rows.h"

enum { DENSE = 8 }; /* up to this many columns, zeros are multiplied, too */

DLPI_INLINE void add(dlp_index n, double by, const double *restrict x, double *restrict y)
{
    DLPI_SIMD()
    for (dlp_index i = 0; i < n; i++) y[i] += by * x[i];
}

/* In lanes, so that the order of summation is the same on every machine. */
DLPI_INLINE double average(dlp_index n, const double *w, const double *x)
{
    double s[4] = {0}, rest = 0;
    dlp_index i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) s[k] += w[i + k] * x[i + k];
    for (; i < n; i++) rest += w[i] * x[i];
    return rest + ((s[0] + s[1]) + (s[2] + s[3]));
}

DLPI_CLONES
static void spread(dlp_index n, dlp_index q, dlp_index count, const double *y0,
                   const double *eta0, const double *Z, const double *node, double *y,
                   double *eta)
{
    for (dlp_index r = 0; r < n; r++, y += count, eta += count) {
        const double *z = Z + r * q, y_r = y0[r], eta_r = eta0[r], z_0 = z[0];
        DLPI_SIMD()
        for (dlp_index k = 0; k < count; k++) {
            y[k] = y_r;
            eta[k] = eta_r + z_0 * node[k];
        }
        for (dlp_index j = 1; j < q; j++) add(count, z[j], node + j * count, eta);
    }
}

void dlpi_leaf_spread(dlp_index n, dlp_index q, dlp_index count, const double *y0,
                      const double *eta0, const double *Z, const double *node, double *y,
                      double *eta)
{
    spread(n, q, count, y0, eta0, Z, node, y, eta);
}

DLPI_CLONES
static void add_up(dlp_index n, dlp_index count, const double *l, double *total)
{
    for (dlp_index r = 0; r < n; r++, l += count) {
        DLPI_SIMD()
        for (dlp_index k = 0; k < count; k++) total[k] += l[k];
    }
}

void dlpi_leaf_add_up(dlp_index n, dlp_index count, const double *l, double *total)
{
    add_up(n, count, l, total);
}

DLPI_CLONES
static void average_rows(dlp_index n, dlp_index count, const double *omega,
                         const double *l_e, const double *l_ee, double *E_e, double *E_ee)
{
    for (dlp_index r = 0; r < n; r++, l_e += count, l_ee += count) {
        E_e[r] += average(count, omega, l_e);
        E_ee[r] += average(count, omega, l_ee);
    }
}

void dlpi_leaf_average(dlp_index n, dlp_index count, const double *omega,
                       const double *l_e, const double *l_ee, double *E_e, double *E_ee)
{
    average_rows(n, count, omega, l_e, l_ee, E_e, E_ee);
}

DLPI_CLONES
static void multiply(dlp_index n, dlp_index p, dlp_index count, const double *X,
                     const double *l, dlp_index stride, double *to)
{
    for (dlp_index j = 0; p <= DENSE && j < p; j++)
        add_rows(count, to + j * stride, n, X + j, p, l, count, 1);
    for (dlp_index r = 0; p > DENSE && r < n; r++) /* indicators are mostly 0 */
        for (dlp_index j = 0; j < p; j++)
            if (X[r * p + j] != 0)
                add(count, X[r * p + j], l + r * count, to + j * stride);
}

void dlpi_leaf_multiply(dlp_index n, dlp_index p, dlp_index count, const double *X,
                        const double *l, dlp_index stride, double *to)
{
    multiply(n, p, count, X, l, stride, to);
}

DLPI_CLONES
static void scatter(dlp_index n, dlp_index count, const dlpi_leaf_others *others,
                    const double *l, dlp_index stride, double *to)
{
    const int32_t *slot = others->slot;
    const double *O = others->O;
    for (dlp_index r = 0; r < n; r++, l += count)
        for (dlp_index o = 0; o < others->n_other; o++, slot++)
            for (dlp_index j = 0; j < others->q[o]; j++, O++)
                add(count, *O, l, to + (*slot + j) * stride);
}

void dlpi_leaf_scatter(dlp_index n, dlp_index count, const dlpi_leaf_others *others,
                       const double *l, dlp_index stride, double *to)
{
    scatter(n, count, others, l, stride, to);
}

DLPI_CLONES
static void subtract_squares(dlp_index m, dlp_index count, const double *w,
                             const double *D, double *room, double *A)
{
    for (dlp_index k = 0; k < count; k++) {
        DLPI_SIMD()
        for (dlp_index j = 0; j < m; j++) room[k * m + j] = w[k] * D[k * m + j];
    }
    dlp_index i = 0;
    for (; i + DLPI_PANEL <= m; i += DLPI_PANEL)
        add_rows_to_four(m - i, A + i * (m + 1), m, count, room + i, m, D + i, m, -1);
    for (; i < m; i++) add_rows(m - i, A + i * (m + 1), count, room + i, m, D + i, m, -1);
}

void dlpi_leaf_subtract_squares(dlp_index m, dlp_index count, const double *w,
                                const double *D, double *room, double *A)
{
    subtract_squares(m, count, w, D, room, A);
}
