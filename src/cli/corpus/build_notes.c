/* SPDX-License-Identifier: BSD-3-Clause */
/* Oddities that `corpus build` found in a text and that users may want to look into. */
#include "cli/corpus/build_report.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

enum { FEW_INVALID = 5 };

static void print_invalid(const cli_corpus_build *build)
{
    const dlp_index bytes = build->report->invalid_bytes, D = build->report->documents,
                    documents = build->report->invalid_documents;
    dlp_index shown = 0;
    printf("%td byte%s not UTF-8 and read as blanks, in %td document%s:", bytes,
           bytes == 1 ? " is" : "s are", documents, cli_plural(documents));
    for (dlp_index d = 0; d < D && (shown < FEW_INVALID || build->all_invalid); d++) {
        if (dlp_text_builder_invalid(build->builder, d) == 0) continue;
        fputs(shown++ > 0 ? ", " : " ", stdout);
        cli_print_name(build->corpus->name[d], 0);
    }
    puts(shown < documents ? ", ... (--verbose names all)." : ".");
    puts("If the text is in Latin-1, convert it first: iconv -f LATIN1 -t UTF-8");
}

/* In a stemmed corpus, terms are stems, so unstemmed words do not match them. */
static void print_unstemmed(const dlp_text_dropped *lost)
{
    printf(
        "%td of the dropped words, of %td term%s, have the stem of a term of --vocab, "
        "and no two of\nits terms share a stem. If the model's corpus was built with "
        "--stem, add it here, too.\n",
        lost->words, lost->terms, cli_plural(lost->terms));
}

/* Points out names from --name that are missing or do not tell documents apart. */
static void print_names(const cli_corpus_build *build)
{
    const dlp_index unnamed = build->report->unnamed;
    const char *one = NULL;
    dlp_index repeated = 0;
    (void)dlp_corpus_repeated_names(build->corpus, &repeated, &one, NULL);
    if (unnamed + repeated > 0) putchar('\n');
    if (unnamed > 0)
        printf("%td document%s no name and %s named by %s.\n", unnamed,
               unnamed == 1 ? " has" : "s have", unnamed == 1 ? "is" : "are",
               unnamed == 1 ? "its number" : "their numbers");
    if (repeated == 0) return;
    printf("%td document%s the name of another, such as '", repeated,
           repeated == 1 ? " has" : "s have");
    cli_print_name(one, 0);
    puts("': covariates cannot be\nmatched by such names.");
}

/* ---- languages, markup, phrases ---- */

/* Prints an empty line before the first note. */
static void begin(bool *begun)
{
    if (!*begun) putchar('\n');
    *begun = true;
}

/* The English name of a language. */
static void print_name(const char *language)
{
    printf("%c%s", language[0] - 'a' + 'A', language + 1);
}

static void print_language(const cli_corpus_build *build, bool *begun)
{
    const dlp_text_report *r = build->report;
    const dlp_text_language *l = &r->language;
    if (l->name && strcmp(l->name, "english") != 0) {
        begin(begun);
        printf("Judging by its stop words (%.0f %% of all words), the text is ",
               100 * l->share);
        print_name(l->name);
        if (l->second) {
            fputs(" (", stdout);
            print_name(l->second);
            printf(": %.0f %%)", 100 * l->second_share);
        }
        fputs("; use --language to name another", stdout);
        if (l->second)
            printf(", or\n--stop-words %s,%s if it is in both", l->name, l->second);
        puts(".");
    } else if (l->unclear) {
        begin(begun);
        puts(
            "No language stands out by its stop words; English ones were dropped. Name "
            "the language\nwith --language, or give a list with --stop-words.");
    }
}

static void print_markup(const dlp_text_report *r, bool *begun)
{
    const struct {
        dlp_index n;
        const char *what;
    } kinds[] = {{r->html_documents, "HTML: tags, scripts and styles"},
                 {r->xml_documents, "XML: tags"},
                 {r->mail_documents, "mail: headers, attachments and quotations"}};
    for (int i = 0; i < 3; i++) {
        if (kinds[i].n == 0) continue;
        begin(begun);
        printf("%td document%s %s were left out. --markup none keeps them.\n", kinds[i].n,
               kinds[i].n == 1 ? " is" : "s are", kinds[i].what);
    }
    if (r->markup_kept == 0) return;
    begin(begun);
    printf("%td document%s markup that could not be read (%s); %s.\n", r->markup_kept,
           r->markup_kept == 1 ? " has" : "s have",
           dlp_build_facts().libxml2 ? "it is too deep or too large"
                                     : "this program was built without libxml2",
           r->markup_kept == 1 ? "it was read as it is" : "they were read as they are");
}

static void print_words(const cli_corpus_build *build, bool *begun)
{
    const dlp_text_report *r = build->report;
    const dlp_index whole = r->unsegmented_runs;
    if (whole > 0) {
        begin(begun);
        printf(
            "%td run%s of letters in a script without blanks between words %s: this\n"
            "program was built without ICU, which finds the words in them.\n",
            whole, cli_plural(whole), whole == 1 ? "stays as it is" : "stay as they are");
    }
    if (r->phrases > 0) {
        begin(begun);
        printf("%td phrase%s, found %td time%s, %s.\n", r->phrases,
               cli_plural(r->phrases), r->phrase_words, cli_plural(r->phrase_words),
               r->phrases == 1 ? "is a term" : "are terms");
    }
    if (build->vocab_path && r->stem && !build->settings->stem) {
        begin(begun);
        printf("Words were stemmed (%s), as the terms of --vocab were.\n", r->stem);
    }
}

static void print_languages(const cli_corpus_build *build)
{
    bool begun = false;
    print_language(build, &begun);
    print_markup(build->report, &begun);
    print_words(build, &begun);
}

static void print_oddities(const cli_corpus_build *build)
{
    const dlp_text_report *r = build->report;
    const dlp_index empty = r->empty_documents;
    if (empty + r->hidden_skipped + r->binary_skipped + r->invalid_bytes +
            r->runs_too_long + r->unstemmed.words >
        0)
        putchar('\n');
    if (empty > 0)
        printf("%td document%s %s no words left and stay%s in the corpus, empty.\n",
               empty, cli_plural(empty), empty == 1 ? "has" : "have",
               empty == 1 ? "s" : "");
    if (r->hidden_skipped > 0)
        printf("%td hidden file%s or folder%s skipped.\n", r->hidden_skipped,
               cli_plural(r->hidden_skipped), r->hidden_skipped == 1 ? " was" : "s were");
    if (r->binary_skipped > 0)
        printf("%td file%s not text and skipped.\n", r->binary_skipped,
               r->binary_skipped == 1 ? " is" : "s are");
    if (r->unstemmed.words > 0) print_unstemmed(&r->unstemmed);
    if (r->invalid_bytes > 0) print_invalid(build);
    if (r->runs_too_long > 0)
        printf("%td run%s of more than 64 letters %s no words.\n", r->runs_too_long,
               cli_plural(r->runs_too_long), r->runs_too_long == 1 ? "is" : "are");
}

void cli_corpus_build_print_notes(const cli_corpus_build *build)
{
    print_languages(build);
    print_oddities(build);
    if (build->named) print_names(build);
}
