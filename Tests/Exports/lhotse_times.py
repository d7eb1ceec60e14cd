#!/usr/bin/env python3
"""Prints the times of Lhotse's manifests in a folder, as Lhotse reads them, and how much it decodes.

Lhotse imports torch (5 GB), and needs nothing of it to read manifests and sound: whatever is asked
of torch meanwhile is an empty class.
"""
import importlib.abc
import importlib.machinery
import json
import sys
import types


class Empty(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder


class Placeholder(metaclass=Empty):
    def __init__(self, *arguments, **named):
        pass

    def __call__(self, *arguments, **named):
        # As a decorator, it leaves what it decorates.
        return arguments[0] if arguments and callable(arguments[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder()


class EmptyModule(types.ModuleType):
    __path__ = []
    __version__ = "2.0.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder


class EmptyModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] not in ("torch", "torchaudio"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return EmptyModule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, EmptyModules())
from lhotse import CutSet, RecordingSet, SupervisionSet  # noqa: E402

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
