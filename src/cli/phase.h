/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a command is doing, for those who wait or want to know: phases, one after another,
 * such as "reading x.csv". A phase that lasts has a line on stderr: on a terminal one that
 * is gone when the phase ends; elsewhere plain ones, ever fewer, from the tenth second of a
 * command on. With --verbose each phase leaves a line that says what it found and how long
 * it took, wherever stderr goes; with --quiet there is nothing.
 */
#ifndef DLP_CLI_PHASE_H
#define DLP_CLI_PHASE_H

#include "cli/options.h"

#include <delaplace.h>

/* Around a command. Of one that another runs, the outer one counts. */
void cli_phases_begin(const cli_common *common);
void cli_phases_end(void);

/* Begins a phase by its name, "reading x.csv"; one that is still open ends. */
void cli_phase_begin(const char *format, ...) DLP_PRINTF(1, 2);
/* What its line says behind the name; without it, how many seconds it has lasted. */
void cli_phase_show(const char *format, ...) DLP_PRINTF(1, 2);
/* What --verbose says behind the name when the phase ends. */
void cli_phase_note(const char *format, ...) DLP_PRINTF(1, 2);
/* Nothing is printed to stdout before this. Fine where no phase is open. */
void cli_phase_end(void);

/* Whether --quiet was typed. */
bool cli_phases_are_quiet(void);

/* A line of --verbose, at once. */
void cli_verbose(const char *format, ...) DLP_PRINTF(1, 2);

/* Seconds since some moment; never back. */
double cli_seconds(void);

#endif
