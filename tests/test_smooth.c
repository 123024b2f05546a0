/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth terms: their columns, the posterior of their coefficients against that of random
   effects, predictions beside mgcv's, files, and what is refused. */
#include "glm/families/family.h"
#include "mixed/block.h"
#include "mixed/fit.h"
#include "support.h"

#include <stdlib.h>

enum { N = 240, NEW = 5 };

/* ---- the data of smooth_r.R ---- */

typedef struct rows {
    double y[N], w[N], t[N], k[N], s[N], p[N], x[N], z[N], u[N], v[N], h[N];
    int32_t g[N];
    dlp_table *table, *new;
} rows;

static double part(double x)
{
    return x - floor(x);
}

static double wave(double x)
{
    return sin(6 * x) + 0.7 * cos(13 * x);
}

static const char *const names[] = {"a", "b", "c"};

static void fill_row(rows *r, int at)
{
    const double i = at + 1;
    r->x[at] = part(i * 0.6180339887498949);
    r->z[at] = part(i * 0.4142135623730951);
    r->u[at] = part(i * 0.7320508075688772);
    r->v[at] = part(i * 0.2360679774997898);
    const double noise = part(sin(i) * 1e4) + part(sin(2 * i + 1) * 1e4) +
                         part(sin(3 * i + 2) * 1e4) - 1.5;
    const double f = wave(r->x[at]), turn = 2 * PI * r->x[at];
    r->h[at] = floor(20 * r->x[at]);
    r->g[at] = (at + 1) % 3;
    r->y[at] = f + 0.6 * noise;
    r->w[at] = sin(turn) + 0.5 * cos(2 * turn) + 0.6 * noise;
    r->t[at] = r->z[at] * f + 0.4 * noise;
    r->k[at] = floor(exp(1 + f) + r->u[at]);
    r->s[at] = f * (r->g[at] == 1 ? -1 : 1) + (r->g[at] == 2 ? 0.5 : 0) + 0.5 * noise;
    r->p[at] = wave(r->u[at]) * sin(3 * r->v[at]) + 0.3 * noise;
}

static int make_rows(void **state)
{
    static const double x[] = {-0.2, 0.02, 0.31, 0.77, 1.3},
                        z[] = {0.5, 0.1, 0.9, 0.4, 0.7}, u[] = {0.1, 0.5, 0.9, 0.3, 0.7},
                        v[] = {0.2, 0.8, 0.4, 0.6, 0.5};
    static const int32_t g[] = {0, 1, 2, 1, 0};
    rows *r = calloc(1, sizeof *r);
    for (int i = 0; i < N; i++) fill_row(r, i);
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "w", .number = r->w},
        {.name = "t", .number = r->t},
        {.name = "k", .number = r->k},
        {.name = "s", .number = r->s},
        {.name = "p", .number = r->p},
        {.name = "x", .number = r->x},
        {.name = "z", .number = r->z},
        {.name = "u", .number = r->u},
        {.name = "v", .number = r->v},
        {.name = "g", .code = r->g, .n_levels = 3, .level = names},
        {.name = "h", .number = r->h},
    };
    const dlp_column_data new[] = {
        {.name = "x", .number = x},
        {.name = "z", .number = z},
        {.name = "u", .number = u},
        {.name = "v", .number = v},
        {.name = "g", .code = g, .n_levels = 3, .level = names},
    };
    assert_ok(dlp_table_from_columns(N, 12, column, &r->table, error));
    assert_ok(dlp_table_from_columns(NEW, 5, new, &r->new, error));
    *state = r;
    return 0;
}

static int free_rows(void **state)
{
    rows *r = *state;
    dlp_table_free(r->table);
    dlp_table_free(r->new);
    free(r);
    return 0;
}

static dlp_regression *fit(const char *formula, const char *family, const rows *r)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *made = NULL;
    settings.family = family;
    assert_ok(dlp_regression_fit(formula, r->table, &settings, &made, error));
    assert_int_equal(dlp_regression_result_of(made)->outcome, DLP_CONVERGED);
    return made;
}

/* ---- beside mgcv ---- */

static const struct {
    const char *formula, *family;
    double mean[NEW], se[NEW];
} expected[] = {
    {"y ~ s(x)",
     NULL,
     {1.2275208, 0.77532406, 0.5381917, -1.5917853, 2.9163172},
     {0.44124222, 0.080044916, 0.053715135, 0.055725773, 0.61771234}},
    {"y ~ s(x, k = 20)",
     NULL,
     {1.3231482, 0.77763342, 0.53095464, -1.5765871, 2.3281167},
     {0.7448524, 0.081434023, 0.062609167, 0.063513092, 1.0744381}},
    {"y ~ s(x, bs = \"cr\")",
     NULL,
     {1.1612744, 0.7715958, 0.54813707, -1.5901079, 2.9859821},
     {0.43811485, 0.080090452, 0.054562982, 0.058554155, 0.60368025}},
    {"w ~ s(x, bs = \"cc\")",
     NULL,
     {-1.3994172, 0.53328076, 0.59584539, -1.4813358, 0.59284209},
     {0.054800901, 0.054154376, 0.053879888, 0.057740121, 0.052665621}},
    {"t ~ s(x, by = z)",
     NULL,
     {0.43916779, 0.020325786, 0.5387715, -0.66326884, 1.8611959},
     {0.23910783, 0.022676617, 0.05467303, 0.026289827, 0.49502188}},
    {"s ~ g + s(x, by = g)",
     NULL,
     {-0.1638655, -0.80060231, 1.0416221, 1.5537397, 3.2433384},
     {0.81039116, 0.1127264, 0.075485158, 0.084897889, 0.83840479}},
    {"p ~ s(u, v)",
     NULL,
     {0.21113324, 0.45640529, -0.39090734, 0.50659514, -1.3005014},
     {0.055831333, 0.051392793, 0.053715771, 0.051805807, 0.052284434}},
    {"k ~ s(x)",
     "poisson",
     {1.8743735, 1.8250148, 1.5467917, -0.50690932, 4.6481427},
     {0.62138429, 0.11213065, 0.083049581, 0.19341556, 1.1421762}},
};
enum { MODELS = sizeof expected / sizeof *expected };

/* gam(method = "REML") takes one smoothing parameter where we integrate: a tenth of a
   standard error inside the data, and more beyond them, where that counts. The sds are
   not smaller than mgcv's. */
static void predictions_are_those_of_mgcv(void **state)
{
    const rows *r = *state;
    for (int m = 0; m < MODELS; m++) {
        dlp_regression *f = fit(expected[m].formula, expected[m].family, r);
        dlp_prediction *p = NULL;
        assert_ok(dlp_regression_predict(f, r->new, NULL, &p, error));
        const dlp_prediction_result *got = dlp_prediction_result_of(p);
        for (int i = 0; i < NEW; i++) {
            const bool beyond = (i == 0 || i == NEW - 1) && m != 3 && m != 6;
            const double se = expected[m].se[i];
            assert_near(got->eta[i], expected[m].mean[i], (beyond ? 0.25 : 0.15) * se);
            assert_true(got->eta_sd[i] > 0.97 * se && got->eta_sd[i] < 1.2 * se);
        }
        dlp_prediction_free(p);
        dlp_regression_free(f);
    }
}

/* By brute force over both scales (smooth_r.R): the curve at h = 0, 5, 10, 15 and 19. */
static void random_walks_are_integrated_exactly(void **state)
{
    static const struct {
        const char *formula;
        double mean[NEW], sd[NEW];
    } walk[] = {
        {"y ~ rw1(h)",
         {0.782412, 0.409531, 0.564864, -1.55548, 0.194294},
         {0.0847033, 0.0861818, 0.0864081, 0.0829957, 0.0884025}},
        {"y ~ rw2(h)",
         {0.774805, 0.421849, 0.539811, -1.54783, 0.235604},
         {0.082882, 0.0734887, 0.0743367, 0.0714983, 0.0863723}},
    };
    static const double h[NEW] = {0, 5, 10, 15, 19};
    const dlp_column_data column = {.name = "h", .number = h};
    const rows *r = *state;
    dlp_table *table = NULL;
    assert_ok(dlp_table_from_columns(NEW, 1, &column, &table, error));
    for (int m = 0; m < 2; m++) {
        dlp_regression *f = fit(walk[m].formula, NULL, r);
        dlp_prediction *p = NULL;
        assert_ok(dlp_regression_predict(f, table, NULL, &p, error));
        const dlp_prediction_result *got = dlp_prediction_result_of(p);
        for (int i = 0; i < NEW; i++) {
            assert_near(got->eta[i], walk[m].mean[i], 0.03 * walk[m].sd[i]);
            assert_near(got->eta_sd[i], walk[m].sd[i], 0.03 * walk[m].sd[i]);
        }
        dlp_prediction_free(p);
        dlp_regression_free(f);
    }
    dlp_table_free(table);
}

/* Regions in a row are a walk, whose steps are all the same. */
static void besag_of_a_chain_is_a_walk(void **state)
{
    static const char *const files[] = {
        "# a chain\n0 1\n1 2\n2 3 1\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n9 10\n10 11\n11 12\n"
        "12 13\n13 14\n14 15\n15 16\n16 17\n17 18\n18 19\n",
        "region,neighbour\r\n0,1\r\n2,1\n2,3\n3,4\n4,5\n5,6\n\n6,7\n7,8\n8,9\n\"9\", 10\n"
        "10,11\n11,12\n12,13\n13,14\n14,15\n15,16\n16,17\n17,18\n18,19"};
    const rows *r = *state;
    dlp_regression *walk = fit("y ~ rw1(h)", NULL, r);
    for (int m = 0; m < 2; m++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_adjacency *a = NULL;
        dlp_regression *f = NULL;
        dlp_prediction *p[2];
        assert_ok(dlp_adjacency_parse("f", files[m], strlen(files[m]), &a, error));
        assert_int_equal(a->n, 20);
        assert_int_equal(a->begin[20], 38);
        settings.adjacency = a;
        assert_ok(dlp_regression_fit("y ~ besag(h)", r->table, &settings, &f, error));
        dlp_adjacency_free(a);
        assert_ok(dlp_regression_predict(f, r->table, NULL, &p[0], error));
        assert_ok(dlp_regression_predict(walk, r->table, NULL, &p[1], error));
        for (int i = 0; i < N; i++) {
            const double *eta = dlp_prediction_result_of(p[0])->eta,
                         *sd = dlp_prediction_result_of(p[1])->eta_sd;
            assert_near(eta[i], dlp_prediction_result_of(p[1])->eta[i], 1e-6 * sd[i]);
            assert_near(dlp_prediction_result_of(p[0])->eta_sd[i], sd[i], 1e-6 * sd[i]);
        }
        dlp_prediction_free(p[0]);
        dlp_prediction_free(p[1]);
        dlp_regression_free(f);
    }
    dlp_regression_free(walk);
}

/* An island, and regions without rows, have values too. */
static void regions_may_lie_apart(void **state)
{
    static const char file[] = "a b\nb c\nx y\ny z\nisland\n";
    const rows *r = *state;
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_adjacency *a = NULL;
    dlp_regression *f = NULL;
    double x[7];
    dlp_margin value[7];
    assert_ok(dlp_adjacency_parse("f", file, strlen(file), &a, error));
    settings.adjacency = a;
    assert_ok(dlp_regression_fit("s ~ besag(g)", r->table, &settings, &f, error));
    assert_ok(dlp_regression_curve(f, 0, 7, x, value, error));
    assert_near(value[0].mean + value[1].mean + value[2].mean, 0, 1e-10);
    for (int i = 3; i < 7; i++) assert_near(value[i].mean, 0, 1e-10);
    for (int i = 3; i < 7; i++) assert_true(value[i].sd > value[0].sd);
    dlp_adjacency_free(a);
    dlp_regression_free(f);
}

static void wrong_neighbours_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {{"", "fewer than two regions"},
                 {"a\n", "fewer than two regions"},
                 {"a b\nb b\n", "line 2: 'b' is said to be its own neighbour"},
                 {"a,b,c\n", "line 1: a pair of regions is expected"},
                 {"a,b\n,c\n", "line 2: no region"}};
    const rows *r = *state;
    dlp_adjacency *a;
    dlp_regression *made;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(
            dlp_adjacency_parse("f", cases[i].text, strlen(cases[i].text), &a, error),
            DLP_EINPUT, cases[i].message);
    assert_fails(dlp_regression_fit("y ~ besag(g)", r->table, NULL, &made, error),
                 DLP_EFORMULA,
                 "a term of regions needs to know which of them are neighbours");
    dlp_regression_settings settings = dlp_regression_settings_default();
    assert_ok(dlp_adjacency_parse("f", "a b\n", 4, &a, error));
    settings.adjacency = a;
    assert_fails(dlp_regression_fit("y ~ besag(g)", r->table, &settings, &made, error),
                 DLP_EINPUT, "'c' of row 2 (counted from 1) is not among the 2 regions");
    dlp_adjacency_free(a);
}

/* ---- columns ---- */

static dlp_design *build(const char *text, const dlp_table *table)
{
    dlp_design_options options = dlp_design_options_default();
    dlp_formula *formula = NULL;
    dlp_design *d = NULL;
    options.random = 1;
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_ok(dlp_design_build(formula, table, &options, &d, error));
    dlp_formula_free(formula);
    return d;
}

/* Each column sums to 0, is not correlated with x, and all together have a variance of 1. */
static void wiggly_columns_are_free_of_straight_ones(void **state)
{
    static const char *const formulas[] = {"y ~ s(x)", "y ~ s(x, bs = \"cr\", k = 7)",
                                           "y ~ s(u, v)", "y ~ s(x, bs = \"cc\")"};
    const rows *r = *state;
    for (int m = 0; m < 4; m++) {
        dlp_design *d = build(formulas[m], r->table);
        const dlp_smooth *s = &d->smooth[0];
        double total = 0;
        assert_int_equal(d->n_smooths, 1);
        assert_int_equal(s->first, d->p);
        for (dlp_index j = s->first; j < s->first + s->n; j++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += d->x[j][i];
            for (int i = 0; i < N; i++) total += d->x[j][i] * d->x[j][i] / N;
            assert_near(sum, 0, 1e-8);
            for (dlp_index l = s->fixed; l < s->fixed + s->n_fixed; l++) {
                double with = 0;
                for (int i = 0; i < N; i++) with += d->x[j][i] * d->x[l][i];
                assert_near(with, 0, 1e-6);
            }
        }
        assert_near(total, 1, 1e-10);
        dlp_design_free(d);
    }
}

/* A cyclic smooth is the same a period on, and thin plates are straight beyond the data. */
static void ends_are_as_they_should_be(void **state)
{
    const rows *r = *state;
    const double x[] = {r->x[0], r->x[0] + 1, 1.2, 1.4, 1.6};
    const dlp_column_data column = {.name = "x", .number = x};
    dlp_table *table = NULL;
    assert_ok(dlp_table_from_columns(5, 1, &column, &table, error));
    for (int m = 0; m < 2; m++) {
        dlp_design *fitted =
            build(m ? "y ~ s(x)" : "y ~ s(x, bs = \"cc\", knots = c(0, 1))", r->table);
        dlp_design *d = NULL;
        assert_ok(dlp_design_rebuild(fitted->terms, table, NULL, &d, error));
        for (dlp_index j = d->p; j < d->p + d->n_penalised; j++)
            if (m)
                assert_near(d->x[j][4] - d->x[j][3], d->x[j][3] - d->x[j][2], 1e-9);
            else
                assert_near(d->x[j][0], d->x[j][1], 1e-9);
        dlp_design_free(d);
        dlp_design_free(fitted);
    }
    dlp_table_free(table);
}

/* ---- the engine ---- */

enum { LEVELS = 12, EACH = 8, M = LEVELS * EACH };

/* A smooth of indicators is a random intercept: of a Gaussian the same posterior by another
   way, of counts by Laplace's method where the other is by quadrature. */
static void a_smooth_of_indicators_is_a_random_intercept(void **state)
{
    static const char *const families[] = {"gaussian", "poisson"};
    (void)state;
    for (int f = 0; f < 2; f++) {
        double one[M], y[M], weight[M], offset[M], indicator[LEVELS][M], scale = 2;
        double precision[(LEVELS + 1) * (LEVELS + 1)] = {0.01}, beta_precision = 0.01;
        const double *X[LEVELS + 1], *ones[1] = {one};
        int32_t code[M];
        dlp_rng rng = dlp_rng_at(5, (uint64_t)f);
        memset(indicator, 0, sizeof indicator);
        for (int i = 0; i < M; i++) {
            code[i] = i % LEVELS;
            one[i] = indicator[code[i]][i] = 1;
            weight[i] = 1 + i % 2;
            offset[i] = 0.1 * dlp_draw_normal(&rng);
            const double eta = 0.8 + cos(code[i] * 2.4) + offset[i];
            y[i] = f ? floor(exp(eta) + dlp_draw_uniform(&rng))
                     : eta + dlp_draw_normal(&rng);
        }
        X[0] = one;
        for (int l = 0; l < LEVELS; l++) X[l + 1] = indicator[l];
        dlpi_mixed_data data = {
            .likelihood = dlpi_family_find(families[f], NULL)->evaluate,
            .scales = f == 0,
            .is_linear = f == 0,
            .N = M,
            .p = 1,
            .X = X,
            .y = y,
            .weight = weight,
            .offset = offset,
            .n_terms = 1,
            .term = &(dlpi_mixed_term){.L = LEVELS, .q = 1, .code = code, .x = ones}};
        dlpi_mixed_prior prior = {.precision = &beta_precision,
                                  .sd_scale = &scale,
                                  .sd_df = 3,
                                  .correlation = 1,
                                  .tau_sd = 2};
        const dlpi_mixed_settings settings = {.threads = 1}; /* leaves by quadrature */
        dlpi_mixed_result levels, smooth;
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &levels, error));
        data.p = LEVELS + 1;
        data.n_terms = 0;
        data.n_smooths = 1;
        data.smooth = &(dlpi_mixed_smooth){1, LEVELS};
        prior.precision = precision;
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &smooth, error));
        const dlp_margin *a = levels.effects[0].sd, *b = smooth.effects[0].sd;
        assert_near(levels.log_evidence, smooth.log_evidence, f ? 0.05 : 1e-6);
        assert_near(a->mean, b->mean, (f ? 0.03 : 1e-4) * a->sd);
        assert_near(a->upper, b->upper, (f ? 0.05 : 1e-2) * a->sd);
        assert_near(levels.beta[0], smooth.beta[0], 1e-2 * levels.margin[0].sd);
        assert_near(levels.margin[0].sd, smooth.margin[0].sd, 1e-2 * levels.margin[0].sd);
        for (int l = 0; l < LEVELS && f == 0; l++) {
            const double sd = sqrt(levels.effects[0].variance[l]);
            assert_near(levels.effects[0].mean[l], smooth.beta[l + 1], 1e-3 * sd);
            assert_near(sd, smooth.margin[l + 1].sd, 1e-2 * sd);
        }
        dlpi_mixed_result_clear(&levels);
        dlpi_mixed_result_clear(&smooth);
    }
}

/* Of the log likelihood by beta, and of a Gaussian's evidence by psi, against differences. */
static void derivatives_are_those_of_differences(void **state)
{
    enum { P = 4 };
    rows *r = *state;
    double one[N], wiggle[2][N], weight[N], precision[P * P] = {0.1, 0, 0, 0, 0, 0.2};
    double start[P] = {0}, beta[P] = {0.3, -0.2, 0.5, 0.1}, scale[] = {2};
    const double *X[P] = {one, r->x, wiggle[0], wiggle[1]};
    const dlpi_mixed_smooth smooth = {2, 2};
    for (int i = 0; i < N; i++) {
        one[i] = 1;
        weight[i] = 0.5 + i % 3;
        wiggle[0][i] = sin(9 * r->x[i]);
        wiggle[1][i] = cos(9 * r->x[i]);
    }
    for (int f = 0; f < 2; f++) {
        const dlpi_mixed_data data = {
            .likelihood = dlpi_family_find(f ? "poisson" : "gaussian", NULL)->evaluate,
            .scales = f == 0,
            .is_linear = f == 0,
            .N = N,
            .p = P,
            .X = X,
            .y = f ? r->k : r->y,
            .weight = weight,
            .n_smooths = 1,
            .smooth = &smooth};
        const dlpi_mixed_prior prior = {
            .precision = precision, .sd_scale = scale, .sd_df = 3, .tau_sd = 2};
        double g[P] = {0}, H[P * P] = {0}, *room;
        const double tau = 0.2;
        dlpi_rows *tile = calloc(1, sizeof *tile);
        dlpi_mixed model = {.data = &data,
                            .prior = &prior,
                            .log_det_beta = log(0.1 * 0.2),
                            .x = start,
                            .b = start,
                            .whole = true};
        assert_ok(dlpi_single_level_make(&data, start, &model.flat, error));
        room = calloc((size_t)dlpi_single_level_room(&data), sizeof *room);
        dlpi_single_level_add(&model.flat, beta, &tau, tile, room, g, H);
        for (int i = 0; i < P; i++) {
            double value[2], side[2][P] = {{0}}, ignored[P * P];
            for (int k = 0; k < 2; k++) {
                double at[P];
                memcpy(at, beta, sizeof at);
                at[i] += (k ? 1 : -1) * 1e-4;
                value[k] = dlpi_single_level_add(&model.flat, at, &tau, tile, room,
                                                 side[k], ignored);
            }
            assert_near((value[1] - value[0]) / 2e-4, g[i], 1e-4 * (1 + fabs(g[i])));
            for (int j = i; j < P; j++)
                assert_near(-(side[1][j] - side[0][j]) / 2e-4, H[i * P + j],
                            1e-4 * (1 + fabs(H[i * P + j])));
        }
        free(tile);
        free(room);
        if (f == 0) {
            double psi[] = {-0.4, 0.3}, found[2];
            dlpi_mixed_block block;
            assert_ok(dlpi_hyper_layout_make(&data, &model.layout, error));
            assert_ok(dlpi_mixed_rows_make(&data, -1, &model.rows, error));
            model.shape = dlp_shape_dense(P);
            assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
            assert_true(isfinite(dlpi_mixed_block_at(&block, psi)));
            dlpi_mixed_block_invert(&block);
            dlpi_mixed_block_gradient(&block, psi, found);
            for (int i = 0; i < 2; i++) {
                double value[2], kept = psi[i];
                for (int k = 0; k < 2; k++) {
                    psi[i] = kept + (k ? 1e-4 : -1e-4);
                    value[k] = dlpi_mixed_block_at(&block, psi);
                }
                psi[i] = kept;
                assert_near(found[i], (value[1] - value[0]) / 2e-4, 1e-4);
            }
            dlpi_mixed_block_free(&block);
            dlpi_mixed_rows_clear(&model.rows);
            dlpi_hyper_layout_clear(&model.layout);
        }
        dlpi_single_level_clear(&model.flat);
    }
}

/* ---- files and threads ---- */

static void same_bits_from_a_file_and_by_threads(void **state)
{
    static const char *const formulas[] = {"s ~ g + s(x, by = g) + s(u, v)",
                                           "t ~ s(x, by = z) + (1 | g)"};
    const rows *r = *state;
    for (int m = 0; m < 2; m++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *one = NULL, *two = NULL, *read = NULL;
        dlp_prediction *p[3];
        char *text;
        size_t size;
        settings.threads = 1;
        assert_ok(dlp_regression_fit(formulas[m], r->table, &settings, &one, error));
        settings.threads = 3;
        assert_ok(dlp_regression_fit(formulas[m], r->table, &settings, &two, error));
        assert_ok(dlp_regression_json(one, DLP_PART_FILE, 0, &text, &size, error));
        assert_ok(dlp_regression_parse("f.json", text, size, &read, error));
        free(text);
        const dlp_regression *const fits[] = {one, two, read};
        for (int k = 0; k < 3; k++) {
            double x[9];
            dlp_margin f[9], first[9];
            assert_ok(dlp_regression_predict(fits[k], r->new, NULL, &p[k], error));
            assert_ok(dlp_regression_curve(fits[k], 0, 9, x, f, error));
            assert_ok(dlp_regression_curve(one, 0, 9, x, first, error));
            assert_memory_equal(f, first, sizeof f);
            assert_memory_equal(dlp_prediction_result_of(p[k])->eta_sd,
                                dlp_prediction_result_of(p[0])->eta_sd,
                                NEW * sizeof(double));
        }
        for (int k = 0; k < 3; k++) dlp_prediction_free(p[k]);
        dlp_regression_free(one);
        dlp_regression_free(two);
        dlp_regression_free(read);
    }
}

/* ---- what is refused ---- */

static void wrong_smooths_are_refused(void **state)
{
    static const struct {
        const char *formula, *family, *message;
    } cases[] = {
        {"y ~ s(x):z", NULL, "smooths cannot be in a product; write s(x, by = z)"},
        {"y ~ s(x) + (s(u) | g)", NULL, "smooths cannot be inside bars"},
        {"y ~ s(x) + s(x, k = 5)", NULL, "s(x) is here twice"},
        {"y ~ x + s(x)", NULL, "s(x) has the straight part of 'x' in it; leave 'x' out"},
        {"y ~ s(x, k = 2)", NULL, "k must be a whole number from 3"},
        {"y ~ s(x, bs = \"ps\")", NULL, "bs must be"},
        {"y ~ s(x, sp = 3)", NULL, "s() has no option 'sp'"},
        {"y ~ s(x, by = 3)", NULL, "by must be the name of a column"},
        {"y ~ s(x, u, v)", NULL, "s() takes one or two variables"},
        {"y ~ s(x, u, bs = \"cr\")", NULL,
         "a smooth of two variables must be a thin plate"},
        {"y ~ s(x, knots = c(0, 1))", NULL, "a thin plate has no knots"},
        {"y ~ s(g)", NULL, "holds categories"},
        {"y ~ s(x, k = 241)", NULL, "k must be"},
        {"y ~ rw1(x, k = 3)", NULL, "rw1() has no option 'k'; it has by"},
        {"y ~ rw2(x, z)", NULL, "rw2() takes one variable"},
        {"y ~ rw1(g)", NULL, "holds categories"},
    };
    const rows *r = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *made = NULL;
        dlp_error why = {0};
        settings.family = cases[i].family;
        const dlp_status status =
            dlp_regression_fit(cases[i].formula, r->table, &settings, &made, &why);
        assert_true(status == DLP_EINPUT || status == DLP_EFORMULA ||
                    status == DLP_EINVAL);
        if (!strstr(why.message, cases[i].message))
            fail_msg("%s: %s", cases[i].formula, why.message);
    }
}

/* Few distinct values: fewer functions, or a message. */
static void few_values_are_few_functions(void **state)
{
    rows *r = *state;
    double few[N];
    dlp_table *table = NULL;
    dlp_regression *made = NULL;
    for (int i = 0; i < N; i++) few[i] = i % 5;
    const dlp_column_data column[] = {{.name = "y", .number = r->y},
                                      {.name = "x", .number = few}};
    assert_ok(dlp_table_from_columns(N, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ s(x)", table, NULL, &made, error));
    assert_int_equal(dlp_regression_result_of(made)->smooth[0].n, 3);
    dlp_regression_free(made);
    assert_fails(dlp_regression_fit("y ~ s(x, k = 9)", table, NULL, &made, error),
                 DLP_EINPUT, "there are 5 distinct values");
    for (int i = 0; i < N; i++) few[i] = i % 2;
    dlp_table_free(table);
    assert_ok(dlp_table_from_columns(N, 2, column, &table, error));
    assert_fails(dlp_regression_fit("y ~ s(x)", table, NULL, &made, error), DLP_EINPUT,
                 "there are 2 distinct values");
    dlp_table_free(table);
}

/* Beside a curve are the residuals of the regression: at the ends, where the curve is
   known. */
static void rows_stand_beside_their_curve(void **state)
{
    const rows *r = *state;
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_regression *f = fit("y ~ s(x) + z", NULL, r),
                   *count = fit("k ~ s(x)", "poisson", r);
    dlp_prediction *p = NULL;
    dlp_margin curve[2];
    double x[N], left[N], ends[2];
    settings.what = DLP_PREDICT_SCORES;
    assert_ok(dlp_regression_predict(f, r->table, &settings, &p, error));
    assert_ok(dlp_regression_curve(f, 0, 2, ends, curve, error));
    assert_int_equal(dlp_prediction_partial(p, 0, N, x, left), N);
    for (int i = 0; i < N; i++) {
        const double residual = r->y[i] - dlp_prediction_result_of(p)->mean[i];
        assert_near(x[i], r->x[i], 0);
        for (int end = 0; end < 2; end++)
            if (x[i] == ends[end]) assert_near(left[i], curve[end].mean + residual, 1e-8);
    }
    assert_int_equal(dlp_prediction_partial(p, 0, 60, x, left), 60);
    assert_near(x[1], r->x[4], 0);
    assert_int_equal(dlp_prediction_partial(p, 1, N, x, left), 0);
    assert_int_equal(dlp_prediction_partial(p, 0, 0, x, left), 0);
    dlp_prediction_free(p);
    assert_ok(dlp_regression_predict(count, r->table, &settings, &p, error));
    assert_int_equal(dlp_prediction_partial(p, 0, N, x, left), 0);
    dlp_prediction_free(p);
    dlp_regression_free(f);
    dlp_regression_free(count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_those_of_mgcv),
        cmocka_unit_test(rows_stand_beside_their_curve),
        cmocka_unit_test(random_walks_are_integrated_exactly),
        cmocka_unit_test(besag_of_a_chain_is_a_walk),
        cmocka_unit_test(regions_may_lie_apart),
        cmocka_unit_test(wrong_neighbours_are_refused),
        cmocka_unit_test(wiggly_columns_are_free_of_straight_ones),
        cmocka_unit_test(ends_are_as_they_should_be),
        cmocka_unit_test(a_smooth_of_indicators_is_a_random_intercept),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(same_bits_from_a_file_and_by_threads),
        cmocka_unit_test(wrong_smooths_are_refused),
        cmocka_unit_test(few_values_are_few_functions),
    };
    return cmocka_run_group_tests(tests, make_rows, free_rows);
}
