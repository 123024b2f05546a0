/* SPDX-License-Identifier: BSD-3-Clause */
/* Plots for papers: well-formed whatever they are given, nothing outside the page,
   nothing on top of anything else. What they look like is for people to judge. */
#include "report/plot_calibration.h"
#include "report/plot_forest.h"
#include "report/plot_graph.h"
#include "svg_support.h"

static const char hostile[] =
    "<&\"'> \x07\xff na\xc3\xafve ]]> & a name that is much too "
    "long for the room that it has in any picture of this size";

/* What `print` makes of a plot, checked. */
typedef void print_plot(FILE *out, const void *plot);

static char *picture_of(print_plot *print, const void *plot)
{
    char *printed = NULL;
    size_t size = 0;
    double width, height;
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    print(out, plot);
    assert_int_equal(ferror(out), 0);
    fclose(out);
    check_picture(printed);
    assert_non_null(strstr(printed, "<title>"));
    assert_non_null(strstr(printed, "<desc>"));
    const char *box = strstr(printed, "viewBox=\"0 0 ");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf", &width, &height), 2);
    assert_near(width, DLPI_SVG_PAPER, 0);
    check_inside(printed, width, height);
    return printed;
}

static dlpi_svg_page page_of(const char *title)
{
    return (dlpi_svg_page){
        .title = title, .kind = "Plot", .caption = "A caption.", .width = DLPI_SVG_PAPER};
}

/* ---- numbers ---- */

static void test_numbers_of_a_table(void **state)
{
    (void)state;
    const struct {
        double x;
        int decimals;
        const char *text;
    } cases[] = {
        {1.25, 2, "1.25"},
        {-0.5, 1,
         "\xe2\x88\x92"
         "0.5"},
        {-0.001, 2, "0.00"},
        {1e9, 2, "1e+09"},
        {INFINITY, 2, "\xe2\x80\x93"},
        {NAN, 0, "\xe2\x80\x93"},
        {1e-9, -1, "1e-09"},
        {0.00035, -1, "0.00035"},
        {-0.16894, -1,
         "\xe2\x88\x92"
         "0.1689"},
        {12345.6, -1, "12346"},
        {9999.7, -1, "10000"},
        {-1e300, 3,
         "\xe2\x88\x92"
         "1e+300"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        dlpi_svg_number(cases[i].x, cases[i].decimals, text);
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(dlpi_svg_decimals(3, (double[]){0.02, 5, 0.03}), 3);
    assert_int_equal(dlpi_svg_decimals(2, (double[]){300, 400}), 0);
    assert_int_equal(dlpi_svg_decimals(3, (double[]){NAN, 0, INFINITY}), 2);
    assert_int_equal(dlpi_svg_decimals(1, (double[]){1e-12}), -1);
}

/* ---- forest plots ---- */

static void print_forest(FILE *out, const void *plot)
{
    dlpi_plot_forest(out, plot);
}

static void test_forest_of_a_few_rows(void **state)
{
    (void)state;
    const char *const names[] = {"(Intercept)", hostile, "x", "y"};
    const dlpi_estimate estimates[] = {
        {-30, -40, -20}, {0.5, 0.2, 0.8}, {0.1, -0.2, 0.4}, {NAN, NAN, NAN}};
    const bool aside[] = {true, false, false, false};
    const dlpi_forest plot = {.page = page_of(hostile),
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "95 % interval",
                              .rows = 4,
                              .panels = 1,
                              .row = names,
                              .estimate = estimates,
                              .aside = aside};
    char *text = picture_of(print_forest, &plot);
    /* The intercept has an axis of its own, without 0; one interval of the others
       excludes 0, one does not. */
    assert_int_equal(count_of(text, "<circle"), 3);
    assert_int_equal(count_of(text, "class=\"c0 m0\""), 2);
    assert_int_equal(count_of(text, "class=\"axis\""), 1);
    assert_non_null(strstr(text, "The last row has its own axis."));
    assert_true(strstr(text, ">(Intercept)<") > strstr(text, ">y<"));
    assert_int_equal(count_of(text, "class=\"c0 page\""), 1);
    assert_int_equal(count_of(text, "\xe2\x80\xa6"), 2); /* the title, a name */
    /* Cut, but whole in their titles, as the title of all is. */
    assert_int_equal(count_of(text, "of this size</title>"), 3);
    assert_null(strstr(text, "Shown are"));
    assert_null(strstr(text, "prefers-color-scheme"));
    free(text);
}

static void test_forest_of_odd_numbers(void **state)
{
    (void)state;
    const dlpi_estimate odd[] = {{0, 0, 0},
                                 {7, 7, 7},
                                 {1e308, -1e308, 1e308},
                                 {1, -INFINITY, INFINITY},
                                 {INFINITY, 1, INFINITY},
                                 {1e-300, -1e-300, 2e-300}};
    const char *const names[] = {"a", "b", "c", "d", "e", ""};
    dlpi_forest plot = {.page = page_of(""),
                        .rows_are = "terms",
                        .mean_is = "mean",
                        .interval_is = "interval",
                        .panels = 1,
                        .row = names};
    for (ptrdiff_t first = 0; first < 6; first++)
        for (plot.rows = 0; plot.rows <= 6 - first; plot.rows++) {
            plot.estimate = odd + first;
            free(picture_of(print_forest, &plot));
        }
}

enum { MANY = 2000 };

static void test_forest_shows_the_strongest(void **state)
{
    (void)state;
    dlpi_estimate *estimate = calloc(MANY, sizeof *estimate);
    const char **name = calloc(MANY, sizeof *name);
    assert_true(estimate && name);
    for (int i = 0; i < MANY; i++) {
        const double mean = i == 1234 ? -9 : 0.001 * (i % 977);
        estimate[i] = (dlpi_estimate){mean, mean - 1, mean + 1};
        name[i] = i == 1234 ? "strongest" : i == 0 ? "weakest" : "other";
    }
    const dlpi_forest plot = {.page = page_of("many"),
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "interval",
                              .rows = MANY,
                              .panels = 1,
                              .row = name,
                              .estimate = estimate};
    char *text = picture_of(print_forest, &plot);
    assert_int_equal(count_of(text, "<circle"), 60);
    assert_int_equal(count_of(text, ">strongest<"), 1);
    assert_null(strstr(text, "weakest"));
    assert_non_null(strstr(text, "Shown are 60 of the 2000 terms:"));
    free(text);
    free(estimate);
    free(name);
}

static void test_forest_of_panels(void **state)
{
    (void)state;
    enum { ROWS = 30, PANELS = 25 };
    dlpi_estimate estimate[PANELS * ROWS];
    const char *row[ROWS], *panel[PANELS];
    for (int i = 0; i < ROWS; i++) row[i] = "a topic, of words";
    for (int i = 0; i < PANELS; i++) panel[i] = hostile;
    for (int i = 0; i < PANELS * ROWS; i++)
        estimate[i] = (dlpi_estimate){0.01 * (i % 7), -0.1, 0.2};
    dlpi_forest plot = {.page = page_of("panels"),
                        .rows_are = "topics",
                        .panels_are = "terms",
                        .mean_is = "mean",
                        .interval_is = "interval",
                        .rows = ROWS,
                        .row = row,
                        .panel = panel,
                        .estimate = estimate};
    for (plot.panels = 1; plot.panels <= PANELS; plot.panels++)
        free(picture_of(print_forest, &plot));
    plot.panels = PANELS;
    char *text = picture_of(print_forest, &plot);
    assert_non_null(strstr(text, "of the 30 topics and 12 of the 25 terms"));
    free(text);
}

/* The first two show alike quantities, the third far smaller ones, which are seen too. */
static void test_forest_of_panels_with_their_scales(void **state)
{
    (void)state;
    const char *const row[] = {"a"}, *const panel[] = {"u", "v", "w"};
    const dlpi_estimate estimate[] = {{1, -3, 9}, {1, 0, 2}, {1e-5, -3e-5, 9e-5}};
    const ptrdiff_t scale[] = {0, 0, 1};
    dlpi_forest plot = {.page = page_of("scales"),
                        .rows_are = "topics",
                        .panels_are = "terms",
                        .mean_is = "mean",
                        .interval_is = "interval",
                        .rows = 1,
                        .panels = 3,
                        .row = row,
                        .panel = panel,
                        .estimate = estimate};
    char *text = picture_of(print_forest, &plot);
    assert_int_equal(count_of(text, ">5<"), 3);
    free(text);
    plot.scale = scale;
    text = picture_of(print_forest, &plot);
    assert_int_equal(count_of(text, ">5<"), 2);
    assert_int_equal(count_of(text, ">0.00005<"), 1);
    free(text);
}

static void test_forest_with_groups_behind(void **state)
{
    (void)state;
    const char *const names[] = {"x"};
    const dlpi_estimate estimate = {1, 0, 2};
    const double point[] = {0.5, NAN, INFINITY, 1.5};
    const dlpi_forest plot = {.page = page_of("groups"),
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "95 % of groups",
                              .rows = 1,
                              .panels = 1,
                              .row = names,
                              .estimate = &estimate,
                              .points = 4,
                              .point = point};
    char *text = picture_of(print_forest, &plot);
    const char *dots = strstr(text, "class=\"dots\"");
    assert_non_null(dots);
    assert_int_equal(count_of(dots, "h0"), 2);
    free(text);
}

/* A mean has an interval of its own, which may even be the longer one. */
static void test_forest_of_means_of_groups(void **state)
{
    (void)state;
    const char *const names[] = {"x", "y", "(Intercept)"};
    const dlpi_estimate estimate[] = {
        {1, 0.52, 1.48}, {-0.25, -1.25, 0.75}, {30, 29, 31}};
    const dlpi_spread spread[] = {{-1.5, 3.5}, {-0.5, 0.05}, {-80, 140}};
    const bool aside[] = {false, false, true};
    const dlpi_forest plot = {.page = page_of("means"),
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "95 % interval",
                              .spread_is = "95 % of groups",
                              .rows = 3,
                              .panels = 1,
                              .row = names,
                              .estimate = estimate,
                              .aside = aside,
                              .spread = spread};
    char *text = picture_of(print_forest, &plot);
    assert_non_null(strstr(text, ">95 % interval<"));
    assert_non_null(strstr(text, ">95 % of groups<"));
    assert_non_null(strstr(text, ">[0.52, 1.48]<"));
    assert_int_equal(count_of(text, "stroke-width:3.6"), 3);
    assert_int_equal(count_of(text, "stroke-width:1.1"), 3);
    assert_int_equal(count_of(text, "v7.0"), 3 * 2); /* the third's, over its own axis */
    /* Filled according to the mean's own interval, however far groups lie from each
       other. */
    assert_int_equal(count_of(text, "class=\"c0 m0\""), 2);
    assert_int_equal(count_of(text, "class=\"c0 page\""), 1);
    free(text);
}

/* Whatever the numbers are; those that would leave the plot no room are left out. */
static void test_forest_of_odd_spreads(void **state)
{
    (void)state;
    const char *const names[] = {hostile, hostile};
    const dlpi_estimate estimate[] = {{-1.2345e-100, -2.3456e-100, -1.2345e-101},
                                      {-7654321, -7654321.00003, -7654320.99997}};
    const dlpi_spread odd[] = {
        {-1.2345e-100, -7.6543e-101}, {0, 0},      {NAN, 1},
        {-INFINITY, INFINITY},        {1e308, -1}, {-1e308, 1e308}};
    dlpi_forest plot = {.page = page_of("odd"),
                        .rows_are = "terms",
                        .mean_is = "mean",
                        .interval_is = "95 % interval",
                        .spread_is = "95 % of groups",
                        .panels = 1,
                        .row = names,
                        .estimate = estimate};
    for (size_t first = 0; first + 1 < sizeof odd / sizeof *odd; first++)
        for (plot.rows = 0; plot.rows <= 2; plot.rows++) {
            plot.spread = odd + first;
            free(picture_of(print_forest, &plot));
        }
    plot.rows = 2;
    plot.spread = odd;
    char *text = picture_of(print_forest, &plot);
    assert_non_null(strstr(text, ">95 % interval<"));
    assert_null(strstr(text, ">95 % of groups<"));
    assert_int_equal(count_of(text, "stroke-width:1.1"), 2);
    free(text);
}

/* A small interval keeps its digits beside large ones. */
static void test_forest_of_small_and_large(void **state)
{
    (void)state;
    const char *const names[] = {"a", "b", "c"};
    const dlpi_estimate estimate[] = {{1, 0, 2}, {2e-8, 1e-8, 3e-8}, {5, 4, 6}};
    const dlpi_forest plot = {.page = page_of("small"),
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "95 % interval",
                              .rows = 3,
                              .panels = 1,
                              .row = names,
                              .estimate = estimate};
    char *text = picture_of(print_forest, &plot);
    assert_non_null(strstr(text, ">[1e-08, 3e-08]<"));
    assert_non_null(strstr(text, ">[4, 6]<"));
    free(text);
}

/* ---- calibration ---- */

static void print_calibration(FILE *out, const void *plot)
{
    dlpi_plot_calibration(out, plot);
}

static void test_calibration(void **state)
{
    (void)state;
    enum { SERIES = 14 };
    dlp_calibration_part part[] = {{0.1, 0.12, 0.05, 0.2, 10},
                                   {0.5, 0.5, 0.5, 0.5, 1},
                                   {NAN, 1e308, -INFINITY, INFINITY, 3}};
    dlp_calibration_point point[] = {{0.1, 0}, {0.4, 1}, {NAN, 0.3}};
    dlp_calibration_series series[SERIES];
    for (int i = 0; i < SERIES; i++)
        series[i] = (dlp_calibration_series){hostile, 3, 3, part, point};
    dlpi_calibration plot = {.page = page_of("calibration"), .series = series};
    for (plot.n = 1; plot.n <= SERIES; plot.n++) {
        plot.shares = plot.n % 2;
        free(picture_of(print_calibration, &plot));
    }
    plot.n = SERIES;
    char *text = picture_of(print_calibration, &plot);
    assert_non_null(strstr(text, "first 12 of 14 levels"));
    assert_int_equal(count_of(text, "<circle"), 2 * 12);
    free(text);
    series[0] = (dlp_calibration_series){.level = NULL, .parts = 1, .part = part + 2};
    plot.n = 1;
    free(picture_of(print_calibration, &plot));
}

/* ---- graphs ---- */

/* A ring of nodes with some chords; every seventh has no edge. */
static int make_edges(int n, dlpi_graph_edge *edge)
{
    int edges = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (i % 7 && j % 7 && (j == i + 1 || (i * 31 + j * 17) % (2 * n) < 3))
                edge[edges++] = (dlpi_graph_edge){i, j, 0.2 + 0.7 * ((i + j) % 5) / 5};
    return edges;
}

static void check_apart(int n, const dlpi_graph_box *box, double width, double height)
{
    for (int i = 0; i < n; i++) {
        const dlpi_graph_box *a = &box[i];
        assert_true(a->x - a->width / 2 >= -1e-3 && a->x + a->width / 2 <= width + 1e-3);
        assert_true(a->y - a->height / 2 >= -1e-3 &&
                    a->y + a->height / 2 <= height + 1e-3);
        for (int j = 0; j < i; j++) {
            const dlpi_graph_box *b = &box[j];
            assert_true(fabs(a->x - b->x) >= (a->width + b->width) / 2 - 0.01 ||
                        fabs(a->y - b->y) >= (a->height + b->height) / 2 - 0.01);
        }
    }
}

enum { MOST = 200 };

static void test_layout_keeps_boxes_apart(void **state)
{
    (void)state;
    static dlpi_graph_edge edge[MOST * MOST / 2];
    const int sizes[] = {0, 1, 2, 3, 30, 60, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int linked = 0; linked < 2; linked++) {
            const int n = sizes[s], edges = linked ? make_edges(n, edge) : 0;
            dlpi_graph_box box[MOST], again[MOST];
            for (int k = 0; k < n; k++)
                again[k] = box[k] = (dlpi_graph_box){
                    .width = 50 + k % 40, .height = 25 + k % 9, .group = k % 5 - 1};
            const double height = dlpi_graph_layout(n, box, edges, edge, 690, 300);
            assert_true(height >= 300);
            check_apart(n, box, 690, height);
            assert_near(dlpi_graph_layout(n, again, edges, edge, 690, 300), height, 0);
            for (int k = 0; k < n; k++)
                assert_true(box[k].x == again[k].x && box[k].y == again[k].y);
        }
}

static void test_communities(void **state)
{
    (void)state;
    /* Two triangles with one weak edge between, and a node by itself. */
    const dlpi_graph_edge edge[] = {{0, 1, 0.9}, {1, 2, 0.9}, {0, 2, 0.9}, {3, 4, 0.9},
                                    {4, 5, 0.9}, {3, 5, 0.9}, {2, 3, 0.1}};
    const double size[] = {1, 1, 1, 2, 2, 2, 9};
    const int wanted[] = {1, 1, 1, 0, 0, 0, -1};
    int group[7];
    assert_true(dlpi_communities(7, 7, edge, size, group));
    for (int k = 0; k < 7; k++) assert_int_equal(group[k], wanted[k]);
    assert_true(dlpi_communities(7, 0, NULL, size, group));
    for (int k = 0; k < 7; k++) assert_int_equal(group[k], -1);
}

/* Labels lie in the frame, on no node and on no other label. */
static void check_labels(const dlpi_plotted_graph *g)
{
    for (int k = 0; k < g->n; k++) {
        const dlpi_graph_label *a = &g->label[k];
        assert_true(a->left >= -0.1 && a->left + a->width <= g->width + 0.1);
        assert_true(a->top >= -0.1 && a->top + a->height <= g->height + 0.1);
        for (int j = 0; j < g->n; j++) {
            const dlpi_graph_label *b = &g->label[j];
            const double dx = b->x - fmin(a->left + a->width, fmax(a->left, b->x));
            const double dy = b->y - fmin(a->top + a->height, fmax(a->top, b->y));
            assert_true(hypot(dx, dy) >= b->radius);
            assert_true(j == k || a->left >= b->left + b->width - 1e-9 ||
                        b->left >= a->left + a->width - 1e-9 ||
                        a->top >= b->top + b->height - 1e-9 ||
                        b->top >= a->top + a->height - 1e-9);
        }
    }
}

/* A line below a node sends its label to another side. */
static void test_labels_avoid_lines(void **state)
{
    (void)state;
    dlpi_graph_label label[] = {
        {.x = 100, .y = 50, .radius = 8, .width = 60, .height = 13},
        {.x = 100, .y = 150, .radius = 8, .width = 60, .height = 13}};
    const dlpi_graph_edge edge = {0, 1, 0.5};
    dlpi_graph_labels(2, label, 1, &edge, 200, 200);
    assert_true(label[0].top + label[0].height <= 42); /* above */
    assert_true(label[1].top >= 158);                  /* where it was, below */
}

static void print_graph(FILE *out, const void *plot)
{
    dlpi_plot_graph(out, plot);
}

static void test_graphs(void **state)
{
    (void)state;
    static dlpi_graph_edge edge[MOST * MOST / 2];
    const int sizes[] = {0, 1, 2, 60, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = sizes[s];
        dlpi_graph_node node[MOST];
        for (int k = 0; k < n; k++)
            node[k] = (dlpi_graph_node){"12", k % 9 ? "one, two" : hostile, hostile,
                                        k % 13 / 13.0, k % 11 - 1};
        dlpi_plotted_graph graph = {.page = page_of("graph"),
                                    .sizes_are = "Share",
                                    .weights_are = "Correlation",
                                    .n = n,
                                    .edges = make_edges(n, edge),
                                    .node = node,
                                    .edge = edge};
        assert_true(dlpi_graph_arrange(&graph));
        check_labels(&graph);
        char *text = picture_of(print_graph, &graph);
        assert_int_equal(count_of(text, "<title>"), 1 + n);
        assert_int_equal(count_of(text, "halo\""), n);
        assert_int_equal(count_of(text, "class=\"number\">12<"), n);
        free(text);
        dlpi_graph_clear(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_a_table),
        cmocka_unit_test(test_forest_of_a_few_rows),
        cmocka_unit_test(test_forest_of_odd_numbers),
        cmocka_unit_test(test_forest_shows_the_strongest),
        cmocka_unit_test(test_forest_of_panels),
        cmocka_unit_test(test_forest_of_panels_with_their_scales),
        cmocka_unit_test(test_forest_with_groups_behind),
        cmocka_unit_test(test_forest_of_means_of_groups),
        cmocka_unit_test(test_forest_of_odd_spreads),
        cmocka_unit_test(test_forest_of_small_and_large),
        cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_layout_keeps_boxes_apart),
        cmocka_unit_test(test_communities),
        cmocka_unit_test(test_labels_avoid_lines),
        cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
