/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/grade.h"

#include "core/core.h"
#include "glm/families/family.h"
#include "regression/prepare/student_df.h"
#include "regression/regression.h"

#include <delaplace/verification.h>

/* This many operations take about three hundredths of a second. */
static const double MOST_WORK = 1e8;
/* Up to this distance of the mean from the mode, in sds, the delta method's means and
   intervals are within 0.1 sd (study/glm-r.md). */
static const double NEAR = 0.3;
/* Beyond this lean, means and sds of a mixed model's coefficients may be off by more than
   0.05 sd and 3 %. */
static const double SKEWED = 0.5;
static const double TENTH = 0.1; /* of an sd: a small doubt */

/* A row costs its product with the coefficients, and a density. */
static double work_of(const dlp_regression_result *r, dlp_index draws)
{
    const double row = (double)r->n + (r->family->scale ? 40 : 10),
                 times = r->df_chosen ? DLPI_DF_POINTS : 1;
    return times * (double)draws * (double)r->rows * row;
}

/* Draws of a mixed model each take a search for the mode. */
static bool is_large(const dlp_regression_result *r, dlp_index draws)
{
    const dlp_index rows = 2000;
    return r->grouping == DLP_MIXED ? r->rows > rows : work_of(r, draws) > MOST_WORK;
}

static bool is_single(const dlp_regression_result *r)
{
    const bool one = r->grouping == DLP_POOLED || r->grouping == DLP_UNGROUPED;
    return one && r->outcome == DLP_CONVERGED && r->estimated;
}

static bool has_students(const dlp_regression_result *r)
{
    bool any = r->prior_df > 0 && !r->prior;
    for (dlp_index j = 0; r->prior && j < r->p; j++) any = any || r->prior[j].df > 0;
    return any;
}

/* Smooths of few rows whose density given the sds is not normal, and less so the larger these
   are: means and sds are corrected by what is found at one value of the sds. */
static bool has_few_rows_for_smooths(const dlp_regression_result *r)
{
    const dlp_index few = 300;
    return r->n_smooths > 0 && r->rows <= few && r->outcome == DLP_CONVERGED &&
           r->hyper != DLP_HYPER_MAP && !dlpi_is_gaussian(r->family);
}

/* A mixed model whose coefficients may be far from normal. */
static bool is_doubtful(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    return r->grouping == DLP_MIXED && r->outcome == DLP_CONVERGED && r->estimated &&
           (has_students(r) || regression->lean > SKEWED);
}

static double doubt_of(const dlp_regression *regression)
{
    if (regression->result.grouping != DLP_MIXED)
        return regression->shift > NEAR ? regression->shift : 0;
    return regression->lean > SKEWED ? regression->lean : 0;
}

/* Whether the weights say anything about it. */
static bool is_told(const dlp_regression_result *r)
{
    for (dlp_index i = 0; i < r->n; i++)
        if (r->verification->fit[0].parameter[i].grade != DLP_GRADE_UNKNOWN) return true;
    return false;
}

static void note_ungraded(dlp_regression *r, double shift)
{
    r->ungraded = (dlp_diagnostic){
        .kind = DLP_UNGRADED, .parameter = -1, .count = 1, .value = shift};
}

dlp_status dlpi_grade_fit(dlp_regression *regression, const dlp_table *table, int threads,
                          dlp_error *error)
{
    dlp_regression_result *r = &regression->result;
    dlp_verification_settings settings = dlp_verification_settings_default();
    dlp_error why = {0};
    settings.threads = threads;
    if (!is_single(r) && !is_doubtful(regression)) {
        if (has_few_rows_for_smooths(r)) note_ungraded(regression, TENTH);
        return DLP_OK;
    }
    if (is_large(r, settings.draws) || !dlp_regression_can_be_verified(r)) {
        const double doubt = doubt_of(regression);
        if (doubt > 0) note_ungraded(regression, doubt);
        return DLP_OK;
    }
    const dlp_status status = dlp_regression_verify(regression, table, &settings, &why);
    if (status == DLP_ENOMEM || status == DLP_EIO)
        return dlpi_advise(error, why.remedy, dlp_fail(error, status, "%s", why.message));
    if (status != DLP_OK) return DLP_OK; /* the fit stands without a grade */
    if (!is_told(r)) {
        r->verification = NULL;
        note_ungraded(regression, 0);
        return DLP_OK;
    }
    ((dlp_verification *)r->verification)->automatic = 1; /* it is in our pool */
    return DLP_OK;
}
