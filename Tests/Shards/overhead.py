"""What 64 shards, one after another on one machine, cost over one run, in processor time.

Usage: overhead.py TAPEDECK [SHARDS [REPEATS]]. 2,000 recordings of 5.5 hours in all, below the
temporary folder; both ways take turns, and medians are printed.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from recordings import record

TOOL = os.path.abspath(sys.argv[1])
SHARDS = int(sys.argv[2]) if len(sys.argv) > 2 else 64
REPEATS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
COUNT = 2000


def spent(words):
    process = subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{words} ends with {status}")
    return usage.ru_utime + usage.ru_stime


def main():
    ones, alls = [], []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name) / "in"
        record(root, COUNT)
        for turn in range(REPEATS):
            options = [root, "--no-config", "--quiet", "--output"]
            ones.append(spent(["run", *options, f"{name}/one{turn}"]))
            output = f"{name}/all{turn}"
            seconds = spent(["plan", *options, output, "--shards", str(SHARDS)])
            for number in range(1, SHARDS + 1):
                seconds += spent(["run", *options, output, "--shard", f"{number}/{SHARDS}"])
            alls.append(seconds + spent(["merge", output, "--quiet"]))
    one, shards = statistics.median(ones), statistics.median(alls)
    print(f"one run {one:.1f} s of CPU, {SHARDS} shards with plan and merge {shards:.1f} s:"
          f" {(shards - one) / SHARDS * 1000:.0f} ms a shard (medians of {REPEATS})")


main()
