/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How one portable binary is fast on each machine. A hot kernel is compiled once for
 * every instruction set below, and the loader picks the best one the machine has.
 * Internal.
 *
 * Floating point contraction is off in the files that use this (src/CMakeLists.txt),
 * so that every clone does the same IEEE operations and gives the same bits.
 */
#ifndef DLPI_MATH_CLONES_H
#define DLPI_MATH_CLONES_H

#include <delaplace/status.h>
#include <stdlib.h> /* for __GLIBC__ */

/* The sanitizers start after the loader has chosen, and clash with it. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) &&                    \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                             \
    !defined(__SANITIZE_THREAD__) && !defined(DLPI_CHECK_RANGES) &&                      \
    !defined(DLP_COVERAGE) /* coverage must count the branches of the source once */
#define DLPI_CLONES     __attribute__((target_clones("default", "avx2", "avx512f")))
#define DLPI_CLONE_SETS "default avx2 avx512f" /* the same, for readers */
#else
#define DLPI_CLONES
#endif

/* A kernel must be inlined into the loop that the compiler vectorises. */
#if defined(DLP_COVERAGE)
#define DLPI_INLINE static __attribute__((noinline, noclone, unused))
#elif defined(__GNUC__)
#define DLPI_INLINE static inline __attribute__((always_inline))
#else
#define DLPI_INLINE static inline
#endif

/* The order of the following loop's iterations does not matter; clauses as in OpenMP.
   clang finds that out by itself, and warns about the pragma where a sanitizer prevents
   vectorising. */
#if defined(__GNUC__) && !defined(__clang__)
#define DLPI_PRAGMA(text) _Pragma(#text)
#define DLPI_SIMD(...)    DLPI_PRAGMA(omp simd __VA_ARGS__)
#else
#define DLPI_SIMD(...)
#endif

/*
 * AddressSanitizer checks every number that a loop touches, which makes kernels ten
 * times slower. Files that hold only kernels are compiled without it (src/CMakeLists.txt
 * defines DLPI_CHECK_RANGES for them) and declare once per call what they read and
 * write.
 */
#ifdef DLPI_CHECK_RANGES
/* NOLINTBEGIN(bugprone-reserved-identifier): of the sanitizer's run-time library */
void __asan_loadN(size_t begin, size_t size);
void __asan_storeN(size_t begin, size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */
#define DLPI_BYTES(p, n)  ((n) > 0 ? (size_t)(n) * sizeof *(p) : 0)
#define DLPI_READS(p, n)  __asan_loadN((size_t)(p), DLPI_BYTES(p, n))
#define DLPI_WRITES(p, n) __asan_storeN((size_t)(p), DLPI_BYTES(p, n))
#else
#define DLPI_READS(p, n)  ((void)0)
#define DLPI_WRITES(p, n) ((void)0)
#endif

/* dlp_NAME and dlp_NAME_array from NAME_kernel, double to double. The clones are not
   public: the library shows two ordinary functions. */
#define DLPI_ARRAY(name)                                                                 \
    DLPI_CLONES static void name##_loop(dlp_index n, const double *x, double *y)         \
    {                                                                                    \
        DLPI_SIMD() for (dlp_index i = 0; i < n; i++) y[i] = name##_kernel(x[i]);        \
    }                                                                                    \
    void dlp_##name##_array(dlp_index n, const double *x, double *y)                     \
    {                                                                                    \
        DLPI_READS(x, n);                                                                \
        DLPI_WRITES(y, n);                                                               \
        name##_loop(n, x, y);                                                            \
    }
#define DLPI_SCALAR(name)                                                                \
    double dlp_##name(double x)                                                          \
    {                                                                                    \
        return name##_kernel(x);                                                         \
    }
#define DLPI_SCALAR_AND_ARRAY(name) DLPI_ARRAY(name) DLPI_SCALAR(name)

#endif
