/* SPDX-License-Identifier: BSD-3-Clause */
/* The incomplete gamma and beta functions against R's, and against what they are for simple
   parameters. */
#include "math/special/tails.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_close(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

static void assert_tails(dlpi_tails got, double lower, double upper)
{
    const double tolerance = 1e-11;
    assert_close(got.lower, lower, tolerance);
    assert_close(got.upper, upper, tolerance);
}

/* R: sprintf("%.15g", c(pgamma(x, a), pgamma(x, a, lower = FALSE))) */
static void gamma_tails_are_those_of_r(void **state)
{
    (void)state;
    static const double rows[][4] = {
        {0.5, 1e-08, 0.000112837916333425, 0.999887162083666},
        {2.385, 7.1, 0.987796176726897, 0.0122038232731031},
        {50, 30, 0.000518891462548034, 0.999481108537452},
        {150, 151, 0.543269763443688, 0.456730236556312},
        {199.5, 260, 0.999958723691587, 4.12763084129213e-05},
        {250, 180, 4.71894429805476e-07, 0.99999952810557},
        {10000, 10000, 0.501329808339955, 0.498670191660045},
        {1e6, 1005000, 0.999999701250986, 2.98749014011464e-07},
        {1e6, 991000, 8.83752253012476e-20, 1},
        {1e6, 1012000, 1, 3.14375876496789e-33},
        {1e9, 999800000, 1.26643791701821e-10, 0.999999999873356},
        {3, 60, 1, 1.62958665293782e-23},
        {0.01, 1e-05, 0.896336798267197, 0.103663201732803},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_tails(dlpi_gamma_tails(rows[i][0], rows[i][1]), rows[i][2], rows[i][3]);
}

/* R: sprintf("%.15g", c(pbeta(x, a, b), pbeta(x, a, b, lower = FALSE))), with x that have no
   more than a few bits, so that 1 - x is exact. */
static void beta_tails_are_those_of_r(void **state)
{
    (void)state;
    static const double rows[][5] = {
        {0.5, 0.5, 0x1p-20, 0.000621699095269153, 0.999378300904731},
        {2.385, 1.5, 0.75, 0.681954357650985, 0.318045642349015},
        {30, 400, 0.125, 0.999924166243454, 7.58337565457727e-05},
        {250, 300, 0.375, 7.10647146434663e-05, 0.999928935285357},
        {1e6, 1e6, 0.49609375, 1.11192886047629e-28, 1},
        {1e6, 1e6, 0.501953125, 0.999999983459166, 1.65408338392716e-08},
        {1e6, 2.5, 1 - 0x1p-17, 0.00931168698025472, 0.990688313019745},
        {3, 1e6, 0x1p-19, 0.298264947148511, 0.701735052851489},
        {1e5, 1e3, 0.984375, 4.6883236373524e-56, 1},
        {0.01, 20, 0x1p-10, 0.966475311159061, 0.0335246888409392},
        {1e3, 1e9, 0x1p-19, 1, 3.27417763744805e-116},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double a = rows[i][0], b = rows[i][1], x = rows[i][2];
        assert_tails(dlpi_beta_tails(a, b, x, 1 - x), rows[i][3], rows[i][4]);
        assert_tails(dlpi_beta_tails(b, a, 1 - x, x), rows[i][4], rows[i][3]);
    }
}

/* An exponential, a power, and a sum of Poisson probabilities. */
static void simple_ones_are_met(void **state)
{
    (void)state;
    for (int i = 1; i < 60; i++) {
        const double x = 0.37 * i, y = x / 25;
        assert_tails(dlpi_gamma_tails(1, x), -expm1(-x), exp(-x));
        assert_tails(dlpi_beta_tails(2.385, 1, y, 1 - y), pow(y, 2.385),
                     -expm1(2.385 * log(y)));
        assert_close(dlpi_gamma_tails(4, x).upper,
                     exp(-x) * (1 + x * (1 + x / 2 * (1 + x / 3))), 1e-12);
    }
}

/* On both sides of where another method takes over, the values are continuous. */
static void methods_meet(void **state)
{
    (void)state;
    const double below = 199.9999999, above = 200.0000001;
    for (int i = -40; i <= 40; i++) {
        const double x = 200 + 3.7 * i, y = 0.5 + 0.004 * i;
        assert_close(dlpi_gamma_tails(below, x).upper, dlpi_gamma_tails(above, x).upper,
                     1e-6);
        assert_close(dlpi_gamma_tails(below, x).lower, dlpi_gamma_tails(above, x).lower,
                     1e-6);
        assert_close(dlpi_beta_tails(below, 300, y, 1 - y).lower,
                     dlpi_beta_tails(above, 300, y, 1 - y).lower, 1e-6);
    }
}

static void ends_and_nonsense_have_answers(void **state)
{
    (void)state;
    assert_tails(dlpi_gamma_tails(2, 0), 0, 1);
    assert_tails(dlpi_gamma_tails(2, INFINITY), 1, 0);
    assert_tails(dlpi_gamma_tails(INFINITY, 7), 0, 1);
    assert_tails(dlpi_gamma_tails(1e300, 1e299), 0, 1);
    assert_tails(dlpi_gamma_tails(1e-300, 1e-3), 1, 0);
    assert_true(isnan(dlpi_gamma_tails(NAN, 1).lower));
    assert_tails(dlpi_beta_tails(2, 3, 0, 1), 0, 1);
    assert_tails(dlpi_beta_tails(2, 3, 1, 0), 1, 0);
    assert_true(isnan(dlpi_beta_tails(2, NAN, 0.5, 0.5).upper));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gamma_tails_are_those_of_r),
        cmocka_unit_test(beta_tails_are_those_of_r),
        cmocka_unit_test(simple_ones_are_met),
        cmocka_unit_test(methods_meet),
        cmocka_unit_test(ends_and_nonsense_have_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
