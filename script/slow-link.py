#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Usage: slow-link.py MILLISECONDS NODE...

A switch for network namespaces whose links are slow, for kernels without netem: each of the named
namespaces gets a device eth0, and what it sends reaches the others MILLISECONDS later, in order.
Prints "ready" once the devices are there, and runs until it is killed. Used by script/cluster.
"""
import collections
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

TUNSETIFF, TAP_WITHOUT_HEADER, CLONE_NEWNET, LARGEST = 0x400454CA, 0x1002, 0x40000000, 65536


def enter(path):
    libc = ctypes.CDLL(None, use_errno=True)
    namespace = os.open(path, os.O_RDONLY)
    if libc.setns(namespace, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns", path)
    os.close(namespace)


def make_device(node):
    """The device stays in the namespace where it was made; its frames come and go by the file."""
    enter("/run/netns/" + node)
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", b"eth0", TAP_WITHOUT_HEADER))
    return tap


def write(tap, frame):
    try:
        os.write(tap, frame)
    except OSError:
        pass  # a device that is not up loses frames, as a cable does


def main():
    delay, taps = float(sys.argv[1]) / 1000, [make_device(node) for node in sys.argv[2:]]
    place, waiting = {}, collections.deque()  # where an address was seen; (when, from, frame)
    print("ready", flush=True)
    while True:
        left = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        for tap in select.select(taps, [], [], left)[0]:
            frame = os.read(tap, LARGEST)
            place[frame[6:12]] = tap
            waiting.append((time.monotonic() + delay, tap, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, sender, frame = waiting.popleft()
            known = place.get(frame[:6])
            for tap in [known] if known else [tap for tap in taps if tap != sender]:
                write(tap, frame)


main()
