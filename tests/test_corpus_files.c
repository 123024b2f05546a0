/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Corpora as files: from each format to each other and back, the files of names beside
 * them, and parts of a corpus. The linker wraps the allocator, so that every allocation
 * can be made to fail once, and fsync, which is slow and tested elsewhere.
 */
#include "corpus/transpose.h"
#include "corpus_support.h"
#include "folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "failing_allocator.h"

/* The linker gives this name. */
int __wrap_fsync(int fd); /* NOLINT(bugprone-reserved-identifier) */

int __wrap_fsync(int fd) /* NOLINT(bugprone-reserved-identifier) */
{
    return fd < 0 ? -1 : 0;
}

static const char *const files[] = {"a.vocab", "a.docs", "b.vocab", "b.docs", "c.txt"};

/* A path in the folder; each of the last four stays valid. */
static const char *at(const char *file)
{
    static char paths[4][128];
    static int next = 0;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, file);
    return path;
}

/* Removes what a test before may have left beside a corpus. */
static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)unlink(at(files[i]));
    return 0;
}

static void put(const char *file, const char *text)
{
    assert_ok(dlp_file_write(at(file), text, strlen(text), error));
}

static dlp_corpus *open_corpus(const char *file)
{
    dlp_corpus *c = NULL;
    assert_ok(dlp_corpus_open(at(file), NULL, &c, error));
    assert_true(corpus_is_sound(c));
    return c;
}

/* Documents 3 and the last are empty, term 2 and the last are not used. */
static dlp_corpus *sample(bool named)
{
    enum { D = 41, V = 29 };
    static int32_t x[D * V];
    static char *vocab[V], *name[D], text[D + V][32];
    dlp_corpus *c = NULL;
    for (int d = 0; d < D; d++)
        for (int v = 0; v < V; v++) {
            dlp_rng rng = dlp_rng_at(7, (uint64_t)d * V + (uint64_t)v);
            const double u = dlp_draw_uniform(&rng);
            const bool empty = d == 3 || d == D - 1 || v == 2 || (named && v == V - 1);
            x[d * V + v] = empty || u < 0.8 ? 0 : (int32_t)(1 / (1 - u));
        }
    assert_ok(dlp_corpus_from_counts(D, V, x, &c, error));
    if (!named) return c;
    /* In no order, and with all that CSV must quote. */
    for (int v = 0; v < V; v++) {
        snprintf(text[v], sizeof text[v], "%c \"%d\", x", 'a' + v * 17 % 26, v);
        vocab[v] = text[v];
    }
    for (int d = 0; d < D; d++) {
        snprintf(text[V + d], sizeof text[V + d], "%d", 1000 - d * 7 % 41);
        name[d] = text[V + d];
    }
    put("c.txt", "");
    FILE *f = fopen(at("c.txt"), "w");
    assert_non_null(f);
    for (int v = 0; v < V; v++) fprintf(f, "%s\n", vocab[v]);
    fclose(f);
    assert_ok(dlp_corpus_read_vocab(c, at("c.txt"), error));
    f = fopen(at("c.txt"), "w");
    assert_non_null(f);
    for (int d = 0; d < D; d++) fprintf(f, "%s\n", name[d]);
    fclose(f);
    assert_ok(dlp_corpus_read_names(c, at("c.txt"), error));
    return c;
}

/* ---- there and back ---- */

/* Options for format i; those of the last two stay valid. */
static const dlp_corpus_options *format_named(int i)
{
    static dlp_corpus_options options[2];
    static int next = 0;
    dlp_corpus_options *o = &options[next++ % 2];
    *o = dlp_corpus_options_default();
    o->format = dlp_corpus_format_name(i);
    return o;
}

static void each_format_becomes_each(void **state)
{
    (void)state;
    static const char *const compressed[] = {"", ".gz", ".zst"};
    for (int named = 0; named < 2; named++) {
        dlp_corpus *c = sample(named);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) {
                char from[32], to[32];
                snprintf(from, sizeof from, "a.x%s", compressed[i % 3]);
                snprintf(to, sizeof to, "b.x%s", compressed[j % 3]);
                assert_ok(dlp_corpus_write(c, at(from), format_named(i), error));
                dlp_corpus *first = open_corpus(from);
                assert_same(first, c);
                assert_ok(dlp_corpus_write(first, at(to), format_named(j), error));
                dlp_corpus *second = open_corpus(to);
                assert_same(second, c);
                dlp_corpus_free(first);
                dlp_corpus_free(second);
            }
        dlp_corpus_free(c);
    }
}

static void assert_file(const char *file, const char *text)
{
    char got[512] = "";
    FILE *f = fopen(at(file), "rb");
    assert_non_null(f);
    const size_t size = fread(got, 1, sizeof got - 1, f);
    fclose(f);
    got[size] = '\0';
    assert_string_equal(got, text);
}

static void files_are_as_documented(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "2 0:2 2:1\n0\n1 1:3\n0\n");
    static const struct {
        const char *file, *text;
    } plain[] = {
        {"a.ldac", "2 0:2 2:1\n0\n1 1:3\n0\n"},
        {"a.uci", "4\n3\n3\n1 1 2\n1 3 1\n3 2 3\n"},
        {"a.mtx",
         "%%MatrixMarket matrix coordinate integer general\n4 3 3\n1 1 2\n1 3 1\n3 2 "
         "3\n"},
        {"a.svm", "0 1:2 3:1\n0\n0 2:3\n0\n"},
        {"a.csv", "document,term,count\n1,1,2\n1,3,1\n3,2,3\n4,3,0\n"},
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        assert_ok(dlp_corpus_write(c, at(plain[i].file), NULL, error));
        assert_file(plain[i].file, plain[i].text);
    }
    put("c.txt", "a\nb\"c\nd\n");
    assert_ok(dlp_corpus_read_vocab(c, at("c.txt"), error));
    put("c.txt", "x\ny\nz\n1\n");
    assert_ok(dlp_corpus_read_names(c, at("c.txt"), error));
    assert_ok(dlp_corpus_write(c, at("b.csv"), NULL, error));
    assert_file("b.csv",
                "document,term,count\n\"x\",\"a\",2\n\"x\",\"d\",1\n\"z\","
                "\"b\"\"c\",3\n");
    assert_file("b.vocab", "a\nb\"c\nd\n");
    assert_file("b.docs", "x\ny\nz\n1\n");
    dlp_corpus_free(c);
}

/* ---- the files beside ---- */

static void names_beside_are_found(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    put("a.ldac", "1 0:2\n1 1:1\n");
    c = open_corpus("a.ldac");
    assert_null(c->vocab);
    assert_null(c->name);
    dlp_corpus_free(c);
    put("a.vocab", "x\ny\nz\n");
    put("a.docs", "first\nsecond\n");
    c = open_corpus("a.ldac");
    assert_int_equal(c->V, 3);
    assert_string_equal(c->vocab[2], "z");
    assert_string_equal(c->name[1], "second");
    dlp_corpus_free(c);
    put("c.txt", "p\nq\n");
    assert_ok(dlp_corpus_open(at("a.ldac"),
                              &(dlp_corpus_options){.size = sizeof(dlp_corpus_options),
                                                    .format = "ldac",
                                                    .vocab = at("c.txt")},
                              &c, error));
    assert_string_equal(c->vocab[1], "q");
    assert_string_equal(c->name[1], "second");
    dlp_corpus_free(c);

    put("a.docs", "first\n");
    assert_fails(dlp_corpus_open(at("a.ldac"), NULL, &c, error), DLP_EINPUT,
                 "a.docs: has 1 names but the corpus has 2 documents");
    assert_null(c);
    put("a.docs", "first\n\nthird\n");
    assert_fails(dlp_corpus_open(at("a.ldac"), NULL, &c, error), DLP_EINPUT,
                 "a.docs:2: expected the name of a document");
    put("a.vocab", "x\n");
    assert_fails(dlp_corpus_open(at("a.ldac"), NULL, &c, error), DLP_EINPUT,
                 "a.vocab: has 1 names but the corpus has 2 terms");
    assert_fails(dlp_corpus_open(at("a.ldac"),
                                 &(dlp_corpus_options){.size = sizeof(dlp_corpus_options),
                                                       .format = "bow"},
                                 &c, error),
                 DLP_EINVAL, "unknown corpus format 'bow'; expected ldac, uci");
    assert_fails(dlp_corpus_open(at("a.ldac"),
                                 &(dlp_corpus_options){.size = sizeof(dlp_corpus_options),
                                                       .format = "uci"},
                                 &c, error),
                 DLP_EINPUT, "a.ldac:1: expected the number of documents");
    assert_fails(dlp_corpus_open(NULL, NULL, &c, error), DLP_EINVAL, "needs a path");
}

static void names_beside_order_triplets(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    put("a.csv", "document,term,count\nd2,b,2\nd2,a,1\nd1,c,3\n");
    put("a.vocab", "c\nx\nb\na\n");
    put("a.docs", "d1\nd0\nd2\n");
    c = open_corpus("a.csv");
    assert_int_equal(c->D, 3);
    assert_int_equal(c->V, 4);
    assert_string_equal(document(c, 0), "0:3");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 2), "2:2 3:1");
    assert_string_equal(c->vocab[1], "x");
    assert_string_equal(c->name[1], "d0");
    dlp_corpus_free(c);
    put("a.docs", "d1\nd0\n");
    assert_fails(dlp_corpus_open(at("a.csv"), NULL, &c, error), DLP_EINPUT,
                 "a.docs: 'd2' of the corpus is not there");
    put("a.vocab", "c\nb\na\nb\n");
    assert_fails(dlp_corpus_open(at("a.csv"), NULL, &c, error), DLP_EINPUT,
                 "a.vocab:4: 'b' is already in line 2");
    assert_null(c);
}

static void what_is_beside_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *path, *beside;
    } paths[] = {
        {"a.ldac", "a.vocab"},        {"x.y/a.csv.gz", "x.y/a.vocab"},
        {"x.y/a", "x.y/a.vocab"},     {"a.b.uci.zst", "a.b.vocab"},
        {".hidden", ".hidden.vocab"}, {"x/.h.dat.xz", "x/.h.vocab"},
        {"ap.gz", "ap.vocab"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char *beside = dlp_corpus_beside(paths[i].path, ".vocab");
        assert_string_equal(beside, paths[i].beside);
        free(beside);
    }
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "1 0:2\n1 1:1\n");
    assert_fails(
        dlp_corpus_write(c, at("a.txt"), NULL, error), DLP_EINVAL,
        "a.txt: the file name does not say which format; use one that ends in .ldac");
    assert_fails(
        dlp_corpus_write(
            c, at("a.ldac"),
            &(dlp_corpus_options){.size = sizeof(dlp_corpus_options), .format = "bow"},
            error),
        DLP_EINVAL, "'bow'");
    assert_fails(dlp_corpus_write(c, at("a.ldac.xz"), NULL, error), DLP_EINVAL,
                 "cannot compress with xz; use a name that ends in .gz, .zst or neither");
    assert_fails(dlp_corpus_write(c, at("no/a.ldac"), NULL, error), DLP_EIO,
                 "create its folder first");
    assert_fails(
        dlp_corpus_write(
            c, at("a.vocab"),
            &(dlp_corpus_options){.size = sizeof(dlp_corpus_options), .format = "ldac"},
            error),
        DLP_EINVAL, "a.vocab: is where the corpus' names go");
    assert_fails(dlp_corpus_write(c, NULL, NULL, error), DLP_EINVAL, "needs a corpus");
    /* Names of another corpus are not taken for this one's. */
    put("a.docs", "x\n");
    assert_fails(dlp_corpus_write(c, at("a.uci"), NULL, error), DLP_EINVAL,
                 "a.docs: exists, and would be read as the names of");
    /* CSV has names only. */
    put("c.txt", "same\nsame\n");
    assert_ok(dlp_corpus_read_names(c, at("c.txt"), error));
    assert_fails(dlp_corpus_write(c, at("b.csv"), NULL, error), DLP_EINPUT,
                 "the documents 1 and 2 (from 1) are both named 'same'");
    assert_ok(dlp_corpus_write(c, at("b.ldac"), NULL, error));
    dlp_corpus_free(c);
    c = parse(dlp_corpus_parse_ldac, "0\n");
    assert_fails(dlp_corpus_write(c, at("a.csv"), NULL, error), DLP_EINVAL, "a.docs");
    assert_int_equal(unlink(at("a.docs")), 0);
    assert_fails(dlp_corpus_write(c, at("a.csv"), NULL, error), DLP_EINPUT,
                 "the corpus has no terms");
    assert_ok(dlp_corpus_write(
        c, "/dev/null",
        &(dlp_corpus_options){.size = sizeof(dlp_corpus_options), .format = "ldac"},
        error));
    c->row[1] = 1;
    assert_fails(dlp_corpus_write(c, at("a.ldac"), NULL, error), DLP_EINPUT, "not whole");
    dlp_corpus_free(c);
}

static void names_are_checked(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", " \t", "a\nb", "a\r"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[8];
        char *names[] = {(char[]){"ok"}, text};
        snprintf(text, sizeof text, "%s", wrong[i]);
        dlp_corpus *c = parse(dlp_corpus_parse_ldac, "1 0:2\n1 1:1\n");
        c->name = names;
        assert_fails(dlp_corpus_check(c, error), DLP_EINPUT,
                     "document 1: its name is blank or has a line end");
        c->name = NULL;
        c->vocab = names;
        assert_fails(dlp_corpus_check(c, error), DLP_EINPUT, "term 1: its name is");
        names[1] = NULL;
        assert_fails(dlp_corpus_check(c, error), DLP_EINPUT, "term 1: its name is NULL");
        c->vocab = NULL;
        assert_ok(dlp_corpus_check(c, error));
        dlp_corpus_free(c);
    }
}

/* ---- parts ---- */

static void the_transpose_has_every_pair(void **state)
{
    (void)state;
    dlp_corpus *c = sample(false);
    dlpi_postings *p = NULL;
    assert_ok(dlpi_corpus_transpose(c, &p, error));
    assert_int_equal(p->row[0], 0);
    assert_int_equal(p->row[c->V], c->nnz);
    dlp_index *seen = calloc((size_t)c->D, sizeof *seen); /* pairs of a document so far */
    for (dlp_index v = 0; v < c->V; v++)
        for (dlp_index i = p->row[v]; i < p->row[v + 1]; i++) {
            const int32_t d = p->document[i];
            assert_true(i == p->row[v] || d > p->document[i - 1]);
            /* Terms come in order, so this is the document's next pair. */
            const dlp_index pair = c->row[d] + seen[d]++;
            assert_int_equal(c->term[pair], v);
            assert_int_equal(c->count[pair], p->count[i]);
        }
    for (dlp_index d = 0; d < c->D; d++)
        assert_int_equal(seen[d], c->row[d + 1] - c->row[d]);
    free(seen);
    dlpi_postings_free(p);
    dlpi_postings_free(NULL);
    dlp_corpus_free(c);
    c = parse(dlp_corpus_parse_ldac, "0\n0\n");
    assert_ok(dlpi_corpus_transpose(c, &p, error));
    assert_int_equal(p->row[0], 0);
    dlpi_postings_free(p);
    dlp_corpus_free(c);
    assert_fails(dlpi_corpus_transpose(NULL, &p, error), DLP_EINVAL, "needs a corpus");
    assert_null(p);
}

static void documents_are_selected(void **state)
{
    (void)state;
    dlp_corpus *c = sample(true), *some = NULL;
    unsigned char keep[41] = {0};
    for (int d = 0; d < 41; d += 4) keep[d] = 1;
    keep[3] = 2;
    assert_ok(dlp_corpus_select(c, keep, &some, error));
    assert_true(corpus_is_sound(some));
    assert_int_equal(some->D, 12);
    assert_int_equal(some->V, c->V);
    assert_same_names(some->vocab, c->vocab, c->V);
    dlp_index next = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        if (!keep[d]) continue;
        char wanted[256];
        snprintf(wanted, sizeof wanted, "%s", document(c, d));
        assert_string_equal(document(some, next), wanted);
        assert_string_equal(some->name[next++], c->name[d]);
    }
    dlp_corpus_free(some);
    memset(keep, 0, sizeof keep);
    assert_fails(dlp_corpus_select(c, keep, &some, error), DLP_EINPUT,
                 "no document of 41 is selected");
    assert_null(some);
    assert_fails(dlp_corpus_select(c, NULL, &some, error), DLP_EINVAL, "needs a corpus");
    dlp_corpus_free(c);
}

static void rare_and_common_terms_are_pruned(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac,
                          "3 0:1 1:5 3:1\n2 1:1 3:2\n2 1:1 4:9\n1 1:7\n"),
               *pruned = NULL;
    put("c.txt", "a\nb\nc\nd\ne\n");
    assert_ok(dlp_corpus_read_vocab(c, at("c.txt"), error));
    assert_ok(dlp_corpus_prune(c, 2, 0.5, &pruned, error));
    assert_true(corpus_is_sound(pruned));
    assert_int_equal(pruned->D, 4);
    assert_int_equal(pruned->V, 1);
    assert_string_equal(pruned->vocab[0], "d");
    assert_string_equal(document(pruned, 1), "0:2");
    assert_string_equal(document(pruned, 3), "");
    dlp_corpus_free(pruned);
    assert_ok(dlp_corpus_prune(c, 1, 1, &pruned, error));
    assert_int_equal(pruned->V, 4); /* without c */
    assert_string_equal(pruned->vocab[3], "e");
    assert_string_equal(document(pruned, 2), "1:1 3:9");
    dlp_corpus_free(pruned);
    assert_ok(dlp_corpus_prune(c, 0, 1, &pruned, error));
    assert_same(pruned, c);
    dlp_corpus_free(pruned);
    assert_fails(dlp_corpus_prune(c, 5, 1, &pruned, error), DLP_EINPUT,
                 "no term of 5 occurs in at least 5 documents");
    assert_fails(dlp_corpus_prune(c, 1, 0, &pruned, error), DLP_EINVAL, "max_share");
    assert_fails(dlp_corpus_prune(c, 1, 1.5, &pruned, error), DLP_EINVAL, "max_share");
    assert_fails(dlp_corpus_prune(c, -1, 1, &pruned, error), DLP_EINVAL, "min_documents");
    assert_null(pruned);
    dlp_corpus_free(c);
}

/* ---- memory ---- */

/* All that a corpus can go through. */
static dlp_status do_everything(const char *file, dlp_error *error)
{
    static const unsigned char keep[] = {1, 0, 1};
    dlp_corpus *c = NULL, *some = NULL, *pruned = NULL;
    dlpi_postings *postings = NULL;
    dlp_status status = dlp_corpus_open(at(file), NULL, &c, error);
    if (status == DLP_OK) status = dlp_corpus_select(c, keep, &some, error);
    if (status == DLP_OK) status = dlp_corpus_prune(some, 1, 1, &pruned, error);
    if (status == DLP_OK) status = dlpi_corpus_transpose(pruned, &postings, error);
    for (int i = 0; i < 5 && status == DLP_OK; i++)
        status =
            dlp_corpus_write(c, at(i % 2 ? "b.x.gz" : "b.x.zst"), format_named(i), error);
    dlpi_postings_free(postings);
    dlp_corpus_free(pruned);
    dlp_corpus_free(some);
    dlp_corpus_free(c);
    return status;
}

static void memory_may_lack_anywhere(void **state)
{
    (void)state;
    static const char *const names[] = {"a.csv", "a.mtx", "a.svm"};
    put("a.csv", "document,term,count\nd2,b,2\nd2,\"a\"\"\",1\nd1,c,3\n");
    put("a.mtx",
        "%%MatrixMarket matrix coordinate integer general\n3 3 3\n2 1 1\n1 2 "
        "3\n1 1 1\n");
    put("a.svm", "-1 2:1 1:2\n-1\n-1 3:1\n");
    put("a.vocab", "c\nx\nb\na\"\n");
    put("a.docs", "d1\nd0\nd2\n");
    for (int i = 0; i < 3; i++)
        for (int n = 0;; n++) {
            dlp_error error = {0};
            allocations_left = n;
            const dlp_status status = do_everything(names[i], &error);
            const bool failed = allocations_left < 0;
            allocations_left = -1;
            if (!failed) {
                assert_int_equal(status, DLP_OK);
                assert_true(n > 20);
                break;
            }
            if (status == DLP_OK) continue; /* syncing a folder may fail unnoticed */
            assert_int_equal(status, DLP_ENOMEM);
            assert_non_null(strstr(error.message, "not enough memory"));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_format_becomes_each, clear),
        cmocka_unit_test_setup(files_are_as_documented, clear),
        cmocka_unit_test_setup(names_beside_are_found, clear),
        cmocka_unit_test_setup(names_beside_order_triplets, clear),
        cmocka_unit_test(what_is_beside_is_named),
        cmocka_unit_test_setup(what_cannot_be_written_is_refused, clear),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test_setup(the_transpose_has_every_pair, clear),
        cmocka_unit_test_setup(documents_are_selected, clear),
        cmocka_unit_test_setup(rare_and_common_terms_are_pruned, clear),
        cmocka_unit_test_setup(memory_may_lack_anywhere, clear),
    };
    return cmocka_run_group_tests(tests, go, leave);
}
