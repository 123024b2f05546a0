/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of documents by which words of topics differ, from a column of a table. */
#include <delaplace/topic_content.h>

#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 100, NUMBER = 32 };

/* The text of a row's value; NULL: it is missing. */
static const char *value_of(const dlp_column *c, dlp_index row, char number[NUMBER])
{
    if (!c->number) return c->code[row] < 0 ? NULL : c->level[c->code[row]];
    if (!isfinite(c->number[row])) return NULL;
    snprintf(number, NUMBER, "%.10g", c->number[row]);
    return number;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distinct values of documents in their order: numbers, or numbers of levels. value (D) */
static dlp_index distinct(const dlp_column *c, dlp_index D, const dlp_index *row,
                          double *value)
{
    dlp_index G = 0;
    for (dlp_index d = 0; d < D; d++) {
        const dlp_index i = row ? row[d] : d;
        value[d] = c->number ? c->number[i] : (double)c->code[i];
    }
    qsort(value, (size_t)D, sizeof *value, ascending);
    for (dlp_index d = 0; d < D; d++)
        if (G == 0 || value[d] != value[G - 1]) value[G++] = value[d];
    return G;
}

static dlp_status name_groups(const dlp_column *c, dlp_index G, const double *value,
                              dlp_document_groups *groups, dlp_error *error)
{
    size_t bytes = 0;
    for (dlp_index g = 0; g < G; g++)
        bytes += c->number ? NUMBER : strlen(c->level[(dlp_index)value[g]]) + 1;
    groups->name = dlpi_calloc(G * (dlp_index)sizeof(char *) + (dlp_index)bytes, 1);
    if (!groups->name) return dlpi_no_memory(error, "the groups");
    char *text = (char *)(groups->name + G);
    for (dlp_index g = 0; g < G; g++) {
        groups->name[g] = text;
        if (c->number)
            snprintf(text, NUMBER, "%.10g", value[g]);
        else
            memcpy(text, c->level[(dlp_index)value[g]],
                   strlen(c->level[(dlp_index)value[g]]) + 1);
        text += c->number ? NUMBER : strlen(text) + 1;
    }
    groups->G = G;
    return DLP_OK;
}

static dlp_status check(const dlp_column *c, dlp_index D, const dlp_index *row,
                        dlp_error *error)
{
    char number[NUMBER];
    for (dlp_index d = 0; d < D; d++)
        if (!value_of(c, row ? row[d] : d, number))
            return dlp_fail(error, DLP_EINPUT,
                            "document %td has no '%.60s'; every document of a fit needs "
                            "its group: fill it in, or leave the document out",
                            d + 1, c->name);
    return DLP_OK;
}

/* value (D) is room. */
static dlp_status find(const dlp_column *c, const dlp_index *row, double *value,
                       dlp_document_groups *groups, dlp_error *error)
{
    const dlp_index D = groups->D, G = distinct(c, D, row, value);
    if (G < 2)
        return dlp_fail(error, DLP_EINPUT,
                        "column '%.60s' has one value; there must be two groups or more",
                        c->name);
    if (G > MOST_GROUPS)
        return dlp_fail(error, DLP_EINPUT,
                        "column '%.60s' has more than %d values, each of which would be "
                        "a group; choose a column with fewer",
                        c->name, MOST_GROUPS);
    for (dlp_index d = 0; d < D; d++) {
        const dlp_index i = row ? row[d] : d;
        const double x = c->number ? c->number[i] : (double)c->code[i];
        while (value[groups->group[d]] != x) groups->group[d]++;
    }
    return name_groups(c, G, value, groups, error);
}

static dlp_status begin(const dlp_table *table, dlp_index D, const dlp_index *row,
                        dlp_document_groups *groups, dlp_error *error)
{
    *groups = (dlp_document_groups){.D = D};
    if (!row && D > table->rows)
        return dlp_fail(error, DLP_EINPUT, "the table has %td rows for %td documents",
                        table->rows, D);
    groups->group = dlpi_calloc(D, sizeof *groups->group);
    return groups->group ? DLP_OK : dlpi_no_memory(error, "the groups");
}

dlp_status dlp_document_groups_find(const dlp_table *table, const char *column,
                                    dlp_index D, const dlp_index *row,
                                    dlp_document_groups *groups, dlp_error *error)
{
    *groups = (dlp_document_groups){0};
    const dlp_index j = dlp_table_find(table, column);
    if (j < 0)
        return dlp_fail(error, DLP_EINPUT, "the table has no column '%.60s'", column);
    DLP_TRY(begin(table, D, row, groups, error));
    dlp_status status = check(&table->column[j], D, row, error);
    double *value = status == DLP_OK ? dlpi_calloc(D, sizeof *value) : NULL;
    if (value)
        status = find(&table->column[j], row, value, groups, error);
    else if (status == DLP_OK)
        status = dlpi_no_memory(error, "the groups");
    free(value);
    if (status != DLP_OK) dlp_document_groups_free(groups);
    return status;
}

dlp_status dlp_topic_model_groups(const dlp_topic_model *model, const dlp_table *table,
                                  dlp_index D, const dlp_index *row,
                                  dlp_document_groups *groups, dlp_error *error)
{
    const dlp_topic_content *content = dlp_topic_model_content(model);
    const char *column = dlp_topic_model_content_column(model);
    char *const *name = dlp_topic_model_content_names(model);
    *groups = (dlp_document_groups){0};
    if (!content)
        return dlp_fail(error, DLP_EINVAL,
                        "words of the model's topics do not differ by group");
    DLP_TRY(begin(table, D, row, groups, error));
    const dlp_index j = column ? dlp_table_find(table, column) : -1;
    groups->G = content->G;
    for (dlp_index d = 0; d < D; d++) {
        char number[NUMBER];
        const char *value =
            j < 0 ? NULL : value_of(&table->column[j], row ? row[d] : d, number);
        dlp_index g = 0;
        while (value && g < content->G && strcmp(value, name[g]) != 0) g++;
        groups->group[d] = value && g < content->G ? (int32_t)g : -1;
        groups->unknown += groups->group[d] < 0;
    }
    return DLP_OK;
}

void dlp_document_groups_free(dlp_document_groups *groups)
{
    free(groups->group);
    free(groups->name);
    *groups = (dlp_document_groups){0};
}
