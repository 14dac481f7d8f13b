"""Names of joints as programs give them: words, sides, and the parts of a body."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.anatomy import Anatomy
from rigview.core.names import body_part, body_parts, mirrored, side, without_side, words
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig

# Skeletons, one joint a line, indented below its parent: its name and the part that it is; "-" is a
# helper, "?" no part of a body. A * stands for the side.
SKELETONS = {
    # Godot class reference, SkeletonProfileHumanoid.
    "Godot": """
Root root
 Hips hips
  *UpperLeg upper_leg
   *LowerLeg lower_leg
    *Foot foot
     *Toes toes
  Spine spine
   Chest spine
    UpperChest spine
     Neck neck
      Head head
       Jaw jaw
       *Eye eye
     *Shoulder clavicle
      *UpperArm upper_arm
       *LowerArm lower_arm
        *Hand hand
         *ThumbMetacarpal thumb
          *ThumbProximal thumb
           *ThumbDistal thumb
         *IndexProximal finger
          *IndexIntermediate finger
           *IndexDistal finger
         *MiddleProximal finger
         *RingProximal finger
         *LittleProximal finger
          *LittleIntermediate finger
""",
    # vrm-specification, VRMC_vrm-1.0, humanoid.md.
    "VRM": """
hips hips
 spine spine
  chest spine
   upperChest spine
    neck neck
     head head
      *Eye eye
      jaw jaw
    *Shoulder clavicle
     *UpperArm upper_arm
      *LowerArm lower_arm
       *Hand hand
        *ThumbMetacarpal thumb
         *ThumbProximal thumb
        *LittleProximal finger
         *LittleDistal finger
 *UpperLeg upper_leg
  *LowerLeg lower_leg
   *Foot foot
    *Toes toes
""",
    # VRoid Studio, whose names VRM's own bones are mapped to.
    "VRoid": """
J_Bip_C_Hips hips
 J_Bip_C_Spine spine
  J_Bip_C_UpperChest spine
   J_Bip_C_Neck neck
    J_Bip_C_Head head
   J_Bip_*_Shoulder clavicle
    J_Bip_*_UpperArm upper_arm
     J_Bip_*_LowerArm lower_arm
      J_Bip_*_Hand hand
       J_Bip_*_Thumb1 thumb
       J_Bip_*_Little1 finger
 J_Bip_*_UpperLeg upper_leg
  J_Bip_*_LowerLeg lower_leg
   J_Bip_*_Foot foot
    J_Bip_*_ToeBase toes
""",
    # Unity scripting reference, HumanBodyBones: thumbs have an intermediate, and no metacarpal.
    "Unity": """
Hips hips
 Spine spine
  Chest spine
   UpperChest spine
    Neck neck
     Head head
      Jaw jaw
    *Shoulder clavicle
     *UpperArm upper_arm
      *LowerArm lower_arm
       *Hand hand
        *ThumbProximal thumb
         *ThumbIntermediate thumb
        *RingIntermediate finger
 *UpperLeg upper_leg
  *LowerLeg lower_leg
   *Foot foot
    *Toes toes
""",
    # Ready Player Me, asset creation guide, "Templates": Mixamo's skeleton, leaf joints included.
    "Mixamo": """
mixamorig:Hips hips
 mixamorig:Spine spine
  mixamorig:Spine1 spine
   mixamorig:Spine2 spine
    mixamorig:Neck neck
     mixamorig:Head head
      mixamorig:HeadTop_End -
    mixamorig:*Shoulder clavicle
     mixamorig:*Arm upper_arm
      mixamorig:*ForeArm lower_arm
       mixamorig:*Hand hand
        mixamorig:*HandThumb1 thumb
         mixamorig:*HandThumb2 thumb
        mixamorig:*HandPinky1 finger
 mixamorig:*UpLeg upper_leg
  mixamorig:*Leg lower_leg
   mixamorig:*Foot foot
    mixamorig:*ToeBase toes
     mixamorig:*Toe_End -
""",
    # As three.js reads it: without the colon.
    "Mixamo in three.js": """
mixamorigHips hips
 mixamorigSpine spine
  mixamorigNeck neck
   mixamorigHead head
  mixamorig*Shoulder clavicle
   mixamorig*Arm upper_arm
    mixamorig*ForeArm lower_arm
     mixamorig*HandIndex1 finger
 mixamorig*UpLeg upper_leg
  mixamorig*Leg lower_leg
""",
    # Unreal Engine 5: Manny, with what corrects its skin.
    "Unreal": """
root root
 pelvis hips
  spine_01 spine
   spine_02 spine
    neck_01 neck
     head head
    clavicle_* clavicle
     clavicle_scap_* -
     upperarm_* upper_arm
      upperarm_correctiveRoot_* -
       upperarm_bck_* -
       upperarm_in_* -
      upperarm_twist_01_* -
       upperarm_twistCor_01_* -
       upperarm_bicep_* -
      lowerarm_* lower_arm
       hand_* hand
        wrist_inner_* -
        thumb_01_* thumb
        index_metacarpal_* palm
         index_01_* finger
        weapon_* -
  thigh_* upper_leg
   thigh_twist_01_* -
   calf_* lower_leg
    foot_* foot
     ball_* toes
 ik_foot_root -
  ik_foot_* -
""",
    # 3ds Max: Biped counts its fingers from the thumb.
    "Biped": """
Bip001 ?
 Bip001 Pelvis hips
  Bip001 Spine spine
   Bip001 Spine1 spine
    Bip001 Neck neck
     Bip001 Head head
      Bip001 HeadNub -
     Bip001 * Clavicle clavicle
      Bip001 * UpperArm upper_arm
       Bip001 * Forearm lower_arm
        Bip001 * Hand hand
         Bip001 * Finger0 thumb
          Bip001 * Finger01 thumb
         Bip001 * Finger1 finger
          Bip001 * Finger11 finger
   Bip001 * Thigh upper_leg
    Bip001 * Calf lower_leg
     Bip001 * Foot foot
      Bip001 * Toe0 toes
       Bip001 * Toe0Nub -
""",
    "Valve": """
ValveBiped.Bip01_Pelvis hips
 ValveBiped.Bip01_Spine spine
  ValveBiped.Bip01_Head1 head
  ValveBiped.Bip01_*_Clavicle clavicle
   ValveBiped.Bip01_*_UpperArm upper_arm
    ValveBiped.Bip01_*_Forearm lower_arm
     ValveBiped.Bip01_*_Hand hand
      ValveBiped.Bip01_*_Finger01 thumb
      ValveBiped.Bip01_*_Finger1 finger
 ValveBiped.Bip01_*_Thigh upper_leg
  ValveBiped.Bip01_*_Calf lower_leg
""",
    # Blender: Rigify's deforming bones.
    "Rigify": """
DEF-spine hips
 DEF-pelvis.* hips
 DEF-thigh.* upper_leg
  DEF-thigh.*.001 upper_leg
   DEF-shin.* lower_leg
    DEF-foot.* foot
     DEF-toe.* toes
 DEF-spine.001 spine
  DEF-neck neck
   DEF-head head
  DEF-shoulder.* clavicle
   DEF-upper_arm.* upper_arm
    DEF-forearm.* lower_arm
     DEF-hand.* hand
      DEF-palm.01.* palm
       DEF-f_index.01.* finger
      DEF-thumb.01.* thumb
""",
    "Character Creator": """
CC_Base_BoneRoot root
 CC_Base_Hip hips
  CC_Base_Pelvis hips
   CC_Base_*_Thigh upper_leg
    CC_Base_*_ThighTwist01 -
    CC_Base_*_Calf lower_leg
     CC_Base_*_Foot foot
      CC_Base_*_ToeBase toes
  CC_Base_Waist spine
   CC_Base_Spine01 spine
    CC_Base_Head head
    CC_Base_*_Clavicle clavicle
     CC_Base_*_Upperarm upper_arm
      CC_Base_*_Forearm lower_arm
       CC_Base_*_Hand hand
        CC_Base_*_Mid1 finger
        CC_Base_*_Thumb1 thumb
""",
    # Daz: Genesis 8.
    "Daz": """
hip hips
 pelvis hips
  *ThighBend upper_leg
   *ThighTwist -
    *Shin lower_leg
     *Foot foot
      *Toe toes
 abdomenLower spine
  chestUpper spine
   *Collar clavicle
    *ShldrBend upper_arm
     *ShldrTwist -
      *ForearmBend lower_arm
       *Hand hand
        *Thumb1 thumb
        *Index1 finger
   neckLower neck
    head head
""",
    # SMPL, and clips of motion capture, call thigh and upper arm by the joints that move them.
    "SMPL": """
pelvis hips
 *_hip upper_leg
  *_knee lower_leg
   *_ankle foot
    *_foot toes
 spine1 spine
  neck neck
   head head
  *_collar clavicle
   *_shoulder upper_arm
    *_elbow lower_arm
     *_wrist hand
      *_hand hand
""",
    "motion capture": """
Hips hips
 *Hip upper_leg
  *Knee lower_leg
   *Ankle foot
 LowerBack spine
  Neck neck
   Head head
  *Shoulder upper_arm
   *Elbow lower_arm
    *Wrist hand
""",
    # As a metarig, and as exporters that keep its names: the whole column is one spine.
    "Rigify's metarig": """
spine hips
 spine.001 spine
  spine.002 spine
   spine.003 spine
    spine.004 neck
     spine.005 neck
      spine.006 head
       face face
        nose face
         nose.001 face
        lip.T.* face
        jaw jaw
        lid.T.* face
         lid.T.*.001 face
        brow.B.* face
        eye.* eye
        tongue face
    shoulder.* clavicle
     upper_arm.* upper_arm
      forearm.* lower_arm
       hand.* hand
        palm.01.* palm
         f_index.01.* finger
         thumb.01.* thumb
    breast.* ?
 pelvis.* hips
 thigh.* upper_leg
  shin.* lower_leg
   foot.* foot
    toe.* toes
    heel.02.* -
""",
    # MotionBuilder's HumanIK, with a character's name before each, feet with toes, and rolls.
    "HumanIK": """
Character1_Reference root
 Character1_Hips hips
  Character1_*UpLeg upper_leg
   Character1_*UpLegRoll -
   Character1_*Leg lower_leg
    Character1_*Foot foot
     Character1_*ToeBase toes
     Character1_*FootIndex1 toes
  Character1_Spine spine
   Character1_Spine1 spine
    Character1_Neck neck
     Character1_Head head
    Character1_*Shoulder clavicle
     Character1_*Arm upper_arm
      Character1_*ArmRoll -
      Character1_*ForeArm lower_arm
       Character1_*Hand hand
        Character1_*HandThumb1 thumb
        Character1_*InHandIndex -
         Character1_*HandIndex1 finger
        Character1_*HandExtraFinger1 finger
""",
    # MakeHuman's default skeleton: its root is the pelvis, its first finger the thumb.
    "MakeHuman": """
root hips
 pelvis.* hips
  upperleg01.* upper_leg
   upperleg02.* upper_leg
    lowerleg01.* lower_leg
     lowerleg02.* lower_leg
      foot.* foot
       toe1-1.* toes
        toe1-2.* toes
 spine05 spine
  spine04 spine
   spine02 spine
    spine01 spine
     neck01 neck
      neck02 neck
       head head
        jaw jaw
         tongue00 face
        levator06.* face
        eye.* eye
         orbicularis03.* face
     clavicle.* clavicle
      shoulder01.* clavicle
       upperarm01.* upper_arm
        upperarm02.* upper_arm
         lowerarm01.* lower_arm
          lowerarm02.* lower_arm
           wrist.* hand
            finger1-1.* thumb
             finger1-2.* thumb
            metacarpal1.* palm
             finger2-1.* finger
             finger3-1.* finger
             finger4-1.* finger
            metacarpal4.* palm
             finger5-1.* finger
""",
    # MikuMikuDance: both sides' bones begin with left or right; D bones bend the skin.
    "MMD": """
全ての親 root
 センター root
  グルーブ root
   腰 hips
    下半身 hips
     *足 upper_leg
      *ひざ lower_leg
       *足首 foot
        *つま先 toes
     *足D upper_leg
      *ひざD lower_leg
       *足首D foot
        *足先EX toes
    上半身 spine
     上半身2 spine
      首 neck
       頭 head
        *目 eye
        両目 eye
        あご jaw
      *肩P -
       *肩 clavicle
        *肩C -
         *腕 upper_arm
          *腕捩 -
           *ひじ lower_arm
            *手捩 -
             *手首 hand
              *親指０ thumb
               *親指１ thumb
              *人指１ finger
               *人指２ finger
              *中指１ finger
              *薬指１ finger
              *小指１ finger
 *足ＩＫ -
  *つま先ＩＫ -
""",
    # The same as its English names and as Blender's mmd_tools write the sides.
    "MMD in English": """
center root
 groove root
  waist root
   lower body hips
    leg_* upper_leg
     knee_* lower_leg
      ankle_* foot
       toe_* toes
   upper body spine
    upper body 2 spine
     neck neck
      head head
     shoulder_* clavicle
      arm_* upper_arm
       arm twist_* -
       elbow_* lower_arm
        wrist_* hand
         thumb0_* thumb
         fore1_* ?
""",
    "MMD in Blender": """
下半身 hips
 足.* upper_leg
  ひざ.* lower_leg
   足首.* foot
上半身 spine
 首 neck
  頭 head
 肩.* clavicle
  腕.* upper_arm
   ひじ.* lower_arm
    手首.* hand
     中指１.* finger
""",
    # Maya by hand, and by Advanced Skeleton, whose middle is M and whose root is the pelvis.
    "Maya": """
root_jnt root
 C_pelvis_jnt hips
  *_leg_jnt upper_leg
   *_knee_jnt lower_leg
    *_ankle_jnt foot
     *_ball_jnt toes
      *_toe_end_jnt -
  C_spine_01_jnt spine
   C_chest_jnt spine
    C_neck_jnt neck
     C_head_jnt head
    *_clav_jnt clavicle
     *_arm_jnt upper_arm
      *_elbow_jnt lower_arm
       *_wrist_jnt hand
        *_index_01_jnt finger
""",
    "Maya in two letters": """
pelvis_bind hips
 *_thigh_bind upper_leg
  *_shin_bind lower_leg
   *_foot_bind foot
 spine_01_bind spine
  neck_bind neck
   head_bind head
  *_clavicle_bind clavicle
   *_upArm_bind upper_arm
    *_loArm_bind lower_arm
     *_hand_bind hand
""",
    "Advanced Skeleton": """
Root_M hips
 Hip_* upper_leg
  HipPart1_* -
  Knee_* lower_leg
   Ankle_* foot
    Toes_* toes
     ToesEnd_* -
 Spine1_M spine
  Chest_M spine
   Neck_M neck
    Head_M head
     Jaw_M jaw
     Eye_* eye
   Scapula_* clavicle
    Shoulder_* upper_arm
     ShoulderPart1_* -
     Elbow_* lower_arm
      Wrist_* hand
       ThumbFinger1_* thumb
       MiddleFinger1_* finger
       Cup_* ?
""",
    # Blender: Auto-Rig Pro's deforming bones.
    "Auto-Rig Pro": """
root.x hips
 thigh_stretch.* upper_leg
  thigh_twist.* -
  leg_stretch.* lower_leg
   foot.* foot
    toes_01.* toes
 spine_01.x spine
  spine_02.x spine
   neck.x neck
    head.x head
   shoulder.* clavicle
    arm_stretch.* upper_arm
     forearm_stretch.* lower_arm
      hand.* hand
       thumb1.* thumb
       index1.* finger
""",
    # Daz: Genesis 1 and 2, and 9.
    "Genesis": """
hip hips
 pelvis hips
  *Thigh upper_leg
   *Shin lower_leg
    *Foot foot
     *Toe toes
 abdomen spine
  abdomen2 spine
   chest spine
    neck neck
     head head
      *Eye eye
      upperJaw jaw
    *Collar clavicle
     *Shldr upper_arm
      *ForeArm lower_arm
       *Hand hand
        *Carpal1 palm
         *Index1 finger
        *Thumb1 thumb
""",
    "Genesis 9": """
hip hips
 pelvis hips
  *_thigh upper_leg
   *_thightwist1 -
   *_shin lower_leg
    *_foot foot
     *_metatarsal ?
      *_toes toes
       *_bigtoe1 toes
 spine1 spine
  spine4 spine
   *_shoulder clavicle
    *_upperarm upper_arm
     *_upperarmtwist1 -
     *_forearm lower_arm
      *_hand hand
       *_indexmetacarpal palm
        *_index1 finger
       *_thumb1 thumb
   *_pectoral -
   neck1 neck
    head head
     lowerjaw jaw
     *_eye eye
""",
}
SIDES = {
    "VRM": ("left", "right"), "SMPL": ("left", "right"), "MMD": ("左", "右"),
    "Maya in two letters": ("lf", "rt"),
    **dict.fromkeys(("Unreal", "Daz", "Auto-Rig Pro", "Genesis", "Genesis 9"), ("l", "r")),
    **dict.fromkeys(("VRoid", "Biped", "Valve", "Rigify", "Rigify's metarig"), ("L", "R")),
    **dict.fromkeys(("Character Creator", "MakeHuman", "Maya", "Advanced Skeleton"), ("L", "R")),
    **dict.fromkeys(("MMD in English", "MMD in Blender"), ("L", "R")),
}  # fmt: skip


def hanging(names, parents):
    """Return a rig of bones without length."""
    count = len(names)
    children = tuple(
        tuple(n for n, parent in enumerate(parents) if parent == node) for node in range(count)
    )
    nodes = Nodes(
        tuple(names),
        children,
        np.zeros((count, 3)),
        np.tile(np.array(quat.IDENTITY), (count, 1)),
        np.ones((count, 3)),
    )
    roots = tuple(n for n, parent in enumerate(parents) if parent < 0)
    return Rig(nodes, (None,) * count, (None,) * count, roots)


def skeleton(name):
    """Return a rig of both sides, and node → (part, side) as the outline says."""
    texts = SIDES.get(name, ("Left", "Right"))
    rows, wanted = [], {}
    last = {}
    for line in SKELETONS[name].strip("\n").splitlines():
        depth = len(line) - len(line.lstrip())
        label, _, known = line.strip().rpartition(" ")
        kinds = (0, 1) if "*" in label else (None,)
        made = {}
        for kind in kinds:
            above = last.get(depth - 1, {})
            parent = above.get(kind, above.get(None, -1))
            wanted[len(rows)] = (known, None if kind is None else ("left", "right")[kind])
            made[kind] = len(rows)
            rows.append((label if kind is None else label.replace("*", texts[kind]), parent))
        last[depth] = made
    labels, parents = zip(*rows, strict=True)
    return hanging(labels, parents), wanted


@pytest.mark.parametrize("name", SKELETONS)
def test_the_joints_of_a_program_are_the_parts_they_are(name):
    rig, wanted = skeleton(name)
    found = body_parts(rig)
    for node, (known, stated) in wanted.items():
        label = rig.nodes.names[node]
        assert side(label) == stated, label
        told = "-" if node not in found else found[node] or "?"
        assert told == known, label


@pytest.mark.parametrize("name", SKELETONS)
def test_the_body_of_a_program_is_found_whole(name):
    rig, wanted = skeleton(name)
    (body,) = Anatomy(rig).humanoids
    assert wanted[body.hips][0] == "hips"
    assert wanted[body.head][0] == "head"
    for pair, known in ((body.arms, "upper_arm"), (body.legs, "upper_leg")):
        assert [wanted[joint] for joint in pair] == [(known, "left"), (known, "right")]
    assert Anatomy(rig).unpaired == ()


def test_a_part_is_told_by_what_is_below_however_many_helpers_are_between():
    # The bones of Genesis and others, with a roll bone, or two, where the word's joint bends.
    names = ["hip", "shoulder_l", "shoulder_roll_l", "roll_l", "forearm_l", "hand_l"]
    names += ["left_hip", "hip_twist_l", "twist_l", "shin_l"]
    parents = [-1, 0, 1, 2, 3, 4, 0, 6, 7, 8]
    found = body_parts(hanging(names, parents))
    assert [found.get(n, "-") for n in range(len(names))] == [
        "hips", "upper_arm", "-", "-", "lower_arm", "hand", "upper_leg", "-", "-", "lower_leg",
    ]  # fmt: skip


def test_of_several_sides_in_a_name_the_last_counts_where_both_of_it_are_there():
    names = (
        "ORG-r_toe.L",
        "ORG-r_toe.R",
        "f_toe.L",
        "f_toe.R",
        "LeftArm.L",
        "RightArm.R",
        "L_eye_R",
    )
    count = len(names)
    none = np.zeros((count, 3))
    nodes = Nodes(names, ((),) * count, none, np.tile((0.0, 0.0, 0.0, 1.0), (count, 1)), none + 1.0)
    anatomy = Anatomy(Rig(nodes, (None,) * count, (None,) * count, tuple(range(count))))
    assert anatomy.pairs == ((0, 1), (2, 3), (4, 5))
    assert anatomy.unpaired == ()
    assert anatomy.sides == {0: "left", 1: "right", 2: "left", 3: "right", 4: "left", 5: "right"}


def test_an_animal_is_no_body():
    rig, _ = skeleton("Unity")
    names = tuple(n.replace("UpperLeg", "BackUpperLeg") for n in rig.nodes.names)
    nodes = Nodes(
        names, rig.nodes.children, rig.nodes.translations, rig.nodes.rotations, rig.nodes.scales
    )
    animal = Rig(nodes, rig.node_meshes, rig.node_skins, rig.roots)
    assert Anatomy(animal).humanoids == ()
    assert {body_parts(animal)[n] for n, name in enumerate(names) if "Back" in name} == {
        "upper_leg"
    }


def test_a_word_for_a_whole_limb_means_the_joint_at_that_place():
    def told(name, *above):
        return body_part(without_side(name), Counter(above))

    assert told("LeftArm") == "upper_arm"
    assert told("LeftArm", "upper_arm") == "lower_arm"
    assert told("LeftLeg") == "upper_leg"
    assert told("LeftLeg", "upper_leg") == "lower_leg"
    assert told("leg_joint_L_5", "upper_leg", "lower_leg", "foot", "toes", "toes") == "toes"
    assert told("Tail.003") == "tail"
    assert told("") is None


def test_a_side_is_heard_without_a_capital_only_before_a_part_of_a_body():
    assert words("Lefthand") == words("LeftHand") == ("left", "hand")
    assert words("rightupleg") == ("right", "upleg")
    assert words("leftover") == ("leftover",)


def test_full_width_letters_and_digits_are_the_plain_ones():
    assert words("左足ＩＫ") == ("左", "足", "ik")
    assert words("左人指１") == words("左人指1")


def test_a_name_of_both_sides_is_on_none():
    assert side("LeftRight") is None
    assert side("L_eye_R") is None
    assert side("Leftover") is None


@given(st.text(max_size=30))
def test_any_name_has_words_and_both_sides_of_a_pair_the_same_but_for_the_side(name):
    assert all(word == word.lower() for word in words(name))
    assert without_side(f"{name}_L") == without_side(f"{name}_R")
    assert mirrored(f"{name}_L") == (*mirrored(name), "r")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("bras gauche", "bras droit"),
        ("jambe gauche.001", "jambe droite.001"),
        ("Arm_links", "Arm_rechts"),
        ("linker Fuß", "rechter Fuß"),
        ("BrazoIzquierdo", "BrazoDerecho"),
        ("mano_sinistra", "mano_destra"),
    ],
)
def test_sides_are_told_in_the_languages_of_riggers(left, right):
    assert (side(left), side(right)) == ("left", "right")
    assert mirrored(left) == words(right)
    assert mirrored(right) == words(left)
