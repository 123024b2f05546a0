/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/corpus_build_report.h"

#include "cli/json.h"
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_WIDTH = 34 };

/* ---- the most frequent terms ---- */

typedef struct ranked {
    dlp_index words, documents;
    dlp_index term;
} ranked;

/* The most frequent first; of equals, the first in the vocabulary. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->words != right->words) return left->words > right->words ? -1 : 1;
    return left->term < right->term ? -1 : 1;
}

/* All terms, to be freed; NULL without memory. */
static ranked *rank_terms(const dlp_corpus *c)
{
    ranked *order = calloc((size_t)c->V + 1, sizeof *order);
    if (!order) return NULL;
    for (dlp_index v = 0; v < c->V; v++) order[v].term = v;
    for (dlp_index i = 0; i < c->nnz; i++) {
        order[c->term[i]].words += c->count[i];
        order[c->term[i]].documents++;
    }
    qsort(order, (size_t)c->V, sizeof *order, compare_ranked);
    return order;
}

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
    snprintf(rule, sizeof rule, "- of fewer than %td letters", s->min_length);
    print_rule(rule, r->too_short);
    print_rule("- stop words", r->stop_words);
    if (r->stemmed > 0)
        printf("  %-*s %10td\n", RULE_WIDTH, "- joined to others of their stem",
               r->stemmed);
    snprintf(rule, sizeof rule, "- in fewer than %td documents", s->min_documents);
    print_rule(rule, r->too_rare);
    snprintf(rule, sizeof rule, "- in more than %g %% of documents", 100 * s->max_share);
    print_rule(rule, r->too_common);
    snprintf(rule, sizeof rule, "- after the %td most frequent", s->max_terms);
    print_rule(rule, r->over_limit);
    print_rule("kept", (dlp_text_dropped){r->kept_terms, r->kept_words});
}

/* What somebody may want to look into. */
static void print_oddities(const dlp_text_report *r)
{
    const dlp_index empty = r->empty_documents;
    if (empty + r->hidden_skipped + r->binary_skipped + r->invalid_bytes +
            r->runs_too_long >
        0)
        putchar('\n');
    if (empty > 0)
        printf("%td document%s %s no words left and stay%s, empty.\n", empty,
               cli_plural(empty), empty == 1 ? "has" : "have", empty == 1 ? "s" : "");
    if (r->hidden_skipped > 0)
        printf("%td hidden file%s or folder%s skipped.\n", r->hidden_skipped,
               cli_plural(r->hidden_skipped), r->hidden_skipped == 1 ? " was" : "s were");
    if (r->binary_skipped > 0)
        printf("%td file%s not text and skipped.\n", r->binary_skipped,
               r->binary_skipped == 1 ? " is" : "s are");
    if (r->invalid_bytes > 0)
        printf(
            "%td byte%s not UTF-8 and taken for blanks; 'iconv -t UTF-8' mends that.\n",
            r->invalid_bytes, r->invalid_bytes == 1 ? " is" : "s are");
    if (r->runs_too_long > 0)
        printf("%td run%s of more than 64 letters %s no words.\n", r->runs_too_long,
               cli_plural(r->runs_too_long), r->runs_too_long == 1 ? "is" : "are");
}

static void print_top(const dlp_corpus *c, const ranked *order, dlp_index top)
{
    if (top > c->V) top = c->V;
    if (top == 0) return;
    printf("\nThe most frequent term%s:", cli_plural(top));
    for (dlp_index i = 0; i < top; i++) {
        fputs(i > 0 ? ", " : " ", stdout);
        cli_print_name(c->vocab[order[i].term], 0);
        printf(" %td", order[i].words);
    }
    fputs(".\n", stdout);
}

dlp_status cli_corpus_build_print(const cli_corpus_build *build, dlp_index top,
                                  dlp_error *error)
{
    const dlp_text_report *r = build->report;
    ranked *order = rank_terms(build->corpus);
    if (!order) return dlp_fail(error, DLP_ENOMEM, "not enough memory to sort the terms");
    cli_print_name(
        strcmp(build->source_path, "-") ? build->source_path : "standard input", 0);
    printf(": %td document%s, %td bytes of text.\n", r->documents,
           cli_plural(r->documents), r->bytes);
    print_rules(build);
    print_oddities(r);
    print_top(build->corpus, order, top);
    free(order);
    printf(
        "\nWritten to %s, with the terms (.vocab) and the documents' names (.docs) "
        "beside it.\n",
        build->output_path);
    fputs("\nNext, find its topics:\n  delaplace topics fit ", stdout);
    cli_print_shell_word(build->output_path);
    fputs(" -k 20 -o model/\n", stdout);
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
    ranked *order = rank_terms(c);
    json_t *list = order ? json_array() : NULL;
    int failed = !list;
    for (dlp_index i = 0; i < top && i < c->V && !failed; i++)
        failed = json_array_append_new(
            list,
            json_pack("{s:o, s:I, s:I}", "term", cli_json_text(c->vocab[order[i].term]),
                      "words", (json_int_t)order[i].words, "documents",
                      (json_int_t)order[i].documents));
    free(order);
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

json_t *cli_corpus_build_json(const cli_corpus_build *build, dlp_index top)
{
    const dlp_text_report *r = build->report;
    const struct {
        const char *key;
        dlp_index value;
    } numbers[] = {
        {"D", r->documents},
        {"V", r->kept_terms},
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
    };
    json_t *root = json_object();
    int failed = json_object_set_new(root, "output", cli_json_text(build->output_path));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        failed |=
            json_object_set_new(root, numbers[i].key, json_integer(numbers[i].value));
    json_t *dropped =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "too_short", dropped_json(r->too_short),
                  "stop_words", dropped_json(r->stop_words), "too_rare",
                  dropped_json(r->too_rare), "too_common", dropped_json(r->too_common),
                  "over_limit", dropped_json(r->over_limit));
    failed |= json_object_set_new(root, "dropped", dropped);
    failed |= json_object_set_new(root, "top", top_json(build->corpus, top));
    if (!failed) return root;
    json_decref(root);
    return NULL;
}
