/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns: what is refused, with which words; how they are made of terms; what elimination
 * is said to cost; memory that runs out while one is made, and none that is taken after.
 */
#include "failing_allocator.h"
#include "structures.h"

static void refuse(dlp_index n, const dlp_index *start, const int32_t *column,
                   const char *words)
{
    dlp_pattern *pattern = (dlp_pattern *)&n;
    assert_fails(dlp_pattern_alloc(n, start, column, &pattern, error), DLP_EINVAL, words);
    assert_null(pattern);
    assert_int_equal(dlp_pattern_alloc(n, start, column, &pattern, NULL), DLP_EINVAL);
}

static void bad_patterns_are_refused(void **state)
{
    (void)state;
    const dlp_index start[] = {0, 2, 3, 4}, late[] = {1, 2, 3, 4}, back[] = {0, 2, 1, 4};
    const dlp_index empty[] = {0, 2, 2, 4}, three[] = {0, 3, 4, 5},
                    far[] = {0, INT64_MAX};
    refuse(0, start, (const int32_t[]){0, 1, 1, 2}, "n must be at least 1");
    refuse(-4, start, (const int32_t[]){0, 1, 1, 2}, "n must be at least 1");
    refuse((dlp_index)INT32_MAX + 7, start, (const int32_t[]){0}, "less than 2^31");
    refuse(1, far, (const int32_t[]){0}, "less than 2^31");
    refuse(3, NULL, (const int32_t[]){0}, "NULL");
    refuse(3, start, NULL, "NULL");
    refuse(3, late, (const int32_t[]){0, 0, 1, 2}, "start[0] is 1");
    refuse(3, back, (const int32_t[]){0, 1, 1, 2}, "row 1 ends before it begins");
    refuse(3, empty, (const int32_t[]){0, 1, 2, 2}, "row 1 of a pattern begins with");
    refuse(3, start, (const int32_t[]){0, 3, 1, 2}, "row 0 of a pattern has column 3");
    refuse(3, start, (const int32_t[]){0, -1, 1, 2}, "row 0 of a pattern has column -1");
    refuse(3, start, (const int32_t[]){1, 2, 1, 2}, "its diagonal, 0");
    refuse(3, start, (const int32_t[]){0, 2, 2, 2}, "its diagonal, 1");
    refuse(3, three, (const int32_t[]){0, 2, 1, 1, 2}, "column 1 after column 2");
    refuse(3, three, (const int32_t[]){0, 1, 1, 1, 2}, "each once");
}

static void bad_sums_are_refused(void **state)
{
    (void)state;
    dlp_pattern *p = NULL;
    const dlp_index start[] = {0, 2, 3}, back[] = {0, 2, 1}, late[] = {1, 2, 3};
    const int32_t column[] = {2, 0, 1}, far[] = {2, 3, 1}, below[] = {2, 0, -1};
    assert_fails(dlp_pattern_from_sum(0, 2, start, column, &p, error), DLP_EINVAL,
                 "n = 0");
    assert_fails(dlp_pattern_from_sum(3, -1, start, column, &p, error), DLP_EINVAL,
                 "-1 summands");
    assert_fails(dlp_pattern_from_sum(3, 2, back, column, &p, error), DLP_EINVAL,
                 "summand 1 ends before it begins");
    assert_fails(dlp_pattern_from_sum(3, 2, late, column, &p, error), DLP_EINVAL,
                 "start[0] is 1");
    assert_fails(dlp_pattern_from_sum(3, 2, start, far, &p, error), DLP_EINVAL,
                 "summand 0 has coordinate 3");
    assert_fails(dlp_pattern_from_sum(3, 2, start, below, &p, error), DLP_EINVAL,
                 "summand 1 has coordinate -1");
    assert_fails(dlp_pattern_from_sum(3, 2, NULL, column, &p, error), DLP_EINVAL, "NULL");
    assert_fails(dlp_pattern_from_sum(3, 2, start, NULL, &p, error), DLP_EINVAL, "NULL");
    assert_null(p);
    dlp_pattern_free(NULL);
}

/* Every pair of a term, the diagonal, and nothing else. */
static void terms_meet_in_entries(void **state)
{
    (void)state;
    enum { N = 9 };
    const dlp_index start[] = {0, 3, 3, 5, 9, 10};
    const int32_t column[] = {7, 1, 4, 1, 1, 8, 4, 8, 0, 5};
    dlp_pattern *p = NULL;
    bool meets[N][N] = {{false}};
    for (int i = 0; i < N; i++) meets[i][i] = true;
    for (int t = 0; t < 5; t++)
        for (dlp_index a = start[t]; a < start[t + 1]; a++)
            for (dlp_index b = start[t]; b < start[t + 1]; b++)
                meets[column[a]][column[b]] = true;
    assert_ok(dlp_pattern_from_sum(N, 5, start, column, &p, error));
    dlp_index entries = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const dlp_index at = dlp_pattern_find(p, i, j);
            assert_int_equal(at >= 0, meets[i][j]);
            assert_int_equal(at, dlp_pattern_find(p, j, i));
            if (at >= 0) assert_int_equal(dlp_pattern_column(p)[at], i < j ? j : i);
            entries += at >= 0 && j >= i;
        }
    assert_int_equal(dlp_pattern_find(p, -1, 2), -1);
    assert_int_equal(dlp_pattern_find(p, 2, N), -1);
    assert_int_equal(dlp_pattern_cost_of(p).n, N);
    assert_int_equal(dlp_pattern_cost_of(p).entries, entries);
    assert_int_equal(dlp_pattern_start(p)[N], entries);
    dlp_pattern_free(p);

    /* no terms: a diagonal */
    const dlp_index none[] = {0};
    assert_ok(dlp_pattern_from_sum(N, 0, none, NULL, &p, error));
    assert_int_equal(dlp_pattern_cost_of(p).cholesky_entries, N);
    dlp_pattern_free(p);
}

/* Where it is known what the least can be. */
static void elimination_fills_in_little(void **state)
{
    (void)state;
    const struct {
        sample sample;
        dlp_index cholesky_entries;
    } known[] = {
        {{"", CHAIN, 400, 0, 1}, 2 * 400 - 1}, /* a tree fills in nothing, */
        {{"", ARROW, 300, 1, 0}, 2 * 300 - 1}, /* nor does a full first column */
        {{"", ARROW, 300, 3, 0}, 4 * 300 - 6}, /* that is ordered last */
        {{"", COMPONENTS, 60, 6, 0}, 330},     /* full ones stay what they are */
        {{"", FULL, 50, 0, 0}, 1275},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        made m = make_shape(&known[k].sample);
        const dlp_pattern_cost cost = dlp_pattern_cost_of(m.pattern);
        assert_int_equal(cost.cholesky_entries, known[k].cholesky_entries);
        assert_true(cost.stored >= cost.cholesky_entries);
        assert_in_range(cost.supernodes, 1, known[k].sample.n);
        assert_true(cost.flops >= (double)cost.cholesky_entries);
        release(&m);
    }
}

/* Each allocation in turn fails; AMD's are not ours to fail. */
static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    const dlp_index start[] = {0, 3, 5, 6, 7};
    const int32_t column[] = {0, 1, 3, 1, 2, 2, 3};
    const dlp_index term[] = {0, 2, 5};
    const int32_t of[] = {3, 1, 2, 0, 1};
    for (int from_terms = 0; from_terms < 2; from_terms++) {
        int failures = 0;
        for (;; failures++) {
            dlp_pattern *p = NULL;
            dlp_error error = {0};
            allocations_left = failures;
            const dlp_status status =
                from_terms ? dlp_pattern_from_sum(4, 2, term, of, &p, &error)
                           : dlp_pattern_alloc(4, start, column, &p, &error);
            allocations_left = -1;
            if (status == DLP_OK) {
                dlp_pattern_free(p);
                break;
            }
            assert_int_equal(status, DLP_ENOMEM);
            assert_non_null(strstr(error.message, "not enough memory"));
            assert_null(p);
        }
        assert_true(failures > 20);
    }
}

/* Once a factor is there, nothing takes memory: it would fail. */
static void nothing_is_allocated_after(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        made m = make_shape(&samples[k]);
        dlp_rng rng = rng_of(&samples[k]);
        dlp_sym A, Sigma;
        dlp_cholesky *F = NULL;
        double *v = allocate(m.shape.n, sizeof *v);
        assert_ok(dlp_sym_alloc(m.shape, &A, error));
        assert_ok(dlp_sym_alloc(m.shape, &Sigma, error));
        assert_ok(dlp_cholesky_alloc(m.shape, &F, error));
        fill(&rng, &A);
        /* BLAS takes its own room once */
        const dlp_index first = dlp_cholesky_compute(F, &A);
        dlp_cholesky_inverse(F, &Sigma);
        enum { FAR = 1000000 };
        allocations_left = FAR;
        for (int repeat = 0; repeat < 3; repeat++) {
            const dlp_index failed = dlp_cholesky_compute(F, &A);
            dlp_cholesky_inverse(F, &Sigma);
            dlp_cholesky_solve(F, v);
            dlp_cholesky_draw(F, v);
            dlp_cholesky_whiten(F, v);
            dlp_cholesky_multiply_root(F, v);
            if (failed != first) break;
        }
        const int left = allocations_left;
        allocations_left = -1;
        assert_int_equal(left, FAR);
        assert_int_equal(first, -1);
        dlp_cholesky_free(F);
        dlp_sym_free(&A);
        dlp_sym_free(&Sigma);
        free(v);
        release(&m);
    }
}

/* A large one, the Laplacian of a lattice plus 1: by its residual, and columns of its
   inverse by solves. */
static void large_ones_solve(void **state)
{
    (void)state;
    enum { SIDE = 60 };
    const sample square = {"", LATTICE, (dlp_index)SIDE * SIDE, SIDE, 0};
    made m = make_shape(&square);
    dlp_rng rng = rng_of(&square);
    dlp_sym A, Sigma;
    dlp_cholesky *F = NULL;
    double *x = allocate(3 * square.n, sizeof *x), *b = x + square.n, *r = b + square.n;
    assert_ok(dlp_sym_alloc(m.shape, &A, error));
    assert_ok(dlp_sym_alloc(m.shape, &Sigma, error));
    assert_ok(dlp_cholesky_alloc(m.shape, &F, error));
    for (dlp_index i = 0; i < square.n; i++)
        for (dlp_index e = dlp_pattern_start(m.pattern)[i];
             e < dlp_pattern_start(m.pattern)[i + 1]; e++)
            A.a[e] = dlp_pattern_column(m.pattern)[e] == i ? 5 : -1;
    draw_normals(&rng, square.n, b);
    memcpy(x, b, (size_t)square.n * sizeof *x);
    assert_int_equal(dlp_cholesky_compute(F, &A), -1);
    dlp_cholesky_solve(F, x);
    dlp_sym_multiply(&A, x, r);
    for (dlp_index i = 0; i < square.n; i++) assert_near(r[i], b[i], 1e-12);
    dlp_cholesky_inverse(F, &Sigma);
    assert_close(dlp_sym_trace(&A, &Sigma), (double)square.n, 1e-13);
    for (dlp_index i = 0; i < square.n; i += 371) {
        memset(x, 0, (size_t)square.n * sizeof *x);
        x[i] = 1;
        dlp_cholesky_solve(F, x);
        for (dlp_index j = 0; j < square.n; j++)
            if (dlp_pattern_find(m.pattern, i, j) >= 0)
                assert_near(dlp_sym_entry(&Sigma, i, j), x[j], 1e-14);
    }
    free(x);
    dlp_cholesky_free(F);
    dlp_sym_free(&A);
    dlp_sym_free(&Sigma);
    release(&m);
}

/* Persons who meet 5 of 150 items each, and 3 coefficients of all: persons go first, whom
   AMD alone would take long to find, and coefficients last. */
static void persons_go_before_items(void **state)
{
    (void)state;
    enum {
        PERSONS = 30000,
        ITEMS = 150,
        MEETS = 5,
        SHARED = 3,
        N = PERSONS + ITEMS + SHARED
    };
    const dlp_index terms = (dlp_index)PERSONS * MEETS, shared = SHARED;
    dlp_index *start = allocate(terms + 1, sizeof *start);
    int32_t *column = allocate(terms * (shared + 2), sizeof *column);
    dlp_rng rng = dlp_rng_at(3, 1);
    for (int32_t t = 0; t < terms; t++) {
        int32_t *term = column + start[t];
        for (int32_t c = 0; c < SHARED; c++) *term++ = c;
        *term++ = SHARED + t / MEETS;
        *term++ = SHARED + PERSONS + (int32_t)(dlp_draw_uniform(&rng) * ITEMS);
        start[t + 1] = start[t] + SHARED + 2;
    }
    dlp_pattern *p = NULL;
    assert_ok(dlp_pattern_from_sum(N, terms, start, column, &p, error));
    const dlp_pattern_cost cost = dlp_pattern_cost_of(p);
    const dlp_index rest = ITEMS + SHARED;
    assert_int_equal(cost.cholesky_entries,
                     cost.entries - shared * (ITEMS + 2) - ITEMS + rest * (rest + 1) / 2);
    dlp_sym A;
    dlp_cholesky *F = NULL;
    double *x = allocate(3 * (dlp_index)N, sizeof *x), *b = x + N, *sum = b + N;
    assert_ok(dlp_sym_alloc(dlp_shape_sparse(p), &A, error));
    assert_ok(dlp_cholesky_alloc(A.shape, &F, error));
    draw_normals(&rng, cost.entries, A.a);
    for (dlp_index e = 0; e < cost.entries; e++) A.a[e] = -fabs(A.a[e]);
    for (dlp_index i = 0; i < N; i++) x[i] = 1;
    dlp_sym_multiply(&A, x, sum);
    dlp_sym_get_diagonal(&A, x);
    for (dlp_index i = 0; i < N; i++) sum[i] = 0.1 - sum[i] - x[i] + fabs(x[i]);
    dlp_sym_add_diagonal(&A, sum);
    draw_normals(&rng, N, b);
    memcpy(x, b, N * sizeof *x);
    assert_int_equal(dlp_cholesky_compute(F, &A), -1);
    dlp_cholesky_solve(F, x);
    dlp_sym_multiply(&A, x, sum);
    for (dlp_index i = 0; i < N; i++) assert_near(sum[i], b[i], 1e-8);
    free(x);
    dlp_cholesky_free(F);
    dlp_sym_free(&A);
    dlp_pattern_free(p);
    free(start);
    free(column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_patterns_are_refused),
        cmocka_unit_test(bad_sums_are_refused),
        cmocka_unit_test(terms_meet_in_entries),
        cmocka_unit_test(elimination_fills_in_little),
        cmocka_unit_test(memory_that_runs_out_is_told),
        cmocka_unit_test(nothing_is_allocated_after),
        cmocka_unit_test(large_ones_solve),
        cmocka_unit_test(persons_go_before_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
