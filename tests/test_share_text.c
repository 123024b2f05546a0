/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers from 0 to 1 are written as printf writes them, to the last digit. */
#include "cli/share_text.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

static void check(double x)
{
    char got[CLI_SHARE_TEXT], want[32];
    const char *end = cli_share_text(x, got);
    snprintf(want, sizeof want, "%.6g", x);
    assert_string_equal(got, want);
    assert_ptr_equal(end, got + strlen(want));
}

static void test_random_numbers(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(1, 0);
    for (int i = 0; i < 200000; i++) {
        const double u = dlp_draw_uniform(&rng);
        check(u);
        check(pow(10, -30 * u));
        check(exp(-800 * u));
    }
}

/* Halfway between two numbers of six digits, and one bit to either side. */
static void test_ties(void **state)
{
    (void)state;
    for (int n = 100000; n < 1000000; n += 7)
        for (int places = 1; places <= 18; places++) {
            const double x = (n + 0.5) / pow(10, places + 5);
            check(x);
            check(nextafter(x, 0));
            check(nextafter(x, 1));
        }
    for (int power = 1; power < 60; power++) /* exact ties among them */
        for (int odd = 1; odd < 64 && odd < pow(2, power); odd += 2)
            check(ldexp(odd, -power));
}

static void test_ends(void **state)
{
    (void)state;
    const double odd[] = {0,     1,     0.9999995,     0.99999949999, 0.1,
                          0.01,  0.001, 0.0001,        0.00001,       0.0000999999999,
                          1e-17, 1e-16, 9.99e-18,      5e-324,        1e-300,
                          0.5,   0.25,  0.000099999951};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        check(odd[i]);
        check(nextafter(odd[i], 0));
        check(fmin(nextafter(odd[i], 1), 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
