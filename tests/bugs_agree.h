/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of models in the language of BUGS beside numbers that are known. */
#ifndef DLP_TESTS_BUGS_AGREE_H
#define DLP_TESTS_BUGS_AGREE_H

#include "bugs/bugs.h"
#include "bugs_support.h"

typedef struct expected {
    double mean, sd, lower, median, upper;
} expected;

static inline dlp_bugs *read_model(const char *model, const char *data)
{
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    input.model_text = model;
    input.data_text = data;
    input.data_name = "data.R";
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    return bugs;
}

static inline dlp_bugs *fitted_by(const char *model, const char *data,
                                  const dlp_bugs_settings *settings)
{
    dlp_bugs *bugs = read_model(model, data);
    assert_ok(dlp_bugs_fit(bugs, settings, error));
    assert_int_equal(dlp_bugs_result_of(bugs)->outcome, DLP_CONVERGED);
    return bugs;
}

static inline dlp_bugs *fitted(const char *model, const char *data)
{
    return fitted_by(model, data, NULL);
}

static inline const dlp_margin *margin_of(const dlp_bugs *bugs, const char *name)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    for (dlp_index i = 0; i < r->n_nodes; i++)
        if (!strcmp(r->node[i].name, name)) return &r->node[i].margin;
    print_error("no node '%s'\n", name);
    fail();
    return NULL;
}

/* Mean within `close` sds, sd within as large a share of it. */
static inline void agrees(const dlp_bugs *bugs, const char *name, double mean, double sd,
                          double close)
{
    const dlp_margin *m = margin_of(bugs, name);
    assert_near(m->mean, mean, close * sd);
    assert_near(m->sd, sd, close * sd);
}

static inline void agrees_all(const dlp_bugs *bugs, const char *name, const expected *e,
                              double close)
{
    const dlp_margin *m = margin_of(bugs, name);
    agrees(bugs, name, e->mean, e->sd, close);
    assert_near(m->lower, e->lower, close * e->sd);
    assert_near(m->median, e->median, close * e->sd);
    assert_near(m->upper, e->upper, close * e->sd);
}

#endif
