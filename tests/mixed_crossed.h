/* SPDX-License-Identifier: BSD-3-Clause */
/* A response of 0 and 1 with an intercept for each level of two groupings. */
#ifndef TESTS_MIXED_CROSSED_H
#define TESTS_MIXED_CROSSED_H

#include "glm/families/family.h"
#include "mixed/mixed.h"

typedef struct grouping {
    dlp_index L;
    const int32_t *code;
} grouping;

typedef struct crossed {
    double scale[2];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
    dlpi_mixed_prior prior;
} crossed;

/* X (p): the first column is of ones. What is given must outlive the model, which must not
   move. */
static inline void make_crossed(crossed *c, dlp_index N, const double *y, dlp_index p,
                                const double *const *X, const double *precision,
                                grouping first, grouping second)
{
    *c = (crossed){
        .scale = {2.5, 2.5},
        .term = {{.L = first.L, .q = 1, .code = first.code, .x = X},
                 {.L = second.L, .q = 1, .code = second.code, .x = X}},
        .data = {.likelihood = dlpi_family_find("bernoulli", NULL)->evaluate,
                 .N = N,
                 .p = p,
                 .X = X,
                 .y = y,
                 .n_terms = 2,
                 .term = c->term},
        .prior = {
            .precision = precision, .sd_scale = c->scale, .sd_df = 3, .correlation = 1}};
}

#endif
