/* SPDX-License-Identifier: BSD-3-Clause */
/* English words of grammar rather than of subject. The last line is what apostrophes leave
   behind: "we'll" is "we" and "ll". */
#include "corpus/text/stop_lists.h"

const char dlpi_stop_english[] =
    "a about above across after again against all almost alone along already\n"
    "also although always am among an and another any anybody anyhow anyone\n"
    "anything anyway anywhere are aren't around as at away be became because\n"
    "become becomes been before behind being below beside besides between\n"
    "beyond both but by can can't cannot could couldn't did didn't do does\n"
    "doesn't doing don't done down during each either else elsewhere enough etc\n"
    "even ever every everybody everyone everything everywhere except few for\n"
    "from further furthermore had hadn't has hasn't have haven't having he\n"
    "hence her here hers herself him himself his how however i if in instead\n"
    "into is isn't it its itself just less like many may me might mightn't mine\n"
    "more moreover most mostly much must mustn't my myself needn't neither\n"
    "never nevertheless no nobody none nor not nothing now nowhere of off often\n"
    "on once one ones only onto or other others otherwise ought our ours\n"
    "ourselves out over own per quite rather same seem seemed seeming seems\n"
    "several shall shan't she should shouldn't since so some somebody somehow\n"
    "someone something sometime sometimes somewhere still such than that the\n"
    "their theirs them themselves then there thereby therefore these they this\n"
    "those though through throughout thus to together too toward towards under\n"
    "unless until up upon us very via was wasn't we well were weren't what\n"
    "whatever when whenever where whereas whereby wherever whether which while\n"
    "who whom whose why will with within without won't would wouldn't yes yet\n"
    "you your yours yourself yourselves\n"
    "d ll m re s t ve\n";
