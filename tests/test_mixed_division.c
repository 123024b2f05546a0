/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over leaves in chunks: the same bits whether points of the scales or chunks are taken in
   turns by threads, and about the same numbers as without chunks. */
#include "glm/families/family.h"
#include "math/dense.h"
#include "mixed/block.h"
#include "mixed/fit.h"
#include "support.h"

enum { LEVELS = 90, ROWS = 3 * DLPI_ROW_CHUNK + 1000, MOST_P = 2 };

/* Rows of level g are 400 + 3 g and more, so that chunks have other numbers of levels. */
typedef struct rows {
    double y[ROWS], one[ROWS], x[ROWS], weight[ROWS];
    int32_t code[ROWS];
    dlp_index count[LEVELS];
} rows;

static rows *draw_rows(bool binary)
{
    rows *r = calloc(1, sizeof *r);
    double effect[LEVELS];
    dlp_rng rng = dlp_rng_at(31, binary);
    assert_non_null(r);
    for (int g = 0; g < LEVELS; g++) effect[g] = 0.5 * dlp_draw_normal(&rng);
    for (int i = 0, g = 0, n = 0; i < ROWS; i++, n++) {
        if (n == 400 + 3 * g && g < LEVELS - 1) g++, n = 0;
        r->code[i] = g;
        r->count[g]++;
        r->one[i] = 1;
        r->x[i] = dlp_draw_normal(&rng);
        r->weight[i] = 0.3 + dlp_draw_uniform(&rng);
        const double eta = 0.2 + 0.4 * r->x[i] + effect[g];
        r->y[i] = binary ? dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta))
                         : eta + dlp_draw_normal(&rng);
    }
    return r;
}

typedef struct problem {
    const char *family;
    dlp_index q;
    bool weighted;
} problem;

static const double precision[] = {0.04, 0, 0, 0.04}, sd_scale[] = {2.5, 2.5};
static const dlpi_mixed_prior prior = {.precision = precision,
                                       .sd_scale = sd_scale,
                                       .sd_df = 3,
                                       .correlation = 2,
                                       .tau_sd = 3};

static dlpi_mixed_data data_of(const problem *p, const rows *r,
                               const double *const *columns, const dlpi_mixed_term *term)
{
    const bool linear = !strcmp(p->family, "gaussian");
    return (dlpi_mixed_data){.likelihood = dlpi_family_find(p->family, NULL)->evaluate,
                             .scales = linear,
                             .is_linear = linear,
                             .N = ROWS,
                             .p = 2,
                             .X = columns,
                             .y = r->y,
                             .weight = p->weighted ? r->weight : NULL,
                             .n_terms = 1,
                             .term = term};
}

static void assert_same(const dlpi_mixed_result *a, const dlpi_mixed_result *b)
{
    const dlpi_mixed_effects *e = a->effects, *f = b->effects;
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->points, b->points);
    assert_memory_equal(&a->log_evidence, &b->log_evidence, sizeof a->log_evidence);
    assert_memory_equal(a->beta, b->beta, (size_t)(a->n * (a->n + 1)) * sizeof *a->beta);
    assert_int_equal(e->L, f->L);
    assert_memory_equal(e->mean, f->mean,
                        (size_t)(e->L * e->q * (1 + e->q + a->n)) * sizeof *e->mean);
    assert_memory_equal(e->sd, f->sd, (size_t)e->q * sizeof *e->sd);
}

/* With a division of its own, as under mpirun, the threads of a fit take chunks. */
static void chunks_have_one_order(void **state)
{
    static const problem problems[] = {
        {"bernoulli", 1, false}, {"gaussian", 1, false}, {"gaussian", 2, true}};
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        rows *r = draw_rows(i == 0);
        const double *columns[MOST_P] = {r->one, r->x};
        const dlpi_mixed_term term = {
            .L = LEVELS, .q = problems[i].q, .code = r->code, .x = columns};
        dlpi_mixed_data data = data_of(&problems[i], r, columns, &term);
        dlpi_mixed_division own = {.leaves =
                                       dlpi_division_of_items(LEVELS, r->count, NULL),
                                   .N = ROWS,
                                   .most_rows = r->count[LEVELS - 1]};
        assert_non_null(own.leaves);
        assert_true(own.leaves->chunks > 2);
        for (int g = 0; g < LEVELS; g++)
            if (r->count[g] > own.most_rows) own.most_rows = r->count[g];
        dlpi_mixed_result by_points, by_chunks;
        dlpi_mixed_settings settings = {.threads = 1};
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &by_points, error));
        data.division = &own;
        settings.threads = 3;
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &by_chunks, error));
        assert_int_equal(by_points.outcome, DLP_CONVERGED);
        assert_same(&by_points, &by_chunks);
        dlpi_mixed_result_clear(&by_points);
        dlpi_mixed_result_clear(&by_chunks);
        dlpi_division_free(own.leaves);
        free(r);
    }
}

/* log p(y | psi), its gradient and that of f, with chunks and without. */
static void chunks_add_up(void **state)
{
    (void)state;
    rows *r = draw_rows(true);
    const problem logistic = {"bernoulli", 1, false};
    const double *columns[MOST_P] = {r->one, r->x}, psi[] = {-0.5};
    double x[2 + LEVELS] = {0}, gradient[2];
    const dlpi_mixed_term term = {.L = LEVELS, .q = 1, .code = r->code, .x = columns};
    const dlpi_mixed_data data = data_of(&logistic, r, columns, &term);
    dlpi_mixed model = {.data = &data,
                        .prior = &prior,
                        .rule = DLPI_LEAF_TRAPEZOID,
                        .skewed = true,
                        .x = x,
                        .b = x + 2,
                        .shape = dlp_shape_dense(2)};
    dlpi_mixed_block whole, parts;
    assert_ok(dlpi_hyper_layout_make(&data, &model.layout, error));
    assert_ok(dlpi_mixed_rows_make(&data, 0, &model.rows, error));
    dlpi_mixed chunked = model;
    chunked.leaves = dlpi_division_of_items(LEVELS, r->count, NULL);
    assert_non_null(chunked.leaves);
    assert_ok(dlpi_mixed_block_alloc(&model, &whole, error));
    assert_ok(dlpi_mixed_block_alloc(&chunked, &parts, error));
    assert_close(dlpi_mixed_block_at(&parts, psi), dlpi_mixed_block_at(&whole, psi),
                 1e-11);
    for (int j = 0; j < 2; j++) assert_near(parts.x[j], whole.x[j], 1e-9);
    assert_close(parts.H.a[1], whole.H.a[1], 1e-9);
    dlpi_mixed_block_invert(&parts);
    dlpi_mixed_block_invert(&whole);
    dlpi_mixed_block_gradient(&parts, psi, gradient);
    dlpi_mixed_block_gradient(&whole, psi, gradient + 1);
    assert_near(gradient[0], gradient[1], 1e-7);
    dlpi_mixed_block_free(&whole);
    dlpi_mixed_block_free(&parts);
    dlpi_division_free(chunked.leaves);
    dlpi_mixed_rows_clear(&model.rows);
    dlpi_hyper_layout_clear(&model.layout);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_have_one_order),
        cmocka_unit_test(chunks_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
