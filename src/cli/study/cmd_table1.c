/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace study table1: logistic regressions on the labels of Yeast and Scene. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/study/study.h"

static int run(const void *settings)
{
    dlpi_study studies[] = {dlpi_study_of_yeast(), dlpi_study_of_scene()};
    cli_study_table table = {
        .name = "table1",
        .title = "Table 1: Bayesian logistic regression, one fit per label",
        .remarks =
            "The published rows of jaakkola-jordan are not what that method gives: see "
            "docs/study.md.",
        .studies = sizeof studies / sizeof studies[0],
        .study = studies,
    };
    return cli_study_run(settings, &table);
}

const cli_command cli_study_table1_command = {
    .name = "study table1",
    .summary = "the paper's Table 1: logistic regression on Yeast and Scene",
    .description =
        "Fits a Bayesian logistic regression to each label of the Yeast and Scene data "
        "with each method, on the published training rows, and scores it on the test "
        "rows. The features are taken as they are; the prior of all coefficients, "
        "including the intercept, is N(0, I).\n\nPrints accuracy and log likelihood per "
        "row, averaged over the labels, beside those of the paper, with paired t-tests "
        "over the labels.\n\nDIR holds yeast/yeast-train.arff, yeast/yeast-test.arff, "
        "scene/scene-train.arff and scene/scene-test.arff of the Mulan library.",
    .example = "  delaplace study table1 --data DIR -o table1.csv\n",
    .options = cli_study_options,
    .settings_size = sizeof(cli_study_settings),
    .run = run,
};
