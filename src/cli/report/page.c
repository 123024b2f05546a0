/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/page.h"

#include "io/json.h"

#include <math.h>

static json_t *real_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

json_t *cli_page_reals(dlp_index n, const double *x)
{
    return dlpi_json_list(n, real_at, x);
}

json_t *cli_page_rounded(double x, double scale)
{
    return isfinite(x) ? json_integer((json_int_t)llround(x * scale)) : json_null();
}
