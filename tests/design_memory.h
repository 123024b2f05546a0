/* SPDX-License-Identifier: BSD-3-Clause */
/* Designs when memory runs out, for a program that is linked as failing_allocator.h
   says. */
#ifndef DLP_TESTS_DESIGN_MEMORY_H
#define DLP_TESTS_DESIGN_MEMORY_H

#include "design_support.h"
#include "failing_allocator.h"

/* Does everything once: a fit, its terms copied, and the design built again. */
static inline dlp_status do_everything(const char *text, dlp_error *error)
{
    dlp_design *fit = NULL, *again = NULL;
    dlp_terms *copy = NULL;
    dlp_status status = try_build(text, NULL, &fit, error);
    if (status == DLP_OK) status = dlp_terms_copy(fit->terms, &copy, error);
    if (status == DLP_OK) status = dlp_design_rebuild(copy, table, NULL, &again, error);
    dlp_design_free(again);
    dlp_terms_free(copy);
    dlp_design_free(fit);
    return status;
}

/* Lets the first allocation fail, then the second, and so on, until it ends as it should;
   returns how many it took. */
static inline int assert_ends(const char *text, dlp_status in_the_end)
{
    dlp_status status = DLP_ENOMEM;
    int n = 0;
    for (; status == DLP_ENOMEM; n++) {
        dlp_error error = {0};
        allocations_left = n;
        status = do_everything(text, &error);
        if (allocations_left >= 0) assert_int_equal(status, in_the_end);
        if (status == DLP_ENOMEM)
            assert_non_null(strstr(error.message, "not enough memory"));
        allocations_left = -1;
    }
    assert_int_equal(status, in_the_end);
    return n;
}

#endif
