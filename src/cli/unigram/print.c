/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a fit of the unigram model. */
#include "cli/print.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/unigram/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERM_WIDTH = 20, INTERVAL_WIDTH = 20, BAR_WIDTH = 16 };

static void print_row(const dlp_unigram_fit *fit, dlp_index v, double largest, bool bars)
{
    char number[32], interval[64];
    const dlp_unigram_term t = dlp_unigram_fit_term(fit, v);
    snprintf(number, sizeof number, "%td", v);
    snprintf(interval, sizeof interval, "[%.4g, %.4g]", t.parameter_lower,
             t.parameter_upper);
    fputs("  ", stdout);
    cli_print_name(t.name ? t.name : number, TERM_WIDTH);
    printf(" %10.4g %10.3g   %s", t.parameter, t.parameter_sd, interval);
    if (bars) {
        const int length = (int)lround(BAR_WIDTH * t.parameter / largest);
        printf("%*s ", INTERVAL_WIDTH - (int)strlen(interval), "");
        for (int i = 0; i < length; i++) putchar('#');
    }
    putchar('\n');
}

/* The largest parameter, for the longest bar; the first term need not have it. */
static double largest_of(const dlp_unigram_fit *fit, const dlp_index *term, dlp_index n)
{
    double largest = 0;
    for (dlp_index i = 0; i < n; i++)
        largest = fmax(largest, dlp_unigram_fit_term(fit, term[i]).parameter);
    return largest;
}

static dlp_status print_top(const dlp_unigram_fit *fit, dlp_index top, bool bars,
                            dlp_error *error)
{
    const dlp_index V = dlp_unigram_fit_result(fit)->V;
    dlp_index *order = malloc(((size_t)V + 1) * sizeof *order);
    if (!order) return dlp_fail(error, DLP_ENOMEM, "not enough memory to sort the terms");
    const dlp_status status = dlp_unigram_fit_rank(fit, order, error);
    if (top > V) top = V;
    if (status == DLP_OK && top > 0) {
        const double largest = largest_of(fit, order, top);
        printf("\nThe %td largest of the Dirichlet's %td parameters, exp theta:\n", top,
               V);
        printf("  %-*s %10s %10s   95 %% interval\n", TERM_WIDTH, "term", "mean", "sd");
        for (dlp_index i = 0; i < top; i++) print_row(fit, order[i], largest, bars);
    }
    free(order);
    return status;
}

static void print_outcome(const cli_unigram *shown)
{
    const dlp_unigram_result *fit = dlp_unigram_fit_result(shown->fit);
    const dlp_result *r = fit->engine;
    printf("%s: %td documents, %td terms, %td words.\n",
           cli_input_name(shown->corpus_path), fit->D, fit->V, fit->words);
    printf("The fit by %s%s %s after %d iteration%s.\n", cli_method_phrase(fit->method),
           fit->diagonal ? " (diagonal)" : "", cli_outcome_sentence(r->outcome),
           r->iterations, cli_plural(r->iterations));
    if (r->fallbacks)
        printf(
            "In %d of them the delta method had no solution; Laplace's method was used "
            "instead.\n",
            r->fallbacks);
    if (!r->valid) {
        printf(
            "\nNothing was estimated: no iteration succeeded. The numbers in %s are "
            "only\nstarting values.\n",
            shown->output_path);
        return;
    }
    printf("\n  log evidence   %.8g, approximately", r->objective);
    if (isfinite(fit->objective_per_word))
        printf(" (%.4f per word)", fit->objective_per_word);
    printf("\n  concentration  %.4g (the sum of the Dirichlet's parameters)\n",
           fit->concentration);
}

/* Suggests the next fit: with more iterations if they ran out, unchanged if it was
   cancelled, else by another method, whose answer should be close. */
static void print_next(const cli_unigram *shown)
{
    const dlp_unigram_result *s = dlp_unigram_fit_result(shown->fit);
    const bool longer = s->engine->outcome == DLP_MAX_ITERATIONS;
    const bool again = s->engine->outcome == DLP_CANCELLED;
    const char *other = strcmp(s->method, "laplace") != 0 ? "laplace" : "delta";
    printf("\nNext, %s:\n  delaplace unigram fit ", longer ? "let it run longer"
                                                    : again
                                                        ? "let it run to its end"
                                                        : "compare with another method");
    cli_print_shell_word(shown->corpus_path);
    if (shown->vocab_path) fputs(" --vocab ", stdout);
    if (shown->vocab_path) cli_print_shell_word(shown->vocab_path);
    printf(" --method %s", longer || again ? s->method : other);
    if (s->plain) fputs(" --route plain", stdout);
    if (s->diagonal) fputs(" --diagonal", stdout);
    if (s->tol != dlp_settings_default().tol) printf(" --tol %g", s->tol);
    if (longer) printf(" --max-iter %d", dlp_more_iterations(s->max_iter));
    fputs(" -o ", stdout);
    if (longer || again)
        cli_print_shell_word(shown->output_path);
    else
        printf("unigram-%s.json", other);
    putchar('\n');
}

dlp_status cli_unigram_print(const cli_unigram *shown, dlp_index top, bool bars,
                             dlp_error *error)
{
    print_outcome(shown);
    if (!dlp_unigram_fit_result(shown->fit)->engine->valid) {
        print_next(shown);
        return DLP_OK;
    }
    const dlp_status status = print_top(shown->fit, top, bars, error);
    if (status != DLP_OK) return status;
    if (!dlp_unigram_fit_result(shown->fit)->z_summed_out)
        puts(
            "\nThese sds hold the documents' proportions fixed and are far too small; "
            "the full sds\nexist only once the fit has converged.");
    printf("\nWritten to %s: all terms and the trace of the fit.\n", shown->output_path);
    print_next(shown);
    return DLP_OK;
}
