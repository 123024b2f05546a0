/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that do not vary. The prior makes their posterior a proper one, so that they are
   no error; but whoever typed them expects an answer from the data. */
#include "cli/glm/columns.h"
#include "cli/report.h"

#include <stdio.h>

static bool is_constant(const double *x, dlp_index N)
{
    for (dlp_index i = 1; i < N; i++)
        if (x[i] != x[0]) return false;
    return true;
}

/* Whether the data have nothing to say of column j's coefficient. Without an intercept, or
   the cut points that stand for it, a column that is not 0 is one. */
static bool is_idle(const dlp_glm_data *d, const cli_glm_fit *fit, dlp_index j)
{
    const dlp_index intercept = cli_glm_intercept(fit);
    const bool centred = intercept >= 0 || cli_glm_is_ordinal(fit->family);
    return j != intercept && is_constant(d->x[j], d->N) && (centred || d->x[j][0] == 0);
}

void cli_glm_print_constant(const cli_glm_rows *rows, const cli_glm_fit *fit)
{
    const dlp_glm_data *d = &rows->data;
    dlp_index first = -1, count = 0;
    for (dlp_index j = d->p - 1; j >= 0; j--) {
        if (!is_idle(d, fit, j)) continue;
        first = j;
        count++;
    }
    if (first < 0) return;
    const double value = d->x[first][0];
    fputs("\n'", stdout);
    cli_print_name(fit->column[first], 0);
    printf("' does not vary: it is %g in every row. The data %s: the prior does.", value,
           value == 0 ? "say nothing\nof its coefficient"
                      : "cannot tell\nits coefficient from the intercept");
    if (count > 1)
        printf(" %td more column%s do%s not vary either.", count - 1,
               cli_plural(count - 1), count == 2 ? "es" : "");
    putchar('\n');
}
