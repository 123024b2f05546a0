/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitted against observed responses, as a picture for a paper. */
#include "cli/glm/view.h"
#include "cli/print.h"
#include "io/print_file.h"
#include "report/plot_calibration.h"

enum { WORDS = 512 };

typedef struct drawing {
    const dlp_calibration *calibration;
    const char *title;
    char caption[WORDS], warning[WORDS];
} drawing;

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_calibration plot = {.page = {.title = d->title,
                                            .kind = "Observed against fitted",
                                            .caption = d->caption,
                                            .warning = d->warning,
                                            .width = DLPI_SVG_PAPER},
                                   .shares = d->calibration->shares,
                                   .n = d->calibration->n,
                                   .series = d->calibration->series};
    dlpi_plot_calibration(out, &plot);
}

dlp_status cli_calibration_write_svg(const dlp_regression *regression,
                                     const dlp_calibration *calibration, const char *path,
                                     dlp_error *error)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    drawing d = {.calibration = calibration, .title = fit->formula};
    const bool points = calibration->series[0].points > 0;
    snprintf(d.caption, sizeof d.caption,
             "%td row%s, sorted by fitted value and divided into parts of equal size: in "
             "each, the mean fitted and the mean observed, with a 95 %% interval%s. On "
             "the diagonal, the fit is right on average.",
             calibration->rows, cli_plural(calibration->rows),
             points ? "; pale, the rows themselves" : "");
    cli_glm_warn(fit, d.warning, sizeof d.warning);
    return dlpi_print_file(path, print_svg, &d, error);
}
