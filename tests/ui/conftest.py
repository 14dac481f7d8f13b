"""A real window with hands that press its keys and buttons; their parts are in `hands`."""

import sys
from pathlib import Path

import pytest

# Tests are no package (--import-mode=importlib).
sys.path.append(str(Path(__file__).parent))


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents and "window" in item.fixturenames:
            item.add_marker(pytest.mark.window)


@pytest.fixture(scope="session")
def qapp():
    """The application as rigview makes it; pytest-qt's fixtures take this one."""
    from rigview.ui.app import make_application

    return make_application()


@pytest.fixture(scope="module")
def window(qapp):
    """A window on the screen, one per module of tests."""
    from hands import opened_window

    with opened_window() as result:
        yield result


@pytest.fixture
def hands(window):
    """Hands at the window, which nothing is left open, changed or hidden in by earlier tests."""
    from hands import Hands

    hands = Hands(window)
    hands.tidy()
    return hands


@pytest.fixture
def arm(hands, samples):
    """Hands at a window that shows the arm of the samples, checked, in its first pose."""
    hands.show(samples / "arm.glb")
    return hands


@pytest.fixture(scope="session")
def faulty_file(samples, tmp_path_factory):
    """A copy of the faulty arm in a folder of its own."""
    copy = tmp_path_factory.mktemp("rig") / "faulty.glb"
    copy.write_bytes((samples / "faulty_arm.glb").read_bytes())
    return copy


@pytest.fixture
def faulty(hands, faulty_file):
    """Hands at a window that shows a faulty arm."""
    hands.show(faulty_file)
    return hands


@pytest.fixture
def broken(hands, samples, tmp_path):
    """Opens a copy of the broken sample of a rule, and returns the hands."""

    def open_copy(rule):
        copy = tmp_path / f"{rule}.glb"
        copy.write_bytes((samples / "broken" / f"{rule}.glb").read_bytes())
        hands.open(copy)
        return hands

    return open_copy
