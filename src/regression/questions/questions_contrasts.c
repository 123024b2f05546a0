/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of parameters, and the probability that they are above or below others. */
#include "core/core.h"
#include "regression/questions/contrast.h"

#include <string.h>

static dlp_status answer_one(dlpi_question *q, const dlpi_contrast_names *names,
                             const char *text, dlp_answer *out, dlp_error *error)
{
    dlpi_contrast_value value;
    int sign;
    out->label = dlpi_pool_copy(q->pool, text, strlen(text));
    if (!out->label) return dlpi_no_memory(error, "the answers");
    DLP_TRY(dlpi_contrast_parse(q, names, text, &value, &sign, error));
    if (value.draw)
        DLP_TRY(dlpi_answer_draws(q, value.draw, out, error));
    else if (value.a)
        DLP_TRY(dlpi_answer_linear(q, value.a, value.constant, out, error));
    else
        DLP_TRY(dlpi_answer_normal(q, value.constant, 0, out, error));
    out->compared = sign != 0;
    if (sign < 0) out->above = 1 - out->above;
    return DLP_OK;
}

static dlp_status answer(dlpi_question *q, dlp_index n, const char *const *text,
                         dlp_error *error)
{
    dlpi_contrast_names names = {.n = 0};
    DLP_TRY(dlpi_contrast_blocks(q, error));
    DLP_TRY(dlpi_question_room(q, n, 0, error));
    dlp_status status = dlpi_contrast_names_make(q, &names, error);
    for (dlp_index i = 0; status == DLP_OK && i < n; i++)
        status = answer_one(q, &names, text[i], dlpi_question_value(q), error);
    dlp_draws_free(names.draws);
    return status;
}

dlp_status dlp_regression_contrasts(const dlp_regression *regression, dlp_index n,
                                    const char *const *text,
                                    const dlp_question_settings *settings,
                                    dlp_answers **answers, dlp_error *error)
{
    dlpi_question q;
    *answers = NULL;
    if (n < 1 || !text)
        return dlp_fail(error, DLP_EINVAL, "say which combination of coefficients");
    dlp_status status = dlpi_question_begin(&q, regression, NULL, settings, error);
    if (status == DLP_OK) status = answer(&q, n, text, error);
    return dlpi_question_end(&q, status, answers);
}
