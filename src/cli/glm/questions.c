/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/questions.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT = 64, CURVE_POINTS = 61 };

const char *cli_question_on(int i)
{
    static const char *const names[] = {
        [DLP_ON_RESPONSE] = "response", [DLP_ON_LINK] = "link", NULL};
    return names[i];
}

const char *cli_question_over(int i)
{
    static const char *const names[] = {"rows", "grid", NULL};
    return names[i];
}

const char *cli_question_groups(int i)
{
    static const char *const names[] = {"middle", "average", "own", NULL};
    return names[i];
}

/* What each of these words means to the library. */
static const dlp_effects_of groups_of[] = {DLP_EFFECTS_OF_NONE, DLP_EFFECTS_OF_NEW,
                                           DLP_EFFECTS_OF_LEVELS};

const char *cli_question_on_usual(void)
{
    return cli_question_on(dlp_question_settings_default().on);
}

const char *cli_question_groups_usual(void)
{
    int i = 0;
    while (groups_of[i] != dlp_question_settings_default().effects) i++;
    return cli_question_groups(i);
}

/* ---- --at ---- */

/* The parsed words of --at. */
typedef struct stated {
    char *text[MOST_AT]; /* to be freed */
    dlp_question_at at[MOST_AT];
    const char **value[MOST_AT]; /* to be freed */
    int n;
} stated;

static void clear(stated *s)
{
    for (int i = 0; i < s->n; i++) {
        free(s->text[i]);
        free(s->value[i]);
    }
}

/* Splits the values at commas; a value in double quotes may contain commas. */
static void split(char *text, dlp_question_at *at, const char **value)
{
    for (char *c = text;;) {
        const char end = *c == '"' ? '"' : ',';
        char *from = end == '"' ? c + 1 : c,
             *to = from + strcspn(from, end == '"' ? "\"" : ",");
        c = to + (end == '"' && *to);
        const bool more = *c == ',';
        *to = '\0';
        if (more) *c = '\0';
        value[at->n++] = from;
        if (!more) return;
        c++;
    }
}

static int take(const char *command, const char *word, stated *s)
{
    const char *equal = strchr(word, '=');
    if (!equal || equal == word || !equal[1])
        return cli_misuse(command, "--at %s: write COLUMN=VALUE, as in --at age=40",
                          word);
    s->text[s->n] = strdup(word);
    s->value[s->n] = calloc(strlen(word), sizeof *s->value[s->n]);
    s->n++;
    if (!s->text[s->n - 1] || !s->value[s->n - 1]) return cli_no_memory();
    char *text = s->text[s->n - 1] + (equal - word);
    *text = '\0';
    dlp_question_at *at = &s->at[s->n - 1];
    *at = (dlp_question_at){.column = s->text[s->n - 1], .value = s->value[s->n - 1]};
    split(text + 1, at, s->value[s->n - 1]);
    return CLI_DONE;
}

/* ---- the question ---- */

static dlp_question_settings settings_of(const cli_question *s,
                                         const cli_intervals *levels, const stated *at)
{
    dlp_question_settings settings = dlp_question_settings_default();
    settings.n_by = s->by.n;
    settings.by = s->by.item;
    settings.n_at = at->n;
    settings.at = at->at;
    settings.n_intervals = levels->n;
    settings.interval_level = levels->level;
    settings.pairs = s->pairs;
    settings.exponentiate = s->exponentiate;
    if (s->points) settings.points = s->points;
    if (s->what && !strcmp(s->what, "link")) settings.on = DLP_ON_LINK;
    if (s->over) settings.over = !strcmp(s->over, "rows") ? DLP_OVER_ROWS : DLP_OVER_GRID;
    for (int i = 0; s->effects && cli_question_groups(i); i++)
        if (!strcmp(s->effects, cli_question_groups(i))) settings.effects = groups_of[i];
    return settings;
}

static dlp_status put(const cli_question *s, const dlp_question_settings *given,
                      cli_ask *ask, const cli_glm_applied *a, dlp_answers **answers,
                      dlp_error *error)
{
    const cli_design_advice advice = {.missing = "fill them in, or drop such rows"};
    dlp_question_settings settings = *given;
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    settings.problem = &problem;
    const dlp_status status = ask(s, a->fit, a->table, &settings, answers, error);
    return cli_design_advise(&problem, &advice, status, error);
}

/* A curve in a picture has more points than one on a screen. */
static dlp_status draw(const cli_question *s, const char *question,
                       const dlp_question_settings *given, cli_ask *ask,
                       const cli_glm_applied *a, const dlp_answers *answers,
                       dlp_file_set *files, dlp_error *error)
{
    const cli_answers shown = {question, a->fit, answers};
    if (!answers->numeric || strcmp(question, "effects") != 0 || s->points || s->at.n)
        return cli_answers_svg(&shown, cli_output_path(s->svg), files, error);
    dlp_question_settings settings = *given;
    dlp_answers *curve = NULL;
    settings.points = CURVE_POINTS;
    CLI_TRY(put(s, &settings, ask, a, &curve, error));
    const cli_answers fine = {question, a->fit, curve};
    const dlp_status status =
        cli_answers_svg(&fine, cli_output_path(s->svg), files, error);
    dlp_answers_free(curve);
    return status;
}

static dlp_status report(const cli_question *s, const cli_answers *shown,
                         dlp_error *error)
{
    if (cli_is_stdout(s->output) || cli_is_stdout(s->svg)) return DLP_OK;
    if (s->json) return cli_answers_json(shown, error);
    CLI_TRY(cli_answers_print(shown, error));
    if (s->common.quiet || (!s->output && !s->svg)) return DLP_OK;
    putchar('\n');
    cli_print_written(s->output);
    cli_print_written(s->svg);
    return DLP_OK;
}

/* Writes the table and the picture together, or neither. */
static dlp_status write_files(const cli_question *s, const cli_answers *shown,
                              const dlp_question_settings *settings, cli_ask *ask,
                              const cli_glm_applied *a, dlp_error *error)
{
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status = DLP_OK;
    if (s->output)
        status = cli_answers_csv(shown, cli_output_path(s->output), files, error);
    if (status == DLP_OK && s->svg)
        status = draw(s, shown->question, settings, ask, a, shown->answers, files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

static dlp_status answer(const char *command, const cli_question *s,
                         const dlp_question_settings *settings, cli_ask *ask,
                         cli_glm_applied *a, dlp_error *error)
{
    dlp_answers *answers = NULL;
    CLI_TRY(cli_try_output(s->output, error));
    CLI_TRY(cli_try_output(s->svg, error));
    if (s->source.path)
        CLI_TRY(cli_glm_open(s->fit, &s->source, a, error));
    else
        CLI_TRY(dlp_regression_load(s->fit, &a->fit, error));
    dlp_status status = put(s, settings, ask, a, &answers, error);
    const cli_answers shown = {strrchr(command, ' ') + 1, a->fit, answers};
    if (status == DLP_OK) status = write_files(s, &shown, settings, ask, a, error);
    if (status == DLP_OK) status = report(s, &shown, error);
    dlp_answers_free(answers);
    return status;
}

int cli_question_run(const char *command, const cli_question *s, cli_ask *ask)
{
    cli_intervals levels;
    stated at = {.n = 0};
    int code = cli_intervals_read(command, s->level, &levels);
    if (code == CLI_DONE && cli_is_stdout(s->output) && cli_is_stdout(s->svg))
        code = cli_misuse(command, "%s", cli_two_outputs);
    if (code == CLI_DONE) code = cli_check_json(command, s->json, "--output", s->output);
    if (code == CLI_DONE) code = cli_check_json(command, s->json, "--svg", s->svg);
    for (int i = 0; code == CLI_DONE && i < s->at.n; i++)
        code = take(command, s->at.item[i], &at);
    if (code == CLI_DONE) {
        const dlp_question_settings settings = settings_of(s, &levels, &at);
        cli_glm_applied applied = {.fit = NULL};
        dlp_error error = {0};
        const dlp_status status = answer(command, s, &settings, ask, &applied, &error);
        cli_glm_applied_clear(&applied);
        if (status != DLP_OK) code = cli_failed(status, &error);
    }
    clear(&at);
    return code;
}
