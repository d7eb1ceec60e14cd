"""What each tool is asked to do, and whether it did it."""
import json
import shutil
import struct
import subprocess
import sys
import time

SAMPLES_PER_PIXEL = 256
# The noise in the recordings is at -50 dBFS, and its peaks some 14 dB higher.
FFMPEG_SILENCE = "silencedetect=noise=-33dB:d=0.5"
FFMPEG_CUT = ("silenceremove=start_periods=1:start_threshold=-33dB,areverse,"
              "silenceremove=start_periods=1:start_threshold=-33dB,areverse")
SOX_CUT = "silence 1 0.1 1% reverse silence 1 0.1 1% reverse".split()

MEASURING = "tapedeck run --trim off: waveform, levels, silence"
EVERYTHING = "tapedeck run: the same, and a trimmed copy"
WAVEFORM = "audiowaveform: waveform"


def tasks(tool, recording, folder):
    """By name: a command, and a check of what it left, which gives a complaint or None."""
    name = recording.name
    run = [tool, "run", recording, "--jobs", "1", "--quiet", "--output"]
    found = {
        MEASURING: (run + [folder / "off", "--trim", "off"],
                    lambda log: check_manifest(folder / "off", name, None)),
        EVERYTHING: (run + [folder / "all"],
                     lambda log: check_manifest(folder / "all", name, True)),
    }
    if shutil.which("audiowaveform"):
        found[WAVEFORM] = (
            ["audiowaveform", "-q", "-i", recording, "-z", str(SAMPLES_PER_PIXEL), "-b", "8",
             "-o", folder / "peaks.dat"],
            lambda log: check_peaks(folder / "peaks.dat", folder / "off" / f"{name}.dat"))
    if shutil.which("ffmpeg"):
        ffmpeg = ["ffmpeg", "-nostdin", "-hide_banner", "-y", "-i", recording]
        found["ffmpeg: decoding alone"] = (ffmpeg + ["-f", "null", "-"], lambda log: None)
        found["ffmpeg: silence and levels"] = (
            ffmpeg + ["-af", f"{FFMPEG_SILENCE},astats", "-f", "null", "-"],
            lambda log: None if "silence_start" in log and "RMS level" in log
            else "no silence or level is told")
        found["ffmpeg: silence cut"] = (
            ffmpeg + ["-af", FFMPEG_CUT, folder / "ffmpeg.flac"],
            lambda log: None if (folder / "ffmpeg.flac").stat().st_size > 10_000 else "no sound")
    if shutil.which("sox"):
        found["sox: levels"] = (
            ["sox", recording, "-n", "stats"],
            lambda log: None if "RMS lev dB" in log else "no level is told")
        found["sox: silence cut"] = (
            ["sox", recording, folder / "sox.flac"] + SOX_CUT,
            lambda log: None if (folder / "sox.flac").stat().st_size > 10_000 else "no sound")
    if shutil.which("aubio"):
        found["aubio quiet: silence"] = (
            ["aubio", "quiet", "-s", "-40", recording],
            lambda log: None if "QUIET" in log else "no silence is told")
    if shutil.which("aubioonset"):
        found["aubioonset: onsets"] = (
            ["aubioonset", "-i", recording],
            lambda log: None if log.strip() else "no onset is told")
    return found


def format_of(recording):
    """What tapedeck calls container and encoding of one of the recordings that are compared."""
    return {".wav": ("wav", "pcm16"), ".flac": ("flac", "pcm16"), ".mp3": ("mp3", "mp3"),
            ".ogg": ("ogg", "vorbis"), ".opus": ("ogg", "opus")}[recording.suffix]


def entry(output, name):
    """What a manifest says of a recording."""
    manifest = json.loads((output / "manifest.json").read_text())
    return next(one for one in manifest["recordings"] if one["name"] == name)


def check_manifest(output, name, is_cut):
    """Whether all was made of a recording."""
    one = entry(output, name)
    if one["status"] != "done":
        return f"it is {one['status']}"
    if not one["silence"]["intervalsSeconds"]:
        return "no silence was found"
    frames = one["format"]["frames"]
    waveform = one["waveforms"][0]
    if waveform["length"] != -(-frames // SAMPLES_PER_PIXEL):
        return f"the waveform has {waveform['length']} pixels of {frames} frames"
    if (output / waveform["path"]).stat().st_size != waveform["bytes"]:
        return "the waveform has another size"
    if is_cut:
        kept = sum(edit["sourceFrames"][1] - edit["sourceFrames"][0]
                   for edit in one["trimmed"]["edits"])
        if not 0 < kept < frames:
            return "nothing was cut"
        if (output / one["trimmed"]["path"]).stat().st_size != one["trimmed"]["bytes"]:
            return "the copy has another size"
    return None


def check_peaks(theirs, ours):
    """Whether a waveform file is as long as ours, and where nothing was lost the same."""
    one, other = theirs.read_bytes(), ours.read_bytes()
    length, our_length = (struct.unpack("<I", data[16:20])[0] for data in (one, other))
    # MPEG decoders do not agree on what comes before the sound.
    slack = 0 if ours.name.endswith((".wav.dat", ".flac.dat")) else 20
    if abs(length - our_length) > slack:
        return f"it has {length} pixels, and ours {our_length}"
    if slack == 0 and one != other:
        return "it is not as ours"
    return None


def check_small(output, count):
    """Whether all of many were done, and cut."""
    manifest = json.loads((output / "manifest.json").read_text())
    done = [one for one in manifest["recordings"] if one["status"] == "done"]
    if len(done) != count:
        return f"{len(done)} of {count} are done"
    cut = sum("trimmed" in one for one in done)
    return None if cut > count // 2 else f"only {cut} of {count} were cut"


def check_many(output, count):
    """Whether all of very many were done, in whatever folders."""
    done = sum(path.read_text().count('"status":"done"') for path in output.rglob("manifest.json"))
    return None if done == count else f"{done} of {count} are done"


def kill_late(command, output, count):
    """Kills a run when nine of ten recordings are in its journal, or in manifests."""
    with subprocess.Popen([str(word) for word in command]) as run:
        journal = output / ".tapedeck.journal"
        while run.poll() is None:
            try:
                lines = journal.read_bytes().count(b"\n")
            except FileNotFoundError:
                lines = 0
            if lines > count * 0.9:
                break
            time.sleep(0.1)
        if run.poll() is not None:
            sys.exit("compare: a run came to its end before it was killed")
        run.kill()
