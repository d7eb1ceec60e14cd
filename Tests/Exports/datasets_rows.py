#!/usr/bin/env python3
"""Prints the rows of a folder as `audiofolder` of Hugging Face's datasets reads it."""
import json
import os
import sys
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=tempfile.mkdtemp(), HF_DATASETS_DISABLE_PROGRESS_BARS="1")
import without_torch  # noqa: E402, F401
from datasets import Audio, load_dataset  # noqa: E402

rows = load_dataset("audiofolder", data_dir=sys.argv[1], split="train")
json.dump([{**row, "audio": row["audio"]["path"]} for row in rows.cast_column(
    "audio", Audio(decode=False))], sys.stdout)
