/* SPDX-License-Identifier: BSD-3-Clause */
/* The level that a factor's others are compared with: its first, unless told. */
#include "core/suggest.h"
#include "table/design/design.h"

#include <string.h>

/* By the name of the column, or as the formula writes it: "x" or "factor(x)". */
static bool is_called(const struct dlpi_build *b, const struct dlpi_factor *factor,
                      const char *name)
{
    return !strcmp(b->columns.table->column[factor->column].name, name) ||
           !strcmp(factor->variable, name);
}

static dlp_status fail_unknown_factor(const struct dlpi_build *b, const char *column)
{
    struct dlpi_shown_list list = {.used = 0};
    const char **name = dlpi_pool_take(b->scratch, b->labels.n + 1, sizeof *name);
    dlp_index n = 0;
    if (!name) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < b->labels.n; i++) {
        if (!b->labelled[i]->factor) continue;
        name[n] = b->columns.table->column[b->labelled[i]->factor->column].name;
        dlpi_shown_list_add(&list, dlpi_show(name[n++]));
    }
    const char *suggested = dlpi_suggest(column, name, n);
    if (suggested)
        return dlp_fail(b->error, DLP_EINPUT,
                        "reference level: the formula has no factor '%s'; did you mean "
                        "'%s'?",
                        dlpi_show(column).text, dlpi_show(suggested).text);
    return dlp_fail(
        b->error, DLP_EINPUT, "reference level: the formula has no factor '%s'; %s%s",
        dlpi_show(column).text,
        n > 0 ? "its factors are " : "it has none (factor(x) makes one of numbers)",
        list.text);
}

static dlp_status fail_unknown_level(const struct dlpi_build *b,
                                     const struct dlpi_factor *factor, const char *level)
{
    const dlp_levels *levels = &factor->levels;
    const char *suggested = dlpi_suggest(level, levels->level, levels->n);
    struct dlpi_shown_list list = {.used = 0};
    if (suggested)
        return dlp_fail(b->error, DLP_EINPUT,
                        "reference level: '%s' has no level '%s'; did you mean '%s'?",
                        dlpi_show(factor->variable).text, dlpi_show(level).text,
                        dlpi_show(suggested).text);
    for (dlp_index k = 0; k < levels->n; k++)
        dlpi_shown_list_add(&list, dlpi_show(levels->level[k]));
    return dlp_fail(b->error, DLP_EINPUT,
                    "reference level: '%s' has no level '%s'; its levels are %s",
                    dlpi_show(factor->variable).text, dlpi_show(level).text, list.text);
}

/* Puts level k before the others, which keep their order. */
static dlp_status put_first(const struct dlpi_build *b, struct dlpi_factor *factor,
                            dlp_index k)
{
    const dlp_levels *old = &factor->levels;
    const char **level = dlpi_pool_take(b->scratch, old->n, sizeof *level);
    if (!level) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < old->n; i++)
        level[i == k ? 0 : i < k ? i + 1 : i] = old->level[i];
    for (dlp_index i = 0; i < factor->n_found; i++) {
        int32_t *at = &factor->level_of[i];
        *at = *at == k ? 0 : *at >= 0 && *at < k ? *at + 1 : *at;
    }
    factor->levels.level = level;
    return DLP_OK;
}

static dlp_status take_reference(const struct dlpi_build *b, struct dlpi_factor *factor,
                                 const char *level)
{
    for (dlp_index k = 0; k < factor->levels.n; k++)
        if (!strcmp(factor->levels.level[k], level)) return put_first(b, factor, k);
    return fail_unknown_level(b, factor, level);
}

/* All factors of the name, as a formula may have both x and factor(x). */
static dlp_status take_by_name(struct dlpi_build *b, const dlp_reference *reference)
{
    bool found = false;
    for (dlp_index i = 0; i < b->labels.n; i++) {
        struct dlpi_factor *factor = b->labelled[i]->factor;
        if (!factor || !is_called(b, factor, reference->column)) continue;
        DLP_TRY(take_reference(b, factor, reference->level));
        found = true;
    }
    return found ? DLP_OK : fail_unknown_factor(b, reference->column);
}

static dlp_status check_twice(const struct dlpi_build *b, dlp_index r)
{
    const dlp_reference *reference = b->options.reference;
    for (dlp_index i = 0; i < r; i++)
        if (!strcmp(reference[i].column, reference[r].column))
            return dlp_fail(b->error, DLP_EINVAL, "reference level: '%s' is given twice",
                            dlpi_show(reference[r].column).text);
    return DLP_OK;
}

dlp_status dlpi_build_references(struct dlpi_build *build)
{
    for (dlp_index r = 0; r < build->options.n_references && !build->fitted; r++) {
        DLP_TRY(check_twice(build, r));
        DLP_TRY(take_by_name(build, &build->options.reference[r]));
    }
    return DLP_OK;
}
