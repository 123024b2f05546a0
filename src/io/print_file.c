/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/print_file.h"

#include <stdbool.h>
#include <stdlib.h>

dlp_status dlpi_print_file_in(dlp_file_set *set, const char *path, dlpi_print_text *print,
                              const void *what, dlp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool failed = !out;
    if (out) {
        print(out, what);
        failed = ferror(out) != 0;
        failed |= fclose(out) != 0 || !text;
    }
    const dlp_status status =
        failed ? dlp_fail(error, DLP_ENOMEM, "not enough memory to write %s", path)
        : set  ? dlp_file_set_write(set, NULL, path, text, size, error)
               : dlp_file_write(path, text, size, error);
    free(text);
    return status;
}

dlp_status dlpi_print_file(const char *path, dlpi_print_text *print, const void *what,
                           dlp_error *error)
{
    return dlpi_print_file_in(NULL, path, print, what, error);
}
