"""Which characters and turns the elastic reference is run on: for tuning a method, and for judging it.

Fixed before any method was run on them. A method, or a number in one, may be chosen by the cases of
`TUNING`; what is said of it is measured on those of `JUDGING`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A joint of a character that turns through some angles.

    Parameters
    ----------
    path
        Under the corpus's ``rigs``; ``samples/…`` in this repository.
    role
        Of `planted_deformation.ROLES`: an elbow or a knee bends.
    twist
        Degrees by which the joint twists about its limb as well, in every pose.
    """

    path: str
    role: str
    angles: tuple[int, ...]
    twist: int = 0


# What the bands of the table ask for.
ANGLES = (30, 60, 75, 90, 120, 150)

_FEMALE = "Mesh2Motion+mesh2motion-app/static/models-variation/human-female.glb"
_KNIGHT = (
    "KayKit-Game-Assets+KayKit-Character-Pack-Adventures-1.0/addons/"
    "kaykit_character_pack_adventures/Characters/gltf/Knight.glb"
)
_ARNAUD = "guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx"
_CESIUM = "DRx3D+glTF-Sample-Assets-OLD/Models/CesiumMan/glTF-Binary/CesiumMan.glb"
_MANNEQUIN = "godotengine+godot-demo-projects/3d/ragdoll_physics/characters/mannequiny.glb"
_FORMAL = "trebeljahr+quaternius-showcase/public/glb/modular_women/Formal.glb"

TUNING = (
    Case("samples/biped.glb", "elbow", ANGLES),
    Case("samples/biped.glb", "knee", ANGLES),
    Case(_KNIGHT, "elbow", ANGLES),
    Case("samples/biped.glb", "elbow", (30, 60, 90), twist=90),
)
JUDGING = (
    Case(_FEMALE, "elbow", ANGLES),
    Case(_FEMALE, "knee", ANGLES),
    Case(_ARNAUD, "elbow", ANGLES),
    Case(_ARNAUD, "knee", ANGLES),
    Case(_CESIUM, "elbow", ANGLES),
    Case(_CESIUM, "knee", ANGLES),
    Case(_MANNEQUIN, "elbow", ANGLES),
    Case(_FORMAL, "knee", ANGLES),
    Case(_ARNAUD, "elbow", (30, 60, 90), twist=90),
    Case(_CESIUM, "elbow", (30, 60, 90), twist=90),
)
