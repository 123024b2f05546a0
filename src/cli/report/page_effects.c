/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of topics over covariates, for a report: what 'topics effects --of COLUMN --json'
   printed, topic by topic. */
#include "cli/message.h"
#include "cli/report/page.h"
#include "io/json.h"

#include <math.h>

/* Shares are in hundred thousandths, as those of a trend. */
static const double SHARE = 1e5;

/* What a file is expected to hold. */
static const char *const EXPECTED =
    "curves of topics, as 'topics effects --of COLUMN --json' prints them";

static dlp_status is_other(const char *path, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT, "%s: these are not %s", path, EXPECTED);
}

/* value, by, mean, lower, upper; NULL: not as expected, or no memory */
static json_t *point_json(const json_t *point)
{
    static const char *const number[] = {"mean", "lower", "upper"};
    json_t *value = json_object_get(point, "value"), *by = json_object_get(point, "by");
    const bool named = json_is_string(by) || json_is_null(by);
    json_t *list = json_array();
    bool failed = !list || !named || !(json_is_number(value) || json_is_string(value)) ||
                  json_array_append(list, value) != 0 || json_array_append(list, by) != 0;
    for (int i = 0; i < 3 && !failed; i++) {
        const json_t *x = json_object_get(point, number[i]);
        failed =
            !json_is_number(x) || fabs(json_number_value(x)) > 1e6 ||
            json_array_append_new(list, cli_page_rounded(json_number_value(x), SHARE));
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* Puts each point into the list of its topic, of which there are K. */
static dlp_status take_points(const char *path, const json_t *points, dlp_index K,
                              json_t *topics, dlp_error *error)
{
    size_t i;
    json_t *point;
    for (dlp_index k = 0; k < K; k++)
        if (json_array_append_new(topics, json_array()) != 0)
            return cli_page_no_memory(error);
    json_array_foreach(points, i, point)
    {
        const json_int_t topic = json_integer_value(json_object_get(point, "topic"));
        if (topic < 1 || topic > K)
            return dlp_fail(error, DLP_EINPUT,
                            "%s has topic %lld, but the model has topics 1 to %td; make "
                            "it from this model",
                            path, (long long)topic, K);
        json_t *made = point_json(point);
        if (!made) return is_other(path, error);
        if (json_array_append_new(json_array_get(topics, (size_t)topic - 1), made) != 0)
            return cli_page_no_memory(error);
    }
    return DLP_OK;
}

static dlp_status take_file(const char *path, dlp_index K, json_t *list, dlp_error *error)
{
    static const char *const kept[] = {"formula", "of", "by", "differences"};
    json_t *root = NULL, *topics = json_array(), *made = json_object();
    dlp_status status = topics && made ? DLP_OK : cli_page_no_memory(error);
    if (status == DLP_OK) status = dlpi_json_read(path, EXPECTED, &root, error);
    const json_t *points = json_object_get(root, "points");
    if (status == DLP_OK &&
        (!json_is_array(points) || !json_is_string(json_object_get(root, "of"))))
        status = is_other(path, error);
    if (status == DLP_OK) status = take_points(path, points, K, topics, error);
    bool failed = status != DLP_OK;
    for (int i = 0; i < 4 && !failed; i++) {
        json_t *value = json_object_get(root, kept[i]);
        failed = value && json_object_set(made, kept[i], value) != 0;
    }
    failed = failed || json_object_set(made, "topics", topics) != 0 ||
             json_array_append(list, made) != 0;
    json_decref(root);
    json_decref(topics);
    json_decref(made);
    return status == DLP_OK && failed ? cli_page_no_memory(error) : status;
}

dlp_status cli_page_effects(int n, const char *const *path, dlp_index K, json_t **effects,
                            dlp_error *error)
{
    dlp_status status = DLP_OK;
    *effects = json_array();
    if (!*effects) return cli_page_no_memory(error);
    for (int i = 0; i < n && status == DLP_OK; i++)
        status = take_file(path[i], K, *effects, error);
    if (status == DLP_OK) return DLP_OK;
    json_decref(*effects);
    *effects = NULL;
    return status;
}
