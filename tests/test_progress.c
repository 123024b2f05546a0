/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers report how far they are: shares that rise from 0 to 1, or documents up to all
 * of them; and whoever listens may cancel at any of these calls, after which nothing is
 * left.
 */
#include "folder.h"
#include "io/output.h"
#include "support.h"

#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- who listens ---- */

typedef struct listener {
    int calls;
    int cancel_at; /* the call that cancels; 0: none */
    double first, last;
} listener;

static int listen_to_share(void *context, double done)
{
    listener *l = context;
    assert_true(done >= l->last && done <= 1);
    if (l->calls++ == 0) l->first = done;
    l->last = done;
    return l->calls == l->cancel_at;
}

/* Every count is of the same whole, in one unit. */
static int listen_to(void *context, const dlp_progress *progress)
{
    assert_true(progress->total > 0);
    assert_non_null(progress->phase);
    assert_non_null(progress->unit);
    return listen_to_share(context, (double)progress->done / (double)progress->total);
}

static int listen_to_count(void *context, const dlp_progress *progress)
{
    return listen_to_share(context, (double)progress->done / (double)progress->total);
}

/* ---- what tells: each reads the file and leaves nothing ---- */

typedef dlp_status job(const char *path, listener *l, dlp_error *error);

static dlp_status read_table(const char *path, listener *l, dlp_error *error)
{
    dlp_table_options options = dlp_table_options_default();
    dlp_table *table = NULL;
    options.progress = listen_to;
    options.context = l;
    const dlp_status status = dlp_table_read(path, &options, &table, error);
    assert_int_equal(status == DLP_OK, table != NULL);
    dlp_table_free(table);
    return status;
}

static dlp_status read_corpus(const char *path, listener *l, dlp_error *error)
{
    const dlp_corpus_options options = {
        .size = sizeof(dlp_corpus_options), .progress = listen_to, .context = l};
    dlp_corpus *corpus = NULL;
    const dlp_status status = dlp_corpus_open(path, &options, &corpus, error);
    assert_int_equal(status == DLP_OK, corpus != NULL);
    dlp_corpus_free(corpus);
    return status;
}

/* Reported before it exists: a corpus that is cancelled never does. */
static dlp_status write_corpus(const char *path, listener *l, dlp_error *error)
{
    const dlp_corpus_options options = {
        .size = sizeof(dlp_corpus_options), .progress = listen_to, .context = l};
    dlp_corpus *corpus = NULL;
    (void)remove(path);
    assert_int_equal(dlp_corpus_open("large.ldac", NULL, &corpus, NULL), DLP_OK);
    const dlp_status status = dlp_corpus_write(corpus, path, &options, error);
    assert_int_equal(status == DLP_OK, access(path, F_OK) == 0);
    dlp_corpus_free(corpus);
    return status;
}

static dlp_status read_text(dlp_text_source source, listener *l, dlp_error *error)
{
    dlp_text_builder *builder = NULL;
    source.progress = listen_to;
    source.context = l;
    assert_int_equal(dlp_text_builder_alloc(NULL, &builder, NULL), DLP_OK);
    const dlp_status status = dlp_text_builder_read(builder, &source, error);
    dlp_text_builder_free(builder);
    return status;
}

static dlp_status read_lines(const char *path, listener *l, dlp_error *error)
{
    return read_text(
        (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .lines = 1}, l,
        error);
}

static dlp_status read_column(const char *path, listener *l, dlp_error *error)
{
    return read_text(
        (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .column = "t"},
        l, error);
}

static dlp_status read_folder(const char *path, listener *l, dlp_error *error)
{
    return read_text((dlp_text_source){.size = sizeof(dlp_text_source), .path = path}, l,
                     error);
}

static dlp_status simulate(const char *path, listener *l, dlp_error *error)
{
    (void)path;
    const dlp_simulate_settings settings = {.size = sizeof(dlp_simulate_settings),
                                            .documents = 1000,
                                            .words = 5000,
                                            .seed = 1,
                                            .threads = 2,
                                            .progress = listen_to_count,
                                            .context = l};
    dlp_topics topics;
    dlp_corpus *corpus = NULL;
    assert_int_equal(dlp_simulate_topics(3, 50, 1, 1, &topics, NULL), DLP_OK);
    const dlp_status status =
        dlp_simulate_ctm(&topics, NULL, &settings, &corpus, NULL, error);
    assert_int_equal(status == DLP_OK, corpus != NULL);
    dlp_corpus_free(corpus);
    dlp_topics_free(&topics);
    return status;
}

/* Reported at least this often, and cancelled at the first call, in the middle and at the
   last. */
static void assert_told(job *run, const char *path, int least)
{
    listener whole = {.calls = 0};
    assert_ok(run(path, &whole, error));
    assert_true(whole.calls >= least);
    assert_true(whole.last == 1);
    const int at[] = {1, whole.calls / 2, whole.calls};
    for (int i = 0; i < 3; i++) {
        listener l = {.cancel_at = at[i]};
        assert_fails(run(path, &l, error), DLP_ECANCELLED, "cancelled");
        assert_int_equal(l.calls, at[i]);
        assert_true(l.first == whole.first);
    }
}

/* ---- files ---- */

static const size_t LARGE = (size_t)9 << 19; /* bytes: a call on the way */

/* The header, then the line again and again. */
static void put_lines(const char *path, const char *header, const char *line, size_t size)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(header, out);
    for (size_t put = 0; put < size; put += strlen(line)) fputs(line, out);
    assert_int_equal(fclose(out), 0);
}

/* ---- the tests ---- */

static void tables_tell(void **state)
{
    (void)state;
    static const char line[] =
        "1.25,'a level of some length, so that there are few rows'\n";
    put_lines("a.csv", "number;level\n", "1.25;a level of some length: few rows\n",
              4 * LARGE); /* large enough to be mapped */
    assert_told(read_table, "a.csv", 3);
    put_lines("b.csv", "number;level\n", "1.25;a level of some length: few rows\n", 100);
    assert_told(read_table, "b.csv", 3);
    put_lines("a.arff", "@relation r\n@attribute x numeric\n@attribute s string\n@data\n",
              line, LARGE);
    assert_told(read_table, "a.arff", 4);
    put_lines("a.svm", "", "1 1:0.5 2:0.25 # a comment, so that there are few rows\n",
              LARGE);
    assert_told(read_table, "a.svm", 5);
}

static void corpora_tell(void **state)
{
    (void)state;
    char header[64];
    const size_t pairs = (LARGE + 5) / 6;
    put_lines("a.ldac", "", "4 0:100 1:200 2:300 3:400\n", LARGE);
    assert_told(read_corpus, "a.ldac", 4);
    snprintf(header, sizeof header, "1\n1\n%zu\n", pairs);
    put_lines("a.uci", header, "1 1 1\n", LARGE);
    assert_told(read_corpus, "a.uci", 4);
    snprintf(header, sizeof header,
             "%%%%MatrixMarket matrix coordinate integer general\n1 1 %zu\n", pairs);
    put_lines("a.mtx", header, "1 1 1\n", LARGE);
    assert_told(read_corpus, "a.mtx", 4);
    put_lines("a.svmlight", "", "0.5 1:100 2:200 3:300\n", LARGE);
    assert_told(read_corpus, "a.svmlight", 4);
    put_lines("a.csv", "document,term,count\n", "1,1,1\n", LARGE);
    assert_told(read_corpus, "a.csv", 4);
}

/* Digits that cannot be compressed into much less than half. */
static struct dlpi_bytes random_corpus(void)
{
    struct dlpi_output out = {.failed = false};
    dlp_rng rng = dlp_rng_at(2385, 0);
    while (out.bytes.size < 2 * LARGE) {
        dlpi_put_string(&out, "1 ");
        dlpi_put_whole(&out, (int64_t)(1e6 * dlp_draw_uniform(&rng)));
        dlpi_put_char(&out, ':');
        dlpi_put_whole(&out, 1 + (int64_t)(1e6 * dlp_draw_uniform(&rng)));
        dlpi_put_char(&out, '\n');
    }
    assert_false(out.failed);
    return out.bytes;
}

static void put_xz(const char *path, const struct dlpi_bytes *text)
{
    const size_t room = lzma_stream_buffer_bound(text->size);
    uint8_t *data = malloc(room);
    size_t size = 0;
    const lzma_ret code =
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text->data,
                                text->size, data, &size, room);
    const dlp_status status = dlp_file_write(path, data, size, NULL);
    free(data);
    assert_int_equal(code, LZMA_OK);
    assert_int_equal(status, DLP_OK);
}

static void compressed_files_tell(void **state)
{
    (void)state;
    static const char *const compressed[] = {"p.ldac.gz", "p.ldac.zst"};
    for (int i = 0; i < 2; i++) {
        struct dlpi_bytes bytes = random_corpus();
        dlp_status status = dlpi_compress(compressed[i], NULL, &bytes, NULL);
        if (status == DLP_OK)
            status = dlp_file_write(compressed[i], bytes.data, bytes.size, NULL);
        free(bytes.data);
        assert_int_equal(status, DLP_OK);
        assert_told(read_corpus, compressed[i], 7);
    }
    struct dlpi_bytes bytes = random_corpus();
    put_xz("p.ldac.xz", &bytes);
    free(bytes.data);
    assert_told(read_corpus, "p.ldac.xz", 7);
}

/* The first call, one on the way where it compresses, and the last. */
static void writers_tell(void **state)
{
    (void)state;
    static const char *const path[] = {"w.ldac", "w.uci",     "w.mtx",     "w.svmlight",
                                       "w.csv",  "w.ldac.gz", "w.ldac.zst"};
    put_lines("large.ldac", "", "6 0:1 1:2 2:3 3:4 4:5 5:6\n", LARGE);
    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++)
        assert_told(write_corpus, path[i], i < 5 ? 2 : 4);
}

static void text_tells(void **state)
{
    (void)state;
    static const char line[] =
        "several words of a document, a few of them again: words\n";
    put_lines("a.txt", "", line, LARGE);
    assert_told(read_lines, "a.txt", 4);
    put_lines("t.csv", "id\tt\n", "1\tseveral words of a document, and some more\n",
              LARGE);
    assert_told(read_column, "t.csv", 4);
    put_lines("t.jsonl", "", "{\"t\": \"several words of a document, and more\"}\n",
              LARGE);
    assert_told(read_column, "t.jsonl", 4);
    assert_int_equal(mkdir("texts", 0777), 0);
    put_lines("texts/a", "", line, LARGE);
    put_lines("texts/b", "", line, LARGE);
    assert_told(read_folder, "texts", 3);
}

static void simulations_tell(void **state)
{
    (void)state;
    assert_told(simulate, NULL, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_tell),           cmocka_unit_test(corpora_tell),
        cmocka_unit_test(compressed_files_tell), cmocka_unit_test(text_tells),
        cmocka_unit_test(simulations_tell),      cmocka_unit_test(writers_tell),
    };
    return cmocka_run_group_tests(tests, go, leave);
}
