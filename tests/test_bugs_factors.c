/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate ascent over the factors of q (Appendix A): conjugate models beside updates
   written by hand, the correlated topic model beside the one in C, derivatives beside
   differences, and what is refused. */
#include "bugs_fits.h"
#include "bugs_support.h"

#include "bugs/meanfield/meanfield.h"

#include <delaplace/check.h>
#include <delaplace/special.h>
#include <delaplace/topics.h>
#include <float.h>
#include <math.h>

static dlp_bugs_settings factored(void)
{
    dlp_bugs_settings s = dlp_bugs_settings_default();
    s.hyper = "factor";
    s.draws = 100;
    s.tol = 1e-11;
    return s;
}

static fitted fit_arrays(const char *model, int n, const dlp_bugs_array *data,
                         int n_inits, const dlp_bugs_array *inits,
                         const dlp_bugs_settings *settings)
{
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text = model;
    input.n_data = n;
    input.data = data;
    input.n_inits = n_inits;
    input.inits = inits;
    return bugs_fit(&input, settings);
}

static const dlp_margin *margin(const fitted *f, const char *name)
{
    return &node_of(f, name)->margin;
}

static double last_objective(const fitted *f)
{
    return f->result->objective[f->result->sweeps - 1];
}

/* A sweep of exact updates cannot lower the bound. */
static void check_rises(const fitted *f)
{
    for (int i = 1; i < f->result->sweeps; i++)
        assert_true(f->result->objective[i] >=
                    f->result->objective[i - 1] - 1e-12 * fabs(f->result->objective[i]));
}

static double log_beta(double a, double b)
{
    return dlp_lgamma(a) + dlp_lgamma(b) - dlp_lgamma(a + b);
}

/* ---- exact models: one factor, so that the bound is the evidence ---- */

static void test_beta_binomial(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    fitted f = bugs_fit_text("model { y ~ dbin(p, n)\n p ~ dbeta(2, 3) }",
                             "y <- 7\nn <- 20", &s);
    assert_near(margin(&f, "p")->mean, 9. / 25, 1e-12);
    assert_near(margin(&f, "p")->sd, sqrt(9. * 16 / (25 * 25 * 26)), 1e-12);
    const double choose = dlp_lgamma(21) - dlp_lgamma(8) - dlp_lgamma(14);
    assert_near(last_objective(&f), choose + log_beta(9, 16) - log_beta(2, 3), 1e-10);
    assert_int_equal(f.result->n_factors, 1);
    assert_int_equal(f.result->n_conjugate, 1);
    assert_false(f.result->doubt_factors);
    assert_string_equal(f.result->plan[0].how, "beta");
    assert_string_equal(f.result->plan[0].method, "conjugate");
    dlp_bugs_free(f.model);
}

/* dpois and dexp share a gamma rate: Gamma(a + sum y + n, b + n + sum x). */
static void test_gamma_rate(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    fitted f = bugs_fit_text(
        "model { for (i in 1:3) { y[i] ~ dpois(r)\n x[i] ~ dexp(r) }\n r ~ dgamma(2, "
        "1.5) }",
        "y <- c(1, 4, 2)\nx <- c(0.3, 0.7, 0.2)", &s);
    const double shape = 2 + 7 + 3, rate = 1.5 + 3 + 1.2;
    assert_near(margin(&f, "r")->mean, shape / rate, 1e-12);
    assert_near(margin(&f, "r")->sd, sqrt(shape) / rate, 1e-12);
    assert_near(last_objective(&f),
                2 * log(1.5) - dlp_lgamma(2) - log(24) - log(2) + dlp_lgamma(shape) -
                    shape * log(rate),
                1e-10);
    dlp_bugs_free(f.model);
}

/* Omega | y ~ Wishart(R + sum y y', 3 + n): E = (3 + n) (R + S)^-1. */
static void test_wishart(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    fitted f = bugs_fit_text(
        "model { for (i in 1:4) { y[i, 1:2] ~ dmnorm(m, Omega) }\n Omega ~ dwish(R, 3) }",
        "y <- structure(c(1, 2, -1, 0.5, 0.3, 1.4, -2, 1), .Dim = c(4, 2))\n"
        "m <- c(0.1, 0.2)\nR <- structure(c(2, 0.3, 0.3, 1), .Dim = c(2, 2))",
        &s);
    const double y[4][2] = {{1, 0.3}, {2, 1.4}, {-1, -2}, {0.5, 1}};
    double a = 2, b = 0.3, d = 1;
    for (int i = 0; i < 4; i++) {
        a += (y[i][0] - 0.1) * (y[i][0] - 0.1);
        b += (y[i][0] - 0.1) * (y[i][1] - 0.2);
        d += (y[i][1] - 0.2) * (y[i][1] - 0.2);
    }
    const double det = a * d - b * b;
    assert_near(margin(&f, "Omega[1,1]")->mean, 7 * d / det, 1e-9);
    assert_near(margin(&f, "Omega[2,1]")->mean, -7 * b / det, 1e-9);
    assert_near(margin(&f, "Omega[1,2]")->mean, -7 * b / det, 1e-9);
    assert_near(margin(&f, "Omega[2,2]")->sd, sqrt(2 * 7.) * a / det, 1e-9);
    /* log evidence: pi^{-n d/2} Gamma_2(7/2)/Gamma_2(3/2) |R|^{3/2} / |R + S|^{7/2} */
    const double gamma2 =
        dlp_lgamma(3.5) + dlp_lgamma(3) - dlp_lgamma(1.5) - dlp_lgamma(1);
    assert_near(last_objective(&f),
                -4 * log(acos(-1)) + gamma2 + 1.5 * log(2 - 0.09) - 3.5 * log(det), 1e-8);
    assert_string_equal(f.result->plan[0].how, "wishart");
    dlp_bugs_free(f.model);
}

/* An sd with a uniform prior, beside the sum over a fine grid. */
static void test_uniform_sd(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    static const double y[] = {1.2, -0.4, 2.3};
    fitted f = bugs_fit_text(
        "model { for (i in 1:3) { y[i] ~ dnorm(0.5, pow(s, -2)) }\n s ~ dunif(0, 4) }",
        "y <- c(1.2, -0.4, 2.3)", &s);
    double sum = DBL_MIN, one = 0, two = 0, square = 0;
    const double step = 1e-5;
    for (int i = 0; i < 3; i++) square += (y[i] - 0.5) * (y[i] - 0.5);
    for (double x = step / 2; x < 4; x += step) {
        const double p = exp(-3 * log(x) - 0.5 * square / (x * x)) / 4;
        sum += p * step;
        one += p * x * step;
        two += p * x * x * step;
    }
    const double mean = one / sum;
    assert_near(margin(&f, "s")->mean, mean, 1e-8);
    assert_near(margin(&f, "s")->sd, sqrt(two / sum - mean * mean), 1e-8);
    assert_near(last_objective(&f), log(sum) - 1.5 * log(2 * acos(-1)), 1e-8);
    assert_string_equal(f.result->plan[0].how, "scale");
    double below = 0;
    for (double x = step / 2; x < margin(&f, "s")->lower; x += step)
        below += exp(-3 * log(x) - 0.5 * square / (x * x)) / 4 * step / sum;
    assert_near(below, 0.025, 1e-4);
    dlp_bugs_free(f.model);
}

/* ---- mean field beside updates written by hand ---- */

static void test_normal_gamma(void **state)
{
    (void)state;
    static const double y[] = {2.1, 3.3, 0.4, 1.9, 2.6};
    const dlp_bugs_settings s = factored();
    double m = 0, v = 0, t = 1, shape = 2 + 2.5, rate = 0;
    for (int round = 0; round < 200; round++) {
        double sum = 0, square = 0;
        for (int i = 0; i < 5; i++) sum += y[i];
        v = 1 / (0.1 + 5 * t);
        m = v * (0.1 * 0.5 + t * sum);
        for (int i = 0; i < 5; i++) square += (y[i] - m) * (y[i] - m) + v;
        rate = 1.2 + 0.5 * square;
        t = shape / rate;
    }
    for (int scalar = 0; scalar < 2; scalar++) {
        dlp_bugs_settings each = s;
        if (scalar) each.factor = "scalar";
        fitted f = bugs_fit_text(
            "model { for (i in 1:5) { y[i] ~ dnorm(mu, tau) }\n"
            "mu ~ dnorm(0.5, 0.1)\n tau ~ dgamma(2, 1.2) }",
            "y <- c(2.1, 3.3, 0.4, 1.9, 2.6)", &each);
        assert_near(margin(&f, "mu")->mean, m, 1e-9);
        assert_near(margin(&f, "mu")->sd, sqrt(v), 1e-9);
        assert_near(margin(&f, "tau")->mean, t, 1e-9);
        assert_near(margin(&f, "tau")->sd, sqrt(shape) / rate, 1e-9);
        assert_int_equal(f.result->n_conjugate, 2);
        assert_true(f.result->doubt_factors);
        assert_true(isnan(f.result->log_evidence));
        check_rises(&f);
        dlp_bugs_free(f.model);
    }
}

/* Latent Dirichlet allocation (Blei, Ng & Jordan 2003), smoothed. */
enum { TOKENS = 24, DOCS = 3, TERMS = 5, TOPICS = 2 };
static const double words[TOKENS] = {1, 2, 1, 3, 2, 1, 4, 1, 4, 5, 5, 3,
                                     4, 5, 5, 4, 1, 2, 5, 4, 3, 3, 1, 5};
static const double docs[TOKENS] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
                                    2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
static const double phi0[TOPICS * TERMS] = {0.4, 0.1, 0.3, 0.1, 0.1, 0.2,
                                            0.1, 0.3, 0.1, 0.3}; /* [k, v] in R's order */

typedef struct lda {
    double theta[DOCS][TOPICS], phi[TOPICS][TERMS], bound;
} lda;

/* E[log p] of Dirichlet(a): digamma(a_k) - digamma(sum a). Returns the log of its norm. */
static double log_mean(int n, const double *a, double *out)
{
    double sum = 0, norm = 0;
    for (int k = 0; k < n; k++) sum += a[k];
    for (int k = 0; k < n; k++) {
        out[k] = dlp_digamma(a[k]) - dlp_digamma(sum);
        norm += dlp_lgamma(a[k]);
    }
    return norm - dlp_lgamma(sum);
}

/* E[log p(x)] - E[log q(x)] of one with prior Dirichlet(prior), q Dirichlet(a). */
static double gain(int n, const double *a, double prior)
{
    double e[TERMS], b[TERMS] = {0};
    for (int k = 0; k < n; k++) b[k] = prior;
    double sum = -log_mean(n, b, e);
    sum += log_mean(n, a, e);
    for (int k = 0; k < n; k++) sum += (prior - a[k]) * e[k];
    return sum;
}

static lda lda_by_hand(void)
{
    double g[DOCS][TOPICS], l[TOPICS][TERMS], et[DOCS][TOPICS], ep[TOPICS][TERMS];
    double r[TOKENS][TOPICS];
    lda q = {.bound = 0};
    for (int d = 0; d < DOCS; d++)
        for (int k = 0; k < TOPICS; k++) et[d][k] = log(1. / TOPICS);
    for (int k = 0; k < TOPICS; k++)
        for (int v = 0; v < TERMS; v++) ep[k][v] = log(phi0[k + v * TOPICS]);
    for (int round = 0; round < 5000; round++) {
        for (int d = 0; d < DOCS; d++)
            for (int k = 0; k < TOPICS; k++) g[d][k] = 0.7;
        for (int k = 0; k < TOPICS; k++)
            for (int v = 0; v < TERMS; v++) l[k][v] = 0.4;
        q.bound = 0;
        for (int n = 0; n < TOKENS; n++) {
            const int d = (int)docs[n] - 1, v = (int)words[n] - 1;
            double sum = 0;
            for (int k = 0; k < TOPICS; k++) sum += r[n][k] = exp(et[d][k] + ep[k][v]);
            for (int k = 0; k < TOPICS; k++) g[d][k] += r[n][k] /= sum;
            for (int k = 0; k < TOPICS; k++) l[k][v] += r[n][k];
        }
        for (int d = 0; d < DOCS; d++) (void)log_mean(TOPICS, g[d], et[d]);
        for (int k = 0; k < TOPICS; k++) (void)log_mean(TERMS, l[k], ep[k]);
        for (int n = 0; n < TOKENS; n++)
            for (int k = 0; k < TOPICS; k++)
                q.bound += r[n][k] * (et[(int)docs[n] - 1][k] + ep[k][(int)words[n] - 1] -
                                      log(r[n][k]));
        for (int d = 0; d < DOCS; d++) q.bound += gain(TOPICS, g[d], 0.7);
        for (int k = 0; k < TOPICS; k++) q.bound += gain(TERMS, l[k], 0.4);
    }
    for (int d = 0; d < DOCS; d++)
        for (int k = 0; k < TOPICS; k++) q.theta[d][k] = g[d][k] / (g[d][0] + g[d][1]);
    for (int k = 0; k < TOPICS; k++)
        for (int v = 0; v < TERMS; v++)
            q.phi[k][v] = l[k][v] / (l[k][0] + l[k][1] + l[k][2] + l[k][3] + l[k][4]);
    return q;
}

static void test_lda(void **state)
{
    (void)state;
    static const dlp_index n[] = {TOKENS}, shape[] = {TOPICS, TERMS};
    const dlp_bugs_array data[] = {{"w", 1, n, words}, {"d", 1, n, docs}};
    const dlp_bugs_array inits[] = {{"phi", 2, shape, phi0}};
    const dlp_bugs_settings s = factored();
    fitted f = fit_arrays(
        "model { for (n in 1:24) { z[n] ~ dcat(theta[d[n], ])\n"
        "w[n] ~ dcat(phi[z[n], 1:5]) }\n"
        "for (i in 1:3) { theta[i, 1:2] ~ ddirch(c(0.7, 0.7)) }\n"
        "for (k in 1:2) { phi[k, 1:5] ~ ddirch(rep(0.4, 5)) } }",
        2, data, 1, inits, &s);
    const lda want = lda_by_hand();
    char name[32];
    for (int d = 0; d < DOCS; d++)
        for (int k = 0; k < TOPICS; k++) {
            snprintf(name, sizeof name, "theta[%d,%d]", d + 1, k + 1);
            assert_near(margin(&f, name)->mean, want.theta[d][k], 1e-8);
        }
    for (int k = 0; k < TOPICS; k++)
        for (int v = 0; v < TERMS; v++) {
            snprintf(name, sizeof name, "phi[%d,%d]", k + 1, v + 1);
            assert_near(margin(&f, name)->mean, want.phi[k][v], 1e-8);
        }
    assert_near(last_objective(&f), want.bound, 1e-8);
    assert_int_equal(f.result->n_factors, TOKENS + DOCS + TOPICS);
    assert_int_equal(f.result->n_conjugate, f.result->n_factors);
    check_rises(&f);
    dlp_bugs_free(f.model);
}

/* A mixture of two normals, all conjugate: its bound rises, and its components part. */
static void test_mixture(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    fitted f = bugs_fit_text(
        "model { for (i in 1:10) { z[i] ~ dcat(p[])\n y[i] ~ dnorm(m[z[i]], tau[z[i]]) "
        "}\n"
        "p[1:2] ~ ddirch(a[])\n"
        "for (k in 1:2) { m[k] ~ dnorm(0, 0.01)\n tau[k] ~ dgamma(2, 2) } }",
        "y <- c(-3.1, -2.7, -3.3, -2.9, -3.0, 4.1, 3.8, 4.4, 3.9, 4.0)\na <- c(1, 1)",
        &s);
    check_rises(&f);
    const double one = margin(&f, "m[1]")->mean, two = margin(&f, "m[2]")->mean;
    assert_near(fmin(one, two), -3, 0.1);
    assert_near(fmax(one, two), 4.04, 0.1);
    assert_int_equal(f.result->n_conjugate, f.result->n_factors);
    dlp_bugs_free(f.model);
}

/* ---- the correlated topic model of one document ---- */

enum { K = 3, V = 4 };
static const double beta[K * V] = {0.5, 0.1, 0.2, /* [k, v] in R's order */
                                   0.2, 0.3, 0.1, 0.2, 0.5, 0.1, 0.1, 0.1, 0.6};
static const double mu0[K] = {0.3, -0.2, 0.1};
static const double omega[K * K] = {1.5, 0.4, 0, 0.4, 1.2, -0.3, 0, -0.3, 0.9};
static const int32_t count[V] = {4, 3, 5, 2};

/* The inverse of omega, by cofactors. */
static void invert(const double *a, double *out)
{
    const double det = a[0] * (a[4] * a[8] - a[5] * a[7]) -
                       a[1] * (a[3] * a[8] - a[5] * a[6]) +
                       a[2] * (a[3] * a[7] - a[4] * a[6]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            out[3 * i + j] =
                (a[3 * p + r] * a[3 * q + s] - a[3 * p + s] * a[3 * q + r]) / det;
        }
}

static void test_topics_of_a_document(void **state)
{
    (void)state;
    dlp_topics topics;
    dlp_document_posterior *posterior = NULL;
    dlp_document_settings how = dlp_document_settings_default();
    dlp_document_result c;
    double Sigma[K * K], w[14];
    int n = 0;
    static const int32_t term[V] = {0, 1, 2, 3};
    assert_ok(dlp_topics_alloc(K, V, 1, &topics, error));
    for (int k = 0; k < K; k++) {
        topics.Gamma[k] = mu0[k];
        for (int v = 0; v < V; v++) topics.beta[k * V + v] = beta[k + v * K];
    }
    invert(omega, topics.Sigma0);
    how.tol = 1e-12;
    how.max_iter = 10000;
    assert_ok(dlp_document_posterior_alloc(&topics, &how, &posterior, error));
    const dlp_document document = {.n = V, .term = term, .count = count};
    assert_ok(dlp_document_infer(posterior, &document, &c, error));
    assert_int_equal(dlp_document_covariance(posterior, 0, Sigma), 1);
    for (int v = 0; v < V; v++)
        for (int i = 0; i < count[v]; i++) w[n++] = v + 1;
    static const dlp_index words_n[] = {14}, rows[] = {K}, square[] = {K, K},
                           table[] = {K, V};
    const dlp_bugs_array data[] = {{"w", 1, words_n, w},
                                   {"mu0", 1, rows, mu0},
                                   {"Omega", 2, square, omega},
                                   {"beta", 2, table, beta}};
    const dlp_bugs_settings s = factored();
    fitted f = fit_arrays(
        "model { theta[1:3] ~ dmnorm(mu0, Omega)\n"
        "for (k in 1:3) { p[k] <- exp(theta[k]) / sum(exp(theta[])) }\n"
        "for (n in 1:14) { z[n] ~ dcat(p[])\n w[n] ~ dcat(beta[z[n], ]) } }",
        4, data, 0, NULL, &s);
    for (int k = 0; k < K; k++) {
        char name[16];
        snprintf(name, sizeof name, "theta[%d]", k + 1);
        assert_near(margin(&f, name)->mean, c.mu[k], 1e-8);
        assert_near(margin(&f, name)->sd, sqrt(Sigma[k * K + k]), 1e-8);
    }
    assert_near(last_objective(&f), dlp_document_objective(posterior), 1e-8);
    dlp_bugs_free(f.model);
    dlp_document_posterior_free(posterior);
    dlp_topics_free(&topics);
}

/* ---- derivatives ---- */

/* f of every Gaussian factor of a model, with others that it does not part from. */
static void check_derivatives(const char *factor)
{
    bugs_read *r = bugs_good(
        "model { for (i in 1:6) { y[i] ~ dbern(p[i])\n"
        "logit(p[i]) <- a + b * x[i] + sigma * u[g[i]]\n n[i] ~ dpois(exp(a * s + "
        "u[g[i]])) }\n"
        "for (j in 1:2) { u[j] ~ dnorm(0, 1) }\n a ~ dnorm(0, 0.1)\n b ~ dt(0, 1, 4)\n"
        "sigma ~ dunif(0, 3)\n s ~ dgamma(2, 2)\n m ~ dnorm(a, t)\n c ~ dnorm(m, t)\n"
        "t ~ dlnorm(0, 1) }",
        "y <- c(0, 1, 1, 0, 1, 1)\nx <- c(-1, 0.3, 0.8, 1.1, -0.4, 2)\n"
        "g <- c(1, 1, 2, 2, 1, 2)\nn <- c(0, 2, 1, 3, 1, 0)\nc <- 0.7");
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_meanfield mf = {0};
    dlpi_listener listener = {0};
    dlp_bugs_settings s = factored();
    s.factor = factor;
    s.method = "delta";
    double start[64];
    for (int i = 0; i < 64; i++) start[i] = NAN;
    assert_ok(dlpi_lowering_make(r->graph, NULL, &lowering, error));
    assert_ok(
        dlpi_meanfield_find(&lowering, &factors, &s, &listener, start, NULL, &mf, error));
    int joint = 0;
    for (dlp_index i = 0; i < mf.n_q; i++) {
        const dlpi_q *q = &mf.q[i];
        if (q->family != DLPI_GAUSSIAN) continue;
        joint += !q->apart;
        dlpi_of_q of = {&mf, (int32_t)i};
        static const dlp_model_type type = {.size = sizeof type,
                                            .name = "factor",
                                            .f = dlpi_meanfield_f,
                                            .derivatives = 2,
                                            .trace_grad = dlpi_meanfield_trace_grad};
        const dlp_model model = {&type, &of, dlp_shape_dense(q->n), 0};
        dlp_check check;
        dlpi_meanfield_weigh(&mf, (int32_t)i);
        assert_ok(dlp_check_derivatives(&model, 3, NULL, 7, &check, error));
        if (check.error > 1e-6) {
            char line[200];
            dlp_check_describe(&check, line, sizeof line);
            fail_msg("%s", line);
        }
        assert_true(check.trace_grad.checked);
    }
    assert_true(joint > 1);
    dlpi_meanfield_clear(&mf);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
    bugs_close(r);
}

static void test_derivatives(void **state)
{
    (void)state;
    check_derivatives("joint");
    check_derivatives("scalar");
}

/* ---- methods of nodes ---- */

static void refused(const char *model, const char *data, const dlp_bugs_settings *s,
                    const char *says)
{
    dlp_error error = {0};
    dlp_bugs *m = NULL;
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text = model;
    input.data_text = data;
    input.data_name = "data.R";
    if (dlp_bugs_read(&input, &m, &error) != DLP_OK) fail_msg("%s", error.message);
    assert_int_not_equal(dlp_bugs_fit(m, s, &error), DLP_OK);
    if (!strstr(error.message, says)) fail_msg("%s", error.message);
    dlp_bugs_free(m);
}

static void test_methods(void **state)
{
    (void)state;
    static const char model[] =
        "model { for (i in 1:4) { y[i] ~ dpois(mu)\n z[i] ~ dnorm(a, t) }\n"
        "log(mu) <- a + b\n a ~ dnorm(0, 1)\n b ~ dnorm(0, 1)\n t ~ dgamma(1, 1)\n k ~ "
        "dbern(0.5)\n"
        "x ~ dnorm(k, 1) }";
    static const char data[] = "y <- c(2, 1, 4, 0)\nz <- c(0.1, 1, 0.4, 0.3)\nx <- 0.7";
    const char *one[] = {"t=delta"}, *two[] = {"a=laplace", "b=delta"};
    dlp_bugs_settings s = factored();
    s.node = one;
    s.n_nodes = 1;
    fitted f = bugs_fit_text(model, data, &s);
    for (int i = 0; i < f.result->n_plans; i++)
        if (strcmp(f.result->plan[i].name, "t") == 0)
            assert_string_equal(f.result->plan[i].method, "delta");
    dlp_bugs_free(f.model);
    one[0] = "t=conjugate";
    f = bugs_fit_text(model, data, &s);
    dlp_bugs_free(f.model);
    one[0] = "a=conjugate";
    refused(model, data, &s, "not conjugate");
    one[0] = "k=delta";
    refused(model, data, &s, "discrete");
    one[0] = "q=delta";
    refused(model, data, &s, "not a variable");
    one[0] = "t=newton";
    refused(model, data, &s, "not a method");
    one[0] = "t";
    refused(model, data, &s, "names no method");
    s.node = two;
    s.n_nodes = 2;
    refused(model, data, &s, "shares a Gaussian");
    s.factor = "scalar";
    f = bugs_fit_text(model, data, &s);
    dlp_bugs_free(f.model);
    s = dlp_bugs_settings_default();
    s.node = two;
    s.n_nodes = 2;
    refused(model, data, &s, "a method for nodes needs a fit by factors");
    s = factored();
    s.hyper = "full";
    refused(model, data, &s, "hyper is");
    s = factored();
    s.verify = 99;
    refused(model, data, &s, "at least 100 draws");
    s.verify = 100;
    refused(model, data, &s, "not for a fit by factors");
}

/* A log-normal prior that the data leave alone: the mean and sd are known in closed form,
   however far the tail reaches. */
static void test_log_normal(void **state)
{
    (void)state;
    dlp_bugs_settings s = factored();
    s.factor = "scalar";
    fitted f = bugs_fit_text("model { x ~ dlnorm(0, 0.04)\n y ~ dnorm(x, 1.0E-40) }",
                             "y <- 1", &s);
    const dlp_margin *m = NULL;
    for (dlp_index i = 0; i < f.result->n_nodes; i++)
        if (strcmp(f.result->node[i].name, "x") == 0) m = &f.result->node[i].margin;
    assert_non_null(m);
    assert_near(m->mean / exp(12.5), 1, 1e-6);
    assert_near(m->sd / (exp(12.5) * sqrt(expm1(25))), 1, 1e-6);
    dlp_bugs_free(f.model);
}

/* States that exclude each other cannot be independent; too many of them can, and the
   message says how. */
static void test_discrete(void **state)
{
    (void)state;
    const dlp_bugs_settings s = factored();
    refused(
        "model { a ~ dbern(0.5)\n b ~ dbern(a * p)\n p ~ dunif(0, 1)\n"
        "y ~ dnorm(a + b, 1) }",
        "y <- 1.2", &s, "exclude each other");
    static const char tied[] =
        "model { for (i in 1:12) { z[i] ~ dcat(p[])\n u[i] ~ dcat(p[]) }\n"
        "for (i in 1:12) { for (j in 1:12) { y[i, j] ~ dnorm(z[i] - u[j], 1) } }\n"
        "p[1:3] ~ ddirch(a[]) }";
    char data[2000] = "a <- c(1, 1, 1)\ny <- structure(c(0";
    for (int i = 1; i < 144; i++)
        snprintf(data + strlen(data), sizeof data - strlen(data), ", %d", i % 3 - 1);
    snprintf(data + strlen(data), sizeof data - strlen(data), "), .Dim = c(12, 12))");
    refused(tied, data, NULL, "fit independent factors");
    fitted f = bugs_fit_text(tied, data, &s);
    check_rises(&f);
    dlp_bugs_free(f.model);
}

/* The same bits again, and no more factors than are asked for drawn. */
static void test_same_again(void **state)
{
    (void)state;
    static const char model[] =
        "model { for (i in 1:6) { y[i] ~ dbin(p[i], 5)\n logit(p[i]) <- b[i]\n"
        "b[i] ~ dnorm(mu, tau) }\n mu ~ dnorm(0, 0.1)\n tau ~ dgamma(1, 1)\n"
        "new ~ dnorm(mu, tau)\n best <- max(b[1], b[2]) }";
    static const char data[] = "y <- c(2, 1, 4, 0, 3, 5)";
    dlp_bugs_settings s = factored();
    fitted f = bugs_fit_text(model, data, &s), g = bugs_fit_text(model, data, &s);
    assert_int_equal(f.result->n_nodes, g.result->n_nodes);
    for (dlp_index i = 0; i < f.result->n_nodes; i++)
        assert_memory_equal(&f.result->node[i].margin, &g.result->node[i].margin,
                            sizeof f.result->node[i].margin);
    assert_true(isfinite(margin(&f, "new")->mean));
    assert_true(isfinite(margin(&f, "best")->sd));
    dlp_bugs_free(f.model);
    dlp_bugs_free(g.model);
}

/* ---- cancelled ---- */

typedef struct caller {
    int calls, last, iteration; /* stops at call `last`; the sweep told by then */
    double objective;
} caller;

static int listen_to(void *context, const dlp_progress *p)
{
    caller *c = context;
    c->iteration = p->iteration;
    c->objective = p->objective;
    return ++c->calls == c->last;
}

/* The sweeps that were told are the sweeps of the result; a part of one is none. With a
   whole one there is a posterior. */
static bool stop_at(dlp_bugs *bugs, const char *method, int call)
{
    caller c = {.last = call};
    dlp_bugs_settings s = factored();
    s.method = method;
    s.progress = listen_to;
    s.context = &c;
    const dlp_status status = dlp_bugs_fit(bugs, &s, NULL);
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    if (c.iteration == 0) {
        assert_int_equal(status, DLP_ECANCELLED);
        return true;
    }
    assert_int_equal(status, DLP_OK);
    assert_int_equal(r->sweeps, c.iteration);
    assert_true(r->objective[r->sweeps - 1] == c.objective);
    for (dlp_index i = 0; i < r->n_nodes; i++) assert_true(r->node[i].margin.sd > 0);
    return r->outcome == DLP_CANCELLED;
}

static void every_call_can_stop_sweeps(void **state)
{
    (void)state;
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text =
        "model { for (i in 1:N) { y[i] ~ dpois(exp(a + b[i]))\n"
        " b[i] ~ dnorm(0, tau) }\n a ~ dnorm(0, 0.1)\n"
        " tau ~ dgamma(2, 1) }";
    input.data_text = "N <- 6\ny <- c(3, 0, 7, 2, 1, 12)";
    input.data_name = "data.R";
    for (int delta = 0; delta < 2; delta++) {
        int call = 1;
        dlp_bugs *bugs = NULL;
        assert_ok(dlp_bugs_read(&input, &bugs, error));
        const dlp_bugs_totals t = dlp_bugs_count(bugs);
        assert_int_equal(t.variables, 5);
        assert_int_equal(t.constant, 1); /* N */
        assert_int_equal(t.observed, 6); /* y */
        assert_int_equal(t.latent, 8);   /* b, a and tau */
        assert_int_equal(t.deterministic, 0);
        while (stop_at(bugs, delta ? "delta" : "laplace", call)) call += 1 + call / 8;
        assert_true(call > 20);
        dlp_bugs_free(bugs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beta_binomial),
        cmocka_unit_test(test_gamma_rate),
        cmocka_unit_test(test_wishart),
        cmocka_unit_test(test_uniform_sd),
        cmocka_unit_test(test_normal_gamma),
        cmocka_unit_test(test_lda),
        cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_topics_of_a_document),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_log_normal),
        cmocka_unit_test(test_discrete),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(every_call_can_stop_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
