#!/usr/bin/env python3
"""Prints the times of Lhotse's manifests in a folder, as Lhotse reads them, and how much it decodes."""
import json
import sys

import without_torch  # noqa: F401
from lhotse import CutSet, RecordingSet, SupervisionSet

folder = sys.argv[1]
recordings = RecordingSet.from_file(f"{folder}/recordings.jsonl").to_eager()
supervisions = SupervisionSet.from_file(f"{folder}/supervisions.jsonl").to_eager()
cuts = CutSet.from_file(f"{folder}/cuts.jsonl").to_eager()
times = {"supervisions": {}, "cuts": {}}
for part in supervisions:
    assert part.recording_id in recordings, part
    times["supervisions"].setdefault(part.recording_id, []).append((part.start, part.end))
decoded = 0
for cut in cuts:
    assert len(cut.supervisions) == 1 and cut.supervisions[0].duration == cut.duration
    times["cuts"].setdefault(cut.recording.id, []).append((cut.start, cut.end))
    # What libsndfile decodes for Lhotse.
    if cut.recording.sources[0].source.endswith((".wav", ".flac")):
        samples = cut.load_audio()
        assert abs(samples.shape[-1] - cut.duration * cut.sampling_rate) <= 1, cut
        decoded += 1
times["decoded"] = decoded
json.dump(times, sys.stdout)
