/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DLP_CLI_SHARE_TEXT_H
#define DLP_CLI_SHARE_TEXT_H

/* Room for what follows: six digits, point, zeros, sign and exponent, and the end. */
enum { CLI_SHARE_TEXT = 16 };

/* Writes a number from 0 to 1 as printf's %.6g does in the C locale, several times as
   fast. Returns the end, where a 0 stands. */
char *cli_share_text(double x, char out[CLI_SHARE_TEXT]);

#endif
