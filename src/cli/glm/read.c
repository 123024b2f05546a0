/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression read back from JSON: afterwards every array has its length and every
   number is finite. What can be computed again (coefficients, their intervals) is not
   read. */
#include "cli/glm/read.h"

#include "cli/json.h"
#include "cli/say.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

dlp_status cli_reader_wrong(const cli_reader *r, const char *key, const char *expected)
{
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: \"%s\" must be %s; the file is damaged or edited, fit again",
                    r->name, key, expected);
}

dlp_status cli_reader_no_memory(const cli_reader *r)
{
    return dlp_fail(r->error, DLP_ENOMEM, "%s: not enough memory to read it", r->name);
}

/* ---- plain values ---- */

dlp_status cli_read_text(const cli_reader *r, const json_t *object, const char *key,
                         const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text ? DLP_OK : cli_reader_wrong(r, key, "a text");
}

static dlp_status read_count(const cli_reader *r, const char *key, json_int_t max,
                             json_int_t *count)
{
    const json_t *value = json_object_get(r->root, key);
    *count = json_integer_value(value);
    if (json_is_integer(value) && *count >= 0 && *count <= max) return DLP_OK;
    return cli_reader_wrong(r, key, "a whole number, not negative");
}

static dlp_status read_int(const cli_reader *r, const char *key, int *count)
{
    json_int_t value;
    CLI_TRY(read_count(r, key, INT_MAX, &value));
    *count = (int)value;
    return DLP_OK;
}

dlp_status cli_read_real(const cli_reader *r, const json_t *object, const char *key,
                         double *real)
{
    const json_t *value = json_object_get(object, key);
    *real = json_number_value(value);
    return json_is_number(value) && isfinite(*real)
               ? DLP_OK
               : cli_reader_wrong(r, key, "a number");
}

/* One of the words of a list; *index is its place there. */
static dlp_status read_word(const cli_reader *r, const char *key,
                            const char *(*words)(int i), int *index)
{
    const char *text;
    CLI_TRY(cli_read_text(r, r->root, key, &text));
    for (*index = 0; words(*index); ++*index)
        if (!strcmp(words(*index), text)) return DLP_OK;
    return cli_reader_wrong(r, key, "one that this program knows");
}

static dlp_status read_numbers(const cli_reader *r, const char *key, const json_t *list,
                               dlp_index n, double *out)
{
    for (dlp_index i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i]))
            return cli_reader_wrong(r, key, "made of finite numbers");
    }
    return DLP_OK;
}

static bool is_list(const json_t *value, dlp_index size)
{
    return json_is_array(value) && json_array_size(value) == (size_t)size;
}

/* (n, n) numbers, the diagonal a list of variances. */
static dlp_status read_square(const cli_reader *r, const char *key, const json_t *rows,
                              dlp_index n, double *out)
{
    for (dlp_index i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        if (!is_list(rows, n) || !is_list(row, n))
            return cli_reader_wrong(r, key, "as large as \"parameters\" is long");
        CLI_TRY(read_numbers(r, key, row, n, out + i * n));
        if (out[i * n + i] < 0)
            return cli_reader_wrong(r, key, "without negative variances");
    }
    return DLP_OK;
}

/* ---- what was fitted ---- */

static dlp_status read_format(const cli_reader *r)
{
    const char *format = json_string_value(json_object_get(r->root, "format"));
    const json_t *version = json_object_get(r->root, "version");
    if (format && !strcmp(format, "delaplace-topics"))
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: belongs to a topic model; name its folder, to 'delaplace "
                        "topics show' or 'delaplace report'",
                        r->name);
    if (!format || strcmp(format, CLI_GLM_FORMAT) != 0)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: this is not a fit of a regression (its \"format\" is not "
                        "\"%s\"); 'delaplace glm fit' makes one",
                        r->name, CLI_GLM_FORMAT);
    if (json_is_integer(version) && json_integer_value(version) == CLI_GLM_VERSION)
        return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: this program reads version %d of the format, and the file has "
                    "another; use the delaplace that made it, or a newer one, or fit "
                    "again",
                    r->name, CLI_GLM_VERSION);
}

static dlp_status read_link(const cli_reader *r)
{
    const char *text;
    CLI_TRY(cli_read_text(r, r->root, "link", &text));
    for (int i = 0; (r->fit->link = dlp_glm_link(r->fit->family, i)); i++)
        if (!strcmp(r->fit->link, text)) return DLP_OK;
    return cli_reader_wrong(r, "link", "one of the family's");
}

/* One for each column, in their order; without, they are all alike. */
static dlp_status read_own_prior(const cli_reader *r, const json_t *list)
{
    const dlp_index p = r->fit->p;
    if (!list) return DLP_OK;
    if (!is_list(list, p)) return cli_reader_wrong(r, "prior", "one for each column");
    r->fit->own_prior = calloc((size_t)p + 1, sizeof *r->fit->own_prior);
    if (!r->fit->own_prior) return cli_reader_no_memory(r);
    for (dlp_index j = 0; j < p; j++) {
        const json_t *of = json_array_get(list, (size_t)j);
        cli_glm_prior *prior = &r->fit->own_prior[j];
        CLI_TRY(cli_read_real(r, of, "mean", &prior->mean));
        CLI_TRY(cli_read_real(r, of, "sd", &prior->sd));
        CLI_TRY(cli_read_real(r, of, "df", &prior->df));
        prior->weak = json_is_true(json_object_get(of, "weak"));
    }
    return DLP_OK;
}

static dlp_status read_prior_covariance(const cli_reader *r, const json_t *rows)
{
    const dlp_index p = r->fit->p;
    if (!rows) return DLP_OK;
    for (dlp_index j = 0; j < p; j++)
        if (!is_list(json_array_get(rows, (size_t)j), p))
            return cli_reader_wrong(r, "prior", "as large as there are columns");
    r->fit->prior_covariance = calloc((size_t)(p * p) + 1, sizeof(double));
    if (!r->fit->prior_covariance) return cli_reader_no_memory(r);
    return read_square(r, "prior", rows, p, r->fit->prior_covariance);
}

static dlp_status read_prior(const cli_reader *r)
{
    const json_t *prior = json_object_get(r->root, "prior");
    const char *update, *which;
    cli_glm_fit *fit = r->fit;
    if (fit->grouping != CLI_HIERARCHICAL) {
        CLI_TRY(cli_read_real(r, prior, "sd", &fit->prior_sd));
        CLI_TRY(cli_read_real(r, prior, "df", &fit->prior_df));
        CLI_TRY(read_own_prior(r, json_object_get(prior, "terms")));
        if (json_object_get(prior, "first_cut_sd"))
            CLI_TRY(cli_read_real(r, prior, "first_cut_sd", &fit->first_cut_sd));
        return read_prior_covariance(r, json_object_get(prior, "covariance"));
    }
    CLI_TRY(cli_read_real(r, prior, "nu", &fit->nu));
    CLI_TRY(cli_read_real(r, prior, "phi0", &fit->phi0));
    CLI_TRY(cli_read_real(r, prior, "phi1", &fit->phi1));
    CLI_TRY(cli_read_text(r, prior, "sigma0_update", &update));
    fit->paper_sigma0 = !strcmp(update, "paper");
    CLI_TRY(cli_read_text(r, prior, "hyperprior", &which));
    fit->paper_hyperprior = !strcmp(which, "paper");
    const char *scale = json_string_value(json_object_get(prior, "scale"));
    fit->shared_scale = scale && !strcmp(scale, "shared");
    return DLP_OK;
}

static const char *outcome_name(int i)
{
    return i <= DLP_CANCELLED ? dlp_outcome_name((dlp_outcome)i) : NULL;
}

static dlp_status read_weights(const cli_reader *r)
{
    const char *weights;
    r->fit->total_weight = (double)r->fit->rows;
    if (!json_object_get(r->root, "weights")) return DLP_OK;
    CLI_TRY(cli_read_text(r, r->root, "weights", &weights));
    r->fit->weights = strdup(weights);
    if (!r->fit->weights) return cli_reader_no_memory(r);
    return cli_read_real(r, r->root, "total_weight", &r->fit->total_weight);
}

static dlp_status read_summary(const cli_reader *r)
{
    cli_glm_fit *fit = r->fit;
    json_int_t count;
    const char *formula;
    int i;
    CLI_TRY(cli_read_text(r, r->root, "formula", &formula));
    fit->formula = strdup(formula);
    if (!fit->formula) return cli_reader_no_memory(r);
    CLI_TRY(read_word(r, "family", dlp_glm_family, &i));
    fit->family = dlp_glm_family(i);
    CLI_TRY(read_link(r));
    CLI_TRY(read_word(r, "method", cli_glm_method, &i));
    fit->method = cli_glm_method(i);
    CLI_TRY(read_word(r, "grouping", cli_grouping_name, &i));
    fit->grouping = (cli_grouping)i;
    CLI_TRY(cli_read_real(r, r->root, "tol", &fit->tol));
    CLI_TRY(read_int(r, "max_iter", &fit->max_iter));
    CLI_TRY(read_count(r, "rows", PTRDIFF_MAX, &count));
    fit->rows = (dlp_index)count;
    CLI_TRY(read_count(r, "dropped", PTRDIFF_MAX, &count));
    fit->dropped = (dlp_index)count;
    CLI_TRY(read_weights(r));
    CLI_TRY(read_word(r, "outcome", outcome_name, &i));
    fit->outcome = (dlp_outcome)i;
    CLI_TRY(read_int(r, "iterations", &fit->iterations));
    CLI_TRY(read_count(r, "evaluations", LONG_MAX, &count));
    fit->evaluations = (long)count;
    CLI_TRY(read_int(r, "fallbacks", &fit->fallbacks));
    if (cli_glm_is_grouped(fit)) CLI_TRY(read_int(r, "unsettled", &fit->unsettled));
    fit->scale_summed = json_is_true(json_object_get(r->root, "scale_summed"));
    fit->propagated = json_is_true(json_object_get(r->root, "propagated"));
    fit->objective = NAN; /* null where it was not finite */
    if (json_is_null(json_object_get(r->root, "objective"))) return DLP_OK;
    return cli_read_real(r, r->root, "objective", &fit->objective);
}

/* ---- the posterior ---- */

static dlp_status read_vector(const cli_reader *r, const char *key, const json_t *list,
                              double *out)
{
    if (!is_list(list, r->fit->n))
        return cli_reader_wrong(r, key, "as long as \"parameters\"");
    return read_numbers(r, key, list, r->fit->n, out);
}

static dlp_status read_block(const cli_reader *r, dlp_index m, const json_t *mean,
                             const json_t *covariance)
{
    const dlp_index n = r->fit->n;
    CLI_TRY(read_vector(r, "mean", mean, r->fit->mu + m * n));
    return read_square(r, "covariance", covariance, n, r->fit->Sigma + m * n * n);
}

/* The lists must be as long as the shape says before memory is taken by it: the file
   then has as many values itself. */
static dlp_status check_lengths(const cli_reader *r, const json_t *mean,
                                const json_t *covariance)
{
    const cli_glm_fit *fit = r->fit;
    const bool grouped = cli_glm_is_grouped(fit);
    if (!is_list(json_object_get(r->root, "parameters"), fit->n))
        return cli_reader_wrong(r, "parameters", "as long as family and columns say");
    for (dlp_index m = 0; m < fit->M; m++) {
        const json_t *block =
            grouped ? json_array_get(covariance, (size_t)m) : covariance;
        for (dlp_index i = 0; i < fit->n; i++)
            if (!is_list(json_array_get(block, (size_t)i), fit->n))
                return cli_reader_wrong(r, "covariance",
                                        "as large as \"parameters\" is long");
    }
    if (grouped && (!is_list(mean, fit->M) || !is_list(covariance, fit->M)))
        return cli_reader_wrong(r, "mean",
                                "as long as the list of groups, and \"covariance\" too");
    return DLP_OK;
}

static dlp_status read_posterior(const cli_reader *r)
{
    cli_glm_fit *fit = r->fit;
    const json_t *mean = json_object_get(r->root, "mean");
    const json_t *covariance = json_object_get(r->root, "covariance");
    CLI_TRY(check_lengths(r, mean, covariance));
    CLI_TRY(cli_glm_fit_room(fit, r->error));
    if (!cli_glm_is_grouped(fit)) return read_block(r, 0, mean, covariance);
    for (dlp_index m = 0; m < fit->M; m++)
        CLI_TRY(read_block(r, m, json_array_get(mean, (size_t)m),
                           json_array_get(covariance, (size_t)m)));
    if (fit->grouping != CLI_HIERARCHICAL) return DLP_OK;
    CLI_TRY(read_vector(r, "mu0", json_object_get(r->root, "mu0"), fit->mu0));
    CLI_TRY(read_square(r, "Sigma0", json_object_get(r->root, "Sigma0"), fit->n,
                        fit->Sigma0));
    return read_square(r, "mu0_covariance", json_object_get(r->root, "mu0_covariance"),
                       fit->n, fit->mu0_covariance);
}

/* A family with a scale has one parameter more than columns; its name is the term of the
   first quantity of the list. */
static dlp_status read_scale(const cli_reader *r)
{
    cli_glm_fit *fit = r->fit;
    const char *name;
    if (cli_glm_has_levels(fit->family) || fit->n == fit->p) return DLP_OK;
    CLI_TRY(cli_read_text(r, json_array_get(json_object_get(r->root, "scale"), 0), "term",
                          &name));
    fit->scale = strdup(name);
    return fit->scale ? DLP_OK : cli_reader_no_memory(r);
}

/* ---- the whole ---- */

static dlp_status read_all(const cli_reader *r)
{
    CLI_TRY(read_format(r));
    CLI_TRY(read_summary(r));
    CLI_TRY(cli_read_terms(r, json_object_get(r->root, "terms")));
    if (cli_glm_is_grouped(r->fit) && !r->fit->terms->group.variable)
        return cli_reader_wrong(r, "group", "there, since the fit is grouped");
    CLI_TRY(read_prior(r));
    CLI_TRY(cli_glm_fit_shape(r->fit, r->error));
    CLI_TRY(read_scale(r));
    return read_posterior(r);
}

dlp_status cli_glm_fit_parse(const char *name, const json_t *root, cli_glm_fit *fit,
                             dlp_error *error)
{
    const cli_reader r = {.name = name, .root = root, .fit = fit, .error = error};
    *fit = (cli_glm_fit){0};
    const dlp_status status = read_all(&r);
    if (status != DLP_OK) cli_glm_fit_clear(fit);
    return status;
}

dlp_status cli_glm_fit_read(const char *path, cli_glm_fit *fit, dlp_error *error)
{
    json_t *root;
    *fit = (cli_glm_fit){0};
    CLI_TRY(cli_json_read(path, &root, error));
    const dlp_status status = cli_glm_fit_parse(path, root, fit, error);
    json_decref(root);
    return status;
}
