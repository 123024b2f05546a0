/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the arms of a study: means over the problems, and paired t-tests. */
#include "study/study.h"

#include "core/core.h"

const char *dlpi_study_setting(const dlpi_study_arm *arm)
{
    if (arm->grouping == DLP_UNGROUPED) return "";
    return arm->paper_sigma0 ? "hierarchical*" : dlp_grouping_name((int)arm->grouping);
}

static const dlpi_study_score *score_of(const dlpi_study *study, dlp_index problem,
                                        int arm)
{
    return &study->score[problem * study->arms + arm];
}

bool dlpi_study_ran(const dlpi_study *study, int arm)
{
    return score_of(study, 0, arm)->outcome != DLP_RUNNING;
}

bool dlpi_study_is_tested(const dlpi_study *study, const dlpi_study_claim *claim)
{
    return dlpi_study_ran(study, claim->better) && dlpi_study_ran(study, claim->than);
}

static double measured(const dlpi_study_score *score, dlpi_study_measure measure)
{
    const double value[] = {[DLPI_STUDY_ACCURACY] = score->accuracy,
                            [DLPI_STUDY_LOG_LIKELIHOOD] = score->log_likelihood,
                            [DLPI_STUDY_LOG_LIKELIHOOD_AVERAGED] =
                                score->log_likelihood_averaged};
    return value[measure];
}

static double mean_of(const dlpi_study *study, int arm, dlpi_study_measure measure)
{
    double *value = study->paired;
    for (dlp_index i = 0; i < study->problems; i++)
        value[i] = measured(score_of(study, i, arm), measure);
    return dlp_mean(study->problems, value);
}

dlpi_study_score dlpi_study_mean(const dlpi_study *study, int arm)
{
    dlpi_study_score mean = {.accuracy = mean_of(study, arm, DLPI_STUDY_ACCURACY),
                             .log_likelihood =
                                 mean_of(study, arm, DLPI_STUDY_LOG_LIKELIHOOD),
                             .log_likelihood_averaged =
                                 mean_of(study, arm, DLPI_STUDY_LOG_LIKELIHOOD_AVERAGED),
                             .outcome = DLP_CONVERGED};
    for (dlp_index i = 0; i < study->problems; i++) {
        const dlpi_study_score *score = score_of(study, i, arm);
        mean.seconds += score->seconds;
        if (mean.outcome == DLP_CONVERGED) mean.outcome = score->outcome;
    }
    return mean;
}

dlp_paired_test dlpi_study_compare(const dlpi_study *study, const dlpi_study_claim *claim,
                                   dlpi_study_measure measure)
{
    double *better = study->paired, *than = study->paired + study->problems;
    for (dlp_index i = 0; i < study->problems; i++) {
        better[i] = measured(score_of(study, i, claim->better), measure);
        than[i] = measured(score_of(study, i, claim->than), measure);
    }
    return dlp_paired_test_of(study->problems, better, than);
}
