/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes a model's table and checks that every required entry is there, before any
   call. */
#include "core/core.h"
#include "infer/infer.h"
#include "math/symmetric/structure.h"

#include <string.h>

static dlp_status check_conjugate_part(const dlp_model *model, dlp_error *error)
{
    const dlp_model_type *type = model->type;
    if (!type->update_z) {
        if (type->expect_stats || type->expect_eta || type->objective_z)
            return dlp_fail(error, DLP_EINVAL,
                            "model %s has functions for z but no update_z; add it, or "
                            "leave all of them out",
                            type->name);
        return DLP_OK;
    }
    if (!type->expect_stats || !type->objective_z || (!type->expect_eta && !type->eta))
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s has update_z; it also needs expect_stats, objective_z, and "
            "expect_eta or eta",
            type->name);
    if (model->n_eta < 1)
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s has update_z but n_eta = %td; n_eta is the length of eta(theta)",
            type->name, model->n_eta);
    return DLP_OK;
}

/* Copies as much of the program's table as both sides know. */
static dlp_status take_type(const dlp_model_type *given, dlp_model_type *type,
                            dlp_error *error)
{
    const size_t most = sizeof *type, least = offsetof(dlp_model_type, failure);
    memset(type, 0, most);
    if (given && given->size < least)
        return dlp_fail(error, DLP_EINVAL,
                        "a model's type has size %zu; set it to sizeof(dlp_model_type)",
                        given->size);
    if (given) memcpy(type, given, given->size < most ? given->size : most);
    if (!type->name || !type->f)
        return dlp_fail(error, DLP_EINVAL, "a model needs a type with a name and f");
    return DLP_OK;
}

static dlp_status check_model(const dlp_model *model, dlp_error *error)
{
    const dlp_model_type *type = model->type;
    if (type->derivatives < 0 || type->derivatives > 2)
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s: derivatives is %d; it is 0, 1 (gradient) or 2 (and Hessian)",
            type->name, type->derivatives);
    DLP_TRY(dlpi_shape_check(&model->shape, error));
    if (type->derivatives < 2 && model->shape.structure != DLP_BLOCKS)
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s does not write its Hessian, so its shape must be DLP_BLOCKS: "
            "differences can find only blocks",
            type->name);
    return check_conjugate_part(model, error);
}

dlp_status dlpi_take_model(const dlp_model *given, dlp_model_type *type, dlp_model *model,
                           dlp_error *error)
{
    DLP_TRY(take_type(given->type, type, error));
    *model = *given;
    model->type = type;
    return check_model(model, error);
}
