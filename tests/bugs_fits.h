/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of small models in the tests of posteriors. */
#ifndef DLP_TESTS_BUGS_FITS_H
#define DLP_TESTS_BUGS_FITS_H

#include "support.h"

#include <delaplace/bugs.h>
#include <math.h>

typedef struct fitted {
    dlp_bugs *model;
    const dlp_bugs_result *result;
} fitted;

static inline fitted bugs_fit(const dlp_bugs_input *input,
                              const dlp_bugs_settings *settings)
{
    dlp_error error = {0};
    fitted f = {0};
    if (dlp_bugs_read(input, &f.model, &error) != DLP_OK ||
        dlp_bugs_fit(f.model, settings, &error) != DLP_OK)
        fail_msg("%s", error.message);
    f.result = dlp_bugs_result_of(f.model);
    assert_int_equal(f.result->outcome, DLP_CONVERGED);
    return f;
}

/* data as R dumps them */
static inline fitted bugs_fit_text(const char *model, const char *data,
                                   const dlp_bugs_settings *settings)
{
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text = model;
    input.data_text = data;
    input.data_name = "data.R";
    return bugs_fit(&input, settings);
}

static inline const dlp_bugs_node *node_of(const fitted *f, const char *name)
{
    for (dlp_index i = 0; i < f->result->n_nodes; i++)
        if (!strcmp(f->result->node[i].name, name)) return &f->result->node[i];
    fail_msg("no node %s", name);
    return NULL;
}

static inline void expect(const fitted *f, const char *name, double mean, double sd,
                          double tolerance)
{
    const dlp_bugs_node *node = node_of(f, name);
    assert_near(node->margin.mean, mean, tolerance);
    assert_near(node->margin.sd, sd, tolerance);
}

#endif
