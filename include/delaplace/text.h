/* SPDX-License-Identifier: BSD-3-Clause */
/* From raw text to a corpus: words, the rules that choose among them, counts. */
#ifndef DELAPLACE_TEXT_H
#define DELAPLACE_TEXT_H

#include <delaplace/corpus.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a word is: a run of Unicode letters with the marks on them, case folded and
 * composed (NFC), so that "CAFÉ" and "cafe" with a combining accent are one term, and
 * "Straße" is "strasse". Digits belong to words only with keep_numbers. Everything else
 * separates words, including bytes that are not UTF-8. Invisible characters inside a word
 * (soft hyphens, zero-width joiners) are dropped. An apostrophe separates words
 * ("l'homme" is "l" and "homme", "John's" is "john" and "s") except in n't: "don't" is
 * one word. A run longer than 64 characters is not a word. Chinese, Japanese, Thai, Lao,
 * Khmer and Burmese, which put no blanks between words, are split by ICU's dictionaries
 * if the library was built with ICU; else a run of their letters is one word.
 */
typedef struct dlp_text_settings {
    size_t size;             /* set by dlp_text_settings_default */
    int keep_numbers;        /* non-zero: decimal digits count as letters */
    const char *stop_words;  /* a list of dlp_text_stop_list_name; "auto": that of the
                                language; NULL: none */
    dlp_index min_length;    /* a term has at least this many letters (1 to 64); a Han or
                                kana character counts as two */
    dlp_index min_documents; /* and occurs in at least this many documents */
    double max_share;        /* and in no more than this share of them (0 < share <= 1) */
    dlp_index max_terms;     /* keep only this many, the most frequent; 0: all */
    const char *stem; /* one of dlp_text_stemmer_name: words with the same stem are one
                         term, shown as the most frequent of them; NULL: no stemming */
    const char *language;   /* the language whose stop words "auto" means, one of
                               dlp_text_stop_list_name; NULL: that of the stemmer or,
                               without one, the language with the most stop words in the
                               text; English if none stands out */
    const char *markup;     /* one of dlp_text_markup_name: "auto" (detected for each
                               document), "none", "html", "xml", "mail"; NULL: none */
    int phrases;            /* non-zero: find phrases: words that occur next to each other
                               more often than by chance become one term, new_york */
    double phrase_strength; /* the smallest normalised pointwise mutual information of a
                               phrase to be found (-1 to 1) */
    int keep_text; /* non-zero: the corpus keeps the documents' text, as it was read,
                      without markup */
} dlp_text_settings;

/* Stop words and markup "auto", min_length 3, min_documents 5, max_share 0.5, no limit, no
   stems, no phrases, phrase_strength 0.4, with the text. */
DLP_API void dlp_text_settings_init(dlp_text_settings *settings, size_t size);
static inline dlp_text_settings dlp_text_settings_default(void)
{
    dlp_text_settings settings;
    dlp_text_settings_init(&settings, sizeof settings);
    return settings;
}

/* The names of the built-in lists of stop words, and of the languages with a stemmer,
   from i = 0; NULL past the last. */
DLP_API const char *dlp_text_stop_list_name(int i);
DLP_API const char *dlp_text_stemmer_name(int i);
/* The words of a built-in list, separated by blanks and line ends; NULL if there is no
   such list. */
DLP_API const char *dlp_text_stop_list(const char *name);
/* The kinds of markup, likewise. */
DLP_API const char *dlp_text_markup_name(int i);

/* The language of a text, by how many of its words are stop words. */
typedef struct dlp_text_language {
    const char *name;    /* NULL: none stands out, or detection was not needed */
    double share;        /* of the words */
    const char *second;  /* the next language, if its share is more than half of the
                            first's; else NULL */
    double second_share; /*     and its share */
    int unclear;         /* non-zero: none stands out, in a text long enough to tell */
} dlp_text_language;

/* What a rule removed: distinct words, and how often they occur. */
typedef struct dlp_text_dropped {
    dlp_index terms, words;
} dlp_text_dropped;

/* What became of the text. Each word is dropped by the first rule that it breaks, in the
   order of this list; words = those dropped + those kept. */
typedef struct dlp_text_report {
    dlp_index documents;
    dlp_index bytes;             /* of text */
    dlp_index invalid_bytes;     /* that are not UTF-8, */
    dlp_index invalid_documents; /* in how many documents */
    dlp_index runs_too_long;     /* runs of more than 64 letters, which are not words */
    dlp_index words;             /* read */
    dlp_index terms;             /* distinct words read */
    dlp_text_dropped unknown;    /* not among the given terms */
    dlp_text_dropped too_short;
    dlp_text_dropped stop_words;
    dlp_text_dropped too_rare; /* counted by stem from here on */
    dlp_text_dropped too_common;
    dlp_text_dropped over_limit; /* max_terms */
    dlp_text_dropped unstemmed;  /* of the unknown, words with the same English stem as a
                                    term, if no two terms have the same stem: the terms
                                    were probably made by stemming, and these words were
                                    not */
    dlp_index stemmed;           /* distinct words that joined the term of another */
    dlp_index kept_terms, kept_words; /* terms of the corpus that occur in the text, and
                                         their words */
    dlp_index empty_documents;        /* which stay in the corpus, without words */
    dlp_index hidden_skipped;         /* files and folders whose name begins with a dot */
    dlp_index binary_skipped;         /* files with zero bytes in them, and what is not a
                                         regular file */
    dlp_index unnamed;          /* documents without a name, named by their numbers */
    dlp_text_language language; /* as detected */
    const char *stop_list;      /* the list that "auto" chose; NULL: none */
    const char *stem;           /* the stemmer used: that of the settings, or of the given
                                   terms */
    dlp_index html_documents, xml_documents, mail_documents; /* read without markup */
    dlp_index markup_kept;      /* documents whose markup was read as text: it could not
                                   be parsed, or the library has no libxml2 */
    dlp_index segmented_runs;   /* of letters, split into words by ICU */
    dlp_index unsegmented_runs; /* each taken as one word, since the library has no ICU */
    dlp_index phrases;          /* distinct phrases, given or found, that occur in the
                                   text, */
    dlp_index phrase_words;     /*     and how often they occur */
} dlp_text_report;

/*
 * Collects documents, then makes the corpus. Memory is O(distinct words + pairs of
 * document and word), plus the text itself with keep_text, and a number for each word
 * with phrases. After a failure to add, a builder can only be freed.
 */
typedef struct dlp_text_builder dlp_text_builder;

/* settings may be NULL; they are copied. */
DLP_API dlp_status dlp_text_builder_alloc(const dlp_text_settings *settings,
                                          dlp_text_builder **builder, dlp_error *error);
DLP_API void dlp_text_builder_free(dlp_text_builder *builder); /* NULL is fine */

/* More stop words: every word of the text; what follows # or | on a line is a comment. */
DLP_API dlp_status dlp_text_builder_stop(dlp_text_builder *builder, const char *text,
                                         size_t size, dlp_error *error);
/* The same from a file: plain or compressed, "-" for standard input. */
DLP_API dlp_status dlp_text_builder_read_stop_words(dlp_text_builder *builder,
                                                    const char *path, dlp_error *error);

/* A list of phrases of two words or more, one per line: wherever these words follow each
   other they become one term, joined by underscores; the longest phrase wins. Comments as
   above. */
DLP_API dlp_status dlp_text_builder_phrases(dlp_text_builder *builder, const char *text,
                                            size_t size, dlp_error *error);
DLP_API dlp_status dlp_text_builder_read_phrases(dlp_text_builder *builder,
                                                 const char *path, dlp_error *error);

/*
 * The corpus will have exactly these terms, in this order: those of the model that the
 * documents are for, as in its training corpus. Other words are dropped as unknown. Of
 * the rules of dlp_text_settings only keep_numbers and stem apply, and should be as they
 * were for the training corpus. Terms with an underscore are phrases. If nearly all terms
 * are stems themselves, as R's stm makes them, a word counts for the term that is its
 * stem. A repeated term is an error, and so is a second call. Call it before documents
 * are added.
 */
DLP_API dlp_status dlp_text_builder_terms(dlp_text_builder *builder, char *const *term,
                                          dlp_index n, dlp_error *error);
/* The same from a file with one term per line, such as vocab.txt of a model. How the
   words of a corpus were made is kept in model.json, and beside X.vocab in X.words.json:
   stem and keep_numbers are then as they were, unless the settings have a stem. */
DLP_API dlp_status dlp_text_builder_read_terms(dlp_text_builder *builder,
                                               const char *path, dlp_error *error);

/* Adds one document of any bytes. Control characters in its name become spaces; name NULL
   or "": its number, from 1. O(size). */
DLP_API dlp_status dlp_text_builder_add(dlp_text_builder *builder, const char *name,
                                        const char *text, size_t size, dlp_error *error);

/* How many bytes of document d, from 0 in the order of adding, are not UTF-8. */
DLP_API dlp_index dlp_text_builder_invalid(const dlp_text_builder *builder, dlp_index d);

/* How words were made, from dlp_corpus.origin or the model.json of a fit: keep_numbers,
   and stem if the settings have none, are set from it. JSON of any other kind is ignored.
   Call it before terms and documents are added. */
DLP_API dlp_status dlp_text_builder_origin(dlp_text_builder *builder, const char *json,
                                           dlp_error *error);

/* A term in a text: bytes start..end-1 are a word or a phrase that counts for it. */
typedef struct dlp_text_place {
    size_t start, end;
    dlp_index term;
} dlp_text_place;

/* Where the terms given by dlp_text_builder_terms or _read_terms occur in a text, in
   order: the first n, into place (n), and how many in *found. The text is not added, and
   its markup is read as text. */
DLP_API dlp_status dlp_text_builder_places(dlp_text_builder *builder, const char *text,
                                           size_t size, dlp_index n,
                                           dlp_text_place *place, dlp_index *found,
                                           dlp_error *error);

/* Where documents come from. */
typedef struct dlp_text_source {
    size_t size;        /* set by dlp_text_source_default */
    const char *path;   /* a folder, a file (plain or compressed), or "-" */
    int lines;          /* non-zero: the file has one document per line */
    const char *column; /* else: the column with the documents, or the key in JSON
                           lines */
    const char *name;   /* the column or key with their names; NULL: their numbers */
    dlp_progress_call *progress; /* phase "reading", bytes, every few megabytes; default
                                    NULL */
    void *context;
} dlp_text_source;

/* All NULL and 0. */
DLP_API void dlp_text_source_init(dlp_text_source *source, size_t size);
static inline dlp_text_source dlp_text_source_default(void)
{
    dlp_text_source source;
    dlp_text_source_init(&source, sizeof source);
    return source;
}

/*
 * Adds all documents of a source; a source without any is an error.
 *
 * A folder: every file in it and in its folders is a document, in byte order of their
 * paths, which are their names. Hidden and binary files are skipped and counted; links to
 * folders are not followed; a file that cannot be read is an error.
 *
 * A file with `column`: a table (csv or tsv as in <delaplace/table.h>), or JSON lines if
 * it begins with {. Every row except blank lines is a document, even one without text, so
 * that documents stay aligned with the rows of other columns. A null or absent value in
 * JSON is an empty text.
 *
 * A file with `lines`: every line is a document, even a blank one.
 *
 * Memory is that of one file at a time.
 */
DLP_API dlp_status dlp_text_builder_read(dlp_text_builder *builder,
                                         const dlp_text_source *source, dlp_error *error);

/*
 * Applies the rules and makes the corpus: terms in byte order (or as they are given),
 * documents in the order of adding, with their names. report may be NULL. If no term is
 * left, the error says which rule removed how many; the report is filled in even then.
 * The builder is unchanged: it may take more documents and make another corpus. The
 * corpus is released by dlp_corpus_free.
 */
DLP_API dlp_status dlp_text_builder_finish(const dlp_text_builder *builder,
                                           dlp_corpus **corpus, dlp_text_report *report,
                                           dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
