"""What libsndfile takes to decode a recording to floats, and nothing else: the floor of all that
listens to it."""
import ctypes
import sys
import time

import recordings  # noqa: F401, which says where sndfile is
import sndfile

READ = 0x10
BLOCK_FRAMES = 8192


def reader():
    """libsndfile's call that reads floats."""
    read = sndfile.library().sf_readf_float
    read.restype = ctypes.c_int64
    read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    return read


def decode(path):
    """CPU seconds."""
    library, info = sndfile.library(), sndfile.Info()
    start = time.process_time()
    file = library.sf_open(str(path).encode(), READ, ctypes.byref(info))
    if not file:
        sys.exit(f"compare: libsndfile cannot open {path}")
    block = (ctypes.c_float * (BLOCK_FRAMES * info.channels))()
    read, blocks = reader(), 1
    while read(file, block, BLOCK_FRAMES) > 0:
        blocks += 1
    end = time.process_time()
    # The calls from here cost something too: as many of them that find nothing more.
    for _ in range(blocks):
        read(file, block, BLOCK_FRAMES)
    seconds = (end - start) - (time.process_time() - end)
    library.sf_close(file)
    return seconds
