/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of questions to regressions share. */
#ifndef TESTS_QUESTIONS_SUPPORT_H
#define TESTS_QUESTIONS_SUPPORT_H

#include "regression_support.h"
#include "scratch_file.h"

#include <delaplace/draws.h>
#include <delaplace/questions.h>
#include <delaplace/random.h>
#include <delaplace/special.h>

static inline const dlp_answer *find(const dlp_answers *a, const char *label)
{
    for (dlp_index i = 0; i < a->n_values; i++)
        if (!strcmp(a->value[i].label, label)) return &a->value[i];
    for (dlp_index i = 0; i < a->n_changes; i++)
        if (!strcmp(a->change[i].label, label)) return &a->change[i];
    fail_msg("no answer '%s'", label);
    return NULL;
}

static inline void near(double x, double y, double within)
{
    if (!(fabs(x - y) <= within)) fail_msg("%.10g, not %.10g", x, y);
}

static inline dlp_answers *effects(const dlp_regression *r, const dlp_table *table,
                                   const char *of, const dlp_question_settings *s)
{
    dlp_answers *a = NULL;
    assert_ok(dlp_regression_effects(r, table, of, s, &a, error));
    return a;
}

static inline dlp_answers *means(const dlp_regression *r, const dlp_table *table,
                                 const char *of, const dlp_question_settings *s)
{
    dlp_answers *a = NULL;
    assert_ok(dlp_regression_means(r, table, of, s, &a, error));
    return a;
}

static inline dlp_regression *fit_family(const char *formula, const rows *r,
                                         const char *family)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = family;
    return fit(formula, r, &settings);
}

static inline dlp_answers *contrast(const dlp_regression *r, dlp_index n,
                                    const char *const *text)
{
    dlp_answers *a = NULL;
    assert_ok(dlp_regression_contrasts(r, n, text, NULL, &a, error));
    return a;
}

#endif
