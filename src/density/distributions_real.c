/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions on the whole line. Precisions, not variances, as in JAGS. */
#include "density/distribution_tables.h"

static const char *second_positive(int i, double v)
{
    return i == 1 ? positive(v) : NULL;
}

/* ---- normal: mean, precision ---- */

/* (log tau - log 2 pi - tau (y - mu)^2) / 2 */
static dlpi_expr normal_density(LOG_DENSITY)
{
    const dlpi_expr tau = param(p, 1);
    const dlpi_expr square_gap = square(b, sub(b, value->at[0], param(p, 0)));
    return plus(b, -DLPI_HALF_LOG_2PI,
                times(b, 0.5, sub(b, log_(b, tau), mul(b, tau, square_gap))));
}

static dlpi_expr normal_score(CDF) /* (y - mu) sqrt(tau) */
{
    return mul(b, sub(b, y, param(p, 0)), sqrt_(b, param(p, 1)));
}

static dlpi_expr normal_cdf(CDF)
{
    return phi(b, normal_score(b, y, p));
}

static dlpi_expr normal_above(CDF)
{
    return log_phi(b, neg(b, normal_score(b, y, p)));
}

static dlpi_expr normal_quantile(QUANTILE)
{
    const dlpi_expr score = dlpi_apply1(b, DLPI_OP_PROBIT, p);
    return add(b, param(of, 0), over(b, score, sqrt_(b, param(of, 1))));
}

static void normal_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = p[0][0] + dlp_draw_normal(rng) / sqrt(p[1][0]);
}

/* ---- logistic: location, inverse scale ---- */

static dlpi_expr logistic_score(CDF) /* tau (y - mu) */
{
    return mul(b, param(p, 1), sub(b, y, param(p, 0)));
}

/* log tau + z - 2 log(1 + e^z) */
static dlpi_expr logistic_density(LOG_DENSITY)
{
    const dlpi_expr z = logistic_score(b, value->at[0], p);
    return add(b, log_(b, param(p, 1)), sub(b, z, times(b, 2, log1p_exp(b, z))));
}

static dlpi_expr logistic_cdf(CDF)
{
    return ilogit(b, logistic_score(b, y, p));
}

static dlpi_expr logistic_above(CDF)
{
    return neg(b, log1p_exp(b, logistic_score(b, y, p)));
}

static dlpi_expr logistic_quantile(QUANTILE)
{
    return add(b, param(of, 0), over(b, dlpi_apply1(b, DLPI_OP_LOGIT, p), param(of, 1)));
}

static void logistic_draw(DRAW)
{
    UNUSED_SIZES;
    const double u = dlp_draw_uniform(rng);
    y[0] = p[0][0] + (log(u) - log1p(-u)) / p[1][0];
}

/* ---- Student's t: location, precision, degrees of freedom ---- */

/* log Gamma((k+1)/2) - log Gamma(k/2) + (log tau - log(k pi)) / 2
   - (k+1)/2 log(1 + tau (y-mu)^2 / k) */
static dlpi_expr student_density(LOG_DENSITY)
{
    const dlpi_expr tau = param(p, 1), k = param(p, 2);
    const dlpi_expr gap = sub(b, value->at[0], param(p, 0));
    const dlpi_expr half = times(b, 0.5, plus(b, 1, k));
    const dlpi_expr square_score = over(b, mul(b, tau, square(b, gap)), k);
    const dlpi_expr front = sub(b, lgamma_(b, half), lgamma_(b, times(b, 0.5, k)));
    const dlpi_expr scale =
        times(b, 0.5, sub(b, log_(b, tau), plus(b, DLPI_LOG_PI, log_(b, k))));
    return add(b, add(b, front, scale),
               neg(b, mul(b, half, log_(b, plus(b, 1, square_score)))));
}

/*
 * P(T <= t) = I_x(k/2, k/2) with x = (t + s) / (2 s), s = sqrt(t^2 + k): no branch at 0. On
 * the left t + s = k / (s - t), which keeps its digits. For k = 1, Cauchy's distribution,
 * it is 1/2 + arctan(t) / pi.
 */
static dlpi_expr student_below(dlpi_builder *b, dlpi_expr t, dlpi_expr k)
{
    const double one_over_pi = 0.31830988618379067154;
    double df;
    if (dlpi_is_number(b, k, &df) && df == 1)
        return plus(b, 0.5, times(b, one_over_pi, dlpi_apply1(b, DLPI_OP_ATAN, t)));
    const dlpi_expr s = sqrt_(b, add(b, square(b, t), k)), half = times(b, 0.5, k);
    const dlpi_expr x = over(b, half, mul(b, s, sub(b, s, t)));
    return dlpi_apply(b, DLPI_OP_P_BETA, x, half, half);
}

static dlpi_expr student_cdf(CDF)
{
    return student_below(b, normal_score(b, y, p), param(p, 2));
}

static dlpi_expr student_above(CDF)
{
    return log_(b, student_below(b, neg(b, normal_score(b, y, p)), param(p, 2)));
}

static const char *student_complain(int i, double v)
{
    return i > 0 ? positive(v) : NULL;
}

static void student_draw(DRAW)
{
    UNUSED_SIZES;
    const double half = 0.5 * p[2][0];
    const double scale = exp(0.5 * (log(half) - dlp_draw_log_gamma(rng, half)));
    y[0] = p[0][0] + dlp_draw_normal(rng) * scale / sqrt(p[1][0]);
}

/* ---- double exponential: location, inverse scale ---- */

static dlpi_expr laplace_density(LOG_DENSITY) /* log(tau/2) - tau |y - mu| */
{
    const dlpi_expr tau = param(p, 1);
    const dlpi_expr gap = dlpi_apply1(b, DLPI_OP_ABS, sub(b, value->at[0], param(p, 0)));
    return sub(b, plus(b, -DLPI_LOG_2, log_(b, tau)), mul(b, tau, gap));
}

static dlpi_expr laplace_cdf(CDF)
{
    const dlpi_expr z = mul(b, param(p, 1), sub(b, y, param(p, 0)));
    return if_else(b, at_least(b, z, num(b, 0)),
                   minus_from(b, 1, times(b, 0.5, exp_(b, neg(b, z)))),
                   times(b, 0.5, exp_(b, z)));
}

static dlpi_expr laplace_above(CDF)
{
    const dlpi_expr z = mul(b, param(p, 1), sub(b, y, param(p, 0)));
    return if_else(b, at_least(b, z, num(b, 0)), plus(b, -DLPI_LOG_2, neg(b, z)),
                   log_(b, minus_from(b, 1, times(b, 0.5, exp_(b, z)))));
}

static void laplace_draw(DRAW)
{
    UNUSED_SIZES;
    const double u = dlp_draw_uniform(rng) - 0.5;
    y[0] = p[0][0] - (u < 0 ? -1 : 1) * log1p(-2 * fabs(u)) / p[1][0];
}

/* ---- flat: improper ---- */

static dlpi_expr flat_density(LOG_DENSITY)
{
    (void)value, (void)p;
    return num(b, 0);
}

static void flat_draw(DRAW) /* there is none */
{
    UNUSED_SIZES;
    (void)p, (void)rng;
    y[0] = NAN;
}

/* ---- a mixture of normals: means, precisions, weights ---- */

static dlpi_expr mixture_density(LOG_DENSITY)
{
    const dlp_index n = p[0].n;
    dlpi_expr *term = dlpi_builder_room(b, n);
    if (!term) return 0;
    for (dlp_index i = 0; i < n; i++) {
        const dlpi_value one[2] = {{.n = 1, .at = p[0].at + i},
                                   {.n = 1, .at = p[1].at + i}};
        term[i] = add(b, log_(b, p[2].at[i]), normal_density(b, value, one));
    }
    return sub(b, dlpi_reduce(b, DLPI_OP_LOG_ADD_EXP, n, term),
               log_(b, dlpi_sum(b, n, p[2].at)));
}

static bool mixture_shapes(const dlpi_value *y, const dlpi_value *p)
{
    return y->n == 1 && p[0].n > 0 && p[0].n == p[1].n && p[0].n == p[2].n;
}

static const char *mixture_complain(int i, double v)
{
    return i == 1 ? positive(v) : i == 2 && !(v >= 0) ? "must not be negative" : NULL;
}

static void mixture_draw(DRAW)
{
    (void)n;
    const dlp_index part = dlp_draw_categorical(rng, n_p[2], p[2]);
    y[0] = part < 0 ? NAN : p[0][part] + dlp_draw_normal(rng) / sqrt(p[1][part]);
}

/* ---- rounded: value, digits ---- */

/* Half a unit of the last digit that is kept: 0.5 10^-digits. */
static dlpi_expr half_unit(dlpi_builder *b, dlpi_expr digits)
{
    return times(b, 0.5, dlpi_apply2(b, DLPI_OP_POW, num(b, 10), neg(b, digits)));
}

static dlpi_expr rounded_density(LOG_DENSITY)
{
    const dlpi_expr off = dlpi_apply1(b, DLPI_OP_ABS, sub(b, value->at[0], param(p, 0)));
    return if_else(b, at_least(b, half_unit(b, param(p, 1)), off), num(b, 0),
                   num(b, -INFINITY));
}

static void rounded_censor(CENSOR)
{
    (void)value;
    const dlpi_expr half = half_unit(b, second->at[0]);
    bound[0] = sub(b, y, half);
    bound[1] = add(b, y, half);
}

static void rounded_draw(DRAW)
{
    UNUSED_SIZES, (void)rng;
    const double unit = pow(10, -p[1][0]);
    y[0] = unit * floor(p[0][0] / unit + 0.5);
}

/* ---- the sum of up to eight others ---- */

enum { MOST_ADDED = 8 };

static dlpi_expr sum_density(LOG_DENSITY)
{
    dlpi_expr sum = num(b, 0);
    for (int i = 0; i < MOST_ADDED && p[i].n > 0; i++) sum = add(b, sum, param(p, i));
    return if_else(b, dlpi_apply2(b, DLPI_OP_EQUALS, value->at[0], sum), num(b, 0),
                   num(b, -INFINITY));
}

static bool sum_shapes(const dlpi_value *y, const dlpi_value *p)
{
    for (int i = 0; i < MOST_ADDED && p[i].n > 0; i++)
        if (p[i].n > 1) return false;
    return y->n == 1;
}

static void sum_draw(DRAW)
{
    (void)n, (void)rng;
    y[0] = 0;
    for (int i = 0; i < MOST_ADDED && n_p[i] > 0; i++) y[0] += p[i][0];
}

const dlpi_distribution dlpi_real_distributions[] = {
    {.name = "dnorm",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL,
     .params = "mean, precision",
     .complain = second_positive,
     .log_density = normal_density,
     .cdf = normal_cdf,
     .log_above = normal_above,
     .draw = normal_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true,
     .quantile = normal_quantile},
    {.name = "dlogis",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL,
     .params = "location, inverse scale",
     .complain = second_positive,
     .log_density = logistic_density,
     .cdf = logistic_cdf,
     .log_above = logistic_above,
     .draw = logistic_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true,
     .quantile = logistic_quantile},
    {.name = "dt",
     .n_params = 3,
     .n_params_max = 3,
     .support = DLPI_REAL,
     .params = "location, precision, degrees of freedom",
     .complain = student_complain,
     .log_density = student_density,
     .cdf = student_cdf,
     .log_above = student_above,
     .draw = student_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true},
    {.name = "ddexp",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL,
     .params = "location, inverse scale",
     .complain = second_positive,
     .log_density = laplace_density,
     .cdf = laplace_cdf,
     .log_above = laplace_above,
     .draw = laplace_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true},
    {.name = "dflat",
     .support = DLPI_REAL,
     .params = "",
     .log_density = flat_density,
     .draw = flat_draw,
     .shapes_agree = dlpi_all_scalars,
     .improper = true},
    {.name = "dnormmix",
     .n_params = 3,
     .n_params_max = 3,
     .support = DLPI_REAL,
     .params = "means, precisions, weights",
     .complain = mixture_complain,
     .log_density = mixture_density,
     .draw = mixture_draw,
     .shapes_agree = mixture_shapes,
     .centred = true,
     .location = DLPI_EVERY_PARAMETER,
     .takes_vectors = true},
    {.name = "dround",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_REAL,
     .params = "value, digits",
     .log_density = rounded_density,
     .draw = rounded_draw,
     .shapes_agree = dlpi_all_scalars,
     .centred = true,
     .censor = rounded_censor},
    {.name = "dsum",
     .n_params = 1,
     .n_params_max = MOST_ADDED,
     .support = DLPI_REAL,
     .params = "what is added up",
     .log_density = sum_density,
     .draw = sum_draw,
     .shapes_agree = sum_shapes,
     .centred = true,
     .jump =
         "dsum() adds up '%s', which is not discrete: state the distribution of the sum, "
         "or let it have a small error, as in dnorm(x1 + x2, 1.0E+6)"},
};
const int dlpi_n_real_distributions =
    sizeof dlpi_real_distributions / sizeof dlpi_real_distributions[0];
