/* SPDX-License-Identifier: BSD-3-Clause */
/* Jets against differences: every operation and compositions, to third order. */
#include "bugs_expressions.h"

/* Where the arguments of an operation may lie. */
typedef struct range {
    dlpi_op op;
    double from, to;
} range;

static const range ranges[] = {
    {DLPI_OP_EXP, -3, 3},        {DLPI_OP_LOG, 0.3, 9},
    {DLPI_OP_SQRT, 0.3, 9},      {DLPI_OP_SQUARE, -3, 3},
    {DLPI_OP_LOG1P_EXP, -9, 9},  {DLPI_OP_ILOGIT, -5, 5},
    {DLPI_OP_LOGIT, 0.1, 0.9},   {DLPI_OP_LOG1M_EXP, -4, -0.3},
    {DLPI_OP_PHI, -4, 4},        {DLPI_OP_LOG_PHI, -9, 4},
    {DLPI_OP_PROBIT, 0.1, 0.9},  {DLPI_OP_CLOGLOG, 0.1, 0.9},
    {DLPI_OP_ICLOGLOG, -4, 1.5}, {DLPI_OP_LGAMMA, 0.3, 9},
    {DLPI_OP_DIGAMMA, 0.4, 9},   {DLPI_OP_SIN, -4, 4},
    {DLPI_OP_COS, -4, 4},        {DLPI_OP_TAN, -1, 1},
    {DLPI_OP_ATAN, -4, 4},       {DLPI_OP_ASIN, -0.8, 0.8},
    {DLPI_OP_ACOS, -0.8, 0.8},   {DLPI_OP_SINH, -2, 2},
    {DLPI_OP_COSH, -2, 2},       {DLPI_OP_TANH, -2, 2},
    {DLPI_OP_NEG, -3, 3},        {DLPI_OP_ABS, 0.5, 3},
};
enum { N_RANGES = sizeof ranges / sizeof ranges[0] };

static double uniform(dlp_rng *rng, double from, double to)
{
    return from + (to - from) * dlp_draw_uniform(rng);
}

static void unary_operations(void **state)
{
    (void)state;
    dlpi_builder *b;
    dlp_rng rng = dlp_rng_at(11, 0);
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int i = 0; i < N_RANGES; i++)
        for (int draw = 0; draw < 20; draw++) {
            dlpi_builder_clear(b);
            const double x = uniform(&rng, ranges[i].from, ranges[i].to);
            const dlpi_expr e = dlpi_apply1(b, ranges[i].op, dlpi_cell(b, 0));
            check_jet(b, e, 1, &x, 0.02, 2e-8, dlpi_op_name(ranges[i].op));
        }
    dlpi_builder_free(b);
}

/* The same of a product of two slots and a third: Faà di Bruno with all its terms. */
static void chains(void **state)
{
    (void)state;
    dlpi_builder *b;
    dlp_rng rng = dlp_rng_at(12, 0);
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int i = 0; i < N_RANGES; i++)
        for (int draw = 0; draw < 5; draw++) {
            dlpi_builder_clear(b);
            double x[3] = {uniform(&rng, 0.5, 1.5), uniform(&rng, 0.5, 1.5), 0};
            x[2] = uniform(&rng, ranges[i].from, ranges[i].to) - x[0] * x[1] * x[1];
            const dlpi_expr square = dlpi_apply1(b, DLPI_OP_SQUARE, dlpi_cell(b, 1));
            const dlpi_expr u = dlpi_apply2(
                b, DLPI_OP_ADD, dlpi_apply2(b, DLPI_OP_MUL, dlpi_cell(b, 0), square),
                dlpi_cell(b, 2));
            const dlpi_expr e = dlpi_apply1(b, ranges[i].op, u);
            check_jet(b, e, 3, x, 0.01, 3e-7, dlpi_op_name(ranges[i].op));
        }
    dlpi_builder_free(b);
}

static dlpi_expr positive_function(dlpi_builder *b, int i)
{
    return dlpi_apply1(b, DLPI_OP_COSH, dlpi_cell(b, i));
}

static void binary_operations(void **state)
{
    (void)state;
    static const dlpi_op ops[] = {DLPI_OP_ADD, DLPI_OP_SUB, DLPI_OP_MUL,
                                  DLPI_OP_DIV, DLPI_OP_POW, DLPI_OP_LOG_ADD_EXP,
                                  DLPI_OP_MAX, DLPI_OP_MIN};
    dlpi_builder *b;
    dlp_rng rng = dlp_rng_at(13, 0);
    assert_ok(dlpi_builder_alloc(&b, error));
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        for (int shape = 0; shape < 8; shape++) {
            dlpi_builder_clear(b);
            const double x[3] = {uniform(&rng, 0.5, 1), uniform(&rng, 1.2, 2),
                                 uniform(&rng, 0.2, 1)};
            /* each side a slot, a function of two slots, or a datum */
            const dlpi_expr datum = dlpi_datum(b, 1.7),
                            both = dlpi_apply2(b, DLPI_OP_MUL, positive_function(b, 0),
                                               positive_function(b, 2));
            const dlpi_expr left = shape & 1 ? both : shape & 2 ? datum : dlpi_cell(b, 0);
            const dlpi_expr right = shape & 4    ? positive_function(b, 1)
                                    : shape == 1 ? datum
                                                 : dlpi_cell(b, 1);
            const dlpi_expr e = dlpi_apply2(b, ops[i], left, right);
            check_jet(b, e, 3, x, 0.01, 3e-7, dlpi_op_name(ops[i]));
        }
    dlpi_builder_free(b);
}

static void incomplete_functions(void **state)
{
    (void)state;
    dlpi_builder *b;
    dlp_rng rng = dlp_rng_at(14, 0);
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int draw = 0; draw < 12; draw++) {
        dlpi_builder_clear(b);
        /* shapes of the size of 1, then small and large ones */
        const double size = draw < 8 ? 1 : draw < 10 ? 0.1 : 150;
        const double x[3] = {uniform(&rng, 0.4, 0.6), size * uniform(&rng, 0.7, 4),
                             size * uniform(&rng, 0.7, 4)};
        const double mean = x[1] / (x[1] + x[2]);
        const double of_gamma[2] = {x[1] * uniform(&rng, 0.9, 1.1), x[1]};
        const double of_beta[3] = {size > 1 ? mean : x[0], x[1], x[2]};
        const dlpi_expr a = dlpi_cell(b, 0), c = dlpi_cell(b, 1), d = dlpi_cell(b, 2);
        const dlpi_expr p = dlpi_apply2(b, DLPI_OP_P_GAMMA, a, c);
        const dlpi_expr q = dlpi_apply2(b, DLPI_OP_Q_GAMMA, a, c);
        const dlpi_expr i = dlpi_apply(b, DLPI_OP_P_BETA, a, c, d);
        const double h = 0.02 * fmin(1, x[1]);
        check_jet(b, p, 2, of_gamma, h, 2e-6, "P(a, x)");
        check_jet(b, q, 2, of_gamma, h, 2e-6, "Q(a, x)");
        check_jet(b, i, 3, of_beta, size > 1 ? 0.002 : h, 2e-6, "I_x(a, b)");
    }
    dlpi_builder_free(b);
}

/* Exponents that are data: whole, negative bases, and others. */
static void powers(void **state)
{
    (void)state;
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    const double exponent[] = {2, 3, -2, 5, 1.5, -0.7, 0, 1, 65};
    for (size_t i = 0; i < sizeof exponent / sizeof exponent[0]; i++) {
        dlpi_builder_clear(b);
        const dlpi_expr e =
            dlpi_apply2(b, DLPI_OP_POW, dlpi_cell(b, 0), dlpi_datum(b, exponent[i]));
        check_jet(b, e, 1, &(double){1.1}, 0.01, 1e-6, "power");
        if (exponent[i] == floor(exponent[i]))
            check_jet(b, e, 1, &(double){-1.1}, 0.01, 1e-6, "power of -1.1");
        assert_close(value_at(b, e, &(double){1.3}), pow(1.3, exponent[i]), 1e-14);
    }
    dlpi_builder_free(b);
}

/* ---- tails ---- */

static void tail(dlpi_op op, double x, double v, double d1, double d2, double d3,
                 double tolerance)
{
    double got[4];
    dlpi_jet_unary(op, 1, &x, 3, got, got + 1, got + 2, got + 3);
    const double expected[4] = {v, d1, d2, d3};
    for (int i = 0; i < 4; i++)
        assert_near(got[i], expected[i], tolerance * fabs(expected[i]) + 1e-300);
}

static void tails(void **state)
{
    (void)state;
    tail(DLPI_OP_LOG1P_EXP, 800, 800, 1, 0, 0, 1e-15);
    tail(DLPI_OP_LOG1P_EXP, -800, 0, 0, 0, 0, 1e-15);
    tail(DLPI_OP_LOG1P_EXP, -40, exp(-40), exp(-40), exp(-40), exp(-40), 1e-14);
    tail(DLPI_OP_ILOGIT, -40, exp(-40), exp(-40), exp(-40), exp(-40), 1e-14);
    /* by 60 digits */
    tail(DLPI_OP_LOG_PHI, -40, -804.60844201375378817, 40.024968847207263723,
         -0.99937733162140861123, 0.000031017440396486248322, 1e-9);
    tail(DLPI_OP_LOG_PHI, 40, 0, 0, 0, 0, 1e-12);
    tail(DLPI_OP_LOG_PHI, INFINITY, 0, 0, 0, 0, 0);
    tail(DLPI_OP_PHI, INFINITY, 1, 0, 0, 0, 0);
    tail(DLPI_OP_PHI, -INFINITY, 0, 0, 0, 0, 0);
    tail(DLPI_OP_LOG1M_EXP, -40, -exp(-40), -exp(-40), -exp(-40), -exp(-40), 1e-14);
    tail(DLPI_OP_LOG1M_EXP, -1e-10, log(1e-10) - 5e-11, -1e10, -1e20, -2e30, 1e-9);
    tail(DLPI_OP_LGAMMA, 1e-10, log(1e10), -1e10, 1e20, -2e30, 1e-9);
    tail(DLPI_OP_ICLOGLOG, 800, 1, 0, 0, 0, 1e-15);
    tail(DLPI_OP_ICLOGLOG, -50, exp(-50), exp(-50), exp(-50), exp(-50), 1e-14);
}

/* ---- batches ---- */

/* A program over many instances gives each the bits that it has alone. */
static void batches(void **state)
{
    (void)state;
    enum { N = 203 };
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    /* y eta - log(1 + exp(eta)) + log Phi(a eta) with eta = a + x c */
    const dlpi_expr a = dlpi_cell(b, 0), c = dlpi_cell(b, 1), x = dlpi_datum(b, 0);
    const dlpi_expr y = dlpi_datum(b, 1);
    const dlpi_expr eta =
        dlpi_apply2(b, DLPI_OP_ADD, a, dlpi_apply2(b, DLPI_OP_MUL, x, c));
    dlpi_expr e = dlpi_apply2(b, DLPI_OP_SUB, dlpi_apply2(b, DLPI_OP_MUL, y, eta),
                              dlpi_apply1(b, DLPI_OP_LOG1P_EXP, eta));
    e = dlpi_apply2(b, DLPI_OP_ADD, e,
                    dlpi_apply1(b, DLPI_OP_LOG_PHI, dlpi_apply2(b, DLPI_OP_MUL, a, eta)));
    dlpi_program_draft draft = {0};
    assert_ok(dlpi_program_make(b, e, &draft, error));
    assert_int_equal(draft.program.n_inputs, 4);
    double values[4][N];
    const double *input[4], *single[4];
    int slot[4];
    dlp_rng rng = dlp_rng_at(15, 0);
    for (int i = 0; i < 4; i++) {
        input[i] = values[i];
        slot[i] = draft.cell[i] == 0 ? 0 : draft.cell[i] == 1 ? 1 : -1;
        for (int j = 0; j < N; j++) values[i][j] = uniform(&rng, -2, 2);
    }
    for (int order = 0; order <= 3; order++) {
        const size_t size = dlpi_program_room(&draft.program, 2, order, slot);
        double *room = malloc(size * sizeof *room), jet[10 * N], one[10];
        dlpi_program_run(&draft.program, N, input, 2, slot, order, jet, room);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < 4; i++) single[i] = &values[i][j];
            dlpi_program_run(&draft.program, 1, single, 2, slot, order, one, room);
            for (int i = 0; i < dlpi_jet_size(2, order); i++)
                assert_memory_equal(&one[i], &jet[i * N + j], sizeof *one);
        }
        free(room);
    }
    dlpi_program_draft_free(&draft);
    dlpi_builder_free(b);
}

/* 64 slots to second order: sum_i x_i x_(i+1) exp(x_i). */
static void many_slots(void **state)
{
    (void)state;
    enum { K = 64 };
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    dlpi_expr sum = dlpi_literal(b, 0);
    double x[K], *jet = malloc((size_t)dlpi_jet_size(K, 2) * sizeof *jet);
    for (int i = 0; i < K; i++) x[i] = 0.01 * i;
    for (int i = 0; i + 1 < K; i++) {
        const dlpi_expr pair =
            dlpi_apply2(b, DLPI_OP_MUL, dlpi_cell(b, i), dlpi_cell(b, i + 1));
        const dlpi_expr grown = dlpi_apply1(b, DLPI_OP_EXP, dlpi_cell(b, i));
        sum = dlpi_apply2(b, DLPI_OP_ADD, sum, dlpi_apply2(b, DLPI_OP_MUL, pair, grown));
    }
    jet_at(b, sum, K, x, 2, jet);
    for (int i = 1; i + 1 < K; i++) {
        const double e = exp(x[i]), before = exp(x[i - 1]);
        assert_close(jet[1 + i], (1 + x[i]) * x[i + 1] * e + x[i - 1] * before, 1e-14);
        assert_close(jet[dlpi_place2(K, i, i)], (2 + x[i]) * x[i + 1] * e, 1e-14);
        assert_close(jet[dlpi_place2(K, i, i + 1)], (1 + x[i]) * e, 1e-14);
        if (i + 2 < K) assert_true(jet[dlpi_place2(K, i, i + 2)] == 0);
    }
    free(jet);
    dlpi_builder_free(b);
}

static void places(void **state)
{
    (void)state;
    for (int k = 1; k <= 8; k++) {
        int place = 1 + k;
        for (int i = 0; i < k; i++)
            for (int j = i; j < k; j++) assert_int_equal(dlpi_place2(k, i, j), place++);
        for (int i = 0; i < k; i++)
            for (int j = i; j < k; j++)
                for (int l = j; l < k; l++)
                    assert_int_equal(dlpi_place3(k, i, j, l), place++);
        assert_int_equal(place, dlpi_jet_size(k, 3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(unary_operations),
        cmocka_unit_test(chains),
        cmocka_unit_test(binary_operations),
        cmocka_unit_test(incomplete_functions),
        cmocka_unit_test(powers),
        cmocka_unit_test(tails),
        cmocka_unit_test(batches),
        cmocka_unit_test(many_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
