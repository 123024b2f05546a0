/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/enough.h"

#include "cli/report.h"
#include "cli/say.h"

dlp_index cli_topics_enough(dlp_index D)
{
    if (D < 4) return 0;
    return D / 10 > 2 ? D / 10 : 2;
}

void cli_topics_note_many(const char *path, dlp_index D, dlp_index K, bool compare)
{
    const dlp_index enough = cli_topics_enough(D);
    if (K <= D / 2) return;
    if (enough == 0)
        cli_note("%s: %td document%s too few to tell %td topics apart", path, D,
                 D == 1 ? " is" : "s are", K);
    else
        cli_note("%s: %td documents are too few to tell %td topics apart; try -k %td%s",
                 path, D, K, enough,
                 compare ? ", or compare with 'topics search-k'" : "");
}
