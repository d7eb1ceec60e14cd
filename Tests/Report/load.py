"""What a server costs the run whose pages it serves: latencies of landings, and idling.

usage: load.py TAPEDECK [LANDINGS [ROUNDS]]
"""
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave

from pages import Pages

LANDINGS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3


class Plain(Pages):
    """A watch without a server."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.argv[1], *map(str, arguments)], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        self.events, self.errors = [], []
        threading.Thread(target=self._read, daemon=True).start()


def recording(path):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(4000) + bytes(range(250)) * 80 + bytes(4000))
    return path.read_bytes()


def listen(pages, reads=True):
    """An open page's stream; without reading, what is sent to it piles up."""
    connection = socket.create_connection(("127.0.0.1", pages.port))
    if not reads:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(b"GET /output/report-events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    received = [0]

    def read():
        try:
            while part := connection.recv(1 << 16):
                received[0] += len(part)
        except OSError:
            pass
    if reads:
        threading.Thread(target=read, daemon=True).start()
    return connection, received


def round_of(clients, serves):
    """Latencies of landings in seconds, ascending, and what clients were sent."""
    with tempfile.TemporaryDirectory() as folder:
        place, other = pathlib.Path(folder) / "in", pathlib.Path(folder) / "out"
        place.mkdir()
        other.mkdir()
        text = recording(other / "first")
        arguments = ["watch", place, "--json"]
        watch = (Pages(*arguments, "--serve", "127.0.0.1:0") if serves
                 else Plain(*arguments))
        with watch:
            while not any(event["event"] == "watching" for _, event in watch.events):
                time.sleep(0.01)
            listening = [listen(watch, reads=number > 0) for number in range(clients)]
            landed, before = {}, watch.cpu()
            for number in range(LANDINGS):
                name = f"{number:05}.wav"
                (other / name).write_bytes(text)
                landed[name] = time.time()
                os.rename(other / name, place / name)
                time.sleep(max(0, 0.01 - (time.time() - landed[name])))
            end = time.time() + 60
            while time.time() < end:
                done = {event["name"]: at for at, event in list(watch.events)
                        if event["event"] == "recording"}
                if len(done) == LANDINGS:
                    break
                time.sleep(0.05)
            assert len(done) == LANDINGS, len(done)
            cpu = watch.cpu() - before
            sent = [received[0] for _, received in listening[1:]]
            for connection, _ in listening:
                connection.close()
        latencies = sorted(at - landed[name] for name, at in done.items())
        return latencies, cpu, sent


def idle(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "in"
        place.mkdir()
        for number in range(100):
            recording(place / f"{number}.wav")
        watch = Pages if "--serve" in arguments else Plain
        with watch("watch", place, "--json", *arguments) as run:
            while sum(event["event"] == "recording" for _, event in run.events) < 100:
                time.sleep(0.05)
            yield run
            time.sleep(2)
            before = run.cpu()
            time.sleep(20)
            yield f"{(run.cpu() - before) / 20:.2%} of a core, {run.megabytes()} MB"


kinds = (("no server", 0, False), ("a server, no pages", 0, True),
         ("20 pages, one stalled", 20, True))
medians = {name: [] for name, *_ in kinds}
for _ in range(ROUNDS):
    for name, clients, serves in kinds:
        latencies, cpu, sent = round_of(clients, serves)
        medians[name].append(statistics.median(latencies))
        each = f", {min(sent) / 1e6:.2f} to {max(sent) / 1e6:.2f} MB a page" if sent else ""
        print(f"{name}: median {statistics.median(latencies) * 1000:.1f} ms, 99 % within"
              f" {latencies[int(len(latencies) * 0.99)] * 1000:.0f} ms, {cpu:.2f} s of CPU{each}",
              flush=True)
plain = statistics.median(medians["no server"])
for name, values in medians.items():
    print(f"{name}: {statistics.median(values) / plain:.2f} of the latency without")
for name, arguments, opens in (("no server", (), 0), ("a server", ("--serve", "127.0.0.1:0"), 0),
                               ("a server and a page", ("--serve", "127.0.0.1:0"), 1)):
    run = idle(*arguments)
    watch = next(run)
    pages = [listen(watch) for _ in range(opens)]
    print(f"idle, {name}: {next(run)}", flush=True)
    run.close()
