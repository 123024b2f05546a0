/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/read.h"
#include "cli/say.h"
#include "cli/terms_json.h"

dlp_status cli_read_terms(const cli_reader *r, const json_t *object)
{
    cli_read_columns columns;
    CLI_TRY(cli_terms_parse(r->name, object, &columns, r->error));
    r->fit->terms = columns.terms;
    r->fit->p = columns.p;
    r->fit->column = columns.column;
    if (columns.terms->response.variable) return DLP_OK;
    return cli_reader_wrong(r, "response", "there");
}
