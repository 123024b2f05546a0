#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints src/math/special/special_tables.h: the minimax coefficients of the special functions.

    python3 script/special_tables.py | clang-format > src/math/special/special_tables.h

Each table is the polynomial or rational function of the stated degrees whose largest
weighted error on the stated interval is smallest (Remez's exchange, 150 digits, mpmath).
The error printed above a table is before rounding to double.
"""
from functools import cache

from mpmath import (bernoulli, cos, erfc, erfinv, euler, exp, factorial, findroot, log,
                    loggamma, lu_solve, matrix, mp, mpf, nstr, pi, polyval, psi, sqrt)

mp.dps = 150
TINY = mpf(10) ** -30
HALF = mpf(1) / 2


def solve_levelled(points, f, weight, n, m, den):
    """num, den and the levelled error of num/den at n+m+2 points; `den` is the previous one."""
    size = n + m + 2
    a, b = matrix(size, size), matrix(size, 1)
    for i, x in enumerate(points):
        w, fx = weight(x), f(x)
        for j in range(n + 1):
            a[i, j] = w * x**j
        for j in range(1, m + 1):
            a[i, n + j] = -w * fx * x**j
        a[i, size - 1] = (-1) ** i * polyval(den[::-1], x)
        b[i] = w * fx
    c = lu_solve(a, b)
    return list(c[: n + 1]), [mpf(1)] + list(c[n + 1 : n + m + 1]), abs(c[size - 1])


def alternation(xs, errors):
    """The largest error of every run of equal sign, as (x, error)."""
    peaks = []
    for x, e in zip(xs, errors):
        if not peaks or (e > 0) != (peaks[-1][1] > 0):
            peaks.append((x, e))
        elif abs(e) > abs(peaks[-1][1]):
            peaks[-1] = (x, e)
    return peaks


def remez(f, a, b, n, m=0, weight=None, place=None):
    """Minimises max |weight (P_n/Q_m - f)| on [a, b]; weight 1/f, unless given.

    `place` maps [0, 1] to [a, b] where equal spacing would miss the action.
    """
    a, b = mpf(a), mpf(b)
    place = place or (lambda s: a + (b - a) * s)
    target = cache(f)
    scale = cache(weight or (lambda x: 1 / target(x)))
    size = n + m + 2
    nodes = 40 * size
    xs = [place((1 - cos(pi * i / nodes)) / 2) for i in range(nodes + 1)]
    points = [place((1 - cos(pi * i / (size - 1))) / 2) for i in range(size)]
    den = [mpf(1)] + [mpf(0)] * m
    for _ in range(40):
        for _ in range(4 if m else 1):
            num, den, level = solve_levelled(points, target, scale, n, m, den)
        errors = [scale(x) * (polyval(num[::-1], x) / polyval(den[::-1], x) - target(x))
                  for x in xs]
        peaks = alternation(xs, errors)
        worst = max(abs(e) for _, e in peaks)
        while len(peaks) > size:
            peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
        if len(peaks) < size or worst < level * mpf("1.01"):
            break
        points = [x for x, _ in peaks]
    return num, den, worst


def table(name, coefficients):
    print(f"static const double {name}[] = {{")
    for c in coefficients:
        print(f"    {float(c)!r},")
    print("};")


def emit(name, comment, fit):
    num, den, worst = fit
    print(f"\n/* {comment};\n   error {nstr(worst, 2)}. */")
    if len(den) == 1:
        table(name, num)
    else:
        table(name + "_num", num)
        table(name + "_den", den)


def exp_remainder(r):
    """(exp(r) - 1 - r) / r^2"""
    return (exp(r) - 1 - r) / r**2 if abs(r) > TINY else HALF


def log_remainder(z):
    """(log((1+s)/(1-s)) - 2s) / s^3 for z = s^2"""
    s = sqrt(z)
    return (log((1 + s) / (1 - s)) - 2 * s) / s**3 if z > TINY else mpf(2) / 3


def lgamma_by_t(t):
    """log Gamma(2+t) / t"""
    return loggamma(2 + t) / t if abs(t) > TINY else 1 - euler


def stirling(y):
    """What Stirling's formula leaves out of log Gamma(1/w), over w, for y = w^2"""
    if y < mpf("1e-6"):
        return sum(bernoulli(2 * k) / (2 * k * (2 * k - 1)) * y ** (k - 1) for k in range(1, 14))
    z = 1 / sqrt(y)
    return (loggamma(z) - (z - HALF) * log(z) + z - log(2 * pi) / 2) * z


def digamma_tail(y):
    """(log z - 1/(2z) - Psi(z)) z^2 for y = 1/z^2"""
    if y < mpf("1e-6"):
        return sum(bernoulli(2 * k) / (2 * k) * y ** (k - 1) for k in range(1, 14))
    z = 1 / sqrt(y)
    return (log(z) - 1 / (2 * z) - psi(0, z)) * z * z


def polygamma_tail(m):
    """w -> |Psi^(m)(1/w)| / ((m-1)! w^m), which is 1 at w = 0"""
    def tail(w):
        if w < mpf("1e-3"):
            return 1 + m * w / 2 + sum(
                bernoulli(2 * k) * factorial(2 * k + m - 1) / factorial(2 * k) / factorial(m - 1)
                * w ** (2 * k) for k in range(1, 14))
        return abs(psi(m, 1 / w)) / w**m / factorial(m - 1)
    return tail


def mills(t):
    """exp(t^2/2) Phi(-t)"""
    if t < 60:
        return exp(t * t / 2) * erfc(t / sqrt(2)) / 2
    term, total = mpf(1), mpf(1)
    for k in range(1, 25):
        term *= -(2 * k - 1) / t**2
        total += term
    return total / t / sqrt(2 * pi)


def quantile_tail(r):
    """The t > 0 with Phi(-t) = exp(-r^2)"""
    t = sqrt(2) * r
    for _ in range(200):
        m = mills(t)
        step = (r * r - t * t / 2 + log(m)) * m * sqrt(2 * pi)
        t += step
        if abs(step) < mpf(10) ** -70:
            break
    return t


def quantile_centre(y):
    """Phi^-1(1/2 + q) / q for q^2 = 0.425^2 - y"""
    q = sqrt(abs(CENTRE**2 - y))
    return sqrt(2) * erfinv(2 * q) / q if q > TINY else sqrt(2 * pi)


CENTRE = mpf("0.425")
PSI_ROOT = findroot(lambda x: psi(0, x), mpf("1.4616321449683623"))


def digamma_by_root(x):
    """Psi(x) / (x - its root)"""
    d = x - PSI_ROOT
    return psi(0, x) / d if abs(d) > TINY else psi(1, PSI_ROOT)


def main():
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("/* Minimax coefficients, constant term first. Printed by script/special_tables.py. */")
    print("#ifndef DLPI_SPECIAL_TABLES_H\n#define DLPI_SPECIAL_TABLES_H")

    r = log(2) / 2 * mpf("1.001")
    emit("exp_table", "(exp(r) - 1 - r)/r^2 on |r| <= log(2)/2",
         remez(exp_remainder, -r, r, 9, weight=lambda r: (r * r + mpf("0.005")) / exp(r)))
    z = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.001")
    emit("log_table", "(log((1+s)/(1-s)) - 2s)/s^3 in s^2, where sqrt(1/2) <= (1+s)/(1-s) <= sqrt(2)",
         remez(log_remainder, 0, z, 6, weight=lambda z: (z + mpf("0.001")) / 2))

    emit("atanh_table", "(log((1+s)/(1-s)) - 2s)/s^3 in s^2, |s| <= 1/3",
         remez(log_remainder, 0, mpf(1) / 9, 9, weight=lambda z: (z + mpf("0.01")) / 2))

    emit("lgamma_two", "log Gamma(2+t)/t in t + 1/2, -1/2 <= t <= 1",
         remez(lambda u: lgamma_by_t(u - HALF), 0, mpf(3) / 2, 6, 6))
    emit("lgamma_tail", "Stirling's remainder times x, in 1/x^2, x >= 3",
         remez(stirling, 0, mpf(1) / 9, 4, 4))
    emit("digamma_root", "Psi(x)/(x - root) in x - 1, 1 <= x <= 2",
         remez(lambda t: digamma_by_root(1 + t), 0, 1, 5, 5))
    emit("digamma_tail", "(log x - 1/(2x) - Psi(x)) x^2 in 1/x^2, x >= 2",
         remez(digamma_tail, 0, mpf(1) / 4, 5, 5,
               weight=lambda y: (y + mpf("0.02")) / digamma_tail(y)))
    for m, name, degree in ((1, "trigamma", 8), (2, "tetragamma", 9)):
        emit(name, f"|Psi^({m})(x)| x^{m}/{m - 1}! in 1/x, x >= 1",
             remez(polygamma_tail(m), 0, 1, degree, degree))

    emit("mills", "exp(t^2/2) Phi(-t) on t >= 0",
         remez(mills, 0, mpf("4e10"), 10, 11, place=lambda s: 4 * s / (1 - min(s, 1 - mpf("1e-10")))))
    emit("quantile_centre", "Phi^-1(1/2+q)/q in 0.425^2 - q^2, |q| <= 0.425",
         remez(quantile_centre, 0, CENTRE**2, 7, 7))
    low, high = (sqrt(-log(p)) for p in (HALF - CENTRE, mpf(2) ** -1074))
    emit("quantile_tail", "-Phi^-1(exp(-r^2)) in r - 1, 2^-1074 <= exp(-r^2) <= 0.075",
         remez(lambda s: quantile_tail(1 + s), low * mpf("0.9999") - 1, high * mpf("1.0001") - 1,
               10, 10))
    print("\n#endif")


if __name__ == "__main__":
    main()
