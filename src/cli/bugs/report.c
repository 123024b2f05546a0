/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit as one HTML page: what was done and what to doubt, the nodes, their densities, the
   plan. It needs no network and no script. */
#include "cli/bugs/view.h"
#include "cli/files.h"
#include "io/print_file.h"
#include "report/plot_lines.h"
#include "report/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 121, PER_ROW = 3, MOST_CHARTS = 60, CHART_HEIGHT = 190 };

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<style>\n"
    ":root { color-scheme: light dark }\n"
    "body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; "
    "padding: 0 1rem }\n"
    "pre { overflow-x: auto; padding: .7rem; border: 1px solid #8886; border-radius: 6px "
    "}\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
    "th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #8884 "
    "}\n"
    "th:first-child, td:first-child, td.words { text-align: left }\n"
    ".scroll { overflow-x: auto }\nsvg { max-width: 100%; height: auto }\n"
    "</style>\n";

static void cell(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, "<td>%.5g</td>", x);
    else
        fputs("<td>&ndash;</td>", out);
}

static void words(FILE *out, const char *text)
{
    fputs("<td class=\"words\">", out);
    dlpi_xml_text(out, text);
    fputs("</td>", out);
}

static void write_nodes(FILE *out, const dlp_bugs_result *r)
{
    const bool graded = r->verdict != DLP_BUGS_NOT_VERIFIED;
    fputs(
        "<h2>Nodes</h2><div class=\"scroll\"><table><tr><th>node</th><th>mean</th>"
        "<th>sd</th><th>2.5&nbsp;%</th><th>50&nbsp;%</th><th>97.5&nbsp;%</th>",
        out);
    if (graded) fputs("<th>draws: mean</th><th>sd</th><th>grade</th>", out);
    fputs("</tr>\n", out);
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        const dlp_bugs_node *node = &r->node[i];
        const dlp_margin *m = &node->margin;
        fputs("<tr>", out);
        words(out, node->name);
        cell(out, m->mean);
        cell(out, m->sd);
        cell(out, m->lower);
        cell(out, m->median);
        cell(out, m->upper);
        if (graded) {
            cell(out, node->sampled.mean);
            cell(out, node->sampled.sd);
            words(out, dlp_bugs_grade_name(node->grade));
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void write_plan(FILE *out, const dlp_bugs_result *r)
{
    fputs(
        "<h2>Plan</h2><div class=\"scroll\"><table><tr><th>variable</th><th>line</th>"
        "<th>unknown</th><th>how</th><th>why</th></tr>\n",
        out);
    for (int i = 0; i < r->n_plans; i++) {
        fputs("<tr>", out);
        words(out, r->plan[i].name);
        fprintf(out, "<td>%d</td><td>%td</td>", r->plan[i].line, r->plan[i].unknown);
        words(out, r->plan[i].how);
        words(out, r->plan[i].reason);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

/* ---- densities ---- */

static dlp_status fill_charts(const dlp_bugs *model, int charts, double *number,
                              dlpi_line *line, dlpi_line_chart *chart, dlp_error *error)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    for (int i = 0; i < charts; i++) {
        double *x = number + (ptrdiff_t)i * 2 * POINTS, *y = x + POINTS;
        int n, discrete;
        const dlp_status status =
            dlp_bugs_density(model, i, POINTS, x, y, &n, &discrete, error);
        if (status != DLP_OK) return status;
        line[i] = (dlpi_line){
            .name = "", .marked = discrete != 0, .n = (size_t)n, .x = x, .y = y};
        chart[i] = (dlpi_line_chart){.title = r->node[i].name,
                                     .x_label = "",
                                     .y_label = discrete ? "probability" : "density",
                                     .count = 1,
                                     .line = &line[i]};
    }
    return DLP_OK;
}

static dlp_status write_densities(FILE *out, const dlp_bugs *model, dlp_error *error)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    const int charts = r->n_nodes < MOST_CHARTS ? (int)r->n_nodes : MOST_CHARTS;
    if (charts == 0) return DLP_OK;
    double *number = calloc((size_t)charts * 2 * POINTS, sizeof *number);
    dlpi_line *line = calloc((size_t)charts, sizeof *line);
    dlpi_line_chart *chart = calloc((size_t)charts, sizeof *chart);
    dlp_status status = number && line && chart
                            ? fill_charts(model, charts, number, line, chart, error)
                            : dlp_fail(error, DLP_ENOMEM, "not enough memory");
    if (status == DLP_OK) {
        const dlpi_lines plot = {.page = {.title = "",
                                          .kind = "Densities of nodes",
                                          .width = 960,
                                          .screen = true},
                                 .charts = charts,
                                 .per_row = charts < PER_ROW ? charts : PER_ROW,
                                 .chart_height = CHART_HEIGHT,
                                 .chart = chart};
        fputs("<h2>Densities</h2>\n", out);
        dlpi_plot_lines(out, &plot);
        if (charts < r->n_nodes)
            fprintf(out,
                    "<p>The first %d of %td nodes; choose others with --monitor.</p>\n",
                    charts, r->n_nodes);
    }
    free(number);
    free(line);
    free(chart);
    return status;
}

/* ---- the page ---- */

static bool write_head(FILE *out, const dlp_bugs *model, const char *title)
{
    char *text = NULL;
    size_t size = 0;
    fputs(HEAD, out);
    fputs("<title>", out);
    dlpi_xml_text(out, title);
    fputs("</title></head><body>\n<h1>", out);
    dlpi_xml_text(out, title);
    fputs("</h1>\n", out);
    FILE *head = dlpi_open_text(&text, &size);
    if (!head) return false;
    cli_bugs_print_head(head, model);
    const bool whole = dlpi_close_text(head, &text);
    if (whole) {
        fputs("<pre>", out);
        dlpi_xml_text(out, text);
        fputs("</pre>\n", out);
    }
    free(text);
    return whole;
}

dlp_status cli_bugs_report(const dlp_bugs *model, const char *title, const char *path,
                           dlp_file_set *files, dlp_error *error)
{
    char *html = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&html, &size);
    if (!out) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the report");
    const bool headed = write_head(out, model, title);
    write_nodes(out, dlp_bugs_result_of(model));
    dlp_status status = write_densities(out, model, error);
    write_plan(out, dlp_bugs_result_of(model));
    fputs("</body></html>\n", out);
    if ((!dlpi_close_text(out, &html) || !headed) && status == DLP_OK)
        status = dlp_fail(error, DLP_ENOMEM, "not enough memory for the report");
    if (status == DLP_OK)
        status =
            dlp_file_set_write(files, NULL, cli_output_path(path), html, size, error);
    free(html);
    return status;
}
