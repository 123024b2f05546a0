/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/simulate/truth.h"

#include "cli/json.h"
#include "cli/say.h"
#include "cli/topics/files.h"

/* model.json without the list of files. There is no outcome: nothing was fitted. */
static json_t *info_json(const cli_truth *t)
{
    return json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:{s:s, s:o}, s:n}", "format",
        CLI_TOPICS_FORMAT, "version", CLI_TOPICS_VERSION, "library_version", DLP_VERSION,
        "K", (json_int_t)t->topics->K, "V", (json_int_t)t->topics->V, "D",
        (json_int_t)t->corpus->D, "words", (json_int_t)t->corpus->words, "method",
        "laplace", "init", "simulated", "seed", (json_int_t)t->seed, "settings", "route",
        "fast", "concentration", cli_json_real(t->concentration), "covariates");
}

static dlp_status put_files(const cli_truth *truth, const cli_topics_files *f)
{
    const dlp_topics *t = truth->topics;
    const dlp_corpus *c = truth->corpus;
    CLI_TRY(cli_topics_put_array(f, "beta.npy", t->K, t->V, t->beta));
    CLI_TRY(cli_topics_put_array(f, "mu.npy", t->K, 0, t->Gamma));
    CLI_TRY(cli_topics_put_array(f, "sigma.npy", t->K, t->K, t->Sigma0));
    CLI_TRY(cli_topics_put_array(f, "theta.npy", c->D, t->K, truth->theta));
    return cli_topics_put_lines(f, "vocab.txt", c->vocab, c->V);
}

dlp_status cli_truth_write(const cli_truth *truth, const char *folder, dlp_error *error)
{
    cli_topics_files files = cli_topics_files_begin(folder, error);
    return cli_topics_files_end(&files, put_files(truth, &files), info_json(truth));
}
