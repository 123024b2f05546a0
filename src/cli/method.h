/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of inference, in words for people. */
#ifndef DLP_CLI_METHOD_H
#define DLP_CLI_METHOD_H

/* How a sentence calls the method of that name, "the delta method"; the name itself where
   nothing better is known. */
const char *cli_method_phrase(const char *name);
/* What it means for the answer: "a Gaussian at the posterior mode"; NULL: nothing is
   known. */
const char *cli_method_meaning(const char *name);
/* The routes to a solution, of --route. */
const char *cli_route(int i);

#endif
