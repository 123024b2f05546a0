/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/shuffle.h"

void dlpi_shuffle(dlp_index n, dlp_rng *rng, dlp_index *order)
{
    for (dlp_index i = 0; i < n; i++) order[i] = i;
    for (dlp_index i = n - 1; i > 0; i--) {
        /* a uniform number may be rounded up to 1 */
        const dlp_index at = (dlp_index)(dlp_draw_uniform(rng) * (double)(i + 1));
        const dlp_index k = at < i ? at : i, other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
}
