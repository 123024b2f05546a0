/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 2: separate, pooled and hierarchical regressions on School. */
#include "study/study.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

enum { SCHOOL, SPLITS };              /* the tables */
enum { SCHOOL_COLUMN, SCORE, FIRST }; /* the columns of SCHOOL */

/* First letter: separate, pooled, hierarchical, or hierarchical with Sigma_0's update
   as printed (X). Second letter: Jaakkola and Jordan, Laplace, delta. */
enum { SJ, SL, SD, PJ, PL, PD, HJ, HL, HD, XL, XD, ARMS };

static const dlpi_study_arm arms[ARMS] = {
    [SJ] = {"jaakkola-jordan", DLP_SEPARATE, false, 70.5, -0.684},
    [SL] = {"laplace", DLP_SEPARATE, false, 70.8, -0.569},
    [SD] = {"delta", DLP_SEPARATE, false, 70.8, -0.571},
    [PJ] = {"jaakkola-jordan", DLP_POOLED, false, 71.2, -0.685},
    [PL] = {"laplace", DLP_POOLED, false, 71.3, -0.557},
    [PD] = {"delta", DLP_POOLED, false, 71.3, -0.557},
    [HJ] = {"jaakkola-jordan", DLP_HIERARCHICAL, false, 71.3, -0.685},
    [HL] = {"laplace", DLP_HIERARCHICAL, false, 71.9, -0.549},
    [HD] = {"delta", DLP_HIERARCHICAL, false, 71.9, -0.559},
    [XL] = {"laplace", DLP_HIERARCHICAL, true, 71.9, -0.549},
    [XD] = {"delta", DLP_HIERARCHICAL, true, 71.9, -0.559},
};

/* The paper claims that the hierarchical model fitted by Laplace beats all others, and
   that hierarchical models beat the rest. The last three pairs test the printed
   update. */
static const dlpi_study_claim claims[] = {
    {HL, SJ}, {HL, SL}, {HL, SD}, {HL, PJ}, {HL, PL}, {HL, PD}, {HL, HJ},
    {HL, HD}, {HD, SD}, {HD, PD}, {XL, PL}, {XL, HL}, {XD, HD}};

/* ---- the response ---- */

/* A score is good if it is above the overall median; the paper does not say where ties
   go. */
static dlp_status make_response(dlpi_study *study, dlp_error *error)
{
    const dlp_table *table = study->table[SCHOOL];
    const double *score = table->column[SCORE].number;
    double middle = 0;
    DLP_TRY(dlp_median(table->rows, score, &middle, error));
    study->response = malloc((size_t)table->rows * sizeof *study->response);
    if (!study->response)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the response");
    for (dlp_index i = 0; i < table->rows; i++) study->response[i] = score[i] > middle;
    return DLP_OK;
}

static dlp_status check_tables(const dlpi_study *study, dlp_error *error)
{
    const dlp_table *table = study->table[SCHOOL];
    if (table->columns <= FIRST ||
        strcmp(table->column[SCHOOL_COLUMN].name, "school") != 0 ||
        strcmp(table->column[SCORE].name, "score") != 0)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: the first columns must be 'school' and 'score', followed by "
                        "the features",
                        study->file[SCHOOL]);
    const double *school = table->column[SCHOOL_COLUMN].number;
    for (dlp_index i = 1; i < table->rows; i++)
        if (school[i] < school[i - 1])
            return dlp_fail(error, DLP_EINPUT,
                            "%s: row %td: the rows must be sorted by school",
                            study->file[SCHOOL], i + 1);
    if (study->table[SPLITS]->rows == table->rows) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "%s: there are %td rows, but %td in %s",
                    study->file[SPLITS], study->table[SPLITS]->rows, table->rows,
                    study->file[SCHOOL]);
}

/* Copies the table, with the response in place of the score. */
static dlp_status join_response(dlpi_study *study, dlp_error *error)
{
    const dlp_table *table = study->table[SCHOOL];
    dlp_column_data *data = calloc((size_t)table->columns, sizeof *data);
    if (!data) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the columns");
    for (dlp_index j = 0; j < table->columns; j++)
        data[j] = (dlp_column_data){.name = table->column[j].name,
                                    .number = table->column[j].number};
    data[SCORE].number = study->response;
    const dlp_status status =
        dlp_table_from_columns(table->rows, table->columns, data, &study->joined, error);
    free(data);
    return status;
}

static dlp_status prepare(dlpi_study *study, dlp_error *error)
{
    DLP_TRY(check_tables(study, error));
    study->problems = study->table[SPLITS]->columns;
    study->names = study->table[SPLITS]->column;
    DLP_TRY(make_response(study, error));
    return join_response(study, error);
}

/* ---- problems: the splits ---- */

/* Copies the rows of one part of a split: 1 for training, 0 for testing. */
static dlp_status take_part(const dlpi_study *study, dlp_index i, double part,
                            dlp_table **rows, dlp_error *error)
{
    const double *split = study->table[SPLITS]->column[i].number;
    const dlp_index N = study->joined->rows;
    unsigned char *keep = malloc((size_t)N);
    if (!keep) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the rows");
    for (dlp_index n = 0; n < N; n++) keep[n] = split[n] == part;
    const dlp_status status = dlp_table_select(study->joined, keep, rows, error);
    free(keep);
    return status;
}

static dlp_index count_schools(const dlp_table *table)
{
    const double *school = table->column[SCHOOL_COLUMN].number;
    dlp_index count = 1;
    for (dlp_index i = 1; i < table->rows; i++) count += school[i] != school[i - 1];
    return count;
}

static dlp_status make_split(const dlpi_study *study, dlp_index i,
                             dlpi_study_problem *problem, dlp_error *error)
{
    const dlp_table *all = study->joined;
    problem->group = all->column[SCHOOL_COLUMN].name;
    DLP_TRY(dlpi_study_formula(all->column[SCORE].name, problem, error));
    dlp_status status = take_part(study, i, 1, &problem->train, error);
    if (status == DLP_OK) status = take_part(study, i, 0, &problem->test, error);
    const bool empty =
        status == DLP_EINPUT ||
        (status == DLP_OK && count_schools(problem->train) < count_schools(all));
    if (!empty) return status;
    return dlp_fail(
        error, DLP_EINPUT,
        "every school needs a training row (1), and at least one a test row (0)");
}

/* ---- the study ---- */

dlpi_study dlpi_study_of_schools(void)
{
    return (dlpi_study){.data = "school",
                        .unit = "split",
                        .file = {"school/school.csv", "school/school_splits.csv"},
                        .arms = ARMS,
                        .arm = arms,
                        .claims = sizeof claims / sizeof claims[0],
                        .claim = claims,
                        .prepare = prepare,
                        .make = make_split};
}
