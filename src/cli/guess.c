/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guess.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Names on our command line are shorter; longer words have no near neighbour. */
enum { LONGEST = 32 };

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
    {"train", "output"},
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

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Upper and lower case differ by nothing worth an edit. */
static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Levenshtein's distance, with a swap of neighbours counted as one edit, over
   three rows: d[i][j] takes the first i letters of a to the first j of b. */
static int edits(const char *a, int length_a, const char *b, int length_b)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    memset(before, 0, sizeof rows[0]);
    for (int j = 0; j <= length_b; j++) last[j] = j;
    for (int i = 1; i <= length_a; i++) {
        now[0] = i;
        for (int j = 1; j <= length_b; j++) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1,
                             last[j - 1] + differ(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        int *spare = before;
        before = last, last = now, now = spare;
    }
    return last[length_b];
}

cli_guess cli_guess_for(const char *typed)
{
    const size_t length = strlen(typed);
    /* A third of the letters may be wrong; of a long word, three. */
    const int allowed = length >= 9 ? 3 : (int)(length + 2) / 3;
    return (cli_guess){.typed = typed, .distance = allowed + 1};
}

void cli_guess_consider(cli_guess *guess, const char *candidate)
{
    const size_t typed = strlen(guess->typed), offered = strlen(candidate);
    if (typed > LONGEST || offered > LONGEST) return;
    const int distance = is_synonym(guess->typed, candidate)
                             ? 0
                             : edits(guess->typed, (int)typed, candidate, (int)offered);
    /* What keeps no letter of the word is no slip of it. */
    if (distance >= guess->distance || distance >= (int)typed) return;
    guess->best = candidate;
    guess->distance = distance;
}
