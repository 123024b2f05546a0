/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of a multinomial response, one for each linear predictor: log p(y | psi) against
   Laplace's method written out with dense matrices, derivatives against differences, and whole
   fits whose levels are exchanged. */
#include "math/dense.h"
#include "mixed/block.h"
#include "mixed/levels/multinomial.h"
#include "support.h"

enum { NODES = 12, EACH = 4, N = NODES * EACH, D = 2, P = 2, ALL = D * (NODES + P) };

typedef struct rows {
    double one[N], x[N], y[N], t[N];
    int32_t code[N], level[N];
    const double *X[P];
    dlpi_process process;
    dlpi_mixed_term term;
    dlpi_mixed_data data;
    dlpi_multinomial_rows repeated;
} rows;

static rows *draw_rows(bool walk)
{
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(5, walk);
    double gap[NODES], t[NODES];
    for (int i = 0; i < NODES; i++) {
        gap[i] = i > 0;
        t[i] = i;
    }
    for (int i = 0; i < N; i++) {
        r->code[i] = i % NODES;
        r->t[i] = r->code[i];
        r->one[i] = 1;
        r->x[i] = dlp_draw_normal(&rng);
        const double wave = sin(0.5 * r->code[i]) + 0.5 * r->x[i] + dlp_draw_normal(&rng);
        r->level[i] = (wave > -0.5) + (wave > 0.5);
        r->y[i] = r->level[i];
    }
    r->X[0] = r->one;
    r->X[1] = r->x;
    if (walk)
        assert_ok(dlpi_process_walk(NODES, t, 1, &r->process, error));
    else
        assert_ok(dlpi_process_ar1(NODES, gap, false, &r->process, error));
    r->term = (dlpi_mixed_term){NODES, 1, r->code, r->X, &r->process};
    r->data = (dlpi_mixed_data){
        .N = N, .p = P, .X = r->X, .y = r->y, .n_terms = 1, .term = &r->term};
    assert_ok(dlpi_multinomial_rows_make(&r->data, D + 1, &r->repeated, error));
    assert_int_equal(r->repeated.data.n_terms, D);
    return r;
}

static void free_rows(rows *r)
{
    dlpi_multinomial_rows_clear(&r->repeated);
    dlpi_process_clear(&r->process);
    free(r);
}

/* ---- Laplace's method, dense ---- */

static const double PRECISION = 0.25; /* of coefficients */

/* The inverse of sd^2 rho^|i - j| of each predictor, then of the coefficients; its log
   determinant. */
static double fill_prior(const double *sd, const double *rho, double *Q)
{
    double log_det = D * P * log(PRECISION);
    memset(Q, 0, ALL * ALL * sizeof *Q);
    for (int k = 0; k < D; k++) {
        double V[NODES * NODES], inverse[NODES * NODES], room[NODES * NODES];
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                V[i * NODES + j] = sd[k] * sd[k] * pow(rho[k], abs(i - j));
        assert_int_equal(dlpi_cholesky(NODES, V), -1);
        log_det -= dlpi_cholesky_log_det(NODES, V);
        dlpi_cholesky_inverse(NODES, V, room, inverse);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                Q[(k * NODES + i) * ALL + k * NODES + j] = inverse[i * NODES + j];
    }
    for (int i = D * NODES; i < ALL; i++) Q[i * (ALL + 1)] = PRECISION;
    return log_det;
}

/* f, its gradient and minus its Hessian, at u: nodes of each predictor, coefficients of each. */
static double written_out(const rows *r, const double *Q, const double *u, double *grad,
                          double *H)
{
    double f = 0;
    memcpy(H, Q, ALL * ALL * sizeof *H);
    for (int i = 0; i < ALL; i++) {
        grad[i] = -dlpi_dot(ALL, Q + i * ALL, u);
        f += 0.5 * u[i] * grad[i];
    }
    for (int i = 0; i < N; i++) {
        double pi[D], all = 1, A[D][ALL] = {{0}};
        for (int k = 0; k < D; k++) {
            A[k][k * NODES + r->code[i]] = 1;
            for (int j = 0; j < P; j++) A[k][D * NODES + k * P + j] = r->X[j][i];
            pi[k] = dlpi_dot(ALL, A[k], u);
            if (r->level[i] == k + 1) f += pi[k];
            all += pi[k] = exp(pi[k]);
        }
        f -= log(all);
        for (int k = 0; k < D; k++) {
            pi[k] /= all;
            dlpi_axpy(ALL, (r->level[i] == k + 1) - pi[k], A[k], grad);
        }
        for (int k = 0; k < D; k++)
            for (int l = 0; l < D; l++)
                for (int a = 0; a < ALL; a++)
                    dlpi_axpy(ALL, pi[k] * ((k == l) - pi[l]) * A[k][a], A[l],
                              H + a * ALL);
    }
    return f;
}

static double log_evidence(const rows *r, const double *sd, const double *rho)
{
    static double Q[ALL * ALL], H[ALL * ALL];
    double u[ALL] = {0}, grad[ALL], f = 0;
    const double log_det = fill_prior(sd, rho, Q);
    for (int i = 0; i < 30; i++) {
        f = written_out(r, Q, u, grad, H);
        assert_int_equal(dlpi_cholesky(ALL, H), -1);
        dlpi_cholesky_solve(ALL, H, grad);
        dlpi_axpy(ALL, i < 29 ? 1 : 0, grad, u);
    }
    return f + 0.5 * (log_det - dlpi_cholesky_log_det(ALL, H));
}

/* ---- ours ---- */

typedef struct ours {
    double precision[D * P * D * P], scale[D], start[ALL];
    dlpi_mixed_prior prior;
    dlpi_mixed model;
    dlpi_mixed_block block;
} ours;

static ours *make_ours(rows *r)
{
    ours *o = calloc(1, sizeof *o);
    for (int i = 0; i < D * P; i++) o->precision[i * (D * P + 1)] = PRECISION;
    for (int k = 0; k < D; k++) o->scale[k] = 2.5;
    o->prior = (dlpi_mixed_prior){
        .precision = o->precision, .sd_scale = o->scale, .sd_df = 3, .correlation = 1};
    const dlpi_mixed_data *data = &r->repeated.data;
    o->model = (dlpi_mixed){.data = data,
                            .prior = &o->prior,
                            .rule = DLPI_LEAF_LAPLACE,
                            .skewed = true,
                            .log_det_beta = D * P * log(PRECISION),
                            .x = o->start,
                            .b = o->start};
    assert_ok(dlpi_hyper_layout_make(data, &o->model.layout, error));
    assert_ok(dlpi_hyper_restrict(&o->model.layout, &o->prior, error));
    assert_ok(dlpi_mixed_rows_make(data, -1, &o->model.rows, error));
    assert_int_equal(o->model.rows.n, ALL);
    o->model.shape = dlp_shape_dense(ALL);
    assert_ok(dlpi_constraints_make(&o->model.rows, &o->model.constraints, error));
    assert_ok(dlpi_mixed_block_alloc(&o->model, &o->block, error));
    return o;
}

static void free_ours(ours *o)
{
    dlpi_mixed_block_free(&o->block);
    dlpi_constraints_clear(&o->model.constraints);
    dlpi_mixed_rows_clear(&o->model.rows);
    dlpi_hyper_layout_clear(&o->model.layout);
    free(o);
}

static void processes_are_those_of_dense_matrices(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    ours *o = make_ours(r);
    static const double sd[][D] = {{0.5, 1.5}, {1.2, 0.3}},
                        rho[][D] = {{0.8, -0.4}, {0.3, 0.95}};
    assert_int_equal(o->model.layout.m, 2 * D);
    for (int i = 0; i < 2; i++) {
        const double psi[] = {log(sd[i][0]), atanh(rho[i][0]), log(sd[i][1]),
                              atanh(rho[i][1])};
        double found = dlpi_mixed_block_at(&o->block, psi);
        for (int k = 0; k < 4; k++) found = dlpi_mixed_block_from(&o->block, psi);
        assert_close(found, log_evidence(r, sd[i], rho[i]), 1e-7);
    }
    free_ours(o);
    free_rows(r);
}

static void check_derivatives(bool walk)
{
    rows *r = draw_rows(walk);
    ours *o = make_ours(r);
    dlpi_mixed_block *k = &o->block;
    const double psi[] = {-0.3, 0.6, 0.4, -0.2}, step = 1e-4;
    double grad[ALL], H[ALL * ALL];
    dlpi_mixed_block_set(k, psi);
    for (int i = 0; i < ALL; i++) k->x[i] = 0.2 * (i % 5) - 0.3;
    dlpi_mixed_block_expand(k);
    memcpy(grad, k->gradient, sizeof grad);
    memcpy(H, k->H.a, sizeof H);
    for (int i = 0; i < ALL; i++) {
        double value[2], slope[2][ALL];
        const double kept = k->x[i];
        for (int side = 0; side < 2; side++) {
            k->x[i] = kept + (side ? step : -step);
            dlpi_mixed_block_expand(k);
            value[side] = k->f;
            memcpy(slope[side], k->gradient, sizeof grad);
        }
        k->x[i] = kept;
        assert_near(grad[i], (value[1] - value[0]) / (2 * step), 1e-5);
        for (int j = i; j < ALL; j++)
            assert_near(H[i * ALL + j], -(slope[1][j] - slope[0][j]) / (2 * step), 1e-5);
    }
    free_ours(o);
    free_rows(r);
}

static void processes_have_their_derivatives(void **state)
{
    (void)state;
    check_derivatives(false);
    check_derivatives(true);
}

/* ---- whole fits ---- */

static dlp_regression *fit(const char *formula, dlp_table *table)
{
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_regression *f = NULL;
    static const char *const fixed[] = {"sd = 0.8"};
    s.family = "multinomial";
    s.priors = fixed;
    s.n_priors = 1;
    assert_ok(dlp_regression_fit(formula, table, &s, &f, error));
    return f;
}

/* The second level and the third change places, and with them all that belongs to them. */
static void levels_change_places(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    static const char *const name[] = {"a", "b", "c"}, *const turned[] = {"a", "c", "b"};
    static const int32_t other[] = {0, 2, 1};
    int32_t level[N];
    for (int i = 0; i < N; i++) level[i] = other[r->level[i]];
    const dlp_column_data first[] = {
        {.name = "y", .code = r->level, .n_levels = 3, .level = name},
        {.name = "x", .number = r->x},
        {.name = "t", .number = r->t}};
    dlp_column_data second[3];
    memcpy(second, first, sizeof first);
    second[0].code = level;
    second[0].level = turned;
    dlp_table *tables[2];
    assert_ok(dlp_table_from_columns(N, 3, first, &tables[0], error));
    assert_ok(dlp_table_from_columns(N, 3, second, &tables[1], error));
    dlp_regression *a = fit("y ~ x + ar1(t)", tables[0]),
                   *b = fit("y ~ x + ar1(t)", tables[1]);
    const dlp_regression_result *f = dlp_regression_result_of(a),
                                *g = dlp_regression_result_of(b);
    assert_int_equal(f->n_random, D);
    for (int k = 0; k < D; k++) {
        const dlp_random_effects *e = &f->random[k], *with = &g->random[1 - k];
        assert_string_equal(e->category, with->category);
        assert_near(e->second.mean, with->second.mean, 0.05 * e->second.sd);
        for (int i = 0; i < NODES; i++)
            assert_near(e->mean[i], with->mean[i], 0.05 * sqrt(e->variance[i]));
    }
    dlp_regression_free(a);
    dlp_regression_free(b);
    dlp_table_free(tables[0]);
    dlp_table_free(tables[1]);
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_those_of_dense_matrices),
        cmocka_unit_test(processes_have_their_derivatives),
        cmocka_unit_test(levels_change_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
