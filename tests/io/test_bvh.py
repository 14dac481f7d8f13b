"""BVH against a plain evaluator of the text, and what damaged and unusual files come to."""

import re

import numpy as np
import pytest
from survival import refusal

from rigview.core import euler
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.io import LoadError, Overrides, load

SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Upper Arm.L {
    OFFSET 0 100 0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 0 110 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 90 3 0 0 0 0 90 0
1 90 3 90 0 0 0 0 0
"""


def written(tmp_path, text, name="small.bvh"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def turn(axis, degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    matrix = np.eye(4)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def evaluated(path, frame):
    """Return the place of every joint and end site in a frame, in the file's unit, by plain loops."""
    head, motion = path.read_text(encoding="latin-1").split("MOTION")
    numbers = motion.split("Time:")[1].split()[1:]
    width = sum(int(n) for n in re.findall(r"CHANNELS\s+(\d+)", head))
    row = iter([float(n) for n in numbers[frame * width : (frame + 1) * width]])
    places, stack, matrix = [], [np.eye(4)], np.eye(4)
    for line in head.splitlines():
        words = line.split()
        if "}" in words:
            stack.pop()
        if words and words[0] == "OFFSET":
            matrix = np.eye(4)
            matrix[:3, 3] = [float(w) for w in words[1:]]
            stack.append(stack[-1] @ matrix)
            places.append(stack[-1][:3, 3])
        if words and words[0] == "CHANNELS":
            moved = matrix.copy()
            spin = np.eye(4)
            for name in words[2:]:
                if name.endswith("position"):
                    moved["XYZ".index(name[0]), 3] = next(row)
                else:
                    spin = spin @ turn(name[0], next(row))
            stack[-1] = stack[-2] @ moved @ spin
            places[-1] = stack[-1][:3, 3]
    return np.array(places)


def bvh_files(corpus):
    return sorted((corpus / "rigs").rglob("*.bvh"))


@pytest.mark.corpus
def test_every_joint_is_where_the_text_puts_it(corpus):
    files = bvh_files(corpus)
    assert len(files) > 5
    for path in files:
        rig = load(path).rig
        clip = rig.clips[0]
        frames = len(clip.key_times)
        for frame in sorted({0, frames // 3, frames - 1}):
            model = model_from_nodes(rig, sample(rig, clip, clip.key_times[frame]))
            wanted = evaluated(path, frame) * rig.origin.unit_m
            np.testing.assert_allclose(model[:, :3, 3], wanted, atol=1e-6, err_msg=str(path))


def test_rotations_apply_in_the_order_of_their_channels(tmp_path):
    rig = load(written(tmp_path, SMALL)).rig
    assert rig.nodes.names == ("Hips", "Upper Arm.L", "Upper Arm.L_End")
    assert rig.joints == (0, 1, 2)
    model = model_from_nodes(rig, sample(rig, rig.clips[0], 0.04))
    # The hips turn by 90° about Z: what was above lies at −X.
    np.testing.assert_allclose(
        model[:, :3, 3], [[0.01, 0.9, 0.03], [-0.99, 0.9, 0.03], [-2.09, 0.9, 0.03]], atol=1e-12
    )
    model = model_from_nodes(rig, sample(rig, rig.clips[0], 0.0))
    np.testing.assert_allclose(model[2, :3, 3], [-1.09, 1.9, 0.03], atol=1e-12)


def test_a_position_stands_instead_of_the_offset(tmp_path):
    text = SMALL.replace("OFFSET 0 0 0", "OFFSET 7 8 9").replace(
        "CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 4 Yposition"
    )
    text = text.replace("1 90 3 ", "90 ")
    rig = load(written(tmp_path, text)).rig
    np.testing.assert_allclose(rig.nodes.translations[0], [0.07, 0.08, 0.09])
    model = model_from_nodes(rig, sample(rig, rig.clips[0], 0.0))
    np.testing.assert_allclose(model[0, :3, 3], [0.07, 0.90, 0.09])


def test_rows_that_disagree_with_the_header_are_used_and_told_of(tmp_path):
    loaded = load(written(tmp_path, SMALL.replace("Frames: 2", "Frames: 9")))
    assert len(loaded.rig.clips[0].key_times) == 2
    assert "the header states 9 frames, and there are 2 rows: all are used" in loaded.notes
    loaded = load(written(tmp_path, SMALL.removesuffix("0 0\n")))
    assert len(loaded.rig.clips[0].key_times) == 1
    assert any("the last row has 7 of 9 numbers" in note for note in loaded.notes)


def test_a_row_that_is_too_short_spoils_no_other(tmp_path):
    first, second = "1 90 3 0 0 0 0 90 0\n", "1 90 3 90 0 0 0 0 0\n"
    text = SMALL.replace(first, first + "1 90 3 0\n" + second)
    loaded = load(written(tmp_path, text.replace("Frames: 2", "Frames: 4")))
    assert "row 2 has 4 of 9 numbers and is left out" in loaded.notes
    usual = load(written(tmp_path, SMALL)).rig.clips[0]
    for mine, its in zip(loaded.rig.clips[0].channels, usual.channels, strict=True):
        assert np.isnan(mine.sampler.values[1]).any()
        for row in (0, 2, 3):
            np.testing.assert_array_equal(
                mine.sampler.values[row], its.sampler.values[int(row > 0)]
            )


def test_a_file_without_frames_is_a_skeleton(tmp_path):
    text = SMALL[: SMALL.index("Frames:")] + "Frames: 0\nFrame Time: 0.0333333\n"
    rig = load(written(tmp_path, text)).rig
    assert rig.clips == ()
    assert rig.origin.fps == 30
    assert Deformer(rig).size > 0


@pytest.mark.parametrize(
    ("factor", "unit"), [(1.0, 0.01), (0.01, 1.0), (0.4, 0.0254), (10.0, 0.001)]
)
def test_the_unit_is_guessed_from_the_height(factor, unit, tmp_path):
    text = SMALL.replace("0 100 0", f"0 {80 * factor} 0").replace("0 110 0", f"0 {90 * factor} 0")
    text = text.replace("0 90 0\n1", "0 0 0\n1")
    loaded = load(written(tmp_path, text))
    assert loaded.rig.origin.unit_m == unit
    assert sum("the unit is not stated" in note for note in loaded.notes) == 1


def test_unit_axis_and_rate_can_be_overridden(tmp_path):
    path = written(tmp_path, SMALL)
    plain = load(path).rig
    loaded = load(path, overrides=Overrides(unit_m=0.02, up="Z", fps=60.0))
    rig = loaded.rig
    assert (rig.origin.unit_m, rig.origin.up, rig.origin.fps) == (0.02, "Z", 60.0)
    assert len([note for note in loaded.notes if "is set to" in note]) == 3
    for pose in (rest_pose, lambda r: sample(r, r.clips[0], 0.013)):
        was = model_from_nodes(plain, pose(plain))[:, :3, 3]
        now = model_from_nodes(rig, pose(rig))[:, :3, 3]
        # Z was up: it is Y now, and what pointed along Y goes away from the camera.
        np.testing.assert_allclose(now, 2.0 * was[:, [0, 2, 1]] * (1, 1, -1), atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("OFFSET 0 100 0", "OFFSET 0 many 0", "line 7: wanted a number, found many"),
        ("OFFSET 0 100 0", "OFFSET 0 nan 0", "line 7: wanted a number of a possible size"),
        ("Frame Time: 0.04", "", "wanted FRAME TIME:, found 1"),
        ("Frames: 2\nFrame Time", "Time", "line 16: wanted FRAMES:, found Time"),
        ("Time: 0.04", "Time: 0", "a frame cannot last 0 s"),
        ("1 90 3 90", "1 90 3 9o", "line 19: wanted a number, found 9o"),
        ("CHANNELS 3 Y", "CHANNELS 999999999999 Y", "line 8: wanted a number of channels"),
        ("MOTION", "", "line 16: wanted a joint, OFFSET, CHANNELS or MOTION"),
        ("  }\n}", "  }\n}\nJOINT Other { OFFSET 0 0 0 }", "JOINT Other stands outside a joint"),
        ("Upper Arm.L {", "Upper Arm.L }", "line 6: wanted {, found }"),
        ("  }\n}\n", "  }\n", "line 14: wanted a joint, OFFSET, CHANNELS or MOTION, found MOTION"),
        (" 0\n1 90 3 90 0 0 0 0 0", "\n1 90 3 90 0 0 0 0", "rows have up to 8 numbers for 9 chan"),
        ("End Site", "ROOT Other", "stands below a joint"),
        (
            "MOTION",
            "R" + "\1" * 90,
            "line 15: wanted a joint, OFFSET, CHANNELS or MOTION, found R\\x01",
        ),
    ],
)
def test_a_damaged_text_is_refused_with_its_line(old, new, reason, tmp_path):
    assert reason in str(refusal(written(tmp_path, SMALL.replace(old, new, 1))))


def test_every_truncation_opens_or_is_refused(tmp_path):
    outcomes = set()
    for size in range(len("HIERARCHY"), len(SMALL), 7):
        try:
            load(written(tmp_path, SMALL[:size]))
        except LoadError:
            outcomes.add("refused")
        else:
            outcomes.add("opens")
    assert outcomes == {"opens", "refused"}


def test_keys_that_are_no_numbers_are_left_out(tmp_path):
    text = SMALL.replace("1 90 3 0 0 0", "1 90 3 nan 0 1e99")
    rig = load(written(tmp_path, text)).rig
    assert np.isfinite(model_from_nodes(rig, sample(rig, rig.clips[0], 0.0))).all()


def test_names_in_any_encoding_open(tmp_path):
    text = SMALL.replace("Hips", "Hüfte")
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        rig = load(written(tmp_path, text.encode(encoding))).rig
        assert rig.nodes.names[0] == "Hüfte"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Frames: 2\nFrame Time: ", "Frames:2\r\nFrame\tTime:"),
        ("Frames: 2\nFrame Time: ", "frames : 2\nframe time :\n"),
        ("0 110 0", "0 1.1E+02 0"),
        ("0 0 0 0 90 0", "0 0 0 0\n90 0"),
        ("90 0 0 0 0 0\n", "90 0 0 0 0 0\n\0\0\x1a"),
        ("Frames: 2\nFrame Time: ", "Frames 2\nFrameTime "),
        ("End Site", "EndSite"),
        ("{\n  OFFSET", "{OFFSET"),
        ("110 0\n    }", "110 0}"),
    ],
)
def test_spaces_lines_and_what_fills_a_file_up_do_not_matter(tmp_path, old, new):
    usual = load(written(tmp_path, SMALL))
    other = load(written(tmp_path, SMALL.replace(old, new)))
    assert other.notes == usual.notes
    np.testing.assert_array_equal(other.rig.nodes.translations, usual.rig.nodes.translations)
    for mine, its in zip(other.rig.clips[0].channels, usual.rig.clips[0].channels, strict=True):
        np.testing.assert_array_equal(mine.sampler.times, its.sampler.times)
        np.testing.assert_array_equal(mine.sampler.values, its.sampler.values)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("OFFSET 0 100 0", "OFFSET 0 100 0 90.0 -.5 1e-3", "three numbers of an OFFSET"),
        ("CHANNELS 6", "CHANNELS 3", "more or fewer than they count"),
        ("CHANNELS 3", "channels 6", "more or fewer than they count"),
        ("ROOT Hips", "JOINT Hips", "JOINT Hips stands outside a joint and is taken for ROOT"),
        ("MOTION", "}\nMOTION", "a closing brace too many at the end of the hierarchy is ignored"),
        ("ROOT", "// made { by hand\n # }\nROOT", "lines that begin with # or // are ignored"),
        ("Frames: 2", "Frames: two", "states two frames, and there are 2 rows: all are used"),
        ("Frames: 2", "Frames:", "states no number of frames, and there are 2 rows"),
        ("Frames: 2\n", "", "states no number of frames, and there are 2 rows"),
        ("0 90 0\n1", "0 90 0 7 7\n1", "what stands behind the 9 numbers of a row is ignored"),
    ],
)
def test_what_others_pass_over_is_told_of(tmp_path, old, new, note):
    usual = load(written(tmp_path, SMALL))
    other = load(written(tmp_path, SMALL.replace(old, new)))
    (told,) = set(other.notes) - set(usual.notes)
    assert note in told
    np.testing.assert_array_equal(other.rig.nodes.translations, usual.rig.nodes.translations)
    for mine, its in zip(other.rig.clips[0].channels, usual.rig.clips[0].channels, strict=True):
        assert mine.node == its.node
        np.testing.assert_array_equal(mine.sampler.values, its.sampler.values)


def test_decimal_commas_are_points(tmp_path):
    text = SMALL.replace("0.04", "0,04").replace("OFFSET 0 100 0", "OFFSET 0 100,5 0")
    loaded = load(written(tmp_path, text.replace("90 3 90", "90 3,5 90")))
    assert "decimal commas are read as points" in loaded.notes
    (clip,) = loaded.rig.clips
    assert clip.end == 0.04
    root = clip.channels[0].sampler.values / loaded.rig.origin.unit_m
    np.testing.assert_allclose(root, [[1, 90, 3], [1, 90, 3.5]])


@pytest.mark.parametrize("word", ["-1.#IND", "1.#QNAN0", "-nan(ind)", "nan"])
def test_what_is_no_number_is_no_key(tmp_path, word):
    (clip,) = load(written(tmp_path, SMALL.replace("90 3 90", f"90 {word} 90"))).rig.clips
    assert np.isnan(clip.channels[0].sampler.values).tolist() == [[False] * 3, [False, False, True]]


@pytest.mark.parametrize("end", ["", "MOTION\n"])
def test_a_skeleton_alone_opens(tmp_path, end):
    loaded = load(written(tmp_path, SMALL.split("MOTION", maxsplit=1)[0] + end))
    assert (loaded.rig.nodes.names[0], loaded.rig.clips) == ("Hips", ())
    assert "the file states no motion" in loaded.notes


def test_a_single_frame_may_last_no_time(tmp_path):
    text = SMALL.replace("Frames: 2", "Frames: 1").replace("0.04", "0")
    loaded = load(written(tmp_path, text[: text.rindex("1 90")]))
    assert (loaded.rig.clips[0].end, loaded.rig.origin.fps) == (0.0, None)


def test_angles_in_the_order_of_the_file_are_its_numbers(tmp_path):
    text = SMALL.replace("Frames: 2", "Frames: 3").replace(
        "1 90 3 0 0 0 0 90 0\n1 90 3 90 0 0 0 0 0\n",
        "1 90 3 10 20 30 -15 160 40\n1 90 3 40 50 35 5 200 70\n1 90 3 70 85 40 25 240 80\n",
    )
    rig = load(written(tmp_path, text)).rig
    assert rig.origin.rotation_order("Hips") == "YXZ"
    for name, columns in (("Hips", "ZXY"), ("Upper Arm.L", "YZX")):
        order = rig.origin.rotation_order(name)
        assert order == columns[::-1]
        q = rig.clips[0].curve(rig.nodes.names.index(name), "rotation").values
        found = np.degrees(euler.unwrapped(euler.to_angles(q, order), order))
        rows = np.array([line.split() for line in text.splitlines()[-3:]], dtype=float)
        stated = rows[:, 3:6] if name == "Hips" else rows[:, 6:]
        in_file = found[:, ["XYZ".index(axis) for axis in columns]]
        # The first row may be the other solution, whose second angle runs the other way.
        steps, wanted = np.diff(in_file, axis=0), np.diff(stated, axis=0)
        np.testing.assert_allclose(np.abs(steps), np.abs(wanted), atol=1e-6)
        np.testing.assert_allclose(steps[:, [0, 2]], wanted[:, [0, 2]], atol=1e-6)
