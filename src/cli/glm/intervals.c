/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/intervals.h"

#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_intervals_read(const char *command, const char *text, cli_intervals *out)
{
    *out = (cli_intervals){.n = 0};
    for (const char *at = text ? text : CLI_TEXT_OF(DLP_INTERVAL_LEVEL); *at;) {
        char *end;
        const double level = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(level > 0 && level < 1))
            return cli_misuse(command,
                              "--level %s: a level lies between 0 and 1, as in 0.9 or "
                              "0.5,0.9",
                              text);
        if (out->n == CLI_MOST_INTERVALS)
            return cli_misuse(command, "--level takes at most %d levels",
                              CLI_MOST_INTERVALS);
        out->level[out->n++] = level;
        at = *end ? end + 1 : end;
    }
    if (out->n == 0) return cli_misuse(command, "--level needs a number, as in 0.9");
    return CLI_DONE;
}

void cli_interval_title(double level, const char *of, char *out, size_t room)
{
    snprintf(out, room, "%.4g %% %s", 100 * level, of);
}
