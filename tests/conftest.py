"""What all tests share: where the corpus is, strict OpenGL, and a window system or none."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# Two processes share two cores: threads of BLAS beside them only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Every OpenGL call is checked in tests. Must be set before OpenGL is first used.
os.environ.setdefault("RIGVIEW_GL_CHECK", "1")
# An error of a rule fails the test; users get a finding about the rule.
os.environ["RIGVIEW_RAISE_RULE_ERRORS"] = "1"
# Settings of the person who runs the tests are neither read nor changed.
os.environ["RIGVIEW_SETTINGS"] = ":memory:"
_HAS_DISPLAY = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
HAS_WINDOWS = _HAS_DISPLAY or shutil.which("Xvfb") is not None
if not HAS_WINDOWS:
    # Qt aborts the process where it finds no display; its offscreen platform does not.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# One process then holds window and headless contexts side by side (both EGL).
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")

REPOSITORY = Path(__file__).parents[1]
# Tests are no package (--import-mode=importlib): this is how they import tests/rigs.py.
sys.path.append(str(REPOSITORY / "tests"))
# The same examples in every run, and no verdict on how long one takes.
settings.register_profile("rigview", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("thorough", settings.get_profile("rigview"), max_examples=100)
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus"))


def pytest_addoption(parser):
    parser.addoption(
        "--thorough", action="store_true", help="run the tests marked thorough as well"
    )


def pytest_configure(config):
    is_thorough = config.getoption("thorough")
    settings.load_profile("thorough" if is_thorough else "rigview")
    if not is_thorough:
        from equal_files import share_rigs

        share_rigs()


def _is_left_to_thorough(item, seen):
    """Tell whether a case of a test runs with --thorough only: it does not say so of its first cases."""
    mark = item.get_closest_marker("thorough")
    if mark is None:
        return False
    test = item.nodeid.partition("[")[0]
    seen[test] = seen.get(test, 0) + 1
    return seen[test] > mark.kwargs.get("keep", 0)


def pytest_collection_modifyitems(config, items):
    if not config.getoption("thorough"):
        seen = {}
        left = [_is_left_to_thorough(item, seen) for item in items]
        config.hook.pytest_deselected(items=[i for i, out in zip(items, left, strict=True) if out])
        items[:] = [i for i, out in zip(items, left, strict=True) if not out]
    for item in items:
        if "corpus" in item.keywords and not CORPUS.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"no corpus at {CORPUS}: set RIGVIEW_CORPUS"))
        if "window" in item.keywords and not HAS_WINDOWS:
            item.add_marker(pytest.mark.skip(reason="no display, and Xvfb is not installed"))


@pytest.fixture(scope="session")
def corpus():
    """The folder of real rigs."""
    return CORPUS


@pytest.fixture
def own_rigs():
    """Let a test read files anew that other tests have read."""
    import equal_files

    with equal_files.own_rigs():
        yield


@pytest.fixture(scope="session")
def samples():
    """The folder of the project's own rigs."""
    return REPOSITORY / "samples"
