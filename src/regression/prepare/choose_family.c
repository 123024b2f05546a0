/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/choose_family.h"

#include "core/core.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A response with more levels than this is more likely a number or a name than a
   category. */
enum { MOST_LEVELS = 200 };

static bool is_zero_or_one(const dlp_design *design)
{
    for (dlp_index i = 0; i < design->N; i++)
        if (design->y[i] != 0 && design->y[i] != 1) return false;
    return true;
}

static dlpi_family_number default_family(const dlp_design *design)
{
    switch (design->response) {
    case DLP_RESPONSE_BINOMIAL: return DLPI_BINOMIAL;
    case DLP_RESPONSE_CENSORED: return design->has_limits ? DLPI_TOBIT : DLPI_WEIBULL;
    case DLP_RESPONSE_CATEGORICAL:
        return design->terms->response.n == 2 ? DLPI_BERNOULLI : DLPI_MULTINOMIAL;
    case DLP_RESPONSE_NONE: return DLPI_GAUSSIAN; /* check_response refuses it */
    case DLP_RESPONSE_NUMERIC: break;
    }
    return is_zero_or_one(design) ? DLPI_BERNOULLI : DLPI_GAUSSIAN;
}

/* ---- which combinations are allowed ---- */

static dlp_status check_binomial(const dlp_design *design, const dlp_family *family,
                                 dlp_error *error)
{
    if (family->support == DLP_SUPPORT_TRIALS) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' counts successes and failures, which is for "
                    "family binomial or beta-binomial, not %s",
                    design->terms->response.variable, family->name);
}

static dlp_status check_censored(const dlp_design *design, const dlp_family *family,
                                 dlp_error *error)
{
    if (family->censored) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "the response '%.80s' is censored, which is for the families weibull, "
        "exponential, log-normal and, of numbers that may be negative, "
        "tobit, not %s",
        design->terms->response.variable, family->name);
}

static dlp_status check_numeric(const dlp_design *design, const dlp_family *family,
                                dlp_error *error)
{
    const char *variable = design->terms->response.variable;
    if (family->support == DLP_SUPPORT_TRIALS)
        return dlp_fail(error, DLP_EINPUT,
                        "family %s needs successes and failures: cbind(won, lost) ~ ..., "
                        "or cbind(won, n - won), or a share and the column of its trials",
                        family->name);
    if (!dlp_family_has_levels(family)) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' is computed, and family %s needs a column of "
                    "categories, or of numbers that code for them",
                    variable, family->name);
}

static dlp_status check_categorical(const dlp_design *design, const dlp_family *family,
                                    dlp_error *error)
{
    const dlp_levels *r = &design->terms->response;
    if (family->support == DLP_SUPPORT_BINARY) {
        if (r->n == 2) return DLP_OK;
        return dlp_fail(
            error, DLP_EINPUT,
            "the response '%.80s' has %td levels ('%.40s', '%.40s', ...), and "
            "family bernoulli needs two; use multinomial, or ordinal if they "
            "have an order",
            r->variable, r->n, r->level[0], r->level[1]);
    }
    if (!dlp_family_has_levels(family))
        return dlp_fail(
            error, DLP_EINPUT,
            "the response '%.80s' has categories ('%.40s', '%.40s', ...), and "
            "family %s needs numbers; check the column",
            r->variable, r->level[0], r->level[1], family->name);
    if (r->n <= MOST_LEVELS) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the response '%.80s' has %td levels ('%.40s', '%.40s', ...), and "
                    "family %s takes up to %d; check the column",
                    r->variable, r->n, r->level[0], r->level[1], family->name,
                    MOST_LEVELS);
}

static dlp_status check_response(const dlp_design *design, const dlp_family *family,
                                 dlp_error *error)
{
    if (dlp_family_has_levels(family) && design->offset)
        return dlp_fail(error, DLP_EINPUT,
                        "family %s has no place for offset(); take it out of the formula",
                        family->name);
    switch (design->response) {
    case DLP_RESPONSE_BINOMIAL: return check_binomial(design, family, error);
    case DLP_RESPONSE_CATEGORICAL: return check_categorical(design, family, error);
    case DLP_RESPONSE_NUMERIC: return check_numeric(design, family, error);
    case DLP_RESPONSE_CENSORED: return check_censored(design, family, error);
    case DLP_RESPONSE_NONE: break;
    }
    return dlp_fail(error, DLP_EINPUT, "the formula has no response; write y ~ ...");
}

static dlp_status find_family(const dlp_design *design, const char *asked,
                              const dlp_family **family, dlp_error *error)
{
    char list[512] = "";
    *family = asked ? dlp_family_find(asked) : dlp_family_at((int)default_family(design));
    if (*family) {
        /* R users say binomial for 0 and 1 as well */
        if (*family == dlp_family_at(DLPI_BINOMIAL) &&
            design->response != DLP_RESPONSE_BINOMIAL)
            *family = dlp_family_at(DLPI_BERNOULLI);
        return DLP_OK;
    }
    for (int i = 0; dlp_family_at(i); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                 dlp_family_at(i)->name);
    }
    (void)dlp_fail(error, DLP_EINVAL, "unknown family '%.80s'; the families are %s",
                   asked, list);
    return DLP_EINVAL; /* literally, for analysers */
}

static dlp_status find_link(const dlp_family *family, const char *asked,
                            const dlpi_family **linked, dlp_error *error)
{
    char list[128] = "";
    *linked = dlpi_family_find(family->name, asked);
    if (*linked) return DLP_OK;
    for (int i = 0; family->link[i]; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                 family->link[i]);
    }
    return dlp_fail(error, DLP_EINVAL, "family %s has no link %s; it has %s",
                    family->name, asked, list);
}

dlp_status dlpi_choose_family(const dlp_design *design, const char *asked_family,
                              const char *asked_link, const dlpi_family **linked,
                              dlp_error *error)
{
    const dlp_family *family;
    DLP_TRY(find_family(design, asked_family, &family, error));
    DLP_TRY(check_response(design, family, error));
    return find_link(family, asked_link, linked, error);
}

/* ---- the order of levels ---- */

static dlp_index find_level(const dlp_levels *levels, const char *name)
{
    for (dlp_index k = 0; k < levels->n; k++)
        if (!strcmp(levels->level[k], name)) return k;
    return -1;
}

dlp_status dlpi_order_levels(const dlp_levels *levels, dlp_index n_asked,
                             const char *const *asked, const char **ordered,
                             dlp_index *rank, dlp_error *error)
{
    for (dlp_index k = 0; k < levels->n; k++) rank[k] = -1;
    for (dlp_index i = 0; i < n_asked; i++) {
        const dlp_index k = find_level(levels, asked[i]);
        if (k < 0)
            return dlp_fail(
                error, DLP_EINPUT,
                "the order of levels: '%.80s' has no level '%.80s'; the first "
                "are '%.40s' and '%.40s'",
                levels->variable, asked[i], levels->level[0], levels->level[1]);
        if (rank[k] >= 0)
            return dlp_fail(error, DLP_EINPUT, "the order of levels names '%.80s' twice",
                            levels->level[k]);
        ordered[i] = levels->level[k];
        rank[k] = i;
    }
    for (dlp_index k = 0; k < levels->n; k++)
        if (rank[k] < 0)
            return dlp_fail(error, DLP_EINPUT,
                            "the order of levels: '%.80s' has a level '%.80s' too; name "
                            "each of its levels once",
                            levels->variable, levels->level[k]);
    return DLP_OK;
}
