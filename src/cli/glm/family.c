/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/family.h"

#include "cli/glm/fit.h"
#include "cli/say.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A response with more levels is a number, or a name, more likely than a category. */
enum { MOST_LEVELS = 200 };

/* Whether the pair (family, its k-th link) is the first to have that link. */
static bool is_first(int family, int k)
{
    const char *link = dlp_glm_link(dlp_glm_family(family), k), *other;
    for (int f = 0; f < family; f++)
        for (int i = 0; (other = dlp_glm_link(dlp_glm_family(f), i)); i++)
            if (!strcmp(other, link)) return false;
    return true;
}

const char *cli_glm_any_link(int i)
{
    const char *family, *link;
    for (int f = 0; (family = dlp_glm_family(f)); f++)
        for (int k = 0; (link = dlp_glm_link(family, k)); k++)
            if (is_first(f, k) && i-- == 0) return link;
    return NULL;
}

static bool is_zero_or_one(const dlp_design *design)
{
    for (dlp_index i = 0; i < design->N; i++)
        if (design->y[i] != 0 && design->y[i] != 1) return false;
    return true;
}

static const char *guess(const dlp_design *design)
{
    switch (design->response) {
    case DLP_RESPONSE_BINOMIAL: return "binomial";
    case DLP_RESPONSE_CATEGORICAL:
        return design->terms->response.n == 2 ? "bernoulli" : "multinomial";
    case DLP_RESPONSE_NONE: return "gaussian"; /* check_response refuses it */
    case DLP_RESPONSE_NUMERIC: break;
    }
    return is_zero_or_one(design) ? "bernoulli" : "gaussian";
}

/* ---- what goes together ---- */

static dlp_status check_binomial(const dlp_design *design, const char *family,
                                 dlp_error *error)
{
    if (!strcmp(family, "binomial")) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' counts successes and failures, which is for "
                    "family binomial, not %s",
                    design->terms->response.variable, family);
}

static dlp_status check_numeric(const dlp_design *design, const char *family,
                                dlp_error *error)
{
    const char *variable = design->terms->response.variable;
    if (!cli_glm_has_levels(family)) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' is computed, and family %s needs a column of "
                    "categories, or of numbers that stand for some",
                    variable, family);
}

static dlp_status check_categorical(const dlp_design *design, const char *family,
                                    dlp_error *error)
{
    const dlp_levels *r = &design->terms->response;
    if (!strcmp(family, "bernoulli")) {
        if (r->n == 2) return DLP_OK;
        return dlp_fail(
            error, DLP_EINPUT,
            "the response '%.80s' has %td levels ('%.40s', '%.40s', ...), and "
            "family bernoulli needs two; use multinomial, or ordinal if they "
            "have an order",
            r->variable, r->n, r->level[0], r->level[1]);
    }
    if (!cli_glm_has_levels(family))
        return dlp_fail(
            error, DLP_EINPUT,
            "the response '%.80s' has categories ('%.40s', '%.40s', ...), and "
            "family %s needs numbers; check the column",
            r->variable, r->level[0], r->level[1], family);
    if (r->n <= MOST_LEVELS) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' has %td levels ('%.40s', '%.40s', ...), and "
                    "family %s takes up to %d; check the column",
                    r->variable, r->n, r->level[0], r->level[1], family, MOST_LEVELS);
}

static dlp_status check_response(const dlp_design *design, const char *family,
                                 dlp_error *error)
{
    if (cli_glm_has_levels(family) && design->offset)
        return dlp_fail(error, DLP_EINPUT,
                        "family %s has no place for offset(); take it out of the formula",
                        family);
    switch (design->response) {
    case DLP_RESPONSE_BINOMIAL: return check_binomial(design, family, error);
    case DLP_RESPONSE_CATEGORICAL: return check_categorical(design, family, error);
    case DLP_RESPONSE_NUMERIC: return check_numeric(design, family, error);
    case DLP_RESPONSE_NONE: break;
    }
    return dlp_fail(error, DLP_EINPUT, "the formula has no response; write y ~ ...");
}

static dlp_status find_link(const char *family, const char *asked, const char **link,
                            dlp_error *error)
{
    char list[128] = "";
    for (int i = 0; (*link = dlp_glm_link(family, i)); i++) {
        if (!asked || !strcmp(*link, asked)) return DLP_OK;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", *link);
    }
    return dlp_fail(error, DLP_EINVAL, "family %s has no link %s; it has %s", family,
                    asked, list);
}

dlp_status cli_glm_choose(const dlp_design *design, const char *asked_family,
                          const char *asked_link, const char **family, const char **link,
                          dlp_error *error)
{
    *family = asked_family ? asked_family : guess(design);
    /* R users say binomial for 0 and 1, too */
    if (!strcmp(*family, "binomial") && design->response != DLP_RESPONSE_BINOMIAL)
        *family = "bernoulli";
    CLI_TRY(check_response(design, *family, error));
    return find_link(*family, asked_link, link, error);
}

/* ---- the order of levels ---- */

/* The level whose name is the first `length` bytes of text, or -1. */
static dlp_index find_level(const dlp_levels *levels, const char *text, size_t length)
{
    for (dlp_index k = 0; k < levels->n; k++)
        if (strlen(levels->level[k]) == length && !memcmp(levels->level[k], text, length))
            return k;
    return -1;
}

dlp_status cli_glm_order_levels(const dlp_levels *levels, const char *asked,
                                const char **ordered, dlp_index *rank, dlp_error *error)
{
    dlp_index count = 0;
    for (dlp_index k = 0; k < levels->n; k++) rank[k] = -1;
    for (const char *name = asked; name; count++) {
        const size_t length = strcspn(name, ",");
        const dlp_index k = find_level(levels, name, length);
        if (k < 0)
            return dlp_fail(
                error, DLP_EINPUT,
                "--levels: '%.80s' has no level '%.*s'; the first are '%.40s' "
                "and '%.40s'",
                levels->variable, (int)(length < 80 ? length : 80), name,
                levels->level[0], levels->level[1]);
        if (rank[k] >= 0)
            return dlp_fail(error, DLP_EINPUT, "--levels: '%.80s' stands there twice",
                            levels->level[k]);
        ordered[count] = levels->level[k];
        rank[k] = count;
        name = name[length] ? name + length + 1 : NULL;
    }
    for (dlp_index k = 0; k < levels->n; k++)
        if (rank[k] < 0)
            return dlp_fail(error, DLP_EINPUT,
                            "--levels: '%.80s' has a level '%.80s' too; name each of its "
                            "%td levels",
                            levels->variable, levels->level[k], levels->n);
    return DLP_OK;
}
