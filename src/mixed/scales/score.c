/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/score.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
enum { CHUNK = 64 }; /* rows per block where there are no leaves */

dlp_status dlpi_mixed_scorable(const dlpi_mixed *model, dlp_error *error)
{
    if (model->data->predictors > 1 || model->data->gaps.n > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "rows cannot yet be left out of mixed models with an ordinal or "
                        "multinomial response; compare their log evidence");
    if (model->rows.q > 0 && model->rule == DLPI_LEAF_LAPLACE && !model->data->is_linear)
        return dlpi_advise(
            error, DLP_REMEDY_METHOD_AUTO,
            dlp_fail(
                error, DLP_EINVAL,
                "rows can be left out only if the effects of a level, at most eight, are "
                "integrated out by quadrature: fit with fewer columns inside the bars, "
                "and "
                "let the method be chosen"));
    return DLP_OK;
}

/* ---- what all threads share ---- */

typedef struct work {
    const dlpi_mixed_found *found;
    const dlpi_mixed *model;
    const dlpi_mixed_sample *sample;
    const bool *held;
    const dlpi_mixed_scores *to;
    dlp_index most;  /* the most rows of a leaf or chunk */
    double *weight;  /* (S) weights of the draws */
    double *P;       /* (S, q, q) of the leaves, */
    double *log_det; /* (S) */
    double *tau;     /* (S, told) */
    dlp_index told;
} work;

/* What one thread has. */
typedef struct lane {
    dlpi_leaf_work *leaf;
    dlpi_rows tile;
    double *lpd;             /* (most, S) log densities of rows left out, */
    double *seen;            /* (most, S) and of rows seen, */
    double *first, *second;  /* (most) and moments of the latter */
    double *whole;           /* (S) log densities of the leaf */
    double *a;               /* (S) */
    double *b, *again;       /* (q) */
    double *eta;             /* (most) */
    double *at;              /* (nodes, q) */
    double *l;               /* (nodes) */
    double *omega;           /* (nodes) */
    double *mean, *variance; /* (q), (q, q) */
    double *room;
} lane;

enum { MOST_NODES = 1100 };

static dlp_index row_of(const work *w, dlp_index r)
{
    return w->model->rows.L > 0 ? w->model->rows.row[r] : r;
}

/* log p(y_r | eta) of n numbers eta, with all constants. */
static void evaluate(const work *w, lane *a, dlp_index r, const double *tau, dlp_index n,
                     const double *eta, int order, double *l)
{
    const dlpi_mixed_data *d = w->model->data;
    const dlp_index i = row_of(w, r);
    double y[DLPI_TILE], trials[DLPI_TILE];
    for (dlp_index from = 0; from < n; from += DLPI_TILE) {
        const dlp_index count = n - from < DLPI_TILE ? n - from : DLPI_TILE;
        for (dlp_index k = 0; k < count; k++) {
            y[k] = d->y[i];
            trials[k] = d->trials ? d->trials[i] : 1;
            a->tile.eta[k] = eta[from + k];
        }
        a->tile.n = count;
        a->tile.y = y;
        a->tile.trials = d->trials ? trials : NULL;
        a->tile.bare = false;
        dlpi_mixed_tell(d, tau, &a->tile);
        d->likelihood(&a->tile, tau[0], order);
        if (l) memcpy(l + from, a->tile.l, (size_t)count * sizeof *l);
    }
}

/* What a draw says about a row. */
typedef struct scored {
    double lpd, seen, mean, square;
} scored;

static void take(const work *w, lane *a, dlp_index i, dlp_index s, scored x)
{
    const dlp_index S = w->sample->S;
    const double least = -1e300;
    a->lpd[i * S + s] = fmax(x.lpd, least);
    a->seen[i * S + s] = fmax(x.seen, least);
    a->first[i] += w->weight[s] * fmax(x.mean, least);
    a->second[i] += w->weight[s] * fmin(x.square, -least);
}

/* ---- rows without leaves ---- */

static void see_alone(const work *w, lane *a, dlp_index r, dlp_index i, dlp_index s,
                      double eta)
{
    double l;
    evaluate(w, a, r, w->tau + s * w->told, 1, &eta, 0, &l);
    take(w, a, i, s, (scored){l, l, l, l * l});
}

static double eta_of_flat(const work *w, dlp_index r, const double *x)
{
    const dlpi_mixed_data *d = w->model->data;
    double eta = d->offset ? d->offset[r] : 0;
    for (dlp_index j = 0; j < d->p; j++) eta += d->X[j][r] * x[j];
    return eta;
}

/* ---- a Gaussian response ---- */

/* y - eta ~ N(e, v) given the leaf's rows. Without one of them, with h = v / s2,
   y - eta ~ N(e / (1 - h), s2 h / (1 - h)), and the response varies by s2 more. */
static scored see_normal(const work *w, lane *a, dlp_index r, const double *tau,
                         double eta, double v, bool held)
{
    evaluate(w, a, r, tau, 1, &eta, 2, NULL);
    const double s2 = -1 / a->tile.l_ee[0], e = a->tile.l_e[0] * s2,
                 h = fmin(v / s2, 1 - 1e-12), left = held ? s2 + v : s2 / (1 - h),
                 far = held ? e : e / (1 - h), c = -0.5 * (LOG_2_PI + log(s2));
    const double e2 = e * e + v, e4 = e * e * e * e + 6 * e * e * v + 3 * v * v;
    return (scored){-0.5 * (LOG_2_PI + log(left) + far * far / left),
                    -0.5 * (LOG_2_PI + log(s2 + v) + e * e / (s2 + v)), c - 0.5 * e2 / s2,
                    c * c - c * e2 / s2 + 0.25 * e4 / (s2 * s2)};
}

/* ---- any other ---- */

/* log I_g with the weight of the row reduced by 1 or, if it was held out, set to 1. */
static double integrate_again(const work *w, lane *a, const dlpi_leaf_prior *prior,
                              dlp_index g, dlp_index r, const double *x, bool held)
{
    const double weight = w->model->rows.weight[r];
    memcpy(a->again, a->b, (size_t)w->model->rows.q * sizeof *a->again);
    dlpi_leaf_reweigh(a->leaf, r, held ? 1 : fmax(weight - 1, 0));
    const dlpi_leaf leaf = dlpi_leaf_integrate(a->leaf, prior, g, x, a->again);
    dlpi_leaf_reweigh(a->leaf, -1, 0);
    return leaf.log_integral;
}

/* A log density less the one without constants, which the integrals use. */
static double constant_of(const work *w, lane *a, dlp_index r)
{
    static const double none[2] = {0};
    const dlpi_mixed_data *d = w->model->data;
    if (d->levels > 2) return 0;
    const double eta = d->positive;
    double whole;
    evaluate(w, a, r, none, 1, &eta, 0, &whole);
    a->tile.y = d->y + row_of(w, r);
    a->tile.trials = d->trials ? d->trials + row_of(w, r) : NULL;
    a->tile.bare = true;
    d->likelihood(&a->tile, 0, 0);
    return whole - a->tile.l[0];
}

/* Uses the leaf's nodes; a row that says much about b would move them, and then the
   integral is computed again. */
static scored see_row(const work *w, lane *a, const dlpi_leaf_prior *prior, dlp_index g,
                      dlp_index r, int nodes, double eta0, const double *x,
                      double log_integral, bool held)
{
    const dlpi_mixed_rows *rows = &w->model->rows;
    const dlp_index q = rows->q;
    const double *z = rows->Z + r * q, much = 0.1;
    double centre = eta0 + dlpi_dot(q, z, a->mean), v = 0;
    for (dlp_index i = 0; i < q; i++) v += z[i] * dlpi_dot(q, a->variance + i * q, z);
    for (int k = 0; k < nodes; k++) a->l[k] = eta0 + dlpi_dot(q, z, a->at + k * q);
    evaluate(w, a, r, prior->tau, 1, &centre, 2, NULL);
    const bool moves = fabs(a->tile.l_ee[0]) * v > much;
    evaluate(w, a, r, prior->tau, nodes, a->l, 0, a->l);
    double up = 0, down = 0;
    scored x_ = {0};
    for (int k = 0; k < nodes; k++) {
        if (a->omega[k] == 0) continue; /* the mean is not positive there */
        up += a->omega[k] * exp(a->l[k]);
        down += a->omega[k] * exp(-a->l[k]);
        x_.mean += a->omega[k] * a->l[k];
        x_.square += a->omega[k] * a->l[k] * a->l[k];
    }
    x_.seen = up > 0 ? log(up) : x_.mean;
    x_.lpd = held ? x_.seen : -log(down);
    if (moves || !(down > 0) || !isfinite(x_.lpd)) {
        const double other = integrate_again(w, a, prior, g, r, x, held);
        x_.lpd =
            (held ? other - log_integral : log_integral - other) + constant_of(w, a, r);
    }
    return x_;
}

/* ---- a leaf at a draw ---- */

static void see_leaf(const work *w, lane *a, dlp_index g, dlp_index s)
{
    const dlpi_mixed_rows *rows = &w->model->rows;
    const dlp_index q = rows->q, from = rows->begin[g], n = rows->begin[g + 1] - from;
    const double *x = w->sample->x + s * rows->n;
    const dlpi_leaf_prior prior = {w->P + s * q * q, w->log_det[s], w->tau + s * w->told};
    const dlpi_leaf leaf = dlpi_leaf_integrate(a->leaf, &prior, g, x, a->b);
    const dlpi_leaf_nodes nodes = dlpi_leaf_last_nodes(a->leaf);
    a->whole[s] = leaf.log_integral;
    memcpy(a->eta, nodes.eta, (size_t)n * sizeof *a->eta);
    if (q > 0) {
        memcpy(a->mean, leaf.mean, (size_t)q * sizeof *a->mean);
        memcpy(a->variance, leaf.variance, (size_t)(q * q) * sizeof *a->variance);
    }
    const bool by_nodes = q > 0 && !w->model->data->is_linear;
    for (int k = 0; by_nodes && k < nodes.n; k++) {
        a->omega[k] = nodes.omega[k];
        for (dlp_index i = 0; i < q; i++)
            a->at[k * q + i] = nodes.off[k * q + i] + leaf.mean[i];
    }
    const double whole = leaf.log_integral;
    for (dlp_index i = 0; i < n; i++) {
        const bool held = w->held && w->held[row_of(w, from + i)];
        const double *z = rows->Z + (from + i) * q;
        if (q == 0) {
            see_alone(w, a, from + i, i, s, a->eta[i]);
        } else if (by_nodes) {
            take(w, a, i, s,
                 see_row(w, a, &prior, g, from + i, nodes.n, a->eta[i], x, whole, held));
        } else {
            double v = 0;
            for (dlp_index k = 0; k < q; k++)
                v += z[k] * dlpi_dot(q, a->variance + k * q, z);
            take(w, a, i, s,
                 see_normal(w, a, from + i, prior.tau,
                            a->eta[i] + dlpi_dot(q, z, a->mean), v, held));
        }
    }
}

/* ---- over the draws ---- */

static double log_sum(dlp_index S, const double *a)
{
    double most = -INFINITY, sum = 0;
    for (dlp_index s = 0; s < S; s++) most = fmax(most, a[s]);
    if (!(most > -INFINITY)) return most;
    for (dlp_index s = 0; s < S; s++) sum += exp(a[s] - most);
    return most + log(sum);
}

/* Reweights the draws as if the data with the log density l (S) had not been seen. */
static bool leave_out(const work *w, lane *a, const double *l, double *elpd, double *k)
{
    const dlp_index S = w->sample->S;
    struct dlpi_psis psis;
    for (dlp_index s = 0; s < S; s++) a->a[s] = w->sample->log_weight[s] - l[s];
    if (dlpi_psis(a->a, (size_t)S, &psis) != DLP_OK) return false;
    for (dlp_index s = 0; s < S; s++) a->a[s] += l[s];
    *elpd = log_sum(S, a->a);
    *k = psis.k;
    return true;
}

static double average(const work *w, lane *a, const double *l)
{
    const dlp_index S = w->sample->S;
    for (dlp_index s = 0; s < S; s++) a->a[s] = w->sample->log_weight[s] + l[s];
    return log_sum(S, a->a);
}

static bool conclude(const work *w, lane *a, dlp_index first, dlp_index n)
{
    const dlp_index S = w->sample->S;
    const dlpi_mixed_scores *to = w->to;
    bool good = true;
    for (dlp_index i = 0; i < n && good; i++) {
        const dlp_index at = row_of(w, first + i);
        const double *l = a->lpd + i * S;
        if (w->held) {
            if (!w->held[at]) continue;
            to->elpd[at] = average(w, a, l);
            to->k[at] = w->sample->psis.k;
            continue;
        }
        to->seen[at] = average(w, a, a->seen + i * S);
        to->mean_log[at] = a->first[i];
        to->variance[at] = fmax(a->second[i] - a->first[i] * a->first[i], 0);
        good = leave_out(w, a, l, &to->elpd[at], &to->k[at]);
    }
    return good;
}

static bool score_unit(const work *w, lane *a, dlp_index u)
{
    const dlpi_mixed_rows *rows = &w->model->rows;
    const bool flat = rows->L == 0;
    const dlp_index N = w->model->data->N, first = flat ? u * CHUNK : rows->begin[u],
                    last = !flat               ? rows->begin[u + 1]
                           : first + CHUNK < N ? first + CHUNK
                                               : N,
                    n = last - first;
    memset(a->b, 0, (size_t)rows->q * sizeof *a->b);
    memset(a->first, 0, (size_t)n * sizeof *a->first);
    memset(a->second, 0, (size_t)n * sizeof *a->second);
    bool wanted = !w->held;
    for (dlp_index r = first; r < last && !wanted; r++) wanted = w->held[row_of(w, r)];
    if (!wanted) return true;
    dlpi_listener *listener = w->model->listener;
    for (dlp_index s = 0; s < w->sample->S; s++) {
        if (s % 32 == 0 && listener && dlpi_listener_poll_inside(listener)) return true;
        for (dlp_index i = 0; flat && i < n; i++)
            see_alone(w, a, first + i, i, s,
                      eta_of_flat(w, first + i, w->sample->x + s * rows->n));
        if (!flat) see_leaf(w, a, u, s);
    }
    if (!flat && w->to->leaf_elpd &&
        !leave_out(w, a, a->whole, &w->to->leaf_elpd[u], &w->to->leaf_k[u]))
        return false;
    return conclude(w, a, first, n);
}

/* ---- memory ---- */

static dlp_status alloc_lane(const work *w, lane *a, dlp_error *error)
{
    const dlp_index S = w->sample->S, q = w->model->rows.q, most = w->most;
    a->room = dlpi_calloc(2 * most * S + 3 * most + 2 * S + 3 * q + q * q +
                              (dlp_index)MOST_NODES * (q + 2),
                          sizeof *a->room);
    if (!a->room) return dlpi_no_memory(error, "the rows");
    a->lpd = a->room;
    a->seen = a->lpd + most * S;
    a->first = a->seen + most * S;
    a->second = a->first + most;
    a->eta = a->second + most;
    a->whole = a->eta + most;
    a->a = a->whole + S;
    a->b = a->a + S;
    a->again = a->b + q;
    a->mean = a->again + q;
    a->variance = a->mean + q;
    a->at = a->variance + q * q;
    a->l = a->at + MOST_NODES * q;
    a->omega = a->l + MOST_NODES;
    if (w->model->rows.L == 0) return DLP_OK;
    return dlpi_leaf_work_alloc(&w->model->rows, w->model->rule, &a->leaf, error);
}

static dlp_status prepare(work *w, dlp_error *error)
{
    const dlpi_mixed *of = w->model;
    const dlp_index S = w->sample->S, q = of->rows.q, t = of->rows.leaf,
                    largest = of->layout.largest;
    dlpi_mixed_block *k = &w->found->block[0];
    w->most = of->rows.L > 0 ? of->rows.most_rows : CHUNK;
    w->told = dlpi_mixed_told(of->data);
    w->weight = dlpi_calloc(S, (size_t)(q * q + 2 + w->told) * sizeof *w->weight);
    if (!w->weight) return dlpi_no_memory(error, "the rows");
    w->log_det = w->weight + S;
    w->tau = w->log_det + S;
    w->P = w->tau + S * w->told;
    for (dlp_index s = 0; s < S; s++) {
        dlpi_mixed_block_set(k, w->sample->psi + s * of->layout.m);
        w->weight[s] = exp(w->sample->log_weight[s]);
        memcpy(w->tau + s * w->told, k->tau, (size_t)w->told * sizeof *w->tau);
        if (t < 0) continue;
        w->log_det[s] = k->log_det[t];
        memcpy(w->P + s * q * q, k->P + t * largest * largest,
               (size_t)(q * q) * sizeof *w->P);
    }
    return DLP_OK;
}

static dlp_status run(work *w, lane *lanes, int threads, dlp_error *error)
{
    const dlpi_mixed_rows *rows = &w->model->rows;
    const dlp_index units =
        rows->L > 0 ? rows->L : (w->model->data->N + CHUNK - 1) / CHUNK;
    DLP_TRY(prepare(w, error));
    for (int i = 0; i < threads; i++) DLP_TRY(alloc_lane(w, &lanes[i], error));
    int failed = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(| : failed)
    for (dlp_index u = 0; u < units; u++)
        failed |= !score_unit(w, &lanes[omp_get_thread_num()], u);
    if (failed) return dlpi_no_memory(error, "the rows");
    dlpi_listener *listener = w->model->listener;
    if (listener && dlpi_listener_stopped(listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled");
    return DLP_OK;
}

dlp_status dlpi_mixed_score(const dlpi_mixed_found *found,
                            const dlpi_mixed_sample *sample, const bool *held,
                            const dlpi_mixed_scores *to, dlp_error *error)
{
    work w = {
        .found = found, .model = found->model, .sample = sample, .held = held, .to = to};
    lane *lanes = dlpi_calloc(found->threads, sizeof *lanes);
    const dlp_status status =
        lanes ? run(&w, lanes, found->threads, error) : dlpi_no_memory(error, "the rows");
    for (int i = 0; lanes && i < found->threads; i++) {
        dlpi_leaf_work_free(lanes[i].leaf);
        free(lanes[i].room);
    }
    free(lanes);
    free(w.weight);
    return status;
}
