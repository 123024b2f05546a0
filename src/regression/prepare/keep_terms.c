/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/keep_terms.h"
#include "table/formula/formula.h"

#include "comm/division.h"
#include "core/core.h"
#include "core/text.h"
#include "regression/prepare/choose_family.h"

#include <stdlib.h>
#include <string.h>

/* FIT.json is UTF-8, and its names must match those of later tables. */
static dlp_status check_text(const char *text, dlp_error *error)
{
    const char *end = text ? text + strlen(text) : NULL;
    for (const char *at = text; at && at < end;) {
        const size_t size = dlpi_utf8_size(at, end);
        if (size == 0)
            return dlpi_advise(
                error, DLP_REMEDY_ENCODING,
                dlp_fail(
                    error, DLP_EINPUT,
                    "the name or level '%.80s' is not UTF-8; if the table is Latin-1, "
                    "convert it, or read it as Latin-1",
                    text));
        at += size;
    }
    return DLP_OK;
}

static dlp_status check_levels(const dlp_levels *levels, dlp_error *error)
{
    DLP_TRY(check_text(levels->variable, error));
    for (dlp_index i = 0; i < levels->n; i++)
        DLP_TRY(check_text(levels->level[i], error));
    return DLP_OK;
}

static dlp_status check_names(const dlp_terms *terms, dlp_error *error)
{
    DLP_TRY(check_text(terms->formula, error));
    DLP_TRY(check_levels(&terms->response, error));
    DLP_TRY(check_levels(&terms->group, error));
    for (dlp_index i = 0; i < terms->n_factors; i++)
        DLP_TRY(check_levels(&terms->factor[i], error));
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        DLP_TRY(check_levels(&terms->grouping[i], error));
    return DLP_OK;
}

dlp_status dlpi_keep_terms(dlpi_prepared *p, dlp_error *error)
{
    dlp_terms kept = *p->design->terms;
    if (p->grouping == DLP_POOLED && p->asked.group)
        kept.group = (dlp_levels){NULL, 0, NULL};
    DLP_TRY(check_text(dlpi_formula_text(p->formula), error));
    DLP_TRY(check_text(p->asked.weights, error));
    DLP_TRY(check_text(p->asked.precision, error));
    DLP_TRY(check_names(&kept, error));
    return dlp_terms_copy(&kept, &p->terms, error);
}

/* Reorders the levels of the response, in the terms and in the rows. */
static dlp_status reorder_levels(dlpi_prepared *p, const char **level, dlp_index *rank,
                                 dlp_error *error)
{
    dlp_terms ordered = *p->terms, *copy = NULL;
    DLP_TRY(dlpi_order_levels(&ordered.response, p->asked.n_levels, p->asked.level, level,
                              rank, error));
    ordered.response.level = level;
    DLP_TRY(dlp_terms_copy(&ordered, &copy, error));
    dlp_terms_free(p->terms);
    p->terms = copy;
    const dlp_index to = dlpi_rows_to(p->data.division, p->data.N);
    for (dlp_index i = dlpi_rows_from(p->data.division); i < to; i++)
        p->code[i] = (double)rank[(dlp_index)p->code[i]];
    return DLP_OK;
}

dlp_status dlpi_order_response(dlpi_prepared *p, dlp_error *error)
{
    const dlp_levels *response = &p->terms->response;
    const dlp_index n = response->n, asked = p->asked.n_levels;
    if (asked == 0) return DLP_OK;
    if (n == 0)
        return dlp_fail(error, DLP_EINVAL,
                        "an order of levels needs a response with levels, and '%.80s' "
                        "has none",
                        response->variable);
    const char **level = dlpi_calloc(n > asked ? n : asked, sizeof *level);
    dlp_index *rank = dlpi_calloc(n, sizeof *rank);
    const dlp_status status = level && rank ? reorder_levels(p, level, rank, error)
                                            : dlpi_no_memory(error, "the levels");
    free(level);
    free(rank);
    return status;
}
