/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules, and the corpus of the terms that pass them. */
#include "corpus/names.h"
#include "corpus/text/text_builder.h"

#include <string.h>

/* What a rule did to a group. */
enum fate { KEPT, TOO_RARE, TOO_COMMON, OVER_LIMIT };

struct selection {
    const dlp_text_builder *b;         /* what was read, */
    dlp_text_builder *joined;          /*     or the same with phrases, which is then b */
    struct dlpi_string_set stop_words; /* those given and those of the language */
    dlp_index *total;                  /* (words) how often each word occurs */
    struct dlpi_stems stems;
    dlp_index *words;     /* (groups) how often each group occurs */
    dlp_index *documents; /* (groups) in how many documents */
    enum fate *fate;      /* (groups) */
    dlp_index V;          /* terms of the corpus */
    const char **term;    /* (V) the words shown of the kept ones, in their order */
    int32_t *id;          /* (groups) the number of a kept one; -1 for the others */
    dlp_text_report report;
};

static void free_selection(struct selection *s)
{
    dlp_text_builder_free(s->joined);
    dlpi_string_set_clear(&s->stop_words);
    free(s->total);
    free(s->stems.group);
    free(s->stems.shown);
    free(s->words);
    free(s->documents);
    free(s->fate);
    free(s->term);
    free(s->id);
}

static void drop(dlp_text_dropped *dropped, dlp_index words)
{
    dropped->terms++;
    dropped->words += words;
}

/* ---- rules for a word ---- */

static void count_totals(struct selection *s)
{
    const dlp_text_builder *b = s->b;
    for (dlp_index i = 0; i < b->pairs; i++) {
        s->total[b->term[i]] += b->count[i];
        s->report.words += b->count[i];
    }
}

static dlp_index count_invalid(const dlp_text_builder *b)
{
    dlp_index count = 0;
    for (dlp_index d = 0; d < b->documents; d++) count += b->invalid[d] > 0;
    return count;
}

static void start_report(struct selection *s)
{
    const dlp_text_builder *b = s->b;
    s->report = (dlp_text_report){.documents = b->documents,
                                  .bytes = b->bytes,
                                  .invalid_bytes = b->words.invalid_bytes,
                                  .invalid_documents = count_invalid(b),
                                  .runs_too_long = b->words.runs_too_long,
                                  .terms = b->vocabulary.count,
                                  .hidden_skipped = b->hidden_skipped,
                                  .binary_skipped = b->binary_skipped,
                                  .unnamed = b->unnamed,
                                  .stem = b->settings.stem,
                                  .html_documents = b->html,
                                  .xml_documents = b->xml,
                                  .mail_documents = b->mail,
                                  .markup_kept = b->markup_kept,
                                  .segmented_runs = b->words.segmented,
                                  .unsegmented_runs = b->words.unsegmented};
    count_totals(s);
}

/* ---- stop words and phrases ---- */

/* The language whose stop words to use: that of the settings, that of the stemmer, or the
   one found in the text; if none is clear, English, whose list does other languages no
   harm. */
static dlp_status add_language(struct selection *s, dlp_error *error)
{
    const dlp_text_settings *settings = &s->b->settings;
    const char *list = settings->language;
    if (!list) list = dlpi_text_language_of_stemmer(settings->stem);
    if (!list) {
        dlp_text_language *found = &s->report.language;
        DLP_TRY(dlpi_text_language(&s->b->vocabulary, s->total, found, error));
        list = found->name ? found->name : "english";
    }
    s->report.stop_list = list;
    return dlpi_text_stop_set(list, &s->stop_words, error);
}

static dlp_status gather_stop_words(struct selection *s, dlp_error *error)
{
    const struct dlpi_string_set *given = &s->b->stop_words;
    for (int32_t i = 0; i < given->count; i++) {
        size_t size = 0;
        int32_t code = 0;
        const char *word = dlpi_string_set_name(given, i, &size);
        DLP_TRY(dlpi_string_set_add(&s->stop_words, word, size, &code, error));
    }
    return s->b->stop_auto ? add_language(s, error) : DLP_OK;
}

/* From here on the documents have phrases. */
static dlp_status join_phrases(struct selection *s, dlp_error *error)
{
    if (!s->b->keeps_order) return DLP_OK;
    DLP_TRY(dlpi_text_join(s->b, &s->stop_words, &s->joined, error));
    if (!s->joined) return DLP_OK;
    const dlp_text_language language = s->report.language;
    const char *list = s->report.stop_list;
    s->b = s->joined;
    free(s->total);
    s->total = dlpi_calloc(s->b->vocabulary.count, sizeof *s->total);
    if (!s->total) return dlpi_no_memory(error, "a vocabulary");
    start_report(s);
    s->report.language = language;
    s->report.stop_list = list;
    for (int32_t t = 0; t < s->b->vocabulary.count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(&s->b->vocabulary, t, &size);
        if (!memchr(word, '_', size)) continue;
        s->report.phrases++;
        s->report.phrase_words += s->total[t];
    }
    return DLP_OK;
}

/* Every word that is neither too short nor a stop word is a group of its own. */
static void group_words(struct selection *s)
{
    const dlp_text_builder *b = s->b;
    for (int32_t t = 0; t < b->vocabulary.count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(&b->vocabulary, t, &size);
        s->stems.group[t] = -1;
        if (dlpi_word_length(word, size) < b->settings.min_length) {
            drop(&s->report.too_short, s->total[t]);
        } else if (dlpi_string_set_find(&s->stop_words, word, size) >= 0) {
            drop(&s->report.stop_words, s->total[t]);
        } else {
            s->stems.shown[s->stems.groups] = t;
            s->stems.group[t] = s->stems.groups++;
        }
    }
}

/* Counts unknown words that stemming would make known. Among terms that were not made by
   stemming, some share a stem, unless there are few terms; such terms prove nothing. */
static dlp_status count_unstemmed(struct selection *s, dlp_error *error)
{
    const dlp_text_builder *b = s->b;
    dlp_error why = {0};
    int32_t *group = dlpi_calloc(b->vocabulary.count, sizeof *group);
    if (!group) return dlpi_no_memory(error, "a vocabulary");
    const dlp_status status = dlpi_text_match_stems(b, "english", group, &why);
    for (int32_t t = 0; status == DLP_OK && t < b->vocabulary.count; t++)
        if (s->stems.group[t] < 0 && group[t] >= 0)
            drop(&s->report.unstemmed, s->total[t]);
    free(group);
    if (status == DLP_OK || status == DLP_EINPUT) return DLP_OK;
    return dlpi_no_memory(error, "a vocabulary");
}

/* Every word goes to the term that is given for it. */
static dlp_status group_by_terms(struct selection *s, dlp_error *error)
{
    const dlp_text_builder *b = s->b;
    s->stems.groups = b->terms.count;
    DLP_TRY(dlpi_text_match_terms(b, s->stems.group, error));
    for (int32_t t = 0; t < b->vocabulary.count; t++)
        if (s->stems.group[t] < 0) drop(&s->report.unknown, s->total[t]);
    return b->settings.stem ? DLP_OK : count_unstemmed(s, error);
}

/* ---- rules for a group ---- */

/* A document with several words of a group counts once: seen[g] is the last such
   document, plus 1. */
static void count_groups(struct selection *s, dlp_index *seen)
{
    const dlp_text_builder *b = s->b;
    for (dlp_index d = 0; d < b->documents; d++)
        for (dlp_index i = b->row[d]; i < b->row[d + 1]; i++) {
            const int32_t g = s->stems.group[b->term[i]];
            if (g < 0) continue;
            s->words[g] += b->count[i];
            s->documents[g] += seen[g] <= d;
            seen[g] = d + 1;
        }
}

static void judge_by_documents(struct selection *s)
{
    const dlp_text_settings *settings = &s->b->settings;
    const double most = settings->max_share * (double)s->b->documents;
    for (int32_t g = 0; g < s->stems.groups; g++) {
        s->fate[g] = KEPT;
        if (s->documents[g] < settings->min_documents) s->fate[g] = TOO_RARE;
        if (s->fate[g] == KEPT && (double)s->documents[g] > most) s->fate[g] = TOO_COMMON;
    }
}

/* ---- order ---- */

struct ranked {
    const char *word;
    dlp_index words;
    int32_t group;
};

static int compare_words(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return strcmp(x->word, y->word);
}

/* The more frequent first. */
static int compare_ranks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->words != y->words) return x->words > y->words ? -1 : 1;
    return strcmp(x->word, y->word);
}

/* The groups that are kept so far, into ranked; returns how many. */
static dlp_index rank_kept(const struct selection *s, struct ranked *ranked)
{
    dlp_index n = 0;
    for (int32_t g = 0; g < s->stems.groups; g++) {
        size_t size = 0;
        if (s->fate[g] != KEPT) continue;
        ranked[n++] = (struct ranked){
            .word = dlpi_string_set_name(&s->b->vocabulary, s->stems.shown[g], &size),
            .words = s->words[g],
            .group = g};
    }
    return n;
}

static void number_kept(struct selection *s, struct ranked *ranked)
{
    const dlp_index limit = s->b->settings.max_terms;
    dlp_index n = rank_kept(s, ranked);
    if (limit > 0 && n > limit) {
        qsort(ranked, (size_t)n, sizeof *ranked, compare_ranks);
        for (dlp_index i = limit; i < n; i++) s->fate[ranked[i].group] = OVER_LIMIT;
        n = limit;
    }
    qsort(ranked, (size_t)n, sizeof *ranked, compare_words);
    for (int32_t g = 0; g < s->stems.groups; g++) s->id[g] = -1;
    for (dlp_index i = 0; i < n; i++) {
        s->term[i] = ranked[i].word;
        s->id[ranked[i].group] = (int32_t)i;
    }
    s->V = n;
}

/* Terms that are given stay, also those that no document has, in their order. */
static void keep_all(struct selection *s)
{
    for (int32_t g = 0; g < s->stems.groups; g++) {
        size_t size = 0;
        s->fate[g] = KEPT;
        s->id[g] = g;
        s->term[g] = dlpi_string_set_name(&s->b->terms, g, &size);
    }
    s->V = s->stems.groups;
}

static void report_groups(struct selection *s)
{
    dlp_text_report *r = &s->report;
    r->stemmed = r->terms - r->unknown.terms - r->too_short.terms - r->stop_words.terms;
    for (int32_t g = 0; g < s->stems.groups; g++) {
        if (s->words[g] == 0) continue; /* a given term that does not occur */
        r->stemmed--;
        switch (s->fate[g]) {
        case TOO_RARE: drop(&r->too_rare, s->words[g]); break;
        case TOO_COMMON: drop(&r->too_common, s->words[g]); break;
        case OVER_LIMIT: drop(&r->over_limit, s->words[g]); break;
        case KEPT:
            r->kept_terms++;
            r->kept_words += s->words[g];
            break;
        }
    }
}

/* ---- the corpus ---- */

/* Names or texts of n documents in one block; NULL without memory. */
static char **copy_names(const char *next, dlp_index n)
{
    const char **name = dlpi_calloc(n, sizeof *name);
    if (!name) return NULL;
    for (dlp_index d = 0; d < n; d++, next += strlen(next) + 1) name[d] = next;
    char **copy = dlpi_names_copy(name, n);
    free(name);
    return copy;
}

/* What the documents are called and say, and how their words were made. */
static dlp_status copy_documents(const struct selection *s, dlp_corpus *c,
                                 dlp_error *error)
{
    const dlp_text_builder *b = s->b->named_by ? s->b->named_by : s->b;
    c->name = copy_names(b->names.data, c->D);
    if (b->settings.keep_text) c->text = copy_names(b->texts.data, c->D);
    c->origin = dlpi_text_origin(b, &s->report);
    if (!c->name || (b->settings.keep_text && !c->text) || !c->origin)
        return dlpi_no_memory(error, "the names of a corpus");
    return DLP_OK;
}

/* The pairs of kept groups; those of one group are added up by
   dlpi_corpus_canonicalise. */
static void fill_pairs(const struct selection *s, dlp_corpus *c)
{
    const dlp_text_builder *b = s->b;
    dlp_index next = 0;
    for (dlp_index d = 0; d < b->documents; d++) {
        for (dlp_index i = b->row[d]; i < b->row[d + 1]; i++) {
            const int32_t g = s->stems.group[b->term[i]];
            if (g < 0 || s->id[g] < 0) continue;
            c->term[next] = s->id[g];
            c->count[next++] = b->count[i];
        }
        c->row[d + 1] = next;
    }
}

static dlp_index count_kept_pairs(const struct selection *s)
{
    dlp_index pairs = 0;
    for (dlp_index i = 0; i < s->b->pairs; i++) {
        const int32_t g = s->stems.group[s->b->term[i]];
        pairs += g >= 0 && s->id[g] >= 0;
    }
    return pairs;
}

static dlp_status make_corpus(struct selection *s, dlp_corpus **corpus, dlp_error *error)
{
    dlp_corpus *c = *corpus =
        dlpi_corpus_alloc(s->b->documents, count_kept_pairs(s), error);
    if (!c) return DLP_ENOMEM;
    fill_pairs(s, c);
    c->V = s->V;
    c->vocab = dlpi_names_copy(s->term, c->V);
    if (!c->vocab) return dlpi_no_memory(error, "the names of a corpus");
    DLP_TRY(copy_documents(s, c, error));
    DLP_TRY(dlpi_corpus_canonicalise("the text", c, error));
    for (dlp_index d = 0; d < c->D; d++)
        s->report.empty_documents += c->row[d + 1] == c->row[d];
    return DLP_OK;
}

/* ---- the whole ---- */

/* What was read, with phrases where they are wanted. */
static dlp_status prepare(struct selection *s, dlp_error *error)
{
    s->total = dlpi_calloc(s->b->vocabulary.count, sizeof *s->total);
    if (!s->total) return dlpi_no_memory(error, "a vocabulary");
    start_report(s);
    if (s->b->terms.count == 0) DLP_TRY(gather_stop_words(s, error));
    return join_phrases(s, error);
}

static dlp_status select_words(struct selection *s, dlp_error *error)
{
    DLP_TRY(prepare(s, error));
    const dlp_text_builder *b = s->b;
    const dlp_index n = b->vocabulary.count;
    s->stems.group = dlpi_calloc(n, sizeof *s->stems.group);
    s->stems.shown = dlpi_calloc(n, sizeof *s->stems.shown);
    if (!s->stems.group || !s->stems.shown) return dlpi_no_memory(error, "a vocabulary");
    if (b->terms.count > 0) return group_by_terms(s, error);
    group_words(s);
    if (!b->settings.stem) return DLP_OK;
    return dlpi_stem_words(b->settings.stem, &b->vocabulary, s->total, &s->stems, error);
}

static dlp_status select_groups(struct selection *s, dlp_error *error)
{
    const dlp_index n = s->stems.groups;
    s->words = dlpi_calloc(n, sizeof *s->words);
    s->documents = dlpi_calloc(n, sizeof *s->documents);
    s->fate = dlpi_calloc(n, sizeof *s->fate);
    s->term = dlpi_calloc(n, sizeof *s->term);
    s->id = dlpi_calloc(n, sizeof *s->id);
    dlp_index *seen = dlpi_calloc(n, sizeof *seen);
    struct ranked *ranked = dlpi_calloc(n, sizeof *ranked);
    const bool enough =
        s->words && s->documents && s->fate && s->term && s->id && seen && ranked;
    if (enough) {
        count_groups(s, seen);
        if (s->b->terms.count > 0) {
            keep_all(s);
        } else {
            judge_by_documents(s);
            number_kept(s, ranked);
        }
        report_groups(s);
    }
    free(seen);
    free(ranked);
    return enough ? DLP_OK : dlpi_no_memory(error, "a vocabulary");
}

static dlp_status fail_without_terms(const dlp_text_report *r, dlp_error *error)
{
    if (r->terms == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the %td documents hold no words: no letters in UTF-8",
                        r->documents);
    if (r->unsegmented_runs > 0)
        return dlp_fail(
            error, DLP_EINPUT,
            "no term is left of %td distinct words in %td documents: %td runs "
            "of letters are in a script without blanks between words, which "
            "this library, built without ICU, cannot split; let a segmenter "
            "insert blanks first",
            r->terms, r->documents, r->unsegmented_runs);
    return dlp_fail(
        error, DLP_EINPUT,
        "no term is left of %td distinct words in %td documents: %td were too "
        "short, %td stop words, %td in too few documents, %td in too many; "
        "loosen the rule that took most (min-docs, max-share)",
        r->terms, r->documents, r->too_short.terms, r->stop_words.terms,
        r->too_rare.terms, r->too_common.terms);
}

dlp_status dlp_text_builder_finish(const dlp_text_builder *b, dlp_corpus **corpus,
                                   dlp_text_report *report, dlp_error *error)
{
    if (corpus) *corpus = NULL;
    if (!b || !corpus)
        return dlp_fail(
            error, DLP_EINVAL,
            "dlp_text_builder_finish: needs a builder and room for the corpus");
    if (b->documents == 0)
        return dlp_fail(error, DLP_EINPUT, "there is no document; add at least one");
    struct selection s = {.b = b};
    dlp_status status = select_words(&s, error);
    if (status == DLP_OK) status = select_groups(&s, error);
    if (status == DLP_OK)
        status = s.V > 0 ? make_corpus(&s, corpus, error)
                         : fail_without_terms(&s.report, error);
    if (report) *report = s.report;
    free_selection(&s);
    return dlpi_corpus_parse_end(status, corpus);
}
