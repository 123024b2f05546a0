/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar, the operators, the readers of data, and what is said about wrong texts. */
#include "bugs_support.h"

static void test_operators(void **state)
{
    (void)state;
    /* R's precedence, which is JAGS's. */
    bugs_equal("2 + 3 * 4 ^ 2", 50);
    bugs_equal("-2^2", -4);
    bugs_equal("2^-1", 0.5);
    bugs_equal("2 ** 3 ** 2", 512);
    bugs_equal("sum(1:3 + 1)", 9);
    bugs_equal("sum(-1:2)", 2);
    bugs_equal("1 - 2 - 3", -4);
    bugs_equal("8 / 4 / 2", 1);
    bugs_equal("1.0E-6 * 1e6", 1);
    bugs_equal("(1 > 2) + (2 >= 2) + (1 < 2) + (2 <= 1) + (1 == 1) + (1 != 1)", 3);
    bugs_equal("1 > 2 || 2 > 1 && !(3 < 2)", 1);
    bugs_equal("- - 3", 3);
    bugs_equal("+3", 3);
}

static void test_functions(void **state)
{
    (void)state;
    bugs_equal("mean(v)", 2.25);
    bugs_equal("sd(v)", sqrt(0.8125)); /* 1, .75, .25 from the mean */
    bugs_equal("max(v) - min(v, 0.5)", 2.75);
    bugs_equal("max(1, v[2:3])", 2);
    bugs_equal("prod(v)", 9.75);
    bugs_equal("sum(v[])", 6.75);
    bugs_equal("length(v) + sum(dim(A))", 7);
    bugs_equal("inprod(v, v)", 3.25 * 3.25 + 2.25 + 4);
    bugs_equal("inprod(v, sort(v))", 3.25 * 1.5 + 1.5 * 2 + 2 * 3.25);
    bugs_equal("inprod(c(1, 10, 100), rank(v))", 3 + 10 + 200);
    bugs_equal("sum(rep(c(1, 2), 3))", 9);
    bugs_equal("pow(2, 10) + equals(1, 1) + step(0) + step(-1)", 1026);
    bugs_equal("ifelse(v[1] > 3, 7, 8)", 7);
    bugs_equal("logit(ilogit(0.3)) + probit(phi(0.2)) + cloglog(icloglog(0.1))", 0.6);
    bugs_equal("exp(loggam(5)) + exp(logfact(3))", 30);
    bugs_equal("round(2.5) + trunc(-2.5)", 1);
    bugs_equal("interp.lin(1.5, c(1, 2), c(10, 20))", 15);
    bugs_equal("pnorm(0, 0, 1) + dbin(1, 0.5, 2)", 1); /* of expressions */
    bugs_equal("abs(-2) + sqrt(9) + sin(0) + arctan(0)", 5);
}

static void test_matrices(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { B <- inverse(A); C <- A %*% B; u <- A %*% w\n"
        " s <- t(w) %*% w; D[1:2,1:2] <- t(A); l <- logdet(A)\n"
        " p[1:2] <- A[1,] }",
        "A <- structure(c(4, 1, 2, 3), .Dim = c(2L, 2L))\n"
        "w <- c(1, -2)");
    assert_near(bugs_value(r, "B[1,1]"), 0.3, 1e-15);
    assert_near(bugs_value(r, "B[1,2]"), -0.2, 1e-15);
    assert_near(bugs_value(r, "C[2,2]"), 1, 1e-15);
    assert_near(bugs_value(r, "C[1,2]"), 0, 1e-15);
    assert_near(bugs_value(r, "u[1]"), 0, 1e-15);
    assert_near(bugs_value(r, "u[2]"), -5, 1e-15);
    assert_near(bugs_value(r, "s"), 5, 1e-15);
    assert_near(bugs_value(r, "D[1,2]"), 1, 1e-15);
    assert_near(bugs_value(r, "l"), log(10), 1e-14);
    assert_near(bugs_value(r, "p[2]"), 2, 0);
    bugs_close(r);
}

static void test_words(void **state)
{
    (void)state;
    /* mean, T and data as variables; a comment of each kind; both arrows; no semicolons. */
    bugs_read *r = bugs_good(
        "/* a model\n of two lines */ model { # one\n"
        " mean <- 3; T = mean + mean(v)  data <- T\n"
        " x.y_z ~ dnorm(0, 1) T(0, ) ; w ~ dnorm(0, 1)I(,T)\n"
        " logit(p) <- x.y_z\n}\n",
        "v <- c(1, 2)");
    assert_near(bugs_value(r, "data"), 4.5, 0);
    assert_int_equal(r->graph->of[3].relation->truncation, DLPI_TRUNCATED_T);
    assert_non_null(r->graph->of[3].relation->lower);
    assert_null(r->graph->of[3].relation->upper);
    assert_int_equal(r->graph->of[4].relation->truncation, DLPI_TRUNCATED_I);
    assert_int_equal(r->graph->of[5].relation->link, DLPI_BUGS_LOGIT);
    bugs_close(r);
    bugs_close(
        bugs_good("var a, b[2]; model { a ~ dnorm(0,1); b[1] <- a; b[2] <- a }", NULL));
    bugs_close(bugs_good("model\n{\r\n a ~ dnorm (0, .5)\r\n}", NULL));
}

static void test_wrong_words(void **state)
{
    (void)state;
    bugs_wrong(
        "model leuk;\nconst N = 3;\n", NULL,
        "m.bug:1:1: error: BUGS 0.5 syntax ('model leuk;', 'const'); JAGS does not "
        "accept it either");
    bugs_wrong("model {\n  a <- 1\n", NULL, "m.bug:1:7: error: this '{' is not closed");
    bugs_wrong("model { a <- (1 + 2 }", NULL, "1:21: error: expected ')', found '}'");
    bugs_wrong("model { a ~ norm }", NULL, "expected a distribution");
    bugs_wrong("model { a\n b }", NULL, "expected '<-' or '~', found 'b'");
    bugs_wrong("model { real mu }", NULL,
               "m.bug:1:9: error: variables have no types here: leave 'real' out");
    bugs_wrong("model { for i in 1:3 { a[i] <- 1 } }", NULL,
               "expected '(' after 'for', as in for (i in 1:N) {");
    bugs_wrong("model { a -> b }", NULL, "there is no '->'");
    bugs_wrong("model { if (x > 1) { a <- 1 } }", "x <- 1",
               "m.bug:1:9: error: there is no 'if': write ifelse(condition, a, b)");
    bugs_wrong("model { for (i in 1:2) { y(i) ~ dnorm(0, 1) } }", NULL,
               "indices go in square brackets: y[i]");
    bugs_wrong("model { a ~ dnorm(b[1][2], 1) }", NULL, "write all indices in one");
    bugs_wrong("model { a ~ dnorm(0, sd = 2) }", NULL, "arguments have no names here");
    bugs_wrong("model <- function() { a ~ dnorm(0, 1) }", NULL,
               "m.bug:1:7: error: a model file begins with 'model {'");
    bugs_wrong("model { a <- 1 } }\n b <- 2 }", NULL,
               "m.bug:1:18: error: expected the end of the file, because the '}'");
    bugs_wrong("model { for (i 1:3) { a[i] <- 1 } }", NULL, "expected 'in'");
    bugs_wrong("model { for (i in 1:3) a[i] <- 1 }", NULL,
               "expected '{' after the head of the loop");
    bugs_wrong("model { lgit(p) <- 1 }", NULL,
               "'lgit' is not a link function; did you mean 'logit'?");
    bugs_wrong("model { log(p) ~ dnorm(0, 1) }", NULL,
               "a link function is allowed on the left");
    bugs_wrong("model { a <- 3 $ 4 }", NULL, "'$' is not part of the BUGS language");
    bugs_wrong("model { a <- 3 \xE2\x88\x92 4 }", NULL, "is not part of");
    bugs_wrong("model { a <- 1 } /* ", NULL, "the comment that begins here");
    bugs_wrong("a <- 1", NULL, "expected 'model {', 'data {' or 'var'");
    bugs_wrong("", NULL, "there is no 'model { ... }' block");
    bugs_wrong("data { a <- 1 }", NULL, "there is no 'model { ... }' block");
    bugs_wrong("model { a <- 1 } model { b <- 1 }", NULL, "a second 'model'");
    bugs_wrong("model { x ~ dnorm(0, 1) T(0) }", NULL, "expected ',' between the bounds");
    bugs_wrong("model { for (i in 1:2) { for (i in 1:2) { a[i] <- 1 } } }", NULL,
               "'i' is already the variable of the loop at line 1");
    bugs_wrong("model { for (i in 1:2) { i <- 3 } }", NULL,
               "cannot be defined inside it");
}

/* Every error of a file in one run, each at its relation. */
static void test_recovery(void **state)
{
    (void)state;
    bugs_read *r = bugs_open(
        "model {\n  a ~ dnorm(0 1)\n  b <- 3 +* 2\n  for (i in 1:3) {\n"
        "    d[i] <- sqrt(\n    e[i] ~ dnormal(0, 1)\n  }\n"
        "  f <- lgo(2)\n}\n",
        NULL, NULL);
    bugs_expect_text(r, true, "m.bug:2:15: error: expected ',' or ')', found a number");
    bugs_expect_text(r, true, "m.bug:3:11: error: expected an expression, found '*'");
    bugs_expect_text(r, true, "m.bug:6:10: error: expected ',' or ')', found '~'");
    bugs_expect_text(r, true, "m.bug:8:8: error: unknown function 'lgo'; did you mean");
    assert_int_equal(r->found.n_errors, 4);
    bugs_close(r);
    char many[4000] = "model {\n";
    for (int i = 0; i < 60; i++) strcat(many, "  a <- * 2\n");
    strcat(many, "}\n");
    r = bugs_open(many, NULL, NULL);
    assert_int_equal(r->found.n, DLPI_MAX_ERRORS);
    assert_int_equal(r->found.n_errors, 60);
    bugs_close(r);
}

static void test_depth(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(3 * N + 100);
    assert_non_null(text);
    const char *const parts[] = {"(", "-", "1+", "!", "x[", "2^"};
    for (int k = 0; k < 6; k++) {
        size_t used = (size_t)sprintf(text, "model { a <- ");
        for (int i = 0; i < N; i++) {
            memcpy(text + used, parts[k], strlen(parts[k]));
            used += strlen(parts[k]);
        }
        sprintf(text + used, "1 }");
        bugs_wrong(text, NULL, "error: ");
    }
    size_t used = (size_t)sprintf(text, "model { ");
    for (int i = 0; i < 2000; i++)
        used += (size_t)sprintf(text + used, "for (i%d in 1:2) {", i);
    bugs_wrong(text, NULL, "more than 32 nested loops");
    free(text);
}

/* ---- data ---- */

static void expect_data(const char *name, const char *text)
{
    bugs_read *r =
        bugs_open("model { a <- N; s <- sum(x[]) + y[2,1] * 100 + y[1,3] }", name, text);
    if (!r->graph) print_error("%s\n", r->error.message);
    assert_non_null(r->graph);
    assert_near(bugs_value(r, "a"), 21, 0);
    assert_near(bugs_value(r, "s"), 6.5 + 400 + 3, 0);
    bugs_close(r);
}

static void test_data(void **state)
{
    (void)state;
    expect_data("d.R",
                "`N` <-\n21L\n\"x\" = c(1, 2.5,3)\n'y' <- structure(c(1, 4, 2, 5, 3, 6), "
                ".Dim = c(2L, 3L)) # R's order\n");
    expect_data("d.R",
                "N <- 21; x <- c(1, 2.5, 3);y <- structure(c(1,4,2,5,3:3,6), "
                ".Dim=c(2,3), .Dimnames = list(NULL, c(\"a\", \"b,)\", \"\")))");
    expect_data("d.txt",
                "list(N=21, x=c(1,2.5,3),\n y = structure(.Data=c(1,2,3,4,5,6), "
                ".Dim=c(2,3)))");
    expect_data("d.json",
                "{\"N\": 21, \"x\": [1, 2.5, 3], \"y\": [[1, 2, 3], [4, 5, 6]]}");
    expect_data("-", " {\"N\": [21], \"x\": [1, 2.5, 3.0e0], \"y\": [[1,2,3],[4,5,6]]}");
    bugs_read *r = bugs_good("model { for (i in 1:4) { y[i] ~ dnorm(0, 1) } k <- z[2] }",
                             "y <- c(1, NA, -3e-1, NA)\nz <- 4:1");
    assert_int_equal(r->graph->kind[bugs_cell(r->graph, "y[2]")], DLPI_CELL_LATENT);
    assert_int_equal(r->graph->kind[bugs_cell(r->graph, "y[3]")], DLPI_CELL_OBSERVED);
    assert_near(bugs_value(r, "k"), 3, 0);
    bugs_close(r);
    r = bugs_open("model { for (i in 1:3) { y[i] ~ dnorm(g[i], 1) } }", "d.csv",
                  "y,g\n1.5,b\nNA,a\n2,b\n");
    assert_non_null(r->graph);
    assert_near(bugs_value(r, "g[1]"), 2, 0);
    bugs_expect_text(r, false, "column 'g' holds text: its levels become 1 to 2 (");
    bugs_close(r);
}

static void expect_wrong_data(const char *name, const char *text, const char *error)
{
    bugs_read *r = bugs_open("model { a ~ dnorm(0, 1) }", name, text);
    bugs_expect_text(r, true, error);
    bugs_close(r);
}

static void test_wrong_data(void **state)
{
    (void)state;
    expect_wrong_data("d.R", "x <- c(1, 2\ny <- 3",
                      "d.R:2:1: error: expected ',' or ')', found 'y'");
    expect_wrong_data("d.R", "x <- \"red\"", "d.R:1:6: error: this is text");
    expect_wrong_data("d.R", "x <- structure(c(1,2,3), .Dim = c(2, 2))",
                      "3 values for an array whose dimensions need 4");
    expect_wrong_data("d.R", "x <- 1\nx <- 2",
                      "d.R:2:1: error: 'x' is given twice: here and in d.R:1");
    expect_wrong_data("d.R", "x <- foo(1)", "expected a number, found 'foo'");
    expect_wrong_data("d.R", "x < 3", "expected '<-'");
    expect_wrong_data("d.R", "3 <- 3", "expected a name");
    expect_wrong_data("d.R", "x <- 1:1e12", "more than 16 million numbers");
    expect_wrong_data("d.R", "x <- 1:9000000\ny <- 1:9000000",
                      "d.R:2:6: error: the ranges up to here have more than 16 million");
    expect_wrong_data(
        "d.json", "{\"x\": [[1, 2], [3]]}",
        "d.json:1:16: error: this row has 1 values, but those before it have 2");
    expect_wrong_data("d.json", "{\"x\": [1, [2]]}", "are mixed");
    expect_wrong_data("d.json", "{\"x\": [[1, [], 2]]}",
                      "d.json:1:12: error: numbers and");
    expect_wrong_data("d.json", "{\"x\": [1, []]}", "d.json:1:11: error: numbers and");
    expect_wrong_data("d.json", "{\"x\": [[], 1]}", "are mixed");
    expect_wrong_data("d.json", "{\"x\": \"red\"}", "d.json:1:7: error: this is text");
    expect_wrong_data("d.json", "{\"x\": 1,}", "expected '\"'");
    expect_wrong_data("d.json", "{\"x\": 1} 3", "expected the end of the file");
    expect_wrong_data("d.json", "[1]", "expected '{'");
    expect_wrong_data("d.json", "{\"x\": [[[[[[[[[1]]]]]]]]]}", "at most 8 dimensions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),   cmocka_unit_test(test_functions),
        cmocka_unit_test(test_matrices),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_wrong_words), cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_data),
        cmocka_unit_test(test_wrong_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
