/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/page.h"

#include "io/json.h"

#include <math.h>

dlp_status cli_page_no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for the report");
    return DLP_ENOMEM; /* a constant, for static analysers */
}

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
