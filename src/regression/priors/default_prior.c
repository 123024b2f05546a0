/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/default_prior.h"

#include <delaplace/hierarchy.h>

#include "core/core.h"
#include "regression/prepare/link_units.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/orthogonal.h"
#include "regression/priors/factor_prior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One sd of a column that changes the odds or the count by a factor of exp(2.5) = 12 is a
   large effect, and a predictor with an sd of 5 leaves little to chance. A mean is
   anywhere from exp(-20) to exp(20). */
static const double SLOPE = DLP_WEAK_EFFECT, LEVEL = 10, FEW = 4;
/* A column must vary by at least this share of its size. Predictions then keep as many
   digits as its square leaves; so does the fit, which needs more of them unless its
   columns are orthogonal. */
static const double LEAST_ORTHOGONAL = 3e-7, LEAST_RAW = 3e-6;
static const double FAR = 1000; /* sds from 0: beyond, orthogonal columns are better */

static double limit_sd(double sd)
{
    return fmin(fmax(sd, 1 / DLP_GLM_LARGEST), DLP_GLM_LARGEST);
}

/* Whether a term is a product, or computed, like log(x). */
static bool is_made(const dlp_design *d, dlp_index term)
{
    if (term < 0) return false;
    const dlp_index *begin = d->term_begin + term;
    return begin[1] - begin[0] > 1 || d->variable[d->term_variable[*begin]].is_function;
}

/* The column of which a term is a power, where that column roughly lies (to the first
   digit of its sd), and the power; NULL: it is not a power of a positive column. */
static const char *power_of(const dlpi_prepared *p, dlp_index term, double *centre,
                            int *power)
{
    const dlp_design *d = p->design;
    const dlp_index begin = d->term_begin[term], i = d->term_variable[begin];
    const dlp_variable *v = &d->variable[i];
    if (d->term_begin[term + 1] - begin != 1 || v->power < 2) return NULL;
    const dlp_glm_data rows = {.N = d->N, .weight = d->weight, .division = d->division};
    const double mean = dlpi_column_mean(&rows, d->value[i]),
                 sd = sqrt(dlpi_column_variance(&rows, d->value[i], mean));
    if (!(mean > 0) || !(sd > 0)) return NULL;
    const double root = pow(mean, 1.0 / v->power),
                 unit = pow(10, floor(log10(sd * root / (v->power * mean))));
    *centre = round(root / unit) * unit;
    *power = v->power;
    return p->table->column[v->column[0]].name;
}

static dlp_status fail_made(const dlpi_prepared *p, const char *name, dlp_index term,
                            double share, dlp_error *error)
{
    char advice[300] =
        "measure the variables in it from their means: scale(x), or "
        "I((x - 2010)^2)";
    double centre;
    int power;
    const char *column = power_of(p, term, &centre, &power);
    if (column)
        snprintf(advice, sizeof advice,
                 "measure '%.50s' from near its mean wherever it is in the formula: "
                 "I(%.50s - %.10g), I((%.50s - %.10g)^%d)",
                 column, column, centre, column, centre, power);
    return dlp_fail(error, DLP_EINPUT,
                    "beyond its parts, '%.80s' varies by no more than %.1g of its "
                    "size, which leaves too few digits for its coefficient; %s",
                    name, share, advice);
}

dlp_status dlpi_weak_check_digits(const dlpi_weak *w, const char *name, dlp_index term,
                                  double sd, double size, dlp_error *error)
{
    const double least = w->joint ? LEAST_ORTHOGONAL : LEAST_RAW;
    if (!(sd > 0 && sd < least * size)) return DLP_OK;
    if (is_made(w->prepared->design, term))
        return fail_made(w->prepared, name, term, sd / size, error);
    return dlp_fail(error, DLP_EINPUT,
                    "'%.80s' varies by no more than %.1g of its size, which leaves too "
                    "few digits for its coefficient; write scale(%.80s) in the formula",
                    name, sd / size, name);
}

void dlpi_weak_spread(const dlpi_weak *w, double count, bool means)
{
    w->out->sd = (means ? LEVEL : SLOPE) * fmin(1, sqrt(FEW / count));
}

/* Where nothing absorbs the level, and where there is nothing but the levels of a
   factor. */
static void state_spread(const dlpi_weak *w, double count)
{
    const bool levels_alone = w->intercept.term >= 0 && count == 0;
    dlpi_weak_spread(w, count, w->intercept.n == 0 || levels_alone);
}

double dlpi_weak_sd(const dlpi_weak *w, double spread)
{
    return limit_sd(w->out->sd * w->unit / spread);
}

void dlpi_weak_state(const dlpi_weak *w, dlp_index j, double sd)
{
    w->out->each[j] = (dlp_coefficient_prior){0, limit_sd(sd), w->out->df, true};
}

/* ---- columns that have margins ---- */

static dlp_status count_orthogonal(const dlpi_weak *w, const dlpi_orthogonal *f,
                                   double *count, dlp_error *error)
{
    *count = 0;
    for (dlp_index j = 0; j < w->data->p; j++) {
        const double size = sqrt(dlpi_column_variance(w->data, w->data->x[j], 0));
        DLP_TRY(dlpi_weak_check_digits(w, w->prepared->name[j], w->prepared->assign[j],
                                       f->sd[j], size, error));
        *count += (f->sd[j] / f->spread[j]) * (f->sd[j] / f->spread[j]);
    }
    return DLP_OK;
}

/* lever_k (p + 1): by how much the slopes of its children move coefficient k. */
static void find_levers(const dlpi_weak *w, const dlpi_orthogonal *f, const double *sd,
                        double *lever)
{
    const dlp_index p = w->data->p;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k <= p; k++) {
            const double r = f->R[j * (p + 1) + k];
            if (k != j && r != 0) lever[k] = hypot(lever[k], r * sd[j]);
        }
}

/* Whether a coefficient has children, so that it depends on others. */
static bool has_levers(const dlpi_weak *w, const double *lever)
{
    for (dlp_index k = 0; k < w->data->p; k++)
        if (lever[k] > 0) return true;
    return false;
}

/* Adds (sd_j R_j)(sd_j R_j)', where R_j is 0 but for few. */
static void add_column(dlp_index p, const double *R, double sd, dlp_index *at,
                       double *Sigma)
{
    dlp_index n = 0;
    for (dlp_index k = 0; k < p; k++)
        if (R[k] != 0) at[n++] = k;
    for (dlp_index a = 0; a < n; a++)
        for (dlp_index b = 0; b < n; b++)
            Sigma[at[a] * p + at[b]] += (sd * R[at[a]]) * (sd * R[at[b]]);
}

/* Sigma_0 = R' diag(sd^2) R */
static dlp_status state_covariance(const dlpi_weak *w, const dlpi_orthogonal *f,
                                   const double *sd, dlp_error *error)
{
    const dlp_index p = w->data->p;
    dlp_index *at = calloc((size_t)p, sizeof *at);
    double *Sigma = calloc((size_t)p, (size_t)p * sizeof *Sigma);
    w->out->covariance = Sigma;
    for (dlp_index j = 0; at && Sigma && j < p; j++)
        add_column(p, f->R + j * (p + 1), sd[j], at, Sigma);
    for (dlp_index j = 0; at && Sigma && j < p; j++) {
        dlpi_weak_state(w, j, sqrt(Sigma[j * (p + 1)]));
        if (w->out->each[j].sd < DLP_GLM_LARGEST) continue;
        free(at);
        return dlp_fail(error, DLP_EINPUT,
                        "the numbers of '%.80s' and of its products are too far apart to "
                        "compute with; use other units, or scale() in the formula",
                        w->prepared->name[j]);
    }
    free(at);
    return at && Sigma ? DLP_OK : dlpi_no_memory(error, "the prior");
}

/* sd (p): of the coefficients of orthogonal columns. */
static dlp_status state_orthogonal(const dlpi_weak *w, const dlpi_orthogonal *f,
                                   double *sd, double *lever, dlp_error *error)
{
    const dlp_index p = w->data->p;
    for (dlp_index j = 0; j < p; j++)
        sd[j] = dlpi_intercept_has(&w->intercept, j) ? w->level_sd
                                                     : dlpi_weak_sd(w, f->spread[j]);
    find_levers(w, f, sd, lever);
    if (w->joint && has_levers(w, lever)) return state_covariance(w, f, sd, error);
    for (dlp_index j = 0; j < p; j++)
        dlpi_weak_state(w, j, hypot(sd[j], LEVEL * lever[j]));
    return DLP_OK;
}

static dlp_status state_related(dlpi_weak *w, const dlpi_term_margins *margins,
                                dlp_error *error)
{
    const size_t p = (size_t)w->data->p;
    double count, *sd = calloc(2 * p + 1, sizeof *sd);
    dlpi_orthogonal orthogonal;
    if (!sd) return dlpi_no_memory(error, "the prior");
    dlp_status status =
        dlpi_orthogonalise(w->prepared, margins, &w->intercept, &orthogonal, error);
    if (status == DLP_OK) status = count_orthogonal(w, &orthogonal, &count, error);
    if (status == DLP_OK) {
        state_spread(w, count);
        status = state_orthogonal(w, &orthogonal, sd, sd + p, error);
    }
    if (status == DLP_OK && w->joint && w->out->covariance) {
        w->out->R = orthogonal.R;
        w->out->R_sd = sd;
        orthogonal.R = sd = NULL;
    }
    dlpi_orthogonal_clear(&orthogonal);
    free(sd);
    return status;
}

/* ---- columns that have no margins but the intercept ---- */

/* Stores the centre and the spread of each column in the place of its prior, and counts
   the columns: an indicator, whose spread is the distance between its values, counts
   less, as its variance is less than the square of its spread. *farthest: of the centres
   from 0, in sds. */
static dlp_status measure(const dlpi_weak *w, double *count, double *farthest,
                          dlp_error *error)
{
    const dlp_index intercept = w->intercept.n > 0 ? w->intercept.first : -1;
    *count = *farthest = 0;
    for (dlp_index j = 0; j < w->data->p; j++) {
        const dlpi_column_units units = dlpi_column_measure(w->data, j, intercept);
        const double sd = units.sd;
        dlp_coefficient_prior *of = &w->out->each[j];
        of->mean = units.centre;
        of->sd = units.spread;
        if (j == intercept) continue;
        *count += (sd / of->sd) * (sd / of->sd);
        if (of->mean == 0) continue;
        DLP_TRY(dlpi_weak_check_digits(w, w->prepared->name[j], w->prepared->assign[j],
                                       sd, hypot(of->mean, sd), error));
        *farthest = fmax(*farthest, fabs(of->mean) / sd);
    }
    return DLP_OK;
}

/* The intercept is level - sum_j centre_j beta_j: Sigma_0, with the centre of each column
   in the place of its prior's mean. */
static dlp_status relate_intercept(const dlpi_weak *w, double lever, dlp_error *error)
{
    const dlp_index p = w->data->p, at = w->intercept.first;
    double *Sigma = calloc((size_t)p, (size_t)p * sizeof *Sigma);
    w->out->covariance = Sigma;
    if (!Sigma) return dlpi_no_memory(error, "the prior");
    dlpi_weak_state(w, at, hypot(w->level_sd, lever));
    for (dlp_index j = 0; j < p; j++) {
        dlp_coefficient_prior *of = &w->out->each[j];
        Sigma[j * (p + 1)] = of->sd * of->sd;
        if (j != at) Sigma[at * p + j] = Sigma[j * p + at] = -of->mean * of->sd * of->sd;
        of->mean = 0;
    }
    return DLP_OK;
}

static dlp_status state_plain(dlpi_weak *w, const dlpi_term_margins *margins,
                              dlp_error *error)
{
    double count, farthest, lever = 0;
    DLP_TRY(measure(w, &count, &farthest, error));
    if (farthest > FAR && w->joint) return state_related(w, margins, error);
    state_spread(w, count);
    for (dlp_index j = 0; j < w->data->p; j++) {
        if (dlpi_intercept_has(&w->intercept, j)) continue;
        const double centre = w->out->each[j].mean;
        dlpi_weak_state(w, j, dlpi_weak_sd(w, w->out->each[j].sd));
        lever = hypot(lever, centre * w->out->each[j].sd);
        w->out->each[j].mean = centre;
    }
    const bool has_intercept = w->intercept.n > 0 && w->intercept.first < w->data->p;
    if (has_intercept && w->joint && lever > 0) return relate_intercept(w, lever, error);
    for (dlp_index j = 0; j < w->data->p; j++) w->out->each[j].mean = 0;
    /* so wide that it says nothing about the slopes, which move it far from the data */
    if (has_intercept)
        dlpi_weak_state(w, w->intercept.first, hypot(w->level_sd, LEVEL * lever));
    return DLP_OK;
}

/* ---- the whole ---- */

static void find_unit(dlpi_weak *w)
{
    double centre;
    dlpi_link_measure(w->prepared, w->data, w->intercept.n > 0 ? w->intercept.first : -1,
                      &centre, &w->unit);
    w->level_sd = LEVEL * hypot(centre, w->unit);
}

dlp_status dlpi_default_prior(const dlpi_prepared *prepared, bool all_weak,
                              dlpi_prior_choice *prior, dlp_error *error)
{
    dlpi_weak w = {.prepared = prepared,
                   .data = &prepared->data,
                   .intercept = dlpi_intercept_find(prepared),
                   .out = prior};
    const bool normal = all_weak && prior->df == 0;
    w.joint = normal && w.intercept.n > 0;
    dlpi_term_margins margins;
    prior->each = calloc((size_t)w.data->p + 1, sizeof *prior->each);
    if (!prior->each) return dlpi_no_memory(error, "the prior");
    find_unit(&w);
    dlp_status status = dlpi_margins_find(prepared->design, &margins, error);
    if (status == DLP_OK) {
        const bool related = margins.begin[margins.terms] > 0 || w.intercept.term >= 0;
        status = normal && dlpi_has_factors(prepared)
                     ? dlpi_factor_prior(&w, &margins, error)
                 : w.intercept.n > 0 && related ? state_related(&w, &margins, error)
                                                : state_plain(&w, &margins, error);
    }
    dlpi_margins_clear(&margins);
    return status;
}

/* ---- hierarchies ---- */

static dlp_status orthogonalise_products(const dlpi_prepared *prepared,
                                         dlpi_prior_choice *prior, dlp_error *error)
{
    const dlpi_intercept intercept = dlpi_intercept_find(prepared);
    dlpi_term_margins margins;
    dlpi_orthogonal columns = {.R = NULL};
    dlp_status status = dlpi_margins_find(prepared->design, &margins, error);
    const bool products = status == DLP_OK && margins.begin[margins.terms] > 0 &&
                          intercept.n > 0 && intercept.first < prepared->data.p;
    if (products)
        status = dlpi_orthogonalise(prepared, &margins, &intercept, &columns, error);
    if (status == DLP_OK) {
        prior->R = columns.R;
        prior->R_sd = columns.sd;
        columns.R = columns.sd = NULL;
    }
    dlpi_orthogonal_clear(&columns);
    dlpi_margins_clear(&margins);
    return status;
}

/* The prior that groups share: Sigma0^-1 ~ Wishart(nu, phi0 I), mu0 ~ N(0, phi1 I). The
   paper's, made for 139 schools, holds mu0 near 0 and Sigma0 near I; by default the
   groups decide. The more parameters there are, the less the groups can say about each,
   and the more of I / phi0 is added to their sum of squares. With an identity link it is
   in sds of the response (basis.h), of which groups differ by a small part. */
dlp_status dlpi_default_hyperprior(const dlpi_prepared *prepared,
                                   dlpi_prior_choice *prior, dlp_error *error)
{
    const dlp_hierarchy_settings published = dlp_hierarchy_settings_default();
    const bool paper = prior->paper_hyperprior;
    const double n =
        (double)(prior->shared_scale ? prepared->data.p
                                     : prepared->n); /* parameters that vary */
    const double weak_phi0 =
        dlpi_is_linear(prepared->family) ? 100 : fmax(100 / (n * n), 1);
    if (prior->nu == 0) prior->nu = n + (paper ? 100 : 2);
    if (prior->phi0 == 0) prior->phi0 = paper ? published.phi0 : weak_phi0;
    if (prior->phi1 == 0) prior->phi1 = paper ? published.phi1 : 100;
    return paper ? DLP_OK : orthogonalise_products(prepared, prior, error);
}
