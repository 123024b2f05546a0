/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which terms of a formula are made of others: x:yr of x and of yr, I(yr^2) of yr. Those
 * are its parents. Whatever a term has in common with its parents is counted as theirs,
 * just as a constant level is counted as the intercept's. Among functions of the same
 * variables, such as I(yr^2) and I(yr^3), those with shorter labels are parents too,
 * whatever their order in the formula. Parents of parents are parents.
 */
#ifndef DLPI_TABLE_MARGINS_H
#define DLPI_TABLE_MARGINS_H

#include <delaplace.h>
#include <stdbool.h>

/* The parents of a design's terms, without the intercept. Empty when zeroed. Internal. */
typedef struct dlpi_term_margins {
    dlp_index terms;
    dlp_index *order;  /* (terms) parents before children */
    dlp_index *begin;  /* (terms + 1) the parents of term t begin at begin[t] */
    dlp_index *parent; /* (begin[terms]) */
} dlpi_term_margins;

/* O(terms^2), for terms that are a product or a function. */
dlp_status dlpi_margins_find(const dlp_design *design, dlpi_term_margins *margins,
                             dlp_error *error);
/* Whether column k is one factor, or a product of some, of column j: each of its
   variables is one of column j, at the same level. */
bool dlpi_is_margin_of(const dlp_design *design, dlp_index k, dlp_index j);
void dlpi_margins_clear(dlpi_term_margins *margins);

#endif
