"""Clips: named animations, whose channels give properties of nodes their curves."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, overload
from weakref import ref

import numpy as np

from rigview.core import memo
from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.numeric.lazy import Lazy
from rigview.core.sampler import Interpolation, Path, Sampler, evaluate, find_usable
from rigview.core.text import count


@dataclass(frozen=True, eq=False)
class Channel:
    """One property of one node and its curve; a channel without node moves nothing."""

    __repr__ = brief_repr

    node: int | None
    path: Path
    sampler: Sampler


class Active(NamedTuple):
    """A channel that moves something.

    Parameters
    ----------
    sampler
        The curve as the file states it.
    curve
        What of it can be played (`Sampler.usable`).
    """

    node: int
    path: Path
    sampler: Sampler
    curve: Sampler


class Deferred(Lazy[Sequence[Channel]], Sequence[Channel]):
    """Channels that are made when the first of them is asked for."""

    def __len__(self) -> int:
        return len(self.value)

    @overload
    def __getitem__(self, index: int) -> Channel: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Channel]: ...
    def __getitem__(self, index: int | slice) -> Channel | Sequence[Channel]:
        return self.value[index]

    def __iter__(self) -> Iterator[Channel]:
        return iter(self.value)


def _union(rows: Sequence[FloatArray]) -> FloatArray:
    """Return all numbers of some ascending rows, ascending, each once."""
    if len(rows) == 1:
        return rows[0]
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0)


class Marker(NamedTuple):
    """A named time of a clip, in seconds."""

    time: float
    name: str


@dataclass(frozen=True, eq=False)
class Clip:
    """A named animation.

    Parameters
    ----------
    markers
        Named times, ascending.
    """

    name: str
    channels: Sequence[Channel]
    markers: tuple[Marker, ...] = ()

    def __repr__(self) -> str:
        if not self.is_read:
            return f"Clip({self.name!r}, not read yet)"
        many = count(len(self.channels), "channel")
        return f"Clip({self.name!r}, {many}, {self.start:.3f} to {self.end:.3f} s)"

    def marker_at(self, time: float) -> Marker | None:
        """Return the marker nearest to a time; None without any."""
        return min(self.markers, key=lambda marker: abs(marker.time - time), default=None)

    @property
    def is_read(self) -> bool:
        """Whether its channels can be had without waiting."""
        return not isinstance(self.channels, Deferred) or self.channels.is_made

    def prepare(self) -> None:
        """Make at once what playing it needs, which else is made when it is asked for."""
        for made in (self.bundles, self.stated_times):
            len(made)

    def with_values(self, nodes: Collection[int], change: Callable[[Channel], Channel]) -> "Clip":
        """Return the clip with the channels of some nodes changed: other values, no other keys.

        They are made when they are asked for. Who only tries a change asks for none of them; what they
        move and when is known without.
        """

        def make() -> tuple[Channel, ...]:
            channels = list(self.channels)
            for node in nodes:
                for place in self.places.get(node, ()):
                    channels[place] = change(channels[place])
            return tuple(channels)

        clip = replace(self, channels=Deferred(make))
        memo.tell(
            clip,
            properties=self.properties,
            moves=self.moves,
            places=self.places,
            _keyed=self._keyed,
            key_times=self.key_times,
            _origin=(ref(self), frozenset(nodes)),
        )
        return clip

    def changed_since(self, other: "Clip") -> frozenset[int] | None:
        """Return the nodes of which the channels were changed to make this clip of another (`with_values`).

        None where it was not made of that, or by more than one step.
        """
        if self is other:
            return frozenset()
        origin, nodes = self._origin
        return nodes if origin is not None and origin() is other else None

    @cached_property
    def _origin(self) -> "tuple[ref[Clip] | None, frozenset[int]]":
        """What `with_values` made this clip of, and the nodes that it changed."""
        return None, frozenset()

    @cached_property
    def samplers(self) -> tuple[Sampler, ...]:
        """The curve of each channel; what is usable of all is found at once."""
        found = tuple(channel.sampler for channel in self.channels)
        find_usable(found)
        return found

    @cached_property
    def active(self) -> tuple[Active, ...]:
        """The channels that move something.

        Left out are channels without node or without any usable key, and every further channel of
        a property that already has one.
        """
        return tuple(self._playing.values())

    @cached_property
    def _playing(self) -> dict[tuple[int, Path], Active]:
        seen: dict[tuple[int, Path], Active] = {}
        for channel, sampler in zip(self.channels, self.samplers, strict=True):
            curve = sampler.usable
            if channel.node is not None and curve is not None:
                own = Active(channel.node, channel.path, sampler, curve)
                seen.setdefault((own.node, own.path), own)
        return seen

    @cached_property
    def properties(self) -> tuple[tuple[int, Path], ...]:
        """The node and the property that each active channel moves."""
        return tuple(self._playing)

    @cached_property
    def places(self) -> dict[int, tuple[int, ...]]:
        """Node → where its channels stand."""
        result: dict[int, list[int]] = {}
        for place, channel in enumerate(self.channels):
            if channel.node is not None:
                result.setdefault(channel.node, []).append(place)
        return {node: tuple(places) for node, places in result.items()}

    def of_node(self, node: int) -> tuple[Channel, ...]:
        """Return the channels of a node, in the file's order."""
        return tuple(self.channels[place] for place in self.places.get(node, ()))

    @cached_property
    def changes_anything(self) -> bool:
        """Whether any property has another value at one time than at another."""
        return any(own.curve.changes(rotation=own.path == "rotation") for own in self.active)

    @cached_property
    def moves(self) -> frozenset[int]:
        """The nodes whose transform it keys."""
        return frozenset(node for node, path in self.properties if path != "weights")

    def curve(self, node: int, path: Path) -> Sampler | None:
        """Return the usable curve of one property of one node, or None where it has no keys."""
        curves = self.samplers  # what is usable of all is found at once
        found = (
            curves[place].usable
            for place in self.places.get(node, ())
            if self.channels[place].path == path
        )
        return next((curve for curve in found if curve is not None), None)

    @cached_property
    def start(self) -> float:
        """The time of the first key in seconds; 0 without any key."""
        return float(min((times[0] for times in self._keyed), default=0.0))

    @cached_property
    def end(self) -> float:
        """The time of the last key in seconds; 0 without any key."""
        return float(max((times[-1] for times in self._keyed), default=0.0))

    @cached_property
    def _keyed(self) -> tuple[FloatArray, ...]:
        """The rows of key times of all active channels, each array once."""
        return tuple({id(own.curve.times): own.curve.times for own in self.active}.values())

    @cached_property
    def key_times(self) -> FloatArray:
        """``(n,)`` the times of all keys of all active channels, ascending, each once."""
        return _union(self._keyed)

    @cached_property
    def stated_times(self) -> FloatArray:
        """``(n,)`` the times of all keys of all active channels that the file itself states."""
        if all(own.curve.stated is None for own in self.active):
            return self.key_times
        return _union([own.curve.stated_times for own in self.active])

    @cached_property
    def bundles(self) -> tuple["Bundle", ...]:
        """The active channels bundled by property, interpolation and equal key times."""
        return bundled(self.active)


@dataclass(frozen=True, eq=False)
class Bundle:
    """Curves of one property with equal key times, evaluated in one go.

    A clip of a character has hundreds of channels but few different rows of key times; one call
    per row instead of one per channel is what lets a frame cost a millisecond.

    Parameters
    ----------
    values
        ``(n, m, c)``, with CUBICSPLINE ``(n, 3, m, c)``, for the m `nodes`.
    """

    __repr__ = brief_repr

    path: Path
    nodes: tuple[int, ...]
    times: FloatArray
    values: FloatArray
    interpolation: Interpolation

    @classmethod
    def of(cls, path: Path, members: Sequence[tuple[int, Sampler]]) -> "Bundle":
        """Stack the curves of several nodes."""
        curves = [curve for _, curve in members]
        first = curves[0].values
        # As stacking them on the last axis but one, but without looking at each by itself.
        rows = np.concatenate([curve.values for curve in curves], axis=-1)
        values = rows.reshape(*first.shape[:-1], len(curves), first.shape[-1])
        return cls(
            path, tuple(n for n, _ in members), curves[0].times, values, curves[0].interpolation
        )

    def at(self, times: FloatArray) -> FloatArray:
        """Return ``(…, m, c)``: the value of every node at every time ``(…)``."""
        rotation = self.path == "rotation"
        return evaluate(self.times, self.values, self.interpolation, times, rotation=rotation)


def bundled(channels: Iterable[Active]) -> tuple[Bundle, ...]:
    """Bundle channels that move something by path, interpolation, width and times."""
    groups: dict[tuple[Path, Interpolation, int, bytes], list[tuple[int, Sampler]]] = {}
    rows: dict[int, bytes] = {}
    for node, path, _, curve in channels:
        row = rows.get(id(curve.times))
        if row is None:
            row = rows[id(curve.times)] = curve.times.tobytes()
        key = (path, curve.interpolation, curve.values.shape[-1], row)
        groups.setdefault(key, []).append((node, curve))
    return tuple(Bundle.of(key[0], members) for key, members in groups.items())
