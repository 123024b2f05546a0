/* SPDX-License-Identifier: BSD-3-Clause */
/* The public side: a model that was read, with what was found in it. */
#include "bugs/bugs.h"

#include "core/settings.h"

void dlp_bugs_input_init(dlp_bugs_input *input, size_t size)
{
    const dlp_bugs_input defaults = {0};
    dlpi_settings_give(input, size, &defaults, sizeof defaults);
}

dlp_status dlp_bugs_read(const dlp_bugs_input *input, dlp_bugs **bugs, dlp_error *error)
{
    dlp_bugs_input full = {0};
    *bugs = NULL;
    DLP_TRY(dlpi_settings_take(&full, sizeof full, input, error));
    dlp_bugs *b = dlpi_calloc(1, sizeof *b);
    if (!b) return dlpi_no_memory(error, "the model");
    const dlp_status status = dlpi_bugs_read(&full, &b->graph, &b->found, error);
    if (status == DLP_ECANCELLED || (status != DLP_OK && b->found.n_errors == 0)) {
        dlp_bugs_free(b);
        return status;
    }
    *bugs = b;
    return status;
}

void dlp_bugs_free(dlp_bugs *bugs)
{
    if (!bugs) return;
    dlpi_bugs_clear_result(bugs);
    dlpi_graph_free(bugs->graph);
    dlpi_diagnostics_clear(&bugs->found);
    free(bugs);
}

int dlp_bugs_message_at(const dlp_bugs *bugs, dlp_index i, dlp_bugs_message *message)
{
    if (i < 0 || i >= bugs->found.n) return 0;
    const dlpi_diagnostic *d = &bugs->found.item[i];
    *message = (dlp_bugs_message){.is_error = d->is_error,
                                  .file = d->file,
                                  .line = d->place.line,
                                  .column = d->place.column,
                                  .message = d->message,
                                  .text = d->text,
                                  .is_cycle = d->is_cycle};
    return 1;
}

dlp_index dlp_bugs_errors(const dlp_bugs *bugs)
{
    return bugs->found.n_errors;
}

int dlp_bugs_variable_at(const dlp_bugs *bugs, dlp_index i, dlp_bugs_variable *variable)
{
    const dlpi_graph *const g = bugs->graph;
    if (!g || i < 0 || i >= g->n_arrays) return 0;
    const dlpi_array *const a = &g->array[i];
    *variable = (dlp_bugs_variable){.name = a->name, .n_dim = a->n_dim, .n = a->size};
    for (int d = 0; d < a->n_dim; d++) variable->dim[d] = a->dim[d];
    for (dlp_index c = a->first; c < a->first + a->size; c++)
        switch ((dlpi_cell_kind)g->kind[c]) {
        case DLPI_CELL_NONE: break;
        case DLPI_CELL_CONSTANT: variable->constant++; break;
        case DLPI_CELL_COMPUTED: variable->deterministic++; break;
        case DLPI_CELL_OBSERVED: variable->observed++; break;
        case DLPI_CELL_LATENT: variable->latent++; break;
        }
    return 1;
}

dlp_bugs_totals dlp_bugs_count(const dlp_bugs *bugs)
{
    dlp_bugs_totals t = {0};
    dlp_bugs_variable v;
    for (; dlp_bugs_variable_at(bugs, t.variables, &v); t.variables++) {
        t.constant += v.constant;
        t.deterministic += v.deterministic;
        t.observed += v.observed;
        t.latent += v.latent;
    }
    return t;
}
