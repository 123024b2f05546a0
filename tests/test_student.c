/* SPDX-License-Identifier: BSD-3-Clause */
/* Student's t distribution against its closed forms, printed tables and the normal. */
#include <delaplace/special.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double pi = 3.14159265358979324;

static void assert_close(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* P(T > t), t > 0, for odd and even degrees of freedom; the tail of 2 and 4 without
   cancellation. */
static double tail_1(double t)
{
    return atan2(1, t) / pi;
}

static double tail_2(double t)
{
    const double s = sqrt(2 + t * t);
    return 1 / (s * (s + t));
}

static double tail_3(double t)
{
    const double angle = atan2(sqrt(3), t);
    return (angle - sin(2 * angle) / 2) / pi;
}

static double tail_4(double t)
{
    const double c = 2 / (sqrt(4 + t * t) * (sqrt(4 + t * t) + t)); /* (1 - s) / 2 */
    return c * c * (3 - 2 * c);
}

static void closed_forms_are_met(void **state)
{
    (void)state;
    static double (*const tails[])(double) = {tail_1, tail_2, tail_3, tail_4};
    for (int df = 1; df <= 4; df++)
        for (int i = 0; i < 34; i++) {
            const double t = 1e-3 * pow(1.37, i), tail = tails[df - 1](t);
            /* the closed form of 3 cancels far out */
            assert_close(dlp_student_cdf(-t, df), tail, df == 3 && t > 10 ? 1e-9 : 1e-13);
            assert_close(dlp_student_cdf(t, df), 1 - tail, 1e-15);
        }
    assert_close(dlp_student_cdf(-1e200, 1), 1e-200 / pi, 1e-12);
}

/* The quantiles of printed tables, to more digits. */
static void printed_tables_are_met(void **state)
{
    (void)state;
    static const struct {
        double df, p, t;
    } rows[] = {
        {1, 0.95, 6.313751514675043},    {2, 0.975, 4.302652729749462},
        {5, 0.95, 2.015048373333024},    {9, 0.95, 1.833112932656237},
        {9, 0.975, 2.262157162798205},   {13, 0.95, 1.770933395986873},
        {13, 0.995, 3.012275838716578},  {30, 0.975, 2.042272456301238},
        {120, 0.975, 1.979930405082422}, {0.5, 0.975, 164.5576734804945},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_close(dlp_student_cdf(rows[i].t, rows[i].df), rows[i].p, 1e-12);
        assert_close(dlp_student_cdf(-rows[i].t, rows[i].df), 1 - rows[i].p, 1e-11);
    }
}

static void many_degrees_of_freedom_lead_to_the_normal(void **state)
{
    (void)state;
    for (int i = 0; i <= 20; i++) {
        const double t = 0.4 * i - 4, normal = dlp_normal_cdf(t);
        assert_close(dlp_student_cdf(t, 1e15), normal, 1e-11);
        assert_close(dlp_student_cdf(t, INFINITY), normal, 0);
        /* the first term of the expansion in 1/df */
        const double df = 1e6, density = exp(-0.5 * t * t) / sqrt(2 * pi);
        const double first = normal - density * (t * t * t + t) / (4 * df);
        assert_close(dlp_student_cdf(t, df), first, 1e-8);
    }
}

static void ends_and_nonsense_have_answers(void **state)
{
    (void)state;
    assert_true(dlp_student_cdf(0, 3) == 0.5);
    assert_true(dlp_student_cdf(INFINITY, 3) == 1);
    assert_true(dlp_student_cdf(-INFINITY, 3) == 0);
    assert_true(dlp_student_cdf(-1e300, 50) == 0);
    assert_true(isnan(dlp_student_cdf(NAN, 3)));
    assert_true(isnan(dlp_student_cdf(1, 0)));
    assert_true(isnan(dlp_student_cdf(1, -2)));
    assert_true(isnan(dlp_student_cdf(1, NAN)));
    assert_close(dlp_student_cdf(1e-300, 1e-3), 0.5, 1e-15);
    for (int i = 0; i < 18; i++)
        for (int j = 0; j < 13; j++) {
            const double df = 1e-6 * pow(31, i), t = 1e-5 * pow(7, j);
            const double below = dlp_student_cdf(-t, df), above = dlp_student_cdf(t, df);
            assert_true(below >= 0 && below <= 0.5);
            assert_close(below + above, 1, 1e-15);
        }
}

/* Student's own data: hours of sleep that two drugs gained ten patients. R says
   t.test(a, b, paired = TRUE, alternative = "greater"): t = 4.0621, p = 0.001416. */
static void pairs_are_tested(void **state)
{
    (void)state;
    const double a[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const double b[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    const dlp_paired_test more = dlp_paired_test_of(10, a, b);
    const dlp_paired_test less = dlp_paired_test_of(10, b, a);
    assert_close(more.difference, 1.58, 1e-14);
    assert_close(more.t, 4.062127683382037, 1e-13);
    assert_int_equal(more.df, 9);
    assert_close(more.p, 0.001416445, 1e-6);
    assert_true(less.t == -more.t);
    assert_close(less.p, 1 - more.p, 1e-14);
}

static void pairs_without_spread_have_no_t(void **state)
{
    (void)state;
    const double a[] = {2.5, 3.5, 4.5}, b[] = {2, 3, 4};
    const dlp_paired_test same = dlp_paired_test_of(3, a, b);
    const dlp_paired_test one = dlp_paired_test_of(1, a, b);
    assert_true(same.difference == 0.5 && isnan(same.t) && isnan(same.p));
    assert_true(one.difference == 0.5 && one.df == 0 && isnan(one.t) && isnan(one.p));
    assert_true(isnan(dlp_paired_test_of(0, NULL, NULL).p));
}

static void means_are_those_of_the_definition(void **state)
{
    const double x[] = {3, -1, 7.5, 2};
    (void)state;
    assert_close(dlp_mean(4, x), 2.875, 1e-15);
    assert_true(dlp_mean(1, x) == 3);
    assert_true(isnan(dlp_mean(0, x)));
}

static void medians_lie_in_the_middle(void **state)
{
    const double x[] = {3, -1, 7.5, 2};
    double median = NAN;
    dlp_error error;
    (void)state;
    assert_int_equal(dlp_median(3, x, &median, &error), DLP_OK);
    assert_true(median == 3);
    assert_int_equal(dlp_median(4, x, &median, &error), DLP_OK);
    assert_true(median == 2.5);
    assert_int_equal(dlp_median(0, x, &median, &error), DLP_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_are_met),
        cmocka_unit_test(printed_tables_are_met),
        cmocka_unit_test(many_degrees_of_freedom_lead_to_the_normal),
        cmocka_unit_test(ends_and_nonsense_have_answers),
        cmocka_unit_test(pairs_are_tested),
        cmocka_unit_test(pairs_without_spread_have_no_t),
        cmocka_unit_test(means_are_those_of_the_definition),
        cmocka_unit_test(medians_lie_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
