/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression handle under attack: files with anything in any place, priors and settings
   that make no sense, tables that lack what a fit needs, memory that runs out. */
#include "failing_allocator.h"
#include "io/print_file.h"
#include "support.h"

enum { N = 24 };

/* Two groups, a response of each kind. */
typedef struct rows {
    double y[N], b[N], won[N], lost[N], x[N], z[N], w[N];
    int32_t group[N];
    const char *level[N];
    dlp_table *table;
} rows;

static rows *draw_rows(uint64_t seed)
{
    static const char *const names[] = {"east", "west"};
    static const char *const level[] = {"low", "middle", "high"};
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(seed, 0);
    for (int i = 0; i < N; i++) {
        r->x[i] = dlp_draw_normal(&rng);
        r->z[i] = 2.385 + dlp_draw_normal(&rng);
        r->w[i] = 1 + floor(3 * dlp_draw_uniform(&rng));
        r->group[i] = i % 2;
        r->y[i] = 0.7 * r->x[i] + dlp_draw_normal(&rng);
        r->b[i] = r->y[i] > 0;
        r->won[i] = floor(5 * dlp_draw_uniform(&rng));
        r->lost[i] = 5 - r->won[i];
        r->level[i] = level[r->y[i] < -0.5 ? 0 : r->y[i] < 0.5 ? 1 : 2];
    }
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "b", .number = r->b},
        {.name = "won", .number = r->won},
        {.name = "lost", .number = r->lost},
        {.name = "x", .number = r->x},
        {.name = "z", .number = r->z},
        {.name = "w", .number = r->w},
        {.name = "level", .text = r->level},
        {.name = "g", .code = r->group, .n_levels = 2, .level = names},
    };
    assert_ok(dlp_table_from_columns(N, 9, column, &r->table, error));
    return r;
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

static dlp_regression *fit(const char *formula, const char *family, const rows *r)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *made = NULL;
    settings.family = family;
    /* bars alone are the paper's hierarchy here, beside terms random effects */
    if (strstr(formula, "~ (")) settings.grouping = DLP_HIERARCHICAL;
    assert_ok(dlp_regression_fit(formula, r->table, &settings, &made, error));
    return made;
}

static const struct {
    const char *formula, *family;
} models[] = {{"b ~ x * z", NULL},
              {"level ~ x", "ordinal"},
              {"level ~ x + g", "multinomial"},
              {"y ~ (x | g)", NULL},
              {"y ~ x + (x | g)", NULL},
              {"b ~ x + (1 | g) + (0 + z | g)", NULL},
              {"cbind(won, lost) ~ scale(x)", NULL}};
enum { MODELS = sizeof models / sizeof *models };

/* ---- files ---- */

/* All that a client may do with a fit that was read: it may fail, with a message. */
static void use(const dlp_regression *r, const dlp_table *table)
{
    const dlp_regression_result *result = dlp_regression_result_of(r);
    dlp_diagnostic found[32];
    dlp_error why = {0};
    dlp_parameter *parameter = calloc((size_t)result->n, sizeof *parameter);
    for (dlp_index m = DLP_SPREAD_OF_GROUPS; m <= result->M; m++)
        (void)dlp_regression_parameters(r, m, parameter, NULL);
    free(parameter);
    for (dlp_index t = 0; t < result->n_random; t++) {
        const dlp_random_effects *of = &result->random[t];
        dlp_level_effect *effect = calloc((size_t)of->q, sizeof *effect);
        for (dlp_index l = 0; l < of->levels; l++) {
            dlp_regression_level(r, t, l, effect);
            assert_true(dlp_regression_find_level(r, of->group, of->level[l]) >= 0);
        }
        free(effect);
    }
    assert_true(dlp_regression_diagnose(r, 32, found) <= 32);
    for (int what = DLP_PREDICT_MEANS; what <= DLP_PREDICT_SCORES; what++) {
        dlp_prediction_settings settings = dlp_prediction_settings_default();
        dlp_prediction *p = NULL;
        dlp_evaluation evaluation;
        settings.what = (dlp_predict)what;
        if (dlp_regression_predict(r, table, &settings, &p, &why) != DLP_OK)
            assert_true(why.message[0] != '\0');
        else if (what == DLP_PREDICT_SCORES)
            assert_ok(dlp_prediction_evaluate(p, &evaluation, error));
        dlp_prediction_free(p);
    }
    for (int part = DLP_PART_FILE; part <= DLP_PART_POPULATION; part++) {
        char *text = NULL;
        size_t size;
        (void)dlp_regression_json(r, (dlp_regression_part)part, 0, &text, &size, NULL);
        free(text);
    }
}

static void read_and_use(const json_t *root, const dlp_table *table)
{
    char *text = json_dumps(root, JSON_ENCODE_ANY);
    dlp_regression *back = NULL;
    dlp_error why = {0};
    const dlp_status status =
        dlp_regression_parse("file", text, strlen(text), &back, &why);
    if (status == DLP_OK) {
        use(back, table);
    } else {
        assert_int_equal(status, DLP_EINPUT);
        assert_true(why.message[0] != '\0');
        assert_null(back);
    }
    dlp_regression_free(back);
    free(text);
}

/* What may be anywhere in a file; NULL after the last. */
static json_t *strange(int i)
{
    switch (i) {
    case 0: return json_null();
    case 1: return json_integer(-1);
    case 2: return json_integer(INT64_MAX);
    case 3: return json_real(1e300);
    case 4: return json_string("none");
    case 5: return json_array();
    case 6: return json_object();
    case 7: return json_string("separate");
    default: return NULL;
    }
}

static void spoil(const json_t *root, json_t *at, const dlp_table *table);

/* A third of the strange values at each place, others at the next; under sanitizers not the
   same as without. */
static int first_strange(void)
{
    static int turn = SANITISED;
    return turn++ % 3;
}

/* Puts every strange value, and nothing, in place of a value, and reads the whole. */
static void spoil_key(const json_t *root, json_t *at, const char *key,
                      const dlp_table *table)
{
    json_t *value = json_incref(json_object_get(at, key)), *other;
    for (int i = first_strange(); (other = strange(i)); i += 3) {
        json_object_set_new(at, key, other);
        read_and_use(root, table);
    }
    json_object_del(at, key);
    read_and_use(root, table);
    json_object_set_new(at, key, value);
    spoil(root, value, table);
}

static void spoil_item(const json_t *root, json_t *at, size_t k, const dlp_table *table)
{
    json_t *value = json_incref(json_array_get(at, k)), *other;
    for (int i = first_strange(); (other = strange(i)); i += 3) {
        json_array_set_new(at, k, other);
        read_and_use(root, table);
    }
    json_array_remove(at, k);
    read_and_use(root, table);
    json_array_insert_new(at, k, value);
    spoil(root, value, table);
}

static void spoil(const json_t *root, json_t *at, const dlp_table *table)
{
    if (json_is_object(at)) {
        json_t *names = json_deep_copy(at); /* whose keys stay while at changes */
        for (void *i = json_object_iter(names); i; i = json_object_iter_next(names, i))
            spoil_key(root, at, json_object_iter_key(i), table);
        json_decref(names);
    }
    /* the first and last of a list stand for the others */
    const size_t n = json_array_size(at);
    if (n > 0) spoil_item(root, at, 0, table);
    if (n > 1) spoil_item(root, at, n - 1, table);
}

/* Predictions are for some of the rows: there are thousands of files. */
static dlp_table *first_rows(const rows *r)
{
    unsigned char keep[N] = {1, 1, 1, 1};
    dlp_table *some = NULL;
    assert_ok(dlp_table_select(r->table, keep, &some, error));
    return some;
}

static void files_may_hold_anything(void **state)
{
    (void)state;
    rows *r = draw_rows(1);
    dlp_table *some = first_rows(r);
    for (int k = 0; k < MODELS; k += SANITISED ? 1 : 3) { /* the sanitizers look at all */
        char *text = NULL;
        size_t size;
        dlp_regression *ours = fit(models[k].formula, models[k].family, r);
        assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
        json_t *root = json_loadb(text, size, 0, NULL);
        assert_non_null(root);
        spoil(root, root, some);
        json_decref(root);
        free(text);
        dlp_regression_free(ours);
    }
    dlp_table_free(some);
    free_rows(r);
}

/* A covariance of two parameters, as a file has it. */
static json_t *square_of_two(double a, double above, double below, double b)
{
    return json_pack("[[f,f],[f,f]]", a, above, below, b);
}

static void covariances_in_files_are_checked(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    dlp_regression *ours = fit("b ~ x", NULL, r);
    static const struct {
        double a, above, below, b;
        bool sound;
    } squares[] = {
        {4, 1, 1, 1, true},        {4, 2, 2, 1, true}, /* perfectly correlated */
        {4, 0, 0, 0, true},                            /* a parameter that is known */
        {0, 0, 0, 0, true},        {1e-300, 1e-310, 1e-310, 1e-300, true},
        {4, 1, 1 + 1e-9, 1, true},                            /* rounding */
        {4, 1, 0.9, 1, false},                                /* not symmetric */
        {4, 1, -1, 1, false},      {4, 2.01, 2.01, 1, false}, /* a correlation above 1 */
        {4, -3, -3, 1, false},     {1e300, 1e301, 1e301, 1e300, false},
        {4, 1e-9, 1e-9, 0, false}}; /* with something that does not vary */
    char *text = NULL;
    size_t size;
    assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
    json_t *root = json_loadb(text, size, 0, NULL);
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++) {
        dlp_regression *back = NULL;
        dlp_error why = {0};
        json_object_set_new(root, "covariance",
                            square_of_two(squares[k].a, squares[k].above,
                                          squares[k].below, squares[k].b));
        char *changed = json_dumps(root, 0);
        const dlp_status status =
            dlp_regression_parse("file", changed, strlen(changed), &back, &why);
        assert_int_equal(status, squares[k].sound ? DLP_OK : DLP_EINPUT);
        if (!squares[k].sound)
            assert_non_null(strstr(why.message, "\"covariance\" must be a covariance"));
        dlp_regression_free(back);
        free(changed);
    }
    json_decref(root);
    free(text);
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- settings ---- */

static void numbers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    rows *r = draw_rows(2);
    const double wrong[] = {-1, NAN, INFINITY, -INFINITY};
    const dlp_regression_settings plain = dlp_regression_settings_default();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 7; k++) {
            dlp_regression_settings s = plain;
            double *const field[] = {&s.prior_sd, &s.prior_df, &s.intercept_sd, &s.tol,
                                     &s.nu,       &s.phi0,     &s.phi1};
            dlp_regression *made = NULL;
            *field[k] = wrong[i];
            assert_fails(dlp_regression_fit(k < 4 ? "b ~ x" : "b ~ (x | g)", r->table, &s,
                                            &made, error),
                         DLP_EINVAL, "");
            assert_null(made);
        }
    for (int k = 0; k < 4; k++) {
        dlp_regression_settings s = plain;
        dlp_regression *made = NULL;
        *(k % 2 ? &s.threads : &s.max_iter) = k < 2 ? -1 : 2000000000;
        assert_fails(dlp_regression_fit("b ~ x", r->table, &s, &made, error), DLP_EINVAL,
                     "");
    }
    free_rows(r);
}

/* ---- stated priors ---- */

static dlp_status fit_with_prior(const rows *r, const char *formula, const char *priors,
                                 const char *covariance, dlp_error *error)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *prior = NULL, *square = NULL;
    dlp_regression *made = NULL;
    if (priors)
        assert_int_equal(
            dlp_table_parse("priors", priors, strlen(priors), NULL, &prior, NULL),
            DLP_OK);
    if (covariance)
        assert_int_equal(dlp_table_parse("square", covariance, strlen(covariance), NULL,
                                         &square, NULL),
                         DLP_OK);
    settings.prior = prior;
    settings.prior_covariance = square;
    const dlp_status status =
        dlp_regression_fit(formula, r->table, &settings, &made, error);
    assert_true((made != NULL) == (status == DLP_OK));
    dlp_regression_free(made);
    dlp_table_free(prior);
    dlp_table_free(square);
    return status;
}

static void priors_are_checked(void **state)
{
    (void)state;
    rows *r = draw_rows(3);
    static const struct {
        const char *priors, *words;
    } bad[] = {
        {"mean,sd\n0,1\n", "'term' is missing"},
        {"term,sd,shape\nx,1,1\n", "'shape' is not one of those of a table of priors"},
        {"term,sd\n1,1\n", "must hold names of terms"},
        {"term,sd\nx,wide\n", "must hold numbers"},
        {"term,sd\n,1\nx,1\n", "row 1 names no term"},
        {"term,sd\nx,1\nx,2\n", "row 2: the prior of 'x' is given twice"},
        {"term,sd\nlevle,1\n", "no term 'levle'"},
        {"term,sd\nx,0\n", "sd must be above 0"},
        {"term,sd\nx,-1\n", "sd must be above 0"},
        {"term,sd\nx,inf\n", "sd must be above 0"},
        {"term,mean\nx,1e101\n", "at most 1e+100"},
        {"term,df\nx,-1\n", "df from 0"},
        {"term,df\nx,2e9\n", "df from 0"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_fails(fit_with_prior(r, "b ~ x + z", bad[k].priors, NULL, error),
                     DLP_EINPUT, bad[k].words);
    assert_ok(fit_with_prior(r, "b ~ x + z", "term,sd,df\nx,2,4\nz,,7\n", NULL, error));
    free_rows(r);
}

static void prior_covariances_are_checked(void **state)
{
    (void)state;
    rows *r = draw_rows(4);
    static const struct {
        const char *covariance, *words;
    } bad[] = {{"(Intercept),x\n1,0\n", "there are 1 rows"},
               {"(Intercept),x\n1,0\n0,1\n0,0\n", "there are 3 rows"},
               {"x\n1\n", "no column '(Intercept)'"},
               {"(Intercept),y\n1,0\n0,1\n", "no term 'y'"},
               {"(Intercept),x\n1,0\n0,\n", "'x' must hold only numbers"},
               {"(Intercept),x\n1,0\n0,a\n", "'x' must hold only numbers"},
               {"(Intercept),x\n1,0.5\n0,1\n", "it must be symmetric"},
               {"(Intercept),x\n1,2\n2,1\n", "not positive definite"},
               {"(Intercept),x\n1,0\n0,0\n", "the variance of 'x' is 0"},
               {"(Intercept),x\n1,0\n0,-1\n", "the variance of 'x' is -1"},
               {"(Intercept),x\n1,0\n0,inf\n", "the variance of 'x' is inf"},
               {"(Intercept),x\n1,inf\ninf,1\n", "it must be symmetric"},
               {",(Intercept),x\nx,1,0\n(Intercept),0,1\n", "in the same order"},
               {"n,(Intercept),x\n,1,0\nx,0,1\n", "in the same order"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_fails(fit_with_prior(r, "b ~ x", NULL, bad[k].covariance, error),
                     DLP_EINPUT, bad[k].words);
    assert_fails(
        fit_with_prior(r, "b ~ x", "term,sd\nx,1\n", "(Intercept),x\n1,0\n0,1\n", error),
        DLP_EINPUT, "can only give means");
    assert_ok(fit_with_prior(r, "b ~ x", "term,mean\nx,1\n",
                             "n,x,(Intercept)\nx,1,0.25\n(Intercept),0.25,4\n", error));
    free_rows(r);
}

/* ---- predictions ---- */

static dlp_status predict(const dlp_regression *of, const char *csv, dlp_predict what,
                          dlp_error *error)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_table *table = NULL;
    dlp_prediction *p = NULL;
    assert_int_equal(dlp_table_parse("new", csv, strlen(csv), NULL, &table, NULL),
                     DLP_OK);
    settings.what = what;
    const dlp_status status = dlp_regression_predict(of, table, &settings, &p, error);
    assert_true((p != NULL) == (status == DLP_OK));
    dlp_prediction_free(p);
    dlp_table_free(table);
    return status;
}

static void new_tables_are_checked(void **state)
{
    (void)state;
    rows *r = draw_rows(5);
    dlp_regression *trials = fit("cbind(won, lost) ~ x", NULL, r);
    dlp_regression *levels = fit("level ~ x", "ordinal", r);
    dlp_regression *gaussian = fit("y ~ x", NULL, r);
    assert_fails(predict(trials, "x\n1\n", DLP_PREDICT_OBSERVATIONS, error), DLP_EINPUT,
                 "has no columns for 'cbind(won, lost)'");
    assert_ok(predict(trials, "x,won,lost\n1,0,5\n", DLP_PREDICT_OBSERVATIONS, error));
    assert_fails(predict(trials, "x\n1\n", DLP_PREDICT_SCORES, error), DLP_EINPUT,
                 "no response");
    assert_fails(predict(levels, "x\n1\n", DLP_PREDICT_OBSERVATIONS, error), DLP_EINVAL,
                 "one of the levels");
    assert_fails(predict(levels, "x,level\n1,giant\n", DLP_PREDICT_SCORES, error),
                 DLP_EINPUT, "'giant'");
    assert_fails(predict(gaussian, "z\n1\n", DLP_PREDICT_MEANS, error), DLP_EINPUT,
                 "'x'");
    assert_fails(predict(gaussian, "x\na\n", DLP_PREDICT_MEANS, error), DLP_EINPUT,
                 "'x'");
    assert_fails(predict(gaussian, "x\nNA\n", DLP_PREDICT_MEANS, error), DLP_EINPUT,
                 "no row is left");
    assert_fails(predict(gaussian, "x\ninf\n", DLP_PREDICT_MEANS, error), DLP_EINPUT,
                 "finite");
    dlp_regression_free(trials);
    dlp_regression_free(levels);
    dlp_regression_free(gaussian);
    free_rows(r);
}

static int stop_at_once(void *context, const dlp_progress *progress)
{
    *(int *)context += 1;
    assert_string_equal(progress->phase, "predicting");
    return 1;
}

static void predictions_can_be_stopped(void **state)
{
    (void)state;
    rows *r = draw_rows(6);
    dlp_regression *ours = fit("y ~ (x | g)", NULL, r);
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_prediction *p = NULL;
    int calls = 0;
    settings.progress = stop_at_once;
    settings.context = &calls;
    assert_int_equal(dlp_regression_predict(ours, r->table, &settings, &p, NULL),
                     DLP_ECANCELLED);
    assert_null(p);
    assert_int_equal(calls, 1);
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- memory ---- */

/* Reads a file and does all with it, with this many allocations before one fails. */
static dlp_status read_all(const char *text, size_t size, const rows *r, dlp_error *error)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_regression *back = NULL;
    dlp_prediction *p = NULL;
    dlp_evaluation evaluation;
    dlp_calibration calibration = {0};
    settings.what = DLP_PREDICT_SCORES;
    dlp_status status = dlp_regression_parse("file", text, size, &back, error);
    if (status == DLP_OK)
        status = dlp_regression_predict(back, r->table, &settings, &p, error);
    if (status == DLP_OK) status = dlp_prediction_evaluate(p, &evaluation, error);
    if (status == DLP_OK) status = dlp_prediction_calibrate(p, &calibration, error);
    dlp_calibration_free(&calibration);
    dlp_prediction_free(p);
    dlp_regression_free(back);
    return status;
}

static void reading_without_memory_is_told(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    for (int k = 0; k < MODELS; k++) {
        char *text = NULL;
        size_t size;
        dlp_status status = DLP_ENOMEM;
        dlp_regression *ours = fit(models[k].formula, models[k].family, r);
        assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
        for (int left = 0; status != DLP_OK; left++) {
            dlp_error why = {0};
            allocations_left = left;
            status = read_all(text, size, r, &why);
            allocations_left = -1;
            if (status != DLP_OK) {
                assert_int_equal(status, DLP_ENOMEM);
                assert_true(why.message[0] != '\0');
            }
            assert_true(left < 20000);
        }
        free(text);
        dlp_regression_free(ours);
    }
    free_rows(r);
}

/* A text that lost bytes for want of memory is not whole. */
static void texts_are_whole_or_told(void **state)
{
    (void)state;
    bool whole = false;
    for (int left = 0; !whole; left++) {
        char *text;
        size_t size;
        allocations_left = left;
        FILE *out = dlpi_open_text(&text, &size);
        for (int i = 0; out && i < 20000; i++) fprintf(out, "%05d ", i);
        whole = out && dlpi_close_text(out, &text);
        allocations_left = -1;
        assert_true(left < 100);
        if (whole) {
            assert_int_equal(size, 6 * 20000);
            assert_int_equal(strlen(text), size);
            assert_memory_equal(text + size - 6, "19999 ", 6);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_whole_or_told),
        cmocka_unit_test(files_may_hold_anything),
        cmocka_unit_test(covariances_in_files_are_checked),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
        cmocka_unit_test(priors_are_checked),
        cmocka_unit_test(prior_covariances_are_checked),
        cmocka_unit_test(new_tables_are_checked),
        cmocka_unit_test(predictions_can_be_stopped),
        cmocka_unit_test(reading_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
