/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guess.h"

#include <stdbool.h>
#include <string.h>

/* Other names of what we call ours. */
static const struct {
    const char *theirs, *ours;
} synonyms[] = {
    {"logistic", "bernoulli"},
    {"binary", "bernoulli"},
    {"logit", "bernoulli"},
    {"normal", "gaussian"},
    {"linear", "gaussian"},
    {"negbin", "negative-binomial"},
    {"nb", "negative-binomial"},
    {"categorical", "multinomial"},
    {"softmax", "multinomial"},
    {"ordered", "ordinal"},
    {"cumulative", "ordinal"},
    {"lda-c", "ldac"},
    {"bow", "uci"},
    {"matrix-market", "mtx"},
    {"libsvm", "svmlight"},
    {"predict", "infer"},
    {"transform", "infer"},
    {"train", "fit"},
    {"summary", "show"},
    {"print", "show"},
    {"score", "evaluate"},
    {"test", "evaluate"},
    {"iterations", "max-iter"},
    {"tolerance", "tol"},
    {"train", "data"},
    {"outfile", "output"},
    {"lda", "topics"},
    {"ctm", "topics"},
    {"stm", "topics"},
    {"regression", "glm"},
    {"html", "report"},
};
enum { SYNONYMS = sizeof synonyms / sizeof synonyms[0] };

static bool is_synonym(const char *typed, const char *candidate)
{
    for (int i = 0; i < SYNONYMS; i++)
        if (!strcmp(typed, synonyms[i].theirs) && !strcmp(candidate, synonyms[i].ours))
            return true;
    return false;
}

cli_guess cli_guess_for(const char *typed)
{
    return dlpi_suggestion_for(typed);
}

void cli_guess_consider(cli_guess *guess, const char *candidate)
{
    if (!is_synonym(guess->typed, candidate)) {
        dlpi_suggestion_consider(guess, candidate);
    } else if (guess->distance > 0) {
        guess->best = candidate;
        guess->distance = 0;
    }
}
