/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of factors as an unbounded vector, for Anderson steps. */
#include "bugs/meanfield/meanfield.h"

#include <math.h>

static int32_t size_of(const dlpi_q *q)
{
    switch (q->family) {
    case DLPI_CATEGORICAL:
    case DLPI_N_FAMILIES: return 0;
    case DLPI_GAUSSIAN: return q->n == 1 ? 2 : q->n;
    default: return q->n_stats;
    }
}

dlp_index dlpi_meanfield_state_size(const dlpi_meanfield *mf)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < mf->n_q; i++) n += size_of(&mf->q[i]);
    return n;
}

static void get_gaussian(const dlpi_meanfield *mf, const dlpi_q *q, double *state,
                         double *unit)
{
    for (int32_t k = 0; k < q->n; k++) {
        state[k] = mf->mean[q->at + k];
        unit[k] = sqrt(fmax(mf->variance[q->at + k], 1e-300));
    }
    if (q->n > 1) return;
    state[1] = log(fmax(mf->variance[q->at], 1e-300));
    unit[1] = 1;
}

/* Logarithms of shapes and rates; for a normal factor, its mean and log precision. */
static void get_family(const dlpi_meanfield *mf, const dlpi_q *q, double *state,
                       double *unit)
{
    const double *natural = mf->natural + q->stat;
    for (int32_t s = 0; s < q->n_stats; s++) {
        state[s] = log(natural[s] + 1);
        unit[s] = 1;
    }
    if (q->family == DLPI_GAMMA || q->family == DLPI_SCALE) state[1] = log(-natural[1]);
    if (q->family == DLPI_SCALE) state[0] = natural[0];
    if (q->family == DLPI_NORMAL) {
        state[0] = mf->expected[q->stat];
        state[1] = log(-2 * natural[1]);
        unit[0] = exp(-0.5 * state[1]);
    }
    for (int32_t s = 0; s < q->n_stats && q->family == DLPI_WISHART; s++) {
        state[s] = natural[s];
        unit[s] = fmax(fabs(natural[s]), 1e-300);
    }
}

void dlpi_meanfield_state(const dlpi_meanfield *mf, double *state, double *unit)
{
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        const int32_t n = size_of(q);
        if (q->family == DLPI_GAUSSIAN)
            get_gaussian(mf, q, state, unit);
        else if (n > 0)
            get_family(mf, q, state, unit);
        state += n;
        unit += n;
    }
}

static bool set_family(dlpi_meanfield *mf, dlpi_q *q, const double *state)
{
    double *natural = mf->natural + q->stat;
    for (int32_t s = 0; s < q->n_stats; s++)
        natural[s] = q->family == DLPI_WISHART ? state[s] : exp(state[s]) - 1;
    if (q->family == DLPI_GAMMA || q->family == DLPI_SCALE) natural[1] = -exp(state[1]);
    if (q->family == DLPI_SCALE) natural[0] = state[0];
    if (q->family == DLPI_NORMAL) {
        natural[1] = -0.5 * exp(state[1]);
        natural[0] = state[0] * exp(state[1]);
    }
    return dlpi_conjugate_expect(mf, q);
}

bool dlpi_meanfield_set_state(dlpi_meanfield *mf, const double *state)
{
    bool good = true;
    for (dlp_index i = 0; i < mf->n_q && good; i++) {
        dlpi_q *q = &mf->q[i];
        const int32_t n = size_of(q);
        if (q->family == DLPI_GAUSSIAN) {
            for (int32_t k = 0; k < q->n; k++) {
                mf->mean[q->at + k] = state[k];
                good = good && isfinite(state[k]);
            }
            if (q->n == 1) {
                mf->variance[q->at] = exp(state[1]);
                q->log_det = state[1];
                good = good && isfinite(state[1]) && fabs(state[1]) < 300;
            }
        } else if (n > 0) {
            good = set_family(mf, q, state);
        }
        state += n;
    }
    for (dlp_index i = 0; i < mf->n_q && good; i++)
        if (mf->q[i].family == DLPI_GAUSSIAN) dlpi_meanfield_expect(mf, (int32_t)i);
    return good;
}
