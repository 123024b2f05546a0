/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a mutator tries. libFuzzer keeps the input of its own call when that crashes, and ends a call
 * that takes too long; it does neither for a parser that a mutator calls. So each input is in
 * the file $FUZZ_TRIED while the parser has it, and script/fuzz keeps what it finds there.
 */
#ifndef DLP_FUZZ_TRIED_H
#define DLP_FUZZ_TRIED_H

#include "fuzz.h"

#include <fcntl.h>
#include <unistd.h>

static inline int fuzz_tried_file(void)
{
    static int file = -1;
    static bool opened;
    const char *const path = getenv("FUZZ_TRIED");
    if (!opened && path) file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    opened = true;
    return file;
}

/* Before the parser has it, and after, with size 0. */
static inline void fuzz_tried(const void *data, size_t size)
{
    const int file = fuzz_tried_file();
    if (file < 0) return;
    fuzz_expect(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
    fuzz_expect(ftruncate(file, (off_t)size) == 0);
}

#endif
