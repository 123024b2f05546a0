/* SPDX-License-Identifier: BSD-3-Clause */
/* Plate diagrams: what they show, and that nothing overlaps or lies outside where it
   should not. */
#include "bugs_support.h"

#include "bugs/diagram/diagram.h"
#include "language/graph_owner.h"

#include <math.h>

static dlpi_diagram diagram_of(const bugs_read *r)
{
    dlpi_diagram d;
    assert_ok(dlpi_diagram_make(&dlpi_owner_of(r->graph)->syntax, r->graph, &d, error));
    assert_ok(dlpi_diagram_place(&d, error));
    return d;
}

static const dlpi_drawn_node *node(const dlpi_diagram *d, const char *name)
{
    for (int i = 0; i < d->n_nodes; i++)
        if (strcmp(d->node[i].name, name) == 0) return &d->node[i];
    fail_msg("no node %s", name);
    return NULL;
}

static bool has_edge(const dlpi_diagram *d, const char *from, const char *to)
{
    for (int i = 0; i < d->n_edges; i++)
        if (strcmp(d->node[d->edge[i].from].name, from) == 0 &&
            strcmp(d->node[d->edge[i].to].name, to) == 0)
            return true;
    return false;
}

static bool inside(const dlpi_diagram *d, int k, int plate)
{
    int p = d->node[k].plate;
    while (p >= 0 && p != plate) p = d->plate[p].parent;
    return p >= 0;
}

/* Nodes do not touch; a node is in a plate where it belongs, and else beside it; arrows lead
   down. */
static void check_places(const dlpi_diagram *d)
{
    for (int i = 0; i < d->n_nodes; i++) {
        const dlpi_drawn_node *a = &d->node[i];
        assert_true(a->x - a->rx >= 0 && a->x + a->rx <= d->width);
        assert_true(a->y - a->ry >= 0 && a->y + a->ry <= d->height);
        for (int j = 0; j < i; j++)
            assert_true(fabs(a->x - d->node[j].x) >= a->rx + d->node[j].rx ||
                        fabs(a->y - d->node[j].y) >= a->ry + d->node[j].ry);
        for (int p = 0; p < d->n_plates; p++) {
            const dlpi_drawn_plate *q = &d->plate[p];
            const bool in = a->x - a->rx > q->left && a->x + a->rx < q->right &&
                            a->y - a->ry > q->top && a->y + a->ry < q->bottom;
            const bool out = a->x + a->rx < q->left || a->x - a->rx > q->right ||
                             a->y + a->ry < q->top || a->y - a->ry > q->bottom;
            assert_true(inside(d, i, p) ? in : out);
        }
    }
    for (int i = 0; i < d->n_edges; i++)
        assert_true(d->edge[i].back ||
                    d->node[d->edge[i].from].y < d->node[d->edge[i].to].y);
}

/* The hierarchical logistic regression and the topic model of the paper's figures (P70). */
static void test_hierarchy(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { for (m in 1:M) { theta[m] ~ dnorm(mu, tau)\n"
        "for (n in 1:N) { y[m, n] ~ dbern(p[m, n])\n logit(p[m, n]) <- theta[m] * x[m, "
        "n] } }\n"
        "mu ~ dnorm(0, 1)\n tau ~ dgamma(1, 1) }",
        "M <- 2\nN <- 3\ny <- structure(c(0, 1, NA, 1, 0, 1), .Dim = c(2, 3))\n"
        "x <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(2, 3))");
    dlpi_diagram d = diagram_of(r);
    check_places(&d);
    assert_int_equal(d.n_nodes, 6);
    assert_int_equal(d.n_edges, 5);
    assert_int_equal(d.n_plates, 2);
    assert_true(has_edge(&d, "mu", "theta") && has_edge(&d, "tau", "theta"));
    assert_true(has_edge(&d, "theta", "p") && has_edge(&d, "x", "p"));
    assert_true(has_edge(&d, "p", "y"));
    assert_int_equal(node(&d, "p")->kind, DLPI_DRAWN_DETERMINISTIC);
    assert_int_equal(node(&d, "x")->kind, DLPI_DRAWN_CONSTANT);
    assert_int_equal(node(&d, "y")->observed, 5);
    assert_int_equal(node(&d, "y")->latent, 1);
    assert_int_equal(node(&d, "x")->plate, node(&d, "y")->plate);
    assert_int_equal(d.plate[node(&d, "y")->plate].parent, node(&d, "theta")->plate);
    assert_string_equal(d.plate[node(&d, "theta")->plate].label, "m in 1:M = 2");
    dlpi_diagram_clear(&d);
    bugs_close(r);
}

static void test_topics(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { for (d in 1:2) { theta[d, 1:2] ~ dmnorm(mu0, Omega)\n"
        "for (k in 1:2) { pi[d, k] <- exp(theta[d, k]) }\n"
        "for (n in 1:3) { z[d, n] ~ dcat(pi[d, ])\n w[d, n] ~ dcat(beta[z[d, n], ]) } }\n"
        "for (k in 1:2) { beta[k, 1:3] ~ ddirch(c(1, 1, 1)) } }",
        "mu0 <- c(0, 0)\nOmega <- structure(c(1, 0, 0, 1), .Dim = c(2, 2))\n"
        "w <- structure(c(1, 2, 3, 1, 2, 2), .Dim = c(2, 3))");
    dlpi_diagram d = diagram_of(r);
    check_places(&d);
    assert_true(has_edge(&d, "z", "w") && has_edge(&d, "beta", "w"));
    assert_true(has_edge(&d, "pi", "z") && has_edge(&d, "Omega", "theta"));
    assert_int_equal(node(&d, "w")->plate, node(&d, "z")->plate);
    dlpi_diagram_clear(&d);
    bugs_close(r);
}

/* Variables that depend on each other through time, and on themselves. */
static void test_cycles(void **state)
{
    (void)state;
    bugs_read *r = bugs_good(
        "model { a[1] ~ dnorm(0, 1)\n b[1] ~ dnorm(0, 1)\n"
        "for (t in 2:5) { a[t] ~ dnorm(a[t-1] + b[t-1], 1)\n b[t] ~ dnorm(a[t-1], 1) } }",
        "N <- 1");
    dlpi_diagram d = diagram_of(r);
    check_places(&d);
    assert_true(node(&d, "a")->itself);
    assert_false(node(&d, "b")->itself);
    assert_int_equal(d.edge[0].back + d.edge[1].back, 1);
    dlpi_diagram_clear(&d);
    bugs_close(r);
}

static void test_svg(void **state)
{
    (void)state;
    char *svg;
    size_t size;
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text =
        "model { for (i in 1:N) { y[i] ~ dnorm(mu, 1) T(0,) }\n mu ~ dflat() }";
    input.model_name = "<&>.bug";
    assert_ok(dlp_bugs_draw(&input, &svg, &size, error));
    assert_int_equal(strlen(svg), size);
    assert_non_null(strstr(svg, "&lt;&amp;&gt;.bug"));
    assert_non_null(strstr(svg, "i in 1:N"));
    assert_null(strstr(svg, "class=\"node observed\""));
    free(svg);
    input.data_text = "y <- c(1, 2)\nN <- 2";
    input.data_name = "data.R";
    assert_ok(dlp_bugs_draw(&input, &svg, &size, error));
    assert_non_null(strstr(svg, "class=\"node observed\""));
    assert_non_null(strstr(svg, "i in 1:N = 2"));
    free(svg);
    dlp_error wrong = {0};
    input = dlp_bugs_input_default();
    assert_int_equal(dlp_bugs_draw(&input, &svg, &size, &wrong), DLP_EINVAL);
    input.model_text = "model { y ~ }";
    assert_int_equal(dlp_bugs_draw(&input, &svg, &size, &wrong), DLP_EINPUT);
    input.model_text = "model { }";
    assert_int_not_equal(dlp_bugs_draw(&input, &svg, &size, &wrong), DLP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_topics),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
