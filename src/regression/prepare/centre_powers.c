/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/centre_powers.h"

#include "core/core.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <stdlib.h>

/* What the lower powers leave of the highest is about this share of its size. */
static const double LEAST = 1e-6;

/* ---- columns as products ---- */

typedef struct factors {
    dlp_index n;
    const dlp_index *variable, *level; /* (n) */
} factors;

static factors factors_of(const dlp_design *d, dlp_index j)
{
    const dlp_index t = d->assign[j];
    if (t < 0) return (factors){0, NULL, NULL};
    const dlp_index begin = d->term_begin[t];
    return (factors){d->term_begin[t + 1] - begin, d->term_variable + begin, d->level[j]};
}

/* The centre of the variable of which this is a power, or -1. */
static dlp_index centre_of(const dlpi_prepared *p, dlp_index variable)
{
    const dlp_variable *v = &p->design->variable[variable];
    for (dlp_index c = 0; c < p->n_centres && v->power > 0; c++)
        if (!strcmp(p->table->column[v->column[0]].name, p->centre[c].variable)) return c;
    return -1;
}

static int exponent_of(const dlpi_prepared *p, const factors *f, dlp_index c)
{
    int sum = 0;
    for (dlp_index i = 0; i < f->n; i++)
        if (centre_of(p, f->variable[i]) == c)
            sum += p->design->variable[f->variable[i]].power;
    return sum;
}

/* Whether b has all factors of a, except for powers. */
static bool has_rest(const dlpi_prepared *p, const factors *a, const factors *b)
{
    for (dlp_index i = 0; i < a->n; i++) {
        bool found = centre_of(p, a->variable[i]) >= 0;
        for (dlp_index k = 0; k < b->n && !found; k++)
            found = b->variable[k] == a->variable[i] && b->level[k] == a->level[i];
        if (!found) return false;
    }
    return true;
}

/* binomial(n, k) (-c)^(n - k) */
static double expand(int n, int k, double c)
{
    double value = 1;
    for (int i = 0; i < n - k; i++) value *= -c * (double)(n - i) / (double)(i + 1);
    return value;
}

/* The coefficient of column k in column j when its powers about centres are expanded; 0:
   it does not occur. */
static double share_of(const dlpi_prepared *p, dlp_index j, dlp_index k)
{
    const factors a = factors_of(p->design, j), b = factors_of(p->design, k);
    double value = 1;
    if (!has_rest(p, &a, &b) || !has_rest(p, &b, &a)) return 0;
    for (dlp_index c = 0; c < p->n_centres; c++) {
        const int n = exponent_of(p, &a, c), m = exponent_of(p, &b, c);
        if (m > n) return 0;
        value *= expand(n, m, p->centre[c].centre);
    }
    return value;
}

/* How many products the expansion has, j itself included. */
static dlp_index products_of(const dlpi_prepared *p, dlp_index j)
{
    const factors f = factors_of(p->design, j);
    dlp_index count = 1;
    for (dlp_index c = 0; c < p->n_centres; c++) count *= exponent_of(p, &f, c) + 1;
    return count;
}

/* ---- the map ---- */

/* Lists what columns add to others, or counts it if `out` is NULL; -1: some column is
   missing. */
static dlp_index list_shares(const dlpi_prepared *p, dlp_written *out)
{
    const dlp_index columns = p->design->p;
    dlp_index n = 0;
    for (dlp_index j = 0; j < columns; j++) {
        const dlp_index wanted = products_of(p, j);
        dlp_index found = 1;
        for (dlp_index k = 0; k < columns && wanted > 1; k++) {
            const double value = k == j ? 0 : share_of(p, j, k);
            if (value == 0) continue;
            if (out) out[n] = (dlp_written){j, k, value};
            n++;
            found++;
        }
        if (found != wanted) return -1;
    }
    return n;
}

static dlp_status state_shares(dlpi_prepared *p, dlp_error *error)
{
    const dlp_index n = list_shares(p, NULL);
    if (n <= 0) {
        p->n_centres = 0;
        return DLP_OK;
    }
    p->written = dlpi_calloc(n, sizeof *p->written);
    if (!p->written) return dlpi_no_memory(error, "the columns");
    p->n_written = list_shares(p, p->written);
    return DLP_OK;
}

/* ---- which ---- */

static int highest_power(const dlp_design *d, dlp_index column)
{
    int most = 0;
    for (dlp_index i = 0; i < d->n_variables; i++) {
        const dlp_variable *v = &d->variable[i];
        if (v->power > most && v->column[0] == column) most = v->power;
    }
    return most;
}

/* Whether the column has effects that vary by group; these are about the column as
   written. */
static bool is_random(const dlp_design *d, dlp_index column)
{
    for (dlp_index t = 0; t < d->n_random; t++)
        for (dlp_index j = 0; j < d->random[t].n_effect_columns; j++)
            if (d->random[t].effect_column[j] == column) return true;
    return false;
}

/* The mean, rounded to the first digit of the sd, so that it is readable. */
static double centre_at(double mean, double sd)
{
    const double unit = pow(10, floor(log10(sd)));
    return round(mean / unit) * unit;
}

dlp_status dlpi_centre_powers(dlpi_prepared *p, dlp_error *error)
{
    const dlp_design *d = p->design;
    p->centre = dlpi_calloc(d->n_variables, sizeof *p->centre);
    if (!p->centre) return dlpi_no_memory(error, "the columns");
    for (dlp_index i = 0; i < d->n_variables; i++) {
        const dlp_variable *v = &d->variable[i];
        if (v->power != 1 || v->is_function) continue;
        const int most = highest_power(d, v->column[0]);
        if (most < 2 || is_random(d, v->column[0])) continue;
        const dlp_glm_data rows = {
            .N = d->N, .weight = d->weight, .division = d->division};
        const double mean = dlpi_column_mean(&rows, d->value[i]);
        const double sd = sqrt(dlpi_column_variance(&rows, d->value[i], mean));
        if (!(sd > 0) || !(pow(sd / fabs(mean), most) < LEAST)) continue;
        p->centre[p->n_centres++] =
            (dlp_centre){p->table->column[v->column[0]].name, centre_at(mean, sd)};
    }
    return p->n_centres > 0 ? state_shares(p, error) : DLP_OK;
}
