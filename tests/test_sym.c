/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation on every structure against the same one done naively, entry by entry
 * in long double: dense matrices on both sides of LAPACK's threshold, blocks, diagonal
 * plus low rank with all that can be wrong with the low rank.
 */
#include "naive.h"

/* What is special about a matrix. */
typedef enum trait {
    PLAIN,         /* C positive definite */
    ZERO_ROW,      /* a row of U is zero */
    EQUAL_ROWS,    /* the first two rows of U are equal */
    NEGATIVE_CORE, /* D minus almost all of itself along U */
    MIXED_CORE,    /* C with eigenvalues of both signs */
    ZERO_CORE,     /* C = 0 */
    UNEVEN_ROWS,   /* rows of U of very different length, and C that makes up for it */
    NEARLY_EQUAL   /* the first two rows of U differ in the seventh digit */
} trait;

typedef struct sample {
    const char *name;
    dlp_structure structure;
    trait special;
    dlp_index n, rank, n_blocks;
    const dlp_index *block;
} sample;

static const dlp_index three_blocks[] = {3, 1, 4}, one_block[] = {1};
static const dlp_index uneven_blocks[] = {2, 2, 2, 405};

static const sample samples[] = {
    {"dense 1", DLP_BLOCKS, PLAIN, 1, 0, 1, NULL},
    {"dense 2", DLP_BLOCKS, PLAIN, 2, 0, 1, NULL},
    {"dense 5", DLP_BLOCKS, PLAIN, 5, 0, 1, NULL},
    {"dense 18", DLP_BLOCKS, PLAIN, 18, 0, 1, NULL},
    {"dense 60", DLP_BLOCKS, PLAIN, 60, 0, 1, NULL},
    {"dense 63", DLP_BLOCKS, PLAIN, 63, 0, 1, NULL},
    {"dense 301", DLP_BLOCKS, PLAIN, 301, 0, 1, NULL},
    {"dense 420", DLP_BLOCKS, PLAIN, 420, 0, 1, NULL},
    {"blocks 3 1 4", DLP_BLOCKS, PLAIN, 8, 0, 3, three_blocks},
    {"blocks 1", DLP_BLOCKS, PLAIN, 1, 0, 1, one_block},
    {"blocks 2 2 2 405", DLP_BLOCKS, PLAIN, 411, 0, 4, uneven_blocks},
    {"diagonal", DLP_LOW_RANK, PLAIN, 7, 0, 0, NULL},
    {"scalar, rank 1", DLP_LOW_RANK, PLAIN, 1, 1, 0, NULL},
    {"rank 1", DLP_LOW_RANK, PLAIN, 7, 1, 0, NULL},
    {"rank 2", DLP_LOW_RANK, PLAIN, 19, 2, 0, NULL},
    {"rank 5", DLP_LOW_RANK, PLAIN, 50, 5, 0, NULL},
    {"rank above n", DLP_LOW_RANK, PLAIN, 3, 5, 0, NULL},
    {"rank 1, zero row", DLP_LOW_RANK, ZERO_ROW, 7, 1, 0, NULL},
    {"rank 2, zero row", DLP_LOW_RANK, ZERO_ROW, 11, 2, 0, NULL},
    {"rank 5, zero row", DLP_LOW_RANK, ZERO_ROW, 50, 5, 0, NULL},
    {"rank 2, equal rows", DLP_LOW_RANK, EQUAL_ROWS, 13, 2, 0, NULL},
    {"rank 5, equal rows", DLP_LOW_RANK, EQUAL_ROWS, 31, 5, 0, NULL},
    {"rank 1, negative", DLP_LOW_RANK, NEGATIVE_CORE, 23, 1, 0, NULL},
    {"rank 2, negative", DLP_LOW_RANK, NEGATIVE_CORE, 9, 2, 0, NULL},
    {"rank 5, negative", DLP_LOW_RANK, NEGATIVE_CORE, 50, 5, 0, NULL},
    {"rank 5, both signs", DLP_LOW_RANK, MIXED_CORE, 50, 5, 0, NULL},
    {"rank 1, zero core", DLP_LOW_RANK, ZERO_CORE, 17, 1, 0, NULL},
    {"rank 5, zero core", DLP_LOW_RANK, ZERO_CORE, 29, 5, 0, NULL},
    {"rank 2, uneven rows", DLP_LOW_RANK, UNEVEN_ROWS, 12, 2, 0, NULL},
    {"rank 5, uneven rows", DLP_LOW_RANK, UNEVEN_ROWS, 50, 5, 0, NULL},
    {"rank 2, nearly equal rows", DLP_LOW_RANK, NEARLY_EQUAL, 14, 2, 0, NULL},
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

static dlp_shape shape_of(const sample *s)
{
    if (s->structure == DLP_LOW_RANK) return dlp_shape_low_rank(s->n, s->rank);
    return s->block ? dlp_shape_blocks(s->n_blocks, s->block) : dlp_shape_dense(s->n);
}

/* C -= 0.9 (U D^-1 U')^-1: takes nine tenths of D away along the rows of U. */
static void subtract_most(dlp_index n, dlp_index r, const double *d, const double *U,
                          double *C)
{
    real *G = allocate(2 * r * r, sizeof *G);
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            for (dlp_index i = 0; i < n; i++)
                G[a * r + b] += (real)U[a * n + i] * U[b * n + i] / d[i];
    naive_inverse(r, G, G + r * r);
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b <= a; b++)
            C[a * r + b] = C[b * r + a] =
                (double)(C[a * r + b] - 0.9L * G[r * r + a * r + b]);
    free(G);
}

static void fill_low_rank(dlp_rng *rng, trait special, dlp_sym *A)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    for (dlp_index i = 0; i < n; i++) d[i] = 0.3 + 2.2 * dlp_draw_uniform(rng);
    draw_normals(rng, r * n, U);
    fill_definite(rng, r, C);
    if (special == ZERO_ROW) memset(U + (r / 2) * n, 0, (size_t)n * sizeof *U);
    if (special == EQUAL_ROWS) memcpy(U + n, U, (size_t)n * sizeof *U);
    if (special == NEARLY_EQUAL)
        for (dlp_index i = 0; i < n; i++) U[n + i] = U[i] * (1 + 1e-7 * U[n + i]);
    if (special == ZERO_CORE || special == NEGATIVE_CORE)
        memset(C, 0, (size_t)(r * r) * sizeof *C);
    if (special == NEGATIVE_CORE) subtract_most(n, r, d, U, C);
    if (special == MIXED_CORE) { /* what is left in C is of both signs */
        for (dlp_index a = 0; a < r * r; a++) C[a] *= 0.02;
        subtract_most(n, r, d, U, C);
    }
    for (dlp_index a = 0; a < r && special == UNEVEN_ROWS; a++) {
        const double scale = pow(10, 9 * (a % 2) - 7 * (a % 3));
        for (dlp_index i = 0; i < n; i++) U[a * n + i] *= scale;
        for (dlp_index b = 0; b < r; b++) {
            C[a * r + b] /= scale;
            C[b * r + a] /= scale;
        }
    }
}

static void fill(dlp_rng *rng, trait special, dlp_sym *A)
{
    if (A->shape.structure == DLP_LOW_RANK) {
        fill_low_rank(rng, special, A);
        return;
    }
    for (dlp_index k = 0; k < A->shape.n_blocks; k++)
        fill_definite(rng, A->shape.block ? A->shape.block[k] : A->shape.n,
                      dlp_sym_block(A, k));
}

/* A matrix, another one of its shape, all their entries, and vectors. */
typedef struct workbench {
    const sample *sample;
    const char *name;
    dlp_index n;
    dlp_sym A, B;
    real *dense, *other, *want; /* (n, n) of A, of B, and what should come out */
    double *x, *y;              /* (n) */
    real *z;                    /* (n) */
} workbench;

static workbench open_workbench(const sample *s)
{
    workbench w = {.sample = s, .name = s->name, .n = s->n};
    dlp_rng rng = dlp_rng_at(20130401, (uint64_t)(s - samples));
    assert_ok(dlp_sym_alloc(shape_of(s), &w.A, error));
    assert_ok(dlp_sym_alloc(shape_of(s), &w.B, error));
    fill(&rng, s->special, &w.A);
    fill(&rng, s->special, &w.B);
    w.dense = allocate(w.n * w.n, sizeof *w.dense);
    w.other = allocate(w.n * w.n, sizeof *w.other);
    w.want = allocate(w.n * w.n, sizeof *w.want);
    w.x = allocate(w.n, sizeof *w.x);
    w.y = allocate(w.n, sizeof *w.y);
    w.z = allocate(w.n, sizeof *w.z);
    draw_normals(&rng, w.n, w.x);
    naive_entries(&w.A, w.dense);
    naive_entries(&w.B, w.other);
    return w;
}

static void close_workbench(workbench *w)
{
    dlp_sym_free(&w->A);
    dlp_sym_free(&w->B);
    free(w->dense);
    free(w->other);
    free(w->want);
    free(w->x);
    free(w->y);
    free(w->z);
}

/* x'A x, for which w->z has A x; the terms may cancel. */
static void check_quadratic(const workbench *w)
{
    real sum = 0, size = 0;
    for (dlp_index i = 0; i < w->n; i++) {
        sum += w->z[i] * w->x[i];
        for (dlp_index j = 0; j < w->n; j++)
            size += fabsl(w->dense[i * w->n + j] * w->x[i] * w->x[j]);
    }
    assert_near(dlp_sym_quadratic(&w->A, w->x), (double)sum,
                NAIVE_CLOSE * (double)(1 + size));
}

static void check_readers(workbench *w)
{
    const dlp_index n = w->n;
    double *all = allocate(n * n, sizeof *all);
    real trace = 0;
    dlp_sym_to_dense(&w->A, all);
    assert_same(w->name, "to_dense", n * n, all, w->dense);
    for (dlp_index i = 0; i < n * n; i++) all[i] = dlp_sym_entry(&w->A, i / n, i % n);
    assert_same(w->name, "entry", n * n, all, w->dense);

    dlp_sym_multiply(&w->A, w->x, w->y);
    for (dlp_index i = 0; i < n; i++) {
        w->z[i] = 0;
        for (dlp_index j = 0; j < n; j++) w->z[i] += w->dense[i * n + j] * w->x[j];
    }
    assert_same(w->name, "multiply", n, w->y, w->z);
    check_quadratic(w);

    dlp_sym_get_diagonal(&w->A, w->y);
    for (dlp_index i = 0; i < n; i++) w->z[i] = w->dense[i * n + i];
    assert_same(w->name, "get_diagonal", n, w->y, w->z);

    for (dlp_index i = 0; i < n * n; i++) trace += w->dense[i] * w->other[i];
    assert_close(dlp_sym_trace(&w->A, &w->B), (double)trace, NAIVE_CLOSE);
    assert_close(dlp_sym_trace(&w->B, &w->A), (double)trace, NAIVE_CLOSE);
    trace = 0;
    for (dlp_index i = 0; i < n * n; i++) trace += w->dense[i] * w->dense[i];
    assert_close(dlp_sym_trace(&w->A, &w->A), (double)trace, NAIVE_CLOSE);
    free(all);
}

static void check_writers(workbench *w)
{
    const dlp_index n = w->n;
    dlp_sym_copy(&w->A, &w->B);
    assert_entries(w->name, "copy", &w->B, w->dense);

    dlp_sym_negate(&w->B);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] = -w->dense[i];
    assert_entries(w->name, "negate", &w->B, w->want);

    dlp_sym_add_diagonal(&w->B, w->x);
    for (dlp_index i = 0; i < n; i++) w->want[i * n + i] += w->x[i];
    assert_entries(w->name, "add_diagonal", &w->B, w->want);

    dlp_sym_rescale(&w->B, w->x);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] *= (real)w->x[i / n] * w->x[i % n];
    assert_entries(w->name, "rescale", &w->B, w->want);

    dlp_sym_keep_diagonal(&w->B);
    for (dlp_index i = 0; i < n * n; i++)
        if (i / n != i % n) w->want[i] = 0;
    assert_entries(w->name, "keep_diagonal", &w->B, w->want);

    dlp_sym_set_identity(&w->B);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] = i / n == i % n;
    assert_entries(w->name, "set_identity", &w->B, w->want);
}

static void values_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        workbench w = open_workbench(&samples[k]);
        check_readers(&w);
        check_writers(&w);
        close_workbench(&w);
    }
}

/* P Sigma = I. */
static void check_product_is_identity(workbench *w)
{
    const dlp_index n = w->n;
    for (dlp_index j = 0; j < n; j++) {
        memset(w->x, 0, (size_t)n * sizeof *w->x);
        w->x[j] = 1;
        dlp_sym_multiply(&w->B, w->x, w->y); /* column j of Sigma */
        for (dlp_index i = 0; i < n; i++) {
            real sum = 0;
            for (dlp_index k = 0; k < n; k++) sum += w->dense[i * n + k] * w->y[k];
            assert_near((double)sum, i == j, 1e3 * NAIVE_CLOSE);
        }
    }
}

/* R from unit vectors; R R' must be P^-1. */
static void check_draw(workbench *w, const dlp_factor *F, const real *inverse)
{
    const dlp_index n = w->n;
    double *R = allocate(n * n, sizeof *R), *got = allocate(n * n, sizeof *got);
    for (dlp_index j = 0; j < n; j++) { /* row j of R is its column j */
        R[j * n + j] = 1;
        dlp_factor_draw(F, R + j * n);
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j <= i; j++) {
            real sum = 0;
            for (dlp_index k = 0; k < n; k++) sum += (real)R[k * n + i] * R[k * n + j];
            got[i * n + j] = got[j * n + i] = (double)sum;
        }
    assert_same(w->name, "draw", n * n, got, inverse);
    free(got);
    free(R);
}

/* L from unit vectors; L L' must be P. What a draw was made of, whitening finds. */
static void check_root(workbench *w, const dlp_factor *F)
{
    const dlp_index n = w->n;
    double *L = allocate(n * n, sizeof *L), *got = allocate(n * n, sizeof *got);
    for (dlp_index j = 0; j < n; j++) {
        L[j * n + j] = 1;
        dlp_factor_multiply_root(F, L + j * n);
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++) {
            real sum = 0;
            for (dlp_index k = 0; k < n; k++) sum += (real)L[k * n + i] * L[k * n + j];
            got[i * n + j] = (double)sum;
        }
    assert_same(w->name, "multiply_root", n * n, got, w->dense);
    for (dlp_index i = 0; i < n; i++) w->z[i] = w->x[i];
    memcpy(w->y, w->x, (size_t)n * sizeof *w->y);
    dlp_factor_draw(F, w->y);
    dlp_factor_whiten(F, w->y);
    assert_same(w->name, "whiten", n, w->y, w->z);
    free(got);
    free(L);
}

static void check_factor(workbench *w, dlp_factor *F)
{
    const dlp_index n = w->n;
    memcpy(w->want, w->dense, (size_t)(n * n) * sizeof *w->want);
    const real log_det = naive_inverse(n, w->want, w->other);
    const real *inverse = w->other;

    assert_int_equal(dlp_factor_compute(F, &w->A), -1);
    assert_close(dlp_factor_log_det(F), (double)log_det, NAIVE_CLOSE);
    dlp_factor_inverse(F, &w->B);
    assert_entries(w->name, "inverse", &w->B, inverse);

    for (dlp_index i = 0; i < n; i++) {
        w->z[i] = 0;
        for (dlp_index j = 0; j < n; j++) w->z[i] += inverse[i * n + j] * w->x[j];
    }
    memcpy(w->y, w->x, (size_t)n * sizeof *w->y);
    dlp_factor_solve(F, w->y);
    assert_same(w->name, "solve", n, w->y, w->z);

    check_draw(w, F, inverse);
    check_root(w, F);
    check_product_is_identity(w);
}

static void factors_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        workbench w = open_workbench(&samples[k]);
        dlp_factor *F = NULL;
        assert_ok(dlp_factor_alloc(w.A.shape, &F, error));
        check_factor(&w, F);
        dlp_factor_free(F);
        close_workbench(&w);
    }
}

enum { MOST_IN_UNITS = 100 }; /* coordinates */

/* With S = diag(s), (S P S)^-1 = S^-1 P^-1 S^-1, entry by entry however uneven s is. */
static void check_units(workbench *w, dlp_factor *F)
{
    double s[MOST_IN_UNITS] = {0};
    memcpy(w->want, w->dense, (size_t)(w->n * w->n) * sizeof *w->want);
    real log_det = naive_inverse(w->n, w->want, w->other);
    for (dlp_index i = 0; i < w->n; i++) {
        s[i] = ldexp(1, (int)(i * 37 % 61) - 30);
        log_det += 2 * logl(s[i]);
    }
    dlp_sym_rescale(&w->A, s);
    assert_int_equal(dlp_factor_compute(F, &w->A), -1);
    assert_close(dlp_factor_log_det(F), (double)log_det, NAIVE_CLOSE);
    dlp_factor_inverse(F, &w->B);
    dlp_sym_rescale(&w->B, s);
    assert_entries(w->name, "inverse in other units", &w->B, w->other);
}

static void units_of_the_coordinates_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        if (samples[k].n > MOST_IN_UNITS) continue;
        workbench w = open_workbench(&samples[k]);
        dlp_factor *F = NULL;
        assert_ok(dlp_factor_alloc(w.A.shape, &F, error));
        check_units(&w, F);
        dlp_factor_free(F);
        close_workbench(&w);
    }
}

/* As many as one likes: each is found at once. */
static void many_blocks_are_filled_one_by_one(void **state)
{
    (void)state;
    enum { BLOCKS = 200000 };
    dlp_index *size = allocate(BLOCKS, sizeof *size), at = 0, n = 0;
    for (dlp_index k = 0; k < BLOCKS; k++) size[k] = 1 + k % 3;
    dlp_sym A;
    assert_ok(dlp_sym_alloc(dlp_shape_blocks(BLOCKS, size), &A, error));
    for (dlp_index k = 0; k < BLOCKS; k++) {
        assert_ptr_equal(dlp_sym_block(&A, k), A.a + at);
        A.a[at] = 2.385 + (double)k;
        assert_true(dlp_sym_entry(&A, n, n) == A.a[at]);
        if (k > 0) assert_true(dlp_sym_entry(&A, n, n - 1) == 0);
        at += size[k] * size[k];
        n += size[k];
    }
    dlp_sym_free(&A);
    free(size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_the_naive_ones),
        cmocka_unit_test(factors_agree_with_the_naive_ones),
        cmocka_unit_test(units_of_the_coordinates_do_not_matter),
        cmocka_unit_test(many_blocks_are_filled_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
