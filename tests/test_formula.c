/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas as text: what they mean, and where the message points when they mean nothing. */
#include "core/suggest.h"
#include "support.h"
#include "table/formula/formula.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static dlp_formula *parse(const char *text)
{
    dlp_formula *formula = NULL;
    assert_ok(dlp_formula_parse(text, &formula, error));
    return formula;
}

/* The terms of a formula over columns a to d and y, as "1 a b a:b". */
static const char *terms_of(const char *text)
{
    static char out[256];
    static const char *const column[] = {"a", "b", "c", "d"};
    const struct dlpi_dot dot = {.n = COUNT(column), .name = column};
    struct dlpi_pool pool = {0};
    struct dlpi_expansion x;
    dlp_formula *formula = parse(text);
    assert_ok(dlpi_expand(formula, formula->terms, &dot, &pool, &x, error));
    size_t used = (size_t)snprintf(out, sizeof out, "%d", x.intercept);
    for (dlp_index t = 0; t < x.n_terms; t++)
        used += (size_t)snprintf(out + used, sizeof out - used, " %s",
                                 dlpi_term_label(&x, &x.term[t], &pool));
    dlpi_pool_free(&pool);
    dlp_formula_free(formula);
    return out;
}

static void terms_are_multiplied_out(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"y ~ a + b", "1 a b"},
        {"y ~ .", "1 a b c d"},
        {"y ~ . - b", "1 a c d"},
        {"y ~ b + .", "1 b a c d"},
        {"y ~ 0 + a", "0 a"},
        {"y ~ a - 1", "0 a"},
        {"y ~ -1", "0"},
        {"y ~ a + -1", "0 a"},
        {"y ~ a - -1", "1 a"},
        {"y ~ a - 0", "1 a"},
        {"y ~ 0 + a + 1", "1 a"},
        {"y ~ a - (b + 1)", "0 a"},
        {"y ~ a*b", "1 a b a:b"},
        {"y ~ a*b*c", "1 a b c a:b a:c b:c a:b:c"},
        {"y ~ a:b + c", "1 c a:b"},
        {"y ~ b:a + a", "1 a b:a"},
        {"y ~ a + b:a", "1 a a:b"},
        {"y ~ a:b:a", "1 a:b"},
        {"y ~ a/b", "1 a a:b"},
        {"y ~ (a + b)/c", "1 a b a:b:c"},
        {"y ~ (a + b + c)^2", "1 a b c a:b a:c b:c"},
        {"y ~ (a + b)^2 - a", "1 b a:b"},
        {"y ~ a**2", "1 a"},
        {"y ~ a + (b - a)", "1 a b"},
        {"y ~ a - a + a", "1 a"},
        {"y ~ a + b - a + a", "1 b a"},
        {"y ~ (a + (b + (c)))", "1 a b c"},
        {"y ~ a +\n b # and so on\n + c", "1 a b c"},
        {"y ~ a + offset(b) + (1 | c)", "1 a"},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_string_equal(terms_of(known[i][0]), known[i][1]);
}

static void variables_are_named_as_r_names_them(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"y ~ I(a*2+-b/100000^-c)", "1 I(a * 2 + -b/1e+05^-c)"},
        {"y ~ I( (a-.5) ** 2 )", "1 I((a - 0.5)^2)"},
        {"y ~ log( a )+log1p(b)", "1 log(a) log1p(b)"},
        {"y ~ factor(a):as.factor(b)", "1 factor(a):as.factor(b)"},
        {"y ~ `a`", "1 a"},
        {"y ~ `a b` + `if` + `1a` + `_a` + .a", "1 `a b` `if` `1a` `_a` .a"},
        {"y ~ `a\\`b` + `a\\\\b`", "1 `a\\`b` `a\\\\b`"},
        {"y ~ caf\xc3\xa9", "1 caf\xc3\xa9"},
        {"y ~ I(--a) + I(+a)", "1 I(--a) I(+a)"},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_string_equal(terms_of(known[i][0]), known[i][1]);
}

static void dots_are_written_out(void **state)
{
    (void)state;
    static const char *const column[] = {"a", "my col"};
    static const char *const known[][2] = {
        {"y ~ .", "y ~ a + `my col`"},
        {"y ~ . - a", "y ~ a + `my col` - a"},
        {"y ~ .^2 + x", "y ~ (a + `my col`)^2 + x"},
        {"y ~ x - .", "y ~ x - (a + `my col`)"},
        {"y ~ x:. # a . here", "y ~ x:(a + `my col`) # a . here"},
        {"y ~ (. | g)", "y ~ (a + `my col` | g)"},
        {"y.z ~ x.1", "y.z ~ x.1"},
    };
    const struct dlpi_dot dot = {.n = COUNT(column), .name = column};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct dlpi_pool pool = {0};
        dlp_formula *formula = parse(known[i][0]);
        assert_string_equal(dlpi_formula_write(formula, &dot, &pool), known[i][1]);
        assert_string_equal(dlpi_formula_write(formula, NULL, &pool), known[i][0]);
        dlpi_pool_free(&pool);
        dlp_formula_free(formula);
    }
}

/* The text of a tree that was changed has the change and is as it was elsewhere; so has that of a
   copy, which outlives it. */
static void changes_are_written(void **state)
{
    (void)state;
    static const char *const column[] = {"a", "b"};
    const struct dlpi_dot dot = {.n = COUNT(column), .name = column};
    dlp_formula *f = parse(" log( y )~ . + s( x , 5 ):. + (1|g/h)");
    assert_memory_equal(f->text + f->tilde, "~", 1);
    struct dlpi_node *product = f->terms->first->next, *call = product->first;
    assert_int_equal(call->kind, DLPI_NODE_CALL);
    assert_true(dlpi_formula_edit(f, 0, f->tilde, "z "));
    assert_true(dlpi_formula_edit(f, call->at, call->end, "bs(x, 5)"));
    dlp_formula *copy = dlpi_formula_duplicate(f);
    assert_non_null(copy);
    dlp_formula_free(f);
    struct dlpi_pool pool = {0};
    assert_string_equal(dlpi_formula_write(copy, NULL, &pool),
                        "z ~ . + bs(x, 5):. + (1|g/h)");
    assert_string_equal(dlpi_formula_write(copy, &dot, &pool),
                        "z ~ a + b + bs(x, 5):(a + b) + (1|g/h)");
    assert_string_equal(dlpi_label(copy->response, &pool), "log(y)");
    assert_int_equal(dlp_formula_groups(copy), 2);
    assert_string_equal(dlp_formula_group(copy, 1), "g:h");
    dlpi_pool_free(&pool);
    dlp_formula_free(copy);
}

static void groups_are_reported(void **state)
{
    (void)state;
    dlp_formula *f = parse("y ~ x + (1 + x | school) + (0 + x | factor(`my year`))");
    assert_int_equal(dlp_formula_groups(f), 2);
    assert_string_equal(dlp_formula_group(f, 0), "school");
    assert_string_equal(dlp_formula_group(f, 1), "my year");
    assert_null(dlp_formula_group(f, 2));
    assert_null(dlp_formula_group(f, -1));
    dlp_formula_free(f);
    f = parse("y ~ (1 | a/b:c/factor(`d e`)) + (x || (f:a)) + (1 | `f:a`)");
    static const char *const nested[] = {"a", "a:b:c", "a:b:c:`d e`", "f:a", "f:a"};
    assert_int_equal(dlp_formula_groups(f), COUNT(nested));
    for (size_t i = 0; i < COUNT(nested); i++)
        assert_string_equal(dlp_formula_group(f, (dlp_index)i), nested[i]);
    assert_int_equal(f->group_begin[1], 3);
    assert_int_equal(f->bar[1]->is_split, true);
    assert_int_equal(f->bar[0]->is_split, false);
    dlp_formula_free(f);
    f = parse("y ~ x");
    assert_int_equal(dlp_formula_groups(f), 0);
    assert_string_equal(dlpi_formula_text(f), "y ~ x");
    dlp_formula_free(f);
    dlp_formula_free(NULL);
}

static void bars_are_named_as_r_names_them(void **state)
{
    (void)state;
    static const char *const column[] = {"a", "my col"};
    static const char *const known[][2] = {
        {"y ~ (1|g)", "1"},
        {"y ~ (1+x|g)", "1 + x"},
        {"y ~ (-1 + x | g)", "-1 + x"},
        {"y ~ (x-1 | g)", "x - 1"},
        {"y ~ (x*z + I(x^2) | g)", "x * z + I(x^2)"},
        {"y ~ (. | g)", "a + `my col`"},
        {"y ~ (x + . - a | g)", "x + a + `my col` - a"},
        {"y ~ (x - . + .:x | g)", "x - (a + `my col`) + (a + `my col`):x"},
        {"y ~ (.^2 | g)", "(a + `my col`)^2"},
    };
    const struct dlpi_dot dot = {.n = COUNT(column), .name = column};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct dlpi_pool pool = {0};
        dlp_formula *f = parse(known[i][0]);
        assert_string_equal(dlpi_bar_label(f->bar[0]->first, &dot, &pool), known[i][1]);
        /* The formula of the terms, which has no dots, has the same labels. */
        dlp_formula *again = parse(dlpi_formula_write(f, &dot, &pool));
        const struct dlpi_dot none = {.n = 0};
        assert_string_equal(dlpi_bar_label(again->bar[0]->first, &none, &pool),
                            known[i][1]);
        dlp_formula_free(again);
        dlp_formula_free(f);
        dlpi_pool_free(&pool);
    }
}

/* ---- messages ---- */

/* Parses, and expands what can be parsed. */
static dlp_status check(const char *text, dlp_error *error)
{
    const struct dlpi_dot no_dot = {.n = 0};
    struct dlpi_pool pool = {0};
    struct dlpi_expansion x;
    dlp_formula *formula = NULL;
    dlp_status status = dlp_formula_parse(text, &formula, error);
    assert_int_equal(status != DLP_OK, !formula);
    if (formula) status = dlpi_expand(formula, formula->terms, &no_dot, &pool, &x, error);
    dlpi_pool_free(&pool);
    dlp_formula_free(formula);
    return status;
}

static void what_is_wrong_is_pointed_at(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "1:1: a formula starts with the response"},
        {"~", "1:2: expected a variable, found the end"},
        {"y", "1:2: expected an operator or '~', found the end"},
        {"y ~", "1:4: expected a variable, found the end"},
        {"y ~ x +", "1:8: expected a variable, found the end"},
        {"y ~ x + + z", "1:9: expected a variable, found '+'"},
        {"y ~ x z", "1:7: expected an operator or the end, found 'z'"},
        {"y ~ (x", "1:7: expected an operator or ')', found the end"},
        {"y ~ x)", "1:6: expected an operator or the end, found ')'"},
        {"y ~ ()", "1:6: expected a variable, found ')'"},
        {"y ~ x ~ z", "1:7: expected an operator or the end, found '~'"},
        {"y ~ x %in% g", "1:7: %in% is not supported"},
        {"y ~ x > 2", "1:7: '>' is not supported"},
        {"y ~ I(x == 2)", "1:9: '==' is not supported"},
        {"y ~ \"x\"", "1:5: formulas have no strings"},
        {"y ~ x$z", "1:6: expected an operator or the end, found '$'"},
        {"y ~ 2*x", "1:5: a number as a term is 0 or 1"},
        {"y ~ x + 1*z", "1:9: 0 and 1 can only be added or subtracted"},
        {"y ~ x:1", "1:7: 0 and 1 can only be added or subtracted"},
        {"y ~ x*-z", "1:7: expected a variable, found '-'"},
        {"y ~ x^z", "1:7: between terms '^' takes a whole number"},
        {"y ~ (x + z)^1.5", "1:13: between terms '^' takes a whole number"},
        {"y ~ (x + z)^0", "1:13: between terms '^' takes a whole number"},
        {"y ~ x^2^2", "1:8: expected an operator or the end, found '^'"},
        {"y ~ 2x", "1:5: a name cannot start with a digit"},
        {"y ~ I(x + 1e999)", "1:11: this number is too large"},
        {"y ~ `x", "1:5: this backquote is not closed"},
        {"y ~ ``", "1:5: a name in backquotes is empty"},
        {"y ~ I(.)", "1:7: '.' means all other columns"},
        {". ~ x", "1:1: '.' means all other columns"},
        {"y ~ .", "1:5: '.' means no column"},
        {"y ~ I(x:z)", "1:8: inside a function ':' is not supported"},
        {"y ~ I()", "1:7: expected a column or a number, found ')'"},
        {"y ~ log(x, 2)", "1:10: log() takes one argument"},
        {"y ~ lgo(x)", "1:5: unknown function 'lgo'; did you mean 'log'?"},
        {"y ~ frobnicate(x)", "1:5: unknown function 'frobnicate'; known are"},
        {"y ~ te(x, 2)", "1:5: unknown function 'te'"},
        {"y ~ I(factor(x))", "1:7: factor() must be a term of its own"},
        {"y ~ log(scale(x))", "1:9: scale() must be a term of its own"},
        {"y ~ factor(x + 1)", "1:12: factor() takes the name of a column"},
        {"y ~ cbind(s, f)", "1:5: cbind() may only be the whole response"},
        {"cbind(s) ~ x", "1:8: expected ',' and the failures, found ')'"},
        {"cbind(s, f, g) ~ x", "1:11: cbind() takes two arguments"},
        {"1 + cbind(s, f) ~ x", "1:5: cbind() must be the whole response"},
        {"(cbind(s, f)) ~ x", "1:2: cbind() may only be the whole response"},
        {"factor(y)^2 ~ x", "1:1: factor() must be the whole response"},
        {"scale(y) ~ x", "1:1: scale() must be a term of its own"},
        {"y ~ x:offset(z)", "1:7: offset() can only be added to the terms"},
        {"y ~ x - offset(z)", "1:9: offset() can only be added to the terms"},
        {"y ~ x | g", "1:7: put grouping terms in parentheses"},
        {"y ~ (x | g + h)", "1:10: group by a column, (1 | g), by a combination"},
        {"y ~ (x | g*h)", "1:10: group by a column"},
        {"y ~ (x | g/h*i)", "1:10: group by a column"},
        {"y ~ (x | (g + h))", "1:10: group by a column"},
        {"y ~ (x | g/(h + i))", "1:12: group by a column"},
        {"y ~ (x | -g)", "1:10: group by a column"},
        {"y ~ (x | 1)", "1:10: group by a column"},
        {"y ~ (x | .)", "1:10: group by a column"},
        {"y ~ (x | g:log(h))", "1:12: group by a column"},
        {"y ~ (x | g:h:g)", "1:14: 'g' follows the bar twice"},
        {"y ~ (x | g/factor(g))", "1:12: 'g' follows the bar twice"},
        {"y ~ (x | g | h)", "1:12: a grouping term cannot be inside another"},
        {"y ~ ((1 | g) | h)", "1:14: a grouping term cannot be inside another"},
        {"y ~ (x + (1 | g) | h)", "1:18: a grouping term cannot be inside another"},
        {"y ~ (1 | (x | g))", "1:10: a grouping term cannot be inside another"},
        {"y ~ ( | g)", "1:7: nothing precedes the bar"},
        {"y ~ x + (|| g)", "1:10: nothing precedes the bar"},
        {"y ~ (1 | )", "1:10: nothing follows the bar"},
        {"y ~ (1 ||", "1:10: nothing follows the bar"},
        {"y ~ (1 | | g)", "1:10: nothing follows the bar"},
        {"y ~ (1 ||| g)", "1:10: nothing follows the bar"},
        {"y ~ (1 | g", "1:11: expected an operator or ')', found the end"},
        {"y ~ a*(x | g)", "1:7: grouping terms can only be added"},
        {"y ~ a - (x | g)", "1:9: grouping terms can only be added"},
        {"y ~ x +\n  + z", "2:3: expected a variable, found '+'"},
        {"y ~ \xc3\xa9t\xc3\xa9 + + z", "1:11: expected a variable, found '+'"},
        {"y ~ x \x01", "1:7: expected an operator or the end, found '?'"},
        {"y ~ x !", "1:7: '!' is not supported"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_error error = {0};
        assert_int_equal(check(wrong[i][0], &error), DLP_EFORMULA);
        assert_memory_equal(error.message, "formula:", 8);
        if (strncmp(error.message + 8, wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("'%s'\nis not\n'%s'", error.message, wrong[i][1]);
        assert_int_equal(check(wrong[i][0], NULL), DLP_EFORMULA);
    }
    dlp_formula *formula = NULL;
    assert_fails(dlp_formula_parse(NULL, &formula, error), DLP_EINVAL, "text is NULL");
    assert_fails(dlp_formula_parse("y ~ x", NULL, error), DLP_EINVAL, "formula is NULL");
}

static void carets_stand_below_the_place(void **state)
{
    (void)state;
    static const char *const whole[][2] = {
        {"y ~ x + + z",
         "formula:1:9: expected a variable, found '+'\n"
         "  y ~ x + + z\n"
         "          ^"},
        {"y ~\n\t\xc3\xa9 + )\n + x",
         "formula:2:6: expected a variable, found ')'\n"
         "   \xc3\xa9 + )\n"
         "       ^"},
        {"y ~ \xff + )",
         "formula:1:9: expected a variable, found ')'\n"
         "  y ~ ? + )\n"
         "          ^"},
        {"y ~ aaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbb + ccccccccccccccccccc ddddddd + "
         "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
         "formula:1:69: expected an operator or the end, found 'ddddddd'\n"
         "  ...aaaa + bbbbbbbbbbbbbbbbbbb + ccccccccccccccccccc ddddddd + "
         "eeeeeeeeeeeee...\n"
         "                                                      ^"},
    };
    for (size_t i = 0; i < COUNT(whole); i++) {
        dlp_error error = {0};
        assert_int_equal(check(whole[i][0], &error), DLP_EFORMULA);
        assert_string_equal(error.message, whole[i][1]);
    }
}

/* ---- limits ---- */

/* before, then n times the part with %d as its number, then after. */
static char *repeat(const char *before, const char *part, int n, const char *after)
{
    const size_t room =
        strlen(before) + (size_t)n * (strlen(part) + 10) + strlen(after) + 1;
    char *text = malloc(room);
    size_t used = (size_t)snprintf(text, room, "%s", before);
    for (int i = 0; i < n; i++) {
        const char *number = strchr(part, '#');
        used +=
            (size_t)snprintf(text + used, room - used, "%.*s",
                             (int)(number ? number - part : (long)strlen(part)), part);
        if (number)
            used += (size_t)snprintf(text + used, room - used, "%d%s", i, number + 1);
    }
    snprintf(text + used, room - used, "%s", after);
    return text;
}

static void assert_check(char *text, const char *message)
{
    if (message)
        assert_wrong_input(check(text, error), message);
    else
        assert_ok(check(text, error));
    free(text);
}

static void hostile_formulas_are_refused(void **state)
{
    (void)state;
    assert_check(repeat("y ~ ", "(", 90, "x"), "found the end");
    assert_check(repeat("y ~ ", "(", 101, "x"), "nested more than 100 deep");
    assert_check(repeat("y ~ I(", "-", 101, "x)"), "nested more than 100 deep");
    assert_check(repeat("y ~ ", "log(", 101, "x"), "nested more than 100 deep");
    assert_check(repeat("y ~ I(2", "^x#", 101, ")"), "nested more than 100 deep");
    assert_check(repeat("y ~ x", "*x#", 30, ""), "more than 32768 terms");
    assert_check(repeat("y ~ (x", "+x#", 30, ")^30"), "more than 32768 terms");
    assert_check(repeat("y ~ (x", "+x#", 13, ")^1e300"), NULL);
    assert_check(repeat("y ~ x", "+x#", 40000, ""), "more than 32768 terms");
    assert_check(repeat("y ~ x", ":x#", 31, ""), NULL);
    assert_check(repeat("y ~ x", ":x#", 32, ""), "a term of more than 32 variables");
    assert_check(repeat("y ~ 0", "+(a+b+c+d+e+f+g+h+i+j+k+l+m+n)^14", 70, ""),
                 "too many products");
    assert_check(repeat("y ~ x", "+x#", 30000, ""), NULL);
    assert_check(repeat("y ~ x", "-x#", 30000, ""), NULL);
    assert_check(repeat("y ~ I(x", "+x#*2", 30000, ")"), NULL);
    assert_check(repeat("y ~ x", "     ", 1 << 20, ""), "more than 4194304");
    assert_check(repeat("y ~ (1 | x", "/x#", 31, ")"), NULL);
    assert_check(repeat("y ~ (1 | x", "/x#", 32, ")"), "groups of more than 32 columns");
    assert_check(repeat("y ~ (1 | x", ":x#", 32, ")"), "groups of more than 32 columns");
    assert_check(repeat("y ~ (1 | ", "(", 97, "x"), "found the end");
    assert_check(repeat("y ~ (1 | ", "(", 101, "x"), "nested more than 100 deep");
    assert_check(repeat("y ~ 1", "+(1|a/b)", 30000, ""), NULL);
}

/* ---- what formulas are made with ---- */

static void nearest_names_are_found(void **state)
{
    (void)state;
    static const char *const name[] = {"age", "income", "school_size", "Sex", "x1", "x2"};
    static const char *const known[][2] = {
        {"ag", "age"},  {"Age", "age"},   {"inocme", "income"},
        {"sex", "Sex"}, {"school", NULL}, {"schoolsize", "school_size"},
        {"X2", "x2"},   {"zzz", NULL},    {"q", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        const char *nearest = dlpi_suggest(known[i][0], name, COUNT(name));
        if (known[i][1])
            assert_string_equal(nearest, known[i][1]);
        else
            assert_null(nearest);
    }
    char *longer = repeat("", "a", 100, "");
    assert_null(dlpi_suggest(longer, name, COUNT(name)));
    assert_null(dlpi_suggest("age", (const char *const[]){longer}, 1));
    free(longer);
}

static void names_are_fit_for_messages(void **state)
{
    (void)state;
    assert_string_equal(dlpi_show("caf\xc3\xa9 \n\xff\x7f").text, "caf\xc3\xa9 ???");
    assert_string_equal(dlpi_show("\xc3").text, "?");
    assert_string_equal(dlpi_show("\xed\xa0\x80").text, "???");
    assert_string_equal(dlpi_show("\xf0\x9f\x98\x80").text, "\xf0\x9f\x98\x80");
    assert_string_equal(dlpi_show("\xf4\x90\x80\x80").text, "????");
    char *longer = repeat("", "\xc3\xa9", 100, "");
    const struct dlpi_shown shown = dlpi_show(longer);
    assert_true(strlen(shown.text) < sizeof shown.text);
    assert_string_equal(shown.text + strlen(shown.text) - 3, "...");
    free(longer);
}

static void keys_keep_their_order(void **state)
{
    (void)state;
    struct dlpi_pool pool = {0};
    struct dlpi_name_index keys = {.pool = &pool};
    static int32_t number[1000], more[2000];
    assert_int_equal(dlpi_name_index_find_text(&keys, "x"), -1);
    for (int32_t i = 0; i < 1000; i++) {
        number[i] = 7919 * i;
        assert_int_equal(dlpi_name_index_add(&keys, &number[i], sizeof number[i]), i);
        assert_int_equal(dlpi_name_index_add(&keys, &number[i / 2], sizeof number[i]),
                         i / 2);
    }
    dlpi_name_index_remove(&keys, &number[500], sizeof number[500]);
    dlpi_name_index_remove(&keys, "none", 4);
    assert_int_equal(dlpi_name_index_find(&keys, &number[500], sizeof number[500]), -1);
    assert_int_equal(dlpi_name_index_find(&keys, &number[501], sizeof number[501]), 501);
    assert_int_equal(dlpi_name_index_add(&keys, &number[500], sizeof number[500]), 1000);
    assert_int_equal(dlpi_name_index_find(&keys, &number[500], sizeof number[500]), 1000);
    for (int32_t i = 0; i < 2000; i++) {
        more[i] = -1 - i;
        assert_int_equal(dlpi_name_index_add(&keys, &more[i], sizeof more[i]), 1001 + i);
    }
    assert_int_equal(dlpi_name_index_find(&keys, &number[500], sizeof number[500]), 1000);
    dlpi_pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_multiplied_out),
        cmocka_unit_test(variables_are_named_as_r_names_them),
        cmocka_unit_test(dots_are_written_out),
        cmocka_unit_test(changes_are_written),
        cmocka_unit_test(groups_are_reported),
        cmocka_unit_test(bars_are_named_as_r_names_them),
        cmocka_unit_test(what_is_wrong_is_pointed_at),
        cmocka_unit_test(carets_stand_below_the_place),
        cmocka_unit_test(hostile_formulas_are_refused),
        cmocka_unit_test(nearest_names_are_found),
        cmocka_unit_test(names_are_fit_for_messages),
        cmocka_unit_test(keys_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
