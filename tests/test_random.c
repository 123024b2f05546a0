/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers: the published vectors of Philox, places in streams, and the
 * distributions by their moments and by Kolmogorov's test. Seeds are fixed, so a test
 * that passes once passes always.
 */
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Known answers of Random123, kat_vectors: philox4x32, 10 rounds. */
static void philox_gives_the_published_vectors(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        dlp_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

static void a_word_comes_from_its_place_alone(void **state)
{
    (void)state;
    const uint64_t seed = 0x299f31d0a4093822, stream = 0x0370734413198a2e;
    dlp_rng rng = dlp_rng_at(seed, stream);
    assert_int_equal(rng.position, 0);
    uint64_t word[20];
    for (int i = 0; i < 20; i++) word[i] = dlp_draw_bits(&rng);
    assert_int_equal(rng.position, 20);
    for (int i = 19; i >= 0; i--) {
        dlp_rng there = {.seed = seed, .stream = stream, .position = (uint64_t)i};
        assert_true(dlp_draw_bits(&there) == word[i]);
    }
    /* Two words are a block, at the counter and key that the header says. */
    dlp_rng far = {.seed = seed, .stream = stream, .position = 2 * 0x05a308d3243f6a88u};
    const uint32_t counter[4] = {0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344};
    const uint32_t key[2] = {0xa4093822, 0x299f31d0};
    uint32_t out[4];
    dlp_philox(counter, key, out);
    assert_true(dlp_draw_bits(&far) == ((uint64_t)out[1] << 32 | out[0]));
    assert_true(dlp_draw_bits(&far) == ((uint64_t)out[3] << 32 | out[2]));
}

static void a_copied_place_draws_the_same(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(2385, 17);
    dlp_draw_gamma(&rng, 0.7);
    dlp_rng fork = rng;
    for (int i = 0; i < 100; i++) {
        assert_true(dlp_draw_gamma(&rng, 2.385) == dlp_draw_gamma(&fork, 2.385));
        assert_true(dlp_draw_normal(&rng) == dlp_draw_normal(&fork));
    }
    assert_true(rng.position == fork.position);
}

static void seeds_and_streams_differ(void **state)
{
    (void)state;
    dlp_rng a = dlp_rng_at(1, 0), b = dlp_rng_at(0, 1), c = dlp_rng_at(1, 1);
    const uint64_t x = dlp_draw_bits(&a), y = dlp_draw_bits(&b), z = dlp_draw_bits(&c);
    assert_true(x != y && y != z && x != z);
}

/* Kolmogorov's statistic sqrt(n) sup |F_n - F| of probabilities p = F(draw). It passes
   1.95 once in a thousand. */
static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double kolmogorov(int n, double *p)
{
    double worst = 0;
    qsort(p, (size_t)n, sizeof *p, compare_doubles);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, p[i] - (double)i / n);
        worst = fmax(worst, (double)(i + 1) / n - p[i]);
    }
    return worst * sqrt(n);
}

enum { N = 40000 };
static const double rare = 1.95;

static void uniforms_are_uniform_and_open(void **state)
{
    (void)state;
    static double p[N];
    dlp_rng rng = dlp_rng_at(2385, 1);
    for (int i = 0; i < N; i++) {
        p[i] = dlp_draw_uniform(&rng);
        assert_true(p[i] > 0 && p[i] < 1);
    }
    assert_true(kolmogorov(N, p) < rare);
}

static void normals_are_normal(void **state)
{
    (void)state;
    static double p[N];
    double sum = 0, squares = 0, cubes = 0, fourths = 0;
    dlp_rng rng = dlp_rng_at(2385, 2);
    for (int i = 0; i < N; i++) {
        const double x = dlp_draw_normal(&rng);
        p[i] = dlp_normal_cdf(x);
        sum += x;
        squares += x * x;
        cubes += x * x * x;
        fourths += x * x * x * x;
    }
    assert_true(rng.position == N);
    /* Four standard errors: the moments' variances are 1, 2, 15 and 96. */
    const double error = 4 / sqrt(N);
    assert_true(fabs(sum / N) < error);
    assert_true(fabs(squares / N - 1) < error * sqrt(2));
    assert_true(fabs(cubes / N) < error * sqrt(15));
    assert_true(fabs(fourths / N - 3) < error * sqrt(96));
    assert_true(kolmogorov(N, p) < rare);
}

/* P(a, exp(l)), the distribution function of a gamma by its power series
   x^a e^-x / Gamma(a+1) (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...), good for our shapes. */
static double gamma_cdf_at_log(double a, double l)
{
    const double x = exp(l);
    if (x > a + 60 + 12 * sqrt(a)) return 1;
    double term = 1, sum = 1;
    for (int i = 1; term > 1e-17 * sum; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return fmin(1, exp(a * l - x - lgamma(a + 1)) * sum);
}

static void gammas_are_gamma(void **state)
{
    (void)state;
    static const double shapes[] = {0.01, 0.3, 0.999, 1, 1.7, 23.85, 100, 1e4};
    static double p[N];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const double a = shapes[s];
        double sum = 0, squares = 0;
        dlp_rng rng = dlp_rng_at(2385, 100 + s);
        for (int i = 0; i < N; i++) {
            dlp_rng same = rng;
            const double l = dlp_draw_log_gamma(&rng, a), x = dlp_draw_gamma(&same, a);
            assert_true(fabs(x - exp(l)) <= 1e-12 * x);
            p[i] = gamma_cdf_at_log(a, l);
            sum += x;
            squares += (x - a) * (x - a);
        }
        /* The variance is a; the variance of (x-a)^2 is 2a^2 + 6a. */
        assert_true(fabs(sum / N - a) < 4 * sqrt(a / N));
        assert_true(fabs(squares / N - a) < 4 * sqrt((2 * a * a + 6 * a) / N));
        assert_true(kolmogorov(N, p) < rare);
    }
}

static void gammas_of_extreme_shape_stay_finite(void **state)
{
    (void)state;
    static const double shapes[] = {5e-324, 1e-310, 1e-300, 1e-10, 1e16, 1e300, 1.7e308};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        dlp_rng rng = dlp_rng_at(2385, 200 + s);
        for (int i = 0; i < 1000; i++)
            assert_true(isfinite(dlp_draw_log_gamma(&rng, shapes[s])));
    }
    /* Near the mean a: log a, with standard deviation 1/sqrt(a). */
    dlp_rng rng = dlp_rng_at(2385, 300);
    assert_true(fabs(dlp_draw_log_gamma(&rng, 1e300) - log(1e300)) < 1e-12);
    assert_true(fabs(dlp_draw_gamma(&rng, 1e10) / 1e10 - 1) < 6e-5);
    static const double wrong[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY};
    for (size_t s = 0; s < sizeof wrong / sizeof wrong[0]; s++) {
        assert_true(isnan(dlp_draw_gamma(&rng, wrong[s])));
        assert_true(isnan(dlp_draw_log_gamma(&rng, wrong[s])));
    }
}

static void dirichlets_have_their_means(void **state)
{
    (void)state;
    static const double alpha[4] = {0.05, 0.7, 2.385, 11};
    double total = 0, sum[4] = {0};
    for (int k = 0; k < 4; k++) total += alpha[k];
    dlp_rng rng = dlp_rng_at(2385, 3);
    for (int i = 0; i < N; i++) {
        double x[4], one = 0;
        dlp_draw_dirichlet(&rng, 4, alpha, x);
        for (int k = 0; k < 4; k++) {
            one += x[k];
            sum[k] += x[k];
        }
        assert_true(fabs(one - 1) < 1e-14);
    }
    for (int k = 0; k < 4; k++) {
        const double mean = alpha[k] / total;
        const double sd = sqrt(mean * (1 - mean) / (total + 1));
        assert_true(fabs(sum[k] / N - mean) < 4 * sd / sqrt(N));
    }
}

static void dirichlets_sum_to_one_at_any_scale(void **state)
{
    (void)state;
    static const double alpha[][3] = {{1e-300, 1e-300, 1e-300}, {1e300, 1e300, 1e300},
                                      {5e-324, 5e-324, 5e-324}, {1e-300, 1, 1e300},
                                      {1.7e308, 1.7e308, 1e-3}, {1e-5, 1e-4, 1e-3}};
    for (size_t s = 0; s < sizeof alpha / sizeof alpha[0]; s++) {
        dlp_rng rng = dlp_rng_at(2385, 400 + s);
        for (int i = 0; i < 1000; i++) {
            double x[3];
            dlp_draw_dirichlet(&rng, 3, alpha[s], x);
            assert_true(fabs(x[0] + x[1] + x[2] - 1) < 1e-14);
            assert_true(x[0] >= 0 && x[1] >= 0 && x[2] >= 0);
        }
    }
}

static void tiny_dirichlets_choose_a_corner_by_their_mean(void **state)
{
    (void)state;
    const double alpha[2] = {1e-300, 3e-300};
    int first = 0;
    dlp_rng rng = dlp_rng_at(2385, 4);
    for (int i = 0; i < N; i++) {
        double x[2];
        dlp_draw_dirichlet(&rng, 2, alpha, x);
        assert_true(x[0] == 0 || x[0] == 1);
        first += x[0] == 1;
    }
    assert_true(fabs((double)first / N - 0.25) < 4 * sqrt(0.25 * 0.75 / N));
}

static void a_wrong_dirichlet_is_not_a_number(void **state)
{
    (void)state;
    const double alpha[3] = {1, 0, 2};
    double x[3] = {0};
    dlp_rng rng = dlp_rng_at(2385, 5);
    dlp_draw_dirichlet(&rng, 3, alpha, x);
    assert_true(isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
    dlp_draw_dirichlet(&rng, 0, alpha, x);
}

static void categoricals_have_their_frequencies(void **state)
{
    (void)state;
    /* The same weights at scales whose plain sum would vanish or overflow. */
    static const double scales[] = {1, 1e-320, 4e307};
    static const double weight[] = {2, 1, 0, 3, 0.5, 0};
    for (int s = 0; s < 3; s++) {
        double scaled[6], total = 0;
        int seen[6] = {0};
        for (int i = 0; i < 6; i++) scaled[i] = weight[i] * scales[s];
        for (int i = 0; i < 6; i++) total += scaled[i] / scaled[3];
        dlp_rng rng = dlp_rng_at(2385, 500 + (uint64_t)s);
        for (int i = 0; i < N; i++) {
            const dlp_index drawn = dlp_draw_categorical(&rng, 6, scaled);
            assert_in_range(drawn, 0, 5);
            seen[drawn]++;
        }
        for (int i = 0; i < 6; i++) {
            const double p = scaled[i] / scaled[3] / total;
            assert_true(fabs((double)seen[i] / N - p) <= 4 * sqrt(p * (1 - p) / N));
        }
    }
}

static void wrong_weights_draw_nothing(void **state)
{
    (void)state;
    static const double wrong[][2] = {{0, 0}, {1, -1}, {NAN, 1}, {1, INFINITY}};
    dlp_rng rng = dlp_rng_at(2385, 6);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(dlp_draw_categorical(&rng, 2, wrong[i]), -1);
    assert_int_equal(dlp_draw_categorical(&rng, 0, wrong[0]), -1);
    assert_true(rng.position == 0);
    const double only[] = {5e-324};
    assert_int_equal(dlp_draw_categorical(&rng, 1, only), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_vectors),
        cmocka_unit_test(a_word_comes_from_its_place_alone),
        cmocka_unit_test(a_copied_place_draws_the_same),
        cmocka_unit_test(seeds_and_streams_differ),
        cmocka_unit_test(uniforms_are_uniform_and_open),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(gammas_are_gamma),
        cmocka_unit_test(gammas_of_extreme_shape_stay_finite),
        cmocka_unit_test(dirichlets_have_their_means),
        cmocka_unit_test(dirichlets_sum_to_one_at_any_scale),
        cmocka_unit_test(tiny_dirichlets_choose_a_corner_by_their_mean),
        cmocka_unit_test(a_wrong_dirichlet_is_not_a_number),
        cmocka_unit_test(categoricals_have_their_frequencies),
        cmocka_unit_test(wrong_weights_draw_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
