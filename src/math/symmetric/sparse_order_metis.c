/* SPDX-License-Identifier: BSD-3-Clause */
/* The elimination order by METIS: nested dissection, which needs less work than minimum
   degree on large maps and fields. */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <metis.h>

/* Both triangles, without the diagonal, by rows: start (n+1), neighbour. */
static void spread(const dlp_pattern *p, idx_t *start, idx_t *neighbour)
{
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (dlp_index i = 0; i < p->n; i++)
            for (dlp_index e = p->start[i] + 1; e < p->start[i + 1]; e++) {
                const int32_t j = p->column[e];
                if (pass == 0) {
                    start[i + 1]++;
                    start[j + 1]++;
                } else {
                    neighbour[start[i]++] = j;
                    neighbour[start[j]++] = (idx_t)i;
                }
            }
        for (dlp_index i = 0; i < p->n && pass == 0; i++) start[i + 1] += start[i];
    }
    for (dlp_index i = p->n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

dlp_status dlpi_sparse_order_metis(const dlp_pattern *p, int32_t *order, dlp_error *error)
{
    dlp_status status = DLP_OK;
    idx_t n = (idx_t)p->n, options[METIS_NOPTIONS];
    const dlp_index off = p->start[p->n] - p->n;
    idx_t *start = dlpi_calloc(p->n + 1, sizeof *start);
    idx_t *neighbour = dlpi_calloc(dlpi_size(2, off, 0), sizeof *neighbour);
    idx_t *perm = dlpi_calloc(dlpi_size(2, p->n, 0), sizeof *perm);
    if (!start || !neighbour || !perm) {
        status = dlpi_no_memory(error, "the order of elimination");
        goto done;
    }
    spread(p, start, neighbour);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1; /* the same order each time */
    if (METIS_NodeND(&n, start, neighbour, NULL, options, perm, perm + p->n) != METIS_OK)
        status = dlpi_no_memory(error, "the order of elimination");
    for (dlp_index k = 0; k < p->n && status == DLP_OK; k++) order[k] = (int32_t)perm[k];
done:
    free(start);
    free(neighbour);
    free(perm);
    return status;
}
