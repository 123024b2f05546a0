/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DLP_CLI_SHARE_TEXT_H
#define DLP_CLI_SHARE_TEXT_H

/* Room for the text below: six digits, point, zeros, sign and exponent, final 0. */
enum { CLI_SHARE_TEXT = 16 };

/* Writes a number from 0 to 1 as printf's %.6g does in the C locale, several times as
   fast. Returns a pointer to the terminating 0. */
char *cli_share_text(double x, char out[CLI_SHARE_TEXT]);

#endif
