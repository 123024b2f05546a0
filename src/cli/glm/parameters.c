/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a regression that are listed, with what is known of each. */
#include "cli/glm/view.h"
#include "cli/message.h"

#include <stdlib.h>

dlp_status cli_glm_parameters(const dlp_regression *fit, dlp_index whose,
                              dlp_parameter **parameters, dlp_error *error)
{
    const dlp_index n = dlp_regression_result_of(fit)->n;
    *parameters = calloc((size_t)n, sizeof **parameters);
    if (!*parameters)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
    const dlp_status status = dlp_regression_parameters(fit, whose, *parameters, error);
    if (status == DLP_OK) return DLP_OK;
    free(*parameters);
    *parameters = NULL;
    return status;
}

void cli_glm_parameter_name(const dlp_regression *fit, dlp_index i, char *out,
                            size_t room)
{
    dlp_parameter *all;
    *out = '\0';
    if (cli_glm_parameters(fit, 0, &all, NULL) != DLP_OK) return;
    dlp_parameter_name(&all[i], out, room);
    free(all);
}

dlp_status cli_glm_list(const dlp_regression *fit, dlp_index whose, dlp_index n,
                        cli_glm_list_of *out, dlp_error *error)
{
    const dlp_verification *v = dlp_regression_result_of(fit)->verification;
    const dlp_verified *verified = v && whose >= 0 ? v->fit[whose].parameter : NULL;
    dlp_parameter *all;
    *out = (cli_glm_list_of){.n = 0};
    CLI_TRY(cli_glm_parameters(fit, whose, &all, error));
    out->item = calloc((size_t)n + 1, sizeof *out->item);
    for (dlp_index i = 0; out->item && i < n; i++)
        if (!all[i].penalised)
            out->item[out->n++] =
                (cli_glm_listed){all[i], i, verified ? &verified[i] : NULL};
    free(all);
    if (out->item) return DLP_OK;
    return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
}
