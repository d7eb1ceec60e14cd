"""A browser without a window, and what a user does in it."""
import pathlib
import time
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

KEYS = {"space": " ", "right": Keys.ARROW_RIGHT, "left": Keys.ARROW_LEFT,
        "down": Keys.ARROW_DOWN, "up": Keys.ARROW_UP, "enter": Keys.ENTER,
        "escape": Keys.ESCAPE, "tab": Keys.TAB}
# What a test asks the page about its only audio element, which is in no document.
SPY = """
window.sounds = [];
const Made = window.Audio;
window.Audio = function (...given) {
  const audio = new Made(...given);
  window.sounds.push(audio);
  return audio;
};
window.violations = [];
addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective));
"""


class Browser:
    def __init__(self, width=1200, height=850, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
                         "--disable-dev-shm-usage", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        if dark:
            self.command("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "dark"}])
        if width < 500:
            # Windows are not that narrow.
            self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                         deviceScaleFactor=2, mobile=True)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=SPY)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name, **given):
        return self.driver.execute_cdp_cmd(name, given)

    def open(self, address):
        """Opens a page; `address` may be a file."""
        if isinstance(address, pathlib.Path):
            address = "file://" + urllib.parse.quote(bytes(address))
        self.driver.get(address)

    def ask(self, script, *given):
        return self.driver.execute_script(script, *given)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def texts(self, selector):
        return [found.text for found in self.all(selector)]

    def until(self, holds, what, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"never: {what}")

    def click(self, element, share=None):
        """Clicks an element, in the middle or at a share of its width."""
        across = 0 if share is None else round((share - 0.5) * element.size["width"])
        ActionChains(self.driver).move_to_element_with_offset(element, across, 0).click().perform()

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(KEYS[key]).perform()

    def sound(self):
        """Time, whether it is paused, length, address and error of what is playing."""
        return self.ask("const a = sounds[0]; return {time: a.currentTime, paused: a.paused,"
                        " duration: a.duration, address: a.currentSrc, error: a.error?.code}")

    def row(self, name):
        """The element of a recording that is drawn."""
        for row in self.all(".row"):
            if row.find_element("css selector", ".name").get_attribute("title") == name:
                return row
        raise AssertionError(f"no row {name}")

    def drawn(self):
        """Whether the first row's waveform is drawn."""
        return self.ask("""
            const canvas = document.querySelector(".row canvas");
            if (!canvas?.width) return false;
            const data = canvas.getContext("2d")
                .getImageData(0, 0, canvas.width, canvas.height).data;
            return data.some(value => value);
        """)

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "favicon" not in entry["message"] and "getImageData" not in entry["message"]]
