/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic model as a program that links the library has it: its folder, new documents,
   covariates, the search, and that the command line says the same. */
#include "support.h"

#include "failing_allocator.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

enum { K = 3, DOCUMENTS = 120 };

static const char packages[] = DLP_TEST_DIR "/data/packages.ldac";

/* The first documents of the packages. */
static dlp_corpus *open_corpus(dlp_index documents)
{
    dlp_corpus *whole = NULL, *part = NULL;
    assert_ok(dlp_corpus_open(packages, NULL, &whole, error));
    unsigned char *keep = calloc((size_t)whole->D, 1);
    assert_non_null(keep);
    for (dlp_index d = 0; d < documents; d++) keep[d] = 1;
    assert_ok(dlp_corpus_select(whole, keep, &part, error));
    free(keep);
    dlp_corpus_free(whole);
    return part;
}

static dlp_topics_settings settings_for(dlp_index topics)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = topics;
    settings.max_iter = 6;
    settings.threads = 2;
    return settings;
}

static dlp_topic_model *fit(const dlp_corpus *corpus)
{
    const dlp_topics_settings settings = settings_for(K);
    dlp_topic_model *model = NULL;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    return model;
}

static void assert_same_numbers(const double *a, const double *b, dlp_index n)
{
    assert_non_null(a);
    assert_non_null(b);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void assert_same_model(const dlp_topic_model *a, const dlp_topic_model *b)
{
    const dlp_topics *s = dlp_topic_model_topics(a), *t = dlp_topic_model_topics(b);
    const dlp_index D = dlp_topic_model_get_info(a)->D;
    assert_int_equal(s->K, t->K);
    assert_int_equal(s->V, t->V);
    assert_int_equal(s->p, t->p);
    assert_same_numbers(s->beta, t->beta, s->K * s->V);
    assert_same_numbers(s->Gamma, t->Gamma, s->p * s->K);
    assert_same_numbers(s->Sigma0, t->Sigma0, s->K * s->K);
    assert_same_numbers(dlp_topic_model_theta(a), dlp_topic_model_theta(b), D * s->K);
    assert_string_equal(dlp_topic_model_json(a), dlp_topic_model_json(b));
}

static char *read_all(const char *folder, const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 22, in);
    fclose(in);
    return bytes;
}

static void assert_same_file(const char *a, const char *b, const char *name)
{
    size_t n = 0, m = 0;
    char *x = read_all(a, name, &n), *y = read_all(b, name, &m);
    assert_int_equal(x != NULL, y != NULL);
    assert_int_equal(n, m);
    if (x && y) assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

/* A folder of this test, and inside it a path. */
static char work[64], path_a[128], path_b[128];

static int set_up(void **state)
{
    (void)state;
    snprintf(work, sizeof work, "/tmp/delaplace-model-XXXXXX");
    assert_non_null(mkdtemp(work));
    snprintf(path_a, sizeof path_a, "%s/a", work);
    snprintf(path_b, sizeof path_b, "%s/b", work);
    return 0;
}

static void remove_all(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static int tear_down(void **state)
{
    (void)state;
    remove_all(work);
    return 0;
}

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
    fputs("bound_per_word\nnone\n", out);
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

/* ---- new documents ---- */

static void proportions_do_not_depend_on_threads_or_parts(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus);
    const dlp_topics *topics = dlp_topic_model_topics(model);
    double one[2][DOCUMENTS * K], many[2][DOCUMENTS * K];
    dlp_inference_settings settings = dlp_inference_settings_default();
    dlp_inference *inference = NULL;
    dlp_inference_result a = {0}, b = {0};
    settings.document = dlp_topic_model_document_settings(model);
    settings.threads = 1;
    assert_ok(
        dlp_topic_model_infer(model, corpus, NULL, &settings, one[0], one[1], &a, error));
    settings.threads = 3;
    assert_ok(dlp_inference_alloc(topics, &settings, &inference, error));
    for (dlp_index from = 0; from < DOCUMENTS; from += 50) {
        const dlp_index to = from + 50 < DOCUMENTS ? from + 50 : DOCUMENTS;
        assert_ok(dlp_inference_run(inference, corpus, NULL, from, to, many[0] + from * K,
                                    many[1] + from * K, &b, error));
    }
    assert_memory_equal(one, many, sizeof one);
    assert_memory_equal(&a, &b, sizeof a);
    assert_fails(dlp_inference_run(inference, corpus, NULL, 0, DOCUMENTS + 1, one[0],
                                   NULL, NULL, error),
                 DLP_EINVAL, "are asked for");
    dlp_inference_free(inference);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* Terms are the same when their names are, in whatever order, and unknown ones are left
   out. */
static void vocabularies_are_matched_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "document,term,count\n"
        "one,zzz-no-such-term,5\none,game,3\none,data,1\ntwo,game,1\n";
    dlp_corpus *corpus = open_corpus(DOCUMENTS), *other = NULL;
    dlp_topic_model *model = fit(corpus);
    char *const *vocab = dlp_topic_model_vocab(model);
    dlp_index unseen = 0;
    dlp_topics start;
    assert_ok(dlp_corpus_parse_csv("x.csv", text, strlen(text), &other, error));
    assert_ok(dlp_topic_model_start(model, other, NULL, &start, error));
    assert_int_equal(start.V, other->V);
    assert_ok(dlp_topics_check(&start, error));
    for (dlp_index v = 0; v < other->V; v++)
        if (!strcmp(other->vocab[v], "zzz-no-such-term"))
            for (dlp_index k = 0; k < K; k++)
                assert_true(start.beta[k * start.V + v] == 0);
    dlp_topics_free(&start);
    assert_ok(dlp_topic_model_align(model, other, &unseen, error));
    assert_int_equal(unseen, 5);
    assert_int_equal(other->words, 5);
    assert_int_equal(other->V, dlp_topic_model_get_info(model)->V);
    assert_int_equal(other->row[1], 2);
    assert_string_equal(vocab[other->term[0]], "data");
    assert_string_equal(vocab[other->term[1]], "game");
    assert_int_equal(other->count[1], 3);
    assert_ok(dlp_topic_model_name_terms(model, other, error));
    assert_string_equal(other->vocab[other->term[2]], "game");
    dlp_topic_model_free(model);
    dlp_corpus_free(other);
    dlp_corpus_free(corpus);
}

/* ---- covariates ---- */

/* x of document i is i + 1 / (i + 1), and nothing for every seventh; rows are backwards. */
static dlp_table *backward_table(dlp_index D, bool named)
{
    char *text = malloc(64 * (size_t)D + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, named ? "id,x,g\n" : "x,g\n");
    for (dlp_index i = 0; i < D; i++) {
        const dlp_index d = named ? D - 1 - i : i;
        if (named) used += (size_t)sprintf(text + used, "doc%td,", d);
        if (d % 7 != 3)
            used +=
                (size_t)sprintf(text + used, "%.17g", (double)d + 1 / ((double)d + 1));
        used += (size_t)sprintf(text + used, ",%s\n", d % 2 ? "odd" : "even");
    }
    dlp_table *table = NULL;
    assert_ok(dlp_table_parse("t.csv", text, used, NULL, &table, error));
    free(text);
    return table;
}

static void name_documents(dlp_corpus *corpus)
{
    char path[128];
    snprintf(path, sizeof path, "%s/names", work);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (dlp_index d = 0; d < corpus->D; d++) fprintf(out, "doc%td\n", d);
    fclose(out);
    assert_ok(dlp_corpus_read_names(corpus, path, error));
    (void)unlink(path);
}

static void rows_are_found_by_name_and_missing_ones_dropped(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_table *table = backward_table(DOCUMENTS, true);
    dlp_document_covariates c, *const all[] = {&c};
    dlp_document_rows rows;
    dlp_index dropped;
    name_documents(corpus);
    assert_ok(dlp_document_rows_find(table, corpus, NULL, &rows, error));
    assert_int_equal(rows.column, 0);
    assert_int_equal(rows.row[0], DOCUMENTS - 1);
    dlp_document_rows_free(&rows);
    assert_fails(dlp_document_rows_find(table, corpus, "g", &rows, error), DLP_EINPUT,
                 "no row has the document 'doc0'");
    assert_fails(dlp_document_rows_find(table, corpus, "y", &rows, error), DLP_EINPUT,
                 "no column 'y'");

    assert_ok(dlp_covariates_build(table, "~ x + g", corpus, NULL, &c, error));
    assert_int_equal(c.p, 3);
    assert_ok(dlp_covariates_drop(1, all, &corpus, &dropped, error));
    assert_int_equal(dropped, 17);
    assert_int_equal(c.dropped, 17);
    assert_int_equal(c.D, corpus->D);
    for (dlp_index i = 0; i < c.D; i++) {
        const double d = strtod(corpus->name[i] + 3, NULL);
        assert_true((int)d % 7 != 3);
        assert_true(c.X[i * 3 + 1] == d + 1 / (d + 1));
    }
    dlp_document_covariates_free(&c);
    dlp_covariate_settings strict = dlp_covariate_settings_default();
    strict.missing_is_error = 1;
    dlp_corpus_free(corpus);
    corpus = open_corpus(DOCUMENTS);
    name_documents(corpus);
    assert_fails(dlp_covariates_build(table, "~ x", corpus, &strict, &c, error),
                 DLP_EINPUT, "fill them in");
    assert_fails(dlp_covariates_build(table, "~ 0 + x", corpus, NULL, &c, error),
                 DLP_EINVAL, "intercept");
    assert_fails(dlp_covariates_build(table, "x", corpus, NULL, &c, error), DLP_EINVAL,
                 "has no ~");
    dlp_corpus_free(corpus);
    corpus = open_corpus(50); /* without names, and of another length */
    assert_ok(dlp_document_rows_find(table, corpus, NULL, &rows, error));
    assert_null(rows.row);
    assert_fails(dlp_covariates_build(table, "~ x", corpus, NULL, &c, error), DLP_EINPUT,
                 "120 rows, and the corpus 50 documents");
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

static void covariates_stay_with_the_model(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS), *new = open_corpus(30);
    dlp_table *table = backward_table(DOCUMENTS, false), *other;
    const dlp_topics_settings settings = settings_for(K);
    dlp_document_covariates c, of_new, *const all[] = {&c};
    dlp_topic_model *model = NULL, *loaded = NULL;
    dlp_completion completion;
    dlp_effects effects;
    dlp_index dropped;
    assert_ok(dlp_covariates_build(table, "~ x + g", corpus, NULL, &c, error));
    assert_ok(dlp_covariates_drop(1, all, &corpus, &dropped, error));
    assert_string_equal(corpus->name[3], "5"); /* numbers of the whole corpus, from 1 */
    assert_ok(dlp_topic_model_fit(corpus, &c, &settings, &model, error));
    assert_ok(dlp_topic_model_save(model, path_a, error));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    assert_same_model(model, loaded);
    assert_int_equal(dlp_topic_model_get_info(loaded)->dropped, 17);
    assert_string_equal(dlp_topic_model_terms(loaded)->formula, "~ x + g");
    assert_string_equal(dlp_topic_model_columns(loaded)[2], "godd");

    /* the table of the fit, rows that it left out passed over */
    dlp_document_covariates own;
    dlp_covariate_settings by_order = dlp_covariate_settings_default();
    dlp_corpus *unnamed = open_corpus(DOCUMENTS);
    assert_ok(dlp_topic_model_own_covariates(loaded, table, &by_order, &own, error));
    assert_same_numbers(own.X, c.X, c.D * c.p);
    dlp_document_covariates_free(&own);
    dlp_corpus_free(unnamed);

    other = backward_table(30, false);
    assert_ok(dlp_topic_model_covariates(loaded, other, new, NULL, &of_new, error));
    dlp_document_covariates *const news[] = {&of_new};
    assert_ok(dlp_covariates_drop(1, news, &new, &dropped, error));
    assert_ok(dlp_topic_model_align(loaded, new, NULL, error));
    assert_ok(dlp_topic_model_evaluate(loaded, new, &of_new, NULL, &completion, error));
    assert_true(completion.per_word < -1 && completion.per_word > -12);
    assert_ok(
        dlp_topic_model_effects(loaded, new, &of_new, &of_new, NULL, &effects, error));
    const double half = 1.959963984540054 * effects.sd[4];
    assert_close(effects.lower[4], effects.mean[4] - half, 1e-12);
    assert_close(effects.upper[4], effects.mean[4] + half, 1e-12);
    dlp_effects_free(&effects);
    dlp_document_covariates_free(&of_new);
    dlp_document_covariates_free(&c);
    dlp_table_free(other);
    dlp_table_free(table);
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_corpus_free(new);
    dlp_corpus_free(corpus);
}

static void trends_are_means_of_shares(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_table *table = backward_table(DOCUMENTS, false);
    dlp_topic_model *model = fit(corpus);
    const double *theta = dlp_topic_model_theta(model);
    dlp_document_covariates c;
    dlp_topic_trend trend;
    assert_ok(dlp_covariates_build(table, "~ g", corpus, NULL, &c, error));
    assert_ok(dlp_topic_trend_find(K, theta, &c, &trend, error));
    assert_int_equal(trend.n, 2);
    assert_null(trend.x);
    double sum = 0;
    for (dlp_index d = 1; d < DOCUMENTS; d += 2)
        sum += exp(theta[d * K + 1] - dlp_logsumexp(K, theta + d * K));
    assert_close(trend.mean[1 * 2 + 1], sum / 60, 1e-12);
    assert_int_equal(trend.count[1], 60);
    dlp_topic_trend_free(&trend);
    dlp_document_covariates_free(&c);
    assert_ok(dlp_covariates_build(table, "~ x", corpus, NULL, &c, error));
    assert_ok(dlp_topic_trend_find(K, theta, &c, &trend, error));
    assert_int_equal(trend.n, 10); /* many values: tenths */
    assert_int_equal(trend.dropped, 17);
    dlp_topic_trend_free(&trend);
    dlp_document_covariates_free(&c);
    dlp_topic_model_free(model);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

/* ---- pairs ---- */

static void pairs_and_documents_are_ranked(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus);
    const dlp_topics *topics = dlp_topic_model_topics(model);
    const double *theta = dlp_topic_model_theta(model);
    double R[K * K], rho[K], share[K], lower, upper;
    dlp_index order[K];
    dlp_topic_pair near[K];
    dlp_topic_document shown[5];
    dlp_topics_correlations(topics, R);
    assert_ok(dlp_topics_reliabilities(topics, DOCUMENTS, theta, NULL, rho, error));
    for (dlp_index k = 0; k < K; k++) assert_true(rho[k] > 0 && rho[k] <= 1);
    dlp_topics_correlation_interval(R[1], rho[0], rho[1], DOCUMENTS, &lower, &upper);
    assert_true(lower < R[1] && R[1] < upper);
    /* known without doubt, it is Fisher's */
    dlp_topics_correlation_interval(0.5, 1, 1, 103, &lower, &upper);
    assert_close(lower, tanh(atanh(0.5) - 0.1959963984540054), 1e-12);
    assert_close(upper, tanh(atanh(0.5) + 0.1959963984540054), 1e-12);
    dlp_topic_association all[K * (K - 1) / 2];
    assert_ok(dlp_topics_associations(topics, DOCUMENTS, theta, NULL, R, all, error));
    for (dlp_index i = 0, p = 0; i < K; i++)
        for (dlp_index j = i + 1; j < K; j++, p++) {
            dlp_topics_correlation_interval(R[i * K + j], rho[i], rho[j], DOCUMENTS,
                                            &lower, &upper);
            assert_true(all[p].i == i && all[p].j == j);
            assert_true(all[p].correlation == R[i * K + j]);
            assert_true(all[p].lower == lower && all[p].upper == upper);
        }
    assert_int_equal(dlp_topics_neighbours(K, R, 1, K, near), K - 1);
    assert_true(fabs(near[0].correlation) >= fabs(near[1].correlation));
    assert_int_equal(near[0].i, 1);
    dlp_topics_prevalence(DOCUMENTS, K, theta, share);
    dlp_topics_order(K, share, order);
    assert_true(share[order[0]] >= share[order[1]] && share[order[1]] >= share[order[2]]);
    assert_int_equal(dlp_topics_documents(DOCUMENTS, K, theta, 2, 5, shown), 5);
    for (int i = 1; i < 5; i++) assert_true(shown[i - 1].share >= shown[i].share);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* ---- progress, checkpoints ---- */

typedef struct listener {
    pthread_t caller;
    int calls, starting, polled, iterations;
    int stop_at;         /* the call that is answered so; 0: none */
    const char *stop_in; /* a phase, or NULL: any */
} listener;

static int listen(void *context, const dlp_progress *progress)
{
    listener *l = context;
    assert_true(pthread_equal(pthread_self(), l->caller));
    const bool counts = !l->stop_in || !strcmp(l->stop_in, progress->phase);
    l->calls += counts;
    l->starting += !strcmp(progress->phase, "starting");
    l->polled += progress->polled;
    if (!progress->polled && progress->iteration > 0) l->iterations++;
    return counts && l->stop_at > 0 && l->calls >= l->stop_at;
}

static void progress_is_told_often_and_by_the_caller(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings settings = settings_for(K);
    dlp_topic_model *model = NULL;
    listener l = {.caller = pthread_self()};
    settings.progress = listen;
    settings.context = &l;
    settings.threads = 1;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(l.iterations, 6);
    assert_true(l.starting > 100);
    assert_true(l.polled > 300);
    dlp_topic_model_free(model);
    l = (listener){.caller = pthread_self()};
    settings.threads = 3;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(l.iterations, 6);
    assert_true(l.starting >= K);
    dlp_topic_model_free(model);

    l = (listener){.caller = pthread_self(), .stop_at = 2, .stop_in = "starting"};
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &model, error),
                 DLP_ECANCELLED, "cancelled");
    assert_null(model);
    l = (listener){.caller = pthread_self(), .stop_at = 3, .stop_in = "fitting"};
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CANCELLED);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

static void a_cancelled_fit_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings settings = settings_for(K);
    dlp_checkpoint_settings checkpoint = dlp_checkpoint_settings_default();
    dlp_topic_model *whole = fit(corpus), *model = NULL;
    dlp_topic_folder *folder = NULL;
    listener l = {.caller = pthread_self(), .stop_at = 3, .stop_in = "fitting"};
    settings.progress = listen;
    settings.context = &l;
    checkpoint.every = 0;
    assert_ok(dlp_topic_folder_open(path_a, &folder, error));
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CANCELLED);
    assert_true(dlp_topic_model_get_info(model)->iterations < 6);
    assert_true(dlp_topic_folder_has_checkpoint(folder));
    dlp_topic_model_free(model);

    l = (listener){.caller = pthread_self()};
    checkpoint.resume = 1;
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(l.starting, 0); /* the spectral start is not repeated */
    assert_same_model(whole, model);
    assert_ok(dlp_topic_folder_save(folder, model, error));
    assert_true(dlp_topic_folder_has_checkpoint(folder)); /* it may be gone on with */
    dlp_topic_model_free(model);
    settings.max_iter = 500;
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CONVERGED);
    assert_ok(dlp_topic_folder_save(folder, model, error));
    assert_false(dlp_topic_folder_has_checkpoint(folder));
    dlp_topic_model_free(model);

    assert_ok(dlp_topic_folder_finished(folder, corpus, NULL, &settings, &model, error));
    assert_non_null(model);
    dlp_topic_model_free(model);
    settings.smooth = 0.5;
    assert_ok(dlp_topic_folder_finished(folder, corpus, NULL, &settings, &model, error));
    assert_null(model);
    dlp_topic_folder_close(folder);
    dlp_topic_model_free(whole);
    dlp_corpus_free(corpus);
}

/* A step before the start does nothing. */
static void em_waits_for_its_start(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(40);
    const dlp_topics_settings settings = settings_for(K);
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error));
    dlp_ctm_run(ctm);
    dlp_ctm_step(ctm);
    assert_int_equal(dlp_ctm_result(ctm)->iterations, 0);
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_step(ctm);
    assert_int_equal(dlp_ctm_result(ctm)->iterations, 1);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* ---- search ---- */

static void a_search_compares_numbers_of_topics(void **state)
{
    (void)state;
    const dlp_index numbers[] = {4, 2};
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings topics = settings_for(0);
    dlp_search_settings settings = dlp_search_settings_default();
    dlp_topic_search *search = NULL;
    dlp_topic_model *model = NULL;
    dlp_index n;
    settings.topics = &topics;
    assert_ok(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error));
    assert_int_equal(dlp_topic_search_test(search)->D, DOCUMENTS / 5);
    while (!dlp_topic_search_done(search))
        assert_ok(dlp_topic_search_next(search, error));
    const dlp_search_row *row = dlp_topic_search_rows(search, &n);
    assert_int_equal(n, 2);
    topics.K = 2;
    assert_ok(dlp_topic_model_fit(dlp_topic_search_train(search), NULL, &topics, &model,
                                  error));
    assert_true(row[1].objective_per_word ==
                dlp_topic_model_get_info(model)->objective_per_word);
    const dlp_search_advice advice = dlp_topic_search_advise(search);
    const dlp_index best = row[0].heldout_per_word > row[1].heldout_per_word ? 4 : 2;
    assert_int_equal(advice.best_held_out, best);
    assert_int_equal(advice.least, 2);
    assert_int_equal(advice.largest, 4);
    assert_true(advice.suggested <= best);
    dlp_topic_model_free(model);
    dlp_topic_search_free(search);

    listener l = {.caller = pthread_self(), .stop_at = 2, .stop_in = "fitting"};
    topics.progress = listen;
    topics.context = &l;
    assert_ok(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error));
    assert_fails(dlp_topic_search_next(search, error), DLP_ECANCELLED, "cancelled");
    (void)dlp_topic_search_rows(search, &n);
    assert_int_equal(n, 0);
    assert_int_equal(dlp_topic_search_advise(search).suggested, 0);
    dlp_topic_search_free(search);
    settings.every = DOCUMENTS + 1;
    assert_fails(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error),
                 DLP_EINPUT, "to hold out");
    dlp_corpus_free(corpus);
}

static void documents_tell_so_many_topics(void **state)
{
    (void)state;
    const struct {
        dlp_index D, enough, usual, most;
    } wanted[] = {{3, 0, 0, 1}, {15, 2, 2, 7}, {100, 10, 10, 50}, {5000, 500, 20, 2500}};
    for (int i = 0; i < 4; i++) {
        const dlp_index D = wanted[i].D;
        assert_int_equal(dlp_topics_enough(D), wanted[i].enough);
        assert_int_equal(dlp_topics_usual(D), wanted[i].usual);
        assert_false(dlp_topics_too_many(D, wanted[i].most));
        assert_true(dlp_topics_too_many(D, wanted[i].most + 1));
    }
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
        dlp_error error = {""};
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
        TEST(a_model_comes_back_from_its_folder),
        TEST(a_damaged_folder_is_refused),
        TEST(the_command_line_says_the_same),
        TEST(proportions_do_not_depend_on_threads_or_parts),
        TEST(vocabularies_are_matched_by_name),
        TEST(rows_are_found_by_name_and_missing_ones_dropped),
        TEST(covariates_stay_with_the_model),
        TEST(trends_are_means_of_shares),
        TEST(pairs_and_documents_are_ranked),
        TEST(progress_is_told_often_and_by_the_caller),
        TEST(a_cancelled_fit_goes_on_to_the_same_bits),
        TEST(em_waits_for_its_start),
        TEST(a_search_compares_numbers_of_topics),
        TEST(documents_tell_so_many_topics),
        TEST(settings_without_a_size_are_refused),
        TEST(older_settings_are_completed),
        TEST(memory_that_lacks_is_an_error),
    };
    program = getenv("DELAPLACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
