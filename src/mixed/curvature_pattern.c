/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether the curvature of x is worth a sparse pattern. */
#include "core/core.h"
#include "mixed/block.h"

/* Below this size, or if fill-in makes the work more than this share of a dense factor's,
   a dense matrix is as fast. */
enum { SMALL = 128 };
static const double WORTH = 0.2;

typedef struct list {
    dlp_index terms, length;
    dlp_index *start;
    int32_t *column;
} list;

static void end_term(list *l)
{
    l->start[++l->terms] = l->length;
}

/* A process links the nodes that its precision links, and each node with beta: even nodes
   without rows, since their covariances are needed. */
static void fill_process(const dlpi_mixed_rows *rows, dlp_index o, list *l)
{
    const dlpi_process *process = rows->data->term[rows->term[o]].process;
    const dlp_index first = rows->start[o];
    for (dlp_index e = 0; e < process->entries; e++) {
        l->column[l->length++] = (int32_t)(first + process->row[e]);
        l->column[l->length++] = (int32_t)(first + process->column[e]);
        end_term(l);
    }
    for (dlp_index i = 0; i < process->n; i++)
        for (dlp_index j = 0; j < rows->p; j++) {
            l->column[l->length++] = (int32_t)(first + i);
            l->column[l->length++] = (int32_t)(rows->n - rows->p + j);
            end_term(l);
        }
}

/* A leaf links its support and beta, a level its effects. */
static void fill(const dlpi_mixed_rows *rows, list *l)
{
    const dlp_index beta = rows->n - rows->p;
    for (dlp_index g = 0; g < rows->L; g++) {
        for (dlp_index i = rows->support_begin[g]; i < rows->support_begin[g + 1]; i++)
            l->column[l->length++] = (int32_t)rows->support[i];
        for (dlp_index j = 0; j < rows->p; j++)
            l->column[l->length++] = (int32_t)(beta + j);
        end_term(l);
    }
    for (dlp_index o = 0; o < rows->n_other; o++) {
        const dlpi_mixed_term *term = &rows->data->term[rows->term[o]];
        if (term->process) {
            fill_process(rows, o, l);
            continue;
        }
        for (dlp_index level = 0; level < term->L; level++) {
            for (dlp_index j = 0; j < term->q; j++)
                l->column[l->length++] = (int32_t)(rows->start[o] + level * term->q + j);
            end_term(l);
        }
    }
}

dlp_status dlpi_mixed_pattern(const dlpi_mixed_rows *rows, dlp_pattern **pattern,
                              dlp_error *error)
{
    list l = {.terms = 0};
    dlp_index levels = 1;
    for (dlp_index o = 0; o < rows->n_other; o++) {
        const dlpi_mixed_term *term = &rows->data->term[rows->term[o]];
        levels += term->process ? term->process->entries + term->L * rows->p : term->L;
    }
    l.start = dlpi_calloc(rows->L + levels + 1, sizeof *l.start);
    l.column = dlpi_calloc(rows->support_begin[rows->L] + rows->L * rows->p + rows->n +
                               2 * levels,
                           sizeof *l.column);
    dlp_status status = DLP_ENOMEM;
    if (l.start && l.column) {
        fill(rows, &l);
        status =
            dlp_pattern_from_sum(rows->n, l.terms, l.start, l.column, pattern, error);
    } else {
        status = dlpi_no_memory(error, "the random effects");
    }
    free(l.start);
    free(l.column);
    return status;
}

dlp_status dlpi_mixed_curvature(const dlpi_mixed_rows *rows, dlp_pattern **pattern,
                                dlp_shape *shape, dlp_error *error)
{
    const double n = (double)rows->n;
    *pattern = NULL;
    *shape = dlp_shape_dense(rows->n);
    if (rows->n < SMALL || rows->n_other == 0) return DLP_OK;
    DLP_TRY(dlpi_mixed_pattern(rows, pattern, error));
    if (dlp_pattern_cost_of(*pattern).flops < WORTH * n * n * n / 3)
        *shape = dlp_shape_sparse(*pattern);
    return DLP_OK;
}
