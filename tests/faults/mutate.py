#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs whole commands on files that were changed at random, and checks what they promise.

usage: mutate.py PROGRAM [--seconds N] [--seed S] [--only PATTERN] [--keep FOLDER]

A command of CASES runs in the folder that faults.py prepares, after one or a few of its input
files were changed: numbers to difficult ones, words and lines doubled, dropped, swapped, bytes
changed, ends cut off. What ends with a checksum (a checkpoint, the files of a topic model) gets the
right one, so that it is read. Whatever a file holds, a run must
  - end by itself with 0, 1, 3 or 4, and within a minute;
  - say something where it failed;
  - write no NaN or infinity, and nothing at all where it failed.
A run that does not is printed with its seed; --keep stores its folder.
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import faults

MODEL = ["model/model.json", "model/beta.npy", "model/mu.npy", "model/sigma.npy",
         "model/theta.npy", "model/vocab.txt", "model/trace.csv"]
DRIFT = ["drift/" + name for name in ("model.json", "beta_time.npy", "beta_time_sd.npy", "slice.npy",
                                     "slices.txt", "theta.npy")]
GROUPS = ["groups/" + name for name in ("model.json", "beta_content.npy", "beta_content_sd.npy",
                                       "content.npy", "content_sd.npy", "groups.txt")]
FORMATS = ["text.ldac", "text.mtx", "text.uci", "text.svmlight", "text.csv", "text.dlpc"]

# Commands, and which of their files are changed.
CASES = [
    (["corpus", "build", "text.txt", "--lines", "--min-docs", "1", "-o", "out.ldac"], ["text.txt"]),
    (["corpus", "build", "text.jsonl", "--column", "text", "--min-docs", "1", "-o", "out.ldac"],
     ["text.jsonl"]),
    (["corpus", "build", "text.csv2", "--column", "text", "--min-docs", "1", "-o", "out.ldac"],
     ["text.csv2"]),
    *[(["corpus", "convert", name, "-o", "out.ldac"], [name]) for name in FORMATS],
    *[(["topics", "fit", name, "-k", "2", "--max-iter", "2", "-o", "out"], [name])
      for name in FORMATS[:2]],
    (["corpus", "split", "text.ldac", "--every", "2", "-o", "out.ldac", "--test", "out2.ldac"],
     ["text.ldac", "text.vocab", "text.docs"]),
    (["unigram", "fit", "text.svmlight", "--max-iter", "20", "-o", "out.json"], ["text.svmlight"]),
    (["topics", "fit", "text.ldac", "-k", "2", "-o", "model", "--max-iter", "6", "--resume"],
     ["model/checkpoint"]),
    (["topics", "infer", "model", "text.ldac", "-o", "out.csv"], MODEL),
    (["topics", "show", "model", "--json"], MODEL),
    (["topics", "export", "model", "--words", "out.csv"], MODEL),
    (["topics", "effects", "model", "text.ldac", "--covariates", "docs.csv", "--formula", "~ x",
      "--draws", "5", "-o", "out.csv"], MODEL + ["docs.csv"]),
    (["report", "model", "-o", "out.html"], MODEL),
    (["topics", "export", "drift", "--over-time", "out.csv"], DRIFT),
    (["topics", "show", "drift", "--json"], DRIFT),
    (["topics", "export", "groups", "--by-group", "out.csv"], GROUPS),
    (["report", "groups", "-o", "out.html"], GROUPS),
    (["topics", "fit", "text.dlpc", "-k", "2", "--max-iter", "2", "--online", "1", "-o", "out"],
     ["text.dlpc"]),
    (["topics", "fit", "text.ldac", "-k", "2", "--max-iter", "2", "-o", "out", "--covariates", "docs.csv",
      "--time", "t", "--formula", "~ x"], ["docs.csv"]),
    (["topics", "fit", "text.ldac", "-k", "2", "--max-iter", "2", "-o", "out", "--covariates", "docs.csv",
      "--content", "g"], ["docs.csv"]),
    (["topics", "fit", "text.ldac", "-k", "3", "--max-iter", "2", "-o", "out", "--seeds", "seeds.txt",
      "--labels", "labels.txt"], ["seeds.txt", "labels.txt"]),
    (["glm", "fit", "y ~ x + g", "--data", "table.csv", "-o", "out.json"], ["table.csv"]),
    (["glm", "fit", "y ~ x", "--group", "g", "--data", "table.csv", "-o", "out.json"],
     ["table.csv"]),
    (["glm", "fit", "n ~ x + (1 | g)", "--data", "counts.csv", "-o", "out.json"], ["counts.csv"]),
    (["glm", "fit", "Surv(time, event) ~ x", "--data", "survival.csv", "-o", "out.json"],
     ["survival.csv"]),
    (["glm", "fit", "n ~ besag(r)", "--family", "poisson", "--data", "regions.csv", "--adjacency",
      "neighbours.csv", "-o", "out.json"], ["regions.csv", "neighbours.csv"]),
    (["glm", "ppc", "mixed.json", "--data", "counts.csv", "--draws", "20", "-o", "out.csv"],
     ["mixed.json", "counts.csv"]),
    (["glm", "residuals", "fit2.json", "--data", "table.csv", "-o", "out.csv"],
     ["fit2.json", "table.csv"]),
    (["glm", "fit", "label ~ .", "--data", "rows.svmlight", "-o", "out.json"], ["rows.svmlight"]),
    *[(["glm", "predict", fit, "--data", table, "-o", "out.csv"], [fit, fit, table])
      for fit, table in (("fit2.json", "table.csv"), ("groups.json", "table.csv"),
                         ("mixed.json", "counts.csv"))],
    (["glm", "means", "fit2.json", "g", "--data", "table.csv", "-o", "out.csv"], ["fit2.json"]),
    (["glm", "check", "fit.json", "--data", "table.csv"], ["fit.json", "table.csv"]),
    (["glm", "check", "regions.json", "--data", "regions.csv"], ["regions.json"]),
    (["glm", "check", "ordinal.json", "--data", "counts.csv"], ["ordinal.json", "counts.csv"]),
    (["glm", "cv", "regions.json", "--data", "regions.csv", "--folds", "2"], ["regions.json"]),
    (["glm", "predict", "ordinal.json", "--data", "counts.csv", "-o", "out.csv"], ["ordinal.json"]),
    (["glm", "draws", "mixed.json", "--draws", "5", "-o", "out.csv"], ["mixed.json"]),
    (["glm", "show", "mixed.json", "--json"], ["mixed.json"]),
    (["report", "fit.json", "--data", "table.csv", "-o", "out.html"], ["fit.json"]),
    (["bugs", "fit", "hard.bug", "--data", "hard.data.json", "--draws", "100", "-o", "out.json"],
     ["hard.bug", "hard.data.json"]),
    (["bugs", "fit", "model.bug", "--data", "data.R", "-o", "out.json"], ["model.bug", "data.R"]),
    (["bugs", "check", "hard.bug", "--data", "hard.data.json"], ["hard.bug", "hard.data.json"]),
    (["bugs", "graph", "hard.bug", "-o", "out.svg"], ["hard.bug"]),
]
NUMBERS = [b"0", b"-1", b"1", b"2", b"3", b"0.5", b"1e308", b"-1e308", b"1e-320", b"nan", b"inf", b"NA",
           b"", b"2147483647", b"2147483648", b"9223372036854775807", b"99999999", b"1e16", b"7",
           b"-0", b"1e5", b"true", b"null", b"[]", b"\"a\""]
TOKEN = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|\w+|[^\w\s]|\s+")


def change_text(data, rng):
    kind = rng.randrange(8)
    if kind < 5:
        tokens = TOKEN.findall(data)
        if not tokens:
            return b"1"
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        if kind < 2:
            places = [i for i, t in enumerate(tokens) if re.match(rb"-?[0-9]", t)]
            if places:
                tokens[rng.choice(places)] = rng.choice(NUMBERS)
        elif kind == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            del tokens[at:at + rng.choice([1, 1, 1, 4])]
        else:
            tokens[at] = tokens[other]
        return b"".join(tokens)
    if kind == 5:
        lines = data.splitlines(keepends=True)
        if lines:
            at = rng.randrange(len(lines))
            lines[at:at + rng.choice([0, 1])] = [rng.choice(lines)] * rng.choice([0, 1, 2])
        return b"".join(lines)
    if kind == 6:
        return data[:rng.randrange(len(data) + 1)]
    return change_bytes(data, rng)


def change_bytes(data, rng):
    data = bytearray(data)
    if not data:
        return bytes(data)
    kind, at = rng.randrange(4), rng.randrange(len(data))
    if kind == 0:
        data[at] = rng.randrange(256)
    elif kind == 1:
        data[at:at + rng.choice([0, 1, 8])] = bytes(rng.randrange(256)
                                                    for _ in range(rng.choice([0, 1, 8])))
    else:
        value = rng.choice([0.0, -1.0, 1e308, float("nan"), float("inf"), 1e-320, 5e4])
        eight = struct.pack("<d", value) if kind == 2 else struct.pack(
            "<q", rng.choice([0, -1, 1, 2, 1 << 31, 1 << 62]))
        at = at // 8 * 8
        data[at:at + 8] = eight
    return bytes(data)


def fnv(data):
    h = 0xcbf29ce484222325
    at = 0
    while at + 8 <= len(data):
        h = (h ^ int.from_bytes(data[at:at + 8], "little")) * 0x100000001b3 % (1 << 64)
        h ^= h >> 32
        at += 8
    for byte in data[at:]:
        h = (h ^ byte) * 0x100000001b3 % (1 << 64)
    return h


def seal(data):
    """A corpus of the binary format with the checksums of what it holds."""
    if len(data) < 128:
        return data
    D, _, nnz = struct.unpack("<qqq", data[24:48])
    body, pairs = data[128:], b""
    if nnz >= 0 and D >= 0 and 8 * (nnz + D + 1) == len(body):
        for i in range(nnz):
            pairs += body[4 * i:4 * i + 4] + body[4 * (nnz + i):4 * (nnz + i) + 4]
        data = data[:56] + struct.pack("<QQ", fnv(pairs), fnv(body[8 * nnz:])) + data[72:]
    return data[:120] + struct.pack("<Q", fnv(data[:120])) + data[128:]


def set_sums(folder, name, rng):
    """The checksums that belong to what was changed."""
    path = os.path.join(folder, name)
    if name.endswith("checkpoint") and rng.random() < 0.9:
        with open(path, "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(data[:-8] + fnv(data[:-8]).to_bytes(8, "little"))
    if name.endswith(".dlpc") and rng.random() < 0.9:
        with open(path, "rb") as file:
            data = seal(file.read())
        with open(path, "wb") as file:
            file.write(data)
    parts = os.path.join(folder, os.path.dirname(name))
    model = os.path.join(parts, "model.json")
    if name.startswith(("model/", "drift/", "groups/")) and rng.random() < 0.9:
        try:
            with open(model) as file:
                info = json.load(file)
            for part in info["files"]:
                with open(os.path.join(parts, part), "rb") as file:
                    data = file.read()
                info["files"][part] = {"bytes": len(data), "crc32": f"{zlib.crc32(data):08x}"}
            with open(model, "w") as file:
                json.dump(info, file)
        except (ValueError, TypeError, KeyError, OSError):
            pass


def change(folder, names, rng):
    name = rng.choice(names)
    path = os.path.join(folder, name)
    with open(path, "rb") as file:
        data = file.read()
    binary = name.endswith((".npy", "checkpoint", ".dlpc"))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = (change_bytes if binary else change_text)(data, rng)
    with open(path, "wb") as file:
        file.write(data)
    set_sums(folder, name, rng)
    return name


def bad_number(content):
    return re.search(rb'(?<![\w"])[-+]?(nan|inf|infinity)(?![\w"-])', content, re.I)


def run(program, words, folder):
    def begin():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    try:
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL, preexec_fn=begin, env=faults.ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return "no end", b"", b""
    return done.returncode, done.stdout, done.stderr


def check(words, before, after, ended):
    code, out, err = ended
    wrong = []
    if code not in (0, 1, 3, 4):
        wrong.append(f"ended with {code}")
    if code in (1, 2, 4) and not err.strip():
        wrong.append("failed without a message")
    changed = {n: c for n, c in after.items() if before.get(n) != c and "checkpoint" not in n}
    if code not in (0, 3) and changed:
        wrong.append(f"failed, and wrote {', '.join(changed)}")
    for name, content in changed.items():
        if "--over-time" in words:  # which begins with the slices' names
            content = re.sub(rb"(?m)^[^,\n]*", b"", content)
        if name.endswith((".json", ".csv")) and bad_number(content):
            wrong.append(f"wrote no number to {name}: {bad_number(content).group(0)}")
    if "--json" in words and code == 0 and bad_number(out):
        wrong.append("printed no number")
    return wrong


def prepare(program, base):
    faults.prepare(program, base)
    for name in FORMATS[1:4]:
        subprocess.run([program, "corpus", "convert", "text.ldac", "-o", name, "-q"], cwd=base,
                       check=True, env=faults.ENVIRONMENT)
    with open(os.path.join(base, "rows.svmlight"), "w") as out:
        for i in range(30):
            out.write(f"{i * i % 3 % 2} 1:{i % 7} 3:{i * 5 % 11 / 4}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default="")
    args = parser.parse_args()
    program = os.path.realpath(args.program)
    where = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    top = tempfile.mkdtemp(prefix="delaplace-mutate-", dir=where)
    runs, findings, codes = 0, 0, {}
    try:
        base, work = os.path.join(top, "base"), os.path.join(top, "work")
        prepare(program, base)
        cases = [c for c in CASES if re.search(args.only, " ".join(c[0]))]
        began, seed = time.monotonic(), args.seed
        while time.monotonic() - began < args.seconds:
            rng = random.Random(seed)
            words, names = rng.choice(cases)
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work)
            name = change(work, names, rng)
            before = faults.contents(work)
            ended = run(program, words, work)
            runs += 1
            codes[ended[0]] = codes.get(ended[0], 0) + 1
            wrong = check(words, before, faults.contents(work), ended)
            if wrong:
                findings += 1
                print(f"BROKEN seed {seed}: {' '.join(words)}, {name} changed\n  "
                      f"{'; '.join(wrong)}\n  {ended[2][-300:].decode(errors='replace').strip()}",
                      flush=True)
                if args.keep:
                    kept = os.path.join(args.keep, f"seed-{seed}")
                    shutil.rmtree(kept, ignore_errors=True)
                    os.makedirs(kept)
                    for n, content in before.items():
                        if n == name or n.startswith("model/"):
                            os.makedirs(os.path.dirname(os.path.join(kept, n)), exist_ok=True)
                            with open(os.path.join(kept, n), "wb") as out:
                                out.write(content)
            seed += 1
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{runs} runs, exit codes {codes}, {findings} broken promises")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
