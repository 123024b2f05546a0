// SPDX-License-Identifier: BSD-3-Clause
// Rows of tables of intervals.

/** Of a mode no interval is known. */
export const asDrawn = (row) =>
  row.upper == null ? { ...row, lower: row.mean, upper: row.mean, mode: true } : row;
