/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices that are not positive definite, shapes that are none, and the same bits on any
 * number of threads.
 */
#include "naive.h"

#include <pthread.h>

/* OpenBLAS's, where that is the BLAS in use. */
int openblas_get_num_threads(void) __attribute__((weak));
void openblas_set_num_threads(int num_threads) __attribute__((weak));

/* Others are taken to have one thread. */
static int host_threads(void)
{
    return openblas_get_num_threads ? openblas_get_num_threads() : 1;
}

static void set_host_threads(int count)
{
    if (openblas_set_num_threads) openblas_set_num_threads(count);
}

/* Asking for too much memory is a part of these tests; read by AddressSanitizer only. */
DLP_API const char *
__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

typedef enum damage {
    NEGATIVE_DIAGONAL,
    NAN_DIAGONAL,
    INF_DIAGONAL,
    NAN_BESIDE, /* off the diagonal, in the row and column of the coordinate */
    INF_BESIDE,
    INDEFINITE, /* a positive diagonal, a negative pivot */
    TWO_HARMS,  /* the first one counts */
    N_HARMS
} damage;

/* Harms block k, (b, b), at coordinate j of it. */
static void harm_block(double *A, dlp_index b, dlp_index j, damage harm)
{
    const dlp_index beside = j > 0 ? j - 1 : 0;
    double *diagonal = &A[j * b + j];
    switch (harm) {
    case NEGATIVE_DIAGONAL: *diagonal = -0.37; break;
    case NAN_DIAGONAL: *diagonal = NAN; break;
    case INF_DIAGONAL: *diagonal = INFINITY; break;
    case NAN_BESIDE: A[j * b + beside] = A[beside * b + j] = NAN; break;
    case INF_BESIDE: A[j * b + beside] = A[beside * b + j] = INFINITY; break;
    case INDEFINITE: *diagonal = j > 0 ? 1e-7 : 0; break;
    case TWO_HARMS:
        *diagonal = INFINITY;
        A[b * b - 1] = j == b - 1 ? INFINITY : -1;
        break;
    case N_HARMS: break;
    }
}

static void blocks_tell_where_they_fail(void **state)
{
    (void)state;
    static const dlp_index mixed[] = {3, 1, 4}, uneven[] = {2, 2, 2, 405};
    const dlp_shape shapes[] = {dlp_shape_dense(1),         dlp_shape_dense(2),
                                dlp_shape_dense(5),         dlp_shape_dense(60),
                                dlp_shape_dense(301),       dlp_shape_dense(430),
                                dlp_shape_blocks(3, mixed), dlp_shape_blocks(4, uneven)};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const dlp_index n = shapes[k].n, last = shapes[k].n_blocks - 1;
        const dlp_index b = shapes[k].block ? shapes[k].block[last] : n, j = 2 * b / 3;
        dlp_sym good = {0}, bad = {0};
        dlp_cholesky *F = NULL;
        dlp_rng rng = dlp_rng_at(11, k);
        assert_ok(dlp_sym_alloc(shapes[k], &good, error));
        assert_ok(dlp_sym_alloc(shapes[k], &bad, error));
        assert_ok(dlp_cholesky_alloc(shapes[k], &F, error));
        dlp_sym_set_identity(&good);
        fill_definite(&rng, b, dlp_sym_block(&good, last));
        assert_int_equal(dlp_cholesky_compute(F, &good), -1);
        const double log_det = dlp_cholesky_log_det(F);
        for (int harm = 0; harm < N_HARMS; harm++) {
            dlp_sym_copy(&good, &bad);
            harm_block(dlp_sym_block(&bad, last), b, j, harm);
            assert_int_equal(dlp_cholesky_compute(F, &bad), n - b + j);
            /* and the factor is as good as new */
            assert_int_equal(dlp_cholesky_compute(F, &good), -1);
            assert_true(dlp_cholesky_log_det(F) == log_det);
        }
        dlp_cholesky_free(F);
        dlp_sym_free(&bad);
        dlp_sym_free(&good);
    }
}

/* P = L E L' in small integers, L unit lower triangular, E = I but E_jj = 0: every
   operation of a factorisation is exact, so the zero pivot is found exactly. */
static void exactly_singular_matrices_fail(void **state)
{
    (void)state;
    const dlp_index sizes[][2] = {{1, 0},   {2, 1},     {5, 3},
                                  {60, 41}, {301, 100}, {430, 429}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const dlp_index n = sizes[k][0], j = sizes[k][1];
        dlp_sym P = {0};
        dlp_cholesky *F = NULL;
        assert_ok(dlp_sym_alloc(dlp_shape_dense(n), &P, error));
        assert_ok(dlp_cholesky_alloc(dlp_shape_dense(n), &F, error));
        for (dlp_index i = 0; i < n * n; i++)
            for (dlp_index m = 0; m <= i / n && m <= i % n; m++) {
                const int left = m == i / n ? 1 : (int)((i / n * 7 + m * 3) % 3) - 1;
                const int right = m == i % n ? 1 : (int)((i % n * 7 + m * 3) % 3) - 1;
                P.a[i] += m == j ? 0 : left * right;
            }
        assert_int_equal(dlp_cholesky_compute(F, &P), j);
        memset(P.a, 0, (size_t)(n * n) * sizeof *P.a);
        assert_int_equal(dlp_cholesky_compute(F, &P), 0);
        dlp_cholesky_free(F);
        dlp_sym_free(&P);
    }
}

enum { N = 9, R = 3 };

/* A positive definite diagonal plus low rank, (N, R). */
static void fill_low_rank(uint64_t stream, dlp_sym *P)
{
    dlp_rng rng = dlp_rng_at(5, stream);
    for (dlp_index i = 0; i < N; i++) dlp_sym_diag(P)[i] = 0.3 + dlp_draw_uniform(&rng);
    fill_definite(&rng, R, dlp_sym_core(P));
    draw_normals(&rng, P->shape.rank * N, dlp_sym_low_rank(P));
}

static void low_rank_refuses_bad_numbers(void **state)
{
    (void)state;
    const double bad[] = {0, -0.37, NAN, INFINITY, -INFINITY};
    dlp_sym P = {0};
    dlp_cholesky *F = NULL;
    assert_ok(dlp_sym_alloc(dlp_shape_low_rank(N, R), &P, error));
    assert_ok(dlp_cholesky_alloc(dlp_shape_low_rank(N, R), &F, error));
    for (dlp_index j = 0; j < N; j++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            fill_low_rank((uint64_t)j, &P);
            dlp_sym_diag(&P)[j] = bad[k];
            assert_int_equal(dlp_cholesky_compute(F, &P), j);
            if (isfinite(bad[k])) continue; /* in U and C these are fine */
            fill_low_rank((uint64_t)j, &P);
            dlp_sym_low_rank(&P)[N + j] = bad[k];
            assert_int_equal(dlp_cholesky_compute(F, &P), j);
            fill_low_rank((uint64_t)j, &P);
            dlp_sym_core(&P)[j] = bad[k];
            assert_in_range(dlp_cholesky_compute(F, &P), 0, N - 1);
            fill_low_rank((uint64_t)j, &P);
            assert_int_equal(dlp_cholesky_compute(F, &P), -1);
        }
    dlp_cholesky_free(F);
    dlp_sym_free(&P);
}

static void low_rank_tells_where_it_fails(void **state)
{
    (void)state;
    dlp_sym P = {0};
    dlp_cholesky *F = NULL;
    assert_ok(dlp_sym_alloc(dlp_shape_low_rank(N, R), &P, error));
    assert_ok(dlp_cholesky_alloc(dlp_shape_low_rank(N, R), &F, error));
    for (dlp_index j = 0; j < N; j++) {
        /* one negative direction, mostly along coordinate j */
        fill_low_rank((uint64_t)j, &P);
        memset(dlp_sym_core(&P), 0, sizeof(double) * R * R);
        dlp_sym_low_rank(&P)[j] = 30;
        dlp_sym_core(&P)[0] = -1.7;
        assert_int_equal(dlp_cholesky_compute(F, &P), j);
        /* exactly singular: 4 - 4 */
        memset(P.a, 0, sizeof(double) * (N + R * R + R * N));
        for (dlp_index i = 0; i < N; i++) P.a[i] = 4;
        dlp_sym_low_rank(&P)[N + j] = 2;
        dlp_sym_core(&P)[R + 1] = -1;
        assert_int_equal(dlp_cholesky_compute(F, &P), j);
        dlp_sym_core(&P)[R + 1] = -0.999;
        assert_int_equal(dlp_cholesky_compute(F, &P), -1);
    }
    dlp_cholesky_free(F);
    dlp_sym_free(&P);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    static const dlp_index zero[] = {3, 0, 2}, below[] = {3, -1}, fine[] = {3, 2};
    static const dlp_index giant[] = {PTRDIFF_MAX, PTRDIFF_MAX, 2};
    static const dlp_index wide[] = {PTRDIFF_MAX / 2, 5};
    const dlp_index huge = (dlp_index)1 << 40, large = (dlp_index)1 << 29;
    dlp_shape unsummed = dlp_shape_blocks(2, fine), unknown = dlp_shape_dense(3);
    dlp_shape nameless = dlp_shape_dense(4);
    unsummed.n = 6;
    unknown.structure = (dlp_structure)7;
    nameless.n_blocks = 2;
    const struct {
        dlp_shape shape;
        dlp_status status;
        const char *words;
    } cases[] = {
        {dlp_shape_dense(0), DLP_EINVAL, "n = 0"},
        {dlp_shape_dense(-4), DLP_EINVAL, "n = -4"},
        {dlp_shape_low_rank(0, 1), DLP_EINVAL, "n = 0"},
        {dlp_shape_low_rank(3, -1), DLP_EINVAL, "rank is -1"},
        {dlp_shape_blocks(0, fine), DLP_EINVAL, "0 blocks"},
        {dlp_shape_blocks(-2, fine), DLP_EINVAL, "-2 blocks"},
        {dlp_shape_blocks(2, NULL), DLP_EINVAL, "2 blocks and no sizes"},
        {dlp_shape_blocks(3, zero), DLP_EINVAL, "block 1 has size 0"},
        {dlp_shape_blocks(2, below), DLP_EINVAL, "block 1 has size -1"},
        {dlp_shape_blocks(3, giant), DLP_EINVAL, "add up to too much"},
        {unsummed, DLP_EINVAL, "add up to 5, not to n = 6"},
        {unknown, DLP_EINVAL, "unknown structure 7"},
        {nameless, DLP_EINVAL, "2 blocks and no sizes"},
        {dlp_shape_blocks(2, wide), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_dense(PTRDIFF_MAX), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_dense(huge), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_dense(large), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(PTRDIFF_MAX, 0), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(PTRDIFF_MAX, PTRDIFF_MAX), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(3, PTRDIFF_MAX), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(3, PTRDIFF_MAX / 2 + 1), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(huge, huge), DLP_ENOMEM, "not enough memory"},
        {dlp_shape_low_rank(3, large), DLP_ENOMEM, "not enough memory"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dlp_sym A;
        dlp_cholesky *F = NULL;
        assert_fails(dlp_sym_alloc(cases[k].shape, &A, error), cases[k].status,
                     cases[k].words);
        assert_fails(dlp_cholesky_alloc(cases[k].shape, &F, error), cases[k].status,
                     cases[k].words);
        assert_null(A.a);
        assert_null(F);
        assert_int_equal(dlp_sym_alloc(cases[k].shape, &A, NULL), cases[k].status);
        dlp_sym_free(&A);
        dlp_cholesky_free(F);
    }
}

static void parts_are_where_the_header_says(void **state)
{
    (void)state;
    dlp_sym A = {0};
    const dlp_index mixed[] = {3, 1, 4};
    assert_ok(dlp_sym_alloc(dlp_shape_blocks(3, mixed), &A, error));
    assert_int_equal(A.shape.n, 8);
    assert_ptr_equal(dlp_sym_block(&A, 0), A.a);
    assert_ptr_equal(dlp_sym_block(&A, 1), A.a + 9);
    assert_ptr_equal(dlp_sym_block(&A, 2), A.a + 10);
    dlp_sym_free(&A);
    assert_ok(dlp_sym_alloc(dlp_shape_low_rank(7, 2), &A, error));
    assert_ptr_equal(dlp_sym_diag(&A), A.a);
    assert_ptr_equal(dlp_sym_core(&A), A.a + 7);
    assert_ptr_equal(dlp_sym_low_rank(&A), A.a + 11);
    dlp_sym_free(&A);
    assert_null(A.a);
    dlp_sym_free(&A);
}

/* A mistake in one triangle stays visible, and so does a NaN: to_dense copies. */
static void to_dense_shows_every_entry_as_it_is(void **state)
{
    (void)state;
    dlp_sym A = {0};
    double all[64];
    const dlp_index mixed[] = {3, 1, 4};
    assert_ok(dlp_sym_alloc(dlp_shape_blocks(3, mixed), &A, error));
    for (dlp_index i = 0; i < 26; i++) A.a[i] = 2.385 + (double)i;
    A.a[1] = NAN;
    dlp_sym_to_dense(&A, all);
    assert_true(isnan(all[0 * 8 + 1]));
    assert_true(all[0 * 8 + 0] == A.a[0] && all[1 * 8 + 0] == A.a[3]);
    assert_true(all[0 * 8 + 2] == A.a[2] && all[0 * 8 + 3] == 0 &&
                all[5 * 8 + 7] == A.a[17]);
    dlp_sym_free(&A);
}

enum { LARGE = 410 };

/* Factors P, inverts it and solves with it; out (n, n) and x (n) get the bits. */
static void whole_job(const dlp_sym *P, double *out, double *x)
{
    dlp_sym Sigma = {0};
    dlp_cholesky *F = NULL;
    assert_ok(dlp_sym_alloc(P->shape, &Sigma, error));
    assert_ok(dlp_cholesky_alloc(P->shape, &F, error));
    assert_int_equal(dlp_cholesky_compute(F, P), -1);
    dlp_cholesky_inverse(F, &Sigma);
    memcpy(out, Sigma.a, sizeof *out * LARGE * LARGE);
    for (int i = 0; i < LARGE; i++) x[i] = 1.0 / (2.385 + i);
    dlp_cholesky_solve(F, x);
    dlp_cholesky_free(F);
    dlp_sym_free(&Sigma);
}

typedef struct job {
    const dlp_sym *P;
    double out[LARGE * LARGE], x[LARGE];
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    for (int k = 0; k < 2; k++) whole_job(j->P, j->out, j->x);
    return NULL;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    dlp_sym P = {0};
    dlp_rng rng = dlp_rng_at(3, 0);
    job *one = allocate(1, sizeof *one), *two = allocate(1, sizeof *two);
    pthread_t threads[2];
    const int before = host_threads();
    assert_ok(dlp_sym_alloc(dlp_shape_dense(LARGE), &P, error));
    fill_definite(&rng, LARGE, P.a);
    one->P = two->P = &P;
    for (int count = 1; count <= 2; count++) {
        set_host_threads(count);
        const int host = host_threads();
        whole_job(&P, count == 1 ? one->out : two->out, count == 1 ? one->x : two->x);
        assert_int_equal(host_threads(), host);
    }
    assert_memory_equal(one->out, two->out, sizeof one->out);
    assert_memory_equal(one->x, two->x, sizeof one->x);

    /* two callers at once: the same bits, and the host's count comes back */
    memset(two->out, 0, sizeof two->out);
    const int host = host_threads();
    job *jobs[] = {one, two};
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, run_job, jobs[k]), 0);
    for (int k = 0; k < 2; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
    assert_memory_equal(one->out, two->out, sizeof one->out);
    assert_int_equal(host_threads(), host);
    set_host_threads(before);
    free(one);
    free(two);
    dlp_sym_free(&P);
}

/* d + k e_0 e_0' is positive definite for any k > 0, but from 1e12 on its inverse has no
   digits left in this structure: that is refused. Up to there the digits are as promised. */
static void low_rank_refuses_what_it_cannot_carry(void **state)
{
    (void)state;
    const double k[] = {1e3, 1e8, 9e11, 1.1e12, 1e18, INFINITY};
    for (int t = 0; t < 6; t++) {
        dlp_sym P = {0}, Sigma = {0};
        dlp_cholesky *F = NULL;
        assert_ok(dlp_sym_alloc(dlp_shape_low_rank(3, 1), &P, error));
        assert_ok(dlp_sym_alloc(dlp_shape_low_rank(3, 1), &Sigma, error));
        assert_ok(dlp_cholesky_alloc(P.shape, &F, error));
        dlp_sym_set_identity(&P);
        dlp_sym_core(&P)[0] = k[t];
        dlp_sym_low_rank(&P)[0] = 1;
        const dlp_index failed = dlp_cholesky_compute(F, &P);
        assert_int_equal(failed, t < 3 ? -1 : 0);
        if (failed < 0) {
            double variance[3];
            dlp_cholesky_inverse(F, &Sigma);
            dlp_sym_get_diagonal(&Sigma, variance);
            assert_near(variance[0] * (1 + k[t]), 1, 1e-15 * k[t] + 1e-12);
        }
        dlp_cholesky_free(F);
        dlp_sym_free(&P);
        dlp_sym_free(&Sigma);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_rank_refuses_what_it_cannot_carry),
        cmocka_unit_test(blocks_tell_where_they_fail),
        cmocka_unit_test(exactly_singular_matrices_fail),
        cmocka_unit_test(low_rank_refuses_bad_numbers),
        cmocka_unit_test(low_rank_tells_where_it_fails),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(parts_are_where_the_header_says),
        cmocka_unit_test(to_dense_shows_every_entry_as_it_is),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
