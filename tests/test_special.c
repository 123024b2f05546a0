/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The special functions against 256 bits, on points of every size and near every
 * zero; their special values; and what the array forms promise.
 */
#include "special_oracle.h"
#include "support.h"

#include <errno.h>
#include <float.h>

typedef double scalar_function(double x);
typedef void array_function(dlp_index n, const double *x, double *y);

typedef enum { POSITIVE, REAL, PROBABILITY } domain;

typedef struct {
    const char *name;
    scalar_function *scalar;
    array_function *array; /* NULL if there is none */
    oracle_function *oracle;
    domain domain;
} subject;

/* Those that have the array form alone. */
static double dlp_exp(double x)
{
    double y;
    dlp_exp_array(1, &x, &y);
    return y;
}

static double dlp_normal_log_cdf(double x)
{
    double y;
    dlp_normal_log_cdf_array(1, &x, &y);
    return y;
}

#define WITH_ARRAY(name) #name, dlp_##name, dlp_##name##_array, oracle_##name
static const subject subjects[] = {
    {WITH_ARRAY(lgamma), POSITIVE},
    {WITH_ARRAY(digamma), POSITIVE},
    {WITH_ARRAY(trigamma), POSITIVE},
    {WITH_ARRAY(tetragamma), POSITIVE},
    {WITH_ARRAY(exp), REAL},
    {WITH_ARRAY(logistic), REAL},
    {WITH_ARRAY(log_logistic), REAL},
    {"log1pexp", dlp_log1pexp, NULL, oracle_log1pexp, REAL},
    {"normal_cdf", dlp_normal_cdf, NULL, oracle_normal_cdf, REAL},
    {WITH_ARRAY(normal_log_cdf), REAL},
    {"normal_quantile", dlp_normal_quantile, NULL, oracle_normal_quantile, PROBABILITY},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/* What the header promises, relative, near zeros too */
#define TOLERANCE 2e-15

/* ---- points ---- */

enum { MAX_POINTS = 8192 };

typedef struct {
    int count;
    double x[MAX_POINTS];
} points;

static bool within(domain d, double x)
{
    return d == REAL       ? isfinite(x)
           : d == POSITIVE ? x > 0 && isfinite(x)
                           : x > 0 && x < 1;
}

static void add(points *p, domain d, double x)
{
    if (!within(d, x)) return;
    assert_true(p->count < MAX_POINTS);
    p->x[p->count++] = x;
}

/* x, and its neighbours at every distance down to the last bit, on both sides */
static void add_around(points *p, domain d, double x)
{
    add(p, d, x);
    for (int k = 2; k <= 52; k++) {
        add(p, d, x * (1 + ldexp(1, -k)));
        add(p, d, x * (1 - ldexp(1, -k)));
    }
}

/* splitmix64, uniform on [0,1) */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void add_random(points *p, domain d, int count)
{
    uint64_t state = 2385;
    for (int i = 0; i < count; i++) {
        double u = uniform(&state), v = uniform(&state);
        double any = ldexp(1 + v, (int)(u * 2098) - 1074);
        add(p, d, any);
        add(p, d, -any);
        add(p, d, 4 * (2 * v - 1));
        add(p, d, 40 * (2 * u - 1));
        add(p, d, 760 * (2 * v - 1));
        add(p, d, 1 - ldexp(1 + v, -2 - (int)(u * 51)));
    }
}

static points *make_points(domain d, int random)
{
    static const double chosen[] = {
        0x1p-1074, 3 * 0x1p-1074, DBL_MIN / 2, DBL_MIN,
        1e-300,    7.4e-155,      1e-154,      1e-103,
        1e-78,     1e-17,         1e-8,        0.075,
        0.425,     0.925,         2.385,       8,
        38,        38.4,          38.5,        40,
        709.8,     745.1,         745.2,       1e5,
        1e10,      1e15,          1e77,        1e103,
        1e107,     1e108,         1e154,       1.4e154,
        1e162,     1e300,         2.5e305,     2.55e305,
        1e308,     DBL_MAX / 2,   DBL_MAX,
    };
    static const double centres[] = {0.5, 1, 1.4616321449683623, 1.5, 2, 2.5, 3};
    points *p = test_calloc(1, sizeof *p);
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        add(p, d, chosen[i]);
        add(p, d, -chosen[i]);
        add(p, d, 1 - chosen[i]);
    }
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        add_around(p, d, centres[i]);
        add_around(p, d, -centres[i]);
    }
    for (int i = 0; i <= 100; i++) {
        add(p, d, 0.5 * i);
        add(p, d, -0.5 * i);
    }
    add_random(p, d, random);
    return p;
}

/* ---- values ---- */

/* |got - expected|/|expected|; 0 for the right infinity, and for a subnormal within
   its last bit. */
static double relative_error(double got, const mpfr_t expected)
{
    double nearest = mpfr_get_d(expected, MPFR_RNDN), error;
    if (got == nearest) return 0;
    if (!isfinite(got) && fabs(nearest) < DBL_MAX * (1 - 1e-15)) return INFINITY;
    if (!isfinite(nearest)) return fabs(got) >= DBL_MAX * (1 - 1e-15) ? 0 : INFINITY;
    if (fabs(nearest) < DBL_MIN && fabs(got - nearest) <= 0x1p-1074) return 0;
    mpfr_t difference;
    mpfr_init2(difference, ORACLE_BITS);
    mpfr_d_sub(difference, got, expected, MPFR_RNDN);
    mpfr_div(difference, difference, expected, MPFR_RNDN);
    error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

/* The worst relative error over the points, and where it is */
static double worst_error(const subject *s, const points *p, double *where)
{
    double worst = 0;
    mpfr_t x, expected;
    mpfr_inits2(ORACLE_BITS, x, expected, (mpfr_ptr)NULL);
    for (int i = 0; i < p->count; i++) {
        mpfr_set_d(x, p->x[i], MPFR_RNDN);
        s->oracle(expected, x);
        double error = relative_error(s->scalar(p->x[i]), expected);
        if (error <= worst) continue;
        worst = error;
        *where = p->x[i];
    }
    mpfr_clears(x, expected, (mpfr_ptr)NULL);
    return worst;
}

static void values_agree_with_mpfr(void **state)
{
    (void)state;
    int failed = 0;
    for (int i = 0; i < SUBJECTS; i++) {
        points *p = make_points(subjects[i].domain, 300);
        double where = 0, worst = worst_error(&subjects[i], p, &where);
        test_free(p);
        if (worst <= TOLERANCE) continue;
        print_error("%s: worst relative error %.2e, at %.17g\n", subjects[i].name, worst,
                    where);
        failed++;
    }
    assert_int_equal(failed, 0);
}

/* ---- special values ---- */

static void special_values_are_as_the_header_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        scalar_function *function;
        double x, expected;
    } rows[] = {
#define ROW(name, x, expected) {#name "(" #x ")", dlp_##name, x, expected}
        ROW(lgamma, 0.0, INFINITY),
        ROW(lgamma, -0.0, INFINITY),
        ROW(lgamma, INFINITY, INFINITY),
        ROW(lgamma, 1, 0),
        ROW(lgamma, 2, 0),
        ROW(digamma, 0.0, -INFINITY),
        ROW(digamma, -0.0, -INFINITY),
        ROW(digamma, INFINITY, INFINITY),
        ROW(trigamma, 0.0, INFINITY),
        ROW(trigamma, -0.0, INFINITY),
        ROW(trigamma, INFINITY, 0),
        ROW(tetragamma, 0.0, -INFINITY),
        ROW(tetragamma, -0.0, -INFINITY),
        ROW(tetragamma, INFINITY, 0),
        ROW(exp, -INFINITY, 0),
        ROW(exp, 0.0, 1),
        ROW(exp, INFINITY, INFINITY),
        ROW(logistic, -INFINITY, 0),
        ROW(logistic, 0.0, 0.5),
        ROW(logistic, INFINITY, 1),
        ROW(log_logistic, -INFINITY, -INFINITY),
        ROW(log_logistic, INFINITY, 0),
        ROW(log1pexp, -INFINITY, 0),
        ROW(log1pexp, INFINITY, INFINITY),
        ROW(normal_cdf, -INFINITY, 0),
        ROW(normal_cdf, 0.0, 0.5),
        ROW(normal_cdf, INFINITY, 1),
        ROW(normal_log_cdf, -INFINITY, -INFINITY),
        ROW(normal_log_cdf, INFINITY, 0),
        ROW(normal_quantile, 0.0, -INFINITY),
        ROW(normal_quantile, -0.0, -INFINITY),
        ROW(normal_quantile, 0.5, 0),
        ROW(normal_quantile, 1.0, INFINITY),
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = rows[i].function(rows[i].x);
        if (got == rows[i].expected) continue;
        fail_msg("%s is %.17g, expected %g", rows[i].name, got, rows[i].expected);
    }
}

static void outside_its_domain_a_function_is_nan(void **state)
{
    (void)state;
    static const double outside[][5] = {
        [POSITIVE] = {NAN, -0x1p-1074, -1, -1e300, -INFINITY},
        [REAL] = {NAN, NAN, NAN, NAN, NAN},
        [PROBABILITY] = {NAN, -0x1p-1074, 1 + DBL_EPSILON, INFINITY, -INFINITY},
    };
    errno = 0;
    for (int i = 0; i < SUBJECTS; i++) {
        for (int j = 0; j < 5; j++) {
            double x = outside[subjects[i].domain][j], got = subjects[i].scalar(x);
            if (!isnan(got)) fail_msg("%s(%g) is %g", subjects[i].name, x, got);
        }
    }
    assert_int_equal(errno, 0);
}

/* ---- array forms ---- */

/* All NaN are one here. */
static bool same_bits(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static void arrays_have_the_bits_of_scalars(void **state)
{
    (void)state;
    static const double specials[] = {NAN, -1, 0.0, -0.0, 1, INFINITY, -INFINITY};
    double *y = test_malloc(MAX_POINTS * sizeof *y);
    for (const subject *s = subjects; s < subjects + SUBJECTS; s++) {
        if (!s->array) continue;
        points *p = make_points(s->domain, 300);
        for (int i = 0; i < 7; i++) p->x[p->count++] = specials[i];
        s->array(p->count, p->x, y);
        for (int i = 0; i < p->count; i++) {
            double alone = s->scalar(p->x[i]);
            if (same_bits(y[i], alone)) continue;
            fail_msg("%s(%a) is %a in an array, %a alone", s->name, p->x[i], y[i], alone);
        }
        test_free(p);
    }
    test_free(y);
}

static void array_values_depend_on_neither_n_nor_place(void **state)
{
    (void)state;
    enum { LONGEST = 40 };
    points *p = make_points(PROBABILITY, 0);
    const double *x = p->x + 10;
    for (const subject *s = subjects; s < subjects + SUBJECTS; s++) {
        if (!s->array) continue;
        for (int n = 0; n <= LONGEST; n++) {
            double y[LONGEST + 1], in_place[LONGEST + 1];
            memcpy(in_place, x, sizeof in_place);
            y[n] = in_place[n] = 2385;
            s->array(n, x, y);
            s->array(n, in_place, in_place);
            for (int i = 0; i < n; i++) {
                assert_true(same_bits(y[i], s->scalar(x[i])));
                assert_true(same_bits(in_place[i], y[i]));
            }
            /* Nothing is written past the end. */
            assert_true(y[n] == 2385 && in_place[n] == 2385);
        }
    }
    test_free(p);
}

/* ---- identities ---- */

static void gamma_functions_obey_their_recurrences(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        double x = 0.01 * pow(1.03, i);
        double above = x + 1, r = 1 / (above - 1); /* x as above sees it */
        assert_close(dlp_lgamma(above), dlp_lgamma(1 / r) - log(r), 1e-13);
        assert_close(dlp_digamma(above) - r, dlp_digamma(1 / r), 1e-13);
        assert_close(dlp_trigamma(above) + r * r, dlp_trigamma(1 / r), 1e-13);
        assert_close(dlp_tetragamma(above) - 2 * r * r * r, dlp_tetragamma(1 / r), 1e-13);
    }
}

static void logistic_functions_reflect(void **state)
{
    (void)state;
    for (int i = -200; i <= 200; i++) {
        double x = 0.2385 * i;
        assert_near(dlp_logistic(x) + dlp_logistic(-x), 1, 1e-15);
        assert_close(dlp_log1pexp(x) - dlp_log1pexp(-x), x, 1e-15);
        assert_true(dlp_log_logistic(x) == -dlp_log1pexp(-x));
        assert_close(exp(dlp_log_logistic(x)), dlp_logistic(x), 1e-15);
    }
}

static void quantile_inverts_the_distribution(void **state)
{
    (void)state;
    for (int i = -1590; i < 160; i++) {
        double x = 0.02385 * i; /* below -37, the distribution is a subnormal */
        assert_close(dlp_normal_quantile(dlp_normal_cdf(x)), x, x < -37 ? 1e-10 : 1e-12);
    }
    for (int k = 1; k <= 53; k++) {
        double p = ldexp(1, -k);
        assert_true(dlp_normal_quantile(1 - p) == -dlp_normal_quantile(p));
    }
}

/* ---- log-sum-exp ---- */

static void oracle_logsumexp(mpfr_t out, int n, const double *x)
{
    mpfr_t term;
    mpfr_init2(term, ORACLE_BITS);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_set_d(term, x[i], MPFR_RNDN);
        mpfr_exp(term, term, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_clear(term);
}

static void logsumexp_agrees_with_mpfr(void **state)
{
    (void)state;
    enum { LONGEST = 2000 };
    static const double width[] = {0, 1e-9, 1, 30, 800};
    static const double centre[] = {0, -1e-20, -7.6, 2.385, 700, -1e5};
    static const int length[] = {1, 2, 3, 7, 8, 9, 60, 127, 128, 129, LONGEST};
    double *x = test_malloc(LONGEST * sizeof *x), worst = 0;
    uint64_t seed = 2385;
    mpfr_t expected;
    mpfr_init2(expected, ORACLE_BITS);
    for (int k = 0; k < 5 * 6 * 11; k++) {
        int n = length[k % 11];
        for (int i = 0; i < n; i++)
            x[i] = centre[k % 6] + width[k % 5] * (2 * uniform(&seed) - 1);
        oracle_logsumexp(expected, n, x);
        /* Where terms cancel, the error is absolute. */
        mpfr_d_sub(expected, dlp_logsumexp(n, x), expected, MPFR_RNDN);
        double scale = fmax(1, fabs(dlp_logsumexp(n, x)));
        worst = fmax(worst, fabs(mpfr_get_d(expected, MPFR_RNDN)) / scale);
    }
    mpfr_clear(expected);
    test_free(x);
    if (worst > 1e-15) fail_msg("logsumexp: the worst error is %.2e", worst);
}

static void logsumexp_keeps_what_is_small_beside_the_largest(void **state)
{
    (void)state;
    const double x[] = {-100, 0, -100};
    assert_near(dlp_logsumexp(3, x), 2 * exp(-100), 1e-15 * exp(-100));
}

static void logsumexp_loses_nothing_over_many_terms(void **state)
{
    (void)state;
    enum { LEVELS = 10, EACH = 100000, MANY = LEVELS * EACH };
    double *x = test_malloc(MANY * sizeof *x), sum = 0;
    for (int i = 0; i < MANY; i++) x[i] = -0.2385 * (i % LEVELS);
    for (int k = 0; k < LEVELS; k++) sum += EACH * exp(x[k]);
    assert_near(dlp_logsumexp(MANY, x), log(sum), 1e-15 * log(sum));
    test_free(x);
}

static void logsumexp_takes_any_entries(void **state)
{
    (void)state;
    const double inf = INFINITY;
    static const double many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, NAN};
    assert_true(dlp_logsumexp(0, NULL) == -inf);
    assert_true(dlp_logsumexp(1, (double[]){-7.25}) == -7.25);
    assert_true(dlp_logsumexp(1, (double[]){-inf}) == -inf);
    assert_true(dlp_logsumexp(1, (double[]){inf}) == inf);
    assert_true(dlp_logsumexp(3, (double[]){-inf, -inf, -inf}) == -inf);
    assert_true(dlp_logsumexp(3, (double[]){-inf, 2.5, -inf}) == 2.5);
    assert_true(dlp_logsumexp(3, (double[]){-inf, 2.5, inf}) == inf);
    assert_true(dlp_logsumexp(2, (double[]){inf, inf}) == inf);
    assert_true(dlp_logsumexp(2, (double[]){DBL_MAX, -DBL_MAX}) == DBL_MAX);
    assert_true(isnan(dlp_logsumexp(2, (double[]){NAN, inf})));
    assert_true(isnan(dlp_logsumexp(2, (double[]){-inf, NAN})));
    assert_true(isnan(dlp_logsumexp(1, (double[]){NAN})));
    assert_true(isnan(dlp_logsumexp(10, many)));
}

/* ---- the whole ---- */

static int set_up(void **state)
{
    (void)state;
    oracle_init();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    oracle_clear();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_mpfr),
        cmocka_unit_test(special_values_are_as_the_header_says),
        cmocka_unit_test(outside_its_domain_a_function_is_nan),
        cmocka_unit_test(arrays_have_the_bits_of_scalars),
        cmocka_unit_test(array_values_depend_on_neither_n_nor_place),
        cmocka_unit_test(gamma_functions_obey_their_recurrences),
        cmocka_unit_test(logistic_functions_reflect),
        cmocka_unit_test(quantile_inverts_the_distribution),
        cmocka_unit_test(logsumexp_agrees_with_mpfr),
        cmocka_unit_test(logsumexp_keeps_what_is_small_beside_the_largest),
        cmocka_unit_test(logsumexp_loses_nothing_over_many_terms),
        cmocka_unit_test(logsumexp_takes_any_entries),
    };
    return cmocka_run_group_tests_name("special", tests, set_up, tear_down);
}
