/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delaplace, the program: a client of the public header, like any other. It runs what the
 * command line says and makes sure that what it printed arrived.
 */
#include "cli/message.h"
#include "cli/run.h"

int main(int argc, char **argv)
{
    const int skipped = argc > 0; /* the program's own name */
    return cli_close_output(cli_run(argc - skipped, (const char *const *)argv + skipped));
}
