/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that are evaluated through their expressions: densities, distribution
   functions, and others that constants seldom need. */
#include "core/core.h"
#include "density/distribution.h"
#include "language/evaluate.h"

static bool fail(dlpi_evaluator *e, const dlpi_syntax *call, const char *message)
{
    return dlpi_evaluator_fail(e, call->place, "%s(): %s", call->name, message);
}

static bool stop(void *evaluator)
{
    return !dlpi_evaluator_works(evaluator, (dlp_index)1 << 22);
}

/* Literals of the numbers; false without memory. */
static bool take_argument(dlpi_evaluator *e, dlpi_builder *b, const dlpi_numbers *x,
                          dlpi_value *value)
{
    dlpi_expr *at = dlpi_builder_room(b, x->n);
    if (!at) return false;
    for (dlp_index i = 0; i < x->n; i++)
        at[i] = dlpi_literal(b, dlpi_numbers_at(e, x)[i]);
    *value = (dlpi_value){.n_dim = x->n_dim, .n = x->n, .at = at};
    for (int d = 0; d < x->n_dim; d++) value->dim[d] = x->dim[d];
    return true;
}

static bool give_result(dlpi_evaluator *e, dlpi_builder *b, const dlpi_syntax *call,
                        const dlpi_value *value, dlpi_numbers *result)
{
    result->n_dim = value->n_dim;
    for (int d = 0; d < value->n_dim; d++) result->dim[d] = value->dim[d];
    if (!dlpi_numbers_take(e, result, value->n)) return false;
    for (dlp_index i = 0; i < value->n; i++)
        if (!dlpi_is_number(b, value->at[i], &dlpi_numbers_at(e, result)[i]))
            return fail(e, call, "cannot be computed");
    return true;
}

static bool build(dlpi_evaluator *e, dlpi_builder *b, const dlpi_bugs_function *f,
                  const dlpi_syntax *call, const dlpi_numbers *arg, dlpi_numbers *result)
{
    dlpi_value *value = dlpi_calloc(call->n_args > 0 ? call->n_args : 1, sizeof *value);
    dlpi_value made = {0};
    dlp_error error = {0};
    bool good = value != NULL;
    for (int i = 0; good && i < call->n_args; i++)
        good = take_argument(e, b, &arg[i], &value[i]);
    if (!good)
        fail(e, call, "not enough memory");
    else if (f->build(f, b, call->n_args, value, &made, &error) != DLP_OK)
        good = fail(e, call, error.message);
    else
        good = give_result(e, b, call, &made, result);
    free(value);
    return good;
}

bool dlpi_evaluate_expression(dlpi_evaluator *e, const dlpi_syntax *call,
                              const dlpi_numbers *arg, dlpi_numbers *result)
{
    const dlpi_bugs_function *f = dlpi_bugs_function_find(call->name);
    dlpi_builder *b = NULL;
    if (!f)
        return dlpi_evaluator_fail(e, call->place, "unknown function '%s'", call->name);
    if (dlpi_builder_alloc(&b, NULL) != DLP_OK) return fail(e, call, "not enough memory");
    dlpi_builder_watch(b, stop, e);
    const bool good = build(e, b, f, call, arg, result);
    dlpi_builder_free(b);
    return good;
}
