/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM for the correlated topic model (Section 4.1, after Blei and Lafferty
 * 2007). An iteration is an M step from the sums of the last E step, then an E step: so
 * the documents' means, the objective and the topics that a fit ends with belong
 * together.
 *
 * Laplace's method gives the modes of documents, and EM takes them for means. With z
 * integrated out a mode is nearer the prior's mean than the mean is, so that Sigma_0
 * comes out too small, most of all when documents have few words. Modes give better
 * topics, though: means blur them (docs/accuracy.md). So EM uses modes until the topics
 * have settled; then the topics stay fixed and the prior is fitted with means.
 */
#include "core/core.h"
#include "infer/em.h"
#include "infer/iterations_left.h"
#include "topics/ctm/ctm_divide.h"

#include <math.h>

/* While the topics still move, documents need not be inferred precisely: the tolerance is
   a hundred times wider at first, and as it was set once changes are below 1e-3. It
   depends only on the trace so far, so a resumed fit has the same. (Figure 1 to the
   letter keeps its own.) */
static double tolerance_width(const dlp_ctm *ctm, int iterations_before)
{
    const int last = iterations_before - 1;
    return last < 1 ? 100 : fmin(fmax(1e3 * fabs(ctm->trace[last].change), 1), 100);
}

/* EM ends when the objective has settled. Averages leave topics free to move where the
   objective is flat, and the longer they do, the less they are those that it knows. */
static bool ends_by_objective(const dlp_ctm *ctm)
{
    return ctm->settings.paper_covariance || ctm->average;
}

/* Near the end the objective changes with the square of how far the topics move. Long
   before, it is flat in directions that still lead to topics that predict better: with z
   integrated out it is not a bound, and may even fall there. So the topics must have
   settled, too. docs/accuracy.md shows what that gains on held-out words. */
static double topics_tolerance(const dlp_ctm *ctm)
{
    return ends_by_objective(ctm) ? INFINITY : 0.2 * sqrt(ctm->settings.tol);
}

/* How many more iterations the prior needs to settle, with topics as they are. One hands
   over; the others go most of the way, and later ones predict no better. */
static int settling_iterations(const dlp_ctm *ctm)
{
    enum { SETTLING = 6 };
    return dlpi_ctm_finds_means(&ctm->doc[0]) && !ctm->average ? SETTLING : 0;
}

/* Whether averages no longer raise the objective after iteration i: neither in it nor in
   the one before. */
static bool tops_after(const dlp_ctm *ctm, int i)
{
    const double least = 0.1 * ctm->settings.tol, slow = 0.01;
    return i > 3 && ctm->trace[i - 1].moved <= slow && tolerance_width(ctm, i - 1) == 1 &&
           ctm->trace[i - 1].change <= least && ctm->trace[i - 2].change <= least;
}

/* Whether the objective and the topics are at rest after iteration i. */
static bool rests_after(const dlp_ctm *ctm, int i)
{
    const dlp_topics_row *row = &ctm->trace[i - 1];
    if (ctm->average) return tops_after(ctm, i);
    return fabs(row->change) <= ctm->settings.tol && tolerance_width(ctm, i - 1) == 1 &&
           row->moved <= topics_tolerance(ctm);
}

/* The iteration, among the first `done`, after which topics had settled; 0: not yet.
   Judged by the trace alone, so that a resumed fit continues in the same way. */
static int topics_rested(const dlp_ctm *ctm, int done)
{
    for (int i = 1; i <= done; i++)
        if (rests_after(ctm, i)) return i;
    return 0;
}

static void update_topics(dlp_ctm *ctm)
{
    dlpi_ctm_count_seeds(ctm);
    if (ctm->slices)
        dlpi_slices_m_step(ctm);
    else
        dlpi_ctm_update_beta(ctm);
}

static bool m_step(void *model)
{
    dlp_ctm *ctm = model;
    bool good = true;
    if (!ctm->summed) dlpi_ctm_sum_again(ctm); /* just loaded */
    if (ctm->dirichlet) dlpi_ctm_collect_means(ctm);
    if (dlpi_ctm_leads(ctm)) dlpi_ctm_add_kept(ctm);
    if (topics_rested(ctm, ctm->result.iterations) > 0)
        ctm->moved = 0;
    else if (dlpi_ctm_leads(ctm) || ctm->divided)
        update_topics(ctm);
    if (dlpi_ctm_leads(ctm)) {
        good = dlpi_ctm_update_prior(ctm);
        dlpi_ctm_move_kept(ctm);
    }
    ctm->summed = false;
    return dlpi_ctm_share_topics(ctm, good);
}

void dlpi_ctm_sum_again(dlp_ctm *ctm)
{
    ctm->by_mean = topics_rested(ctm, ctm->result.iterations - 1) > 0;
    dlpi_ctm_e_step(ctm, false);
}

bool dlpi_ctm_m_step(dlp_ctm *ctm)
{
    return m_step(ctm);
}

dlp_outcome dlpi_ctm_ended(const dlp_ctm *ctm)
{
    const int done = ctm->result.iterations;
    const dlp_topics_row *last = &ctm->trace[done - 1];
    if (!isfinite(last->objective)) return DLP_DIVERGED;
    const int rested = topics_rested(ctm, done);
    if (rested > 0 && done >= rested + settling_iterations(ctm)) return DLP_CONVERGED;
    return done < ctm->settings.max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

/* Takes the E step into the trace. */
static double record(void *model, int iteration, double objective)
{
    dlp_ctm *ctm = model;
    dlp_topics_result *r = &ctm->result;
    const double before = r->objective;
    dlp_topics_row *row = &ctm->trace[iteration - 1];
    *row =
        (dlp_topics_row){.iteration = iteration,
                         .evaluations = (dlp_index)ctm->sums.head[DLPI_CTM_EVALUATIONS],
                         .unsettled = (dlp_index)ctm->sums.head[DLPI_CTM_UNSETTLED],
                         .objective = objective};
    if (row->iteration > 1) {
        row->change = (row->objective - before) / (1 + fabs(before));
        row->moved = ctm->moved;
    }
    r->decreases += row->change < 0;
    r->objective = row->objective;
    r->objective_per_word = row->objective / (double)ctm->share.words;
    r->unsettled = row->unsettled;
    r->iterations = iteration;
    return ends_by_objective(ctm) ? row->change : row->moved;
}

static dlp_outcome ended(const void *model)
{
    return dlpi_ctm_ended(model);
}

static void set_document_tolerance(dlp_ctm *ctm)
{
    const double width = tolerance_width(ctm, ctm->result.iterations);
    for (int t = 0; t < ctm->settings.threads; t++)
        ctm->doc[t].tol = width * ctm->settings.document_tol;
}

static dlp_status e_step(void *model, double *objective, dlp_error *error)
{
    dlp_ctm *ctm = model;
    set_document_tolerance(ctm);
    ctm->by_mean = topics_rested(ctm, ctm->result.iterations) > 0;
    dlpi_ctm_e_step(ctm, true);
    *objective = ctm->sums.head[DLPI_CTM_OBJECTIVE];
    return dlpi_ctm_failure(ctm, error);
}

static const dlpi_em_type ctm_em = {.e_step = e_step,
                                    .m_step = m_step,
                                    .m_step_first = true,
                                    .record = record,
                                    .ended = ended};

/* The tolerance shown at the end of an iteration: that of the criterion that is usually
   met last. */
static double tolerance_shown(const dlp_ctm *ctm)
{
    return ends_by_objective(ctm) ? ctm->settings.tol : topics_tolerance(ctm);
}

/* An estimate from the quantity shown, and at most as many as the settings allow. */
static double iterations_left(dlp_ctm *ctm, const dlp_progress *told)
{
    const int iteration = told->iteration, most = ctm->settings.max_iter - iteration;
    if (ends_by_objective(ctm))
        return dlpi_steps_left(&ctm->steps, told->change, told->tol, most);
    if (iteration < 3) return 0;
    const dlp_topics_row *trace = ctm->trace;
    const int rested = topics_rested(ctm, iteration), settling = settling_iterations(ctm);
    if (rested > 0) return fmax(rested + settling - iteration, 0);
    const double left = dlpi_iterations_left(
        iteration, trace[iteration - 1].moved,
        trace[dlpi_iteration_before(iteration) - 1].moved, tolerance_shown(ctm));
    return fmin(left > 0 ? left + settling : 0, most);
}

/* The loop has a listener of its own. The caller may ask to stop at any document, but the
   iteration is finished first. With several processes, all end after the same
   iteration. */
static int tell(void *context, const dlp_progress *progress)
{
    dlp_ctm *ctm = context;
    dlp_progress told = *progress;
    if (!told.polled && told.iteration == ctm->result.iterations)
        told.left = iterations_left(ctm, &told);
    const bool stop = dlpi_listener_report(&ctm->listener, told);
    return dlpi_ctm_alone(ctm) ? stop : ctm->share.stop;
}

void dlp_ctm_step(dlp_ctm *ctm)
{
    dlp_topics_result *r = &ctm->result;
    if (dlp_ctm_done(ctm)) return;
    dlpi_listener listener = {.call = tell, .context = ctm};
    dlpi_listener_begin(&listener, "fitting", ctm->settings.max_iter,
                        tolerance_shown(ctm));
    dlpi_em em = {.type = &ctm_em,
                  .model = ctm,
                  .listener = &listener,
                  .max_iter = ctm->settings.max_iter,
                  .iterations = r->iterations,
                  .objective = r->objective};
    dlpi_em_step(&em, NULL);
    r->outcome = em.outcome;
}

void dlp_ctm_run(dlp_ctm *ctm)
{
    while (!dlp_ctm_done(ctm)) dlp_ctm_step(ctm);
}

int dlp_ctm_done(const dlp_ctm *ctm)
{
    return !ctm->started || ctm->result.outcome != DLP_RUNNING;
}

const dlp_topics_result *dlp_ctm_result(const dlp_ctm *ctm)
{
    return &ctm->result;
}
void dlpi_ctm_give_means(dlp_ctm *ctm, dlpi_scratch *means)
{
    *means = ctm->means;
    ctm->means = (dlpi_scratch){.x = NULL};
    ctm->mu = NULL;
    ctm->result.mu = NULL;
}
