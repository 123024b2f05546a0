/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/print.h"

#include "cli/json.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

static void print_warnings(const dlp_topic_model_info *info)
{
    if (info->decreases > 0)
        printf(
            "The approximate log evidence fell in %d iteration%s; this can happen, since "
            "it is not a bound.\n",
            info->decreases, cli_plural(info->decreases));
    if (info->unsettled > 0)
        printf("%td document%s did not converge in the last iteration.\n",
               info->unsettled, cli_plural(info->unsettled));
}

void cli_topics_print_few_words(const dlp_topic_model *model)
{
    dlp_topic_mixing m;
    if (!dlp_topic_model_mixing(model, &m) || !m.few_words) return;
    printf(
        "Doubtful: documents are short for so many topics. The largest topic of a "
        "document has %.1f\nof its words on average. ",
        m.largest_words);
    if (m.averaged)
        printf(
            "Below %d, other topics may fit as well, of which\nintervals know "
            "nothing.\n",
            DLP_FEW_WORDS);
    else
        printf(
            "Below %d, topics come out purer "
            "than they are and correlations too\nnear 0: in simulations by up to a "
            "quarter at 12, and two fifths at 7. Intervals allow for it.\nFrom topics "
            "that you trust, 'topics fit --init MODEL --assign average' does without "
            "it.\n",
            DLP_FEW_WORDS);
}

void cli_topics_print_clusters(const dlp_topic_model *model)
{
    dlp_topic_mixing m;
    if (!dlp_topic_model_mixing(model, &m) || !m.clusters) return;
    printf(
        "Doubtful: topics are clusters here. The largest topic of a document has %.0f %% "
        "of it on\naverage, and log ratios have a variance of %.0f: correlations and "
        "proportions say little.\n",
        100 * m.largest_share, m.variance);
    puts(dlp_topic_model_get_info(model)->method_kind != DLP_TOPICS_LAPLACE
             ? "Use --method laplace."
             : "Documents may be too short, or of one topic each.");
}

json_t *cli_topics_mixing_json(const dlp_topic_model *model)
{
    dlp_topic_mixing m;
    if (!dlp_topic_model_mixing(model, &m)) return json_null();
    return json_pack("{s:o, s:o, s:b, s:o, s:b, s:b}", "largest_share",
                     dlpi_json_real(m.largest_share), "variance",
                     dlpi_json_real(m.variance), "clusters", m.clusters, "largest_words",
                     dlpi_json_real(m.largest_words), "few_words", m.few_words,
                     "averaged", m.averaged);
}

void cli_topics_print_next(const char *folder)
{
    fputs("\nNext, look at the topics:\n  delaplace topics show ", stdout);
    cli_print_shell_word(folder);
    putchar('\n');
}

void cli_topics_print_end(const dlp_topic_model_info *info, const char *start,
                          double seconds)
{
    printf("The fit by %s from %s topics %s after %d iteration%s and %.1f s.\n",
           cli_method_phrase(info->method), start, cli_outcome_sentence(info->outcome),
           info->iterations, cli_plural(info->iterations), seconds);
    printf("Log evidence per word: %.4f (approximate)\n", info->objective_per_word);
    print_warnings(info);
}

static json_t *load_json(const char *text)
{
    return dlpi_json_loadb(text, strlen(text), 0, NULL);
}

dlp_status cli_topics_print_json(const dlp_topic_model *model, double seconds,
                                 dlp_error *error)
{
    json_t *info = load_json(dlp_topic_model_json(model));
    const bool failed =
        !info ||
        json_object_set_new(info, "mixing", cli_topics_mixing_json(model)) != 0 ||
        json_object_set_new(info, "seconds", dlpi_json_real(seconds)) != 0;
    const dlp_status status =
        failed ? dlp_fail(error, DLP_ENOMEM, "not enough memory for the summary")
               : cli_json_print(info, error);
    json_decref(info);
    return status;
}
