"""Rules about the bind where it is not stated: for no joint, or for some only."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.rule import Finding, Fix, Subject, count, rule
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Joints nearer to the identity than this share of the rig's size need no inverse bind matrix.
_IDENTITY = 1e-6


@rule(
    "BND-MISSING",
    title="No inverse bind matrices",
    measures="skins without inverse bind matrices whose joints are not at the origin",
    severity="warning",
    fix="exact",
    needs="skins",
    tree=True,
)
def missing(subject: Subject) -> Iterator[Finding]:
    """A skin without inverse bind matrices whose joints are not at the origin."""
    rig = subject.rig
    for skin, value in enumerate(rig.skins):
        if value.inverse_binds is not None or not value.joints:
            continue
        model = subject.deformer.rest_nodes[list(value.joints)]
        away = np.abs(model - np.eye(4))
        away[:, :3, 3] /= subject.facts.size_of(skin)
        moved = np.flatnonzero(away.max(axis=(1, 2)) > _IDENTITY)
        if not len(moved):
            continue
        joints = tuple(value.joints[i] for i in moved)
        yield Finding(
            skin,
            Sentence(
                "no inverse bind matrices, and {joints} of {number} away from the origin at rest",
                joints=count(len(joints), "joint"),
                number=len(value.joints),
            ),
            skin_label(rig, skin),
            joints=joints,
            value=len(joints),
            limit=0,
            unit="joint",
            explanation="glTF then takes identities: the vertices are stated in the joints' own "
            "space. Several programs guess the bind pose from the rest pose instead. Where an exporter "
            "lost the matrices, writing identities would only hide that.",
            fix=Fix(
                "exact",
                "Write identity matrices",
                partial(write_identities, skin=skin),
                on_request=True,
            ),
        )


def write_identities(rig: Rig, skin: int) -> Rig:
    """State the identities that a skin without inverse bind matrices has anyway."""
    binds = np.tile(np.eye(4), (len(rig.skins[skin].joints), 1, 1))
    return rig.with_skin(skin, replace(rig.skins[skin], inverse_binds=binds))


@rule(
    "BND-COUNT",
    title="Too few inverse bind matrices",
    measures="the number of inverse bind matrices against that of joints",
    severity="error",
    needs="skins",
)
def too_few(subject: Subject) -> Iterator[Finding]:
    """Fewer inverse bind matrices than joints."""
    rig = subject.rig
    for skin, value in enumerate(rig.skins):
        if value.inverse_binds is None or len(value.inverse_binds) >= len(value.joints):
            continue
        without = value.joints[len(value.inverse_binds) :]
        yield Finding(
            skin,
            Sentence(
                "{matrices} for {joints}",
                matrices=count(len(value.inverse_binds), "inverse bind matrix"),
                joints=count(len(value.joints), "joint"),
            ),
            skin_label(rig, skin),
            joints=tuple(without),
            value=len(value.inverse_binds),
            limit=len(value.joints),
            unit="matrix",
            explanation="The joints without a matrix are taken to have been at the mesh's origin.",
            fix=Fix("none", reason="where these joints were is not in the file"),
        )
