/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/suggest.h"

#include <string.h>

enum {
    LONGEST = 63,      /* names beyond this are not compared */
    EDIT = LONGEST + 1 /* more than changing the case of all letters */
};

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int change(char a, char b)
{
    return a == b ? 0 : lower(a) == lower(b) ? 1 : EDIT;
}

/* Levenshtein's distance with a swap of neighbours as one edit, over three rows of its
   table: EDIT for each edit, and 1 for each letter in the other case. */
static int distance(const char *a, const char *b)
{
    int row[3][LONGEST + 1] = {{0}};
    int *now = row[0], *last = row[1], *before = row[2];
    const int n = (int)strlen(a), m = (int)strlen(b);
    for (int j = 0; j <= m; j++) now[j] = EDIT * j;
    for (int i = 1; i <= n; i++) {
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
        now[0] = EDIT * i;
        for (int j = 1; j <= m; j++) {
            now[j] = least(last[j - 1] + change(a[i - 1], b[j - 1]),
                           EDIT + least(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + EDIT);
        }
    }
    return now[m];
}

/* A misspelling changes about one letter in three, at most three in a long name; and the
   case of any letter. */
struct dlpi_suggestion dlpi_suggestion_for(const char *typed)
{
    const size_t length = strlen(typed);
    const int allowed = length >= 9 ? 3 : (int)(length + 2) / 3;
    return (struct dlpi_suggestion){.typed = typed, .distance = EDIT * (allowed + 1)};
}

void dlpi_suggestion_consider(struct dlpi_suggestion *suggestion, const char *candidate)
{
    const size_t length = strlen(suggestion->typed);
    if (length > LONGEST || strlen(candidate) > LONGEST) return;
    const int d = distance(suggestion->typed, candidate);
    /* A name that shares no letter is not a misspelling. */
    if (d >= suggestion->distance || d >= EDIT * (int)length) return;
    suggestion->best = candidate;
    suggestion->distance = d;
}

const char *dlpi_suggest(const char *wrong, const char *const *name, dlp_index n)
{
    struct dlpi_suggestion suggestion = dlpi_suggestion_for(wrong);
    for (dlp_index i = 0; i < n; i++) dlpi_suggestion_consider(&suggestion, name[i]);
    return suggestion.best;
}
