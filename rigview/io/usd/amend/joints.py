"""The joints of skeletons: their paths, where they rest, and what animations make of them."""

from collections.abc import Sequence

import numpy as np
from pxr import Gf, Usd, UsdSkel, Vt

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.sampler import Path, Sampler
from rigview.io.reading import SaveError, quoted
from rigview.io.usd.amend.change import LayerChange, same
from rigview.io.usd.clips import Played
from rigview.io.usd.scene import SkeletonPrim
from rigview.io.usd.stage import floats

_PARTS: tuple[tuple[Path, str], ...] = (
    ("translation", "translations"),
    ("rotation", "rotations"),
    ("scale", "scales"),
)
# Seconds by which a key may miss a sample and be of it all the same.
_ALIKE = 1e-7


def names(change: LayerChange) -> None:
    """Write the paths of joints, where a name, a parent or the number of joints is another.

    Raises
    ------
    SaveError
        If two joints would have one path, or a joint would come before its parent.
    """
    for path, skeleton in change.opened.scene.skeletons.items():
        tokens = _tokens(change, skeleton)
        change.tokens[path] = tuple(tokens.values())
        change.nodes[path] = tuple(tokens)
        if change.tokens[path] == skeleton.order:
            continue
        if len({*tokens.values()}) < len(tokens):
            twice = next(t for t in tokens.values() if [*tokens.values()].count(t) > 1)
            raise SaveError(f"two joints would have the path {quoted(twice)}; glTF can hold them")
        if skeleton.prim.IsA(UsdSkel.Skeleton):
            _check_order(path, change.tokens[path])
            schema = UsdSkel.Skeleton(change.prim(skeleton.prim))
            schema.CreateJointsAttr().Set(Vt.TokenArray([*change.tokens[path]]))
            _keep_joint_names(schema, len(tokens))


def _tokens(change: LayerChange, skeleton: SkeletonPrim) -> dict[int, str]:
    """Return the path of every joint of a skeleton in the wanted rig, new ones last."""
    was, nodes = change.was.nodes, change.wanted.nodes
    stated = dict(zip(skeleton.nodes, skeleton.order, strict=True))
    above = skeleton.nodes[0] if skeleton.nodes else -1
    top = was.parents[above] if above >= 0 else -1
    tokens: dict[int, str] = {}
    for node in nodes.depth_first:
        parent = nodes.parents[node]
        is_new = node >= len(was) and (parent in tokens or parent == top)
        if node not in stated and not is_new:
            continue
        if parent not in tokens and parent != top:
            raise SaveError(
                f"{nodes.label(node)} would hang under {nodes.label(parent)}, which is no joint of its "
                "skeleton; glTF can hold it"
            )
        tokens[node] = _token(change, stated, tokens, node)
    lost = [node for node in stated if node not in tokens]
    if lost:
        raise SaveError(f"{was.label(lost[0])} would leave its skeleton; glTF can hold that")
    order = {node: tokens[node] for node in skeleton.nodes}
    return order | {node: token for node, token in tokens.items() if node not in order}


def _token(change: LayerChange, stated: dict[int, str], tokens: dict[int, str], node: int) -> str:
    """Return the path of a joint; it stays where neither its name nor anything above it is another."""
    was, nodes = change.was.nodes, change.wanted.nodes
    name, parent = nodes.names[node], nodes.parents[node]
    if node in stated:
        above = tokens.get(parent, "")
        kept = stated.get(parent, "") == above and was.parents[node] == parent
        if kept and was.names[node] == name:
            return stated[node]
        if kept:
            above = stated[node].rpartition("/")[0]
    else:
        above = tokens.get(parent, "")
    if not name or "/" in name:
        raise SaveError(f"a joint of USD cannot be called {quoted(name)!r}; glTF can hold the name")
    return f"{above}/{name}" if above else name


def _check_order(path: str, tokens: Sequence[str]) -> None:
    seen: set[str] = set()
    every = {*tokens}
    for token in tokens:
        parent = token.rpartition("/")[0]
        if parent in every and parent not in seen:
            raise SaveError(
                f"{quoted(token)} of {path} would come before its parent in the list of joints; glTF can "
                "hold that"
            )
        seen.add(token)


def _keep_joint_names(schema: UsdSkel.Skeleton, count: int) -> None:
    """Refuse a skeleton whose joints have second names that would be left without joints."""
    stated = schema.GetJointNamesAttr().Get()
    if stated and len(stated) != count:
        raise SaveError(
            f"{schema.GetPath()} states second names of its joints, of which a new joint has none; glTF "
            "can hold it"
        )


def rest(change: LayerChange) -> None:
    """Write where the joints rest, of each skeleton in which one rests elsewhere."""
    old, new = change.old.nodes.local_matrices(), change.new.nodes.local_matrices()
    for path, skeleton in change.opened.scene.skeletons.items():
        if not skeleton.prim.IsA(UsdSkel.Skeleton):
            continue  # its rest pose is the first sample of the animation
        nodes = change.nodes[path]
        size = float(np.abs(old[[*skeleton.nodes], :3, 3]).max(initial=1e-9))
        moved = [n for n in nodes if n >= len(old) or not _alike(old[n], new[n], size)]
        if not moved:
            continue
        attribute = UsdSkel.Skeleton(change.prim(skeleton.prim)).CreateRestTransformsAttr()
        stated = attribute.Get()
        found = [] if stated is None else [*stated]
        if len(found) != len(skeleton.order):
            found = [matrix_of(old[n]) for n in skeleton.nodes]
        found += [Gf.Matrix4d(1.0)] * (len(nodes) - len(found))
        for place, node in enumerate(nodes):
            if node in moved:
                found[place] = matrix_of(new[node])
        attribute.Set(Vt.Matrix4dArray(found))


def _alike(a: FloatArray, b: FloatArray, size: float) -> bool:
    return same(a[:3, :3], b[:3, :3]) and bool(
        np.abs(a[:3, 3] - b[:3, 3]).max() <= 1e-9 * max(size, 1e-9)
    )


def matrix_of(matrix: FloatArray) -> Gf.Matrix4d:
    """Return a matrix for column vectors as one of USD."""
    return Gf.Matrix4d(*matrix.T.reshape(-1).tolist())


def clips(change: LayerChange) -> None:
    """Write the samples of animations of which any joint moves otherwise, or is called otherwise.

    Raises
    ------
    SaveError
        If a curve bends, or two skeletons that play one animation want different ones.
    """
    written: dict[str, list[FloatArray]] = {}
    for number, played in enumerate(change.opened.played):
        old, new = change.old.clips[number], change.new.clips[number]
        _check_weights(change, old, new)
        for one in played:
            _animation(change, one, old, new, written)


def _check_weights(change: LayerChange, old: Clip, new: Clip) -> None:
    """Refuse other curves of blend shapes."""
    for node in range(len(change.was.nodes)):
        before, after = old.curve(node, "weights"), new.curve(node, "weights")
        if not curves_equal(before, after):
            label = change.was.nodes.label(node)
            raise SaveError(
                f"the curves of the shapes of {label} in the clip {old.name} would be others, which a "
                "layer over USD does not hold; glTF can"
            )


def curves_equal(a: Sampler | None, b: Sampler | None) -> bool:
    """Return whether two curves are the same but for rounding."""
    if a is None or b is None:
        return a is b
    if a is b:
        return True
    return (
        a.interpolation == b.interpolation
        and a.values.shape == b.values.shape
        and np.array_equal(a.times, b.times)
        and same(a.values, b.values)
    )


def _animation(
    change: LayerChange, played: Played, old: Clip, new: Clip, written: dict[str, list[FloatArray]]
) -> None:
    """Write what differs in one animation as a skeleton plays it."""
    prim = played.anim.GetPrim()
    order = [str(token) for token in played.anim.GetJointOrder()]
    nodes, tokens = _listed(change, played, order, new)
    changed = {
        path
        for path, _ in _PARTS
        if any(n is not None and _differs(change, old, new, n, path) for n in nodes)
    }
    if len(tokens) > len(order):
        changed = {path for path, _ in _PARTS}
    if tokens == order and not changed:
        return
    for node in (n for n in nodes if n is not None):
        _refuse_fewer_keys(change, node, old, new)
    target = UsdSkel.Animation(change.prim(prim))
    if tokens != order:
        target.CreateJointsAttr().Set(Vt.TokenArray(tokens))
    if not changed:
        return
    codes, was_moving = _codes(change, played, nodes, new)
    rows = _wanted_rows(change, played, nodes, codes, (old, new))
    path = str(prim.GetPath())
    if path in written and not all(map(np.array_equal, rows, written[path])):
        raise SaveError(
            f"two skeletons that play {path} would need different ones; glTF can hold them"
        )
    written[path] = rows
    for number, (part, name) in enumerate(_PARTS):
        if part in changed:
            _set(target, name, rows[number], codes if was_moving else None)


def _refuse_fewer_keys(change: LayerChange, node: int, old: Clip, new: Clip) -> None:
    """Refuse a curve with fewer keys than it has: all joints of an animation share their samples."""
    for path, _ in _PARTS:
        before, after = old.curve(node, path), new.curve(node, path)
        if before is None or node >= len(change.was.nodes):
            continue
        own = next(c for c in old.of_node(node) if c.path == path).sampler
        lost = len(own.times) == len(before.times) and (
            after is None or len(after.times) < len(before.times)
        )
        rest = getattr(change.new.nodes, f"{path}s")[node]
        if lost and (after is not None or not same(before.keys[:1], rest[None])):
            label = change.wanted.nodes.label(node)
            raise SaveError(
                f"{label} would have fewer keys in the clip {new.name}, and all joints of an animation of "
                "USD share their samples; glTF can hold it"
            )


def _listed(
    change: LayerChange, played: Played, order: Sequence[str], new: Clip
) -> tuple[list[int | None], list[str]]:
    """Return the nodes of an animation's joints, and their paths in the new file.

    Joints that move in the wanted clip and are not in the list come behind it.
    """
    skeleton = _path(played.skeleton)
    of_node = dict(zip(change.nodes[skeleton], change.tokens[skeleton], strict=True))
    nodes = [played.skeleton.joint(token) for token in order]
    tokens = [t if n is None else of_node[n] for t, n in zip(order, nodes, strict=True)]
    more = [n for n in of_node if n not in nodes and _moves(new, n)]
    return [*nodes, *more], [*tokens, *(of_node[n] for n in more)]


def _path(skeleton: SkeletonPrim) -> str:
    return str(skeleton.prim.GetPath())


def _moves(clip: Clip, node: int) -> bool:
    return any(clip.curve(node, path) is not None for path, _ in _PARTS)


def _part(rig_nodes: object, node: int, path: Path) -> FloatArray:
    row: FloatArray = getattr(rig_nodes, f"{path}s")[node]
    return row


def _differs(change: LayerChange, old: Clip, new: Clip, node: int, path: Path) -> bool:
    """Return whether a part of a joint is another at any time of a clip."""
    if node >= len(change.was.nodes):
        return True
    before, after = old.curve(node, path), new.curve(node, path)
    if before is None and after is None:
        parts = (_part(rig.nodes, node, path) for rig in (change.old, change.new))
        return not same(*parts)
    return not curves_equal(before, after)


def _codes(
    change: LayerChange, played: Played, nodes: Sequence[int | None], new: Clip
) -> tuple[FloatArray, bool]:
    """Return the time codes of the samples: the file's own, and those of new keys between them.

    Returns
    -------
    And whether there are samples at all; if not, there is one value.
    """
    own = np.array(played.anim.GetJointTransformTimeSamples(), dtype=np.float64)
    rate = change.stage.GetTimeCodesPerSecond()
    curves = [
        curve
        for node in nodes
        if node is not None
        for path, _ in _PARTS
        if (curve := new.curve(node, path)) is not None
    ]
    for curve in curves:
        if curve.interpolation == "CUBICSPLINE":
            raise SaveError(
                f"a curve of the clip {new.name} bends, and samples of USD do not; glTF can hold it"
            )
        held = change.stage.GetInterpolationType() == Usd.InterpolationTypeHeld
        if (curve.interpolation == "STEP") != held and len(curve.times) > 1:
            raise SaveError(
                f"a curve of the clip {new.name} is held between keys otherwise than those of the file; "
                "glTF can hold it"
            )
    keys = np.unique(np.concatenate([np.zeros(0), *(curve.times for curve in curves)])) * rate
    if not len(own) and len(keys) < 2:
        return np.array([change.stage.GetStartTimeCode()]), False
    if len(own):
        near = np.abs(keys[:, None] - own[None]).min(axis=1) if len(keys) else keys
        keys = keys[near > _ALIKE * rate]
    return np.unique(np.concatenate([own, keys])), True


def _rows(played: Played, nodes: Sequence[int | None], codes: FloatArray) -> list[FloatArray]:
    """Return ``(n, J, c)`` translations, rotations and scales as the file has them, at some time codes."""
    anim, count = played.anim, len(played.anim.GetJointOrder())
    stated = [anim.ComputeJointLocalTransformComponents(code) for code in codes]
    rows = []
    for number, width in enumerate((3, 4, 3)):
        parts = [floats(components[number]) for components in stated]
        if any(part.shape != (count, width) for part in parts):
            raise SaveError(
                f"{anim.GetPrim().GetPath()} does not state translations, rotations and scales of all its "
                "joints, so no sample of them can be set; glTF can hold it"
            )
        whole = np.zeros((len(codes), len(nodes), width))
        whole[:, :count] = np.array(parts).reshape(len(codes), count, width)
        rows.append(whole)
    return rows


def _wanted_rows(
    change: LayerChange,
    played: Played,
    nodes: Sequence[int | None],
    codes: FloatArray,
    clips: tuple[Clip, Clip],
) -> list[FloatArray]:
    """Return the same as it is wanted: what is another in the second clip than in the first replaced."""
    rows, count = _rows(played, nodes, codes), len(played.anim.GetJointOrder())
    seconds = codes / change.stage.GetTimeCodesPerSecond()
    for column, node in ((c, n) for c, n in enumerate(nodes) if n is not None):
        for number, (part, _) in enumerate(_PARTS):
            if column >= count or _differs(change, *clips, node, part):
                rows[number][:, column] = _values(change, clips[1], node, part, seconds)
    return rows


def _values(
    change: LayerChange, new: Clip, node: int, path: Path, seconds: FloatArray
) -> FloatArray:
    """Return ``(n, c)`` what a part of a joint is at some times."""
    curve = new.curve(node, path)
    if curve is None:
        return np.tile(_part(change.new.nodes, node, path), (len(seconds), 1))
    values = curve.at(seconds, rotation=path == "rotation")
    if path == "rotation":
        return _continuous(values)
    return values


def _continuous(turns: FloatArray) -> FloatArray:
    """Return quaternions, each of the sign that is nearer to the one before."""
    signs = np.where(np.einsum("nc,nc->n", turns[1:], turns[:-1]) < 0.0, -1.0, 1.0)
    result: FloatArray = quat.normalise(turns)
    result[1:] *= np.cumprod(signs)[:, None]
    return result


def _set(target: UsdSkel.Animation, name: str, rows: FloatArray, codes: FloatArray | None) -> None:
    attribute = {
        "translations": target.CreateTranslationsAttr,
        "rotations": target.CreateRotationsAttr,
        "scales": target.CreateScalesAttr,
    }[name]()
    if codes is None:
        attribute.Set(_array(name, rows[0]))
        return
    for code, row in zip(codes, rows, strict=True):
        attribute.Set(_array(name, row), Usd.TimeCode(float(code)))


def _array(name: str, row: FloatArray) -> object:
    if name == "translations":
        return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(row, dtype=np.float32))
    if name == "rotations":
        return Vt.QuatfArray([Gf.Quatf(w, x, y, z) for x, y, z, w in row.tolist()])
    return Vt.Vec3hArray([Gf.Vec3h(*scale) for scale in row.tolist()])


def rest_frames(change: LayerChange, path: str) -> FloatArray:
    """Return ``(J, 4, 4)`` ``skeleton_from_joint`` of a skeleton at rest in the wanted rig."""
    local = change.new.nodes.local_matrices()
    nodes, parents = change.nodes[path], change.wanted.nodes.parents
    frames: dict[int, FloatArray] = {}
    for node in sorted(nodes, key=lambda n: change.wanted.nodes.depths[n]):
        above = frames.get(parents[node])
        frames[node] = local[node] if above is None else above @ local[node]
    return np.array([frames[node] for node in nodes]).reshape(-1, 4, 4)
