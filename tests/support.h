/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests share: cmocka's includes, tolerances, golden numbers. */
#ifndef DLP_TESTS_SUPPORT_H
#define DLP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Under the sanitizers programs are several times slower, and wrong numbers are what the other
   build is for: there tests with many cases try a few of them. */
#if defined(__SANITIZE_ADDRESS__)
enum { SANITISED = 1 };
#else
enum { SANITISED = 0 };
#endif

/* |a - b| <= tolerance, and neither is NaN; on failure both are printed. */
#define assert_near(a, b, tolerance)                                                     \
    dlpt_near((a), (b), (tolerance), #a, __FILE__, __LINE__)
/* |a - b| <= tolerance (1 + |b|). */
#define assert_close(a, b, tolerance)                                                    \
    dlpt_near((a), (b), (tolerance) * (1 + fabs(b)), #a, __FILE__, __LINE__)

static inline void dlpt_near(double a, double b, double tolerance, const char *what,
                             const char *file, int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%s = %.17g, expected %.17g to %.3g\n", what, a, b, tolerance);
    _fail(file, line);
}

/* Calls that must succeed; the message is printed when they do not. */
#define assert_ok(call)                                                                  \
    do {                                                                                 \
        dlp_error dlpt_error = {0};                                                      \
        dlp_error *error = &dlpt_error;                                                  \
        dlp_status dlpt_status = (call);                                                 \
        if (dlpt_status != DLP_OK) print_error("%s\n", error->message);                  \
        assert_int_equal(dlpt_status, DLP_OK);                                           \
    } while (0)

/* Calls that must fail with a status and a message that contains `words`. */
#define assert_fails(call, expected, words)                                              \
    do {                                                                                 \
        dlp_error dlpt_error = {0};                                                      \
        dlp_error *error = &dlpt_error;                                                  \
        assert_int_equal((call), (expected));                                            \
        if (!strstr(error->message, (words))) print_error("%s\n", error->message);       \
        assert_non_null(strstr(error->message, (words)));                                \
    } while (0)

/* The same of wrong input, whether the data or the formula are found to be at fault. */
#define assert_wrong_input(call, words)                                                  \
    do {                                                                                 \
        dlp_error dlpt_error = {0};                                                      \
        dlp_error *error = &dlpt_error;                                                  \
        const dlp_status dlpt_status = (call);                                           \
        assert_true(dlpt_status == DLP_EINPUT || dlpt_status == DLP_EFORMULA);           \
        if (!strstr(error->message, (words))) print_error("%s\n", error->message);       \
        assert_non_null(strstr(error->message, (words)));                                \
    } while (0)

/* Golden numbers: array[i], and matrix[i][j]. */
static inline double golden_at(const json_t *array, size_t i)
{
    return json_number_value(json_array_get(array, i));
}

static inline double golden_entry(const json_t *matrix, size_t i, size_t j)
{
    return golden_at(json_array_get(matrix, i), j);
}

#endif
