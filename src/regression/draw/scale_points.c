/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/draw/scale_points.h"

#include "core/core.h"
#include "io/json.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/random/process_of.h"

#include <math.h>
#include <string.h>

dlp_index dlpi_scale_numbers(const dlp_regression_result *r)
{
    dlp_index m = r->n_smooths + dlpi_own_scales(r);
    for (dlp_index t = 0; t < r->n_random; t++) {
        const dlp_random_effects *e = &r->random[t];
        m += e->q + e->q * (e->q - 1) / 2;
        if (e->process) m += dlp_basis_has_second(e->process);
    }
    return m;
}

/* ---- one by one ---- */

enum { SHORT = 256 };

void dlpi_scale_effect(const dlp_random_effects *of, dlp_index k, char *out)
{
    const char *category = of->category;
    snprintf(out, SHORT, "%s%s%s", category ? category : "", category ? ": " : "",
             of->name[k]);
}

/* What a process has besides its sd, or NULL. */
static const char *second_name(const dlp_random_effects *of)
{
    if (!of->process) return NULL;
    return of->process->kind == DLP_BASIS_AR1    ? "cor"
           : of->process->kind == DLP_BASIS_BYM2 ? "share"
                                                 : NULL;
}

/* The next number of a term: the sds, then the correlations 0 1, 0 2, 1 2, ..., then the
   second number; false at its end. */
static bool next_of_term(const dlp_random_effects *of, dlpi_scale_place *at,
                         dlpi_scale *to)
{
    const dlp_index q = of->q, k = at->effect - q + 1; /* of the correlations */
    char effect[SHORT], other[SHORT];
    if (at->effect < q) {
        dlpi_scale_effect(of, at->effect, effect);
        *to = (dlpi_scale){.margin = &of->sd[at->effect], .is_sd = true};
        snprintf(to->name, sizeof to->name, "sd(%s: %s)", of->group, effect);
        at->effect++;
        return true;
    }
    *to = (dlpi_scale){.margin = NULL};
    if (k < q) {
        dlpi_scale_effect(of, at->other, effect);
        dlpi_scale_effect(of, k, other);
        snprintf(to->name, sizeof to->name, "cor(%s: %s; %s)", of->group, effect, other);
        to->margin = &of->correlation[k * (k - 1) / 2 + at->other];
        if (++at->other == k) at->effect++, at->other = 0;
        return true;
    }
    if (k > q || !second_name(of)) return false;
    const char *of_level = of->category;
    snprintf(to->name, sizeof to->name, "%s(%s%s%s)", second_name(of), of->group,
             of_level ? ": " : "", of_level ? of_level : "");
    to->margin = &of->second;
    to->process = of->process;
    at->effect++;
    return true;
}

bool dlpi_scale_next(const dlp_regression_result *r, dlpi_scale_place *at, dlpi_scale *to)
{
    for (; at->term < r->n_random; at->term++, at->effect = at->other = 0)
        if (next_of_term(&r->random[at->term], at, to)) return true;
    const dlp_index s = at->term - r->n_random;
    if (s >= r->n_smooths) return false;
    *to = (dlpi_scale){.margin = &r->smooth[s].sd, .is_sd = true};
    snprintf(to->name, sizeof to->name, "sd(%s)", r->smooth[s].label);
    at->term++;
    return true;
}

double dlpi_scale_value(const dlpi_scale *s, double number)
{
    return s->process ? dlpi_process_second_of(s->process, number)
           : s->is_sd ? exp(number)
                      : tanh(number);
}

dlp_range dlpi_scale_range(const dlpi_scale *s)
{
    if (s->is_sd) return DLP_RANGE_POSITIVE;
    return s->process && dlpi_process_is_positive(s->process) ? DLP_RANGE_SHARE
                                                              : DLP_RANGE_CORRELATION;
}

/* ---- from a fit ---- */

typedef struct keeping {
    const dlpi_basis *basis;
    const dlp_index *place;
    const dlpi_scale_mixture *from;
    dlp_index n, p;
    double *weight;    /* (gaussians) the share of points that each has */
    double *mean, *sd; /* (gaussians, p) */
    double *mu, *one;  /* (n) */
    double *Sigma, *V; /* (n, n) */
    double *R;         /* (p, p) */
} keeping;

/* One mean and covariance in the regression's order; both are n wide. */
static void in_columns(const keeping *k, const double *mean, const double *covariance,
                       dlp_index wide, const dlp_index *place, double *m, double *S)
{
    const dlp_index n = k->n, p = k->p;
    memset(m, 0, (size_t)n * sizeof *m);
    memset(S, 0, (size_t)(n * n) * sizeof *S);
    for (dlp_index i = 0; i < p; i++) {
        const dlp_index a = place ? place[i] : i;
        m[a] = mean[i];
        for (dlp_index j = 0; j < p; j++)
            S[a * n + (place ? place[j] : j)] = covariance[i * wide + j];
    }
    dlpi_basis_mean(k->basis, m);
    dlpi_basis_covariance(k->basis, S);
}

/* The mean of the mixture becomes mu, and Sigma the part of its covariance within
   components. */
static void centre(const keeping *k)
{
    const dlp_index p = k->p, n = k->n;
    memset(k->one, 0, (size_t)n * sizeof *k->one);
    for (dlp_index i = 0; i < k->from->points; i++)
        dlpi_axpy(p, k->weight[i], k->mean + i * p, k->one);
    for (dlp_index i = 0; i < k->from->points; i++) {
        double *m = k->mean + i * p;
        for (dlp_index a = 0; a < p; a++) m[a] -= k->one[a];
        for (dlp_index a = 0; a < p; a++)
            for (dlp_index b = 0; b < p; b++)
                k->Sigma[a * n + b] -= k->weight[i] * m[a] * m[b];
        for (dlp_index a = 0; a < p; a++) m[a] += k->mu[a];
    }
}

/* R and the sds, so that sum_i w_i D_i R D_i = Sigma. */
static void find_correlations(const keeping *k)
{
    const dlp_index p = k->p, n = k->n;
    double *by = k->one;
    for (dlp_index a = 0; a < p; a++) {
        double own = 0;
        for (dlp_index i = 0; i < k->from->points; i++)
            own += k->weight[i] * k->sd[i * p + a] * k->sd[i * p + a];
        const double within = k->Sigma[a * (n + 1)];
        by[a] = within > 0 && own > 0 ? sqrt(within / own) : 1;
    }
    for (dlp_index i = 0; i < k->from->points; i++)
        for (dlp_index a = 0; a < p; a++) k->sd[i * p + a] *= by[a];
    for (dlp_index a = 0; a < p; a++)
        for (dlp_index b = 0; b < p; b++) {
            double sum = 0;
            for (dlp_index i = 0; i < k->from->points; i++)
                sum += k->weight[i] * k->sd[i * p + a] * k->sd[i * p + b];
            const double r = sum > 0 ? k->Sigma[a * n + b] / sum : 0;
            k->R[a * p + b] = a == b ? 1 : fmin(fmax(r, -1), 1);
        }
}

static void fill(const keeping *k, const dlpi_mixed_result *found)
{
    const dlpi_scale_mixture *from = k->from;
    const dlp_index p = k->p, n = k->n;
    for (dlp_index i = 0; i < from->n; i++)
        k->weight[from->point[i]] += 1 / (double)from->n;
    for (dlp_index i = 0; i < from->points; i++) {
        in_columns(k, from->mean + i * p, from->covariance + i * p * p, p, k->place,
                   k->one, k->V);
        memcpy(k->mean + i * p, k->one, (size_t)p * sizeof *k->mean);
        for (dlp_index a = 0; a < p; a++)
            k->sd[i * p + a] = sqrt(fmax(k->V[a * (n + 1)], 0));
    }
    in_columns(k, found->beta, found->covariance, n, NULL, k->mu, k->Sigma);
    centre(k);
    find_correlations(k);
}

dlp_status dlpi_scale_points_keep(const dlpi_basis *basis, const dlp_index *place,
                                  const dlpi_mixed_result *found, dlp_regression *out,
                                  dlp_error *error)
{
    const dlpi_scale_mixture *from = &found->scale_mixture;
    const dlp_index p = found->p, n = found->n, G = from->points;
    if (from->n == 0 || dlpi_scale_numbers(&out->result) != from->m) return DLP_OK;
    struct dlpi_scale_points *to = dlpi_pool_take(&out->pool, 1, sizeof *to);
    double *value = dlpi_pool_take(&out->pool, from->n * from->m, sizeof *value);
    int32_t *gaussian = dlpi_pool_take(&out->pool, from->n, sizeof *gaussian);
    double *mean = dlpi_pool_take(&out->pool, 2 * G * p + p * p, sizeof *mean);
    double *room = dlpi_calloc(G + 2 * n * (n + 1), sizeof *room);
    if (!to || !value || !gaussian || !mean || !room) {
        free(room);
        return dlpi_no_memory(error, "the points of the scales");
    }
    const keeping k = {.basis = basis,
                       .place = place,
                       .from = from,
                       .n = n,
                       .p = p,
                       .weight = room,
                       .mean = mean,
                       .sd = mean + G * p,
                       .R = mean + 2 * G * p,
                       .mu = room + G,
                       .one = room + G + n,
                       .Sigma = room + G + 2 * n,
                       .V = room + G + 2 * n + n * n};
    fill(&k, found);
    memcpy(value, from->value, (size_t)(from->n * from->m) * sizeof *value);
    memcpy(gaussian, from->point, (size_t)from->n * sizeof *gaussian);
    *to = (struct dlpi_scale_points){from->n, from->m, value, gaussian, G,
                                     p,       k.mean,  k.sd,  k.R};
    out->scales = to;
    free(room);
    return DLP_OK;
}

/* ---- FIT.json ---- */

/* With digits enough for draws. */
static json_t *short_at(const void *of, dlp_index i)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", ((const double *)of)[i]);
    return dlpi_json_real(strtod(text, NULL));
}

static json_t *number_at(const void *of, dlp_index i)
{
    return json_integer(((const int32_t *)of)[i]);
}

int dlpi_fit_add_scale_points(const dlp_regression *r, json_t *root)
{
    const struct dlpi_scale_points *s = r->scales;
    if (!s) return 0;
    const dlp_index size = s->gaussians * s->p;
    return json_object_set_new(
        root, "scale_points",
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "values",
                  dlpi_json_list(s->n * s->m, short_at, s->value), "gaussians",
                  dlpi_json_list(s->n, number_at, s->gaussian), "means",
                  dlpi_json_list(size, short_at, s->mean), "sds",
                  dlpi_json_list(size, short_at, s->sd), "correlations",
                  dlpi_json_list(s->p * s->p, short_at, s->R)));
}

static dlp_status wrong(const dlpi_fit_reader *r, const char *what)
{
    return dlpi_fit_wrong(r, "scale_points", what);
}

static dlp_status read_numbers(const dlpi_fit_reader *r, const json_t *of,
                               const char *key, dlp_index n, const double **out)
{
    const json_t *list = json_object_get(of, key);
    if (!dlpi_is_list(list, n)) return dlpi_fit_wrong(r, key, "as long as the others");
    double *x = dlpi_pool_take(&r->of->pool, n, sizeof *x);
    if (!x) return dlpi_no_memory_to_read(r->error, r->name);
    *out = x;
    return dlpi_fit_numbers(r, key, list, n, x);
}

static dlp_status read_gaussians(const dlpi_fit_reader *r, const json_t *list,
                                 struct dlpi_scale_points *to)
{
    int32_t *g = dlpi_pool_take(&r->of->pool, to->n, sizeof *g);
    if (!g) return dlpi_no_memory_to_read(r->error, r->name);
    to->gaussian = g;
    for (dlp_index i = 0; i < to->n; i++) {
        const json_int_t k = json_integer_value(json_array_get(list, (size_t)i));
        if (k < 0 || k >= to->gaussians) return wrong(r, "made of Gaussians that it has");
        g[i] = (int32_t)k;
    }
    return DLP_OK;
}

static dlp_status check(const dlpi_fit_reader *r, const struct dlpi_scale_points *s)
{
    bool sound = s->sd && s->R && s->value;
    if (!sound) return wrong(r, "made of sds and correlations");
    for (dlp_index i = 0; i < s->gaussians * s->p; i++) sound &= s->sd[i] >= 0;
    for (dlp_index i = 0; i < s->p * s->p; i++) sound &= fabs(s->R[i]) <= 1;
    for (dlp_index i = 0; i < s->n * s->m; i++) sound &= fabs(s->value[i]) <= 1e6;
    return sound ? DLP_OK : wrong(r, "made of sds and correlations");
}

dlp_status dlpi_fit_read_scale_points(const dlpi_fit_reader *r)
{
    const json_t *of = json_object_get(r->root, "scale_points"),
                 *gaussian = json_object_get(of, "gaussians");
    const dlp_index m = dlpi_scale_numbers(r->fit),
                    p = r->fit->n - dlpi_own_scales(r->fit);
    if (!of) return DLP_OK;
    struct dlpi_scale_points *to = dlpi_pool_take(&r->of->pool, 1, sizeof *to);
    if (!to) return dlpi_no_memory_to_read(r->error, r->name);
    *to = (struct dlpi_scale_points){
        .n = (dlp_index)json_array_size(gaussian), .m = m, .p = p};
    const dlp_index means = (dlp_index)json_array_size(json_object_get(of, "means"));
    if (to->n == 0 || p == 0 || means == 0 || means % p != 0 || means / p > INT32_MAX)
        return wrong(r, "with points and means");
    to->gaussians = means / p;
    DLP_TRY(read_numbers(r, of, "values", dlpi_size(to->n, m, 0), &to->value));
    DLP_TRY(read_numbers(r, of, "means", means, &to->mean));
    DLP_TRY(read_numbers(r, of, "sds", means, &to->sd));
    DLP_TRY(read_numbers(r, of, "correlations", dlpi_size(p, p, 0), &to->R));
    DLP_TRY(read_gaussians(r, gaussian, to));
    DLP_TRY(check(r, to));
    r->of->scales = to;
    return DLP_OK;
}
