/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions of categories and counts. A count that is data keeps its place in the
   expression, so that all rows of a regression share a program. */
#include "density/distribution_tables.h"
#include "math/draw_counts.h"

#include <stdlib.h>

static const char *first_probability(int i, double v)
{
    return i == 0 ? probability(v) : NULL;
}

static bool is_op(const dlpi_builder *b, dlpi_expr e, dlpi_op op)
{
    return dlpi_builder_node(b, e)->op == op;
}

/* y log p + (n - y) log(1 - p); with p = ilogit(x), y x - n log(1 + e^x) */
static dlpi_expr successes(dlpi_builder *b, dlpi_expr y, dlpi_expr n, dlpi_expr p)
{
    if (is_op(b, p, DLPI_OP_ILOGIT)) {
        const dlpi_expr x = dlpi_builder_node(b, p)->arg[0];
        return sub(b, mul(b, y, x), mul(b, n, log1p_exp(b, x)));
    }
    return add(b, mul(b, y, log_(b, p)),
               mul(b, sub(b, n, y), log_(b, minus_from(b, 1, p))));
}

/* log n! - log y! - log (n-y)! */
static dlpi_expr log_choose(dlpi_builder *b, dlpi_expr n, dlpi_expr y)
{
    const dlpi_expr below =
        add(b, lgamma_(b, plus(b, 1, y)), lgamma_(b, plus(b, 1, sub(b, n, y))));
    return sub(b, lgamma_(b, plus(b, 1, n)), below);
}

/* The cdf of a count: 0 below 0. */
static dlpi_expr from_zero(dlpi_builder *b, dlpi_expr y, dlpi_expr cdf)
{
    return if_else(b, at_least(b, y, num(b, 0)), cdf, num(b, 0));
}

static dlpi_expr whole(dlpi_builder *b, dlpi_expr y) /* floor(y), from 0 on */
{
    return dlpi_apply2(b, DLPI_OP_MAX, num(b, 0), dlpi_apply1(b, DLPI_OP_FLOOR, y));
}

/* ---- Bernoulli: probability ---- */

static dlpi_expr bernoulli_density(LOG_DENSITY)
{
    return successes(b, value->at[0], num(b, 1), param(p, 0));
}

static dlpi_expr bernoulli_cdf(CDF)
{
    const dlpi_expr below_one = from_zero(b, y, minus_from(b, 1, param(p, 0)));
    return if_else(b, at_least(b, y, num(b, 1)), num(b, 1), below_one);
}

static void bernoulli_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = dlp_draw_uniform(rng) < p[0][0];
}

/* ---- categorical: weights ---- */

static dlpi_expr category_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0];
    const dlp_index n = p[0].n;
    double which;
    dlpi_expr log_sum;
    const dlpi_expr *log_p = dlpi_log_weights(b, n, p[0].at, &log_sum);
    if (!log_p) return 0;
    if (dlpi_is_number(b, y, &which)) {
        if (!(which >= 1 && which <= (double)n) || which != floor(which))
            return num(b, -INFINITY);
        return sub(b, log_p[(dlp_index)which - 1], log_sum);
    }
    dlpi_expr e = num(b, -INFINITY);
    for (dlp_index i = n; i-- > 0;)
        e = if_else(b, dlpi_apply2(b, DLPI_OP_EQUALS, y, num(b, (double)(i + 1))),
                    log_p[i], e);
    return sub(b, e, log_sum);
}

static const char *weight_complain(int i, double v)
{
    (void)i;
    return v >= 0 ? NULL : "must not be negative";
}

static bool category_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n == 1 && p[0].n > 0;
}

static void category_draw(DRAW)
{
    (void)n;
    const dlp_index i = dlp_draw_categorical(rng, n_p[0], p[0]);
    y[0] = i < 0 ? NAN : (double)(i + 1);
}

/* ---- binomial: probability, size ---- */

static dlpi_expr binomial_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], n = param(p, 1);
    return add(b, log_choose(b, n, y), successes(b, y, n, param(p, 0)));
}

static void binomial_bounds(BOUNDS)
{
    *lower = num(b, 0);
    *upper = param(p, 1);
}

/* P(Y > y) = I_p(y+1, n-y), y < n */
static dlpi_expr binomial_tail(CDF)
{
    const dlpi_expr n = param(p, 1), k = whole(b, y);
    const dlpi_expr tail =
        dlpi_apply(b, DLPI_OP_P_BETA, param(p, 0), plus(b, 1, k), sub(b, n, k));
    return if_else(b, at_least(b, y, n), num(b, 0), tail);
}

static dlpi_expr binomial_cdf(CDF) /* I_(1-p)(n-y, y+1) */
{
    const dlpi_expr n = param(p, 1), k = whole(b, y);
    const dlpi_expr below = dlpi_apply(b, DLPI_OP_P_BETA, minus_from(b, 1, param(p, 0)),
                                       sub(b, n, k), plus(b, 1, k));
    return from_zero(b, y, if_else(b, at_least(b, y, n), num(b, 1), below));
}

static dlpi_expr binomial_above(CDF)
{
    return if_else(b, at_least(b, y, num(b, 0)), log_(b, binomial_tail(b, y, p)),
                   num(b, 0));
}

static const char *binomial_complain(int i, double v)
{
    if (i == 0) return probability(v);
    return v >= 0 && v == floor(v) ? NULL : "must be a whole number, 0 or more";
}

static void binomial_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = dlpi_draw_binomial(rng, p[1][0], p[0][0]);
}

/* ---- Poisson: mean ---- */

/* y log lambda - lambda - log y! */
static dlpi_expr poisson_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], mean = param(p, 0);
    return sub(b, sub(b, mul(b, y, log_(b, mean)), mean), lgamma_(b, plus(b, 1, y)));
}

static dlpi_expr poisson_cdf(CDF)
{
    return from_zero(
        b, y, dlpi_apply2(b, DLPI_OP_Q_GAMMA, param(p, 0), plus(b, 1, whole(b, y))));
}

static dlpi_expr poisson_above(CDF)
{
    const dlpi_expr tail =
        log_(b, dlpi_apply2(b, DLPI_OP_P_GAMMA, param(p, 0), plus(b, 1, whole(b, y))));
    return if_else(b, at_least(b, y, num(b, 0)), tail, num(b, 0));
}

static const char *poisson_complain(int i, double v)
{
    (void)i;
    return v >= 0 ? NULL : "must not be negative";
}

static void poisson_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = dlpi_draw_poisson(rng, p[0][0]);
}

/* ---- negative binomial: probability, size ---- */

/* log Gamma(y+r) - log Gamma(r) - log y! + r log p + y log(1-p) */
static dlpi_expr negative_binomial_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], r = param(p, 1);
    const dlpi_expr front = sub(b, lgamma_(b, add(b, y, r)),
                                add(b, lgamma_(b, r), lgamma_(b, plus(b, 1, y))));
    return add(b, front, successes(b, r, add(b, r, y), param(p, 0)));
}

static dlpi_expr negative_binomial_cdf(CDF)
{
    return from_zero(
        b, y,
        dlpi_apply(b, DLPI_OP_P_BETA, param(p, 0), param(p, 1), plus(b, 1, whole(b, y))));
}

static dlpi_expr negative_binomial_above(CDF)
{
    const dlpi_expr tail =
        log_(b, dlpi_apply(b, DLPI_OP_P_BETA, minus_from(b, 1, param(p, 0)),
                           plus(b, 1, whole(b, y)), param(p, 1)));
    return if_else(b, at_least(b, y, num(b, 0)), tail, num(b, 0));
}

static const char *negative_binomial_complain(int i, double v)
{
    return i == 0 ? probability(v) : v >= 0 ? NULL : "must not be negative";
}

static void negative_binomial_draw(DRAW)
{
    UNUSED_SIZES;
    const double q = p[0][0], r = p[1][0];
    y[0] = r > 0 ? dlpi_draw_poisson(rng, dlp_draw_gamma(rng, r) * (1 - q) / q) : 0;
}

/* ---- beta binomial: a, b, size ---- */

static dlpi_expr log_beta(dlpi_builder *b, dlpi_expr x, dlpi_expr y)
{
    return sub(b, add(b, lgamma_(b, x), lgamma_(b, y)), lgamma_(b, add(b, x, y)));
}

static dlpi_expr beta_binomial_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], n = param(p, 2);
    const dlpi_expr top =
        log_beta(b, add(b, y, param(p, 0)), add(b, sub(b, n, y), param(p, 1)));
    return add(b, log_choose(b, n, y),
               sub(b, top, log_beta(b, param(p, 0), param(p, 1))));
}

static void beta_binomial_bounds(BOUNDS)
{
    *lower = num(b, 0);
    *upper = param(p, 2);
}

static const char *beta_binomial_complain(int i, double v)
{
    return i < 2 ? positive(v) : binomial_complain(1, v);
}

static void beta_binomial_draw(DRAW)
{
    UNUSED_SIZES;
    double pair[2];
    dlp_draw_dirichlet(rng, 2, (double[2]){p[0][0], p[1][0]}, pair);
    y[0] = dlpi_draw_binomial(rng, p[2][0], pair[0]);
}

/* ---- noncentral hypergeometric: n1, n2, m1, odds ratio ---- */

/* log C(n1, y) + log C(n2, m1-y) + y log psi */
static dlpi_expr hypergeometric_term(CDF)
{
    const dlpi_expr choose = add(b, log_choose(b, param(p, 0), y),
                                 log_choose(b, param(p, 1), sub(b, param(p, 2), y)));
    return add(b, choose, mul(b, y, log_(b, param(p, 3))));
}

/* sum_i C(n1, i) C(n2, m1-i) = C(n1 + n2, m1) */
static dlpi_expr central_hypergeometric(LOG_DENSITY)
{
    return sub(b, hypergeometric_term(b, value->at[0], p),
               log_choose(b, add(b, param(p, 0), param(p, 1)), param(p, 2)));
}

/* The sum has a number of terms that must be known: until discrete unknowns are held at
   their states, the result says no more than which unknowns it depends on. */
static dlpi_expr hypergeometric_density(LOG_DENSITY)
{
    double n1, n2, m1, psi;
    const double most = 1000;
    const dlpi_expr own = hypergeometric_term(b, value->at[0], p);
    if (dlpi_is_number(b, param(p, 3), &psi) && psi == 1)
        return central_hypergeometric(b, value, p);
    if (!dlpi_is_number(b, param(p, 0), &n1) || !dlpi_is_number(b, param(p, 1), &n2) ||
        !dlpi_is_number(b, param(p, 2), &m1))
        return add(b, own, num(b, NAN));
    const double low = fmax(0, m1 - n2), high = fmin(n1, m1);
    if (!(high >= low) || high - low > most) return num(b, NAN);
    const dlp_index n = (dlp_index)(high - low) + 1;
    dlpi_expr *term = dlpi_builder_room(b, n);
    if (!term) return 0;
    for (dlp_index i = 0; i < n; i++)
        term[i] = hypergeometric_term(b, num(b, low + (double)i), p);
    return sub(b, own, dlpi_reduce(b, DLPI_OP_LOG_ADD_EXP, n, term));
}

static void hypergeometric_bounds(BOUNDS)
{
    const dlpi_expr zero = num(b, 0);
    *lower = dlpi_apply2(b, DLPI_OP_MAX, zero, sub(b, param(p, 2), param(p, 1)));
    *upper = dlpi_apply2(b, DLPI_OP_MIN, param(p, 0), param(p, 2));
}

static const char *hypergeometric_complain(int i, double v)
{
    return i < 3 ? binomial_complain(1, v) : positive(v);
}

/* p(k+1) / p(k) = psi (n1-k) (m1-k) / ((k+1) (n2-m1+k+1)) */
static void hypergeometric_draw(DRAW)
{
    UNUSED_SIZES;
    const double n1 = p[0][0], n2 = p[1][0], m1 = p[2][0], psi = p[3][0];
    const double low = fmax(0, m1 - n2), high = fmin(n1, m1);
    const dlp_index count = high >= low ? (dlp_index)(high - low) + 1 : 0;
    double *weight = malloc((size_t)(count + 1) * sizeof *weight), largest = 0;
    y[0] = NAN;
    if (!weight) return;
    weight[0] = 0;
    for (dlp_index i = 0; i + 1 < count; i++) { /* log weights */
        const double k = low + (double)i;
        weight[i + 1] =
            weight[i] + log(psi * (n1 - k) / (k + 1)) + log((m1 - k) / (n2 - m1 + k + 1));
        largest = fmax(largest, weight[i + 1]);
    }
    for (dlp_index i = 0; i < count; i++) weight[i] = exp(weight[i] - largest);
    const dlp_index drawn = count ? dlp_draw_categorical(rng, count, weight) : -1;
    if (drawn >= 0) y[0] = low + (double)drawn;
    free(weight);
}

/* ---- intervals: dinterval(t, cuts) is how many cut points lie below t ---- */

static dlpi_expr interval_density(LOG_DENSITY)
{
    const dlpi_expr t = param(p, 0), y = value->at[0];
    dlpi_expr count = num(b, 0);
    for (dlp_index i = 0; i < p[1].n; i++) count = add(b, count, above(b, t, p[1].at[i]));
    return if_else(b, dlpi_apply2(b, DLPI_OP_EQUALS, y, count), num(b, 0),
                   num(b, -INFINITY));
}

static bool interval_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n == 1 && p[0].n == 1 && p[1].n > 0;
}

static void interval_draw(DRAW)
{
    (void)n, (void)rng;
    y[0] = 0;
    for (dlp_index i = 0; i < n_p[1]; i++) y[0] += p[0][0] > p[1][i];
}

static void interval_bounds(BOUNDS)
{
    *lower = num(b, 0);
    *upper = num(b, (double)p[1].n);
}

/* The cut points on both sides of value, the number of those below. */
static void interval_censor(CENSOR)
{
    const dlp_index at = (dlp_index)value;
    (void)b, (void)y;
    bound[0] = at > 0 && at <= second->n ? second->at[at - 1] : -1;
    bound[1] = at >= 0 && at < second->n ? second->at[at] : -1;
}

/* ---- the table ---- */

const dlpi_distribution dlpi_count_distributions[] = {
    {.name = "dbern",
     .n_params = 1,
     .n_params_max = 1,
     .support = DLPI_BINARY,
     .params = "probability",
     .complain = first_probability,
     .log_density = bernoulli_density,
     .cdf = bernoulli_cdf,
     .draw = bernoulli_draw,
     .shapes_agree = dlpi_all_scalars},
    {.name = "dcat",
     .n_params = 1,
     .n_params_max = 1,
     .support = DLPI_CATEGORY,
     .params = "probabilities",
     .complain = weight_complain,
     .log_density = category_density,
     .draw = category_draw,
     .shapes_agree = category_shapes},
    {.name = "dbin",
     .alias = "dbinom",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_COUNT,
     .params = "probability, size",
     .complain = binomial_complain,
     .log_density = binomial_density,
     .bounds = binomial_bounds,
     .cdf = binomial_cdf,
     .log_above = binomial_above,
     .draw = binomial_draw,
     .shapes_agree = dlpi_all_scalars,
     .upper_by = 2},
    {.name = "dpois",
     .n_params = 1,
     .n_params_max = 1,
     .support = DLPI_COUNT,
     .params = "mean",
     .complain = poisson_complain,
     .log_density = poisson_density,
     .cdf = poisson_cdf,
     .log_above = poisson_above,
     .draw = poisson_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true},
    {.name = "dnegbin",
     .alias = "dnbinom",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_COUNT,
     .params = "probability, size",
     .complain = negative_binomial_complain,
     .log_density = negative_binomial_density,
     .cdf = negative_binomial_cdf,
     .log_above = negative_binomial_above,
     .draw = negative_binomial_draw,
     .shapes_agree = dlpi_all_scalars},
    {.name = "dbetabin",
     .alias = "dbetabinom",
     .n_params = 3,
     .n_params_max = 3,
     .support = DLPI_COUNT,
     .params = "a, b, size",
     .complain = beta_binomial_complain,
     .log_density = beta_binomial_density,
     .bounds = beta_binomial_bounds,
     .draw = beta_binomial_draw,
     .shapes_agree = dlpi_all_scalars,
     .location = DLPI_EVERY_PARAMETER,
     .upper_by = 3},
    {.name = "dhyper",
     .n_params = 4,
     .n_params_max = 4,
     .support = DLPI_COUNT,
     .params = "marked, others, drawn, odds ratio",
     .complain = hypergeometric_complain,
     .log_density = hypergeometric_density,
     .bounds = hypergeometric_bounds,
     .draw = hypergeometric_draw,
     .shapes_agree = dlpi_all_scalars,
     .location = DLPI_EVERY_PARAMETER},
    {.name = "dinterval",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_COUNT,
     .params = "value, cut points",
     .log_density = interval_density,
     .bounds = interval_bounds,
     .draw = interval_draw,
     .shapes_agree = interval_shapes,
     .location = DLPI_EVERY_PARAMETER,
     .takes_vectors = true,
     .upper_by = 2,
     .upper_by_length = true,
     .censor = interval_censor},
};
const int dlpi_n_count_distributions =
    sizeof dlpi_count_distributions / sizeof dlpi_count_distributions[0];
