/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of Gauss and Legendre with 32 points: exact for polynomials of degree 63, and for
   a normal density over 16 of its sds to 1e-12. Internal. */
#ifndef DLPI_MATH_GAUSS_LEGENDRE_H
#define DLPI_MATH_GAUSS_LEGENDRE_H

enum { DLPI_LEGENDRE = 32 };

/* The positive nodes of the rule on (-1, 1), whose other nodes are their mirror images,
   and the weight of each. */
static const double dlpi_legendre[DLPI_LEGENDRE / 2][2] = {
    {0.048307665687738316235, 0.096540088514727800567},
    {0.14447196158279649349, 0.095638720079274859419},
    {0.23928736225213707454, 0.093844399080804565639},
    {0.33186860228212764978, 0.091173878695763884713},
    {0.42135127613063534536, 0.087652093004403811143},
    {0.50689990893222939002, 0.083311924226946755222},
    {0.58771575724076232904, 0.078193895787070306472},
    {0.66304426693021520098, 0.072345794108848506225},
    {0.73218211874028968039, 0.065822222776361846838},
    {0.79448379596794240696, 0.058684093478535547145},
    {0.84936761373256997013, 0.050998059262376176196},
    {0.89632115576605212397, 0.042835898022226680657},
    {0.93490607593773968917, 0.034273862913021433103},
    {0.96476225558750643077, 0.025392065309262059456},
    {0.9856115115452683354, 0.016274394730905670605},
    {0.99726386184948156354, 0.0070186100094700966004}};

/* Node k < DLPI_LEGENDRE of the interval from low to high, and its weight. */
static inline double dlpi_legendre_node(int k, double low, double high)
{
    const double sign = k % 2 ? 1 : -1, half = 0.5 * (high - low);
    return low + half * (1 + sign * dlpi_legendre[k / 2][0]);
}

static inline double dlpi_legendre_weight(int k, double low, double high)
{
    return 0.5 * (high - low) * dlpi_legendre[k / 2][1];
}

#endif
