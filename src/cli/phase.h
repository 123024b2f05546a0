/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a command is doing, for those who wait or want to know: phases, one after another,
 * such as "reading x.csv". A phase that takes a while has a line on stderr: on a terminal
 * one that disappears when the phase ends; elsewhere plain ones, ever less often,
 * starting ten seconds into the command. With --verbose each phase leaves a line that
 * says what it found and how long it took, wherever stderr goes; with --quiet nothing is
 * printed.
 */
#ifndef DLP_CLI_PHASE_H
#define DLP_CLI_PHASE_H

#include "cli/options.h"

#include <delaplace.h>

/* Call around a command. If one command runs another, only the outer call counts. */
void cli_phases_begin(const cli_common *common);
void cli_phases_end(void);

/* Begins a phase by its name, "reading x.csv"; ends one that is still open. */
void cli_phase_begin(const char *format, ...) DLP_PRINTF(1, 2);
/* What its line says after the name; by default, how many seconds it has lasted. */
void cli_phase_show(const char *format, ...) DLP_PRINTF(1, 2);
/* What --verbose says after the name when the phase ends. */
void cli_phase_note(const char *format, ...) DLP_PRINTF(1, 2);
/* Call before printing anything to stdout. Harmless where no phase is open. */
void cli_phase_end(void);

/* Whether --quiet was typed. */
bool cli_phases_are_quiet(void);

/* Prints a line for --verbose immediately. */
void cli_verbose(const char *format, ...) DLP_PRINTF(1, 2);

/* Seconds since some fixed moment; never goes back. */
double cli_seconds(void);

#endif
