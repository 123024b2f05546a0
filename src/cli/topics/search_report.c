/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares numbers of topics, as text, CSV and JSON. */
#include "cli/print.h"
#include "cli/topics/search.h"
#include "io/json.h"
#include "io/print_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- text ---- */

static void print_row(const dlp_search_row *row, bool best)
{
    char coherence[32] = "-"; /* if words of a topic never co-occur */
    if (!isnan(row->coherence))
        snprintf(coherence, sizeof coherence, "%.4f", row->coherence);
    printf("  %5td %10.4f %10.4f%s %10s %12.4f %11d %9.1f", row->K,
           row->objective_per_word, row->heldout_per_word, best ? "*" : " ", coherence,
           row->exclusivity, row->iterations, row->seconds);
    if (row->outcome != DLP_CONVERGED) printf("  %s", dlp_outcome_name(row->outcome));
    putchar('\n');
}

/* For several splits: the standard deviations, and the dispersion of residuals. */
static void print_spread(const dlp_search_row *row)
{
    if (!isfinite(row->heldout_sd)) return;
    printf("  %5s %10s %10.4f  %10.4f %12.4f   dispersion %.3f, sd %.3f\n", "sd", "",
           row->heldout_sd, row->coherence_sd, row->exclusivity_sd, row->dispersion,
           row->dispersion_sd);
}

/* If the best K is at an end of the list, a better one may lie beyond it. */
static void print_edge(const dlp_search_advice *a)
{
    if (a->more)
        printf("%td is the largest K tried: larger ones are worth trying, too.\n",
               a->largest);
    else if (a->suggested == a->largest && a->least < a->largest)
        printf(
            "Held-out still grows at the largest K, where topics are less coherent than "
            "at K = %td:\nmore topics would predict words better, but be harder to "
            "interpret.\n",
            a->best_coherence);
    else if (a->best_held_out == a->largest && a->least < a->largest)
        puts("Held-out still grows at the largest K, but by too little to ask for more.");
    if (a->fewer)
        printf("%td is the smallest K tried: smaller ones are worth trying, too.\n",
               a->least);
}

static void print_advice(const dlp_search_advice *a, const char *path)
{
    printf("\nHeld-out is best at K = %td (*)", a->best_held_out);
    if (a->best_coherence) printf(", coherence at K = %td", a->best_coherence);
    puts(
        ". Evidence (its approximate\nlogarithm) and held-out (the log likelihood) are "
        "per "
        "word.");
    print_edge(a);
    if (a->suggested != a->best_held_out)
        printf("K = %td is the smallest whose held-out is within %g %% of the best.\n",
               a->suggested, 100 * DLP_SEARCH_CLOSE);
    else if (a->least < a->suggested)
        printf("No smaller K comes within %g %% of it.\n", 100 * DLP_SEARCH_CLOSE);
    fputs("\nNext, fit that many to all documents:\n  delaplace topics fit ", stdout);
    cli_print_shell_word(path);
    printf(" -k %td -o model\n", a->suggested);
}

void cli_search_print(const cli_search *search, const char *path)
{
    const dlp_search_advice advice = dlp_topic_search_advise(search->search);
    printf("Fitted to %td document%s, scored on held-out words of %td other%s.\n\n",
           search->train->D, cli_plural(search->train->D), search->test->D,
           cli_plural(search->test->D));
    printf("  %5s %10s %10s  %10s %12s %11s %9s\n", "K", "evidence", "held-out",
           "coherence", "exclusivity", "iterations", "seconds");
    for (dlp_index i = 0; i < search->done; i++) {
        print_row(&search->row[i], search->row[i].K == advice.best_held_out);
        print_spread(&search->row[i]);
    }
    if (advice.suggested) print_advice(&advice, path);
}

/* ---- CSV ---- */

/* Prints an empty field for a missing number. */
static void print_number(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, "%.10g,", x);
    else
        fputc(',', out);
}

static void print_csv(FILE *out, const void *what)
{
    const cli_search *search = what;
    fputs(
        "K,log_evidence_per_word,heldout_per_word,coherence,exclusivity,iterations,"
        "outcome,seconds,dispersion,heldout_sd,coherence_sd,exclusivity_sd,dispersion_"
        "sd\n",
        out);
    for (dlp_index i = 0; i < search->done; i++) {
        const dlp_search_row *row = &search->row[i];
        fprintf(out, "%td,", row->K);
        print_number(out, row->objective_per_word);
        print_number(out, row->heldout_per_word);
        print_number(out, row->coherence);
        print_number(out, row->exclusivity);
        fprintf(out, "%d,%s,%.3f,", row->iterations, dlp_outcome_name(row->outcome),
                row->seconds);
        print_number(out, row->dispersion);
        print_number(out, row->heldout_sd);
        print_number(out, row->coherence_sd);
        print_number(out, row->exclusivity_sd);
        if (isfinite(row->dispersion_sd)) fprintf(out, "%.10g", row->dispersion_sd);
        fputc('\n', out);
    }
}

dlp_status cli_search_write_csv(const cli_search *search, const char *path,
                                dlp_error *error)
{
    return dlpi_print_file(path, print_csv, search, error);
}

/* ---- JSON ---- */

static json_t *row_json(const dlp_search_row *row)
{
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "K",
        (json_int_t)row->K, "log_evidence_per_word",
        dlpi_json_real(row->objective_per_word), "heldout_per_word",
        dlpi_json_real(row->heldout_per_word), "coherence",
        dlpi_json_real(row->coherence), "exclusivity", dlpi_json_real(row->exclusivity),
        "iterations", row->iterations, "outcome", dlp_outcome_name(row->outcome),
        "seconds", dlpi_json_real(row->seconds), "dispersion",
        dlpi_json_real(row->dispersion), "heldout_sd", dlpi_json_real(row->heldout_sd),
        "coherence_sd", dlpi_json_real(row->coherence_sd), "exclusivity_sd",
        dlpi_json_real(row->exclusivity_sd), "dispersion_sd",
        dlpi_json_real(row->dispersion_sd));
}

static json_t *topics_json(dlp_index K)
{
    return K > 0 ? json_integer((json_int_t)K) : json_null();
}

json_t *cli_search_json(const cli_search *search)
{
    const dlp_search_advice advice = dlp_topic_search_advise(search->search);
    json_t *list = json_array();
    int failed = !list;
    for (dlp_index i = 0; i < search->done && !failed; i++)
        failed = json_array_append_new(list, row_json(&search->row[i]));
    if (!failed)
        return json_pack("{s:{s:I, s:I}, s:{s:I, s:I}, s:o, s:o, s:o, s:o}", "train", "D",
                         (json_int_t)search->train->D, "words",
                         (json_int_t)search->train->words, "test", "D",
                         (json_int_t)search->test->D, "words",
                         (json_int_t)search->test->words, "fits", list, "best_held_out",
                         topics_json(advice.best_held_out), "best_coherence",
                         topics_json(advice.best_coherence), "suggested",
                         topics_json(advice.suggested));
    json_decref(list);
    return NULL;
}
