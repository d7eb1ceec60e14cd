"""Two tasks for one shard, with kills and stops, and locks that do not keep them apart.

Usage: fencing.py TAPEDECK SCHEDULES [FIRST]. The same numbers give the same schedules, as far as
the system's own timing lets them.

The file of the lock is deleted before each task starts, so that each locks another file, as on a
share without locks. Fails if two tasks record results of the same shard after both have begun, if
a recording is recorded twice without need, or if the merged output differs from that of one run.
"""

import json
import pathlib
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import wave

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 0
RECORDINGS = 24


def record(path, seed):
    """Sound and silence, some seconds of each."""
    random_ = random.Random(seed)
    samples = []
    for part in range(6):
        loud = 9000 if part % 2 == 0 else 3
        samples += [random_.randint(-loud, loud) for _ in range(8000)]
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def start(root, output):
    lock = output / ".tapedeck.shards/1-of-1/.tapedeck.lock"
    lock.unlink(missing_ok=True)
    return subprocess.Popen(
        [TOOL, "run", root, "--output", output, "--shard", "1/1", "--jobs", "1", "--no-config",
         "--threshold", "-40dBFS", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def schedule(number, root, output):
    """What became of the tasks: their exit statuses, what they tell, and their messages."""
    random_ = random.Random(number)
    subprocess.run([TOOL, "plan", root, "--output", output, "--shards", "1", "--no-config",
                    "--threshold", "-40dBFS", "--quiet"], check=True)
    tasks = []
    stopped = []
    for step in range(random_.randint(2, 4)):
        if step < 2 or random_.random() < 0.5:
            tasks.append(start(root, output))
        time.sleep(random_.choice([0.005, 0.02, 0.05, 0.1]) * random_.random())
        victim = random_.choice(tasks)
        what = random_.choice(["kill", "stop", "stop", "nothing"])
        if victim.poll() is None and what == "kill":
            victim.send_signal(signal.SIGKILL)
        elif victim.poll() is None and what == "stop":
            victim.send_signal(signal.SIGSTOP)
            stopped.append(victim)
    time.sleep(0.1 * random_.random())
    for victim in stopped:
        victim.send_signal(signal.SIGCONT)
    ends = []
    for task in tasks:
        out, err = task.communicate(timeout=120)
        ends.append((task.returncode, done(out), err))
    # Whoever is left does the rest.
    last = start(root, output)
    out, err = last.communicate(timeout=120)
    if last.returncode != 0:
        raise SystemExit(f"schedule {number}: the last task ends with {last.returncode}: {err}")
    ends.append((last.returncode, done(out), err))
    return ends


def done(lines):
    """The recordings that a task tells of as done by itself; they are recorded by then."""
    events = [json.loads(line) for line in lines.splitlines() if line.endswith("}")]
    return [event["name"] for event in events
            if event["event"] == "recording" and event["status"] == "done"
            and not event["upToDate"]]


def is_taken(err):
    """Whether a task left the shard to another."""
    return "another process works on this shard" in err


def check(number, ends, output, alone):
    for status, _, err in ends:
        taken = is_taken(err)
        if status not in (0, -signal.SIGKILL) and not taken:
            raise SystemExit(f"schedule {number}: a task ends with {status}: {err}")
    told = [name for _, names, _ in ends for name in names]
    twice = sorted({name for name in told if told.count(name) > 1})
    if twice:
        raise SystemExit(f"schedule {number}: done twice: {twice}")
    path = output / ".tapedeck.shards/1-of-1/.tapedeck"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        count, = database.execute("SELECT count(*) FROM entries WHERE status = 'done'").fetchone()
        staged, = database.execute(
            "SELECT count(*) FROM files WHERE temporary IS NOT NULL").fetchone()
    if count != RECORDINGS or staged:
        raise SystemExit(f"schedule {number}: {count} recordings, {staged} files on their way")
    subprocess.run([TOOL, "merge", output, "--quiet"], check=True)
    differing = subprocess.run(["diff", "-r", "-x", ".tapedeck", "-x", ".tapedeck.lock",
                                alone, output], capture_output=True, text=True)
    if differing.stdout:
        raise SystemExit(f"schedule {number}: {differing.stdout}")


def main():
    taken = killed = told = tasks = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        root, alone = folder / "in", folder / "alone"
        root.mkdir()
        for number in range(RECORDINGS):
            record(root / f"{number:02}.wav", number)
        subprocess.run([TOOL, "run", root, "--output", alone, "--no-config", "--threshold",
                        "-40dBFS", "--quiet"], check=True)
        for number in range(FIRST, FIRST + COUNT):
            output = folder / "out"
            shutil.rmtree(output, ignore_errors=True)
            ends = schedule(number, root, output)
            check(number, ends, output, alone)
            killed += sum(status == -signal.SIGKILL for status, _, _ in ends)
            taken += sum(is_taken(err) for _, _, err in ends)
            told += sum(len(names) for _, names, _ in ends)
            tasks += len(ends)
    print(f"{COUNT} schedules, {tasks} tasks: {killed} killed, {taken} taken over; {told} of "
          f"{COUNT * RECORDINGS} recordings told of as done, none twice; no difference")


main()
