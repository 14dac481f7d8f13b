"""rigview in Blender: check the active armature, select what is at fault, mend weights and names."""

import contextlib
import subprocess
import tempfile
from pathlib import Path

import bpy

from . import exchange

bl_info = {
    "name": "rigview",
    "author": "rigview",
    "version": (0, 1, 0),
    "blender": (4, 2, 0),
    "location": "3D View > Sidebar > rigview",
    "description": "Check the active armature, select what is at fault, mend weights",
    "category": "Rigging",
}

_ICONS = {"error": "ERROR", "warning": "QUESTION", "info": "INFO"}


class Preferences(bpy.types.AddonPreferences):
    """Where rigview is, and what rigs are checked for."""

    bl_idname = __package__

    program: bpy.props.StringProperty(
        name="Program", subtype="FILE_PATH", description="rigview; empty: the one on the path"
    )
    profile: bpy.props.StringProperty(
        name="Profile", default="gltf", description="Target to check for: rigview rules lists them"
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """Show both fields."""
        self.layout.prop(self, "program")
        self.layout.prop(self, "profile")


class FoundItem(bpy.types.PropertyGroup):
    """One finding, kept with the scene's window manager until the next check."""

    rule: bpy.props.StringProperty()
    severity: bpy.props.StringProperty()
    message: bpy.props.StringProperty()
    object: bpy.props.StringProperty()
    joint: bpy.props.StringProperty()
    vertices: bpy.props.StringProperty()
    can_fix: bpy.props.BoolProperty()


def _preferences(context: bpy.types.Context) -> tuple[str, str]:
    """Return the program and the profile; the defaults where the add-on has no preferences."""
    addon = context.preferences.addons.get(__package__)
    stated = addon.preferences if addon else None
    return (stated.program, stated.profile) if stated else ("", "gltf")


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active armature, or that of the active mesh."""
    active = context.view_layer.objects.active
    if active is None or active.type == "ARMATURE":
        return active
    return active.find_armature()


def skinned_meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the visible meshes that an armature deforms."""
    objects = armature.users_scene[0].objects if armature.users_scene else ()
    return [
        one
        for one in objects
        if one.type == "MESH" and one.find_armature() == armature and one.visible_get()
    ]


@contextlib.contextmanager
def _numbered(meshes: list[bpy.types.Object]):  # noqa: ANN202 - a context
    """Let every vertex carry its number through the export."""
    made = []
    try:
        for data in {one.data for one in meshes}:
            attribute = data.attributes.new(exchange.VERTEX, "FLOAT", "POINT")
            attribute.data.foreach_set("value", [float(v) for v in range(len(data.vertices))])
            made.append((data, attribute.name))
        yield
    finally:
        for data, name in made:
            data.attributes.remove(data.attributes[name])


@contextlib.contextmanager
def _selected(context: bpy.types.Context, objects: list[bpy.types.Object]):  # noqa: ANN202
    """Select objects alone, in object mode, and put mode and selection back."""
    layer = context.view_layer
    active, before = layer.objects.active, [one for one in layer.objects if one.select_get()]
    mode = active.mode if active else "OBJECT"
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for one in before:
        one.select_set(False)
    for one in objects:
        one.select_set(True)
    try:
        yield
    finally:
        for one in objects:
            one.select_set(False)
        for one in before:
            one.select_set(True)
        layer.objects.active = active
        if active and mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


def export(context: bpy.types.Context, armature: bpy.types.Object, path: Path) -> None:
    """Write an armature with its meshes and actions as GLB, vertices numbered as Blender has them."""
    meshes = skinned_meshes(armature)
    with _selected(context, [armature, *meshes]), _numbered(meshes):
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            export_format="GLB",
            use_selection=True,
            export_apply=False,
            export_attributes=True,
            export_all_influences=True,
            export_animations=True,
            export_materials="PLACEHOLDER",
        )


class _Asks:
    """What operators share that ask rigview."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Tell whether there is an armature."""
        return active_armature(context) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do it, and say in a sentence what cannot be done."""
        try:
            told = self.ask(
                context, active_armature(context), Path(bpy.app.tempdir or tempfile.mkdtemp())
            )
        except exchange.ExchangeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, told)
        return {"FINISHED"}


class RIGVIEW_OT_check(_Asks, bpy.types.Operator):
    """Check the active armature and list what is wrong."""

    bl_idname = "rigview.check"
    bl_label = "Check"

    def ask(self, context: bpy.types.Context, armature: bpy.types.Object, folder: Path) -> str:
        """Export, check, and keep the findings."""
        stated, profile = _preferences(context)
        program = exchange.program(stated)
        file = folder / "rigview_check.glb"
        export(context, armature, file)
        found = exchange.check(program, file, profile)
        glb = exchange.Glb(file)
        numbers = {
            place: glb.vertices(attributes) for _, place, _, attributes, _ in glb.primitives()
        }
        owners = {place: node for node, place, _, _, _ in glb.primitives()}
        manager = context.window_manager
        manager.rigview_findings.clear()
        for one in found:
            item = manager.rigview_findings.add()
            item.rule, item.severity, item.message = one.rule, one.severity, one.message
            item.object, item.joint = owners.get(one.object, one.object), one.joint
            item.can_fix = one.can_fix
            if one.object in numbers:
                own = numbers[one.object]
                vertices = {int(own[v]) for v in one.vertices if v < len(own)}
                item.vertices = ",".join(map(str, sorted(vertices)))
        manager.rigview_armature = armature.name
        errors = sum(one.severity == "error" for one in found)
        return f"{len(found)} findings, {errors} of them errors" if found else "Nothing is wrong"


class RIGVIEW_OT_show(bpy.types.Operator):
    """Select the bone and the vertices of a finding."""

    bl_idname = "rigview.show"
    bl_label = "Select"
    bl_options = {"REGISTER", "UNDO"}

    number: bpy.props.IntProperty()

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select vertices in edit mode where there are any, else the bone."""
        manager = context.window_manager
        item = manager.rigview_findings[self.number]
        manager.rigview_index = self.number
        armature = bpy.data.objects.get(manager.rigview_armature)
        if armature is None:
            self.report({"WARNING"}, "The armature is gone: check again")
            return {"CANCELLED"}
        if context.view_layer.objects.active and context.view_layer.objects.active.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for bone in armature.data.bones:
            bone.select = bone.name == item.joint
        if item.joint in armature.data.bones:
            armature.data.bones.active = armature.data.bones[item.joint]
        mesh = bpy.data.objects.get(item.object)
        wanted = [int(v) for v in item.vertices.split(",") if v]
        if mesh is not None and mesh.type == "MESH" and wanted:
            _select_vertices(context, mesh, wanted, item.joint)
        return {"FINISHED"}


def _select_vertices(
    context: bpy.types.Context, mesh: bpy.types.Object, wanted: list[int], joint: str
) -> None:
    data = mesh.data
    data.polygons.foreach_set("select", [False] * len(data.polygons))
    data.edges.foreach_set("select", [False] * len(data.edges))
    chosen = [False] * len(data.vertices)
    for vertex in wanted:
        if vertex < len(chosen):
            chosen[vertex] = True
    data.vertices.foreach_set("select", chosen)
    if joint in mesh.vertex_groups:
        mesh.vertex_groups.active_index = mesh.vertex_groups[joint].index
    for one in context.view_layer.objects:
        one.select_set(one == mesh)
    context.view_layer.objects.active = mesh
    context.tool_settings.mesh_select_mode = (True, False, False)
    bpy.ops.object.mode_set(mode="EDIT")


class RIGVIEW_OT_fix(_Asks, bpy.types.Operator):
    """Take over rigview's fix of weights and names; one undo step."""

    bl_idname = "rigview.fix"
    bl_label = "Fix"

    rules: bpy.props.StringProperty(
        default="exact", description="Rules by id, or all that is exact"
    )

    def ask(self, context: bpy.types.Context, armature: bpy.types.Object, folder: Path) -> str:
        """Export, repair the copy, and take over what changed."""
        program = exchange.program(_preferences(context)[0])
        before, after = folder / "rigview_before.glb", folder / "rigview_after.glb"
        export(context, armature, before)
        exchange.fix(program, before, after, self.rules)
        made = exchange.changes(before, after)
        for name, rows in made.weights.items():
            take_weights(bpy.data.objects[name], rows)
        for bone, name in made.renamed.items():
            if bone in armature.data.bones:
                armature.data.bones[bone].name = name
        bpy.ops.rigview.check()
        vertices = sum(map(len, made.weights.values()))
        if not vertices and not made.renamed:
            return "Nothing that Blender can take changed"
        return f"New weights on {vertices} vertices, {len(made.renamed)} bones renamed"


def take_weights(mesh: bpy.types.Object, rows: dict[int, dict[str, float]]) -> None:
    """Set the weights of vertices: vertex → bone → weight. Groups of no bone are left alone."""
    armature = mesh.find_armature()
    bones = set(armature.data.bones.keys()) if armature else set()
    for vertex, row in rows.items():
        for held in [g.group for g in mesh.data.vertices[vertex].groups]:
            group = mesh.vertex_groups[held]
            if group.name in bones and group.name not in row:
                group.remove([vertex])
        for bone, weight in row.items():
            group = mesh.vertex_groups.get(bone) or mesh.vertex_groups.new(name=bone)
            group.add([vertex], weight, "REPLACE")


class RIGVIEW_OT_open(_Asks, bpy.types.Operator):
    """Open the active armature in rigview's window."""

    bl_idname = "rigview.open"
    bl_label = "Open in rigview"

    def ask(self, context: bpy.types.Context, armature: bpy.types.Object, _folder: Path) -> str:
        """Export beside Blender's own temporary files, and start the window."""
        program = exchange.program(_preferences(context)[0])
        # The window outlives Blender, whose folder of temporary files does not.
        file = (
            Path(tempfile.mkdtemp(prefix="rigview_")) / f"{bpy.path.clean_name(armature.name)}.glb"
        )
        export(context, armature, file)
        subprocess.Popen([program, "open", str(file)])
        return f"Opened {file.name}"


class RIGVIEW_PT_panel(bpy.types.Panel):
    """Buttons, and the findings of the last check."""

    bl_label = "rigview"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "rigview"

    def draw(self, context: bpy.types.Context) -> None:
        """Show the buttons, then a row a finding."""
        layout, manager = self.layout, context.window_manager
        armature = active_armature(context)
        if armature is None:
            layout.label(text="Make an armature or its mesh active", icon="INFO")
            return
        row = layout.row(align=True)
        row.operator("rigview.check", icon="CHECKMARK")
        row.operator("rigview.open", icon="WINDOW")
        if manager.rigview_armature != armature.name:
            return
        if not manager.rigview_findings:
            layout.label(text="Nothing is wrong", icon="CHECKMARK")
            return
        layout.operator("rigview.fix", text="Fix all exact").rules = "exact"
        for number, item in enumerate(manager.rigview_findings):
            box = layout.box()
            top = box.row()
            top.label(text=f"{item.rule}  {item.joint or item.object}", icon=_ICONS[item.severity])
            top.operator("rigview.show", text="", icon="RESTRICT_SELECT_OFF").number = number
            if item.can_fix:
                top.operator("rigview.fix", text="", icon="TOOL_SETTINGS").rules = item.rule
            box.label(text=item.message)


_CLASSES = (
    Preferences,
    FoundItem,
    RIGVIEW_OT_check,
    RIGVIEW_OT_show,
    RIGVIEW_OT_fix,
    RIGVIEW_OT_open,
    RIGVIEW_PT_panel,
)


def register() -> None:
    """Add the panel and its operators."""
    for one in _CLASSES:
        bpy.utils.register_class(one)
    manager = bpy.types.WindowManager
    manager.rigview_findings = bpy.props.CollectionProperty(type=FoundItem)
    manager.rigview_armature = bpy.props.StringProperty()
    manager.rigview_index = bpy.props.IntProperty()


def unregister() -> None:
    """Take them away."""
    manager = bpy.types.WindowManager
    del manager.rigview_findings, manager.rigview_armature, manager.rigview_index
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
