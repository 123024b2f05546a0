/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which terms of a formula are made of others: x:yr of x and of yr, I(yr^2) of yr. Those
 * are its parents; what they share with it is theirs, as a level is the intercept's. Of
 * functions of the same variables, such as I(yr^2) and I(yr^3), each has the earlier for a
 * parent too. Parents of parents are parents.
 */
#ifndef DLP_CLI_GLM_LINEAGE_H
#define DLP_CLI_GLM_LINEAGE_H

#include <delaplace.h>
#include <stdbool.h>

/* Of the terms of a design, without the intercept. Zeroed, it is empty. */
typedef struct cli_glm_lineage {
    dlp_index terms;
    dlp_index *order;  /* (terms) parents before children */
    dlp_index *begin;  /* (terms + 1) the parents of term t stand from begin[t] on */
    dlp_index *parent; /* (begin[terms]) */
} cli_glm_lineage;

/* O(terms^2), for terms that are a product or a function. */
dlp_status cli_glm_lineage_make(const dlp_design *design, cli_glm_lineage *lineage,
                                dlp_error *error);
/* Whether the column of that name is one factor, or a product of some, of another. */
bool cli_glm_is_part(const char *name, const char *of);
void cli_glm_lineage_clear(cli_glm_lineage *lineage);

#endif
