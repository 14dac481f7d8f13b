"""What files are held to: the configuration that stands above each, and the findings known of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rigview.check import baseline, config
from rigview.check.baseline import Baseline
from rigview.check.config import Config, ConfigError
from rigview.check.report import FileReport, Outcome, Unchecked
from rigview.check.rule import PROFILES, Profile
from rigview.cli.choices import known_profile
from rigview.cli.output import deliver
from rigview.cli.status import UsageError

# In place of a configuration's name: none shall be looked for.
NO_CONFIG = Path("none")


class Configs:
    """The configuration of each file; every one is found and read once."""

    def __init__(self, named: Path | None) -> None:
        self._named = named
        self._nearest: dict[Path, Path | None] = {}
        self._read: dict[Path, Config] = {}

    def of(self, path: Path) -> Config:
        """Return what the nearest configuration above a file decides, else the one above here."""
        place = self._place(path)
        if place is None:
            return Config()
        if place not in self._read:
            try:
                self._read[place] = config.read(place)
            except ConfigError as error:
                raise UsageError(str(error)) from None
        return self._read[place]

    def _place(self, path: Path) -> Path | None:
        if self._named is not None:
            return None if self._named == NO_CONFIG else self._named
        for folder in (path.parent, Path.cwd()):
            if folder not in self._nearest:
                self._nearest[folder] = config.find(folder)
            if self._nearest[folder] is not None:
                break
        return self._nearest[folder]


def known(places: Sequence[Path | None]) -> dict[Path, Baseline]:
    """Return the baselines of some files, each read once.

    Raises
    ------
    UsageError
        If there is none at a place.
    """
    return {place: _existing(place) for place in places if place is not None}


def profile_of(named: str | None, config: Config) -> Profile:
    """Return what files are held to: the profile of the command, else of the configuration."""
    return config.applied(PROFILES[known_profile(named or config.profile or "gltf")])


def known_taken_out(
    outcome: Outcome, places: Sequence[Path | None], baselines: Mapping[Path, Baseline]
) -> tuple[Outcome, dict[Path, int]]:
    """Return an outcome without the findings that baselines list.

    Parameters
    ----------
    places
        Per file its baseline, or None.

    Returns
    -------
    The outcome, and per baseline how many of its findings are gone.
    """
    gone = dict.fromkeys(baselines, 0)
    files: list[FileReport | Unchecked] = []
    for file, place in zip(outcome.files, places, strict=True):
        if place is None or isinstance(file, Unchecked):
            files.append(file)
            continue
        new = baselines[place].split(file)
        gone[place] += baselines[place].gone(new)
        files.append(new)
    return Outcome(tuple(files)), gone


def _existing(place: Path) -> Baseline:
    if not place.exists():
        raise UsageError(f"{place}: there is no such baseline; --write-baseline makes one")
    return baseline.read(place)


def written(outcome: Outcome, places: Sequence[Path | None]) -> list[Path]:
    """List what was found in the baselines, new or there already, and return those."""
    reports: dict[Path, list[FileReport]] = {}
    for file, place in zip(outcome.files, places, strict=True):
        if place is not None and isinstance(file, FileReport):
            reports.setdefault(place, []).append(file)
    for place, found in reports.items():
        old = baseline.read(place) if place.exists() else Baseline(place.parent, {})
        deliver(old.updated(found).text(), place)
    return list(reports)
