/* SPDX-License-Identifier: BSD-3-Clause */
/* Products and eigenvalues on both sides of the order at which BLAS and LAPACK take over, against
   loops and their own definitions; covariances and weighted quantiles. */
#include "failing_allocator.h"
#include "support.h"

#include "math/covariance.h"
#include "math/dense.h"
#include "math/graded.h"
#include "math/lapack.h"
#include "math/weighted.h"

#include <delaplace/random.h>

/* By loops alone, and by a library. */
static const dlp_index sizes[] = {1, 7, 40, DLPI_OWN_KERNELS + 9};
enum { SIZES = sizeof sizes / sizeof sizes[0], COLUMNS = 5 };

static double *normals(dlp_index n, uint64_t stream)
{
    dlp_rng rng = dlp_rng_at(5, stream);
    double *x = calloc((size_t)n, sizeof *x);
    for (dlp_index i = 0; i < n; i++) x[i] = dlp_draw_normal(&rng);
    return x;
}

/* S = X X' / n + I / 10 */
static double *made_covariance(dlp_index n)
{
    double *X = normals(n * n, 1), *S = calloc((size_t)(n * n), sizeof *S);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            S[i * n + j] =
                dlpi_dot(n, X + i * n, X + j * n) / (double)n + (i == j ? 0.1 : 0);
    free(X);
    return S;
}

/* S v = w v for each row v, which are orthonormal; w ascends. */
static void check_eigen(dlp_index n, const double *S, const double *V, const double *w)
{
    for (dlp_index k = 0; k < n; k += 1 + n / 9) {
        const double *v = V + k * n;
        assert_close(dlpi_dot(n, v, v), 1.0, 1e-10);
        assert_true(k == 0 || w[k] >= w[k - 1]);
        for (dlp_index i = 0; i < n; i += 1 + n / 7)
            assert_near(dlpi_dot(n, S + i * n, v), w[k] * v[i], 1e-9);
    }
}

static void eigenvalues_solve_their_equation(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        const dlp_index n = sizes[s];
        const size_t bytes = (size_t)(n * n) * sizeof(double);
        double *S = made_covariance(n), *V = malloc(bytes), *w = normals(4 * n, 2);
        memcpy(V, S, bytes);
        assert_true(dlpi_lapack_eigen(n, V, w, w + n));
        check_eigen(n, S, V, w);
        memcpy(V, S, bytes);
        assert_ok(dlpi_lapack_eigen_large(n, V, w, error));
        check_eigen(n, S, V, w);
        assert_ok(dlpi_graded_eigen(n, S, V, w, error));
        check_eigen(n, S, V, w);
        free(S);
        free(V);
        free(w);
    }
}

static void numbers_without_eigenvalues_are_told(void **state)
{
    (void)state;
    for (int s = 1; s < SIZES; s++) {
        const dlp_index n = sizes[s];
        double *S = made_covariance(n), *w = normals(4 * n, 2);
        S[1] = S[n] = NAN;
        assert_false(dlpi_lapack_eigen(n, S, w, w + n));
        assert_fails(dlpi_lapack_eigen_large(n, S, w, error), DLP_EINPUT, "use units");
        for (int left = 0; left < 2; left++) {
            allocations_left = left;
            const dlp_status status = dlpi_lapack_eigen_large(n, S, w, NULL);
            allocations_left = -1;
            assert_true(status == DLP_ENOMEM || status == DLP_EINPUT);
        }
        free(S);
        free(w);
    }
    double zero[9] = {0}, V[9], w[3];
    assert_ok(dlpi_graded_eigen(3, zero, V, w, error));
    for (int i = 0; i < 9; i++) assert_true(V[i] == (i == 2 || i == 4 || i == 6));
    for (int i = 0; i < 3; i++) assert_true(w[i] == 0);
}

static void products_are_sums(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        const dlp_index p = sizes[s];
        double *S = made_covariance(p), *A = normals(p * COLUMNS, 3);
        double *B = normals(p * COLUMNS, 4), *C = calloc((size_t)(p * p), sizeof *C);
        dlpi_blas_syrk(p, COLUMNS, -2, A, C, p);
        dlpi_blas_symm(p, COLUMNS, S, p, A, B);
        for (dlp_index i = 0; i < p; i += 1 + p / 11) {
            for (dlp_index j = i; j < p; j += 1 + p / 13)
                assert_near(C[i * p + j],
                            -2 * dlpi_dot(COLUMNS, A + i * COLUMNS, A + j * COLUMNS),
                            1e-12);
            for (dlp_index c = 0; c < COLUMNS; c++) {
                double sum = 0;
                for (dlp_index k = 0; k < p; k++)
                    sum += S[i * p + k] * A[k * COLUMNS + c];
                assert_near(B[i * COLUMNS + c], sum, 1e-11);
            }
        }
        memcpy(B, A, (size_t)(p * COLUMNS) * sizeof *B);
        dlpi_blas_trmm(p, COLUMNS, S, B); /* its upper triangle */
        for (dlp_index i = 0; i < p; i += 1 + p / 11) {
            double sum = 0;
            for (dlp_index k = i; k < p; k++) sum += S[i * p + k] * A[k * COLUMNS];
            assert_near(B[i * COLUMNS], sum, 1e-11);
        }
        free(S);
        free(A);
        free(B);
        free(C);
    }
}

/* W U' = I for the inverse of a factor, rows apart; and a Gram matrix taken away. */
static void factors_and_grams(void **state)
{
    (void)state;
    enum { N = 37, LD = 40, COUNT = 11 };
    double *S = made_covariance(N), *U = malloc(sizeof(double[N * N])),
           *W = calloc(N * LD, sizeof *W), room[COUNT];
    memcpy(U, S, sizeof(double[N * N]));
    assert_true(dlpi_cholesky(N, U) < 0);
    dlpi_cholesky_invert_factor(N, U, LD, W);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) { /* (W S W')_ij */
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += W[i * LD + k] * dlpi_dot(N, S + k * N, W + j * LD);
            assert_near(sum, i == j ? 1.0 : 0.0, 1e-9);
        }
    double *D = normals(N * COUNT, 6), *w = normals(COUNT, 7),
           *A = malloc(sizeof(double[N * N]));
    memcpy(A, S, sizeof(double[N * N]));
    dlpi_subtract_gram(N, COUNT, COUNT, w, D, room, A);
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            double sum = S[i * N + j];
            for (int k = 0; k < COUNT; k++)
                sum -= w[k] * D[i * COUNT + k] * D[j * COUNT + k];
            assert_near(A[i * N + j], sum, 1e-12);
        }
    free(S);
    free(U);
    free(W);
    free(D);
    free(w);
    free(A);
}

static void what_is_a_covariance(void **state)
{
    (void)state;
    double work[4];
    static const struct {
        double S[4];
        bool is;
    } known[] = {
        {{2, 1, 1, 2}, true},    {{2, 3, 3, 2}, false},   {{-1, 0, 0, 2}, false},
        {{NAN, 0, 0, 1}, false}, {{2, 1, 0.5, 2}, false}, {{0, 0, 0, 1}, true},
        {{0, 1, 1, 1}, false},   {{1, 1, 1, 1}, true},    {{1e-200, 0, 0, 1e200}, true}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(dlpi_is_covariance(2, known[i].S, work), known[i].is);
}

static void weighted_quantiles(void **state)
{
    (void)state;
    dlpi_weighted two[] = {{1, .25}, {0, .25}, {1, .25}, {0, .25}};
    dlpi_weighted same[] = {{4, .5}, {4, .5}}, many[] = {{3, .2}, {1, .5}, {2, .3}};
    dlpi_weighted empty[] = {{1, .5}, {2, 0}, {3, 0}, {4, .5}}, one[] = {{9, 1}};
    dlpi_weighted_sort(4, two);
    assert_true(two[0].value == 0 && two[1].value == 0 && two[2].value == 1);
    dlpi_weighted_sort(2, same);
    assert_true(dlpi_weighted_quantile(2, same, 0.7) == 4);
    dlpi_weighted_sort(1, one);
    assert_true(dlpi_weighted_quantile(1, one, 0.9) == 9);
    dlpi_weighted_sort(3, many);
    assert_true(many[0].value == 1 && many[1].value == 2 && many[2].value == 3);
    /* half of each counts before its value: 0.25, 0.65, 0.9 */
    assert_true(dlpi_weighted_quantile(3, many, 0.1) == 1);
    assert_close(dlpi_weighted_quantile(3, many, 0.45), 1.5, 1e-12);
    assert_close(dlpi_weighted_quantile(3, many, 0.65), 2.0, 1e-12);
    assert_true(dlpi_weighted_quantile(3, many, 0.95) == 3);
    assert_true(isfinite(dlpi_weighted_quantile(4, empty, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_solve_their_equation),
        cmocka_unit_test(numbers_without_eigenvalues_are_told),
        cmocka_unit_test(products_are_sums),
        cmocka_unit_test(factors_and_grams),
        cmocka_unit_test(what_is_a_covariance),
        cmocka_unit_test(weighted_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
