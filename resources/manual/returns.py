"""Let griffe read sections of what is returned as this code writes them: sentences without a type."""

import re

import griffe

_SECTION = re.compile(r"(?m)^Returns\n-+\n((?:.+\n?)+)")


class PlainReturns(griffe.Extension):
    """Puts the annotation of a function above the sentences that say what it returns."""

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        """Rewrite the docstring of a function."""
        if func.docstring is None:
            return

        def typed(found: re.Match[str]) -> str:
            lines = "\n".join(f"    {line}" for line in found[1].splitlines())
            return f"Returns\n-------\n{func.returns}\n{lines}\n"

        func.docstring.value = _SECTION.sub(typed, func.docstring.value)
