/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pareto distributions other than type I, as in the runjags module for JAGS. All but the
 * generalised one are type IV, P(Y > y) = (1 + ((y - mu) / sigma)^(1 / gamma))^-alpha,
 * with some of its parameters fixed.
 */
#include "density/distribution_tables.h"

#include <math.h>

typedef struct pareto {
    dlpi_expr alpha, sigma, mu, gamma;
} pareto;

static const char *all_but(int free, int i, double v)
{
    return i == free ? NULL : positive(v);
}

/* ((y - mu) / sigma)^(1 / gamma), and its logarithm */
static dlpi_expr scaled(dlpi_builder *b, const pareto *q, dlpi_expr y, dlpi_expr *log_u)
{
    const dlpi_expr u = over(b, sub(b, y, q->mu), q->sigma);
    *log_u = log_(b, u);
    double gamma;
    if (dlpi_is_number(b, q->gamma, &gamma) && gamma == 1) return u;
    return exp_(b, over(b, *log_u, q->gamma));
}

/* log alpha - log gamma - log sigma + (1 / gamma - 1) log u
   - (alpha + 1) log(1 + u^(1/gamma)) */
static dlpi_expr density(dlpi_builder *b, const pareto *q, dlpi_expr y)
{
    dlpi_expr log_u;
    const dlpi_expr power = scaled(b, q, y, &log_u);
    const dlpi_expr front =
        sub(b, sub(b, log_(b, q->alpha), log_(b, q->gamma)), log_(b, q->sigma));
    const dlpi_expr shape = plus(b, -1, over(b, num(b, 1), q->gamma));
    const dlpi_expr tail = mul(b, plus(b, 1, q->alpha), log_(b, plus(b, 1, power)));
    double zero;
    const bool flat = dlpi_is_number(b, shape, &zero) && zero == 0;
    const dlpi_expr log_p =
        sub(b, flat ? front : add(b, front, mul(b, shape, log_u)), tail);
    if (!dlpi_is_number(b, y, NULL)) return log_p;
    return if_else(b, at_least(b, y, q->mu), log_p, num(b, -INFINITY));
}

static dlpi_expr log_above(dlpi_builder *b, const pareto *q, dlpi_expr y)
{
    dlpi_expr log_u;
    const dlpi_expr power = scaled(b, q, y, &log_u);
    return neg(b, mul(b, q->alpha, log_(b, plus(b, 1, power))));
}

static double drawn(double alpha, double sigma, double mu, double gamma, dlp_rng *rng)
{
    const double above_it = dlp_draw_uniform(rng);
    return mu + sigma * pow(expm1(-log(above_it) / alpha), gamma);
}

/* The functions of a distribution whose parameters are `is`, as those of type IV. */
#define PARETO(name, is, a_, s_, m_, g_)                                                 \
    static pareto name(dlpi_builder *b, const dlpi_value *p)                             \
    {                                                                                    \
        (void)b;                                                                         \
        return (pareto)is;                                                               \
    }                                                                                    \
    static dlpi_expr name##_density(LOG_DENSITY)                                         \
    {                                                                                    \
        const pareto q = name(b, p);                                                     \
        return density(b, &q, value->at[0]);                                             \
    }                                                                                    \
    static dlpi_expr name##_above(CDF)                                                   \
    {                                                                                    \
        const pareto q = name(b, p);                                                     \
        return log_above(b, &q, y);                                                      \
    }                                                                                    \
    static dlpi_expr name##_cdf(CDF)                                                     \
    {                                                                                    \
        return minus_from(b, 1, exp_(b, name##_above(b, y, p)));                         \
    }                                                                                    \
    static void name##_bounds(BOUNDS)                                                    \
    {                                                                                    \
        *lower = name(b, p).mu;                                                          \
        *upper = num(b, INFINITY);                                                       \
    }                                                                                    \
    static void name##_draw(DRAW)                                                        \
    {                                                                                    \
        UNUSED_SIZES;                                                                    \
        y[0] = drawn(a_, s_, m_, g_, rng);                                               \
    }
#define LIST(...)                                                                        \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

PARETO(second, LIST(param(p, 0), param(p, 1), param(p, 2), num(b, 1)), p[0][0], p[1][0],
       p[2][0], 1)
PARETO(third, LIST(num(b, 1), param(p, 0), param(p, 1), param(p, 2)), 1, p[0][0], p[1][0],
       p[2][0])
PARETO(fourth, LIST(param(p, 0), param(p, 1), param(p, 2), param(p, 3)), p[0][0], p[1][0],
       p[2][0], p[3][0])
PARETO(lomax, LIST(param(p, 0), param(p, 1), num(b, 0), num(b, 1)), p[0][0], p[1][0], 0,
       1)
PARETO(mouchel, LIST(num(b, 1), param(p, 0), num(b, 0), num(b, 1)), 1, p[0][0], 0, 1)

static const char *second_complain(int i, double v)
{
    return all_but(2, i, v);
}
static const char *third_complain(int i, double v)
{
    return all_but(1, i, v);
}
static const char *scales_complain(int i, double v)
{
    return all_but(-1, i, v);
}

/* ---- generalised: scale, location, shape xi of any sign ---- */

/* log P(Y > y) = -z log(1 + xi z) / (xi z), z = (y - mu) / sigma; -z if xi is 0 */
static dlpi_expr general_above(CDF)
{
    const dlpi_expr z = over(b, sub(b, y, param(p, 1)), param(p, 0));
    const dlpi_expr u = mul(b, param(p, 2), z);
    return neg(b, mul(b, z, dlpi_apply1(b, DLPI_OP_LOG1P_RATIO, u)));
}

static dlpi_expr general_cdf(CDF)
{
    return minus_from(b, 1, exp_(b, general_above(b, y, p)));
}

static dlpi_expr general_density(LOG_DENSITY)
{
    const dlpi_expr y = value->at[0];
    const dlpi_expr z = over(b, sub(b, y, param(p, 1)), param(p, 0));
    const dlpi_expr tail = log_(b, plus(b, 1, mul(b, param(p, 2), z)));
    const dlpi_expr log_p =
        sub(b, sub(b, general_above(b, y, p), tail), log_(b, param(p, 0)));
    if (!dlpi_is_number(b, y, NULL)) return log_p;
    return if_else(b, at_least(b, y, param(p, 1)), log_p, num(b, -INFINITY));
}

static void general_bounds(BOUNDS)
{
    double xi;
    *lower = param(p, 1);
    *upper = num(b, INFINITY);
    if (dlpi_is_number(b, param(p, 2), &xi) && xi < 0)
        *upper = sub(b, param(p, 1), over(b, param(p, 0), param(p, 2)));
}

static const char *general_complain(int i, double v)
{
    return i == 0 ? positive(v) : NULL;
}

static void general_draw(DRAW)
{
    UNUSED_SIZES;
    const double e = -log(dlp_draw_uniform(rng)), xi = p[2][0];
    y[0] = p[1][0] + p[0][0] * (xi == 0 ? e : expm1(xi * e) / xi);
}

/* ---- the table ---- */

#define ENTRY(title, count, names, of, complain_, lower)                                 \
    {                                                                                    \
        .name = (title), .n_params = (count), .n_params_max = (count),                   \
        .params = (names), .support = DLPI_INTERVAL, .complain = (complain_),            \
        .log_density = of##_density, .bounds = of##_bounds, .cdf = of##_cdf,             \
        .log_above = of##_above, .draw = of##_draw, .shapes_agree = dlpi_all_scalars,    \
        .lower_by = (lower)                                                              \
    }

const dlpi_distribution dlpi_pareto_distributions[] = {
    ENTRY("dpar2", 3, "shape, scale, lower bound", second, second_complain, 3),
    ENTRY("dpar3", 3, "scale, lower bound, inequality", third, third_complain, 2),
    ENTRY("dpar4", 4, "shape, scale, lower bound, inequality", fourth, second_complain,
          3),
    ENTRY("dlomax", 2, "shape, scale", lomax, scales_complain, 0),
    ENTRY("dmouch", 1, "scale", mouchel, scales_complain, 0),
    ENTRY("dgenpar", 3, "scale, lower bound, shape", general, general_complain, 2),
};
const int dlpi_n_pareto_distributions =
    sizeof dlpi_pareto_distributions / sizeof dlpi_pareto_distributions[0];
