/* SPDX-License-Identifier: BSD-3-Clause */
/* Continuous distributions on a part of the line. */
#include "density/distribution_tables.h"

static const char *all_positive(int i, double v)
{
    (void)i;
    return positive(v);
}

static void above_zero(BOUNDS)
{
    (void)p;
    *lower = num(b, 0);
    *upper = num(b, INFINITY);
}

/* P_GAMMA where y > 0 */
static dlpi_expr gamma_below(dlpi_builder *b, dlpi_expr x, dlpi_expr shape)
{
    return dlpi_apply2(b, DLPI_OP_P_GAMMA, x, shape);
}

static dlpi_expr gamma_above(dlpi_builder *b, dlpi_expr x, dlpi_expr shape)
{
    return log_(b, dlpi_apply2(b, DLPI_OP_Q_GAMMA, x, shape));
}

/* ---- uniform: lower, upper ---- */

/* -log(u - l). An observation must lie between the two; a latent y is held there by its
   bounds. */
static dlpi_expr uniform_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0];
    const dlpi_expr density = neg(b, log_(b, sub(b, param(p, 1), param(p, 0))));
    if (!dlpi_is_number(b, y, NULL)) return density;
    const dlpi_expr inside =
        both(b, at_least(b, y, param(p, 0)), at_least(b, param(p, 1), y));
    return if_else(b, inside, density, num(b, -INFINITY));
}

static void uniform_bounds(BOUNDS)
{
    (void)b;
    *lower = param(p, 0);
    *upper = param(p, 1);
}

static dlpi_expr uniform_cdf(CDF)
{
    return over(b, sub(b, y, param(p, 0)), sub(b, param(p, 1), param(p, 0)));
}

static dlpi_expr uniform_above(CDF)
{
    return log_(b, over(b, sub(b, param(p, 1), y), sub(b, param(p, 1), param(p, 0))));
}

static dlpi_expr uniform_quantile(QUANTILE)
{
    return add(b, param(of, 0), mul(b, p, sub(b, param(of, 1), param(of, 0))));
}

static void uniform_draw(DRAW)
{
    UNUSED_SIZES;
    const double u = dlp_draw_uniform(rng);
    y[0] = p[0][0] * (1 - u) + p[1][0] * u;
}

/* ---- gamma: shape, rate ---- */

/* r log lambda + (r-1) log y - lambda y - log Gamma(r) */
static dlpi_expr gamma_log_density(dlpi_builder *b, dlpi_expr y, dlpi_expr r,
                                   dlpi_expr rate)
{
    const dlpi_expr front = sub(b, mul(b, r, log_(b, rate)), lgamma_(b, r));
    return add(b, front, sub(b, mul(b, plus(b, -1, r), log_(b, y)), mul(b, rate, y)));
}

static dlpi_expr gamma_density(LOG_DENSITY)
{
    return gamma_log_density(b, value->at[0], param(p, 0), param(p, 1));
}

static dlpi_expr gamma_cdf(CDF)
{
    return gamma_below(b, mul(b, param(p, 1), y), param(p, 0));
}

static dlpi_expr gamma_log_above(CDF)
{
    return gamma_above(b, mul(b, param(p, 1), y), param(p, 0));
}

/* Of a gamma distribution on the logarithm, of a beta on the logit. */
static double middle_of_shapes(const double *p)
{
    const bool spike = !(p[0] >= 0.5 && p[1] > 0);
    return spike ? NAN : log(p[0] / p[1]);
}

static void gamma_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = dlp_draw_gamma(rng, p[0][0]) / p[1][0];
}

/* ---- exponential: rate ---- */

static dlpi_expr exponential_density(LOG_DENSITY) /* log lambda - lambda y */
{
    return sub(b, log_(b, param(p, 0)), mul(b, param(p, 0), value->at[0]));
}

static dlpi_expr exponential_above(CDF)
{
    return neg(b, mul(b, param(p, 0), y));
}

static dlpi_expr exponential_cdf(CDF)
{
    return minus_from(b, 1, exp_(b, exponential_above(b, y, p)));
}

static dlpi_expr exponential_quantile(QUANTILE)
{
    return neg(b, over(b, log_(b, minus_from(b, 1, p)), param(of, 0)));
}

static void exponential_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = -log(dlp_draw_uniform(rng)) / p[0][0];
}

/* ---- chi squared: degrees of freedom ---- */

static dlpi_expr chi_squared_density(LOG_DENSITY)
{
    return gamma_log_density(b, value->at[0], times(b, 0.5, param(p, 0)), num(b, 0.5));
}

static dlpi_expr chi_squared_cdf(CDF)
{
    return gamma_below(b, times(b, 0.5, y), times(b, 0.5, param(p, 0)));
}

static dlpi_expr chi_squared_above(CDF)
{
    return gamma_above(b, times(b, 0.5, y), times(b, 0.5, param(p, 0)));
}

static void chi_squared_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = 2 * dlp_draw_gamma(rng, 0.5 * p[0][0]);
}

/* ---- scaled gamma: 1/sqrt(y) is half-t with that scale and degrees of freedom ---- */

static dlpi_expr scaled_rate(dlpi_builder *b, const dlpi_value *p) /* df s^2 / 2 */
{
    return times(b, 0.5, mul(b, param(p, 1), square(b, param(p, 0))));
}

static dlpi_expr scaled_gamma_density(LOG_DENSITY)
{
    return gamma_log_density(b, value->at[0], times(b, 0.5, param(p, 1)),
                             scaled_rate(b, p));
}

static dlpi_expr scaled_gamma_cdf(CDF)
{
    return gamma_below(b, mul(b, scaled_rate(b, p), y), times(b, 0.5, param(p, 1)));
}

static void scaled_gamma_draw(DRAW)
{
    UNUSED_SIZES;
    const double s = p[0][0], df = p[1][0];
    y[0] = dlp_draw_gamma(rng, 0.5 * df) / (0.5 * df * s * s);
}

/* ---- generalised gamma: r, mu, beta ---- */

/* log beta + beta r log mu + (beta r - 1) log y - (mu y)^beta - log Gamma(r) */
static dlpi_expr powered(CDF) /* (mu y)^beta */
{
    const dlpi_expr log_scaled = add(b, log_(b, param(p, 1)), log_(b, y));
    return exp_(b, mul(b, param(p, 2), log_scaled));
}

static dlpi_expr general_gamma_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], r = param(p, 0), beta = param(p, 2);
    const dlpi_expr power = mul(b, beta, r);
    const dlpi_expr front =
        sub(b, add(b, log_(b, beta), mul(b, power, log_(b, param(p, 1)))), lgamma_(b, r));
    return add(b, front,
               sub(b, mul(b, plus(b, -1, power), log_(b, y)), powered(b, y, p)));
}

static dlpi_expr general_gamma_cdf(CDF)
{
    return gamma_below(b, powered(b, y, p), param(p, 0));
}

static dlpi_expr general_gamma_above(CDF)
{
    return gamma_above(b, powered(b, y, p), param(p, 0));
}

static void general_gamma_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = exp(dlp_draw_log_gamma(rng, p[0][0]) / p[2][0]) / p[1][0];
}

/* ---- Weibull: shape, rate ---- */

static dlpi_expr weibull_power(CDF) /* lambda y^v */
{
    return mul(b, param(p, 1), exp_(b, mul(b, param(p, 0), log_(b, y))));
}

/* log v + log lambda + (v-1) log y - lambda y^v */
static dlpi_expr weibull_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], v = param(p, 0);
    const dlpi_expr front = add(b, log_(b, v), log_(b, param(p, 1)));
    return add(b, front,
               sub(b, mul(b, plus(b, -1, v), log_(b, y)), weibull_power(b, y, p)));
}

static dlpi_expr weibull_above(CDF)
{
    return neg(b, weibull_power(b, y, p));
}

static dlpi_expr weibull_cdf(CDF)
{
    return minus_from(b, 1, exp_(b, weibull_above(b, y, p)));
}

static dlpi_expr weibull_quantile(QUANTILE)
{
    const dlpi_expr hazard = neg(b, over(b, log_(b, minus_from(b, 1, p)), param(of, 1)));
    return dlpi_apply2(b, DLPI_OP_POW, hazard, over(b, num(b, 1), param(of, 0)));
}

static void weibull_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = pow(-log(dlp_draw_uniform(rng)) / p[1][0], 1 / p[0][0]);
}

/* ---- log normal: mean and precision of the logarithm ---- */

static dlpi_expr log_normal_score(CDF)
{
    return mul(b, sub(b, log_(b, y), param(p, 0)), sqrt_(b, param(p, 1)));
}

static dlpi_expr log_normal_density(LOG_DENSITY)
{
    const dlpi_expr log_y = log_(b, value->at[0]), tau = param(p, 1);
    const dlpi_expr square_gap = square(b, sub(b, log_y, param(p, 0)));
    const dlpi_expr normal = times(b, 0.5, sub(b, log_(b, tau), mul(b, tau, square_gap)));
    return plus(b, -DLPI_HALF_LOG_2PI, sub(b, normal, log_y));
}

static dlpi_expr log_normal_cdf(CDF)
{
    return phi(b, log_normal_score(b, y, p));
}

static dlpi_expr log_normal_above(CDF)
{
    return log_phi(b, neg(b, log_normal_score(b, y, p)));
}

static const char *log_normal_complain(int i, double v)
{
    return i == 1 ? positive(v) : NULL;
}

static dlpi_expr log_normal_quantile(QUANTILE)
{
    const dlpi_expr score = dlpi_apply1(b, DLPI_OP_PROBIT, p);
    return exp_(b, add(b, param(of, 0), over(b, score, sqrt_(b, param(of, 1)))));
}

static double log_normal_middle(const double *p)
{
    return p[0];
}

static void log_normal_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = exp(p[0][0] + dlp_draw_normal(rng) / sqrt(p[1][0]));
}

/* ---- Pareto: shape, lower bound ---- */

/* log alpha + alpha log c - (alpha + 1) log y */
static dlpi_expr pareto_density(LOG_DENSITY)
{
    const dlpi_expr alpha = param(p, 0), y = value->at[0], log_y = log_(b, y);
    const dlpi_expr front = add(b, log_(b, alpha), mul(b, alpha, log_(b, param(p, 1))));
    const dlpi_expr density = sub(b, front, mul(b, plus(b, 1, alpha), log_y));
    if (!dlpi_is_number(b, y, NULL)) return density;
    return if_else(b, at_least(b, y, param(p, 1)), density, num(b, -INFINITY));
}

static void pareto_bounds(BOUNDS)
{
    *lower = param(p, 1);
    *upper = num(b, INFINITY);
}

static dlpi_expr pareto_above(CDF)
{
    return mul(b, param(p, 0), sub(b, log_(b, param(p, 1)), log_(b, y)));
}

static dlpi_expr pareto_cdf(CDF)
{
    return minus_from(b, 1, exp_(b, pareto_above(b, y, p)));
}

static dlpi_expr pareto_quantile(QUANTILE)
{
    const dlpi_expr log_above = log_(b, minus_from(b, 1, p));
    return mul(b, param(of, 1), exp_(b, neg(b, over(b, log_above, param(of, 0)))));
}

static void pareto_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = p[1][0] * exp(-log(dlp_draw_uniform(rng)) / p[0][0]);
}

/* ---- beta: a, b ---- */

static void unit_bounds(BOUNDS)
{
    (void)p;
    *lower = num(b, 0);
    *upper = num(b, 1);
}

/* (a-1) log y + (b-1) log(1-y) - log B(a, b) */
static dlpi_expr beta_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], a1 = param(p, 0), a2 = param(p, 1);
    const dlpi_expr log_b =
        sub(b, add(b, lgamma_(b, a1), lgamma_(b, a2)), lgamma_(b, add(b, a1, a2)));
    return sub(b,
               add(b, mul(b, plus(b, -1, a1), log_(b, y)),
                   mul(b, plus(b, -1, a2), log_(b, minus_from(b, 1, y)))),
               log_b);
}

static dlpi_expr beta_cdf(CDF)
{
    return dlpi_apply(b, DLPI_OP_P_BETA, y, param(p, 0), param(p, 1));
}

static dlpi_expr beta_above(CDF)
{
    return log_(
        b, dlpi_apply(b, DLPI_OP_P_BETA, minus_from(b, 1, y), param(p, 1), param(p, 0)));
}

static void beta_draw(DRAW)
{
    UNUSED_SIZES;
    double pair[2];
    dlp_draw_dirichlet(rng, 2, (double[2]){p[0][0], p[1][0]}, pair);
    y[0] = pair[0];
}

/* ---- F: degrees of freedom n, m ---- */

/* n/2 log(n/m) + (n/2-1) log y - (n+m)/2 log(1 + n y/m) - log B(n/2, m/2) */
static dlpi_expr f_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0], n = times(b, 0.5, param(p, 0)),
                    m = times(b, 0.5, param(p, 1)), ratio = over(b, n, m),
                    both_halves = add(b, n, m);
    const dlpi_expr log_b =
        sub(b, add(b, lgamma_(b, n), lgamma_(b, m)), lgamma_(b, both_halves));
    const dlpi_expr powers =
        add(b, mul(b, n, log_(b, ratio)), mul(b, plus(b, -1, n), log_(b, y)));
    const dlpi_expr tail = mul(b, both_halves, log_(b, plus(b, 1, mul(b, ratio, y))));
    return sub(b, sub(b, powers, tail), log_b);
}

static dlpi_expr f_cdf(CDF) /* I_x(n/2, m/2), x = n y / (n y + m) */
{
    const dlpi_expr n = param(p, 0), m = param(p, 1), scaled = mul(b, n, y);
    return dlpi_apply(b, DLPI_OP_P_BETA, over(b, scaled, add(b, scaled, m)),
                      times(b, 0.5, n), times(b, 0.5, m));
}

static dlpi_expr f_above(CDF)
{
    const dlpi_expr n = param(p, 0), m = param(p, 1), scaled = mul(b, n, y);
    return log_(b, dlpi_apply(b, DLPI_OP_P_BETA, over(b, m, add(b, scaled, m)),
                              times(b, 0.5, m), times(b, 0.5, n)));
}

static void f_draw(DRAW)
{
    UNUSED_SIZES;
    const double top = dlp_draw_gamma(rng, 0.5 * p[0][0]) / p[0][0];
    y[0] = top / (dlp_draw_gamma(rng, 0.5 * p[1][0]) / p[1][0]);
}

/* ---- half Cauchy: scale ---- */

static dlpi_expr half_cauchy_density(LOG_DENSITY) /* log(2/(pi s)) - log(1 + (y/s)^2) */
{
    const dlpi_expr s = param(p, 0);
    const dlpi_expr bend = log_(b, plus(b, 1, square(b, over(b, value->at[0], s))));
    return sub(b, minus_from(b, DLPI_LOG_2 - DLPI_LOG_PI, log_(b, s)), bend);
}

static dlpi_expr half_cauchy_cdf(CDF)
{
    return times(b, 2 * 0.31830988618379067154,
                 dlpi_apply1(b, DLPI_OP_ATAN, over(b, y, param(p, 0))));
}

static void half_cauchy_draw(DRAW)
{
    UNUSED_SIZES;
    y[0] = p[0][0] * tan(1.57079632679489661923 * dlp_draw_uniform(rng));
}

/* ---- the table ---- */

#define POSITIVE(density_, cdf_, above_, draw_)                                          \
    .support = DLPI_INTERVAL, .complain = all_positive, .log_density = (density_),       \
    .bounds = above_zero, .fixed_bounds = true, .cdf = (cdf_), .log_above = (above_),    \
    .draw = (draw_), .shapes_agree = dlpi_all_scalars

const dlpi_distribution dlpi_positive_distributions[] = {
    {.name = "dunif",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_INTERVAL,
     .params = "lower, upper",
     .log_density = uniform_density,
     .bounds = uniform_bounds,
     .cdf = uniform_cdf,
     .log_above = uniform_above,
     .draw = uniform_draw,
     .shapes_agree = dlpi_all_scalars,
     .location = DLPI_EVERY_PARAMETER,
     .lower_by = 1,
     .upper_by = 2,
     .quantile = uniform_quantile},
    {.name = "dgamma",
     .n_params = 2,
     .n_params_max = 2,
     .params = "shape, rate",
     POSITIVE(gamma_density, gamma_cdf, gamma_log_above, gamma_draw),
     .location = 1,
     .middle = middle_of_shapes},
    {.name = "dbeta",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_INTERVAL,
     .params = "a, b",
     .complain = all_positive,
     .log_density = beta_density,
     .bounds = unit_bounds,
     .fixed_bounds = true,
     .cdf = beta_cdf,
     .log_above = beta_above,
     .draw = beta_draw,
     .shapes_agree = dlpi_all_scalars,
     .location = DLPI_EVERY_PARAMETER,
     .end = 1,
     .open = true,
     .middle = middle_of_shapes},
    {.name = "dexp",
     .n_params = 1,
     .n_params_max = 1,
     .params = "rate",
     POSITIVE(exponential_density, exponential_cdf, exponential_above, exponential_draw),
     .quantile = exponential_quantile},
    {.name = "dlnorm",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_INTERVAL,
     .params = "mean of the logarithm, precision of the logarithm",
     .complain = log_normal_complain,
     .log_density = log_normal_density,
     .bounds = above_zero,
     .fixed_bounds = true,
     .cdf = log_normal_cdf,
     .log_above = log_normal_above,
     .draw = log_normal_draw,
     .shapes_agree = dlpi_all_scalars,
     .open = true,
     .quantile = log_normal_quantile,
     .middle = log_normal_middle},
    {.name = "dweib",
     .alias = "dweibull",
     .n_params = 2,
     .n_params_max = 2,
     .params = "shape, rate",
     POSITIVE(weibull_density, weibull_cdf, weibull_above, weibull_draw),
     .location = 1,
     .quantile = weibull_quantile},
    {.name = "dpar",
     .alias = "dpar1",
     .n_params = 2,
     .n_params_max = 2,
     .support = DLPI_INTERVAL,
     .params = "shape, lower bound",
     .complain = all_positive,
     .log_density = pareto_density,
     .bounds = pareto_bounds,
     .cdf = pareto_cdf,
     .log_above = pareto_above,
     .draw = pareto_draw,
     .shapes_agree = dlpi_all_scalars,
     .location = 1,
     .lower_by = 2,
     .quantile = pareto_quantile},
    {.name = "dchisqr",
     .alias = "dchisq",
     .n_params = 1,
     .n_params_max = 1,
     .params = "degrees of freedom",
     POSITIVE(chi_squared_density, chi_squared_cdf, chi_squared_above, chi_squared_draw)},
    {.name = "dscaled.gamma",
     .n_params = 2,
     .n_params_max = 2,
     .params = "scale, degrees of freedom",
     POSITIVE(scaled_gamma_density, scaled_gamma_cdf, NULL, scaled_gamma_draw)},
    {.name = "dgen.gamma",
     .alias = "dggamma",
     .n_params = 3,
     .n_params_max = 3,
     .params = "shape, inverse scale, power",
     POSITIVE(general_gamma_density, general_gamma_cdf, general_gamma_above,
              general_gamma_draw),
     .location = 1},
    {.name = "df",
     .n_params = 2,
     .n_params_max = 2,
     .params = "degrees of freedom, degrees of freedom",
     POSITIVE(f_density, f_cdf, f_above, f_draw)},
    {.name = "dhalfcauchy",
     .n_params = 1,
     .n_params_max = 1,
     .params = "scale",
     POSITIVE(half_cauchy_density, half_cauchy_cdf, NULL, half_cauchy_draw)},
};
const int dlpi_n_positive_distributions =
    sizeof dlpi_positive_distributions / sizeof dlpi_positive_distributions[0];
