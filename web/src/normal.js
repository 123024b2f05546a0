// SPDX-License-Identifier: BSD-3-Clause
// Half the width of the middle 95 % of a normal distribution, in sds.
export const NORMAL_975 = 1.959963984540054;
