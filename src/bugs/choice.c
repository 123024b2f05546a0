/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/choice.h"
#include "core/core.h"

#include <string.h>

static const char *const hyper_word[] = {"integrate", "factor"};
static const char *const factor_word[] = {"joint", "scalar"};
static const char *const method_word[] = {"laplace", "delta"};

const char *dlp_bugs_hyper(int i)
{
    return i >= 0 && i < 2 ? hyper_word[i] : NULL;
}

const char *dlp_bugs_factor(int i)
{
    return i >= 0 && i < 2 ? factor_word[i] : NULL;
}

const char *dlp_bugs_method(int i)
{
    return i >= 0 && i < 2 ? method_word[i] : NULL;
}

/* The number of a word, of two; -1: none was given. */
static dlp_status read_word(const char *setting, const char *given,
                            const char *const *word, int *number, dlp_error *error)
{
    *number = -1;
    for (int i = 0; given && i < 2; i++)
        if (strcmp(given, word[i]) == 0) *number = i;
    if (!given || *number >= 0) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "%s is '%s' or '%s', not '%s'", setting, word[0],
                    word[1], given);
}

dlp_status dlpi_bugs_choice_read(const dlp_bugs_settings *s, dlpi_bugs_choice *choice,
                                 dlp_error *error)
{
    int hyper, factor, method;
    DLP_TRY(read_word("hyper", s->hyper, hyper_word, &hyper, error));
    DLP_TRY(read_word("factor", s->factor, factor_word, &factor, error));
    DLP_TRY(read_word("method", s->method, method_word, &method, error));
    *choice = (dlpi_bugs_choice){.integrates = hyper == 0,
                                 .factors = hyper == 1 || factor == 1,
                                 .scalar = factor == 1,
                                 .delta = method == 1};
    if (choice->integrates && choice->scalar)
        return dlp_fail(error, DLP_EINVAL,
                        "hyper 'integrate' and factor 'scalar' exclude each other: with "
                        "one factor per node, nothing is integrated over");
    if ((s->method || s->n_nodes > 0) && !choice->factors)
        return dlp_fail(error, DLP_EINVAL,
                        "a method for nodes needs a fit by factors: choose hyper "
                        "'factor' or factor 'scalar', too");
    return DLP_OK;
}
