"""Recordings that say much of themselves, in every container that can."""

import math
import random
import struct
import subprocess
import zlib

RATE = 48000
START = RATE * 3600
CUES = [(1, 1000, b"before the first word"), (2, 100000, b"first word"), (3, 300000, b"second")]
IXML = (
    b'<?xml version="1.0" encoding="UTF-8"?><BWFXML><PROJECT>Harbour</PROJECT><SCENE>7</SCENE>'
    b"<TAKE>3</TAKE><SPEED><TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>0"
    b"</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI><TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>%d"
    b"</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO></SPEED></BWFXML>" % START
)
GUANO = (
    b"GUANO|Version: 1.0\nTimestamp: 2026-05-01T05:30:00+01:00\nLength: 8.0\n"
    b"Make: Open Acoustic Devices\nModel: AudioMoth\nSerial: 24F3\n"
)


def sound(seconds=8):
    """Two tones between silences, with noise that is 60 dB below them."""
    noise = random.Random(1)
    samples = []
    for n in range(seconds * RATE):
        t = n / RATE
        tone = 0.3 * math.sin(2 * math.pi * 440 * t) if 2 <= t < 4 or 5.5 <= t < 7 else 0
        samples.append(int(32767 * (tone + noise.uniform(-1, 1) * 0.0003)))
    return samples


def bext():
    return (
        b"Interview".ljust(256, b"\0") + b"Zoom H5".ljust(32, b"\0") + b"REF123".ljust(32, b"\0")
        + b"2026-11-26" + b"12:34:56" + struct.pack("<Q", START) + struct.pack("<H", 2)
        + b"\1" * 64 + struct.pack("<5h", -2300, 100, -100, -2000, -2100) + b"\0" * 180
        + b"A=PCM,F=48000,W=16,M=mono,T=field\r\n"
    )


def cart():
    texts = b"0101" + b"Spot".ljust(64, b"\0") + b"\0" * 64 * 6
    times = b"2026-11-26" + b"00:00:00" + b"2026-12-26" + b"00:00:00"
    timers = b"AUDs" + struct.pack("<I", 100000) + b"AUDe" + struct.pack("<I", 10) + b"\0" * 48
    return texts + times + b"\0" * 192 + struct.pack("<i", 32768) + timers + b"\0" * 1300


def chunk(name, body, big=False):
    size = struct.pack(">I" if big else "<I", len(body))
    return name + size + body + (b"\0" if len(body) % 2 else b"")


def info():
    fields = [(b"INAM", b"Harbour pilot\0"), (b"IART", b"Radio\0"), (b"ICMT", b"windy\0")]
    return b"INFO" + b"".join(chunk(*field) for field in fields)


def cue():
    points = [struct.pack("<II4sIII", i, at, b"data", 0, 0, at) for i, at, _ in CUES]
    return struct.pack("<I", len(points)) + b"".join(points)


def labels():
    texts = [chunk(b"labl", struct.pack("<I", i) + text + b"\0") for i, _, text in CUES]
    stretch = struct.pack("<II4sHHHH", 2, 24000, b"rgn ", 0, 0, 0, 0)
    return b"adtl" + b"".join(texts) + chunk(b"ltxt", stretch)


def picture():
    """A PNG of one pixel."""

    def part(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(
            ">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head)
            + part(b"IDAT", zlib.compress(b"\0\xff\0\0")) + part(b"IEND", b""))


CHUNKS = [
    (b"bext", bext()), (b"iXML", IXML), (b"cart", cart()), (b"LIST", info()), (b"guan", GUANO),
    (b"own ", b"12345"),
]


def wav(path, samples, channels=1, behind=True, wide=False):
    """A WAV or RF64 file, with chunks on both sides of the sound."""
    pcm = struct.pack("<%dh" % len(samples), *samples)
    fmt = chunk(b"fmt ", struct.pack(
        "<HHIIHH", 1, channels, RATE, RATE * 2 * channels, 2 * channels, 16))
    first = fmt + b"".join(chunk(*c) for c in CHUNKS)
    data = b"data" + struct.pack("<I", 0xFFFFFFFF if wide else len(pcm)) + pcm
    rest = chunk(b"cue ", cue()) + chunk(b"LIST", labels())
    body = b"WAVE" + (b"" if wide else first) + data + rest
    if wide:
        sizes = struct.pack("<QQQI", 0, len(pcm), len(samples) // channels, 0)
        body = b"WAVE" + chunk(b"ds64", sizes) + first + data + rest
        sizes = struct.pack("<QQQI", len(body), len(pcm), len(samples) // channels, 0)
        body = b"WAVE" + chunk(b"ds64", sizes) + first + data + rest
    size = 0xFFFFFFFF if wide else len(body)
    path.write_bytes((b"RF64" if wide else b"RIFF") + struct.pack("<I", size) + body)


def w64(path, samples):
    """Sony's Wave64: identifiers of 16 bytes, sizes of 8."""
    rest = bytes.fromhex("F3ACD3118CD100C04F8EDB8A")
    lists = bytes.fromhex("2F91CF11A5D628DB04C10000")

    def part(name, body):
        end = lists if name == b"LIST" else rest
        name = b"list" if name == b"LIST" else name
        return name + end + struct.pack("<Q", len(body) + 24) + body + b"\0" * (-len(body) % 8)

    pcm = struct.pack("<%dh" % len(samples), *samples)
    fmt = struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)
    parts = [part(b"fmt ", fmt)] + [part(*c) for c in CHUNKS]
    parts += [part(b"cue ", cue()), part(b"LIST", labels()), part(b"data", pcm)]
    body = b"wave" + rest + b"".join(parts)
    path.write_bytes(b"riff" + bytes.fromhex("2E91CF11A5D628DB04C10000")
                     + struct.pack("<Q", len(body) + 24) + body)


def aiff(path, samples):
    pcm = struct.pack(">%dh" % len(samples), *samples)
    # 48000 as an extended number of 80 bits.
    rate = struct.pack(">HQ", 16383 + 15, RATE << 48)
    comm = struct.pack(">hIh", 1, len(samples), 16) + rate
    marks = struct.pack(">H", len(CUES))
    for i, at, text in CUES:
        pascal = bytes([len(text)]) + text
        marks += struct.pack(">HI", i, at) + pascal + (b"\0" if len(pascal) % 2 else b"")
    parts = [(b"COMM", comm), (b"NAME", b"Harbour pilot"), (b"AUTH", b"Radio"),
             (b"ANNO", b"windy"), (b"iXML", IXML), (b"MARK", marks),
             (b"SSND", b"\0" * 8 + pcm)]
    body = b"AIFF" + b"".join(chunk(name, part, big=True) for name, part in parts)
    path.write_bytes(b"FORM" + struct.pack(">I", len(body)) + body)


def by_ffmpeg(folder, name, *options, chapters=True, cover=True):
    """The sound with tags, chapters and a picture, as ffmpeg writes them."""
    meta = folder / "tags.txt"
    text = (";FFMETADATA1\ntitle=Harbour pilot\nartist=Radio\nalbum=Tides\ndate=2026-11-26\n"
            "comment=windy\n")
    if chapters:
        ends = [at for _, at, _ in CUES[1:]] + [8 * RATE]
        for (_, at, label), end in zip(CUES, ends):
            text += (f"[CHAPTER]\nTIMEBASE=1/{RATE}\nSTART={at}\nEND={end}\n"
                     f"title={label.decode()}\n")
    meta.write_text(text)
    art = folder / "cover.png"
    art.write_bytes(picture())
    command = ["ffmpeg", "-v", "error", "-y", "-i", folder / "plain.wav", "-i", meta]
    maps = ["-map", "0:a", "-map_metadata", "1"]
    if cover:
        command += ["-i", art]
        maps += ["-map", "2:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
    subprocess.run(command + maps + list(options) + [folder / name], check=True)


def plain(folder, samples):
    pcm = struct.pack("<%dh" % len(samples), *samples)
    fmt = struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)
    body = b"WAVE" + chunk(b"fmt ", fmt) + chunk(b"data", pcm)
    (folder / "plain.wav").write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


#: Hertz of the tone in each channel of 5.1, in the order of WAV files: left, right, centre,
#: low frequencies, left and right behind.
TONES = [300, 400, 500, 60, 700, 800]


def surround(folder):
    """Recordings of six channels, and of ambisonic four, with a tone of its own in each."""
    frames = []
    for n in range(6 * RATE):
        t = n / RATE
        loud = 2 <= t < 4
        frames += [int(9000 * math.sin(2 * math.pi * hertz * t)) if loud else 0
                   for hertz in TONES]
    pcm = struct.pack("<%dh" % len(frames), *frames)

    def extensible(name, channels, mask, tail, pcm):
        fmt = struct.pack("<HHIIHHHHI", 0xFFFE, channels, RATE, RATE * 2 * channels, 2 * channels,
                          16, 22, 16, mask) + b"\1\0\0\0" + tail
        body = b"WAVE" + chunk(b"fmt ", fmt) + chunk(b"data", pcm)
        (folder / name).write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)

    extensible("six.wav", 6, 0x3F, bytes.fromhex("000010008000 00AA00389B71"), pcm)
    side = bytes.fromhex("000010008000 00AA00389B71")
    extensible("side.wav", 6, 0x60F, side, pcm)
    four = b"".join(pcm[place:place + 8] for place in range(0, len(pcm), 12))
    extensible("ambisonic.wav", 4, 0, bytes.fromhex("2107D3118644C8C1CA000000"), four)
    for name, codec in [("six.ogg", "libvorbis"), ("six.opus", "libopus"), ("six.flac", "flac"),
                        ("six.m4a", "aac"), ("six.mka", "ac3")]:
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", folder / "six.wav", "-c:a", codec,
                        "-ac", "6", folder / name], check=True)
