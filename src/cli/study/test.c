/* SPDX-License-Identifier: BSD-3-Clause */
/* Arms of a study compared: means, and paired t-tests of their differences. */
#include <delaplace/special.h>

#include "cli/study/study.h"

#include <math.h>

const char *cli_study_setting(const cli_study_arm *arm)
{
    if (arm->grouping == DLP_UNGROUPED) return "";
    return arm->paper_sigma0 ? "hierarchical*" : dlp_grouping_name((int)arm->grouping);
}

static const cli_study_score *score_of(const cli_study *study, dlp_index problem, int arm)
{
    return &study->score[problem * study->arms + arm];
}

bool cli_study_ran(const cli_study *study, int arm)
{
    return score_of(study, 0, arm)->outcome != DLP_RUNNING;
}

cli_study_score cli_study_mean(const cli_study *study, int arm)
{
    const double n = (double)study->problems;
    cli_study_score mean = {.outcome = DLP_CONVERGED};
    for (dlp_index i = 0; i < study->problems; i++) {
        const cli_study_score *score = score_of(study, i, arm);
        mean.accuracy += score->accuracy / n;
        mean.log_likelihood += score->log_likelihood / n;
        mean.log_likelihood_averaged += score->log_likelihood_averaged / n;
        mean.seconds += score->seconds;
        if (mean.outcome == DLP_CONVERGED) mean.outcome = score->outcome;
    }
    return mean;
}

bool cli_study_is_tested(const cli_study *study, const cli_study_claim *claim)
{
    return cli_study_ran(study, claim->better) && cli_study_ran(study, claim->than);
}

static double difference(const cli_study *study, dlp_index problem,
                         const cli_study_claim *claim, cli_study_measure measure)
{
    const cli_study_score *a = score_of(study, problem, claim->better);
    const cli_study_score *b = score_of(study, problem, claim->than);
    if (measure == CLI_ACCURACY) return a->accuracy - b->accuracy;
    return a->log_likelihood - b->log_likelihood;
}

cli_study_test cli_study_compare(const cli_study *study, const cli_study_claim *claim,
                                 cli_study_measure measure)
{
    const double n = (double)study->problems;
    double mean = 0, squares = 0;
    for (dlp_index i = 0; i < study->problems; i++)
        mean += difference(study, i, claim, measure) / n;
    for (dlp_index i = 0; i < study->problems; i++) {
        const double off = difference(study, i, claim, measure) - mean;
        squares += off * off;
    }
    cli_study_test test = {.difference = mean, .t = NAN, .df = study->problems - 1};
    if (squares > 0) test.t = mean / sqrt(squares / (n - 1) / n);
    test.p = dlp_student_cdf(-test.t, (double)test.df);
    return test;
}
