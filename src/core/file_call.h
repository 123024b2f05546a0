/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of this process that wait for a file system, which may hang: a server that
 * does not answer, a disk that fails. dlp_file_waits() tells them to a thread that
 * watches. Like unfinished files (file_begun.h) they are kept between calls, since that
 * thread has nothing else to find them by. Internal.
 */
#ifndef DLPI_CORE_FILE_CALL_H
#define DLPI_CORE_FILE_CALL_H

#include <stdio.h>

/* This thread is about to make a call that may hang, or the next one. doing: "reading",
   with static storage. If there are too many threads it is not recorded. */
void dlpi_file_call(const char *doing, const char *path);
/* The call has returned, and the next one is like it: another part of the file. */
void dlpi_file_call_again(void);
/* The last call of this thread has returned. */
void dlpi_file_called(void);

/* open() of an existing file; pipes and terminals, whose other end may take any time, are
   not recorded. */
int dlpi_file_open(const char *path, int flags);
/* fopen() for reading, and fread(). */
FILE *dlpi_file_stream(const char *path);
size_t dlpi_file_read(const char *path, FILE *file, void *bytes, size_t size);

#endif
