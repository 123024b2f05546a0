/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the coordinates on which the summarised nodes depend: only they have to be
   drawn. */
#include "bugs/bugs.h"
#include "core/core.h"

typedef struct search {
    dlpi_factors *f;
    bool *wanted, *seen; /* (n_cells) */
    dlp_index *stack;
    dlp_index n;
    dlpi_program_draft draft;
} search;

/* Marks the cells of an expression as wanted, and puts new ones on the stack. */
static dlp_status look(search *s, dlpi_expr e, dlp_error *error)
{
    DLP_TRY(dlpi_program_make(s->f->lowering->builder, e, &s->draft, error));
    for (int i = 0; i < s->draft.program.n_inputs; i++) {
        const dlp_index cell = s->draft.cell[i];
        if (cell < 0) continue;
        s->wanted[cell] = true;
        if (s->seen[cell]) continue;
        s->seen[cell] = true;
        s->stack[s->n++] = cell;
    }
    return DLP_OK;
}

/* Looks at the parameters of a node that is drawn after the fit. */
static dlp_status look_up(search *s, dlp_index cell, dlp_error *error)
{
    dlpi_lowering *l = s->f->lowering;
    const int relation = l->graph->definer[cell];
    dlpi_value params[8];
    dlpi_lower_begin(l);
    DLP_TRY(dlpi_lower_parameters(l, relation, l->graph->instance[cell], params, error));
    const int n = l->graph->of[relation].relation->right->n_args;
    for (int i = 0; i < n; i++)
        for (dlp_index k = 0; k < params[i].n; k++)
            DLP_TRY(look(s, params[i].at[k], error));
    return DLP_OK;
}

static dlp_status visit(search *s, dlp_index cell, dlp_error *error)
{
    dlpi_lowering *l = s->f->lowering;
    const int32_t k = s->f->node_of[cell];
    dlpi_expr e;
    if (l->domain[cell] == DLPI_DOMAIN_CENSORED) return look_up(s, cell, error);
    if (k >= 0 && !s->f->node[k].alive) return look_up(s, cell, error);
    dlpi_lower_begin(l);
    if (k >= 0 && s->f->node[k].discrete) {
        double first, last;
        DLP_TRY(dlpi_lower_states(l, cell, &first, &last, error));
        DLP_TRY(dlpi_log_probability(s->f, cell, first, &e, error));
    } else {
        const dlp_status status = dlpi_lower_cell(l, cell, &e, error);
        if (status != DLP_OK && l->unknown >= 0) { /* depends on a state: take all */
            for (dlp_index c = 0; c < l->graph->n_cells; c++) s->wanted[c] = true;
            return DLP_OK;
        }
        DLP_TRY(status);
    }
    return look(s, e, error);
}

dlp_status dlpi_wanted(dlpi_factors *f, dlp_index n, const dlp_index *cells, bool *wanted,
                       dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    search s = {.f = f, .wanted = wanted};
    s.seen = dlpi_calloc(n_cells, sizeof *s.seen);
    s.stack = dlpi_calloc(n_cells + 1, sizeof *s.stack);
    dlp_status status = s.seen && s.stack ? DLP_OK : dlpi_no_memory(error, "the nodes");
    for (dlp_index i = 0; i < n && status == DLP_OK; i++) {
        s.n = 0;
        if (cells[i] == n_cells) { /* the deviance depends on all */
            for (dlp_index c = 0; c < n_cells; c++) wanted[c] = true;
            continue;
        }
        if (!s.seen[cells[i]]) s.stack[s.n++] = cells[i];
        s.seen[cells[i]] = true;
        while (s.n > 0 && status == DLP_OK) status = visit(&s, s.stack[--s.n], error);
    }
    free(s.seen);
    free(s.stack);
    dlpi_program_draft_free(&s.draft);
    return status;
}
