/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/effect_curve.h"

#include "cli/csv.h"
#include "cli/message.h"
#include "cli/print.h"
#include "io/json.h"
#include "io/print_file.h"

#include <string.h>

enum { SHOWN = 9, LEAST_NAME = 8, MOST_NAME = 30, FEW_WORDS = 4 };

dlp_share cli_effect_curve_at(const cli_effect_curve *e, dlp_index k, dlp_index c,
                              dlp_index i)
{
    const dlp_effect_curve *curve = &e->curve;
    const dlp_index at = (k * curve->curves + c) * curve->n + i;
    return e->differences ? curve->difference[at] : curve->share[at];
}

dlp_index cli_effect_curve_first(const cli_effect_curve *e)
{
    return e->differences ? 1 : 0;
}

static bool is_shown(const cli_effect_curve *e, dlp_index k)
{
    return e->topic < 0 || e->topic == k;
}

dlp_index cli_effect_curve_impossible(const cli_effect_curve *e)
{
    dlp_index n = 0;
    for (dlp_index k = 0; k < e->curve.K && !e->differences; k++)
        if (is_shown(e, k)) n += e->curve.impossible[k];
    return n;
}

/* ---- text ---- */

static int width_of(char *const *name, dlp_index n, const char *head)
{
    int width = cli_name_width(head);
    if (width < LEAST_NAME) width = LEAST_NAME;
    for (dlp_index i = 0; i < n; i++) {
        const int room = cli_name_width(name[i]);
        if (room > width) width = room;
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

/* Whether to print value i: all if they are few, else evenly spaced ones, including the
   first and the last. */
static bool is_row(const cli_effect_curve *e, dlp_index i)
{
    const dlp_index n = e->curve.n;
    if (n <= (dlp_index)2 * SHOWN || !e->curve.x) return true;
    return (i * (SHOWN - 1)) % (n - 1) < SHOWN - 1;
}

static void print_row(const cli_effect_curve *e, dlp_index k, dlp_index c, dlp_index i)
{
    const dlp_effect_curve *curve = &e->curve;
    const dlp_share x = cli_effect_curve_at(e, k, c, i);
    fputs("  ", stdout);
    cli_print_name(curve->name[i], width_of(curve->name, curve->n, e->of));
    if (e->by) {
        putchar(' ');
        cli_print_name(curve->curve[c], width_of(curve->curve, curve->curves, e->by));
    }
    printf(" %10.4g %10.4g   [%.4g, %.4g]\n", 100 * x.mean, 100 * x.sd, 100 * x.lower,
           100 * x.upper);
}

static void print_topic(const cli_effect_curve *e, const dlp_topic_words *words,
                        dlp_index k)
{
    const dlp_effect_curve *curve = &e->curve;
    printf("\nTopic %td (", k + 1);
    cli_topics_print_called(e->model, words, k, words->n);
    fputs(")\n  ", stdout);
    cli_print_name(e->of, width_of(curve->name, curve->n, e->of));
    if (e->by) {
        putchar(' ');
        cli_print_name(e->by, width_of(curve->curve, curve->curves, e->by));
    }
    printf(" %10s %10s   95 %% interval\n", e->differences ? "difference" : "share",
           "sd");
    for (dlp_index c = cli_effect_curve_first(e); c < curve->curves; c++)
        for (dlp_index i = 0; i < curve->n; i++)
            if (is_row(e, i)) print_row(e, k, c, i);
}

static void print_doubt(const cli_effect_curve *e)
{
    const dlp_index n = cli_effect_curve_impossible(e);
    if (n == 0) return;
    printf(
        "Doubtful: the interval%s of %td share%s %s wholly outside 0 to 100 %%. The "
        "regression is linear, and\nwrong there: let covariates interact (*), or give "
        "a spline fewer columns, as s(x, 5) does.\n",
        cli_plural(n), n, cli_plural(n), n == 1 ? "lies" : "lie");
}

dlp_status cli_effect_curve_print(const cli_effect_curve *e, dlp_error *error)
{
    dlp_topic_words words;
    CLI_TRY(dlp_topics_words(dlp_topic_model_topics(e->model), DLP_BY_FREX, FEW_WORDS,
                             &words, error));
    cli_print_name(e->formula, 0);
    fputs(e->differences
              ? "\n\nDifferences of topics' shares, in percentage points, from '"
              : "\n\nShares of topics in per cent, by '",
          stdout);
    cli_print_name(e->differences ? e->curve.curve[0] : e->of, 0);
    puts(e->differences ? "'." : "', with all other covariates as they are.");
    for (dlp_index k = 0; k < e->curve.K; k++)
        if (is_shown(e, k)) print_topic(e, &words, k);
    printf("\nMeans over %td documents; intervals are for one value at a time.\n",
           e->curve.documents);
    print_doubt(e);
    dlp_topic_words_free(&words);
    return DLP_OK;
}

/* ---- CSV ---- */

static void csv_by(const cli_effect_curve *e, const char *text, FILE *out)
{
    if (!e->by) return;
    fputc(',', out);
    cli_csv_text(out, "", text);
}

static void print_csv(FILE *out, const void *what)
{
    const cli_effect_curve *e = what;
    const dlp_effect_curve *curve = &e->curve;
    fputs("topic,", out);
    cli_csv_text(out, "", e->of);
    csv_by(e, e->by, out);
    fputs(",mean,sd,lower,upper", out);
    cli_topics_csv_label_head(out, e->model);
    fputc('\n', out);
    for (dlp_index k = 0; k < curve->K; k++)
        for (dlp_index c = cli_effect_curve_first(e); c < curve->curves; c++)
            for (dlp_index i = 0; i < curve->n && is_shown(e, k); i++) {
                const dlp_share x = cli_effect_curve_at(e, k, c, i);
                fprintf(out, "%td,", k + 1);
                if (curve->x)
                    fprintf(out, "%.10g", curve->x[i]);
                else
                    cli_csv_text(out, "", curve->name[i]);
                csv_by(e, e->by ? curve->curve[c] : NULL, out);
                fprintf(out, ",%.10g,%.10g,%.10g,%.10g", x.mean, x.sd, x.lower, x.upper);
                cli_topics_csv_label(out, e->model, k);
                fputc('\n', out);
            }
}

dlp_status cli_effect_curve_csv(const cli_effect_curve *e, const char *path,
                                dlp_file_set *files, dlp_error *error)
{
    return dlpi_print_file_in(files, path, print_csv, e, error);
}

/* ---- JSON ---- */

static json_t *point_json(const cli_effect_curve *e, dlp_index k, dlp_index c,
                          dlp_index i)
{
    const dlp_effect_curve *curve = &e->curve;
    const dlp_share x = cli_effect_curve_at(e, k, c, i);
    json_t *by = e->by ? dlpi_json_text(curve->curve[c]) : json_null();
    json_t *point = json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "topic", (json_int_t)k + 1, "value",
        curve->x ? dlpi_json_real(curve->x[i]) : dlpi_json_text(curve->name[i]), "by", by,
        "mean", dlpi_json_real(x.mean), "sd", dlpi_json_real(x.sd), "lower",
        dlpi_json_real(x.lower), "upper", dlpi_json_real(x.upper));
    return cli_topics_json_label(point, e->model, k);
}

json_t *cli_effect_curve_json(const cli_effect_curve *e)
{
    const dlp_effect_curve *curve = &e->curve;
    json_t *list = json_array();
    int failed = !list;
    for (dlp_index k = 0; k < curve->K; k++)
        for (dlp_index c = cli_effect_curve_first(e); c < curve->curves; c++)
            for (dlp_index i = 0; i < curve->n && is_shown(e, k) && !failed; i++)
                failed = json_array_append_new(list, point_json(e, k, c, i));
    if (!failed)
        return json_pack("{s:o, s:o, s:o, s:b, s:I, s:I, s:o}", "formula",
                         dlpi_json_text(e->formula), "of", dlpi_json_text(e->of), "by",
                         e->by ? dlpi_json_text(e->by) : json_null(), "differences",
                         e->differences, "documents", (json_int_t)curve->documents,
                         "impossible", (json_int_t)cli_effect_curve_impossible(e),
                         "points", list);
    json_decref(list);
    return NULL;
}
