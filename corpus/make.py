#!/usr/bin/env python3
"""Makes the sample recordings beside it, or recordings for load tests elsewhere.

The same versions of espeak-ng and libsndfile make the same bytes every time.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
try:
    import numpy  # noqa: F401, the modules below need it
except ImportError:
    raise SystemExit("make.py: numpy is missing: apt install python3-numpy")

import load
import sndfile
import sounds
from catalogue import MISFITS, RECORDINGS

HERE = Path(__file__).resolve().parent


def described(sound):
    """When something is heard above the floor, for the table."""
    stretches = ", ".join(f"{start:.2f}–{end:.2f}" for start, end in sound.heard)
    return f"; sounds at {stretches} s" if stretches else ""


def rows():
    """Path, bytes, content, making and expectation of every file, in the order of the tables."""
    for recording in RECORDINGS:
        sound = recording.sound()
        channels = "stereo" if sound.samples.shape[1] == 2 else "mono"
        made = f"{recording.encoding}, {sound.rate} Hz, {channels}, {sound.seconds:.2f} s"
        about = recording.about + described(sound)
        data = sndfile.encoded(sound, recording.encoding)
        yield recording.path, data, about, made, recording.expected
    for misfit in MISFITS:
        yield misfit.path, misfit.data(), misfit.about, misfit.made, misfit.expected


def rewritten(text, name, content):
    """The text with what stands between the markers of this name replaced."""
    opening, closing = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(opening)
    return before + opening + content + closing + rest.split(closing)[1]


def write_corpus(folder):
    """All recordings, and the table and versions in the README beside this script."""
    table = "| File | What is in it | How it is made | What a run says |\n|---|---|---|---|\n"
    for path, data, about, made, expected in rows():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        table += f"| `{path}` | {about} | {made} | {expected} |\n"
    readme = rewritten((HERE / "README.md").read_text("utf-8"), "table", table)
    versions = f"espeak-ng {sounds.espeak_version()} and {sndfile.version()}\n"
    (folder / "README.md").write_text(rewritten(readme, "versions", versions), "utf-8")


def main():
    """Reads the options and makes what they ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=HERE, metavar="DIR", help="another folder")
    parser.add_argument("--long", nargs=2, metavar=("SECONDS", "OUT.wav"), help="one, very long")
    parser.add_argument("--rate", type=int, default=16000, help="of the long one [%(default)s]")
    parser.add_argument("--channels", type=int, default=1, help="of the long one [%(default)s]")
    parser.add_argument("--many", nargs=2, metavar=("COUNT", "DIR"), help="many, very short")
    options = parser.parse_args()
    try:
        if options.long:
            seconds, path = options.long
            load.write_long(path, float(seconds), options.rate, options.channels)
        if options.many:
            count, folder = options.many
            load.write_many(int(count), folder)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if not options.long and not options.many:
        write_corpus(options.into)


if __name__ == "__main__":
    main()
