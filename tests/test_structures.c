/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation on bands, bordered blocks and patterns against the same one done
 * naively, entry by entry in long double: permuted, disconnected, with full columns, on
 * both sides of BLAS's threshold. Then what they cannot factor, and their bits.
 */
#include "structures.h"
#include "workbench.h"

#include <pthread.h>

int openblas_get_num_threads(void) __attribute__((weak));
void openblas_set_num_threads(int num_threads) __attribute__((weak));

static workbench open_workbench(const sample *s, made *on)
{
    *on = make_shape(s);
    workbench w = workbench_alloc(s->name, on->shape);
    dlp_rng rng = rng_of(s);
    fill(&rng, &w.A);
    fill(&rng, &w.B);
    workbench_begin(&w, &rng);
    find_mask(on->shape, w.mask);
    return w;
}

static void close_workbench(workbench *w, made *on)
{
    workbench_free(w);
    release(on);
}

static void values_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        made on;
        workbench w = open_workbench(&samples[k], &on);
        check_readers(&w);
        check_writers(&w);
        close_workbench(&w, &on);
    }
}

static void factors_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        made on;
        workbench w = open_workbench(&samples[k], &on);
        check_factor(&w);
        close_workbench(&w, &on);
    }
}

/* With S = diag(s), (S P S)^-1 = S^-1 P^-1 S^-1, entry by entry however uneven s is. */
static void units_of_the_coordinates_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        made on;
        workbench w = open_workbench(&samples[k], &on);
        memcpy(w.want, w.dense, (size_t)(w.n * w.n) * sizeof *w.want);
        naive_inverse(w.n, w.want, w.other);
        for (dlp_index i = 0; i < w.n; i++) w.x[i] = ldexp(1, (int)(i * 37 % 61) - 30);
        dlp_sym_rescale(&w.A, w.x);
        assert_int_equal(dlp_cholesky_compute(w.F, &w.A), -1);
        dlp_cholesky_inverse(w.F, &w.B);
        dlp_sym_rescale(&w.B, w.x);
        for (dlp_index i = 0; i < w.n * w.n; i++) w.other[i] *= w.mask[i];
        assert_entries(w.name, "inverse in other units", &w.B, w.other);
        close_workbench(&w, &on);
    }
}

/* Harm to the diagonal of one coordinate is found there; the factor is as good as new
   after it. */
static void what_is_not_definite_is_told(void **state)
{
    (void)state;
    const double bad[] = {0, -0.37, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < N_SAMPLES; k++) {
        made on;
        workbench w = open_workbench(&samples[k], &on);
        assert_int_equal(dlp_cholesky_compute(w.F, &w.A), -1);
        const double log_det = dlp_cholesky_log_det(w.F);
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            const dlp_index j = 2 * w.n / 3;
            dlp_sym_copy(&w.A, &w.B);
            dlp_sym_get_diagonal(&w.A, w.y);
            memset(w.x, 0, (size_t)w.n * sizeof *w.x);
            w.x[j] = bad[b] - w.y[j];
            dlp_sym_add_diagonal(&w.B, w.x);
            const dlp_index failed = dlp_cholesky_compute(w.F, &w.B);
            if (isfinite(bad[b]) || w.A.shape.structure == DLP_SPARSE)
                assert_in_range(failed, 0, w.n - 1); /* by way of another, perhaps */
            else
                assert_int_equal(failed, j);
            assert_int_equal(dlp_cholesky_compute(w.F, &w.A), -1);
            assert_true(dlp_cholesky_log_det(w.F) == log_det);
        }
        close_workbench(&w, &on);
    }
}

/* NaN and infinity off the diagonal, at each entry in turn. */
static void bad_numbers_are_found_everywhere(void **state)
{
    (void)state;
    const int which[] = {2, 4, 9, 20, 22, 24};
    for (size_t k = 0; k < sizeof which / sizeof *which; k++) {
        made on;
        workbench w = open_workbench(&samples[which[k]], &on);
        for (dlp_index e = 0; e < w.n * w.n; e++) {
            if (w.mask[e] == 0 || e / w.n > e % w.n) continue;
            dlp_sym_copy(&w.A, &w.B);
            double *at = NULL;
            for (dlp_index p = 0; !at; p++) /* a place that holds this entry */
                if (w.B.a[p] == (double)w.dense[e]) at = &w.B.a[p];
            *at = e % 2 ? NAN : INFINITY;
            assert_in_range(dlp_cholesky_compute(w.F, &w.B), 0, w.n - 1);
        }
        close_workbench(&w, &on);
    }
}

/* The bits of all that a factor gives. */
static uint64_t digest(const workbench *w, dlp_cholesky *F, dlp_sym *B)
{
    uint64_t sum = 1469598103934665603u;
    double *v = allocate(w->n, sizeof *v);
    assert_int_equal(dlp_cholesky_compute(F, &w->A), -1);
    dlp_cholesky_inverse(F, B);
    memcpy(v, w->x, (size_t)w->n * sizeof *v);
    dlp_cholesky_solve(F, v);
    dlp_cholesky_draw(F, v);
    for (dlp_index i = 0; i < w->n; i++) v[i] += dlp_sym_entry(B, i, i);
    const double log_det = dlp_cholesky_log_det(F), trace = dlp_sym_trace(&w->A, B);
    const unsigned char *bytes = (const unsigned char *)v;
    for (size_t k = 0; k < (size_t)w->n * sizeof *v; k++)
        sum = (sum ^ bytes[k]) * 1099511628211u;
    uint64_t bits[2];
    memcpy(&bits[0], &log_det, sizeof log_det);
    memcpy(&bits[1], &trace, sizeof trace);
    free(v);
    return sum ^ bits[0] ^ (bits[1] << 1);
}

typedef struct job {
    const workbench *w;
    uint64_t digest;
} job;

/* A pattern serves several threads at a time, each with matrices of its own. */
static void *work(void *context)
{
    job *j = context;
    dlp_sym B;
    dlp_cholesky *F = NULL;
    if (dlp_sym_alloc(j->w->A.shape, &B, NULL) != DLP_OK ||
        dlp_cholesky_alloc(j->w->A.shape, &F, NULL) != DLP_OK)
        abort();
    for (int repeat = 0; repeat < 3; repeat++) j->digest = digest(j->w, F, &B);
    dlp_cholesky_free(F);
    dlp_sym_free(&B);
    return NULL;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const int before = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    for (int k = 0; k < N_SAMPLES; k++) {
        made on;
        workbench w = open_workbench(&samples[k], &on);
        const uint64_t alone = digest(&w, w.F, &w.B);
        if (openblas_set_num_threads) openblas_set_num_threads(2);
        assert_true(digest(&w, w.F, &w.B) == alone);
        job jobs[2] = {{.w = &w}, {.w = &w}};
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, work, &jobs[1]), 0);
        work(&jobs[0]);
        assert_int_equal(pthread_join(other, NULL), 0);
        assert_true(jobs[0].digest == alone && jobs[1].digest == alone);
        if (openblas_set_num_threads) openblas_set_num_threads(before);
        close_workbench(&w, &on);
    }
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    static const dlp_index fine[] = {3, 2}, zero[] = {3, 0};
    dlp_shape wrong_n = dlp_shape_bordered(2, fine, 1);
    wrong_n.n = 9;
    const dlp_shape shapes[] = {dlp_shape_band(5, 5),
                                dlp_shape_band(5, -1),
                                dlp_shape_band(0, 0),
                                dlp_shape_bordered(2, fine, -1),
                                dlp_shape_bordered(2, zero, 1),
                                dlp_shape_bordered(0, fine, 1),
                                wrong_n,
                                dlp_shape_sparse(NULL),
                                {.structure = (dlp_structure)5, .n = 3},
                                {.structure = (dlp_structure)-1, .n = 3}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        dlp_sym A;
        dlp_cholesky *F = NULL;
        dlp_error error = {0};
        assert_int_equal(dlp_sym_alloc(shapes[k], &A, &error), DLP_EINVAL);
        assert_int_not_equal(strlen(error.message), 0);
        assert_int_equal(dlp_cholesky_alloc(shapes[k], &F, &error), DLP_EINVAL);
        assert_null(F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_the_naive_ones),
        cmocka_unit_test(factors_agree_with_the_naive_ones),
        cmocka_unit_test(units_of_the_coordinates_do_not_matter),
        cmocka_unit_test(what_is_not_definite_is_told),
        cmocka_unit_test(bad_numbers_are_found_everywhere),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(impossible_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
