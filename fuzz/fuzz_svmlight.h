/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of svmlight, for the fuzzers of tables and of corpora. */
#ifndef DLP_FUZZ_SVMLIGHT_H
#define DLP_FUZZ_SVMLIGHT_H

#include "fuzz_lines.h"

static inline void fuzz_put_svmlight(fuzz_text *t, const char *const *values, int n)
{
    static const char *const labels[] = {"1", "-1", "+1", "0", "2.5", "1e300", "4"},
                             *const ends[] = {"\n", " \n", " # c\n", "\r\n", "#1:1\n"};
    const int qid = fuzz_chance(t, 6), pairs = fuzz_chance(t, 5);
    fuzz_put(t, "%s", FUZZ_ONE_OF(t, labels));
    if (qid == 0) fuzz_put(t, " qid:%d", fuzz_chance(t, 3));
    for (int i = 0, index = fuzz_chance(t, 3); i < pairs; i++) {
        fuzz_put(t, "%c%d:%s", fuzz_chance(t, 8) ? ' ' : '\t', index,
                 values[fuzz_chance(t, n)]);
        index += 1 + fuzz_chance(t, fuzz_chance(t, 8) ? 3 : 300);
    }
    fuzz_put(t, "%s", FUZZ_ONE_OF(t, ends));
}

#endif
