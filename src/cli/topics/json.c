/* SPDX-License-Identifier: BSD-3-Clause */
/* model.json. docs/topics.md lists the keys. */
#include "cli/json.h"
#include "table/terms_json.h"
#include "cli/topics/write.h"

static json_t *settings_json(const dlp_topics_settings *s)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:o}", "route",
                     s->document.plain ? "plain" : "fast", "tol", cli_json_real(s->tol),
                     "document_tol", cli_json_real(s->document.tol), "smooth",
                     cli_json_real(s->smooth), "shrink", cli_json_real(s->shrink),
                     "diagonal", s->diagonal, "ridge", cli_json_real(s->ridge));
}

static json_t *covariates_json(const cli_covariates *c)
{
    if (!cli_covariates_of(c)) return json_null();
    return dlpi_terms_json(c->design->terms, c->design->p, c->design->name);
}

json_t *cli_topics_request_json(const cli_topics_fit *fit)
{
    const dlp_topics_settings *s = &fit->settings;
    const dlp_corpus *c = fit->corpus;
    return json_pack("{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:s, s:o, s:I, s:o, s:o}",
                     "format", CLI_TOPICS_FORMAT, "version", CLI_TOPICS_VERSION,
                     "library_version", DLP_VERSION, "K", (json_int_t)s->K, "V",
                     (json_int_t)c->V, "D", (json_int_t)c->D, "words",
                     (json_int_t)c->words, "method", s->document.method, "init",
                     cli_json_text(fit->init), "seed", (json_int_t)s->seed, "settings",
                     settings_json(s), "covariates", covariates_json(fit->covariates));
}

/* A fit that is told of while it runs was stopped by a signal. */
static const char *outcome_name(dlp_outcome outcome)
{
    return dlp_outcome_name(outcome == DLP_RUNNING ? DLP_CANCELLED : outcome);
}

json_t *cli_topics_info_json(const cli_topics_fit *fit)
{
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    json_t *info = cli_topics_request_json(fit);
    json_t *ended = json_pack(
        "{s:I, s:s, s:i, s:i, s:o, s:o, s:i, s:I}", "dropped", (json_int_t)fit->dropped,
        "outcome", outcome_name(r->outcome), "iterations", r->iterations, "max_iter",
        fit->settings.max_iter, "bound", cli_json_real(r->bound), "bound_per_word",
        cli_json_real(r->bound_per_word), "falls", r->falls, "unsettled",
        (json_int_t)r->unsettled);
    const int failed = !info || !ended || json_object_update(info, ended) != 0;
    json_decref(ended);
    if (!failed) return info;
    json_decref(info);
    return NULL;
}
