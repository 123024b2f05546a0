# SPDX-License-Identifier: BSD-3-Clause
"""Faults of a program that runs once: at each call a copy of it (fork) meets the fault.

shim.c says how the program asks. A copy works in the folder of the program, so what it does
there is undone before the program continues: files have their content again in the same place
(the program may be writing to them), which hard links keep.
"""
import ctypes
import os
import select
import shutil
import signal
import subprocess


def scan(folder):
    """What shows whether a file has changed, for all files below a folder, and the folders."""
    files, folders, todo = {}, set(), [""]
    while todo:
        at = todo.pop()
        with os.scandir(os.path.join(folder, at)) as entries:
            for entry in entries:
                name = os.path.join(at, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    folders.add(name)
                    todo.append(name)
                else:
                    s = entry.stat(follow_symlinks=False)
                    files[name] = (s.st_ino, s.st_size, s.st_mtime_ns)
    return files, folders


class Watch:
    """Whether anything has happened below a folder, which is faster to ask than to look."""
    # MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE
    EVENTS = 0x2 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200
    libc = ctypes.CDLL(None, use_errno=True)

    def __init__(self, path):
        self.path = path
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.begin(scan(path)[1])

    def begin(self, folders):
        for name in ("", *folders):
            self.libc.inotify_add_watch(self.fd, os.path.join(self.path, name).encode(), self.EVENTS)

    def quiet(self):
        """Nothing since the last time that this was asked."""
        found = True
        while True:
            try:
                found = not os.read(self.fd, 65536) and found
            except BlockingIOError:
                return found

    def close(self):
        os.close(self.fd)


class Folder:
    """A folder that can be put back to what it was."""

    def __init__(self, path, links):
        self.path, self.links, self.held = path, links, {}
        shutil.rmtree(links, ignore_errors=True)
        os.mkdir(links)
        self.hold()

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def link(self, mark):
        return os.path.join(self.links, str(mark[0]))

    def hold(self):
        """What is there now is what `restore` returns to."""
        files, self.folders = scan(self.path)
        for name in [n for n in self.held if n not in files]:
            del self.held[name]
        for name, mark in files.items():
            if name not in self.held or self.held[name][0] != mark:
                self.held[name] = (mark, self.read(name))
                if not os.path.exists(self.link(mark)):
                    os.link(os.path.join(self.path, name), self.link(mark))

    def contents(self):
        """All files as they are now, and whether that is what was held."""
        files, folders = scan(self.path)
        same = folders == self.folders and len(files) == len(self.held) and all(
            name in self.held and self.held[name][0] == mark for name, mark in files.items())
        if same:
            return {name: content for name, (_, content) in self.held.items()}, True
        return {name: self.held[name][1] if name in self.held and self.held[name][0] == mark
                else self.read(name) for name, mark in files.items()}, False

    def restore(self):
        files, folders = scan(self.path)
        for name in files:
            if name not in self.held:
                os.remove(os.path.join(self.path, name))
        for name in sorted(folders - self.folders, reverse=True):
            os.rmdir(os.path.join(self.path, name))
        for name in sorted(self.folders - folders):
            os.mkdir(os.path.join(self.path, name))
        for name, (mark, content) in self.held.items():
            if files.get(name) != mark:
                self.put_back(name, mark, content)
        files, _ = scan(self.path)  # times have changed, contents have not
        self.held = {name: (files[name], content) for name, (_, content) in self.held.items()}

    def put_back(self, name, mark, content):
        path, aside = os.path.join(self.path, name), os.path.join(self.links, "aside")
        with open(self.link(mark), "r+b") as file:
            if file.read() != content:
                file.seek(0)
                file.truncate()
                file.write(content)
        if os.path.exists(path):
            if os.stat(path).st_ino == mark[0]:
                return
            os.remove(path)
        os.link(self.link(mark), aside)
        os.rename(aside, path)


class Conversation:
    """One run of a program that asks before each call."""

    def __init__(self, command, folder, environment, said, seconds):
        self.said, self.seconds = said, seconds
        asks, self.to = os.pipe()
        self.frm, tells = os.pipe()
        environment = dict(environment, DLP_FAULT_ASK=f"{asks},{tells}", DLP_FAULT_SAID=said)
        self.out, self.err = open(said + ".whole.out", "w+b"), open(said + ".whole.err", "w+b")
        # One processor: a program that takes as many threads as there are has one.
        allowed = sorted(os.sched_getaffinity(0))
        one = {allowed[os.getpid() % len(allowed)]}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=self.out,
            stderr=self.err, pass_fds=(asks, tells), start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, one))
        os.close(asks)
        os.close(tells)
        self.lines = os.fdopen(self.frm, "rb", buffering=0)
        self.rest = b""

    def hear(self):
        """A line; None where it takes too long, b"" at the end."""
        while b"\n" not in self.rest:
            if not select.select([self.frm], [], [], self.seconds)[0]:
                return None
            more = os.read(self.frm, 65536)
            if not more:
                return b""
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def say(self, text):
        os.write(self.to, text.encode() + b"\n")

    def copy(self, fault):
        """Lets a copy meet the fault: its exit code and what it and the program have said."""
        self.say(fault)
        pid = int(self.hear())
        status = self.hear()
        ended = status is not None
        if not ended:
            os.kill(pid, signal.SIGKILL)
            status = self.hear()
        code = os.waitstatus_to_exitcode(int(status)) if ended else "no end"
        return code, *self.texts((self.out, ".out"), (self.err, ".err"))

    def texts(self, *pairs):
        for whole, ending in pairs:
            with open(whole.name, "rb") as first, open(self.said + ending, "rb") as then:
                yield first.read() + then.read()

    def end(self):
        """Exit code and output of the program itself."""
        code = self.process.wait()
        texts = []
        for file in (self.out, self.err):
            with open(file.name, "rb") as whole:
                texts.append(whole.read())
            file.close()
        self.lines.close()
        os.close(self.to)
        return code, *texts
