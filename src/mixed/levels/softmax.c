/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "math/dense.h"
#include "mixed/gaussian_parts.h"
#include "mixed/leaves/leaf_mode.h"
#include "mixed/levels/softmax_work.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;

/* ---- work ---- */

/* The columns outside smooths of all predictors, then those of each smooth. */
static void place_columns(const dlpi_softmax_work *w)
{
    const dlpi_mixed_data *data = w->rows->data;
    const dlp_index fixed = dlpi_mixed_fixed(data) / w->D;
    for (dlp_index k = 0; k < w->D; k++) {
        dlp_index *to = w->column + k * w->p;
        for (dlp_index j = 0; j < fixed; j++) *to++ = k * fixed + j;
        for (dlp_index s = k; s < data->n_smooths; s += w->D)
            for (dlp_index j = 0; j < data->smooth[s].n; j++)
                *to++ = data->smooth[s].first + j;
    }
}

static bool take_room(dlpi_softmax_work *w)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index n = rows->most_rows * w->D, Q = w->Q, nodes = w->nodes,
                    m = rows->most_support + rows->p, most = nodes > m ? nodes : m;
    const struct {
        double **at;
        dlp_index size;
    } fields[] = {{&w->eta0, n},          {&w->pi, n},
                  {&w->E_e, n},           {&w->E_ee, n * w->D},
                  {&w->trial, Q},         {&w->step, Q},
                  {&w->grad, Q},          {&w->centre, Q},
                  {&w->C, Q * Q},         {&w->U, Q * Q},
                  {&w->S, Q * Q},         {&w->node, nodes * Q},
                  {&w->log_omega, nodes}, {&w->omega, nodes},
                  {&w->score, nodes * m}, {&w->all, most},
                  {&w->product, nodes},   {&w->e, w->laplace ? 0 : dlpi_softmax_room(w)},
                  {&w->gradient, m},      {&w->curvature, m * m},
                  {&w->mean, Q},          {&w->variance, Q * Q},
                  {&w->slope, Q * m},     {&w->value, w->wide}};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    dlp_index total = 0;
    for (int i = 0; i < FIELDS; i++) total += fields[i].size;
    w->block = dlpi_calloc(total, sizeof *w->block);
    w->index = dlpi_calloc(w->D * (w->wide + w->p), sizeof *w->index);
    if (!w->block || !w->index) return false;
    w->column = w->index + w->D * w->wide;
    place_columns(w);
    total = 0;
    for (int i = 0; i < FIELDS; i++) {
        *fields[i].at = w->block + total;
        total += fields[i].size;
    }
    return true;
}

dlp_status dlpi_softmax_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                   dlpi_softmax_work **work, dlp_error *error)
{
    const dlp_index D = rows->data->predictors;
    dlpi_softmax_work *w = dlpi_calloc(1, sizeof *w);
    *work = w;
    if (!w) return dlpi_no_memory(error, "a mixed model");
    w->rows = rows;
    w->laplace = rule == DLPI_LEAF_LAPLACE || rows->q > DLPI_SOFTMAX_EFFECTS;
    w->D = D;
    w->Q = rows->q;
    w->q = rows->q / D;
    w->p = rows->p / D;
    w->wide = (rows->width + rows->p) / D;
    w->nodes = w->laplace ? 1 : dlpi_softmax_rules(w);
    return w->nodes > 0 && take_room(w) ? DLP_OK : dlpi_no_memory(error, "a mixed model");
}

void dlpi_softmax_work_free(dlpi_softmax_work *w)
{
    if (!w) return;
    for (int i = 0; i < DLPI_SOFTMAX_RULES; i++) free(w->rule[i].node);
    free(w->block);
    free(w->index);
    free(w);
}

/* ---- rows ---- */

void dlpi_softmax_see_row(dlpi_softmax_work *w, dlp_index r, dlp_index support)
{
    const dlpi_mixed_rows *rows = w->rows;
    const double *O = rows->O + r * rows->width, *X = rows->X + r * rows->p;
    dlp_index at = 0;
    for (dlp_index o = 0; o < rows->n_other; o++) {
        const dlpi_mixed_term *term = &rows->data->term[rows->term[o]];
        const int32_t *slot = rows->slot + r * rows->n_other + o;
        const dlp_index all = term->process ? w->D : term->q, q = all / w->D;
        for (dlp_index j = 0; j < q; j++, at++) {
            w->value[at] = O[j];
            for (dlp_index k = 0; k < w->D; k++)
                w->index[k * w->wide + at] =
                    term->process ? slot[k] : slot[0] + k * q + j;
        }
        O += all;
        if (term->process) o += w->D - 1; /* those of the other predictors */
    }
    for (dlp_index j = 0; j < w->p; j++, at++) {
        w->value[at] = X[w->column[j]];
        for (dlp_index k = 0; k < w->D; k++)
            w->index[k * w->wide + at] = support + w->column[k * w->p + j];
    }
}

/* The linear predictors of the rows, without the leaf's own effects. */
static void load_eta(dlpi_softmax_work *w, dlp_index g, dlp_index support,
                     const double *x)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index *seen = rows->support + rows->support_begin[g],
                    beta = rows->n - rows->p;
    double *eta = w->eta0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
        dlpi_softmax_see_row(w, r, support);
        for (dlp_index k = 0; k < w->D; k++, eta++) {
            const dlp_index *at = w->index + k * w->wide;
            *eta = rows->offset[r];
            for (dlp_index i = 0; i < w->wide; i++)
                *eta += w->value[i] *
                        x[at[i] < support ? seen[at[i]] : beta + at[i] - support];
        }
    }
}

/* sum_r w_r l_r at b, and pi. */
static double evaluate(dlpi_softmax_work *w, dlp_index g, const double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D, q = w->q;
    const double *eta0 = w->eta0;
    double *pi = w->pi, sum = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++, pi += D, eta0 += D) {
        const double *z = rows->Z + r * w->Q;
        const dlp_index y = (dlp_index)rows->y[r];
        double top = 0;
        for (dlp_index k = 0; k < D; k++) {
            pi[k] = eta0[k] + dlpi_dot(q, z, b + k * q);
            top = fmax(top, pi[k]);
        }
        const double own = y > 0 ? pi[y - 1] : 0;
        double all = exp(-top);
        for (dlp_index k = 0; k < D; k++) all += pi[k] = exp(pi[k] - top);
        for (dlp_index k = 0; k < D; k++) pi[k] /= all;
        sum += rows->weight[r] * (own - top - log(all));
    }
    return sum;
}

/* l_k and -l_kl of a row whose probabilities are pi, without its weight. */
static double slope_of(const dlpi_mixed_rows *rows, dlp_index r, const double *pi,
                       dlp_index k)
{
    return (rows->y[r] == (double)(k + 1)) - pi[k];
}

static double bend_of(const double *pi, dlp_index k, dlp_index l)
{
    return pi[k] * ((k == l) - pi[l]);
}

/* ---- the mode ---- */

/* C += weight bend z z', the block (k, l) of the upper triangle. */
static void add_bend(const dlpi_softmax_work *w, const double *z, double by, dlp_index k,
                     dlp_index l)
{
    const dlp_index q = w->q, Q = w->Q;
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = k == l ? i : 0; j < q; j++)
            w->C[(k * q + i) * Q + l * q + j] += by * z[i] * z[j];
}

/* h at b, its gradient, C = -hess h and its factor U: the rows are concave in b. */
static double expand(dlpi_softmax_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                     const double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index Q = w->Q, q = w->q, D = w->D;
    const double h = evaluate(w, g, b) - dlpi_half_quadratic(Q, prior->P, b);
    const double *pi = w->pi;
    memcpy(w->C, prior->P, (size_t)(Q * Q) * sizeof *w->C);
    for (dlp_index i = 0; i < Q; i++) w->grad[i] = -dlpi_dot(Q, prior->P + i * Q, b);
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++, pi += D) {
        const double *z = rows->Z + r * Q, weight = rows->weight[r];
        for (dlp_index k = 0; k < D; k++) {
            dlpi_axpy(q, weight * slope_of(rows, r, pi, k), z, w->grad + k * q);
            for (dlp_index l = k; l < D; l++)
                add_bend(w, z, weight * bend_of(pi, k, l), k, l);
        }
    }
    memcpy(w->U, w->C, (size_t)(Q * Q) * sizeof *w->U);
    return dlpi_cholesky(Q, w->U) < 0 ? h : NAN;
}

typedef struct where {
    dlpi_softmax_work *w;
    const dlpi_leaf_prior *prior;
    dlp_index g;
} where;

static double expand_at(void *context, const double *b)
{
    const where *at = context;
    return expand(at->w, at->prior, at->g, b);
}

/* NAN: h is not finite. */
static double find_mode(dlpi_softmax_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        double *b)
{
    where at = {w, prior, g};
    const dlpi_leaf_mode mode = {.q = w->Q,
                                 .expand = expand_at,
                                 .context = &at,
                                 .gradient = w->grad,
                                 .U = w->U,
                                 .step = w->step,
                                 .trial = w->trial,
                                 .tiny = w->laplace ? 1e-12 : 1e-6};
    return dlpi_leaf_mode_find(&mode, b);
}

/* ---- what is added up ---- */

/* E_e and E_ee at the b of the last evaluation. */
static void load_expectations(dlpi_softmax_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D;
    const double *pi = w->pi;
    double *e = w->E_e, *ee = w->E_ee;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++, pi += D)
        for (dlp_index k = 0; k < D; k++) {
            *e++ = rows->weight[r] * slope_of(rows, r, pi, k);
            for (dlp_index l = 0; l < D; l++)
                *ee++ = -rows->weight[r] * bend_of(pi, k, l);
        }
}

static void add_curvature(const dlpi_softmax_work *w, double by, dlp_index k, dlp_index l,
                          const dlpi_leaf *leaf)
{
    const dlp_index *row = w->index + k * w->wide, *column = w->index + l * w->wide;
    for (dlp_index i = 0; i < w->wide; i++)
        for (dlp_index j = 0; j < w->wide; j++)
            if (row[i] <= column[j])
                leaf->curvature[row[i] * leaf->m + column[j]] -=
                    by * w->value[i] * w->value[j];
}

/* gradient = sum_r E[l_e] A_r; curvature -= sum_r A_r' E[l_ee] A_r */
static void add_rows(dlpi_softmax_work *w, dlp_index g, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D;
    const double *e = w->E_e, *ee = w->E_ee;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
        dlpi_softmax_see_row(w, r, leaf->support);
        for (dlp_index k = 0; k < D; k++, e++) {
            const dlp_index *at = w->index + k * w->wide;
            for (dlp_index i = 0; i < w->wide; i++)
                leaf->gradient[at[i]] += *e * w->value[i];
            for (dlp_index l = 0; l < D; l++) add_curvature(w, *ee++, k, l, leaf);
        }
    }
}

/* ---- one node ---- */

/* h_bx (Q, m): sum_r l_kl z A_rl, into slope. */
static void load_cross(dlpi_softmax_work *w, dlp_index g, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D, m = leaf->m;
    const double *ee = w->E_ee;
    memset(leaf->slope, 0, (size_t)(w->Q * m) * sizeof *leaf->slope);
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
        const double *z = rows->Z + r * w->Q;
        dlpi_softmax_see_row(w, r, leaf->support);
        for (dlp_index k = 0; k < D; k++)
            for (dlp_index l = 0; l < D; l++, ee++)
                for (dlp_index a = 0; a < w->q; a++) {
                    double *to = leaf->slope + (k * w->q + a) * m;
                    const dlp_index *at = w->index + l * w->wide;
                    for (dlp_index i = 0; i < w->wide; i++)
                        to[at[i]] += *ee * z[a] * w->value[i];
                }
    }
}

/* Laplace: b moves with x by C^-1 h_bx. */
static void expect_by_mode(dlpi_softmax_work *w, dlp_index g, const double *b,
                           const dlpi_leaf *leaf)
{
    const dlp_index Q = w->Q, m = leaf->m;
    double *column = w->step, *slope = leaf->slope;
    (void)evaluate(w, g, b);
    load_expectations(w, g);
    memcpy(leaf->mean, b, (size_t)Q * sizeof *b);
    load_cross(w, g, leaf);
    for (dlp_index j = 0; j < m; j++) { /* U'^-1 h_bx, whose square is Cov[s] */
        for (dlp_index i = 0; i < Q; i++) column[i] = slope[i * m + j];
        dlpi_cholesky_forward(Q, w->U, column);
        for (dlp_index i = 0; i < Q; i++) slope[i * m + j] = column[i];
    }
    for (dlp_index i = 0; i < Q; i++) w->trial[i] = -1;
    dlpi_add_squares(m, Q, w->trial, slope, leaf->curvature);
    for (dlp_index j = 0; j < m; j++) { /* U^-1 of it */
        for (dlp_index i = 0; i < Q; i++) column[i] = slope[i * m + j];
        dlpi_cholesky_draw(Q, w->U, column);
        for (dlp_index i = 0; i < Q; i++) slope[i * m + j] = column[i];
    }
    dlpi_cholesky_inverse(Q, w->U, w->C, leaf->variance);
}

/* ---- several nodes ---- */

/* Bounds on how far h is from a parabola, from its third and fourth derivatives at the
   mode in sds: sum_r w_r E|v|^3 and E|v|^4, v = U'^-1 (e_y - pi) z. */
static void measure(dlpi_softmax_work *w, dlp_index g, const double *b, double *third,
                    double *fourth)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D, q = w->q;
    (void)evaluate(w, g, b);
    const double *pi = w->pi;
    double *v = w->step;
    *third = *fourth = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++, pi += D) {
        const double *z = rows->Z + r * w->Q;
        double left = 1;
        for (dlp_index y = D; y >= 0; y--) { /* level 0 has what is left */
            const double p = y > 0 ? pi[y - 1] : left;
            left -= y > 0 ? p : 0;
            for (dlp_index k = 0; k < D; k++)
                for (dlp_index i = 0; i < q; i++)
                    v[k * q + i] = ((y == k + 1) - pi[k]) * z[i];
            dlpi_cholesky_forward(w->Q, w->U, v);
            const double square = dlpi_dot(w->Q, v, v),
                         by = rows->weight[r] * fmax(p, 0) * square;
            *third += by * sqrt(square);
            *fourth += by * square;
        }
    }
}

/* The rule with the fewest nodes that is accurate enough. */
static int choose_rule(dlpi_softmax_work *w, dlp_index g, const double *b, bool *skewed)
{
    static const double most_third[] = {0.03, 0.3, 0.6}, most_fourth[] = {0.02, 0.2, 0.4};
    double third, fourth;
    measure(w, g, b, &third, &fourth);
    *skewed = third > most_third[0];
    for (int i = 0; i < w->rules - 1 && i < 3; i++)
        if (third < most_third[i] && fourth < most_fourth[i]) return i;
    return w->rules - 1;
}

static double expect_by_nodes(dlpi_softmax_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *b, double h0,
                              const dlpi_leaf *leaf)
{
    bool skewed;
    const int rule = choose_rule(w, g, b, &skewed);
    return dlpi_softmax_expect(w, prior, g, b, h0, rule, skewed, leaf);
}

/* ---- the whole ---- */

dlpi_leaf dlpi_softmax_integrate(dlpi_softmax_work *w, const dlpi_leaf_prior *prior,
                                 dlp_index g, const double *x, double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index support = rows->support_begin[g + 1] - rows->support_begin[g];
    const dlp_index m = support + rows->p,
                    n = (rows->begin[g + 1] - rows->begin[g]) * w->D;
    dlpi_leaf leaf = {.support = support,
                      .m = m,
                      .gradient = w->gradient,
                      .curvature = w->curvature,
                      .mean = w->mean,
                      .variance = w->variance,
                      .slope = w->slope};
    load_eta(w, g, support, x);
    const double h = find_mode(w, prior, g, b);
    leaf.log_integral = -INFINITY;
    if (!isfinite(h)) return leaf;
    memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
    memset(w->E_ee, 0, (size_t)(n * w->D) * sizeof *w->E_ee);
    memset(leaf.gradient, 0, (size_t)m * sizeof *leaf.gradient);
    memset(leaf.curvature, 0, (size_t)(m * m) * sizeof *leaf.curvature);
    leaf.height = h + 0.5 * prior->log_det;
    if (w->laplace) {
        expect_by_mode(w, g, b, &leaf);
        leaf.log_integral = leaf.height - dlpi_half_log_det(w->Q, w->U);
    } else {
        leaf.height +=
            expect_by_nodes(w, prior, g, b, h, &leaf) - 0.5 * (double)w->Q * LOG_2_PI;
        leaf.log_integral = leaf.height;
    }
    add_rows(w, g, &leaf);
    return leaf;
}
