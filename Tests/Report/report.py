"""Looks at the pages of a report in Chromium, listens, and clicks about.

usage: report.py TAPEDECK CORPUS SCREENSHOTS [AXE.js]
"""
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import time

import served
from browser import Browser
from pages import attempt, fill, status, tapedeck

CORPUS, SHOTS = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
AXE = pathlib.Path(sys.argv[4]).read_text() if len(sys.argv) > 4 else None
HOSTILE = [
    b"<img src=x onerror=window.hacked=1>.wav", b"<script>window.hacked=1<!script>.wav",
    b"\"'`&amp;.wav", b"line\nbreak.wav", "\u202ewav.exe.wav".encode(), b"latin\xe9.wav",
    b"100%25 #1?a=b.wav", b"</title></script>.wav".replace(b"/", b"!"), "дождь شتاء.wav".encode(),
    b"x" * 247 + b".wav",
]


def rows(page):
    """What a page is given about its recordings."""
    text = (page.parent / "report-rows.js").read_text()
    return json.loads(text[len("tapedeck.rows("):-3])


def shown(row):
    return row.find_element("css selector", ".name").text


def drawings(page):
    text = (page.parent / "report-0.js").read_text().split("\n", 1)[1]
    return json.loads(text[len("tapedeck.drawings(0, "):-3])


def plays_everything_that_it_says_it_plays(library, address):
    """Every recording and copy of the corpus that is said to play does, from a folder and http."""
    count = 0
    for page in sorted(library.glob("tapedeck/**/index.html")):
        for way in (page, address + str(page.relative_to(library)).replace(" ", "%20")):
            with_rows = [row for row in rows(page) if row["plays"] and row["state"] != "missing"]
            browser.open(way)
            for row in with_rows:
                error = browser.driver.execute_async_script("""
                    const [file, done] = arguments, audio = document.createElement("audio");
                    audio.onloadeddata = () => done(audio.duration);
                    audio.onerror = () => done("error " + audio.error.message);
                    audio.src = file;
                """, row["file"])
                assert isinstance(error, (int, float)), f"{row['name']}: {error}"
                # Of chained streams, browsers tell the length of one.
                if row.get("warned") is None and row["name"] != "two_in_one.opus":
                    assert abs(error - row["seconds"]) < 0.1, (row["name"], error, row["seconds"])
                count += 1
    return f"{count} plays of recordings"


def seeks_and_plays_by_clicks(library, address):
    page = library / "tapedeck/interviews/index.html"
    for way in (page, address + "tapedeck/interviews/index.html"):
        browser.open(way)
        browser.until(browser.drawn, "a waveform")
        first = rows(page)[0]
        browser.click(browser.one(".row .wave"), share=0.5)
        sound = browser.until(
            lambda: (s := browser.sound())["time"] > 0 and not s["paused"] and s, "sound")
        middle = first["seconds"] / 2
        assert middle - 0.1 < sound["time"] < middle + 2, sound
        browser.until(lambda: browser.sound()["time"] > sound["time"] + 0.3, "progress")
        browser.click(browser.one(".row .play"))
        browser.until(lambda: browser.sound()["paused"], "a pause")
    errors = browser.errors()
    assert not errors, errors
    return "from a folder and over http"


def switches_to_the_copy_at_the_same_place(library, _):
    page = library / "tapedeck/interviews/index.html"
    browser.open(page)
    browser.until(browser.drawn, "a waveform")
    cuts, row = drawings(page)[0]["cuts"], rows(page)[0]
    browser.click(browser.one(".row .name"))
    browser.click(browser.one(".row .wave"), share=0.5)
    browser.until(lambda: browser.sound()["time"] > 0, "sound")
    browser.click(browser.all(".switch button")[1])
    sound = browser.until(
        lambda: (s := browser.sound())["address"].endswith("tapedeck/interviews/"
                                                           + row["copy"])
        and s["time"] > 0 and s, "the copy")
    before = sum(end - start for start, end in cuts if end < row["seconds"] / 2)
    assert abs(sound["time"] + before - row["seconds"] / 2) < 1.5, (sound, before)
    browser.click(browser.one(".row .play"))
    return f"{before:.2f} s were cut before"


def draws_spectrogram_floor_and_score_and_zooms(library, _):
    page = library / "tapedeck/interviews/index.html"
    browser.open(page)
    browser.until(browser.drawn, "a waveform")
    browser.click(browser.one(".row .name"))

    def colours(selector):
        return browser.ask("""
            const canvas = document.querySelector(arguments[0]);
            if (!canvas || canvas.hidden || !canvas.width) return 0;
            const data = canvas.getContext("2d")
                .getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
            for (let at = 0; at < data.length; at += 4)
                if (data[at + 3] === 255) seen.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
            return seen.size;
        """, selector)
    browser.until(lambda: colours(".picture") > 100, "a spectrogram")
    browser.until(lambda: colours(".curves") >= 3, "curves")
    # Zoomed in three times around the middle, a click at the left is a click at 7/16 of it.
    length = rows(page)[0]["seconds"]
    for _ in range(3):
        browser.click(browser.one("[aria-label='Zoom in']"))
    browser.click(browser.one(".row .picture"), share=0.02)
    sound = browser.until(lambda: (s := browser.sound())["time"] > 0 and s, "sound")
    assert 7 / 16 * length < sound["time"] < 7 / 16 * length + 1.2, sound
    browser.click(browser.one(".row .play"))
    browser.click(browser.one("[aria-label='Show all of it']"))
    return f"at {sound['time']:.2f} of {length:.2f} s"


def goes_about_by_keyboard(library, _):
    page = library / "tapedeck/interviews/index.html"
    browser.open(page)
    browser.until(browser.drawn, "a waveform")
    # The folders, the tools, and then the first recording.
    def focus():
        return browser.ask("const a = document.activeElement;"
                           "return [a.tagName, a.getAttribute('aria-label') ?? a.textContent]")
    seen = []
    for _ in range(40):
        browser.press("tab")
        seen.append(focus())
        if seen[-1][0] == "CANVAS":
            break
    assert [tag for tag, _ in seen][-3:] == ["BUTTON", "BUTTON", "CANVAS"], seen
    silences = drawings(page)[0]["silences"]
    wanted = [end for _, end in silences if end < rows(page)[0]["seconds"] - 0.1]
    for end in wanted:
        browser.press("right")
        now = float(browser.one(".row .wave").get_attribute("aria-valuenow"))
        assert abs(now - end) < 0.06, (now, end)
    browser.press("left", "left")
    now = float(browser.one(".row .wave").get_attribute("aria-valuenow"))
    assert now < wanted[-1], now
    browser.press("space")
    browser.until(lambda: not browser.sound()["paused"], "sound")
    browser.press("space")
    browser.until(lambda: browser.sound()["paused"], "a pause")
    browser.press("down", "enter")
    opened = browser.one(".row.open .name")
    assert opened.get_attribute("title") == rows(page)[1]["name"]
    browser.press("escape")
    assert not browser.all(".row.open")
    return f"{len(seen)} stops to the first recording"


def filters_sorts_and_links(library, _):
    page = library / "tapedeck/troubled/index.html"
    browser.open(page)
    given = rows(page)
    failed = {row["name"] for row in given if row["state"] == "failed"}
    browser.click(next(link for link in browser.all(".totals a") if "failed" in link.text))
    browser.until(lambda: len(browser.all(".row")) == len(failed), "the failed alone")
    assert {shown(row) for row in browser.all(".row")} == failed
    browser.click(browser.one("[data-state='']"))
    browser.one("input").send_keys("cut_off")
    browser.until(lambda: len(browser.all(".row")) == 2, "what was searched")
    assert browser.one(".shown").text == f"2 of {len(given)} recordings"
    browser.ask("const i = document.querySelector('input'); i.value = '';"
                "i.dispatchEvent(new Event('input'))")
    browser.ask("const s = document.querySelector('select'); s.value = 'length';"
                "s.dispatchEvent(new Event('change'))")
    longest = max(given, key=lambda row: row.get("seconds", 0))
    assert shown(browser.all(".row")[0]) == longest["name"]
    # The order stays, for other folders too.
    browser.open(page)
    assert browser.one("select").get_attribute("value") == "length"
    browser.ask("sessionStorage.clear()")
    # The list of folders leads to each, and the first page to their states.
    browser.open(library / "tapedeck/index.html")
    browser.click(next(link for link in browser.all(".overview a")
                       if link.get_attribute("href").endswith("troubled/index.html#failed")))
    browser.until(lambda: len(browser.all(".row")) == len(failed), "the failed of the folder")
    browser.click(next(link for link in browser.all("nav a") if "dawn walk" in link.text))
    browser.until(lambda: len(browser.all(".row")) == 1, "the other folder")
    return f"{len(failed)} of {len(given)} failed"


def shows_hostile_names_as_text(library, address):
    place = library / "hostile"
    place.mkdir()
    source = library / "formats/tones_mono_pcmu8_8000hz.wav"
    for name in HOSTILE:
        shutil.copy(source, os.path.join(bytes(place), name))
    tapedeck("run", library, "--quiet")
    page = library / "tapedeck/hostile/index.html"
    given = rows(page)
    assert len(given) == len(HOSTILE)
    for way in (page, address + "tapedeck/hostile/index.html"):
        browser.open(way)
        browser.until(browser.drawn, "a waveform")
        assert browser.ask("return window.hacked") is None
        assert not browser.all(".row img, .row script")
        for row in given:
            error = browser.driver.execute_async_script("""
                const [file, done] = arguments, audio = document.createElement("audio");
                audio.onloadeddata = () => done(null);
                audio.onerror = () => done(audio.error.message);
                audio.src = file;
            """, row["file"])
            assert error is None, (row["name"], error)
    assert set(browser.texts(".row .name")) <= {row["name"] for row in given}
    assert not any("\u202e" in row["name"] or "\n" in row["name"] for row in given)
    assert browser.ask("return violations") == [], browser.ask("return violations")
    return f"{len(HOSTILE)} names"


def shows_what_recordings_say_of_themselves(library, address):
    source = library / "hostile" / os.fsdecode(HOSTILE[-2])
    texts = {"INAM": HOSTILE[0].decode(), "IART": "дождь", "ICMT": "a\u202eb " * 300,
             "ICRD": "2026-05-01"}
    listed = b"INFO"
    for name, text in texts.items():
        data = text.encode() + b"\0"
        listed += name.encode() + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)
    sound = source.read_bytes() + b"LIST" + struct.pack("<I", len(listed)) + listed
    source.write_bytes(sound[:4] + struct.pack("<I", len(sound) - 8) + sound[8:])
    tapedeck("run", library, "--quiet")
    for way in (library / "tapedeck/hostile/index.html", address + "tapedeck/hostile/index.html"):
        browser.open(way)
        browser.one("input").send_keys("ONERROR=window")
        browser.until(lambda: len(browser.all(".row")) == 2, "one by its name, one by its title")
        browser.ask("const i = document.querySelector('input'); i.value = 'дождь';"
                    "i.dispatchEvent(new Event('input'))")
        browser.until(lambda: len(browser.all(".row")) == 1, "one by its artist")
        browser.click(browser.one(".row .name"))
        facts = browser.until(lambda: browser.texts(".facts div"), "facts")
        assert f"Title\n{HOSTILE[0].decode()}" in facts and "artist\nдождь" in facts, facts
        assert "Recorded\n2026-05-01" in facts, facts
        assert browser.ask("return window.hacked") is None and not browser.all(".row img")
        wide = browser.ask("return document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, wide
    return f"{len(texts)} tags"


def its_policy_forbids_all_else(library, address):
    foreign = served.serve(str(library))
    for way in (library / "tapedeck/memos/index.html", address + "tapedeck/memos/index.html"):
        browser.open(way)
        asked = len(served.Handler.requests)
        browser.ask("""
            const add = (tag, given) => document.body.append(
                Object.assign(document.createElement(tag), given));
            add("script", {textContent: "window.hacked = 1"});
            add("script", {src: arguments[0] + "tapedeck/report.js"});
            add("img", {src: arguments[0] + "a.png"});
            add("iframe", {src: arguments[0]});
            add("form", {action: arguments[0], method: "get"});
            document.forms[0].submit();
            fetch(arguments[0]).catch(() => {});
            document.body.setAttribute("onclick", "window.hacked = 2");
            document.body.click();
        """, foreign)
        time.sleep(0.5)
        assert browser.ask("return window.hacked") is None
        mine = [path for path in served.Handler.requests[asked:] if "a.png" in path]
        assert not mine, mine
        kinds = set(browser.ask("return violations"))
        assert {"script-src-elem", "img-src", "frame-src", "form-action", "connect-src",
                "script-src-attr"} <= kinds, kinds
    browser.errors()
    return "six kinds"


def says_what_cannot_be_played(library, address):
    gone = library / "memos/memo_dc_offset_mono_pcm16_8000hz.wav"
    kept = gone.read_bytes()
    gone.unlink()
    browser.open(library / "tapedeck/memos/index.html")
    browser.until(browser.drawn, "a waveform")
    browser.click(browser.one(".row .wave"))
    text = browser.until(lambda: next(iter(browser.texts(".problem")), None), "a sentence")
    assert "the file is gone" in text, text
    # Over http, when only the output is shown.
    alone = served.serve(str(library / "tapedeck"))
    browser.open(alone + "memos/index.html")
    browser.until(browser.drawn, "a waveform")
    browser.click(browser.one(".row .wave"))
    text = browser.until(lambda: next(iter(browser.texts(".problem")), None), "a sentence")
    assert "outside of what this server shows" in text, text
    # Its copy is there, in the row that the sentence has opened.
    browser.click(browser.all(".switch button")[1])
    browser.click(browser.one(".row .play"))
    browser.until(lambda: browser.sound()["time"] > 0, "the copy")
    # The next run says that it is gone.
    tapedeck("run", library, "--quiet")
    assert rows(library / "tapedeck/memos/index.html")[0]["state"] == "missing"
    browser.open(library / "tapedeck/memos/index.html")
    assert "the recording is gone" in browser.texts(".note")[0]
    gone.write_bytes(kept)
    tapedeck("run", library, "--quiet")
    # A format that no browser plays, of which nothing is cut.
    browser.open(library / "tapedeck/formats/index.html")
    browser.until(browser.drawn, "a waveform")
    name = next(row["name"] for row in rows(library / "tapedeck/formats/index.html")
                if not row["plays"] and not row.get("copyPlays"))
    browser.click(browser.row(name).find_element("css selector", ".play"))
    text = browser.until(lambda: next(iter(browser.texts(".problem")), None), "a sentence")
    assert "No browser plays this format" in text, text
    browser.errors()
    return "gone, outside, not played"


def stays_quick_with_10_000_recordings(_, __):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "many"
        fill(place)
        tapedeck("run", place, "--quiet", "--report")
        page = place / "tapedeck/index.html"
        browser.command("Performance.enable")
        start = time.monotonic()
        browser.open(page)
        browser.until(browser.drawn, "a waveform")
        first = time.monotonic() - start
        longest = browser.driver.execute_async_script("""
            const done = arguments[0], end = document.body.scrollHeight, steps = 60;
            let step = 0, last = performance.now(), worst = 0;
            requestAnimationFrame(function go(now) {
                worst = Math.max(worst, now - last);
                last = now;
                if (step++ < steps) { scrollTo(0, end * step / steps); requestAnimationFrame(go); }
                else done(worst);
            });
        """)
        last = browser.until(lambda: "09999.wav" in browser.texts(".row .name"), "the last row")
        browser.until(browser.drawn, "a waveform at the end")
        assert last and first < 5 and longest < 300, (first, longest)
        drawn = len(browser.all(".row"))
        assert drawn < 40, drawn
        size = sum(file.stat().st_size for file in place.glob("tapedeck/report*")) / 1e6
        return (f"first drawn after {first:.2f} s, longest frame while scrolling"
                f" {longest:.0f} ms, {drawn} rows at a time, {size:.1f} MB")


def is_accessible(library, _):
    if AXE is None:
        return "not tried: no axe-core"
    checks = 0
    for dark in (False, True):
        with Browser(dark=dark) as other:
            for page in ("", "troubled/", "interviews/"):
                other.open(library / "tapedeck" / page / "index.html")
                if page:
                    other.until(other.drawn, "a waveform")
                    other.click(other.one(".row .name"))
                found = other.driver.execute_async_script(
                    AXE + ";axe.run().then(arguments[0]);")
                wrong = [(item["id"], [node["html"][:200] for node in item["nodes"][:3]])
                         for item in found["violations"]]
                assert not wrong, wrong
                checks += len(found["passes"])
    return f"{checks} checks of axe-core"


def photographs(library, _):
    for name, page, width, dark, opens in (
            ("index", "index.html", 1200, False, False),
            ("folder", "troubled/index.html", 1200, False, False),
            ("open", "interviews/index.html", 1200, False, True),
            ("dark", "memos/index.html", 1200, True, True),
            ("telephone", "memos/index.html", 390, False, False)):
        with Browser(width, dark=dark) as other:
            other.open(library / "tapedeck" / page)
            if page != "index.html":
                other.until(other.drawn, "a waveform")
            if opens:
                other.click(other.one(".row .name"))
                other.click(other.one(".row .wave"), share=0.6)
                other.until(lambda: other.sound()["time"] > 0, "sound")
            wide = other.ask("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} scrolls sideways by {wide} pixels"
            other.driver.save_screenshot(str(SHOTS / f"{name}.png"))
    return "five pictures"


TESTS = [
    plays_everything_that_it_says_it_plays, seeks_and_plays_by_clicks,
    switches_to_the_copy_at_the_same_place, draws_spectrogram_floor_and_score_and_zooms, goes_about_by_keyboard, filters_sorts_and_links,
    photographs, is_accessible, shows_hostile_names_as_text,
    shows_what_recordings_say_of_themselves, its_policy_forbids_all_else,
    says_what_cannot_be_played, stays_quick_with_10_000_recordings,
]

SHOTS.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    library = pathlib.Path(folder) / "recordings"
    shutil.copytree(CORPUS, library, ignore=shutil.ignore_patterns("*.py", "*.md"))
    tapedeck("run", library, "--quiet")
    tapedeck("report", library)
    address = served.serve(str(library))
    for test in TESTS:
        attempt(test, library, address)
sys.exit(status())
