/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/model.h"

#include "cli/csv.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

dlp_status cli_topics_load(const char *path, unsigned parts, dlp_topic_model **model,
                           dlp_error *error)
{
    cli_phase_begin("reading %s", path);
    const dlp_status status = dlp_topic_model_load(path, parts, model, error);
    if (status == DLP_OK) {
        const dlp_topics *topics = dlp_topic_model_topics(*model);
        cli_phase_note("%td topics, %td terms", topics->K, topics->V);
    }
    cli_phase_end();
    return status;
}

const char *cli_topics_term(const dlp_topic_model *model, dlp_index v, char number[32])
{
    char *const *vocab = dlp_topic_model_vocab(model);
    if (vocab) return vocab[v];
    snprintf(number, 32, "%td", v);
    return number;
}

const char *cli_topics_document(const dlp_topic_model *model, dlp_index d,
                                char number[32])
{
    char *const *names = dlp_topic_model_names(model);
    if (names) return names[d];
    snprintf(number, 32, "%td", d + 1);
    return number;
}

void cli_topics_print_called(const dlp_topic_model *model, const dlp_topic_words *words,
                             dlp_index k, dlp_index n)
{
    const char *label = dlp_topic_model_label(model, k);
    char number[32];
    if (label) cli_print_name(label, 0);
    for (dlp_index i = 0; !label && i < n && i < words->n; i++) {
        if (i > 0) fputs(", ", stdout);
        cli_print_name(cli_topics_term(model, words->term[k * words->n + i], number), 0);
    }
}

bool cli_topics_labelled(const dlp_topic_model *model)
{
    bool found = false;
    for (dlp_index k = 0; k < dlp_topic_model_topics(model)->K; k++)
        found |= dlp_topic_model_label(model, k) != NULL;
    return found;
}

void cli_topics_csv_label_head(FILE *out, const dlp_topic_model *model)
{
    if (cli_topics_labelled(model)) fputs(",label", out);
}

void cli_topics_csv_label(FILE *out, const dlp_topic_model *model, dlp_index k)
{
    const char *label = dlp_topic_model_label(model, k);
    if (!cli_topics_labelled(model)) return;
    fputc(',', out);
    cli_csv_text(out, "", label ? label : "");
}

json_t *cli_topics_json_label(json_t *object, const dlp_topic_model *model, dlp_index k)
{
    const char *label = dlp_topic_model_label(model, k);
    if (!object || !label ||
        json_object_set_new(object, "label", dlpi_json_text(label)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* "5 documents are", "2 of 100 documents differ from one another, which is" */
static void describe_shortage(const dlp_corpus *corpus, const dlp_topics_shortage *s,
                              char *text, size_t size)
{
    const char *are = s->found == 1 ? " is" : "s are";
    if (s->of == DLP_SHORT_OF_DOCUMENTS)
        snprintf(text, size, "%td document%s", s->found, are);
    else if (s->of == DLP_SHORT_OF_TERMS)
        snprintf(text, size, "%td term%s", s->found, are);
    else if (s->found == 1)
        snprintf(text, size, "all %td documents have the same words; they are",
                 corpus->D);
    else
        snprintf(text, size, "of %td documents only %td differ; these are", corpus->D,
                 s->found);
}

dlp_status cli_topics_note_many(const char *path, const dlp_corpus *corpus, dlp_index K,
                                bool compare, dlp_error *error)
{
    dlp_topics_shortage s;
    char text[128], remedy[96] = "";
    CLI_TRY(dlp_topics_find_shortage(corpus, K, &s, error));
    if (s.of == DLP_SHORT_OF_NOTHING) return DLP_OK;
    describe_shortage(corpus, &s, text, sizeof text);
    if (s.enough > 0)
        snprintf(remedy, sizeof remedy, "; try -k %td%s", s.enough,
                 compare ? ", or compare with 'topics search-k'" : "");
    cli_note("%s: %s too few to tell %td topics apart%s", path, text, K, remedy);
    return DLP_OK;
}

const char *cli_halves_name(int i)
{
    static const char *const halves[] = {"sorted", "random", NULL};
    return halves[i];
}

bool cli_halves_random(const char *halves)
{
    return !strcmp(halves, "random");
}
