"""What a command costs, with all that it starts."""
import dataclasses
import os
import statistics
import subprocess
import sys

# A small process between this one and the command: what a process had most in memory counts what
# its parent had, and this one may have much. The floor is what the small one has itself.
LAUNCHER = """
import os, resource, sys, time
start = time.monotonic()
pid = os.fork()
if pid == 0:
    os.dup2(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.dup2(1, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    finally:
        os._exit(127)
_, status, usage = os.wait4(pid, 0)
wall = time.monotonic() - start
print(os.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime,
      usage.ru_maxrss / 1024)
"""


@dataclasses.dataclass
class Cost:
    status: int
    wall: float
    cpu: float
    megabytes: float


def run(command, log):
    """Runs a command, which is a list, to its end; what it prints goes to `log`."""
    words = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(log)] + [str(word) for word in command]
    line = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    status, wall, cpu, megabytes = line.split()
    return Cost(int(status), float(wall), float(cpu), float(megabytes))


def median(costs):
    """The middle of each figure; of memory the most."""
    return Cost(
        0, statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs), max(cost.megabytes for cost in costs))


def interleaved(commands, rounds, log, before=lambda name: None):
    """Costs by name, each command once in every round, so that they share good times and bad; and
    once before, so that none pays for what is read or brought onto the disk for the first time."""
    costs = {name: [] for name in commands}
    os.sync()
    for number in range(rounds + 1):
        for name, command in commands.items():
            before(name)
            cost = run(command, log)
            if cost.status != 0:
                sys.exit(f"compare: {name} ended with status {cost.status}: {command}")
            if number > 0:
                costs[name].append(cost)
    return {name: median(some) for name, some in costs.items()}


def floor(log):
    """Megabytes below which no command can be seen to be."""
    return run(["true"], log).megabytes
