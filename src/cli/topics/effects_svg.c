/* SPDX-License-Identifier: BSD-3-Clause */
/* The effects of covariates on topics as a picture for a paper: a panel for each term,
   with a row for each topic; or, for a single topic, a row for each term. */
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/effects_report.h"
#include "cli/topics/view.h"
#include "io/print_file.h"
#include "report/plot_forest.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_WORDS = 2, TITLE_WORDS = 4, WORDS = 1024, REFERENCES = 512 };

typedef struct drawing {
    const cli_effects *e;
    dlp_topic_words words;
    dlp_index terms;
    dlp_index *column;       /* (terms) of the design */
    ptrdiff_t *scale;        /* (terms) the same for all levels of a factor */
    const char **term;       /* (terms) names */
    char **topic;            /* (K) names */
    dlpi_estimate *estimate; /* (terms, K) or (terms) */
    char *title;
    char caption[WORDS], warning[WORDS];
} drawing;

static bool is_intercept(const cli_effects *e, dlp_index j)
{
    return !strcmp(e->design->name[j], DLP_INTERCEPT);
}

/* An intercept is not an effect: show it only if there is nothing else. */
static void choose_terms(drawing *d)
{
    const dlp_index p = d->e->effects.p;
    for (dlp_index j = 0; j < p; j++)
        if (p == 1 || !is_intercept(d->e, j)) d->column[d->terms++] = j;
    for (dlp_index t = 0; t < d->terms; t++) {
        d->term[t] = d->e->design->name[d->column[t]];
        d->scale[t] = d->e->design->assign[d->column[t]];
    }
}

/* In percentage points. */
static dlpi_estimate estimate_of(const cli_effects *e, dlp_index k, dlp_index j)
{
    const dlp_index at = k * e->effects.p + j;
    return (dlpi_estimate){100 * e->effects.mean[at], 100 * e->effects.lower[at],
                           100 * e->effects.upper[at]};
}

static void fill_estimates(const drawing *d)
{
    const dlp_index K = d->e->effects.K, one = d->e->topic;
    for (dlp_index t = 0; t < d->terms; t++)
        for (dlp_index k = 0; k < K; k++)
            if (one < 0)
                d->estimate[t * K + k] = estimate_of(d->e, k, d->column[t]);
            else if (one == k)
                d->estimate[t] = estimate_of(d->e, k, d->column[t]);
}

/* ---- words ---- */

static bool name_topics(drawing *d)
{
    bool done = true;
    for (dlp_index k = 0; k < d->e->effects.K; k++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "%td ", k + 1);
        d->topic[k] = cli_topics_name(d->e->model, &d->words, k, LABEL_WORDS, prefix);
        done &= d->topic[k] != NULL;
    }
    return done;
}

static bool make_title(drawing *d)
{
    char prefix[64];
    if (d->e->topic < 0) {
        d->title = strdup(d->e->design->terms->formula);
    } else {
        snprintf(prefix, sizeof prefix, "Topic %td: ", d->e->topic + 1);
        d->title =
            cli_topics_name(d->e->model, &d->words, d->e->topic, TITLE_WORDS, prefix);
    }
    return d->title != NULL;
}

/* " ('admin' of section, 'f' of sex)", as far as there is room for whole names. */
static void write_references(const cli_effects *e, char text[REFERENCES])
{
    dlp_index at = 0;
    size_t used = 0;
    const dlp_levels *factor;
    text[0] = '\0';
    while ((factor = cli_effects_next_factor(e, &at))) {
        const int length =
            snprintf(text + used, REFERENCES - used, "%s'%s' of %s", used ? ", " : " (",
                     factor->level[0], factor->variable);
        if (length < 0 || (size_t)length + 1 >= REFERENCES - used) break;
        used += (size_t)length;
    }
    snprintf(text + used, REFERENCES - used, "%s", used ? ")" : "");
}

/* Whether the panels differ in scale. */
static bool has_scales(const drawing *d)
{
    bool differ = false;
    for (dlp_index t = 1; t < d->terms && d->e->topic < 0; t++)
        differ |= d->scale[t] != d->scale[0];
    return differ;
}

static void write_texts(drawing *d)
{
    const dlp_effects *x = &d->e->effects;
    char references[REFERENCES];
    write_references(d->e, references);
    snprintf(
        d->caption, WORDS,
        "Mean change in a topic's share of a document, in percentage points, for one "
        "unit more of the covariate, or for this level of a factor instead of the "
        "reference%s, with 95 %% intervals; a filled dot where they exclude 0.%s %td "
        "document%s, %d draws of each. Topics are named by their first words by FREX.",
        references, has_scales(d) ? " Terms have scales of their own." : "", d->e->D,
        cli_plural(d->e->D), d->e->draws);
    if (x->unsettled)
        snprintf(d->warning, WORDS, "Inference for %td document%s did not converge.",
                 x->unsettled, cli_plural(x->unsettled));
    else if (x->uncorrected)
        snprintf(
            d->warning, WORDS,
            "For %td document%s only the paper's sds were found, which are too small.",
            x->uncorrected, cli_plural(x->uncorrected));
}

/* ---- the picture ---- */

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const bool all = d->e->topic < 0;
    const char *const *topics = (const char *const *)d->topic;
    const dlpi_forest plot = {.page = {.title = d->title,
                                       .kind = "Forest plot of effects on topics",
                                       .caption = d->caption,
                                       .warning = d->warning,
                                       .width = DLPI_SVG_PAPER},
                              .rows_are = all ? "topics" : "terms",
                              .panels_are = "terms",
                              .mean_is = "mean",
                              .interval_is = "95 % interval",
                              .rows = all ? d->e->effects.K : d->terms,
                              .panels = all ? d->terms : 1,
                              .row = all ? topics : d->term,
                              .panel = all ? d->term : NULL,
                              .scale = all ? d->scale : NULL,
                              .estimate = d->estimate};
    dlpi_plot_forest(out, &plot);
}

static bool fill(drawing *d)
{
    const size_t K = (size_t)d->e->effects.K, p = (size_t)d->e->effects.p;
    d->column = calloc(p, sizeof *d->column);
    d->term = calloc(p, sizeof *d->term);
    d->topic = calloc(K, sizeof *d->topic);
    d->estimate = calloc(K * p, sizeof *d->estimate);
    d->scale = calloc(p, sizeof *d->scale);
    if (!d->column || !d->scale || !d->term || !d->topic || !d->estimate) return false;
    choose_terms(d);
    fill_estimates(d);
    write_texts(d);
    return name_topics(d) && make_title(d);
}

dlp_status cli_effects_write_svg(const cli_effects *e, const char *path,
                                 dlp_file_set *files, dlp_error *error)
{
    drawing d = {.e = e};
    dlp_status status = DLP_ENOMEM;
    CLI_TRY(dlp_topics_words(dlp_topic_model_topics(e->model), DLP_BY_FREX, TITLE_WORDS,
                             &d.words, error));
    if (fill(&d))
        status = dlpi_print_file_in(files, path, print_svg, &d, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    for (dlp_index k = 0; d.topic && k < e->effects.K; k++) free(d.topic[k]);
    free(d.topic);
    free(d.column);
    free(d.scale);
    free(d.term);
    free(d.estimate);
    free(d.title);
    dlp_topic_words_free(&d.words);
    return status;
}
