/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics that drift: found again within their intervals, the same at any number of threads. */
#include "draw_document.h"
#include "math/dense.h"
#include "support.h"
#include "topics/ctm/ctm_slices.h"

#include <unistd.h>

enum { T = 10, TOPICS = 3, V = 40, EACH = 120, D = T * EACH, WORDS = 60 };
static const double DRIFT = 0.25;

typedef struct drifting {
    double beta[T][TOPICS][V];
    int32_t slice[D];
    dlp_corpus *corpus;
} drifting;

/* `home`: by how much the log probability of a term is larger in its own topic. */
static void draw_topics(drifting *x, double home, dlp_rng *rng)
{
    double eta[TOPICS][V];
    for (int t = 0; t < T; t++)
        for (int k = 0; k < TOPICS; k++) {
            double sum = 0;
            for (int v = 0; v < V; v++) {
                if (t == 0)
                    eta[k][v] =
                        (v % TOPICS == k ? home : 0.0) + 0.7 * dlp_draw_normal(rng);
                else
                    eta[k][v] += DRIFT * dlp_draw_normal(rng);
                sum += exp(eta[k][v]);
            }
            for (int v = 0; v < V; v++) x->beta[t][k][v] = exp(eta[k][v]) / sum;
        }
}

static drifting *simulate_at(double home, uint64_t seed)
{
    drifting *x = calloc(1, sizeof *x);
    char path[] = "/tmp/delaplace-slices-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    assert_non_null(x);
    assert_non_null(out);
    dlp_rng rng = dlp_rng_at(seed, 0);
    draw_topics(x, home, &rng);
    for (int d = 0; d < D; d++) {
        x->slice[d] = d % T;
        draw_document_of(TOPICS, V, WORDS, x->beta[x->slice[d]][0], &rng, out);
    }
    fclose(out);
    assert_ok(dlp_corpus_open(path, NULL, &x->corpus, error));
    unlink(path);
    return x;
}

static drifting *simulate(uint64_t seed)
{
    return simulate_at(4, seed);
}

static void finish(drifting *x)
{
    dlp_corpus_free(x->corpus);
    free(x);
}

static dlp_ctm *fit_smoothed(const drifting *x, double drift, double smooth, int threads)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    settings.K = TOPICS;
    if (smooth > 0) settings.smooth = smooth;
    settings.slices = T;
    settings.slice = x->slice;
    settings.drift = drift;
    settings.threads = threads;
    settings.tol = 1e-6;
    assert_ok(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    return ctm;
}

static dlp_ctm *fit(const drifting *x, double drift, int threads)
{
    return fit_smoothed(x, drift, 0, threads);
}

/* Which topic of the fit is topic k of the truth, by the mean over slices. */
static void match(const drifting *x, const dlp_ctm *ctm, double least, dlp_index *with)
{
    dlp_topics truth, found;
    double similarity[TOPICS];
    assert_ok(dlp_topics_alloc(TOPICS, V, 1, &truth, error));
    for (int t = 0; t < T; t++)
        for (int k = 0; k < TOPICS; k++)
            for (int v = 0; v < V; v++) truth.beta[k * V + v] += x->beta[t][k][v] / T;
    assert_ok(dlp_ctm_topics(ctm, &found, error));
    assert_int_equal(found.V, V);
    assert_ok(dlp_topics_match(&truth, &found, 1, with, similarity, NULL, error));
    for (int k = 0; k < TOPICS; k++) assert_true(similarity[k] > least);
    dlp_topics_free(&truth);
    dlp_topics_free(&found);
}

typedef struct score {
    double inside, n, error, still; /* still: the error of topics that stay the same */
    double squares;                 /* of errors, in sds */
} score;

static void add_score(const drifting *x, const dlp_topic_slices *s, const dlp_index *with,
                      score *all)
{
    for (int k = 0; k < TOPICS; k++)
        for (int v = 0; v < V; v++) {
            double level = 0;
            for (int t = 0; t < T; t++)
                level += log(s->beta[(t * TOPICS + with[k]) * V + v]) / T;
            for (int t = 0; t < T; t++) {
                const dlp_index at = (t * TOPICS + with[k]) * V + v;
                const double truth = log(x->beta[t][k][v]),
                             off = log(s->beta[at]) - truth;
                if (x->beta[t][k][v] < 0.01) continue;
                all->inside += fabs(off) < 1.96 * s->sd[at];
                all->squares += off * off / (s->sd[at] * s->sd[at]);
                all->n++;
                if (v % TOPICS != k)
                    continue; /* of words that are at home in the topic */
                all->error += off * off;
                all->still += (level - truth) * (level - truth);
            }
        }
}

/* Fits documents drawn with this seed; how well the truth is found. */
static double score_of(double home, uint64_t seed, score *all)
{
    drifting *x = simulate_at(home, seed);
    dlp_ctm *ctm = fit(x, 0, 0);
    dlp_topic_slices s;
    dlp_index with[TOPICS];
    assert_int_equal(dlp_ctm_result(ctm)->outcome, DLP_CONVERGED);
    match(x, ctm, home < 4 ? 0.5 : 0.95, with);
    assert_ok(dlp_ctm_slices(ctm, &s, error));
    for (int i = 0; i < T * TOPICS; i++) {
        double sum = 0;
        for (int v = 0; v < V; v++) sum += s.beta[i * V + v];
        assert_near(sum, 1, 1e-12);
    }
    add_score(x, &s, with, all);
    const double drift = s.drift;
    dlp_topic_slices_free(&s);
    dlp_ctm_free(ctm);
    finish(x);
    return drift;
}

static void drifts_are_found_within_their_intervals(void **state)
{
    (void)state;
    score all = {0};
    for (uint64_t seed = 1; seed <= 4; seed++)
        assert_near(score_of(4, seed, &all), DRIFT, 0.07);
    assert_true(all.inside / all.n > 0.93 && all.inside / all.n < 0.99);
    assert_true(all.squares / all.n < 1.4);
    assert_true(all.error < 0.2 * all.still);
}

/* Topics that share most of their words come out purer than they are. */
static void intervals_hold_where_topics_share_words(void **state)
{
    (void)state;
    score all = {0};
    for (uint64_t seed = 7; seed <= 8; seed++) (void)score_of(2, seed, &all);
    assert_true(all.inside / all.n > 0.93);
}

/* A walk has no direction: with time turned round the sds are those of the other end. */
static void time_has_no_direction(void **state)
{
    (void)state;
    drifting *x = simulate(9);
    dlp_ctm *forth = fit(x, 0.2, 1);
    dlp_topic_slices a, b;
    for (int d = 0; d < D; d++) x->slice[d] = T - 1 - x->slice[d];
    dlp_ctm *back = fit(x, 0.2, 1);
    assert_ok(dlp_ctm_slices(forth, &a, error));
    assert_ok(dlp_ctm_slices(back, &b, error));
    for (int t = 0; t < T; t++)
        for (int i = 0; i < TOPICS * V; i++) {
            const double one = a.sd[t * TOPICS * V + i],
                         other = b.sd[(T - 1 - t) * TOPICS * V + i];
            assert_near(one / other, 1, 0.02);
        }
    dlp_topic_slices_free(&a);
    dlp_topic_slices_free(&b);
    dlp_ctm_free(forth);
    dlp_ctm_free(back);
    finish(x);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    drifting *x = simulate(9);
    dlp_ctm *one = fit(x, 0.2, 1), *three = fit(x, 0.2, 3);
    dlp_topic_slices a, b;
    assert_ok(dlp_ctm_slices(one, &a, error));
    assert_ok(dlp_ctm_slices(three, &b, error));
    assert_memory_equal(a.beta, b.beta, sizeof(double) * T * TOPICS * V);
    assert_memory_equal(a.sd, b.sd, sizeof(double) * T * TOPICS * V);
    assert_true(a.drift == 0.2);
    dlp_topic_slices_free(&a);
    dlp_topic_slices_free(&b);
    dlp_ctm_free(one);
    dlp_ctm_free(three);
    finish(x);
}

/* Smoothing that is next to nothing says next to nothing about topics without a term's
   words: their intervals are wide, and numbers. */
static void little_smoothing_gives_wide_intervals(void **state)
{
    (void)state;
    drifting *x = simulate(3);
    for (int i = 0; i < 2; i++) {
        dlp_topics_settings settings = dlp_topics_settings_default();
        dlp_ctm *ctm = NULL;
        dlp_topic_slices s;
        settings.K = TOPICS;
        settings.slices = T;
        settings.slice = x->slice;
        settings.smooth = i == 0 ? 1e-300 : 5e-324;
        settings.drift = 0.001;
        settings.max_iter = 40;
        assert_ok(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error));
        assert_ok(dlp_ctm_start(ctm, error));
        dlp_ctm_run(ctm);
        assert_ok(dlp_ctm_slices(ctm, &s, error));
        for (int j = 0; j < T * TOPICS * V; j++)
            assert_true(s.beta[j] >= 0 && isfinite(s.sd[j]) && s.sd[j] > 0);
        dlp_topic_slices_free(&s);
        dlp_ctm_free(ctm);
    }
    finish(x);
}

enum { ALL = T * TOPICS };

/* What is in documents of slice t about all topics of term v, as rates (Louis 1982). Topics
   with few of the term's words are by themselves. */
static void find_information(const drifting *x, const dlp_ctm *ctm, int t, int v,
                             const bool *frequent, double P[ALL][ALL])
{
    const dlp_index term = (dlp_index)t * V + v, stride = ctm->shared.stride;
    const double *beta = ctm->shared.beta + term * stride,
                 smooth = ctm->settings.smooth / T;
    double I[TOPICS][TOPICS] = {{0}}, phi[TOPICS], by[TOPICS];
    for (int d = 0; d < D; d++)
        for (dlp_index i = x->corpus->row[d]; i < x->corpus->row[d + 1]; i++) {
            double sum = 0;
            if (x->slice[d] != t || x->corpus->term[i] != v) continue;
            for (int k = 0; k < TOPICS; k++)
                sum += phi[k] = exp(ctm->mu[d * TOPICS + k]) * beta[k];
            for (int k = 0; k < TOPICS; k++)
                for (int l = 0; l < TOPICS; l++)
                    I[k][l] += x->corpus->count[i] * phi[k] * phi[l] / (sum * sum);
        }
    for (int k = 0; k < TOPICS; k++) {
        I[k][k] += smooth;
        by[k] = sqrt(ctm->slices->N[t * stride + k] * beta[k] /
                     (ctm->counts[term * stride + k] + smooth));
    }
    for (int k = 0; k < TOPICS; k++)
        for (int l = 0; l < TOPICS; l++)
            if (k == l || (frequent[k] && frequent[l]))
                P[t * TOPICS + k][t * TOPICS + l] += by[k] * by[l] * I[k][l];
}

static void find_frequent(const dlp_ctm *ctm, int v, bool *frequent)
{
    double total[TOPICS] = {0}, words = 0;
    for (int t = 0; t < T; t++)
        for (int k = 0; k < TOPICS; k++)
            total[k] += ctm->counts[((dlp_index)t * V + v) * ctm->shared.stride + k];
    for (int k = 0; k < TOPICS; k++) words += total[k];
    for (int k = 0; k < TOPICS; k++) frequent[k] = total[k] >= 0.01 * words;
}

/* The variances of log rates of a term by all slices and topics at once. */
static void invert_whole(const drifting *x, const dlp_ctm *ctm, int v,
                         double inverse[ALL][ALL])
{
    static double P[ALL][ALL], room[ALL * ALL];
    const double q = 1 / (ctm->slices->drift * ctm->slices->drift);
    bool frequent[TOPICS];
    memset(P, 0, sizeof P);
    find_frequent(ctm, v, frequent);
    for (int t = 0; t < T; t++) find_information(x, ctm, t, v, frequent, P);
    for (int i = 0; i + TOPICS < ALL; i++) {
        P[i][i] += q;
        P[i + TOPICS][i + TOPICS] += q;
        P[i][i + TOPICS] -= q;
        P[i + TOPICS][i] -= q;
    }
    assert_true(dlpi_cholesky(ALL, &P[0][0]) < 0);
    dlpi_cholesky_inverse(ALL, &P[0][0], room, &inverse[0][0]);
}

/* Topics come out purer than they are by three times what they share. */
static double blur_of(const dlp_topic_slices *s, int k)
{
    double blur = 0;
    for (int t = 0; t < T; t++) {
        const dlp_topics slice = {
            .K = TOPICS, .V = V, .beta = s->beta + (dlp_index)t * TOPICS * V};
        blur += 3 * (1 - dlp_topics_own_words(&slice, k)) / T;
    }
    return blur;
}

/* The recursion along a term's slices is an inverse, and smoothing counts as words. */
static void sds_are_those_of_the_information(void **state)
{
    (void)state;
    static double inverse[ALL][ALL];
    drifting *x = simulate(5);
    dlp_ctm *ctm = fit_smoothed(x, 0.2, 50, 0);
    dlp_topic_slices s;
    assert_ok(dlp_ctm_slices(ctm, &s, error));
    for (int v = 0; v < V; v += 3) {
        invert_whole(x, ctm, v, inverse);
        for (int t = 0; t < T; t++)
            for (int k = 0; k < TOPICS; k++) {
                const int i = t * TOPICS + k;
                const double blur = blur_of(&s, k);
                assert_near(s.sd[i * V + v], sqrt(inverse[i][i] + blur * blur), 1e-9);
            }
    }
    dlp_topic_slices_free(&s);
    dlp_ctm_free(ctm);
    finish(x);
}

static void a_drift_too_small_for_numbers_is_refused(void **state)
{
    (void)state;
    drifting *x = simulate(4);
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    settings.K = TOPICS;
    settings.slices = T;
    settings.slice = x->slice;
    settings.drift = 1e-7;
    assert_fails(dlp_ctm_alloc(x->corpus, NULL, &settings, &ctm, error), DLP_EINVAL,
                 "drift must be 0, to be fitted, or 0.001 to 1");
    finish(x);
}

/* A tiny drift gives the topics of a fit without slices. */
static void no_drift_is_no_drift(void **state)
{
    (void)state;
    drifting *x = simulate(2);
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *still = NULL, *ctm = fit(x, 1e-3, 0);
    dlp_topics a, b;
    settings.K = TOPICS;
    settings.tol = 1e-6;
    assert_ok(dlp_ctm_alloc(x->corpus, NULL, &settings, &still, error));
    assert_ok(dlp_ctm_start(still, error));
    dlp_ctm_run(still);
    assert_ok(dlp_ctm_topics(still, &a, error));
    assert_ok(dlp_ctm_topics(ctm, &b, error));
    for (int i = 0; i < TOPICS * V; i++) assert_near(a.beta[i], b.beta[i], 3e-3);
    dlp_topics_free(&a);
    dlp_topics_free(&b);
    dlp_ctm_free(still);
    dlp_ctm_free(ctm);
    finish(x);
}

static void slices_are_found_in_tables(void **state)
{
    (void)state;
    const char text[] = "year,word\n2003,b\n2001,a\n2003,b\n2010,c\n";
    dlp_table *table = NULL;
    dlp_document_times times;
    assert_ok(dlp_table_parse("t.csv", text, sizeof text - 1, NULL, &table, error));
    assert_ok(dlp_document_times_find(table, "year", 4, NULL, 0, &times, error));
    assert_int_equal(times.T, 3);
    assert_string_equal(times.name[2], "2010");
    assert_int_equal(times.slice[0], 1);
    assert_int_equal(times.slice[1], 0);
    dlp_document_times_free(&times);
    const dlp_index row[] = {3, 1};
    assert_ok(dlp_document_times_find(table, "word", 2, row, 0, &times, error));
    assert_int_equal(times.T, 2);
    assert_string_equal(times.name[1], "c");
    assert_int_equal(times.slice[0], 1);
    dlp_document_times_free(&times);
    assert_ok(dlp_document_times_find(table, "year", 4, NULL, 3, &times, error));
    assert_int_equal(times.slice[0], 0);
    assert_int_equal(times.slice[3], 2);
    assert_string_equal(times.name[0], "2002.5"); /* one of them is empty */
    dlp_document_times_free(&times);
    assert_ok(dlp_document_times_find(table, "year", 4, NULL, 2, &times, error));
    assert_string_equal(times.name[0], "2001-2003");
    assert_string_equal(times.name[1], "2010");
    dlp_document_times_free(&times);
    assert_fails(dlp_document_times_find(table, "day", 4, NULL, 0, &times, error),
                 DLP_EINPUT, "no column");
    assert_fails(dlp_document_times_find(table, "word", 4, NULL, 2, &times, error),
                 DLP_EINPUT, "no range to divide");
    assert_fails(dlp_document_times_find(table, "year", 1, NULL, 0, &times, error),
                 DLP_EINPUT, "one value");
    dlp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_found_in_tables),
        cmocka_unit_test(no_drift_is_no_drift),
        cmocka_unit_test(little_smoothing_gives_wide_intervals),
        cmocka_unit_test(a_drift_too_small_for_numbers_is_refused),
        cmocka_unit_test(sds_are_those_of_the_information),
        cmocka_unit_test(time_has_no_direction),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(drifts_are_found_within_their_intervals),
        cmocka_unit_test(intervals_hold_where_topics_share_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
