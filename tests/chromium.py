"""A headless Chromium, spoken to through a pipe by the DevTools protocol; no package is wanted for it."""

import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# Seconds until an answer counts as none: software rendering on a busy machine takes its time.
PATIENCE = 120.0


def chromium() -> str | None:
    """Return where Chromium is."""
    return next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


class PageError(AssertionError):
    """A script of the page, or of a test, that raised."""


class Browser:
    """One browser with one page.

    Attributes
    ----------
    events
        All that the browser has told: (method, parameters).
    """

    def __init__(self, width: int = 1400, height: int = 900) -> None:
        self._profile = tempfile.mkdtemp(prefix="chromium-")
        # The browser's ends are numbered from 10, so that giving it them as 3 and 4 closes neither.
        low_inward, self._write = os.pipe()
        self._read, low_outward = os.pipe()
        inward, outward = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (low_inward, low_outward))
        os.close(low_inward)
        os.close(low_outward)
        program = chromium()
        assert program is not None, "no Chromium"
        self._process = subprocess.Popen(
            [
                "bash", "-c", f'exec "$@" 3<&{inward} 4>&{outward} {inward}<&- {outward}>&-', "chromium",
                program, *FLAGS, f"--user-data-dir={self._profile}", "about:blank",
            ],
            pass_fds=(inward, outward),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(inward)
        os.close(outward)
        self._waiting = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[tuple[str, dict[str, Any]]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and delete its profile."""
        self._session = None
        with contextlib.suppress(OSError, EOFError):
            self.call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask the browser and return its answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self.events.append((answer["method"], answer.get("params", {})))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            more = os.read(self._read, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self._waiting += more
        first, self._waiting = self._waiting.split(b"\0", 1)
        result: dict[str, Any] = json.loads(first)
        return result

    def resize(self, width: int, height: int, *, touch: bool = False) -> None:
        """Give the page another size in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def prefer(self, scheme: str) -> None:
        """Let the reader's system be "dark" or "light"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def open(self, page: Path) -> None:
        """Open a file and wait until it is loaded."""
        before = len(self.events)
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.wait(lambda: any(name == "Page.loadEventFired" for name, _ in self.events[before:]))

    def wait(self, done: Callable[[], object]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                raise PageError(f"it did not happen within {PATIENCE:.0f} s: {self.messages}")
            time.sleep(0.02)
            self.call("Runtime.evaluate", expression="0")

    def run(self, script: str) -> Any:
        """Return the value of an expression, awaited."""
        answer = self.call(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        self.wait(lambda: self.run(script))

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press a key of the page; modifiers as the protocol counts them (Shift is 8)."""
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                text=text if kind == "keyDown" else "",
                modifiers=modifiers,
            )

    def click(self, x: float, y: float) -> None:
        """Click at a place in the page."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the left button."""
        for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind, x=x, y=y, button="left", buttons=1, clickCount=1,
            )  # fmt: skip

    def picture(self) -> bytes:
        """Return the page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    @property
    def messages(self) -> list[str]:
        """What the page has written to the console, errors and blocked things included."""
        self.call("Runtime.evaluate", expression="0")
        found = []
        for name, of in self.events:
            if name == "Runtime.consoleAPICalled":
                found.append(
                    " ".join(str(a.get("value", a.get("description"))) for a in of["args"])
                )
            elif name == "Runtime.exceptionThrown":
                details = of["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif name == "Log.entryAdded":
                found.append(of["entry"]["text"])
        return found

    @property
    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        self.call("Runtime.evaluate", expression="0")
        return [
            of["request"]["url"] for name, of in self.events if name == "Network.requestWillBeSent"
        ]
