/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of each file, and what they share. Internal. */
#ifndef DLPI_BUGS_FUNCTIONS_H
#define DLPI_BUGS_FUNCTIONS_H

#include "core/core.h"
#include "density/algebra.h"

#define DLPI_BUILD                                                                       \
    const dlpi_bugs_function *f, dlpi_builder *b, int n_args, const dlpi_value *args,    \
        dlpi_value *result, dlp_error *error

extern const dlpi_bugs_function dlpi_element_functions[], dlpi_vector_functions[],
    dlpi_probability_functions[];
extern const int dlpi_n_element_functions, dlpi_n_vector_functions,
    dlpi_n_probability_functions;

/* A result of one number. */
dlp_status dlpi_scalar_result(dlpi_builder *b, dlpi_expr e, dlpi_value *result,
                              dlp_error *error);
/* Room for a result; dim NULL: a vector of n. */
dlpi_expr *dlpi_array_result(dlpi_builder *b, dlp_index n, int n_dim,
                             const dlp_index *dim, dlpi_value *result);
/* The shape that all arguments other than single numbers share: that of the result of a
   function that works element by element. */
dlp_status dlpi_common_shape(const dlpi_bugs_function *f, int n_args,
                             const dlpi_value *args, const dlpi_value **shape,
                             dlp_error *error);

#endif
