/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a basis at given numbers. */
#include "table/design/basis.h"

#include <math.h>
#include <string.h>

/* ---- polynomials ---- */

/* p_k / sqrt(norm_k), by the recurrence of basis_poly.c. */
static void poly_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    const double *alpha = b->knot, *norm = b->weight;
    for (dlp_index i = 0; i < n; i++) {
        double before = 0, now = 1;
        for (dlp_index k = 0; k < b->degree; k++) {
            const double next =
                (x[i] - alpha[k]) * now - (k > 0 ? norm[k] / norm[k - 1] * before : 0);
            before = now;
            now = next;
            out[k * n + i] = now / sqrt(norm[k + 1]);
        }
    }
}

static void raw_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k < b->degree; k++)
            out[k * n + i] = k == 0 ? x[i] : out[(k - 1) * n + i] * x[i];
}

/* ---- splines ---- */

/* The splines that are not 0 at x, into B; returns the first. Beyond the ends natural
   splines continue as straight lines, others as polynomials. */
static dlp_index splines_at(const dlp_basis *b, bool natural, double x, double *B)
{
    const int order = (int)b->degree + 1;
    const double low = b->knot[0], high = b->knot[b->n_knots - 1];
    const dlp_index i = dlpi_bspline_interval(b->knot, b->n_knots, order, x);
    const double end = x < low ? low : high;
    if (!natural || (x >= low && x <= high)) {
        dlpi_bspline(b->knot, i, order, 0, x, B);
        return i - order + 1;
    }
    double slope[DLPI_MOST_DEGREE + 1];
    dlpi_bspline(b->knot, i, order, 0, end, B);
    dlpi_bspline(b->knot, i, order, 1, end, slope);
    for (int a = 0; a < order; a++) B[a] += (x - end) * slope[a];
    return i - order + 1;
}

static void bs_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    const int order = (int)b->degree + 1;
    const dlp_index skipped = b->n_knots - order - b->columns;
    double B[DLPI_MOST_DEGREE + 1];
    memset(out, 0, (size_t)(b->columns * n) * sizeof *out);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index first = splines_at(b, false, x[i], B);
        for (int a = 0; a < order; a++)
            if (first + a >= skipped) out[(first + a - skipped) * n + i] = B[a];
    }
}

static void ns_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    double B[4];
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index first = splines_at(b, true, x[i], B);
        for (dlp_index k = 0; k < b->columns; k++) {
            double sum = 0;
            for (int a = 0; a < 4; a++)
                sum += B[a] * b->weight[(first + a) * b->columns + k];
            out[k * n + i] = sum;
        }
    }
}

/* ---- smooths ---- */

/* Which knots a number lies between, with the outermost for those beyond. */
static dlp_index interval_of(const double *knot, dlp_index n, double x)
{
    dlp_index low = 0, high = n - 1;
    while (high - low > 1) {
        const dlp_index middle = (low + high) / 2;
        *(x < knot[middle] ? &high : &low) = middle;
    }
    return low;
}

/* Into the one period that the knots span. */
static double wrap(const dlp_basis *b, double x)
{
    const double low = b->knot[0], high = b->knot[b->n_knots - 1];
    if (x >= low && x <= high) return x;
    const double past = fmod(x - low, high - low);
    return past < 0 ? past + high : past + low;
}

/* gamma (n_knots, columns): second derivatives at the knots. */
static void find_curvatures(const dlp_basis *b, bool cyclic, double *gamma, double *room)
{
    const dlp_index n = cyclic ? b->n_knots - 1 : b->n_knots, m = b->columns;
    double *F = room;
    memset(gamma, 0, (size_t)(b->n_knots * m) * sizeof *gamma);
    if (!dlpi_spline_curvature(n, b->knot, cyclic, F, room + n * n)) return;
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index a = 0; a < n; a++)
            for (dlp_index j = 0; j < m; j++)
                gamma[i * m + j] += F[i * n + a] * b->weight[a * m + j];
    for (dlp_index j = 0; j < m && cyclic; j++) gamma[n * m + j] = gamma[j];
}

/* Cubic between knots; beyond those at the ends, straight. */
static void cubic_values(const dlp_basis *b, bool cyclic, dlp_index n, const double *x,
                         double *out, double *room)
{
    const dlp_index m = b->columns;
    double *gamma = room;
    find_curvatures(b, cyclic, gamma, room + b->n_knots * m);
    for (dlp_index r = 0; r < n; r++) {
        const double at = cyclic ? wrap(b, x[r]) : x[r];
        const dlp_index i = interval_of(b->knot, b->n_knots, at);
        const double h = b->knot[i + 1] - b->knot[i], u = (at - b->knot[i]) / h,
                     w = 1 - u;
        const double in = fmin(fmax(u, 0), 1), beyond = (u - in) * h * h / 6;
        const double cu = (in * in * in - in) * h * h / 6 + beyond * (3 * in * in - 1),
                     v = 1 - in,
                     cw = (v * v * v - v) * h * h / 6 - beyond * (3 * v * v - 1);
        const double *f = b->weight + i * m, *g = gamma + i * m;
        for (dlp_index j = 0; j < m; j++)
            out[j * n + r] = w * f[j] + u * f[m + j] + cw * g[j] + cu * g[m + j];
    }
}

static void plate_values(const dlp_basis *b, dlp_index n, const double *const *x,
                         double *out)
{
    const dlp_index m = b->columns, K = b->n_knots;
    memset(out, 0, (size_t)(m * n) * sizeof *out);
    for (dlp_index r = 0; r < n; r++) {
        for (dlp_index i = 0; i < K; i++) {
            const double u = x[0][r] - b->knot[2 * i], v = x[1][r] - b->knot[2 * i + 1];
            const double e = dlpi_thin_plate(2, u * u + v * v);
            for (dlp_index j = 0; j < m; j++) out[j * n + r] += e * b->weight[i * m + j];
        }
        const double *line = b->weight + K * m;
        const double u = x[0][r] - b->knot[0], v = x[1][r] - b->knot[1];
        for (dlp_index j = 0; j < m; j++)
            out[j * n + r] += line[j] + u * line[m + j] + v * line[2 * m + j];
    }
}

/* Random walks: between values the mean is on the line between them; beyond, it stays or,
   of the second order, continues the line. */
static void walk_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    const dlp_index m = b->columns;
    for (dlp_index r = 0; r < n; r++) {
        const dlp_index i = interval_of(b->knot, b->n_knots, x[r]);
        double u = (x[r] - b->knot[i]) / (b->knot[i + 1] - b->knot[i]);
        if (b->kind == DLP_BASIS_RW1) u = fmin(fmax(u, 0), 1);
        const double *f = b->weight + i * m;
        for (dlp_index j = 0; j < m; j++) out[j * n + r] = (1 - u) * f[j] + u * f[m + j];
    }
}

/* For regions, which are numbers from 0. */
static void region_values(const dlp_basis *b, dlp_index n, const double *x, double *out)
{
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index j = 0; j < b->columns; j++)
            out[j * n + r] = b->weight[(dlp_index)x[r] * b->columns + j];
}

/* ---- all ---- */

dlp_index dlpi_basis_room(const dlp_basis *b)
{
    if (dlp_basis_is_process(b)) return 0;
    return b->n_knots * b->columns + 2 * b->n_knots * b->n_knots + b->n_knots;
}

void dlpi_basis_values(const dlp_basis *b, dlp_index n, const double *const *x,
                       double *out, double *room)
{
    switch (b->kind) {
    case DLP_BASIS_CR:
    case DLP_BASIS_CC:
        cubic_values(b, b->kind == DLP_BASIS_CC, n, x[0], out, room);
        break;
    case DLP_BASIS_TP: plate_values(b, n, x, out); break;
    case DLP_BASIS_RW1:
    case DLP_BASIS_RW2:
        if (b->columns > 0) walk_values(b, n, x[0], out);
        break;
    case DLP_BASIS_BESAG:
        if (b->columns > 0) region_values(b, n, x[0], out);
        break;
    case DLP_BASIS_POLY: poly_values(b, n, x[0], out); break;
    case DLP_BASIS_RAW: raw_values(b, n, x[0], out); break;
    case DLP_BASIS_BS: bs_values(b, n, x[0], out); break;
    case DLP_BASIS_NS: ns_values(b, n, x[0], out); break;
    case DLP_BASIS_AR1:
    case DLP_BASIS_BYM2:
    case DLP_BASIS_NONE: break;
    }
}

/* ---- checks ---- */

static bool all_finite(dlp_index n, const double *x)
{
    for (dlp_index i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool ascends(const dlp_basis *b)
{
    for (dlp_index i = 1; i < b->n_knots; i++)
        if (b->knot[i] < b->knot[i - 1]) return false;
    return b->n_knots > 0 && b->knot[0] < b->knot[b->n_knots - 1];
}

static bool is_poly_sound(const dlp_basis *b)
{
    bool sound = b->columns == b->degree && b->fixed == b->columns && b->d == 1;
    if (b->kind == DLP_BASIS_RAW) return sound && b->n_knots == 0 && b->n_weights == 0;
    sound = sound && b->n_knots == b->degree && b->n_weights == b->degree + 1;
    for (dlp_index k = 0; sound && k < b->n_weights; k++) sound = b->weight[k] > 0;
    return sound;
}

static bool are_splines_sound(const dlp_basis *b)
{
    const dlp_index splines = b->n_knots - b->degree - 1;
    if (b->d != 1 || b->fixed != b->columns || b->n_knots < 2 * (b->degree + 1) ||
        !ascends(b) || b->knot[b->degree] != b->knot[0] ||
        b->knot[splines] != b->knot[b->n_knots - 1])
        return false;
    if (b->kind == DLP_BASIS_NS)
        return b->degree == 3 && b->n_weights == splines * b->columns;
    return (b->columns == splines || b->columns == splines - 1) && b->n_weights == 0;
}

const char *dlp_basis_name(int i)
{
    static const char *const names[] = {"none",  "poly", "raw", "bs",  "ns",
                                        "tp",    "cr",   "cc",  "rw1", "rw2",
                                        "besag", "ar1",  "bym2"};
    return i >= 0 && i <= DLP_BASIS_BYM2 ? names[i] : NULL;
}

dlp_basis_kind dlpi_basis_kind_of(const char *name)
{
    for (int i = DLP_BASIS_POLY; i <= DLP_BASIS_BYM2; i++)
        if (!strcmp(dlp_basis_name(i), name)) return (dlp_basis_kind)i;
    return DLP_BASIS_NONE;
}

dlp_index dlp_basis_series(const dlp_basis *b)
{
    dlp_index series = 1; /* nodes are listed series by series */
    for (dlp_index i = 1; i < b->n_knots; i++)
        series += dlp_basis_series_of(b, i) != dlp_basis_series_of(b, i - 1);
    return series;
}

int dlp_basis_is_process(const dlp_basis *b)
{
    return dlp_basis_has_second(b) ||
           ((dlp_basis_is_walk(b) || b->kind == DLP_BASIS_BESAG) &&
            b->columns == b->fixed);
}

static bool is_smooth_sound(const dlp_basis *b)
{
    if (b->n_knots < 2 || b->n_knots > (dlp_index)8 * DLPI_MOST_SMOOTH ||
        b->fixed >= b->columns)
        return false;
    if (b->kind == DLP_BASIS_TP)
        return b->d == 2 && b->fixed == 2 &&
               b->n_weights == (b->n_knots + 3) * b->columns;
    for (dlp_index i = 1; i < b->n_knots; i++)
        if (!(b->knot[i] > b->knot[i - 1])) return false;
    for (dlp_index i = 0; i < b->n_knots && b->kind == DLP_BASIS_BESAG; i++)
        if (b->knot[i] != (double)i) return false;
    return b->d == 1 &&
           b->fixed == (b->kind == DLP_BASIS_CR || b->kind == DLP_BASIS_RW2 ? 1 : 0) &&
           b->n_weights == b->n_knots * b->columns;
}

bool dlpi_basis_is_sound(const dlp_basis *b)
{
    if (b->kind == DLP_BASIS_NONE || b->columns < 0 || b->fixed < 0 ||
        b->columns > DLPI_MOST_BASIS || b->degree < 0 || b->degree > DLPI_MOST_DEGREE ||
        b->d < 1 || b->d > 2 || b->n_knots < 0 || b->n_weights < 0 ||
        (b->n_knots > 0 && !b->knot) || (b->n_weights > 0 && !b->weight))
        return false;
    if (!all_finite(b->n_knots * b->d, b->knot) || !all_finite(b->n_weights, b->weight))
        return false;
    if (dlp_basis_is_process(b)) return dlpi_process_is_sound(b);
    if (b->columns < 1) return false;
    switch (b->kind) {
    case DLP_BASIS_POLY:
    case DLP_BASIS_RAW: return is_poly_sound(b);
    case DLP_BASIS_BS:
    case DLP_BASIS_NS: return are_splines_sound(b);
    case DLP_BASIS_TP:
    case DLP_BASIS_CR:
    case DLP_BASIS_CC:
    case DLP_BASIS_RW1:
    case DLP_BASIS_RW2:
    case DLP_BASIS_BESAG: return is_smooth_sound(b);
    case DLP_BASIS_AR1:
    case DLP_BASIS_BYM2:
    case DLP_BASIS_NONE: break;
    }
    return false;
}
