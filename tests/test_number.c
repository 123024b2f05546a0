/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimals to doubles, bit for bit as the C library's strtod, which is exact too. */
#include "io/number.h"
#include "support.h"

#include <delaplace/random.h>
#include <float.h>
#include <locale.h>

enum { MOST_BYTES = 2048 };

static uint64_t bits_of(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Both read the number, to the same bits and up to the same byte. The text is at the end
   of its memory, without a NUL, so that a sanitizer sees a step too far. */
static void assert_as_strtod(const char *text)
{
    const size_t size = strlen(text);
    char *copy = malloc(size), *end = NULL;
    double ours = 0, theirs = strtod(text, &end);
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++) copy[i] = text[i];
    const char *after = dlpi_number_scan(copy, copy + size, &ours);
    if (!after || after - copy != end - text || bits_of(ours) != bits_of(theirs))
        fail_msg("'%s' is read as %a, expected %a", text, ours, theirs);
    free(copy);
}

static void plain_numbers_are_read(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "0",
        "-0",
        "+0",
        "1",
        "+1",
        "-1",
        "1.",
        ".5",
        "-.5",
        "0.5",
        "00012",
        "007.50",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.e3",
        ".1e1",
        "1e05",
        "123456789",
        "1234567890123456789",
        "12345678901234567890",
        "0.1",
        "0.3",
        "2.385",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740993.0",
        "90071992547409930e-1",
        "9007199254740992.99999999999999999",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e309",
        "1e999999999999999999999",
        "1e-400",
        "-1e-400",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        "0.0e-5",
        "4.9e-324",
        "2.4703282292062328e-324",
        "2.4703282292062327e-324",
        "2e-324",
        "3e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "0.000000000000000000000000000000000000001",
        "100000000000000000000000000000000",
        "0.12500000000000000",
        "1.000000000000000000e+00",
        "5.000000000000000000e-01",
        "179769313486231580793e289",
        "8.5",
        "inf",
        "-inf",
        "+Inf",
        "INFINITY",
        "-Infinity",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_as_strtod(numbers[i]);
}

static void a_number_ends_where_it_ends(void **state)
{
    (void)state;
    static const char *const longer[] = {
        "1,2",       "1e",
        "1e+",       "1e-,",
        "1.5.5",     "1-1",
        "12345678x", "1234567890123456,",
        "1.2e3e4",   "1 ",
        "1\n",       "infx",
        "infinit",   "0,x",
        "-1:2",      "1ex",
        "5f",        "123456781234567812345678;",
        "\x31\xb2",  "1\x82\x83",
        "1/2",       "9:",
    };
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        assert_as_strtod(longer[i]);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {"",     "-",    "+",  ".",   "-.", "e5",   ".e5",
                                         "+-1",  "--1",  " 1", "in",  "x1", ",",    "nan",
                                         "-nan", "\xb1", "i",  "-in", "\n", "\"1\""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        double value = 0;
        assert_null(dlpi_number_scan(others[i], others[i] + strlen(others[i]), &value));
    }
    double value = 1;
    const char hexadecimal[] = "0x10"; /* a zero, and then something */
    assert_ptr_equal(dlpi_number_scan(hexadecimal, hexadecimal + 4, &value),
                     hexadecimal + 1);
    assert_true(value == 0);
}

/* A double of any size: its bits are drawn. */
static double draw_finite(dlp_rng *rng)
{
    double x = 0;
    do {
        const uint64_t bits = dlp_draw_bits(rng);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

static int draw_below(dlp_rng *rng, int n)
{
    return (int)(dlp_draw_bits(rng) % (uint64_t)n);
}

static void printed_doubles_come_back(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(2385, 1);
    char text[MOST_BYTES];
    for (int i = 0; i < (SANITISED ? 20000 : 200000); i++) {
        const double x = draw_finite(&rng), small = dlp_draw_normal(&rng);
        double back = 0;
        snprintf(text, sizeof text, "%.17g", x);
        assert_non_null(dlpi_number_scan(text, text + strlen(text), &back));
        assert_true(bits_of(back) == bits_of(x));
        snprintf(text, sizeof text, "%.*e", draw_below(&rng, 30), x);
        assert_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", draw_below(&rng, 30), small);
        assert_as_strtod(text);
        snprintf(text, sizeof text, "%.*g", draw_below(&rng, 20), 1e6 * small);
        assert_as_strtod(text);
    }
}

/* Writes this many digits with a point at any place, and returns their end. */
static char *draw_digits(dlp_rng *rng, char *at, int digits)
{
    const int point = draw_below(rng, 2 * digits);
    for (int i = 0; i < digits; i++) {
        if (i == point) *at++ = '.';
        *at++ = (char)('0' + draw_below(rng, 10));
    }
    *at = '\0';
    return at;
}

static void any_digits_are_read(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(2385, 2);
    char text[MOST_BYTES];
    for (int i = 0; i < (SANITISED ? 40000 : 400000); i++) {
        const int digits = i % 1000 == 0 ? 800 : 1 + draw_below(&rng, 45);
        char *end = draw_digits(&rng, text, digits);
        snprintf(end, 16, "e%d", draw_below(&rng, 720) - 370);
        assert_as_strtod(text);
    }
}

/* Of a number in exponent form: one up and one down in its last digit, more digits
   behind it, and fewer. */
static void assert_neighbours(const char *number)
{
    const char *const e = strchr(number, 'e');
    const int mantissa = (int)(e - number);
    static const char *const more[] = {"0", "1", "000000000000000000000000000001", "9"};
    char text[MOST_BYTES];
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        snprintf(text, sizeof text, "%.*s%s%s", mantissa, number, more[k], e);
        assert_as_strtod(text);
    }
    for (int step = -1; step <= 1; step++) {
        snprintf(text, sizeof text, "%s", number);
        char *last = text + mantissa - 1;
        if (*last != '.') *last = (char)(*last + step);
        if (*last < '0' || *last > '9') continue;
        assert_as_strtod(text);
    }
    for (int digits = 17; digits < mantissa && digits < 24; digits++) {
        snprintf(text, sizeof text, "%.*s%s", digits + 1, number, e);
        assert_as_strtod(text);
    }
}

/* The middle of x and the next double, and numbers right beside it. A long double holds
   the middle; where it does not, the numbers are still numbers. */
static void assert_middle(double x)
{
    char text[MOST_BYTES];
    const long double middle = ((long double)x + (long double)nextafter(x, INFINITY)) / 2;
    int digits = 800;
    snprintf(text, sizeof text, "%.*Le", digits, middle);
    /* Without the zeros at its end. */
    while (digits > 1 && text[digits + 1 + (x < 0)] == '0') digits--;
    snprintf(text, sizeof text, "%.*Le", digits, middle);
    assert_neighbours(text);
}

static void middles_round_to_the_even_one(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(2385, 3);
    assert_middle(0);
    assert_middle(DBL_MIN);
    assert_middle(nextafter(DBL_MIN, 0));
    assert_middle(nextafter(DBL_MAX, 0));
    assert_middle(0x1p53);
    assert_middle(0x1p53 + 2);
    for (int i = 0; i < (SANITISED ? 400 : 4000); i++) {
        assert_middle(fabs(draw_finite(&rng)));
        assert_middle(dlp_draw_uniform(&rng));
        assert_middle(1e17 * dlp_draw_uniform(&rng));
        assert_middle(DBL_MIN * dlp_draw_uniform(&rng)); /* subnormal */
    }
    /* The largest double and what would be next: from the middle on, infinity. */
    const long double largest = DBL_MAX;
    char text[MOST_BYTES];
    snprintf(text, sizeof text, "%.400Le", largest + (long double)0x1p970);
    assert_neighbours(text);
}

/* Numbers with zeros before and after what counts, and of absurd length. */
static void long_numbers_are_read(void **state)
{
    (void)state;
    static char text[200000];
    memset(text, '0', 100000);
    text[100000] = '\0';
    assert_as_strtod(text);
    snprintf(text + 100000, 64, "123e-100000");
    assert_as_strtod(text);
    text[1] = '.';
    assert_as_strtod(text);
    snprintf(text + 100000, 64, "123e100000");
    assert_as_strtod(text);
    snprintf(text + 100000, 64, "9007199254740993e100014");
    assert_as_strtod(text);
    memset(text, '0', 150000);
    memcpy(text, "9007199254740993.", 17); /* a middle, unless the last digit counts */
    assert_as_strtod(text);
    snprintf(text + 150000, 64, "1");
    assert_as_strtod(text);
    memset(text, '9', 100000);
    snprintf(text + 100000, 64, "e-99999");
    assert_as_strtod(text);
    memcpy(text, ".", 1);
    assert_as_strtod(text);
}

static void assert_as_printf(double x)
{
    char ours[DLPI_NUMBER_PRINT], theirs[DLPI_NUMBER_PRINT];
    dlpi_number_print(x, ours);
    snprintf(theirs, sizeof theirs, "%.17g", x);
    assert_string_equal(ours, theirs);
}

/* Of all sizes, of few digits, and those that begin one power of ten or end another. */
static void numbers_are_printed_as_by_the_c_library(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(11, 1);
    const double ends[] = {0,
                           -0.0,
                           DBL_MIN,
                           DBL_MAX,
                           DBL_MIN / 8,
                           0x1p-1074,
                           0x1p53,
                           INFINITY,
                           9.9999999999999995e-5,
                           99999999999999984.0,
                           1e17,
                           1e16,
                           0.5,
                           0.1,
                           123456789};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) assert_as_printf(ends[i]);
    for (int q = -25; q <= 25; q++) {
        const double x = pow(10, q);
        assert_as_printf(x);
        assert_as_printf(nextafter(x, 0));
        assert_as_printf(nextafter(x, INFINITY));
    }
    for (int i = 0; i < (SANITISED ? 20000 : 400000); i++) {
        const double u = dlp_draw_uniform(&rng);
        assert_as_printf(draw_finite(&rng));
        assert_as_printf(u - 0.5);
        assert_as_printf(pow(10, 24 * u - 6));
        assert_as_printf(round(1e6 * u) / 1000);
        assert_as_printf(floor(0x1p60 * u) / 0x1p20); /* many digits: some end half-way */
    }
}

/* As of a program that has set the locale of its user: with a comma for a point. */
static bool set_comma(void)
{
    char folder[] = "/tmp/locale-XXXXXX", command[200];
    const char *const known[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.utf8", "here"};
    bool set = false;
    if (!mkdtemp(folder)) return false;
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 --no-archive %s/here >%s/out 2>&1", folder,
             folder);
    const bool made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0;
    for (size_t i = made ? 3 : 0; i < 4 && !set; i++)
        set = setlocale(LC_NUMERIC, known[i]) != NULL;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && set;
}

static void the_locale_does_not_matter(void **state)
{
    char text[DLPI_NUMBER_PRINT], *end, *put = NULL;
    size_t size = 0;
    (void)state;
    if (!set_comma()) skip();
    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0,5");
    dlpi_number_point(text);
    assert_string_equal(text, "0.5");
    dlpi_number_print(2.5e-30, text);
    assert_string_equal(text, "2.4999999999999999e-30");
    assert_true(dlpi_number_read(" 2.5)", &end) == 2.5);
    assert_string_equal(end, ")");
    assert_true(dlpi_number_read("x", &end) == 0);
    assert_string_equal(end, "x");
    FILE *out = open_memstream(&put, &size);
    dlpi_number_put(out, 10, 1.25);
    (void)fclose(out);
    assert_string_equal(put, "1.25");
    free(put);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(plain_numbers_are_read),
        cmocka_unit_test(a_number_ends_where_it_ends),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(printed_doubles_come_back),
        cmocka_unit_test(any_digits_are_read),
        cmocka_unit_test(middles_round_to_the_even_one),
        cmocka_unit_test(long_numbers_are_read),
        cmocka_unit_test(numbers_are_printed_as_by_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
