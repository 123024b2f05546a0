/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/corpus/build_report.h"

#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_WIDTH = 34 };

/* ---- on a screen ---- */

static void print_rule(const char *rule, dlp_text_dropped dropped)
{
    if (dropped.terms == 0) return;
    printf("  %-*s %10td %12td\n", RULE_WIDTH, rule, dropped.terms, dropped.words);
}

static void print_rules(const cli_corpus_build *build)
{
    const dlp_text_report *r = build->report;
    const dlp_text_settings *s = build->settings;
    char rule[64];
    printf("\n  %-*s %10s %12s\n", RULE_WIDTH, "", "terms", "words");
    print_rule("read", (dlp_text_dropped){r->terms, r->words});
    print_rule("- not among the terms of --vocab", r->unknown);
    snprintf(rule, sizeof rule, "- shorter than %td letters", s->min_length);
    print_rule(rule, r->too_short);
    const bool other = r->stop_list && strcmp(r->stop_list, "english") != 0;
    snprintf(rule, sizeof rule, "- stop words%s%s", other ? ", " : "",
             other ? r->stop_list : "");
    print_rule(rule, r->stop_words);
    if (r->stemmed > 0)
        printf("  %-*s %10td\n", RULE_WIDTH, "- merged with others of the same stem",
               r->stemmed);
    snprintf(rule, sizeof rule, "- in fewer than %td documents", s->min_documents);
    print_rule(rule, r->too_rare);
    snprintf(rule, sizeof rule, "- in more than %g %% of documents", 100 * s->max_share);
    print_rule(rule, r->too_common);
    snprintf(rule, sizeof rule, "- after the %td most frequent", s->max_terms);
    print_rule(rule, r->over_limit);
    print_rule("kept", (dlp_text_dropped){r->kept_terms, r->kept_words});
}

static void print_top(const dlp_corpus *c, const dlp_term_frequency *order, dlp_index top)
{
    if (top > c->V) top = c->V;
    while (top > 0 && order[top - 1].words == 0) top--;
    if (top == 0) return;
    const int indent = printf("\nThe most frequent term%s: ", cli_plural(top)) - 1;
    cli_list list = {.indent = indent, .width = cli_screen_width()};
    for (dlp_index i = 0; i < top; i++) {
        char entry[512];
        snprintf(entry, sizeof entry, "%s %td", c->vocab[order[i].term], order[i].words);
        cli_list_add(&list, entry);
    }
    putchar('.');
    cli_list_end(&list);
}

/* The folder of the model whose vocabulary was used, to be freed by the caller; NULL if
   the vocabulary is not a model's. */
static char *folder_of_vocab(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const bool of_model = slash && slash > path && !strcmp(slash, "/vocab.txt");
    return of_model ? strndup(path, (size_t)(slash - path)) : NULL;
}

/* Whoever counts documents by a model's terms most likely wants to infer their
   topics. */
static void print_infer(const cli_corpus_build *build, const char *model)
{
    fputs("\nNext, infer their topics:\n  delaplace topics infer ", stdout);
    cli_print_shell_word(model);
    putchar(' ');
    cli_print_shell_word(build->output_path);
    fputs(" -o proportions.csv\n", stdout);
}

static void print_fit(const cli_corpus_build *build)
{
    const dlp_index K = dlp_topics_usual(build->corpus->D);
    if (K == 0) {
        printf("\n%td document%s too few to find topics in.\n", build->corpus->D,
               build->corpus->D == 1 ? " is" : "s are");
        return;
    }
    fputs("\nNext, find its topics:\n  delaplace topics fit ", stdout);
    cli_print_shell_word(build->output_path);
    printf(" -k %td -o model\n", K);
}

static void print_next(const cli_corpus_build *build)
{
    char *model = folder_of_vocab(build->vocab_path);
    if (model)
        print_infer(build, model);
    else
        print_fit(build);
    free(model);
}

dlp_status cli_corpus_build_print(const cli_corpus_build *build, dlp_index top,
                                  dlp_error *error)
{
    const dlp_text_report *r = build->report;
    dlp_term_frequency *order = cli_corpus_rank(build->corpus);
    if (!order) return dlp_fail(error, DLP_ENOMEM, "not enough memory to sort the terms");
    cli_print_name(cli_input_name(build->source_path), 0);
    printf(": %td document%s, %td bytes of text.\n", r->documents,
           cli_plural(r->documents), r->bytes);
    print_rules(build);
    cli_corpus_build_print_notes(build);
    print_top(build->corpus, order, top);
    free(order);
    printf(
        "\nWritten to %s, with the terms (.vocab), the documents' names (.docs)%s how "
        "words were formed (.words.json) beside it.\n",
        build->output_path,
        build->corpus->text ? " and text\n(.text.jsonl), and" : ", and");
    print_next(build);
    return DLP_OK;
}

/* ---- as JSON ---- */

static json_t *dropped_json(dlp_text_dropped dropped)
{
    return json_pack("{s:I, s:I}", "terms", (json_int_t)dropped.terms, "words",
                     (json_int_t)dropped.words);
}

static json_t *top_json(const dlp_corpus *c, dlp_index top)
{
    dlp_term_frequency *order = cli_corpus_rank(c);
    json_t *list = order ? cli_corpus_rank_json(c, order, top) : NULL;
    free(order);
    return list;
}

/* Sets all the counts; false when out of memory. */
static bool set_numbers(json_t *root, const cli_corpus_build *build)
{
    const dlp_text_report *r = build->report;
    const struct {
        const char *key;
        dlp_index value;
    } numbers[] = {
        {"D", r->documents},
        {"V", build->corpus->V},
        {"words", r->kept_words},
        {"empty_documents", r->empty_documents},
        {"bytes_read", r->bytes},
        {"words_read", r->words},
        {"terms_read", r->terms},
        {"terms_stemmed", r->stemmed},
        {"invalid_bytes", r->invalid_bytes},
        {"runs_too_long", r->runs_too_long},
        {"hidden_skipped", r->hidden_skipped},
        {"binary_skipped", r->binary_skipped},
        {"unnamed", r->unnamed},
        {"html_documents", r->html_documents},
        {"xml_documents", r->xml_documents},
        {"mail_documents", r->mail_documents},
        {"markup_kept", r->markup_kept},
        {"segmented_runs", r->segmented_runs},
        {"unsegmented_runs", r->unsegmented_runs},
        {"phrases", r->phrases},
        {"phrase_words", r->phrase_words},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        failed |=
            json_object_set_new(root, numbers[i].key, json_integer(numbers[i].value));
    return !failed;
}

static json_t *rules_json(const dlp_text_report *r)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "unknown",
                     dropped_json(r->unknown), "too_short", dropped_json(r->too_short),
                     "stop_words", dropped_json(r->stop_words), "too_rare",
                     dropped_json(r->too_rare), "too_common", dropped_json(r->too_common),
                     "over_limit", dropped_json(r->over_limit));
}

static json_t *language_json(const dlp_text_language *l)
{
    return json_pack("{s:s?, s:o, s:s?, s:o}", "found", l->name, "share",
                     dlpi_json_real(l->share), "second", l->second, "second_share",
                     dlpi_json_real(l->second_share));
}

static json_t *name_json(const char *name)
{
    return name ? json_string(name) : json_null();
}

json_t *cli_corpus_build_json(const cli_corpus_build *build, dlp_index top)
{
    const dlp_text_report *r = build->report;
    json_t *root = json_object();
    int failed = json_object_set_new(root, "output", dlpi_json_text(build->output_path));
    failed |= !set_numbers(root, build);
    failed |= json_object_set_new(root, "dropped", rules_json(r));
    failed |= json_object_set_new(root, "unstemmed", dropped_json(r->unstemmed));
    failed |= json_object_set_new(root, "language", language_json(&r->language));
    failed |= json_object_set_new(root, "stop_list", name_json(r->stop_list));
    failed |= json_object_set_new(root, "stem", name_json(r->stem));
    failed |= json_object_set_new(root, "top", top_json(build->corpus, top));
    if (!failed) return root;
    json_decref(root);
    return NULL;
}
