#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mutants of a source file that tests do not notice.

usage: plant.py FILE MOST TEST...

Runs at the top of the project, whose folder build/ has the programs of the tests. A mutant is
compiled as the file is and linked before the library, whose own member is then not taken.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CHANGES = [(r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" < ", " <= "), (r" > ", " >= "),
           (r" <= ", " < "), (r" >= ", " > "), (r" == ", " != "), (r" && ", " || "), (r" \|\| ", " && "),
           (r"\b1\b", "2"), (r"\b0\.5\b", "0.6"), (r"\b2\b", "3"), (r"!(?=[a-z(])", "")]


def mutants(lines):
    """(line number, mutated line) of all that there are."""
    comment = False
    for number, line in enumerate(lines):
        comment = comment or line.lstrip().startswith("/*")
        if not comment and not line.startswith(("#", "static const", "enum")):
            for pattern, new in CHANGES:
                for match in re.finditer(pattern, line.split("/*")[0]):
                    yield number, line[:match.start()] + new + line[match.end():]
        if "*/" in line:
            comment = False


def compile_command(path):
    with open("build/compile_commands.json") as file:
        found = [c["command"] for c in json.load(file)
                 if os.path.realpath(c["file"]) == os.path.realpath(path)]
    if not found:
        sys.exit(f"plant.py: nothing compiles {path}")
    return re.sub(r" -o \S+ -c \S+$", "", found[0])


def link_command(test):
    said = subprocess.run(["ninja", "-C", "build", "-t", "commands", f"test_{test}"], check=True,
                          capture_output=True, text=True).stdout
    return said.strip().splitlines()[-1].removeprefix(": && ").removesuffix(" && :")


def run(command, seconds=None):
    try:
        return subprocess.run(command, shell=True, cwd="build", timeout=seconds,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return "no end"


def survives(source, compiler, links, folder):
    """None if it is not a mutant: it does not compile, or warns."""
    made = os.path.join(folder, "mutant.o")
    if run(f"{compiler} -o {made} -c {source}") != 0:
        return None
    for test, link in links.items():
        program = os.path.join(folder, "test")
        linked = link.replace(f"-o bin/test_{test} ", f"-o {program} {made} ")
        if run(linked) != 0:
            sys.exit(f"plant.py: cannot link test_{test}")
        # exec: the program is what is killed when it does not end, and not a shell before it
        if run(f"exec {program}", 120) != 0:
            return False
    return True


def main():
    path, most, tests = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with open(path) as file:
        lines = file.readlines()
    found = list(mutants(lines))
    compiler, links = compile_command(path), {test: link_command(test) for test in tests}
    planted = survived = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, os.path.basename(path))
        for number, line in found[::max(1, len(found) // most)]:
            with open(source, "w") as out:
                out.writelines(lines[:number] + [line] + lines[number + 1:])
            lives = survives(source, compiler, links, folder)
            planted += lives is not None
            survived += bool(lives)
            if lives:
                print(f"{path}:{number + 1}: {line.strip()}", flush=True)
    print(f"{survived} of {planted} mutants survived")


if __name__ == "__main__":
    main()
