/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a study: the means as a JSON object, and every fit as a CSV file. */
#include "cli/message.h"
#include "cli/study/study.h"
#include "io/json.h"
#include "io/print_file.h"

#include <stdio.h>

/* ---- JSON ---- */

static json_t *arm_json(const dlpi_study *study, int i)
{
    const dlpi_study_arm *arm = &study->arm[i];
    const dlpi_study_score mean = dlpi_study_mean(study, i);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "setting",
                     dlpi_study_setting(arm), "method", arm->method, "accuracy",
                     dlpi_json_real(mean.accuracy), "log_likelihood",
                     dlpi_json_real(mean.log_likelihood), "log_likelihood_averaged",
                     dlpi_json_real(mean.log_likelihood_averaged), "printed_accuracy",
                     dlpi_json_real(arm->accuracy / 100), "printed_log_likelihood",
                     dlpi_json_real(arm->log_likelihood), "seconds",
                     dlpi_json_real(mean.seconds), "outcome",
                     dlp_outcome_name(mean.outcome));
}

static json_t *test_json(const dlpi_study *study, const dlpi_study_claim *claim,
                         dlpi_study_measure measure)
{
    const dlp_paired_test test = dlpi_study_compare(study, claim, measure);
    return json_pack("{s:o, s:o, s:I, s:o}", "gain", dlpi_json_real(test.difference), "t",
                     dlpi_json_real(test.t), "df", (json_int_t)test.df, "p",
                     dlpi_json_real(test.p));
}

static json_t *claim_json(const dlpi_study *study, const dlpi_study_claim *claim)
{
    const dlpi_study_arm *better = &study->arm[claim->better];
    const dlpi_study_arm *than = &study->arm[claim->than];
    return json_pack("{s:[s, s], s:[s, s], s:o, s:o}", "better",
                     dlpi_study_setting(better), better->method, "than",
                     dlpi_study_setting(than), than->method, "accuracy",
                     test_json(study, claim, DLPI_STUDY_ACCURACY), "log_likelihood",
                     test_json(study, claim, DLPI_STUDY_LOG_LIKELIHOOD));
}

static json_t *study_json(const dlpi_study *study)
{
    json_t *names = json_array(), *arms = json_array(), *tests = json_array();
    int failed = 0;
    for (dlp_index i = 0; i < study->problems; i++)
        failed |= json_array_append_new(names, dlpi_json_text(study->names[i].name));
    for (int i = 0; i < study->arms; i++)
        if (dlpi_study_ran(study, i))
            failed |= json_array_append_new(arms, arm_json(study, i));
    for (int i = 0; i < study->claims; i++)
        if (dlpi_study_is_tested(study, &study->claim[i]))
            failed |= json_array_append_new(tests, claim_json(study, &study->claim[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:o, s:o}", "data", study->data, "unit", study->unit,
                  "problems", names, "arms", arms, "tests", tests);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

json_t *cli_study_json(const cli_study_table *table)
{
    json_t *studies = json_array();
    int failed = 0;
    for (int i = 0; i < table->studies; i++)
        failed |= json_array_append_new(studies, study_json(&table->study[i]));
    json_t *root = json_pack("{s:s, s:o}", "study", table->name, "data", studies);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

/* ---- CSV ---- */

static void write_problem(FILE *out, const dlpi_study *study, dlp_index problem)
{
    for (int i = 0; i < study->arms; i++) {
        if (!dlpi_study_ran(study, i)) continue;
        const dlpi_study_arm *arm = &study->arm[i];
        const dlpi_study_score *score = &study->score[problem * study->arms + i];
        fprintf(out, "%s,%td,%s,%s,%.10g,%.10g,%.10g,%.3g,%s\n", study->data, problem + 1,
                dlpi_study_setting(arm), arm->method, score->accuracy,
                score->log_likelihood, score->log_likelihood_averaged, score->seconds,
                dlp_outcome_name(score->outcome));
    }
}

static void write_studies(FILE *out, const void *what)
{
    const cli_study_table *table = what;
    fprintf(out,
            "data,%s,setting,method,accuracy,log_likelihood,log_likelihood_averaged,"
            "seconds,outcome\n",
            table->study[0].unit);
    for (int i = 0; i < table->studies; i++)
        for (dlp_index j = 0; j < table->study[i].problems; j++)
            write_problem(out, &table->study[i], j);
}

dlp_status cli_study_write_csv(const cli_study_table *table, const char *path,
                               dlp_error *error)
{
    return dlpi_print_file(path, write_studies, table, error);
}
