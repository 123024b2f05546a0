/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/glm_sites.h"

#include "glm/integrate/student_tilt.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;

/* ---- what the Gaussians say about the coefficients ---- */

/* P += X'diag(a) X, h += X'(b - a offset) */
static double add_sites(void *model, const double *mu, const double *a, const double *b,
                        double *P, double *h)
{
    dlp_glm *g = ((dlpi_glm_sites *)model)->g;
    const double *offset = g->data.offset;
    double w[DLPI_TILE], rest = 0;
    for (dlp_index at = 0; at < g->data.N;
         at += DLPI_TILE, a += DLPI_TILE, b += DLPI_TILE) {
        dlpi_tile_load(g, mu, at);
        for (dlp_index i = 0; i < g->rows.n; i++) {
            const double o = offset ? offset[at + i] : 0;
            w[i] = b[i] - a[i] * o;
            rest += o * (b[i] - 0.5 * a[i] * o);
        }
        dlpi_tile_add_xwx(g, at, a, P);
        dlpi_tile_add_xw(g, at, w, h, 1);
    }
    return rest;
}

static double add_prior(void *model, double *P, double *h)
{
    return dlpi_prior_add_natural(&((dlpi_glm_sites *)model)->prior, P, h);
}

/* ---- rows ---- */

static dlp_index project(void *model, const double *mu, const double *C, dlp_index first,
                         double *eta, double *variance)
{
    dlp_glm *g = ((dlpi_glm_sites *)model)->g;
    dlpi_tile_load(g, mu, first);
    dlpi_tile_variances(g, first, C, variance);
    memcpy(eta, g->rows.eta, (size_t)g->rows.n * sizeof *eta);
    return g->rows.n;
}

static double weight_of(const void *model, dlp_index n)
{
    const dlp_glm_data *d = &((const dlpi_glm_sites *)model)->g->data;
    return d->weight ? d->weight[n] : 1;
}

static dlpi_row_tilt *select_row(dlpi_glm_sites *s, dlp_index n)
{
    const dlp_glm_data *d = &s->g->data;
    const double weight = weight_of(s, n);
    dlpi_row_tilt_take(&s->tilt, s->g->family, s->g->held_tau, d->y[n],
                       dlpi_second_of(s->g->family, d->y, d->trials, n), d->df,
                       weight / fmax(weight, 1));
    return &s->tilt;
}

static double log_density(void *model, dlp_index n, double eta)
{
    return dlpi_row_tilt_at(select_row(model, n), eta);
}

static bool tilt(void *model, dlp_index n, double m, double v, double *mode,
                 dlpi_tilted *tilted)
{
    const dlpi_glm_sites *s = model;
    const dlp_glm_data *d = &s->g->data;
    if (!s->g->family->of->df)
        return dlpi_row_tilt_moments(select_row(model, n), m, v, mode, tilted);
    return dlpi_student_tilt(d->y[n], s->g->held_tau, d->df, fmin(weight_of(s, n), 1), m,
                             v, tilted);
}

/* The densities of a gaussian response are Gaussians of eta times a constant. */
static double exact(void *model, double *a, double *b)
{
    const dlp_glm *g = ((dlpi_glm_sites *)model)->g;
    const double tau = g->held_tau;
    double rest = 0;
    for (dlp_index n = 0; n < g->data.N; n++) {
        const double weight = weight_of(model, n), y = g->data.y[n];
        a[n] = weight * exp(-2 * tau);
        b[n] = a[n] * y;
        rest -= weight * (tau + 0.5 * LOG_2_PI) + 0.5 * b[n] * y;
    }
    return rest;
}

/* ---- starts ---- */

/* The Gaussian that has the row's slope and curvature at eta = x'beta:
   exp(l_e (eta' - eta) + l_ee (eta' - eta)^2 / 2). */
static void expand_rows(dlp_glm *g, const double *beta, double *a, double *b,
                        double *mode)
{
    const dlpi_rows *r = &g->rows;
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, beta, at);
        dlpi_tile_evaluate(g, g->held_tau, 2);
        for (dlp_index i = 0; i < r->n; i++) {
            a[at + i] = fmax(-r->l_ee[i], 0);
            b[at + i] = r->l_e[i] + a[at + i] * r->eta[i];
            mode[at + i] = r->eta[i];
        }
    }
}

static void start(void *model, const double *beta, double *a, double *b, double *mode)
{
    dlpi_glm_sites *s = model;
    const dlpi_prior *stated = &s->g->prior;
    if (beta && !s->type.exact) expand_rows(s->g, beta, a, b, mode);
    memcpy(s->prior.mean, stated->mean, (size_t)stated->n * sizeof *stated->mean);
    if (s->type.update_prior) dlpi_student_sites_start(&s->student, stated, &s->prior);
}

static double update_prior(void *model, const double *mu, const double *C,
                           double *mismatch)
{
    dlpi_student_sites *student = &((dlpi_glm_sites *)model)->student;
    dlpi_student_sites_update(student, mu, C);
    *mismatch = student->mismatch;
    return student->log_ratio;
}

/* ---- a student response by bounds ---- */

static double bound(void *model, dlp_index n, double mean, double variance, double *a,
                    double *b)
{
    dlpi_glm_sites *s = model;
    const dlp_glm_data *d = &s->g->data;
    const double y = d->y[n], from_offset = y - (d->offset ? d->offset[n] : 0);
    const double before = *a,
                 log_p = dlpi_student_bound(y, s->g->held_tau, d->df, weight_of(s, n),
                                            mean, variance, a);
    *b = *a * y;
    /* dg/deta = a (y - eta), with the a before */
    return log_p - 0.5 * before * (y - mean) * (from_offset - (y - mean));
}

/* At first all rows say equally much. */
static void start_bounds(void *model, double *a, double *b)
{
    dlpi_glm_sites *s = model;
    const dlp_glm_data *d = &s->g->data;
    start(model, NULL, a, b, NULL);
    for (dlp_index n = 0; n < d->N; n++) {
        a[n] = weight_of(s, n) * exp(-2 * s->g->held_tau);
        b[n] = a[n] * d->y[n];
    }
}

/* ---- memory ---- */

bool dlpi_glm_sites_fit(const dlp_glm *g)
{
    bool fits = g->family->evaluate && (!g->family->bumpy || g->family->of->df) &&
                !g->family->positive && !g->xi && g->data.p > 0;
    for (dlp_index j = 0; fits && !g->prior.precision && j < g->data.p; j++)
        fits = g->prior.df[j] == 0 || g->prior.df[j] > 2;
    return fits;
}

dlp_status dlpi_glm_sites_alloc(dlpi_glm_sites *s, dlp_glm *g, dlp_error *error)
{
    const bool gaussian = dlpi_is_gaussian(g->family->of),
               student = dlpi_student_sites_any(&g->prior);
    s->g = g;
    s->type = (dlpi_sites_type){.add_sites = add_sites,
                                .add_prior = add_prior,
                                .project = project,
                                .weight = weight_of,
                                .log_density = log_density,
                                .tilt = tilt,
                                .start = start,
                                .exact = gaussian ? exact : NULL,
                                .widens = g->family->bumpy,
                                .bound = bound,
                                .start_bounds = start_bounds,
                                .update_prior = student ? update_prior : NULL};
    return dlpi_prior_take(&s->prior, &g->prior, g->data.p, error);
}

void dlpi_glm_sites_free(dlpi_glm_sites *s)
{
    dlpi_prior_free(&s->prior);
}
