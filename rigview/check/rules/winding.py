"""The rule about faces whose winding and normals disagree: one of the two shows the mesh inside out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rigview.check.labels import part_keys, part_label
from rigview.check.limits import Limit
from rigview.check.measures.surface import components, edges_of, welded
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, vertices_of
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross
from rigview.core.mesh import Primitive
from rigview.core.rig import Part, Rig
from rigview.core.sentence import Sentence

# Cards of hair and leaves have normals of another surface, which oppose the winding of up to half of them.
WINDING = Limit(
    "MSH-WINDING", 0.9, "share", "the part of a shell's area whose normals oppose the winding"
)
# Of the volume of a ball of the same area: a flatter shell encloses nothing that tells in from out.
_FLAT = 0.05


@dataclass(frozen=True, eq=False)
class _Faces:
    """The faces of a primitive.

    Parameters
    ----------
    shells
        ``(F,)`` a number for each face, one for all that hang together.
    doubled
        ``(F, 3)`` twice the area along the normal that the winding gives.
    opposed
        ``(F,)`` which are wound against the normals of their corners.
    """

    shells: IntArray
    doubled: FloatArray
    opposed: BoolArray


def _faces(primitive: Primitive) -> _Faces | None:
    """Return the faces of a primitive; None without normals or triangles."""
    triangles, normals = primitive.triangles, primitive.normals
    if normals is None or not len(triangles) or not np.isfinite(primitive.positions).all():
        return None
    corners = primitive.positions[triangles]
    doubled = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = np.einsum("fi,fi->f", doubled, normals[triangles].sum(axis=1))
    places = welded(primitive.positions)[triangles]
    label = components(len(primitive.positions), edges_of(places.T).T)
    return _Faces(label[places[:, 0]], doubled, facing < 0.0)


def _against(faces: _Faces, limit: float) -> list[tuple[IntArray, float]]:
    """Return the faces of each shell of which more than a share is wound against its normals, and that."""
    areas = np.linalg.norm(faces.doubled, axis=1)
    _, shell = np.unique(faces.shells, return_inverse=True)
    total = np.bincount(shell, weights=areas)
    opposed = np.bincount(shell, weights=np.where(faces.opposed, areas, 0.0))
    shares = opposed / np.where(total > 0.0, total, 1.0)
    return [
        (np.flatnonzero(shell == number), float(shares[number]))
        for number in np.flatnonzero(shares > limit).tolist()
    ]


@rule(
    WINDING,
    title="Mesh is inside out",
    measures="the normals of each shell against the winding of its faces",
    severity="warning",
    fix="exact",
)
@over_meshes
def against_normals(subject: Subject) -> Iterator[Finding]:
    """Shells whose faces are wound against their normals.

    Nodes that mirror turn both round, and so count for nothing. The volume that a shell encloses tells
    which of the two points inwards; a flat shell has none.
    """
    rig, limit = subject.rig, subject.limit(WINDING)
    shown: dict[tuple[int, int], Part] = {}
    for part in rig.parts:
        shown.setdefault((part.mesh, part.primitive), part)
    for part in shown.values():
        primitive = rig.primitive(part)
        faces = _faces(primitive)
        found = [] if faces is None else _against(faces, limit)
        if not found:
            continue
        chosen = np.unique(primitive.triangles[np.concatenate([shell for shell, _ in found])])
        share = max(share for _, share in found)
        yield Finding(
            part_keys(rig)[part],
            Sentence(
                "{shells} with up to {share:.0f} % of the surface wound against its normals",
                shells=count(len(found), "shell"),
                share=100.0 * share,
            ),
            part_label(rig, part),
            value=share,
            limit=limit,
            unit="share",
            vertices=vertices_of(part, chosen),
            explanation="Programs draw the side that the winding faces, and light the side that "
            "the normals face: the mesh shows its inside, or is lit from within.",
            fix=_fix(rig, part.mesh, part.primitive, limit),
        )


def _fix(rig: Rig, mesh: int, primitive: int, limit: float) -> Fix:
    label = Sentence("Let winding and normals agree")
    return offer(rig, "exact", label, partial(agree, mesh=mesh, primitive=primitive, limit=limit))


def agree(rig: Rig, mesh: int, primitive: int, limit: float) -> Rig:
    """Turn the winding of shells that are wound inwards, and the normals of those that face inwards.

    Raises
    ------
    Refused
        If a shell is so flat that nothing tells its inside, or shares vertices with another.
    """
    old = rig.meshes[mesh].primitives[primitive]
    faces = _faces(old)
    found = [] if faces is None else _against(faces, limit)
    if faces is None or not found or old.normals is None:
        return rig
    triangles, turned = old.triangles.copy(), np.zeros(len(old.positions), dtype=bool)
    for shell, _ in found:
        if _volume(old, faces, shell) < 0.0:
            opposed = shell[faces.opposed[shell]]
            triangles[opposed] = triangles[opposed][:, ::-1]
        else:
            own = np.unique(old.triangles[shell])
            others = np.setdiff1d(np.arange(len(triangles)), shell)
            if np.isin(own, old.triangles[others]).any():
                raise Refused(
                    "another shell shares its vertices, and their normals would turn with it"
                )
            turned[own] = True
    changed = _with_turned_normals(replace(old, triangles=triangles), turned)
    return rig.with_primitive(mesh, primitive, changed)


def _with_turned_normals(primitive: Primitive, turned: BoolArray) -> Primitive:
    """Return a primitive with some normals reversed, in its morph targets too.

    The third axis of a normal map, the cross product of normal and tangent times the handedness, stays.
    """
    normals, tangents, morphs = primitive.normals, primitive.tangents, primitive.morphs
    if normals is None or not turned.any():
        return primitive
    sign = np.where(turned, -1.0, 1.0)[:, None]
    if tangents is not None:
        tangents = np.concatenate([tangents[:, :3], tangents[:, 3:] * sign], axis=1)
    if morphs is not None and morphs.normals is not None:
        morphs = replace(morphs, normals=morphs.normals * sign)
    return replace(primitive, normals=normals * sign, tangents=tangents, morphs=morphs)


def _volume(primitive: Primitive, faces: _Faces, shell: IntArray) -> float:
    """Return the volume that a shell encloses, below 0 where it is wound inwards.

    Raises
    ------
    Refused
        If that is next to nothing.
    """
    centres = primitive.positions[primitive.triangles[shell]].mean(axis=1)
    doubled = faces.doubled[shell]
    areas = 0.5 * np.linalg.norm(doubled, axis=1)
    middle = areas @ centres / areas.sum()
    volume = float(np.einsum("fi,fi->", centres - middle, doubled)) / 6.0
    ball = (areas.sum() / (4.0 * np.pi)) ** 1.5 * 4.0 * np.pi / 3.0
    if abs(volume) < _FLAT * ball:
        raise Refused("the shell is flat, so that nothing tells which side is its outside")
    return volume
