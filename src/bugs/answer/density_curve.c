/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of a node by its draws, for pictures. */
#include "bugs/bugs.h"
#include "core/core.h"
#include "math/distinct.h"

#include <math.h>
#include <string.h>

enum { MOST_VALUES = 40 }; /* a node with more is taken to be continuous */

/* The distinct values of sorted draws and their probabilities; 0: more than n. */
static int count_values(dlp_index draws, const double *sorted, int n, double *x,
                        double *y)
{
    int k = 0;
    for (dlp_index i = 0; i < draws; i++) {
        if (k == 0 || sorted[i] != x[k - 1]) {
            if (k == n) return 0;
            x[k] = sorted[i];
            y[k++] = 0;
        }
        y[k - 1] += 1 / (double)draws;
    }
    return k;
}

/* Normal kernels; their width by Silverman's rule, h = 0.9 min(sd, IQR / 1.34) n^(-1/5). */
static void smooth(dlp_index draws, const double *sorted, int n, double *x, double *y)
{
    double mean = 0, square = 0;
    for (dlp_index i = 0; i < draws; i++) mean += sorted[i] / (double)draws;
    for (dlp_index i = 0; i < draws; i++)
        square += (sorted[i] - mean) * (sorted[i] - mean) / (double)draws;
    const double iqr = sorted[3 * draws / 4] - sorted[draws / 4];
    const double spread = iqr > 0 ? fmin(sqrt(square), iqr / 1.34) : sqrt(square);
    const double h = 0.9 * spread * pow((double)draws, -0.2);
    const double from = sorted[draws / 200], to = sorted[draws - 1 - draws / 200];
    for (int k = 0; k < n; k++) {
        double sum = 0;
        x[k] = from - 2 * h + (to - from + 4 * h) * k / (n - 1);
        for (dlp_index i = 0; i < draws; i++) {
            const double z = (x[k] - sorted[i]) / h;
            sum += exp(-0.5 * z * z);
        }
        y[k] = sum / ((double)draws * h * sqrt(2 * 3.14159265358979323846));
    }
}

dlp_status dlp_bugs_density(const dlp_bugs *model, dlp_index node, int n, double *x,
                            double *y, int *points, int *discrete, dlp_error *error)
{
    const dlp_bugs_result *r = &model->result;
    *points = *discrete = 0;
    if (!model->fitted || node < 0 || node >= r->n_nodes || n < 2)
        return dlp_fail(error, DLP_EINVAL,
                        "no such node, or fewer than two points for its density");
    const double *draw = r->draw + node * r->n_draws;
    for (dlp_index i = 0; i < r->n_draws; i++)
        if (!isfinite(draw[i])) return DLP_OK;
    double *sorted = dlpi_calloc(r->n_draws, sizeof *sorted);
    if (!sorted) return dlpi_no_memory(error, "a density");
    memcpy(sorted, draw, (size_t)r->n_draws * sizeof *sorted);
    qsort(sorted, (size_t)r->n_draws, sizeof *sorted, dlpi_ascending);
    *points = count_values(r->n_draws, sorted, n < MOST_VALUES ? n : MOST_VALUES, x, y);
    *discrete = *points > 0;
    if (!*points) {
        smooth(r->n_draws, sorted, n, x, y);
        *points = n;
    }
    free(sorted);
    return DLP_OK;
}
