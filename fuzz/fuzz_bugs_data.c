/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as data of a model: the first byte chooses among R's dump, JSON and CSV. What is
   read is sound. */
#include "fuzz.h"
#include "language/model.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"d.R", "d.json", "d.csv"};
    if (size < 1) return 0;
    dlpi_diagnostics *found = calloc(1, sizeof *found);
    char *text = malloc(size);
    if (!text || !found) abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const dlpi_bugs_input input = {.model_text = "model { a ~ dnorm(0, 1) }",
                                   .data_text = text,
                                   .data_name = name[data[0] % 3],
                                   .limit = 100000};
    dlp_error error = {0};
    dlpi_graph *graph = NULL;
    const dlp_status status = dlpi_bugs_read(&input, &graph, found, &error);
    fuzz_expect(fuzz_passes(status == DLP_OK) == (graph != NULL));
    fuzz_expect(status == DLP_OK || error.message[0]);
    for (int i = 0; graph && i < graph->n_arrays; i++) {
        const dlpi_array *a = &graph->array[i];
        dlp_index n = 1;
        for (int d = 0; d < a->n_dim; d++) n *= a->dim[d];
        fuzz_expect(a->n_dim >= 0 && a->n_dim <= DLPI_MAX_DIM && n == a->size);
        fuzz_expect(a->first >= 0 && a->first + a->size <= graph->n_cells);
    }
    dlpi_graph_free(graph);
    dlpi_diagnostics_clear(found);
    free(found);
    free(text);
    return 0;
}
