/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON files and fields of CSV, as the library and the program write them. */
#include "io/csv_text.h"
#include "io/json.h"
#include "support.h"

#include <delaplace/file.h>

#include <errno.h>

static json_t *square(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i] * ((const double *)of)[i]);
}

/* Numbers read back to the same double, with as few digits as that takes. */
static void lines_are_for_people(void **state)
{
    (void)state;
    static const double x[] = {0.1, 3, NAN, 1e200};
    size_t size = 0;
    json_t *value =
        json_pack("{s:o, s:o, s:o}", "one", dlpi_json_real(0.1), "latin",
                  dlpi_json_text("caf\xe9"), "squares", dlpi_json_list(4, square, x));
    char *text = dlpi_json_lines(value, &size);
    assert_string_equal(text,
                        "{\n \"one\": 0.1,\n \"latin\": \"caf\xc3\xa9\",\n"
                        " \"squares\": [0.010000000000000002, 9.0, null, null]\n}\n");
    assert_int_equal(size, strlen(text));
    free(text);
    json_decref(value);
    assert_null(dlpi_json_lines(NULL, &size));
    assert_fails(dlpi_json_write(NULL, "nowhere", error), DLP_ENOMEM, "memory");
}

static json_t *nothing(const void *of, dlp_index i)
{
    (void)of;
    return i == 2 ? NULL : json_true();
}

static void a_list_that_lacks_a_value_is_none(void **state)
{
    (void)state;
    assert_null(dlpi_json_list(4, nothing, NULL));
    json_t *list = dlpi_json_list(0, nothing, NULL);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "is empty; expected a fit"},
        {"y,x\n1,2\n", "is not JSON; expected a fit"},
        {"{\"a\": 1,\n", ":2:0: this is not complete JSON"},
        {"{\"a\": 1, \"a\": 2}", "duplicate"},
        {"{\"a\": \"\xff\"}", "is not JSON"},
    };
    const char path[] = "test_json.tmp";
    json_t *value = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_ok(dlp_file_write(path, wrong[i].text, strlen(wrong[i].text), error));
        assert_fails(dlpi_json_read(path, "a fit", &value, error), DLP_EINPUT,
                     wrong[i].words);
        assert_null(value);
    }
    assert_fails(dlpi_json_read(".", "a fit", &value, error), DLP_EINPUT,
                 "is a folder; expected a fit");
    assert_fails(dlpi_json_read("nowhere/at/all", "a fit", &value, error), DLP_EINPUT,
                 "cannot read");
    value = json_pack("[i]", 5);
    assert_ok(dlpi_json_write(value, path, error));
    json_decref(value);
    assert_ok(dlpi_json_read(path, "a fit", &value, error));
    assert_int_equal(json_integer_value(json_array_get(value, 0)), 5);
    json_decref(value);
    remove(path);
}

static void append(void *sink, const char *bytes, size_t size)
{
    strncat(sink, bytes, size);
}

static void quotes_in_fields_come_twice(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"", ""}, {"plain", "plain"}, {"\"", "\"\""}, {"a\"b\"\"c", "a\"\"b\"\"\"\"c"}};
    for (int i = 0; i < 4; i++) {
        char text[64] = "";
        dlpi_csv_put_text(known[i][0], append, text);
        assert_string_equal(text, known[i][1]);
    }
    assert_false(dlpi_csv_needs_quotes("a b;c"));
    assert_true(dlpi_csv_needs_quotes("a,b"));
    assert_true(dlpi_csv_needs_quotes("a\nb"));
    assert_true(dlpi_csv_needs_quotes("\""));
}

/* jansson's memory, of which the n-th piece is refused. */
static int pieces, refused;
static void *sparing_malloc(size_t size)
{
    if (++pieces != refused) return malloc(size);
    errno = ENOMEM;
    return NULL;
}

/* Letters that find no memory are not lost in silence, a number behind them or not. Texts of 16
   to 30 letters: of others jansson loses the closing quote, and reads on. */
static void what_memory_is_short_for_is_told(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"format\": \"a text of 20 letters!\", \"version\": 1}",
        "{\"a key of some letters\": [1, 2.5], \"b\": {\"c\": null}}",
        "{\"twice\": \"the first of two texts\", \"twice\": \"short\", \"n\": 7}",
    };
    json_set_alloc_funcs(sparing_malloc, free);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        refused = pieces = 0;
        json_error_t wrong;
        json_t *good = dlpi_json_loadb(texts[i], strlen(texts[i]), 0, &wrong);
        assert_non_null(good);
        const int all = pieces;
        for (refused = 1; refused <= all; refused++) {
            pieces = 0;
            json_t *found = dlpi_json_loadb(texts[i], strlen(texts[i]), 0, &wrong);
            if (found)
                assert_true(json_equal(found, good));
            else
                assert_int_equal(json_error_code(&wrong), json_error_out_of_memory);
            json_decref(found);
        }
        json_decref(good);
    }
    json_set_alloc_funcs(malloc, free);
}

/* Escapes are as long as what they stand for. */
static void escapes_are_no_loss(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\\u00e9\": \"\\ud83d\\ude00\\u20ac \\\"caf\xc3\xa9\\\"\\n\\u0041\", \"n\": "
        "7} more";
    json_error_t wrong;
    json_t *value = dlpi_json_loadb(text, strlen(text), JSON_DISABLE_EOF_CHECK, &wrong);
    assert_string_equal(json_string_value(json_object_get(value, "a\xc3\xa9")),
                        "\xf0\x9f\x98\x80\xe2\x82\xac \"caf\xc3\xa9\"\nA");
    json_decref(value);
}

/* Names of values are not lost on the way out, either. */
static void what_is_dumped_is_whole(void **state)
{
    (void)state;
    json_t *value = json_pack("{s:i, s:{s:s, s:[i, i]}}", "a name of some letters", 1,
                              "another", "of 20 letters or so", "b", "c", 2, 3);
    refused = pieces = 0;
    json_set_alloc_funcs(sparing_malloc, free);
    char *good = json_dumps(value, JSON_COMPACT);
    assert_non_null(good);
    const int all = pieces;
    for (refused = 1; refused <= all; refused++) {
        pieces = 0;
        char *text = dlpi_json_dumps(value, JSON_COMPACT);
        if (text) assert_string_equal(text, good);
        free(text);
    }
    json_set_alloc_funcs(malloc, free);
    free(good);
    json_decref(value);
}

/* The same as for texts, of a file. */
static void a_file_that_memory_is_short_for_is_told(void **state)
{
    (void)state;
    static const char text[] = "{\"format\": \"a text of 20 letters!\", \"version\": 1}";
    const char path[] = "test_json_memory.tmp";
    json_t *good = NULL, *found = NULL;
    assert_ok(dlp_file_write(path, text, strlen(text), error));
    refused = pieces = 0;
    json_set_alloc_funcs(sparing_malloc, free);
    assert_ok(dlpi_json_read(path, "a fit", &good, error));
    const int all = pieces;
    for (refused = 1; refused <= all; refused++) {
        pieces = 0;
        dlp_error error = {0};
        const dlp_status status = dlpi_json_read(path, "a fit", &found, &error);
        assert_true(status == DLP_ENOMEM ||
                    (status == DLP_OK && json_equal(found, good)));
        json_decref(found);
    }
    json_set_alloc_funcs(malloc, free);
    json_decref(good);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_for_people),
        cmocka_unit_test(a_list_that_lacks_a_value_is_none),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(quotes_in_fields_come_twice),
        cmocka_unit_test(what_memory_is_short_for_is_told),
        cmocka_unit_test(escapes_are_no_loss),
        cmocka_unit_test(what_is_dumped_is_whole),
        cmocka_unit_test(a_file_that_memory_is_short_for_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
