/* SPDX-License-Identifier: BSD-3-Clause */
/* beta and the effects of all levels: a mixture over the points of psi. */
#include "core/core.h"
#include "math/dense.h"
#include "mixed/leaves/pairs.h"
#include "mixed/levels/gaps.h"
#include "mixed/result/skewness.h"
#include "mixed/result/summary.h"

#include <delaplace/special.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* A pass over the points. */
struct dlpi_effects {
    const dlpi_mixed *model;
    const dlpi_explore *e;
    dlpi_mixed_block *block; /* (threads) */
    int threads;
    dlpi_mixed_result *result;
    double kept;             /* the weight of the points that count */
    int n, most;             /* how many they are, and how many there is room for */
    int *point;              /* (n) which they are */
    double *w, *m, *S;       /* (n), (n, p), (n, p, p) of beta */
    bool failed;             /* there was no memory */
    const double *moved;     /* (n + L q) or NULL */
    double *origin;          /* (p) beta at the mode */
    double *off;             /* (n) the distance of the mean from there, with tau */
    double *shift, *stretch; /* (p) skewness.h */
    double *change; /* (4, p (p + 1)) moments of beta before and after, and room */
    double *leaves; /* (threads, size) moments of all leaves */
    double *level;  /* moments of a level that is no leaf */
    dlp_index size;
};
typedef dlpi_effects pass;

/* ---- effects ---- */

/* The width of a row: the coefficients alone, and with tau. */
typedef struct widths {
    dlp_index p, n;
} widths;

static widths widths_of(const dlpi_mixed *model)
{
    return (widths){model->rows.p, model->rows.p + model->data->scales};
}

/* Adds a level's moments at a point. Its covariances with beta are in rows (stride), and
   beta is measured from its value at the mode. At a single point tau does not vary. */
static void add_level(double weight, dlp_index q, widths w, const double *mean,
                      const double *variance, const double *with_beta, dlp_index stride,
                      const double *off, dlpi_mixed_effects *e, dlp_index level)
{
    double *m = e->mean + level * q, *V = e->variance + level * q * q,
           *B = e->with_beta + level * q * w.n;
    for (dlp_index i = 0; i < q; i++) {
        for (dlp_index j = 0; j < q; j++)
            V[i * q + j] += weight * (variance[i * q + j] + mean[i] * mean[j]);
        for (dlp_index j = 0; j < w.n; j++) B[i * w.n + j] += weight * mean[i] * off[j];
        for (dlp_index j = 0; j < w.p; j++)
            B[i * w.n + j] += weight * with_beta[i * stride + j];
        m[i] += weight * mean[i];
    }
}

/* For a process, the covariances of its nodes with the next ones. */
static void add_next(const dlpi_mixed *model, const dlpi_mixed_block *k, dlp_index o,
                     double weight, dlpi_mixed_effects *e)
{
    const dlpi_process *process = model->data->term[model->rows.term[o]].process;
    const dlp_index first = model->rows.start[o];
    for (dlp_index i = 0; i < process->entries; i++) {
        const dlp_index a = process->row[i], b = process->column[i];
        if (b != a + 1) continue;
        e->next[a] += weight * (*dlpi_mixed_entry(&k->S, first + a, first + b) +
                                k->x[first + a] * k->x[first + b]);
    }
}

/* The effects of a term that is in x. */
static void add_others(const dlpi_mixed *model, const dlpi_mixed_block *k, dlp_index o,
                       double weight, const double *beta_off, double *room,
                       dlpi_mixed_effects *e)
{
    const dlp_index n = model->rows.n, p = model->rows.p, q = e->q;
    double *variance = room, *with_beta = room + q * q;
    for (dlp_index level = 0; level < e->L; level++) {
        const dlp_index at = model->rows.start[o] + level * q;
        for (dlp_index i = 0; i < q; i++) {
            for (dlp_index j = 0; j < q; j++)
                variance[i * q + j] = *dlpi_mixed_entry(&k->S, at + i, at + j);
            for (dlp_index j = 0; j < p; j++)
                with_beta[i * p + j] = *dlpi_mixed_entry(&k->S, at + i, n - p + j);
        }
        add_level(weight, q, widths_of(model), k->x + at, variance, with_beta, p,
                  beta_off, e, level);
    }
    if (e->next) add_next(model, k, o, weight, e);
}

/* The leaves, whose moments are in room. */
static void add_leaves(const dlpi_mixed *model, double weight, const double *beta_off,
                       const double *room, dlpi_mixed_effects *e)
{
    const dlp_index p = model->rows.p, q = e->q;
    for (dlp_index g = 0; g < e->L; g++) {
        const double *at = room + dlpi_leaf_place(model, g);
        const dlp_index wide = dlpi_leaf_wide(model, g);
        add_level(weight, q, widths_of(model), at, at + q, at + q + q * q + wide - p,
                  wide, beta_off, e, g);
    }
}

static void visit_leaves(dlpi_mixed_block *k, double *room)
{
    const dlp_index q = k->of->rows.q;
    for (dlp_index g = 0; g < k->of->rows.L; g++) {
        double *at = room + dlpi_leaf_place(k->of, g);
        dlpi_mixed_block_leaf(k, g, at, at + q, at + q + q * q);
    }
}

/* From sums of products to covariances. */
static void centre(dlp_index n, const double *off, dlpi_mixed_effects *e)
{
    const dlp_index q = e->q;
    for (dlp_index level = 0; level < e->L; level++) {
        const double *m = e->mean + level * q;
        for (dlp_index i = 0; i < q; i++) {
            for (dlp_index j = 0; j < q; j++)
                e->variance[(level * q + i) * q + j] -= m[i] * m[j];
            for (dlp_index j = 0; j < n; j++)
                e->with_beta[(level * q + i) * n + j] -= m[i] * off[j];
        }
        if (e->next && level + 1 < e->L && e->next[level] != 0)
            e->next[level] -= m[0] * m[1];
    }
}

/* ---- beta ---- */

/* The quantile P of a mixture of normals. */
static double mixture_quantile(int n, const double *w, const double *m, const double *S,
                               dlp_index p, dlp_index j, double P)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < n; k++) {
        const double far = 9 * sqrt(S[k * p * p + j * (p + 1)]);
        if (w[k] == 0) continue;
        lo = fmin(lo, m[k * p + j] - far);
        hi = fmax(hi, m[k * p + j] + far);
    }
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (lo + hi);
        double sum = 0;
        for (int k = 0; k < n; k++)
            if (w[k] > 0)
                sum += w[k] * dlp_normal_cdf((mid - m[k * p + j]) /
                                             sqrt(S[k * p * p + j * (p + 1)]));
        *(sum < P ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

static dlp_margin normal_margin(double mean, double variance)
{
    const double sd = sqrt(variance), half = 1.959963984540054 * sd;
    return (dlp_margin){mean, sd, mean - half, mean, mean + half};
}

/* Coefficients of smooths, from `fixed` on, are not shown to users: normal margins are
   enough for them. */
static void summarise_beta(dlp_index fixed, int points, const double *w, const double *m,
                           const double *S, dlpi_mixed_result *result)
{
    const dlp_index p = result->p, n = result->n;
    for (int k = 0; k < points; k++)
        for (dlp_index i = 0; i < p; i++) result->beta[i] += w[k] * m[k * p + i];
    for (int k = 0; k < points; k++)
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = 0; j < p; j++)
                result->covariance[i * n + j] +=
                    w[k] *
                    (S[(k * p + i) * p + j] +
                     (m[k * p + i] - result->beta[i]) * (m[k * p + j] - result->beta[j]));
    for (dlp_index j = fixed; j < p; j++)
        result->margin[j] =
            normal_margin(result->beta[j], result->covariance[j * (n + 1)]);
    for (dlp_index j = 0; j < fixed; j++)
        result->margin[j] =
            (dlp_margin){.mean = result->beta[j],
                         .sd = sqrt(result->covariance[j * (n + 1)]),
                         .lower = mixture_quantile(points, w, m, S, p, j, 0.025),
                         .median = mixture_quantile(points, w, m, S, p, j, 0.5),
                         .upper = mixture_quantile(points, w, m, S, p, j, 0.975)};
}

/* How far the i-th tau is from its mode at a point. */
static double tau_off(const pass *s, int k, dlp_index i)
{
    const dlpi_explore *e = s->e;
    return dlpi_dot(e->m, e->root + (s->model->layout.tau + i) * e->m,
                    e->z + s->point[k] * e->m);
}

/* The moments of the i-th tau, and its covariances over the points with beta and the taus
   before it. */
static void summarise_tau(const pass *s, dlp_index i)
{
    dlpi_mixed_result *result = s->result;
    const dlp_index p = result->p, n = result->n, at = p + i;
    double mean = 0;
    for (int k = 0; k < s->n; k++) mean += s->w[k] * tau_off(s, k, i);
    for (int k = 0; k < s->n; k++) {
        const double off = s->w[k] * (tau_off(s, k, i) - mean);
        for (dlp_index j = 0; j < p; j++)
            result->covariance[at * n + j] += off * (s->m[k * p + j] - result->beta[j]);
        for (dlp_index j = 0; j <= i; j++)
            result->covariance[at * n + p + j] += off * tau_off(s, k, j);
    }
    for (dlp_index j = 0; j < at; j++)
        result->covariance[j * n + at] = result->covariance[at * n + j];
    result->beta[at] = s->e->mode[s->model->layout.tau + i] + mean;
}

/* ---- the points, one after the other ---- */

static dlp_status alloc_pass(pass *s, dlp_error *error)
{
    const dlp_index p = s->result->p, n = s->result->n,
                    largest = s->model->layout.largest;
    s->size = dlpi_leaf_place(s->model, s->model->rows.L);
    s->origin = dlpi_calloc(3 * p + n + largest * (largest + p) + 4 * p * (p + 1),
                            sizeof *s->origin);
    s->leaves = dlpi_calloc(s->threads, (size_t)s->size * sizeof *s->leaves);
    if (!s->origin || !s->leaves)
        return dlpi_no_memory(error, "the effects of a mixed model");
    s->off = s->origin + p;
    s->shift = s->off + n;
    s->stretch = s->shift + p;
    s->change = s->stretch + p;
    s->level = s->change + 4 * p * (p + 1);
    return dlpi_mixed_pairs_make(s->model, s->result, error);
}

void dlpi_effects_free(dlpi_effects *s)
{
    if (!s) return;
    free(s->point);
    free(s->w);
    free(s->m);
    free(s->S);
    free(s->origin);
    free(s->leaves);
    free(s);
}

dlp_status dlpi_effects_begin(const dlpi_mixed *model, const dlpi_explore *e,
                              dlpi_mixed_block *block, int threads,
                              dlpi_mixed_result *result, dlpi_effects **effects,
                              dlp_error *error)
{
    pass *s = dlpi_calloc(1, sizeof *s);
    *effects = s;
    if (!s) return dlpi_no_memory(error, "the effects of a mixed model");
    *s = (pass){
        .model = model, .e = e, .block = block, .threads = threads, .result = result};
    return alloc_pass(s, error);
}

/* Called when the worker is at a point. */
void dlpi_effects_look(dlpi_effects *s, int worker, bool is_sharp)
{
    const dlp_index n = s->model->rows.n;
    dlpi_mixed_block *k = &s->block[worker];
    if (!is_sharp)
        dlpi_mixed_block_invert(k);
    else if (worker > 0)
        memcpy(k->S.a, s->block[0].S.a, (size_t)(n * n) * sizeof *k->S.a);
    visit_leaves(&s->block[worker], s->leaves + worker * s->size);
}

dlp_index dlpi_effects_seen(const dlpi_effects *s)
{
    return s->size;
}

void dlpi_effects_copy_seen(const dlpi_effects *s, int worker, double *to)
{
    memcpy(to, s->leaves + worker * s->size, (size_t)s->size * sizeof *to);
}

void dlpi_effects_set_seen(dlpi_effects *s, int worker, const double *from)
{
    memcpy(s->leaves + worker * s->size, from, (size_t)s->size * sizeof *from);
}

static bool room_for_one(pass *s)
{
    const size_t p = (size_t)s->result->p;
    if (s->failed) return false; /* after a failure the sums are incomplete */
    if (s->n < s->most) return true;
    const int most = 2 * (s->most + 32);
    int *point = realloc(s->point, (size_t)most * sizeof *point);
    if (point) s->point = point;
    double *w = realloc(s->w, (size_t)most * sizeof *w);
    if (w) s->w = w;
    double *m = realloc(s->m, ((size_t)most * p + 1) * sizeof *m);
    if (m) s->m = m;
    double *S = realloc(s->S, ((size_t)most * p * p + 1) * sizeof *S);
    if (S) s->S = S;
    s->failed = !point || !w || !m || !S;
    if (!s->failed) s->most = most;
    return !s->failed;
}

/* Adds what the worker found there. */
void dlpi_effects_take(dlpi_effects *s, int worker, int point, double weight)
{
    const dlpi_mixed_block *k = &s->block[worker];
    const dlpi_mixed_rows *rows = &s->model->rows;
    const dlp_index p = rows->p, n = rows->n;
    if (!room_for_one(s)) return;
    if (s->n == 0) /* the search for the mode is over */
        memcpy(s->origin, s->model->x + n - p, (size_t)p * sizeof *s->origin);
    double *m = s->m + s->n * p, *S = s->S + s->n * p * p, *off = s->off;
    s->point[s->n] = point;
    s->w[s->n++] = weight;
    s->kept += weight;
    for (dlp_index j = 0; j < p; j++) {
        m[j] = k->x[n - p + j];
        off[j] = m[j] - s->origin[j];
        for (dlp_index l = 0; l < p; l++)
            S[j * p + l] = *dlpi_mixed_entry(&k->S, n - p + j, n - p + l);
    }
    for (dlp_index i = 0; i < s->model->layout.scales; i++)
        off[p + i] = tau_off(s, s->n - 1, i);
    for (dlp_index o = 0; o < rows->n_other; o++)
        add_others(s->model, k, o, weight, off, s->level,
                   &s->result->effects[rows->term[o]]);
    const double *leaves = s->leaves + worker * s->size;
    if (rows->leaf >= 0)
        add_leaves(s->model, weight, off, leaves, &s->result->effects[rows->leaf]);
    dlpi_mixed_pairs_add(s->model, k, leaves, weight, s->result);
}

void dlpi_effects_forget(dlpi_effects *s)
{
    const dlpi_mixed_data *data = s->model->data;
    s->n = 0;
    s->kept = 0;
    for (dlp_index t = 0; t < s->result->n_terms; t++) {
        dlpi_mixed_effects *of = &s->result->effects[t];
        const dlp_index all = of->L * of->q * (1 + of->q + s->result->n);
        memset(of->mean, 0, (size_t)all * sizeof *of->mean);
        if (of->next) memset(of->next, 0, (size_t)of->L * sizeof *of->next);
    }
    for (dlp_index i = 0; i < s->result->n_pairs; i++) {
        const dlpi_mixed_pairs *of = &s->result->pairs[i];
        const dlp_index all = of->n * data->term[of->first].q * data->term[of->second].q;
        memset(of->covariance, 0, (size_t)all * sizeof *of->covariance);
    }
}

/* From sums to moments of the effects. */
static void conclude(pass *s)
{
    const dlp_index p = s->result->p, n = s->result->n;
    memset(s->off, 0, (size_t)n * sizeof *s->off);
    for (int i = 0; i < s->n; i++) {
        s->w[i] /= s->kept;
        for (dlp_index j = 0; j < p; j++)
            s->off[j] += s->w[i] * (s->m[i * p + j] - s->origin[j]);
        for (dlp_index j = p; j < n; j++) s->off[j] += s->w[i] * tau_off(s, i, j - p);
    }
    for (dlp_index t = 0; t < s->result->n_terms; t++) {
        dlpi_mixed_effects *of = &s->result->effects[t];
        const dlp_index all = of->L * of->q * (1 + of->q + n);
        for (dlp_index i = 0; i < all; i++) of->mean[i] /= s->kept;
        for (dlp_index i = 0; of->next && i < of->L; i++) of->next[i] /= s->kept;
        centre(n, s->off, of);
    }
    dlpi_mixed_pairs_centre(s->kept, s->result);
}

/* ---- skewness ---- */

/* Means (p) and covariances (p, p) of beta over all points. */
static void gather(const pass *s, double *mean, double *V)
{
    const dlp_index p = s->result->p;
    memset(mean, 0, (size_t)p * sizeof *mean);
    memset(V, 0, (size_t)(p * p) * sizeof *V);
    for (int i = 0; i < s->n; i++)
        for (dlp_index j = 0; j < p; j++) mean[j] += s->w[i] * s->m[i * p + j];
    for (int i = 0; i < s->n; i++)
        for (dlp_index a = 0; a < p; a++)
            for (dlp_index b = 0; b < p; b++)
                V[a * p + b] +=
                    s->w[i] * (s->S[(i * p + a) * p + b] +
                               (s->m[i * p + a] - mean[a]) * (s->m[i * p + b] - mean[b]));
}

/* Corrects beta from its mode to its mean at every point, and its width accordingly; the
   effects follow. */
static void correct(pass *s)
{
    const dlp_index p = s->result->p;
    double *before = s->change, *mean = before + p * p, *after = mean + p,
           *shift = after + p * p;
    gather(s, mean, before);
    for (int i = 0; i < s->n; i++) {
        double *S = s->S + i * p * p;
        for (dlp_index j = 0; j < p; j++)
            s->m[i * p + j] += s->shift[j] * sqrt(S[j * (p + 1)]);
        for (dlp_index a = 0; a < p; a++)
            for (dlp_index b = 0; b < p; b++)
                S[a * p + b] *= s->stretch[a] * s->stretch[b];
    }
    memcpy(shift, mean, (size_t)p * sizeof *shift);
    gather(s, mean, after);
    for (dlp_index j = 0; j < p; j++) shift[j] = mean[j] - shift[j];
    dlpi_mixed_correct_effects(before, after, shift, shift + p, s->result);
}

void dlpi_effects_shift(dlpi_effects *s, const double *shift)
{
    s->moved = shift;
}

/* Means only: they are added once the covariances have been centred. */
static void move(pass *s)
{
    const dlpi_mixed_rows *rows = &s->model->rows;
    for (dlp_index o = 0; o <= rows->n_other && s->moved; o++) {
        const bool is_leaf = o == rows->n_other;
        if (is_leaf && rows->leaf < 0) continue;
        dlpi_mixed_effects *e = &s->result->effects[is_leaf ? rows->leaf : rows->term[o]];
        dlpi_axpy(e->L * e->q, 1, s->moved + (is_leaf ? rows->n : rows->start[o]),
                  e->mean);
    }
}

dlpi_taken dlpi_effects_taken(const dlpi_effects *s)
{
    return (dlpi_taken){.n = s->n, .point = s->point, .w = s->w, .m = s->m, .S = s->S};
}

/* For levels: beta, followed by the gaps in place of their logarithms. */
static void summarise_gaps(const pass *s)
{
    const dlpi_mixed_result *result = s->result;
    const dlp_index p = result->p, n = result->n, J = n - p;
    double *mean = result->linear, *V = mean + n;
    const double *mode = s->e->mode + s->model->layout.tau;
    memcpy(mean, result->beta, (size_t)p * sizeof *mean);
    memcpy(V, result->covariance, (size_t)(n * n) * sizeof *V);
    for (dlp_index i = 0; i < J; i++) {
        memset(V + (p + i) * n, 0, (size_t)(p + i + 1) * sizeof *V);
        for (int k = 0; k < s->n; k++)
            mean[p + i] += s->w[k] * exp(mode[i] + tau_off(s, k, i));
    }
    for (int k = 0; k < s->n; k++)
        for (dlp_index i = 0; i < J; i++) {
            const double off = s->w[k] * (exp(mode[i] + tau_off(s, k, i)) - mean[p + i]);
            double *row = V + (p + i) * n;
            for (dlp_index j = 0; j < p; j++) row[j] += off * (s->m[k * p + j] - mean[j]);
            for (dlp_index j = 0; j <= i; j++)
                row[p + j] += off * exp(mode[j] + tau_off(s, k, j));
        }
    for (dlp_index i = p; i < n; i++)
        for (dlp_index j = 0; j < i; j++) V[j * n + i] = V[i * n + j];
}

dlp_status dlpi_effects_end(dlpi_effects *s, dlp_error *error)
{
    const dlpi_mixed *model = s->model;
    if (s->failed) return dlpi_no_memory(error, "the effects of a mixed model");
    conclude(s);
    move(s);
    const bool corrected =
        model->skewed && !model->plain &&
        dlpi_mixed_skewness(s->block, s->threads, s->e->mode, s->moved != NULL, s->shift,
                            s->stretch, &s->result->lean);
    if (corrected) correct(s);
    summarise_beta(dlpi_mixed_fixed(model->data), s->n, s->w, s->m, s->S, s->result);
    if (model->data->gaps.n > 0)
        dlpi_gaps_summarise(&model->data->gaps, s->n, s->w, s->m, s->S,
                            corrected ? s->shift : NULL, s->stretch, s->result);
    for (dlp_index i = 0; i < model->layout.scales; i++) summarise_tau(s, i);
    if (model->data->levels > 2) summarise_gaps(s);
    return DLP_OK;
}
