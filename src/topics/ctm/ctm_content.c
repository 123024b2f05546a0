/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of topics that differ by group of documents (Eisenstein, Ahmed and Xing 2011; the
 * content covariates of R's stm). Term v of topic k in group g has
 *
 *     log beta_kgv = base_kg + eta_kv + common_gv + own_kgv,
 *
 * where common is how all topics differ in the group and own is how one does, each with a
 * Laplace prior whose scale is fitted; base normalises the distributions. eta is as free
 * as the words of topics in any fit: without differences this is an ordinary fit.
 *
 * To the rest of EM a term in a group is a term of its own, as in ctm_slices.c. The M
 * step maximises sum_v n_kgv log beta_kgv plus the priors; with log sum_v exp(x_v) <=
 * sum_v exp(x_v) / zeta + log zeta - 1, equal where zeta is that sum, the problem
 * separates by term (ctm_content_term.c). Smoothing is that of any fit, divided between
 * groups in proportion to the topic's words. What all own_kgv of a topic and group have
 * in common changes no probability, so it is moved to base.
 */
#include "topics/ctm/ctm_content.h"
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_slices.h"

#include <delaplace/special.h>
#include <delaplace/topic_content.h>

#include <math.h>
#include <string.h>

enum { NEWTON = 2, CHUNKS = DLPI_CTM_TERM_CHUNKS, MOST_GROUPS = 100 };
static const double FIRST_SCALE = 0.2, LEAST_SCALE = 1e-3, MOST_SCALE = 2;
/* Where nearly all words of a term belong to one topic, the data hardly tell whether the
   term differs in all topics or in that one, and the scale of own would go to 0: then no
   topic could differ from the others in any term, and intervals would say so. So it is no
   less than this times that of common. */
static const double OWN_OF_COMMON = 1;

struct dlpi_content {
    dlp_index n, n_state;           /* G stride; numbers of the state */
    double *state;                  /* one block, for the checkpoint: */
    double *b;                      /* (2) scales: of common, of own */
    double *base;                   /* (G, stride) */
    double *eta;                    /* (V, stride) */
    double *common, *common_square; /* (V, G) */
    double *own, *own_square;       /* (V, G, stride) */
    double *share;                  /* (G, stride) a group's part of a topic's words */
    double *rate;                   /* (G, stride) N_kg exp(base_kg) */
    double *room;                   /* (CHUNKS, n_room) of a term */
    dlp_index n_room;
    double *part; /* (CHUNKS, n_part) sums of a chunk of terms */
    dlp_index n_part;
};

/* Sums over a chunk: of exp(x); of w x and w, for own and for common; and those that
   determine the scales. */
typedef struct sums {
    double *Z, *own, *own_w;   /* (G, stride) */
    double *common, *common_w; /* (G) */
    double *told, *squares;    /* (2) */
    double *moved;             /* (1) */
} sums;

static sums sums_at(const dlpi_slices *s, dlp_index chunk)
{
    const struct dlpi_content *c = s->content;
    double *at = c->part + chunk * c->n_part;
    return (sums){.Z = at,
                  .own = at + c->n,
                  .own_w = at + 2 * c->n,
                  .common = at + 3 * c->n,
                  .common_w = at + 3 * c->n + s->T,
                  .told = at + 3 * c->n + 2 * s->T,
                  .squares = at + 3 * c->n + 2 * s->T + 2,
                  .moved = at + 3 * c->n + 2 * s->T + 4};
}

/* ---- room ---- */

dlp_status dlpi_content_check(const dlp_corpus *corpus, const dlp_topics_settings *s,
                              dlp_error *error)
{
    const dlp_index G = s->content_groups;
    if (s->slices > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "words of topics differ by group or drift over time, not both");
    if (G < 2 || G > MOST_GROUPS)
        return dlp_fail(error, DLP_EINVAL, "there are %td groups; there must be 2 to %d",
                        G, MOST_GROUPS);
    if (!s->content_group) return dlp_fail(error, DLP_EINVAL, "content_group is missing");
    for (dlp_index d = 0; d < corpus->D; d++)
        if (s->content_group[d] < 0 || s->content_group[d] >= G)
            return dlp_fail(error, DLP_EINVAL,
                            "document %td is in group %d; groups are 0 to %td", d + 1,
                            (int)s->content_group[d], G - 1);
    return DLP_OK;
}

static void lay_out(struct dlpi_content *c, dlp_index V, dlp_index G, dlp_index stride)
{
    c->b = c->state;
    c->base = c->b + 2;
    c->eta = c->base + c->n;
    c->common = c->eta + V * stride;
    c->common_square = c->common + V * G;
    c->own = c->common_square + V * G;
    c->own_square = c->own + V * c->n;
}

dlp_status dlpi_content_alloc(dlpi_slices *s, dlp_index stride, dlp_error *error)
{
    struct dlpi_content *c = s->content = dlpi_calloc(1, sizeof *c);
    if (!c) return dlpi_no_memory(error, "the groups");
    c->n = dlpi_size(s->T, stride, 0);
    c->n_state = dlpi_size(s->V, stride + 2 * s->T + 2 * c->n, 2 + c->n);
    c->n_room = dlpi_content_room(s->T, stride);
    c->n_part = 3 * c->n + 2 * s->T + 5;
    c->state = dlpi_calloc(c->n_state, sizeof *c->state);
    c->share = dlpi_calloc(dlpi_size(2, c->n, 0), sizeof *c->share);
    c->room = dlpi_calloc(dlpi_size(CHUNKS, c->n_room, 0), sizeof *c->room);
    c->part = dlpi_calloc(dlpi_size(CHUNKS, c->n_part, 0), sizeof *c->part);
    s->N = dlpi_calloc(c->n, sizeof *s->N);
    if (!c->state || !c->share || !c->room || !c->part || !s->N)
        return dlpi_no_memory(error, "the groups");
    c->rate = c->share + c->n;
    lay_out(c, s->V, s->T, stride);
    return DLP_OK;
}

void dlpi_content_free(struct dlpi_content *c)
{
    if (!c) return;
    free(c->state);
    free(c->share);
    free(c->room);
    free(c->part);
    free(c);
}

double *dlpi_content_state(const dlp_ctm *ctm, size_t *size)
{
    const struct dlpi_content *c = ctm->slices ? ctm->slices->content : NULL;
    *size = c ? (size_t)c->n_state * sizeof *c->state : 0;
    return c ? c->state : NULL;
}

/* All groups begin with the same topics, which beta has. */
void dlpi_content_begin(dlp_ctm *ctm)
{
    const dlpi_slices *s = ctm->slices;
    struct dlpi_content *c = s->content;
    const dlp_index stride = ctm->shared.stride;
    memset(c->state, 0, (size_t)c->n_state * sizeof *c->state);
    c->b[0] = c->b[1] = FIRST_SCALE;
    for (dlp_index i = 0; i < s->V * s->T; i++)
        c->common_square[i] = FIRST_SCALE * FIRST_SCALE;
    for (dlp_index i = 0; i < s->V * c->n; i++)
        c->own_square[i] = FIRST_SCALE * FIRST_SCALE;
    for (dlp_index v = 0; v < s->V; v++)
        for (dlp_index k = 0; k < ctm->shared.K && s->seen[v]; k++)
            c->eta[v * stride + k] = log(ctm->shared.beta[v * stride + k]);
}

/* ---- the M step ---- */

static dlpi_content_term term_of(const dlp_ctm *ctm, dlp_index chunk, dlp_index v)
{
    const dlpi_slices *s = ctm->slices;
    struct dlpi_content *c = s->content;
    const dlp_index stride = ctm->shared.stride;
    dlpi_content_term t = {.G = s->T,
                           .K = ctm->shared.K,
                           .stride = stride,
                           .b = {c->b[0], c->b[1]},
                           .rate = c->rate,
                           .eta = c->eta + v * stride,
                           .common = c->common + v * s->T,
                           .own = c->own + v * c->n,
                           .common_square = c->common_square + v * s->T,
                           .own_square = c->own_square + v * c->n};
    dlpi_content_take_room(&t, c->room + chunk * c->n_room);
    for (dlp_index g = 0; g < s->T; g++) {
        const double *counts = ctm->counts + (g * s->V + v) * stride;
        for (dlp_index k = 0; k < t.K; k++)
            t.a[g * stride + k] =
                counts[k] + ctm->settings.smooth * c->share[g * stride + k];
    }
    return t;
}

static void clear_chunk(const struct dlpi_content *c, dlp_index chunk)
{
    memset(c->part + chunk * c->n_part, 0, (size_t)c->n_part * sizeof *c->part);
}

static dlp_index first_of(const dlpi_slices *s, dlp_index chunk)
{
    return s->V * chunk / CHUNKS;
}

/* Counts the words of each group in each topic, over a chunk of terms, into Z. */
static void count_chunk(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    double *Z = sums_at(s, chunk).Z;
    clear_chunk(s->content, chunk);
    for (dlp_index v = first_of(s, chunk); v < first_of(s, chunk + 1); v++)
        for (dlp_index g = 0; g < s->T && s->seen[v]; g++) {
            const double *counts = ctm->counts + (g * s->V + v) * stride;
            for (dlp_index k = 0; k < K; k++) Z[g * stride + k] += counts[k];
        }
}

/* Adds up the sums of all chunks, in their order, in the first. */
static sums add_parts(const dlpi_slices *s)
{
    const struct dlpi_content *c = s->content;
    for (dlp_index chunk = 1; chunk < CHUNKS; chunk++)
        for (dlp_index i = 0; i < c->n_part; i++)
            c->part[i] += c->part[chunk * c->n_part + i];
    return sums_at(s, 0);
}

/* N, share and rate */
static void set_rates(const dlp_ctm *ctm)
{
    const dlpi_slices *s = ctm->slices;
    const struct dlpi_content *c = s->content;
    const dlp_index stride = ctm->shared.stride;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++) count_chunk(ctm, chunk);
    const double *words = add_parts(s).Z;
    for (dlp_index k = 0; k < ctm->shared.K; k++) {
        double all = 0;
        for (dlp_index g = 0; g < s->T; g++) all += words[g * stride + k];
        for (dlp_index g = 0; g < s->T; g++) {
            const dlp_index i = g * stride + k;
            c->share[i] = all > 0 ? words[i] / all : s->weight[g];
            s->N[i] = words[i] + ctm->settings.smooth * (double)s->n_seen * c->share[i];
            c->rate[i] = s->N[i] * exp(c->base[i]);
        }
    }
}

static void add_shifts(const dlpi_content_term *t, const sums *to)
{
    for (dlp_index g = 0; g < t->G; g++) {
        to->common[g] += t->w_common[g] * t->common[g];
        to->common_w[g] += t->w_common[g];
        for (dlp_index k = 0; k < t->K; k++) {
            const dlp_index i = g * t->stride + k;
            to->own[i] += t->w[i] * t->own[i];
            to->own_w[i] += t->w[i];
        }
    }
}

/* exp(x) of a term in the place of its counts. */
static void put_term(const dlp_ctm *ctm, const dlpi_content_term *t, dlp_index v,
                     double *Z)
{
    const dlpi_slices *s = ctm->slices;
    for (dlp_index g = 0; g < t->G; g++) {
        double *counts = ctm->counts + (g * s->V + v) * t->stride;
        for (dlp_index k = 0; k < t->K; k++)
            counts[k] = s->content->base[g * t->stride + k] + t->eta[k] + t->common[g] +
                        t->own[g * t->stride + k];
        dlp_exp_array(t->K, counts, counts);
        for (dlp_index k = 0; k < t->K; k++) Z[g * t->stride + k] += counts[k];
    }
}

static void move_chunk(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlpi_slices *s = ctm->slices;
    const sums to = sums_at(s, chunk);
    clear_chunk(s->content, chunk);
    for (dlp_index v = first_of(s, chunk); v < first_of(s, chunk + 1); v++) {
        if (!s->seen[v]) continue;
        dlpi_content_term t = term_of(ctm, chunk, v);
        dlpi_content_climb(&t, NEWTON);
        dlpi_content_set_squares(&t, to.told, to.squares);
        add_shifts(&t, &to);
        put_term(ctm, &t, v, to.Z);
    }
}

/* x -= shift, and changes E[x^2] accordingly. */
static void shift_one(double *x, double *square, double shift)
{
    const double before = *x;
    *x -= shift;
    *square = fmax(*square + *x * *x - before * before, 1e-20);
}

/* Takes out of deviations what they have in common, which is in `all`, and sets beta =
   exp(x) / Z; returns how far beta moved, in words. */
static double take_chunk(const dlp_ctm *ctm, dlp_index chunk, const sums *all)
{
    const dlpi_slices *s = ctm->slices;
    struct dlpi_content *c = s->content;
    const dlp_index stride = ctm->shared.stride;
    double moved = 0;
    for (dlp_index v = first_of(s, chunk); v < first_of(s, chunk + 1); v++)
        for (dlp_index g = 0; g < s->T && s->seen[v]; g++) {
            const double *counts = ctm->counts + (g * s->V + v) * stride;
            double *beta = ctm->shared.beta + (g * s->V + v) * stride;
            shift_one(&c->common[v * s->T + g], &c->common_square[v * s->T + g],
                      all->common[g]);
            for (dlp_index k = 0; k < ctm->shared.K; k++) {
                const dlp_index i = g * stride + k, at = v * c->n + i;
                const double new = fmax(counts[k] / all->Z[i], 1e-300);
                shift_one(&c->own[at], &c->own_square[at], all->own[i]);
                moved += s->N[i] * fabs(new - beta[k]);
                beta[k] = new;
            }
        }
    return moved;
}

/* From the sums: moves what deviations have in common to the base, and sets the
   scales. */
static void take_sums(const dlp_ctm *ctm, const sums *all)
{
    const dlpi_slices *s = ctm->slices;
    struct dlpi_content *c = s->content;
    for (dlp_index g = 0; g < s->T; g++) {
        all->common[g] /= all->common_w[g];
        for (dlp_index k = 0; k < ctm->shared.K; k++) {
            const dlp_index i = g * ctm->shared.stride + k;
            all->own[i] /= all->own_w[i];
            c->base[i] += all->common[g] + all->own[i] - log(all->Z[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        const double b = all->squares[i] / all->told[i];
        if (isfinite(b)) c->b[i] = fmin(fmax(b, LEAST_SCALE), MOST_SCALE);
    }
    c->b[1] = fmax(c->b[1], OWN_OF_COMMON * c->b[0]);
}

void dlpi_content_m_step(dlp_ctm *ctm)
{
    const dlpi_slices *s = ctm->slices;
    double moved = 0, words = 0;
    set_rates(ctm);
#pragma omp parallel for schedule(dynamic) num_threads(ctm->settings.threads)
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++) move_chunk(ctm, chunk);
    const sums all = add_parts(s);
    take_sums(ctm, &all);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++)
        *sums_at(s, chunk).moved = take_chunk(ctm, chunk, &all);
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++) moved += *sums_at(s, chunk).moved;
    for (dlp_index i = 0; i < s->content->n; i++) words += s->N[i];
    ctm->moved = 0.5 * moved / words;
}

/* ---- what was found ---- */

static dlp_status alloc_content(dlp_topic_content *to, dlp_error *error)
{
    const dlp_index n = dlpi_size(dlpi_size(to->G, to->K, 0), to->V, 0);
    to->beta = dlpi_calloc(n, sizeof *to->beta);
    to->sd = dlpi_calloc(n, sizeof *to->sd);
    to->common = dlpi_calloc(to->G * to->V, sizeof *to->common);
    to->common_sd = dlpi_calloc(to->G * to->V, sizeof *to->common_sd);
    if (to->beta && to->sd && to->common && to->common_sd) return DLP_OK;
    dlp_topic_content_free(to);
    return dlpi_no_memory(error, "the words of groups");
}

/* own (G, stride) and common (G) are room. */
static void take_term(const dlp_ctm *ctm, dlp_index v, double *own, double *common,
                      dlp_topic_content *to)
{
    const dlpi_slices *s = ctm->slices;
    dlpi_content_term t = term_of(ctm, 0, v);
    double mean = 0;
    dlpi_content_contrast(&t, own, common);
    for (dlp_index g = 0; g < t.G; g++) mean += t.common[g] / (double)t.G;
    for (dlp_index g = 0; g < t.G; g++) {
        to->common[g * to->V + v] = t.common[g] - mean;
        to->common_sd[g * to->V + v] = common[g];
        for (dlp_index k = 0; k < t.K; k++) {
            const dlp_index at = (g * t.K + k) * to->V + v;
            to->beta[at] = ctm->shared.beta[(g * s->V + v) * t.stride + k];
            to->sd[at] = own[g * t.stride + k];
        }
    }
}

dlp_status dlp_ctm_content(dlp_ctm *ctm, dlp_topic_content *content, dlp_error *error)
{
    const dlpi_slices *s = ctm->slices;
    *content = (dlp_topic_content){0};
    if (!s || !s->content)
        return dlp_fail(error, DLP_EINVAL, "words of topics do not differ by group");
    *content = (dlp_topic_content){.G = s->T,
                                   .K = ctm->shared.K,
                                   .V = s->V,
                                   .common_scale = s->content->b[0],
                                   .own_scale = s->content->b[1]};
    DLP_TRY(alloc_content(content, error));
    if (!ctm->summed) dlpi_ctm_sum_again(ctm);
    set_rates(ctm);
    double *own = s->content->part, *common = own + s->content->n;
    for (dlp_index v = 0; v < s->V; v++)
        if (s->seen[v]) take_term(ctm, v, own, common, content);
    return dlpi_content_find_dilution(content, error);
}

void dlp_topic_content_free(dlp_topic_content *content)
{
    free(content->beta);
    free(content->sd);
    free(content->common);
    free(content->common_sd);
    free(content->dilution);
    *content = (dlp_topic_content){0};
}
