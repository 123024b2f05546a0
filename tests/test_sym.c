/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation on every structure against the same one done naively, entry by entry
 * in long double: dense matrices on both sides of LAPACK's threshold, blocks, diagonal
 * plus low rank with all that can be wrong with the low rank.
 */
#include "workbench.h"

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

static workbench open_workbench(const sample *s)
{
    workbench w = workbench_alloc(s->name, shape_of(s));
    dlp_rng rng = dlp_rng_at(20130401, (uint64_t)(s - samples));
    fill(&rng, s->special, &w.A);
    fill(&rng, s->special, &w.B);
    workbench_begin(&w, &rng);
    return w;
}

static void values_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        workbench w = open_workbench(&samples[k]);
        check_readers(&w);
        check_writers(&w);
        workbench_free(&w);
    }
}

enum { MOST_SMALL = 100 }; /* coordinates */

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

static void factors_agree_with_the_naive_ones(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        workbench w = open_workbench(&samples[k]);
        check_factor(&w);
        if (w.n <= MOST_SMALL) check_product_is_identity(&w);
        workbench_free(&w);
    }
}

/* With S = diag(s), (S P S)^-1 = S^-1 P^-1 S^-1, entry by entry however uneven s is. */
static void check_units(workbench *w)
{
    double s[MOST_SMALL] = {0};
    memcpy(w->want, w->dense, (size_t)(w->n * w->n) * sizeof *w->want);
    real log_det = naive_inverse(w->n, w->want, w->other);
    for (dlp_index i = 0; i < w->n; i++) {
        s[i] = ldexp(1, (int)(i * 37 % 61) - 30);
        log_det += 2 * logl(s[i]);
    }
    dlp_sym_rescale(&w->A, s);
    assert_int_equal(dlp_cholesky_compute(w->F, &w->A), -1);
    assert_close(dlp_cholesky_log_det(w->F), (double)log_det, NAIVE_CLOSE);
    dlp_cholesky_inverse(w->F, &w->B);
    dlp_sym_rescale(&w->B, s);
    assert_entries(w->name, "inverse in other units", &w->B, w->other);
}

static void units_of_the_coordinates_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        if (samples[k].n > MOST_SMALL) continue;
        workbench w = open_workbench(&samples[k]);
        check_units(&w);
        workbench_free(&w);
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
