/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/print.h"

#include "cli/json.h"
#include "cli/report.h"
#include "cli/topics/drop.h"

#include <stdio.h>

static void print_warnings(const cli_topics_fit *fit)
{
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    if (r->falls > 0)
        printf(
            "The bound fell in %d iteration%s: by this method it is an approximation, "
            "which may.\n",
            r->falls, cli_plural(r->falls));
    if (r->unsettled > 0)
        printf("%td document%s did not converge in the last iteration.\n", r->unsettled,
               cli_plural(r->unsettled));
}

void cli_topics_print_next(const char *folder)
{
    fputs("\nNext, look at the topics:\n  delaplace topics show ", stdout);
    cli_print_shell_word(folder);
    putchar('\n');
}

void cli_topics_print_fit(const cli_topics_fit *fit)
{
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    const dlp_corpus *c = fit->corpus;
    printf("%td topics over %td terms, from %td document%s of %td words.\n",
           fit->settings.K, c->V, c->D, cli_plural(c->D), c->words);
    cli_topics_print_dropped(stdout, fit->dropped, 1, &fit->covariates);
    printf("The fit by %s from %s topics %s after %d iteration%s and %.1f s.\n",
           fit->settings.document.method,
           fit->settings.start ? "another model's" : fit->init,
           cli_outcome_sentence(r->outcome), r->iterations, cli_plural(r->iterations),
           fit->elapsed);
    printf("Bound per word: %.4f\n", r->bound_per_word);
    print_warnings(fit);
    printf("Written to %s\n", fit->folder);
}

dlp_status cli_topics_print_json(json_t *info, double seconds, dlp_error *error)
{
    if (!info || json_object_set_new(info, "seconds", cli_json_real(seconds)) != 0)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the summary");
    (void)json_object_del(info, "files"); /* which may not be there */
    return cli_json_print(info, error);
}
