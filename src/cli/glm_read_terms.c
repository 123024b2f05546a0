/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm_read.h"
#include "cli/say.h"

#include <stdlib.h>
#include <string.h>

/* The texts of a list, to be freed as one; they stay the list's. */
static dlp_status list_texts(const cli_reader *r, const char *key, const json_t *list,
                             const char *const **texts)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return cli_reader_wrong(r, key, "a list of texts");
    const char **text = calloc(n + 1, sizeof *text);
    if (!text) return cli_reader_no_memory(r);
    *texts = text;
    for (size_t i = 0; i < n; i++) {
        text[i] = json_string_value(json_array_get(list, i));
        if (!text[i]) return cli_reader_wrong(r, key, "a list of texts");
    }
    return DLP_OK;
}

static dlp_status read_levels(const cli_reader *r, const char *key, const json_t *object,
                              dlp_levels *levels)
{
    const json_t *list = json_object_get(object, "levels");
    CLI_TRY(cli_read_text(r, object, "variable", &levels->variable));
    levels->n = (dlp_index)json_array_size(list);
    return list_texts(r, key, list, &levels->level);
}

/* Terms whose lists are ours and whose texts are the JSON value's. */
typedef struct borrowed {
    dlp_terms terms;
    dlp_levels *factor;
    dlp_scaling *scaling;
} borrowed;

static void free_borrowed(borrowed *b)
{
    for (dlp_index i = 0; b->factor && i < b->terms.n_factors; i++)
        free((void *)b->factor[i].level);
    free((void *)b->terms.response.level);
    free((void *)b->terms.group.level);
    free(b->factor);
    free(b->scaling);
}

static dlp_status borrow_factors(const cli_reader *r, const json_t *list, borrowed *b)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return cli_reader_wrong(r, "factors", "a list");
    b->factor = calloc(n + 1, sizeof *b->factor);
    if (!b->factor) return cli_reader_no_memory(r);
    b->terms.factor = b->factor;
    b->terms.n_factors = (dlp_index)n;
    for (size_t i = 0; i < n; i++)
        CLI_TRY(read_levels(r, "factors", json_array_get(list, i), &b->factor[i]));
    return DLP_OK;
}

static dlp_status borrow_scalings(const cli_reader *r, const json_t *list, borrowed *b)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return cli_reader_wrong(r, "scalings", "a list");
    b->scaling = calloc(n + 1, sizeof *b->scaling);
    if (!b->scaling) return cli_reader_no_memory(r);
    b->terms.scaling = b->scaling;
    b->terms.n_scalings = (dlp_index)n;
    for (size_t i = 0; i < n; i++) {
        const json_t *scaling = json_array_get(list, i);
        CLI_TRY(cli_read_text(r, scaling, "variable", &b->scaling[i].variable));
        CLI_TRY(cli_read_real(r, scaling, "centre", &b->scaling[i].centre));
        CLI_TRY(cli_read_real(r, scaling, "spread", &b->scaling[i].spread));
    }
    return DLP_OK;
}

static dlp_status borrow_terms(const cli_reader *r, const json_t *object, borrowed *b)
{
    const json_t *group = json_object_get(object, "group");
    CLI_TRY(cli_read_text(r, object, "formula", &b->terms.formula));
    CLI_TRY(read_levels(r, "response", json_object_get(object, "response"),
                        &b->terms.response));
    if (!json_is_null(group)) CLI_TRY(read_levels(r, "group", group, &b->terms.group));
    CLI_TRY(borrow_factors(r, json_object_get(object, "factors"), b));
    return borrow_scalings(r, json_object_get(object, "scalings"), b);
}

static dlp_status take_terms(const cli_reader *r, const json_t *object)
{
    borrowed b = {.factor = NULL};
    dlp_status status = borrow_terms(r, object, &b);
    if (status == DLP_OK) status = dlp_terms_copy(&b.terms, &r->fit->terms, r->error);
    free_borrowed(&b);
    return status;
}

static dlp_status read_columns(const cli_reader *r, const json_t *list)
{
    cli_glm_fit *fit = r->fit;
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return cli_reader_wrong(r, "columns", "a list of texts");
    fit->column = calloc(n + 1, sizeof *fit->column);
    if (!fit->column) return cli_reader_no_memory(r);
    for (fit->p = 0; (size_t)fit->p < n; fit->p++) {
        const char *name = json_string_value(json_array_get(list, (size_t)fit->p));
        if (!name) return cli_reader_wrong(r, "columns", "a list of texts");
        fit->column[fit->p] = strdup(name);
        if (!fit->column[fit->p]) return cli_reader_no_memory(r);
    }
    return DLP_OK;
}

dlp_status cli_read_terms(const cli_reader *r, const json_t *object)
{
    CLI_TRY(take_terms(r, object));
    return read_columns(r, json_object_get(object, "columns"));
}
