"""Shows that copies keep what recordings say of themselves, read back by other programs.

Usage: check.py TAPEDECK. Needs exiftool, ffmpeg, flac, mediainfo and sndfile-info.

Each recording is 8 s long, and its sound begins at 2 s. Copies begin FIRST frames later, so that
the first of three cue points is in what is cut, and the first of three chapters begins there. A
line of the table is a copy, with the program that read each thing back: e exiftool, f ffprobe,
m mediainfo, s sndfile-info, F flac.
"""

import array
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import sources

TOOL = sys.argv[1]
RATE = sources.RATE
RIFF = {"wav", "rf64", "w64"}
# Marked places; in other containers, chapters that last up to the next.
POINTS = RIFF | {"aiff"}
PICTURE = {"flac", "mp3", "m4a"}
NO_CUES = {"caf"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout


def make(folder):
    samples = sources.sound()
    sources.plain(folder, samples)
    sources.wav(folder / "a.wav", samples)
    sources.wav(folder / "a.rf64", samples, wide=True)
    sources.w64(folder / "a.w64", samples)
    sources.aiff(folder / "a.aiff", samples)
    chapters = []
    for number, (_, frame, label) in enumerate(sources.CUES, 1):
        chapters += ["-metadata", f"CHAPTER{number:03}=00:00:{frame / RATE:06.3f}",
                     "-metadata", f"CHAPTER{number:03}NAME={label.decode()}"]
    sources.by_ffmpeg(folder, "a.flac", *chapters, chapters=False)
    sources.by_ffmpeg(folder, "a.mp3", "-id3v2_version", "3")
    sources.by_ffmpeg(folder, "b.mp3", "-id3v2_version", "4")
    sources.by_ffmpeg(folder, "a.m4a")
    sources.by_ffmpeg(folder, "a.ogg", "-c:a", "libvorbis", *chapters, chapters=False, cover=False)
    for name in ["a.opus", "a.mka", "a.wma", "a.caf"]:
        sources.by_ffmpeg(folder, name, cover=False)
    for name in ["plain.wav", "tags.txt", "cover.png"]:
        (folder / name).unlink()


class Copy:
    """What other programs find in a file."""

    def __init__(self, path):
        self.path = path
        exif = json.loads(output("exiftool", "-j", path) or "[{}]")[0]
        self.exif = {name.lower(): str(value) for name, value in exif.items()}
        probe = json.loads(output("ffprobe", "-v", "quiet", "-of", "json", "-show_format",
                                  "-show_streams", "-show_chapters", path) or "{}")
        self.tags = {}
        for part in [probe.get("format", {})] + probe.get("streams", []):
            for name, value in part.get("tags", {}).items():
                self.tags.setdefault(name.lower(), value)
        self.chapters = [(round(float(c["start_time"]) * RATE), c.get("tags", {}).get("title"))
                         for c in probe.get("chapters", [])]
        self.has_picture = any(stream.get("disposition", {}).get("attached_pic")
                               for stream in probe.get("streams", []))
        media = json.loads(output("mediainfo", "--Output=JSON", path) or "{}").get("media") or {}
        self.media = {name.lower(): value for track in media.get("track", [])
                      if track["@type"] == "General" for name, value in track.items()}
        self.sndfile = output("sndfile-info", path)
        self.samples = hashlib.md5(subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"],
            capture_output=True).stdout).hexdigest()

    def readers(self, name, wanted):
        """The programs that find a text under a name."""
        names = {name, {"title": "name", "artist": "author", "comment": "annotation"}.get(name)}
        found = ""
        for letter, texts in [("e", self.exif), ("f", self.tags), ("m", self.media)]:
            values = [texts.get(n) for n in names] + [texts.get({
                "title": "track", "artist": "performer"}.get(name))]
            found += letter if wanted in values else ""
        return found


def check_cues(copy, first, tolerance, kind):
    """The programs that find all points where they belong, and their labels."""
    kept = sources.CUES[1:] if kind in POINTS else sources.CUES
    wanted = [(max(0, at - first), label.decode()) for _, at, label in kept]
    found = ""
    if len(copy.chapters) == len(wanted) and all(
            abs(place - at) <= tolerance and title == label
            for (place, title), (at, label) in zip(copy.chapters, wanted)):
        found += "f"
    points = [int(n) for n in re.findall(r"Pos :\s*(\d+)", copy.sndfile)]
    labels = re.findall(r"labl : \d+ : (.*)", copy.sndfile)
    if len(points) == len(wanted) and labels == [label for _, label in wanted] and all(
            abs(place - at) <= tolerance for place, (at, _) in zip(points, wanted)):
        found += "s"
    return found


def restored(copy, folder):
    """The WAV file that flac makes of a FLAC file with the chunks of one."""
    path = folder / "restored.wav"
    run = subprocess.run(["flac", "-s", "-d", "-f", "--keep-foreign-metadata", copy.path, "-o",
                          path], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"flac does not restore {copy.path.name}: {run.stderr}")
    return Copy(path)


def check(copy, source, first, folder):
    kind = source.split(".")[-1]
    to = copy.path.suffix[1:]
    facts = {"title": copy.readers("title", "Harbour pilot"),
             "artist": copy.readers("artist", "Radio"),
             "comment": copy.readers("comment", "windy")}
    required = {"title", "artist", "comment"}
    if to == "w64":
        # None of these programs reads its lists.
        required = set()
    # Milliseconds are all that tags have; AAC and WMA begin within a packet.
    tolerance = 0 if kind in RIFF | {"aiff"} and to != "flac" else RATE // 500
    if kind not in NO_CUES and not (kind == to and kind in {"aiff", "w64"}):
        facts["cues"] = check_cues(copy, first, tolerance, kind)
        required.add("cues")
    if kind == "aiff" and to == "aiff":
        marks = re.findall(rb"MARK", copy.path.read_bytes())
        facts["cues"] = "s" if marks and "MARK" in copy.sndfile else ""
        required.add("cues")
    if kind in PICTURE:
        facts["picture"] = ("f" if copy.has_picture else "") + (
            "e" if "picture" in copy.exif else "")
        required.add("picture")
    if kind in RIFF and to != "w64":
        broadcast = restored(copy, folder) if to == "flac" else copy
        letter = "F" if to == "flac" else "e"
        reference = str(sources.START + first)
        exif = broadcast.exif
        history = "T=tapedeck; cut" in exif.get("codinghistory", "")
        facts["bext"] = letter if exif.get("timereference") == reference and history else ""
        ixml = exif.get("bwfxmlspeedtimestampsamplessincemidnightlo")
        facts["iXML"] = letter if ixml == reference and exif.get("bwfxmlscene") == "7" else ""
        body = broadcast.path.read_bytes()
        at = body.find(b"Timestamp: ")
        moved = body[at:at + 60].decode(errors="replace").split("\n")[0]
        facts["guano"] = letter if moved == "Timestamp: 2026-05-01T05:30:01.700000+01:00" or (
            first == 81600 and moved == "Timestamp: 2026-05-01T05:30:01.700000+01:00") else ""
        timer = body.find(b"AUDs")
        at = int.from_bytes(body[timer + 4:timer + 8], "little")
        facts["cart"] = letter if at == 100000 - first and b"AUDe" not in body else ""
        facts["own"] = letter if b"own \5\0\0\0" + b"12345" in body else ""
        required |= {"bext", "iXML", "guano", "cart", "own"}
        if to == "flac":
            facts["restored"] = "F" if broadcast.samples == copy.samples else ""
            facts["reference"] = copy.readers("time_reference", reference)
            required |= {"restored", "reference"}
    missing = sorted(name for name in required if not facts[name])
    return facts, missing


def tones(path):
    """The layout that ffprobe tells, and the tone of each channel as ffmpeg decodes it."""
    probe = json.loads(output("ffprobe", "-v", "quiet", "-of", "json", "-show_streams", path))
    stream = probe["streams"][0]
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"],
                         capture_output=True).stdout
    samples = array.array("h", raw)
    channels = stream["channels"]
    found = []
    for channel in range(channels):
        # A second within the sound: what crosses zero upwards, counted.
        own = samples[channel::channels]
        start = next((n for n, v in enumerate(own) if abs(v) > 2000), 0) + RATE // 4
        part = own[start:start + RATE]
        rises = sum(1 for a, b in zip(part, part[1:]) if a < 0 <= b)
        found.append(min(sources.TONES, key=lambda hertz: abs(hertz - rises)))
    return stream.get("channel_layout", "none"), found


def check_channels(root):
    """Copies of recordings with many channels have each where the recording has it."""
    (root / "many").mkdir()
    sources.surround(root / "many")
    bad = 0
    for form in ["auto", "wav", "flac"]:
        out = root / f"many-{form}"
        subprocess.run([TOOL, "run", root / "many", "--output", out, "--no-config", "--threshold",
                        "-40dBFS", "--trim-format", form], check=True, capture_output=True)
        manifest = json.loads((out / "manifest.json").read_text())
        for entry in manifest["recordings"]:
            before, after = (tones(root / "many" / entry["name"]),
                             tones(out / entry["trimmed"]["path"]))
            same = before == after
            mark = "" if same else "  WRONG"
            bad += not same
            print(f"  {form:4}  {entry['name']:13} {before[0]:9} {before[1]} to "
                  f"{entry['trimmed']['path']:18} {after[0]:9} {after[1]}{mark}")
    return bad


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "in").mkdir()
        make(root / "in")
        for form in ["auto", "wav", "flac"]:
            out = root / form
            subprocess.run([TOOL, "run", root / "in", "--output", out, "--no-config",
                            "--threshold", "-40dBFS", "--trim-format", form],
                           check=True, capture_output=True)
            manifest = json.loads((out / "manifest.json").read_text())
            print(f"--trim-format {form}")
            for entry in manifest["recordings"]:
                trimmed = entry["trimmed"]
                first = trimmed["edits"][0]["sourceFrames"][0]
                facts, missing = check(Copy(out / trimmed["path"]), entry["name"], first, root)
                cut = [cue.get("label") for cue in trimmed.get("cuePointsCut", [])]
                in_cuts = ["before the first word"] if entry["name"][2:] in POINTS else []
                if "cues" in facts and cut != in_cuts:
                    missing.append(f"the list of cut points ({cut})")
                print(f"  {entry['name']:7} to {trimmed['path']:10} cut {first:6}  " + "  ".join(
                    f"{fact} {by or '-'}" for fact, by in facts.items()))
                if missing:
                    bad += 1
                    print(f"    MISSING: {', '.join(missing)}")
        print("channels, in hertz")
        bad += check_channels(root)
    if bad:
        raise SystemExit(f"{bad} copies lack something")


main()
