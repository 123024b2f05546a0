/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts as SVG: ticks at round numbers, well-formed XML, coordinates inside the picture.
   What a chart looks like is for people to judge: docs/images has some. */
#include "report/letters.h"
#include "report/plot_lines.h"
#include "report/ticks.h"
#include "report/xml.h"
#include "svg_support.h"

/* ---- axes ---- */

/* Whether x is 1, 2 or 5 times a power of ten. */
static bool is_round(double x)
{
    const double leading = x / pow(10, floor(log10(x) + 1e-9));
    return fabs(leading - 1) < 1e-6 || fabs(leading - 2) < 1e-6 ||
           fabs(leading - 5) < 1e-6;
}

static void check_order(const dlpi_axis *axis)
{
    assert_true(isfinite(axis->low) && isfinite(axis->high) && axis->low < axis->high);
    assert_in_range(axis->count, 1, DLPI_TICKS);
    for (int i = 0; i < axis->count; i++) {
        assert_true(axis->tick[i] >= axis->low && axis->tick[i] <= axis->high);
        if (i > 0) assert_true(axis->tick[i] > axis->tick[i - 1]);
    }
}

static void test_linear_axes_have_round_steps(void **state)
{
    (void)state;
    const double ranges[][2] = {{0, 1},           {10, 100},        {-7.93, -7.82},
                                {-1e-7, 3e-7},    {2.385e6, 9.1e8}, {-1e300, 1e300},
                                {1e-290, 3e-290}, {41.7, 41.7},     {0, 0},
                                {1e17, 1e17 + 16}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const dlpi_axis axis = dlpi_axis_make(ranges[i][0], ranges[i][1], false, 6);
        check_order(&axis);
        assert_true(axis.low <= ranges[i][0] && axis.high >= ranges[i][1]);
        assert_in_range(axis.count, 2, 8);
        assert_true(is_round(axis.tick[1] - axis.tick[0]));
        assert_true(dlpi_axis_place(&axis, ranges[i][0]) > 0);
        assert_true(dlpi_axis_place(&axis, ranges[i][1]) < 1);
    }
}

static void test_logarithmic_axes_have_round_numbers(void **state)
{
    (void)state;
    const double ranges[][2] = {{1, 10},  {0.4, 37.2},     {1, 200},        {3, 3},
                                {1, 1e9}, {1e-100, 1e100}, {0.0123, 0.0124}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const dlpi_axis axis = dlpi_axis_make(ranges[i][0], ranges[i][1], true, 6);
        check_order(&axis);
        assert_true(axis.low > 0);
        for (int j = 0; j < axis.count; j++) assert_true(is_round(axis.tick[j]));
        assert_true(dlpi_axis_place(&axis, ranges[i][0]) > 0);
        assert_true(dlpi_axis_place(&axis, ranges[i][1]) < 1);
    }
    const dlpi_axis axis = dlpi_axis_make(1, 100, true, 6);
    assert_near(dlpi_axis_place(&axis, 10), 0.5, 1e-12);
}

static void test_labels_tell_ticks_apart(void **state)
{
    (void)state;
    const double ranges[][2] = {{-7.93, -7.82},  {10000001, 10000049}, {0, 3e-9},
                                {-1e300, 1e300}, {1e17, 1e17 + 16},    {5, 5}};
    char text[32];
    for (size_t j = 0; j < sizeof ranges / sizeof *ranges; j++) {
        const dlpi_axis axis = dlpi_axis_make(ranges[j][0], ranges[j][1], false, 6);
        char before[32] = "";
        for (int i = 0; i < axis.count; i++) {
            dlpi_axis_label(&axis, axis.tick[i], text);
            assert_string_not_equal(text, before);
            memcpy(before, text, sizeof before);
        }
    }
    const dlpi_axis axis = dlpi_axis_make(-7.93, -7.82, false, 6);
    dlpi_axis_label(&axis, -7.9, text);
    assert_string_equal(text,
                        "\xe2\x88\x92"
                        "7.90"); /* a minus sign */
    const dlpi_axis around = dlpi_axis_make(-3, 3, false, 6);
    dlpi_axis_label(&around, -0.0, text);
    assert_string_equal(text, "0");
    const dlpi_axis large = dlpi_axis_make(1, 1e9, true, 6);
    dlpi_axis_label(&large, 1e8, text);
    assert_string_equal(text, "1e+08");
}

static void test_axes_refuse_what_they_cannot_show(void **state)
{
    (void)state;
    assert_true(dlpi_axis_takes(false, -3.5));
    assert_false(dlpi_axis_takes(false, NAN));
    assert_false(dlpi_axis_takes(false, -INFINITY));
    assert_false(dlpi_axis_takes(true, 0));
    assert_false(dlpi_axis_takes(true, -1));
    assert_true(dlpi_axis_takes(true, 1e-9));
}

/* ---- XML ---- */

static char *xml_of(const char *text)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    dlpi_xml_text(out, text);
    fclose(out);
    return printed;
}

static void test_text_is_escaped(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"a < b & c > d", "a &lt; b &amp; c &gt; d"},
        {"\"quoted\" 'twice'", "&quot;quoted&quot; &#39;twice&#39;"},
        {"\xce\xb2 na\xc3\xafve", "\xce\xb2 na\xc3\xafve"},
        {"bell\x07 and \x1b[31m", "bell? and ?[31m"},
        {"\xff\xce", "??"},      /* no UTF-8 */
        {"\xed\xa0\x80", "???"}, /* a surrogate */
        {"\xef\xbf\xbe", "?"},   /* U+FFFE */
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *printed = xml_of(cases[i][0]);
        assert_string_equal(printed, cases[i][1]);
        free(printed);
    }
}

/* ---- letters ---- */

static void test_texts_have_widths(void **state)
{
    (void)state;
    assert_near(dlpi_letters_width("", 10), 0, 0);
    assert_near(dlpi_letters_width("il", 1000), 444, 1e-9);
    assert_near(dlpi_letters_width("W~", 1000), 944 + 584, 1e-9);
    assert_near(dlpi_letters_width_of("WWW", 1, 1000), 944, 1e-9);
    /* what combines takes no room; what is no UTF-8 is a question mark */
    assert_near(dlpi_letters_width("e\xcc\x81", 1000), 556, 1e-9);
    assert_near(dlpi_letters_width("\xff", 1000), 556, 1e-9);
}

static void test_texts_are_cut_between_characters(void **state)
{
    (void)state;
    assert_int_equal(dlpi_letters_fit("abc", 10, 1000), 3);
    assert_int_equal(dlpi_letters_fit("", 10, 0), 0);
    assert_int_equal(dlpi_letters_fit("abc", 10, 0), 0);
    const char *const texts[] = {"na\xc3\xafve na\xc3\xafve",
                                 "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97",
                                 "e\xcc\x81"
                                 "e\xcc\x81"
                                 "e\xcc\x81"
                                 "e\xcc\x81"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int step = 0; step < 120; step++) {
            const double room = 0.7 * step;
            const size_t fit = dlpi_letters_fit(texts[i], 10, room);
            const unsigned char next = (unsigned char)texts[i][fit];
            assert_true((next & 0xC0) != 0x80); /* no middle of a character */
            assert_true(next != 0xCC);          /* and not what combines with one */
            if (next)                           /* the ellipsis has its room, too */
                assert_true(fit == 0 ||
                            dlpi_letters_width_of(texts[i], fit, 10) + 10 <= room + 1e-9);
        }
}

/* ---- figures ---- */

static char *figure_of(const char *title, int charts, const dlpi_line_chart *chart)
{
    const dlpi_lines plot = {.page = {.title = title,
                                      .kind = "Lines",
                                      .width = 402.0 * charts,
                                      .screen = true},
                             .legend = true,
                             .charts = charts,
                             .per_row = charts,
                             .chart_height = 290,
                             .chart = chart};
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    dlpi_plot_lines(out, &plot);
    assert_int_equal(ferror(out), 0);
    fclose(out);
    check_picture(printed);
    return printed;
}

static void test_two_charts_with_a_legend(void **state)
{
    (void)state;
    const double x[] = {10, 20, 30, 40}, y[] = {-7.9, -7.85, -7.83, -7.84};
    const double z[] = {-7.2, NAN, -7.1, -INFINITY};
    const dlpi_line series[] = {
        {.name = "laplace", .n = 4, .x = x, .y = y, .marked = true},
        {.name = "R & D <x>", .colour = 1, .dashed = true, .n = 4, .x = x, .y = z},
    };
    const dlpi_line_chart charts[] = {
        {.title = "one", .x_label = "K", .y_label = "bound", .count = 2, .line = series},
        {.title = "two",
         .x_label = "K",
         .y_label = "a \"b\"",
         .log_x = true,
         .count = 2,
         .line = series},
    };
    char *text = figure_of("A figure", 2, charts);
    assert_int_equal(count_of(text, "class=\"line"), 6); /* two in the legend */
    assert_int_equal(count_of(text, "class=\"m0\""), 3);
    assert_int_equal(count_of(text, "dashed\""), 3);
    assert_int_equal(count_of(text, "R &amp; D &lt;x&gt;"), 1);
    assert_non_null(strstr(text, "prefers-color-scheme: dark"));
    assert_non_null(strstr(text,
                           ">\xe2\x88\x92"
                           "7.4<"));
    check_inside(text, 804, 400);
    free(text);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    const double x[] = {0, -1, NAN}, y[] = {1, 2, 3}, huge[] = {1e308, -1e308, INFINITY};
    const dlpi_line series[] = {{.name = "", .n = 0},
                                {.name = "a", .n = 3, .x = x, .y = y},
                                {.name = "b", .n = 3, .x = y, .y = huge}};
    dlpi_line_chart chart = {.title = "", .x_label = "", .y_label = "", .log_x = true};
    free(figure_of("", 1, &chart));
    chart.count = 3;
    chart.line = series;
    free(figure_of("", 1, &chart));
    chart.log_x = false;
    char *text = figure_of("", 1, &chart);
    check_inside(text, 402, 400);
    free(text);
}

static void test_long_series_stay_small(void **state)
{
    (void)state;
    enum { N = 100000 };
    double *x = malloc(2 * sizeof *x * N), *y = x + N;
    assert_non_null(x);
    for (int i = 0; i < N; i++) {
        x[i] = i + 1;
        y[i] = -1.0 / (i + 1);
    }
    const dlpi_line series = {.name = "long", .n = N, .x = x, .y = y};
    const dlpi_line_chart chart = {.title = "",
                                   .x_label = "",
                                   .y_label = "",
                                   .log_x = true,
                                   .count = 1,
                                   .line = &series};
    char *text = figure_of("", 1, &chart);
    assert_true(strlen(text) < 30000);
    free(text);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_axes_have_round_steps),
        cmocka_unit_test(test_logarithmic_axes_have_round_numbers),
        cmocka_unit_test(test_labels_tell_ticks_apart),
        cmocka_unit_test(test_axes_refuse_what_they_cannot_show),
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_texts_have_widths),
        cmocka_unit_test(test_texts_are_cut_between_characters),
        cmocka_unit_test(test_two_charts_with_a_legend),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_long_series_stay_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
