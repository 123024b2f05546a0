/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/process/process_build.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

dlp_status dlpi_process_no_memory(dlp_error *error)
{
    return dlpi_no_memory(error, "a walk or the regions");
}

void dlpi_process_clear(dlpi_process *p)
{
    free(p->row);
    free(p->R);
    free(p->gap);
    free(p->begin);
    free(p->node);
    free(p->weight);
    *p = (dlpi_process){.n = 0};
}

bool dlpi_process_alloc(dlp_index entries, bool with_R, dlpi_process *out)
{
    out->row = dlpi_calloc(entries, 2 * sizeof *out->row);
    out->column = out->row ? out->row + entries : NULL;
    if (with_R) out->R = dlpi_calloc(entries, sizeof *out->R);
    return out->row && (out->R || !with_R);
}

bool dlpi_process_alloc_constraints(dlp_index rows, dlp_index nodes, dlpi_process *out)
{
    out->begin = dlpi_calloc(rows + 1, sizeof *out->begin);
    out->node = dlpi_calloc(nodes, sizeof *out->node);
    out->weight = dlpi_calloc(nodes, sizeof *out->weight);
    return out->begin && out->node && out->weight;
}

void dlpi_process_put(dlpi_process *out, dlp_index i, dlp_index j, double R)
{
    out->row[out->entries] = (int32_t)i;
    out->column[out->entries] = (int32_t)j;
    if (out->R) out->R[out->entries] = R;
    out->entries++;
}

/* ---- precisions ---- */

/* Beyond these a correlation or a share is 1 to all digits. */
static double within(const dlpi_process *p, double number)
{
    const double most = p->kind == DLPI_AR1 && !p->positive ? 15 : 30;
    return fmin(fmax(number, -most), most);
}

double dlpi_process_second(const dlpi_process *p, double number)
{
    number = within(p, number);
    return p->kind == DLPI_AR1 && !p->positive ? tanh(number) : 1 / (1 + exp(-number));
}

/* log |rho|, exact where |rho| is nearly 1. */
static double log_correlation(const dlpi_process *p, double number)
{
    number = within(p, number);
    if (!p->positive) return log1p(-2 / (exp(2 * fabs(number)) + 1));
    return number > 0 ? -log1p(exp(-number)) : number - log1p(exp(number));
}

/* u_1 ~ N(0, sd^2), u_i | u_{i-1} ~ N(r u_{i-1}, sd^2 (1 - r^2)), r = rho^gap. The entries are
   (i, i), and before it (i - 1, i) within a series. */
static double ar1_precision(const dlpi_process *p, const double *numbers, double *Q)
{
    const double rho = dlpi_process_second(p, numbers[1]),
                 log_rho = log_correlation(p, numbers[1]),
                 precision = exp(-2 * numbers[0]);
    double log_det = -2 * (double)p->n * numbers[0];
    dlp_index e = 0, last = 0;
    for (dlp_index i = 0; i < p->n; i++) {
        if (p->gap[i] == 0) {
            Q[last = e++] = precision;
            continue;
        }
        const double r = pow(rho, p->gap[i]), left = -expm1(2 * p->gap[i] * log_rho);
        Q[last] += precision * r * r / left;
        Q[e++] = -precision * r / left;
        Q[last = e++] = precision / left;
        log_det -= log(left);
    }
    return log_det;
}

/* Q_bb = I / v, Q_bu = -sd sqrt(phi) I / v, Q_uu = R + sd^2 phi I / v with v = sd^2 (1 - phi).
   The entries are (b, b) and (b, u) of each region, then those of R, its diagonal first. */
static double bym2_precision(const dlpi_process *p, const double *numbers, double *Q)
{
    const double sd = exp(numbers[0]), odds = exp(within(p, numbers[1])),
                 phi = odds / (1 + odds), v = sd * sd / (1 + odds);
    const dlp_index half = p->n / 2;
    for (dlp_index i = 0; i < half; i++) {
        Q[2 * i] = 1 / v;
        Q[2 * i + 1] = -sd * sqrt(phi) / v;
    }
    memcpy(Q + 2 * half, p->R + 2 * half, (size_t)(p->entries - 2 * half) * sizeof *Q);
    for (dlp_index i = 0; i < half; i++) Q[2 * half + i] += odds;
    return p->log_det - (double)half * log(v);
}

double dlpi_process_precision(const dlpi_process *p, const double *numbers, double *Q)
{
    if (p->kind == DLPI_AR1) return ar1_precision(p, numbers, Q);
    if (p->kind == DLPI_BYM2) return bym2_precision(p, numbers, Q);
    const double precision = exp(-2 * numbers[0]);
    for (dlp_index e = 0; e < p->entries; e++) Q[e] = precision * p->R[e];
    return p->log_det - 2 * (double)(p->n - p->constraints) * numbers[0];
}
