/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that fails on demand, for a test program that is linked with --wrap of the
   functions below. Included once in it. */
#ifndef DLP_TESTS_FAILING_ALLOCATOR_H
#define DLP_TESTS_FAILING_ALLOCATOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

static int allocations_left = -1; /* before one fails; negative: all succeed */

/* The linker gives these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */

static bool allocation_fails(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(p, size);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    return allocation_fails() ? ENOMEM : __real_posix_memalign(p, alignment, size);
}

#endif
