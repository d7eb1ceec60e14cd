"""What plan, a shard's start, and merge take, by the number of recordings.

Usage: scale.py TAPEDECK COUNT [SHARDS]. Makes COUNT empty recordings, in folders of 1,000, below
the temporary folder: each fails at once, so that what is measured is all but decoding. With SHARDS,
that many are run and merged; else one of 64.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
SHARDS = int(sys.argv[3]) if len(sys.argv) > 3 else 64


def measured(name, *words):
    """Runs a command; prints its seconds, processor seconds and peak memory."""
    start = time.monotonic()
    process = subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    print(f"{name:12} {time.monotonic() - start:8.2f} s  {usage.ru_utime + usage.ru_stime:8.2f} s"
          f" of CPU  {usage.ru_maxrss // 1024:6} MB  exit {os.waitstatus_to_exitcode(status)}",
          flush=True)


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    with tempfile.TemporaryDirectory() as name:
        root, output = pathlib.Path(name) / "in", pathlib.Path(name) / "out"
        for number in range(0, COUNT, 1000):
            folder = root / f"{number // 1000000:03}" / f"{number // 1000 % 1000:03}"
            folder.mkdir(parents=True)
            for place in range(min(1000, COUNT - number)):
                os.close(os.open(folder / f"recording-{place:03}.wav", os.O_CREAT | os.O_WRONLY))
        options = ["--output", output, "--no-config", "--quiet"]
        measured("plan", "plan", root, *options, "--shards", str(SHARDS))
        plan = output / ".tapedeck.shards/plan"
        print(f"plan: {plan.stat().st_size} bytes")
        every = range(1, SHARDS + 1) if len(sys.argv) > 3 else [SHARDS // 2]
        for number in every:
            measured(f"shard {number}", "run", root, *options, "--shard", f"{number}/{SHARDS}")
        if len(sys.argv) > 3:
            measured("merge", "merge", output, "--quiet")
            print(f"record: {(output / '.tapedeck').stat().st_size} bytes")
            measured("plan again", "plan", root, *options, "--shards", str(SHARDS))
            measured("shard again", "run", root, *options, "--shard", f"1/{SHARDS}")


main()
