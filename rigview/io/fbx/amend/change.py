"""A change of a file: the rig that was read from it, the wanted one, and what to amend so far."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Amendments, Record, Typed
from rigview.io.fbx.amend.curves import Tracks
from rigview.io.fbx.amend.properties import PropertyEdits
from rigview.io.fbx.reader import FbxReading
from rigview.io.fbx.tree import Key, Node
from rigview.io.reading import SaveError, quoted

# Where a connection stands, its source, its destination, and the property where it is one.
Link = tuple[Node, Key, Key, str]


@dataclass(frozen=True)
class Resampled:
    """A curve that was written with new keys.

    Parameters
    ----------
    before, after
        How many keys it had and has.
    off
        How far it is off the wanted motion at most: of the rig's size, of a radian, of the scale.
    """

    clip: str
    node: str
    path: str
    before: int
    after: int
    off: float


@dataclass(eq=False)
class FbxChange:
    """One change of a file, from one rig to another.

    Parameters
    ----------
    edits
        Properties to be set, which become amendments at the end.
    node_keys
        Node of the new rig → its object, of those that the file did not have.
    geometric
        Node of the hierarchy → ``(4, 4)`` its new geometric transform, as `ours_from_geometry`.
    added
        Clips that the file does not have, which the new rig is without from then on.
    layers
        Number of such a clip, behind those of the file → the layer that holds its curves.
    """

    reading: FbxReading
    old: Rig
    new: Rig
    amendments: Amendments = field(default_factory=Amendments)
    edits: PropertyEdits = field(default_factory=PropertyEdits)
    node_keys: dict[int, Key] = field(default_factory=dict)
    geometric: dict[int, FloatArray] = field(default_factory=dict)
    resampled: list[Resampled] = field(default_factory=list)
    added: tuple[Clip, ...] = ()
    layers: dict[int, Key] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    @cached_property
    def tracks(self) -> Tracks:
        """The curves of all properties."""
        return Tracks(self.reading)

    @cached_property
    def size(self) -> float:
        """Metres that count as the rig's size: never 0."""
        return max(Deformer(self.new).size, 1e-6)

    @cached_property
    def rest_frames(self) -> FloatArray:
        """``(N, 4, 4)`` ``model_from_node`` of the new rig at rest."""
        return model_from_nodes(self.new, rest_pose(self.new))

    @cached_property
    def links(self) -> list[Link]:
        """All connections of the file."""
        block = self._block("Connections")
        found = ((node, node.link()) for node in block.children)
        return [(node, *link) for node, link in found if link is not None]

    @cached_property
    def _next_key(self) -> list[int]:
        """The next free number: above all others."""
        keys = [0]
        for node in self._block("Objects").children:
            identity = node.identity()
            if identity is not None and isinstance(identity[0], int):
                keys.append(identity[0])
        return [max(keys) + 1]

    def _block(self, name: str) -> Node:
        found = self.reading.root.child(name)
        if found is None:
            raise SaveError(f"the file has no {name}")
        return found

    def key_of(self, node: int) -> Key:
        """Return the object of a node.

        Raises
        ------
        SaveError
            If reading added the node.
        """
        if node in self.node_keys:
            return self.node_keys[node]
        number = self._numbers.get(node)
        if number is None:
            raise SaveError(
                f"{quoted(self.old.nodes.label(node))} is no node of the file: reading adds it where a "
                "scale is taken over in a way that shears"
            )
        return self.reading.hierarchy.keys[number]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {int(node): i for i, node in enumerate(self.reading.hierarchy.node_of)}

    def free_key(self) -> int:
        """Return a number that no object has yet."""
        self._next_key[0] += 1
        return self._next_key[0] - 1

    def add_object(self, record: Record) -> None:
        """Add an object, and count it."""
        self.amendments.add(self._block("Objects"), replace(record, is_block=True))
        self._counts[record.name] += 1

    def drop_object(self, key: Key) -> None:
        """Leave an object out with all its connections."""
        node = self.reading.objects.element(key).node
        self.amendments.drop(node)
        self._counts[node.name] -= 1
        for place, source, to, _ in self.links:
            if key in (source, to):
                self.amendments.drop(place)

    def connect(self, source: Key, to: Key, name: str = "") -> None:
        """Connect an object with another or with one of its properties, behind all other connections."""
        kind = b"OP" if name else b"OO"
        values: tuple[Typed, ...] = (("S", kind), ("L", source), ("L", to))
        values += (("S", name.encode()),) if name else ()
        self.amendments.add(self._block("Connections"), Record("C", values))

    def finish(self) -> Amendments:
        """Return all amendments, with what counts objects brought up to date."""
        self.edits.write(self.amendments)
        definitions = self.reading.root.child("Definitions")
        if definitions is None:
            return self.amendments
        types = {node.text(): node for node in definitions.all("ObjectType")}
        more = {kind: n for kind, n in self._counts.items() if n}
        for kind, count in more.items():
            if kind in types:
                self._count(types[kind], count)
            else:
                one = Record("Count", (("I", count),))
                self.amendments.add(
                    definitions, Record("ObjectType", (("S", kind.encode()),), (one,))
                )
        if more:
            self._count(definitions, sum(more.values()))
        return self.amendments

    def _count(self, holder: Node, more: int) -> None:
        stated = holder.child("Count")
        if stated is not None:
            self.amendments.set_numbers(stated, 0, (stated.integer() + more,))
