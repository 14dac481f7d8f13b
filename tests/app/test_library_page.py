"""The library page, in a real browser."""

import shutil

import pytest
from chromium import Browser, chromium

from rigview.cli import main


@pytest.mark.gl
@pytest.mark.skipif(chromium() is None, reason="it opens Chromium")
def test_the_index_has_failures_first_filters_and_knows_the_run_before(samples, tmp_path):
    rigs, out = tmp_path / "rigs", tmp_path / "pages"
    (rigs / "props").mkdir(parents=True)
    out.mkdir()
    shutil.copyfile(samples / "arm.glb", rigs / "<i>sound.glb")
    shutil.copyfile(samples / "broken/WGT-SUM.glb", rigs / "props" / "broken.glb")
    check = ["check", str(rigs), "--format", "html", "-o", str(out), "--select", "WGT-SUM,WGT-ZERO"]
    assert main(check) == 1
    shutil.copyfile(samples / "broken/WGT-ZERO.glb", rigs / "props" / "broken.glb")
    assert main(check) == 1
    with Browser() as browser:
        browser.open(out / "index.html")
        names = "[...document.querySelectorAll('tbody tr')].filter(r => !r.hidden).map(r => r.innerText)"
        first, second = browser.run(names)
        assert "broken.glb" in first
        assert "new WGT-ZERO, gone WGT-SUM" in first
        assert "<i>sound.glb" in second
        for field, value in (("search", "BROKEN"), ("rule", "WGT-ZERO"), ("severity", "error")):
            put = f"{field}.value = '{value}'; {field}.dispatchEvent(new Event('input'));"
            (row,) = browser.run(f"(() => {{ {put} return {names}; }})()")
            assert "broken.glb" in row
            browser.run(f"(() => {{ {field}.value = ''; }})()")
        browser.open(out / browser.run("document.querySelector('tbody a').getAttribute('href')"))
        loaded = "[...document.images].every(i => i.complete && i.naturalWidth > 0)"
        assert browser.run(f"document.images.length > 0 && {loaded}")
