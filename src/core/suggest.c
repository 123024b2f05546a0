/* SPDX-License-Identifier: BSD-3-Clause */
/* Which name was meant. */
#include "core/text.h"

#include <string.h>

enum { LONGEST = 63 }; /* names beyond this are not compared */

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Twice the number of letters to insert, delete, replace or swap with their neighbour to
   turn a into b; once the number where only upper and lower case differ. */
static int distance(const char *a, const char *b)
{
    int row[3][LONGEST + 1] = {
        {0}}; /* this row of the table of distances, last, last but one */
    int *now = row[0], *last = row[1], *before = row[2];
    const int n = (int)strlen(a), m = (int)strlen(b);
    for (int j = 0; j <= m; j++) now[j] = 2 * j;
    for (int i = 1; i <= n; i++) {
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
        now[0] = 2 * i;
        for (int j = 1; j <= m; j++) {
            const int change = a[i - 1] == b[j - 1]                 ? 0
                               : lower(a[i - 1]) == lower(b[j - 1]) ? 1
                                                                    : 2;
            now[j] = least(last[j - 1] + change, 2 + least(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 2);
        }
    }
    return now[m];
}

/* A misspelling changes about one letter in three, or only the case. */
const char *dlpi_suggest(const char *wrong, const char *const *name, dlp_index n)
{
    const size_t size = strlen(wrong);
    const char *nearest = NULL;
    int shortest = size <= 3 ? 3 : 2 * (int)((size + 2) / 3) + 1;
    if (size > LONGEST) return NULL;
    for (dlp_index i = 0; i < n; i++) {
        if (strlen(name[i]) > LONGEST) continue;
        const int d = distance(wrong, name[i]);
        if (d >= shortest || d >= 2 * (int)size) continue;
        shortest = d;
        nearest = name[i];
    }
    return nearest;
}
