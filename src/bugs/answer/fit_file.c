/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit as JSON. */
#include "bugs/bugs.h"
#include "core/core.h"
#include "io/json.h"

static json_t *margin_json(const dlp_margin *m)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", dlpi_json_real(m->mean), "sd",
                     dlpi_json_real(m->sd), "lower", dlpi_json_real(m->lower), "median",
                     dlpi_json_real(m->median), "upper", dlpi_json_real(m->upper));
}

/* The result of importance sampling, if there was any; NULL: out of memory. */
static json_t *graded(json_t *json, const dlp_bugs_node *node)
{
    if (!json || node->grade == DLP_BUGS_UNGRADED) return json;
    if (json_object_set_new(json, "grade",
                            json_string(dlp_bugs_grade_name(node->grade))) == 0 &&
        json_object_set_new(json, "found", margin_json(&node->found)) == 0 &&
        json_object_set_new(json, "sampled", margin_json(&node->sampled)) == 0 &&
        json_object_set_new(json, "sampled_error", dlpi_json_real(node->error)) == 0)
        return json;
    json_decref(json);
    return NULL;
}

static json_t *node_json(const void *of, dlp_index i)
{
    const dlp_bugs_node *node = &((const dlp_bugs_result *)of)->node[i];
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "node", dlpi_json_text(node->name), "mean",
        dlpi_json_real(node->margin.mean), "sd", dlpi_json_real(node->margin.sd), "lower",
        dlpi_json_real(node->margin.lower), "median", dlpi_json_real(node->margin.median),
        "upper", dlpi_json_real(node->margin.upper));
    return graded(json, node);
}

static json_t *plan_json(const void *of, dlp_index i)
{
    const dlp_bugs_plan *plan = &((const dlp_bugs_result *)of)->plan[i];
    return json_pack("{s:o, s:i, s:I, s:s, s:s, s:s*}", "variable",
                     dlpi_json_text(plan->name), "line", plan->line, "unknown",
                     (json_int_t)plan->unknown, "how", plan->how, "reason", plan->reason,
                     "method", plan->method);
}

static json_t *doubts_json(const dlp_bugs_result *r)
{
    return json_pack(
        "{s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b}",
        "gaussian", r->doubt_gaussian, "omitted", r->doubt_omitted, "design",
        r->doubt_design, "tail", r->doubt_tail != 0, "kinks", r->kinks, "maximum",
        r->doubt_maximum, "factors", r->doubt_factors, "modes", r->modes > 0, "switched",
        r->switched, "weights", r->verdict == DLP_BUGS_NOT_CONFIRMED, "drift",
        r->doubt_drift != DLP_BUGS_STEADY, "rare", r->rare > 0, "long_tail",
        r->long_tails > 0, "states", r->doubt_states);
}

static json_t *objective_json(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_bugs_result *)of)->objective[i]);
}

/* For a fit by factors of q; NULL: the fit is of another kind. */
static json_t *factors_json(const dlp_bugs_result *r)
{
    if (r->n_factors == 0) return NULL;
    return json_pack("{s:I, s:I, s:i, s:I, s:o}", "factors", (json_int_t)r->n_factors,
                     "conjugate", (json_int_t)r->n_conjugate, "sweeps", r->sweeps,
                     "fallbacks", (json_int_t)r->fallbacks, "objective",
                     dlpi_json_list(r->sweeps, objective_json, r));
}

static json_t *verified_json(const dlp_bugs_result *r)
{
    if (r->verdict == DLP_BUGS_NOT_VERIFIED) return json_null();
    return json_pack("{s:s, s:I, s:o, s:o}", "verdict", dlp_bugs_verdict_name(r->verdict),
                     "draws", (json_int_t)r->verified, "effective",
                     dlpi_json_real(r->effective), "pareto_k",
                     dlpi_json_real(r->pareto_k));
}

static json_t *to_json(const dlp_bugs_result *r)
{
    return json_pack(
        "{s:s, s:i, s:s, s:o, s:I, s:i, s:I, s:I, s:i, s:b, s:o, s:o, s:o, s:o, "
        "s:o, s:I, s:o*, "
        "s:o, "
        "s:o}",
        "format", "delaplace-bugs", "version", 1, "outcome", dlp_outcome_name(r->outcome),
        "log_evidence", dlpi_json_real(r->log_evidence), "integrated",
        (json_int_t)r->n_points, "points", r->points, "gaussian",
        (json_int_t)r->n_gaussian, "quadrature", (json_int_t)r->n_quadrature, "states",
        r->n_states, "exact", r->exact, "doubts", doubts_json(r), "verified",
        verified_json(r), "shift", dlpi_json_real(r->shift), "roughness",
        dlpi_json_real(r->roughness), "omitted", dlpi_json_real(r->omitted), "draws",
        (json_int_t)r->n_draws, "mean_field", factors_json(r), "plan",
        dlpi_json_list(r->n_plans, plan_json, r), "nodes",
        dlpi_json_list(r->n_nodes, node_json, r));
}

static dlp_status check(const dlp_bugs *model, dlp_error *error)
{
    if (model->fitted) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "the model is not fitted yet");
}

dlp_status dlp_bugs_json(const dlp_bugs *model, char **text, size_t *size,
                         dlp_error *error)
{
    *text = NULL;
    DLP_TRY(check(model, error));
    json_t *value = to_json(&model->result);
    *text = dlpi_json_lines(value, size);
    json_decref(value);
    return *text ? DLP_OK : dlpi_no_memory(error, "the fit");
}

dlp_status dlp_bugs_save(const dlp_bugs *model, const char *path, dlp_error *error)
{
    DLP_TRY(check(model, error));
    json_t *value = to_json(&model->result);
    const dlp_status status = dlpi_json_write(value, path, error);
    json_decref(value);
    return status;
}
