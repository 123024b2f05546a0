/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/drop.h"

#include "cli/report.h"
#include "cli/say.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to leave documents out");
    return DLP_ENOMEM; /* literally, for analysers */
}

/* Returns how many documents are not kept. */
static dlp_index choose(int n, cli_covariates *const covariates[], dlp_index D,
                        unsigned char *keep)
{
    dlp_index dropped = 0;
    for (dlp_index d = 0; d < D; d++) {
        keep[d] = 1;
        for (int i = 0; i < n; i++)
            if (covariates[i]->known && !covariates[i]->known[d]) keep[d] = 0;
        dropped += !keep[d];
    }
    return dropped;
}

/* "1", "2", ... in one block, as a corpus has its names. */
static dlp_status number_documents(dlp_corpus *corpus, dlp_error *error)
{
    enum { ROOM = 24 };
    const size_t D = (size_t)corpus->D;
    char **name = malloc(D * (sizeof *name + ROOM));
    if (!name) return no_memory(error);
    char *text = (char *)(name + D);
    for (size_t d = 0; d < D; d++) {
        name[d] = text + d * ROOM;
        snprintf(name[d], ROOM, "%zu", d + 1);
    }
    corpus->name = name;
    return DLP_OK;
}

static void keep_rows(cli_covariates *c, const unsigned char *keep)
{
    const dlp_index p = c->given.p;
    dlp_index left = 0;
    for (dlp_index d = 0; d < c->given.D; d++) {
        if (!keep[d]) continue;
        memmove(c->X + left * p, c->X + d * p, (size_t)p * sizeof *c->X);
        c->row[left++] = c->row[d];
    }
    c->given.D = left;
    memset(c->known, 1, (size_t)left);
}

static dlp_status keep_documents(dlp_corpus **corpus, const unsigned char *keep,
                                 dlp_error *error)
{
    dlp_corpus *selected;
    if (!(*corpus)->name) CLI_TRY(number_documents(*corpus, error));
    CLI_TRY(dlp_corpus_select(*corpus, keep, &selected, error));
    dlp_corpus_free(*corpus);
    *corpus = selected;
    return DLP_OK;
}

dlp_status cli_topics_drop(int n, cli_covariates *const covariates[], dlp_corpus **corpus,
                           dlp_index *dropped, dlp_error *error)
{
    unsigned char *keep = calloc((size_t)(*corpus)->D + 1, 1);
    if (!keep) return no_memory(error);
    *dropped = choose(n, covariates, (*corpus)->D, keep);
    const bool some = *dropped > 0;
    const dlp_status status = some ? keep_documents(corpus, keep, error) : DLP_OK;
    for (int i = 0; some && status == DLP_OK && i < n; i++)
        if (covariates[i]->known) keep_rows(covariates[i], keep);
    free(keep);
    return status;
}

static bool misses(const cli_covariates *c, dlp_index column)
{
    return c->design && c->design->missing[column] > 0;
}

static void print_columns(FILE *out, int n, const cli_covariates *const covariates[])
{
    enum { SHOWN = 5 };
    const dlp_table *table = NULL;
    for (int i = 0; i < n; i++)
        if (covariates[i]->table) table = covariates[i]->table;
    int found = 0;
    for (dlp_index j = 0; table && j < table->columns; j++) {
        bool missed = false;
        for (int i = 0; i < n; i++) missed |= misses(covariates[i], j);
        if (!missed || ++found > SHOWN) continue;
        fputs(found == 1 ? ", in '" : ", '", out);
        cli_write_name(out, table->column[j].name);
        fputc('\'', out);
    }
    if (found > SHOWN) fputs(", ...", out);
}

void cli_topics_print_dropped(FILE *out, dlp_index dropped, int n,
                              const cli_covariates *const covariates[])
{
    if (dropped == 0) return;
    fprintf(out, "%td document%s with missing values left out", dropped,
            cli_plural(dropped));
    print_columns(out, n, covariates);
    fputs(".\n", out);
}
