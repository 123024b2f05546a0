/* SPDX-License-Identifier: BSD-3-Clause */
/* Regressions with random effects as clients have them: kept in files, shown level by level,
   applied to rows of known and of new groups. */
#include "failing_allocator.h"
#include "support.h"

enum { GROUPS = 9, EACH = 8, N = GROUPS * EACH };

static const char *const names[] = {"a", "b", "c", "d",   "e",  "f",
                                    "g", "h", "i", "new", "odd"};
static const char *const plots[] = {"p", "q", "r", "s"};

typedef struct rows {
    double y[N], b[N], c[N], v[N], x[N], z[N], o[N];
    int32_t group[N], plot[N];
    dlp_table *table;
} rows;

static void make_table(rows *r)
{
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "b", .number = r->b},
        {.name = "c", .number = r->c},
        {.name = "v", .number = r->v},
        {.name = "x", .number = r->x},
        {.name = "z", .number = r->z},
        {.name = "o", .number = r->o},
        {.name = "g", .code = r->group, .n_levels = 11, .level = names},
        {.name = "k", .code = r->plot, .n_levels = 4, .level = plots},
    };
    dlp_table_free(r->table);
    assert_ok(dlp_table_from_columns(N, 9, column, &r->table, error));
}

static rows *draw_rows(uint64_t seed)
{
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(seed, 3);
    double effect[GROUPS], slope[GROUPS];
    for (int g = 0; g < GROUPS; g++) effect[g] = 1.2 * dlp_draw_normal(&rng);
    for (int g = 0; g < GROUPS; g++) slope[g] = 0.5 * dlp_draw_normal(&rng);
    for (int i = 0; i < N; i++) {
        r->group[i] = i / EACH;
        r->plot[i] = i % 3;
        r->x[i] = dlp_draw_normal(&rng);
        r->z[i] = 2.385 + dlp_draw_normal(&rng);
        r->o[i] = 0.1 * dlp_draw_normal(&rng);
        const double eta = 0.4 + (0.7 + slope[i / EACH]) * r->x[i] + effect[i / EACH];
        r->y[i] = eta + 0.8 * dlp_draw_normal(&rng);
        r->b[i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
        r->v[i] = (r->y[i] > -0.5) + (r->y[i] > 0.5) + (r->y[i] > 1.5);
        r->c[i] = floor(3 * dlp_draw_uniform(&rng) * exp(0.3 * eta));
    }
    make_table(r);
    return r;
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

static dlp_regression *fit_by(dlp_hyper hyper, const char *formula, const char *family,
                              const rows *r)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *made = NULL;
    settings.family = family;
    settings.hyper = hyper;
    assert_ok(dlp_regression_fit(formula, r->table, &settings, &made, error));
    return made;
}

static dlp_regression *fit(const char *formula, const char *family, const rows *r)
{
    return fit_by(DLP_HYPER_DEFAULT, formula, family, r);
}

static dlp_prediction *predict(const dlp_regression *fit, const rows *r, dlp_predict what,
                               dlp_effects_of effects)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_prediction *p = NULL;
    settings.what = what;
    settings.effects = effects;
    assert_ok(dlp_regression_predict(fit, r->table, &settings, &p, error));
    return p;
}

static const struct {
    const char *formula, *family;
} models[] = {{"y ~ x + (1 + x | g)", NULL},
              {"b ~ x + (x || g)", NULL},
              {"c ~ x + (1 | g) + (0 + z | k) + offset(o)", "poisson"},
              {"y ~ x * z + (1 | g/k)", NULL},
              {"v ~ x * z + (1 + x | g) + (1 | k)", "ordinal"},
              {"v ~ x + (1 | g) + (1 | k)", "multinomial"}};
enum { MODELS = sizeof models / sizeof *models, OF_NUMBERS = 4 };

/* Each of them fitted to the same rows: once, since that takes longer than all else. Under
   sanitizers, sds of levels of a response are at their mode; test_mixed_ordinal and
   test_mixed_multinomial integrate over them there, too. */
static rows *common;
static dlp_regression *fitted[MODELS];

static int fit_models(void **state)
{
    (void)state;
    common = draw_rows(1);
    for (int k = 0; k < MODELS; k++)
        fitted[k] =
            fit_by(SANITISED && k >= OF_NUMBERS ? DLP_HYPER_MAP : DLP_HYPER_DEFAULT,
                   models[k].formula, models[k].family, common);
    return 0;
}

static int free_models(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) dlp_regression_free(fitted[k]);
    free_rows(common);
    return 0;
}

/* ---- files ---- */

#define SAME(a, b, count) assert_memory_equal(a, b, (size_t)(count) * sizeof *(a))

static void compare_terms(const dlp_random_effects *a, const dlp_random_effects *b,
                          dlp_index p)
{
    const dlp_index q = a->q, L = a->levels;
    assert_string_equal(a->label, b->label);
    assert_string_equal(a->group, b->group);
    assert_int_equal(a->levels, b->levels);
    assert_int_equal(a->q, b->q);
    for (dlp_index l = 0; l < L; l++) assert_string_equal(a->level[l], b->level[l]);
    for (dlp_index k = 0; k < q; k++) assert_string_equal(a->name[k], b->name[k]);
    for (dlp_index k = 0; k < q; k++) {
        assert_int_equal(a->prior[k].distribution, b->prior[k].distribution);
        assert_int_equal(a->prior[k].stated, b->prior[k].stated);
        assert_true(a->prior[k].a == b->prior[k].a && a->prior[k].b == b->prior[k].b);
    }
    assert_true(a->lkj == b->lkj && a->lkj_stated == b->lkj_stated);
    SAME(a->sd, b->sd, q);
    SAME(a->correlation, b->correlation, q * (q - 1) / 2);
    SAME(a->covariance, b->covariance, q * q);
    SAME(a->mean, b->mean, L * q);
    SAME(a->variance, b->variance, L * q * q);
    SAME(a->with_beta, b->with_beta, L * q * p);
}

static void compare_pairs(const dlp_regression_result *a, const dlp_regression_result *b)
{
    assert_int_equal(a->n_pairs, a->n_random * (a->n_random - 1) / 2);
    assert_int_equal(a->n_pairs, b->n_pairs);
    for (dlp_index k = 0; k < a->n_pairs; k++) {
        const dlp_effect_pairs *ours = &a->pairs[k], *back = &b->pairs[k];
        const dlp_index square = a->random[ours->first].q * a->random[ours->second].q;
        assert_int_equal(ours->first, back->first);
        assert_int_equal(ours->second, back->second);
        assert_int_equal(ours->n, back->n);
        SAME(ours->level, back->level, 2 * ours->n);
        SAME(ours->covariance, back->covariance, square * ours->n);
    }
}

static void a_saved_fit_is_the_same(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        dlp_regression *ours = fitted[k], *back = NULL;
        char *text, *again;
        size_t size, again_size;
        assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
        assert_ok(dlp_regression_parse("memory", text, size, &back, error));
        assert_ok(
            dlp_regression_json(back, DLP_PART_FILE, 0, &again, &again_size, error));
        assert_int_equal(size, again_size);
        assert_memory_equal(text, again, size);
        const dlp_regression_result *a = dlp_regression_result_of(ours),
                                    *b = dlp_regression_result_of(back);
        assert_int_equal(b->grouping, DLP_MIXED);
        assert_int_equal(a->n_random, b->n_random);
        assert_int_equal(a->points, b->points);
        assert_true(b->estimated);
        SAME(a->margin, b->margin, a->n);
        for (dlp_index t = 0; t < a->n_random; t++)
            compare_terms(&a->random[t], &b->random[t],
                          dlp_family_has_levels(a->family) ? a->n : a->p);
        compare_pairs(a, b);
        dlp_prediction *p =
            predict(ours, common, DLP_PREDICT_SCORES, DLP_EFFECTS_OF_LEVELS);
        dlp_prediction *q =
            predict(back, common, DLP_PREDICT_SCORES, DLP_EFFECTS_OF_LEVELS);
        SAME(dlp_prediction_result_of(p)->log_density_averaged,
             dlp_prediction_result_of(q)->log_density_averaged, N);
        dlp_prediction_free(p);
        dlp_prediction_free(q);
        free(text);
        free(again);
        dlp_regression_free(back);
    }
}

/* What docs/file-formats.md promises to scripts. */
static void json_has_sds_and_effects(void **state)
{
    (void)state;
    rows *r = draw_rows(2);
    dlp_regression *ours = fit("y ~ x + (1 + x | g)", NULL, r);
    const dlp_random_effects *of = dlp_regression_result_of(ours)->random;
    char *text;
    size_t size;
    assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
    json_t *root = json_loadb(text, size, 0, NULL), *list = json_object_get(root, "sds");
    assert_int_equal(json_array_size(list), 2);
    const json_t *sd = json_array_get(list, 1);
    assert_string_equal(json_string_value(json_object_get(sd, "group")), "g");
    assert_string_equal(json_string_value(json_object_get(sd, "term")), "x");
    assert_true(json_real_value(json_object_get(sd, "median")) == of->sd[1].median);
    list = json_object_get(root, "correlations");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "terms")),
                     2);
    list = json_object_get(root, "coefficients");
    assert_int_equal(json_array_size(list), 2 + 2 * GROUPS);
    assert_null(json_object_get(json_array_get(list, 0), "group"));
    const json_t *effect = json_array_get(list, 2 + 2 * 3 + 1);
    assert_string_equal(json_string_value(json_object_get(effect, "group")), "d");
    assert_string_equal(json_string_value(json_object_get(effect, "term")), "x");
    assert_true(json_real_value(json_object_get(effect, "mean")) == of->mean[3 * 2 + 1]);
    json_decref(root);
    free(text);
    assert_fails(dlp_regression_json(ours, DLP_PART_GROUP, GROUPS, &text, &size, error),
                 DLP_EINVAL, "no level number");
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- parameters and levels ---- */

/* Products of columns are fitted in other variables, and reported in those of the
   formula. */
static void margins_are_those_of_the_columns(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        const dlp_regression_result *f = dlp_regression_result_of(fitted[k]);
        for (dlp_index j = 0; j < f->p; j++) {
            const dlp_margin *m = &f->margin[j];
            assert_close(m->mean, f->mu[j], 1e-9);
            assert_close(m->sd, sqrt(f->Sigma[j * (f->n + 1)]), 1e-6);
            assert_true(m->lower < m->median && m->median < m->upper);
            assert_near((m->upper - m->lower) / m->sd, 3.92, 0.4);
        }
    }
}

static void parameters_are_the_populations(void **state)
{
    (void)state;
    rows *r = draw_rows(3);
    dlp_regression *ours = fit("y ~ x + (1 | g)", NULL, r);
    const dlp_regression_result *result = dlp_regression_result_of(ours);
    dlp_parameter q[3];
    assert_int_equal(result->n, 3);
    assert_ok(dlp_regression_parameters(ours, 0, q, error));
    for (int i = 0; i < 3; i++) {
        assert_true(q[i].mean == result->margin[i].mean);
        assert_true(q[i].lower == result->margin[i].lower);
        assert_true(q[i].lower < q[i].mean && q[i].mean < q[i].upper);
    }
    assert_int_equal(q[2].kind, DLP_SCALE);
    assert_near(q[2].mean, 0.8, 0.2); /* the scale by itself, not its logarithm */
    assert_fails(dlp_regression_parameters(ours, 1, q, error), DLP_EINVAL, "no group");
    dlp_regression_free(ours);
    free_rows(r);
}

/* A level's own intercept is the linear predictor of its rows at x = 0, its slope the
   difference of those at 1 and 0. */
static void a_level_is_what_its_rows_say(void **state)
{
    (void)state;
    rows *r = draw_rows(4);
    dlp_regression *ours = fit("y ~ x + (1 + x | g)", NULL, r);
    dlp_level_effect effect[2];
    for (int i = 0; i < N; i++) r->x[i] = i % 2;
    make_table(r);
    dlp_prediction *p = predict(ours, r, DLP_PREDICT_MEANS, DLP_EFFECTS_OF_LEVELS);
    const dlp_prediction_result *out = dlp_prediction_result_of(p);
    for (int g = 0; g < GROUPS; g++) {
        dlp_regression_level(ours, 0, g, effect);
        assert_string_equal(effect[1].name, "x");
        assert_int_equal(effect[1].column, 1);
        assert_close(
            dlp_random_effects_sd(&dlp_regression_result_of(ours)->random[0], g, 1),
            effect[1].effect.sd, 1e-12);
        assert_close(effect[0].own.mean, out->eta[g * EACH], 1e-12);
        assert_close(effect[0].own.sd, out->eta_sd[g * EACH], 1e-12);
        assert_close(effect[1].own.mean, out->eta[g * EACH + 1] - out->eta[g * EACH],
                     1e-10);
        assert_true(effect[1].own.sd > 0 && effect[1].effect.sd > 0);
    }
    dlp_prediction_free(p);
    dlp_regression_free(ours);
    free_rows(r);
}

static void levels_are_found(void **state)
{
    (void)state;
    rows *r = draw_rows(5);
    dlp_regression *ours = fit("y ~ x + (1 | g) + (1 | k)", NULL, r),
                   *plain = fit("y ~ x", NULL, r);
    dlp_index grouping, level;
    assert_int_equal(dlp_regression_find_level(ours, NULL, "c"), 2);
    assert_int_equal(dlp_regression_find_level(ours, "k", "r"), GROUPS + 2);
    assert_int_equal(dlp_regression_find_level(ours, "g", "r"), -1);
    assert_true(dlp_regression_level_at(ours, GROUPS + 2, &grouping, &level));
    assert_int_equal(grouping, 1);
    assert_int_equal(level, 2);
    assert_false(dlp_regression_level_at(ours, GROUPS + 3, &grouping, &level));
    assert_false(dlp_regression_level_at(plain, 0, &grouping, &level));
    assert_int_equal(dlp_regression_find_level(plain, NULL, "c"), -1);
    dlp_regression_free(plain);
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- predictions ---- */

/* E and Var of x'beta + z'b, written out for y ~ x + (1 + x | g). */
static void expect_row(const dlp_regression_result *r, double x, dlp_index g,
                       dlp_effects_of effects, double *mean, double *variance)
{
    const dlp_random_effects *e = r->random;
    const double v[4] = {1, x, 1, x}; /* of beta, then of b */
    double S[4][4] = {{0}}, at[4] = {r->mu[0], r->mu[1], 0, 0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            S[i][j] = r->Sigma[i * r->n + j];
            if (effects == DLP_EFFECTS_OF_NONE) continue;
            if (effects == DLP_EFFECTS_OF_NEW) {
                S[2 + i][2 + j] = e->covariance[i * 2 + j];
                continue;
            }
            at[2 + i] = e->mean[g * 2 + i];
            S[2 + i][2 + j] = e->variance[(g * 2 + i) * 2 + j];
            S[2 + i][j] = S[j][2 + i] = e->with_beta[(g * 2 + i) * 2 + j];
        }
    *mean = *variance = 0;
    for (int i = 0; i < 4; i++) *mean += v[i] * at[i];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) *variance += v[i] * S[i][j] * v[j];
}

static void predictions_are_their_formulas(void **state)
{
    (void)state;
    rows *r = draw_rows(6);
    dlp_regression *ours = fit("y ~ x + (1 + x | g)", NULL, r);
    const dlp_regression_result *result = dlp_regression_result_of(ours);
    for (int i = 0; i < 5; i++) r->group[i] = i < 3 ? 9 : 10; /* "new", "odd" */
    make_table(r);
    for (int how = DLP_EFFECTS_OF_LEVELS; how <= DLP_EFFECTS_OF_NONE; how++) {
        dlp_prediction *p = predict(ours, r, DLP_PREDICT_MEANS, (dlp_effects_of)how);
        const dlp_prediction_result *out = dlp_prediction_result_of(p);
        assert_int_equal(out->N, N);
        assert_int_equal(out->new_group_rows, how == DLP_EFFECTS_OF_LEVELS ? 5 : 0);
        assert_int_equal(out->new_groups, how == DLP_EFFECTS_OF_LEVELS ? 2 : 0);
        for (int i = 0; i < N; i++) {
            const bool new = i < 5 && how == DLP_EFFECTS_OF_LEVELS;
            double mean, variance;
            expect_row(result, r->x[i], i / EACH,
                       new ? DLP_EFFECTS_OF_NEW : (dlp_effects_of)how, &mean, &variance);
            assert_close(out->eta[i], mean, 1e-12);
            assert_close(out->eta_sd[i], sqrt(variance), 1e-11);
        }
        dlp_prediction_free(p);
    }
    dlp_regression_free(ours);
    free_rows(r);
}

/* P(Y <= y), Y ~ Poisson(exp(eta)), eta ~ N(mean, sd^2), by a fine sum. */
static double poisson_cdf(double y, double mean, double sd)
{
    double sum = 0, weights = 0;
    for (int k = -400; k <= 400; k++) {
        const double u = k * 0.02, w = exp(-0.5 * u * u), m = exp(mean + sd * u);
        double term = exp(-m), below = 0;
        for (int i = 0; i <= (int)y; i++, term *= m / i) below += term;
        sum += w * below;
        weights += w;
    }
    return sum / weights;
}

/* An interval of a new response has 95 %, the effects' uncertainty included. */
static void new_responses_know_of_random_effects(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    dlp_regression *ours = fit("c ~ x + (1 | g)", "poisson", r);
    r->group[0] = 9;
    make_table(r);
    dlp_prediction *p = predict(ours, r, DLP_PREDICT_OBSERVATIONS, DLP_EFFECTS_OF_LEVELS);
    const dlp_prediction_result *out = dlp_prediction_result_of(p);
    for (int i = 0; i < N; i += 7) {
        const double y = out->observed_upper[i];
        assert_true(poisson_cdf(y, out->eta[i], out->eta_sd[i]) >= 0.975 - 1e-6);
        if (y > 0)
            assert_true(poisson_cdf(y - 1, out->eta[i], out->eta_sd[i]) < 0.975 + 1e-6);
    }
    dlp_prediction_free(p);
    dlp_regression_free(ours);
    free_rows(r);
}

/* Of data drawn from the model, intervals for new groups hold what they say. Sanitizers
   watch a few of the fits: more are the same code again. */
static void new_groups_are_covered(void **state)
{
    (void)state;
    int inside = 0, all = 0;
    const int fits = SANITISED ? 4 : 20;
    for (uint64_t seed = 100; seed < 100 + (uint64_t)fits; seed++) {
        rows *r = draw_rows(seed);
        dlp_rng rng = dlp_rng_at(seed, 4);
        dlp_regression *ours = fit("y ~ x + (1 + x | g)", NULL, r);
        for (int i = 0; i < N; i++) {
            const double a = 0.4 + 1.2 * dlp_draw_normal(&rng),
                         b = 0.7 + 0.5 * dlp_draw_normal(&rng);
            r->group[i] = 9;
            r->y[i] = a + b * r->x[i] + 0.8 * dlp_draw_normal(&rng);
        }
        make_table(r);
        dlp_prediction *p =
            predict(ours, r, DLP_PREDICT_OBSERVATIONS, DLP_EFFECTS_OF_LEVELS);
        const dlp_prediction_result *out = dlp_prediction_result_of(p);
        for (int i = 0; i < N; i++, all++)
            inside +=
                out->observed_lower[i] < r->y[i] && r->y[i] < out->observed_upper[i];
        dlp_prediction_free(p);
        dlp_regression_free(ours);
        free_rows(r);
    }
    assert_near((double)inside / all, 0.95, SANITISED ? 0.05 : 0.03);
}

static void new_levels_are_counted(void **state)
{
    (void)state;
    rows *r = draw_rows(8);
    dlp_regression *nested = fit("y ~ x + (1 | g/k)", NULL, r),
                   *crossed = fit("y ~ x + (1 | g) + (1 | k)", NULL, r);
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_design_problem problem;
    dlp_prediction *p;
    r->plot[0] = r->plot[9] = 3; /* s is new, and so are a:s and b:s */
    r->group[1] = 9;             /* new, and new:q */
    make_table(r);
    p = predict(nested, r, DLP_PREDICT_SCORES, DLP_EFFECTS_OF_LEVELS);
    assert_int_equal(dlp_prediction_result_of(p)->new_group_rows, 3);
    assert_int_equal(dlp_prediction_result_of(p)->new_groups, 4);
    dlp_prediction_free(p);
    p = predict(crossed, r, DLP_PREDICT_SCORES, DLP_EFFECTS_OF_LEVELS);
    assert_int_equal(dlp_prediction_result_of(p)->new_group_rows, 3);
    assert_int_equal(dlp_prediction_result_of(p)->new_groups, 2);
    dlp_prediction_free(p);
    settings.unseen_group = DLP_UNSEEN_DROP;
    assert_ok(dlp_regression_predict(crossed, r->table, &settings, &p, error));
    assert_int_equal(dlp_prediction_result_of(p)->N, N - 3);
    assert_int_equal(dlp_prediction_result_of(p)->unseen, 3);
    dlp_prediction_free(p);
    settings.unseen_group = DLP_UNSEEN_ERROR;
    settings.problem = &problem;
    assert_fails(dlp_regression_predict(crossed, r->table, &settings, &p, error),
                 DLP_EINPUT, "'new'");
    assert_int_equal(problem.kind, DLP_PROBLEM_UNSEEN_GROUP);
    dlp_regression_free(nested);
    dlp_regression_free(crossed);
    free_rows(r);
}

static void effects_need_a_mixed_model(void **state)
{
    (void)state;
    rows *r = draw_rows(9);
    dlp_regression *plain = fit("y ~ x", NULL, r);
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_prediction *p;
    settings.effects = DLP_EFFECTS_OF_NONE;
    assert_fails(dlp_regression_predict(plain, r->table, &settings, &p, error),
                 DLP_EINVAL, "need a mixed model");
    assert_null(p);
    dlp_regression_free(plain);
    free_rows(r);
}

/* ---- memory ---- */

static dlp_status use_all(const char *text, size_t size, const rows *r, dlp_error *error)
{
    dlp_regression *back = NULL;
    dlp_prediction *p = NULL;
    char *again = NULL;
    dlp_status status = dlp_regression_parse("memory", text, size, &back, error);
    if (status == DLP_OK)
        status = dlp_regression_json(back, DLP_PART_GROUPS, 0, &again, &size, error);
    if (status == DLP_OK)
        status = dlp_regression_predict(back, r->table, NULL, &p, error);
    free(again);
    dlp_prediction_free(p);
    dlp_regression_free(back);
    return status;
}

static void failed_allocations_are_told(void **state)
{
    (void)state;
    rows *r = draw_rows(10);
    dlp_regression *ours = fit("y ~ x + (1 | g/k)", NULL, r);
    char *text;
    size_t size;
    dlp_status status = DLP_ENOMEM;
    assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
    r->group[1] = 9;
    make_table(r);
    for (int left = 0; status != DLP_OK; left += 1 + left / 50) {
        dlp_error why = {0};
        allocations_left = left;
        status = use_all(text, size, r, &why);
        allocations_left = -1;
        if (status != DLP_OK) {
            assert_true(status == DLP_ENOMEM || status == DLP_EINPUT);
            assert_true(why.message[0] != '\0');
        }
        assert_true(left < 1000000);
    }
    free(text);
    dlp_regression_free(ours);
    free_rows(r);
}

/* Lack of memory anywhere in a fit is reported: it neither changes the answer nor gets
   lost. */
static void fits_without_memory_are_no_fits(void **state)
{
    (void)state;
    rows *r = draw_rows(11);
    dlp_regression *good = fit("y ~ x + (1 | g)", NULL, r);
    const dlp_regression_result *wanted = dlp_regression_result_of(good);
    dlp_status status = DLP_ENOMEM;
    for (int left = 0; status != DLP_OK; left += 1 + left / (SANITISED ? 4 : 12)) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *made = NULL;
        dlp_error why = {0};
        allocations_left = left;
        status = dlp_regression_fit("y ~ x + (1 | g)", r->table, &settings, &made, &why);
        const bool met = allocations_left < 0;
        allocations_left = -1;
        if (met && status == DLP_OK) status = DLP_ENOMEM; /* it did without: go on */
        if (made) {
            const dlp_regression_result *found = dlp_regression_result_of(made);
            SAME(found->mu, wanted->mu, wanted->n);
            SAME(found->Sigma, wanted->Sigma, wanted->n * wanted->n);
        }
        assert_int_equal(status == DLP_OK ? DLP_ENOMEM : status, DLP_ENOMEM);
        assert_true(left < 1000000);
        dlp_regression_free(made);
    }
    dlp_regression_free(good);
    free_rows(r);
}

/* Nor is it taken for values that no smooth can be made of. */
static void smooths_without_memory_are_not_bad_input(void **state)
{
    static const char *const formula[] = {"y ~ s(z)", "y ~ s(z, bs = \"cr\")",
                                          "y ~ s(x, z)", "y ~ rw1(v)"};
    (void)state;
    rows *r = draw_rows(12);
    dlp_regression_settings settings = dlp_regression_settings_default();
    for (int f = 0; f < 4; f++)
        for (int left = 0; left < 80; left++) {
            dlp_regression *made = NULL;
            dlp_error why = {0};
            allocations_left = left;
            const dlp_status status =
                dlp_regression_fit(formula[f], r->table, &settings, &made, &why);
            allocations_left = -1;
            dlp_regression_free(made);
            if (status != DLP_ENOMEM && status != DLP_OK)
                fail_msg("%s, allocation %d: %s", formula[f], left, why.message);
        }
    free_rows(r);
}

/* A file without its curves is refused. */
static void curves_without_memory_are_not_left_out(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression *ours = fit("y ~ s(z)", NULL, r);
    char *whole, *text;
    size_t size, found;
    assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &whole, &size, error));
    bool met = true;
    for (int left = 0; met; left++) {
        allocations_left = left;
        const dlp_status status =
            dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &found, NULL);
        met = allocations_left < 0;
        allocations_left = -1;
        assert_true(status == DLP_OK || status == DLP_ENOMEM);
        if (status != DLP_OK) continue;
        assert_int_equal(found, size);
        assert_memory_equal(text, whole, size);
        free(text);
    }
    free(whole);
    dlp_regression_free(ours);
    free_rows(r);
}

/* An offset that no mean can be computed with is not a fit that diverged without a word. */
static void offsets_out_of_range_are_told(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *made = NULL;
    settings.family = "poisson";
    for (int i = 0; i < 3; i++) {
        static const double offset[] = {800, 1e10, 1e300};
        r->o[4] = offset[i];
        make_table(r);
        assert_fails(dlp_regression_fit("c ~ x + (1 | g) + offset(o)", r->table,
                                        &settings, &made, error),
                     DLP_EINPUT, "most of all those of 'offset()'");
    }
    free_rows(r);
}

/* A response that is constant in each group leaves nothing to estimate its sd from: the
   effects are those of the groups' means, and what is reported is finite. */
static void constant_groups_are_finite(void **state)
{
    (void)state;
    rows *r = draw_rows(12);
    for (int i = 0; i < N; i++) r->y[i] = 1 + r->group[i] % 4;
    make_table(r);
    dlp_regression *made = fit("y ~ x + (1 | g)", "gaussian", r);
    const dlp_regression_result *result = dlp_regression_result_of(made);
    assert_int_equal(result->outcome, DLP_STALLED);
    const dlp_random_effects *e = &result->random[0];
    assert_true(isfinite(result->margin[0].lower));
    for (int l = 1; l < GROUPS; l++) assert_near(e->mean[l] - e->mean[0], l % 4, 1e-3);
    assert_true(e->sd[0].mean > 0.7 && e->sd[0].mean < 2);
    dlp_regression_free(made);
    free_rows(r);
}

static void sizes_of_levels_are_told(void **state)
{
    const dlp_index each[] = {4, 9, 2};
    dlp_random_effects effects = {.levels = 3, .rows = each};
    dlp_level_sizes sizes = {0};
    (void)state;
    assert_true(dlp_random_effects_sizes(&effects, &sizes));
    assert_int_equal(sizes.least, 2);
    assert_int_equal(sizes.most, 9);
    assert_true(sizes.mean == 5);
    effects.rows = NULL;
    assert_false(dlp_random_effects_sizes(&effects, &sizes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_fit_is_the_same),
        cmocka_unit_test(smooths_without_memory_are_not_bad_input),
        cmocka_unit_test(curves_without_memory_are_not_left_out),
        cmocka_unit_test(json_has_sds_and_effects),
        cmocka_unit_test(margins_are_those_of_the_columns),
        cmocka_unit_test(parameters_are_the_populations),
        cmocka_unit_test(a_level_is_what_its_rows_say),
        cmocka_unit_test(levels_are_found),
        cmocka_unit_test(predictions_are_their_formulas),
        cmocka_unit_test(new_responses_know_of_random_effects),
        cmocka_unit_test(new_groups_are_covered),
        cmocka_unit_test(new_levels_are_counted),
        cmocka_unit_test(effects_need_a_mixed_model),
        cmocka_unit_test(failed_allocations_are_told),
        cmocka_unit_test(fits_without_memory_are_no_fits),
        cmocka_unit_test(offsets_out_of_range_are_told),
        cmocka_unit_test(constant_groups_are_finite),
        cmocka_unit_test(sizes_of_levels_are_told),
    };
    return cmocka_run_group_tests(tests, fit_models, free_models);
}
