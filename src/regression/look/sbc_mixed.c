/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A replicate of a mixed model: scales from their priors, effects of levels given these, then
 * responses and a fit. Correlations of effects are LKJ's, built from partial ones:
 * Lewandowski, Kurowicka & Joe, 2009.
 */
#include "core/core.h"
#include "glm/families/location_scale.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"
#include "regression/check/mixed_target.h"
#include "regression/draw/scale_points.h"
#include "regression/look/sbc.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double END = 1.959963984540054; /* the upper end of the middle 95 % */

/* ---- what is ranked: coefficients, the scale, then sds and correlations ---- */

dlp_index dlpi_sbc_count(const dlp_regression *r)
{
    dlp_index count = r->result.n;
    dlpi_scale_place at = {0};
    dlpi_scale scale;
    if (r->result.grouping != DLP_MIXED) return count;
    while (dlpi_scale_next(&r->result, &at, &scale)) count++;
    return count;
}

bool dlpi_sbc_name(const dlp_regression *r, dlp_index i, char *out, size_t room)
{
    const dlp_index n = r->result.n, p = r->result.p;
    dlpi_scale_place at = {0};
    dlpi_scale scale = {{0}, NULL, false, NULL};
    dlp_parameter *q = i < n ? dlpi_calloc(n, sizeof *q) : NULL;
    dlp_status status = q || i >= n ? DLP_OK : DLP_ENOMEM;
    snprintf(out, room, "parameter %td", i + 1);
    for (dlp_index k = n; k <= i && dlpi_scale_next(&r->result, &at, &scale); k++)
        if (k == i) snprintf(out, room, "%s", scale.name);
    const bool ordered = r->result.family->support == DLP_SUPPORT_ORDERED;
    if (ordered && i > p && i < n) {
        snprintf(out, room, "log gap %td", i - p);
    } else if (q) {
        status = dlp_regression_parameters(r, 0, q, NULL);
        if (status == DLP_OK) dlp_parameter_name(&q[i], out, room);
    }
    free(q);
    return status != DLP_ENOMEM;
}

dlp_status dlpi_sbc_check_mixed(const dlp_regression_result *r, dlp_error *error)
{
    for (dlp_index t = 0; t < r->n_random; t++)
        if (r->random[t].process)
            return dlp_fail(error, DLP_EINVAL,
                            "calibration cannot draw from processes, and %s is one",
                            r->random[t].label);
    return DLP_OK;
}

/* ---- scales ---- */

static double draw_sd(const dlp_sd_prior *prior, dlp_rng *rng)
{
    switch (prior->distribution) {
    case DLP_SD_HALF_T: return prior->b * fabs(dlpi_draw_student(rng, prior->a));
    case DLP_SD_HALF_NORMAL: return prior->a * fabs(dlp_draw_normal(rng));
    case DLP_SD_EXPONENTIAL: return -log(dlp_draw_uniform(rng)) / prior->a;
    case DLP_SD_UNIFORM: return prior->a + (prior->b - prior->a) * dlp_draw_uniform(rng);
    case DLP_SD_LOG_NORMAL: return exp(prior->a + prior->b * dlp_draw_normal(rng));
    case DLP_SD_FIXED: break;
    }
    return prior->a;
}

/* On (-1, 1), with density proportional to (1 - r^2)^(beta - 1) */
static double draw_partial(dlp_rng *rng, double beta)
{
    const double a = dlp_draw_gamma(rng, beta), b = dlp_draw_gamma(rng, beta);
    return a + b > 0 ? (a - b) / (a + b) : 0;
}

/* The lower factor L (q, q) of a correlation matrix: row i from partial correlations given the
   effects before. */
static void draw_correlations(dlp_rng *rng, dlp_index q, double eta, double *L)
{
    memset(L, 0, (size_t)(q * q) * sizeof *L);
    for (dlp_index i = 0; i < q; i++) {
        double left = 1;
        for (dlp_index j = 0; j < i; j++) {
            const double r = draw_partial(rng, eta + 0.5 * (double)(q - 2 - j));
            L[i * q + j] = r * sqrt(left);
            left -= L[i * q + j] * L[i * q + j];
        }
        L[i * q + i] = sqrt(fmax(left, 0));
    }
}

/* ---- a replicate ---- */

typedef struct drawn_model {
    dlpi_sbc_work *w;
    dlpi_mixed_target mixed;
    double *eta;     /* (N) */
    double *theta;   /* (n) */
    double *L;       /* (q, q) the factor for the current term, times sds */
    double *z, *b;   /* (q) */
    dlp_index next;  /* the next place in w->drawn */
    dlpi_target own; /* what is fitted, which `mixed` refers to until it is cleared */
} drawn_model;

static void add_level(const drawn_model *m, const dlp_random *random, const double *b,
                      dlp_index level)
{
    for (dlp_index i = 0; i < m->w->target->data.N; i++)
        for (dlp_index k = 0; random->code[i] == level && k < random->q; k++)
            m->eta[i] += random->x[k][i] * b[k];
}

/* sds first, then correlations of effects 0 and 1, 0 and 2, 1 and 2: as scale_points.h. */
static void draw_term(drawn_model *m, const dlp_random_effects *e,
                      const dlp_random *random)
{
    const dlp_index q = e->q;
    double *scale = m->w->drawn + m->next;
    for (dlp_index k = 0; k < q; k++) scale[k] = draw_sd(&e->prior[k], &m->w->rng);
    draw_correlations(&m->w->rng, q, e->lkj, m->L);
    m->next += q;
    for (dlp_index k = 1; k < q; k++)
        for (dlp_index j = 0; j < k; j++)
            m->w->drawn[m->next++] = dlpi_dot(j + 1, m->L + k * q, m->L + j * q);
    for (dlp_index level = 0; level < e->levels; level++) {
        for (dlp_index k = 0; k < q; k++) m->z[k] = dlp_draw_normal(&m->w->rng);
        for (dlp_index k = 0; k < q; k++)
            m->b[k] = scale[k] * dlpi_dot(k + 1, m->L + k * q, m->z);
        add_level(m, random, m->b, level);
    }
}

static void draw_smooth(drawn_model *m, dlp_index s)
{
    const dlpi_mixed_smooth *of = &m->mixed.smooth[s];
    const double sd = draw_sd(&m->w->target->of->result.smooth[s].prior, &m->w->rng);
    m->w->drawn[m->next++] = sd;
    for (dlp_index j = 0; j < of->n; j++)
        m->w->drawn[of->first + j] = m->theta[of->first + j] =
            sd * dlp_draw_normal(&m->w->rng);
}

static dlp_status draw_model(drawn_model *m, dlp_error *error)
{
    const dlpi_target *t = m->w->target;
    const dlp_regression_result *r = &t->of->result;
    const dlp_index N = t->data.N, p = t->data.p;
    DLP_TRY(dlpi_draw_prior(m->mixed.glm, &m->w->rng, m->theta, error));
    memcpy(m->w->drawn, m->theta, (size_t)r->n * sizeof *m->theta);
    m->next = r->n;
    for (dlp_index s = 0; s < r->n_random; s++)
        draw_term(m, &r->random[s], &t->design->random[s]);
    for (dlp_index s = 0; s < r->n_smooths; s++) draw_smooth(m, s);
    bool possible = true;
    for (dlp_index i = 0; possible && i < N; i++) {
        double eta = m->eta[i] + (t->data.offset ? t->data.offset[i] : 0);
        for (dlp_index j = 0; j < p; j++) eta += m->theta[j] * t->data.x[j][i];
        possible = dlpi_sbc_respond(m->w, m->mixed.glm->family, i, eta,
                                    r->family->scale ? m->theta[p] : 0, t->data.df);
    }
    return possible ? DLP_OK
                    : dlp_fail(error, DLP_EINPUT, "responses that cannot be fitted");
}

/* Where x lies in a margin as a normal quantile: see dlpi_margin_at. */
static double place_in(double x, double lower, double median, double upper)
{
    const double off = x - median, far = 9,
                 z = END * off / (off < 0 ? median - lower : upper - median);
    return off == 0 ? 0 : fmin(fmax(z, -far), far);
}

static double place_of(const dlp_margin *m, bool positive, double x)
{
    return positive && m->lower > 0 && x > 0
               ? place_in(log(x), log(m->lower), log(m->median), log(m->upper))
               : place_in(x, m->lower, m->median, m->upper);
}

static void rank(const drawn_model *m, const dlpi_mixed_result *found)
{
    const dlp_index n = m->w->target->of->result.n, p = m->w->target->data.p;
    const double *drawn = m->w->drawn;
    double *z = m->w->z;
    for (dlp_index j = 0; j < n; j++)
        z[j] = place_of(&found->margin[j], j == p, j == p ? exp(drawn[j]) : drawn[j]);
    dlp_index at = n;
    for (dlp_index t = 0; t < found->n_terms; t++) {
        const dlpi_mixed_effects *e = &found->effects[t];
        for (dlp_index k = 0; k < e->q; k++, at++)
            z[at] = place_of(&e->sd[k], true, drawn[at]);
        for (dlp_index k = 0; k < e->q * (e->q - 1) / 2; k++, at++)
            z[at] = place_of(&e->correlation[k], false, drawn[at]);
    }
}

static dlp_status run(drawn_model *m, dlp_error *error)
{
    m->own = *m->w->target;
    DLP_TRY(dlpi_mixed_target_make(m->w->target, false, &m->mixed, error));
    DLP_TRY(draw_model(m, error));
    m->own.data.y = m->w->y;
    if (m->own.data.trials) m->own.data.trials = m->w->trials;
    dlpi_mixed_target_clear(&m->mixed);
    DLP_TRY(dlpi_mixed_target_make(&m->own, false, &m->mixed, error));
    dlpi_mixed_result found;
    dlpi_listener listener = {.call = NULL};
    const dlp_status status = dlpi_mixed_target_result(&m->mixed, NULL, 1, &listener,
                                                       NULL, NULL, &found, error);
    if (status == DLP_OK) rank(m, &found);
    dlpi_mixed_result_clear(&found);
    return status;
}

dlp_status dlpi_sbc_mixed(dlpi_sbc_work *w, dlp_error *error)
{
    const dlp_regression_result *r = &w->target->of->result;
    dlp_index q = 1;
    if (dlp_family_has_levels(r->family))
        return dlp_fail(error, DLP_EINVAL,
                        "this does not work yet for mixed models with an ordinal or "
                        "multinomial response");
    for (dlp_index t = 0; t < r->n_random; t++)
        if (r->random[t].q > q) q = r->random[t].q;
    double *room = dlpi_calloc(w->target->data.N + r->n + q * (q + 2), sizeof *room);
    if (!room) return dlpi_no_memory(error, "a replicate");
    drawn_model m = {.w = w, .eta = room, .theta = room + w->target->data.N};
    m.L = m.theta + r->n;
    m.z = m.L + q * q;
    m.b = m.z + q;
    const dlp_status status = run(&m, error);
    dlpi_mixed_target_clear(&m.mixed);
    free(room);
    return status;
}
