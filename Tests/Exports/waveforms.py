#!/usr/bin/env python3
"""Reads waveforms with waveform-data.js, and draws them with wavesurfer.js in a browser.

usage: waveforms.py TAPEDECK RECORDINGS [SCREENSHOT]
It wants node and the packages of waveforms.txt, which hold the two libraries, and for a screenshot
chromium; .ci/check-waveforms installs all of it.
"""
import importlib.metadata
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import wave

TAPEDECK, RECORDINGS = sys.argv[1:3]
SCREENSHOT = sys.argv[3] if len(sys.argv) > 3 else None
WORK = pathlib.Path(tempfile.mkdtemp(prefix="waveforms."))
ZOOMS = [256, 1024]
HEIGHT, WIDTH, STRETCHES = 240, 1000, 100

# waveform-data.js is a module of its own within the bundle of peaks.js.
READ = """
const fs = require('fs')
let WaveformData
globalThis.self = globalThis
self.webpackChunkpeaksjs_widget = {push([ids, modules]) {
  for (const define of Object.values(modules)) {
    const module = {exports: {}}
    const need = {}
    need.d = (to, from) => Object.assign(to, ...Object.keys(from).map(k => ({[k]: from[k]()})))
    need.r = () => {}
    define.call(module.exports, module, module.exports, need)
    WaveformData = module.exports.default ?? module.exports
  }
}}
require(process.argv[1])
for (const path of process.argv.slice(2)) {
  const bytes = fs.readFileSync(path)
  const data = WaveformData.create(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const channels = [...Array(data.channels).keys()].map(n => data.channel(n))
  console.log(JSON.stringify({
    rate: data.sample_rate, scale: data.scale, length: data.length, bits: data.bits,
    min: channels.map(c => c.min_array()), max: channels.map(c => c.max_array()),
    half: data.resample({scale: 2 * data.scale}).length
  }))
}
"""

PAGE = """<!doctype html><meta charset=utf-8><title>wavesurfer.js</title>
<style>body{margin:0}pre{display:none}</style><div id=wave></div><pre id=result></pre>
<script src="LIBRARY"></script>
<script>
const page = PEAKS
const surfer = WaveSurfer.create({
  container: '#wave', height: HEIGHT, width: WIDTH, waveColor: '#246', cursorWidth: 0,
  peaks: page.peaks, duration: page.duration
})
surfer.on('redrawcomplete', () => {
  const [canvas] = surfer.getWrapper().querySelectorAll('.canvases canvas')
  const {width, height} = canvas
  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height)
  const heights = []
  for (let x = 0; x < width; x++) {
    let top = 0
    while (top < height && data[4 * (top * width + x) + 3] < 4) top++
    heights.push(Math.max(0, height / 2 - top) / (height / 2))
  }
  document.getElementById('result').textContent = JSON.stringify({
    heights, duration: surfer.getDuration(), channels: surfer.getDecodedData().numberOfChannels
  })
})
</script>
"""


def fail(text):
    sys.exit(f"waveforms: {text}")


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        fail(f"{command[0]}: {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def packaged(package, ending):
    """Files of a package whose paths end so."""
    for file in importlib.metadata.files(package):
        path = pathlib.Path(file.locate())
        if path.match(ending) and path.is_file():
            yield path


def copies(output):
    """The folders and entries of recordings that have a trimmed copy."""
    for manifest in sorted(output.rglob("manifest.json")):
        for entry in json.loads(manifest.read_bytes())["recordings"]:
            if "trimmed" in entry:
                yield manifest.parent, entry


def samples(path):
    """The 16-bit samples of a mono WAV file; None of any other."""
    try:
        with wave.open(str(path)) as file:
            if file.getsampwidth() != 2 or file.getnchannels() != 1:
                return None
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError):
        return None
    return [int.from_bytes(data[at:at + 2], "little", signed=True) for at in range(0, len(data), 2)]


def toward_zero(value):
    return -(-value // 256) if value < 0 else value // 256


def read_binary():
    output = WORK / "binary"
    zooms = ",".join(map(str, ZOOMS))
    run(TAPEDECK, "run", RECORDINGS, "--output", output, "--waveform-of", "source,trimmed",
        "--samples-per-pixel", zooms, "--quiet")
    expected = []
    for folder, entry in copies(output):
        frames = sum(edit["sourceFrames"][1] - edit["sourceFrames"][0]
                     for edit in entry["trimmed"]["edits"])
        for file, zoom in zip(entry["trimmed"]["waveforms"], ZOOMS, strict=True):
            expected.append((folder / file["path"], folder / entry["trimmed"]["path"], frames,
                             entry["format"], zoom))
    if not expected:
        fail("nothing was trimmed")
    library = next(path for path in packaged("peaksjs-widget", "labextension/static/*.js")
                   if "seconds_per_pixel" in path.read_text(encoding="utf-8"))
    lines = run("node", "-e", READ, library, *[row[0] for row in expected]).splitlines()
    compared = 0
    for line, (path, copy, frames, format, zoom) in zip(map(json.loads, lines), expected,
                                                        strict=True):
        said = (line["rate"], line["scale"], line["length"], line["bits"], line["half"])
        if said != (format["sampleRateHertz"], zoom, -(-frames // zoom), 8,
                    -(-frames // (2 * zoom))):
            fail(f"{path}: {said}")
        values = samples(copy)
        if values is None:
            continue
        pixels = [values[at:at + zoom] for at in range(0, len(values), zoom)]
        if (line["min"], line["max"]) != ([[toward_zero(min(p)) for p in pixels]],
                                          [[toward_zero(max(p)) for p in pixels]]):
            fail(f"{path}: other values")
        compared += 1
    if not compared:
        fail("no copy is 16-bit mono WAV")
    print(f"waveform-data.js read {len(lines)} waveforms of {len(lines) // 2} trimmed copies;"
          f" every value of {compared} is that of the copy's samples")


def draw():
    output = WORK / "float"
    run(TAPEDECK, "run", RECORDINGS, "--output", output, "--waveform-of", "both",
        "--waveform-format", "float-json", "--points", WIDTH, "--quiet")
    library = next(packaged("wavesurfer", "wavesurfer.min.js"))
    pictures = []
    for folder, entry in copies(output):
        for name in [entry["waveforms"][0]["path"], entry["trimmed"]["waveforms"][0]["path"]]:
            text = (folder / name).read_text(encoding="utf-8")
            page = WORK / f"{len(pictures)}.html"
            page.write_text(
                PAGE.replace("LIBRARY", library.as_uri()).replace("HEIGHT", str(HEIGHT))
                .replace("WIDTH", str(WIDTH)).replace("PEAKS", text), encoding="utf-8")
            compare(name, json.loads(text), look(page))
            pictures.append(page)
    if not pictures:
        fail("nothing was trimmed")
    chromium(f"--screenshot={pathlib.Path(SCREENSHOT).resolve()}",
             f"--window-size={WIDTH},{HEIGHT}", pictures[1].as_uri())
    print(f"wavesurfer.js drew {len(pictures)} waveforms; every height is that of the peaks;"
          f" {pathlib.Path(SCREENSHOT).name} shows one of a trimmed copy")


def chromium(*options):
    return run("chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
               f"--user-data-dir={WORK / 'profile'}", "--allow-file-access-from-files",
               "--virtual-time-budget=5000", *options)


def look(page):
    """What was drawn, as the page itself finds it in its picture."""
    text = chromium("--dump-dom", page.as_uri())
    found = text.split('<pre id="result">')[1].split("</pre>")[0]
    if not found:
        fail(f"{page} drew nothing")
    return json.loads(found)


def compare(name, page, drawn):
    if abs(drawn["duration"] - page["duration"]) > 1e-6:
        fail(f"{name}: lasts {drawn['duration']} s instead of {page['duration']} s")
    if len(page["peaks"]) != page["channels"] or len(page["peaks"][0]) != 2 * page["length"]:
        fail(f"{name}: its arrays are not of its length")
    peaks, heights = [abs(value) for value in page["peaks"][0]], drawn["heights"]
    for number in range(STRETCHES):
        # A pixel may lie on either side of a border.
        def part(values, more):
            share = len(values) / STRETCHES
            first, last = int(number * share) - more, int((number + 1) * share) + more
            return max(values[max(0, first):last])
        if not part(peaks, 0) - 0.03 <= part(heights, 2):
            fail(f"{name}: part {number} is drawn {part(heights, 2)} high, not {part(peaks, 0)}")
        if not part(heights, 0) <= part(peaks, 4) + 0.03:
            fail(f"{name}: part {number} is drawn {part(heights, 0)} high, not {part(peaks, 4)}")


print("node", run("node", "--version").strip(), *(
    f"{name} {importlib.metadata.version(name)}" for name in ("peaksjs-widget", "wavesurfer")))
read_binary()
if SCREENSHOT:
    print(run("chromium", "--version").strip())
    draw()
shutil.rmtree(WORK)
