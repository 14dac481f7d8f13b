"""Contexts without a window: where there are none, and what is said of it."""

import pytest

from rigview.render import context
from rigview.render.gl import GLError


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_than_on_linux_it_says_so_and_names_no_package(platform):
    with pytest.raises(GLError, match="on Linux only: open the file in the window") as told:
        context._library(platform)
    assert "Debian" not in str(told.value)


def test_without_the_library_its_package_is_named(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(context.ctypes, "CDLL", missing)
    with pytest.raises(GLError, match="Debian: libegl1"):
        context._library("linux")
