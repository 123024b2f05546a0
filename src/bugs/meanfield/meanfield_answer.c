/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer for the nodes, from the factors of q: draws, moments, and the plan in
   words. */
#include "bugs/meanfield/meanfield_answer.h"

#include "bugs/bugs.h"
#include "core/core.h"
#include "density/jet.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

/* ---- a plan and a posterior as nodes.c reads them ---- */

/* Factors that the cells to summarise depend on: only those are drawn. */
static dlp_status find_wanted(dlpi_meanfield *mf, dlp_index n, const dlp_index *cells,
                              bool *wanted, dlp_error *error)
{
    const dlp_index n_cells = mf->factors->lowering->graph->n_cells;
    bool all = false, discrete = false;
    for (dlp_index i = 0; i < n; i++) {
        const int32_t q = mf->q_of[cells[i]];
        all = all || q < 0;
        if (q >= 0) wanted[q] = true;
    }
    if (!all) return DLP_OK;
    for (dlp_index i = 0; i < mf->n_q; i++)
        discrete = discrete || mf->q[i].family == DLPI_CATEGORICAL;
    if (discrete) { /* we do not trace what depends on their states */
        for (dlp_index i = 0; i < mf->n_q; i++) wanted[i] = true;
        return DLP_OK;
    }
    bool *cell = dlpi_calloc(n_cells, sizeof *cell);
    if (!cell) return dlpi_no_memory(error, "the draws");
    const dlp_status status = dlpi_wanted(mf->factors, n, cells, cell, error);
    for (dlp_index c = 0; c < n_cells; c++)
        if (cell[c] && mf->q_of[c] >= 0) wanted[mf->q_of[c]] = true;
    free(cell);
    return status;
}

static dlp_status make_plan(const dlpi_meanfield *mf, const bool *wanted, dlpi_plan *plan,
                            dlp_error *error)
{
    const dlp_index n_cells = mf->factors->lowering->graph->n_cells;
    DLP_TRY(dlpi_plan_alloc(n_cells, plan, error));
    for (dlp_index c = 0; c < n_cells; c++) plan->leaf[c] = -1;
    for (dlp_index i = 0; i < mf->n_q; i++)
        for (int32_t k = 0; k < mf->q[i].n && wanted[i]; k++) {
            const int32_t cell = mf->cell[mf->q[i].first + k];
            plan->role[cell] = DLPI_ROLE_X;
            plan->at[cell] = (int32_t)plan->n;
            plan->x_cell[plan->n++] = cell;
        }
    return DLP_OK;
}

static void set_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                        double *sd)
{
    if (q->family != DLPI_GAUSSIAN) {
        dlpi_conjugate_moments(mf, q, mean, sd);
        return;
    }
    for (int32_t k = 0; k < q->n; k++) {
        mean[k] = mf->mean[q->at + k];
        sd[k] = sqrt(mf->variance[q->at + k]);
    }
}

/* Draws of a Gaussian come in pairs, symmetric about its mean. */
static void draw(const dlpi_meanfield *mf, const dlpi_q *q, dlp_index i, uint64_t seed,
                 const double *last, double *value)
{
    dlp_rng rng = dlp_rng_at(dlpi_draw_stream(seed, mf->cell[q->first]), (uint64_t)i);
    if (q->family != DLPI_GAUSSIAN)
        dlpi_conjugate_draw(mf, q, &rng, value);
    else if (i % 2)
        for (int32_t k = 0; k < q->n; k++) value[k] = 2 * mf->mean[q->at + k] - last[k];
    else if (q->n > 1)
        dlp_fit_draw(q->fit, &rng, value);
    else
        value[0] = mf->mean[q->at] + sqrt(mf->variance[q->at]) * dlp_draw_normal(&rng);
}

static dlp_status make_draws(const dlpi_meanfield *mf, const dlpi_plan *plan,
                             dlpi_posterior *p, uint64_t seed, dlp_error *error)
{
    double *value = dlpi_calloc(2 * plan->n + 2, sizeof *value);
    if (!value) return dlpi_no_memory(error, "the draws");
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        const int32_t cell = mf->cell[q->first];
        for (dlp_index d = 0; plan->role[cell] && d < p->draws; d++) {
            double *now = value + (d % 2 ? q->n : 0), *last = value + (d % 2 ? 0 : q->n);
            draw(mf, q, d, seed, last, now);
            for (int32_t k = 0; k < q->n; k++)
                p->draw[(plan->at[cell] + k) * p->draws + d] = now[k];
        }
    }
    free(value);
    return DLP_OK;
}

static dlp_status plan_draws(dlpi_meanfield *mf, dlp_index n, const dlp_index *cells,
                             dlpi_plan *plan, dlp_error *error)
{
    bool *wanted = dlpi_calloc(mf->n_q, sizeof *wanted);
    if (!wanted) return dlpi_no_memory(error, "the draws");
    dlp_status status = find_wanted(mf, n, cells, wanted, error);
    if (status == DLP_OK) status = make_plan(mf, wanted, plan, error);
    free(wanted);
    return status;
}

dlp_status dlpi_meanfield_answer(dlpi_meanfield *mf, dlp_index n, const dlp_index *cells,
                                 dlp_index draws, uint64_t seed, dlpi_plan *plan,
                                 dlpi_posterior *p, dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    *p = (dlpi_posterior){.outcome = mf->outcome, .draws = draws};
    *plan = (dlpi_plan){0};
    DLP_TRY(plan_draws(mf, n, cells, plan, error));
    p->n = plan->n;
    p->memory = dlpi_calloc(2 * plan->n, sizeof *p->memory);
    p->draw = dlpi_calloc(plan->n * draws, sizeof *p->draw);
    if (!p->memory || !p->draw) return dlpi_no_memory(error, "the draws");
    p->x_mean = p->memory;
    p->x_sd = p->memory + plan->n;
    p->points = 1;
    p->log_evidence = NAN;
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const int32_t cell = mf->cell[mf->q[i].first];
        if (plan->role[cell])
            set_moments(mf, &mf->q[i], p->x_mean + plan->at[cell],
                        p->x_sd + plan->at[cell]);
    }
    DLP_TRY(make_draws(mf, plan, p, seed, error));
    for (dlp_index c = 0; c < l->graph->n_cells; c++)
        if (l->domain[c] == DLPI_DOMAIN_PLAIN) l->domain[c] = DLPI_DOMAIN_REAL;
    return DLP_OK;
}

/* ---- margins without draws ---- */

/* The value of a cell at a coordinate u. */
static double value_at(const dlpi_lowering *l, dlp_index cell, double u)
{
    const double low = l->lower[cell], high = l->upper[cell];
    switch ((dlpi_domain)l->domain[cell]) {
    case DLPI_DOMAIN_ABOVE: return low + exp(u);
    case DLPI_DOMAIN_BELOW: return high - exp(u);
    case DLPI_DOMAIN_BETWEEN: return low + (high - low) / (1 + exp(-u));
    case DLPI_DOMAIN_REAL: return u;
    default: return NAN;
    }
}

/* v - low or high - v is log-normal. */
static void log_normal_moments(const dlpi_lowering *l, dlp_index cell, double m, double s,
                               dlpi_node_margin *margin)
{
    const double far = exp(m + 0.5 * s * s);
    margin->mean = l->domain[cell] == DLPI_DOMAIN_ABOVE ? l->lower[cell] + far
                                                        : l->upper[cell] - far;
    margin->sd = far * sqrt(expm1(s * s));
}

/* E[v] and E[v^2] between two limits by the trapezoidal rule, which for a Gaussian is
   exact to all digits. */
static void bounded_moments(const dlpi_lowering *l, dlp_index cell, double m, double s,
                            dlpi_node_margin *margin)
{
    enum { FAR = 200 };
    const double by = 0.05;
    double w0 = 0, w1 = 0, w2 = 0;
    const double centre = value_at(l, cell, m);
    for (int i = -FAR; i <= FAR; i++) {
        const double z = by * i, w = exp(-0.5 * z * z),
                     v = value_at(l, cell, m + s * z) - centre;
        w0 += w;
        w1 += w * v;
        w2 += w * v * v;
    }
    margin->mean = centre + w1 / w0;
    margin->sd = sqrt(fmax(w2 / w0 - (w1 / w0) * (w1 / w0), 0));
}

/* The quantile: the smallest state with at least this probability at or below it. */
static double quantile(const dlpi_meanfield *mf, const dlpi_q *q, double p)
{
    double sum = 0;
    for (int32_t s = 0; s < q->n_stats; s++) {
        sum += mf->expected[q->stat + s];
        if (sum >= p) return q->low + s;
    }
    return q->low + q->n_stats - 1;
}

/* P(X <= x) for cell k of a gamma, beta or Dirichlet factor. */
static double below(const dlpi_meanfield *mf, const dlpi_q *q, int32_t k, double x)
{
    const double *natural = mf->natural + q->stat;
    double sum = 0;
    if (q->family == DLPI_GAMMA) return dlpi_p_gamma(-natural[1] * x, natural[0] + 1);
    for (int32_t i = 0; i < q->n_stats; i++) sum += natural[i] + 1;
    return dlpi_p_beta(x, natural[k] + 1, sum - natural[k] - 1);
}

/* The quantile by bisection between low and high. */
static double quantile_of(const dlpi_meanfield *mf, const dlpi_q *q, int32_t k, double p,
                          double low, double high)
{
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
        const double middle = low > 0 ? sqrt(low * high) : 0.5 * (low + high);
        if (below(mf, q, k, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void set_quantiles(const dlpi_meanfield *mf, const dlpi_q *q, int32_t k,
                          dlpi_node_margin *margin)
{
    double high = 1;
    if (q->family == DLPI_GAMMA)
        for (high = margin->mean; below(mf, q, k, high) < 0.99; high *= 2)
            if (!isfinite(high)) return;
    margin->lower = quantile_of(mf, q, k, 0.025, 0, high);
    margin->median = quantile_of(mf, q, k, 0.5, 0, high);
    margin->upper = quantile_of(mf, q, k, 0.975, 0, high);
}

/* Of a cell whose coordinate is normal: its own moments follow from those of the coordinate. */
static void gaussian_margin(const dlpi_meanfield *mf, const dlpi_q *q, dlp_index cell,
                            dlpi_node_margin *margin)
{
    const double far = 1.959963984540054;
    const dlpi_lowering *l = mf->factors->lowering;
    const dlp_index at = q->at + mf->place[cell];
    double m = 0, s = 0;
    if (q->family == DLPI_NORMAL)
        dlpi_conjugate_moments(mf, q, &m, &s);
    else {
        m = mf->mean[at];
        s = sqrt(mf->variance[at]);
    }
    const double middle = value_at(l, cell, m);
    if (!isfinite(middle)) return;
    const double a = value_at(l, cell, m - far * s), b = value_at(l, cell, m + far * s);
    margin->median = middle;
    margin->lower = fmin(a, b);
    margin->upper = fmax(a, b);
    if (l->domain[cell] == DLPI_DOMAIN_BETWEEN)
        bounded_moments(l, cell, m, s, margin);
    else if (l->domain[cell] != DLPI_DOMAIN_REAL)
        log_normal_moments(l, cell, m, s, margin);
}

void dlpi_meanfield_margin(const dlpi_meanfield *mf, dlp_index cell,
                           dlpi_node_margin *margin)
{
    const int32_t i = mf->q_of[cell];
    if (i < 0) return;
    const dlpi_q *q = &mf->q[i];
    if (q->family == DLPI_CATEGORICAL) {
        dlpi_conjugate_moments(mf, q, &margin->mean, &margin->sd);
        margin->lower = quantile(mf, q, 0.025);
        margin->median = quantile(mf, q, 0.5);
        margin->upper = quantile(mf, q, 0.975);
    }
    if (q->family == DLPI_SCALE) {
        margin->lower = dlpi_scale_quantile(mf, q, 0.025);
        margin->median = dlpi_scale_quantile(mf, q, 0.5);
        margin->upper = dlpi_scale_quantile(mf, q, 0.975);
    }
    if (q->family == DLPI_GAMMA || q->family == DLPI_BETA || q->family == DLPI_DIRICHLET)
        set_quantiles(mf, q, mf->place[cell], margin);
    if (q->family == DLPI_GAUSSIAN || q->family == DLPI_NORMAL)
        gaussian_margin(mf, q, cell, margin);
}

/* ---- counts that were cut off ---- */

dlp_status dlpi_meanfield_check(const dlpi_meanfield *mf, dlp_error *error)
{
    const double little = 1e-4;
    dlpi_lowering *l = mf->factors->lowering;
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        const dlp_index cell = mf->cell[q->first];
        if (q->family != DLPI_CATEGORICAL || l->of[q->relation]->support != DLPI_COUNT ||
            mf->expected[q->stat + q->n_stats - 1] < little || !dlpi_is_cut_off(l, cell))
            continue;
        char name[128];
        dlpi_cell_name(l->graph, cell, name, sizeof name);
        return dlpi_graph_complain(
            l->graph, l->graph->of[q->relation].relation->place, error,
            "%s may be larger than the values that were looked at; add T(,m), with a "
            "number m that it almost never exceeds",
            name);
    }
    return DLP_OK;
}

/* ---- the plan in words ---- */

static const char *reason_of(const dlpi_meanfield *mf, const dlpi_q *q)
{
    const dlpi_lowering *l = mf->factors->lowering;
    if (q->family == DLPI_CATEGORICAL) return "discrete: a table of probabilities";
    if (q->family != DLPI_GAUSSIAN) return "conjugate: exact given the other factors";
    if (q->block)
        return q->quadratic
                   ? "one Gaussian of all locations: exact given the other factors"
                   : "one Gaussian of all locations";
    if (q->quadratic) return "normal: exact given the other factors";
    switch ((dlpi_domain)l->domain[mf->cell[q->first]]) {
    case DLPI_DOMAIN_REAL: return "not conjugate: a Gaussian";
    case DLPI_DOMAIN_BETWEEN: return "not conjugate: a Gaussian of its logit";
    case DLPI_DOMAIN_SIMPLEX: return "not conjugate: a Gaussian of its log ratios";
    case DLPI_DOMAIN_MATRIX: return "not conjugate: a Gaussian of its Cholesky factor";
    default: return "not conjugate: a Gaussian of its logarithm";
    }
}

static const char *method_of(const dlpi_meanfield *mf, const dlpi_q *q)
{
    if (q->family != DLPI_GAUSSIAN || q->quadratic) return "conjugate";
    return dlpi_gaussian_by_delta(mf, q) ? "delta" : "laplace";
}

int dlpi_meanfield_explain(const dlpi_meanfield *mf, dlp_bugs_plan *lines)
{
    const dlpi_factors *f = mf->factors;
    const dlpi_graph *g = f->lowering->graph;
    int n = 0, last = -1;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        const int32_t i = mf->q_of[f->node_cell[node->first]];
        const dlpi_q *q = node->alive && i >= 0 ? &mf->q[i] : NULL;
        const dlpi_relation *r = g->of[node->relation].relation;
        if (node->relation == last) {
            lines[n - 1].unknown++;
            continue;
        }
        last = node->relation;
        lines[n++] = (dlp_bugs_plan){
            .name = r->left->name,
            .line = r->place.line,
            .unknown = 1,
            .how = q ? dlpi_family_name[q->family] : "prediction",
            .reason = q ? reason_of(mf, q) : "no data depend on it: drawn after the fit",
            .method = q ? method_of(mf, q) : NULL,
        };
    }
    return n;
}
