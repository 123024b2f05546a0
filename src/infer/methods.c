/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of methods. A new one adds its file and one line here. */
#include "infer/infer.h"

#include <string.h>

static const dlpi_method *const methods[] = {&dlpi_laplace, &dlpi_delta,
                                             &dlpi_previous_mean};

enum { N_METHODS = sizeof methods / sizeof *methods };

const char *dlp_method_name(int i)
{
    return i >= 0 && i < N_METHODS ? methods[i]->name : NULL;
}

const dlpi_method *dlpi_method_find(const char *name)
{
    for (int i = 0; i < N_METHODS; i++)
        if (name && strcmp(methods[i]->name, name) == 0) return methods[i];
    return NULL;
}

const char *dlp_outcome_name(dlp_outcome outcome)
{
    switch (outcome) {
#define DLP_OUTCOME_NAME(code, name)                                                     \
    case code: return name;
        DLP_OUTCOME_LIST(DLP_OUTCOME_NAME)
#undef DLP_OUTCOME_NAME
    }
    return "unknown";
}
