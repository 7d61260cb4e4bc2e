#!/usr/bin/env python3
"""A page in a real browser without a window, with keys and a mouse as a user has them. Also for pictures:

    browser.py PAGE.html PICTURE.png [KEY...]      the page after these keys

Chromium is spoken to by its debugging protocol over two pipes, so that no package is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 60


def find():
    return next((found for name in ["chromium", "chromium-browser", "google-chrome"] if (found := shutil.which(name))), None)


class Browser:
    """One page. Everything that it asks a network or a disk for is in `asked`."""

    def __init__(self, page, width=1280, height=800):
        self.folder, self.number, self.rest, self.asked = tempfile.TemporaryDirectory(ignore_cleanup_errors=True), 0, b"", []
        theirs_in, self.to = os.pipe()
        self.come, theirs_out = os.pipe()
        words = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(["sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", *words],
                                        pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.session = None
        target = next(t for t in self.do("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.do("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.do("Network.enable")
        self.do("Page.enable")
        self.do("Page.navigate", url=Path(page).resolve().as_uri())
        while self.value("document.readyState") != "complete":
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.do("Browser.close")
            self.process.wait(timeout=10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)
        self.folder.cleanup()

    def message(self, end):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.come], [], [], max(0, end - time.monotonic()))
            more = os.read(self.come, 1 << 16) if ready else b""
            if not more:
                raise TimeoutError("the browser says nothing")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def do(self, method, **parameters):
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            order["sessionId"] = self.session
        os.write(self.to, json.dumps(order).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self.message(end)
            if answer.get("method") == "Network.requestWillBeSent":
                self.asked.append(answer["params"]["request"]["url"])
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def value(self, expression):
        result = self.do("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, (expression, result)
        return result["result"].get("value")

    def key(self, name):
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
        self.do("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, text=text,
                windowsVirtualKeyCode={"Enter": 13, "Escape": 27}.get(name, 0))
        self.do("Input.dispatchKeyEvent", type="keyUp", key=name, code=name)

    def type(self, text):
        self.do("Input.insertText", text=text)

    def click(self, element):
        """In the middle of an element, as seen: what lies over it gets the click."""
        place = self.value(f"(e => {{ e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect(); "
                           f"return [r.left + r.width / 2, r.top + r.height / 2]; }})({element})")
        for kind in "mousePressed", "mouseReleased":
            self.do("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"]))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with Browser(sys.argv[1], 1100, 640) as b:
        for name in sys.argv[3:]:
            b.key(name)
        b.picture(sys.argv[2])


if __name__ == "__main__":
    main()
