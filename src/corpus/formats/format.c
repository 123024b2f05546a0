/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"

#include "core/settings.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* In the order in which they are tried: formats with a signature come first; svmlight,
   which resembles LDA-C, comes after it, since LDA-C's lines state how many pairs they
   have. */
static const struct dlpi_corpus_format formats[] = {
    {"dlpc",
     {".dlpc"},
     dlpi_looks_like_dlpc,
     dlpi_corpus_parse_dlpc,
     dlpi_corpus_put_dlpc,
     NULL},
    {"mtx",
     {".mtx", ".mm"},
     dlpi_looks_like_mtx,
     dlpi_corpus_parse_mtx,
     dlpi_corpus_put_mtx,
     &dlpi_mtx_lines},
    {"uci",
     {".uci", ".docword"},
     dlpi_looks_like_uci,
     dlpi_corpus_parse_uci,
     dlpi_corpus_put_uci,
     &dlpi_uci_lines},
    {"csv",
     {".csv"},
     dlpi_looks_like_triplets,
     dlpi_corpus_parse_csv,
     dlpi_corpus_put_csv,
     NULL},
    {"ldac",
     {".ldac", ".dat"},
     dlpi_looks_like_ldac,
     dlpi_corpus_parse_ldac,
     dlpi_corpus_put_ldac,
     &dlpi_ldac_lines},
    {"svmlight",
     {".svmlight", ".svm", ".libsvm"},
     dlpi_looks_like_svmlight_counts,
     dlpi_corpus_parse_svmlight,
     dlpi_corpus_put_svmlight,
     &dlpi_svmlight_lines},
};
enum { FORMATS = sizeof formats / sizeof formats[0], EXTENSIONS = 3 };

static const char all_names[] = "ldac, uci, mtx, svmlight, csv or dlpc";

const char *dlp_corpus_format_name(int i)
{
    return i >= 0 && i < FORMATS ? formats[i].name : NULL;
}

const struct dlpi_corpus_format *dlpi_corpus_format_named(const char *name,
                                                          dlp_error *error)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    (void)dlp_fail(error, DLP_EINVAL, "unknown corpus format '%s'; expected %s",
                   dlpi_show(name).text, all_names);
    return NULL;
}

/* Where the last extension of the path's first `length` bytes begins, or length. A dot
   that begins the file's name begins no extension. */
static size_t extension_start(const char *path, size_t length)
{
    for (size_t i = length; i-- > 1 && path[i] != '/';)
        if (path[i] == '.') return path[i - 1] == '/' ? length : i;
    return length;
}

static bool has_extension(const struct dlpi_corpus_format *format, const char *at,
                          size_t length)
{
    for (int i = 0; i < EXTENSIONS && format->extension[i]; i++)
        if (strlen(format->extension[i]) == length &&
            memcmp(format->extension[i], at, length) == 0)
            return true;
    return false;
}

const struct dlpi_corpus_format *dlpi_corpus_format_of_path(const char *path,
                                                            dlp_error *error)
{
    const size_t end = dlpi_uncompressed_length(path), start = extension_start(path, end);
    for (int i = 0; i < FORMATS; i++)
        if (has_extension(&formats[i], path + start, end - start)) return &formats[i];
    (void)dlp_fail(error, DLP_EINVAL,
                   "%s: the file name does not say which format; use one that ends in "
                   ".ldac, .uci, .mtx, .svmlight, .csv or .dlpc",
                   path);
    return NULL;
}

const char *dlp_corpus_format_of(const char *path, dlp_error *error)
{
    const struct dlpi_corpus_format *format = dlpi_corpus_format_of_path(path, error);
    return format ? format->name : NULL;
}

/* Text that no format recognises is taken for LDA-C, whose parser says what is wrong. */
const struct dlpi_corpus_format *dlpi_corpus_format_of_text(const char *text, size_t size)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].detect(text, size)) return &formats[i];
    return dlpi_corpus_format_named("ldac", NULL);
}

char *dlp_corpus_beside(const char *path, const char *extension)
{
    const size_t stem = extension_start(path, dlpi_uncompressed_length(path));
    char *beside = malloc(stem + strlen(extension) + 1);
    if (!beside) return NULL;
    memcpy(beside, path, stem);
    memcpy(beside + stem, extension, strlen(extension) + 1);
    return beside;
}

char *dlpi_corpus_beside_compressed(const char *path, const char *extension)
{
    const char *compression = path + dlpi_uncompressed_length(path);
    const size_t size = strlen(extension) + strlen(compression) + 1;
    char *both = malloc(size), *beside = NULL;
    if (both) {
        (void)snprintf(both, size, "%s%s", extension, compression);
        beside = dlp_corpus_beside(path, both);
    }
    free(both);
    return beside;
}

dlp_corpus *dlpi_corpus_alloc_for_lines(const struct dlpi_scan *s, dlp_error *error)
{
    dlp_index lines = 1, pairs = 0;
    for (const char *p = s->at; p < s->end; p++) {
        lines += *p == '\n';
        pairs += *p == ':';
    }
    dlp_corpus *c = dlpi_corpus_alloc(lines, pairs, error);
    if (c) c->D = 0;
    return c;
}

dlp_status dlpi_take_pair(const struct dlpi_scan *s, const char *word, int64_t id,
                          int64_t n, const char *shape, int32_t *term, int32_t *count,
                          dlp_error *error)
{
    if (id < 0)
        return dlpi_scan_fail(s, word, "'term:count' with both whole numbers", shape,
                              error);
    if (id >= INT32_MAX || n > INT32_MAX)
        return dlpi_scan_fail(s, word, "an id below and a count up to 2147483647", shape,
                              error);
    *term = (int32_t)id;
    *count = (int32_t)n;
    return DLP_OK;
}

void dlpi_put_pairs(struct dlpi_output *out, const dlp_corpus *c, dlp_index d, int first)
{
    for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
        dlpi_put_char(out, ' ');
        dlpi_put_whole(out, (int64_t)c->term[i] + first);
        dlpi_put_char(out, ':');
        dlpi_put_whole(out, c->count[i]);
    }
}

static const dlp_corpus_options defaults = {.format = NULL};

void dlp_corpus_options_init(dlp_corpus_options *options, size_t size)
{
    dlpi_settings_give(options, size, &defaults, sizeof defaults);
}

dlp_corpus_options dlpi_corpus_options_take(const dlp_corpus_options *given)
{
    dlp_corpus_options options = defaults;
    dlpi_settings_merge(&options, sizeof options, given);
    return options;
}
