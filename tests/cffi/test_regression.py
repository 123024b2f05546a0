# SPDX-License-Identifier: BSD-3-Clause
"""A regression from columns in memory to predictions and a file, from Python: the answers
are those of the command line to the last digit, and the command line reads the file."""
import csv
import json
import os
import subprocess
import sys
import tempfile

import delaplace_cffi

ffi, lib = delaplace_cffi.load()
program = os.environ["DELAPLACE_PROGRAM"]
data = os.path.join(os.environ["DELAPLACE_SOURCE"], "data", "challenger.csv")


def call(function, *arguments):
    delaplace_cffi.checked(ffi, lib, function, *arguments)


class Table:
    """Columns of numbers, which are borrowed, or of texts; None is missing."""

    def __init__(self, columns):
        rows = len(next(iter(columns.values())))
        self.kept = []
        made = ffi.new("dlp_column_data[]", len(columns))
        for column, (name, values) in zip(made, columns.items()):
            column.name = self.keep(ffi.new("char[]", name.encode()))
            if all(isinstance(v, float) for v in values):
                column.number = self.keep(ffi.new("double[]", values))
            else:
                texts = [self.keep(ffi.new("char[]", v.encode())) for v in values]
                column.text = self.keep(ffi.new("char *[]", texts))
        table = ffi.new("dlp_table **")
        call(lib.dlp_table_from_columns, rows, len(columns), made, table)
        self.table = ffi.gc(table[0], lib.dlp_table_free)

    def keep(self, what):
        self.kept.append(what)
        return what


def read_columns(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for name, values in columns.items():
        try:
            columns[name] = [float(v) for v in values]
        except ValueError:
            pass
    return columns


def fit(formula, table, settings=ffi.NULL):
    regression = ffi.new("dlp_regression **")
    call(lib.dlp_regression_fit, formula.encode(), table.table, settings, regression)
    return ffi.gc(regression[0], lib.dlp_regression_free)


def parameters(regression):
    n = lib.dlp_regression_result_of(regression).n
    all_of_them = ffi.new("dlp_parameter[]", n)
    call(lib.dlp_regression_parameters, regression, 0, all_of_them)
    return {ffi.string(p.term).decode(): (p.mean, p.sd, p.lower, p.upper) for p in all_of_them}


def command(*words):
    return subprocess.run([program, *words], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


columns = read_columns(data)
table = Table(columns)
with tempfile.TemporaryDirectory() as folder:
    ours, theirs = os.path.join(folder, "ours.json"), os.path.join(folder, "theirs.json")
    regression = fit("distress ~ temperature + pressure", table)
    call(lib.dlp_regression_save, regression, ours.encode())
    command("glm", "fit", "distress ~ temperature + pressure", "--data", data, "-o", theirs,
            "--quiet")
    with open(ours, "rb") as a, open(theirs, "rb") as b:
        assert a.read() == b.read(), "Python and the command line write different fits"

    # the command line reads what Python saved
    shown = json.loads(command("glm", "show", ours, "--json"))
    for c in shown["coefficients"]:
        assert (c["mean"], c["sd"], c["lower"], c["upper"]) == parameters(regression)[c["term"]]

    # and Python what the command line did
    loaded = ffi.new("dlp_regression **")
    call(lib.dlp_regression_load, theirs.encode(), loaded)
    loaded = ffi.gc(loaded[0], lib.dlp_regression_free)
    prediction = ffi.new("dlp_prediction **")
    call(lib.dlp_regression_predict, loaded, table.table, ffi.NULL, prediction)
    prediction = ffi.gc(prediction[0], lib.dlp_prediction_free)
    said = lib.dlp_prediction_result_of(prediction)
    rows = list(csv.DictReader(command("glm", "predict", ours, "--data", data, "-o",
                                       "-").splitlines()))
    assert said.N == len(rows) == len(columns["distress"])
    for i, row in enumerate(rows):
        for name in ("eta", "eta_sd", "mean", "mean_averaged", "lower", "upper"):
            assert "%.10g" % getattr(said, name)[i] == row[name], (i, name)

# settings, a family that is not the default, and an error to act on
settings = delaplace_cffi.settings(ffi, lib, "regression")
poisson = ffi.new("char[]", b"poisson")
settings.family = poisson
counts = fit("damaged ~ temperature", table, settings)
assert ffi.string(lib.dlp_regression_result_of(counts).family.name) == b"poisson"
try:
    fit("distress ~ temprature", table)
    raise AssertionError("a column that is not there")
except RuntimeError as error:
    assert "temperature" in str(error), error

# a callback in Python ends the fit
@ffi.callback("int(void *, const dlp_progress *)")
def stop(context, progress):
    return 1


settings = delaplace_cffi.settings(ffi, lib, "regression")
settings.progress = stop
try:
    stopped = fit("distress ~ temperature", table, settings)
    assert lib.dlp_regression_result_of(stopped).outcome == lib.DLP_CANCELLED
except RuntimeError as error:
    assert "cancelled" in str(error), error
print("the same to the last digit", file=sys.stderr)
