/* SPDX-License-Identifier: BSD-3-Clause */
/* Posterior predictive checks for programs, and as a picture. */
#include "cli/csv.h"
#include "cli/glm/charts.h"
#include "cli/glm/look.h"
#include "io/json.h"
#include "io/print_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- CSV ---- */

static void write_line(FILE *out, const char *kind, const char *of, const char *label,
                       const double number[4])
{
    fprintf(out, "%s,", kind);
    cli_csv_text(out, "", of);
    fputc(',', out);
    cli_csv_text(out, "", label);
    for (int k = 0; k < 4; k++)
        if (isnan(number[k]))
            fputc(',', out);
        else
            fprintf(out, ",%.10g", number[k]);
    fputc('\n', out);
}

void cli_ppc_csv(FILE *out, const void *what)
{
    const dlp_replicates *r = what;
    fputs("kind,of,label,observed,median,lower,upper\n", out);
    for (dlp_index k = 0; k < r->n_statistics; k++) {
        const dlp_replicated *s = &r->statistic[k];
        write_line(out, "statistic", "", s->name,
                   (double[]){s->observed, s->median, s->lower, s->upper});
    }
    for (dlp_index b = 0; b < r->n_bins; b++) {
        const dlp_replicated_bin *x = &r->bin[b];
        write_line(out, "share", "", x->label,
                   (double[]){x->observed, x->median, x->lower, x->upper});
    }
    for (dlp_index k = 0; k < r->n_by; k++)
        for (dlp_index i = 0; i < r->by[k].n; i++) {
            const dlp_look_part *p = &r->by[k].part[i];
            write_line(out, "mean", r->by[k].name, p->label,
                       (double[]){p->mean, p->median, p->lower, p->upper});
            write_line(out, "sd", r->by[k].name, p->label,
                       (double[]){p->sd, p->sd_median, p->sd_lower, p->sd_upper});
        }
}

/* ---- JSON ---- */

static json_t *statistic_json(const void *of, dlp_index k)
{
    const dlp_replicated *s = (const dlp_replicated *)of + k;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", s->name, "observed",
                     dlpi_json_real(s->observed), "median", dlpi_json_real(s->median),
                     "lower", dlpi_json_real(s->lower), "upper", dlpi_json_real(s->upper),
                     "share_above", dlpi_json_real(s->share));
}

static json_t *bin_json(const void *of, dlp_index k)
{
    const dlp_replicated_bin *x = (const dlp_replicated_bin *)of + k;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
                     dlpi_json_text(x->label), "from", dlpi_json_real(x->from), "to",
                     dlpi_json_real(x->to), "observed", dlpi_json_real(x->observed),
                     "median", dlpi_json_real(x->median), "lower",
                     dlpi_json_real(x->lower), "upper", dlpi_json_real(x->upper));
}

json_t *cli_ppc_json(const void *replicates)
{
    const dlp_replicates *r = replicates;
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "rows", (json_int_t)r->N,
                     "dropped", (json_int_t)r->dropped, "draws", (json_int_t)r->draws,
                     "statistics",
                     dlpi_json_list(r->n_statistics, statistic_json, r->statistic),
                     "shares", dlpi_json_list(r->n_bins, bin_json, r->bin), "by",
                     cli_look_by_json(r->by, r->n_by, true));
}

/* ---- SVG ---- */

/* The middle of a bin as drawn, also on a logarithmic axis. */
static double middle(const dlp_replicates *r, dlp_index b)
{
    const dlp_replicated_bin *x = &r->bin[b];
    return r->whole ? x->from : 0.5 * (x->from + x->to);
}

static void add_shares(cli_charts *c, const dlp_replicates *r, const char *response)
{
    const size_t n = (size_t)r->n_bins;
    if (!cli_charts_begin(c, "Responses", response, "share of rows")) return;
    double *x = cli_charts_take(c, 5 * n);
    if (c->failed) return;
    for (size_t b = 0; b < n; b++) {
        x[b] = middle(r, (dlp_index)b);
        x[n + b] = r->bin[b].observed;
        x[2 * n + b] = r->bin[b].lower;
        x[3 * n + b] = r->bin[b].upper;
        x[4 * n + b] = r->bin[b].median;
    }
    cli_charts_band(c, n, x, true);
}

static void add_by(cli_charts *c, const dlp_look_by *by, bool sds)
{
    const size_t n = (size_t)by->n;
    if (!cli_charts_begin(c, sds ? "Sds" : "Means", by->name, sds ? "sd" : "mean"))
        return;
    cli_charts_by(c, by);
    double *x = cli_charts_take(c, 5 * n);
    if (c->failed) return;
    for (size_t k = 0; k < n; k++) {
        const dlp_look_part *p = &by->part[k];
        x[k] = by->numeric ? p->x : (double)(k + 1);
        x[n + k] = sds ? p->sd : p->mean;
        x[2 * n + k] = sds ? p->sd_lower : p->lower;
        x[3 * n + k] = sds ? p->sd_upper : p->upper;
        x[4 * n + k] = sds ? p->sd_median : p->median;
    }
    cli_charts_band(c, n, x, true);
}

void cli_ppc_draw(const dlp_regression *fit, const void *replicates, cli_charts *c)
{
    const dlp_replicates *r = replicates;
    const char *response = dlp_regression_result_of(fit)->terms->response.variable;
    add_shares(c, r, response);
    for (dlp_index k = 0; k < r->n_by; k++) {
        if (r->by[k].n < 2) continue;
        add_by(c, &r->by[k], false);
        if (!r->whole) add_by(c, &r->by[k], true);
    }
}
