/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a fit of the language model. Internal. */
#ifndef DLPI_UNIGRAM_FIT_H
#define DLPI_UNIGRAM_FIT_H

#include "core/pool.h"

#include <delaplace/unigram.h>

struct dlp_unigram_fit {
    dlp_unigram_result result;
    dlp_unigram *model;
    dlp_fit *engine;
    double *sd, *sd_given_z; /* (V) */
    const char **term;       /* (V) NULL: no names */
    struct dlpi_pool pool;   /* owns all of these arrays, and the names */
};

#endif
