/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/centre_powers.h"

#include "comm/division.h"
#include "core/core.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <stdlib.h>

/* What the lower powers leave of the highest is about this share of its size. A column by
   itself loses as many digits as a square, in the covariance with the intercept: predictions
   from it would be wrong by 1e-16 / share^2 sds. */
static const double LEAST = 1e-4, LEAST_ALONE = 1e-3;
/* Below it the numbers themselves have few digits. */
static const double NO_DIGITS = 1e-9;
/* A slope that varies by group makes intercepts at 0 vary by |mean| / sd times what it
   does among the rows. Beyond 10 times, the prior of their sd would decide about both. */
static const double LEAST_BY_GROUP = 0.1;

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

/* How many products the expansion has, j itself included. Cut points take the place of a
   constant; they are told at the centre, since at 0 they would differ in their last digits
   alone. */
static dlp_index products_of(const dlpi_prepared *p, dlp_index j)
{
    const factors f = factors_of(p->design, j);
    bool alone = p->family->support == DLP_SUPPORT_ORDERED;
    dlp_index count = 1;
    for (dlp_index c = 0; c < p->n_centres; c++) count *= exponent_of(p, &f, c) + 1;
    for (dlp_index i = 0; i < f.n && alone; i++) alone = centre_of(p, f.variable[i]) >= 0;
    return alone && count > 1 ? count - 1 : count;
}

/* ---- levels that have no column of their own ---- */

/* Which factor of column j is at a level that no column without powers has; -1: none. */
static dlp_index find_reference(const dlpi_prepared *p, dlp_index j)
{
    const dlp_design *d = p->design;
    const factors f = factors_of(d, j);
    for (dlp_index i = 0; i < f.n; i++) {
        bool has_column = d->variable[f.variable[i]].factor < 0;
        for (dlp_index k = 0; k < d->p && !has_column; k++) {
            const factors b = factors_of(d, k);
            has_column =
                b.n == 1 && b.variable[0] == f.variable[i] && b.level[0] == f.level[i];
        }
        if (!has_column) return i;
    }
    return -1;
}

/*
 * With c for the reference level of g, 1_c = 1 - sum of 1_l over the other levels, and so
 * x 1_c holds c times the constant column less those of the other levels: the share of
 * column k, of any level of the factor that j has at the reference or without it, and
 * without powers.
 */
static double share_by_others(const dlpi_prepared *p, dlp_index j, dlp_index reference,
                              dlp_index k)
{
    const factors a = factors_of(p->design, j), b = factors_of(p->design, k);
    bool other = false;
    double value = 1;
    for (dlp_index i = 0; i < b.n; i++) {
        bool known = false;
        for (dlp_index l = 0; l < a.n && !known; l++)
            known = b.variable[i] == a.variable[l] &&
                    (l == reference || b.level[i] == a.level[l]);
        other |= b.variable[i] == a.variable[reference];
        if (!known) return 0;
    }
    for (dlp_index i = 0; i < a.n; i++) {
        bool found = i == reference || centre_of(p, a.variable[i]) >= 0;
        for (dlp_index l = 0; l < b.n && !found; l++)
            found = b.variable[l] == a.variable[i];
        if (!found) return 0;
    }
    for (dlp_index c = 0; c < p->n_centres; c++) {
        if (exponent_of(p, &b, c) > 0) return 0;
        value *= expand(exponent_of(p, &a, c), 0, p->centre[c].centre);
    }
    return other ? -value : value;
}

/* Adds these shares of column j, if all of them are there; how many there are, or 0. Cut
   points take the place of the constant column. */
static dlp_index list_by_others(const dlpi_prepared *p, dlp_index j, dlp_index first,
                                dlp_written *out)
{
    const dlp_design *d = p->design;
    const factors f = factors_of(d, j);
    const dlp_index reference = find_reference(p, j);
    bool constant = p->family->support == DLP_SUPPORT_ORDERED;
    dlp_index n = 0;
    if (reference < 0) return 0;
    for (dlp_index i = 0; i < f.n && constant; i++)
        constant = i == reference || centre_of(p, f.variable[i]) >= 0;
    for (dlp_index k = first; k < d->p; k++) {
        const double value = share_by_others(p, j, reference, k);
        if (value == 0) continue;
        if (out) out[n] = (dlp_written){j - first, k - first, value};
        n++;
    }
    const dlp_variable *v = &d->variable[f.variable[reference]];
    return n + constant == d->terms->factor[v->factor].n ? n : 0;
}

/* ---- the map ---- */

/* Lists what columns add to others, or counts it if `out` is NULL; -1: some column is
   missing. */
static dlp_index list_shares(const dlpi_prepared *p, dlp_written *out)
{
    const bool cuts = p->family->support == DLP_SUPPORT_ORDERED;
    const dlp_index columns = p->design->p, first = cuts && p->design->intercept == 0;
    dlp_index n = 0;
    for (dlp_index j = first; j < columns; j++) {
        const dlp_index wanted = products_of(p, j);
        dlp_index found = 1;
        for (dlp_index k = first; k < columns && wanted > 1; k++) {
            const double value = k == j ? 0 : share_of(p, j, k);
            if (value == 0) continue;
            if (out) out[n] = (dlp_written){j - first, k - first, value};
            n++;
            found++;
        }
        if (found == wanted) continue;
        const dlp_index others = list_by_others(p, j, first, out ? out + n : NULL);
        if (found != wanted - 1 || others == 0) return -1;
        n += others;
    }
    return n;
}

static dlp_status state_shares(dlpi_prepared *p, dlp_error *error)
{
    const dlp_index n = list_shares(p, NULL);
    if (n < 0) p->n_centres = 0;
    if (n <= 0) return DLP_OK;
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

/* Whether effect j of a term is about this column of the table. */
static bool is_about(const dlp_random *random, dlp_index j, dlp_index column)
{
    for (dlp_index k = random->effect_begin[j]; k < random->effect_begin[j + 1]; k++)
        if (random->effect_column[k] == column) return true;
    return false;
}

/* How many effects of a term are about this column; none of a process. */
static dlp_index count_about(const dlp_random *random, dlp_index column)
{
    dlp_index n = 0;
    for (dlp_index j = 0; !random->process && j < random->q; j++)
        n += is_about(random, j, column);
    return n;
}

static bool has_power(const dlp_random *random, dlp_index column, int power)
{
    for (dlp_index j = 0; j < random->q; j++)
        if (random->power[j] == power && is_about(random, j, column)) return true;
    return false;
}

static bool has_intercept(const dlp_random *random)
{
    for (dlp_index j = 0; j < random->q; j++)
        if (!strcmp(random->name[j], DLP_INTERCEPT)) return true;
    return false;
}

/* Whether the effects (1 + x + ... + x^m | g) are the same about any centre: all of their
   lower powers vary, too, and x is in no product. */
static bool is_closed(const dlp_random *random, dlp_index column)
{
    int powers = 0;
    while (has_power(random, column, powers + 1)) powers++;
    return has_intercept(random) && powers == count_about(random, column);
}

/* How it varies by group. */
typedef enum by_group {
    BY_NONE,
    BY_SOME,
    BY_OTHERS /* effects that hinge on its origin */
} by_group;

static by_group find_by_group(const dlp_design *d, dlp_index column)
{
    by_group found = BY_NONE;
    for (dlp_index t = 0; t < d->n_random; t++) {
        if (count_about(&d->random[t], column) == 0) continue;
        if (!is_closed(&d->random[t], column)) return BY_OTHERS;
        found = BY_SOME;
    }
    return found;
}

static bool is_far(double mean, double sd, int power, by_group by)
{
    const double share = sd / fabs(mean);
    return sd > 0 && share > NO_DIGITS && by != BY_OTHERS &&
           (pow(share, power) < (power > 1 ? LEAST : LEAST_ALONE) ||
            (by == BY_SOME && share < LEAST_BY_GROUP));
}

/* Whether all rows are so near the first that the column may be far from 0. Most are not,
   after a few rows, and need no mean. */
static bool may_be_far(const dlp_design *d, const double *x)
{
    const dlp_index from = dlpi_rows_from(d->division),
                    to = dlpi_rows_to(d->division, d->N);
    const double mine = from == 0 && to > 0 ? x[0] : -INFINITY,
                 first = dlpi_division_most(d->division, mine);
    bool near = true;
    for (dlp_index i = from; i < to && near; i++)
        near = fabs(x[i] - first) <= 100 * LEAST_ALONE * fabs(first);
    return !dlpi_division_any(d->division, !near);
}

/* The mean, rounded to the first digit of the sd, so that it is readable. */
static double centre_at(double mean, double sd)
{
    const double unit = pow(10, floor(log10(sd)));
    return round(mean / unit) * unit;
}

/* Takes column `at` of the table, with these values, about a centre if it is far from 0. */
static void take_centre(dlpi_prepared *p, dlp_index at, const double *value, int most,
                        by_group by)
{
    const dlp_design *d = p->design;
    const dlp_glm_data rows = {.N = d->N, .weight = d->weight, .division = d->division};
    const double mean = dlpi_column_mean(&rows, value);
    const double sd = sqrt(dlpi_column_variance(&rows, value, mean));
    if (is_far(mean, sd, most, by))
        p->centre[p->n_centres++] =
            (dlp_centre){p->table->column[at].name, centre_at(mean, sd)};
}

static bool is_taken(const dlpi_prepared *p, dlp_index column)
{
    for (dlp_index c = 0; c < p->n_centres; c++)
        if (!strcmp(p->centre[c].variable, p->table->column[column].name)) return true;
    return highest_power(p->design, column) > 0;
}

/* Slopes that vary by group about a mean of 0: the variable is in no column. */
static void centre_effects(dlpi_prepared *p)
{
    const dlp_design *d = p->design;
    for (dlp_index t = 0; t < d->n_random; t++) {
        const dlp_random *random = &d->random[t];
        for (dlp_index j = 0; !random->process && j < random->q; j++) {
            if (random->power[j] != 1) continue;
            const dlp_index column = random->effect_column[random->effect_begin[j]];
            if (find_by_group(d, column) == BY_SOME && !is_taken(p, column))
                take_centre(p, column, random->x[j], 1, BY_SOME);
        }
    }
}

static dlp_index most_centres(const dlp_design *d)
{
    dlp_index n = d->n_variables;
    for (dlp_index t = 0; t < d->n_random; t++) n += d->random[t].q;
    return n;
}

dlp_status dlpi_centre_powers(dlpi_prepared *p, dlp_error *error)
{
    const dlp_design *d = p->design;
    p->centre = dlpi_calloc(most_centres(d), sizeof *p->centre);
    if (!p->centre) return dlpi_no_memory(error, "the columns");
    for (dlp_index i = 0; i < d->n_variables; i++) {
        const dlp_variable *v = &d->variable[i];
        if (v->power != 1 || v->is_function) continue;
        const int most = highest_power(d, v->column[0]);
        const by_group by = find_by_group(d, v->column[0]);
        if (most < 2 && by != BY_SOME && !may_be_far(d, d->value[i])) continue;
        take_centre(p, v->column[0], d->value[i], most, by);
    }
    centre_effects(p);
    return p->n_centres > 0 ? state_shares(p, error) : DLP_OK;
}
