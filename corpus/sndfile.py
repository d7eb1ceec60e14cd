"""Writing sound through libsndfile, without a binding to install."""

import ctypes
import functools
import os
import tempfile
from pathlib import Path

import numpy as np

import ogg
import sounds

WRITE = 0x20
SET_ADD_PEAK_CHUNK = 0x1050
SET_CLIPPING = 0x10C0
# The Vorbis and Opus encoders of libsndfile want their sound in small portions.
PORTION_FRAMES = 4096

ENCODINGS = {
    "WAV, 8-bit PCM": 0x010005,
    "WAV, 16-bit PCM": 0x010002,
    "WAV, 24-bit PCM": 0x010003,
    "WAV, 32-bit PCM": 0x010004,
    "WAV, 32-bit float": 0x010006,
    "WAV, 64-bit float": 0x010007,
    "WAV, µ-law": 0x010010,
    "WAV, A-law": 0x010011,
    "WAV, IMA ADPCM": 0x010012,
    "WAV, GSM 6.10": 0x010020,
    "WAVEX, 24-bit PCM": 0x130003,
    "RF64, 16-bit PCM": 0x220002,
    "W64, 16-bit PCM": 0x0B0002,
    "AIFF, 16-bit PCM": 0x020002,
    "AIFF, 24-bit PCM": 0x020003,
    "AU, µ-law": 0x030010,
    "CAF, 16-bit PCM": 0x180002,
    "CAF, 16-bit ALAC": 0x180070,
    "FLAC, 16-bit": 0x170002,
    "FLAC, 24-bit": 0x170003,
    "Ogg Vorbis": 0x200060,
    "Ogg Opus": 0x200064,
    "MP3": 0x230082,
}


class Info(ctypes.Structure):
    """`SF_INFO` of sndfile.h."""

    _fields_ = [
        ("frames", ctypes.c_int64),
        ("samplerate", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("format", ctypes.c_int),
        ("sections", ctypes.c_int),
        ("seekable", ctypes.c_int),
    ]


@functools.cache
def library():
    """libsndfile with the signatures that are used here, or an end with a sentence."""
    try:
        lib = ctypes.CDLL("libsndfile.so.1")
    except OSError:
        raise SystemExit("make.py: libsndfile is missing: apt install libsndfile1")
    handle = ctypes.c_void_p
    lib.sf_open.restype = handle
    lib.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(Info)]
    lib.sf_command.argtypes = [handle, ctypes.c_int, handle, ctypes.c_int]
    lib.sf_writef_double.restype = ctypes.c_int64
    lib.sf_writef_double.argtypes = [handle, handle, ctypes.c_int64]
    lib.sf_close.argtypes = [handle]
    lib.sf_strerror.restype = ctypes.c_char_p
    lib.sf_strerror.argtypes = [handle]
    lib.sf_version_string.restype = ctypes.c_char_p
    return lib


def version():
    """What libsndfile calls itself, such as `libsndfile-1.2.0`."""
    return library().sf_version_string().decode()


def write(path, samples, rate, encoding):
    """Write `samples` (frames by channels, full scale 1) to `path` in one of `ENCODINGS`.

    The PEAK chunk is left out, because it holds the time of writing.
    """
    info = Info(samplerate=rate, channels=samples.shape[1], format=ENCODINGS[encoding])
    file = library().sf_open(os.fsencode(path), WRITE, ctypes.byref(info))
    if not file:
        reason = library().sf_strerror(None).decode()
        raise SystemExit(f"make.py: {version()} cannot write {encoding}: {reason}")
    library().sf_command(file, SET_ADD_PEAK_CHUNK, None, 0)
    library().sf_command(file, SET_CLIPPING, None, 1)
    for start in range(0, len(samples), PORTION_FRAMES):
        portion = np.ascontiguousarray(samples[start : start + PORTION_FRAMES], dtype=np.float64)
        if library().sf_writef_double(file, portion.ctypes.data, len(portion)) != len(portion):
            raise SystemExit(f"make.py: {path}: {library().sf_strerror(file).decode()}")
    if library().sf_close(file) != 0:
        raise SystemExit(f"make.py: {path} could not be finished")


def encoded(sound, encoding, serial=1):
    """The bytes of a file that holds `sound`; `serial` numbers an Ogg stream."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording"
        write(path, sounds.on_24_bits(sound.samples), sound.rate, encoding)
        data = path.read_bytes()
    return ogg.with_serial(data, serial) if encoding.startswith("Ogg") else data
