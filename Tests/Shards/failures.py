"""Has each call of plan, shard and merge that touches the output fail, or kills there, and goes on.

Usage: failures.py TAPEDECK [EVERY [COMMAND...]], with the commands plan, shard, merge (all of
them); only each EVERY-th call fails (each).

The first call below the output fails, then the second, and so on, as in
`Tests/PowerLoss/errors.py`, which says what the disks are; on "killed" the process dies there. The
command must end with a sentence. Then the same runs again on a sound disk, and whatever comes
after it; the outputs must be those of one run, and `verify` must find nothing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "PowerLoss"))
from errors import DISKS
from replay import make_library

TOOL = os.path.abspath(sys.argv[1])
STEPS = ["plan", "shard 2", "shard 1", "merge"]
OPTIONS = ["--activity", "any", "--no-config"]
KILLED = "killed"
# One recording is broken; which shard has it is the plan's business.
ENDS = {"plan": [0], "shard 2": [0, 3], "shard 1": [0, 3], "merge": [3]}


class Night:
    """Two shards of a small library."""

    def __init__(self, work):
        self.library, self.output = f"{work}/library", f"{work}/results"
        self.start, self.count, self.preloaded = f"{work}/start", f"{work}/count", f"{work}/calls.so"
        make_library(self.library)
        source = pathlib.Path(__file__).resolve().parent.parent / "PowerLoss/failing_calls.c"
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", self.preloaded, source],
                       check=True)
        self.call(["run", self.library, "--output", f"{work}/alone", *OPTIONS], 3)
        self.expected = self.outputs(f"{work}/alone")

    def call(self, words, status, **environment):
        outcome = subprocess.run([TOOL, *words], capture_output=True, text=True, check=False,
                                 env=os.environ | environment, timeout=60)
        if status is not None and outcome.returncode != status:
            raise SystemExit(f"{words} ends with {outcome.returncode}: {outcome.stderr}")
        return outcome

    def step(self, name, status=None, **environment):
        if name == "merge":
            return self.call(["merge", self.output, "--quiet"], status, **environment)
        extra = (["--shards", "2"] if name == "plan" else ["--shard", f"{name[-1]}/2"])
        command = "plan" if name == "plan" else "run"
        return self.call([command, self.library, "--output", self.output, *OPTIONS, *extra],
                         status, **environment)

    @staticmethod
    def outputs(folder):
        found = {}
        for base, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".tapedeck")]
            for name in files:
                if not name.startswith(".tapedeck"):
                    path = pathlib.Path(base, name)
                    found[str(path.relative_to(folder))] = path.read_bytes()
        return found

    def begin_anew(self):
        shutil.rmtree(self.output, ignore_errors=True)
        if os.path.exists(self.start):
            shutil.copytree(self.start, self.output)

    def failing(self, step, disk, number):
        error, is_once = DISKS.get(disk, DISKS["broken"])
        places = {"LD_PRELOAD": self.preloaded, "FAIL_BELOW": self.output, "FAIL_AT": str(number),
                  "FAIL_WITH": str(error), "FAIL_COUNT": self.count}
        if is_once:
            places["FAIL_ONCE"] = "1"
        if disk == KILLED:
            places["FAIL_KILLS"] = "1"
        return self.step(step, None, **places)

    def faults(self, outcome, disk, rest):
        if disk == KILLED:
            if outcome.returncode != -9:
                yield f"it ends with {outcome.returncode}, not killed"
        elif outcome.returncode not in (1, *ENDS[rest[0]]):
            yield f"it ends with {outcome.returncode}: {outcome.stderr}"
        elif outcome.returncode == 1 and not outcome.stderr.startswith("tapedeck: "):
            yield f"it does not say why it ends: {outcome.stderr!r}"
        for step in rest:
            again = self.step(step)
            if again.returncode not in ENDS[step]:
                yield f"{step} ends with {again.returncode}: {again.stderr}"
        found = self.outputs(self.output)
        if found != self.expected:
            paths = found.keys() | self.expected.keys()
            yield ("other outputs: "
                   f"{sorted(p for p in paths if found.get(p) != self.expected.get(p))}")
        verify = self.call(["verify", self.output], None)
        if verify.returncode:
            yield f"verify ends with {verify.returncode}: {verify.stdout}{verify.stderr}"


def main():
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    wanted = sys.argv[3:] or ["plan", "shard", "merge"]
    number_of_faults = 0
    with tempfile.TemporaryDirectory() as work:
        night = Night(os.path.realpath(work))
        for index, step in enumerate(STEPS):
            if step.split()[0] not in wanted or step == "shard 2":
                night.begin_anew()
                night.step(step, None)
            else:
                told = []
                for disk in [*DISKS, KILLED]:
                    night.begin_anew()
                    night.failing(step, disk, 0)
                    calls = int(pathlib.Path(night.count).read_text(encoding="ascii"))
                    for number in range(1, calls + 1, every):
                        night.begin_anew()
                        outcome = night.failing(step, disk, number)
                        for fault in night.faults(outcome, disk, STEPS[index:]):
                            number_of_faults += 1
                            print(f"{step}, {disk} at call {number}: {fault}", flush=True)
                    told.append(f"{-(-calls // every)} of {calls} {disk}")
                    if not calls:
                        raise SystemExit(f"{step}: no calls")
                print(f"{step}: calls that failed: {', '.join(told)}", flush=True)
                night.begin_anew()
                night.step(step, None)
            shutil.rmtree(night.start, ignore_errors=True)
            shutil.copytree(night.output, night.start)
    print(f"{number_of_faults} faults")
    sys.exit(1 if number_of_faults else 0)


main()
