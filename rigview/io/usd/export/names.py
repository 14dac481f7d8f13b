"""Names as USD allows them: letters of any script, digits and underscores, once where it has to be."""


class PrimNames:
    """The names given so far."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    @staticmethod
    def valid(name: str) -> str:
        """Return a name with underscores for all that is not allowed."""
        found = "".join(c if f"_{c}".isidentifier() else "_" for c in name)
        return found if found.isidentifier() else f"_{found}"

    @staticmethod
    def free(name: str, taken: set[str]) -> str:
        """Return a name that is not taken yet, which then is."""
        found, number = name, 1
        while found in taken:
            number += 1
            found = f"{name}_{number}"
        taken.add(found)
        return found

    def unique(self, name: str) -> str:
        """Return a valid name that was not given before."""
        return self.free(self.valid(name), self._taken)
