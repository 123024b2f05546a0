/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of s(): functions of x, or of x and z, such that with coefficients N(0,
 * sd^2) their sum has the density exp{-J / 2 sd^2}, J the integral of its squared second
 * derivatives; for the fixed columns J is 0. They are those of mgcv: thin plate
 * regression splines (Wood, JRSS B 65, 2003), cubic regression splines and cyclic ones,
 * rotated so that J is a sum of squares, freed of the fixed ones over the data, and
 * scaled so that their sum has a variance of 1 on average over the data where the sd is
 * 1.
 */
#include "table/design/basis.h"

#include "math/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

typedef struct point {
    double x[2];
} point;

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
    return 0;
}

/* The distinct points, ascending; returns how many. */
static dlp_index find_points(dlp_index n, dlp_index d, const double *const *x, point *out)
{
    dlp_index found = 0;
    for (dlp_index i = 0; i < n; i++) out[i] = (point){{x[0][i], d > 1 ? x[1][i] : 0}};
    qsort(out, (size_t)n, sizeof *out, compare_points);
    for (dlp_index i = 0; i < n; i++)
        if (i == 0 || compare_points(&out[i], &out[found - 1]) != 0)
            out[found++] = out[i];
    return found;
}

/* Keeps m of n points, evenly, both ends among them; they become the first m. */
static void thin_points(dlp_index n, dlp_index m, point *p)
{
    for (dlp_index i = 0; i < m && m < n; i++)
        p[i] = p[(dlp_index)((double)i * (double)(n - 1) / (double)(m - 1) + 0.5)];
}

/* ---- over the data ---- */

/* The fixed columns: each variable less its mean (2). */
static void set_fixed(const dlp_basis *out, const double *mean, double *weight)
{
    const dlp_index n = out->n_knots, columns = out->columns;
    if (out->kind == DLP_BASIS_TP) {
        for (dlp_index l = 0; l < out->d && l < 2; l++) {
            weight[n * columns + l] = out->knot[l] - mean[l];
            weight[(n + 1 + l) * columns + l] = 1;
        }
        return;
    }
    for (dlp_index i = 0; i < n && out->fixed > 0; i++)
        weight[i * columns] = out->knot[i] - mean[0];
}

/* Subtracts c times column l, and a constant, from column j. */
static void subtract(const dlp_basis *out, dlp_index j, dlp_index l, double c,
                     double constant, double *weight)
{
    const bool plate = out->kind == DLP_BASIS_TP;
    const dlp_index rows = plate ? out->n_knots + 1 + out->d : out->n_knots;
    for (dlp_index i = 0; i < rows; i++) {
        double *row = weight + i * out->columns;
        if (l >= 0) row[j] -= c * row[l];
        if (!plate || i == out->n_knots) row[j] -= constant;
    }
}

static void scale_column(const dlp_basis *out, dlp_index j, double by, double *weight)
{
    const dlp_index rows = out->n_weights / out->columns;
    for (dlp_index i = 0; i < rows; i++) weight[i * out->columns + j] *= by;
}

/* Makes the columns from `fixed` on orthogonal to the others and to the intercept, by
   least squares; then scales them. value (columns, n) is changed alike. */
static void free_and_scale(const dlp_basis *out, dlp_index n, double *value,
                           double *weight)
{
    double total = 0;
    for (dlp_index j = 0; j < out->columns; j++) {
        double *x = value + j * n;
        double mean = 0;
        for (dlp_index i = 0; i < n; i++) mean += x[i] / (double)n;
        for (dlp_index i = 0; i < n; i++) x[i] -= mean;
        subtract(out, j, -1, 0, mean, weight);
        const int passes = out->fixed > 1 ? 12 : 2; /* x and z may be correlated */
        for (int pass = 0; j >= out->fixed && pass < passes; pass++)
            for (dlp_index l = 0; l < out->fixed; l++) {
                const double *f = value + l * n;
                const double c = dlpi_dot(n, f, x) / dlpi_dot(n, f, f);
                for (dlp_index i = 0; i < n; i++) x[i] -= c * f[i];
                subtract(out, j, l, c, 0, weight);
            }
        if (j >= out->fixed) total += dlpi_dot(n, x, x) / (double)n;
    }
    for (dlp_index j = out->fixed; j < out->columns; j++)
        scale_column(out, j, 1 / sqrt(total), weight);
}

/* ---- the whole ---- */

static dlp_status fail_few(const struct dlpi_basis_spec *spec, dlp_index found,
                           dlp_index least, dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINPUT, "there are %td distinct values, and %s needs %td; %s", found,
        spec->k > 0 ? "a smooth with this k" : "a smooth", least,
        spec->k > 0 ? "take a smaller k" : "write factor(x), or leave the s() out");
}

/* The same knots as in mgcv: at even steps through the distinct values. */
static void place_knots(const struct dlpi_basis_spec *spec, dlp_index found,
                        const point *p, dlp_index k, double *knot)
{
    const bool ends = spec->knot && spec->n_knots == 2;
    for (dlp_index i = 0; i < k; i++) {
        const double at = (double)i * (double)(found - 1) / (double)(k - 1);
        const dlp_index low = (dlp_index)fmin(floor(at), (double)(found - 2));
        knot[i] = p[low].x[0] + (at - (double)low) * (p[low + 1].x[0] - p[low].x[0]);
        if (ends)
            knot[i] = spec->knot[0] +
                      (double)i / (double)(k - 1) * (spec->knot[1] - spec->knot[0]);
    }
    if (spec->knot && !ends) memcpy(knot, spec->knot, (size_t)k * sizeof *knot);
}

/* Chooses the sizes, and the number, places and kind of the knots. */
static dlp_status choose_shape(const struct dlpi_basis_spec *spec, dlp_index found,
                               point *p, struct dlpi_pool *pool, dlp_index *k,
                               dlp_basis *out, dlp_error *error)
{
    const bool plate = spec->kind == DLP_BASIS_TP;
    const dlp_index least = spec->d + 2, usual = spec->d > 1 ? 30 : 10;
    const bool stated = spec->knot && spec->n_knots != 2;
    *k = stated ? spec->n_knots : spec->k > 0 ? spec->k : usual < found ? usual : found;
    if (found < least || (!stated && *k > found) || *k < least + (spec->d == 1))
        return fail_few(spec, found, *k > least ? *k : least + 1, error);
    out->d = spec->d;
    out->kind = plate && spec->d == 2        ? DLP_BASIS_TP
                : spec->kind == DLP_BASIS_CC ? DLP_BASIS_CC
                                             : DLP_BASIS_CR;
    out->fixed = spec->kind == DLP_BASIS_CC ? 0 : spec->d;
    out->columns = out->fixed > 0 ? *k - 1 : *k - 2;
    const dlp_index enough = spec->d == 1 ? 100 : 500, most = 8 * *k;
    out->n_knots = !plate ? *k : enough > most ? enough : most;
    if (plate && out->n_knots > found) out->n_knots = found;
    double *knot = dlpi_pool_take(pool, out->n_knots * out->d, sizeof *knot);
    if (!knot) return dlpi_no_memory(error, "a smooth");
    out->knot = knot;
    if (plate) thin_points(found, out->n_knots, p);
    for (dlp_index i = 0; plate && i < out->n_knots; i++)
        memcpy(knot + i * out->d, p[i].x, (size_t)out->d * sizeof *knot);
    if (!plate) place_knots(spec, found, p, *k, knot);
    out->n_weights = (out->n_knots + (out->d == 2 ? 1 + out->d : 0)) * out->columns;
    return DLP_OK;
}

static dlp_status tell(dlp_status made, const char *what, dlp_error *error)
{
    if (made == DLP_OK) return DLP_OK;
    if (made == DLP_ENOMEM) return dlpi_no_memory(error, "a smooth");
    return dlp_fail(error, made,
                    "the values are too close together or too far apart for a %s", what);
}

/* rw1 and rw2: a knot at each distinct value. */
static dlp_status make_random_walk(const struct dlpi_basis_spec *spec, dlp_index found,
                                   const point *p, const double *mean,
                                   struct dlpi_pool *pool, dlp_basis *out,
                                   dlp_error *error)
{
    const int order = spec->kind == DLP_BASIS_RW1 ? 1 : 2;
    if (found < order + 2)
        return dlp_fail(error, DLP_EINPUT,
                        "there are %td distinct values, and a random walk needs %d or "
                        "more; leave it out",
                        found, order + 2);
    if (found > DLPI_MOST_STEPS) {
        double *t = dlpi_pool_take(pool, found, sizeof *t);
        if (!t) return dlpi_no_memory(error, "a random walk");
        for (dlp_index i = 0; i < found; i++) t[i] = p[i].x[0];
        return dlpi_basis_make_long_walk(spec->kind, found, t, mean[0], pool, out, error);
    }
    *out = (dlp_basis){.kind = spec->kind,
                       .d = 1,
                       .fixed = order - 1,
                       .columns = found - 1,
                       .n_knots = found,
                       .n_weights = found * (found - 1)};
    double *knot = dlpi_pool_take(pool, found, sizeof *knot);
    double *weight = dlpi_pool_take(pool, out->n_weights, sizeof *weight);
    if (!knot || !weight) return dlpi_no_memory(error, "a random walk");
    for (dlp_index i = 0; i < found; i++) knot[i] = p[i].x[0];
    out->knot = knot;
    out->weight = weight;
    set_fixed(out, mean, weight);
    return tell(dlpi_basis_make_walk(out, order, weight, pool),
                "random walk; use other units", error);
}

dlp_status dlpi_basis_make_smooth(const struct dlpi_basis_spec *spec, dlp_index n,
                                  const double *const *x, struct dlpi_pool *pool,
                                  dlp_basis *out, dlp_error *error)
{
    dlp_index k;
    *out = (dlp_basis){.columns = 0};
    point *p = dlpi_pool_take(pool, n, sizeof *p);
    if (!p) return dlpi_no_memory(error, "a smooth");
    const dlp_index found = find_points(n, spec->d, x, p);
    double mean[2] = {0, 0};
    for (dlp_index l = 0; l < spec->d; l++)
        for (dlp_index i = 0; i < n; i++) mean[l] += x[l][i] / (double)n;
    if (spec->kind == DLP_BASIS_RW1 || spec->kind == DLP_BASIS_RW2)
        return make_random_walk(spec, found, p, mean, pool, out, error);
    DLP_TRY(choose_shape(spec, found, p, pool, &k, out, error));
    double *weight = dlpi_pool_take(pool, out->n_weights, sizeof *weight);
    double *value = dlpi_pool_take(pool, out->columns * n, sizeof *value);
    double *room = dlpi_pool_take(pool, dlpi_basis_room(out), sizeof *room);
    if (!weight || !value || !room) return dlpi_no_memory(error, "a smooth");
    out->weight = weight;
    set_fixed(out, mean, weight);
    DLP_TRY(
        tell(spec->kind == DLP_BASIS_TP
                 ? dlpi_basis_make_plate(out, k, weight, pool)
                 : dlpi_basis_make_cubic(out, out->kind == DLP_BASIS_CC, weight, pool),
             "smooth; use other units, or a smaller k", error));
    dlpi_basis_values(out, n, x, value, room);
    free_and_scale(out, n, value, weight);
    return DLP_OK;
}
