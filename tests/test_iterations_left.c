/* SPDX-License-Identifier: BSD-3-Clause */
/* How many iterations EM still has: guessed from traces of fits of topics that were run to their
   end. The usual power was chosen by these traces. */
#include "support.h"

#include "infer/iterations_left.h"

/* By how much the topics moved in iterations 2 and 3, 4 and 10, 7 and 20. */
typedef struct recorded {
    const char *fit; /* corpus and K */
    int iterations;  /* until they rested */
    double moved[3][2];
    double tol; /* of the fit */
} recorded;

static const recorded traces[] = {
    {"ap 20", 76, {{0.212, 0.096}, {0.0562, 0.0156}, {0.0242, 0.00808}}, 5e-5},
    {"kos 10", 66, {{0.18, 0.0884}, {0.0567, 0.0125}, {0.0227, 0.0046}}, 5e-5},
    {"kos 20", 124, {{0.159, 0.0822}, {0.0525, 0.0143}, {0.0232, 0.00676}}, 5e-5},
    {"kos 40", 83, {{0.135, 0.075}, {0.0512, 0.0171}, {0.0261, 0.00733}}, 5e-5},
    {"poliblog 10", 59, {{0.111, 0.0686}, {0.0472, 0.014}, {0.0223, 0.00525}}, 5e-5},
    {"poliblog 20", 99, {{0.111, 0.0653}, {0.0449, 0.015}, {0.0229, 0.00624}}, 5e-5},
    {"poliblog 40", 119, {{0.0887, 0.0579}, {0.0428, 0.0162}, {0.0233, 0.00846}}, 5e-5},
    {"packages 5", 58, {{0.241, 0.122}, {0.0727, 0.0152}, {0.0287, 0.00449}}, 5e-5},
    {"packages 20", 58, {{0.261, 0.0976}, {0.056, 0.0131}, {0.0224, 0.00508}}, 5e-5},
    {"simulated 10", 81, {{0.0471, 0.0342}, {0.0278, 0.0124}, {0.0175, 0.0062}}, 5e-5},
    {"simulated 30", 208, {{0.0547, 0.0424}, {0.0347, 0.0162}, {0.0219, 0.00887}}, 5e-5},
    {"packages 5", 111, {{0.252, 0.101}, {0.0604, 0.0147}, {0.029, 0.00442}}, 1e-5},
    {"packages 10", 197, {{0.27, 0.0871}, {0.0476, 0.015}, {0.021, 0.00887}}, 1e-5},
    {"packages 20", 161, {{0.242, 0.0874}, {0.048, 0.0119}, {0.0188, 0.00575}}, 1e-5},
    {"ap 10", 123, {{0.215, 0.0998}, {0.0585, 0.0205}, {0.029, 0.00681}}, 1e-5},
    {"kos 10", 122, {{0.176, 0.0778}, {0.0466, 0.0119}, {0.0193, 0.00576}}, 1e-5},
};
enum { TRACES = sizeof traces / sizeof *traces };
static const int at[3] = {3, 10, 20}, before[3] = {2, 4, 7};

/* Within a factor of two after three iterations, later but for one; of two and a half for all. */
static void guesses_are_of_the_right_size(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        int good = 0;
        assert_int_equal(dlpi_iteration_before(at[i]), before[i]);
        for (int f = 0; f < TRACES; f++) {
            const double tol = 0.2 * sqrt(traces[f].tol);
            const double *moved = traces[f].moved[i],
                         left = dlpi_iterations_left(at[i], moved[1], moved[0], tol);
            const double off = fabs(log(left / (traces[f].iterations - at[i])));
            good += off <= log(2);
            if (off > log(2.5)) fail_msg("%s: %g left", traces[f].fit, left);
        }
        assert_true(good >= TRACES - (i > 0));
    }
}

static void nothing_is_guessed_from_nothing(void **state)
{
    (void)state;
    assert_true(dlpi_iterations_left(2, 0.1, 0.2, 1e-3) == 0);
    assert_true(dlpi_iterations_left(9, 0, 0.2, 1e-3) == 0);
    assert_true(dlpi_iterations_left(9, NAN, 0.2, 1e-3) == 0);
    assert_true(dlpi_iterations_left(9, 0.1, 0.2, 0) == 0);
    assert_true(dlpi_iterations_left(9, 1e-4, 0.2, 1e-3) ==
                1); /* the end may come late */
    assert_true(isfinite(dlpi_iterations_left(9, 0.3, 0.2, 1e-3)));
}

/* Each step is half of the one before, but for the first: 10 more from 1 to 2^-10. */
static void steps_that_halve_are_foreseen(void **state)
{
    dlpi_steps steps = {.seen = 0};
    const double tol = ldexp(1, -10);
    (void)state;
    assert_true(dlpi_steps_left(&steps, 1000, tol, 100) == 0);
    assert_true(dlpi_steps_left(&steps, 4, tol, 100) == 0);
    assert_true(fabs(dlpi_steps_left(&steps, 2, tol, 100) - 11) < 1e-9);
    assert_true(fabs(dlpi_steps_left(&steps, -1, tol, 100) - 10) < 1e-9);
    for (int i = 1; i < 8; i++)
        assert_true(fabs(dlpi_steps_left(&steps, ldexp(1, -i), tol, 100) - (10 - i)) <
                    1e-9);
    assert_true(dlpi_steps_left(&steps, ldexp(1, -8), tol, 1.5) == 1.5);
    assert_true(dlpi_steps_left(&steps, ldexp(1, -12), tol, 100) == 1);
    assert_true(dlpi_steps_left(&steps, 50, tol, 100) == 0); /* they grow */
    assert_true(dlpi_steps_left(&steps, 1e-3, 0, 100) == 0);
    assert_true(dlpi_steps_left(&steps, NAN, tol, 100) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_halve_are_foreseen),
        cmocka_unit_test(guesses_are_of_the_right_size),
        cmocka_unit_test(nothing_is_guessed_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
