/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of poly(), ns() and bs(): those of new data, by the constants of the fit, against
   R; files; and what is refused. That the columns of the fit are R's is for
   test_design_r. */
#include "design_table.h"

#include "table/design/terms_json.h"

#include <jansson.h>

enum { NEW = 4 };

/* basis_r.R, at x = -3, 0.5, 7 and 9 */
static const struct {
    const char *term;
    int column;
    double x[NEW];
} expected[] = {
    {"poly(x, 2)",
     0,
     {-0.666114915622989, -0.162844067337946, 0.771801793762848, 1.05938513564002}},
    {"poly(x, 2)",
     1,
     {1.30635715270501, -0.10312917063291, 0.49817603777784, 1.52506510686809}},
    {"ns(x, df = 3)",
     0,
     {0.216894026386352, -0.104895435181425, -0.162400551060572, -0.699835398626741}},
    {"ns(x, df = 3)",
     1,
     {-0.503819212726669, 0.614481344215538, 0.377237304064651, 0.42483446165331}},
    {"ns(x, df = 3)",
     2,
     {0.286925186340317, -0.349936548624824, 0.785163246995921, 1.27500093697343}},
    {"bs(x, df = 4)", 0, {-2.6716975957958, 0.581589848419297, 0, -0.017024271708466}},
    {"bs(x, df = 4)", 1, {0.280911316136242, 0.359761526967713, 0, 0.280747319839044}},
    {"bs(x, df = 4)", 2, {-0.0108583346532908, 0.056648998566493, 0, -1.58268960644786}},
    {"bs(x, df = 4)", 3, {0, 0, 1, 2.31896655831728}},
    {"bs(x, df = 4, degree = 2)", 0, {-1.78982402900529, 0.376230975828111, 0, 0}},
    {"bs(x, df = 4, degree = 2)",
     1,
     {0.208547777348772, 0.622634379693826, 0, 0.121109483982766}},
    {"bs(x, df = 4, degree = 2)", 2, {0, 0.00113464447806354, 0, -1.0818567199653}},
    {"bs(x, df = 4, degree = 2)", 3, {0, 0, 1, 1.96074723598254}},
};

static dlp_table *new_table(void)
{
    static const struct hand_column one[] = {{"x", "-3 0.5 7 9"}, {"sex", "m m f f"}};
    return hand_table(one, COUNT(one));
}

static dlp_design *build_term(const char *term)
{
    char formula[128];
    snprintf(formula, sizeof formula, "y ~ %s", term);
    return build(formula);
}

static void new_data_have_the_columns_of_r(void **state)
{
    (void)state;
    dlp_table *data = new_table();
    for (size_t i = 0; i < COUNT(expected); i++) {
        dlp_design *fit = build_term(expected[i].term);
        dlp_design *d = rebuild(fit->terms, data, NULL);
        assert_int_equal(d->p, fit->p);
        for (int row = 0; row < NEW; row++)
            assert_near(d->x[1 + expected[i].column][row], expected[i].x[row],
                        1e-12 * fmax(1, fabs(expected[i].x[row])));
        dlp_design_free(d);
        dlp_design_free(fit);
    }
    hand_table_free(data);
}

static void columns_are_variables_in_terms_of_their_own(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ sex*poly(x, 2)");
    static const char *const names[] = {"(Intercept)",      "sexm",
                                        "poly(x, 2)1",      "poly(x, 2)2",
                                        "sexm:poly(x, 2)1", "sexm:poly(x, 2)2"};
    assert_int_equal(d->p, COUNT(names));
    for (dlp_index j = 0; j < d->p; j++) assert_string_equal(d->name[j], names[j]);
    assert_int_equal(d->n_terms, 5);
    assert_string_equal(d->term[1], "poly(x, 2)");
    assert_string_equal(d->term[2], "poly(x, 2)");
    assert_string_equal(d->term[4], "sex:poly(x, 2)");
    assert_string_equal(d->variable[2].label, "poly(x, 2)2");
    dlp_design_free(d);
}

/* As a file keeps them, to the last bit. */
static void constants_survive_a_file(void **state)
{
    (void)state;
    dlp_table *data = new_table();
    dlp_design *fit = build("y ~ poly(x, 2) + sex:ns(x, 3) + bs(x, df = 4)");
    json_t *json = dlpi_terms_json(fit->terms, fit->p, fit->name);
    char *text = json_dumps(json, JSON_REAL_PRECISION(17));
    json_decref(json);
    json = json_loads(text, 0, NULL);
    dlpi_read_columns read;
    assert_ok(dlpi_terms_parse("fit.json", json, &read, error));
    assert_int_equal(read.terms->n_bases, 3);
    dlp_design *one = rebuild(fit->terms, data, NULL),
               *other = rebuild(read.terms, data, NULL);
    for (dlp_index j = 0; j < one->p; j++)
        for (dlp_index i = 0; i < NEW; i++) assert_near(one->x[j][i], other->x[j][i], 0);
    dlp_design_free(one);
    dlp_design_free(other);
    dlpi_read_columns_clear(&read);
    json_decref(json);
    free(text);
    dlp_design_free(fit);
    hand_table_free(data);
}

static void damaged_constants_are_refused(void **state)
{
    (void)state;
    static const double knots[] = {0, 0, 0, 0, 1, 1, 1}, norm[] = {3, -1};
    const dlp_basis wrong[] = {
        {"poly(x, 1)", DLP_BASIS_POLY, 1, 1, 1, 1, 1, knots, 2, norm, NULL},
        {"bs(x)", DLP_BASIS_BS, 1, 3, 3, 3, 7, knots, 0, NULL, NULL},
        {"ns(x, 1)", DLP_BASIS_NS, 1, 3, 1, 1, 7, knots, 1, norm, NULL},
        {"bs(x)", DLP_BASIS_NONE, 1, 3, 3, 3, 7, knots, 0, NULL, NULL},
        {"bs(x)", DLP_BASIS_BS, 1, 3, 1 << 20, 3, 7, knots, 0, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const dlp_terms terms = {.formula = "y ~ x", .n_bases = 1, .basis = &wrong[i]};
        dlp_terms *copy;
        assert_fails(dlp_terms_copy(&terms, &copy, error), DLP_EINPUT, "damaged");
    }
}

static void wrong_options_are_pointed_at(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *message;
    } cases[] = {
        {"y ~ poly(x, 0)", "1:13: degree must be a whole number from 1 to 20"},
        {"y ~ poly(x, 1.5)", "degree must be a whole number"},
        {"y ~ poly(x, df = 2)", "1:13: poly() has no option 'df'; it has degree and raw"},
        {"y ~ poly(x, raw = 1)", "raw must be TRUE or FALSE"},
        {"y ~ poly(x, 9)",
         "poly(x, 9): a polynomial of degree 9 needs 10 distinct values"},
        {"y ~ ns(x, df = 0)", "df must be a whole number from 1"},
        {"y ~ bs(x, df = 2)", "df must be 3 or more here"},
        {"y ~ ns(x, 3, 4)", "say what this is: name = value"},
        {"y ~ ns(x, df = 3, 4)", "only options can follow an option"},
        {"y ~ ns(x, knots = c(2, 1))", "knots must be ascending numbers"},
        {"y ~ ns(x, knots = 99)", "must be distinct and lie between"},
        {"y ~ ns(four, 2)", "ns() needs numbers that vary"},
        {"y ~ bs(x, Boundary.knots = 3)", "Boundary.knots must be two numbers"},
        {"y ~ bs(x, knots = c(1)", "1:23: expected an operator or ')', found the end"},
        {"y ~ bs(x, knots = c())", "expected a number"},
        {"y ~ bs(x, df = 'a')", "df must be a whole number"},
        {"y ~ bs(x, df = 'a)", "this quote is not closed"},
        {"y ~ log(ns(x, 2))", "ns() must be a term of its own"},
        {"y ~ ns(sex, 2)", "holds categories"},
        {"y ~ ns(nothing, 2)", "unknown column 'nothing'"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        dlp_design *d;
        assert_wrong_input(try_build(cases[i].formula, NULL, &d, error),
                           cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_data_have_the_columns_of_r),
        cmocka_unit_test(columns_are_variables_in_terms_of_their_own),
        cmocka_unit_test(constants_survive_a_file),
        cmocka_unit_test(damaged_constants_are_refused),
        cmocka_unit_test(wrong_options_are_pointed_at),
    };
    return cmocka_run_group_tests(tests, make_table, free_table);
}
