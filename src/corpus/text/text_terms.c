/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Terms that are given rather than chosen: those of a model that is to read the
 * documents. The rules that choose terms look at the documents at hand; for new documents
 * they would choose other terms, and drop words that the model knows.
 */
#include "core/text.h"
#include "corpus/names.h"
#include "corpus/text/text_builder.h"

#include <string.h>

/* ---- what is given ---- */

dlp_status dlp_text_builder_terms(dlp_text_builder *b, char *const *term, dlp_index n,
                                  dlp_error *error)
{
    if (!b || !term || n < 1 || b->terms.count > 0)
        return dlp_fail(
            error, DLP_EINVAL,
            "terms need a builder without terms, and there must be at least one");
    if (b->documents > 0)
        return dlp_fail(error, DLP_EINVAL, "terms are given before documents are added");
    for (dlp_index v = 0; v < n; v++) {
        int32_t code = 0;
        DLP_TRY(dlpi_string_set_add(&b->terms, term[v], strlen(term[v]), &code, error));
        if (code < v)
            return dlp_fail(error, DLP_EINPUT,
                            "'%s' is term %td and term %td; list each term once",
                            dlpi_show(term[v]).text, (dlp_index)code + 1, v + 1);
    }
    return DLP_OK;
}

/* Puts the file before a message about what is in it. */
static dlp_status in_file(const char *path, dlp_status status, dlp_error *error)
{
    const dlp_error told = error ? *error : (dlp_error){0};
    if (status != DLP_EINPUT) return status;
    return dlpi_advise(
        error, told.remedy,
        dlp_fail(error, DLP_EINPUT, "%s: %.900s", dlpi_input_name(path), told.message));
}

dlp_status dlp_text_builder_read_terms(dlp_text_builder *b, const char *path,
                                       dlp_error *error)
{
    struct dlpi_names names;
    if (!b || !path)
        return dlp_fail(error, DLP_EINVAL, "terms need a builder and a path");
    DLP_TRY(dlpi_names_read(path, &dlpi_named_terms, &names, error));
    dlp_status status = dlpi_text_take_origin(b, path, error);
    if (status == DLP_OK && names.n == 0)
        status = dlp_fail(error, DLP_EINPUT, "holds no terms; expected one per line");
    if (status == DLP_OK) status = dlp_text_builder_terms(b, names.name, names.n, error);
    free(names.name);
    return in_file(path, status, error);
}

/* ---- which word is which term ---- */

static dlp_status match_all(const dlp_text_builder *b, struct dlpi_term_matcher *matcher,
                            int32_t *group, dlp_error *error)
{
    for (int32_t t = 0; t < b->vocabulary.count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(&b->vocabulary, t, &size);
        DLP_TRY(dlpi_term_match(matcher, &b->terms, word, size, &group[t], error));
    }
    return DLP_OK;
}

dlp_status dlpi_text_match_stems(const dlp_text_builder *b, const char *language,
                                 int32_t *group, dlp_error *error)
{
    struct dlpi_term_matcher matcher = {0};
    dlp_status status = dlpi_term_matcher_start(&matcher, &b->terms, language, error);
    if (status == DLP_OK) status = match_all(b, &matcher, group, error);
    dlpi_term_matcher_clear(&matcher);
    return status;
}

dlp_status dlpi_text_match_terms(const dlp_text_builder *b, int32_t *group,
                                 dlp_error *error)
{
    return dlpi_text_match_stems(b, b->settings.stem, group, error);
}
