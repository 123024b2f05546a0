/* SPDX-License-Identifier: BSD-3-Clause */
/* From relations to cells: sizes, instances, kinds, order; and what is said about models
   that do not fit together. */
#include "bugs_support.h"

#include <unistd.h>

static int kind_of(const bugs_read *r, const char *name)
{
    return r->graph->kind[bugs_cell(r->graph, name)];
}

/* Every instance comes after the definers of all that its right-hand side refers to. */
static void expect_order(const dlpi_graph *g, const dlpi_syntax *s, int relation,
                         dlp_index instance, const dlp_index *place)
{
    const dlpi_relation *const r = g->of[relation].relation;
    const int32_t *loop = g->of[relation].loop + instance * r->n_loops;
    if (s->kind == DLPI_SYNTAX_VARIABLE && dlpi_loop_depth(r, s->name) < 0) {
        dlpi_cells cells = {0};
        dlpi_reference reference;
        dlp_error error;
        if (dlpi_graph_refer(g, r, loop, s, NULL, &cells, &reference, NULL, &error) ==
            DLP_OK)
            for (dlp_index i = 0; i < reference.n; i++) {
                const dlp_index c = reference.cell[i];
                if (g->definer[c] < 0) continue;
                dlp_index before = 0;
                for (int k = 0; k < g->definer[c]; k++) before += g->of[k].n;
                dlp_index mine = instance;
                for (int k = 0; k < relation; k++) mine += g->of[k].n;
                assert_true(place[before + g->instance[c]] < place[mine]);
            }
        free(cells.cell);
    }
    for (int i = 0; i < s->n_args; i++)
        expect_order(g, s->arg[i], relation, instance, place);
}

static void expect_sound(const dlpi_graph *g)
{
    dlp_index total = 0;
    for (int r = 0; r < g->n_relations; r++) total += g->of[r].n;
    assert_int_equal(total, g->n_order);
    dlp_index *place = calloc((size_t)total + 1, sizeof *place);
    assert_non_null(place);
    for (dlp_index i = 0; i < total; i++) {
        dlp_index id = g->order[2 * i + 1];
        for (int k = 0; k < g->order[2 * i]; k++) id += g->of[k].n;
        assert_int_equal(place[id], 0);
        place[id] = i + 1;
    }
    for (int r = 0; r < g->n_relations; r++)
        for (dlp_index i = 0; i < g->of[r].n; i++)
            expect_order(g, g->of[r].relation->right, r, i, place);
    free(place);
}

static void test_kinds(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model {\n"
        "  for (i in 1:N) { y[i] ~ dnorm(mu[i], tau); mu[i] <- a + b * z[i] }\n"
        "  for (i in 1:N) { z[i] <- (x[i] - mean(x)) / sd(x) }\n"
        "  a ~ dnorm(0, 0.01)\n  b ~ dnorm(0, 0.01)\n  tau <- pow(s, -2)\n"
        "  s ~ dunif(0, 10)\n  r[1] <- y[1] * 2\n}\n",
        "N <- 3\nx <- c(1, 2, 4)\ny <- c(0.5, NA, 2)");
    assert_int_equal(kind_of(r, "y[1]"), DLPI_CELL_OBSERVED);
    assert_int_equal(kind_of(r, "y[2]"), DLPI_CELL_LATENT);
    assert_int_equal(kind_of(r, "mu[3]"), DLPI_CELL_COMPUTED);
    assert_int_equal(kind_of(r, "z[1]"), DLPI_CELL_CONSTANT);
    assert_int_equal(kind_of(r, "N"), DLPI_CELL_CONSTANT);
    assert_int_equal(kind_of(r, "a"), DLPI_CELL_LATENT);
    /* Computed from what is observed: known, though not constant. */
    assert_int_equal(kind_of(r, "r[1]"), DLPI_CELL_COMPUTED);
    assert_near(bugs_value(r, "r[1]"), 1, 0);
    assert_true(isnan(bugs_value(r, "mu[1]")));
    assert_near(bugs_value(r, "z[1]"), (1 - 7.0 / 3) / sqrt(7.0 / 3), 1e-15);
    const dlp_index c = bugs_cell(r->graph, "mu[3]");
    assert_int_equal(r->graph->definer[c], 1);
    assert_int_equal(r->graph->instance[c], 2);
    assert_int_equal(r->graph->of[1].loop[2], 3);
    expect_sound(r->graph);
    bugs_close(r);
}

static void test_sizes(void **state)
{
    (void)state;
    /* The largest index on the left; (k+1):k is empty; any vector as a range. */
    bugs_read *r = bugs_good(
        "model {\n"
        "  for (b in 1:2) { x[b, f[b]] <- 1\n"
        "    for (t in (f[b] + 1):k) { x[b, t] ~ dbern(p * x[b, t - 1]) } }\n"
        "  p ~ dunif(0, 1)\n"
        "  for (i in f) { w[i] <- i }\n"
        "  for (i in 3:1) { empty[i] <- 1 }\n"
        "  M[1:2, 1:2] ~ dwish(R[,], 3)\n  v[2:3] ~ dmnorm(m[], M)\n  v[1] <- 0\n"
        "}\n",
        "k <- 4\nf <- c(2, 4)\nR <- structure(c(1, 0, 0, 1), .Dim = c(2, 2))\nm <- c(0, "
        "0)");
    const dlpi_graph *const g = r->graph;
    assert_int_equal(g->array[0].n_dim, 0);
    assert_int_equal(kind_of(r, "x[1,2]"), DLPI_CELL_CONSTANT);
    assert_int_equal(kind_of(r, "x[1,3]"), DLPI_CELL_LATENT);
    assert_int_equal(kind_of(r, "x[1,1]"), DLPI_CELL_NONE);
    assert_int_equal(kind_of(r, "x[2,4]"), DLPI_CELL_CONSTANT);
    assert_int_equal(g->of[1].n, 2);
    assert_int_equal(kind_of(r, "w[1]"), DLPI_CELL_NONE);
    assert_near(bugs_value(r, "w[4]"), 4, 0);
    assert_int_equal(g->of[4].n, 0);
    assert_int_equal(g->instance[bugs_cell(g, "M[2,1]")], 0);
    assert_int_equal(g->definer[bugs_cell(g, "v[3]")], 6);
    expect_sound(g);
    bugs_close(r);
}

/* A name without brackets has the shape of what it is given, as in JAGS. */
static void test_shapes(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { k <- S[1,2]; S <- inverse(O); O ~ dwish(R, 3)\n"
        "  z <- X %*% b; b ~ dmnorm(m, O); e <- exp(z) }",
        "R <- structure(c(1,0,0,1), .Dim=c(2,2)); m <- c(0, 0)\n"
        "X <- structure(c(1,2,3,4,5,6), .Dim=c(3,2))");
    assert_int_equal(kind_of(r, "O[2,2]"), DLPI_CELL_LATENT);
    assert_int_equal(kind_of(r, "S[2,2]"), DLPI_CELL_COMPUTED);
    assert_int_equal(kind_of(r, "e[3]"), DLPI_CELL_COMPUTED);
    assert_int_equal(kind_of(r, "b[2]"), DLPI_CELL_LATENT);
    expect_sound(r->graph);
    bugs_close(r);
    /* by whatever name a function is called */
    r = bugs_good(
        "model { m ~ dnorm(0, 1); z <- inprod2(a[], b[]) * m; u <- combine(a[], m)"
        "  s <- sort(u); i <- rank(b[]); l <- length(u); d <- dim(u) }",
        "a <- c(1, 2); b <- c(4, 3)");
    assert_int_equal(r->graph->n_cells, 1 + 1 + 3 + 3 + 2 + 1 + 1 + 2 + 2);
    assert_near(bugs_value(r, "i[1]"), 2, 0);
    assert_near(bugs_value(r, "l"), 3, 0);
    bugs_close(r);
    /* a map has as many areas as numbers of neighbours, not as many as neighbours */
    static const char *const map[] = {
        "model { x ~ car.normal(adj[], w[], num[], 2); z <- exp(x) }",
        "model { x ~ dcar_normal(adj[], w[], num[], 2); z <- exp(x) }"};
    for (int i = 0; i < 2; i++) {
        r = bugs_good(map[i],
                      "adj <- c(2, 1, 3, 2); w <- c(1, 1, 1, 1); num <- c(1, 2, 1)");
        assert_int_equal(kind_of(r, "z[3]"), DLPI_CELL_COMPUTED);
        assert_int_equal(r->graph->n_cells, 4 + 4 + 3 + 3 + 3);
        bugs_close(r);
    }
}

static void test_data_block(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "data { for (i in 1:n) { ly[i] <- log(y[i]) } n <- length(y)\n"
        "  m <- max(y) }\n"
        "model { for (i in 1:m) { ly[i] ~ dnorm(0, 1) } }",
        "y <- c(1, 2, 3)");
    assert_int_equal(kind_of(r, "ly[3]"), DLPI_CELL_OBSERVED);
    assert_near(bugs_value(r, "ly[3]"), log(3), 1e-15);
    assert_int_equal(r->found.n, 0);
    bugs_close(r);
    bugs_wrong("data { x ~ dnorm(0, 1) } model { y ~ dnorm(x, 1) }", NULL,
               "'~' in data{} draws data at random");
    bugs_wrong("data { x <- y[2] * 2 } model { z ~ dnorm(x, 1) }", "y <- c(1, NA)",
               "node 'y[2]' is missing in the data (data.R:1:11) and not defined");
}

/* An index by a latent: all of the array comes before, and the caller may give its
   value. */
static double one_known(void *context, dlp_index cell)
{
    const bugs_read *r = context;
    const double x = r->graph->value[cell];
    return isnan(x) ? 1 : x;
}

static void test_latent_index(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model {\n  for (i in 1:2) { y[i] ~ dbin(after[s[i] + 1], 3)\n"
        "    s[i] ~ dbern(th) }\n"
        "  after[1] <- p\n  after[2] <- 0\n"
        "  p ~ dunif(0, 1)\n  th ~ dunif(0, 1)\n}\n",
        "y <- c(1, 0)");
    const dlpi_graph *const g = r->graph;
    dlpi_cells cells = {0};
    dlpi_reference reference;
    dlp_index unknown = -1;
    const dlpi_relation *const y = g->of[0].relation;
    const dlpi_syntax *const after = y->right->arg[0];
    assert_fails(dlpi_graph_refer(g, y, g->of[0].loop, after, NULL, &cells, &reference,
                                  &unknown, error),
                 DLP_EINVAL, "depends on 's[1]', which is not known");
    assert_int_equal(unknown, bugs_cell(g, "s[1]"));
    const dlpi_known known = {one_known, r};
    assert_ok(dlpi_graph_refer(g, y, g->of[0].loop, after, &known, &cells, &reference,
                               &unknown, error));
    assert_int_equal(reference.n, 1);
    assert_int_equal(reference.cell[0], bugs_cell(g, "after[2]"));
    free(cells.cell);
    /* y[1] comes after after[1] and after[2]. */
    dlp_index at_y = -1, at_after = -1;
    for (dlp_index i = 0; i < g->n_order; i++) {
        if (g->order[2 * i] == 0) at_y = at_y < 0 ? i : at_y;
        if (g->order[2 * i] == 2 || g->order[2 * i] == 3) at_after = i;
    }
    assert_true(at_y > at_after);
    bugs_close(r);
    /* An index that is computed from data further down is not latent. */
    r = bugs_good(
        "model { y ~ dnorm(mu[k], 1); k <- j + 1; j <- 1\n"
        "  mu[1] ~ dnorm(0, 1); mu[2] ~ dnorm(0, 1) }",
        "y <- 2");
    expect_sound(r->graph);
    bugs_close(r);
}

static void test_from_memory(void **state)
{
    (void)state;
    const dlp_index dim[] = {2, 3};
    const double x[] = {1, 2, 3, 4, 5, NAN}, n = 2, start[] = {0.25};
    const dlpi_named_array data[] = {{"x", 2, dim, x}, {"n", 0, NULL, &n}};
    const dlpi_named_array inits[] = {{"a", 0, NULL, start}};
    const dlpi_bugs_input input = {.model_text =
                                       "model { for (i in 1:n) { for (j in 1:3) "
                                       "{ x[i,j] ~ dnorm(a, 1) } } "
                                       "a ~ dnorm(0, 1) }",
                                   .n_data = 2,
                                   .data = data,
                                   .n_inits = 1,
                                   .inits = inits};
    bugs_read *r = calloc(1, sizeof *r);
    assert_ok(dlpi_bugs_read(&input, &r->graph, &r->found, error));
    assert_near(bugs_value(r, "x[2,1]"), 2, 0);
    assert_int_equal(kind_of(r, "x[2,3]"), DLPI_CELL_LATENT);
    assert_near(r->graph->start[bugs_cell(r->graph, "a")], 0.25, 0);
    assert_true(isnan(r->graph->start[bugs_cell(r->graph, "x[2,3]")]));
    bugs_close(r);
}

/* ---- what is wrong: Section 6 of the design, message by message ---- */

static void test_messages(void **state)
{
    (void)state;
    bugs_wrong("model {\n\n\n\n\n\n  mu ~ dnormal(0, 1.0E-6)\n}\n", NULL,
               "m.bug:7:8: error: unknown distribution 'dnormal'; did you mean 'dnorm'?\n"
               "    7 |   mu ~ dnormal(0, 1.0E-6)\n"
               "      |        ^~~~~~~");
    bugs_wrong(
        "model {\n  for (i in 1:N) { y[i] ~ dnorm(mu[g[i]], 1) }\n"
        "  for (j in 1:2) { mu[j] ~ dnorm(0, 1) }\n}",
        "N <- 3\ny <- c(1, 2, 3)\ng <- c(1,2,3)",
        "m.bug:2:33: error: index 3 of 'mu' is out of range 1..2 (from mu[g[i]] at "
        "i=3, g[3]=3, data.R:3:12)");
    bugs_wrong("model {\n\n  a <- b + 1\n  b <- 2 * a\n}\n", NULL,
               "m.bug:3:3: error: 'a' depends on itself: a (line 3) <- b (line 4) <- a");
    bugs_wrong(
        "model {\n\n\n  for (i in 1:2) {\n        r[i] ~ dnorm(p[i], tau)\n"
        "    p[i] ~ dnorm(0, 1) }\n}",
        "r <- c(1, 2)",
        "m.bug:5:9: error: node 'tau' is not defined and not in the data (used at "
        "5:28); give it a prior or add it to the data");
    bugs_wrong("model {\n  for (i in 1:2) {   y[i] ~ dbern(0.5) }\n}",
               "n <- 1\ny <- c(1,   2)",
               "m.bug:2:22: error: y[2] = 2 is outside the support {0,1} of dbern "
               "(data.R:2:13)");
    bugs_wrong("model {\n\n  y ~ dnorm(0,-1)\n}", NULL,
               "m.bug:3:15: error: precision of dnorm is -1; it must be positive");
}

static void test_more_messages(void **state)
{
    (void)state;
    bugs_wrong("model { a ~ dnorm(0) }", NULL,
               "dnorm takes 2 arguments (mean, precision), not 1");
    bugs_wrong("model { a <- pow(2) }", NULL, "pow takes 2 arguments, not 1");
    bugs_wrong("model { a <- dnrm(2) }", NULL, "unknown function 'dnrm'");
    bugs_wrong("model { a <- expit(2) }", NULL,
               "unknown function 'expit': write ilogit(x)");
    bugs_wrong("model { a ~ normal(0, 1) }", NULL,
               "unknown distribution 'normal': write dnorm(mean, 1 / sd^2)");
    bugs_wrong("model { a <- dnorm(0, 1) }", NULL,
               "after '<-', dnorm is a density and its first argument a value");
    bugs_wrong("model { a <- TRUE }", NULL, "(used at 1:14); write 1");
    bugs_wrong("model {\n  a <- 1\n  a <- 2\n}", NULL,
               "m.bug:3:3: error: 'a' is defined twice: here and at 2:3");
    /* the whole of an array that has elements elsewhere is not a number */
    bugs_wrong("model {\n  mu[3] <- 2\n  mu <- 3\n  y ~ dnorm(mu[1], 1)\n}", "y <- 1",
               "m.bug:3:3: error: 'mu[3]' is defined twice: here and at 2:3");
    bugs_wrong("model { y ~ dbern(p)\n y <- p\n p ~ dunif(0, 1) }", NULL,
               "defined twice: here and at 1:9; to transform data, as WinBUGS "
               "allows, move the '<-' to data { }");
    bugs_wrong("model { for (i in 1:3) { a <- i } }", NULL,
               "'a' is defined in more than one iteration of the loop");
    bugs_wrong("model { a <- 1 }", "a <- 2",
               "'a' is computed here, but the data give it a value (data.R:1:6)");
    bugs_wrong("model { y[1:2] ~ dmnorm(m[], T[,]) }",
               "y <- c(1, NA); m <- c(0, 0); T <- structure(c(1,0,0,1), .Dim=c(2,2))",
               "y[1] is observed but y[2] is missing");
    bugs_wrong(
        "model { y[1:2] ~ dnorm(0, 1) }", "y <- c(1, 2)",
        "dnorm is a distribution of one number, but y[1:2] has 2 elements; write a "
        "loop");
    bugs_wrong(
        "model { a <- x[2] }", "x <- c(1, NA)",
        "node 'x[2]' is missing in the data (data.R:1:11) and not defined (used at "
        "1:14)");
    bugs_wrong("model { a ~ dnorm(m[2], 1); m[1] ~ dnorm(0, 1); m[3] <- 2 }", NULL,
               "node 'm[2]' is not defined and not in the data");
    bugs_wrong("model { a <- bta + 1; beta ~ dnorm(0, 1) }", NULL,
               "did you mean 'beta'?");
    bugs_wrong("model { x[1:3] <- 2 }", NULL,
               "x[1:3] has 3 elements, but the right-hand side has");
    bugs_wrong("model { y ~ dmstate(1, 2, 3) }", NULL,
               "unknown distribution 'dmstate': write the probabilities of the states");
    bugs_wrong("model { y ~ dgenpar(1, -2, 0.1) }", "y <- -3",
               "outside the support [-2,Inf) of dgenpar");
    bugs_wrong("model { a ~ dnorm(0, 1) }", "a <- integer(0)",
               "m.bug:1:9: error: 'a' has no elements in the data");
    bugs_wrong("model { a <- log(-2) }", NULL, "log(-2) is not a number");
    bugs_wrong("model { a <- x[1,1] }", "x <- c(1,2)",
               "'x' has 1 dimension, but is used here with 2");
    bugs_wrong("model { a <- x[1.5] }", "x <- c(1,2)", "is not a whole number");
    bugs_wrong("model { a <- x[0] }", "x <- c(1,2)",
               "index 0 of 'x' is out of range 1..2");
    bugs_wrong("model { x[0] <- 2 }", NULL, "indices start at 1");
    bugs_wrong("model { x[2] <- 2; x[1,1] <- 3 }", NULL,
               "has 2 indices here and 1 elsewhere");
    bugs_wrong("model { x[] <- 2 }", NULL, "the size of 'x' is not known");
    bugs_wrong("model { n ~ dpois(2); for (i in 1:n) { a[i] <- 1 } }", NULL,
               "'n' is not known here: loop ranges, sizes and indices on the left");
    bugs_wrong("model { for (i in 1:n[2]) { a[i] <- 1 } }", "n <- c(1, NA)",
               "needs 'n[2]', which is missing in the data");
    bugs_wrong("model { for (i in 1:2) { y[i] ~ dbin(0.5, n[i]) } }",
               "y <- c(1, 3); n <- c(2, 2)",
               "y[2] = 3 is outside the support {0,...,2} of dbin");
    bugs_wrong("model { a ~ dexp(1); y ~ dbetabin(a, 2, n) }", "y <- 3; n <- 2",
               "y = 3 is outside the support {0,...,2} of dbetabin");
    bugs_wrong("model { a ~ dunif(2, 3); y ~ dunif(a, 1) }", "y <- 4",
               "y = 4 is outside the support [-Inf,1] of dunif");
    bugs_wrong("model { y ~ dbeta(1, 2) }", "y <- 1",
               "y = 1 is outside the support (0,1) of dbeta");
    bugs_wrong("model { y ~ dlnorm(1, 2) }", "y <- 0",
               "y = 0 is outside the support (0,Inf) of dlnorm");
    bugs_wrong("model { y ~ dpar2(1, 2, 3) }", "y <- 2",
               "y = 2 is outside the support [3,Inf) of dpar2");
    bugs_wrong("model { y ~ dcat(p[]) }", "y <- 3; p <- c(0.5, 0.5)",
               "y = 3 is outside the support {1,...,2} of dcat");
    bugs_wrong("model { y ~ dnorm(p, 1) }", "y <- 3; p <- c(0.5, 0.5)",
               "mean of dnorm has 2 elements; it must be one number");
    bugs_wrong("model { y ~ dnorm(0, 1) T(0, ) }", "y <- -1",
               "outside the support T(0,)");
    bugs_wrong("model { y ~ dnorm(0, 1) T(, 1:4) }", NULL,
               "this bound of dnorm has 4 elements; it must be one number");
    bugs_wrong("model { y ~ dpois(2) }", "y <- 1.5", "outside the support {0,1,2,...}");
    bugs_wrong("model { y ~ dnorm(0, 1) }", "y <- 1e400",
               "y = inf is outside the support (-Inf,Inf) of dnorm");
    bugs_wrong("model { for (i in 1:n) { y[i] ~ dpois(2) } }",
               "n <- 2.5; y <- c(1, 3, 2)",
               "the loop over 'i' ends at 2.5; loops run over whole numbers");
    bugs_wrong(
        "model { x[1] ~ dnorm(x[3], 1); x[2] ~ dnorm(x[1], 1); x[3] <- x[2] }", NULL,
        "'x[1]' depends on itself: x[1] (line 1) <- x[3] (line 1) <- x[2] (line 1) <- "
        "x[1]");
    bugs_wrong("var x[2]; model { x[3] <- 1 }", NULL,
               "index 3 of 'x' is out of range 1..2");
    bugs_warned("model {\n  mu ~ dnorm(0, 1); y ~ dnorm(mu, 1)\n  new ~ dnorm(0, 1)\n}",
                "y <- 1", "m.bug:3:3: warning: nothing depends on 'new'");
    bugs_warned(
        "model {\n  mu ~ dnorm(0, 1)\n  Y ~ dnorm(mu, 1)\n}", "y <- 1",
        "m.bug:3:3: warning: nothing depends on 'Y': the data say nothing about it, as "
        "no node has data");
    bugs_warned(
        "model { a ~ dnorm(0, 1) }", "n <- 1\nunused <- 2",
        "data.R:2:1: warning: 'unused' is in the data, but the model does not use "
        "it");
}

/* Refused at once, whatever they multiply to. */
static void test_too_large(void **state)
{
    (void)state;
    bugs_wrong("model { for (i in 1:1000000000000) { a[i] <- 1 } }", NULL,
               "the loops make more than 1000000 instances");
    bugs_wrong("model { for (i in 1:1000000) { for (j in 1:1000000) { a[i,j] <- 1 } } }",
               NULL, "the loops make more than 1000000 instances");
    bugs_wrong(
        "model { x[1] <- 1; for (i in 2:100000) { x[i] ~ dnorm(sum(x[1:(i-1)]), 1) } }",
        NULL, "the relations refer to more than 16000000 elements in all");
    bugs_wrong("model { x[1000000000000] <- 1 }", NULL, "larger than any array can be");
    bugs_wrong("model { x[10000,10000] <- 1 }", NULL, "more than 1000000 elements");
    bugs_wrong("model { x[9e5,9e5,9e5,9e5,9e5] <- 1 }", NULL,
               "more than 1000000 elements");
    bugs_wrong("model { a <- sum(1:1e15) }", NULL, "has too many elements");
    bugs_wrong("model { a <- sum(rep(1, 1e15)) }", NULL, "the repetitions of rep()");
    bugs_wrong("model { for (i in 1:100000) { a[i] <- sum(i:900000) } }", NULL,
               "ranges and rep() make more than 4000000 elements in all (at i=");
    bugs_wrong("model { for (i in 1:100000) { a[i] <- sum(rep(i, 900000)) } }", NULL,
               "ranges and rep() make more than 4000000 elements in all (at i=");
    bugs_wrong("var x[1e15]; model { a <- 1 }", NULL, "dimension 1 of 'x'");
}

/* A chain as long as the data, defined from its end: no recursion. */
/* What JAGS refuses is read as WinBUGS reads it, if that makes sense. */
static void test_winbugs(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { for (i in 2:n-1) { m[i] <- x[i-1] + x[i+1] }\n"
        "  for (i in 1:n) { y[i] <- s * x[i] }\n  s <- k[1] / 2\n"
        "  for (i in n - 3:n) { y[i] ~ dnorm(mu, 1) }\n  mu ~ dnorm(k[1], 1) }",
        "x <- c(1, 2, 4, 8); n <- 4; k <- c(6, 7)");
    assert_int_equal(kind_of(r, "m[2]"), DLPI_CELL_CONSTANT);
    bugs_expect_text(r, false, "m.bug:1:19: warning: this range ends after the sum");
    bugs_expect_text(r, false, "m.bug:2:20: warning: 'y' is computed from the data");
    bugs_expect_text(r, false, "m.bug:3:3: warning: 's' is computed from the data");
    assert_int_equal(kind_of(r, "y[4]"), DLPI_CELL_OBSERVED);
    assert_float_equal(bugs_value(r, "y[4]"), 24, 1e-15);
    expect_sound(r->graph);
    bugs_close(r);
    /* a sum of observed nodes that their own distributions need */
    r = bugs_good("model { y ~ dbin(p, t)\n t <- x + y\n p ~ dunif(0, 1) }",
                  "x <- 2; y <- 3");
    assert_float_equal(bugs_value(r, "t"), 5, 1e-15);
    assert_int_equal(kind_of(r, "y"), DLPI_CELL_OBSERVED);
    bugs_close(r);
    /* one for the ones trick */
    bugs_warned("model { one ~ dbern(p)\n one <- 1\n p ~ dunif(0, 1) }", NULL,
                "m.bug:2:2: warning: 'one' is computed from the data and taken as data");
    /* what JAGS accepts means what it means there */
    r = bugs_good("model { for (i in 2:n-1) { z[i] <- i }\n}", "n <- 3");
    assert_float_equal(bugs_value(r, "z[1]"), 1, 1e-15);
    assert_int_equal(r->found.n, 0);
    bugs_close(r);
    r = bugs_open("model { for (i in 1:n-1) { z[i] <- w } }", "data.R", "n <- 3");
    bugs_expect_text(r, false, "m.bug:1:19: warning: 1:n-1 means (1:n)-1, as in JAGS");
    bugs_close(r);
    bugs_wrong("model { a ~ dnorm(0, 1) I(, b)\n b ~ dnorm(0, 1) I(a, ) }", NULL,
               "of two bounds that refer to each other, keep the one of the later node");
    /* then the rest is what is wrong */
    bugs_wrong("model { y <- 2 * x\n y ~ dnorm(m, 1)\n m <- m + 1 }", "x <- 1",
               "m.bug:3:2: error: 'm' depends on itself");
}

/* One error at each place, although every round of the loop has it. */
static void test_said_once(void **state)
{
    (void)state;
    bugs_read *r = bugs_open(
        "model { for (i in 1:3) { y[i] ~ dnorm(b[g[i]], 1) }\n"
        "  b[1] ~ dnorm(0, 1) }",
        "data.R", "y <- c(1, 2, 3); g <- c(2, 2, 2)");
    assert_int_equal(r->found.n_errors, 1);
    bugs_expect_text(r, true, "index 2 of 'b' is out of range 1..1 (from b[g[i]] at i=1");
    bugs_close(r);
}

static void test_long_chain(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { for (i in 1:99999) { x[i] ~ dnorm(x[i + 1], 1) }\n"
        "  x[100000] ~ dnorm(0, 1) }",
        NULL);
    assert_int_equal(r->graph->n_order, 100000);
    assert_int_equal(r->graph->order[0], 1);
    bugs_close(r);
}

/* The examples of the classic volumes, where they are. */
static void test_examples(void **state)
{
    (void)state;
    static const char *const name[] = {
        "beetles-logit", "blocker", "dipper", "dugongs", "dyes",  "epil2",  "hearts",
        "oxford",        "pump",    "rats",   "salm",    "seeds", "stacks", "surgical"};
    const char *folder = getenv("DELAPLACE_BUGS_EXAMPLES");
    if (!folder || access(folder, R_OK) != 0) {
        print_message("skipped: DELAPLACE_BUGS_EXAMPLES names no folder\n");
        skip();
    }
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char model[500], data[500];
        snprintf(model, sizeof model, "%s/%s/model.bug", folder, name[i]);
        snprintf(data, sizeof data, "%s/%s/data.json", folder, name[i]);
        const char *const path = data;
        const dlpi_bugs_input input = {
            .model_path = model, .n_data_paths = 1, .data_path = &path};
        bugs_read *r = calloc(1, sizeof *r);
        assert_ok(dlpi_bugs_read(&input, &r->graph, &r->found, error));
        expect_sound(r->graph);
        bugs_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_data_block),
        cmocka_unit_test(test_latent_index), cmocka_unit_test(test_from_memory),
        cmocka_unit_test(test_messages),     cmocka_unit_test(test_more_messages),
        cmocka_unit_test(test_too_large),    cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_examples),     cmocka_unit_test(test_winbugs),
        cmocka_unit_test(test_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
