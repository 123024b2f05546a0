/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/prepare.h"

#include "cli/glm/family.h"
#include "cli/glm/reference.h"
#include "cli/glm/weak.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dlp_status build_rows(const cli_glm_request *asked, const dlp_formula *formula,
                             cli_glm_rows *rows, dlp_error *error)
{
    dlp_table_options table = dlp_table_options_default();
    dlp_design_options options = dlp_design_options_default();
    table.format = asked->format;
    options.group = asked->group;
    options.weight = asked->weights;
    options.missing_is_error = !strcmp(asked->missing, "error");
    options.response_is_factor = asked->family && cli_glm_has_levels(asked->family);
    CLI_TRY(cli_table_read(asked->data, &table, &rows->table, error));
    cli_glm_references references;
    CLI_TRY(cli_glm_references_read(asked->references, &references, error));
    options.n_references = references.n;
    options.reference = references.item;
    dlp_design_problem problem;
    options.problem = &problem;
    dlp_status status =
        dlp_design_build(formula, rows->table, &options, &rows->design, error);
    const cli_design_advice advice = {.missing = "fill them in, or leave such rows out"};
    status = cli_design_advise(&problem, &advice, status, error);
    cli_glm_references_clear(&references);
    return cli_in_file(asked->data, status, error);
}

/* FIT.json is UTF-8, and its names must match those of tables to come. */
static dlp_status check_text(const char *text, dlp_error *error)
{
    json_t *value = json_string(text);
    if (!value && text)
        return dlp_fail(error, DLP_EINPUT,
                        "the name or level '%.80s' is not UTF-8; convert the data first: "
                        "iconv -f latin1 -t utf8",
                        text);
    json_decref(value);
    return DLP_OK;
}

static dlp_status check_levels(const dlp_levels *levels, dlp_error *error)
{
    CLI_TRY(check_text(levels->variable, error));
    for (dlp_index i = 0; i < levels->n; i++)
        CLI_TRY(check_text(levels->level[i], error));
    return DLP_OK;
}

static dlp_status check_names(const dlp_terms *terms, dlp_error *error)
{
    CLI_TRY(check_text(terms->formula, error));
    CLI_TRY(check_levels(&terms->response, error));
    CLI_TRY(check_levels(&terms->group, error));
    for (dlp_index i = 0; i < terms->n_factors; i++)
        CLI_TRY(check_levels(&terms->factor[i], error));
    return DLP_OK;
}

static dlp_status keep_text(const char *text, char **copy, dlp_error *error)
{
    *copy = strdup(text);
    return *copy ? DLP_OK : dlp_fail(error, DLP_ENOMEM, "not enough memory for names");
}

/* A pooled fit does not look at the groups, so it needs none to predict, unless they
   stand in its formula. */
static dlp_status keep_terms(const cli_glm_request *asked, const dlp_terms *terms,
                             cli_glm_fit *fit, dlp_error *error)
{
    dlp_terms kept = *terms;
    if (fit->grouping == CLI_POOLED && asked->group)
        kept.group = (dlp_levels){NULL, 0, NULL};
    CLI_TRY(check_text(asked->formula, error));
    CLI_TRY(check_names(&kept, error));
    CLI_TRY(keep_text(asked->formula, &fit->formula, error));
    if (asked->weights) {
        CLI_TRY(check_text(asked->weights, error));
        CLI_TRY(keep_text(asked->weights, &fit->weights, error));
    }
    return dlp_terms_copy(&kept, &fit->terms, error);
}

/* Gives the levels of the response another order, in the fit and in the rows. */
static dlp_status order_levels(const char *asked, cli_glm_rows *rows, cli_glm_fit *fit,
                               dlp_error *error)
{
    dlp_terms ordered = *fit->terms, *copy = NULL;
    const dlp_index n = ordered.response.n;
    if (n == 0)
        return dlp_fail(error, DLP_EINVAL,
                        "--levels needs a response with levels, and '%.80s' has none",
                        ordered.response.variable);
    const char **level = calloc((size_t)n, sizeof *level);
    dlp_index *rank = calloc((size_t)n, sizeof *rank);
    dlp_status status =
        level && rank ? cli_glm_order_levels(&ordered.response, asked, level, rank, error)
                      : dlp_fail(error, DLP_ENOMEM, "not enough memory for levels");
    if (status == DLP_OK) {
        ordered.response.level = level;
        status = dlp_terms_copy(&ordered, &copy, error);
    }
    if (status == DLP_OK) {
        dlp_terms_free(fit->terms);
        fit->terms = copy;
        cli_glm_rows_recode(rows, rank);
    }
    free(level);
    free(rank);
    return status;
}

static dlp_status keep_columns(const cli_glm_rows *rows, cli_glm_fit *fit,
                               dlp_error *error)
{
    fit->column = calloc((size_t)rows->data.p + 1, sizeof *fit->column);
    if (!fit->column) return dlp_fail(error, DLP_ENOMEM, "not enough memory for names");
    for (fit->p = 0; fit->p < rows->data.p; fit->p++)
        CLI_TRY(keep_text(rows->name[fit->p], &fit->column[fit->p], error));
    return DLP_OK;
}

/* What the groups share: Sigma0^-1 ~ Wishart(nu, phi0 I), mu0 ~ N(0, phi1 I). The paper's,
   made for 139 schools, hold mu0 at 0 and Sigma0 at I; by default the groups tell. The
   more parameters, the less they can tell of each, and the more of I / phi0 is added to
   their sum of squares. An identity link's are in sds of the response (glm_units.h), of
   which groups differ by a small part. */
static void set_default_hyperprior(const cli_glm_request *asked, cli_glm_fit *fit)
{
    const dlp_hierarchy_settings paper = dlp_hierarchy_settings_default();
    const double n = (double)(fit->shared_scale ? fit->p : fit->n); /* that vary */
    const bool unit = !strcmp(fit->link, "identity"),
               as_printed = asked->hyperprior && !strcmp(asked->hyperprior, "paper");
    fit->paper_hyperprior = as_printed;
    const double weak_phi0 = unit ? 100 : fmax(100 / (n * n), 1);
    if (fit->nu == 0) fit->nu = n + (as_printed ? 100 : 2);
    if (fit->phi0 == 0) fit->phi0 = as_printed ? paper.phi0 : weak_phi0;
    if (fit->phi1 == 0) fit->phi1 = as_printed ? paper.phi1 : 100;
}

static dlp_status set_default_prior(const cli_glm_request *asked, cli_glm_rows *rows,
                                    cli_glm_fit *fit, dlp_error *error)
{
    const bool all_weak = !asked->prior.file && asked->prior.intercept_sd == 0;
    if (fit->grouping == CLI_HIERARCHICAL) {
        set_default_hyperprior(asked, fit);
        if (!fit->paper_hyperprior) return cli_glm_free_products(rows, fit, error);
    } else if (asked->prior.covariance) {
        fit->prior_sd = dlp_glm_prior_default().sd_all; /* of no coefficient */
    } else if (fit->prior_sd == 0) {
        return cli_in_file(asked->data, cli_glm_weak_prior(all_weak, rows, fit, error),
                           error);
    }
    return DLP_OK;
}

/* Only some families have a scale to share. */
static dlp_status check_scale(const cli_glm_request *asked, cli_glm_fit *fit,
                              dlp_error *error)
{
    const bool has_scale = cli_glm_has_scale(fit->family);
    fit->shared_scale = fit->shared_scale && has_scale;
    if (has_scale || !asked->scale) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "--scale is about the sd, shape or size of a response, and family %s "
                    "has none: leave it out",
                    fit->family);
}

dlp_status cli_glm_prepare(const cli_glm_request *asked, const dlp_formula *formula,
                           cli_glm_rows *rows, cli_glm_fit *fit, dlp_error *error)
{
    CLI_TRY(build_rows(asked, formula, rows, error));
    const dlp_design *design = rows->design;
    CLI_TRY(cli_glm_choose(design, asked->family, asked->link, &fit->family, &fit->link,
                           error));
    CLI_TRY(cli_glm_rows_take(rows, fit->family, error));
    CLI_TRY(keep_terms(asked, design->terms, fit, error));
    if (asked->levels) CLI_TRY(order_levels(asked->levels, rows, fit, error));
    CLI_TRY(keep_columns(rows, fit, error));
    CLI_TRY(cli_glm_fit_shape(fit, error));
    CLI_TRY(check_scale(asked, fit, error));
    fit->rows = design->N;
    fit->dropped = design->dropped;
    fit->total_weight = cli_glm_total_weight(&rows->data);
    CLI_TRY(set_default_prior(asked, rows, fit, error));
    return cli_glm_prior_take(&asked->prior, design, fit, error);
}
