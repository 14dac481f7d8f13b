"""What each method costs the shape: the published table of bent tubes, measured anew.

A tube of radius 1 along x hangs on bones along its axis. Its weights are a step at the joint, blurred
by a Gaussian of width sigma. Measured are the root mean square of (distance to the nearest posed bone
− 1) over |x| < 3, and the largest excess within 60° of the outer line of the bend.
"""

import math
from copy import copy

import numpy as np
import pytest

from rigview.core import quat
from rigview.core.bones import Segments
from rigview.core.mesh import Primitive
from rigview.core.methods import bulge, palette
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import BoneFrames
from rigview.core.methods.posed import Posed
from rigview.core.methods.vertex_constants import VertexConstants
from rigview.core.skinning import METHODS, Options

REACH = 4.0
TOLERANCE = 0.003
METHOD_OPTIONS = {
    "lbs": ("lbs", Options()),
    "dqs": ("dqs", Options()),
    "p1": ("compensated", Options()),
    "p0": ("compensated", Options(polynomial="p0")),
    "capsule": ("capsule", Options()),
    "kim and han": ("bulging-free", Options()),
    "centres": ("centres", Options()),
    "capsule of no strength": ("capsule", Options(strength=0.0)),
    "flesh": ("flesh", Options()),
    "swing-twist": ("swing-twist", Options()),
    "log-matrix": ("log-matrix", Options()),
    "spherical": ("spherical", Options()),
}


class Tube:
    """A tube on a chain of bones that meet at `joints` (x of each but the first)."""

    def __init__(self, sigma, joints=(0.0,), shift=0.0, half_outer=60.0, rings=321, around=96):
        self.half_outer = math.radians(half_outer)
        x = np.linspace(-REACH, REACH, rings)
        phi = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
        self.x, self.phi = (a.ravel() for a in np.meshgrid(x, phi, indexing="ij"))
        self.points = np.stack([self.x, np.cos(self.phi), np.sin(self.phi)], axis=1)
        self.normals = self.points * (0.0, 1.0, 1.0)
        ends = np.array([-REACH, *joints, REACH])
        self.heads, self.tails = ends[:-1], ends[1:]
        erf = np.vectorize(math.erf)
        passed = [
            0.5 + 0.5 * erf((self.x - joint - shift) / (sigma * math.sqrt(2.0))) for joint in joints
        ]
        steps = np.stack([np.ones_like(self.x), *passed, np.zeros_like(self.x)], axis=1)
        self.weights = steps[:, :-1] - steps[:, 1:]
        self.binding = self._binding()
        self.primitive = self._primitive(rings, around)

    def _primitive(self, rings, around):
        corner = np.arange(rings * around).reshape(rings, around)
        a, b = corner[:-1], corner[1:]
        c, d = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
        triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (c, b, d))])
        lines, points = np.zeros((0, 2), dtype=int), np.zeros(0, dtype=int)
        return Primitive(self.points, triangles, lines, points, self.normals)

    def _binding(self):
        count = len(self.heads)
        order = np.argsort(-self.weights, axis=1, kind="stable")
        # A chain: the lower number is the ancestor.
        side = np.where(order[:, 0] < order[:, 1], 1.0, -1.0)
        assert count == order.shape[1]
        nearest = np.clip(self.x, self.heads[order[:, 0]], self.tails[order[:, 0]])
        radius = np.hypot(1.0, self.x - nearest)
        return Binding(order, np.take_along_axis(self.weights, order, axis=1), side, radius)

    def limbs(self):
        along = np.tile((1.0, 0.0, 0.0), (len(self.heads), 1))
        bones = Segments(self.heads[:, None] * along, along, self.tails - self.heads)
        count = len(self.heads)
        child = np.arange(1, count + 1)
        return BoneFrames.linked(
            bones, np.arange(-1, count - 1), np.where(child < count, child, -1)
        )

    def cut(self, least):
        """Return the tube with weights below `least` left out, as tools limit influences."""
        result = copy(self)
        kept = np.where(self.weights < least, 0.0, self.weights)
        result.weights = kept / kept.sum(axis=1, keepdims=True)
        result.binding = result._binding()
        return result

    def matrices(self, turns):
        """Return the skin matrices of a chain whose joint i turns by ``turns[i - 1]`` in its place."""
        result = [np.eye(4)]
        for head, turn in zip(self.heads[1:], turns, strict=True):
            local = np.eye(4)
            local[:3, :3] = quat.to_matrix(turn)
            local[:3, 3] = (head, 0, 0) - local[:3, :3] @ (head, 0, 0)
            result.append(result[-1] @ local)
        return np.stack(result)

    def skin(self, turns, name):
        method, options = METHOD_OPTIONS[name]
        of = palette.of_matrices(self.matrices(turns))
        bones = self.limbs()
        posed = Posed(
            self.binding,
            of,
            quat.rotate(of.rotations, bones.bones.directions),
            self.points,
            self.normals,
            bulge.amplitudes(self.binding, options.polynomial),
            VertexConstants(self.binding, bones, self.primitive),
        )
        return METHODS[method].skin(posed, options)

    def excess(self, turns, positions):
        """Return the distance of every vertex to the nearest posed bone, less the radius."""
        matrices = self.matrices(turns)
        nearest = np.full(len(positions), np.inf)
        for matrix, head, tail in zip(matrices, self.heads, self.tails, strict=True):
            a, b = (matrix[:3, :3] @ (x, 0, 0) + matrix[:3, 3] for x in (head, tail))
            share = np.clip((positions - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
            foot = a + share[:, None] * (b - a)
            nearest = np.minimum(nearest, np.linalg.norm(positions - foot, axis=1))
        return nearest - 1.0

    def cost(self, turns, name):
        """Return (rms, outer bulge) of a bend towards +y."""
        excess = self.excess(turns, self.skin(turns, name).positions)
        inside = np.abs(self.x) < 3.0 - 1e-9
        from_outer = np.abs(self.phi - np.pi)
        outside = inside & (from_outer <= self.half_outer + 1e-9)
        return math.sqrt(np.mean(excess[inside] ** 2)), excess[outside].max()


def bend(degrees):
    return quat.from_axis_angle((0.0, 0.0, 1.0), math.radians(degrees))


def bend_and_twist(degrees, twist):
    turn = quat.from_axis_angle((1.0, 0.0, 0.0), math.radians(twist))
    return quat.multiply(bend(degrees), turn)


# Per case the tube and its joints' turns.
CASES = {
    "narrow weights, 90": (Tube(0.25), [bend(90)]),
    "30": (Tube(0.63), [bend(30)]),
    "60": (Tube(0.63), [bend(60)]),
    "90": (Tube(0.63), [bend(90)]),
    "120": (Tube(0.63), [bend(120)]),
    "wide weights, 90": (Tube(1.0), [bend(90)]),
    "weights shifted by .4, 90": (Tube(0.63, shift=0.4), [bend(90)]),
    "three joints of 30": (Tube(0.63, joints=(-0.75, 0.0, 0.75)), [bend(30)] * 3),
    # The outer line winds around a twisted tube: its bulge is looked for all around.
    "90, twisted by 90": (Tube(0.63, half_outer=180.0), [bend_and_twist(90, 90)]),
}
# rms, and behind a slash the outer bulge where it is published.
COLUMNS = ("lbs", "dqs", "p1", "p0", "kim and han", "centres", "capsule")
TABLE = """
narrow weights, 90        | .106 .087/.036 .097/.001 .099 .086 .090/.022        .085/.000
30                        | .022 .019/.050 .015/.037 .014 .015 .019/.048        .004
60                        | .054 .040/.089 .027/.036 .025 .034 .035/.073        .014
90                        | .098 .063/.119 .059/.022 .061 .057 .063/.074        .041/.000
120                       | .192 .141/.141 .156/.022 .159 .137 .163/.054        .141
wide weights, 90          | .129 .113/.206 .081/.105 .074 .094 .084/.130        .037/.000
weights shifted by .4, 90 | .136 .121/.234 .121/.166 .121 .113 .108/.141        .088/.020
three joints of 30        | .054 .049/.131 .047/.131 .047 .037 .044/.119        .007
90, twisted by 90         | .175 .078/.121 .072/.065 .072 .073 .080/.088        .059/.000
"""


def published():
    """Yield (case, method, rms, outer bulge or None)."""
    for line in TABLE.strip().splitlines():
        case, numbers = line.split("|")
        for name, cell in zip(COLUMNS, numbers.split(), strict=True):
            rms, _, outer = cell.partition("/")
            yield case.strip(), name, float(rms), float(outer) if outer else None


@pytest.mark.parametrize("case", CASES)
def test_the_published_cost_of_every_method_is_reproduced(case):
    tube, turns = CASES[case]
    rows = [row for row in published() if row[0] == case]
    assert len(rows) == len(COLUMNS)
    for _, name, rms, outer in rows:
        got = tube.cost(turns, name)
        assert got[0] == pytest.approx(rms, abs=TOLERANCE), name
        if outer is not None:
            assert got[1] == pytest.approx(outer, abs=TOLERANCE), name


@pytest.mark.parametrize("degrees", [30, 60, 90])
def test_the_capsules_outer_side_stays_round_and_its_normals_square_to_it(degrees):
    tube = Tube(0.63)
    turns = [bend(degrees)]
    assert tube.cost(turns, "capsule")[1] <= 0.002
    skinned = tube.skin(turns, "capsule")
    # Square to the surface: to the tangents along and around the tube, by central differences.
    grid = skinned.positions.reshape(321, 96, 3)
    along = (grid[2:] - grid[:-2])[:, 48]
    around = (np.roll(grid, -1, axis=1) - np.roll(grid, 1, axis=1))[1:-1, 48]
    surface = np.cross(around, along)
    surface /= np.linalg.norm(surface, axis=1, keepdims=True)
    normals = skinned.normals.reshape(321, 96, 3)[1:-1, 48]
    cosine = np.abs(np.einsum("vi,vi->v", surface, normals))
    assert np.degrees(np.arccos(np.minimum(cosine, 1.0))).max() <= 1.5


def test_without_strength_the_capsule_is_dqs():
    tube = Tube(0.63, rings=41, around=12)
    none, plain = (tube.skin([bend(70)], name) for name in ("capsule of no strength", "dqs"))
    assert np.array_equal(none.positions, plain.positions)
    assert np.abs(none.normals - plain.normals).max() <= 1e-15


@pytest.mark.parametrize("degrees", [125, 150, 175])
def test_where_a_joint_bends_far_the_capsule_is_dqs(degrees):
    tube = Tube(0.63, rings=41, around=12)
    capsule, plain = (tube.skin([bend(degrees)], name) for name in ("capsule", "dqs"))
    assert np.abs(capsule.positions - plain.positions).max() <= 1e-12
    assert np.abs(capsule.normals - plain.normals).max() <= 1e-12


def test_the_capsule_fades_without_a_jump():
    tube = Tube(0.63, rings=41, around=12)
    path = np.stack([tube.skin([bend(d)], "capsule").positions for d in np.arange(85.0, 126.0)])
    step = np.linalg.norm(np.diff(path, axis=0), axis=2).max(axis=1)
    assert step.max() <= 1.5 * step.min()


def twist(degrees):
    return quat.from_axis_angle((1.0, 0.0, 0.0), math.radians(degrees))


SMALL = Tube(0.63, rings=41, around=12)


@pytest.mark.parametrize("degrees", [30, 90, 150, 175])
def test_a_twisted_tube_keeps_its_radius_under_swing_twist(degrees):
    positions = SMALL.skin([twist(degrees)], "swing-twist").positions
    assert np.abs(np.linalg.norm(positions[:, 1:], axis=1) - 1.0).max() <= 1e-12


@pytest.mark.parametrize("degrees", [30, 90, 150])
def test_a_swing_is_linear_under_swing_twist_and_collapses_as_under_lbs(degrees):
    got, wanted = (SMALL.skin([bend(degrees)], name) for name in ("swing-twist", "lbs"))
    assert np.abs(got.positions - wanted.positions).max() <= 1e-12
    assert np.abs(got.normals - wanted.normals).max() <= 1e-12


def test_what_twists_and_bends_is_what_twists_and_then_bends_linearly():
    positions = SMALL.skin([bend_and_twist(90, 120)], "swing-twist").positions
    share = SMALL.weights[:, 1]
    angle = (
        np.radians(120.0)
        * np.arctan2(share * np.sin(np.pi / 3), 1.0 - share + share * np.cos(np.pi / 3))
        / (np.pi / 3)
    )
    evened = quat.rotate(quat.from_axis_angle((1.0, 0.0, 0.0), angle), SMALL.points)
    bent = quat.rotate(bend(90), evened)
    wanted = evened + share[:, None] * (bent - evened)
    assert np.abs(positions - wanted).max() <= 1e-12


def test_two_joints_on_a_hinge_turn_about_it_alike_under_spherical_blending_and_dqs():
    got, wanted = (SMALL.skin([bend(90)], name).positions for name in ("spherical", "dqs"))
    assert np.abs(got - wanted).max() <= 2e-3


def test_two_joints_follow_the_screw_between_them_under_log_matrix_blending():
    positions = SMALL.skin([bend(90)], "log-matrix").positions
    angle = np.radians(90.0) * SMALL.weights[:, 1]
    wanted = quat.rotate(quat.from_axis_angle((0.0, 0.0, 1.0), angle), SMALL.points)
    assert np.abs(positions - wanted).max() <= 1e-12


def test_a_joint_of_little_weight_tears_the_skin_under_spherical_blending():
    """Its known fault: adjacent rings jump where a joint enters with a weight of one percent."""
    tube = Tube(0.63, joints=(-0.75, 0.0, 0.75), rings=321, around=12).cut(0.01)
    kink = {}
    for name in ("dqs", "spherical"):
        grid = tube.skin([bend(60)] * 3, name).positions.reshape(321, 12, 3)
        kink[name] = np.linalg.norm(np.diff(grid, n=2, axis=0), axis=2).max()
    assert kink["spherical"] > 3.0 * kink["dqs"]


def test_where_the_heaviest_of_three_joints_changes_log_matrix_blending_jumps():
    """Its known fault; DQS, which has the heaviest decide signs alone, does not."""
    turns = [twist(100), quat.from_axis_angle((0.0, 1.0, 0.0), 1.5), bend(80)]
    tube = Tube(0.63, joints=(-0.75, 0.0, 0.75), rings=41, around=12)
    jump = {}
    for name in ("dqs", "log-matrix"):
        places = []
        for sign in (-1.0, 1.0):
            other = copy(tube)
            even = np.tile((0.34, 0.33, 0.33, 0.0), (len(tube.x), 1))
            other.weights = even + sign * 1e-9 * np.array([-1.0, 1.0, 0.0, 0.0])
            other.weights[:, :2] = 0.335 + sign * 1e-9 * np.array([-1.0, 1.0])
            other.binding = other._binding()
            places.append(other.skin(turns, name).positions)
        jump[name] = np.abs(places[0] - places[1]).max()
    assert jump["dqs"] <= 1e-6
    assert jump["log-matrix"] > 0.01


@pytest.mark.parametrize(
    ("degrees", "method"),
    [(40, "capsule"), (59, "capsule"), (91, "swing-twist"), (119, "swing-twist"), (151, "dqs")],
)
def test_flesh_is_the_method_that_is_nearest_to_it_at_each_bend(degrees, method):
    got, wanted = (SMALL.skin([bend(degrees)], name) for name in ("flesh", method))
    assert np.abs(got.positions - wanted.positions).max() <= 1e-12
    assert np.abs(got.normals - wanted.normals).max() <= 1e-12


def test_flesh_fades_without_a_jump():
    degrees = np.arange(55.0, 160.0)
    path = np.stack([SMALL.skin([bend(d)], "flesh").positions for d in degrees])
    step = np.linalg.norm(np.diff(path, axis=0), axis=2).max(axis=1)
    assert step.max() <= 2.5 * step.min()
