/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a study, and the rows of its problems. */
#include "cli/message.h"
#include "cli/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- files ---- */

dlp_status cli_study_find(const char *folder, const char *name, char path[PATH_MAX],
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

dlp_status cli_study_read(const char *folder, cli_study *study, dlp_error *error)
{
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        CLI_TRY(cli_study_find(folder, study->file[i], path, error));
        CLI_TRY(dlp_table_read(path, NULL, &study->table[i], error));
        CLI_TRY(check_numbers(path, study->table[i], error));
    }
    return study->prepare(study, error);
}

void cli_study_clear(cli_study *study)
{
    for (int i = 0; i < 2; i++) {
        dlp_table_free(study->table[i]);
        study->table[i] = NULL;
    }
    free(study->response);
    free(study->score);
    study->response = NULL;
    study->score = NULL;
}

/* ---- rows ---- */

dlp_status cli_study_rows_room(dlp_index N, dlp_index features, dlp_index M,
                               cli_study_rows *rows, dlp_error *error)
{
    const dlp_index p = features + 1;
    rows->p = p;
    rows->M = M;
    rows->begin = calloc((size_t)M + 1, sizeof *rows->begin);
    rows->x = calloc((size_t)(M * p), sizeof *rows->x);
    rows->number = calloc((size_t)(N * (p + 1)), sizeof *rows->number);
    if (!rows->begin || !rows->x || !rows->number)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the rows of a study");
    for (dlp_index i = 0; i < N; i++) rows->number[i] = 1;
    rows->begin[M] = N;
    rows->y = rows->number + N * p;
    return DLP_OK;
}

void cli_study_rows_part(cli_study_rows *rows)
{
    const dlp_index N = rows->begin[rows->M];
    for (dlp_index m = 0; m < rows->M; m++)
        for (dlp_index j = 0; j < rows->p; j++)
            rows->x[m * rows->p + j] = rows->number + j * N + rows->begin[m];
}

static void clear_rows(cli_study_rows *rows)
{
    free(rows->begin);
    free(rows->x);
    free(rows->number);
    *rows = (cli_study_rows){0};
}

void cli_study_problem_clear(cli_study_problem *problem)
{
    clear_rows(&problem->train);
    clear_rows(&problem->test);
}
