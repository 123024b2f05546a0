/* SPDX-License-Identifier: BSD-3-Clause */
/* Running the optimisers on one function, and what must hold however that ends. */
#ifndef DLP_TESTS_OPTIM_RUN_H
#define DLP_TESTS_OPTIM_RUN_H

#include "naive.h"
#include "optim/optim.h"

/* What the functions get as m. */
typedef struct record {
    long calls;
    dlp_index n;
    double start_at; /* the first coordinate of the start */
    double unit;     /* of the coordinates */
    dlp_rng rng;     /* for functions that are not even functions */
} record;

static inline record *note(void *m)
{
    record *r = m;
    r->calls++;
    return r;
}

/* Writes H_ij and H_ji when a Hessian is wanted. */
static inline void set(dlp_sym *hess, dlp_index i, dlp_index j, double value)
{
    if (hess) hess->a[i * hess->shape.n + j] = hess->a[j * hess->shape.n + i] = value;
}

static inline void clear(dlp_sym *hess)
{
    if (hess)
        memset(hess->a, 0, sizeof(double) * (size_t)(hess->shape.n * hess->shape.n));
}

typedef enum solver { NEWTON, LBFGS, LBFGS_WITH_METRIC, N_SOLVERS } solver;
static const char *const solver_name[] = {"Newton", "L-BFGS", "L-BFGS with metric"};

typedef struct run {
    dlpi_optim o;
    record record;
    dlp_outcome outcome;
    double f_start;
} run;

static inline void start(run *r, dlp_function *f, dlp_shape shape, const double *x,
                         double unit)
{
    r->record = (record){.n = shape.n, .start_at = x[0], .unit = unit};
    assert_ok(dlpi_optim_alloc(&r->o, shape, f, &r->record, error));
    memcpy(r->o.at.x, x, sizeof(double) * (size_t)shape.n);
    r->o.with_hess = true;
    dlpi_optim_evaluate(&r->o);
    r->f_start = r->o.at.f;
    assert_true(isfinite(r->f_start));
}

static inline void solve(run *r, solver by, int max_iter)
{
    if (by == NEWTON) {
        r->outcome = dlpi_newton(&r->o, 1e-6, max_iter);
        return;
    }
    if (by == LBFGS_WITH_METRIC && isnan(dlpi_optim_factor(&r->o))) {
        r->outcome = DLP_NOT_CONCAVE;
        return;
    }
    r->o.with_hess = false;
    r->outcome = dlpi_lbfgs(&r->o, by == LBFGS_WITH_METRIC, 1e-11, max_iter);
}

/* What holds however a run ended. */
static inline void check_sound(const run *r, const char *name, solver by, long most)
{
    const dlpi_point *at = &r->o.at;
    bool finite = isfinite(at->f);
    for (dlp_index i = 0; i < r->o.n; i++)
        finite = finite && isfinite(at->x[i]) && isfinite(at->grad[i]);
    assert_true(r->outcome > DLP_RUNNING && r->outcome < DLP_CANCELLED);
    const bool no_worse = at->f >= r->f_start - 1e-10 * (1 + fabs(r->f_start));
    if (!finite || !no_worse || r->o.evaluations > most ||
        r->record.calls != r->o.evaluations) {
        print_error(
            "%s, %s: %s, f from %g to %g in %ld evaluations (%ld calls), "
            "at most %ld\n",
            name, solver_name[by], dlp_outcome_name(r->outcome), r->f_start, at->f,
            r->o.evaluations, r->record.calls, most);
        fail();
    }
}

#endif
