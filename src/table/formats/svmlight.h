/* SPDX-License-Identifier: BSD-3-Clause */
/* How the lines of svmlight look, for its readers: of tables, and of counts. Internal. */
#ifndef DLPI_TABLE_SVMLIGHT_H
#define DLPI_TABLE_SVMLIGHT_H

#include "io/scan.h"

#include <string.h>

static inline bool dlpi_svmlight_at_end(const struct dlpi_scan *s)
{
    return dlpi_at_line_end(s) || *s->at == '#';
}

/* To the next line that holds a row; false when none is left. */
static inline bool dlpi_svmlight_find_row(struct dlpi_scan *s)
{
    for (; s->at < s->end; dlpi_skip_line(s)) {
        dlpi_skip_blanks(s);
        if (!dlpi_svmlight_at_end(s)) return true;
    }
    return false;
}

static inline bool dlpi_svmlight_at_qid(const struct dlpi_scan *s)
{
    return s->end - s->at >= 4 && memcmp(s->at, "qid:", 4) == 0;
}

#endif
