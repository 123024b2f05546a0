/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_page.h"

#include "core/core.h"

#include "io/json.h"
#include "io/print_file.h"
#include "report/xml.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the template expects a fit's own content; the title comes first. */
static const char title_mark[] = "{{title}}";
static const char data_mark[] = "{{data}}";

/* Six digits are more than a picture shows. */
enum { DUMP = JSON_COMPACT | JSON_REAL_PRECISION(6) };

/* "<" could begin "</script" or "<!--". In JSON it occurs only in strings, where it can
   be escaped. So can U+2028 and U+2029 (E2 80 A8 and A9), which end lines in older
   JavaScript. */
static void print_data(FILE *out, const char *json)
{
    for (; *json; json++)
        if (*json == '<') {
            fputs("\\u003c", out);
        } else if (!strncmp(json, "\xE2\x80\xA8", 3) ||
                   !strncmp(json, "\xE2\x80\xA9", 3)) {
            fputs(json[2] == '\xA8' ? "\\u2028" : "\\u2029", out);
            json += 2;
        } else {
            fputc(*json, out);
        }
}

static void print_page(FILE *out, const char *title, const char *json)
{
    const char *page = (const char *)dlpi_report_template;
    const char *at = strstr(page, title_mark);
    fwrite(page, 1, (size_t)(at - page), out);
    dlpi_xml_text(out, title);
    page = at + sizeof title_mark - 1;
    at = strstr(page, data_mark);
    fwrite(page, 1, (size_t)(at - page), out);
    print_data(out, json);
    fputs(at + sizeof data_mark - 1, out);
}

dlp_status dlpi_report_page(const char *title, const json_t *data, char **html,
                            size_t *size, dlp_error *error)
{
    char *json = dlpi_json_dumps(data, DUMP);
    *html = NULL;
    FILE *out = json ? dlpi_open_text(html, size) : NULL;
    bool failed = !out;
    if (out) {
        print_page(out, title, json);
        failed = !dlpi_close_text(out, html);
    }
    free(json);
    if (!failed) return DLP_OK;
    free(*html);
    *html = NULL;
    return dlpi_no_memory(error, "the report");
}
