/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of dlp_bugs_settings, read. Internal. */
#ifndef DLPI_BUGS_CHOICE_H
#define DLPI_BUGS_CHOICE_H

#include <delaplace/bugs.h>
#include <stdbool.h>

typedef struct dlpi_bugs_choice {
    bool integrates; /* stated, not only the default */
    bool factors;    /* q is a product over nodes */
    bool scalar;     /*     locations, too */
    bool delta;
} dlpi_bugs_choice;

dlp_status dlpi_bugs_choice_read(const dlp_bugs_settings *settings,
                                 dlpi_bugs_choice *choice, dlp_error *error);

#endif
