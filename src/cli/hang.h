/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file system that hangs: a thread looks once a second at what the others wait for. It
 * says so after a minute, and ends the program when DELAPLACE_FILE_TIMEOUT seconds (half an
 * hour) have passed; 0 waits for ever.
 */
#ifndef DLP_CLI_HANG_H
#define DLP_CLI_HANG_H

/* Once, before a command runs. Without a thread to be had nothing is watched. */
void cli_hang_watch(void);

#endif
