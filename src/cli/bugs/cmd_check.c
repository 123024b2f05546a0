/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace bugs check: checks a model against its data and summarizes both. */
#include "cli/bugs/source.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"

#include <stdio.h>

typedef struct check_settings {
    cli_common common;
    cli_bugs_source source;
    bool json;
} check_settings;

/* ---- the summary ---- */

/* "x[30,5]" */
static void name_variable(const dlp_bugs_variable *v, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%.80s", v->name);
    for (int d = 0; d < v->n_dim && used < size; d++)
        used += (size_t)snprintf(out + used, size - used, "%s%td%s", d ? "," : "[",
                                 v->dim[d], d == v->n_dim - 1 ? "]" : "");
}

static void print_part(dlp_index n, const char *what, const dlp_bugs_variable *v,
                       bool *any)
{
    if (n == 0) return;
    printf("%s", *any ? ", " : "");
    if (n == v->n)
        printf("%s", what);
    else
        printf("%td %s", n, what);
    *any = true;
}

static void print_variable(const dlp_bugs_variable *v, int width)
{
    char name[300];
    bool any = false;
    name_variable(v, name, sizeof name);
    printf("  ");
    cli_print_name(name, width);
    printf("  ");
    print_part(v->observed, "observed", v, &any);
    print_part(v->latent, "latent", v, &any);
    print_part(v->deterministic, "deterministic", v, &any);
    print_part(v->constant, "constant", v, &any);
    if (!any) printf("not defined");
    printf("\n");
}

static void print_summary(const dlp_bugs *bugs)
{
    const dlp_bugs_totals t = dlp_bugs_count(bugs);
    dlp_bugs_variable v;
    char name[300];
    int width = 0;
    printf(
        "%td variable%s: %td node%s observed, %td latent, %td deterministic, %td "
        "constant\n",
        t.variables, cli_plural(t.variables), t.observed, cli_plural(t.observed),
        t.latent, t.deterministic, t.constant);
    for (dlp_index i = 0; dlp_bugs_variable_at(bugs, i, &v); i++) {
        name_variable(&v, name, sizeof name);
        if (cli_name_width(name) > width) width = cli_name_width(name);
    }
    for (dlp_index i = 0; dlp_bugs_variable_at(bugs, i, &v); i++)
        print_variable(&v, width < 40 ? width : 40);
}

static json_t *dim_at(const void *of, dlp_index d)
{
    return json_integer((json_int_t)((const dlp_bugs_variable *)of)->dim[d]);
}

static json_t *variable_json(const dlp_bugs_variable *v)
{
    json_t *dim = dlpi_json_list(v->n_dim, dim_at, v);
    return json_pack("{s:s, s:o, s:I, s:I, s:I, s:I}", "name", v->name, "dim", dim,
                     "observed", (json_int_t)v->observed, "latent", (json_int_t)v->latent,
                     "deterministic", (json_int_t)v->deterministic, "constant",
                     (json_int_t)v->constant);
}

static dlp_status print_json(const dlp_bugs *bugs, dlp_error *error)
{
    const dlp_bugs_totals t = dlp_bugs_count(bugs);
    dlp_bugs_variable v;
    dlp_bugs_message m;
    json_t *variables = json_array(), *warnings = json_array();
    int failed = 0;
    for (dlp_index i = 0; dlp_bugs_variable_at(bugs, i, &v); i++)
        failed |= json_array_append_new(variables, variable_json(&v));
    for (dlp_index i = 0; dlp_bugs_message_at(bugs, i, &m); i++)
        failed |= json_array_append_new(warnings, dlpi_json_text(m.message));
    json_t *summary = json_pack(
        "{s:I, s:I, s:I, s:I, s:o, s:o}", "observed", (json_int_t)t.observed, "latent",
        (json_int_t)t.latent, "deterministic", (json_int_t)t.deterministic, "constant",
        (json_int_t)t.constant, "variables", variables, "warnings", warnings);
    const dlp_status status = cli_json_print(failed ? NULL : summary, error);
    json_decref(summary);
    return status;
}

static int run(const void *command_settings)
{
    const check_settings *s = command_settings;
    dlp_bugs *bugs;
    dlp_error error = {0};
    int code =
        cli_bugs_open(cli_bugs_check_command.name, &s->source, s->common.quiet, &bugs);
    if (code == CLI_DONE && s->json) {
        const dlp_status status = print_json(bugs, &error);
        if (status != DLP_OK) code = cli_failed(status, &error);
    } else if (code == CLI_DONE && !s->common.quiet) {
        print_summary(bugs);
    }
    dlp_bugs_free(bugs);
    return code;
}

#define FIELD(name) offsetof(check_settings, name)

static const cli_operand operands[] = {
    CLI_BUGS_MODEL(FIELD(source.model)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_BUGS_DATA(FIELD(source.data)),
    CLI_BUGS_INITS(FIELD(source.inits)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_bugs_check_command = {
    .name = "bugs check",
    .summary = "check a model and its data for errors",
    .description =
        "Reads a model in the language of BUGS and JAGS 4.3 with its data, "
        "unrolls its loops, and checks that everything fits together: "
        "names, arguments, indices, sizes, cycles, values outside the "
        "support of their distribution. Each error comes with its file, "
        "line and column, the line itself and, if there is a close match, "
        "the name you probably meant; up to 20 are reported in one run. "
        "Data that the model does not use cause a warning.\n\nIf there are "
        "no errors, the variables are listed with what their elements are: "
        "observed or latent (stochastic, with a value in the data or "
        "without), deterministic (computed from other nodes), constant "
        "(data, or computed from data alone).",
    .example = "  delaplace bugs check rats.bug --data rats.json\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(check_settings),
    .run = run,
};
