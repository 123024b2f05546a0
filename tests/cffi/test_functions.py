# SPDX-License-Identifier: BSD-3-Clause
"""Every public function can be called from Python, and some are."""
import math
import re

import delaplace_cffi

ffi, lib = delaplace_cffi.load()


def text(pointer):
    return ffi.string(pointer).decode()


# Every function that is declared is a symbol of the library.
declared = delaplace_cffi.declarations()
types = set(re.findall(r"\btypedef [^;{]*?\b(dlp_[a-z0-9_]+)\(", declared))
functions = set(re.findall(r"\b(dlp_[a-z0-9_]+)\(", declared)) - types
for name in sorted(functions):
    assert hasattr(lib, name), name + " is declared and not in the library"
assert len(functions) > 100, len(functions)

# Texts, numbers, arrays, structures by value.
assert text(lib.dlp_status_string(lib.DLP_OK)) == "done"
assert text(lib.dlp_outcome_name(lib.DLP_CONVERGED)) == "converged"
assert abs(lib.dlp_lgamma(2.385) - math.lgamma(2.385)) < 1e-14
x = ffi.new("double[]", [-2.385, 0.125, 1.75])
y = ffi.new("double[3]")
lib.dlp_logistic_array(3, x, y)
for i in range(3):
    assert abs(y[i] - 1 / (1 + math.exp(-x[i]))) < 1e-14
shape = lib.dlp_shape_dense(3)
assert shape.n == 3 and shape.structure == lib.DLP_BLOCKS
rng = ffi.new("dlp_rng *", lib.dlp_rng_at(7, 1))
assert 0 < lib.dlp_draw_uniform(rng) < 1 and rng.position == 1

# A handle that comes back through a pointer, and errors in words.
corpus = ffi.new("dlp_corpus **")
counts = ffi.new("int32_t[]", [5, 3, 2, 6, 3, 1])
delaplace_cffi.checked(ffi, lib, lib.dlp_corpus_from_counts, 2, 3, counts, corpus)
corpus = ffi.gc(corpus[0], lib.dlp_corpus_free)
assert (corpus.D, corpus.V) == (2, 3)
try:
    table = ffi.new("dlp_table **")
    delaplace_cffi.checked(ffi, lib, lib.dlp_table_read, b"nowhere.csv", ffi.NULL, table)
    raise AssertionError("a table out of nothing")
except RuntimeError as error:
    assert "nowhere.csv" in str(error), error

print(len(functions), "functions")
