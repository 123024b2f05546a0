/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of topics that differ by group: the steps of a term against differences of its
   objective, found again in simulated documents, the plain fit without differences, the
   same at any number of threads, and documents read with their groups' words. */
#include "draw_document.h"
#include "math/dense.h"
#include "support.h"
#include "topics/ctm/ctm_content.h"

#include <unistd.h>

/* ---- one term ---- */

enum { TG = 3, TK = 4, N_TERM = TK + TG + TG * TK };

typedef struct one {
    dlpi_content_term t;
    double rate[TG * TK], eta[TK], common[TG], own[TG * TK];
    double common_square[TG], own_square[TG * TK];
    double *room;
} one;

static void make_term(one *o)
{
    *o = (one){.t = {.G = TG,
                     .K = TK,
                     .stride = TK,
                     .b = {0.3, 0.2},
                     .rate = o->rate,
                     .eta = o->eta,
                     .common = o->common,
                     .own = o->own,
                     .common_square = o->common_square,
                     .own_square = o->own_square}};
    o->room = calloc((size_t)dlpi_content_room(TG, TK), sizeof *o->room);
    assert_non_null(o->room);
    dlpi_content_take_room(&o->t, o->room);
    dlp_rng rng = dlp_rng_at(5, 0);
    for (int g = 0; g < TG; g++) {
        o->common_square[g] = 0.02 + 0.1 * g;
        for (int k = 0; k < TK; k++) {
            const int i = g * TK + k;
            o->rate[i] = 3 + 10 * i;
            o->own_square[i] = 0.01 + 0.05 * k;
            o->t.a[i] = 20 * exp(dlp_draw_normal(&rng));
        }
    }
    o->t.a[2] = 0.001;
}

static double *coordinate(one *o, int i)
{
    if (i < TK) return &o->eta[i];
    return i < TK + TG ? &o->common[i - TK] : &o->own[i - TK - TG];
}

static double moved(one *o, int i, double by_i, int j, double by_j)
{
    const double x = *coordinate(o, i), y = *coordinate(o, j);
    *coordinate(o, i) += by_i;
    *coordinate(o, j) += by_j;
    const double value = dlpi_content_objective(&o->t);
    *coordinate(o, j) = y;
    *coordinate(o, i) = x;
    return value;
}

/* Minus the Hessian by differences, inverted: (N_TERM, N_TERM). */
static void invert_differences(one *o, double *inverse)
{
    const double h = 1e-3;
    double A[N_TERM * N_TERM], work[N_TERM * N_TERM];
    for (int i = 0; i < N_TERM; i++)
        for (int j = 0; j < N_TERM; j++)
            A[i * N_TERM + j] = -(moved(o, i, h, j, h) - moved(o, i, h, j, -h) -
                                  moved(o, i, -h, j, h) + moved(o, i, -h, j, -h)) /
                                (4 * h * h);
    assert_true(dlpi_cholesky(N_TERM, A) < 0);
    dlpi_cholesky_inverse(N_TERM, A, work, inverse);
}

/* The variance of log lambda_kg less its mean over groups. */
static double contrast(const double *inverse, int g, int k)
{
    double c[N_TERM] = {0}, sum = 0;
    for (int h = 0; h < TG; h++)
        c[TK + h] = c[TK + TG + h * TK + k] = (h == g) - 1.0 / TG;
    for (int i = 0; i < N_TERM; i++)
        for (int j = 0; j < N_TERM; j++) sum += c[i] * c[j] * inverse[i * N_TERM + j];
    return sum;
}

static void a_term_ends_at_its_maximum_with_the_inverse_hessian(void **state)
{
    (void)state;
    one o;
    double inverse[N_TERM * N_TERM], own[TG * TK], common[TG], told[2] = {0},
                                                               squares[2] = {0};
    make_term(&o);
    dlpi_content_climb(&o.t, 30);
    for (int i = 0; i < N_TERM; i++)
        assert_near(moved(&o, i, 1e-4, i, 0) - moved(&o, i, -1e-4, i, 0), 0, 1e-8);
    invert_differences(&o, inverse);
    dlpi_content_contrast(&o.t, own, common); /* before the precisions change */
    for (int g = 0; g < TG; g++)
        for (int k = 0; k < TK; k++)
            assert_near(own[g * TK + k], sqrt(contrast(inverse, g, k)), 1e-4);
    dlpi_content_set_squares(&o.t, told, squares);
    for (int g = 0; g < TG; g++) {
        const int at = TK + g;
        assert_near(o.common_square[g],
                    o.common[g] * o.common[g] + inverse[at * (N_TERM + 1)], 1e-5);
        for (int k = 0; k < TK; k++) {
            const int i = g * TK + k, cell = TK + TG + i;
            assert_near(o.own_square[i],
                        o.own[i] * o.own[i] + inverse[cell * (N_TERM + 1)], 1e-5);
        }
    }
    assert_true(told[1] > 0 && told[1] < TG * TK && squares[1] > 0);
    free(o.room);
}

/* ---- documents ---- */

enum { GROUPS = 2, TOPICS = 3, V = 60, D = 600, WORDS = 60 };

typedef struct grouped {
    double beta[GROUPS][TOPICS][V];
    int32_t group[D];
    dlp_corpus *corpus;
} grouped;

/* Every tenth term differs by exp(+-size) between the groups, in one topic or all. */
static void draw_topics(grouped *x, double size, dlp_rng *rng)
{
    double eta[TOPICS][V];
    for (int k = 0; k < TOPICS; k++)
        for (int v = 0; v < V; v++)
            eta[k][v] = (v % TOPICS == k ? 3.0 : 0.0) + 0.7 * dlp_draw_normal(rng);
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; k < TOPICS; k++) {
            double sum = 0;
            for (int v = 0; v < V; v++) {
                const bool own = v % 10 == 3 && v % TOPICS == k, common = v % 20 == 0;
                const double sign = (v / 10 + g) % 2 ? 1 : -1;
                x->beta[g][k][v] = exp(eta[k][v] + (own || common ? sign * size : 0));
                sum += x->beta[g][k][v];
            }
            for (int v = 0; v < V; v++) x->beta[g][k][v] /= sum;
        }
}

static grouped *simulate(double size, uint64_t seed)
{
    grouped *x = calloc(1, sizeof *x);
    char path[] = "/tmp/delaplace-content-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    assert_non_null(x);
    assert_non_null(out);
    dlp_rng rng = dlp_rng_at(seed, 0);
    draw_topics(x, size, &rng);
    for (int d = 0; d < D; d++) {
        x->group[d] = d % 3 == 0; /* one group has twice as many */
        draw_document_of(TOPICS, V, WORDS, x->beta[x->group[d]][0], &rng, out);
    }
    fclose(out);
    assert_ok(dlp_corpus_open(path, NULL, &x->corpus, error));
    unlink(path);
    return x;
}

static void finish(grouped *x)
{
    dlp_corpus_free(x->corpus);
    free(x);
}

static dlp_topics_settings settings_of(const grouped *x)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = TOPICS;
    settings.content_groups = GROUPS;
    settings.content_group = x->group;
    settings.tol = 1e-5;
    return settings;
}

static dlp_topic_model *fit(const grouped *x, const dlp_topics_settings *settings)
{
    dlp_topic_model *model = NULL;
    assert_ok(dlp_topic_model_fit(x->corpus, NULL, settings, &model, error));
    return model;
}

/* Which topic of the model is topic k of the truth. */
static void match(const grouped *x, const dlp_topic_model *model, dlp_index *with)
{
    dlp_topics truth;
    double similarity[TOPICS];
    assert_ok(dlp_topics_alloc(TOPICS, V, 1, &truth, error));
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; k < TOPICS; k++)
            for (int v = 0; v < V; v++)
                truth.beta[k * V + v] += x->beta[g][k][v] / GROUPS;
    assert_ok(dlp_topics_match(&truth, dlp_topic_model_topics(model), 1, with, similarity,
                               NULL, error));
    for (int k = 0; k < TOPICS; k++) assert_true(similarity[k] > 0.9);
    dlp_topics_free(&truth);
}

static void differences_are_found_within_their_intervals(void **state)
{
    (void)state;
    double inside = 0, n = 0, error_of = 0, none = 0, different_inside = 0, different = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        grouped *x = simulate(0.7, seed);
        const dlp_topics_settings settings = settings_of(x);
        dlp_topic_model *model = fit(x, &settings);
        const dlp_topic_content *c = dlp_topic_model_content(model);
        dlp_index with[TOPICS];
        match(x, model, with);
        for (int k = 0; k < TOPICS; k++)
            for (int v = 0; v < V; v++) {
                const double truth = 0.5 * log(x->beta[0][k][v] / x->beta[1][k][v]);
                const dlp_content_word w = dlp_topic_content_word(c, 0, with[k], v);
                if (x->beta[0][k][v] + x->beta[1][k][v] < 0.02) continue;
                inside += w.lower < truth && truth < w.upper;
                n++;
                if (fabs(truth) > 0.2) {
                    different_inside += w.lower < truth && truth < w.upper;
                    different++;
                }
                error_of += (w.difference - truth) * (w.difference - truth);
                none += truth * truth;
            }
        dlp_topic_model_free(model);
        finish(x);
    }
    assert_true(n > 70);
    assert_true(inside / n > 0.9);
    assert_true(different > 20);
    assert_true(different_inside / different > 0.9); /* not only where there is none */
    assert_true(error_of < 0.15 * none);
}

/* Without differences the topics, and what they predict, are those of a plain fit. */
static void no_difference_is_the_plain_fit(void **state)
{
    (void)state;
    grouped *x = simulate(0, 4), *new = simulate(0, 4);
    dlp_topics_settings settings = settings_of(x);
    dlp_topic_model *by_group = fit(x, &settings), *plain;
    dlp_completion a, b;
    settings.content_groups = 0;
    plain = fit(x, &settings);
    assert_true(dlp_topic_model_content(by_group)->own_scale < 0.03);
    for (int i = 0; i < TOPICS * V; i++)
        assert_near(dlp_topic_model_topics(by_group)->beta[i],
                    dlp_topic_model_topics(plain)->beta[i], 2e-3);
    assert_ok(dlp_topic_model_set_groups(by_group, new->group, new->corpus, error));
    assert_ok(dlp_topic_model_evaluate(by_group, new->corpus, NULL, NULL, &a, error));
    assert_ok(dlp_topic_model_evaluate(plain, x->corpus, NULL, NULL, &b, error));
    assert_int_equal(a.words, b.words);
    assert_near(a.per_word, b.per_word, 2e-3);
    dlp_topic_model_free(by_group);
    dlp_topic_model_free(plain);
    finish(x);
    finish(new);
}

/* Documents are read better with their group than by the mean of groups, and those not better than
   by a plain model. */
static void documents_are_read_by_their_groups(void **state)
{
    (void)state;
    grouped *x = simulate(1, 6);
    dlp_topics_settings settings = settings_of(x);
    dlp_topic_model *by_group = fit(x, &settings), *plain;
    dlp_completion own, mean, other;
    double *pi = calloc(D * TOPICS, sizeof *pi);
    assert_non_null(pi);
    settings.content_groups = 0;
    plain = fit(x, &settings);
    assert_ok(dlp_topic_model_evaluate(plain, x->corpus, NULL, NULL, &other, error));
    assert_ok(dlp_topic_model_evaluate(by_group, x->corpus, NULL, NULL, &mean, error));
    assert_ok(dlp_topic_model_set_groups(by_group, x->group, x->corpus, error));
    assert_ok(dlp_topic_model_evaluate(by_group, x->corpus, NULL, NULL, &own, error));
    assert_near(mean.per_word, other.per_word, 0.02);
    assert_true(own.per_word > other.per_word + 0.02);
    assert_ok(
        dlp_topic_model_infer(by_group, x->corpus, NULL, NULL, pi, NULL, NULL, error));
    for (int d = 0; d < D; d++) {
        double sum = 0;
        for (int k = 0; k < TOPICS; k++) sum += pi[d * TOPICS + k];
        assert_near(sum, 1, 1e-12);
    }
    assert_fails(dlp_topic_model_set_groups(plain, x->group, x->corpus, error),
                 DLP_EINVAL, "do not differ");
    assert_fails(dlp_topic_model_set_groups(by_group, x->group, x->corpus, error),
                 DLP_EINVAL, "terms");
    free(pi);
    dlp_topic_model_free(by_group);
    dlp_topic_model_free(plain);
    finish(x);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    grouped *x = simulate(0.7, 9);
    dlp_topics_settings settings = settings_of(x);
    settings.max_iter = 12;
    settings.threads = 1;
    dlp_topic_model *one_thread = fit(x, &settings);
    settings.threads = 3;
    dlp_topic_model *three = fit(x, &settings);
    const dlp_topic_content *a = dlp_topic_model_content(one_thread),
                            *b = dlp_topic_model_content(three);
    assert_memory_equal(a->beta, b->beta, sizeof(double) * GROUPS * TOPICS * V);
    assert_memory_equal(a->sd, b->sd, sizeof(double) * GROUPS * TOPICS * V);
    assert_memory_equal(a->common, b->common, sizeof(double) * GROUPS * V);
    assert_true(a->own_scale == b->own_scale && a->common_scale == b->common_scale);
    dlp_topic_model_free(one_thread);
    dlp_topic_model_free(three);
    finish(x);
}

static void groups_are_found_in_tables(void **state)
{
    (void)state;
    const char text[] = "year,party\n2003,left\n2001,right\n2003,left\n2010,\n";
    dlp_table *table = NULL;
    dlp_document_groups groups;
    assert_ok(dlp_table_parse("t.csv", text, sizeof text - 1, NULL, &table, error));
    assert_ok(dlp_document_groups_find(table, "year", 4, NULL, &groups, error));
    assert_int_equal(groups.G, 3);
    assert_string_equal(groups.name[2], "2010");
    assert_int_equal(groups.group[0], 1);
    dlp_document_groups_free(&groups);
    assert_ok(dlp_document_groups_find(table, "party", 3, NULL, &groups, error));
    assert_int_equal(groups.G, 2);
    assert_string_equal(groups.name[1], "right");
    assert_int_equal(groups.group[1], 1);
    dlp_document_groups_free(&groups);
    assert_fails(dlp_document_groups_find(table, "party", 4, NULL, &groups, error),
                 DLP_EINPUT, "document 4 has no");
    assert_fails(dlp_document_groups_find(table, "day", 4, NULL, &groups, error),
                 DLP_EINPUT, "no column");
    assert_fails(dlp_document_groups_find(table, "party", 1, NULL, &groups, error),
                 DLP_EINPUT, "one value");
    dlp_table_free(table);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    grouped *x = simulate(0.7, 9);
    dlp_topics_settings settings = settings_of(x);
    dlp_ctm *ctm = NULL;
    settings.slices = 2;
    settings.slice = x->group;
    assert_fails(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "not both");
    settings = settings_of(x);
    settings.content_groups = 1;
    assert_fails(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "2 to 100");
    settings.content_groups = 2;
    x->group[7] = 2;
    assert_fails(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "document 8");
    const dlp_seed_word seed = {0, 1};
    x->group[7] = 0;
    settings.n_seed_words = 1;
    settings.seed_word = &seed;
    assert_fails(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "words by group");
    finish(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_term_ends_at_its_maximum_with_the_inverse_hessian),
        cmocka_unit_test(groups_are_found_in_tables),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(no_difference_is_the_plain_fit),
        cmocka_unit_test(documents_are_read_by_their_groups),
        cmocka_unit_test(differences_are_found_within_their_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
