/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In coordinates v = (u, e), in which the posterior would be N(0, I) if the fit were
 * exact:
 *
 *   psi = mode + root z(u)              as the points of psi are laid out
 *   x   = x*(psi) + H(psi)^(-1/2) e     Laplace's Gaussian at psi
 *
 * v is drawn from t(mu_r, C_r), nu degrees of freedom, in rounds r of N_r draws. First mu
 * = 0 and C = I; then they are the mean and covariance of the weighted draws so far. A
 * draw of any round weighs
 *
 *   w = p(psi, x, y) |d(psi, x) / dv| / sum_r (N_r / N) t(v; mu_r, C_r)
 *
 * (Cornuet, Marin, Mira & Robert, Scand. J. Stat. 39, 2012) where leaves and discrete
 * nodes are integrated out of p. If x is Gaussian given psi it is integrated out, too,
 * and drawn from that Gaussian. If there is no psi, or the modes given psi are not found,
 * x* and H are those at the mode of psi. If v is psi alone and psi has a grid, the last
 * round is drawn from the density between its points (grid_proposal.h), which follows
 * curves that no t can.
 */
#include "bugs/check/verify.h"

#include "bugs/check/grid_proposal.h"
#include "bugs/posterior/evaluation_time.h"
#include "core/core.h"
#include "math/dense.h"
#include "math/psis.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    ROUNDS = 3,
    FEW = 6,             /* dimensions */
    SHIFTS = 8,          /* random shifts of the evenly spread points */
    MOST_EVEN = 16,      /* dimensions that are covered evenly */
    MOST_CORRELATED = 64 /* dimensions whose covariance is estimated */
};
static const double PI = 3.14159265358979323846;

/* One t distribution. */
typedef struct tail {
    double *mu, *U;   /* (d), (d, d): C = U' U */
    double scale;     /* of the t: its scale matrix is scale^2 C */
    double log_const; /* the constant of its log density */
    dlp_index draws;  /* how many are from it */
} tail;

typedef struct verify {
    const dlpi_plan *plan;
    const dlpi_posterior *q;
    const dlpi_verify_settings *settings;
    dlpi_verified *result;
    dlpi_field field;
    dlpi_work *work; /* (threads) */
    int threads;
    dlp_index d, m, n, L; /* d = m + n, or m where x is Gaussian given psi */
    dlp_index draws;      /* so far, of all rounds */
    double nu;            /* degrees of freedom */
    int rounds;           /* so far */
    tail of[ROUNDS];
    dlpi_grid_proposal grid; /* proposal of the last round; `of` NULL: there is none */
    bool by_psi;             /* x* and H are found at each psi, not fixed at these: */
    dlp_cholesky *F;         /* of H, at the mode of psi, */
    double *mode;            /* (n) and x* there */
    double *v;               /* (draws, d) */
    double *psi;             /* (draws, m) */
    double *x;               /* (draws, n) */
    double *log_p;           /* (draws) of v */
    double *log_w;           /* (draws) */
    bool *failed;            /* (draws) no mode was found */
    double *room;            /* (threads, 2 d + m + n) */
    double *memory;
} verify;

/* ---- the t distribution ---- */

/* The fraction of i sqrt(p) + shift, p the k-th prime: points that cover a cube
   evenly. */
static double even(dlp_index i, dlp_index k, double shift)
{
    static const double prime[MOST_EVEN] = {2,  3,  5,  7,  11, 13, 17, 19,
                                            23, 29, 31, 37, 41, 43, 47, 53};
    const double at = (double)i * sqrt(prime[k]) + shift;
    return fmin(fmax(at - floor(at), 1e-12), 1 - 1e-12);
}

/* t ~ t_nu(0, I) (d): the i-th of the round. */
static void draw_t(const verify *v, dlp_index i, double *t)
{
    const dlp_index each = (v->of[v->rounds].draws + SHIFTS - 1) / SHIFTS;
    const uint64_t seed = v->settings->seed + 101 * (uint64_t)(v->rounds + 1);
    dlp_rng shift = dlp_rng_at(seed, (uint64_t)(i / each)),
            own = dlp_rng_at(seed + 1, (uint64_t)i);
    for (dlp_index k = 0; k < v->d; k++)
        t[k] = k < MOST_EVEN
                   ? dlp_normal_quantile(even(i % each, k, dlp_draw_uniform(&shift)))
                   : dlp_draw_normal(&own);
    const double by = sqrt(0.5 * v->nu / dlp_draw_gamma(&own, 0.5 * v->nu));
    for (dlp_index k = 0; k < v->d; k++) t[k] *= by;
}

/* v (d) from the grid: the i-th of the round. */
static void draw_from_grid(const verify *v, dlp_index i, double *at)
{
    const dlp_index each = (v->of[v->rounds].draws + SHIFTS - 1) / SHIFTS;
    const uint64_t seed = v->settings->seed + 101 * (uint64_t)(v->rounds + 1);
    dlp_rng shift = dlp_rng_at(seed, (uint64_t)(i / each));
    double uniform[DLPI_GRID_DIMENSIONS + 1];
    for (dlp_index k = 0; k <= v->d; k++)
        uniform[k] = even(i % each, k, dlp_draw_uniform(&shift));
    dlpi_grid_proposal_draw(&v->grid, uniform, at);
}

static bool is_by_grid(const verify *v, int round)
{
    return v->grid.of && round == ROUNDS - 1;
}

/* v = mu + scale U' t */
static void spread(const verify *v, const double *t, double *at)
{
    const tail *of = &v->of[v->rounds];
    for (dlp_index k = 0; k < v->d; k++) {
        double sum = 0;
        for (dlp_index j = 0; j <= k; j++) sum += of->U[j * v->d + k] * t[j];
        at[k] = of->mu[k] + of->scale * sum;
    }
}

/* log t(v), room (d) */
static double log_tail(const verify *v, const tail *of, const double *at, double *room)
{
    for (dlp_index k = 0; k < v->d; k++) room[k] = (at[k] - of->mu[k]) / of->scale;
    dlpi_cholesky_forward(v->d, of->U, room);
    const double square = dlpi_dot(v->d, room, room);
    return of->log_const - 0.5 * (v->nu + (double)v->d) * log1p(square / v->nu);
}

static void set_constant(const verify *v, tail *of)
{
    const double d = (double)v->d;
    of->log_const = dlp_lgamma(0.5 * (v->nu + d)) - dlp_lgamma(0.5 * v->nu) -
                    0.5 * d * log(v->nu * PI) - d * log(of->scale);
    for (dlp_index k = 0; k < v->d; k++) of->log_const -= log(of->U[k * (v->d + 1)]);
}

/* ---- a draw ---- */

/* psi at u, and log |d psi / du| but for a constant. */
static double set_psi(const verify *v, const double *u, double *z, double *psi)
{
    const dlpi_explore *e = &v->q->explore;
    double log_j = 0;
    for (dlp_index k = 0; k < v->m; k++) {
        z[k] = dlpi_explore_z(e, k, u[k]);
        log_j += log(dlpi_explore_width(e, k, u[k]));
    }
    if (v->m) dlpi_explore_psi(e, z, psi);
    for (dlp_index k = 0; k < v->m; k++)
        psi[k] = v->q->center[k] + v->q->unit[k] * psi[k];
    return log_j;
}

/* log p(psi, x, y) |dx / de|, with x at e (n). */
static double density_at(const verify *v, dlpi_work *w, double *e, bool solved)
{
    const dlp_cholesky *F = solved ? w->F : v->F;
    const double log_det = dlp_cholesky_log_det(F);
    dlp_cholesky_draw(F, e);
    for (dlp_index k = 0; k < v->n; k++) w->x[k] = (solved ? w->x : v->mode)[k] + e[k];
    if (!solved) memcpy(w->b, v->field.b, (size_t)(2 * v->L) * sizeof *w->b);
    return dlpi_work_value(w) - 0.5 * log_det;
}

/* x is Gaussian: draws it exactly. */
static void draw_x(const verify *v, dlpi_work *w, dlp_index i, double *e)
{
    dlp_rng rng = dlp_rng_at(v->settings->seed + 7, (uint64_t)i);
    for (dlp_index k = 0; k < v->n; k++) e[k] = dlp_draw_normal(&rng);
    if (v->n) dlp_cholesky_draw(w->F, e);
    for (dlp_index k = 0; k < v->n; k++) w->x[k] += e[k];
}

/* The i-th draw of all, the `own`-th of the round. */
static void draw_one(const verify *v, dlpi_work *w, dlp_index i, dlp_index own,
                     double *room)
{
    double *t = room, *z = t + v->d + v->n, *at = v->v + i * v->d,
           *psi = v->psi + i * v->m, log_p = -INFINITY;
    if (is_by_grid(v, v->rounds)) {
        draw_from_grid(v, own, at);
    } else {
        draw_t(v, own, t);
        spread(v, t, at);
    }
    const double log_j = set_psi(v, at, z, psi);
    const bool whole = v->d == v->m + v->n && v->n > 0;
    if (!whole || v->by_psi)
        log_p = dlpi_work_at(w, psi);
    else
        dlpi_work_set_psi(w, psi, false);
    v->failed[i] = !isfinite(log_p);
    if (whole) {
        memcpy(t, at + v->m, (size_t)v->n * sizeof *t);
        log_p = density_at(v, w, t, !v->failed[i]);
    } else {
        draw_x(v, w, i, t);
    }
    memcpy(v->x + i * v->n, w->x, (size_t)v->n * sizeof *w->x);
    v->log_p[i] = isfinite(log_p + log_j) ? log_p + log_j : -INFINITY;
}

/* The weights of all draws so far. */
static bool weigh_all(const verify *v)
{
    bool any = false;
    for (dlp_index i = 0; i < v->draws; i++) {
        double most = -INFINITY, sum = 0, log_t[ROUNDS];
        for (int r = 0; r <= v->rounds; r++) {
            const double *at = v->v + i * v->d;
            log_t[r] = log((double)v->of[r].draws / (double)v->draws) +
                       (is_by_grid(v, r) ? dlpi_grid_proposal_log(&v->grid, at)
                                         : log_tail(v, &v->of[r], at, v->room));
            most = fmax(most, log_t[r]);
        }
        for (int r = 0; r <= v->rounds; r++) sum += exp(log_t[r] - most);
        v->log_w[i] = v->log_p[i] - most - log(fmax(sum, DBL_MIN));
        if (!isfinite(v->log_w[i])) v->log_w[i] = -INFINITY;
        any = any || isfinite(v->log_w[i]);
    }
    return any;
}

/* A round; false: all weights are 0. */
static bool draw_round(verify *v, dlp_index draws)
{
    const dlp_index first = v->draws;
    v->of[v->rounds].draws = draws;
#pragma omp parallel for schedule(dynamic, 16) num_threads(v->threads)
    for (dlp_index i = 0; i < draws; i++) {
        const int t = omp_get_thread_num();
        double *room = v->room + t * (2 * v->d + v->m + v->n);
        v->log_p[first + i] = -INFINITY;
        if (dlpi_listener_poll_inside(v->settings->listener)) continue;
        draw_one(v, &v->work[t], first + i, i, room);
    }
    v->draws += draws;
    return weigh_all(v);
}

/* ---- the next t ---- */

/* mu and C of the weighted draws and d further draws of N(0, I), which steady them if
   there are few. */
static void adapt(verify *v, double effective)
{
    const dlp_index d = v->d;
    tail *of = &v->of[++v->rounds];
    const double known = effective / (effective + (double)d);
    for (dlp_index i = 0; i < v->draws; i++)
        dlpi_axpy(d, known * exp(v->log_w[i]), v->v + i * d, of->mu);
    for (dlp_index i = 0; i < v->draws; i++) {
        const double by = known * exp(v->log_w[i]), *at = v->v + i * d;
        for (dlp_index j = 0; j < d && by > 0; j++)
            for (dlp_index k = j; k < (d <= MOST_CORRELATED ? d : j + 1); k++)
                of->U[j * d + k] += by * (at[j] - of->mu[j]) * (at[k] - of->mu[k]);
    }
    for (dlp_index k = 0; k < d; k++) of->U[k * (d + 1)] += 1 - known;
    if (dlpi_cholesky(d, of->U) >= 0) {
        memset(of->U, 0, (size_t)(d * d) * sizeof *of->U);
        for (dlp_index k = 0; k < d; k++) of->U[k * (d + 1)] = 1;
    }
    of->scale = (v->d <= FEW ? 1.3 : 1.1) * sqrt((v->nu - 2) / v->nu);
    set_constant(v, of);
}

/* If the mode of x given psi is often not found, all draws use the one at the mode of
   psi. */
static void count_failures(verify *v)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < v->draws; i++) n += v->failed[i];
    if (20 * n > v->draws) v->by_psi = false;
}

/* ---- leaves, given psi and x ---- */

static bool is_wanted(const verify *v, dlp_index l)
{
    const bool *wanted = v->settings->wanted;
    const int32_t *cell = v->plan->leaf_cell + 2 * l;
    return !wanted || wanted[cell[0]] || (cell[1] >= 0 && wanted[cell[1]]);
}

static double *draws_of(const verify *v, dlp_index coordinate)
{
    return v->result->posterior.draw + coordinate * v->draws;
}

/* One coordinate: from its density given x; two: from a normal density. */
static void draw_leaf(const verify *v, dlpi_work *w, dlp_index l, dlp_index i,
                      const dlpi_quantiles *own)
{
    dlp_rng rng = dlp_rng_at(v->settings->seed + 9, (uint64_t)i);
    rng.position = 4 * (uint64_t)l;
    const double a = dlp_draw_normal(&rng), b = dlp_draw_normal(&rng);
    double *to[2] = {draws_of(v, v->m + v->n + 2 * l),
                     draws_of(v, v->m + v->n + 2 * l + 1)};
    if (v->plan->leaf_cell[2 * l + 1] < 0) {
        to[0][i] = dlpi_quantile_at(own, a);
        return;
    }
    const double *var = w->variance + 3 * l, root = sqrt(fmax(var[0], 0)),
                 cross = root > 0 ? var[1] / root : 0;
    to[0][i] = w->mean[2 * l] + root * a;
    to[1][i] = w->mean[2 * l + 1] + cross * a + sqrt(fmax(var[2] - cross * cross, 0)) * b;
}

/* Draws the leaves that are identical to the first of their class. */
static void draw_class(const verify *v, dlpi_work *w, dlp_index first, dlp_index i)
{
    dlpi_quantiles own;
    bool known = v->plan->leaf_cell[2 * first + 1] >= 0;
    for (dlp_index l = first; l >= 0; l = dlpi_next_alike(v->plan, l)) {
        if (!is_wanted(v, l)) continue;
        if (!known) dlpi_quantiles_of(w, first, &own);
        known = true;
        draw_leaf(v, w, l, i, &own);
    }
}

static void draw_leaves(const verify *v, dlpi_work *w, dlp_index i, bool pairs)
{
    const double negligible = 1e-3 / (double)v->draws;
    if (exp(v->log_w[i]) < negligible) return;
    dlpi_work_set_psi(w, v->psi + i * v->m, false);
    memcpy(w->x, v->x + i * v->n, (size_t)v->n * sizeof *w->x);
    memcpy(w->b, v->field.b, (size_t)(2 * v->L) * sizeof *w->b);
    w->moments = pairs;
    if (pairs) (void)dlpi_work_value(w);
    w->moments = false;
    for (dlp_index l = 0; l < v->plan->classes; l++) draw_class(v, w, l, i);
}

/* ---- the result ---- */

/* Draws coordinate by coordinate, with weights that add up to 1. */
static dlp_status collect(verify *v, dlp_error *error)
{
    dlpi_posterior *p = &v->result->posterior;
    const dlp_index m = v->m, n = v->n, draws = v->draws;
    bool pairs = false;
    *p = (dlpi_posterior){
        .outcome = v->q->outcome, .m = m, .n = n, .L = v->L, .draws = draws};
    p->draw = dlpi_calloc(draws * (m + n + 2 * v->L), sizeof *p->draw);
    p->memory = dlpi_calloc(draws, sizeof *p->memory);
    if (!p->draw || !p->memory) return dlpi_no_memory(error, "the draws");
    p->weight = p->memory;
    for (dlp_index i = 0; i < draws; i++) {
        p->weight[i] = exp(v->log_w[i]);
        for (dlp_index k = 0; k < m; k++) draws_of(v, k)[i] = v->psi[i * m + k];
        for (dlp_index k = 0; k < n; k++) draws_of(v, m + k)[i] = v->x[i * n + k];
    }
    for (dlp_index l = 0; l < v->L; l++)
        pairs = pairs || v->plan->leaf_cell[2 * l + 1] >= 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(v->threads)
    for (dlp_index i = 0; i < (v->L ? draws : 0); i++)
        if (!dlpi_listener_poll_inside(v->settings->listener))
            draw_leaves(v, &v->work[omp_get_thread_num()], i, pairs);
    if (dlpi_listener_stopped(v->settings->listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled");
    return DLP_OK;
}

/* ---- the whole ---- */

/* How many draws a round has. */
static dlp_index size_of(const verify *v, int round)
{
    return round + 1 < ROUNDS
               ? v->settings->draws / 6
               : v->settings->draws - (ROUNDS - 1) * (v->settings->draws / 6);
}

static dlp_status allocate(verify *v, const dlpi_groups *groups, dlp_error *error)
{
    const dlp_index d = v->d, most = v->settings->draws, tails = ROUNDS * (d + d * d);
    DLP_TRY(dlpi_field_make(groups, &v->field, error));
    memcpy(v->field.x, v->q->x_mean, (size_t)v->n * sizeof *v->field.x);
    v->work = dlpi_calloc(v->threads, sizeof *v->work);
    v->failed = dlpi_calloc(most, sizeof *v->failed);
    v->memory = dlpi_calloc(tails + v->n + most * (d + v->m + v->n + 2) +
                                v->threads * (2 * d + v->m + v->n),
                            sizeof *v->memory);
    if (!v->work || !v->memory || !v->failed) return dlpi_no_memory(error, "the draws");
    double *at = v->memory;
    for (int r = 0; r < ROUNDS; r++, at += d + d * d) {
        v->of[r].mu = at;
        v->of[r].U = at + d;
    }
    v->mode = at;
    v->v = v->mode + v->n;
    v->psi = v->v + most * d;
    v->x = v->psi + most * v->m;
    v->log_p = v->x + most * v->n;
    v->log_w = v->log_p + most;
    v->room = v->log_w + most;
    for (int i = 0; i < v->threads; i++)
        DLP_TRY(dlpi_work_alloc(&v->field, &v->work[i], error));
    return dlp_cholesky_alloc(v->field.shape, &v->F, error);
}

/* The first t; x* and H at the mode of psi, where searches begin. */
static bool begin(verify *v)
{
    dlpi_work *w = &v->work[0];
    double *u = v->of[0].mu; /* 0 */
    for (dlp_index k = 0; k < v->d; k++) v->of[0].U[k * (v->d + 1)] = 1;
    v->of[0].scale = 1;
    set_constant(v, &v->of[0]);
    (void)set_psi(v, u, v->room, v->psi);
    if (!isfinite(dlpi_work_at(w, v->psi))) return false;
    if (v->n && dlp_cholesky_compute(v->F, &w->H) >= 0) return false;
    memcpy(v->mode, w->x, (size_t)v->n * sizeof *w->x);
    memcpy(v->field.x, w->x, (size_t)v->n * sizeof *w->x);
    memcpy(v->field.b, w->b, (size_t)(2 * v->L) * sizeof *w->b);
    v->by_psi = v->m > 0;
    return true;
}

static dlp_status run(verify *v, const dlpi_groups *groups, dlp_error *error)
{
    struct dlpi_psis psis = {0};
    DLP_TRY(allocate(v, groups, error));
    if (!begin(v)) return DLP_OK;
    if (v->d == v->m && dlpi_grid_proposal_possible(&v->q->explore))
        DLP_TRY(dlpi_grid_proposal_make(&v->q->explore, &v->grid, error));
    for (int round = 0; round < ROUNDS; round++) {
        const bool any = draw_round(v, size_of(v, round));
        if (dlpi_listener_stopped(v->settings->listener))
            return dlp_fail(error, DLP_ECANCELLED, "cancelled");
        if (!any) return DLP_OK; /* nothing is known */
        if (dlpi_psis(v->log_w, (size_t)v->draws, &psis) != DLP_OK)
            return dlpi_no_memory(error, "the draws");
        count_failures(v);
        if (round + 1 < ROUNDS) adapt(v, psis.size);
    }
    v->result->pareto_k = psis.k;
    v->result->effective = psis.size;
    for (int i = 0; i < v->threads; i++)
        v->result->evaluations += (double)v->work[i].evaluations / (double)v->draws;
    return collect(v, error);
}

dlp_status dlpi_verify(const dlpi_groups *groups, const dlpi_posterior *q,
                       const dlpi_verify_settings *settings, dlpi_verified *result,
                       dlp_error *error)
{
    const double worth = 2e5; /* as in posterior.c */
    const dlpi_plan *plan = groups->plan;
    *result = (dlpi_verified){.pareto_k = INFINITY};
    if (plan->m + plan->n == 0 || q->points == 0) return DLP_OK;
    verify v = {.plan = plan,
                .q = q,
                .settings = settings,
                .result = result,
                .m = plan->m,
                .n = plan->n,
                .L = plan->L};
    v.d = plan->gaussian ? v.m : v.m + v.n;
    if (v.d == 0) return DLP_OK;
    /* In few dimensions long tails cost little; in many they waste nearly all draws. */
    v.nu = v.d <= FEW ? 3 : fmax(6, 2 * floor((double)v.d / 6));
    v.threads = settings->threads > 1 && plan->cost > worth / 10 ? settings->threads : 1;
    const dlp_status status = run(&v, groups, error);
    for (int i = 0; v.work && i < v.threads; i++) dlpi_work_free(&v.work[i]);
    free(v.work);
    free(v.memory);
    free(v.failed);
    dlp_cholesky_free(v.F);
    dlpi_grid_proposal_clear(&v.grid);
    dlpi_field_clear(&v.field);
    if (status != DLP_OK) dlpi_verified_clear(result);
    return status;
}

void dlpi_verified_clear(dlpi_verified *verified)
{
    dlpi_posterior_clear(&verified->posterior);
    *verified = (dlpi_verified){0};
}

dlp_index dlpi_verify_affordable(const dlpi_groups *groups, double nanoseconds)
{
    const double least = 800, most = 4096;
    const double n = fmin(floor(nanoseconds / dlpi_evaluation_time(groups)), most);
    return n < least ? 0 : (dlp_index)n;
}
