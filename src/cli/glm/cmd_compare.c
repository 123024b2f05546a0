/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm compare: which of several fitted regressions predicts best. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/scores.h"
#include "cli/glm/source.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FITS = 6, LEAST_NAME = 12, MOST_NAME = 40 };

typedef struct compare_settings {
    cli_common common;
    const char *fit[MOST_FITS];
    cli_glm_source source;
    dlp_index draws, seed, threads;
    bool rows, json;
} compare_settings;

/* A fit and how well it predicts. */
typedef struct entry {
    const char *path;
    dlp_scores *scores;
    bool comparable;     /* fitted to the same rows as the first fit */
    dlp_score_sum worse; /* elpd minus that of the best */
} entry;

typedef struct list {
    int n;
    entry of[MOST_FITS];
} list;

/* ---- scores ---- */

static dlp_status score(const compare_settings *s, const char *path, entry *e,
                        dlp_error *error)
{
    dlp_comparison_settings settings = dlp_comparison_settings_default();
    cli_glm_applied a = {.fit = NULL};
    e->path = path;
    dlp_status status = cli_glm_open(path, &s->source, &a, error);
    if (status == DLP_OK) {
        cli_progress progress = cli_progress_begin("leaving out rows");
        settings.draws = s->draws;
        settings.seed = (unsigned long)s->seed;
        settings.threads = (int)s->threads;
        settings.progress = cli_progress_call;
        settings.context = &progress;
        status = dlp_regression_loo(a.fit, a.table, &settings, &e->scores, error);
        cli_progress_end();
        if (status != DLP_OK) status = cli_in_file(path, status, error);
    }
    cli_glm_applied_clear(&a);
    return status;
}

static void rank(list *l)
{
    const list given = *l;
    const dlp_scores *scores[MOST_FITS];
    dlp_index order[MOST_FITS];
    for (int i = 0; i < l->n; i++) scores[i] = given.of[i].scores;
    const dlp_index comparable = dlp_scores_rank(l->n, scores, order);
    for (int i = 0; i < l->n; i++) {
        l->of[i] = given.of[order[i]];
        l->of[i].comparable = i < comparable;
    }
    for (int i = 0; i < l->n; i++)
        l->of[i].worse = i > 0 && l->of[i].comparable
                             ? dlp_scores_difference(l->of[i].scores, l->of[0].scores)
                             : (dlp_score_sum){0, 0};
}

/* ---- text ---- */

static int name_width(const list *l)
{
    int width = LEAST_NAME;
    for (int i = 0; i < l->n; i++)
        if (cli_name_width(l->of[i].path) > width) width = cli_name_width(l->of[i].path);
    return width < MOST_NAME ? width : MOST_NAME;
}

static void print_loo(const list *l, int width)
{
    printf("  %-*s %10s %8s %11s  k > %g   %s\n", width, "fit", "elpd", "se",
           "parameters", DLP_TAIL_K_FAIR, "difference (se)");
    for (int i = 0; i < l->n; i++) {
        const entry *e = &l->of[i];
        const dlp_scores *s = e->scores;
        fputs("  ", stdout);
        cli_print_name(e->path, width);
        printf(" %10.2f %8.2f %11.1f %8td   ", s->elpd_sum.value, s->elpd_sum.se,
               s->parameters.value, s->doubtful);
        if (!e->comparable)
            puts("other rows or response");
        else if (i == 0)
            puts("0");
        else
            printf("%.2f (%.2f)\n", e->worse.value, e->worse.se);
    }
}

static void print_others(const list *l, int width)
{
    printf("\n  %-*s %10s %8s %11s   %s\n", width, "", "WAIC elpd", "se", "parameters",
           "log evidence (se)");
    for (int i = 0; i < l->n; i++) {
        const dlp_scores *s = l->of[i].scores;
        fputs("  ", stdout);
        cli_print_name(l->of[i].path, width);
        if (s->without_draws)
            printf(" %10s %8s %11s   %.2f, as fitted\n", "-", "-", "-",
                   s->log_evidence.value);
        else
            printf(" %10.2f %8.2f %11.1f   %.2f (%.1g)\n", s->waic_elpd.value,
                   s->waic_elpd.se, s->waic_parameters.value, s->log_evidence.value,
                   s->log_evidence.se);
    }
}

static void print_verdict(const list *l)
{
    const entry *second = &l->of[1];
    if (l->n < 2 || !second->comparable) return;
    if (!dlp_scores_tell_apart(second->worse))
        puts(
            "\nThe first two differ by less than two standard errors: these rows cannot "
            "tell them apart.");
}

static void print_notes(const list *l)
{
    dlp_index doubtful = 0, waic = 0, others = 0, unsure = 0;
    for (int i = 0; i < l->n; i++) {
        doubtful += l->of[i].scores->doubtful;
        waic += l->of[i].scores->waic_doubtful;
        others += !l->of[i].comparable;
        unsure += dlp_tail_of(l->of[i].scores->posterior_k) == DLP_TAIL_HEAVY;
    }
    print_verdict(l);
    if (others > 0)
        puts(
            "\nFits of other rows (where values are missing), weights or responses "
            "cannot be compared with the\nfirst: fit all to the same rows.");
    if (unsure > 0)
        printf(
            "\nThe weights of a whole posterior are too uneven (k above %g): none of its "
            "numbers can be trusted.\nMore --draws may help, or 'glm cv'.\n",
            DLP_TAIL_K_FAIR);
    else if (doubtful > 0)
        printf(
            "\nRows with k above %g are too influential to be left out by weights: "
            "their elpd is too high. 'glm cv'\nleaves out rows by fitting again.\n",
            DLP_TAIL_K_FAIR);
    if (waic > 0)
        puts(
            "\nWAIC is off where the log density of a row varies by more than 0.4, as it "
            "does here: compare by elpd.");
    puts(
        "\nThe log evidence depends on the priors: one that is ten times wider lowers it "
        "by about 2.3 for each\ncoefficient that the data determine. elpd hardly depends "
        "on them.");
}

/* ---- JSON ---- */

static json_t *entry_json(const compare_settings *s, const entry *e)
{
    const dlp_scores *x = e->scores;
    json_t *o = json_pack(
        "{s:o, s:o, s:I, s:o, s:o, s:I, s:o, s:o, s:o, s:I, s:o, s:b}", "fit",
        dlpi_json_text(e->path), "response", dlpi_json_text(x->response), "rows",
        (json_int_t)x->N, "elpd", cli_score_json(x->elpd_sum), "parameters",
        cli_score_json(x->parameters), "doubtful", (json_int_t)x->doubtful, "posterior_k",
        dlpi_json_real(x->posterior_k), "waic_elpd", cli_score_json(x->waic_elpd),
        "waic_parameters", cli_score_json(x->waic_parameters), "waic_doubtful",
        (json_int_t)x->waic_doubtful, "log_evidence", cli_score_json(x->log_evidence),
        "comparable", e->comparable);
    int failed = o ? 0 : -1;
    if (!failed && e->comparable)
        failed = json_object_set_new(o, "difference", cli_score_json(e->worse));
    if (!failed && s->rows)
        failed = json_object_set_new(o, "by_row", cli_score_rows_json(x));
    if (!failed) return o;
    json_decref(o);
    return NULL;
}

static dlp_status print_json(const compare_settings *s, const list *l, dlp_error *error)
{
    json_t *root = json_object(), *fits = json_array();
    int failed = root && fits ? 0 : -1;
    for (int i = 0; i < l->n && !failed; i++)
        failed = json_array_append_new(fits, entry_json(s, &l->of[i]));
    if (json_object_set_new(root, "fits", fits) || failed) {
        json_decref(root);
        root = NULL;
    }
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

/* ---- the command ---- */

static dlp_status compare(const compare_settings *s, list *l, dlp_error *error)
{
    for (int i = 0; i < MOST_FITS && (i == 0 || s->fit[i]); i++) {
        l->n = i + 1;
        CLI_TRY(score(s, s->fit[i], &l->of[i], error));
    }
    rank(l);
    if (s->json) return print_json(s, l, error);
    printf("Rows left out one by one: '%s', %td row%s\n\n", l->of[0].scores->response,
           l->of[0].scores->N, cli_plural(l->of[0].scores->N));
    const int width = name_width(l);
    print_loo(l, width);
    print_others(l, width);
    print_notes(l);
    return DLP_OK;
}

static int run(const void *settings)
{
    const compare_settings *s = settings;
    if (s->rows && !s->json)
        return cli_misuse(cli_glm_compare_command.name, "--rows needs --json");
    if (s->fit[1] && !strcmp(s->source.path, "-"))
        return cli_misuse(cli_glm_compare_command.name,
                          "the table is read for each fit, so it cannot be standard "
                          "input");
    list l = {.n = 0};
    dlp_error error = {0};
    const dlp_status status = compare(s, &l, &error);
    for (int i = 0; i < l.n; i++) dlp_scores_free(l.of[i].scores);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    compare_settings *s = settings;
    const dlp_comparison_settings library = dlp_comparison_settings_default();
    s->draws = library.draws;
    s->seed = (dlp_index)library.seed;
}

#define FIELD(name) offsetof(compare_settings, name)
#define MORE(letter, i)                                                                  \
    {                                                                                    \
        .name = (letter), .offset = FIELD(fit[i]), .path = true, .optional = true,       \
        .help = "Another."                                                               \
    }

static const cli_operand operands[] = {
    {.name = "A",
     .offset = FIELD(fit[0]),
     .path = true,
     .help = "A result of 'delaplace glm fit'."},
    {.name = "B",
     .offset = FIELD(fit[1]),
     .path = true,
     .optional = true,
     .help = "Another, up to six in all."},
    MORE("C", 2),
    MORE("D", 3),
    MORE("E", 4),
    MORE("F", 5),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_FITTED_DATA(FIELD(source.path)),
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    CLI_SCORE_DRAWS(FIELD(draws)),
    CLI_SEED(FIELD(seed), "the draws"),
    CLI_THREADS(FIELD(threads)),
    CLI_SCORE_ROWS(FIELD(rows)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_compare_command = {
    .name = "glm compare",
    .summary = "compare fitted regressions by how well they predict",
    .description =
        "For each fit, the expected log density (elpd) of responses that it has not "
        "seen: every row is predicted from the others, without fitting again, by "
        "importance weights whose tails are smoothed (PSIS-LOO). Fits are sorted by it; "
        "the difference from the first has a standard error of its own, from the rows' "
        "differences. parameters is the effective number of parameters. The shape k of a "
        "row's weights says whether the row can be left out that way: above 0.7 it "
        "cannot.\n\nBeside it are the widely applicable information criterion, as an "
        "elpd, and the log evidence.\n\nThis works for all regressions, and all fits "
        "must be of this table. In a mixed model a row is predicted from all others, "
        "including those of its group, with the group's effects integrated out; a tenth "
        "of the draws is used. For hierarchies, and for mixed models with an ordinal or "
        "multinomial response, nothing is drawn: a row's own contribution is removed "
        "from the fit, given the population or the scales, as in 'glm residuals'.",
    .example = "  delaplace glm compare one.json other.json --data data.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(compare_settings),
    .defaults = defaults,
    .run = run,
};
