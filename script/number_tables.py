#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints src/io/number_tables.h: the powers of five that turn decimals into doubles.

    python3 script/number_tables.py | clang-format > src/io/number_tables.h

5^q times a power of two, as a whole number of 128 bits whose first bit is set, rounded
down; but up where 64 bits may hold a multiple of 5^-q (-27 <= q < 0), so that a product
that should end in zeros does.
"""

SMALLEST, LARGEST = -342, 308  # beyond these, 19 digits make 0 and infinity
LARGEST_DIVISOR = 27  # 5^27 < 2^64 < 5^28


def power_of_five(q):
    """The 128 leading bits of 5^q."""
    if q >= 0:
        power = 5**q
        spare = power.bit_length() - 128
        return power >> spare if spare > 0 else power << -spare
    power = 5**-q
    quotient, rest = divmod(1 << (power.bit_length() + 127), power)
    return quotient + (rest > 0 and -q <= LARGEST_DIVISOR)


def main():
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("/* The leading 128 bits of powers of five, high half first. Printed by")
    print("   script/number_tables.py. */")
    print("#ifndef DLPI_NUMBER_TABLES_H\n#define DLPI_NUMBER_TABLES_H\n")
    print("#include <stdint.h>\n")
    print(f"enum {{ SMALLEST_POWER = {SMALLEST}, LARGEST_POWER = {LARGEST} }};\n")
    print("static const struct {\n    uint64_t high, low;\n} powers_of_five[] = {")
    for q in range(SMALLEST, LARGEST + 1):
        power = power_of_five(q)
        assert power.bit_length() == 128
        print(f"    {{0x{power >> 64:016x}, 0x{power & (1 << 64) - 1:016x}}}, /* {q} */")
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
