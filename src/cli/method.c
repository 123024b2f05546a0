/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/method.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *phrase, *meaning;
} methods[] = {
    {"laplace", "Laplace's method",
     "a Gaussian at the posterior mode, with the curvature there"},
    {"delta", "the delta method",
     "a Gaussian near the posterior mean, with the curvature there"},
    {"previous-mean", "expansion at the previous mean",
     "a Gaussian at the posterior mode, with the curvature there"},
    {"jaakkola-jordan", "Jaakkola and Jordan's bound",
     "the Gaussian of a lower bound, whose sds are too small"},
    {"blei-lafferty", "Blei and Lafferty's method", NULL},
    {"dirichlet", "variational Bayes under a Dirichlet prior", NULL},
    {"expectation propagation", "expectation propagation",
     "a Gaussian that matches the posterior's mean and sds"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

const char *cli_method_phrase(const char *name)
{
    for (int i = 0; i < METHODS; i++)
        if (!strcmp(methods[i].name, name)) return methods[i].phrase;
    return name;
}

const char *cli_method_meaning(const char *name)
{
    for (int i = 0; i < METHODS; i++)
        if (!strcmp(methods[i].name, name)) return methods[i].meaning;
    return NULL;
}

const char *cli_route(int i)
{
    static const char *const routes[] = {"fast", "plain", NULL};
    return routes[i];
}
