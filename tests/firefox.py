"""A Firefox on a display of its own, spoken to by Marionette over a socket; no package is wanted for it."""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

# Seconds until an answer counts as none: software rendering on a busy machine takes its time.
PATIENCE = 120.0
# No first-run pages, nothing asked of the network, WebGL also on a software renderer, any free port.
PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "webgl.force-enabled": True,
}


def firefox() -> str | None:
    """Return where Firefox is."""
    return next(filter(None, map(shutil.which, ("firefox", "firefox-esr"))), None)


class PageError(AssertionError):
    """A script of the page, or of a test, that raised."""


class Firefox:
    """One browser with one page. Headless it has no WebGL without a graphics card: it gets an X server."""

    def __init__(self) -> None:
        program, server = firefox(), shutil.which("xvfb-run")
        assert program is not None, "no Firefox"
        assert server is not None, "no xvfb-run"
        self._profile = Path(tempfile.mkdtemp(prefix="firefox-"))
        lines = [
            f"user_pref({json.dumps(k)}, {json.dumps(value)});\n"
            for k, value in PREFERENCES.items()
        ]
        (self._profile / "user.js").write_text("".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [server, "-a", program, "--marionette", "--no-remote", "--profile", str(self._profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self._waiting = b""
        try:
            self._socket = socket.create_connection(("127.0.0.1", self._port()), PATIENCE)
            self._message()
            self.call("WebDriver:NewSession")
            self.call("WebDriver:SetTimeouts", script=int(1000 * PATIENCE))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _port(self) -> int:
        """Return the port that the browser writes into its profile when it listens."""
        file, end = self._profile / "MarionetteActivePort", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError, ValueError):
                return int(file.read_text(encoding="utf-8"))
            if self._process.poll() is not None:
                raise EOFError(f"Firefox ended with status {self._process.returncode}")
            time.sleep(0.05)
        raise TimeoutError(f"Firefox did not listen within {PATIENCE:.0f} s")

    def close(self) -> None:
        """End the browser and delete its profile."""
        if hasattr(self, "_socket"):
            with contextlib.suppress(OSError, EOFError, PageError):
                self.call("Marionette:Quit", flags=["eForceQuit"])
            self._socket.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, command: str, **parameters: object) -> Any:
        """Ask the browser and return its answer."""
        self._number += 1
        data = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, number, error, result = self._message()
        assert number == self._number
        if error is not None:
            raise PageError(f"{command}: {error['message']}")
        return result

    def _message(self) -> Any:
        """Return the next message: its length in bytes, a colon, JSON."""
        while b":" not in self._waiting:
            self._waiting += self._received()
        size, self._waiting = self._waiting.split(b":", 1)
        while len(self._waiting) < int(size):
            self._waiting += self._received()
        message, self._waiting = self._waiting[: int(size)], self._waiting[int(size) :]
        return json.loads(message)

    def _received(self) -> bytes:
        more = self._socket.recv(1 << 20)
        if not more:
            raise EOFError("the browser ended")
        return more

    def open(self, page: Path) -> None:
        """Open a file and wait until it is loaded."""
        self.call("WebDriver:Navigate", url=page.resolve().as_uri())

    def run(self, script: str) -> Any:
        """Return the value of an expression, awaited."""
        done = (
            f"const done = arguments[arguments.length - 1];"
            f"(async () => ({script}))().then((value) => done([value ?? null]), (e) => done(String(e)));"
        )
        answer = self.call("WebDriver:ExecuteAsyncScript", script=done, args=[], sandbox=None)
        value = answer["value"]
        if isinstance(value, str):
            raise PageError(value)
        return value[0]
