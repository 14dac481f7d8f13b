"""Small Collada documents: a strip of two joints, and curves for them."""


def source(name, values, stride=1, kind="float"):
    text = " ".join(map(str, values))
    array = "float_array" if kind == "float" else "Name_array"
    return (
        f'<source id="{name}"><{array} id="{name}-array" count="{len(values)}">{text}</{array}>'
        f'<technique_common><accessor source="#{name}-array" count="{len(values) // stride}" '
        f'stride="{stride}"/></technique_common></source>'
    )


def sampler(name, times, values, stride=1, kinds=None, **tangents):
    inputs = {"INPUT": f"{name}-in", "OUTPUT": f"{name}-out"}
    text = source(f"{name}-in", times) + source(f"{name}-out", values, stride)
    if kinds:
        inputs["INTERPOLATION"] = f"{name}-kinds"
        text += source(f"{name}-kinds", kinds, kind="name")
    for semantic, numbers in tangents.items():
        inputs[semantic] = f"{name}-{semantic}"
        text += source(inputs[semantic], numbers, len(numbers) // len(times))
    lines = "".join(f'<input semantic="{s}" source="#{i}"/>' for s, i in inputs.items())
    return f'{text}<sampler id="{name}">{lines}</sampler>'


IDENTITY = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
MESH = (
    '<library_geometries><geometry id="g" name="strip"><mesh>'
    + source("p", [0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0], 3)
    + '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
    '<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/>'
    "<vcount>4</vcount><p>0 1 3 2</p></polylist></mesh></geometry></library_geometries>"
)
SKIN = (
    '<library_controllers><controller id="c"><skin source="#g">'
    "<bind_shape_matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>"
    + source("names", ["root", "tip"], kind="name")
    + source("binds", (IDENTITY + " 1 0 0 0 0 1 0 -2 0 0 1 0 0 0 0 1").split(), 16)
    + source("w", [1, 0.5])
    + '<joints><input semantic="JOINT" source="#names"/>'
    '<input semantic="INV_BIND_MATRIX" source="#binds"/></joints>'
    '<vertex_weights count="4"><input semantic="JOINT" source="#names" offset="0"/>'
    '<input semantic="WEIGHT" source="#w" offset="1"/>'
    "<vcount>1 1 1 2</vcount><v>0 0 0 0 1 0 0 1 1 1</v></vertex_weights></skin></controller>"
    "</library_controllers>"
)
SCENE = (
    '<library_visual_scenes><visual_scene id="s"><node id="a" sid="root" name="Root">'
    '<translate sid="t">0 0 0</translate><rotate sid="r">0 0 1 0</rotate>'
    '<node id="b" sid="tip" name="Tip"><matrix sid="m">1 0 0 0 0 1 0 2 0 0 1 0 0 0 0 1</matrix>'
    '</node></node><node id="n"><instance_controller url="#c"><skeleton>#a</skeleton>'
    "</instance_controller></node></visual_scene></library_visual_scenes>"
    '<scene><instance_visual_scene url="#s"/></scene>'
)


def document(*parts, asset='<unit meter="1"/><up_axis>Y_UP</up_axis>'):
    return (
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
        f'version="1.4.1"><asset>{asset}</asset>{"".join(parts)}</COLLADA>'
    )


def animated(*channels):
    return document(
        "<library_animations><animation>",
        *channels,
        "</animation></library_animations>",
        MESH,
        SKIN,
        SCENE,
    )
