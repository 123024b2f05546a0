/* SPDX-License-Identifier: BSD-3-Clause */
/* How certain the shared mean of a hierarchy is, beside generalised least squares: each
   group is an observation of mu_0 with the covariance Sigma_0 + A_m^-1, where A_m is the
   precision from its data. */
#include "glm/hierarchy/hierarchy_mean.h"

#include "naive.h"

enum { N = 3, M = 5, SQUARE = N * N };
static const double PHI1 = 40;

/* R'R + I with R drawn */
static void draw_precision(dlp_rng *rng, real *A)
{
    double R[SQUARE];
    for (int i = 0; i < SQUARE; i++) R[i] = dlp_draw_normal(rng);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i * N + j] = i == j;
            for (int k = 0; k < N; k++) A[i * N + j] += (real)R[k * N + i] * R[k * N + j];
        }
}

/* (A + B)^-1, into C */
static void invert_sum(const real *A, const real *B, real *C)
{
    real sum[SQUARE];
    for (int i = 0; i < SQUARE; i++) sum[i] = A[i] + B[i];
    naive_inverse(N, sum, C);
}

static void test_generalised_least_squares(void **state)
{
    (void)state;
    const real nothing[SQUARE] = {0};
    real P[SQUARE], Sigma0[SQUARE], total[SQUARE] = {0}, want[SQUARE];
    double P_double[SQUARE], Sigma[M * SQUARE], work[2 * SQUARE], got[SQUARE];
    dlp_rng rng = dlp_rng_at(7, 0);
    draw_precision(&rng, P);
    invert_sum(P, nothing, Sigma0);
    for (dlp_index j = 0; j < N; j++) total[j * (N + 1)] = 1 / (real)PHI1;
    for (dlp_index m = 0; m < M; m++) {
        real A[SQUARE], of_data[SQUARE], tells[SQUARE], posterior[SQUARE];
        draw_precision(&rng, A);
        invert_sum(P, A, posterior);
        invert_sum(A, nothing, of_data);
        invert_sum(Sigma0, of_data, tells);
        for (int i = 0; i < SQUARE; i++) {
            total[i] += tells[i];
            Sigma[m * SQUARE + i] = (double)posterior[i];
        }
    }
    invert_sum(total, nothing, want);
    for (int i = 0; i < SQUARE; i++) P_double[i] = (double)P[i];
    dlpi_shared_mean_covariance(N, M, P_double, Sigma, PHI1, work, got);
    for (int i = 0; i < SQUARE; i++) assert_near(got[i], (double)want[i], 1e-12);
}

/* Groups without data leave mu_0 where its prior has it. */
static void test_nothing_is_known(void **state)
{
    (void)state;
    const double P[SQUARE] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    double Sigma[M * SQUARE] = {0}, work[2 * SQUARE], got[SQUARE];
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index j = 0; j < N; j++) Sigma[m * SQUARE + j * (N + 1)] = 0.5;
    dlpi_shared_mean_covariance(N, M, P, Sigma, PHI1, work, got);
    for (int i = 0; i < SQUARE; i++)
        assert_near(got[i], i % (N + 1) == 0 ? PHI1 : 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generalised_least_squares),
        cmocka_unit_test(test_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
