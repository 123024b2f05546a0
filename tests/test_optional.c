/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be left out of a library: it works, or it says that it is not there. Also the
   checksum, which needs no library. */
#include "core/crc32.h"
#include "io/compress.h"
#include "io/decompress.h"
#include "support.h"

#include <delaplace/build.h>
#include <delaplace/text.h>

/* printf 'a\n1\n' | gzip -n */
static const char gzip[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\xe4"
    "\x32\xe4\x02\x00\x00\x24\xc1\x89\x04\x00\x00\x00";

static void compression_is_there_or_says_so(void **state)
{
    (void)state;
    static const char *const magic[] = {gzip, "\x28\xb5\x2f\xfd", "\xfd\x37zXZ"};
    for (int i = 0; i < 3; i++) {
        struct dlpi_bytes bytes = {.size = i == 0 ? sizeof gzip - 1 : 4};
        dlp_error error = {0};
        bytes.data = malloc(bytes.size);
        assert_non_null(bytes.data);
        memcpy(bytes.data, magic[i], bytes.size);
        const dlp_status status = dlpi_decompress("t.csv", &bytes, 1000, NULL, &error);
        const bool absent = strstr(error.message, "was built without compression");
        assert_int_equal(absent, !dlp_build_facts().compression);
        if (dlp_build_facts().compression && i == 0) assert_int_equal(status, DLP_OK);
        if (absent) assert_int_equal(status, DLP_EINPUT);
        free(bytes.data);
    }
    static const char *const path[] = {"t.gz", "t.zst"};
    for (int i = 0; i < 2; i++) {
        struct dlpi_bytes bytes = {.data = malloc(sizeof gzip), .size = sizeof gzip};
        dlp_error error = {0};
        assert_non_null(bytes.data);
        memcpy(bytes.data, gzip, sizeof gzip);
        const dlp_status status = dlpi_compress(path[i], NULL, &bytes, &error);
        assert_int_equal(status, dlp_build_facts().compression ? DLP_OK : DLP_EINVAL);
        free(bytes.data);
    }
}

static void text_is_there_or_says_so(void **state)
{
    (void)state;
    dlp_text_builder *builder;
    dlp_error error = {0};
    const dlp_status status = dlp_text_builder_alloc(NULL, &builder, &error);
    if (dlp_build_facts().text) {
        assert_int_equal(status, DLP_OK);
        assert_non_null(dlp_text_stemmer_name(0));
    } else {
        assert_int_equal(status, DLP_EINVAL);
        assert_non_null(strstr(error.message, "was built without text"));
        assert_null(builder);
        assert_null(dlp_text_stemmer_name(0));
    }
    dlp_text_builder_free(builder);
}

/* As of printf '...' | gzip | tail -c 8 | head -c 4 | xxd, and by parts. */
static void checksums_are_those_of_gzip(void **state)
{
    (void)state;
    static const char text[] = "The quick brown fox jumps over the lazy dog";
    const size_t size = sizeof text - 1;
    assert_int_equal(dlpi_crc32(0, text, size), 0x414fa339);
    assert_int_equal(dlpi_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(dlpi_crc32(0, "", 0), 0);
    for (size_t i = 0; i <= size; i++)
        assert_int_equal(dlpi_crc32(dlpi_crc32(0, text, i), text + i, size - i),
                         0x414fa339);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compression_is_there_or_says_so),
        cmocka_unit_test(text_is_there_or_says_so),
        cmocka_unit_test(checksums_are_those_of_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
