/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report: one HTML file that needs no other. Its program (web/) is the same for all
 * fits; script/build-report makes it into src/report/report.html, which the build turns
 * into an array of bytes. The content of a report is embedded as JSON.
 */
#ifndef DLPI_REPORT_PAGE_H
#define DLPI_REPORT_PAGE_H

#include <delaplace/status.h>
#include <jansson.h>

/* report.html, with a terminating zero byte. */
extern const unsigned char dlpi_report_template[];

/* Makes a page with a title, which is escaped, and the data: text to be freed, and its
   length. Nothing in the data can break out of its place in the page. */
dlp_status dlpi_report_page(const char *title, const json_t *data, char **html,
                            size_t *size, dlp_error *error);

#endif
