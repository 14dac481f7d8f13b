"""What a screen reader knows of a window of another process: its AT-SPI tree, read over a D-Bus of its own.

The interfaces are those of at-spi2-core, xml/Accessible.xml and xml/Action.xml; the numbers of states and
roles are in atspi/atspi-constants.h.
"""

import os
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import jeepney
from jeepney.io.blocking import open_dbus_connection

LAUNCHER = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
_ATSPI = "org.a11y.atspi"
_ENABLED, _FOCUSABLE, _SHOWING = 8, 11, 25


@contextmanager
def session_bus(folder):
    """Start a session bus that starts AT-SPI when it is asked for; yield the environment of programs on it.

    What it keeps is in the folder: no settings of the person who runs the tests are read or changed.
    """
    environment = {
        **os.environ,
        "GSETTINGS_BACKEND": "memory",
        "XDG_CACHE_HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
    }
    without_display = {k: v for k, v in environment.items() if k != "DISPLAY"}
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address"],
        # With a display, AT-SPI would leave its address there for windows of later tests.
        env=without_display,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = daemon.stdout.readline().strip()
        yield environment | {
            "DBUS_SESSION_BUS_ADDRESS": address,
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
    finally:
        daemon.terminate()
        daemon.communicate()


class Place(NamedTuple):
    """Where an object is: the name of its program on the bus, and its path there."""

    program: str
    path: str


@dataclass(frozen=True)
class Heard:
    """An object as it is when it is read, with those above it, the nearest last."""

    place: Place
    role: str
    name: str
    states: int
    above: tuple["Heard", ...]

    @property
    def shows(self):
        return bool(self.states >> _SHOWING & 1)

    @property
    def can_be_focused(self):
        return bool(self.states >> _FOCUSABLE & 1)

    @property
    def is_enabled(self):
        return bool(self.states >> _ENABLED & 1)

    def is_in(self, role, name):
        return any((one.role, one.name) == (role, name) for one in self.above)


class GoneError(Exception):
    """What was asked is no more."""


class ScreenReader:
    """Reads and presses what is on the accessibility bus."""

    def __init__(self, session):
        asks = jeepney.DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        with open_dbus_connection(session) as connection:
            message = jeepney.new_method_call(asks, "GetAddress")
            (address,) = connection.send_and_get_reply(message, timeout=10.0).body
        self.bus = open_dbus_connection(address)

    def _ask(self, place, interface, method, signature=None, body=()):
        address = jeepney.DBusAddress(place.path, place.program, interface)
        message = jeepney.new_method_call(address, method, signature, body)
        reply = self.bus.send_and_get_reply(message, timeout=10.0)
        if reply.header.message_type is jeepney.MessageType.error:
            raise GoneError(f"{method} of {place}: {reply.body}")
        return reply.body[0]

    def _property(self, place, name, part="Accessible"):
        properties = "org.freedesktop.DBus.Properties"
        return self._ask(place, properties, "Get", "ss", (f"{_ATSPI}.{part}", name))[1]

    def _children(self, place):
        return [Place(*c) for c in self._ask(place, f"{_ATSPI}.Accessible", "GetChildren")]

    def programs(self):
        """Return what has registered itself on the bus, by name."""
        desktop = Place(f"{_ATSPI}.Registry", f"/{_ATSPI.replace('.', '/')}/accessible/root")
        return {self._property(place, "Name"): place for place in self._children(desktop)}

    def _hear(self, place, above):
        low, high = self._ask(place, f"{_ATSPI}.Accessible", "GetState")
        return Heard(
            place,
            self._ask(place, f"{_ATSPI}.Accessible", "GetRoleName"),
            self._property(place, "Name"),
            low | high << 32,
            above,
        )

    def read(self, place, above=(), *, hidden=False):
        """Return everything below a place that shows, in the order of the tree; or what is hidden, too."""
        heard = []
        for child in self._children(place):
            # The window goes on while it is read.
            with suppress(GoneError):
                one = self._hear(child, above)
                if one.shows or hidden:
                    heard += [one, *self.read(child, (*above, one), hidden=hidden)]
        return heard

    def windows(self, program):
        """Return the names of the windows of a program."""
        return [self._property(child, "Name") for child in self._children(program)]

    def description(self, one):
        """Return what is said of an object beside its name."""
        return self._property(one.place, "Description")

    def value(self, one):
        """Return the number that a spin box or a slider holds."""
        return self._property(one.place, "CurrentValue", "Value")

    def press(self, one):
        """Do the first action of an object, as a screen reader does for a click."""
        names = self._ask(one.place, f"{_ATSPI}.Action", "GetActions")
        assert self._ask(one.place, f"{_ATSPI}.Action", "DoAction", "i", (0,)), names


def heard_in_time(read, seconds=30.0):
    """Return the first answer that is not empty."""
    end = time.monotonic() + seconds
    while not (answer := read()):
        assert time.monotonic() < end, "it never came to be so"
        time.sleep(0.2)
    return answer
