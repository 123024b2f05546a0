/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/process/constrain.h"

#include "core/core.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void count(const dlpi_mixed_rows *rows, dlp_index *constraints, dlp_index *nodes)
{
    for (dlp_index o = 0; o < rows->n_other; o++) {
        const dlpi_process *p = rows->data->term[rows->term[o]].process;
        if (!p) continue;
        *constraints += p->constraints;
        if (p->constraints > 0) *nodes += p->begin[p->constraints];
    }
}

dlp_status dlpi_constraints_make(const dlpi_mixed_rows *rows, dlpi_constraints *out,
                                 dlp_error *error)
{
    dlp_index constraints = 0, nodes = 0;
    count(rows, &constraints, &nodes);
    *out = (dlpi_constraints){.n = rows->n};
    if (constraints == 0) return DLP_OK;
    out->begin = dlpi_calloc(constraints + 1, sizeof *out->begin);
    out->at = dlpi_calloc(nodes, sizeof *out->at);
    out->weight = dlpi_calloc(nodes, sizeof *out->weight);
    if (!out->begin || !out->at || !out->weight)
        return dlpi_no_memory(error, "a mixed model");
    for (dlp_index o = 0; o < rows->n_other; o++) {
        const dlpi_process *p = rows->data->term[rows->term[o]].process;
        for (dlp_index c = 0; p && c < p->constraints; c++) {
            dlp_index to = out->begin[out->k];
            double square = 0;
            for (dlp_index i = p->begin[c]; i < p->begin[c + 1]; i++, to++) {
                out->at[to] = rows->start[o] + p->node[i];
                out->weight[to] = p->weight[i];
                square += p->weight[i] * p->weight[i];
            }
            out->begin[++out->k] = to;
            out->log_det += log(fmax(square, DBL_MIN));
        }
    }
    return DLP_OK;
}

void dlpi_constraints_clear(dlpi_constraints *c)
{
    free(c->begin);
    free(c->at);
    free(c->weight);
    *c = (dlpi_constraints){.k = 0};
}

dlpi_held dlpi_held_in(const dlpi_constraints *c, double *memory)
{
    return (dlpi_held){memory, memory + c->k * c->n, memory + c->k * (c->n + c->k)};
}

/* A_i v */
static double row_times(const dlpi_constraints *c, dlp_index i, const double *v)
{
    double sum = 0;
    for (dlp_index j = c->begin[i]; j < c->begin[i + 1]; j++)
        sum += c->weight[j] * v[c->at[j]];
    return sum;
}

bool dlpi_hold(const dlpi_constraints *c, const dlp_cholesky *F, dlpi_held *h)
{
    if (c->k == 0) return true;
    memset(h->W, 0, (size_t)(c->k * c->n) * sizeof *h->W);
    for (dlp_index i = 0; i < c->k; i++) {
        double *W = h->W + i * c->n;
        for (dlp_index j = c->begin[i]; j < c->begin[i + 1]; j++)
            W[c->at[j]] = c->weight[j];
        dlp_cholesky_solve(F, W);
        for (dlp_index l = 0; l <= i; l++)
            h->U[l * c->k + i] = h->U[i * c->k + l] = row_times(c, l, W);
    }
    return dlpi_cholesky(c->k, h->U) < 0;
}

double dlpi_hold_vector(const dlpi_constraints *c, const dlpi_held *h, double *v)
{
    double sum = 0;
    if (c->k == 0) return 0;
    for (dlp_index i = 0; i < c->k; i++) h->room[i] = row_times(c, i, v);
    dlpi_cholesky_forward(c->k, h->U, h->room);
    sum = dlpi_dot(c->k, h->room, h->room);
    for (dlp_index i = 0; i < c->k; i++) h->room[i] = row_times(c, i, v);
    dlpi_cholesky_solve(c->k, h->U, h->room);
    for (dlp_index i = 0; i < c->k; i++) dlpi_axpy(c->n, -h->room[i], h->W + i * c->n, v);
    return sum;
}

double dlpi_held_log_det(const dlpi_constraints *c, const dlpi_held *h)
{
    return c->k == 0 ? 0 : dlpi_cholesky_log_det(c->k, h->U) - c->log_det;
}

/* Rows of W become those of U'^-1 W, whose squares are what S loses. */
void dlpi_hold_inverse(const dlpi_constraints *c, dlpi_held *h, dlp_sym *S)
{
    const dlp_index n = c->n;
    for (dlp_index i = 0; i < c->k; i++) {
        double *V = h->W + i * n;
        for (dlp_index l = 0; l < i; l++)
            dlpi_axpy(n, -h->U[l * c->k + i], h->W + l * n, V);
        for (dlp_index j = 0; j < n; j++) V[j] /= h->U[i * (c->k + 1)];
        if (S->shape.structure != DLP_SPARSE) {
            for (dlp_index a = 0; a < n; a++) dlpi_axpy(n, -V[a], V, S->a + a * n);
            continue;
        }
        const dlp_index *start = dlp_pattern_start(S->shape.pattern);
        const int32_t *column = dlp_pattern_column(S->shape.pattern);
        for (dlp_index a = 0; a < n; a++)
            for (dlp_index e = start[a]; e < start[a + 1]; e++)
                S->a[e] -= V[a] * V[column[e]];
    }
}
