/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of inference, in words for users. */
#ifndef DLP_CLI_METHOD_H
#define DLP_CLI_METHOD_H

/* The name of the method in a sentence, "the delta method"; if there is no better one,
   the name as typed. */
const char *cli_method_phrase(const char *name);
/* What it means for the answer: "a Gaussian at the posterior mode"; NULL: unknown. */
const char *cli_method_meaning(const char *name);
/* The routes to a solution, for --route. */
const char *cli_route(int i);

#endif
