"""The manual: it is built without a broken link, and names what there is."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import rigview
from rigview.check.catalogue import RULES
from rigview.check.rule_words import anchor
from rigview.io import FORMATS
from rigview.io.amendable import PARTS

REPOSITORY = Path(__file__).parents[2]
MANUAL = REPOSITORY / "resources" / "manual"
NEEDED = ("mkdocs", "material", "mkdocstrings_handlers")
HERE = all(find_spec(name) for name in NEEDED)


class Links(HTMLParser):
    """What a page refers to, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = set(), {""}
        self.feed(text)

    def handle_starttag(self, _tag, attributes):
        stated = dict(attributes)
        self.targets |= {stated[name] for name in ("href", "src") if stated.get(name)}
        self.anchors.add(stated.get("id", ""))


@pytest.mark.skipif(not HERE, reason="pip install 'rigview[manual]' brings what builds the manual")
def test_the_page_of_formats_names_parts_and_rules_that_there_are():
    spec = spec_from_file_location("hooks", MANUAL / "hooks.py")
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    assert set(hooks.CHANGED_BY) <= set(PARTS)
    assert {rule for rules in hooks.CHANGED_BY.values() for rule in rules} <= {r.id for r in RULES}


@pytest.mark.skipif(not HERE, reason="pip install 'rigview[manual]' brings what builds the manual")
def test_the_manual_is_built_and_no_link_is_broken(tmp_path):
    path = os.pathsep.join((str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])))
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", tmp_path / "site"],
        cwd=MANUAL,
        env=os.environ | {"PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "site").glob("*.html")}
    read = {name: Links(text) for name, text in pages.items() if name != "404.html"}
    for name, page in read.items():
        for target in page.targets:
            link = urlsplit(target)
            if link.scheme or link.netloc:
                continue
            assert (tmp_path / "site" / (unquote(link.path) or name)).exists(), (name, target)
            if link.path in ("", *read):
                anchors = read[link.path or name].anchors
                assert unquote(link.fragment) in anchors, (name, target)
    for rule in RULES:
        assert anchor(rule) in read["rules.html"].anchors
    for row in FORMATS:
        assert all(suffix in pages["formats.html"] for suffix in row.suffixes)
    for name in rigview.__all__:
        if name not in ("METHODS", "Subject"):
            module = rigview._PUBLIC[name].replace("rigview.check.rule", "rigview.check")
            assert re.search(rf'id="{module}[\w.]*\.{name}"', pages["library.html"]), name
    # Sentences that griffe takes for a type are shown with their marks.
    assert "``" not in pages["library.html"]
    words = re.sub(r"<[^>]+>", "", pages["recipes.html"])
    assert words.count("import rigview") == len(list((MANUAL / "recipes").glob("*.py")))


def test_the_pages_name_files_that_are_there():
    text = "".join(path.read_text(encoding="utf-8") for path in (MANUAL / "pages").glob("*.md"))
    named = set(re.findall(r"`((?:app|cli|core|check|io|render|ui|shaders)/[\w./]+)`", text))
    assert len(named) > 30
    missing = [n for n in named if not any((REPOSITORY / p / n).exists() for p in ("rigview", ""))]
    assert not missing


def test_the_glossary_explains_each_term_once_in_order():
    text = (MANUAL / "pages" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^(\w[^\n]*)\n: ", text, re.MULTILINE)
    assert len(terms) > 30
    assert terms == sorted(set(terms), key=str.lower)


def test_the_recipes_page_shows_every_recipe():
    text = (MANUAL / "pages" / "recipes.md").read_text(encoding="utf-8")
    shown = re.findall(r'^--8<-- "(\w+\.py)"$', text, re.MULTILINE)
    assert sorted(shown) == sorted(path.name for path in (MANUAL / "recipes").glob("*.py"))
