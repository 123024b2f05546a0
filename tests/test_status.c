/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes, messages and checked memory. */
#include "core/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_code_has_its_own_sentence(void **state)
{
    (void)state;
    static const dlp_status codes[] = {
#define CODE(code, sentence) code,
        DLP_STATUS_LIST(CODE)
#undef CODE
    };
    const size_t n = sizeof codes / sizeof codes[0];
    assert_int_equal(DLP_OK, 0);
    for (size_t i = 0; i < n; i++) {
        assert_true(strlen(dlp_status_string(codes[i])) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(dlp_status_string(codes[i]),
                                    dlp_status_string(codes[j]));
    }
}

static void a_code_from_elsewhere_has_a_sentence_too(void **state)
{
    (void)state;
    int foreign = 1000;
    dlp_status status;
    memcpy(&status, &foreign, sizeof status);
    assert_string_equal(dlp_status_string(status), "an unknown status code");
}

static void a_failure_writes_its_message_and_returns_its_code(void **state)
{
    (void)state;
    dlp_error error = {0};
    assert_int_equal(dlp_fail(&error, DLP_EINPUT, "%s:%d: %s", "ap.dat", 17, "odd"),
                     DLP_EINPUT);
    assert_string_equal(error.message, "ap.dat:17: odd");
    assert_int_equal(dlp_fail(NULL, DLP_EIO, "nobody reads this"), DLP_EIO);
}

static void a_long_message_is_cut_and_still_ends(void **state)
{
    (void)state;
    dlp_error error;
    char text[2 * sizeof error.message];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    dlp_fail(&error, DLP_EINPUT, "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static dlp_status fail_if(bool wrong)
{
    return wrong ? DLP_EINVAL : DLP_OK;
}

static dlp_status try_twice(bool first, bool second)
{
    DLP_TRY(fail_if(first));
    DLP_TRY(fail_if(second));
    return DLP_OK;
}

static dlp_status try_with_clean_up(bool wrong, int *cleaned)
{
    dlp_status status;
    DLP_TRY_OR(done, fail_if(wrong));
done:
    ++*cleaned;
    return status;
}

static void try_passes_a_failure_on(void **state)
{
    (void)state;
    int cleaned = 0;
    assert_int_equal(try_twice(false, false), DLP_OK);
    assert_int_equal(try_twice(true, false), DLP_EINVAL);
    assert_int_equal(try_twice(false, true), DLP_EINVAL);
    assert_int_equal(try_with_clean_up(true, &cleaned), DLP_EINVAL);
    assert_int_equal(try_with_clean_up(false, &cleaned), DLP_OK);
    assert_int_equal(cleaned, 2);
}

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    for (dlp_index count = 0; count < 200; count += 7) {
        unsigned char *p = dlpi_calloc(count, 3);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (dlp_index i = 0; i < 3 * count; i++) assert_int_equal(p[i], 0);
        free(p);
    }
}

static void memory_that_cannot_be_is_refused(void **state)
{
    (void)state;
    assert_null(dlpi_calloc(-1, 8));
    assert_null(dlpi_calloc(PTRDIFF_MAX, 8));
    assert_null(dlpi_calloc(PTRDIFF_MAX / 8 + 2, 8));
    assert_null(dlpi_calloc(PTRDIFF_MAX, 1));

    dlp_error error = {0};
    assert_int_equal(dlpi_no_memory(&error, "a corpus"), DLP_ENOMEM);
    assert_non_null(strstr(error.message, "a corpus"));
}

static void a_remedy_belongs_to_its_message(void **state)
{
    (void)state;
    dlp_error error = {0};
    assert_int_equal(dlpi_advise(&error, DLP_REMEDY_VOCABULARY,
                                 dlp_fail(&error, DLP_EINPUT, "no names")),
                     DLP_EINPUT);
    assert_int_equal(error.remedy, DLP_REMEDY_VOCABULARY);
    dlp_fail(&error, DLP_EIO, "something else");
    assert_int_equal(error.remedy, DLP_REMEDY_NONE);
    assert_int_equal(dlpi_advise(&error, DLP_REMEDY_RESUME, DLP_OK), DLP_OK);
    assert_int_equal(error.remedy, DLP_REMEDY_NONE);
    assert_int_equal(dlpi_advise(NULL, DLP_REMEDY_RESUME, DLP_EIO), DLP_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_own_sentence),
        cmocka_unit_test(a_code_from_elsewhere_has_a_sentence_too),
        cmocka_unit_test(a_failure_writes_its_message_and_returns_its_code),
        cmocka_unit_test(a_long_message_is_cut_and_still_ends),
        cmocka_unit_test(try_passes_a_failure_on),
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(memory_that_cannot_be_is_refused),
        cmocka_unit_test(a_remedy_belongs_to_its_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
