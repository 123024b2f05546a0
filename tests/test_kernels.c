/* SPDX-License-Identifier: BSD-3-Clause */
/* Our own products, inverses and eigenvalues beside their definitions, at sizes about the
   blocks that they work in. */
#include "math/dense.h"
#include "math/eigen.h"
#include "math/gemm.h"
#include "math/products.h"
#include "support.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static double *drawn(dlp_index n, uint64_t seed)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    for (dlp_index i = 0; i < n; i++)
        x[i] = (double)((i + 1) * (dlp_index)(seed * 7919 + 1) % 1009) / 504.5 - 1;
    return x;
}

static const dlp_index sizes[][3] = {{1, 1, 1},     {3, 5, 2},    {4, 8, 128},
                                     {5, 9, 129},   {48, 16, 64}, {49, 17, 65},
                                     {97, 50, 257}, {7, 3, 1000}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void products_are_sums(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        const dlp_index m = sizes[s][0], n = sizes[s][1], w = sizes[s][2];
        double *A = drawn(m * w, 1), *B = drawn(n * w, 2), *C = drawn(m * n, 3),
               *D = drawn(m * n, 3);
        /* A by rows, B' by rows: both ways to the same sum */
        dlpi_gemm(m, n, w, -1.5, (dlpi_matrix){A, w, 1}, (dlpi_matrix){B, 1, w}, C, n,
                  false);
        dlpi_dots(m, n, w, -1.5, A, w, B, w, D, n, false);
        double *E = drawn(m * n, 3);
        for (dlp_index i = 0; i < m; i++)
            for (dlp_index j = 0; j < n; j++) {
                double sum = 0;
                for (dlp_index k = 0; k < w; k++) sum += A[i * w + k] * B[j * w + k];
                const double wanted = E[i * n + j] - 1.5 * sum;
                assert_near(C[i * n + j], wanted, 1e-11 * (1 + (double)w));
                assert_near(D[i * n + j], wanted, 1e-11 * (1 + (double)w));
            }
        free(A), free(B), free(C), free(D), free(E);
    }
}

static void upper_triangles_are_whole(void **state)
{
    (void)state;
    for (dlp_index p = 1; p < 110; p += 9) {
        const dlp_index w = 70;
        double *A = drawn(p * w, 4), *C = calloc((size_t)(p * p), sizeof *C),
               *D = calloc((size_t)(p * p), sizeof *D);
        dlpi_gemm(p, p, w, 1, (dlpi_matrix){A, w, 1}, (dlpi_matrix){A, 1, w}, C, p, true);
        dlpi_dots(p, p, w, 1, A, w, A, w, D, p, true);
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = i; j < p; j++)
                assert_near(C[i * p + j], D[i * p + j], 1e-11);
        free(A), free(C), free(D);
    }
}

/* A = sum_k w_k v_k v_k', and the v are orthonormal */
static void eigenvectors_make_the_matrix(void **state)
{
    (void)state;
    for (dlp_index n = 1; n <= 120; n += 17) {
        double *A = drawn(n * n, 5), *V = calloc((size_t)(n * n), sizeof *V),
               *w = calloc((size_t)n, sizeof *w), *work = calloc((size_t)n, sizeof *work);
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
        memcpy(V, A, (size_t)(n * n) * sizeof *V);
        assert_true(dlpi_eigen(n, V, w, work));
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < n; j++) {
                double sum = 0, dot = 0;
                for (dlp_index k = 0; k < n; k++) {
                    sum += w[k] * V[k * n + i] * V[k * n + j];
                    dot += V[i * n + k] * V[j * n + k];
                }
                assert_near(sum, A[i * n + j], 1e-11 * (double)n);
                assert_near(dot, i == j, 1e-12 * (double)n);
            }
        for (dlp_index k = 1; k < n; k++) assert_true(w[k - 1] <= w[k]);
        free(A), free(V), free(w), free(work);
    }
}

/* Small ones among large ones keep their digits: rows of sizes 1, 1e-40, ... */
static void small_singular_values_keep_their_digits(void **state)
{
    (void)state;
    enum { N = 6, R = 4 };
    double F[R * N], sigma[R], V[N * N];
    for (int k = 0; k < R; k++)
        for (int i = 0; i < N; i++)
            F[k * N + i] = pow(10, -40.0 * k) * (i == k ? 3.0 : i == k + 1 ? 4.0 : 0);
    assert_true(dlpi_jacobi(N, R, F, sigma, V));
    /* det(F F') = product of squares: sums over the two minors of each band */
    for (int k = 0; k < R; k++) assert_true(sigma[k] > pow(10, -40.0 * k) * 2.9);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            double dot = 0;
            for (int i = 0; i < N; i++) dot += V[a * N + i] * V[b * N + i];
            assert_near(dot, a == b, 1e-12);
        }
}

/* From a trapezoid with more rows than a block: U1^-1 U1'^-1 and U1^-1 U2. */
static void trapezoids_are_inverted(void **state)
{
    (void)state;
    const dlp_index w = 101, m = 120;
    double *T = calloc((size_t)(w * m), sizeof *T),
           *Z = calloc((size_t)(w * m), sizeof *Z),
           *Y = calloc((size_t)(w * m), sizeof *Y), *x = drawn(w * m, 6);
    double *room = calloc(DLPI_TRAPEZOID_ROOM, sizeof *room);
    for (dlp_index i = 0; i < w; i++)
        for (dlp_index j = i; j < m; j++)
            T[i * m + j] = i == j ? 3 + fabs(x[i]) : 0.1 * x[i * m + j];
    dlpi_trapezoid_invert(w, m, T, Z, Y, room);
    for (dlp_index i = 0; i < w; i++)
        for (dlp_index j = 0; j < m - w; j++) { /* U1 Y = U2 */
            double sum = 0;
            for (dlp_index k = i; k < w; k++) sum += T[i * m + k] * Y[k * m + j];
            assert_near(sum, T[i * m + w + j], 1e-12);
        }
    for (dlp_index i = 0; i < w; i++) /* U1 Z = U1'^-1, which is lower triangular */
        for (dlp_index j = i; j < w; j++) {
            double sum = 0;
            for (dlp_index k = i; k < w; k++)
                sum += T[i * m + k] * (k <= j ? Z[k * m + j] : Z[j * m + k]);
            assert_near(sum, i == j ? 1 / T[i * m + i] : 0, 1e-12);
        }
    free(T), free(Z), free(Y), free(x), free(room);
}

/* A process of its own reads one number too many. */
static bool too_many_are_noticed(void (*read)(dlp_index))
{
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        read(9);
        _exit(0);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    return !(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

static void read_dot(dlp_index n)
{
    double *x = calloc(8, sizeof *x), y[9] = {0};
    y[0] = dlpi_dot(n, x, y);
    free(x);
}

static void read_exp(dlp_index n)
{
    double *x = calloc(9, sizeof *x), *y = calloc(8, sizeof *y);
    dlp_exp_array(n, x, y);
    free(x);
    free(y);
}

/* Kernels are compiled without AddressSanitizer, and report to it what they touch. */
static void ranges_are_looked_at(void **state)
{
    (void)state;
    if (!SANITISED) return;
    assert_true(too_many_are_noticed(read_dot));
    assert_true(too_many_are_noticed(read_exp));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_sums),
        cmocka_unit_test(upper_triangles_are_whole),
        cmocka_unit_test(eigenvectors_make_the_matrix),
        cmocka_unit_test(small_singular_values_keep_their_digits),
        cmocka_unit_test(trapezoids_are_inverted),
        cmocka_unit_test(ranges_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
