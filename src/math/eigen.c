/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reflections make a symmetric matrix tridiagonal, and rotations make that diagonal
 * (Martin, Reinsch & Wilkinson, Numer. Math. 11, 1968; Bowdler, Martin, Reinsch &
 * Wilkinson, ibid.). T holds the matrix by columns, so that the inner loops run over
 * contiguous memory.
 */
#include "math/eigen.h"

#include "math/clones.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void swap_rows(dlp_index n, double *a, double *b)
{
    for (dlp_index i = 0; i < n; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* ---- to tridiagonal ---- */

/* e = A u / h - (u'A u / 2 h^2) u for the leading i rows, with u in d */
static void direction(dlp_index n, dlp_index i, const double *T, const double *d,
                      double h, double *e)
{
    memset(e, 0, (size_t)i * sizeof *e);
    for (dlp_index j = 0; j < i; j++) {
        const double *t = T + j * n;
        const dlp_index below = i - j - 1;
        e[j] += t[j] * d[j] + dlpi_dot(below, t + j + 1, d + j + 1);
        dlpi_axpy(below, d[j], t + j + 1, e + j + 1);
    }
    for (dlp_index j = 0; j < i; j++) e[j] /= h;
    dlpi_axpy(i, -dlpi_dot(i, e, d) / (h + h), d, e);
}

/* T -= u e' + e u' in the leading i columns, on and below the diagonal */
DLPI_CLONES
static void reflect(dlp_index n, dlp_index i, const double *restrict d,
                    const double *restrict e, double *restrict T)
{
    for (dlp_index j = 0; j < i; j++) {
        double *t = T + j * n;
        const double f = d[j], g = e[j];
        DLPI_SIMD()
        for (dlp_index k = j; k < i; k++) t[k] -= f * e[k] + g * d[k];
    }
}

/* Reduces column i to (0, ..., e[i], d[i]); the reflection u stays in T. */
static void eliminate(dlp_index n, dlp_index i, double *T, double *d, double *e)
{
    double scale = 0;
    for (dlp_index k = 0; k < i; k++) scale += fabs(d[k]);
    if (scale == 0) {
        e[i] = d[i - 1];
        for (dlp_index j = 0; j < i; j++) {
            d[j] = T[j * n + i - 1];
            T[j * n + i] = T[i * n + j] = 0;
        }
        d[i] = 0;
        return;
    }
    for (dlp_index k = 0; k < i; k++) d[k] /= scale;
    double h = dlpi_dot(i, d, d);
    const double f = d[i - 1], g = f > 0 ? -sqrt(h) : sqrt(h);
    const double off = scale * g;
    h -= f * g;
    d[i - 1] = f - g;
    direction(n, i, T, d, h, e);
    reflect(n, i, d, e, T);
    for (dlp_index j = 0; j < i; j++) {
        T[i * n + j] = d[j]; /* the reflection */
        d[j] = T[j * n + i - 1];
        T[j * n + i] = 0;
    }
    e[i] = off;
    d[i] = h;
}

/* The product of the reflections; d becomes the diagonal. */
static void accumulate(dlp_index n, double *T, double *d)
{
    for (dlp_index i = 0; i + 1 < n; i++) {
        double *u = T + (i + 1) * n;
        const double h = d[i + 1];
        T[i * n + n - 1] = T[i * n + i];
        T[i * n + i] = 1;
        if (h != 0) {
            for (dlp_index k = 0; k <= i; k++) d[k] = u[k] / h;
            for (dlp_index j = 0; j <= i; j++)
                dlpi_axpy(i + 1, -dlpi_dot(i + 1, u, T + j * n), d, T + j * n);
        }
        memset(u, 0, (size_t)(i + 1) * sizeof *u);
    }
    for (dlp_index j = 0; j < n; j++) {
        d[j] = T[j * n + n - 1];
        T[j * n + n - 1] = 0;
    }
    T[n * n - 1] = 1;
}

/* ---- to diagonal ---- */

/* (x, y) := (c x - s y, s x + c y) */
DLPI_CLONES
static void rotate(dlp_index n, double c, double s, double *restrict x,
                   double *restrict y)
{
    DLPI_SIMD()
    for (dlp_index k = 0; k < n; k++) {
        const double h = y[k];
        y[k] = s * x[k] + c * h;
        x[k] = c * x[k] - s * h;
    }
}

/* One sweep of QL with an implicit shift over rows l..m; returns the shift of d. */
static double sweep(dlp_index n, dlp_index l, dlp_index m, double *T, double *d,
                    double *e)
{
    const double g0 = d[l], half = (d[l + 1] - g0) / (2 * e[l]);
    const double root = half < 0 ? -sqrt(half * half + 1) : sqrt(half * half + 1);
    d[l] = e[l] / (half + root);
    d[l + 1] = e[l] * (half + root);
    const double next = d[l + 1], shift = g0 - d[l], after = e[l + 1];
    for (dlp_index i = l + 2; i < n; i++) d[i] -= shift;
    double p = d[m], c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
    for (dlp_index i = m - 1; i >= l; i--) {
        c3 = c2;
        c2 = c;
        s2 = s;
        const double g = c * e[i], h = c * p, r = sqrt(p * p + e[i] * e[i]);
        e[i + 1] = s * r;
        s = e[i] / r;
        c = p / r;
        p = c * d[i] - s * g;
        d[i + 1] = h + s * (c * g + s * d[i]);
        rotate(n, c, s, T + i * n, T + (i + 1) * n);
    }
    p = -s * s2 * c3 * after * e[l] / next;
    e[l] = s * p;
    d[l] = c * p;
    return shift;
}

static bool diagonalise(dlp_index n, double *T, double *d, double *e)
{
    enum { MOST = 60 };
    double shifts = 0, largest = 0;
    for (dlp_index i = 1; i < n; i++) e[i - 1] = e[i];
    e[n - 1] = 0;
    for (dlp_index l = 0; l < n; l++) {
        dlp_index m = l;
        int sweeps = 0;
        largest = fmax(largest, fabs(d[l]) + fabs(e[l]));
        const double nothing = DBL_EPSILON * largest;
        while (fabs(e[m]) > nothing) m++;
        for (; m > l && (sweeps == 0 || fabs(e[l]) > nothing); sweeps++) {
            if (sweeps == MOST) return false;
            shifts += sweep(n, l, m, T, d, e);
            if (!isfinite(d[l]) || !isfinite(e[l])) return false;
        }
        d[l] += shifts;
        e[l] = 0;
    }
    return true;
}

static void sort_ascending(dlp_index n, double *T, double *w)
{
    for (dlp_index i = 0; i + 1 < n; i++) {
        dlp_index least = i;
        for (dlp_index j = i + 1; j < n; j++)
            if (w[j] < w[least]) least = j;
        if (least == i) continue;
        const double kept = w[i];
        w[i] = w[least];
        w[least] = kept;
        swap_rows(n, T + i * n, T + least * n);
    }
}

/* A power of two, so that scaling is exact, that makes the largest entry about 1. */
static int exponent_of(dlp_index size, const double *A)
{
    double largest = 0;
    int exponent = 0;
    for (dlp_index i = 0; i < size; i++) largest = fmax(largest, fabs(A[i]));
    if (largest > 0) (void)frexp(largest, &exponent);
    return exponent;
}

static void scale(dlp_index size, int exponent, double *A)
{
    if (exponent == 0) return;
    for (dlp_index i = 0; i < size; i++) A[i] = ldexp(A[i], exponent);
}

bool dlpi_eigen(dlp_index n, double *A, double *w, double *work)
{
    const int exponent = exponent_of(n * n, A);
    scale(n * n, -exponent, A);
    dlpi_mirror(n, A); /* only the upper triangle is read */
    for (dlp_index j = 0; j < n; j++) w[j] = A[j * n + n - 1];
    for (dlp_index i = n - 1; i > 0; i--) eliminate(n, i, A, w, work);
    work[0] = 0;
    accumulate(n, A, w);
    if (!diagonalise(n, A, w, work)) return false;
    scale(n, exponent, w);
    sort_ascending(n, A, w);
    return true;
}

/* ---- singular values ---- */

/* The cosine of the angle between rows of sizes a and b, whose product may underflow. */
static double cosine_of(dlp_index n, const double *x, double a, const double *y, double b)
{
    const double product = a * b;
    double sum = 0;
    if (product > 1e-200 && product < 1e280) return dlpi_dot(n, x, y) / product;
    for (dlp_index i = 0; i < n; i++) sum += (x[i] / a) * (y[i] / b);
    return sum;
}

/* Makes two rows orthogonal. false if they already are, to rounding; or, with `small`, if
   the smaller row's component along the larger is below its own precision. */
static bool rotate_pair(dlp_index n, double *x, double *y, bool small)
{
    const double a = dlpi_norm(n, x), b = dlpi_norm(n, y);
    if (!(a > 0 && b > 0)) return false;
    const double c = cosine_of(n, x, a, y, b);
    const double ratio = small ? fmin(a / b, b / a) : 1;
    if (!(fabs(c) > 4 * DBL_EPSILON * ratio)) return false;
    const double zeta = (b / a - a / b) / (2 * c), size = fabs(zeta);
    const double root = size < 1e100 ? sqrt(1 + size * size) : size;
    const double t = (zeta < 0 ? -1 : 1) / (size + root), cosine = 1 / sqrt(1 + t * t);
    rotate(n, cosine, cosine * t, x, y);
    return true;
}

static bool orthogonalise(dlp_index n, dlp_index r, double *F)
{
    enum { MOST = 60, MORE = 2 };
    int sweeps = 0, more = 0;
    for (bool rotated = true; rotated || more < MORE; sweeps++) {
        if (sweeps == MOST) return false;
        more += !rotated; /* further sweeps for the small rows' own digits, where
                             rotations never cease */
        rotated = false;
        for (dlp_index p = 0; p < r; p++)
            for (dlp_index q = p + 1; q < r; q++)
                rotated |= rotate_pair(n, F + p * n, F + q * n, more > 0) && more == 0;
    }
    return true;
}

static void sort_descending(dlp_index n, dlp_index r, double *F, double *sigma)
{
    for (dlp_index i = 0; i + 1 < r; i++) {
        dlp_index most = i;
        for (dlp_index j = i + 1; j < r; j++)
            if (sigma[j] > sigma[most]) most = j;
        if (most == i) continue;
        const double kept = sigma[i];
        sigma[i] = sigma[most];
        sigma[most] = kept;
        swap_rows(n, F + i * n, F + most * n);
    }
}

/* x minus its projections on the first `rows` rows of V, twice, since the first pass
   leaves rounding. */
static double project_out(dlp_index n, dlp_index rows, const double *V, double *x)
{
    for (int pass = 0; pass < 2; pass++)
        for (dlp_index k = 0; k < rows; k++)
            dlpi_axpy(n, -dlpi_dot(n, V + k * n, x), V + k * n, x);
    return dlpi_norm(n, x);
}

/* Row k of V: the next unit vector that the rows before it do not span. */
static void complete(dlp_index n, dlp_index k, dlp_index *next, double *V)
{
    double *x = V + k * n, size = 0;
    for (; *next < n && size < 0.5 / sqrt((double)n); ++*next) {
        memset(x, 0, (size_t)n * sizeof *x);
        x[*next] = 1;
        size = project_out(n, k, V, x);
    }
    for (dlp_index i = 0; i < n; i++) x[i] /= size;
}

bool dlpi_jacobi(dlp_index n, dlp_index r, double *F, double *sigma, double *V)
{
    const int exponent = exponent_of(r * n, F) - 400; /* room for small ones' squares */
    scale(r * n, -exponent, F);
    if (!orthogonalise(n, r, F)) return false;
    for (dlp_index k = 0; k < r; k++) sigma[k] = dlpi_norm(n, F + k * n);
    sort_descending(n, r, F, sigma);
    for (dlp_index k = 0; k < r; k++)
        for (dlp_index i = 0; i < n; i++) V[k * n + i] = F[k * n + i] / sigma[k];
    dlp_index next = 0;
    for (dlp_index k = r; k < n; k++) complete(n, k, &next, V);
    scale(r, exponent, sigma);
    return true;
}
