/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of a .npy file: six bytes of magic, a version, the length of what follows,
 * and a Python dictionary such as
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 */
#include "io/npy.h"

#include "io/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the dictionary says. */
struct header {
    char descr[16];
    bool has_descr, has_order, has_shape;
    bool fortran_order;
    int dims;
    int64_t shape[2]; /* the first two of them */
};

static const char cure[] = "save it by numpy.save of an array of float64";

/* Finds where the dictionary begins and ends. False if this is not a .npy file, or one
   that is cut off. */
static bool find_dictionary(const char *bytes, size_t size, size_t *first, size_t *end)
{
    const unsigned char *const b = (const unsigned char *)bytes;
    if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0 || b[6] < 1 || b[6] > 3)
        return false;
    /* From version 2 on the length takes four bytes. */
    *first = b[6] == 1 ? 10 : 12;
    size_t length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    *end = *first + length;
    return *end <= size;
}

/* ---- the dictionary ---- */

static bool take(struct dlpi_scan *s, const char *word)
{
    const size_t length = strlen(word);
    dlpi_skip_blanks(s);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

/* A text in quotes, without escapes; cut when it is long. */
static bool take_text(struct dlpi_scan *s, char text[16])
{
    dlpi_skip_blanks(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"')) return false;
    const char *const first = s->at + 1;
    const char *const last = memchr(first, *s->at, (size_t)(s->end - first));
    if (!last) return false;
    snprintf(text, 16, "%.*s", last - first < 15 ? (int)(last - first) : 15, first);
    s->at = last + 1;
    return true;
}

static bool take_shape(struct dlpi_scan *s, struct header *h)
{
    if (!take(s, "(")) return false;
    for (h->dims = 0; !take(s, ")"); h->dims++) {
        int64_t length = 0;
        dlpi_skip_blanks(s);
        if (h->dims > 32 || !dlpi_scan_whole(s, &length)) return false;
        if (h->dims < 2) h->shape[h->dims] = length;
        if (!take(s, ",")) return h->dims++ > 0 && take(s, ")");
    }
    return true;
}

static bool take_value(struct dlpi_scan *s, const char *key, struct header *h)
{
    if (strcmp(key, "descr") == 0) return h->has_descr = take_text(s, h->descr);
    if (strcmp(key, "fortran_order") == 0) {
        h->fortran_order = take(s, "True");
        return h->has_order = h->fortran_order || take(s, "False");
    }
    return h->has_shape = strcmp(key, "shape") == 0 && take_shape(s, h);
}

static bool take_dictionary(struct dlpi_scan *s, struct header *h)
{
    if (!take(s, "{")) return false;
    while (!take(s, "}")) {
        char key[16];
        if (!take_text(s, key) || !take(s, ":") || !take_value(s, key, h)) return false;
        if (!take(s, ",")) return take(s, "}");
    }
    return true;
}

/* ---- what is expected ---- */

static dlp_status check_kind(const char *name, const struct header *h, dlp_error *error)
{
    char found[48];
    dlpi_quote(h->descr, strlen(h->descr), found, sizeof found);
    if (strcmp(h->descr, "<f8") != 0)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: holds numbers of type %s; expected '<f8', doubles: %s", name,
                        found, cure);
    if (h->fortran_order)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: is stored by columns; expected rows: save it by "
                        "numpy.save of numpy.ascontiguousarray",
                        name);
    return DLP_OK;
}

static void shape_text(int dims, const int64_t *shape, char text[64])
{
    char number[2][24] = {"any", "any"};
    for (int i = 0; i < dims && i < 2; i++)
        if (shape[i] >= 0) snprintf(number[i], sizeof number[i], "%" PRId64, shape[i]);
    if (dims == 1)
        snprintf(text, 64, "(%s)", number[0]);
    else if (dims == 2)
        snprintf(text, 64, "(%s, %s)", number[0], number[1]);
    else
        snprintf(text, 64, "of %d dimensions", dims);
}

static dlp_status check_shape(const char *name, const struct header *h, int dims,
                              const dlp_index *shape, dlp_error *error)
{
    int64_t wanted[2] = {0, 0};
    bool same = h->dims == dims;
    for (int i = 0; i < dims; i++) {
        wanted[i] = shape[i];
        same = same && (shape[i] < 0 || shape[i] == h->shape[i]);
    }
    if (same) return DLP_OK;
    char expected[64], found[64];
    shape_text(dims, wanted, expected);
    shape_text(h->dims, h->shape, found);
    return dlp_fail(error, DLP_EINPUT,
                    "%s: its shape is %s, expected %s; is it the right file?", name,
                    found, expected);
}

/* The bytes of the numbers; -1 when they are more than a file can have. */
static int64_t data_bytes(const struct header *h)
{
    const int64_t most = PTRDIFF_MAX / (int64_t)sizeof(double);
    const int64_t columns = h->dims == 2 ? h->shape[1] : 1;
    if (columns > 0 && h->shape[0] > most / columns) return -1;
    return h->shape[0] * columns * (int64_t)sizeof(double);
}

dlp_status dlpi_npy_header(const char *name, const char *bytes, size_t size, int dims,
                           dlp_index *shape, size_t *start, dlp_error *error)
{
    struct header h = {.dims = 0};
    size_t first = 0;
    if (!find_dictionary(bytes, size, &first, start))
        return dlp_fail(error, DLP_EINPUT, "%s: is not a complete .npy file; %s", name,
                        cure);
    struct dlpi_scan s = {.name = name, .at = bytes + first, .end = bytes + *start};
    if (!take_dictionary(&s, &h) || !dlpi_scan_is_over(&s) || !h.has_descr ||
        !h.has_order || !h.has_shape)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: the header of the .npy file is damaged; %s", name, cure);
    DLP_TRY(check_kind(name, &h, error));
    DLP_TRY(check_shape(name, &h, dims, shape, error));
    if (data_bytes(&h) != (int64_t)(size - *start))
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %zu bytes of numbers, which do not make its shape; the "
                        "file is cut off or damaged",
                        name, size - *start);
    for (int i = 0; i < dims; i++) shape[i] = (dlp_index)h.shape[i];
    return DLP_OK;
}
