/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Terms that are given rather than chosen: those of a model that is to read the documents.
 * The rules that choose terms look at the documents at hand; of new ones they would choose
 * others, and take words away that the model knows.
 */
#include "core/text.h"
#include "corpus/names.h"
#include "corpus/text_builder.h"

#include <string.h>

/* ---- what is given ---- */

dlp_status dlp_text_builder_terms(dlp_text_builder *b, char *const *term, dlp_index n,
                                  dlp_error *error)
{
    if (!b || !term || n < 1 || b->terms.count > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "terms need a builder that has none, and are 1 or more");
    for (dlp_index v = 0; v < n; v++) {
        int32_t code = 0;
        DLP_TRY(dlpi_string_set_add(&b->terms, term[v], strlen(term[v]), &code, error));
        if (code < v)
            return dlp_fail(error, DLP_EINPUT,
                            "'%s' is term %td and term %td; a term is listed once",
                            dlpi_show(term[v]).text, (dlp_index)code + 1, v + 1);
    }
    return DLP_OK;
}

/* Puts the file before a message about what is in it. */
static dlp_status in_file(const char *path, dlp_status status, dlp_error *error)
{
    const dlp_error told = error ? *error : (dlp_error){""};
    if (status != DLP_EINPUT) return status;
    return dlp_fail(error, DLP_EINPUT, "%s: %.900s", dlpi_input_name(path), told.message);
}

dlp_status dlp_text_builder_read_terms(dlp_text_builder *b, const char *path,
                                       dlp_error *error)
{
    struct dlpi_names names;
    if (!b || !path)
        return dlp_fail(error, DLP_EINVAL, "terms need a builder and a path");
    DLP_TRY(dlpi_names_read(path, &dlpi_named_terms, &names, error));
    dlp_status status = DLP_OK;
    if (names.n == 0)
        status = dlp_fail(error, DLP_EINPUT, "holds no terms; expected one a line");
    else
        status = dlp_text_builder_terms(b, names.name, names.n, error);
    free(names.name);
    return in_file(path, status, error);
}

/* ---- which word is which term ---- */

static void match_by_name(const dlp_text_builder *b, int32_t *group)
{
    for (int32_t t = 0; t < b->vocabulary.count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(&b->vocabulary, t, &size);
        group[t] = dlpi_string_set_find(&b->terms, word, size);
    }
}

/* Adds the names of one set to another; place (from->count) is where each went, where it is
   not NULL. */
static dlp_status add_all(const struct dlpi_string_set *from, struct dlpi_string_set *to,
                          int32_t *place, dlp_error *error)
{
    for (int32_t i = 0; i < from->count; i++) {
        size_t size = 0;
        const char *name = dlpi_string_set_name(from, i, &size);
        int32_t code = 0;
        DLP_TRY(dlpi_string_set_add(to, name, size, &code, error));
        if (place) place[i] = code;
    }
    return DLP_OK;
}

/* The stem of a term is that of the word that it is shown as, and no other term's. */
static dlp_status check_stems(const dlp_text_builder *b, const struct dlpi_stems *stems,
                              dlp_error *error)
{
    for (int32_t v = 0; v < b->terms.count; v++) {
        size_t size = 0;
        if (stems->group[v] == v) continue;
        return dlp_fail(
            error, DLP_EINPUT,
            "the terms '%s' and '%s' have one stem: they were not made by "
            "stemming, so that the text must not be stemmed either",
            dlpi_show(dlpi_string_set_name(&b->terms, stems->group[v], &size)).text,
            dlpi_show(dlpi_string_set_name(&b->terms, v, &size)).text);
    }
    return DLP_OK;
}

/* group (words) tells where each word is among all; it becomes the term of its stem. */
static dlp_status match_stems(const dlp_text_builder *b, const char *language,
                              const struct dlpi_string_set *all, const dlp_index *total,
                              struct dlpi_stems *stems, int32_t *group, dlp_error *error)
{
    DLP_TRY(dlpi_stem_words(language, all, total, stems, error));
    DLP_TRY(check_stems(b, stems, error));
    for (int32_t t = 0; t < b->vocabulary.count; t++) {
        const int32_t stem = stems->group[group[t]];
        group[t] = stem < b->terms.count ? stem : -1;
    }
    return DLP_OK;
}

/* Terms and words are stemmed together. The terms come first, so that the group of a
   term's stem has its number, and the groups after them are of no term. */
static dlp_status match_by_stem(const dlp_text_builder *b, const char *language,
                                struct dlpi_string_set *all, int32_t *group,
                                dlp_error *error)
{
    DLP_TRY(add_all(&b->terms, all, NULL, error));
    DLP_TRY(add_all(&b->vocabulary, all, group, error));
    struct dlpi_stems stems = {.group = dlpi_calloc(all->count, sizeof *stems.group),
                               .shown = dlpi_calloc(all->count, sizeof *stems.shown)};
    dlp_index *total = dlpi_calloc(all->count, sizeof *total); /* none is preferred */
    const dlp_status status =
        stems.group && stems.shown && total
            ? match_stems(b, language, all, total, &stems, group, error)
            : dlpi_no_memory(error, "a vocabulary");
    free(stems.group);
    free(stems.shown);
    free(total);
    return status;
}

dlp_status dlpi_text_match_stems(const dlp_text_builder *b, const char *language,
                                 int32_t *group, dlp_error *error)
{
    struct dlpi_string_set all = {0};
    const dlp_status status = match_by_stem(b, language, &all, group, error);
    dlpi_string_set_clear(&all);
    return status;
}

dlp_status dlpi_text_match_terms(const dlp_text_builder *b, int32_t *group,
                                 dlp_error *error)
{
    if (b->settings.stem) return dlpi_text_match_stems(b, b->settings.stem, group, error);
    match_by_name(b, group);
    return DLP_OK;
}
