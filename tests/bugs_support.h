/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the modelling language share. */
#ifndef DLP_TESTS_BUGS_SUPPORT_H
#define DLP_TESTS_BUGS_SUPPORT_H

#include "language/model.h"
#include "support.h"

typedef struct bugs_read {
    dlpi_graph *graph; /* NULL: there are errors */
    dlpi_diagnostics found;
    dlp_error error;
} bugs_read;

/* Reads a model and data (NULL: none), both texts. */
static inline bugs_read *bugs_open(const char *model, const char *data_name,
                                   const char *data)
{
    bugs_read *r = calloc(1, sizeof *r);
    assert_non_null(r);
    const dlpi_bugs_input input = {.model_text = model,
                                   .model_name = "m.bug",
                                   .data_text = data,
                                   .data_name = data_name,
                                   .limit = 1000000};
    const dlp_status status = dlpi_bugs_read(&input, &r->graph, &r->found, &r->error);
    assert_int_equal(status == DLP_OK, r->graph != NULL);
    assert_int_equal(status == DLP_OK, r->found.n_errors == 0);
    return r;
}

static inline void bugs_close(bugs_read *r)
{
    dlpi_graph_free(r->graph);
    dlpi_diagnostics_clear(&r->found);
    free(r);
}

/* A model that has no error. */
static inline bugs_read *bugs_good(const char *model, const char *data)
{
    bugs_read *r = bugs_open(model, "data.R", data);
    if (!r->graph) print_error("%s\n", r->error.message);
    assert_non_null(r->graph);
    return r;
}

/* The cell of a name as dlpi_cell_name writes it; fails where there is none. */
static inline dlp_index bugs_cell(const dlpi_graph *graph, const char *name)
{
    char text[200];
    for (dlp_index i = 0; i < graph->n_cells; i++) {
        dlpi_cell_name(graph, i, text, sizeof text);
        if (strcmp(text, name) == 0) return i;
    }
    print_error("no cell '%s'\n", name);
    fail();
    return -1;
}

static inline double bugs_value(const bugs_read *r, const char *name)
{
    return r->graph->value[bugs_cell(r->graph, name)];
}

static inline void bugs_expect_text(const bugs_read *r, bool is_error, const char *text)
{
    for (int i = 0; i < r->found.n; i++)
        if (r->found.item[i].is_error == is_error && strstr(r->found.item[i].text, text))
            return;
    print_error("not found: %s\nbut:\n", text);
    for (int i = 0; i < r->found.n; i++) print_error("%s\n", r->found.item[i].text);
    fail();
}

/* The model has an error whose text contains this. */
static inline void bugs_wrong(const char *model, const char *data, const char *text)
{
    bugs_read *r = bugs_open(model, "data.R", data);
    bugs_expect_text(r, true, text);
    bugs_close(r);
}

static inline void bugs_warned(const char *model, const char *data, const char *text)
{
    bugs_read *r = bugs_good(model, data);
    bugs_expect_text(r, false, text);
    bugs_close(r);
}

/* A deterministic x <- expression, computed. */
static inline void bugs_equal(const char *expression, double value)
{
    char model[1000];
    snprintf(model, sizeof model, "model { x <- %s }", expression);
    bugs_read *r = bugs_good(
        model, "v <- c(3.25, 1.5, 2)\nA <- structure(c(4, 1, 2, 3), .Dim = c(2, 2))");
    const double x = r->graph->value[bugs_cell(r->graph, "x")];
    if (!(fabs(x - value) <= 1e-12 * (1 + fabs(value))))
        print_error("%s is %.17g, not %.17g\n", expression, x, value);
    assert_close(x, value, 1e-12);
    bugs_close(r);
}

#endif
