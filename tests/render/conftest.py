"""An OpenGL context without a window, one per module of tests."""

import pytest

from rigview.render.context import headless


@pytest.fixture(scope="module")
def gl():
    """A current context; what is drawn goes into framebuffers of the test's own."""
    with headless() as context:
        yield context
