/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas as in R: which columns of a table explain which, and how.
 *
 *   y ~ x1 + x2              y ~ . - id                 log(y) ~ 0 + group
 *   y ~ a * b                y ~ (a + b + c)^2          y ~ (1 + x | school)
 *   y ~ x + I(x^2)           y ~ factor(year)           y ~ x + offset(log(n))
 *   y ~ x + (x || g)         y ~ x + (1 | a/b)          y ~ x + (1 | a:b) + (1 | c)
 *   cbind(won, lost) ~ x     ~ x, without a response
 *
 * design.h turns them into columns of numbers.
 */
#ifndef DELAPLACE_FORMULA_H
#define DELAPLACE_FORMULA_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_formula dlp_formula;

/*
 * Parses text, which is copied. On failure *formula is NULL and the error points at the
 * place:
 *
 *   formula:1:9: expected a variable, found '+'
 *     y ~ x + + z
 *             ^
 *
 * Any name is accepted here; dlp_design_build checks that it is a column. O(length).
 */
DLP_API dlp_status dlp_formula_parse(const char *text, dlp_formula **formula,
                                     dlp_error *error);
DLP_API void dlp_formula_free(dlp_formula *formula); /* NULL is fine */

/* How many groupings the bars of the formula have, and the i-th, from 0: the column,
   "school" in (1 + x | school), or the columns joined by ':'. (1 | a/b) has two, "a" and
   "a:b". NULL past the last. dlp_design_build accepts only one, of a single column,
   unless dlp_design_options.random is set. */
DLP_API dlp_index dlp_formula_groups(const dlp_formula *formula);
DLP_API const char *dlp_formula_group(const dlp_formula *formula, dlp_index i);

#ifdef __cplusplus
}
#endif

#endif
