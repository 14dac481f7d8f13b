"""The errors whose text is one sentence for people; every part of rigview derives its own from these."""


class RigviewError(Exception):
    """An error that rigview expects: its text says what is wrong and is fit to be shown."""


class UnknownName(RigviewError, KeyError):  # noqa: N818 - read as "raise UnknownName"
    """A name that means nothing: of a joint, a clip, a mesh, a rule, a profile or a method."""

    def __str__(self) -> str:
        # That of KeyError puts the sentence in quotes.
        return str(self.args[0]) if self.args else ""
