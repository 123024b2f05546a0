/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/effects_report.h"

#include "cli/csv.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "io/json.h"
#include "io/print_file.h"

#include <math.h>
#include <string.h>

enum { LEAST_NAME = 12, MOST_NAME = 40, INTERVAL = 24, LEAST_PLOT = 8, FEW_WORDS = 4 };

typedef struct effect {
    double mean, sd, lower, upper;
} effect;

/* The effect of column j on topic k. */
static effect effect_of(const cli_effects *e, dlp_index k, dlp_index j)
{
    const dlp_index i = k * e->effects.p + j;
    const dlp_effects *x = &e->effects;
    return (effect){x->mean[i], x->sd[i], x->lower[i], x->upper[i]};
}

static bool is_shown(const cli_effects *e, dlp_index k)
{
    return e->topic < 0 || e->topic == k;
}

static bool is_term(const dlp_design *design, const char *variable)
{
    bool found = false;
    for (dlp_index t = 0; t < design->n_terms && !found; t++)
        found = !strcmp(design->term[t], variable);
    return found;
}

const dlp_levels *cli_effects_next_factor(const cli_effects *e, dlp_index *at)
{
    const dlp_terms *terms = e->design->terms;
    while (*at < terms->n_factors) {
        const dlp_levels *factor = &terms->factor[(*at)++];
        if (is_term(e->design, factor->variable)) return factor;
    }
    return NULL;
}

/* ---- text ---- */

static int name_width(const cli_effects *e)
{
    int width = LEAST_NAME;
    for (dlp_index j = 0; j < e->effects.p; j++) {
        const int room = cli_name_width(e->design->name[j]);
        if (room > width) width = room;
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

/* The screen width left after a row's numbers. */
static int plot_width(const cli_effects *e)
{
    const int numbers = 2 + name_width(e) + 11 + 11 + 3 + INTERVAL + 1;
    const int left = cli_screen_width() - numbers;
    return left < CLI_PLOT_WIDTH ? left : CLI_PLOT_WIDTH;
}

/* One axis for all topics, so that they can be compared. Leaves out the intercept,
   which is not an effect and would make the others look small. */
static cli_axis axis_of(const cli_effects *e)
{
    cli_axis a = {0, 0, plot_width(e)};
    for (dlp_index k = 0; k < e->effects.K; k++)
        for (dlp_index j = 1; j < e->effects.p && is_shown(e, k); j++) {
            const effect x = effect_of(e, k, j);
            a.low = fmin(a.low, x.lower);
            a.high = fmax(a.high, x.upper);
        }
    return a;
}

/* In percentage points. */
static void print_row(const char *name, int width, const effect *x, const cli_axis *axis)
{
    char interval[64];
    const int length = snprintf(interval, sizeof interval, "[%.4g, %.4g]", 100 * x->lower,
                                100 * x->upper);
    fputs("  ", stdout);
    cli_print_name(name, width);
    printf(" %10.4g %10.4g   %s", 100 * x->mean, 100 * x->sd, interval);
    if (axis) {
        printf("%*s", length < INTERVAL ? INTERVAL - length : 0, "");
        cli_print_plot(axis, x->lower, x->mean, x->upper);
    }
    putchar('\n');
}

static void print_topic(const cli_effects *e, const dlp_topic_words *words, dlp_index k,
                        const cli_axis *axis)
{
    const int width = name_width(e);
    printf("\nTopic %td (", k + 1);
    cli_topics_print_called(e->model, words, k, words->n);
    printf(")\n  %-*s %10s %10s   95 %% interval\n", width, "term", "mean", "sd");
    for (dlp_index j = 0; j < e->effects.p; j++) {
        const effect x = effect_of(e, k, j);
        print_row(e->design->name[j], width, &x, j > 0 ? axis : NULL);
    }
}

/* The first numeric term with its own 0, or NULL. Sets *numbers to whether there are
   numeric terms at all, including those of scale(). */
static const char *unscaled_term(const cli_effects *e, bool *numbers)
{
    const char *found = NULL;
    *numbers = false;
    for (dlp_index t = 0; t < e->design->n_terms; t++) {
        const dlp_term_zero zero = dlp_design_term_zero(e->design, t);
        *numbers |= zero != DLP_ZERO_NOWHERE;
        if (!found && zero == DLP_ZERO_OWN) found = e->design->term[t];
    }
    return found;
}

static bool has_odd_intercept(const cli_effects *e)
{
    bool odd = false;
    for (dlp_index k = 0; k < e->effects.K; k++)
        odd |= is_shown(e, k) && dlp_effects_extrapolates(&e->effects, k);
    return odd;
}

static void print_intercept(const cli_effects *e)
{
    bool numbers;
    const char *term = unscaled_term(e, &numbers);
    printf("The intercept is a share in per cent%s.\n",
           numbers                  ? ", where every number is 0 and every factor is at\n"
                                      "its reference"
           : e->design->n_terms > 0 ? ", where every factor is at its reference"
                                    : "");
    if (!term || !has_odd_intercept(e)) return;
    fputs("No document is near that; 'scale(", stdout);
    cli_print_name(term, 0);
    puts(")' in the formula puts 0 at the\nmean, and the effect is then for one sd.");
}

static void print_widened(const dlp_effects *x)
{
    const double *by = x->widened;
    if (by[0] == 0)
        puts("It treats the topics as known; they are estimates.");
    else if (by[0] > 1 || by[1] > 1)
        printf(
            "Since the topics are estimates, too, sds are multiplied by %.2f for "
            "intercepts\nand %.2f for the rest: this is how much fits to halves of the "
            "documents differ.\n",
            by[0], by[1]);
}

static void print_notes(const cli_effects *e)
{
    const dlp_effects *x = &e->effects;
    puts(
        "\nThe mean is the change in the topic's share of a document, in percentage "
        "points,\nfor one unit more of the covariate, or for this level of a factor "
        "instead of the\nreference. The sd includes the uncertainty of the documents' "
        "shares.");
    print_intercept(e);
    print_widened(x);
    if (x->unsettled)
        printf("%td document%s did not converge.\n", x->unsettled,
               cli_plural(x->unsettled));
    if (x->moved > 0)
        printf(
            "Doubt: the estimates have not settled: after fifty rounds they still moved "
            "by\n%.2g sds.\n",
            x->moved);
    if (x->uncorrected)
        printf(
            "For %td document%s only the paper's sds were found, which are too small.\n",
            x->uncorrected, cli_plural(x->uncorrected));
}

static void print_references(const cli_effects *e)
{
    dlp_index at = 0;
    const dlp_levels *factor = cli_effects_next_factor(e, &at);
    if (!factor) return;
    for (const char *before = "The reference is '"; factor; before = ", '") {
        fputs(before, stdout);
        cli_print_name(factor->level[0], 0);
        fputs("' of ", stdout);
        cli_print_name(factor->variable, 0);
        factor = cli_effects_next_factor(e, &at);
    }
    puts(".");
}

dlp_status cli_effects_print(const cli_effects *e, bool plot, dlp_error *error)
{
    dlp_topic_words words;
    const cli_axis axis = axis_of(e);
    const bool drawn = plot && axis.width >= LEAST_PLOT &&
                       isfinite(axis.high - axis.low) && axis.high > axis.low;
    CLI_TRY(dlp_topics_words(dlp_topic_model_topics(e->model), DLP_BY_FREX, FEW_WORDS,
                             &words, error));
    cli_print_name(e->design->terms->formula, 0);
    printf(
        "\n\nEffects on the topics of %td document%s, in percentage points, from %d "
        "draws "
        "of each.\n",
        e->D, cli_plural(e->D), e->draws);
    cli_topics_print_dropped(stdout, e->dropped, 2, e->covariates);
    print_references(e);
    for (dlp_index k = 0; k < e->effects.K; k++)
        if (is_shown(e, k)) print_topic(e, &words, k, drawn ? &axis : NULL);
    print_notes(e);
    dlp_topic_words_free(&words);
    return DLP_OK;
}

/* ---- CSV ---- */

static void print_csv(FILE *out, const void *what)
{
    const cli_effects *e = what;
    fputs("topic,term,mean,sd,lower,upper", out);
    cli_topics_csv_label_head(out, e->model);
    fputc('\n', out);
    for (dlp_index k = 0; k < e->effects.K; k++)
        for (dlp_index j = 0; j < e->effects.p && is_shown(e, k); j++) {
            const effect x = effect_of(e, k, j);
            fprintf(out, "%td,", k + 1);
            cli_csv_text(out, "", e->design->name[j]);
            fprintf(out, ",%.10g,%.10g,%.10g,%.10g", x.mean, x.sd, x.lower, x.upper);
            cli_topics_csv_label(out, e->model, k);
            fputc('\n', out);
        }
}

dlp_status cli_effects_write_csv(const cli_effects *e, const char *path,
                                 dlp_file_set *files, dlp_error *error)
{
    return dlpi_print_file_in(files, path, print_csv, e, error);
}

/* ---- JSON ---- */

static json_t *effect_json(const cli_effects *e, dlp_index k, dlp_index j)
{
    const effect x = effect_of(e, k, j);
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "topic", (json_int_t)k + 1, "term",
                  dlpi_json_text(e->design->name[j]), "mean", dlpi_json_real(x.mean),
                  "sd", dlpi_json_real(x.sd), "lower", dlpi_json_real(x.lower), "upper",
                  dlpi_json_real(x.upper));
    return cli_topics_json_label(object, e->model, k);
}

static json_t *widened_json(const dlp_effects *x)
{
    if (x->widened[0] == 0) return json_null();
    return json_pack("[f, f]", x->widened[0], x->widened[1]);
}

json_t *cli_effects_json(const cli_effects *e)
{
    json_t *list = json_array();
    int failed = !list;
    for (dlp_index k = 0; k < e->effects.K; k++)
        for (dlp_index j = 0; j < e->effects.p && is_shown(e, k) && !failed; j++)
            failed = json_array_append_new(list, effect_json(e, k, j));
    if (!failed)
        return json_pack("{s:o, s:I, s:I, s:i, s:I, s:I, s:f, s:o, s:o}", "formula",
                         dlpi_json_text(e->design->terms->formula), "D", (json_int_t)e->D,
                         "dropped", (json_int_t)e->dropped, "draws", e->draws,
                         "unsettled", (json_int_t)e->effects.unsettled, "uncorrected",
                         (json_int_t)e->effects.uncorrected, "moved", e->effects.moved,
                         "widened", widened_json(&e->effects), "effects", list);
    json_decref(list);
    return NULL;
}
