/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Corpora from files: names, pipes, compression, and lack of memory. The linker
 * wraps the allocator, so that every allocation can be made to fail once.
 */
#define ZLIB_CONST
#include "../fuzz/sound.h"
#include "core/memory.h"
#include "corpus/corpus.h"

#include <delaplace/corpus.h>
#include <delaplace/file.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "failing_allocator.h"
#include "scratch_file.h"

typedef dlp_status reader(const char *path, dlp_corpus **corpus, dlp_error *error);

static void put(const void *data, size_t size)
{
    assert_int_equal(dlp_file_write(path, data, size, NULL), DLP_OK);
}

static void assert_not_read(reader *read_path, const char *from, dlp_status status,
                            const char *message)
{
    dlp_corpus sentinel, *c = &sentinel;
    dlp_error error = {0};
    assert_int_equal(read_path(from, &c, &error), status);
    assert_null(c);
    if (!strstr(error.message, message))
        fail_msg("'%s' lacks '%s'", error.message, message);
}

/* ---- files ---- */

static void assert_read(reader *read_path, const char *from, dlp_index D, dlp_index V)
{
    dlp_corpus *c = NULL;
    dlp_error error = {0};
    if (read_path(from, &c, &error) != DLP_OK) fail_msg("%s", error.message);
    assert_true(corpus_is_sound(c));
    assert_int_equal(c->D, D);
    assert_int_equal(c->V, V);
    dlp_corpus_free(c);
}

static const char small_ldac[] = "2 1:2 3:4\n0\n1 0:1\n";
static const char small_uci[] = "3\n5\n3\n1 2 2\n1 4 4\n3 1 1\n";

static dlp_status read_ldac(const char *from, dlp_corpus **c, dlp_error *error)
{
    return dlp_corpus_open(
        from, &(dlp_corpus_options){.size = sizeof(dlp_corpus_options), .format = "ldac"},
        c, error);
}

static dlp_status read_uci(const char *from, dlp_corpus **c, dlp_error *error)
{
    return dlp_corpus_open(
        from, &(dlp_corpus_options){.size = sizeof(dlp_corpus_options), .format = "uci"},
        c, error);
}

static void the_format_is_told_by_the_content(void **state)
{
    (void)state;
    put(small_ldac, strlen(small_ldac));
    assert_read(dlp_corpus_read, path, 3, 4);
    assert_read(read_ldac, path, 3, 4);
    assert_not_read(read_uci, path, DLP_EINPUT, ":1: expected the number of");
    put(small_uci, strlen(small_uci));
    assert_read(dlp_corpus_read, path, 3, 5);
    assert_read(read_uci, path, 3, 5);
    assert_not_read(read_ldac, path, DLP_EINPUT, ":1: the line says 3 pairs");
    put("\xef\xbb\xbf 3\r\n5\r\n0\r\n", 13);
    assert_read(dlp_corpus_read, path, 3, 5);
    put("0\n0\n0\n", 6);
    assert_read(dlp_corpus_read, path, 3, 0);
    put("5\n5\n", 4);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, ":1: the line says 5 pairs");
    put("", 0);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "is empty");
}

static void a_name_that_leads_nowhere_is_refused(void **state)
{
    (void)state;
    assert_not_read(dlp_corpus_read, "/no/such/file", DLP_EINPUT,
                    "/no/such/file: cannot read: No such file or directory; check the");
    assert_not_read(dlp_corpus_read, "", DLP_EINPUT, "No such file or directory");
    assert_not_read(dlp_corpus_read, "/tmp", DLP_EINPUT, "/tmp: cannot read: Is a dir");
    assert_not_read(dlp_corpus_read, NULL, DLP_EINVAL, "needs a path");
    assert_int_equal(dlp_corpus_read(path, NULL, NULL), DLP_EINVAL);
}

static void a_file_without_permission_is_refused(void **state)
{
    (void)state;
    /* Permissions do not bind root: be somebody else for a while. */
    const uid_t nobody = 65534, self = geteuid();
    put(small_ldac, strlen(small_ldac));
    assert_int_equal(chmod(path, 0), 0);
    if (self == 0) assert_int_equal(seteuid(nobody), 0);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "Permission denied");
    if (self == 0) assert_int_equal(seteuid(self), 0);
    assert_int_equal(chmod(path, 0600), 0);
}

/* Makes fd standard input while a corpus is read from "-". */
static dlp_status read_standard_input(int fd, dlp_corpus **c, dlp_error *error)
{
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    close(fd);
    const dlp_status status = dlp_corpus_read("-", c, error);
    if (saved >= 0) {
        assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
        close(saved);
    } else {
        close(STDIN_FILENO);
    }
    return status;
}

static void standard_input_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    dlp_error error = {0};
    put(small_uci, strlen(small_uci));
    assert_int_equal(read_standard_input(open(path, O_RDONLY), &c, &error), DLP_OK);
    assert_int_equal(c->D, 3);
    dlp_corpus_free(c);

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "1 0:1\n1 x\n", 10), 10);
    close(ends[1]);
    assert_int_equal(read_standard_input(ends[0], &c, &error), DLP_EINPUT);
    assert_null(c);
    assert_non_null(strstr(error.message, "standard input:2: expected 'term:count'"));
}

/* A pipe does not know its size: the bytes grow as they come. */
static void a_long_pipe_is_read_whole(void **state)
{
    (void)state;
    enum { LINES = 50000 };
    char command[64];
    snprintf(command, sizeof command, "yes '2 3:1 4:1' | head -n %d", LINES);
    FILE *writer = popen(command, "r");
    assert_non_null(writer);
    dlp_corpus *c = NULL;
    assert_int_equal(read_standard_input(dup(fileno(writer)), &c, NULL), DLP_OK);
    assert_int_equal(pclose(writer), 0);
    assert_int_equal(c->D, LINES);
    assert_int_equal(c->words, 2 * LINES);
    dlp_corpus_free(c);
}

static void a_vocabulary_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    put(small_ldac, strlen(small_ldac));
    assert_int_equal(dlp_corpus_read(path, &c, NULL), DLP_OK);
    put("a\nb\nc\nd\ne\n", 10);
    assert_int_equal(dlp_corpus_read_vocab(c, path, NULL), DLP_OK);
    assert_int_equal(c->V, 5);
    assert_string_equal(c->vocab[4], "e");
    dlp_error error = {0};
    assert_int_equal(dlp_corpus_read_vocab(c, "/no/such/file", &error), DLP_EINPUT);
    assert_non_null(strstr(error.message, "/no/such/file: cannot read"));
    assert_int_equal(dlp_corpus_read_vocab(NULL, path, NULL), DLP_EINVAL);
    assert_int_equal(dlp_corpus_read_vocab(c, NULL, NULL), DLP_EINVAL);
    assert_string_equal(c->vocab[4], "e");
    dlp_corpus_free(c);
}

static void the_corpus_that_comes_along_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    assert_int_equal(dlp_corpus_read(DLP_TEST_DIR "/data/packages.ldac", &c, NULL),
                     DLP_OK);
    assert_int_equal(dlp_corpus_read_vocab(c, DLP_TEST_DIR "/data/packages.vocab", NULL),
                     DLP_OK);
    assert_true(corpus_is_sound(c));
    assert_int_equal(c->D, 600);
    assert_int_equal(c->V, 2093);
    assert_int_equal(c->words, 24500);
    dlp_corpus_free(c);
}

/* ---- compression ---- */

static struct dlpi_bytes gzip(const char *text, size_t size)
{
    const size_t room = size + size / 8 + 100;
    struct dlpi_bytes out = {.data = malloc(room), .capacity = room};
    z_stream z = {.next_in = (const Bytef *)text,
                  .avail_in = (uInt)size,
                  .next_out = (Bytef *)out.data,
                  .avail_out = (uInt)room};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, 0), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.size = z.total_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return out;
}

static struct dlpi_bytes zstd(const char *text, size_t size)
{
    const size_t room = ZSTD_compressBound(size);
    struct dlpi_bytes out = {.data = malloc(room), .capacity = room};
    out.size = ZSTD_compress(out.data, room, text, size, 3);
    assert_false(ZSTD_isError(out.size));
    return out;
}

static struct dlpi_bytes xz(const char *text, size_t size)
{
    const size_t room = lzma_stream_buffer_bound(size);
    size_t used = 0;
    struct dlpi_bytes out = {.data = malloc(room), .capacity = room};
    const lzma_ret code =
        lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, size,
                                (uint8_t *)out.data, &used, room);
    assert_int_equal(code, LZMA_OK);
    out.size = used;
    return out;
}

static struct dlpi_bytes join(struct dlpi_bytes a, struct dlpi_bytes b)
{
    a.data = realloc(a.data, a.size + b.size);
    memcpy(a.data + a.size, b.data, b.size);
    a.size += b.size;
    free(b.data);
    return a;
}

static struct dlpi_bytes copy(const char *data, size_t size)
{
    struct dlpi_bytes out = {
        .data = malloc(size + 1), .size = size, .capacity = size + 1};
    memcpy(out.data, data, size);
    return out;
}

typedef struct dlpi_bytes compressor(const char *text, size_t size);
static compressor *const compressors[] = {gzip, zstd, xz};
enum { COMPRESSORS = sizeof compressors / sizeof compressors[0] };

static void compressed_files_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < COMPRESSORS; i++) {
        struct dlpi_bytes compressed = compressors[i](small_ldac, strlen(small_ldac));
        put(compressed.data, compressed.size);
        assert_read(dlp_corpus_read, path, 3, 4);
        dlp_corpus *c = NULL;
        assert_int_equal(read_standard_input(open(path, O_RDONLY), &c, NULL), DLP_OK);
        dlp_corpus_free(c);

        /* Two members or frames are one text; the boundary may be anywhere. */
        compressed = join(compressed, compressors[i]("1 5:", 4));
        compressed = join(compressed, compressors[i]("", 0));
        compressed = join(compressed, compressors[i]("2\n", 2));
        put(compressed.data, compressed.size);
        assert_read(dlp_corpus_read, path, 4, 6);
        free(compressed.data);

        /* What is compressed is checked as ever, by its own lines. */
        compressed = compressors[i]("1 0:1\nx\n", 8);
        put(compressed.data, compressed.size);
        assert_not_read(dlp_corpus_read, path, DLP_EINPUT, ":2: expected the number of");
        free(compressed.data);
        compressed = compressors[i]("", 0);
        put(compressed.data, compressed.size);
        assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "is empty");
        free(compressed.data);
    }
}

static void skippable_zstd_frames_are_skipped(void **state)
{
    (void)state;
    const char skippable[] = "\x5a\x2a\x4d\x18\x03\x00\x00\x00xyz";
    struct dlpi_bytes compressed =
        join(copy(skippable, sizeof skippable - 1), zstd(small_ldac, strlen(small_ldac)));
    put(compressed.data, compressed.size);
    assert_read(dlp_corpus_read, path, 3, 4);
    free(compressed.data);
}

static void compressed_text_larger_than_the_buffers_is_whole(void **state)
{
    (void)state;
    enum { LINES = 300000 };
    static const char line[] = "1 7:11\n";
    const size_t length = strlen(line), size = LINES * length;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++) text[i] = line[i % length];
    for (int i = 0; i < COMPRESSORS; i++) {
        struct dlpi_bytes compressed = compressors[i](text, size);
        put(compressed.data, compressed.size);
        assert_read(dlp_corpus_read, path, LINES, 8);
        free(compressed.data);
    }
    free(text);
}

static void cut_off_packed_bytes_are_refused(void **state)
{
    (void)state;
    static const char *const named[] = {"gzip", "zstd", "xz"};
    for (int i = 0; i < COMPRESSORS; i++) {
        struct dlpi_bytes whole = compressors[i](small_ldac, strlen(small_ldac));
        for (size_t size = 4; size < whole.size; size++) {
            struct dlpi_bytes part = copy(whole.data, size);
            dlp_error error = {0};
            assert_int_equal(dlpi_decompress("part", &part, 1 << 20, NULL, &error),
                             DLP_EINPUT);
            assert_non_null(strstr(error.message, "data end too early"));
            assert_non_null(strstr(error.message, named[i]));
            assert_int_equal(part.size, size); /* as it was */
            free(part.data);
        }
        put(whole.data, whole.size - 3);
        assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "the file is cut off");
        free(whole.data);
    }
}

static void damaged_packed_bytes_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < COMPRESSORS; i++) {
        struct dlpi_bytes compressed = compressors[i](small_ldac, strlen(small_ldac));
        compressed = join(compressed, copy("rubbish behind", 14));
        put(compressed.data, compressed.size);
        assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "data are damaged");
        free(compressed.data);
    }
    /* A wrong checksum. */
    struct dlpi_bytes compressed = gzip(small_ldac, strlen(small_ldac));
    compressed.data[compressed.size - 6] ^= 1;
    put(compressed.data, compressed.size);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "incorrect data check");
    free(compressed.data);
    compressed = xz(small_ldac, strlen(small_ldac));
    compressed.data[compressed.size / 2] ^= 1;
    put(compressed.data, compressed.size);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "xz data are damaged (corrupt");
    free(compressed.data);
}

/* A stream whose header asks for a dictionary of 1 GiB. */
static void greedy_xz_streams_are_refused(void **state)
{
    (void)state;
    uint8_t compressed[256];
    size_t size = 0;
    lzma_options_lzma options;
    assert_false(lzma_lzma_preset(&options, 6));
    lzma_filter filters[] = {{.id = LZMA_FILTER_LZMA2, .options = &options},
                             {.id = LZMA_VLI_UNKNOWN}};
    lzma_block block = {.check = LZMA_CHECK_CRC32, .filters = filters};
    options.dict_size = (uint32_t)1 << 30;
    const lzma_stream_flags flags = {.check = block.check};
    assert_int_equal(lzma_stream_header_encode(&flags, compressed), LZMA_OK);
    size += LZMA_STREAM_HEADER_SIZE;
    block.compressed_size = block.uncompressed_size = LZMA_VLI_UNKNOWN;
    assert_int_equal(lzma_block_header_size(&block), LZMA_OK);
    assert_int_equal(lzma_block_header_encode(&block, compressed + size), LZMA_OK);
    size += block.header_size;
    put(compressed, size);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT,
                    "MiB of memory to decompress, more than the 512 allowed");
}

static void decompressing_stops_at_its_limit(void **state)
{
    (void)state;
    char *zeros = calloc(1, 200000);
    for (int i = 0; i < COMPRESSORS; i++) {
        for (size_t limit = 199998; limit <= 200001; limit++) {
            struct dlpi_bytes compressed = compressors[i](zeros, 200000);
            dlp_error error = {0};
            const dlp_status status =
                dlpi_decompress("zeros", &compressed, limit, NULL, &error);
            assert_int_equal(status, limit < 200000 ? DLP_EINPUT : DLP_OK);
            if (status == DLP_OK)
                assert_int_equal(compressed.size, 200000);
            else
                assert_non_null(
                    strstr(error.message, "zeros: decompresses to more than 19999"));
            free(compressed.data);
        }
    }
    free(zeros);
}

static void other_packers_are_named(void **state)
{
    (void)state;
    put("BZh91AY", 7);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT,
                    "is compressed with bzip2; decompress it");
    put("PK\x03\x04", 4);
    assert_not_read(dlp_corpus_read, path, DLP_EINPUT, "is compressed with zip");
}

/* ---- memory ---- */

/* Every allocation on the way fails once; each time the call says so and leaks nothing
   (as the sanitizers and valgrind see). */
static void assert_memory_may_lack_anywhere(reader *read_path, const char *from)
{
    for (int n = 0;; n++) {
        dlp_corpus *c = NULL;
        dlp_error error = {0};
        allocations_left = n;
        const dlp_status status = read_path(from, &c, &error);
        const bool failed = allocations_left < 0;
        allocations_left = -1;
        if (!failed) {
            assert_int_equal(status, DLP_OK);
            dlp_corpus_free(c);
            assert_true(n > 3);
            return;
        }
        assert_int_equal(status, DLP_ENOMEM);
        assert_null(c);
        assert_non_null(strstr(error.message, "not enough memory"));
    }
}

/* The corpus in the file, and names for its terms. */
static dlp_status read_with_vocabulary(const char *from, dlp_corpus **c, dlp_error *error)
{
    dlp_status status = dlp_corpus_read(from, c, error);
    if (status == DLP_OK) status = dlp_corpus_read_vocab(*c, from, error);
    return dlpi_corpus_parse_end(status, c);
}

static void memory_may_lack_anywhere(void **state)
{
    (void)state;
    static const char *const texts[] = {"2 3:1 1:2\n1 0:4\n0\n0\n",
                                        "3\n4\n3\n3 1 1\n1 2 2\n1 1 2\n"};
    for (int i = 0; i < 2; i++) {
        put(texts[i], strlen(texts[i]));
        assert_memory_may_lack_anywhere(read_with_vocabulary, path);
        struct dlpi_bytes compressed = compressors[i](texts[i], strlen(texts[i]));
        put(compressed.data, compressed.size);
        free(compressed.data);
        assert_memory_may_lack_anywhere(read_with_vocabulary, path);
    }
}

/* What the system says of its memory, in bytes; 0 if it says nothing. */
static double memory_told(const char *name)
{
    char line[128];
    double kilobytes = 0;
    FILE *in = fopen("/proc/meminfo", "r");
    if (!in) return 0;
    while (fgets(line, sizeof line, in))
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name), NULL);
    (void)fclose(in);
    return 1024 * kilobytes;
}

/* A pipe or a device without end was read until the system killed the program. */
static void memory_that_others_have_is_not_available(void **state)
{
    (void)state;
    const double all = memory_told("MemTotal:"),
                 left = memory_told("MemAvailable:") + dlpi_memory_used();
    dlp_error error;
    if (!(left > 0) || left > 0.98 * all || dlpi_memory_most() < all) skip();
    assert_int_equal(dlpi_memory_check((left + all) / 2, "this", "no", &error),
                     DLP_ENOMEM);
    assert_non_null(strstr(error.message, "this needs about "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_format_is_told_by_the_content),
        cmocka_unit_test(a_name_that_leads_nowhere_is_refused),
        cmocka_unit_test(a_file_without_permission_is_refused),
        cmocka_unit_test(standard_input_is_read),
        cmocka_unit_test(a_long_pipe_is_read_whole),
        cmocka_unit_test(a_vocabulary_is_read),
        cmocka_unit_test(the_corpus_that_comes_along_is_read),
        cmocka_unit_test(compressed_files_are_read),
        cmocka_unit_test(skippable_zstd_frames_are_skipped),
        cmocka_unit_test(compressed_text_larger_than_the_buffers_is_whole),
        cmocka_unit_test(cut_off_packed_bytes_are_refused),
        cmocka_unit_test(damaged_packed_bytes_are_refused),
        cmocka_unit_test(greedy_xz_streams_are_refused),
        cmocka_unit_test(decompressing_stops_at_its_limit),
        cmocka_unit_test(other_packers_are_named),
        cmocka_unit_test(memory_may_lack_anywhere),
        cmocka_unit_test(memory_that_others_have_is_not_available),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
