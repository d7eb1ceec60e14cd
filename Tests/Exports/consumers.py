#!/usr/bin/env python3
"""Loads every export with a program that reads it, and holds the times against the JSON lines.

usage: consumers.py TAPEDECK RECORDINGS
It wants the packages of requirements.txt; .ci/check-exports installs them.
"""
import contextlib
import io
import json
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile
import urllib.parse
import xml.dom  # noqa: F401, pycaption forgets it

sys.dont_write_bytecode = True
TAPEDECK, RECORDINGS = sys.argv[1:3]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="exports."))
OUT = WORK / "out"
# Times have six decimals, so a frame at 192 kHz is told from the next.
EXACT, MILLISECOND = 1.5e-6, 0.6e-3


def tapedeck(*arguments):
    run = subprocess.run([TAPEDECK, *arguments], capture_output=True, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f"{shlex.join(run.args)}: {run.returncode}: {run.stderr}")
    return run


def export(name, *options):
    """Exports to a folder of its own, unless that was done, and returns it."""
    folder = WORK / "-".join([name, *options])
    if not folder.exists():
        tapedeck("export", str(OUT), "--to", name, "--into", str(folder), *options)
    return folder


def truth(subject):
    """Times by recording, as the JSON lines have them."""
    times = {}
    with open(export("json", "--of", subject) / f"{subject}.jsonl", encoding="utf-8") as file:
        for line in map(json.loads, file):
            path = line["name"] if line["folder"] == "." else f"{line['folder']}/{line['name']}"
            times.setdefault(path, []).append((line["startSeconds"], line["endSeconds"]))
    return times


def equal(found, expected, what, tolerance=EXACT):
    """Fails unless both hold the same times for the same recordings."""
    found = {key: value for key, value in found.items() if value}
    if set(found) != set(expected):
        sys.exit(f"{what}: recordings differ: {sorted(set(found) ^ set(expected))[:5]}")
    for key, times in expected.items():
        if len(times) != len(found[key]):
            sys.exit(f"{what}: {key}: {len(found[key])} parts, not {len(times)}")
        for one, other in zip(sorted(times), sorted(found[key])):
            if not all(math.isclose(a, b, abs_tol=tolerance) for a, b in zip(one, other)):
                sys.exit(f"{what}: {key}: {other}, not {one}")
    print(f"{what}: {len(expected)} recordings, {sum(map(len, expected.values()))} parts")


def beside(folder, ending):
    """Files by the path of their recording."""
    return {str(file.relative_to(folder))[:-len(ending)]: file
            for file in sorted(folder.rglob("*" + ending))}


def without(times, *left_out):
    return {key: value for key, value in times.items() if key not in left_out}


def audacity(segments):
    import mir_eval
    files = beside(export("audacity"), ".txt")
    loaded = {}
    for path, file in files.items():
        if not file.stat().st_size:
            continue
        # As in the manual: start, end and label, separated by tabs, one label a line.
        for line in file.read_text().splitlines():
            start, end, label = line.split("\t")
            assert float(start) <= float(end) and label == "sound"
        loaded[path] = list(map(tuple, mir_eval.io.load_labeled_intervals(str(file))[0]))
    equal(loaded, segments, "audacity by mir_eval")


def tables(segments, silences):
    import duckdb
    import pandas
    folder = export("csv")
    table = pandas.read_csv(folder / "segments.csv", keep_default_na=False)
    loaded = {}
    for row in table.itertuples():
        path = row.name if row.folder == "." else f"{row.folder}/{row.name}"
        loaded.setdefault(path, []).append((row.startSeconds, row.endSeconds))
    equal(loaded, segments, "csv by pandas")
    lines = export("json", "--of", "silences") / "silences.jsonl"
    rows = duckdb.sql(
        f"SELECT CASE folder WHEN '.' THEN name ELSE folder || '/' || name END, startSeconds,"
        f" endSeconds FROM read_json('{lines}')").fetchall()
    loaded = {}
    for path, start, end in rows:
        loaded.setdefault(path, []).append((start, end))
    equal(loaded, silences, "json by duckdb")


def raven(segments):
    import crowsetta
    files = beside(export("raven"), ".Table.1.selections.txt")
    loaded = {}
    for path, file in files.items():
        if len(file.read_text().splitlines()) < 2:
            continue
        boxes = crowsetta.formats.bbox.Raven.from_file(file, annot_col="Annotation").df
        loaded[path] = list(zip(boxes.begin_time_s, boxes.end_time_s))
    equal(loaded, segments, "raven by crowsetta")


def word(path):
    """A path as the ids of RTTM and Kaldi have it."""
    return "".join(
        f"%{ord(c):02X}" if c in ' %"\t\n' and c != '"' else c for c in path)


def diarization(segments):
    from pyannote.database.util import load_rttm, load_uem
    words = {word(path): times for path, times in segments.items()}
    loaded = load_rttm(export("rttm") / "segments.rttm")
    equal({key: [(s.start, s.end) for s in value.itersegments()] for key, value in loaded.items()},
          words, "rttm by pyannote", tolerance=3e-6)
    loaded = load_uem(export("uem") / "recordings.uem")
    assert set(words) <= set(loaded), "uem by pyannote: recordings are missing"
    print(f"uem by pyannote: {len(loaded)} recordings")


def textgrids(segments):
    import praatio.textgrid
    import textgrid
    files = beside(export("textgrid"), ".TextGrid")
    one, other = {}, {}
    for path, file in files.items():
        one[path] = [(i.minTime, i.maxTime) for i in textgrid.TextGrid.fromFile(str(file))[0]
                     if i.mark == "sound"]
        tier = praatio.textgrid.openTextgrid(str(file), includeEmptyIntervals=True)
        other[path] = [(i.start, i.end) for i in tier.getTier("sound").entries
                       if i.label == "sound"]
    # It rounds to five decimals.
    equal(one, segments, "textgrid by textgrid", tolerance=6e-6)
    equal(other, segments, "textgrid by praatio")


def subtitles(segments):
    import pycaption
    import webvtt
    one, other, third = {}, {}, {}
    for path, file in beside(export("webvtt"), ".vtt").items():
        text = file.read_text()
        one[path] = [(c.start_in_seconds + c.start_time.milliseconds / 1000,
                      c.end_in_seconds + c.end_time.milliseconds / 1000)
                     for c in webvtt.read(str(file))]
        if " --> " in text:
            other[path] = [(c.start / 1e6, c.end / 1e6)
                           for c in pycaption.WebVTTReader().read(text).get_captions("en-US")]
    for path, file in beside(export("srt"), ".srt").items():
        if file.stat().st_size:
            third[path] = [(c.start_in_seconds + c.start_time.milliseconds / 1000,
                            c.end_in_seconds + c.end_time.milliseconds / 1000)
                           for c in webvtt.from_srt(str(file))]
    equal(one, segments, "webvtt by webvtt-py", MILLISECOND)
    equal(other, segments, "webvtt by pycaption", MILLISECOND)
    equal(third, segments, "srt by webvtt-py", MILLISECOND)


def timelines(edits):
    import opentimelineio
    loaded = {}
    for path, file in beside(export("otio"), ".otio").items():
        timeline = opentimelineio.adapters.read_from_file(str(file))
        loaded[path] = []
        for clip in timeline.find_clips():
            span = clip.source_range
            loaded[path].append(
                (span.start_time.to_seconds(), span.end_time_exclusive().to_seconds()))
            media = urllib.parse.unquote(clip.media_reference.target_url.removeprefix("file://"))
            assert pathlib.Path(media).is_file(), media
    equal(loaded, edits, "otio by OpenTimelineIO", tolerance=3e-6)


def printed_by(script, folder):
    """What one of the scripts beside this one prints about a folder."""
    return json.loads(subprocess.run(
        [sys.executable, "-W", "ignore", pathlib.Path(__file__).with_name(script), folder],
        check=True, stdout=subprocess.PIPE).stdout)


def edit_lists(edits):
    """At 30 frames a second, by the adapter of OpenTimelineIO for CMX 3600."""
    import opentimelineio
    loaded = {}
    for path, file in beside(export("edl"), ".edl").items():
        # "AA" stands for two audio tracks, which are alike.
        timeline = opentimelineio.adapters.read_from_file(str(file), rate=30)
        loaded[path] = [(clip.source_range.start_time.to_seconds(),
                         clip.source_range.end_time_exclusive().to_seconds())
                        for clip in timeline.tracks[0].find_clips()]
    equal(loaded, edits, "edl by OpenTimelineIO", tolerance=1 / 30)


def lhotse(segments):
    times = printed_by("lhotse_times.py", export("lhotse") / "lhotse")
    expected = {word(path): times for path, times in segments.items()}
    for name in ("supervisions", "cuts"):
        equal(times[name], expected, f"lhotse {name}", tolerance=3e-6)
    print(f"lhotse by Lhotse: {times['decoded']} cuts decoded")


def kaldi(segments):
    import kaldiio
    folder = export("kaldi") / "kaldi"
    for name in ("wav.scp", "segments", "utt2spk", "reco2dur"):
        lines = folder.joinpath(name).read_bytes().splitlines()
        assert lines == sorted(lines), f"kaldi: {name} is not sorted"
    rows = [line.split() for line in folder.joinpath("segments").read_text().splitlines()]
    loaded = {}
    for _, recording, start, end in rows:
        loaded.setdefault(recording, []).append((float(start), float(end)))
    equal(loaded, {word(path): times for path, times in segments.items()}, "kaldi")
    count = 0
    with contextlib.redirect_stdout(io.StringIO()), kaldiio.ReadHelper(
            f"scp:{folder}/wav.scp", segments=str(folder / "segments")) as reader:
        for (_, (rate, samples)), row in zip(reader, rows):
            count += 1
            # Others decode what follows damage in their own ways.
            if row[1].startswith("troubled/"):
                continue
            assert abs(len(samples) / rate - (float(row[3]) - float(row[2]))) < 2 / rate, row
    assert count == len(rows), "kaldi: kaldiio reads fewer segments"
    print(f"kaldi by kaldiio: {count} segments decoded")


def nemo(segments):
    """The rules of NeMo's reader: JSON lines with audio_filepath and duration; offset, text."""
    loaded, root = {}, str(pathlib.Path(RECORDINGS).resolve()) + "/"
    for line in (export("nemo") / "nemo.jsonl").read_text().splitlines():
        item = json.loads(line)
        assert pathlib.Path(item["audio_filepath"]).is_file() and item["text"] == ""
        loaded.setdefault(item["audio_filepath"].removeprefix(root), []).append(
            (item["offset"], item["offset"] + item["duration"]))
    equal(loaded, segments, "nemo", tolerance=3e-6)


def players(segments):
    """Cue sheets by their grammar; playlists by the files that they name."""
    loaded = {}
    for path, file in beside(export("cue"), ".cue").items():
        times = [line.split()[-1].split(":") for line in file.read_text().splitlines()
                 if "INDEX 01" in line]
        starts = [int(m) * 60 + int(s) + int(f) / 75 for m, s, f in times]
        loaded[path] = [(start, start) for start in starts]
    expected = {path: [(start, start) for start, _ in times] for path, times in segments.items()
                if '"' not in path}
    equal(loaded, expected, "cue", tolerance=0.5 / 75 + 1e-6)
    lines = (export("m3u") / "recordings.m3u8").read_text().splitlines()
    files = [line for line in lines if not line.startswith("#")]
    assert lines[0] == "#EXTM3U" and all(pathlib.Path(file).is_file() for file in files)
    print(f"m3u: {len(files)} files")


def audio_folders(segments):
    """Links to recordings, and split files, by datasets of Hugging Face."""
    folder = export("audiofolder") / "audiofolder"
    rows = printed_by("datasets_rows.py", folder)
    lines = folder.joinpath("metadata.jsonl").read_text().splitlines()
    found = {str(pathlib.Path(row["audio"]).relative_to(folder)): row for row in rows}
    # Other endings are left alone by it.
    listed = {item["file_name"]: item for item in map(json.loads, lines)
              if item["file_name"] in found}
    assert len(found) == len(listed) >= 30, len(found)
    for path, row in found.items():
        assert row["durationSeconds"] == listed[path]["durationSeconds"], path
    print(f"audiofolder by datasets: {len(found)} of {len(lines)} recordings")
    loaded, root = {}, WORK / "split"
    for row in printed_by("datasets_rows.py", root):
        place = pathlib.Path(row["audio"]).parent.relative_to(root)
        loaded.setdefault(str(place / row["recording"]), []).append(
            (row["startSeconds"], row["endSeconds"]))
    equal(loaded, segments, "split by datasets")


def split_files(segments):
    """The list of split files by pandas; the files are there."""
    import pandas
    folder = WORK / "split"
    tapedeck("split", str(OUT), "--into", str(folder))
    loaded = {}
    for file in sorted(folder.rglob("metadata.jsonl")):
        place = file.parent.relative_to(folder)
        for _, row in pandas.read_json(file, lines=True).iterrows():
            assert (file.parent / row["file_name"]).stat().st_size == row["bytes"]
            loaded.setdefault(str(place / row["recording"]), []).append(
                (row["startSeconds"], row["endSeconds"]))
    equal(loaded, segments, "split by pandas")


def main():
    tapedeck("run", RECORDINGS, "--output", str(OUT), "--quiet", "--trim", "gaps")
    segments, silences, edits = truth("segments"), truth("silences"), truth("edits")
    audacity(segments)
    tables(segments, silences)
    raven(segments)
    diarization(segments)
    textgrids(segments)
    subtitles(segments)
    timelines(edits)
    edit_lists(edits)
    lhotse(segments)
    kaldi(segments)
    nemo(segments)
    players(segments)
    split_files(segments)
    audio_folders(segments)
    print("every export was read as it was written")


main()
