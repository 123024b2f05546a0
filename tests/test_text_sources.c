/* SPDX-License-Identifier: BSD-3-Clause */
/* From sources to documents, also when memory runs out. */
#include "corpus/text/text_builder.h"
#include "failing_allocator.h"
#include "text_support.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- sources ---- */

static dlp_corpus *table(const char *text, const char *column, const char *name)
{
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_table(b, "t", text, strlen(text), column, name, error));
    return finish(b, NULL);
}

static void test_table(void **state)
{
    (void)state;
    dlp_corpus *c = table(
        "id,text,year\n007,\"one, \"\"two\"\"\nthree\",1990\n\n"
        "1e5,,1991\n\"a \"\"b\"\"\",NA,\"19\"\"92\"\n",
        "text", "id");
    assert_int_equal(c->D, 3);
    assert_string_equal(vocabulary(c), "na one three two");
    assert_string_equal(c->name[0], "007");
    assert_string_equal(c->name[1], "1e5");
    assert_string_equal(c->name[2], "a \"b\"");
    assert_int_equal(c->row[2] - c->row[1], 0);
    dlp_corpus_free(c);
    c = table("# by hand\ntext\tid\n\"a \"\"x\"\"\"\t\"b \"\"y\"\"\"\n", "text", "id");
    assert_string_equal(vocabulary(c), "a x");
    assert_string_equal(c->name[0], "b \"y\"");
    dlp_corpus_free(c);
    c = table("\"the \"\"text\"\"\"\nx\n\"\"\n", "the \"text\"", NULL);
    assert_int_equal(c->D, 2);
    assert_string_equal(c->name[1], "2");
    dlp_corpus_free(c);
}

static void test_wrong_tables(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "t: is empty"},
        {"# only\n", "t: is empty"},
        {"id,body\n1,x\n", "t:1: the header has no column 'text'"},
        {"id,text\n1,x,y\n", "t:2: expected 2 fields"},
        {"id,text\n1\n", "t:2: expected 2 fields"},
        {"id,text\n1,\"x\n", "t:2: a quote is opened"},
        {"id,text\n1,\"x\"y\n", "t:2: expected a separator"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dlp_text_builder *b = start(NULL);
        assert_fails(dlpi_text_add_table(b, "t", wrong[i].text, strlen(wrong[i].text),
                                         "text", "id", error),
                     DLP_EINPUT, wrong[i].message);
        dlp_text_builder_free(b);
    }
}

static void test_json(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf{\"text\": \"One \\u00e9\\u0000two\", \"id\": 7}\r\n"
        "\n"
        "{\"text\": null, \"id\": \"x\\ny\"}\n"
        "{\"other\": [1, 2]}\n"
        "{\"text\": \"\", \"id\": 1.5}";
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_json(b, "j", text, sizeof text - 1, "text", "id", error));
    dlp_corpus *c = finish(b, NULL);
    assert_int_equal(c->D, 4);
    assert_string_equal(vocabulary(c), "one two é");
    assert_string_equal(c->name[0], "7");
    assert_string_equal(c->name[1], "x y");
    assert_string_equal(c->name[2], "3");
    assert_string_equal(c->name[3], "4");
    dlp_corpus_free(c);
}

static void test_wrong_json(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{\"text\": \"x\"}\n{\"text\": \"x}\n", "j:2:"},
        {"{\"text\": \"\xff\"}\n", "j:1:"},
        {"{}\n[]\n", "j:2: expected a JSON object"},
        {"{\"text\": 5}\n", "j:1: expected a text, in quotes, under the key text"},
        {"{\"body\": \"x\"}\n", "j: no object has the key 'text'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dlp_text_builder *b = start(NULL);
        assert_fails(dlpi_text_add_json(b, "j", wrong[i].text, strlen(wrong[i].text),
                                        "text", NULL, error),
                     DLP_EINPUT, wrong[i].message);
        dlp_text_builder_free(b);
    }
}

static void test_lines(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_lines(b, "one\r\n\ntwo", 9, error));
    dlp_corpus *c = finish(b, NULL);
    assert_int_equal(c->D, 3);
    assert_string_equal(vocabulary(c), "one two");
    dlp_corpus_free(c);
}

/* A folder of its own for a test; cmocka's setup and teardown. */
static char folder[] = "/tmp/test-text-XXXXXX";

static void put(const char *name, const char *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(dlp_file_write(path, bytes, size, error));
}

static void path_call(int (*call)(const char *), const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)call(path);
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    path_call(make_folder, "b");
    path_call(make_folder, ".git");
    put("b/two.txt", "two", 3);
    put("b-first.txt", "one", 3);
    put("caf\xe9", "three", 5);
    put("empty", "", 0);
    put(".hidden", "hidden", 6);
    put("picture.png", "\x89PNG\0\0", 6);
    put("wide.txt", "\xff\xfew\0i\0", 6);
    char link[256];
    snprintf(link, sizeof link, "%s/b/around", folder);
    return symlink("..", link);
}

static int tear_down(void **state)
{
    static const char *const names[] = {
        "b/around", "b/two.txt",   "b-first.txt", "caf\xe9", "empty",   ".hidden",
        "wide.txt", "picture.png", "b",           ".git",    "nothing", ""};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        path_call(remove, names[i]);
    return 0;
}

static void test_folder(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    const dlp_text_source source = {.size = sizeof(dlp_text_source), .path = folder};
    dlp_text_report r;
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_read(b, &source, error));
    dlp_corpus *c = finish(b, &r);
    assert_int_equal(c->D, 4);
    assert_string_equal(c->name[0], "b-first.txt");
    assert_string_equal(c->name[1], "b/two.txt");
    assert_string_equal(c->name[2], "caf\xe9");
    assert_string_equal(c->name[3], "empty");
    assert_string_equal(vocabulary(c), "one three two");
    assert_int_equal(r.hidden_skipped, 2);
    assert_int_equal(r.binary_skipped, 3); /* two files and the link to a folder */
    assert_int_equal(r.empty_documents, 1);
    dlp_corpus_free(c);
}

static void test_wrong_sources(void **state)
{
    (void)state;
    char path[256];
    dlp_text_builder *b = start(NULL);
    dlp_text_source source = {
        .size = sizeof(dlp_text_source), .path = folder, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "is a folder");
    snprintf(path, sizeof path, "%s/b/two.txt", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "(lines)");
    source = (dlp_text_source){
        .size = sizeof(dlp_text_source), .path = path, .lines = 1, .column = "x"};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "not both");
    source =
        (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .column = "x"};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "no column 'x'");
    snprintf(path, sizeof path, "%s/empty", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "is empty");
    snprintf(path, sizeof path, "%s/.git", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "no text files");
    snprintf(path, sizeof path, "%s/missing", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "missing");
    snprintf(path, sizeof path, "%s/nothing", folder);
    assert_int_equal(symlink("nowhere", path), 0);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = folder};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "nothing");
    assert_int_equal(unlink(path), 0);
    dlp_text_builder_free(b);
}

/* ---- memory ---- */

static dlp_status build_all(bool given_terms, const char *stem, dlp_error *error)
{
    char run[] = "run", field[] = "field", *const term[] = {run, field};
    static const char rows[] =
        "id,text\n\"1\",\"a \"\"quoted\"\" field\"\n2,running runs\n";
    dlp_text_settings s = every_word();
    const dlp_text_source source = {.size = sizeof(dlp_text_source), .path = folder};
    dlp_text_builder *b = NULL;
    dlp_corpus *c = NULL;
    s.stop_words = given_terms ? "english" : "auto";
    s.phrases = 1;
    s.keep_text = 1;
    s.markup = "mail";
    s.stem = stem;
    s.max_terms = 3;
    dlp_status status = dlp_text_builder_alloc(&s, &b, error);
    if (status == DLP_OK && given_terms)
        status = dlp_text_builder_terms(b, term, 2, error);
    if (status == DLP_OK)
        status = dlpi_text_add_table(b, "t", rows, sizeof rows - 1, "text", "id", error);
    if (status == DLP_OK) status = dlp_text_builder_read(b, &source, error);
    if (status == DLP_OK) status = dlp_text_builder_finish(b, &c, NULL, error);
    assert_true((status == DLP_OK) == (c != NULL));
    dlp_corpus_free(c);
    dlp_text_builder_free(b);
    return status;
}

/* Every allocation fails once: an error each time, and no leak. */
static void check_lack_of_memory(bool given_terms, const char *stem)
{
    for (int n = 0;; n++) {
        dlp_error error = {0};
        allocations_left = n;
        const dlp_status status = build_all(given_terms, stem, &error);
        const bool all_succeeded = allocations_left >= 0;
        allocations_left = -1;
        if (all_succeeded) {
            assert_int_equal(status, DLP_OK);
            assert_true(n > 20);
            return;
        }
        assert_int_equal(status, DLP_ENOMEM);
        assert_non_null(strstr(error.message, "not enough memory"));
    }
}

static void test_memory_may_lack_anywhere(void **state)
{
    (void)state;
    check_lack_of_memory(false, "english");
    check_lack_of_memory(true, "english");
    check_lack_of_memory(true, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_wrong_tables),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_wrong_json),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_wrong_sources),
        cmocka_unit_test(test_memory_may_lack_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
