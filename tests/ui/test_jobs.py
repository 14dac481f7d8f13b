"""Long work side by side: opening a file does not wait for the work on the last one."""

import threading

import pytest
from hands import until

pytestmark = pytest.mark.window


def test_a_file_opens_while_other_work_takes_long(hands, samples):
    hands.show(samples / "box.glb")
    release = threading.Event()
    held = [
        hands.bench.jobs.run(f"long work {i}", lambda _progress: release.wait(60), lambda _: None)
        for i in range(4)
    ]
    try:
        hands.bench.open_path(samples / "chain.glb")
        until(lambda: hands.document.path == samples / "chain.glb")
        assert set(held) <= hands.bench.jobs.running
    finally:
        release.set()
    until(lambda: not set(held) & hands.bench.jobs.running)
