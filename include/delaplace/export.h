/* SPDX-License-Identifier: BSD-3-Clause */
/* What the shared library shows: functions marked DLP_API, nothing else. */
#ifndef DELAPLACE_EXPORT_H
#define DELAPLACE_EXPORT_H

#if defined(__GNUC__)
#define DLP_API __attribute__((visibility("default")))
/* The compiler checks arguments `first`... against the printf format at `fmt`. */
#define DLP_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define DLP_API
#define DLP_PRINTF(fmt, first)
#endif

#endif
