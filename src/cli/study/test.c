/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the arms of a study: means over the problems, and paired t-tests. */
#include "cli/study/study.h"

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

bool cli_study_is_tested(const cli_study *study, const cli_study_claim *claim)
{
    return cli_study_ran(study, claim->better) && cli_study_ran(study, claim->than);
}

static double measured(const cli_study_score *score, cli_study_measure measure)
{
    const double value[] = {[CLI_ACCURACY] = score->accuracy,
                            [CLI_LOG_LIKELIHOOD] = score->log_likelihood,
                            [CLI_LOG_LIKELIHOOD_AVERAGED] =
                                score->log_likelihood_averaged};
    return value[measure];
}

static double mean_of(const cli_study *study, int arm, cli_study_measure measure)
{
    double *value = study->paired;
    for (dlp_index i = 0; i < study->problems; i++)
        value[i] = measured(score_of(study, i, arm), measure);
    return dlp_mean(study->problems, value);
}

cli_study_score cli_study_mean(const cli_study *study, int arm)
{
    cli_study_score mean = {.accuracy = mean_of(study, arm, CLI_ACCURACY),
                            .log_likelihood = mean_of(study, arm, CLI_LOG_LIKELIHOOD),
                            .log_likelihood_averaged =
                                mean_of(study, arm, CLI_LOG_LIKELIHOOD_AVERAGED),
                            .outcome = DLP_CONVERGED};
    for (dlp_index i = 0; i < study->problems; i++) {
        const cli_study_score *score = score_of(study, i, arm);
        mean.seconds += score->seconds;
        if (mean.outcome == DLP_CONVERGED) mean.outcome = score->outcome;
    }
    return mean;
}

dlp_paired_test cli_study_compare(const cli_study *study, const cli_study_claim *claim,
                                  cli_study_measure measure)
{
    double *better = study->paired, *than = study->paired + study->problems;
    for (dlp_index i = 0; i < study->problems; i++) {
        better[i] = measured(score_of(study, i, claim->better), measure);
        than[i] = measured(score_of(study, i, claim->than), measure);
    }
    return dlp_paired_test_of(study->problems, better, than);
}
