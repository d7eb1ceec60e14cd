"""A tapedeck that serves pages, as a test starts and stops it."""
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

TAPEDECK = sys.argv[1]


def tapedeck(*arguments):
    done = subprocess.run([TAPEDECK, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout


class Pages:
    """`tapedeck serve` or `watch --serve`, until the block ends."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [TAPEDECK, *map(str, arguments)], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.PIPE)
        self.errors = []
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        # When each line came, and the event in it.
        self.events = []
        self.address = None
        while self.address is None:
            line = self.process.stdout.readline()
            assert line, "it ended without serving"
            if line.startswith("{"):
                self.address = json.loads(line).get("address")
            elif line.startswith("look and listen: "):
                self.address = line.split()[3].rstrip(",")
        threading.Thread(target=self._read, daemon=True).start()
        self.port = int(self.address.split("/")[2].rpartition(":")[2])

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                self.events.append((time.time(), json.loads(line)))

    def megabytes(self):
        """Memory in use."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) // 1000

    def cpu(self):
        """Processor time so far, in seconds."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        return sum(map(int, fields.split()[11:13])) / 100

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=30) == 143, self.process.returncode
        strange = [line for line in self.errors if not line.startswith("tapedeck: ")]
        assert not strange, strange[:3]
