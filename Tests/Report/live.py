"""Looks at pages that are served while recordings land, in Chromium.

usage: live.py TAPEDECK CORPUS SCREENSHOTS
"""
import os
import pathlib
import shutil
import sys
import tempfile
import time

from browser import Browser
from pages import Pages, attempt, fill, status, tapedeck

CORPUS, SHOTS = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SOURCE = CORPUS / "interviews/interview_mono_pcm16_44100hz.wav"
# When rows with names, and with badges, were there for the first time.
WATCH = """
window.seen = {};
new MutationObserver(() => {
  for (const row of document.querySelectorAll(".row")) {
    const name = row.querySelector(".name").title;
    for (const text of ["", ...[...row.querySelectorAll(".badge")].map(one => one.textContent)])
      seen[name + "|" + text] ??= Date.now() / 1000;
    if (row.querySelector(".time").textContent) seen[name + "|done"] ??= Date.now() / 1000;
  }
}).observe(document.body, { subtree: true, childList: true, characterData: true });
"""


def land(folder, name, source=SOURCE):
    """Moves a recording in at once, and returns when."""
    other = folder.parent / ("outside-" + name)
    shutil.copy(source, other)
    now = time.time()
    os.rename(other, folder / name)
    return now


def seen(browser, name, text=""):
    return browser.ask("return window.seen[arguments[0]]", f"{name}|{text}")


def shows_what_lands(library, pages, browser):
    """A recording that is moved in, one that is written slowly, one that fails, one that goes."""
    times = []
    for number in range(5):
        name = f"landed{number}.wav"
        landed = land(library, name)
        browser.until(lambda: seen(browser, name, "done"), f"{name} as done")
        times.append(seen(browser, name) - landed)
    assert max(times) < 1, times
    with open(library / "slow.wav", "wb") as file:
        begun = time.time()
        text = SOURCE.read_bytes()
        file.write(text[:200_000])
        file.flush()
        browser.until(lambda: seen(browser, "slow.wav"), "one that is written")
        waiting = seen(browser, "slow.wav") - begun
        browser.until(lambda: seen(browser, "slow.wav", "waiting"), "that it is waited for")
        assert not seen(browser, "slow.wav", "done")
        file.write(text[200_000:])
    browser.until(lambda: seen(browser, "slow.wav", "done"), "the end of it")
    assert waiting < 1, waiting
    (library.parent / "broken").write_text("not sound at all\n" * 50)
    os.rename(library.parent / "broken", library / "broken.wav")
    browser.until(lambda: seen(browser, "broken.wav", "failed"), "a failure")
    assert "failed" in browser.one(".line").text, browser.one(".line").text
    (library / "landed0.wav").unlink()
    browser.until(lambda: seen(browser, "landed0.wav", "gone"), "that it is gone")
    assert browser.texts(".row .name")[:3] == ["broken.wav", "landed0.wav", "landed1.wav"]
    browser.driver.save_screenshot(str(SHOTS / "live.png"))
    return f"after {', '.join(f'{t:.2f}' for t in times)} s; one that is written {waiting:.2f} s"


def goes_on_playing_while_rows_change(library, pages, browser):
    browser.click(browser.row("landed3.wav").find_element("css selector", ".name"))
    browser.click(browser.row("landed3.wav").find_element("css selector", ".wave"), share=0.1)
    sound = browser.until(
        lambda: (s := browser.sound())["time"] > 0 and not s["paused"] and s, "sound")
    browser.until(lambda: browser.ask(
        "const p = document.querySelector('.open .picture'); return !p.hidden"), "a spectrogram")
    count = int(browser.one(".shown").text.split()[0])
    land(library, "a_before.wav")
    land(library, "z_behind.wav")
    browser.until(lambda: browser.one(".shown").text == f"{count + 2} recordings", "two more")
    now = browser.sound()
    assert now["time"] > sound["time"] and not now["paused"], now
    opened = browser.one(".row.open .name").get_attribute("title")
    assert opened == "landed3.wav", opened
    assert browser.ask("return document.activeElement.closest('.row')?.querySelector('.name').title") \
        == "landed3.wav"
    browser.press("space")
    browser.until(lambda: browser.sound()["paused"], "a pause")
    browser.press("escape")
    return f"at {now['time']:.1f} s"


def a_hidden_page_closes_its_stream(library, pages, browser):
    page = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    other = browser.driver.current_window_handle
    land(library, "hidden.wav")
    time.sleep(1.5)
    browser.driver.switch_to.window(page)
    was = browser.ask("return window.hides")
    assert was and was[-1]["open"] == 0, was
    browser.until(lambda: seen(browser, "hidden.wav", "done"), "what landed meanwhile")
    browser.driver.switch_to.window(other)
    browser.driver.close()
    browser.driver.switch_to.window(page)
    return "and shows what landed meanwhile when it is seen again"


def says_that_the_server_is_gone_and_comes_back(library, pages, browser):
    port = pages.port
    pages.__exit__()
    browser.until(lambda: "does not answer" in browser.one(".line").text, "that it is gone")
    with Pages("watch", library, "--json", "--serve", f"127.0.0.1:{port}"):
        land(library, "again.wav")
        browser.until(lambda: seen(browser, "again.wav", "done"), "what landed after it")
    browser.errors()
    return "and shows what landed after it"


def plays_what_no_browser_plays(library, pages, browser):
    """Every recording of the corpus that has sound, as it is or as WAV."""
    count = converted = 0
    browser.open("about:blank")
    browser.errors()
    for folder in ("calls", "field", "formats", "interviews", "memos"):
        browser.open(pages.address + f"output/{folder}/")
        browser.until(browser.drawn, "a waveform")
        rows = browser.ask("return fetch('report-rows.js').then(a => a.text()).then("
                           "text => JSON.parse(text.slice(14, -3)))")
        for row in rows:
            if row["state"] != "done":
                continue
            length = browser.driver.execute_async_script("""
                const [file, done] = arguments, audio = document.createElement("audio");
                audio.onloadedmetadata = () => { audio.currentTime = audio.duration * 0.7; };
                audio.onseeked = () => done(audio.duration);
                audio.onerror = () => done("error " + audio.error.message);
                audio.src = file;
            """, row.get("sound", row["file"]))
            assert isinstance(length, (int, float)), (row["name"], length)
            if row["name"] != "two_in_one.opus":
                assert abs(length - row["seconds"]) < 0.1, (row["name"], length, row["seconds"])
            count += 1
            converted += "sound" in row
    assert converted >= 5, converted
    name = next(row["name"] for row in rows if "m4a" in row["name"] or "wav" in row["name"])
    browser.click(browser.row(name).find_element("css selector", ".play"))
    browser.until(lambda: browser.sound()["time"] > 0, "sound")
    errors = browser.errors()
    assert not errors, errors
    return f"{count} recordings, {converted} of them as WAV"


def says_why_something_is_not_played(library, pages, browser):
    """A link out of the recordings; what only this browser cannot play is decoded for it."""
    browser.open(pages.address)
    browser.until(browser.drawn, "a waveform")
    browser.click(browser.row("linked.wav").find_element("css selector", ".play"))
    text = browser.until(lambda: next(iter(browser.texts(".problem")), None), "a sentence")
    assert "a link that leads out" in text, text
    browser.errors()
    browser.open(pages.address + "output/troubled/")
    browser.until(browser.drawn, "a waveform")
    # In the order of the page, for what is further down is drawn only when it is seen.
    browser.one("input").send_keys("scratched")
    browser.until(lambda: len(browser.all(".row")) == 1, "one recording")
    browser.click(browser.row("scratched.flac").find_element("css selector", ".play"))
    sound = browser.until(lambda: (s := browser.sound())["time"] > 0 and s, "sound")
    browser.errors()
    return f"{text} {sound['address'].rpartition('/')[2]} plays"


def stays_laid_out_when_resized(library, pages, browser):
    """No row covers another, whatever the width, with one open."""
    browser.open(pages.address + "output/interviews/")
    browser.until(browser.drawn, "a waveform")
    browser.click(browser.one(".row .name"))
    browser.until(lambda: browser.ask(
        "const p = document.querySelector('.open .picture'); return p && !p.hidden"), "details")
    for width in (1400, 900, 500, 1200):
        browser.driver.set_window_size(width, 850)
        gaps = browser.until(lambda: browser.ask("""
            const places = [...document.querySelectorAll(".row")]
                .map(row => row.getBoundingClientRect());
            const gaps = places.slice(1).map((place, index) => place.top - places[index].bottom);
            return gaps.every(gap => gap >= 4 && gap < 40) && gaps;
        """), f"rows that do not overlap at {width} pixels", 5)
    return f"gaps of {min(gaps):.0f} to {max(gaps):.0f} pixels"


def stays_quick_with_10_000_recordings(library, _, browser):
    place = library / "many"
    fill(place)
    tapedeck("run", place, "--quiet")
    with Pages("watch", place, "--json", "--serve", "127.0.0.1:0") as pages:
        start = time.monotonic()
        browser.open(pages.address)
        browser.until(browser.drawn, "a waveform")
        first = time.monotonic() - start
        browser.ask(WATCH)
        times = []
        for number in range(5):
            # A watch rests between two listings of a folder as large; that is not the page's time.
            time.sleep(1)
            name = f"00000-{number}.wav"
            landed = land(place, name, place / "00000.wav")
            browser.until(lambda: seen(browser, name, "done"), name)
            times.append(seen(browser, name) - landed)
        cpu = pages.cpu()
        time.sleep(10)
        cpu = (pages.cpu() - cpu) / 10
    assert first < 5 and max(times) < 1, (first, times)
    return (f"first drawn after {first:.2f} s, landed ones after"
            f" {', '.join(f'{t:.2f}' for t in times)} s, {cpu:.1%} of a core with an open page")


SHOTS.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    library = pathlib.Path(folder) / "recordings"
    library.mkdir()
    browser.command("Page.addScriptToEvaluateOnNewDocument", source="""{
        window.hides = [];
        const made = [];
        window.EventSource = class extends window.EventSource {
          constructor(...given) {
            super(...given);
            made.push(this);
          }
        };
        document.addEventListener("visibilitychange", () => setTimeout(() => {
          if (document.hidden)
            hides.push({ open: made.filter(one => one.readyState !== 2).length });
        }, 100));
    }""")
    pages = Pages("watch", library, "--json", "--serve", "127.0.0.1:0")
    browser.open(pages.address)
    browser.ask(WATCH)
    for test in (shows_what_lands, goes_on_playing_while_rows_change,
                 a_hidden_page_closes_its_stream, says_that_the_server_is_gone_and_comes_back):
        attempt(test, library, pages, browser)
    corpus = pathlib.Path(folder) / "corpus"
    shutil.copytree(CORPUS, corpus, ignore=shutil.ignore_patterns("*.py", "*.md"))
    (corpus / "linked.wav").symlink_to(SOURCE.resolve())
    shutil.copy(SOURCE, corpus / "near.wav")
    # Its pages are served by details that a report has written.
    tapedeck("run", corpus, "--quiet", "--report")
    with Pages("serve", corpus, "--address", "127.0.0.1:0") as pages:
        for test in (plays_what_no_browser_plays, says_why_something_is_not_played,
                     stays_laid_out_when_resized):
            attempt(test, corpus, pages, browser)
    attempt(stays_quick_with_10_000_recordings, pathlib.Path(folder), None, browser)
sys.exit(status())
