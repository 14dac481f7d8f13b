"""The elastic reference of one joint of a character: its flesh on a lattice, and where its skin goes.

The lattice of spacing `spacing` · ρ fills what the skin around the joint encloses, as far as 4.5 ρ from
the joint. Pinned are the cores of the bones, the inner half of the flesh but nothing within .15 ρ of
the joint, and the cut. The joint is driven in steps of 15°, on a pure bend with contact at the plane
that halves it. The skin follows its cells trilinearly. Not in it: skin that slides on flesh; and on the
inner side beyond 90° flesh that folds elsewhere than at that plane.
"""

from dataclasses import dataclass

import numpy as np
from elastic import Body, Lattice, Plane, winding_numbers
from planted_deformation import bend_axis, joint_of, limb_axis
from rom_measures import Character
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from rigview.core import quat
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.skinning import METHODS, Options

REACH, SURROUNDINGS = 4.5, 6.0
CLEAR, STEP = 0.15, 15
# A rig whose rest pose is not that of binding has no lattice at rest: more than this of ρ apart.
AT_REST = 0.02
# Contact begins here, degrees: a plane needs a bend.
_FOLDS_FROM = 30.0


class NotAtRestError(ValueError):
    """The rest pose is not the one that the skin was bound in."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One method at one angle.

    Parameters
    ----------
    error
        Root mean square of (method − reference) along the reference's normal over blended vertices, in ρ.
    flips
        Flipped faces of the region.
    """

    error: float
    flips: int


class Limb:
    """A joint of a rig with its flesh.

    Parameters
    ----------
    twist
        How far it twists as well, degrees.
    spacing
        Of the lattice, in ρ.
    """

    def __init__(self, rig, role, twist=0, spacing=0.25):
        self.character = Character(rig)
        self.joint = joint_of(rig, role)
        self.twist = twist
        meter = self.character.meter
        found = [i for i, r in enumerate(meter.regions.each) if r.joint == self.joint]
        self.number = max(found, key=lambda i: int(meter.regions.each[i].blended.sum()))
        self.region = meter.regions.each[self.number]
        self.bend = bend_axis(rig, self.joint)
        self.about = limb_axis(rig, self.joint)
        self.skin = meter.skin.positions.T
        self._check_rest()
        self.rest = model_from_nodes(rig, rest_pose(rig))
        self.origin = self.rest[self.joint, :3, 3]
        self.fixed, self.moving = self._bones()
        self._fill(spacing * self.region.size)

    def _check_rest(self):
        still = self._skinned(self.pose_at(0.0), "lbs")[self.region.vertices]
        apart = np.abs(still - self.skin[self.region.vertices]).max()
        if apart > AT_REST * self.region.size:
            raise NotAtRestError(f"{apart / self.region.size:.2f} of the radius apart at rest")

    def pose_at(self, degrees, twist=0.0):
        """Return the pose in which the joint bends and twists by so many degrees."""
        rig = self.character.rig
        turn = quat.multiply(
            quat.from_axis_angle(self.bend, np.radians(degrees)),
            quat.from_axis_angle(self.about, np.radians(twist)),
        )
        value = quat.normalise(quat.multiply(rig.nodes.rotations[self.joint], turn))
        channel = Channel(self.joint, "rotation", Sampler(np.zeros(1), value[None]))
        return sample(rig, Clip("bent", (channel,)), 0.0)

    def _skinned(self, pose, method):
        deformer = self.character.deformer
        skinned = deformer.skin_all(deformer.frame(pose), METHODS[method], Options())
        return self.character.meter.skin.posed(skinned).T

    def _bones(self):
        """Return the bones before the joint and behind it, each ``(n, 2, 3)``, 2 · REACH ρ long at most."""
        skeleton = self.character.deformer.skeleton
        heads = self.rest[skeleton.joints, :3, 3]
        place = skeleton.places[self.joint]
        rows = []
        for links in (skeleton.parents, skeleton.primary):
            chain, length = [place], 0.0
            while links[chain[-1]] >= 0 and length < 2.0 * REACH * self.region.size:
                chain.append(int(links[chain[-1]]))
                length = np.linalg.norm(heads[chain[-1]] - heads[place])
            rows.append(np.stack([heads[chain[:-1]], heads[chain[1:]]], axis=1))
        return rows

    def _fill(self, spacing):
        near = np.linalg.norm(self.skin - self.origin, axis=1) < SURROUNDINGS * self.region.size
        faces = self.character.meter.skin.triangles
        faces = faces[near[faces].all(axis=1)]
        ends = np.concatenate([faces[:, :2], faces[:, 1:]])
        graph = coo_array((np.ones(len(ends)), ends.T), shape=(len(self.skin),) * 2)
        _, piece = connected_components(graph, directed=False)
        faces = faces[np.isin(piece[faces[:, 0]], piece[self.region.vertices])]
        surface = self.skin[np.unique(faces)]
        low = surface.min(axis=0) - spacing
        shape = np.ceil((surface.max(axis=0) + spacing - low) / spacing).astype(int)
        middles = low + spacing * (np.indices(shape).reshape(3, -1).T + 0.5)
        within = np.linalg.norm(middles - self.origin, axis=1) < REACH * self.region.size
        inside = np.zeros(len(middles), dtype=bool)
        wound = winding_numbers(middles[within], self.skin[faces])
        inside[within] = np.abs(wound) > 0.5
        # Cells that the skin passes through carry it.
        skin = np.concatenate([self.skin[self.region.vertices], *_within(self.skin[faces])])
        skin = skin[np.linalg.norm(skin - self.origin, axis=1) < REACH * self.region.size]
        inside = inside.reshape(shape)
        inside[tuple(np.floor((skin - low) / spacing).astype(int).T)] = True
        self.lattice = Lattice.of(inside, low, spacing)
        self._pin(cKDTree(np.concatenate([surface, *_within(self.skin[faces])])))

    def _pin(self, surface):
        points, size = self.lattice.points, self.region.size
        before, behind = _distance(points, self.fixed), _distance(points, self.moving)
        away = np.linalg.norm(points - self.origin, axis=1)
        core = np.minimum(before, behind) < surface.query(points)[0]
        cut = away > REACH * size - 1.5 * self.lattice.spacing
        self.pinned = (core & (away > CLEAR * size)) | cut
        self.carried = behind < before

    def drive(self, angles):
        """Yield (angle, ``(n, 3)`` places of the region's vertices) at ascending degrees."""
        body = Body(self.lattice, self.pinned)
        nodes, shares = self.lattice.embed(self.skin[self.region.vertices])
        last = max(angles)
        for degrees in sorted({*range(STEP, last + 1, STEP), *angles}):
            pose = self.pose_at(degrees, self.twist * degrees / last)
            carry = model_from_nodes(self.character.rig, pose)[self.joint]
            carry = carry @ np.linalg.inv(self.rest[self.joint])
            held = self.lattice.points.copy()
            held[self.carried] = held[self.carried] @ carry[:3, :3].T + carry[:3, 3]
            plane = self._plane(carry[:3, :3]) if not self.twist and degrees > _FOLDS_FROM else None
            body.settle(held[self.pinned], plane=plane)
            if degrees in angles:
                yield degrees, np.einsum("vk,vki->vi", shares, body.positions[nodes])

    def _plane(self, turn):
        before, behind = self.fixed[0], self.moving[0]
        into, out = (_unit(bone[1] - bone[0]) for bone in (before[::-1], behind))
        turned = turn @ out
        return Plane(self.origin, _unit(into + out), _unit(into + turned), _unit(turned - into))

    def read(self, angles, methods, driven=None):
        """Yield (angle, method → `Reading`).

        Parameters
        ----------
        driven
            What `drive` gave of these angles before.
        """
        region, surface = self.region, self.character.meter.surface
        local = np.searchsorted(region.vertices, region.faces)
        for degrees, reference in driven or self.drive(angles):
            normals = np.zeros_like(reference)
            a, b, c = np.moveaxis(reference[local], 1, 0)
            for corner in local.T:
                np.add.at(normals, corner, np.cross(b - a, c - a))
            size = np.linalg.norm(normals, axis=1)
            seen = region.blended & (size > 0.0) & np.isfinite(reference).all(axis=1)
            normals = normals[seen] / size[seen, None]
            pose = self.pose_at(degrees, self.twist * degrees / max(angles))
            readings = {}
            for method in methods:
                positions = self._skinned(pose, method)
                apart = (positions[region.vertices] - reference)[seen]
                along = np.einsum("vi,vi->v", apart, normals) / region.size
                _, flipped = surface.flipped(positions.T, np.array([self.number]))
                readings[method] = Reading(float(np.sqrt(np.mean(along**2))), int(flipped.sum()))
            yield degrees, readings


def _within(triangles):
    """Return the middles of ``(F, 3, 3)`` triangles and of their edges."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    return triangles.mean(axis=1), (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0


def _distance(points, bones):
    nearest = np.full(len(points), np.inf)
    for a, b in bones:
        along = b - a
        share = np.clip((points - a) @ along / max(along @ along, 1e-30), 0.0, 1.0)
        foot = a + share[:, None] * along
        nearest = np.minimum(nearest, np.linalg.norm(points - foot, axis=1))
    return nearest


def _unit(vector):
    return vector / np.linalg.norm(vector)
