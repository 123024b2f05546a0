/* SPDX-License-Identifier: BSD-3-Clause */
/* Every command of the program, in the order in which help lists them. */
#ifndef DLP_CLI_COMMANDS_H
#define DLP_CLI_COMMANDS_H

#include "cli/options.h"

/* Ends with a NULL name. */
extern const cli_command_group cli_command_groups[];

/* The program itself, as a command without a name: the options before a command. */
extern const cli_command cli_program;

typedef struct cli_program_settings {
    cli_common common;
    bool version;
    bool json;
} cli_program_settings;

extern const cli_command cli_glm_fit_command;
extern const cli_command cli_glm_predict_command;
extern const cli_command cli_glm_evaluate_command;
extern const cli_command cli_glm_show_command;
extern const cli_command cli_glm_check_command;
extern const cli_command cli_glm_ppc_command;
extern const cli_command cli_glm_residuals_command;
extern const cli_command cli_glm_sbc_command;
extern const cli_command cli_glm_compare_command;
extern const cli_command cli_glm_cv_command;
extern const cli_command cli_glm_draws_command;
extern const cli_command cli_glm_effects_command;
extern const cli_command cli_glm_means_command;
extern const cli_command cli_glm_contrast_command;
extern const cli_command cli_glm_dose_command;
extern const cli_command cli_bugs_check_command;
extern const cli_command cli_corpus_convert_command;
extern const cli_command cli_corpus_stats_command;
extern const cli_command cli_corpus_split_command;
extern const cli_command cli_bugs_fit_command;
extern const cli_command cli_bugs_graph_command;
extern const cli_command cli_unigram_fit;
extern const cli_command cli_topics_fit_command;
extern const cli_command cli_topics_infer_command;
extern const cli_command cli_topics_evaluate_command;
extern const cli_command cli_topics_show_command;
extern const cli_command cli_topics_effects_command;
extern const cli_command cli_topics_search_command;
extern const cli_command cli_topics_label_command;
extern const cli_command cli_topics_stability_command;
extern const cli_command cli_topics_update_command;
extern const cli_command cli_topics_merge_command;
extern const cli_command cli_topics_export_command;
extern const cli_command cli_corpus_build_command;
extern const cli_command cli_study_table1_command;
extern const cli_command cli_study_table2_command;
extern const cli_command cli_study_figures_command;
extern const cli_command cli_simulate_ctm_command;
extern const cli_command cli_report_command;
extern const cli_command cli_demo_command;
extern const cli_command cli_help;
extern const cli_command cli_version;
extern const cli_command cli_man;
extern const cli_command cli_completion;

/* The i-th command that help shows, over all groups; NULL past the end. */
const cli_command *cli_command_at(int i);
/* The i-th group that help shows, by its name; NULL past the end. */
const char *cli_group_name(int i);
/* True when the group is itself a command, such as "version". */
bool cli_group_is_command(const cli_command_group *group);
/* The last word of the command's name. */
const char *cli_subcommand_name(const cli_command *command);

/* What the first words of a command line name. */
typedef struct cli_named {
    const cli_command_group *group; /* NULL when there are no words */
    const cli_command *command;     /* NULL where only its group is named */
    int used;                       /* how many words that took */
} cli_named;

/* Returns 0, or CLI_MISUSE after saying on stderr which word is unknown. An option
   ends the words, so that a group has a --help, too. */
int cli_resolve(int count, const char *const *words, cli_named *named);

#endif
