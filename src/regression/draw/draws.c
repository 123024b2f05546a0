/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/draw/draws.h"

#include "core/core.h"
#include "core/settings.h"
#include "glm/predict/predict.h"
#include "infer/listener.h"
#include "io/draws_text.h"
#include "math/symmetric/structure.h"
#include "regression/written.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024, LAST_GROUP = 1 << 28 };

void dlp_draws_settings_init(dlp_draws_settings *settings, size_t size)
{
    const dlp_draws_settings defaults = {.size = sizeof defaults, .n = 1000, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- columns ---- */

dlp_status dlpi_drawing_room(dlpi_drawing *d, dlp_index columns, dlp_error *error)
{
    d->name = dlpi_pool_take(&d->pool, columns, sizeof *d->name);
    d->value = dlpi_pool_take(&d->pool, dlpi_size(columns, d->s.n, 0), sizeof *d->value);
    if (!d->name || !d->value) return dlpi_no_memory(error, "the draws");
    d->room = columns;
    d->draws.name = d->name;
    d->draws.value = d->value;
    return DLP_OK;
}

double *dlpi_drawing_column(dlpi_drawing *d, const char *name)
{
    const dlp_index i = d->draws.columns;
    if (i >= d->room) return NULL;
    d->name[i] = dlpi_pool_copy(&d->pool, name, strlen(name));
    if (!d->name[i]) return NULL;
    d->draws.columns++;
    return d->value + i * d->s.n;
}

double dlpi_margin_at(const dlp_margin *m, double z)
{
    const double end = 1.959963984540054;
    if (isnan(m->lower) || isnan(m->upper)) return m->mean;
    return m->median + z * (z < 0 ? m->median - m->lower : m->upper - m->median) / end;
}

double dlpi_positive_at(const dlp_margin *m, double z)
{
    if (!(m->lower > 0)) return fmax(dlpi_margin_at(m, z), 0);
    const dlp_margin logs = {.mean = log(m->mean),
                             .lower = log(m->lower),
                             .median = log(m->median),
                             .upper = log(m->upper)};
    return exp(dlpi_margin_at(&logs, z));
}

static double log_odds(double x)
{
    return log(x) - log1p(-x);
}

/* The margin with each of its numbers as f says. */
static dlp_margin margin_on(const dlp_margin *m, double (*f)(double))
{
    return (dlp_margin){.mean = f(m->mean),
                        .lower = f(m->lower),
                        .median = f(m->median),
                        .upper = f(m->upper)};
}

double dlpi_within_at(const dlp_margin *m, dlp_range range, double z)
{
    if (range == DLP_RANGE_REAL) return dlpi_margin_at(m, z);
    if (range == DLP_RANGE_POSITIVE) return dlpi_positive_at(m, z);
    const bool share = range == DLP_RANGE_SHARE;
    const dlp_margin on = margin_on(m, share ? log_odds : atanh);
    if (!isfinite(on.lower) || !isfinite(on.upper)) /* an end of the range is reached */
        return fmin(fmax(dlpi_margin_at(m, z), share ? 0 : -1), 1);
    const double x = dlpi_margin_at(&on, z);
    return share ? dlp_logistic(x) : tanh(x);
}

/* ---- cut points ---- */

dlp_margin *dlpi_normal_cuts(const dlp_regression_result *r, struct dlpi_pool *pool)
{
    const dlp_index n = r->n, p = r->p;
    if (!r->margin || r->family->support != DLP_SUPPORT_ORDERED) return NULL;
    dlp_margin *cut = dlpi_pool_take(pool, n - p, sizeof *cut);
    return cut && dlpi_cut_points(n, n - p, r->mu + p, r->Sigma + p * (n + 1), cut)
               ? cut
               : NULL;
}

double dlpi_margin_place(const dlp_margin *m, double x)
{
    const double end = 1.959963984540054, off = x - m->median,
                 half = off < 0 ? m->median - m->lower : m->upper - m->median;
    return half > 0 ? end * off / half : 0;
}

double dlpi_cut_at(const dlp_regression_result *r, const dlp_margin *normal, dlp_index j,
                   const double *theta)
{
    double raw = 0, cut = -INFINITY;
    for (dlp_index i = 0; i <= j; i++) {
        raw += i == 0 ? theta[r->p] : exp(theta[r->p + i]);
        cut = fmax(cut, dlpi_margin_at(&r->margin[r->p + i],
                                       dlpi_margin_place(&normal[i], raw)));
    }
    return cut;
}

dlp_status dlpi_drawing_tell(const dlpi_drawing *d, const char *unit, dlp_index done,
                             dlp_index total, dlp_error *error)
{
    const dlp_progress now = dlpi_progress_count("drawing", unit, done, total);
    if (!d->s.progress || !d->s.progress(d->s.context, &now)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "%s", dlp_status_string(DLP_ECANCELLED));
}

/* ---- the engine's parameters ---- */

/* theta ~ N(mu, Sigma), Sigma = LL' */
static void draw_group(dlpi_drawing *d, dlp_index m, double *L, double *z)
{
    const dlp_regression_result *r = &d->of->result;
    const dlp_index n = r->n;
    memcpy(L, r->Sigma + m * n * n, (size_t)(n * n) * sizeof *L);
    dlpi_root(n, L);
    dlp_rng rng = dlp_rng_at(d->s.seed, (uint64_t)m);
    for (dlp_index k = 0; k < d->s.n; k++) {
        double *theta = d->theta + (m * d->s.n + k) * n;
        for (dlp_index i = 0; i < n; i++) {
            z[i] = dlp_draw_normal(&rng);
            theta[i] = r->mu[m * n + i];
            for (dlp_index j = 0; j <= i; j++) theta[i] += L[i * n + j] * z[j];
        }
    }
}

dlp_status dlpi_draw_theta(dlpi_drawing *d, dlp_error *error)
{
    const dlp_regression_result *r = &d->of->result;
    const dlp_index n = r->n;
    if (d->of->scales) return dlpi_draw_points(d, error);
    double *L = dlpi_calloc(dlpi_size(n, n, n), sizeof *L);
    d->theta = dlpi_calloc(dlpi_size(r->M, dlpi_size(d->s.n, n, 0), 0), sizeof *d->theta);
    if (!L || !d->theta) {
        free(L);
        return dlpi_no_memory(error, "the draws");
    }
    dlp_status status = DLP_OK;
    for (dlp_index m = 0; status == DLP_OK && m < r->M; m++) {
        draw_group(d, m, L, L + n * n);
        status = dlpi_drawing_tell(d, "groups", m, r->M, error);
    }
    free(L);
    return status;
}

/* ---- parameters as users see them ---- */

static double natural(const dlpi_drawing *d, const dlp_parameter *q, dlp_index i,
                      const double *theta)
{
    const dlp_regression_result *r = &d->of->result;
    if (d->cut && q->kind == DLP_CUT_POINT)
        return dlpi_cut_at(r, d->cut, i - r->p, theta);
    if (dlpi_is_written(r, i)) return dlpi_written_value(r, i, theta);
    /* bending the margins of two correlated coefficients separately would destroy their
       correlation */
    if (q->kind == DLP_COEFFICIENT && r->grouping != DLP_MIXED) return theta[i];
    if (r->margin && (!d->scale || q->kind == DLP_CUT_POINT)) {
        const double sd = sqrt(r->Sigma[i * (r->n + 1)]);
        const double z = sd > 0 ? (theta[i] - r->mu[i]) / sd : 0;
        return q->kind == DLP_SCALE ? dlpi_positive_at(&r->margin[i], z)
                                    : dlpi_margin_at(&r->margin[i], z);
    }
    if (q->kind == DLP_SCALE) return exp(theta[i]);
    if (q->kind != DLP_CUT_POINT) return theta[i];
    double cut = theta[r->p];
    for (dlp_index j = r->p + 1; j <= i; j++) cut += exp(theta[j]);
    return cut;
}

static dlp_status add_parameters(dlpi_drawing *d, dlp_index m, const dlp_parameter *q,
                                 dlp_error *error)
{
    const dlp_index n = d->of->result.n;
    const char *group = dlp_regression_group(d->of, m);
    for (dlp_index i = 0; i < n; i++) {
        char name[NAME], whole[2 * NAME];
        dlp_parameter_name(&q[i], name, sizeof name);
        snprintf(whole, sizeof whole, group ? "%s[%s]" : "%s", name, group);
        double *value = dlpi_drawing_column(d, whole);
        if (!value) return dlpi_no_memory(error, "the draws");
        for (dlp_index k = 0; k < d->s.n; k++)
            value[k] = natural(d, &q[i], i, d->theta + (m * d->s.n + k) * n);
    }
    return DLP_OK;
}

static dlp_status draw_parameters(dlpi_drawing *d, dlp_error *error)
{
    const dlp_regression_result *r = &d->of->result;
    dlp_parameter *q = dlpi_calloc(r->n, sizeof *q);
    d->cut = dlpi_normal_cuts(r, &d->pool);
    dlp_status status =
        q ? dlpi_drawing_room(d, dlpi_size(r->M, r->n, dlpi_count_random(d)), error)
          : dlpi_no_memory(error, "the draws");
    for (dlp_index m = 0; status == DLP_OK && m < r->M; m++) {
        status = dlp_regression_parameters(d->of, m, q, error);
        if (status == DLP_OK) status = add_parameters(d, m, q, error);
    }
    free(q);
    return status == DLP_OK ? dlpi_draw_random(d, error) : status;
}

/* ---- the whole ---- */

static dlp_status check(const dlpi_drawing *d, dlp_error *error)
{
    const dlp_draws_settings *s = &d->s;
    const dlp_regression_result *r = &d->of->result;
    if (!r->estimated)
        return dlp_fail(
            error, DLP_EINPUT,
            "the fit estimated nothing, so there is nothing to draw from; fit "
            "again, by another method");
    if (s->n < 1 || s->n > 100000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td draws are asked for; there must be 1 to 100,000,000", s->n);
    if ((s->what == DLP_DRAW_PARAMETERS) != !s->table)
        return dlp_fail(error, DLP_EINVAL,
                        "draws of means and responses need a table, and draws of "
                        "parameters take none");
    if (s->effects && r->grouping != DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "only a mixed model has effects of levels, and this is not one");
    return DLP_OK;
}

static dlp_status draw(dlpi_drawing *d, dlp_error *error)
{
    DLP_TRY(check(d, error));
    DLP_TRY(dlpi_draw_theta(d, error));
    return d->s.table ? dlpi_draw_rows(d, error) : draw_parameters(d, error);
}

dlp_status dlp_regression_draw(const dlp_regression *regression,
                               const dlp_draws_settings *settings, dlp_draws **draws,
                               dlp_error *error)
{
    dlp_draws_settings s = dlp_draws_settings_default();
    *draws = NULL;
    if (!regression) return dlp_fail(error, DLP_EINVAL, "draws need a regression");
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    dlpi_drawing *d = dlpi_calloc(1, sizeof *d);
    if (!d) return dlpi_no_memory(error, "the draws");
    d->of = regression;
    d->s = s;
    d->draws.n = s.n;
    const dlp_status status = draw(d, error);
    free(d->theta);
    free(d->scale);
    d->theta = d->scale = NULL;
    if (status == DLP_OK)
        *draws = &d->draws;
    else
        dlp_draws_free(&d->draws);
    return status;
}

void dlp_draws_free(dlp_draws *draws)
{
    dlpi_drawing *d = (dlpi_drawing *)(void *)draws;
    if (!d) return;
    dlpi_pool_free(&d->pool);
    free(d);
}

/* ---- files ---- */

static const char *name_at(const void *of, dlp_index i)
{
    return ((const dlp_draws *)of)->name[i];
}

const char *dlp_draws_format(int i)
{
    return dlpi_draws_format(i);
}

dlp_status dlp_draws_save(const dlp_draws *draws, const char *format, const char *path,
                          dlp_error *error)
{
    const dlpi_draws_table table = {.columns = draws->columns,
                                    .draws = draws->n,
                                    .name = name_at,
                                    .of = draws,
                                    .value = draws->value};
    return dlpi_draws_save(&table, format, path, error);
}
