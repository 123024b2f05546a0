/* SPDX-License-Identifier: BSD-3-Clause */
/* Numerical functions at the ends of their ranges, against closed forms and brute force; and
   what they answer when memory is short. */
#include "failing_allocator.h"
#include "support.h"

#include "math/assignment.h"
#include "math/distinct.h"
#include "math/draw_counts.h"
#include "math/graded.h"
#include "math/normal_lattice.h"
#include "math/psis.h"
#include "math/special/log_gap.h"
#include "math/special/tails.h"

#include <delaplace/random.h>

/* ---- draws of counts ---- */

enum { DRAWS = 40000 };

/* Frequencies of the counts from 0 to most, the last with all beyond it, against those
   expected: chi^2 on most degrees of freedom. */
static double chi_squared(const int *seen, const double *expected, int most)
{
    double sum = 0;
    for (int k = 0; k <= most; k++) {
        const double e = DRAWS * expected[k];
        if (e > 0) sum += (seen[k] - e) * (seen[k] - e) / e;
    }
    return sum;
}

/* Below 16 by trials one by one, above by order statistics first. */
static void binomial_draws_have_their_probabilities(void **state)
{
    (void)state;
    static const struct {
        int n;
        double p;
    } known[] = {{6, 0.3}, {40, 0.02}, {40, 0.97}, {300, 0.01}, {17, 0.5}};
    enum { MOST = 40 };
    for (size_t c = 0; c < sizeof known / sizeof known[0]; c++) {
        const int n = known[c].n, most = n < MOST ? n : MOST;
        const double p = known[c].p;
        int seen[MOST + 1] = {0}, used = 0;
        double expected[MOST + 1] = {0}, rest = 1;
        dlp_rng rng = dlp_rng_at(11, c);
        for (int i = 0; i < DRAWS; i++) {
            const double k = dlpi_draw_binomial(&rng, n, p);
            seen[k < most ? (int)k : most]++;
        }
        for (int k = 0; k < most; k++) {
            expected[k] = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
                              k * log(p) + (n - k) * log1p(-p));
            rest -= expected[k];
        }
        expected[most] = fmax(rest, 0);
        for (int k = 0; k <= most; k++) { /* rare ones say nothing */
            used += DRAWS * expected[k] > 5;
            if (!(DRAWS * expected[k] > 5)) expected[k] = 0;
        }
        assert_true(chi_squared(seen, expected, most) < used + 5 * sqrt(2.0 * used));
    }
}

static void poisson_draws_have_their_moments(void **state)
{
    (void)state;
    static const double means[] = {0.2, 3, 11, 60, 5000};
    for (size_t c = 0; c < 5; c++) {
        const double mean = means[c];
        double sum = 0, squares = 0;
        dlp_rng rng = dlp_rng_at(12, c);
        for (int i = 0; i < DRAWS; i++) {
            const double k = dlpi_draw_poisson(&rng, mean);
            sum += k - mean;
            squares += (k - mean) * (k - mean);
        }
        /* the mean has variance m / n, the square 2 m^2 + m */
        assert_near(sum / DRAWS, 0, 4.5 * sqrt(mean / DRAWS));
        assert_near(squares / DRAWS, mean, 4.5 * sqrt((2 * mean * mean + mean) / DRAWS));
    }
}

static void counts_at_the_ends(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(1, 1);
    assert_true(dlpi_draw_binomial(&rng, 100, 0) == 0);
    assert_true(dlpi_draw_binomial(&rng, 100, 1) == 100);
    assert_true(dlpi_draw_binomial(&rng, 0, 0.5) == 0);
    static const double wrong[][2] = {{-1, 0.5}, {NAN, 0.5}, {INFINITY, 0.5},
                                      {5, -0.1}, {5, 1.1},   {5, NAN}};
    for (int i = 0; i < 6; i++)
        assert_true(isnan(dlpi_draw_binomial(&rng, wrong[i][0], wrong[i][1])));
    assert_true(dlpi_draw_poisson(&rng, 0) == 0);
    assert_true(isnan(dlpi_draw_poisson(&rng, -1)));
    assert_true(isnan(dlpi_draw_poisson(&rng, NAN)));
    assert_true(isnan(dlpi_draw_poisson(&rng, INFINITY)));
}

/* ---- special functions ---- */

/* A(d) = log(1 - exp(-exp d)), by its own formula, and its derivatives by differences. */
static void the_log_of_a_gap(void **state)
{
    (void)state;
    double out[3], up[3], down[3];
    for (double d = -20; d < 6; d += 0.37) {
        const double h = 1e-5, value = dlpi_log_gap(d, out);
        assert_close(value, log(-expm1(-exp(d))), 1e-14);
        assert_near(out[0],
                    (dlpi_log_gap(d + h, up) - dlpi_log_gap(d - h, down)) / (2 * h),
                    1e-7);
        assert_near(out[1], (up[0] - down[0]) / (2 * h), 1e-7);
        assert_near(out[2], (up[1] - down[1]) / (2 * h), 1e-7);
    }
    assert_true(dlpi_log_gap(-800, out) == -800);
    assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0);
    assert_true(dlpi_log_gap(9, out) == 0);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0);
}

static void check_tails(dlpi_tails found, double lower, double upper)
{
    assert_true(isnan(lower) ? isnan(found.lower) && isnan(found.upper)
                             : found.lower == lower && found.upper == upper);
}

static void tails_at_the_ends(void **state)
{
    (void)state;
    check_tails(dlpi_gamma_tails(NAN, 1), NAN, NAN);
    check_tails(dlpi_gamma_tails(1, NAN), NAN, NAN);
    check_tails(dlpi_gamma_tails(2, 0), 0, 1);
    check_tails(dlpi_gamma_tails(INFINITY, 5), 0, 1);
    check_tails(dlpi_gamma_tails(2, INFINITY), 1, 0);
    check_tails(dlpi_beta_tails(NAN, 1, 0.5, 0.5), NAN, NAN);
    check_tails(dlpi_beta_tails(1, NAN, 0.5, 0.5), NAN, NAN);
    check_tails(dlpi_beta_tails(1, 1, NAN, 0.5), NAN, NAN);
    check_tails(dlpi_beta_tails(1, 1, 0.5, NAN), NAN, NAN);
    check_tails(dlpi_beta_tails(2, 3, 0, 1), 0, 1);
    check_tails(dlpi_beta_tails(2, 3, 1, 0), 1, 0);
    /* beyond all that a double has */
    check_tails(dlpi_gamma_tails(1, 1e5), 1, 0);
    check_tails(dlpi_beta_tails(500, 500, 1e-9, 1 - 1e-9), 0, 1);
    /* exponential and uniform */
    assert_close(dlpi_gamma_tails(1, 30).upper, exp(-30), 1e-11);
    assert_close(dlpi_beta_tails(1, 1, 0.3, 0.7).lower, 0.3, 1e-14);
}

/* ---- matching and sorting ---- */

static double best_of(int n, const double *gain, int row, unsigned used)
{
    double best = row == n ? 0 : -INFINITY;
    for (int j = 0; j < n && row < n; j++)
        if (!(used & 1u << j))
            best =
                fmax(best, gain[row * n + j] + best_of(n, gain, row + 1, used | 1u << j));
    return best;
}

/* Ties, too: gains of few values. */
static void matches_are_the_best(void **state)
{
    (void)state;
    enum { N = 6 };
    double gain[N * N];
    dlp_index match[N];
    dlp_rng rng = dlp_rng_at(2, 2);
    for (int trial = 0; trial < 60; trial++) {
        const int n = 1 + trial % N;
        double sum = 0;
        for (int i = 0; i < n * n; i++)
            gain[i] =
                trial % 2 ? floor(4 * dlp_draw_uniform(&rng)) : dlp_draw_normal(&rng);
        assert_ok(dlpi_assign(n, gain, match, error));
        for (int i = 0; i < n; i++) sum += gain[i * n + match[i]];
        assert_near(sum, best_of(n, gain, 0, 0), 1e-12);
    }
    for (int n = 0; n < 3; n++) {
        allocations_left = n;
        const dlp_status status = dlpi_assign(2, gain, match, NULL);
        allocations_left = -1;
        assert_true(status == DLP_ENOMEM || status == DLP_OK);
    }
}

static void distinct_numbers_ascend(void **state)
{
    (void)state;
    double x[] = {3, -1, 3, 2, -1, 2, 7};
    static const double want[] = {-1, 2, 3, 7};
    assert_int_equal(dlpi_distinct(7, x), 4);
    for (int i = 0; i < 4; i++) assert_true(x[i] == want[i]);
    assert_int_equal(dlpi_distinct(1, x), 1);
    assert_int_equal(dlpi_distinct(0, x), 0);
}

/* ---- importance weights ---- */

/* Where a quarter of the tail is no larger than what lies below it, no shape can be
   estimated; where all are alike there is nothing to estimate. */
static void weights_with_ties(void **state)
{
    (void)state;
    double weight[100];
    struct dlpi_psis psis;
    for (int i = 0; i < 100; i++) weight[i] = i % 20 == 0 ? -0.01 * i : -1;
    assert_int_equal(dlpi_psis(weight, 100, &psis), DLP_OK);
    assert_true(isinf(psis.k) && psis.k > 0);
    for (int i = 0; i < 100; i++) weight[i] = -3;
    assert_int_equal(dlpi_psis(weight, 100, &psis), DLP_OK);
    assert_true(isinf(psis.k) && psis.k < 0);
    assert_close(psis.size, 100.0, 1e-12);
    for (int i = 0; i < 100; i++) assert_close(weight[i], -log(100), 1e-12);
    /* ten draws have no tail */
    for (int i = 0; i < 10; i++) weight[i] = -i;
    assert_int_equal(dlpi_psis(weight, 10, &psis), DLP_OK);
    assert_true(isinf(psis.k) && psis.k > 0);
}

/* ---- memory ---- */

static void memory_that_is_short_is_told(void **state)
{
    (void)state;
    double weight[40], z[20], A[9] = {2, 0, 0, 0, 1, 0, 0, 0, 3}, V[9], w[3];
    struct dlpi_psis psis;
    int refused = 0;
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 40; i++) weight[i] = -i;
        allocations_left = n;
        refused += dlpi_psis(weight, 40, &psis) == DLP_ENOMEM;
        allocations_left = 0;
        refused += dlpi_normal_lattice(5, 4, z, NULL) == DLP_ENOMEM;
        allocations_left = 0;
        refused += dlpi_graded_eigen(3, A, V, w, NULL) == DLP_ENOMEM;
        allocations_left = -1;
    }
    assert_true(refused >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_draws_have_their_probabilities),
        cmocka_unit_test(poisson_draws_have_their_moments),
        cmocka_unit_test(counts_at_the_ends),
        cmocka_unit_test(the_log_of_a_gap),
        cmocka_unit_test(tails_at_the_ends),
        cmocka_unit_test(matches_are_the_best),
        cmocka_unit_test(distinct_numbers_ascend),
        cmocka_unit_test(weights_with_ties),
        cmocka_unit_test(memory_that_is_short_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
