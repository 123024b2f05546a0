/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/weak.h"

#include "cli/glm/columns.h"
#include "cli/glm/freed.h"
#include "cli/glm/moments.h"
#include "cli/glm/units.h"
#include "cli/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* exp(2.5) = 12 times the odds or the count for one sd of a column is a large effect, and
   a predictor that has an sd of 5 leaves little to chance. A mean is anywhere from exp(-20)
   to exp(20). */
static const double SLOPE = 2.5, LEVEL = 10, FEW = 4;
/* A column varies by this part of its size at least. Predictions have the square of it for
   their digits; so has the fit, and it needs more of them, unless it is of freed columns. */
static const double LEAST_FREED = 3e-7, LEAST_RAW = 3e-6;
static const double FAR = 1000; /* sds from 0, columns are better freed */

typedef struct weak {
    const dlp_glm_data *data;
    cli_glm_rows *rows;
    cli_glm_stand_in level;
    double unit;     /* of the predictor */
    double level_sd; /* of the level at the columns' means */
    bool joint;      /* coefficients may have a covariance */
    cli_glm_fit *fit;
} weak;

/* Whether freed columns are fitted. Cut points, which are a level too, have a prior apart
   from that of the coefficients. */
static bool is_turned(const weak *w)
{
    return w->joint && w->level.first < w->fit->p;
}

static double within_limits(double sd)
{
    return fmin(fmax(sd, 1 / DLP_GLM_LARGEST), DLP_GLM_LARGEST);
}

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the prior");
}

/* Refuses column j where sd, of what it does not share with others, is lost beside the
   size of its numbers. */
static dlp_status check_digits(const weak *w, dlp_index j, double sd, double size,
                               dlp_error *error)
{
    const char *name = w->fit->column[j];
    const double least = is_turned(w) ? LEAST_FREED : LEAST_RAW;
    if (!(sd > 0 && sd < least * size)) return DLP_OK;
    if (strpbrk(name, ":()"))
        return dlp_fail(error, DLP_EINPUT,
                        "beside its parts, '%.80s' varies by no more than %.1g of its "
                        "size, which leaves too few digits for its coefficient; count "
                        "the variables in it from their means: scale(x), or "
                        "I((x - 2010)^2)",
                        name, sd / size);
    return dlp_fail(error, DLP_EINPUT,
                    "'%.80s' varies by no more than %.1g of its size, which leaves too "
                    "few digits for its coefficient; write scale(%.80s) in the formula",
                    name, sd / size, name);
}

/* What one spread of a column does, where all count as so many. Without a level apart, and
   where there is nothing but the levels of a factor, columns tell means. */
static void state_spread(weak *w, double count)
{
    const bool means = w->level.n == 0 || (w->level.term >= 0 && count == 0);
    w->fit->prior_sd = (means ? LEVEL : SLOPE) * fmin(1, sqrt(FEW / count));
}

static double sd_for(const weak *w, double spread)
{
    return within_limits(w->fit->prior_sd * w->unit / spread);
}

static void state(const weak *w, dlp_index j, double sd)
{
    w->fit->own_prior[j] = (cli_glm_prior){0, within_limits(sd), w->fit->prior_df, true};
}

/* Of the level in a coefficient of its own, or in the first cut point: so wide that it says
   nothing of the slopes, which move it far from the data, by N(0, lever^2). */
static void state_level(const weak *w, dlp_index j, double lever)
{
    const double sd = within_limits(hypot(w->level_sd, LEVEL * lever));
    if (j < w->fit->p)
        state(w, j, sd);
    else
        w->fit->first_cut_sd = sd;
}

/* ---- columns that have parents ---- */

static dlp_status count_freed(const weak *w, const cli_glm_freed *f, double *count,
                              dlp_error *error)
{
    *count = 0;
    for (dlp_index j = 0; j < w->fit->p; j++) {
        const double size = sqrt(cli_glm_variance(w->data, w->data->x[j], 0));
        CLI_TRY(check_digits(w, j, f->sd[j], size, error));
        *count += (f->sd[j] / f->spread[j]) * (f->sd[j] / f->spread[j]);
    }
    return DLP_OK;
}

/* lever_k (p + 1): by how much the slopes of its children move coefficient k. */
static void find_levers(const weak *w, const cli_glm_freed *f, const double *sd,
                        double *lever)
{
    const dlp_index p = w->fit->p;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k <= p; k++) {
            const double r = f->R[j * (p + 1) + k];
            if (k != j && r != 0) lever[k] = hypot(lever[k], r * sd[j]);
        }
}

/* Whether a coefficient has children, so that it depends on others. */
static bool has_levers(const weak *w, const double *lever)
{
    for (dlp_index k = 0; k < w->fit->p; k++)
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
static dlp_status state_covariance(const weak *w, const cli_glm_freed *f,
                                   const double *sd, dlp_error *error)
{
    const dlp_index p = w->fit->p;
    dlp_index *at = calloc((size_t)p, sizeof *at);
    double *Sigma = calloc((size_t)p, (size_t)p * sizeof *Sigma);
    w->fit->prior_covariance = Sigma;
    for (dlp_index j = 0; at && Sigma && j < p; j++)
        add_column(p, f->R + j * (p + 1), sd[j], at, Sigma);
    for (dlp_index j = 0; at && Sigma && j < p; j++) {
        state(w, j, sqrt(Sigma[j * (p + 1)]));
        if (w->fit->own_prior[j].sd < DLP_GLM_LARGEST) continue;
        free(at);
        return dlp_fail(error, DLP_EINPUT,
                        "the numbers of '%.80s' and of its products are too far apart to "
                        "compute with; use other units, or scale() in the formula",
                        w->fit->column[j]);
    }
    free(at);
    return at && Sigma ? DLP_OK : no_memory(error);
}

/* sd (p): of the coefficients of freed columns. */
static dlp_status state_freed(const weak *w, const cli_glm_freed *f, double *sd,
                              double *lever, dlp_error *error)
{
    const dlp_index p = w->fit->p;
    for (dlp_index j = 0; j < p; j++)
        sd[j] = cli_glm_stands_in(&w->level, j) ? w->level_sd : sd_for(w, f->spread[j]);
    find_levers(w, f, sd, lever);
    if (w->level.first == p) state_level(w, p, lever[p]);
    if (w->joint && has_levers(w, lever)) return state_covariance(w, f, sd, error);
    for (dlp_index j = 0; j < p; j++) state(w, j, hypot(sd[j], LEVEL * lever[j]));
    return DLP_OK;
}

static dlp_status state_related(weak *w, const dlpi_margins *margins, dlp_error *error)
{
    const size_t p = (size_t)w->fit->p;
    double count, *sd = calloc(2 * p + 1, sizeof *sd);
    cli_glm_freed freed;
    if (!sd) return no_memory(error);
    dlp_status status =
        cli_glm_free_columns(w->data, w->rows->design, margins, &w->level, &freed, error);
    if (status == DLP_OK) status = count_freed(w, &freed, &count, error);
    if (status == DLP_OK) {
        state_spread(w, count);
        status = state_freed(w, &freed, sd, sd + p, error);
    }
    if (status == DLP_OK && is_turned(w) && w->fit->prior_covariance) {
        w->rows->freed = freed.R;
        w->rows->freed_sd = sd;
        freed.R = sd = NULL;
    }
    cli_glm_freed_clear(&freed);
    free(sd);
    return status;
}

/* ---- columns that have no parents but the intercept ---- */

/* Leaves the centre and the spread of each column in the place of its prior, and finds as
   how many columns they count: of an indicator, whose spread is the distance of its values,
   the variance is less than its square. *farthest is that of the centres from 0, in sds. */
static dlp_status measure(const weak *w, double *count, double *farthest,
                          dlp_error *error)
{
    const dlp_index level = w->level.n > 0 ? w->level.first : -1;
    *count = *farthest = 0;
    for (dlp_index j = 0; j < w->fit->p; j++) {
        double sd;
        cli_glm_prior *of = &w->fit->own_prior[j];
        cli_glm_measure(w->data, j, level, &of->mean, &of->sd, &sd);
        if (j == level) continue;
        *count += (sd / of->sd) * (sd / of->sd);
        if (of->mean == 0) continue;
        CLI_TRY(check_digits(w, j, sd, hypot(of->mean, sd), error));
        *farthest = fmax(*farthest, fabs(of->mean) / sd);
    }
    return DLP_OK;
}

/* The intercept is level - sum_j centre_j beta_j: Sigma_0, with the centre of each column
   in the place of its prior's mean. */
static dlp_status relate_intercept(const weak *w, double lever, dlp_error *error)
{
    const dlp_index p = w->fit->p, at = w->level.first;
    double *Sigma = calloc((size_t)p, (size_t)p * sizeof *Sigma);
    w->fit->prior_covariance = Sigma;
    if (!Sigma) return no_memory(error);
    state(w, at, hypot(w->level_sd, lever));
    for (dlp_index j = 0; j < p; j++) {
        cli_glm_prior *of = &w->fit->own_prior[j];
        Sigma[j * (p + 1)] = of->sd * of->sd;
        if (j != at) Sigma[at * p + j] = Sigma[j * p + at] = -of->mean * of->sd * of->sd;
        of->mean = 0;
    }
    return DLP_OK;
}

static dlp_status state_plain(weak *w, const dlpi_margins *margins, dlp_error *error)
{
    double count, farthest, lever = 0;
    CLI_TRY(measure(w, &count, &farthest, error));
    if (farthest > FAR && w->joint) return state_related(w, margins, error);
    state_spread(w, count);
    for (dlp_index j = 0; j < w->fit->p; j++) {
        if (cli_glm_stands_in(&w->level, j)) continue;
        const double centre = w->fit->own_prior[j].mean;
        state(w, j, sd_for(w, w->fit->own_prior[j].sd));
        lever = hypot(lever, centre * w->fit->own_prior[j].sd);
        w->fit->own_prior[j].mean = centre;
    }
    if (is_turned(w) && lever > 0) return relate_intercept(w, lever, error);
    for (dlp_index j = 0; j < w->fit->p; j++) w->fit->own_prior[j].mean = 0;
    if (w->level.n > 0) state_level(w, w->level.first, lever);
    return DLP_OK;
}

/* ---- the whole ---- */

static void find_unit(weak *w)
{
    double centre = 0;
    w->unit = 1;
    if (!strcmp(w->fit->link, "identity"))
        cli_glm_measure_response(w->data, w->level.n > 0 ? w->level.first : -1, &centre,
                                 &w->unit);
    w->level_sd = LEVEL * hypot(centre, w->unit);
}

dlp_status cli_glm_weak_prior(bool all_weak, cli_glm_rows *rows, cli_glm_fit *fit,
                              dlp_error *error)
{
    weak w = {.data = &rows->data,
              .rows = rows,
              .level = cli_glm_stand_in_of(&rows->data, rows->design, fit),
              .fit = fit};
    w.joint = all_weak && w.level.n > 0 && fit->prior_df == 0;
    dlpi_margins margins;
    fit->own_prior = calloc((size_t)fit->p + 1, sizeof *fit->own_prior);
    if (!fit->own_prior) return no_memory(error);
    find_unit(&w);
    dlp_status status = dlpi_margins_find(rows->design, &margins, error);
    if (status == DLP_OK) {
        const bool parents = margins.begin[margins.terms] > 0 || w.level.term >= 0;
        status = w.level.n > 0 && parents ? state_related(&w, &margins, error)
                                          : state_plain(&w, &margins, error);
    }
    dlpi_margins_clear(&margins);
    return status;
}

dlp_status cli_glm_free_products(cli_glm_rows *rows, const cli_glm_fit *fit,
                                 dlp_error *error)
{
    const cli_glm_stand_in level = cli_glm_stand_in_of(&rows->data, rows->design, fit);
    dlpi_margins margins;
    cli_glm_freed freed = {.R = NULL};
    dlp_status status = dlpi_margins_find(rows->design, &margins, error);
    const bool products = status == DLP_OK && margins.begin[margins.terms] > 0 &&
                          level.n > 0 && level.first < fit->p;
    if (products)
        status = cli_glm_free_columns(&rows->data, rows->design, &margins, &level, &freed,
                                      error);
    if (status == DLP_OK) {
        rows->freed = freed.R;
        rows->freed_sd = freed.sd;
        freed.R = freed.sd = NULL;
    }
    cli_glm_freed_clear(&freed);
    dlpi_margins_clear(&margins);
    return status;
}
