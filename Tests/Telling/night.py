#!/usr/bin/env python3
"""A night of failures: many landings that fail, told to a slow hook.

usage: night.py TAPEDECK [LANDINGS [SECONDS]]

Lands LANDINGS (200) files that are no recordings in a watched folder, a quarter of a second apart,
once without a hook and once with one that takes SECONDS (5). Prints how often the hook was called,
how many failures it was told, and the time from a landing to its line in the log; and has promtool
(Debian: prometheus) check the metrics. Exits with 1 if a failure is not told once, or if the hook
slows down the watch.
"""
import calendar
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def night(tool, landings, hook):
    """Latencies in seconds, the calls, each a list of names, the metrics, and the seconds to stop."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        folder, calls, log = scratch / "in", scratch / "calls", scratch / "log"
        folder.mkdir()
        calls.mkdir()
        metrics = scratch / "tapedeck.prom"
        words = [tool, "watch", folder, "--json", "--settle-seconds", "0.1", "--metrics", metrics]
        if hook is not None:
            words += ["--on-failure", f"cat > '{calls}'/$$; sleep {hook}"]
        with open(log, "wb") as output:
            watch = subprocess.Popen(words, stdout=output, stderr=subprocess.DEVNULL)
        landed = {}
        for number in range(landings):
            name = f"{number}.wav"
            (scratch / name).write_bytes(b"no sound")
            landed[name] = time.time()
            os.rename(scratch / name, folder / name)
            time.sleep(0.25)
        last = time.time() + 60
        while failures(log).keys() != landed.keys():
            if time.time() > last:
                sys.exit(f"{len(failures(log))} of {len(landed)} failures are in the log")
            time.sleep(0.1)
        latencies = [failures(log)[name] - at for name, at in landed.items()]
        stop = time.time()
        watch.send_signal(signal.SIGTERM)
        watch.wait()
        stop = time.time() - stop
        told = [[json.loads(line)["name"] for line in call.read_text().splitlines()]
                for call in sorted(calls.iterdir(), key=lambda call: call.stat().st_mtime)]
        return latencies, told, metrics.read_text(), stop


def failures(log):
    """When each failure was told, in seconds since 1970, by name."""
    times = {}
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "recording":
            whole, _, fraction = event["time"].rstrip("Z").partition(".")
            parsed = time.strptime(whole + " UTC", "%Y-%m-%dT%H:%M:%S %Z")
            times[event["name"]] = calendar.timegm(parsed) + float("0." + fraction)
    return times


def main(tool, landings=200, hook=5):
    tool = os.path.abspath(tool)
    alone, _, _, _ = night(tool, int(landings), None)
    latencies, told, metrics, stop = night(tool, int(landings), float(hook))
    names = [name for call in told for name in call]
    print(f"{len(told)} calls told {len(names)} failures, {len(set(names))} of them different;"
          f" the end took {stop:.1f} s")
    medians = [statistics.median(some) * 1000 for some in (alone, latencies)]
    print(f"median latency {medians[0]:.0f} ms without a hook, {medians[1]:.0f} ms with one;"
          f" most {max(alone) * 1000:.0f} and {max(latencies) * 1000:.0f} ms")
    checked = True
    if shutil.which("promtool"):
        check = subprocess.run(["promtool", "check", "metrics"], input=metrics, text=True)
        checked = check.returncode == 0
        print("promtool: " + ("well" if checked else "not well"))
    else:
        print("promtool is not installed")
    is_told = len(names) == int(landings) and len(set(names)) == int(landings)
    return 0 if checked and is_told and medians[1] < 2 * medians[0] + 50 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
