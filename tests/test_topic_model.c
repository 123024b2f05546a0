/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic model as a program that links the library has it: its folder and its settings,
   and that the command line says the same. */
#include "failing_allocator.h"
#include "topic_model_support.h"

#include <sys/stat.h>

/* ---- the folder ---- */

static void a_model_comes_back_from_its_folder(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus), *loaded = NULL, *part = NULL;
    const dlp_topic_model_info *info = dlp_topic_model_get_info(model);
    int n, m;
    assert_int_equal(info->outcome, DLP_MAX_ITERATIONS);
    assert_int_equal(info->iterations, 6);
    assert_int_equal(info->words, corpus->words);
    assert_ok(dlp_topic_model_save(model, path_a, error));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    assert_same_model(model, loaded);
    const dlp_topic_model_row *trace = dlp_topic_model_trace(model, &n),
                              *again = dlp_topic_model_trace(loaded, &m);
    assert_int_equal(n, 6);
    assert_int_equal(m, 6);
    for (int i = 0; i < n; i++)
        assert_true(trace[i].objective_per_word == again[i].objective_per_word);
    assert_true(trace[5].objective_per_word == info->objective_per_word);
    assert_string_equal(dlp_topic_model_vocab(loaded)[7], corpus->vocab[7]);
    assert_int_equal(dlp_topic_model_get_info(loaded)->decreases, info->decreases);

    /* what was loaded can be saved again, all of it or not at all */
    assert_ok(dlp_topic_model_save(loaded, path_b, error));
    const char *const files[] = {"model.json", "beta.npy",  "mu.npy",
                                 "sigma.npy",  "theta.npy", "vocab.txt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_same_file(path_a, path_b, files[i]);
    assert_ok(dlp_topic_model_load(path_a, 0, &part, error));
    assert_null(dlp_topic_model_theta(part));
    assert_fails(dlp_topic_model_save(part, path_b, error), DLP_EINVAL, "load all of it");
    dlp_topic_model_free(part);
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* The evidence of a fit that diverged is none: no infinity in the trace, and the rest is read. */
static void a_trace_has_numbers_alone(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus), *loaded = NULL;
    char path[256], text[2000];
    int n;
    dlp_topic_model_row *trace = (dlp_topic_model_row *)dlp_topic_model_trace(model, &n);
    assert_int_equal(n, 6);
    trace[5].objective_per_word = -INFINITY;
    trace[5].change = NAN;
    assert_ok(dlp_topic_model_save(model, path_a, error));
    snprintf(path, sizeof path, "%s/trace.csv", path_a);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "nan"));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    const dlp_topic_model_row *again = dlp_topic_model_trace(loaded, &n);
    assert_int_equal(n, 6);
    assert_true(again[4].objective_per_word == trace[4].objective_per_word);
    assert_true(isnan(again[5].objective_per_word));
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* Changes a byte in the middle of a file. */
static void damage(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 200, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, 200, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void a_damaged_folder_is_refused(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(40);
    dlp_topic_model *model = fit(corpus), *loaded = NULL;
    dlp_topic_folder *folder = NULL, *second = NULL;
    assert_fails(dlp_topic_model_load("-", 0, &loaded, error), DLP_EINPUT,
                 "standard input");
    assert_fails(dlp_topic_model_load(path_a, 0, &loaded, error), DLP_EINPUT,
                 "cannot read");
    assert_fails(dlp_topic_model_load(packages, 0, &loaded, error), DLP_EINPUT,
                 "is a file");
    assert_fails(dlp_topic_model_save(model, packages, error), DLP_EIO, "is a file");
    assert_fails(dlp_topic_folder_open(DLP_TEST_DIR, &folder, error), DLP_EINVAL,
                 "holds other files");
    assert_ok(dlp_topic_folder_open(path_a, &folder, error));
    assert_fails(dlp_topic_folder_open(path_a, &second, error), DLP_EIO, "another fit");
    dlp_topic_folder_close(folder);
    assert_int_not_equal(access(path_a, F_OK), 0); /* made for nothing */

    const char *const files[] = {"beta.npy", "theta.npy", "vocab.txt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_ok(dlp_topic_model_save(model, path_a, error));
        assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
        dlp_topic_model_free(loaded);
        damage(path_a, files[i]);
        assert_fails(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error),
                     DLP_EINPUT, "is not the file that model.json describes");
        assert_null(loaded);
    }
    /* the trace has no checksum, and is not believed */
    assert_ok(dlp_topic_model_save(model, path_a, error));
    char path[256];
    snprintf(path, sizeof path, "%s/trace.csv", path_a);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("log_evidence_per_word\nnone\n", out);
    fclose(out);
    int n;
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    assert_null(dlp_topic_model_trace(loaded, &n));
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* ---- the command line says the same ---- */

static const char *program;

static void run(const char *format, ...)
{
    char command[1024];
    va_list args;
    va_start(args, format);
    const int length = snprintf(command, sizeof command, "'%s' ", program);
    vsnprintf(command + length, sizeof command - (size_t)length, format, args);
    va_end(args);
    const int status = system(command);
    assert_true(WIFEXITED(status) &&
                (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3));
}

/* The table of 'topics infer': as many digits as it prints. */
static void assert_same_proportions(const char *path, const dlp_topic_model *model,
                                    const double *pi, const double *sd)
{
    const dlp_index topics = dlp_topic_model_topics(model)->K;
    dlp_table *table = NULL;
    assert_ok(dlp_table_read(path, NULL, &table, error));
    assert_int_equal(table->columns, 1 + 2 * topics);
    for (dlp_index d = 0; d < table->rows; d++)
        for (dlp_index k = 0; k < topics; k++) {
            const double p = pi[d * topics + k], s = sd[d * topics + k];
            assert_near(table->column[1 + k].number[d], p, 5.1e-6 * p);
            assert_near(table->column[1 + topics + k].number[d], s, 5.1e-6 * s);
        }
    dlp_table_free(table);
}

static void the_command_line_says_the_same(void **state)
{
    (void)state;
    if (!program) skip();
    dlp_corpus *corpus = NULL, *again = NULL;
    dlp_topic_model *model = NULL;
    dlp_topics_settings settings = dlp_topics_settings_default(); /* all of them */
    char csv[128];
    snprintf(csv, sizeof csv, "%s/new.csv", work);
    settings.K = 4;
    settings.max_iter = 8;
    assert_ok(dlp_corpus_open(packages, NULL, &corpus, error));
    assert_ok(dlp_corpus_open(packages, NULL, &again, error));
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_ok(dlp_topic_model_save(model, path_a, error));
    run("topics fit '%s' -k 4 --max-iter 8 -q -o '%s'", packages, path_b);
    const char *const files[] = {"model.json", "beta.npy",  "mu.npy",
                                 "sigma.npy",  "theta.npy", "vocab.txt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_same_file(path_a, path_b, files[i]);

    double *pi = calloc((size_t)(2 * corpus->D * 4), sizeof *pi);
    assert_non_null(pi);
    double *sd = pi + corpus->D * 4;
    dlp_inference_result found;
    assert_ok(dlp_topic_model_align(model, again, NULL, error));
    assert_ok(dlp_topic_model_infer(model, again, NULL, NULL, pi, sd, &found, error));
    assert_int_equal(found.documents, corpus->D);
    assert_int_equal(found.words, corpus->words);
    run("topics infer '%s' '%s' --uncertainty -q -o '%s'", path_b, packages, csv);
    assert_same_proportions(csv, model, pi, sd);
    free(pi);
    dlp_topic_model_free(model);
    dlp_corpus_free(again);
    dlp_corpus_free(corpus);
}

/* ---- settings, memory ---- */

/* Settings written by hand, without their size, are not taken for the defaults. */
static void settings_without_a_size_are_refused(void **state)
{
    (void)state;
    const dlp_topics_settings by_hand = {.K = K};
    dlp_corpus *corpus = open_corpus(40);
    dlp_topic_folder *folder = NULL;
    dlp_topic_model *model = NULL;
    assert_fails(dlp_topic_model_fit(corpus, NULL, &by_hand, &model, error), DLP_EINVAL,
                 "size 0");
    assert_null(model);
    assert_ok(dlp_topic_folder_open(path_a, &folder, error));
    assert_fails(
        dlp_topic_folder_fit(folder, corpus, NULL, &by_hand, NULL, &model, error),
        DLP_EINVAL, "size 0");
    assert_fails(dlp_topic_folder_finished(folder, corpus, NULL, &by_hand, &model, error),
                 DLP_EINVAL, "size 0");
    dlp_topic_folder_close(folder);
    dlp_corpus_free(corpus);
}

/* A program of an older header knows fewer fields; the others have their defaults. */
static void older_settings_are_completed(void **state)
{
    (void)state;
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_corpus *corpus = open_corpus(40);
    dlp_ctm *ctm = NULL;
    settings.size = offsetof(dlp_topics_settings, smooth);
    settings.K = K;
    settings.smooth = -1; /* beyond its size */
    settings.threads = -1;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error));
    dlp_ctm_free(ctm);
    settings.size = sizeof settings;
    assert_fails(dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "threads 0 to 1024");
    dlp_corpus_free(corpus);
}

static dlp_status fit_save_load(const dlp_corpus *corpus, const dlp_table *table,
                                dlp_error *error)
{
    dlp_topics_settings settings = settings_for(2);
    dlp_document_covariates c = {0};
    dlp_topic_model *model = NULL, *loaded = NULL;
    settings.max_iter = 1;
    settings.threads = 1;
    dlp_status status = dlp_covariates_build(table, "~ g", corpus, NULL, &c, error);
    if (status == DLP_OK)
        status = dlp_topic_model_fit(corpus, &c, &settings, &model, error);
    if (status == DLP_OK) status = dlp_topic_model_save(model, path_a, error);
    if (status == DLP_OK)
        status = dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error);
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_document_covariates_free(&c);
    return status;
}

static void memory_that_lacks_is_an_error(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(12);
    dlp_table *table = backward_table(12, false);
    dlp_status status = DLP_ENOMEM;
    int n = 0;
    for (; status == DLP_ENOMEM; n++) {
        dlp_error error = {0};
        allocations_left = n;
        status = fit_save_load(corpus, table, &error);
        allocations_left = -1;
        if (status == DLP_ENOMEM)
            assert_non_null(strstr(error.message, "not enough memory"));
        else if (status != DLP_OK)
            fail_msg("%d: %s", n, error.message);
    }
    assert_int_equal(status, DLP_OK);
    assert_true(n > 60);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_model_comes_back_from_its_folder),  TEST(a_trace_has_numbers_alone),
        TEST(a_damaged_folder_is_refused),         TEST(the_command_line_says_the_same),
        TEST(settings_without_a_size_are_refused), TEST(older_settings_are_completed),
        TEST(memory_that_lacks_is_an_error),
    };
    program = getenv("DELAPLACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
