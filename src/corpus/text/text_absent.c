/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the text builder in a library that was built without it. */
#include "core/core.h"

#include <delaplace/text.h>

static dlp_status refuse(dlp_error *error)
{
    return dlp_fail(error, DLP_EINVAL,
                    "this library was built without text (DELAPLACE_TEXT); count the "
                    "words elsewhere, and give a corpus");
}

const char *dlp_text_stop_list_name(int i)
{
    (void)i;
    return NULL;
}

const char *dlp_text_stemmer_name(int i)
{
    (void)i;
    return NULL;
}

const char *dlp_text_stop_list(const char *name)
{
    (void)name;
    return NULL;
}

const char *dlp_text_markup_name(int i)
{
    (void)i;
    return NULL;
}

dlp_status dlp_text_builder_alloc(const dlp_text_settings *settings,
                                  dlp_text_builder **builder, dlp_error *error)
{
    (void)settings;
    if (builder) *builder = NULL;
    return refuse(error);
}

void dlp_text_builder_free(dlp_text_builder *builder)
{
    (void)builder; /* there is none but NULL */
}

dlp_status dlp_text_builder_stop(dlp_text_builder *builder, const char *text, size_t size,
                                 dlp_error *error)
{
    (void)builder, (void)text, (void)size;
    return refuse(error);
}

dlp_status dlp_text_builder_read_stop_words(dlp_text_builder *builder, const char *path,
                                            dlp_error *error)
{
    (void)builder, (void)path;
    return refuse(error);
}

dlp_status dlp_text_builder_phrases(dlp_text_builder *builder, const char *text,
                                    size_t size, dlp_error *error)
{
    (void)builder, (void)text, (void)size;
    return refuse(error);
}

dlp_status dlp_text_builder_read_phrases(dlp_text_builder *builder, const char *path,
                                         dlp_error *error)
{
    (void)builder, (void)path;
    return refuse(error);
}

dlp_status dlp_text_builder_origin(dlp_text_builder *builder, const char *json,
                                   dlp_error *error)
{
    (void)builder, (void)json;
    return refuse(error);
}

dlp_status dlp_text_builder_places(dlp_text_builder *builder, const char *text,
                                   size_t size, dlp_index n, dlp_text_place *place,
                                   dlp_index *found, dlp_error *error)
{
    (void)builder, (void)text, (void)size, (void)n, (void)place;
    if (found) *found = 0;
    return refuse(error);
}

dlp_status dlp_text_builder_terms(dlp_text_builder *builder, char *const *term,
                                  dlp_index n, dlp_error *error)
{
    (void)builder, (void)term, (void)n;
    return refuse(error);
}

dlp_status dlp_text_builder_read_terms(dlp_text_builder *builder, const char *path,
                                       dlp_error *error)
{
    (void)builder, (void)path;
    return refuse(error);
}

dlp_status dlp_text_builder_add(dlp_text_builder *builder, const char *name,
                                const char *text, size_t size, dlp_error *error)
{
    (void)builder, (void)name, (void)text, (void)size;
    return refuse(error);
}

dlp_index dlp_text_builder_invalid(const dlp_text_builder *builder, dlp_index d)
{
    (void)builder, (void)d;
    return 0;
}

dlp_status dlp_text_builder_read(dlp_text_builder *builder, const dlp_text_source *source,
                                 dlp_error *error)
{
    (void)builder, (void)source;
    return refuse(error);
}

dlp_status dlp_text_builder_finish(const dlp_text_builder *builder, dlp_corpus **corpus,
                                   dlp_text_report *report, dlp_error *error)
{
    (void)builder, (void)report;
    if (corpus) *corpus = NULL;
    return refuse(error);
}
