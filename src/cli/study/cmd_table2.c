/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace study table2: separate, pooled and hierarchical regressions on School. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/study/study.h"

static int run(const void *settings)
{
    dlpi_study studies[] = {dlpi_study_of_schools()};
    cli_study_table table = {
        .name = "table2",
        .title = "Table 2: logistic regressions of pupils in many schools",
        .remarks =
            "hierarchical* updates Sigma0 as published, without the groups' own "
            "uncertainty.\nThe published rows of jaakkola-jordan are not what that "
            "method gives: see docs/study.md.",
        .studies = sizeof studies / sizeof studies[0],
        .study = studies,
    };
    return cli_study_run(settings, &table);
}

const cli_command cli_study_table2_command = {
    .name = "study table2",
    .summary = "the paper's Table 2: regressions by school, on School",
    .description =
        "Predicts whether a pupil's score is above the median, with a logistic "
        "regression for each school, with one for all schools and with a hierarchical "
        "one, by each method, on each of the ten published splits. The features are "
        "taken as they are, with an intercept; the hyperpriors are the "
        "paper's.\n\nPrints accuracy and log likelihood per row, averaged over the "
        "splits, beside those of the paper, with paired t-tests over the splits.\n\nDIR "
        "holds school/school.csv, with the columns school, score and the features, "
        "sorted by school, and school/school_splits.csv, with one column per split that "
        "holds 1 for training rows and 0 for test rows.",
    .example = "  delaplace study table2 --data DIR -o table2.csv\n",
    .options = cli_study_options,
    .settings_size = sizeof(cli_study_settings),
    .run = run,
};
