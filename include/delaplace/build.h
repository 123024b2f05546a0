/* SPDX-License-Identifier: BSD-3-Clause */
/* How the library was built, and which parts of it this machine uses: for bug reports. */
#ifndef DELAPLACE_BUILD_H
#define DELAPLACE_BUILD_H

#include <delaplace/export.h>
#include <delaplace/version.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The texts live as long as the library. */
typedef struct dlp_build {
    const char *version;  /* dlp_version() */
    const char *compiler; /* "GCC 12.2.0" */
    const char *type;     /* CMake's: "RelWithDebInfo" */
    const char *blas;     /* the file that is loaded when a matrix is large, such as
                                     "libopenblas.so.0", or "linked" */
    int openmp;           /* year and month of the OpenMP specification: 201511 */
    bool mpi;             /* MPI is supported */
    const char *instruction_sets; /* those that the hot kernels are compiled for, from
                                     slow to fast, separated by blanks: "default avx2
                                     avx512f" */
    const char *instruction_set;  /* the one of them that this machine runs */
    bool text;                    /* <delaplace/text.h> works */
    bool compression;             /* compressed files are read and written */
    bool icu;     /* words are found in scripts without blanks between them */
    bool libxml2; /* text is taken out of HTML and XML */
} dlp_build;

DLP_API dlp_build dlp_build_facts(void);

#ifdef __cplusplus
}
#endif

#endif
