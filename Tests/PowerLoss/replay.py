#!/usr/bin/env python3
"""Crash a small run at each of its writes, and check that the next run goes on from there.

    replay.py TAPEDECK [--first OPTIONS] [--then OPTIONS]

A run with the options of --then (after a whole one with those of --first) is traced with strace.
Its changes to the output are replayed one by one into a model of a file system. After each, the
output is laid out as a crash there might leave it, in three ways:

- kill: all that was written is there.
- lost: only what was synced is there.
- empty: all names are there; contents that were not synced are zeros.

Then the same command runs again. Its outputs must be those of an undisturbed run, recordings that
were announced as done must be up to date, and `verify` must find nothing.

Exit status: 0 if all is well, 1 if not.
"""

import argparse
import hashlib
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MODELS = ["kill", "lost", "empty"]
CALLS = ["write", "pwrite64", "ftruncate", "rename", "renameat", "renameat2", "link", "linkat",
         "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "fsync", "fdatasync", "syncfs",
         "utimensat", "openat", "lseek", "writev", "pwritev", "copy_file_range", "sendfile"]
UNKNOWN = ["writev", "pwritev", "copy_file_range", "sendfile"]


def make_library(folder):
    """Write four recordings with sound between silences, and one file that is no recording."""
    os.makedirs(f"{folder}/A")
    for number, name in enumerate(["a.wav", "b.wav", "A/c.wav", "A/d.wav"]):
        noise = random.Random(number)
        samples = [noise.randint(-3, 3) for _ in range(12000)]
        for i in range(4000, 8000):
            swell = (1 + math.sin(math.tau * 4 * i / 8000)) / 2
            samples[i] = int(6000 * swell * math.sin(math.tau * (150 + 20 * number) * i / 8000))
        data = struct.pack(f"<{len(samples)}h", *samples)
        head = struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVEfmt ", 16, 1, 1,
                           8000, 16000, 2, 16, b"data", len(data))
        with open(f"{folder}/{name}", "wb") as file:
            file.write(head + data)
    with open(f"{folder}/broken.wav", "wb") as file:
        file.write(b"RIFFxxxxWAVEnothing")


class Disk:
    """The files below a folder: as written, and as they are on the disk for certain."""

    def __init__(self, top):
        self.top = top
        self.names, self.synced_names = {}, {}      # path -> inode
        self.folders, self.synced_folders = set(), set()
        self.data, self.synced_data = {}, {}        # inode -> bytes
        self.times, self.synced_times = {}, {}      # inode -> nanoseconds

    def load(self):
        for base, _, files in os.walk(self.top):
            self.folders.add(base)
            for name in files:
                path = f"{base}/{name}"
                self.make(path)
                with open(path, "rb") as file:
                    self.data[self.names[path]] += file.read()
                self.times[self.names[path]] = os.stat(path).st_mtime_ns
        self.sync()

    def has(self, path):
        return path == self.top or path.startswith(self.top + "/")

    def make(self, path):
        inode = len(self.data) + 1
        self.names[path], self.data[inode], self.times[inode] = inode, bytearray(), 0

    def file(self, path):
        return self.data.get(self.names.get(path))

    def sync_contents(self, inode):
        self.synced_data[inode] = bytes(self.data[inode])
        self.synced_times[inode] = self.times[inode]

    def sync(self):
        self.synced_names, self.synced_folders = dict(self.names), set(self.folders)
        for inode in self.names.values():
            self.sync_contents(inode)

    def fsync(self, path):
        if path in self.folders:
            others = {p: i for p, i in self.synced_names.items() if os.path.dirname(p) != path}
            own = {p: i for p, i in self.names.items() if os.path.dirname(p) == path}
            self.synced_names = others | own
            self.synced_folders |= {p for p in self.folders if os.path.dirname(p) == path}
        elif path in self.names:
            inode = self.names[path]
            self.sync_contents(inode)
            # As usual file systems do for a file that is new.
            if inode not in self.synced_names.values():
                self.synced_names[path] = inode
        while self.has(path):
            if path in self.folders:
                self.synced_folders.add(path)
            path = os.path.dirname(path)

    def after_crash(self, model):
        """Folders, and contents and times of files by path."""
        if model == "kill":
            return self.folders, {p: (bytes(self.data[i]), self.times[i])
                                  for p, i in self.names.items()}
        if model == "lost":
            return self.synced_folders, {
                p: (self.synced_data.get(i, b""), self.synced_times.get(i, 0))
                for p, i in self.synced_names.items()}
        return self.folders, {
            p: (self.synced_data.get(i, bytes(len(self.data[i]))), self.times[i])
            for p, i in self.names.items()}


def arguments(text):
    """Split the arguments of a call at commas outside of strings and brackets."""
    parts, depth, is_quoted = [""], 0, False
    for character in text:
        is_quoted ^= character == '"'
        depth += 0 if is_quoted else (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def calls(log):
    """Name, arguments and result of each call that succeeded, in the order of their ends."""
    begun = {}
    with open(log, encoding="ascii") as file:
        for line in file:
            thread, _, rest = line.strip().partition(" ")
            rest = rest.strip()
            if rest.endswith("<unfinished ...>"):
                begun[thread] = rest.removesuffix("<unfinished ...>").rstrip()
                continue
            resumed = re.match(r"<\.\.\. \w+ resumed>(.*)$", rest)
            if resumed:
                rest = begun.pop(thread, "") + resumed[1]
            call = re.match(r"(\w+)\((.*)\)\s+= (\d+)", rest)
            if call:
                yield call[1], arguments(call[2]), int(call[3])


def text(argument):
    """The bytes of a string that is all escapes."""
    return bytes.fromhex(argument[1:argument.rindex('"')].replace("\\x", ""))


def descriptor(argument):
    """A descriptor's number and path."""
    found = re.match(r"(\w+)<(.*)>$", argument)
    path = found[2]
    if path.startswith("\\x"):
        path = os.fsdecode(bytes.fromhex(path.replace("\\x", "")))
    return found[1], path


def resolved(folder, name):
    return os.path.normpath(os.path.join(descriptor(folder)[1], os.fsdecode(text(name))))


class Replay:
    """Applies traced calls to a disk, and notes what was announced."""

    def __init__(self, disk):
        self.disk, self.offsets, self.announced = disk, {}, set()

    def apply(self, name, args, result):
        """Whether something has changed."""
        disk = self.disk
        if name in ("rename", "unlink", "link", "mkdir", "rmdir"):
            name, args = name + "at", [x for path in args for x in ("AT_FDCWD</>", path)]
        name = name.removesuffix("2").replace("rmdirat", "unlinkat")
        if name in ("renameat", "linkat"):
            old, new = resolved(args[0], args[1]), resolved(args[2], args[3])
            if not disk.has(old):
                return False
            disk.names[new] = disk.names[old] if name == "linkat" else disk.names.pop(old)
        elif name in ("unlinkat", "mkdirat", "openat"):
            path = resolved(args[0], args[1])
            if not disk.has(path):
                return False
            if name == "openat":
                return self.open(path, args[2], str(result))
            if name == "mkdirat":
                disk.folders.add(path)
            else:
                disk.folders.discard(path)
                disk.names.pop(path, None)
        elif name == "syncfs":
            disk.sync()
        else:
            return self.change(name, args, result)
        return True

    def open(self, path, flags, number):
        self.offsets[number] = 0
        is_new = "O_CREAT" in flags and path not in self.disk.names | dict.fromkeys(
            self.disk.folders)
        if is_new:
            self.disk.make(path)
        elif "O_TRUNC" in flags:
            self.disk.file(path).clear()
        return is_new or "O_TRUNC" in flags

    def change(self, name, args, result):
        number, path = descriptor(args[0])
        if name == "utimensat" and args[1] != "NULL":
            path = resolved(args[0], args[1])
        if name == "write" and number == "1":
            return self.hear(text(args[1]))
        if not self.disk.has(path):
            return False
        assert name not in UNKNOWN, f"{name} is not replayed"
        contents = self.disk.file(path)
        if name in ("fsync", "fdatasync"):
            self.disk.fsync(path)
        elif name == "lseek":
            self.offsets[number] = result
            return False
        elif contents is None:
            return False
        elif name == "utimensat":
            seconds, rest = re.findall(r"tv_sec=(-?\d+)[^,]*, tv_nsec=(\d+)", args[2])[-1]
            self.disk.times[self.disk.names[path]] = int(seconds) * 10**9 + int(rest)
        elif name == "ftruncate":
            size = int(args[1])
            del contents[size:]
            contents.extend(bytes(size - len(contents)))
        else:
            start = int(args[3]) if name == "pwrite64" else self.offsets.get(number, 0)
            contents.extend(bytes(max(0, start - len(contents))))
            contents[start:start + result] = text(args[1])[:result]
            if name == "write":
                self.offsets[number] = start + result
        return True

    def hear(self, output):
        before = len(self.announced)
        for event in map(json.loads, output.decode().splitlines()):
            if event["event"] == "recording" and event["status"] == "done":
                self.announced.add((event["folder"], event["name"]))
        return len(self.announced) > before


class Check:
    def __init__(self, tool, work, options):
        self.tool, self.options = tool, options
        self.library, self.output = f"{work}/library", f"{work}/results"
        self.counts, self.seen, self.faults = dict.fromkeys(MODELS, 0), set(), 0

    def run(self, *options, tracing=()):
        return subprocess.run(
            [*tracing, self.tool, "run", self.library, "--output", self.output, "--json", *options],
            capture_output=True, text=True, check=False)

    def outputs(self):
        """Contents and times of all but the record; manifests have the time of their run."""
        found = {}
        for base, _, files in os.walk(self.output):
            for path in (f"{base}/{name}" for name in files if not name.startswith(".tapedeck")):
                with open(path, "rb") as file:
                    time = 0 if path.endswith("manifest.json") else os.stat(path).st_mtime_ns
                    found[path] = (file.read(), time)
        return found

    def lay_out(self, folders, files):
        shutil.rmtree(self.output, ignore_errors=True)
        for folder in sorted(folders):
            os.makedirs(folder, exist_ok=True)
        for path, (contents, time) in files.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(contents)
            os.utime(path, ns=(time, time))

    def crash(self, replay, label, expected, status):
        for model in MODELS:
            folders, files = replay.disk.after_crash(model)
            # SQLite makes it anew.
            files = {p: v for p, v in files.items() if not p.endswith("-shm")}
            state = repr((sorted(folders), sorted(files.items()), sorted(replay.announced)))
            key = hashlib.sha256(state.encode()).digest()
            if key in self.seen:
                continue
            self.seen.add(key)
            self.counts[model] += 1
            self.lay_out(folders, files)
            for fault in self.go_on(replay.announced, expected, status):
                self.faults += 1
                print(f"{label}, {model}: {fault}", flush=True)

    def go_on(self, announced, expected, status):
        next_run = self.run(*self.options)
        if next_run.returncode != status:
            yield f"the next run ends with {next_run.returncode}: {next_run.stderr}"
        events = map(json.loads, next_run.stdout.splitlines())
        done = {(e["folder"], e["name"]) for e in events
                if e["event"] == "recording" and e["upToDate"]}
        if announced - done:
            yield f"announced, and not up to date: {sorted(announced - done)}"
        found = self.outputs()
        if found != expected:
            paths = found.keys() | expected.keys()
            yield f"other outputs: {sorted(p for p in paths if found.get(p) != expected.get(p))}"
        verify = subprocess.run([self.tool, "verify", self.output], capture_output=True, text=True,
                                check=False)
        if verify.returncode:
            yield f"verify ends with {verify.returncode}: {verify.stdout}{verify.stderr}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--first", help="options of a run before the traced one")
    parser.add_argument("--then", default="--activity any", help="options of the traced run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        check = Check(os.path.abspath(options.tool), os.path.realpath(work), options.then.split())
        make_library(check.library)
        if options.first is not None:
            check.run(*options.first.split())
        disk = Disk(check.output)
        disk.load()
        start = disk.after_crash("kill")
        status = check.run(*check.options).returncode
        expected = check.outputs()
        check.lay_out(*start)
        log = f"{work}/calls"
        check.run(*check.options, tracing=[
            "strace", "-f", "-y", "-xx", "-s", "4000000", "-o", log, "-e", "trace=" + ",".join(CALLS)])
        replay = Replay(disk)
        writes = 0
        for name, args, result in calls(log):
            if replay.apply(name, args, result):
                writes += 1
                check.crash(replay, f"write {writes} ({name})", expected, status)
        states = ", ".join(f"{count} {model}" for model, count in check.counts.items())
        print(f"{writes} writes, {len(replay.announced)} recordings announced; states: {states};"
              f" {check.faults} faults")
        sys.exit(1 if check.faults or not replay.announced else 0)


if __name__ == "__main__":
    main()
