/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/held_margin.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 60,
    MOST_NODES = (DLPI_LOG_CURVE_NODES - 1) / 2,
    MOST_HALVINGS = 30,
    MOST_RIDGES = 8
};
static const double SETTLED = 1e-13; /* g'P^-1 g */
/* Far out, rounding may keep it from settling, as with a size so large that counts are
   Poisson: f is known only to this precision. */
static const double NEAR = 1e-4;
/* The nodes end where the density is exp(-DEEP) of the highest; the first is FIRST sds
   from the mode, and they move apart where the density falls by less than SLOW from one
   to the next, and closer together where it falls by more than FAST. */
static const double DEEP = 14, FIRST = 0.5, SLOW = 0.15, FAST = 3.5;

/* ---- f, in terms of a cut point that need not be the first ---- */

/* c_0 = c_k - sum of exp(delta_i), 1 <= i <= k */
static void open_cut(const dlpi_held *h, double sign, double *theta)
{
    double *delta = theta + h->glm->data.p;
    for (dlp_index i = 1; i <= h->cut; i++) delta[0] -= sign * exp(delta[i]);
}

/* With J = d theta / d phi: grad := J'grad, H := J'H J - grad_0 diag(exp(delta_i)). */
static void change_cut_basis(const dlpi_held *h, const double *delta, double *grad,
                             double *H)
{
    const dlp_index n = h->n, p = h->glm->data.p;
    for (dlp_index i = 1; i <= h->cut; i++) {
        const double g = exp(delta[i]);
        for (dlp_index k = 0; k < n; k++) H[(p + i) * n + k] -= g * H[p * n + k];
        for (dlp_index k = 0; k < n; k++) H[k * n + p + i] -= g * H[k * n + p];
        H[(p + i) * (n + 1)] -= g * grad[p];
        grad[p + i] -= g * grad[p];
    }
}

/* f, its gradient and its Hessian at theta. */
static double evaluate(dlpi_held *h)
{
    const dlp_model model = dlp_glm_model(h->glm);
    double *first = h->theta + h->glm->data.p;
    const double held = h->cut > 0 ? *first : 0;
    open_cut(h, 1, h->theta);
    const double f = model.type->f(model.state, h->theta, h->gradient, &h->hess);
    if (h->cut > 0) *first = held;
    double *H = dlp_sym_block(&h->hess, 0);
    if (h->cut > 0 && isfinite(f))
        change_cut_basis(h, h->theta + h->glm->data.p, h->gradient, H);
    h->evaluations++;
    return f;
}

/* ---- a mode ---- */

/* Before the mode is known, the diagonal of P serves. */
static double metric(const dlpi_held *h, dlp_index i, dlp_index l)
{
    const dlp_index at = i * h->n + l;
    if (h->settled) return h->at_mode[at];
    return i == l ? fabs(dlp_sym_block(&h->hess, 0)[at]) : 0;
}

/*
 * Factors P + kappa a a', which serves as well: det(P + kappa a a') a'(P + kappa a a')^-1
 * a = det P a'P^-1 a, the steps to the mode are the same, and P need not be positive
 * along a. Where the sum is not positive definite, a share of P at the mode makes it so,
 * which columns in other units do not change.
 */
static bool factor(dlpi_held *h, const double *a, double kappa)
{
    const dlp_index n = h->n;
    const double *H = dlp_sym_block(&h->hess, 0);
    double ridge = 0;
    for (int k = 0; k<MOST_RIDGES; k++, ridge = ridge> 0 ? 10 * ridge : 1e-4) {
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index l = 0; l < n; l++)
                h->P[i * n + l] = ridge * metric(h, i, l) - H[i * n + l] +
                                  (a ? kappa * a[i] * a[l] : 0);
        h->ridged = ridge > 0;
        if (dlpi_cholesky(n, h->P) < 0) return true;
    }
    return false;
}

/* Finds the step to the mode, with a'step = 0, and returns g'step. */
static double find_step(dlpi_held *h, const double *a)
{
    const dlp_index n = h->n;
    memcpy(h->step, h->gradient, (size_t)n * sizeof *h->step);
    dlpi_cholesky_solve(n, h->P, h->step);
    if (a) {
        memcpy(h->along, a, (size_t)n * sizeof *a);
        dlpi_cholesky_solve(n, h->P, h->along);
        const double by = dlpi_dot(n, a, h->step) / dlpi_dot(n, a, h->along);
        dlpi_axpy(n, -by, h->along, h->step);
    }
    return dlpi_dot(n, h->gradient, h->step);
}

/* Takes the step from `before`, halved until f does not fall. */
static bool advance(dlpi_held *h, double least)
{
    const dlp_index n = h->n;
    double share = 1;
    for (int k = 0; k < MOST_HALVINGS; k++, share /= 2) {
        memcpy(h->theta, h->before, (size_t)n * sizeof *h->theta);
        dlpi_axpy(n, share, h->step, h->theta);
        h->f = evaluate(h);
        if (isfinite(h->f) && h->f >= least) return true;
    }
    return false;
}

/* Goes from theta to the mode, with a'theta held at its value. P is then factored. */
static bool climb(dlpi_held *h, const double *a, double kappa)
{
    double gain = INFINITY;
    h->f = evaluate(h);
    for (int it = 0; it < MOST_STEPS && isfinite(h->f); it++) {
        if (!factor(h, a, kappa)) return false;
        gain = find_step(h, a);
        if (!(gain >= 0)) return fabs(gain) < NEAR && !h->ridged;
        if (gain < SETTLED) return !h->ridged;
        memcpy(h->before, h->theta, (size_t)h->n * sizeof *h->before);
        const double rounding = 1e-12 * (1 + fabs(h->f));
        if (!advance(h, h->f - rounding)) return gain < NEAR && !h->ridged;
    }
    return gain < NEAR && !h->ridged;
}

/* ---- from node to node ---- */

static double log_density(const dlpi_held *h, const double *a)
{
    return h->f -
           0.5 * (dlpi_cholesky_log_det(h->n, h->P) + log(dlpi_dot(h->n, a, h->along)));
}

/* One side of the mode, in steps of `step`: nodes into u and log_p, outwards from the
   mode. Returns how many; 0: the search for them failed. */
static int follow(dlpi_held *h, const double *a, double sd, double side, double from,
                  double at_mode, double *u, double *log_p)
{
    const dlp_index n = h->n;
    const double kappa = 1 / (sd * sd), least = sd / 64;
    double step = FIRST * sd, at = from, last = at_mode, top = at_mode;
    double *kept = h->step + 2 * n; /* after `along`: theta and along of the last node */
    int nodes = 0;
    while (nodes < MOST_NODES && last > top - DEEP) {
        memcpy(kept, h->theta, (size_t)n * sizeof *kept);
        memcpy(kept + n, h->along, (size_t)n * sizeof *kept);
        dlpi_axpy(n, side * step / dlpi_dot(n, a, h->along), h->along, h->theta);
        const bool there = climb(h, a, kappa);
        const double now = there ? log_density(h, a) : -INFINITY;
        if (!(last - now < FAST + 0.25 * (top - last)) && step > least) {
            memcpy(h->theta, kept, (size_t)n * sizeof *kept);
            memcpy(h->along, kept + n, (size_t)n * sizeof *kept);
            step /= 2;
            continue;
        }
        if (!isfinite(now)) break; /* that far out it matters little */
        at += side * step;
        u[nodes] = at;
        log_p[nodes++] = now;
        if (fabs(last - now) < SLOW) step *= 1.5;
        top = fmax(top, now);
        last = now;
    }
    return last > top - 0.5 * DEEP ? 0 : nodes;
}

/* Puts the nodes of both sides in order. */
static void join(int below, int above, const double *u, const double *log_p, double from,
                 double at_mode, dlpi_log_curve *c)
{
    c->n = below + 1 + above;
    for (int i = 0; i < below; i++) {
        c->u[below - 1 - i] = u[i];
        c->log_p[below - 1 - i] = log_p[i];
    }
    c->u[below] = from;
    c->log_p[below] = at_mode;
    for (int i = 0; i < above; i++) {
        c->u[below + 1 + i] = u[MOST_NODES + i];
        c->log_p[below + 1 + i] = log_p[MOST_NODES + i];
    }
}

bool dlpi_held_margin(dlpi_held *h, dlp_index cut, const double *a, dlpi_log_curve *c)
{
    double u[2 * MOST_NODES], log_p[2 * MOST_NODES], from = 0, sd = 0, at_mode = 0;
    int nodes[2];
    for (int side = 0; side < 2; side++) {
        memcpy(h->theta, h->mode, (size_t)h->n * sizeof *h->theta);
        h->cut = cut;
        open_cut(h, -1, h->theta);
        if (!climb(h, NULL, 0) || !(find_step(h, a) < 1)) return false;
        from = dlpi_dot(h->n, a, h->theta);
        sd = sqrt(dlpi_dot(h->n, a, h->along));
        at_mode = log_density(h, a);
        if (!(sd > 0) || !isfinite(at_mode)) return false;
        nodes[side] = follow(h, a, sd, side ? 1 : -1, from, at_mode,
                             u + (dlp_index)side * MOST_NODES,
                             log_p + (dlp_index)side * MOST_NODES);
        if (nodes[side] == 0) return false;
    }
    join(nodes[0], nodes[1], u, log_p, from, at_mode, c);
    return dlpi_log_curve_settle(c);
}

dlp_margin dlpi_margin_of_curve(const dlpi_log_curve *c)
{
    return (dlp_margin){.mean = c->mean,
                        .sd = c->sd,
                        .lower = dlpi_log_curve_quantile(c, 0.025),
                        .median = dlpi_log_curve_quantile(c, 0.5),
                        .upper = dlpi_log_curve_quantile(c, 0.975)};
}

/* ---- memory ---- */

dlp_status dlpi_held_alloc(dlpi_held *h, dlp_glm *glm, const double *theta,
                           dlp_error *error)
{
    const dlp_index n = glm->n;
    *h = (dlpi_held){.glm = glm, .n = n};
    DLP_TRY(dlp_sym_alloc(dlp_shape_dense(n), &h->hess, error));
    h->mode = dlpi_calloc(8 + 2 * n, (size_t)n * sizeof *h->mode);
    if (!h->mode) return dlpi_no_memory(error, "the margins");
    h->theta = h->mode + n;
    h->gradient = h->theta + n;
    h->before = h->gradient + n;
    h->step = h->before + n;
    h->along = h->step + n;
    h->P = h->mode + 8 * n;
    h->at_mode = h->P + n * n;
    memcpy(h->theta, theta, (size_t)n * sizeof *theta);
    if (!climb(h, NULL, 0))
        return dlp_fail(error, DLP_EINPUT, "no mode of the posterior was found");
    memcpy(h->mode, h->theta, (size_t)n * sizeof *theta);
    const double *H = dlp_sym_block(&h->hess, 0);
    for (dlp_index i = 0; i < n * n; i++) h->at_mode[i] = -H[i];
    h->settled = true;
    return DLP_OK;
}

void dlpi_held_free(dlpi_held *h)
{
    free(h->mode);
    dlp_sym_free(&h->hess);
    *h = (dlpi_held){.n = 0};
}
