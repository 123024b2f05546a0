/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of eight rows with a column of every kind. */
#ifndef DLP_TESTS_DESIGN_TABLE_H
#define DLP_TESTS_DESIGN_TABLE_H

#include "design_support.h"

static const struct hand_column columns[] = {
    {"y", "2.385 0.71 3.14 0.99 1.27 5.83 4.2 0.3"},
    {"x", "0.31 -1.72 2.46 0.55 3.17 1.09 0.2 7"},
    {"age", "31 42 NA 23 54 65 36 17"},
    {"school", "u v w u v w NA u"},
    {"sex", "f m f m f m f m"},
    {"ok", "TRUE FALSE FALSE TRUE TRUE FALSE FALSE TRUE"},
    {"year", "1999 2001 2000 1999 1999 2001 2000 2000"},
    {"won", "3 0 4 1 5 9 2 6"},
    {"lost", "2 7 1 8 2 8 1 8"},
    {"four", "4 4 4 4 4 4 4 4"},
    {"same", "k k k k k k k k"},
    {"huge", "1e200 1e250 1e300 1e308 1 2 3 4"},
    {"wrong", "1 2 3 inf 4 5 6 7"},
    {"void", "NA NA NA NA NA NA NA NA"},
    {"zero", "0 0 0 0 0 0 0 0"},
};

static inline int make_table(void **state)
{
    (void)state;
    table = hand_table(columns, COUNT(columns));
    return 0;
}

#endif
