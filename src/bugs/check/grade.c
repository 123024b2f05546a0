/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/check/grade.h"

#include "bugs/check/long_tail.h"
#include "bugs/posterior/evaluation_time.h"
#include "core/core.h"
#include "math/psis.h"

#include <math.h>

/* Means and sds are steady if four times as many draws move them by less than this, in
   sds. */
static const double STEADY = 0.1;
/* With fewer effective draws, a corrected answer is an improvement but still not good. */
static const double FEW = 400;

const char *dlp_bugs_grade_name(dlp_bugs_grade grade)
{
    static const char *const name[] = {"ungraded", "agrees", "differs", "unknown"};
    return name[grade];
}

const char *dlp_bugs_verdict_name(dlp_bugs_verdict verdict)
{
    static const char *const name[] = {"not verified", "confirmed", "corrected",
                                       "not confirmed", "confirmed in part"};
    return name[verdict];
}

dlp_margin dlpi_public_margin(const dlpi_node_margin *m)
{
    return (dlp_margin){.mean = m->mean,
                        .sd = m->sd,
                        .lower = m->lower,
                        .median = m->median,
                        .upper = m->upper};
}

/* Whether it is 0 or 1, as step() is: its sd follows from its mean. */
static bool is_binary(const dlp_margin *m)
{
    const double variance = m->mean * (1 - m->mean);
    return fabs(m->sd * m->sd - variance) <= 1e-3 * variance;
}

/* Probabilities agree within the given number of standard errors, as of that many draws and
   one more: of an event that did not occur, the draws themselves would know no error. */
static bool same_probability(double a, double b, double draws, double errors)
{
    const double most = fmax(fmin(a, 1 - a), fmin(b, 1 - b)) + 1 / draws;
    return fabs(a - b) <= errors * sqrt(2 * most / draws);
}

/* Agrees within 0.03 sd plus the given number of standard errors. */
static dlp_bugs_grade grade_of(const dlp_bugs_node *node, const double error[4],
                               double errors, double draws)
{
    const double enough = 0.03, tiny = 1e-12;
    const dlp_margin *a = &node->found, *b = &node->sampled;
    if (!isfinite(a->mean) || !isfinite(b->mean)) return DLP_BUGS_UNKNOWN;
    if (a->sd <= tiny * fabs(a->mean) && b->sd <= tiny * fabs(b->mean))
        return DLP_BUGS_AGREES;
    const double few = 25; /* draws */
    const double rarer = fmax(fmin(a->mean, 1 - a->mean), fmin(b->mean, 1 - b->mean));
    if (is_binary(a) && is_binary(b) && rarer * draws < few)
        return same_probability(a->mean, b->mean, draws, errors) ? DLP_BUGS_AGREES
                                                                 : DLP_BUGS_DIFFERS;
    const double z = fabs(a->mean - b->mean) / b->sd, ratio = fabs(log(a->sd / b->sd));
    return z < enough + errors * hypot(error[0], error[2]) / b->sd &&
                   ratio < enough + errors * hypot(error[1], error[3]) / b->sd
               ? DLP_BUGS_AGREES
               : DLP_BUGS_DIFFERS;
}

/* ---- draws that weigh the same ---- */

/* Which weighted draw the k-th of `draws` is: systematic resampling, by weight. */
static void resample(const dlpi_posterior *p, dlp_index draws, dlp_index *which)
{
    double sum = p->weight[0];
    dlp_index at = 0;
    for (dlp_index k = 0; k < draws; k++) {
        const double want = ((double)k + 0.5) / (double)draws;
        while (sum < want && at + 1 < p->draws) sum += p->weight[++at];
        which[k] = at;
    }
}

typedef struct grading {
    dlp_bugs *model;
    dlpi_posterior *p;
    dlpi_node_margins *margins;
    const dlp_index *cells;
    double *value;             /* (n_nodes, p->draws) by weighted draws */
    const double *found_error; /* (n_nodes, 2) standard errors: of the fit, */
    double *error;             /* (n_nodes, 2) and of the weighted draws */
    double *room;              /* (p->draws) */
    bool before;      /* `sampled` holds the answer of an earlier, smaller set of draws */
    dlp_index *which; /* (draws) */
} grading;

/* How far mean and sd have moved, in sds. */
static double drift_of(const dlp_margin *from, const dlp_margin *to)
{
    const double by =
        fmax(fabs(to->mean - from->mean) / to->sd, fabs(log(from->sd / to->sd)));
    return isfinite(by) ? by : 0;
}

/* Notes whether the variance of node i rests on few draws. */
static dlp_status note_tail(grading *g, dlp_index i, dlp_error *error)
{
    const dlp_index n = g->p->draws;
    dlp_bugs_result *r = &g->model->result;
    bool is_long;
    DLP_TRY(dlpi_has_long_tail(n, g->p->weight, g->value + i * n,
                               g->model->node[i].sampled.mean, g->room, &is_long, error));
    if (is_long && r->long_tails++ == 0) r->longest = g->model->node[i].name;
    return DLP_OK;
}

static dlp_status sample_nodes(grading *g, dlp_error *error)
{
    dlp_bugs_result *r = &g->model->result;
    r->drift = 0;
    r->long_tails = 0;
    DLP_TRY(dlpi_margins_change(g->margins, g->p, error));
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        dlp_bugs_node *node = &g->model->node[i];
        dlpi_node_margin margin;
        DLP_TRY(dlpi_margin_of(g->margins, g->cells[i], g->value + i * g->p->draws,
                               &margin, error));
        const dlp_margin now = dlpi_public_margin(&margin);
        if (g->before) r->drift = fmax(r->drift, drift_of(&node->sampled, &now));
        node->sampled = now;
        g->error[2 * i] = node->error = margin.error;
        g->error[2 * i + 1] = margin.sd_error;
        DLP_TRY(note_tail(g, i, error));
    }
    return DLP_OK;
}

static void take_over(grading *g)
{
    dlp_bugs_result *r = &g->model->result;
    resample(g->p, r->n_draws, g->which);
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        g->model->node[i].margin = g->model->node[i].sampled;
        for (dlp_index k = 0; k < r->n_draws; k++)
            g->model->draw[i * r->n_draws + k] = g->value[i * g->p->draws + g->which[k]];
    }
}

/* Whether the fit itself gives a reason to doubt it. */
static bool is_doubtful(const dlp_bugs_result *r)
{
    return r->doubt_gaussian || r->doubt_omitted || r->doubt_design || r->kinks;
}

/* Grades all nodes; returns how many differ. */
static dlp_index grade_nodes(grading *g, bool good, double draws)
{
    const dlp_bugs_result *r = &g->model->result;
    dlp_index differ = 0;
    /* Unless the fit is in doubt, allow about the largest of that many standard normal
       numbers: otherwise noise in one of many nodes would replace the answer for all. */
    const bool doubt = is_doubtful(r);
    const double errors = doubt ? 2 : fmax(2, sqrt(2 * log(4 * (double)r->n_nodes)));
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        dlp_bugs_node *node = &g->model->node[i];
        const double error[4] = {g->found_error[2 * i], g->found_error[2 * i + 1],
                                 g->error[2 * i], g->error[2 * i + 1]};
        node->grade = good ? grade_of(node, error, errors, draws) : DLP_BUGS_UNKNOWN;
        differ += node->grade == DLP_BUGS_DIFFERS;
    }
    return differ;
}

/* Whether draws are narrower than a fit whose only approximation is its points: then the
   draws have missed part of a long tail. */
static bool is_narrow(const grading *g)
{
    const dlp_bugs_result *r = &g->model->result;
    if (r->doubt_design || (r->n_gaussian > 0 && !r->exact)) return false;
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        const dlp_bugs_node *node = &r->node[i];
        if (node->grade == DLP_BUGS_DIFFERS && node->sampled.sd < 0.9 * node->found.sd)
            return true;
    }
    return false;
}

/* Weights are good if their tail is, or if they are nearly equal and have a mean. If the
   fit is in doubt, many weights with a slightly poor tail are still better than the
   fit. */
static bool are_good(const dlpi_verified *v, bool doubt)
{
    const double least = 100, many = 1000, even = 0.7, no_mean = 1;
    const double poor = DLP_TAIL_K_FAIR + (doubt && v->effective > many ? 0.1 : 0);
    return v->effective > least &&
           (v->pareto_k < poor ||
            (v->pareto_k < no_mean && v->effective > even * (double)v->posterior.draws));
}

/* Whether the weights have no sign of a heavy tail, or one that cannot matter. */
static bool are_sound(const dlpi_verified *v)
{
    return are_good(v, false);
}

/* Whether the fit's only approximation is its points and nearly all weights are equal,
   except a few at its ends: no reason either to believe the fit or to doubt it. */
static bool tell_nothing(const dlp_bugs_result *r, const dlpi_verified *v)
{
    const double the_same = 0.95;
    return v->effective > the_same * (double)v->posterior.draws &&
           (r->n_gaussian == 0 || r->exact) && !r->doubt_design && !r->doubt_tail;
}

/* The verdict on an answer that agrees with the draws: weights that are only just fair are
   enough to correct a fit, but not to confirm it; and draws from around this maximum, or
   within the points, say nothing of what lies elsewhere. */
static dlp_bugs_verdict verdict_of_agreement(const dlp_bugs_result *r,
                                             const dlpi_verified *v)
{
    if (!are_sound(v)) return DLP_BUGS_NOT_CONFIRMED;
    return r->modes || r->switched || r->doubt_tail ? DLP_BUGS_CONFIRMED_HERE
                                                    : DLP_BUGS_CONFIRMED;
}

/* Decides whether draws that differ are better than the answer, or whether the weights
   are too poor to tell. */
static dlp_status grade(grading *g, const dlpi_verified *v, dlp_error *error)
{
    dlp_bugs_result *r = &g->model->result;
    const bool doubt = is_doubtful(r);
    const bool good = are_good(v, doubt);
    DLP_TRY(sample_nodes(g, error));
    const bool differ = (r->differ = grade_nodes(g, good, v->effective)) > 0;
    /* If the fit is in doubt, trust weights more than the fit even if they are only
       fair. */
    const bool better = (v->pareto_k < DLP_TAIL_K_LIGHT && !is_narrow(g)) || doubt;
    r->verdict = !good && tell_nothing(r, v)    ? DLP_BUGS_NOT_VERIFIED
                 : !good || (differ && !better) ? DLP_BUGS_NOT_CONFIRMED
                 : differ                       ? DLP_BUGS_CORRECTED
                                                : verdict_of_agreement(r, v);
    r->verified = v->posterior.draws;
    r->effective = v->effective;
    r->pareto_k = v->pareto_k;
    r->mean_error = 1 / sqrt(v->effective);
    return DLP_OK;
}

/* Nanoseconds to spend on weighted draws: a user who waited for the fit will wait as long
   again, and longer if the fit may be wrong. */
static double patience(const dlp_bugs_result *r, double fitting)
{
    const double little = 1e8, some = 2e9, much = 6e9, far = 0.1, rough = 0.25;
    if (is_doubtful(r)) return much;
    const double least = r->shift > far || r->roughness > rough ? some : little;
    return fmin(fmax(least, fitting), 4e9);
}

/* Nanoseconds per draw, by the evaluations that those so far took. */
static double time_of_draw(const dlpi_groups *groups, const dlpi_verified *v)
{
    return dlpi_search_time(groups, v->evaluations);
}

/* Whether this many draws of all nodes need little memory. */
static bool is_small(const dlp_bugs_result *r, dlp_index draws)
{
    const double most_draws = 262144, most_values = 3e7;
    return (double)draws <= most_draws &&
           (double)draws * (double)r->n_nodes < most_values;
}

/* If the weights are not good and it costs little, draws again with more draws: the sds
   of long-tailed nodes need them, and so do the rounds that learn where the weight is. */
static dlp_status draw_more(const dlp_bugs_result *r, const dlpi_groups *groups,
                            const dlpi_posterior *posterior,
                            dlpi_verify_settings *settings, dlpi_verified *v,
                            dlp_error *error)
{
    const double few = 500, so_so = 0.3, second = 1e9, most = 6e9; /* nanoseconds */
    for (int again = 0; again < 2; again++) {
        const bool poor = v->pareto_k > DLP_TAIL_K_FAIR;
        const dlp_index more = 4 * settings->draws;
        const double time = poor || v->effective >= few ? second : most;
        if (v->pareto_k < so_so || v->posterior.draws == 0 || (again && !poor) ||
            !is_small(r, more) || (double)more * time_of_draw(groups, v) > time)
            return DLP_OK;
        dlpi_verified_clear(v);
        settings->draws = more;
        DLP_TRY(dlpi_verify(groups, posterior, settings, v, error));
    }
    return DLP_OK;
}

/* Grades with the draws made so far. */
static dlp_status grade_by(grading *g, const dlpi_verified *v, dlp_error *error)
{
    const dlp_bugs_result *r = &g->model->result;
    const dlp_index draws = v->posterior.draws;
    double *value = dlpi_calloc(r->n_nodes * (draws + 2) + draws, sizeof *value);
    if (!value) return dlpi_no_memory(error, "the nodes");
    free(g->value);
    g->value = value;
    g->error = value + r->n_nodes * draws;
    g->room = g->error + 2 * r->n_nodes;
    DLP_TRY(grade(g, v, error));
    g->before = true;
    return DLP_OK;
}

/* A few draws that differ from the fit are noisy, and may have missed a tail without any
   sign of it. */
static bool are_few(const dlp_bugs_result *r)
{
    const double enough = 4000; /* effective draws */
    const bool differ = r->verdict == DLP_BUGS_CORRECTED ||
                        (r->verdict == DLP_BUGS_NOT_CONFIRMED && r->differ > 0);
    return differ && (r->effective < enough || r->drift > STEADY);
}

/* Whether four times as many take at most a few seconds. */
static bool are_cheap(const dlp_bugs_result *r, const dlpi_groups *groups,
                      const dlpi_verified *v)
{
    const double most = 6e9; /* nanoseconds */
    return is_small(r, 4 * r->verified) &&
           4 * (double)r->verified * time_of_draw(groups, v) < most;
}

/* compared: with a smaller set of draws. */
static dlp_bugs_steadiness steadiness(const dlp_bugs_result *r, const dlpi_verified *v,
                                      bool compared)
{
    if (r->verdict != DLP_BUGS_CORRECTED) return DLP_BUGS_STEADY;
    if (r->drift > STEADY) return DLP_BUGS_DRIFTS;
    return r->effective < FEW || !are_sound(v) || (!compared && are_few(r))
               ? DLP_BUGS_FEW_DRAWS
               : DLP_BUGS_STEADY;
}

static dlp_status grade_all(grading *g, const dlpi_groups *groups,
                            const dlpi_posterior *posterior,
                            dlpi_verify_settings *settings, bool chosen, dlpi_verified *v,
                            dlp_error *error)
{
    dlp_bugs_result *r = &g->model->result;
    DLP_TRY(dlpi_verify(groups, posterior, settings, v, error));
    if (!chosen) DLP_TRY(draw_more(r, groups, posterior, settings, v, error));
    if (v->posterior.draws == 0) return DLP_OK;
    DLP_TRY(grade_by(g, v, error));
    bool compared = false;
    for (int again = 0; again < 3 && !chosen && are_few(r) && are_cheap(r, groups, v);
         again++) {
        settings->draws = 4 * r->verified;
        dlpi_verified_clear(v);
        DLP_TRY(dlpi_verify(groups, posterior, settings, v, error));
        if (v->posterior.draws == 0) return DLP_OK;
        DLP_TRY(grade_by(g, v, error));
        compared = true;
    }
    if (r->verdict != DLP_BUGS_CORRECTED) r->drift = 0;
    r->doubt_drift = steadiness(r, v, compared);
    if (r->verdict == DLP_BUGS_CORRECTED) take_over(g);
    return DLP_OK;
}

dlp_status dlpi_grade(dlp_bugs *model, const dlpi_groups *groups,
                      dlpi_posterior *posterior, dlpi_node_margins *margins,
                      const dlp_index *cells, const double *found_error,
                      const dlpi_verify_settings *given, dlp_error *error)
{
    dlp_bugs_result *r = &model->result;
    dlpi_verify_settings settings = *given;
    dlpi_verified v = {0};
    if (settings.draws < 0)
        settings.draws = dlpi_verify_affordable(
            groups, patience(r, posterior->points * dlpi_evaluation_time(groups)));
    if (settings.draws == 0 || r->n_nodes == 0) return DLP_OK;
    grading g = {.model = model,
                 .p = &v.posterior,
                 .margins = margins,
                 .cells = cells,
                 .found_error = found_error,
                 .which = dlpi_calloc(r->n_draws, sizeof *g.which)};
    const dlp_status status = g.which ? grade_all(&g, groups, posterior, &settings,
                                                  given->draws >= 0, &v, error)
                                      : dlpi_no_memory(error, "the nodes");
    free(g.value);
    free(g.which);
    dlpi_verified_clear(&v);
    return status;
}
