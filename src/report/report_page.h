/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report: one HTML file that needs nothing else. Its program (web/) is the same for all
 * fits and is made by script/build-report into src/report/report.html, which the build
 * turns into an array of bytes; what a report tells stands in it as JSON.
 */
#ifndef DLPI_REPORT_PAGE_H
#define DLPI_REPORT_PAGE_H

#include <delaplace/status.h>
#include <jansson.h>

/* report.html, with a zero byte behind it. */
extern const unsigned char dlpi_report_template[];

/* The page of that title, which need not be valid HTML, over the data: text to be freed,
   and its length. Whatever stands in the data, it cannot end its place in the page. */
dlp_status dlpi_report_page(const char *title, const json_t *data, char **html,
                            size_t *size, dlp_error *error);

#endif
