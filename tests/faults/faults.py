#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every command under every fault, and checks what it promises.

usage: faults.py PROGRAM SHIM [--sample N] [--only PATTERN] [--kinds LIST] [--seed S]
                 [--part I/N] [--done FILE] [--once] [--list]

Each command runs in a folder that holds its input and the result of an earlier run. The
shim fails each call of a kind (memory, open, read, write, sync, rename, close, thread, map) in
turn by itself; and, from each place in the program (a place is the whole stack of functions being
called), the first call and all that follow. While there are several threads, once a file is mapped
for writing, in `demo`, which calls other commands, and with --sample, only the first call from each
place fails, or N of those. A run with such a failure must
  - end with 0 and all that a good run gives, or with 4 and a message;
  - say, when memory was short, that memory was;
  - leave the earlier result as it was, or the new one whole, and nothing else;
  - print nothing that a good run does not.
Limits of the system (address space, descriptors, size of files, stack), a full file
system, a read-only one, a full or closed standard output and signals follow the same
rules. --list only checks that each command of the program is tried. --part 1/2 tries every
second command; --done records in FILE what has been tried with this program and is not tried again.
"""
import argparse
import ctypes
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import copies

ERRNO = {"memory": 12, "open": 24, "read": 5, "write": 28, "sync": 5, "rename": 5,
         "close": 5, "thread": 11, "map": 12}
# Calls that a copy of the running program meets (copies.py). Others touch what must be read again.
COPIED = ("memory", "open", "read", "close", "map")
TIMEOUT = 300  # seconds, on a machine that may be busy with something else
# Commands that make several results, one after the other, each whole.
SEVERAL = ("demo", "study figures")
# It calls commands that are tried by themselves: the first call from each place will do.
BY_PLACE = ("demo",)
# Of these, runs of their own take long: a sample will do. Copies meet every fault there, too.
LONG = {"demo": 10, "topics fit ../input/large.dlpc": 2, "glm fit y ~ x + g --data ../input/large.csv": 5}
# Under mpirun only what touches the result: MPI has no promise to keep when its own calls fail.
SHARED = ("sync", "rename", "disks")
# What is the same in all runs, so that a number of call means the same call.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C.UTF-8",
               "OMP_WAIT_POLICY": "passive",
               "PATH": os.environ["PATH"],
               "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}

TABLE = "".join(f"{y},{x},{g}\n" for y, x, g in [("y", "x", "g")] + [
    ("yes" if (i * i) % 7 < 3 + i % 2 else "no", f"{(i * 37 % 101) / 50 - 1:.2f}", f"g{i % 4}")
    for i in range(40)])
COUNTS = "n,x,g\n" + "".join(f"{(i * i) % 7},{(i * 37 % 101) / 50 - 1:.2f},g{i % 5}\n"
                             for i in range(30))
TEXT = "".join(f"alpha beta{chr(97 + i % 5)} gamma{chr(97 + i % 3)} delta\n" for i in range(12))
JSONL = "".join('{"id": "d%d", "text": "alpha b\\u00e9ta%s gamma delta"}\n'
                % (i, chr(97 + i % 5)) for i in range(12))
MODEL = """model {
  for (i in 1:N) { y[i] ~ dnorm(mu, tau) }
  mu ~ dnorm(0, 1.0E-4)
  tau ~ dgamma(0.1, 0.1)
}
"""
HARD = """model {
  for (i in 1:N) { y[i] ~ dnorm(mu[g[i]], tau) }
  for (j in 1:2) { mu[j] ~ dnorm(m, 1) }
  m ~ dt(0, 1, 4)
  tau ~ dgamma(0.1, 0.1)
  z ~ dbern(0.3)
  w <- exp(m) + z
}
"""
HARD_DATA = '{"N": 6, "y": [1.2, 0.4, 2.2, 1.7, 0.9, 1.1], "g": [1, 2, 1, 2, 1, 2]}\n'
DATA = '{"N": 6, "y": [1.2, 0.4, 2.2, 1.7, 0.9, 1.1]}\n'

SURVIVAL = "time,event,x\n" + "".join(f"{1 + i * i % 11},{i % 3 % 2},{i * 37 % 101 / 50 - 1:.2f}\n"
                                      for i in range(30))
# More than one chunk of rows: the sums over them need memory, too.
ROWS = "".join(f"{y},{x},{g}\n" for y, x, g in [("y", "x", "g")] + [
    ("yes" if (i * i) % 7 < 3 + i % 2 else "no", f"{(i * 37 % 1009) / 500 - 1:.3f}", f"g{i % 4}")
    for i in range(17000)])
REGIONS = "n,r\n" + "".join(f"{(i * i) % 7},r{i % 5}\n" for i in range(30))
NEIGHBOURS = "".join(f"r{i},r{i + 1}\n" for i in range(4))
DUMP = "N <- 6\ny <- c(1.2, 0.4, 2.2, 1.7, 0.9, 1.1)\n"

# How the input and the earlier results are made: commands and files, in this order.
SETUP = [
    ["simulate", "ctm", "-k", "3", "--terms", "8", "--documents", "20", "--words", "15", "--seed",
     "1", "-o", "sim.ldac", "--truth", "truth"],
    ["corpus", "build", "text.txt", "--lines", "--min-docs", "1", "--max-share", "1",
     "-o", "text.ldac"],
    ["corpus", "build", "text.jsonl", "--column", "text", "--name", "id", "--min-docs", "1",
     "--max-share", "1", "--min-length", "2", "-o", "json.ldac"],
    ["corpus", "split", "text.ldac", "--every", "3", "-o", "train.ldac", "--test",
     "test.ldac"],
    ["corpus", "convert", "text.ldac", "-o", "text.csv"],
    ["corpus", "convert", "text.ldac", "-o", "text.dlpc"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "model", "--max-iter", "3"],
    ["topics", "infer", "model", "text.ldac", "-o", "theta.csv"],
    ["topics", "effects", "model", "text.ldac", "--covariates", "docs.csv", "--formula", "~ x",
     "-o", "effects.csv", "--svg", "effects.svg", "--draws", "5"],
    ["topics", "search-k", "text.ldac", "-k", "2", "-o", "search.csv", "--svg", "search.svg",
     "--max-iter", "2"],
    ["glm", "fit", "y ~ x", "--data", "table.csv", "-o", "fit.json"],
    ["glm", "fit", "y ~ x", "--group", "g", "--data", "table.csv", "-o", "groups.json"],
    ["glm", "fit", "y ~ x + g", "--data", "table.csv", "-o", "fit2.json"],
    ["glm", "fit", "n ~ x + (1 | g)", "--data", "counts.csv", "-o", "mixed.json"],
    ["glm", "fit", "n ~ s(x)", "--data", "counts.csv", "-o", "smooth.json"],
    ["glm", "fit", "n ~ bym2(r)", "--family", "poisson", "--data", "regions.csv", "--adjacency",
     "neighbours.csv", "-o", "regions.json"],
    ["glm", "fit", "n ~ x + (1 | g)", "--family", "ordinal", "--data", "counts.csv", "-o", "ordinal.json"],
    ["glm", "predict", "fit.json", "--data", "table.csv", "-o", "predicted.csv"],
    ["glm", "draws", "fit.json", "--draws", "5", "-o", "draws.csv"],
    ["unigram", "fit", "text.ldac", "-o", "unigram.json"],
    ["bugs", "fit", "model.bug", "--data", "data.json", "-o", "bugs.json"],
    ["bugs", "fit", "model.bug", "--data", "data.json", "-o", "hard.json", "--draws", "100",
     "--draws-to", "chain.csv", "--coda", "coda", "--report", "bugs.html"],
    ["bugs", "graph", "model.bug", "-o", "graph.svg"],
    ["report", "fit.json", "-o", "report.html"],
    ["topics", "fit", "text.ldac", "-k", "3", "-o", "model3", "--max-iter", "3"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "drift", "--max-iter", "2", "--covariates",
     "docs.csv", "--time", "t"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "groups", "--max-iter", "2", "--covariates",
     "docs.csv", "--content", "g"],
    ["topics", "label", "model3", "labels.txt"],
    ["topics", "merge", "model3", "1+3", "-o", "merged"],
    ["topics", "update", "model3", "text.ldac", "--max-iter", "2", "-o", "updated"],
    ["topics", "export", "model", "--words", "words.csv", "--documents", "gamma.csv"],
    ["glm", "effects", "fit.json", "x", "--data", "table.csv", "-o", "answers.csv", "--svg",
     "answers.svg", "--points", "3"],
    ["study", "figures", "--data", "../input/study", "--quick", "--figure", "convergence"],
    ["study", "table1", "--data", "../input/study", "-o", "table1.csv", "--method", "laplace"],
    ["study", "table2", "--data", "../input/study", "-o", "table2.csv", "--method", "laplace"],
    ["demo", "--data", "../input/demo"],
]

# The commands under test: their result differs from the earlier one.
CASES = [
    ["corpus", "build", "text.txt", "--lines", "--min-docs", "1", "--max-share", "0.9",
     "-o", "text.ldac"],
    ["corpus", "build", "text.jsonl", "--column", "text", "--name", "id", "--min-docs", "1",
     "--max-share", "0.9", "--min-length", "2", "-o", "json.ldac"],
    ["corpus", "build", "folder", "--min-docs", "1", "--max-share", "1", "-o", "text.ldac"],
    ["corpus", "build", "text.csv2", "--column", "text", "--min-docs", "1", "--max-share",
     "1", "-o", "text.ldac"],
    ["corpus", "split", "text.ldac", "--every", "2", "-o", "train.ldac", "--test",
     "test.ldac"],
    ["corpus", "convert", "json.ldac", "-o", "text.csv"],
    ["corpus", "convert", "text.csv", "-o", "text.mtx.gz"],
    ["corpus", "convert", "json.ldac", "-o", "text.dlpc"],
    ["corpus", "stats", "text.ldac"],
    ["corpus", "stats", "text.ldac", "--json"],
    ["simulate", "ctm", "-k", "3", "--terms", "8", "--documents", "20", "--words", "15", "--seed",
     "2", "-o", "sim.ldac", "--truth", "truth"],
    ["topics", "fit", "text.ldac", "-k", "3", "-o", "model", "--max-iter", "3"],
    ["topics", "fit", "text.dlpc", "-k", "2", "-o", "model", "--max-iter", "2", "--online", "2",
     "--vocab", "text.vocab"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "model", "--max-iter", "2", "--seeds", "seeds.txt",
     "--labels", "labels.txt"],
    ["topics", "fit", "../input/large.dlpc", "-k", "5", "-o", "model", "--max-iter", "1", "--memory",
     "50M", "--threads", "1"],
    ["mpirun", "topics", "fit", "text.dlpc", "-k", "3", "-o", "model", "--max-iter", "3", "--threads",
     "1"],
    # Into another folder: a second run of one in its place takes the documents in twice.
    ["topics", "update", "model3", "test.ldac", "--max-iter", "2", "-o", "updated"],
    ["topics", "show", "model"],
    ["topics", "show", "model", "--json", "--svg", "graph.svg"],
    ["topics", "infer", "model", "train.ldac", "-o", "theta.csv"],
    ["topics", "evaluate", "model", "test.ldac"],
    ["topics", "effects", "model", "text.ldac", "--covariates", "docs.csv", "--formula", "~ x",
     "-o", "effects.csv", "--svg", "effects.svg", "--draws", "7"],
    ["topics", "search-k", "text.ldac", "-k", "2,3", "-o", "search.csv", "--svg",
     "search.svg", "--max-iter", "2"],
    ["glm", "fit", "y ~ x + g", "--data", "table.csv", "-o", "fit.json"],
    ["glm", "fit", "y ~ x + g", "--data", "../input/rows.csv", "-o", "fit.json"],
    ["glm", "fit", "y ~ x", "--group", "g", "--data", "table.csv", "-o", "fit.json"],
    ["glm", "fit", "n ~ x + (1 | g)", "--data", "counts.csv", "-o", "fit.json"],
    ["glm", "fit", "n ~ s(x)", "--data", "counts.csv", "-o", "fit.json"],
    ["glm", "fit", "Surv(time, event) ~ x", "--data", "survival.csv", "-o", "fit.json"],
    ["glm", "fit", "n ~ besag(r)", "--family", "poisson", "--data", "regions.csv", "--adjacency",
     "neighbours.csv", "-o", "fit.json"],
    ["glm", "fit", "y ~ x + g", "--data", "../input/large.csv", "-o", "fit.json", "--memory", "50M",
     "--threads", "1"],
    ["glm", "show", "groups.json"],
    ["glm", "show", "fit.json", "--json", "--svg", "graph.svg"],
    ["glm", "predict", "groups.json", "--data", "table.csv", "-o", "predicted.csv"],
    ["glm", "evaluate", "fit.json", "--data", "table.csv"],
    ["glm", "check", "fit.json", "--data", "table.csv"],
    ["glm", "compare", "fit.json", "fit2.json", "--data", "table.csv"],
    ["glm", "cv", "fit.json", "--data", "table.csv", "--folds", "2"],
    ["glm", "residuals", "fit.json", "--data", "table.csv", "-o", "residuals.csv", "--svg",
     "residuals.svg"],
    ["glm", "ppc", "fit.json", "--data", "table.csv", "--draws", "20", "-o", "ppc.csv", "--svg",
     "ppc.svg"],
    ["glm", "sbc", "fit.json", "--data", "table.csv", "--replicates", "20", "--bins", "5", "-o", "sbc.csv",
     "--svg", "sbc.svg"],
    ["glm", "draws", "mixed.json", "--draws", "7", "-o", "draws.csv"],
    ["unigram", "fit", "train.ldac", "-o", "unigram.json"],
    ["bugs", "fit", "model.bug", "--data", "data.json", "-o", "bugs.json", "--monitor", "mu"],
    ["bugs", "fit", "model.bug", "--data", "data.R", "-o", "bugs.json", "--hyper", "factor"],
    ["bugs", "check", "model.bug", "--data", "data.json"],
    ["bugs", "graph", "model.bug", "--data", "data.json", "-o", "graph.svg"],
    ["bugs", "fit", "hard.bug", "--data", "hard.data.json", "-o", "hard.json", "--draws", "110",
     "--draws-to", "chain.csv", "--coda", "coda", "--report", "bugs.html", "--threads", "2"],
    ["report", "fit.json", "--data", "table.csv", "-o", "report.html"],
    ["report", "model", "-o", "report.html"],
    ["report", "mixed.json", "-o", "report.html"],
    ["report", "smooth.json", "--data", "counts.csv", "-o", "report.html"],
    ["topics", "fit", "text.ldac", "-k", "3", "-o", "model", "--max-iter", "2", "--threads", "3",
     "--covariates", "docs.csv", "--formula", "~ x"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "drift", "--max-iter", "3", "--covariates",
     "docs.csv", "--time", "t"],
    ["topics", "fit", "text.ldac", "-k", "2", "-o", "groups", "--max-iter", "3", "--covariates",
     "docs.csv", "--content", "g"],
    ["topics", "export", "drift", "--over-time", "words.csv"],
    ["topics", "export", "groups", "--by-group", "words.csv"],
    ["topics", "label", "model3", "others.txt"],
    ["topics", "merge", "model3", "1+2", "-o", "merged"],
    # Of what is merged already, without labels: again, it changes nothing.
    ["topics", "merge", "merged", "1+2", "--undo"],
    ["topics", "export", "model3", "--words", "words.csv", "--documents", "gamma.csv"],
    ["topics", "stability", "model", "text.ldac", "--starts", "1", "--splits", "1", "--keep",
     "--threads", "1"],
    ["glm", "effects", "fit2.json", "x", "--data", "table.csv", "-o", "answers.csv", "--svg",
     "answers.svg", "--points", "4", "--by", "g"],
    ["glm", "means", "fit2.json", "g", "--data", "table.csv", "--pairs", "-o", "answers.csv",
     "--svg", "answers.svg"],
    ["glm", "means", "mixed.json", "x", "--data", "counts.csv", "--groups", "average", "--json"],
    ["glm", "contrast", "fit2.json", "gg1 - gg2 > 0", "exp(x)", "-o", "answers.csv", "--svg",
     "answers.svg"],
    ["glm", "dose", "fit.json", "x", "--data", "table.csv", "-o", "answers.csv", "--svg",
     "answers.svg"],
    ["study", "table1", "--data", "../input/study", "-o", "table1.csv", "--method", "delta", "--threads",
     "1"],
    ["study", "table2", "--data", "../input/study", "-o", "table2.csv", "--method", "delta", "--threads",
     "1"],
    ["study", "figures", "--data", "../input/study", "--quick", "--figure", "convergence"],
    ["demo", "--data", "../input/demo"],
    ["version", "--json"],
    ["help", "glm", "fit"],
]


# What reads the result of a command: after a kill it finds the old one or the new one whole.
READERS = {
    "corpus build": [["corpus", "stats", "text.ldac", "--json", "--top", "50"],
                     ["corpus", "stats", "json.ldac", "--json", "--top", "50"]],
    "corpus split": [["corpus", "convert", "train.ldac", "-o", "-", "--to", "csv"],
                     ["corpus", "convert", "test.ldac", "-o", "-", "--to", "csv"]],
    "corpus convert": [["corpus", "convert", "OUTPUT", "-o", "-", "--to", "csv"]],
    "simulate ctm": [["corpus", "stats", "sim.ldac", "--json"], ["topics", "show", "truth"]],
    "topics fit": [["topics", "show", "model", "--json"]],
    "topics update": [["topics", "show", "updated", "--json"], ["topics", "show", "model3", "--json"]],
    "topics label": [["topics", "show", "model3", "--json"]],
    "topics merge": [["topics", "show", "merged", "--json"], ["topics", "show", "model3", "--json"]],
}


def arff(rows, features, labels, seed):
    """A table like those of Mulan."""
    rng = random.Random(seed)
    lines = ["@relation made-up"]
    lines += [f"@attribute Att{j + 1} numeric" for j in range(features)]
    lines += [f"@attribute Class{k + 1} {{0,1}}" for k in range(labels)]
    lines.append("@data")
    for _ in range(rows):
        x = [round(rng.uniform(-1, 1), 3) for _ in range(features)]
        y = [int(x[k % features] + rng.random() > 0.5) for k in range(labels)]
        lines.append(",".join(map(str, x + y)))
    return "\n".join(lines) + "\n"


def study_files():
    rng = random.Random(5)
    files = {"yeast/yeast-train.arff": arff(30, 2, 14, 1),
             "yeast/yeast-test.arff": arff(20, 2, 14, 2),
             "scene/scene-train.arff": arff(25, 2, 6, 3),
             "scene/scene-test.arff": arff(15, 2, 6, 4)}
    rows = [(m, round(rng.random(), 2), i % 2) for m in range(1, 4) for i in range(12)]
    files["school/school.csv"] = "school,score,a,b\n" + "".join(
        f"{m},{int(20 * a + m + 10 * rng.random())},{a},{b}\n" for m, a, b in rows)
    files["school/school_splits.csv"] = "split1,split2\n" + "".join(
        f"{int(i % 4 > 0)},{int(i % 4 != 2)}\n" for i in range(len(rows)))
    files["ap/ap.dat"] = "".join(
        "%d %s\n" % (12, " ".join(f"{(7 * d + 3 * w + w * w) % 40}:{1 + w % 3}"
                                  for w in sorted(range(12), key=lambda w: (7 * d + 3 * w + w * w) % 40)))
        for d in range(40))
    return {"../input/study/" + name: text for name, text in files.items()}


def demo_files():
    """The data that come with the program, with fewer documents."""
    data = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "data")
    keep = {"packages.ldac": 60, "packages.docs": 60, "packages.csv": 61}
    found = {}
    for name in os.listdir(data):
        with open(os.path.join(data, name), "rb") as file:
            lines = file.readlines()
        found["../input/demo/" + name] = b"".join(lines[:keep.get(name)])
    return found


def large_corpus(program, base):
    """Large enough to be mapped, and for --memory to keep what is inferred of it on disk."""
    subprocess.run([program, "simulate", "ctm", "-k", "5", "--terms", "1000", "--documents", "100000",
                    "--words", "25", "-o", "../input/large.dlpc", "-q"], cwd=base, check=True,
                   env=ENVIRONMENT)


def large_table(_, base):
    """Mapped, and for --memory its numbers are on disk, too."""
    with open(os.path.join(base, "../input/large.csv"), "w") as out:
        out.write("y,x,g,a,b,c,d\n")
        rest = ",0.123456789012" * 4
        for i in range(250000):
            y = "yes" if (i * i) % 7 < 3 + i % 2 else "no"
            out.write(f"{y},{(i * 37 % 1009) / 500 - 1:.3f},g{i % 4}{rest}\n")


# Inputs that only some cases need.
LARGE = {"../input/large.dlpc": large_corpus, "../input/large.csv": large_table}


def prepare(program, base):
    os.makedirs(base)
    files = {"table.csv": TABLE, "counts.csv": COUNTS, "text.txt": TEXT, "text.jsonl": JSONL,
             "text.csv2": "id,text\n" + "".join(f"{i},\"{line}\"\n" for i, line in
                                               enumerate(TEXT.splitlines())),
             "model.bug": MODEL, "data.json": DATA,
             "hard.bug": HARD, "hard.data.json": HARD_DATA,
             "data.R": DUMP, "survival.csv": SURVIVAL, "regions.csv": REGIONS,
             "neighbours.csv": NEIGHBOURS, "seeds.txt": "one: alpha betaa\n",
             "docs.csv": "x,t,g\n" + "".join(f"{i * 5 % 7},{i // 4},{'ab'[i % 2]}\n"
                                             for i in range(12)),
             "labels.txt": "1: one\n2: two\n", "others.txt": "1: uno\n3: three\n",
             "../input/rows.csv": ROWS,
             "folder/a.txt": TEXT[:60], "folder/b.txt": TEXT[60:140]}
    files.update(study_files())
    files.update(demo_files())
    for name, text in files.items():
        path = os.path.join(base, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
    for words in SETUP:
        run = subprocess.run([program, *words], cwd=base, capture_output=True, text=True,
                             env=ENVIRONMENT)
        if run.returncode not in (0, 3):
            sys.exit(f"cannot prepare: {' '.join(words)}: {run.stderr}")


def neutral(name, content):
    """Without what differs from run to run: times."""
    if b"\0" in content[:100]:  # numbers, not text
        return content
    header = content.split(b"\n", 1)[0].split(b",")
    if name.endswith(".csv") and b"seconds" in header:
        at = header.index(b"seconds")
        rows = [line.split(b",") for line in content.split(b"\n")]
        return b"\n".join(b",".join(row[:at] + row[at + 1:]) for row in rows)
    if not name:  # what is printed: the last column of search-k and of the study's tables
        content = re.sub(rb"(?m) +[0-9]+\.[0-9]{1,2}(  [a-z-]+)?$", rb"\1", content)
    content = re.sub(rb'("(?:seconds|elapsed)[a-z_]*": ?)[-+.0-9e]+', rb"\1", content)
    if name.endswith(".html"):
        content = re.sub(rb"[-+.0-9e]+ ?s\b", b"", content)
    return re.sub(rb"[0-9.]+ s\b", b"", content)


def contents(folder):
    """All files below a folder, as they are."""
    found = {}
    for name in copies.scan(folder)[0]:
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def state(raw, known=()):
    """Files without what differs from run to run; those of `known` have been looked at."""
    # Topics leave what a fit that failed has reached, for --resume; a search its table
    # after each fit. Both are said in the manual.
    return {path: known[path][1] if path in known and known[path][0] == content
            else neutral(os.path.basename(path), content) for path, content in raw.items()
            if os.path.basename(path) not in ("checkpoint", "search.csv")}


class Runner:
    def __init__(self, program, shim, base, work):
        self.program, self.shim, self.base, self.work = program, shim, base, work
        shutil.copytree(base, work)
        self.folder = copies.Folder(work, work + ".links")
        raw, _ = self.folder.contents()
        self.known = {path: (content, neutral(os.path.basename(path), content))
                      for path, content in raw.items()}
        self.old = state(raw, self.known)
        self.fresh = True

    def renew(self):
        """The folder as it was before the first run; nothing to do where a run left it so."""
        if not self.fresh:
            self.folder.restore()
        self.fresh = True

    def run(self, words, fault=None, count=None, before=None, send=None, closed=(),
            again=False, stdout=subprocess.PIPE):
        if not again:
            self.renew()
        environment = dict(ENVIRONMENT)
        if fault or count:
            environment["LD_PRELOAD"] = self.shim
        if fault:
            environment["DLP_FAULT"] = fault
        if count:
            environment["DLP_FAULT_COUNT"] = count

        def begin():
            for fd in closed:
                os.close(fd)
            if before:
                before()
        process = subprocess.Popen(self.command(words, environment), cwd=self.work, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=subprocess.PIPE, preexec_fn=begin)
        if send:
            time.sleep(send[1])
            process.send_signal(send[0])
        try:
            # MPI waits by spinning, which takes long on a machine that is busy.
            slow = words[0] == "mpirun" or any(word in LARGE for word in words)
            out, err = process.communicate(timeout=TIMEOUT * (5 if slow else 1))
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            code = "no end"
        return code, neutral("", out or b""), err.decode(errors="replace"), self.look()

    def command(self, words, environment):
        """Of two processes where the first word is mpirun, which itself meets no fault."""
        if words[0] != "mpirun":
            return [self.program, *words]
        passed = [f"{name}={environment.pop(name)}" for name in list(environment)
                  if name.startswith(("DLP_", "LD_PRELOAD"))]
        return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-q", "-n", "2",
                *[word for one in passed for word in ("-x", one)], self.program, *words[1:]]

    def look(self):
        raw, self.fresh = self.folder.contents()
        return self.old if self.fresh else state(raw, self.known)


def before_main(err):
    """The loader or a library had no memory: the program has not begun."""
    return "error while loading shared libraries" in err or "OpenBLAS blas_thread_init" in err


def within(out, good):
    """Every line that was printed is one of a good run, in their order; the last may be cut."""
    lines = iter(good.split(b"\n"))
    *whole, cut = out.split(b"\n")
    return all(any(line == other for other in lines) for line in whole) and any(
        other.startswith(cut) for other in lines)


class Checker:
    def __init__(self):
        self.runs, self.broken = 0, []

    def check(self, words, what, good, old, run, codes=(4,), memory=False):
        """A run that met a fault, beside the good run and the state before it."""
        code, out, err, files = run
        self.runs += 1
        wrong = []
        same = files == good[3] and out == good[1]
        if code == good[0] and code in (0, 3):
            if not same:
                wrong.append("ended as a good run, with another result")
        elif code not in codes:
            wrong.append(f"ended with {code}")
        elif code in (127, 130) and before_main(err):
            pass
        elif code > 0 and not (err.startswith("delaplace") or "\ndelaplace" in err):
            wrong.append("failed without a message")
        if code == 4 and memory and "memory" not in err:
            wrong.append("does not say that memory was short")
        several = " ".join(words).startswith(SEVERAL) and all(
            f in (old.get(n), good[3].get(n)) for n, f in files.items())
        if files not in (old, good[3]) and not several:
            both = set(files) | set(old)
            changed = [n for n in sorted(both)
                       if files.get(n) != old.get(n) and files.get(n) != good[3].get(n)]
            mixed = [n for n in sorted(both) if files.get(n) != old.get(n)]
            wrong.append(f"left {', '.join(changed) if changed else 'a mix: ' + ', '.join(mixed)}")
        if not within(out, good[1]) and not same:
            wrong.append("printed something else")
        if wrong:
            self.broken.append((words, what))
            print(f"BROKEN {' '.join(words)}\n  {what}: {'; '.join(wrong)}"
                  f"\n  {err.strip().splitlines()[-1] if err.strip() else '(no message)'}",
                  flush=True)


def numbers(calls, sample, rng):
    """Some of a list of calls, spread over it."""
    if not sample or len(calls) <= sample:
        return calls
    step = len(calls) / sample
    return sorted({calls[int(i * step) + rng.randrange(max(1, int(step)))]
                   for i in range(sample)})


def counted(runner, words, places=False):
    """The calls of each kind that are to fail: all, or the first from each place."""
    counts = os.path.join(os.path.dirname(runner.work), "counts")
    runner.run(words, count=counts)
    with open(counts) as lines:
        found = [line.split() for line in lines]
    return {k: sorted(map(int, first)) if places else list(range(1, int(n) + 1))
            for k, n, *first in found}


def fail(runner, checker, words, good, kind, n, more):
    """A run of its own in which a call fails."""
    what = f"{kind}:{n}{more}:{ERRNO[kind]}"
    run = runner.run(words, fault=what)
    if kind == "rename" and more and run[0] == 4:
        # The journal may be left; the next run finishes it.
        run = (*run[:3], runner.run(words, again=True)[3])
    checker.check(words, what, good, runner.old, run, memory=kind == "memory")


def calls(runner, checker, words, good, kinds, sample, rng, once):
    """Some calls of each kind: so many of the first from each place, or all."""
    count = counted(runner, words, places=bool(sample))
    for kind in kinds:
        for i, n in enumerate(numbers(count[kind], sample, rng)):
            # Memory alone fails so often that a place has the one or the other.
            both = ("", "+") if kind != "memory" or not sample else ("+",) if i % 2 else ("",)
            for more in ("",) if once else both:
                if not more or kind != "read":
                    fail(runner, checker, words, good, kind, n, more)


def all_calls(runner, checker, words, good, kinds, sample, rng, once):
    """Each call fails alone; and the first of each place with all that follow."""
    threaded = copied(runner, checker, words, good, [k for k in kinds if k in COPIED], once)
    for kind, n in numbers(threaded, sample, rng):
        for more in ("",) if once or kind == "read" else ("", "+"):
            fail(runner, checker, words, good, kind, n, more)
    calls(runner, checker, words, good, [k for k in kinds if k not in COPIED], sample, rng, once)


def copied(runner, checker, words, good, kinds, once):
    """Each call of these kinds, in copies of one run; the places where threads forbid that."""
    runner.renew()
    runner.fresh = False
    copied_runs = Copied(runner, checker, words, good)
    names, threaded = list(ERRNO), []
    for kind, n, new, alone in copied_runs.asked():
        kind = names[kind]
        if kind in kinds and alone and (new or words[0] not in BY_PLACE):
            for more in ("", "+") if new and kind != "read" and not once else ("",):
                copied_runs.meet(kind, n, more)
        elif kind in kinds and new:
            threaded.append((kind, n))
    copied_runs.end()
    return threaded


class Copied:
    """A run whose copies meet faults, and the folder that they share with it."""

    def __init__(self, runner, checker, words, good):
        self.runner, self.checker, self.words, self.good = runner, checker, words, good
        self.folder = copies.Folder(runner.work, runner.work + ".copied")
        self.watch = copies.Watch(runner.work)
        self.held = runner.old
        self.talk = copies.Conversation(
            [runner.program, *words], runner.work, dict(ENVIRONMENT, LD_PRELOAD=runner.shim),
            runner.work + ".said", TIMEOUT)

    def asked(self):
        """The calls, one after the other, each before it is made."""
        line = self.talk.hear()
        while line:
            yield map(int, line.split())
            self.talk.say("go")
            line = self.talk.hear()

    def look(self):
        raw, _ = self.folder.contents()
        return state(raw, self.runner.known)

    def meet(self, kind, n, more):
        if not self.watch.quiet():
            self.folder.hold()
            self.watch.begin(self.folder.folders)
            self.held = self.look()
            self.watch.quiet()
        code, out, err = self.talk.copy(f"{ERRNO[kind]}{more}")
        quiet = self.watch.quiet()
        self.checker.check(self.words, f"{kind}:{n}{more}:{ERRNO[kind]}", self.good, self.runner.old,
                           (code, neutral("", out), err.decode(errors="replace"),
                            self.held if quiet else self.look()), memory=kind == "memory")
        if not quiet:
            self.folder.restore()
            self.watch.begin(self.folder.folders)
            self.watch.quiet()
        self.talk.hear()  # it asks again

    def end(self):
        code, out, _ = self.talk.end()
        self.watch.close()
        if (code, neutral("", out), self.runner.look()) != (self.good[0], self.good[1], self.good[3]):
            sys.exit(f"{' '.join(self.words)}: the run whose copies met faults ended with {code}, "
                     "not as a good one does: what a copy did was not undone")


def kills(runner, checker, words, counts_of, sample, rng):
    """SIGKILL at the N-th write, sync or rename; then the result is read, and made again."""
    readers = READERS.get(" ".join(words[:2]))
    if not readers:
        return
    output = words[words.index("-o") + 1] if "-o" in words else ""
    readers = [[output if word == "OUTPUT" else word for word in reader] for reader in readers]
    read = lambda: [runner.run(reader, again=True)[:2] for reader in readers]
    runner.run(words)
    new = read()
    runner.run(["version"])
    old = read()
    good = runner.run(words)
    for kind in ("write", "sync", "rename"):
        for n in numbers(counts_of(words)[kind], sample, rng):
            what = f"{kind}:{n}:0"
            runner.run(words, fault=what)
            found = read()
            checker.runs += 1
            wrong = [f"reads {r}: neither old nor new" for r, f, a, b in
                     zip(readers, found, old, new) if f not in (a, b)]
            again = runner.run(words, again=True)
            left = [f for f in again[3] if f not in good[3] and
                    not re.search(r"\.delaplace-[0-9]+-[0-9]+$", f)]
            if again[0] != good[0] or left:
                wrong.append(f"cannot be made again: {again[0]}, {again[2]} {left}")
            if wrong:
                checker.broken.append((words, what))
                print(f"BROKEN {' '.join(words)}\n  killed at {what}: {'; '.join(wrong)}")


def limit(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def limits(runner, checker, words, good, sample):
    mega = 1 << 20
    sizes = (30, 50, 60, 100, 300) if sample else (*range(20, 320, 10), 400, 600)
    for size in sizes:
        run = runner.run(words, before=limit(resource.RLIMIT_AS, size * mega))
        # Below some size the loader itself fails, with 127, before there is a program.
        checker.check(words, f"ulimit -v {size} MB", good, runner.old, run, codes=(4, 127))
    for files in (3, 4, 5, 6) if not sample else (4,):
        run = runner.run(words, before=limit(resource.RLIMIT_NOFILE, files))
        checker.check(words, f"ulimit -n {files}", good, runner.old, run, codes=(4, 127))
    for size in (0, 100, 1000, 10000) if not sample else (100,):
        run = runner.run(words, before=limit(resource.RLIMIT_FSIZE, size))
        checker.check(words, f"ulimit -f {size} bytes", good, runner.old, run)
    for size in (256, 512) if not sample else (512,):
        run = runner.run(words, before=limit(resource.RLIMIT_STACK, size << 10))
        checker.check(words, f"ulimit -s {size} KB", good, runner.old, run)


class Mount:
    """The working folder as a file system of its own, in this process's own namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    RDONLY, REMOUNT, BIND, DETACH, PRIVATE, REC, NEWNS = 1, 32, 4096, 2, 1 << 18, 1 << 14, 0x20000

    @classmethod
    def allowed(cls):
        """Enters the namespace; False where the system does not let us."""
        return (cls.libc.unshare(cls.NEWNS) == 0 and
                cls.libc.mount(b"none", b"/", None, cls.REC | cls.PRIVATE, None) == 0)

    def __init__(self, runner, what):
        self.runner, self.path, self.filler = runner, runner.work.encode(), None
        runner.renew()
        code = self.libc.mount(b"tmpfs", self.path, b"tmpfs", 0, what.encode())
        if code != 0:
            raise OSError(ctypes.get_errno(), "mount")

    def __enter__(self):
        shutil.copytree(self.runner.base, self.runner.work, dirs_exist_ok=True)
        return self

    def read_only(self):
        self.libc.mount(b"none", self.path, None, self.REMOUNT | self.RDONLY, None)

    def fill(self, left):
        """All but so many bytes."""
        free = os.statvfs(self.path)
        size = free.f_bavail * free.f_frsize - left
        with tempfile.TemporaryFile(dir=self.runner.work) as out:  # it has no name
            os.posix_fallocate(out.fileno(), 0, max(size, 1))
            self.filler = os.dup(out.fileno())

    def __exit__(self, *_):
        if self.filler is not None:
            os.close(self.filler)
        self.libc.umount2(self.path, self.DETACH)
        self.runner.fresh = True


def disks(runner, checker, words, good, sample):
    """A file system that is full, or all but full, or read-only."""
    for left in (0, 4096, 8192, 16384, 65536) if not sample else (0, 8192):
        with Mount(runner, "size=16m") as disk:
            disk.fill(left)
            run = runner.run(words, again=True)
        checker.check(words, f"{left} bytes left on the disk", good, runner.old, run)
    with Mount(runner, "size=16m") as disk:
        disk.read_only()
        run = runner.run(words, again=True)
    checker.check(words, "a read-only disk", good, runner.old, run)


def streams(runner, checker, words, good):
    with open("/dev/full", "w") as full:
        run = runner.run(words, stdout=full)
    if run[0] == good[0]:  # it printed nothing
        run = (run[0], good[1], *run[2:])
    checker.check(words, "standard output is full", good, runner.old, run)
    for closed in ((0,), (1,), (0, 1)):
        run = runner.run(words, closed=closed)
        fine = (run[0], good[1], *run[2:]) if 1 in closed and run[0] == good[0] else run
        checker.check(words, f"closed {closed}", good, runner.old, fine)


def check_stopped(runner, checker, words, what, good, run, number):
    """After a signal: a message, and no files but those that were there or belong there."""
    if run[0] != 128 + number:
        checker.check(words, what, good, runner.old, run, codes=(4, -number))
        return
    checker.runs += 1
    left = [n for n in run[3] if n not in runner.old and n not in good[3]]
    if left or not run[2]:
        checker.broken.append((words, what))
        print(f"BROKEN {' '.join(words)}\n  {what}: left {left}: {run[2]}", flush=True)


def stops(runner, checker, words, good, sample, rng):
    """SIGTERM at each call that opens, writes, syncs or renames a file."""
    count = counted(runner, words, places=bool(sample))
    number = int(signal.SIGTERM)
    for kind in ("open", "write", "sync", "rename"):
        for n in numbers(count[kind], sample, rng):
            what = f"{kind}:{n}:-{number}"
            run = runner.run(words, fault=what)
            check_stopped(runner, checker, words, what, good, run, number)


def signals(runner, checker, words, good, sample, rng):
    took = time.monotonic()
    runner.run(words)
    took = time.monotonic() - took
    for _ in range(2 if sample else 20):
        number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        run = runner.run(words, send=(number, rng.random() * took))
        check_stopped(runner, checker, words, number.name, good, run, int(number))


def tried(words, only):
    if words[0] == "mpirun" and not shutil.which("mpirun"):
        return False
    return re.search(only, " ".join(words))


def chosen(args):
    part, parts = map(int, args.part.split("/"))
    return [words for words in CASES if tried(words, args.only)][part - 1::parts]


class Done:
    """The commands that were tried with a program, in a file; for another program they do not count."""

    def __init__(self, path, program):
        mark = hashlib.sha256()
        library = os.path.join(os.path.dirname(program), "..", "lib", "libdelaplace.so")
        for part in filter(os.path.exists, (program, library)):
            with open(part, "rb") as file:
                mark.update(file.read())
        self.mark = mark.hexdigest()[:16]
        self.path = path

    def __contains__(self, words):
        if not self.path or not os.path.exists(self.path):
            return False
        with open(self.path) as lines:
            found = [line.rstrip("\n").split("\t") for line in lines]
        return any(line[0] == self.mark and line[2] == " ".join(words) for line in found)

    def add(self, words, runs):
        if self.path:
            with open(self.path, "a") as out:
                out.write(f"{self.mark}\t{runs}\t{' '.join(words)}\n")


def missing(program):
    """The commands that the program has and that are not tried."""
    lines = subprocess.run([program, "help"], capture_output=True, text=True).stdout
    known = re.findall(r"(?m)^  ([a-z]\S*(?: [a-z]\S*)?)  ", lines.split("Options:")[0])
    return [k for k in known if not any(" ".join(c + [""]).startswith(k + " ") for c in CASES)]


def processor():
    """Seconds of this process and of those it has waited for."""
    return sum(sum(resource.getrusage(of)[:2])
               for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def try_one(runner, checker, words, args, kinds, rng):
    if words[0] == "mpirun":
        kinds = [k for k in kinds if k in SHARED]
    good = runner.run(words)
    if good[0] not in (0, 3):
        sys.exit(f"{' '.join(words)} ends with {good[0]} without a fault: {good[2]}")
    long = [n for name, n in LONG.items() if " ".join(words).startswith(name)]
    sample = min([n for n in (args.sample, *long) if n], default=0)
    failing = [k for k in kinds if k in ERRNO]
    if args.sample or words[0] == "mpirun":
        calls(runner, checker, words, good, failing, sample, rng, args.once)
    else:
        all_calls(runner, checker, words, good, failing, sample, rng, args.once)
    if "kills" in kinds:
        kills(runner, checker, words, lambda w: counted(runner, w, bool(sample)), sample, rng)
    if "limits" in kinds:
        limits(runner, checker, words, good, sample)
    if "disks" in kinds:
        disks(runner, checker, words, good, sample)
    if "streams" in kinds:
        streams(runner, checker, words, good)
    if "stops" in kinds:
        stops(runner, checker, words, good, sample, rng)
    if "signals" in kinds:
        signals(runner, checker, words, good, sample, rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default="memory,open,read,write,sync,rename,close,thread,map,"
                                           "kills,stops,limits,disks,streams,signals")
    parser.add_argument("--part", default="1/1", help="I/N: every N-th command, from the I-th on")
    parser.add_argument("--done", default="", help="a file that keeps what was tried")
    parser.add_argument("--list", action="store_true", help="only look for missing commands")
    parser.add_argument("--once", action="store_true", help="no calls that go on failing")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    kinds = args.kinds.split(",")
    left_out = missing(os.path.realpath(args.program))
    if left_out:
        sys.exit(f"commands that no case tries: {', '.join(left_out)}")
    if args.list:
        return
    if "disks" in kinds and not Mount.allowed():
        print("skipped: full and read-only disks; this user may not mount them")
        kinds.remove("disks")
    where = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    top = tempfile.mkdtemp(prefix="delaplace-faults-", dir=where)
    checker = Checker()
    try:
        base = os.path.join(top, "base")
        program = os.path.realpath(args.program)
        prepare(program, base)
        for name, make in LARGE.items():
            if any(name in words for words in chosen(args)):
                make(program, base)
        runner = Runner(program, os.path.realpath(args.shim), base, os.path.join(top, "work"))
        done = Done(args.done, program)
        for words in chosen(args):
            if words in done:
                continue
            before, began = checker.runs, processor()
            try_one(runner, checker, words, args, kinds, rng)
            print(f"{checker.runs - before} runs, {processor() - began:.1f} s of processor: "
                  f"{' '.join(words)}", flush=True)
            done.add(words, checker.runs - before)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{checker.runs} runs, {len(checker.broken)} broken promises, "
          f"{processor():.0f} s of processor")
    sys.exit(1 if checker.broken else 0)


if __name__ == "__main__":
    main()
