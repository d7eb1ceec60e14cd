#!/usr/bin/env python3
"""Have each call of a small run fail that touches its output, and check that the next run goes on.

    errors.py TAPEDECK [--first OPTIONS] [--then OPTIONS]

A run with the options of --then (after a whole one with those of --first) is repeated with
`failing_calls.c` preloaded: the first call below the output fails, then the second, and so on. Each
time the disk is

- full: what needs room fails with ENOSPC, from that call on;
- read-only: what changes anything fails with EROFS, from that call on;
- broken: every call fails with EIO, from that call on;
- shaken: that one call fails with EIO.

The run must end with a sentence, and not say that all is well if it is not. Then the same command
runs again on a sound disk. Its outputs must be those of an undisturbed run, recordings that were
announced as done must be up to date, and `verify` must find nothing.

Exit status: 0 if all is well, 1 if not.
"""

import argparse
import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile

from replay import Check, make_library

DISKS = {"full": (errno.ENOSPC, False), "read-only": (errno.EROFS, False),
         "broken": (errno.EIO, False), "shaken": (errno.EIO, True)}


class FailingRun:
    def __init__(self, check, library, work):
        self.check, self.library, self.count = check, library, f"{work}/count"

    def run(self, disk, number):
        """The outcome of the run whose calls fail from that number on; 0 for none."""
        error, is_once = DISKS[disk]
        places = {"LD_PRELOAD": self.library, "FAIL_BELOW": self.check.output,
                  "FAIL_AT": str(number), "FAIL_WITH": str(error), "FAIL_COUNT": self.count}
        if is_once:
            places["FAIL_ONCE"] = "1"
        return subprocess.run(
            [self.check.tool, "run", self.check.library, "--output", self.check.output, "--json",
             *self.check.options],
            capture_output=True, text=True, check=False, env=os.environ | places, timeout=60)

    def calls(self):
        with open(self.count, encoding="ascii") as file:
            return int(file.read())


def faults(check, outcome, expected, status):
    if outcome.returncode not in (1, 3):
        yield f"it ends with {outcome.returncode}: {outcome.stderr}"
    if outcome.returncode == 1 and not outcome.stderr.startswith("tapedeck: "):
        yield f"it does not say why it ends: {outcome.stderr!r}"
    events = [json.loads(line) for line in outcome.stdout.splitlines()]
    done = {(e["folder"], e["name"]) for e in events
            if e["event"] == "recording" and e["status"] == "done"}
    yield from check.go_on(done, expected, status)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--first", help="options of a run before the one that fails")
    parser.add_argument("--then", default="--activity any", help="options of the run that fails")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        library = f"{work}/failing_calls.so"
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "failing_calls.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        check = Check(os.path.abspath(options.tool), work, options.then.split())
        make_library(check.library)
        start = f"{work}/start"
        os.mkdir(start)
        if options.first is not None:
            check.run(*options.first.split())
            shutil.copytree(check.output, start, dirs_exist_ok=True)
        else:
            shutil.rmtree(start)

        def begin_anew():
            shutil.rmtree(check.output, ignore_errors=True)
            if os.path.exists(start):
                shutil.copytree(start, check.output)

        status = check.run(*check.options).returncode
        expected = check.outputs()
        failing = FailingRun(check, library, work)
        number_of_faults, told = 0, []
        for disk in DISKS:
            begin_anew()
            failing.run(disk, 0)
            calls = failing.calls()
            for number in range(1, calls + 1):
                begin_anew()
                outcome = failing.run(disk, number)
                for fault in faults(check, outcome, expected, status):
                    number_of_faults += 1
                    print(f"{disk} at call {number}: {fault}", flush=True)
            told.append(f"{calls} {disk}")
        print(f"calls that failed: {', '.join(told)}; {number_of_faults} faults")
        sys.exit(1 if number_of_faults or "0 " in [t[:2] for t in told] else 0)


if __name__ == "__main__":
    main()
