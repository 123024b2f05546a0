/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/write.h"

#include "cli/say.h"
#include "cli/topics/files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool fits_a_line(const char *name)
{
    const size_t length = strlen(name);
    return name[strspn(name, " \t")] && !strchr(name, '\n') && name[length - 1] != '\r';
}

static dlp_status check_lines(const char *what, char *const *name, dlp_index n,
                              dlp_error *error)
{
    for (dlp_index i = 0; name && i < n; i++)
        if (!fits_a_line(name[i]))
            return dlp_fail(error, DLP_EINPUT,
                            "%s %td is called '%.40s', which cannot stand on a line of "
                            "its own; give it another name",
                            what, i + 1, name[i]);
    return DLP_OK;
}

dlp_status cli_topics_check_names(const dlp_corpus *corpus, dlp_error *error)
{
    CLI_TRY(check_lines("term", corpus->vocab, corpus->V, error));
    return check_lines("document", corpus->name, corpus->D, error);
}

/* The times of iterations before a resumption are not known: their fields are empty. */
static void print_trace(FILE *out, const void *what)
{
    const cli_topics_fit *fit = what;
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    fputs("iteration,bound_per_word,change,evaluations,unsettled,seconds\n", out);
    for (int i = 0; i < r->iterations; i++) {
        const dlp_topics_row *row = &r->trace[i];
        fprintf(out, "%d,%.17g,%.17g,%td,%td,", row->iteration,
                row->bound / (double)fit->corpus->words, row->change, row->evaluations,
                row->unsettled);
        if (fit->seconds[i] >= 0) fprintf(out, "%.3f", fit->seconds[i]);
        fputc('\n', out);
    }
}

static dlp_status put_topics(const cli_topics_fit *fit, const cli_topics_files *f)
{
    dlp_topics t;
    CLI_TRY(dlp_ctm_topics(fit->ctm, &t, f->error));
    dlp_status status = cli_topics_put_array(f, "beta.npy", t.K, t.V, t.beta);
    if (status == DLP_OK) status = cli_topics_put_array(f, "mu.npy", t.K, 0, t.Gamma);
    if (status == DLP_OK && cli_covariates_of(fit->covariates))
        status = cli_topics_put_array(f, "gamma.npy", t.p, t.K, t.Gamma);
    if (status == DLP_OK)
        status = cli_topics_put_array(f, "sigma.npy", t.K, t.K, t.Sigma0);
    dlp_topics_free(&t);
    return status;
}

static dlp_status put_files(const cli_topics_fit *fit, const cli_topics_files *f)
{
    const dlp_corpus *c = fit->corpus;
    CLI_TRY(put_topics(fit, f));
    CLI_TRY(cli_topics_put_array(f, "theta.npy", c->D, fit->settings.K,
                                 dlp_ctm_result(fit->ctm)->mu));
    CLI_TRY(cli_topics_put_lines(f, "vocab.txt", c->vocab, c->V));
    CLI_TRY(cli_topics_put_lines(f, "docs.txt", c->name, c->D));
    return cli_topics_put_text(f, "trace.csv", print_trace, fit, false);
}

dlp_status cli_topics_write(const cli_topics_fit *fit, dlp_error *error)
{
    cli_topics_files files = cli_topics_files_begin(fit->folder, error);
    return cli_topics_files_end(&files, put_files(fit, &files),
                                cli_topics_info_json(fit));
}
