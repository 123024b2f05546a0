/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/blas.h"
#include "math/clones.h"

#include <delaplace/build.h>
#include <delaplace/version.h>

#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

#ifdef DLPI_HAVE_MPI
enum { HAVE_MPI = 1 };
#else
enum { HAVE_MPI = 0 };
#endif

#ifdef DLPI_HAVE_TEXT
enum { HAVE_TEXT = 1 };
#else
enum { HAVE_TEXT = 0 };
#endif

#ifdef DLPI_HAVE_ICU
enum { HAVE_ICU = 1 };
#else
enum { HAVE_ICU = 0 };
#endif

#ifdef DLPI_HAVE_LIBXML2
enum { HAVE_LIBXML2 = 1 };
#else
enum { HAVE_LIBXML2 = 0 };
#endif

#ifdef DLPI_HAVE_COMPRESSION
enum { HAVE_COMPRESSION = 1 };
#else
enum { HAVE_COMPRESSION = 0 };
#endif

#ifdef DLPI_CLONE_SETS
/* As the loader chooses: the last set that the machine has. */
static const char *chosen_set(void)
{
    if (__builtin_cpu_supports("avx512f")) return "avx512f";
    return __builtin_cpu_supports("avx2") ? "avx2" : "default";
}
#else
#define DLPI_CLONE_SETS "default"
static const char *chosen_set(void)
{
    return "default";
}
#endif

const char *dlp_version(void)
{
    return DLP_VERSION;
}

dlp_build dlp_build_facts(void)
{
    return (dlp_build){.version = dlp_version(),
                       .compiler = COMPILER,
                       .type = DLPI_BUILD_TYPE,
                       .blas = dlpi_blas_name(),
                       .openmp = _OPENMP,
                       .mpi = HAVE_MPI,
                       .instruction_sets = DLPI_CLONE_SETS,
                       .instruction_set = chosen_set(),
                       .text = HAVE_TEXT,
                       .compression = HAVE_COMPRESSION,
                       .icu = HAVE_ICU,
                       .libxml2 = HAVE_LIBXML2};
}
