/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary format of corpora: both ways, hostile bytes with the right checksums, files that are
   mapped, and files that are written as documents come. */
#include "corpus/formats/dlpc.h"
#include "corpus/formats/mapped.h"
#include "corpus_support.h"
#include "folder.h"

#include <sys/stat.h>

static dlp_corpus *small(void)
{
    return parse(dlp_corpus_parse_uci, "4\n9\n5\n1 1 2\n1 5 1\n1 8 30\n3 6 238\n4 1 1\n");
}

static struct dlpi_output bytes_of(const dlp_corpus *c)
{
    struct dlpi_output out = {0};
    assert_int_equal(dlpi_corpus_put_dlpc(c, &out, NULL), DLP_OK);
    return out;
}

static void a_corpus_comes_back(void **state)
{
    (void)state;
    dlp_corpus *c = small(), *again = NULL;
    struct dlpi_output out = bytes_of(c);
    assert_int_equal(out.bytes.size, 128 + 8 * 5 + 8 * 5);
    assert_string_equal(dlpi_corpus_format_of_text(out.bytes.data, out.bytes.size)->name,
                        "dlpc");
    assert_ok(dlp_corpus_parse_dlpc("x", out.bytes.data, out.bytes.size, &again, error));
    assert_same(c, again);
    free(out.bytes.data);
    dlp_corpus_free(again);
    dlp_corpus_free(c);
}

/* One number of the file becomes another, with or without the checksums for it. */
static void assert_refused(size_t at, int64_t number, size_t size, bool sealed,
                           const char *words)
{
    dlp_corpus *c = small(), *none = NULL;
    struct dlpi_output out = bytes_of(c);
    memcpy(out.bytes.data + at, &number, size);
    if (sealed) dlpi_dlpc_seal(out.bytes.data, out.bytes.size);
    assert_fails(dlp_corpus_parse_dlpc("x", out.bytes.data, out.bytes.size, &none, error),
                 DLP_EINPUT, words);
    assert_null(none);
    free(out.bytes.data);
    dlp_corpus_free(c);
}

static void hostile_bytes_are_refused(void **state)
{
    (void)state;
    const size_t term = 128, count = term + 20, row = count + 20;
    assert_refused(0, 'D', 1, false, "is not a dlpc corpus");
    assert_refused(16, 2, 8, false, "of version 2");
    assert_refused(24, 5, 8, false, "its first bytes were changed");
    assert_refused(24, 5, 8, true, "as many bytes as it says");
    assert_refused(24, 0, 8, true, "as many bytes");
    assert_refused(24, INT64_MAX, 8, true, "as many bytes");
    assert_refused(40, -1, 8, true, "as many bytes");
    assert_refused(40, (int64_t)1 << 61, 8, true, "as many bytes");
    assert_refused(32, (int64_t)1 << 31, 8, true, "as many bytes");
    assert_refused(32, 100000000, 8, true, "only 5 pairs");
    assert_refused(48, 273, 8, true, "fewer words than it says");
    assert_refused(48, 271, 8, true, "more words than it says");
    assert_refused(48, INT64_MAX, 8, true, "as many bytes");
    assert_refused(72, 1, 8, true, "version 1 does not know");
    assert_refused(term, 1, 4, false, "its checksum is that of other documents");
    assert_refused(term, 4, 4, true, "terms do not ascend");
    assert_refused(term + 8, 9, 4, true, "terms do not ascend");
    assert_refused(term, -1, 4, true, "terms do not ascend");
    assert_refused(count, 0, 4, true, "counts are not positive");
    assert_refused(row, 1, 8, true, "are not those of its pairs");
    assert_refused(row + 8, -1, 8, true, "do not follow each other");
    assert_refused(row + 8, 6, 8, true, "do not follow each other");
    assert_refused(row + 32, 4, 8, true, "are not those of its pairs");
}

static void short_files_are_refused(void **state)
{
    (void)state;
    dlp_corpus *c = small(), *none = NULL;
    struct dlpi_output out = bytes_of(c);
    for (size_t size = 1; size < out.bytes.size; size++) {
        dlp_error error = {0};
        assert_int_equal(dlp_corpus_parse_dlpc("x", out.bytes.data, size, &none, &error),
                         DLP_EINPUT);
        assert_null(none);
    }
    free(out.bytes.data);
    dlp_corpus_free(c);
}

/* ---- files ---- */

/* D documents of 40 terms each, which are soon more than are read */
static dlp_corpus *large(dlp_index D)
{
    enum { TERMS = 40 };
    dlp_corpus *c = dlpi_corpus_alloc(D, D * TERMS, NULL);
    assert_non_null(c);
    c->V = 50000;
    for (dlp_index i = 0; i < c->nnz; i++) {
        c->term[i] = (int32_t)((i % TERMS) * 1000 + i / TERMS % 1000);
        c->count[i] = (int32_t)(1 + i % 3);
        c->words += c->count[i];
    }
    for (dlp_index d = 0; d < D; d++) c->row[d + 1] = (d + 1) * TERMS;
    return c;
}

static void large_files_are_mapped(void **state)
{
    (void)state;
    dlp_corpus *c = large(60000), *mapped = NULL;
    const char *path = "large.dlpc";
    assert_ok(dlp_corpus_write(c, path, NULL, error));
    assert_ok(dlp_corpus_open(path, NULL, &mapped, error));
    assert_non_null(mapped->file);
    assert_same(c, mapped);
    dlpi_corpus_leave(mapped, 0, mapped->D);
    assert_same(c, mapped);
    /* to write to it is to have a copy */
    assert_ok(dlpi_corpus_own(mapped, error));
    mapped->term[7] = 49999;
    dlpi_corpus_leave(mapped, 0, mapped->D);
    assert_int_equal(mapped->term[7], 49999);
    dlp_corpus_free(mapped);
    assert_ok(dlp_corpus_open(path, NULL, &mapped, error));
    assert_same(c, mapped);
    dlp_corpus_free(mapped);
    dlp_corpus_free(c);
}

static void a_damaged_mapping_is_refused(void **state)
{
    (void)state;
    dlp_corpus *c = large(60000), *none = NULL;
    const char *path = "damaged.dlpc";
    assert_ok(dlp_corpus_write(c, path, NULL, error));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 10000000, SEEK_SET), 0);
    assert_int_equal(fputc(77, file), 77);
    assert_int_equal(fclose(file), 0);
    assert_fails(dlp_corpus_open(path, NULL, &none, error), DLP_EINPUT, "damaged");
    assert_null(none);
    dlp_corpus_free(c);
}

static void documents_are_written_as_they_come(void **state)
{
    (void)state;
    dlp_corpus *c = large(3000), *again = NULL;
    const char *whole = "whole.dlpc", *parts = "parts.dlpc";
    unsigned char *keep = calloc(3000, 1);
    dlp_corpus_writer *writer = NULL;
    assert_ok(dlp_corpus_write(c, whole, NULL, error));
    assert_ok(dlp_corpus_writer_open(parts, c->V, NULL, &writer, error));
    for (int part = 0; part < 3; part++) {
        dlp_corpus *some = NULL;
        for (int d = 0; d < 3000; d++) keep[d] = d / 1000 == part;
        assert_ok(dlp_corpus_select(c, keep, &some, error));
        assert_ok(dlp_corpus_writer_add(writer, some, error));
        dlp_corpus_free(some);
    }
    assert_int_equal(access(parts, F_OK), -1);
    assert_ok(dlp_corpus_writer_finish(writer, NULL, error));
    dlp_corpus_writer_free(writer);
    assert_ok(dlp_corpus_open(parts, NULL, &again, error));
    assert_same(c, again);
    dlp_corpus_free(again);
    dlp_corpus_free(c);
    struct stat a, b;
    assert_true(stat(whole, &a) == 0 && stat(parts, &b) == 0 && a.st_size == b.st_size);
    free(keep);
}

static void what_is_not_finished_leaves_nothing(void **state)
{
    (void)state;
    dlp_corpus *c = large(10);
    const char *path = "none.dlpc", *beside = "none.vocab";
    dlp_corpus_writer *writer = NULL;
    assert_ok(dlp_corpus_writer_open(path, c->V, NULL, &writer, error));
    assert_ok(dlp_corpus_writer_add(writer, c, error));
    dlp_corpus_writer_free(writer);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(dlp_corpus_writer_open(path, 10, NULL, &writer, error));
    assert_fails(dlp_corpus_writer_add(writer, c, error), DLP_EINVAL, "50000 terms");
    assert_fails(dlp_corpus_writer_finish(writer, NULL, error), DLP_EINPUT,
                 "no documents");
    dlp_corpus_writer_free(writer);
    assert_ok(dlp_file_write(beside, "a\n", 2, error));
    assert_fails(dlp_corpus_writer_open(path, c->V, NULL, &writer, error), DLP_EINVAL,
                 "would be read as the names");
    assert_null(writer);
    dlp_corpus_free(c);
}

static void names_go_beside(void **state)
{
    (void)state;
    dlp_corpus *c = small(), *again = NULL;
    const char *path = "named.dlpc";
    char *name[9], letters[9][2];
    dlp_corpus_writer *writer = NULL;
    for (int v = 0; v < 9; v++) {
        letters[v][0] = (char)('a' + v);
        letters[v][1] = '\0';
        name[v] = letters[v];
    }
    assert_ok(dlp_corpus_writer_open(path, 9, name, &writer, error));
    assert_ok(dlp_corpus_writer_add(writer, c, error));
    assert_ok(dlp_corpus_writer_finish(writer, NULL, error));
    dlp_corpus_writer_free(writer);
    assert_ok(dlp_corpus_open(path, NULL, &again, error));
    assert_string_equal(again->vocab[8], "i");
    assert_string_equal(document(again, 2), "5:238");
    dlp_corpus_free(again);
    dlp_corpus_free(c);
}

/* The documents do not depend on how many are drawn at a time. */
static void a_simulation_goes_into_a_file(void **state)
{
    (void)state;
    dlp_topics topics;
    dlp_simulate_settings settings = dlp_simulate_settings_default();
    dlp_corpus *drawn = NULL, *written = NULL;
    dlp_corpus_writer *writer = NULL;
    const char *path = "drawn.dlpc";
    settings.documents = 700;
    settings.words = 9000;
    assert_ok(dlp_simulate_topics(3, 40, 0.5, 1, &topics, error));
    assert_ok(dlp_simulate_ctm(&topics, NULL, &settings, &drawn, NULL, error));
    assert_ok(dlp_corpus_writer_open(path, 40, NULL, &writer, error));
    assert_ok(dlp_simulate_ctm_write(&topics, &settings, writer, error));
    assert_ok(dlp_corpus_writer_finish(writer, NULL, error));
    dlp_corpus_writer_free(writer);
    assert_ok(dlp_corpus_open(path, NULL, &written, error));
    assert_same(drawn, written);
    dlp_corpus_free(drawn);
    dlp_corpus_free(written);
    dlp_topics_free(&topics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corpus_comes_back),
        cmocka_unit_test(hostile_bytes_are_refused),
        cmocka_unit_test(short_files_are_refused),
        cmocka_unit_test(large_files_are_mapped),
        cmocka_unit_test(a_damaged_mapping_is_refused),
        cmocka_unit_test(documents_are_written_as_they_come),
        cmocka_unit_test(what_is_not_finished_leaves_nothing),
        cmocka_unit_test(names_go_beside),
        cmocka_unit_test(a_simulation_goes_into_a_file),
    };
    return cmocka_run_group_tests(tests, go, leave);
}
