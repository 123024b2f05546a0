/* SPDX-License-Identifier: BSD-3-Clause */
/* A study as a text table: our numbers beside the paper's, then the tests. */
#include "cli/print.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdio.h>

/* "hierarchical laplace" */
static void print_arm(const dlpi_study_arm *arm)
{
    const char *setting = dlpi_study_setting(arm);
    printf("  %-*s%-16s", *setting ? 14 : 0, setting, arm->method);
}

static void print_arm_row(const dlpi_study *study, int i)
{
    const dlpi_study_arm *arm = &study->arm[i];
    const dlpi_study_score mean = dlpi_study_mean(study, i);
    print_arm(arm);
    printf("%7.2f %% %7.1f %% %10.4f %8.3f %10.4f %8.2f", 100 * mean.accuracy,
           arm->accuracy, mean.log_likelihood, arm->log_likelihood,
           mean.log_likelihood_averaged, mean.seconds);
    if (mean.outcome != DLP_CONVERGED) printf("  %s", dlp_outcome_name(mean.outcome));
    putchar('\n');
}

static void print_test(const dlp_paired_test *test)
{
    if (isnan(test->t))
        printf("%8s %6s", "-", "-");
    else
        printf("%8.2f %6.3f", test->t, test->p);
}

static void print_claim(const dlpi_study *study, const dlpi_study_claim *claim)
{
    const dlp_paired_test accuracy =
        dlpi_study_compare(study, claim, DLPI_STUDY_ACCURACY);
    const dlp_paired_test likelihood =
        dlpi_study_compare(study, claim, DLPI_STUDY_LOG_LIKELIHOOD);
    print_arm(&study->arm[claim->better]);
    fputs("over", stdout);
    print_arm(&study->arm[claim->than]);
    printf("%+6.2f %%", 100 * accuracy.difference);
    print_test(&accuracy);
    printf("%+11.4f", likelihood.difference);
    print_test(&likelihood);
    putchar('\n');
}

static bool has_groups(const dlpi_study *study)
{
    return study->arm[0].grouping != DLP_UNGROUPED;
}

static void print_arms(const dlpi_study *study)
{
    const int margin = has_groups(study) ? 32 : 18;
    printf("\n%s: %td %s%s\n\n", study->data, study->problems, study->unit,
           cli_plural(study->problems));
    printf("%*s%20s %19s %10s\n", margin, "", "accuracy", "log likelihood", "averaged");
    printf("%*s%9s %9s %10s %8s %10s %8s\n", margin, "", "ours", "printed", "ours",
           "printed", "over q", "seconds");
    for (int i = 0; i < study->arms; i++)
        if (dlpi_study_ran(study, i)) print_arm_row(study, i);
}

/* Returns how many were printed. */
static int print_claims(const dlpi_study *study)
{
    const int margin = has_groups(study) ? 68 : 40;
    int printed = 0;
    for (int i = 0; i < study->claims; i++) {
        if (!dlpi_study_is_tested(study, &study->claim[i])) continue;
        if (printed++ == 0) {
            printf("\n%*s%23s %25s\n", margin, "", "accuracy", "log likelihood");
            printf("%*s%8s%8s %6s%11s%8s %6s\n", margin, "", "gain", "t", "p", "gain",
                   "t", "p");
        }
        print_claim(study, &study->claim[i]);
    }
    return printed;
}

void cli_study_print(const cli_study_table *table)
{
    int claims = 0;
    printf("%s\n", table->title);
    for (int i = 0; i < table->studies; i++) {
        print_arms(&table->study[i]);
        claims += print_claims(&table->study[i]);
    }
    putchar('\n');
    if (claims > 0)
        printf(
            "The t-tests are paired over the %ss; p is one-sided: the probability of at "
            "least such\na gain if there were none. ",
            table->study[0].unit);
    printf("Seconds are for all fits together.\n%s\n", table->remarks);
}
