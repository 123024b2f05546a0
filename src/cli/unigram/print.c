/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of the unigram model on one screen. */
#include "cli/corpus/source.h"
#include "cli/method.h"
#include "cli/report.h"
#include "cli/unigram/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERM_WIDTH = 20, INTERVAL_WIDTH = 20, BAR_WIDTH = 16 };

/* A term and what it is ranked by. */
typedef struct ranked {
    double parameter;
    dlp_index term;
} ranked;

/* The largest first; of equals, the first in the vocabulary. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->parameter != right->parameter)
        return left->parameter > right->parameter ? -1 : 1;
    return left->term < right->term ? -1 : 1;
}

/* exp theta is log-normal: its sd and its quantiles follow from theta's. */
static void print_row(const cli_unigram *fit, dlp_index v, double largest, bool bars)
{
    char number[32], interval[64];
    const double mu = fit->result->mu[v], sd = fit->sd[v];
    const double parameter = exp(mu + sd * sd / 2),
                 spread = parameter * sqrt(expm1(sd * sd));
    const cli_interval theta = cli_interval_of(mu, sd);
    snprintf(interval, sizeof interval, "[%.4g, %.4g]", exp(theta.lower),
             exp(theta.upper));
    fputs("  ", stdout);
    cli_print_name(cli_corpus_term(fit->corpus, v, number), TERM_WIDTH);
    printf(" %10.4g %10.3g   %s", parameter, spread, interval);
    if (bars) {
        const int length = (int)lround(BAR_WIDTH * parameter / largest);
        printf("%*s ", INTERVAL_WIDTH - (int)strlen(interval), "");
        for (int i = 0; i < length; i++) putchar('#');
    }
    putchar('\n');
}

static dlp_status print_top(const cli_unigram *fit, dlp_index top, bool bars,
                            dlp_error *error)
{
    const dlp_index V = fit->corpus->V;
    ranked *order = malloc(((size_t)V + 1) * sizeof *order);
    if (!order) return dlp_fail(error, DLP_ENOMEM, "not enough memory to sort the terms");
    for (dlp_index v = 0; v < V; v++) order[v] = (ranked){fit->dirichlet[v], v};
    qsort(order, (size_t)V, sizeof *order, compare_ranked);
    if (top > V) top = V;
    if (top > 0) {
        printf("\nThe %td largest of the Dirichlet's %td parameters, exp theta:\n", top,
               V);
        printf("  %-*s %10s %10s   95 %% interval\n", TERM_WIDTH, "term", "mean", "sd");
    }
    for (dlp_index i = 0; i < top; i++)
        print_row(fit, order[i].term, order[0].parameter, bars);
    free(order);
    return DLP_OK;
}

static void print_outcome(const cli_unigram *fit)
{
    const dlp_result *r = fit->result;
    printf("%s: %td documents, %td terms, %td words.\n", cli_input_name(fit->corpus_path),
           fit->corpus->D, fit->corpus->V, fit->corpus->words);
    printf(
        "The fit by %s%s %s after %d iteration%s (%ld evaluation%s of the log "
        "density).\n",
        cli_method_phrase(fit->settings->method),
        fit->settings->diagonal ? " (diagonal)" : "", cli_outcome_sentence(r->outcome),
        r->iterations, cli_plural(r->iterations), r->evaluations,
        cli_plural(r->evaluations));
    if (r->fallbacks)
        printf(
            "In %d of them the delta method had no solution; Laplace's method was used "
            "instead.\n",
            r->fallbacks);
    if (!r->valid) {
        printf(
            "\nNothing was estimated: no iteration succeeded. The numbers in %s are "
            "those that\nthe fit began with.\n",
            fit->output_path);
        return;
    }
    printf("\n  log evidence   %.8g, approximately", r->objective);
    const double per_word = cli_unigram_per_word(fit);
    if (isfinite(per_word)) printf(" (%.4f per word)", per_word);
    printf("\n  concentration  %.4g (the sum of the Dirichlet's parameters)\n",
           cli_unigram_concentration(fit));
}

/* The same fit once more: with more iterations when they ran out, as it was when it
   was cancelled, else by another method, whose answer should be close. */
static void print_next(const cli_unigram *fit)
{
    const dlp_settings *s = fit->settings;
    const bool longer = fit->result->outcome == DLP_MAX_ITERATIONS;
    const bool again = fit->result->outcome == DLP_CANCELLED;
    const char *other = strcmp(s->method, "laplace") != 0 ? "laplace" : "delta";
    printf("\nNext, %s:\n  delaplace unigram fit ", longer ? "let it run longer"
                                                    : again
                                                        ? "let it run to its end"
                                                        : "compare with another method");
    cli_print_shell_word(fit->corpus_path);
    if (fit->vocab_path) fputs(" --vocab ", stdout);
    if (fit->vocab_path) cli_print_shell_word(fit->vocab_path);
    printf(" --method %s", longer || again ? s->method : other);
    if (s->plain) fputs(" --route plain", stdout);
    if (s->diagonal) fputs(" --diagonal", stdout);
    if (s->tol != dlp_settings_default().tol) printf(" --tol %g", s->tol);
    if (longer) printf(" --max-iter %.0f", fmin(10.0 * s->max_iter, 1e6));
    fputs(" -o ", stdout);
    if (longer || again)
        cli_print_shell_word(fit->output_path);
    else
        printf("unigram-%s.json", other);
    putchar('\n');
}

dlp_status cli_unigram_print(const cli_unigram *fit, dlp_index top, bool bars,
                             dlp_error *error)
{
    print_outcome(fit);
    if (!fit->result->valid) {
        print_next(fit);
        return DLP_OK;
    }
    const dlp_status status = print_top(fit, top, bars, error);
    if (status != DLP_OK) return status;
    if (!fit->z_summed_out)
        puts(
            "\nThese sds hold the documents' proportions fixed and are far too small; "
            "the full sds\nexist only once the fit has converged.");
    printf("\nWritten to %s: all terms and the trace of the fit.\n", fit->output_path);
    print_next(fit);
    return DLP_OK;
}
