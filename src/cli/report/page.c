/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/page.h"

#include "cli/json.h"

#include <math.h>

json_t *cli_page_list(dlp_index n, cli_page_item *item, const void *of)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, item(of, i)) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *real_at(const void *of, dlp_index i)
{
    return cli_json_real(((const double *)of)[i]);
}

json_t *cli_page_reals(dlp_index n, const double *x)
{
    return cli_page_list(n, real_at, x);
}

json_t *cli_page_rounded(double x, double scale)
{
    return isfinite(x) ? json_integer((json_int_t)llround(x * scale)) : json_null();
}

static json_t *text_at(const void *of, dlp_index i)
{
    return cli_json_text(((char *const *)of)[i]);
}

json_t *cli_page_texts(dlp_index n, char *const *text)
{
    return cli_page_list(n, text_at, text);
}
