/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the files of a study; helpers that all its problems share. */
#include "study/study.h"

#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

dlp_status dlpi_study_find(const char *folder, const char *name, char path[PATH_MAX],
                           dlp_error *error)
{
    static const char *const endings[] = {"", ".xz", ".zst", ".gz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const int length = snprintf(path, PATH_MAX, "%s/%s%s", folder, name, endings[i]);
        if (length < PATH_MAX && access(path, F_OK) == 0) return DLP_OK;
    }
    return dlp_fail(error, DLP_EINPUT,
                    "%.400s/%s: no such file, nor one ending in .xz, .zst or .gz; "
                    "docs/study.md says where to get the data",
                    folder, name);
}

static dlp_status check_numbers(const char *path, const dlp_table *table,
                                dlp_error *error)
{
    for (dlp_index j = 0; j < table->columns; j++) {
        const dlp_column *column = &table->column[j];
        if (column->kind != DLP_NUMERIC || column->missing > 0)
            return dlp_fail(
                error, DLP_EINPUT,
                "%.400s: column '%.80s' must be numeric, without missing values", path,
                column->name);
    }
    return DLP_OK;
}

dlp_status dlpi_study_read(const char *folder, dlpi_study *study, dlp_error *error)
{
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        DLP_TRY(dlpi_study_find(folder, study->file[i], path, error));
        DLP_TRY(dlp_table_read(path, NULL, &study->table[i], error));
        DLP_TRY(check_numbers(path, study->table[i], error));
    }
    return study->prepare(study, error);
}

void dlpi_study_clear(dlpi_study *study)
{
    for (int i = 0; i < 2; i++) {
        dlp_table_free(study->table[i]);
        study->table[i] = NULL;
    }
    dlp_table_free(study->joined);
    free(study->response);
    free(study->score);
    free(study->paired);
    study->joined = NULL;
    study->response = study->paired = NULL;
    study->score = NULL;
}

/* ---- problems ---- */

dlp_status dlpi_study_formula(const char *response, dlpi_study_problem *problem,
                              dlp_error *error)
{
    static const char pattern[] = "`%s` ~ .";
    const size_t room = strlen(response) + sizeof pattern;
    char *text = malloc(room);
    if (!text) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the formula");
    snprintf(text, room, pattern, response);
    const dlp_status status = dlp_formula_parse(text, &problem->formula, error);
    free(text);
    return status;
}

void dlpi_study_problem_clear(dlpi_study_problem *problem)
{
    dlp_formula_free(problem->formula);
    dlp_table_free(problem->train);
    dlp_table_free(problem->test);
    *problem = (dlpi_study_problem){.train = NULL};
}
