# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of bench/peers: peers_data.py KIND OUT.csv [FOLDER].

logistic  100,000 x 50 normal columns and y
groups    139 groups, 15,362 rows, 27 columns as School has them, and good
school    FOLDER/school.csv.xz itself, with good = whether the score exceeds its median
"""
import sys

import numpy as np
import pandas as pd

rng = np.random.default_rng(20130101)


def bernoulli(eta):
    return (rng.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(int)


def logistic():
    x = rng.standard_normal((100000, 50))
    table = pd.DataFrame(x, columns=[f"x{j + 1}" for j in range(50)])
    table["y"] = bernoulli(x @ rng.normal(0, 0.3, 50))
    return table


def one_of(levels, n):
    """Indicators of all levels, as School has them."""
    return np.eye(levels)[rng.integers(levels, size=n)]


def groups():
    sizes = rng.multinomial(15362 - 139 * 22, np.full(139, 1 / 139)) + 22
    group = np.repeat(np.arange(139), sizes)
    n = len(group)
    of_group = np.hstack([one_of(3, 139), one_of(3, 139)])[group]
    x = np.hstack(
        [
            one_of(3, n),
            rng.uniform(0, 60, (139, 2))[group].round(),
            one_of(2, n),
            one_of(3, n),
            one_of(11, n),
            of_group,
        ]
    )
    beta = rng.normal(0, 0.5, (139, 27)) + rng.normal(0, 0.5, 27)
    beta[:, 3:5] /= 30
    table = pd.DataFrame(x, columns=[f"x{j + 1}" for j in range(27)])
    table.insert(0, "group", [f"g{m + 1}" for m in group])
    table["good"] = bernoulli((x * beta[group]).sum(axis=1))
    return table


def school(folder):
    table = pd.read_csv(f"{folder}/school.csv.xz")
    table["good"] = (table["score"] > table["score"].median()).astype(int)
    table = table.drop(columns="score").rename(columns={"school": "group"})
    table["group"] = "s" + table["group"].astype(str)
    return table


kind, out = sys.argv[1:3]
made = {"logistic": logistic, "groups": groups, "school": school}[kind](*sys.argv[3:])
made.to_csv(out, index=False, float_format="%.8g")
