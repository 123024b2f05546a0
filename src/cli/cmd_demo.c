/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace demo: a tour of the program, on the data that come with it. Every step is a
   command line, printed, then run as if it had been typed. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/study/data_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct demo_settings {
    cli_common common;
    const char *output;
    const char *data;
} demo_settings;

enum { MOST_WORDS = 16 };

/* A step of the tour. In its words, @NAME is a data file and %NAME an output file. */
typedef struct demo_step {
    const char *why;
    bool shows; /* the command only prints its result */
    const char *words[MOST_WORDS];
} demo_step;

static const demo_step steps[] = {
    {"What are Debian packages about? We know how often each word occurs in "
     "their\ndescriptions, and look for 30 topics.",
     false,
     {"topics", "fit", "@packages.ldac", "-k", "30", "-o", "%packages"}},
    {"The topics by their words, and which of them go together.",
     true,
     {"topics", "show", "%packages", "--words", "5", "--correlations", "6"}},
    {"The same as a page: a map of the topics, the packages that show each most, and "
     "how\neach varies over the sections of the archive, which the fit did not see.",
     false,
     {"report", "%packages", "-o", "%packages.html", "--covariates", "@packages.csv",
      "--by", "section", "--title", "What Debian packages are about"}},
    {"Did cold damage the O-rings of the space shuttle, in the 23 launches before the\n"
     "Challenger's last?",
     false,
     {"glm", "fit", "distress ~ temperature", "--data", "@challenger.csv", "-o",
      "%challenger.json"}},
    {"What was to be expected at the last launch, at 31 degrees Fahrenheit? The mean is "
     "the\nprobability of damage; lower and upper bound its 95 % interval.",
     true,
     {"glm", "predict", "%challenger.json", "--data", "@challenger-last.csv", "-o", "-"}},
    {"The coefficients as a page, with what was fitted against what was observed.",
     false,
     {"report", "%challenger.json", "-o", "%challenger.html", "--data", "@challenger.csv",
      "--title", "O-rings and the cold"}},
    {"Did Berkeley's graduate school favour men in 1973? Taking all "
     "departments\ntogether, it seems so: the interval of 'gendermale' lies above 0.",
     false,
     {"glm", "fit", "cbind(admitted, rejected) ~ gender", "--data", "@admissions.csv",
      "-o", "%pooled.json"}},
    {"But departments decide, and they differ. Now each has its own rate of "
     "admissions\nand its own effect of gender, and borrows strength from the others. "
     "The mean effect\nis below 0, if anything: men did better overall because they "
     "applied where most are\nadmitted.",
     false,
     {"glm", "fit", "cbind(admitted, rejected) ~ gender + (1 + gender | department)",
      "--data", "@admissions.csv", "-o", "%admissions.json"}},
    {"How much departments differ, and how far each lies from the others.",
     false,
     {"report", "%admissions.json", "-o", "%admissions.html", "--data", "@admissions.csv",
      "--title", "Admissions to Berkeley, by department"}},
};
enum { STEPS = sizeof steps / sizeof *steps };

/* The folders that @ and % stand for. */
typedef struct demo_folders {
    char data[PATH_MAX];
    const char *output;
} demo_folders;

static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    return snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name) < PATH_MAX;
}

/* Replaces @NAME and %NAME in the words of a step by paths. Returns the number of words,
   or -1 if a path is too long. */
static int expand(const demo_step *step, const demo_folders *folders,
                  char path[MOST_WORDS][PATH_MAX], const char *words[MOST_WORDS + 1])
{
    int count = 0;
    for (; count < MOST_WORDS && step->words[count]; count++) {
        const char *word = step->words[count];
        const bool of_data = *word == '@', of_output = *word == '%';
        const char *folder = of_data ? folders->data : folders->output;
        words[count] = of_data || of_output ? path[count] : word;
        if ((of_data || of_output) && !join(path[count], folder, word + 1)) return -1;
    }
    return count;
}

static void announce(const demo_step *step, int count, const char *const *words)
{
    printf("%s\n\n$ delaplace", step->why);
    for (int i = 0; i < count; i++) {
        putchar(' ');
        cli_print_shell_word(words[i]);
    }
    puts("\n");
    fflush(stdout);
}

static int run_step(const demo_step *step, const demo_folders *folders, bool quiet)
{
    char path[MOST_WORDS][PATH_MAX];
    const char *words[MOST_WORDS + 1];
    int count = expand(step, folders, path, words);
    if (count < 0) {
        const dlp_error error = {.message = "the name of a folder is too long"};
        return cli_failed(DLP_EINPUT, &error);
    }
    if (quiet && step->shows) return CLI_DONE;
    if (quiet)
        words[count++] = "--quiet";
    else
        announce(step, count, words);
    const int code = cli_run(count, words);
    if (code == CLI_DONE && !quiet) puts("\n----\n");
    return code;
}

static dlp_status make_folder(const char *path, dlp_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return DLP_OK;
    snprintf(error->message, sizeof error->message, "%.400s: cannot make the folder: %s",
             path, strerror(errno));
    return DLP_EIO;
}

/* A signal came too late for the step that met it. */
static int stopped(void)
{
    const dlp_error error = {.message =
                                 "stopped by a signal; what was written is complete"};
    return cli_failed(DLP_ECANCELLED, &error);
}

static int run(const void *command_settings)
{
    const demo_settings *s = command_settings;
    const bool quiet = s->common.quiet;
    demo_folders folders = {.output = s->output};
    dlp_error error = {0};
    dlp_status status = cli_data_folder(s->data, folders.data, &error);
    if (status == DLP_OK) status = make_folder(s->output, &error);
    if (status != DLP_OK) return cli_failed(status, &error);

    for (int i = 0; i < STEPS; i++) {
        if (!quiet) printf("%d of %d. ", i + 1, STEPS);
        const int code = run_step(&steps[i], &folders, quiet);
        if (code != CLI_DONE) return code;
        if (cli_progress_watch(NULL, NULL)) return stopped();
    }
    if (!quiet)
        printf(
            "Now open packages.html, challenger.html and admissions.html in the folder "
            "%s with a\nbrowser.\n",
            s->output);
    return CLI_DONE;
}

#define FIELD(name) offsetof(demo_settings, name)

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FOLDER",
     .offset = FIELD(output),
     .initial = "delaplace-demo",
     .help = "The folder for models and reports; made if it does not exist."},
    {.name = "data",
     .type = CLI_PATH,
     .value = "FOLDER",
     .offset = FIELD(data),
     .help = "The folder of the data, if it is not where the program was installed."},
    {.name = NULL},
};

const cli_command cli_demo_command = {
    .name = "demo",
    .summary = "a tour of the program with its example data",
    .description =
        "Fits topics to the descriptions of Debian packages, a regression to the "
        "launches of the space shuttle and a hierarchical one to the admissions of a "
        "graduate school, and writes an HTML report of each. It takes a few seconds. "
        "Every step is printed as you would type it.",
    .example =
        "  delaplace demo\n"
        "  delaplace demo -o /tmp/demo\n",
    .options = options,
    .settings_size = sizeof(demo_settings),
    .run = run,
};
