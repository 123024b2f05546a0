/* SPDX-License-Identifier: BSD-3-Clause */
/* Pareto-smoothed importance sampling beside R's loo, and where there is nothing to smooth. */
#include "math/psis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 2000 };

static void assert_close(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

static double uniform(size_t i)
{
    return fmod((double)(i + 1) * 0.6180339887498949, 1);
}

static double largest(const double *log_weight)
{
    double most = log_weight[0];

    for (size_t i = 1; i < N; i++) most = fmax(most, log_weight[i]);
    return exp(most);
}

/* Weights (1 - u)^-k of evenly spread u. By loo 2.5.1:
 *     u <- ((1:2000) * 0.6180339887498949) %% 1
 *     r <- loo::psis(-k * log(1 - u), r_eff = 1); w <- weights(r, log = FALSE)
 *     c(r$diagnostics$pareto_k, 1 / sum(w^2), max(w))
 */
static void agrees_with_loo(void **state)
{
    static const struct {
        double power, k, size, most;
    } loo[] = {{0.1, 0.119284949803, 1975.45008053, 0.000971785805393},
               {0.4, 0.391351070524, 1336.63916442, 0.00655524720765},
               {0.9, 0.843320343084, 68.6685532335, 0.0907544024103}};
    double log_weight[N];
    struct dlpi_psis psis;

    (void)state;
    for (size_t c = 0; c < sizeof loo / sizeof *loo; c++) {
        for (size_t i = 0; i < N; i++)
            log_weight[i] = 700 - loo[c].power * log1p(-uniform(i));
        assert_int_equal(dlpi_psis(log_weight, N, &psis), DLP_OK);
        assert_close(psis.k, loo[c].k, 1e-9);
        assert_close(psis.size, loo[c].size, 1e-9);
        assert_close(largest(log_weight), loo[c].most, 1e-9);
    }
}

static void equal_weights_are_left_alone(void **state)
{
    double log_weight[N];
    struct dlpi_psis psis;

    (void)state;
    for (size_t i = 0; i < N; i++) log_weight[i] = -1e5;
    assert_int_equal(dlpi_psis(log_weight, N, &psis), DLP_OK);
    assert_true(psis.k < 0);
    assert_close(psis.size, N, 1e-12);
    assert_close(log_weight[7], -log(N), 1e-12);
}

static void a_short_tail_tells_nothing(void **state)
{
    double log_weight[] = {0, 1, -INFINITY, 3};
    struct dlpi_psis psis;

    (void)state;
    assert_int_equal(dlpi_psis(log_weight, 4, &psis), DLP_OK);
    assert_true(isinf(psis.k) && psis.k > 0);
    assert_true(isinf(log_weight[2]));
    assert_close(exp(log_weight[0]) + exp(log_weight[1]) + exp(log_weight[3]), 1, 1e-12);
}

/* One draw that has all the weight: no estimate is to be trusted. */
static void one_large_weight_is_seen(void **state)
{
    double log_weight[N];
    struct dlpi_psis psis;

    (void)state;
    for (size_t i = 0; i < N; i++) log_weight[i] = i == 5 ? 0 : -200 - uniform(i);
    assert_int_equal(dlpi_psis(log_weight, N, &psis), DLP_OK);
    assert_true(psis.k > DLP_TAIL_K_FAIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_loo),
        cmocka_unit_test(equal_weights_are_left_alone),
        cmocka_unit_test(a_short_tail_tells_nothing),
        cmocka_unit_test(one_large_weight_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
