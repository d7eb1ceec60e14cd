"""What tests of pages have in common, and a tapedeck that serves them."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import wave

TAPEDECK = sys.argv[1]


def tapedeck(*arguments):
    done = subprocess.run([TAPEDECK, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout


failures = 0


def attempt(test, *given):
    """Runs a test, and says what came of it."""
    global failures
    name = test.__name__.replace("_", " ")
    try:
        print(f"{name}: {test(*given)}", flush=True)
    except Exception as error:  # noqa: BLE001, each test is told of
        failures += 1
        print(f"{name}: FAILED: {type(error).__name__} {error}"[:1200], flush=True)


def status():
    return 1 if failures else 0


def fill(place):
    """Makes a folder of 10,000 short recordings."""
    place.mkdir()
    with wave.open(str(place / "00000.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(1000) + bytes(range(250)) * 8 + bytes(1000))
    text = (place / "00000.wav").read_bytes()
    for number in range(1, 10_000):
        (place / f"{number:05}.wav").write_bytes(text)


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
        # Lines of a watch begin with the time.
        strange = [line for line in self.errors
                   if not re.match(r"([-0-9]{10}T[0-9:.]{12}Z )?tapedeck: ", line)]
        assert not strange, strange[:3]
