/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions: equal ones are one node, rules keep values, programs depend on shape alone. */
#include "bugs_expressions.h"
#include "density/distribution.h"
#include "failing_allocator.h"
#include "language/evaluate.h"

static dlpi_expr un(dlpi_builder *b, dlpi_op op, dlpi_expr x)
{
    return dlpi_apply1(b, op, x);
}

static dlpi_expr bin(dlpi_builder *b, dlpi_op op, dlpi_expr x, dlpi_expr y)
{
    return dlpi_apply2(b, op, x, y);
}

static dlpi_op op_of(const dlpi_builder *b, dlpi_expr e)
{
    return dlpi_builder_node(b, e)->op;
}

static dlpi_builder *new_builder(void)
{
    dlpi_builder *b = NULL;
    assert_ok(dlpi_builder_alloc(&b, error));
    return b;
}

/* ---- nodes ---- */

/* Numbers chosen so that a hash of products and shifts without a key has the same lower half of
   all of them: (h ^ bits) K, folded, twice over. */
static void chosen_numbers_do_not_collide(void **state)
{
    enum { COUNT = 20000 };
    const uint64_t K = 0x9e3779b97f4a7c15;
    uint64_t inverse = K; /* of K, by Newton's steps */
    (void)state;
    for (int i = 0; i < 6; i++) inverse *= 2 - K * inverse;
    dlpi_builder *b = new_builder();
    uint64_t before = (uint64_t)DLPI_OP_LITERAL;
    for (int i = 0; i < 2; i++) {
        before = (before ^ (i ? UINT64_MAX : UINT32_MAX)) * K;
        before ^= before >> 32;
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t word = (i << 32 | (i ^ 0xabcdef)) * inverse ^ UINT64_MAX;
        word ^= word >> 32;
        word = word * inverse ^ before;
        double number;
        memcpy(&number, &word, sizeof number);
        if (isfinite(number)) dlpi_literal(b, number);
    }
    assert_true(dlpi_builder_size(b) > COUNT / 2);
    assert_true(dlpi_builder_longest_search(b) < 200);
    dlpi_builder_free(b);
}

static void nodes(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    const dlpi_expr x = dlpi_cell(b, 7), y = dlpi_cell(b, 8), two = dlpi_literal(b, 2);
    assert_int_equal(dlpi_cell(b, 7), x);
    assert_int_equal(dlpi_literal(b, 2), two);
    assert_int_equal(bin(b, DLPI_OP_ADD, x, y), bin(b, DLPI_OP_ADD, y, x));
    assert_int_not_equal(bin(b, DLPI_OP_SUB, x, y), bin(b, DLPI_OP_SUB, y, x));
    /* numbers of data are not the same because they are equal */
    assert_int_not_equal(dlpi_datum(b, 2), dlpi_datum(b, 2));
    assert_int_not_equal(dlpi_datum_of(b, 3, 2), dlpi_datum_of(b, 4, 2));
    assert_int_equal(dlpi_datum_of(b, 3, 2), dlpi_datum_of(b, 3, 2));
    const dlpi_expr d = dlpi_datum_of(b, 3, 2), e = un(b, DLPI_OP_EXP, d);
    assert_int_equal(op_of(b, e), DLPI_OP_DATA);
    assert_int_equal(un(b, DLPI_OP_EXP, d), e);
    assert_int_equal(op_of(b, un(b, DLPI_OP_EXP, two)), DLPI_OP_LITERAL);
    assert_int_equal(op_of(b, bin(b, DLPI_OP_MUL, two, d)), DLPI_OP_DATA);
    double number;
    assert_true(dlpi_is_number(b, e, &number));
    assert_close(number, exp(2), 1e-15);
    assert_false(dlpi_is_number(b, x, NULL));
    dlpi_builder_clear(b);
    assert_int_equal(dlpi_cell(b, 9), 0);
    assert_int_equal(dlpi_builder_size(b), 1);
    dlpi_builder_free(b);
    dlpi_builder_free(NULL);
}

/* More nodes than the first tables have room for, twice. */
static void many_nodes(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    for (int round = 0; round < 2; round++, dlpi_builder_clear(b)) {
        for (int i = 0; i < 5000; i++)
            assert_int_equal(dlpi_cell(b, 3 * (dlp_index)i), i);
        for (int i = 0; i < 5000; i++)
            assert_int_equal(dlpi_cell(b, 3 * (dlp_index)i), i);
        dlpi_expr *small = dlpi_builder_room(b, 10),
                  *large = dlpi_builder_room(b, 100000);
        assert_non_null(small);
        assert_non_null(large);
        small[9] = large[99999] = 1;
    }
    dlpi_builder_free(b);
}

/* ---- rules ---- */

static void rules(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    const dlpi_expr x = dlpi_cell(b, 0), zero = dlpi_literal(b, 0),
                    one = dlpi_literal(b, 1), two = dlpi_literal(b, 2),
                    minus_x = un(b, DLPI_OP_NEG, x);
    const dlpi_expr data_zero = dlpi_datum(b, 0);
    assert_int_equal(bin(b, DLPI_OP_ADD, x, zero), x);
    assert_int_equal(bin(b, DLPI_OP_MUL, x, one), x);
    assert_int_equal(bin(b, DLPI_OP_MUL, x, zero), zero);
    assert_int_not_equal(bin(b, DLPI_OP_ADD, x, data_zero), x); /* data may not vanish */
    assert_int_equal(op_of(b, bin(b, DLPI_OP_MUL, x, data_zero)), DLPI_OP_MUL);
    assert_int_equal(un(b, DLPI_OP_NEG, minus_x), x);
    assert_int_equal(bin(b, DLPI_OP_MUL, x, x), un(b, DLPI_OP_SQUARE, x));
    assert_int_equal(bin(b, DLPI_OP_POW, x, two), un(b, DLPI_OP_SQUARE, x));
    const dlpi_expr minus_two = dlpi_literal(b, -2);
    assert_int_equal(bin(b, DLPI_OP_POW, x, minus_two),
                     bin(b, DLPI_OP_DIV, one, un(b, DLPI_OP_SQUARE, x)));
    /* a condition that is a number takes its branch, of data as well */
    assert_int_equal(dlpi_apply(b, DLPI_OP_IFELSE, data_zero, x, one), one);
    dlpi_builder_free(b);
}

static void rules_of_logarithms(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    const dlpi_expr x = dlpi_cell(b, 0), y = dlpi_cell(b, 1),
                    s = dlpi_positive_cell(b, 2);
    const dlpi_expr one = dlpi_literal(b, 1), minus_two = dlpi_literal(b, -2),
                    minus_x = un(b, DLPI_OP_NEG, x);
    /* precision and standard deviation */
    const dlpi_expr tau = bin(b, DLPI_OP_POW, s, minus_two);
    assert_int_equal(un(b, DLPI_OP_LOG, tau),
                     bin(b, DLPI_OP_MUL, minus_two, un(b, DLPI_OP_LOG, s)));
    assert_int_equal(un(b, DLPI_OP_SQRT, tau), bin(b, DLPI_OP_DIV, one, s));
    assert_int_equal(un(b, DLPI_OP_SQUARE, un(b, DLPI_OP_SQRT, x)), x);
    assert_int_equal(un(b, DLPI_OP_LOG, un(b, DLPI_OP_EXP, x)), x);
    assert_int_equal(un(b, DLPI_OP_EXP, un(b, DLPI_OP_LOG, x)), x);
    /* probabilities */
    const dlpi_expr p = un(b, DLPI_OP_ILOGIT, x), q = bin(b, DLPI_OP_SUB, one, p);
    assert_int_equal(q, un(b, DLPI_OP_ILOGIT, minus_x));
    assert_int_equal(un(b, DLPI_OP_LOG, q),
                     un(b, DLPI_OP_NEG, un(b, DLPI_OP_LOG1P_EXP, x)));
    assert_int_equal(un(b, DLPI_OP_LOGIT, p), x);
    assert_int_equal(un(b, DLPI_OP_LOG, bin(b, DLPI_OP_SUB, one, un(b, DLPI_OP_PHI, x))),
                     un(b, DLPI_OP_LOG_PHI, minus_x));
    const dlpi_expr c = un(b, DLPI_OP_ICLOGLOG, x);
    assert_int_equal(un(b, DLPI_OP_LOG, bin(b, DLPI_OP_SUB, one, c)),
                     un(b, DLPI_OP_NEG, un(b, DLPI_OP_EXP, x)));
    assert_int_equal(op_of(b, un(b, DLPI_OP_LOG, c)), DLPI_OP_LOG1M_EXP);
    /* exp(x) / (1 + exp(x)), and softmax */
    const dlpi_expr ex = un(b, DLPI_OP_EXP, x), ey = un(b, DLPI_OP_EXP, y);
    assert_int_equal(bin(b, DLPI_OP_DIV, ex, bin(b, DLPI_OP_ADD, one, ex)), p);
    const dlpi_expr sum = bin(b, DLPI_OP_ADD, ex, ey);
    assert_int_equal(un(b, DLPI_OP_LOG, sum), bin(b, DLPI_OP_LOG_ADD_EXP, x, y));
    assert_int_equal(un(b, DLPI_OP_LOG, bin(b, DLPI_OP_DIV, ex, sum)),
                     bin(b, DLPI_OP_SUB, x, bin(b, DLPI_OP_LOG_ADD_EXP, x, y)));
    dlpi_builder_free(b);
}

/* A simplex adds up to 1, and softmax weights need no second sum. */
static void simplexes(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlpi_expr p[3], u[3], two = dlpi_datum(b, 2);
    const dlpi_distribution *d = dlpi_distribution_find("dcat");
    const dlpi_value y = {.n = 1, .at = &two},
                     simplex = {.n_dim = 1, .dim = {3}, .n = 3, .at = p};
    for (int i = 0; i < 3; i++) p[i] = dlpi_simplex_cell(b, 10 + 5 * i, 10, 3);
    assert_int_equal(d->log_density(b, &y, &simplex), un(b, DLPI_OP_LOG, p[1]));
    const dlpi_value part = {.n_dim = 1, .dim = {2}, .n = 2, .at = p};
    assert_int_equal(op_of(b, d->log_density(b, &y, &part)), DLPI_OP_SUB);
    dlpi_expr sum = dlpi_literal(b, 0), log_sum = dlpi_literal(b, -INFINITY);
    for (int i = 0; i < 3; i++) {
        u[i] = dlpi_cell(b, i);
        sum = bin(b, DLPI_OP_ADD, sum, un(b, DLPI_OP_EXP, u[i]));
        log_sum = bin(b, DLPI_OP_LOG_ADD_EXP, log_sum, u[i]);
    }
    for (int i = 0; i < 3; i++) p[i] = bin(b, DLPI_OP_DIV, un(b, DLPI_OP_EXP, u[i]), sum);
    assert_int_equal(d->log_density(b, &y, &simplex), bin(b, DLPI_OP_SUB, u[1], log_sum));
    /* the last one is the baseline, and the sum begins with it */
    dlpi_expr rest = dlpi_literal(b, 1);
    for (int i = 0; i < 2; i++)
        rest = bin(b, DLPI_OP_ADD, rest, un(b, DLPI_OP_EXP, u[i]));
    for (int i = 0; i < 2; i++)
        p[i] = bin(b, DLPI_OP_DIV, un(b, DLPI_OP_EXP, u[i]), rest);
    p[2] = bin(b, DLPI_OP_DIV, dlpi_literal(b, 1), rest);
    assert_int_equal(d->log_density(b, &y, &simplex),
                     bin(b, DLPI_OP_SUB, u[1], un(b, DLPI_OP_LOG, rest)));
    dlpi_builder_free(b);
}

/* Far from the middle, where the plain forms are lost. */
static void tails(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    const dlpi_expr x = dlpi_cell(b, 0), y = dlpi_cell(b, 1), one = dlpi_literal(b, 1);
    const double far[2] = {-900, -905};
    const dlpi_expr p = un(b, DLPI_OP_ILOGIT, x);
    assert_close(value_at(b, un(b, DLPI_OP_LOG, p), far), -900.0, 1e-15);
    const dlpi_expr sum =
        bin(b, DLPI_OP_ADD, un(b, DLPI_OP_EXP, x), un(b, DLPI_OP_EXP, y));
    assert_close(value_at(b, un(b, DLPI_OP_LOG, sum), far), -900 + log1p(exp(-5)), 1e-15);
    const dlpi_expr share = bin(b, DLPI_OP_DIV, un(b, DLPI_OP_EXP, y), sum);
    assert_close(value_at(b, share, far), exp(-5) / (1 + exp(-5)), 1e-13);
    /* a mixture of two normal densities far away from both */
    const dlpi_distribution *d = dlpi_distribution_find("dnorm");
    const dlpi_expr far_away = dlpi_datum(b, 100), weight = un(b, DLPI_OP_ILOGIT, x);
    const dlpi_value value = {.n = 1, .at = &far_away};
    dlpi_expr mixture = -1;
    for (int i = 0; i < 2; i++) {
        const dlpi_expr mean = dlpi_cell(b, i), tau = dlpi_cell(b, 2);
        const dlpi_value params[2] = {{.n = 1, .at = &mean}, {.n = 1, .at = &tau}};
        const dlpi_expr share_of = i ? bin(b, DLPI_OP_SUB, one, weight) : weight;
        const dlpi_expr part = bin(b, DLPI_OP_MUL, share_of,
                                   un(b, DLPI_OP_EXP, d->log_density(b, &value, params)));
        mixture = i ? bin(b, DLPI_OP_ADD, mixture, part) : part;
    }
    const double at[3] = {0.5, -1, 2}, shares = 1 / (1 + exp(-0.5));
    const double near_part = log(shares) + 0.5 * log(2 / (2 * PI)) - 99.5 * 99.5;
    assert_close(value_at(b, un(b, DLPI_OP_LOG, mixture), at), near_part, 1e-14);
    dlpi_builder_free(b);
}

/* ---- rules keep values: random expressions beside plain arithmetic ---- */

typedef struct pair {
    dlpi_expr e;
    double value; /* as it is written */
    bool usual;   /* no infinity, NaN, or large number on the way to it */
} pair;

static double plain_value(dlpi_op op, double a, double b, double c)
{
    switch (op) {
    case DLPI_OP_MUL: return a * b;
    case DLPI_OP_POW: return pow(a, b);
    case DLPI_OP_LOG_ADD_EXP: return log(exp(a) + exp(b));
    default: return dlpi_op_value(op, a, b, c);
    }
}

static const dlpi_op usual[] = {
    DLPI_OP_ADD,   DLPI_OP_SUB, DLPI_OP_MUL,      DLPI_OP_DIV,     DLPI_OP_NEG,
    DLPI_OP_POW,   DLPI_OP_EXP, DLPI_OP_LOG,      DLPI_OP_SQRT,    DLPI_OP_SQUARE,
    DLPI_OP_LOG,   DLPI_OP_EXP, DLPI_OP_LOG,      DLPI_OP_ADD,     DLPI_OP_MUL,
    DLPI_OP_LOGIT, DLPI_OP_PHI, DLPI_OP_LOG_PHI,  DLPI_OP_ILOGIT,  DLPI_OP_PROBIT,
    DLPI_OP_SUB,   DLPI_OP_DIV, DLPI_OP_ICLOGLOG, DLPI_OP_CLOGLOG, DLPI_OP_LOG_ADD_EXP,
    DLPI_OP_ABS,   DLPI_OP_MAX, DLPI_OP_LOG1P_EXP};

/* A random expression of up to 12 operations; its value as it is written at x. */
static pair random_expression(dlpi_builder *b, dlp_rng *rng, const double *x)
{
    enum { LEAVES = 10, OPERATIONS = 12 };
    static const double literals[] = {0, 1, 2, -1, 0.5, -2, 3.7};
    pair p[LEAVES + OPERATIONS];
    int n = 0;
    for (int i = 0; i < 3; i++) p[n++] = (pair){dlpi_cell(b, i), x[i], true};
    p[0].e = dlpi_positive_cell(b, 0);
    for (int i = 0; i < 5; i++) {
        const double value = literals[dlp_draw_bits(rng) % 7];
        p[n++] = (pair){dlpi_literal(b, value), value, true};
    }
    p[n++] = (pair){dlpi_datum(b, 1.3), 1.3, true};
    p[n++] = (pair){dlpi_datum(b, 0.4), 0.4, true};
    for (int i = 0; i < OPERATIONS; i++, n++) {
        const dlpi_op op = usual[dlp_draw_bits(rng) % (sizeof usual / sizeof usual[0])];
        pair a[3];
        for (int j = 0; j < 3; j++) { /* the last ones more often */
            const uint64_t back = dlp_draw_bits(rng) % 3 ? 4 : (uint64_t)n;
            a[j] = p[n - 1 - (int)(dlp_draw_bits(rng) % back)];
        }
        const int arity = dlpi_op_arity(op);
        p[n].value = plain_value(op, a[0].value, a[1].value, a[2].value);
        p[n].e = dlpi_apply(b, op, a[0].e, arity > 1 ? a[1].e : -1, -1);
        p[n].usual = fabs(p[n].value) < 1e4 && a[0].usual && (arity == 1 || a[1].usual);
    }
    return p[n - 1];
}

static void random_expressions(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlp_rng rng = dlp_rng_at(21, 0);
    int compared = 0;
    for (int i = 0; i < 40000; i++) {
        dlpi_builder_clear(b);
        double x[3] = {0.2 + 2 * dlp_draw_uniform(&rng), 0, 0};
        for (int j = 1; j < 3; j++) x[j] = 2 * dlp_draw_uniform(&rng) - 0.5;
        const pair p = random_expression(b, &rng, x);
        if (!p.usual) continue;
        compared++;
        /* 1e-5: digits that the plain form has lost are not the rules' fault */
        assert_close(value_at(b, p.e, x), p.value, 1e-5);
    }
    assert_true(compared > 10000);
    dlpi_builder_free(b);
}

/* ---- depth ---- */

static void long_chains(void **state)
{
    (void)state;
    enum { LONG = 200000 };
    dlpi_builder *b = new_builder();
    dlpi_expr product = dlpi_positive_cell(b, 0), sum = un(b, DLPI_OP_EXP, product);
    for (int i = 1; i < LONG; i++) {
        const dlpi_expr x = dlpi_positive_cell(b, i % 50);
        product = bin(b, DLPI_OP_MUL, product, un(b, DLPI_OP_SQRT, x));
        sum = bin(b, DLPI_OP_ADD, sum, un(b, DLPI_OP_EXP, x));
    }
    double x[50];
    for (int i = 0; i < 50; i++) x[i] = i % 2 ? 0.5 : 2;
    assert_near(value_at(b, un(b, DLPI_OP_LOG, product), x), 0.5 * log(2), 1e-6);
    const double total = 0.5 * LONG * (exp(0.5) + exp(2));
    assert_close(value_at(b, un(b, DLPI_OP_LOG, sum), x), log(total), 1e-10);
    assert_false(dlpi_builder_failed(b));
    dlpi_builder_free(b);
}

/* Terms that are shared again and again: 2^60 of them, if they were not one node. */
static void shared_terms(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlpi_expr e = un(b, DLPI_OP_EXP, dlpi_cell(b, 0));
    for (int i = 0; i < 60; i++)
        e = bin(b, DLPI_OP_ADD, e,
                bin(b, DLPI_OP_MUL, e, un(b, DLPI_OP_EXP, dlpi_cell(b, 1))));
    const double x[2] = {0.3, 0};
    assert_close(value_at(b, un(b, DLPI_OP_LOG, e), x), 0.3 + 60 * log(2), 1e-13);
    dlpi_builder_free(b);
}

/* ---- programs ---- */

/* dnorm(a + c[g] x, tau) */
static void make_factor(dlpi_builder *b, double x, double y, int group,
                        dlpi_program_draft *draft)
{
    const dlpi_distribution *d = dlpi_distribution_find("dnorm");
    dlpi_builder_clear(b);
    const dlpi_expr slope =
        bin(b, DLPI_OP_MUL, dlpi_cell(b, 10 + group), dlpi_datum(b, x));
    const dlpi_expr mean = bin(b, DLPI_OP_ADD, dlpi_cell(b, 0), slope);
    const dlpi_expr tau = dlpi_cell(b, 1), observed = dlpi_datum(b, y);
    const dlpi_value value = {.n = 1, .at = &observed};
    const dlpi_value params[2] = {{.n = 1, .at = &mean}, {.n = 1, .at = &tau}};
    assert_ok(dlpi_program_make(b, d->log_density(b, &value, params), draft, error));
}

static void programs(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlpi_program_draft draft = {0};
    dlpi_program_table *table;
    assert_ok(dlpi_program_table_alloc(&table, error));
    int32_t number, first;
    make_factor(b, 1.5, 2.5, 3, &draft);
    assert_ok(dlpi_program_table_find(table, &draft, &first, error));
    assert_int_equal(draft.program.n_inputs, 5);
    make_factor(b, 0, 0, 4, &draft); /* numbers that would fold, were they literals */
    assert_ok(dlpi_program_table_find(table, &draft, &number, error));
    assert_int_equal(number, first);
    int seen = 0;
    for (int i = 0; i < 5; i++) {
        seen += draft.cell[i] == 0 || draft.cell[i] == 1 || draft.cell[i] == 14;
        assert_true(draft.cell[i] >= 0 ? isnan(draft.value[i]) : draft.value[i] == 0);
    }
    assert_int_equal(seen, 3);
    make_factor(b, 2, 1, -10, &draft); /* the slope is the intercept: one input less */
    assert_ok(dlpi_program_table_find(table, &draft, &number, error));
    assert_int_equal(number, 1);
    assert_int_equal(draft.program.n_inputs, 4);
    /* many programs */
    for (int i = 0; i < 300; i++) {
        dlpi_builder_clear(b);
        const dlpi_expr e =
            bin(b, DLPI_OP_ADD, dlpi_literal(b, i + 0.5), dlpi_cell(b, 0));
        assert_ok(dlpi_program_make(b, e, &draft, error));
        assert_ok(dlpi_program_table_find(table, &draft, &number, error));
        assert_int_equal(number, 2 + i);
    }
    assert_int_equal(dlpi_program_table_size(table), 302);
    assert_int_equal(dlpi_program_table_at(table, first)->n_inputs, 5);
    dlpi_program_draft_free(&draft);
    dlpi_program_table_free(table);
    dlpi_program_table_free(NULL);
    dlpi_builder_free(b);
}

/* ---- functions ---- */

static dlpi_value vector_of(dlpi_expr *at, dlp_index n)
{
    return (dlpi_value){.n_dim = 1, .dim = {n}, .n = n, .at = at};
}

static dlp_status call(dlpi_builder *b, const char *name, int n_args,
                       const dlpi_value *args, dlpi_value *result, dlp_error *error)
{
    const dlpi_bugs_function *f = dlpi_bugs_function_find(name);
    assert_non_null(f);
    assert_true(n_args >= f->n_args && (f->n_args_max < 0 || n_args <= f->n_args_max));
    return f->build(f, b, n_args, args, result, error);
}

static double call_value(dlpi_builder *b, const char *name, int n_args,
                         const dlpi_value *args, dlp_index i)
{
    dlpi_value result;
    assert_ok(call(b, name, n_args, args, &result, error));
    assert_true(i < result.n);
    return value_at(b, result.at[i], (double[8]){3, -1, 2, 0.5, 4, 1.5, 0.2, 0.1});
}

static void functions(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlpi_expr x[8];
    for (int i = 0; i < 8; i++) x[i] = dlpi_cell(b, i); /* 3 -1 2 .5 4 1.5 .2 .1 */
    const dlpi_expr two = dlpi_literal(b, 2);
    const dlpi_value v = vector_of(x, 3), w = vector_of(x + 3, 3),
                     scalar = {.n = 1, .at = &two}, all[2] = {v, w},
                     with_scalar[2] = {v, scalar};
    assert_near(call_value(b, "sum", 2, all, 0), 10, 1e-14);
    assert_near(call_value(b, "mean", 1, all, 0), 4.0 / 3, 1e-14);
    assert_near(call_value(b, "sd", 1, all, 0), 2.0816659994661326, 1e-14);
    assert_near(call_value(b, "var", 1, all, 0), 13.0 / 3, 1e-14);
    assert_near(call_value(b, "prod", 1, all, 0), -6, 1e-14);
    assert_near(call_value(b, "max", 2, all, 0), 4, 0);
    assert_near(call_value(b, "min", 2, all, 0), -1, 0);
    assert_near(call_value(b, "inprod", 2, all, 0), 1.5 - 4 + 3, 1e-14);
    assert_near(call_value(b, "%*%", 2, all, 0), 0.5, 1e-14);
    assert_near(call_value(b, "+", 2, with_scalar, 1), 1, 0);
    assert_near(call_value(b, "<", 2, with_scalar, 0), 0, 0);
    assert_near(call_value(b, "<", 2, with_scalar, 1), 1, 0);
    assert_near(call_value(b, "<=", 2, with_scalar, 2), 1, 0);
    assert_near(call_value(b, "!=", 2, with_scalar, 2), 0, 0);
    assert_near(call_value(b, "length", 1, all, 0), 3, 0);
    assert_near(call_value(b, "c", 2, all, 4), 4, 0);
    assert_near(call_value(b, "rep", 2, with_scalar, 4), -1, 0);
    assert_near(call_value(b, "logfact", 1, &(dlpi_value){.n = 1, .at = x + 4}, 0),
                log(24), 1e-14);
    assert_near(call_value(b, "arcsinh", 1, &v, 1), asinh(-1), 1e-14);
    assert_near(call_value(b, "arctanh", 1, &w, 0), atanh(0.5), 1e-14);
    assert_near(call_value(b, "arccosh", 1, &v, 0), acosh(3), 1e-14);
    dlpi_value result;
    const dlpi_value unequal[2] = {v, vector_of(x, 4)};
    assert_fails(call(b, "+", 2, unequal, &result, error), DLP_EINVAL, "different sizes");
    assert_fails(call(b, "inprod", 2, unequal, &result, error), DLP_EINVAL, "3 and 4");
    assert_fails(call(b, "inverse", 1, &v, &result, error), DLP_EINVAL, "square");
    dlpi_builder_free(b);
}

/* sort, rank and order of cells, by comparisons */
static void orders(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    dlpi_expr x[3];
    for (int i = 0; i < 3; i++) x[i] = dlpi_cell(b, i); /* 3 -1 2 */
    const dlpi_value v = vector_of(x, 3);
    static const double sorted[3] = {-1, 2, 3}, ranked[3] = {3, 1, 2},
                        order[3] = {2, 3, 1};
    for (int i = 0; i < 3; i++) {
        assert_near(call_value(b, "sort", 1, &v, i), sorted[i], 0);
        assert_near(call_value(b, "rank", 1, &v, i), ranked[i], 0);
        assert_near(call_value(b, "order", 1, &v, i), order[i], 0);
    }
    dlpi_builder_free(b);
}

/* inverse and logdet of symmetric matrices of cells or of data, sizes 1 to 5 */
static void matrices(void **state)
{
    (void)state;
    dlpi_builder *b = new_builder();
    for (int n = 1; n <= 5; n++)
        for (int data = 0; data < 2; data++) {
            dlpi_builder_clear(b);
            double x[25];
            dlpi_expr at[25];
            for (int i = 0; i < n * n; i++) {
                const int row = i % n, column = i / n;
                x[i] =
                    (row == column ? n + 0.3 * row : 0) + 0.4 / (1 + abs(row - column));
                at[i] = data ? dlpi_datum(b, x[i]) : dlpi_cell(b, i);
            }
            const dlpi_value a = {2, {n, n}, (dlp_index)n * n, at};
            dlpi_value inverse, product, log_det, log_det_inverse;
            assert_ok(call(b, "inverse", 1, &a, &inverse, error));
            const dlpi_value both[2] = {a, inverse};
            assert_ok(call(b, "%*%", 2, both, &product, error));
            assert_int_equal(product.n, n * n);
            for (int i = 0; i < n * n; i++)
                assert_near(value_at(b, product.at[i], x), i % (n + 1) == 0, 1e-14);
            assert_ok(call(b, "logdet", 1, &a, &log_det, error));
            assert_ok(call(b, "logdet", 1, &inverse, &log_det_inverse, error));
            const double log_a = value_at(b, log_det.at[0], x);
            assert_near(log_a + value_at(b, log_det_inverse.at[0], x), 0, 1e-13);
        }
    dlpi_builder_free(b);
}

/* A precision matrix of numbers costs its number of elements, not its cube. */
static void large_normal(void **state)
{
    (void)state;
    enum { N = 300 };
    dlpi_builder *b = new_builder();
    dlpi_expr *omega = malloc((size_t)N * N * sizeof *omega), y[N], mu[N];
    double x[N], form = 0;
    for (int i = 0; i < N; i++) {
        y[i] = dlpi_cell(b, i);
        mu[i] = dlpi_literal(b, 0);
        x[i] = sin(i);
        form += 2 * x[i] * x[i] + (i ? -2 * 0.5 * x[i] * x[i - 1] : 0);
    }
    for (int i = 0; i < N * N; i++) {
        const int gap = abs(i % N - i / N);
        omega[i] = dlpi_datum(b, gap == 0 ? 2 : gap == 1 ? -0.5 : 0);
    }
    const dlpi_value value = {1, {N}, N, y},
                     params[2] = {{1, {N}, N, mu}, {2, {N, N}, (dlp_index)N * N, omega}};
    const dlpi_distribution *d = dlpi_distribution_find("dmnorm");
    const dlpi_expr e = d->log_density(b, &value, params);
    assert_true(dlpi_builder_size(b) < (dlp_index)6 * N * N);
    double log_det = 0, pivot = 2; /* of a tridiagonal matrix */
    for (int i = 0; i < N; i++, pivot = 2 - 0.25 / pivot) log_det += log(pivot);
    assert_close(value_at(b, e, x), 0.5 * (log_det - N * log(2 * PI) - form), 1e-12);
    free(omega);
    dlpi_builder_free(b);
}

/* pnorm and the like, and their quantiles */
static void probability_functions(void **state)
{
    (void)state;
    static const struct {
        const char *p, *q;
        int n;
        double at, param[3];
    } list[] = {
        {"pnorm", "qnorm", 2, 1.2, {0.3, 2}},   {"pgamma", "qgamma", 2, 1.2, {2.2, 1.3}},
        {"pbeta", "qbeta", 2, 0.3, {2.2, 1.3}}, {"pt", "qt", 3, -0.4, {0.2, 1.1, 3.4}},
        {"pexp", "qexp", 1, 0.7, {1.4}},        {"pweib", "qweib", 2, 0.7, {1.4, 0.6}},
        {"plnorm", "qlnorm", 2, 0.7, {0.2, 2}}, {"plogis", "qlogis", 2, 3, {0.2, 2}},
        {"ppar", "qpar", 2, 3, {1.2, 2}},       {"pchisq", "qchisq", 1, 3, {4.4}},
        {"ppois", "qpois", 1, 4, {3.3}},        {"pbin", "qbin", 2, 4, {0.4, 9}},
        {"punif", "qunif", 2, 0.6, {-1, 2}}};
    dlpi_builder *b = new_builder();
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        dlpi_expr at[4] = {dlpi_datum(b, list[i].at)};
        dlpi_value args[4] = {{.n = 1, .at = at}}, p, q;
        for (int j = 0; j < list[i].n; j++) {
            at[j + 1] = dlpi_datum(b, list[i].param[j]);
            args[j + 1] = (dlpi_value){.n = 1, .at = at + j + 1};
        }
        assert_ok(call(b, list[i].p, list[i].n + 1, args, &p, error));
        at[0] = p.at[0];
        assert_ok(call(b, list[i].q, list[i].n + 1, args, &q, error));
        assert_close(value_at(b, q.at[0], NULL), list[i].at, 1e-11);
    }
    dlpi_builder_free(b);
}

/* What has a value for numbers has one for expressions: constants and latent values are
   computed by different tables. */
static void same_functions(void **state)
{
    (void)state;
    const dlpi_number_function *f;
    for (int i = 0; (f = dlpi_number_function_at(i)); i++) {
        const dlpi_bugs_function *g = dlpi_bugs_function_find(f->name);
        if (!g) print_message("%s\n", f->name);
        assert_non_null(g);
        assert_true(!f->alias || dlpi_bugs_function_find(f->alias));
    }
}

/* ---- without memory ---- */

static dlp_status build_much(dlp_error *error)
{
    dlpi_builder *b = NULL;
    dlpi_program_table *table = NULL;
    dlpi_program_draft draft = {0};
    int32_t number;
    dlp_status status = dlpi_builder_alloc(&b, error);
    if (status == DLP_OK) status = dlpi_program_table_alloc(&table, error);
    for (int i = 0; status == DLP_OK && i < 40; i++) {
        dlpi_expr e = dlpi_literal(b, i);
        for (int j = 0; j < 30 * i; j++)
            e = bin(b, DLPI_OP_ADD, e, un(b, DLPI_OP_SIN, dlpi_cell(b, j)));
        dlpi_builder_room(b, 500);
        if (dlpi_builder_failed(b)) status = DLP_ENOMEM;
        if (status == DLP_OK) status = dlpi_program_make(b, e, &draft, error);
        if (status == DLP_OK)
            status = dlpi_program_table_find(table, &draft, &number, error);
        dlpi_builder_clear(b);
    }
    dlpi_program_draft_free(&draft);
    dlpi_program_table_free(table);
    dlpi_builder_free(b);
    return status;
}

static void no_memory(void **state)
{
    (void)state;
    dlp_status status = DLP_ENOMEM;
    for (int i = 0; i < 500 && status != DLP_OK; i++) {
        dlp_error error = {0};
        allocations_left = i;
        status = build_much(&error);
        allocations_left = -1;
        if (status != DLP_OK) assert_int_equal(status, DLP_ENOMEM);
    }
    assert_int_equal(status, DLP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes),
        cmocka_unit_test(many_nodes),
        cmocka_unit_test(rules),
        cmocka_unit_test(rules_of_logarithms),
        cmocka_unit_test(simplexes),
        cmocka_unit_test(tails),
        cmocka_unit_test(chosen_numbers_do_not_collide),
        cmocka_unit_test(random_expressions),
        cmocka_unit_test(long_chains),
        cmocka_unit_test(shared_terms),
        cmocka_unit_test(programs),
        cmocka_unit_test(functions),
        cmocka_unit_test(orders),
        cmocka_unit_test(matrices),
        cmocka_unit_test(large_normal),
        cmocka_unit_test(probability_functions),
        cmocka_unit_test(same_functions),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
