/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/output.h"

#include "io/csv_text.h"

#include <delaplace/file.h>
#include <string.h>

/* Room for so many bytes more. */
static bool reserve(struct dlpi_output *out, size_t more)
{
    while (!out->failed && out->bytes.capacity - out->bytes.size < more) {
        const size_t used = out->bytes.size;
        out->bytes.size = out->bytes.capacity; /* full, so that it grows */
        out->failed = dlpi_bytes_grow(&out->bytes, NULL) != DLP_OK;
        out->bytes.size = used;
    }
    return !out->failed;
}

void dlpi_put(struct dlpi_output *out, const char *text, size_t size)
{
    if (size == 0 || !reserve(out, size)) return;
    memcpy(out->bytes.data + out->bytes.size, text, size);
    out->bytes.size += size;
}

void dlpi_put_string(struct dlpi_output *out, const char *text)
{
    dlpi_put(out, text, strlen(text));
}

void dlpi_put_char(struct dlpi_output *out, char c)
{
    if (reserve(out, 1)) out->bytes.data[out->bytes.size++] = c;
}

void dlpi_put_whole(struct dlpi_output *out, int64_t number)
{
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    dlpi_put(out, digits + first, sizeof digits - first);
}

static void put_bytes(void *out, const char *bytes, size_t size)
{
    dlpi_put(out, bytes, size);
}

void dlpi_put_quoted(struct dlpi_output *out, const char *text)
{
    dlpi_put_char(out, '"');
    dlpi_csv_put_text(text, put_bytes, out);
    dlpi_put_char(out, '"');
}

static dlp_status check(const struct dlpi_output *out, dlp_error *error)
{
    return out->failed ? dlpi_no_memory(error, "the text of a file") : DLP_OK;
}

dlp_status dlpi_output_compress(struct dlpi_output *out, const char *path,
                                dlp_error *error)
{
    DLP_TRY(check(out, error));
    return dlpi_compress(path, out->progress, &out->bytes, error);
}

dlp_status dlpi_output_write_in(dlp_file_set *set, const char *lead,
                                struct dlpi_output *out, const char *path,
                                dlp_error *error)
{
    const char *place = strcmp(path, "-") == 0 ? "/dev/stdout" : path;
    dlp_status status = check(out, error);
    if (status == DLP_OK)
        status = set ? dlp_file_set_write(set, lead, place, out->bytes.data,
                                          out->bytes.size, error)
                     : dlp_file_write(place, out->bytes.data, out->bytes.size, error);
    free(out->bytes.data);
    *out = (struct dlpi_output){0};
    return status;
}
