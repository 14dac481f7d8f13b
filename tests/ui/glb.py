"""GLB files changed by hand, for what no sample has."""

import json
import struct

import numpy as np


def parts(data):
    """Return the JSON and the binary chunk of a GLB."""
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), bytearray(data[20 + length + 8 :])


def joined(document, binary):
    """Return the GLB of a JSON document and a binary chunk."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    body += struct.pack("<I4s", len(binary), b"BIN\0") + bytes(binary)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def with_clips_later(data, seconds):
    """Return a GLB whose clips all begin so much later."""
    document, binary = parts(data)
    inputs = {s["input"] for clip in document["animations"] for s in clip["samplers"]}
    for number in inputs:
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        times = np.frombuffer(binary, "<f4", accessor["count"], start) + np.float32(seconds)
        binary[start : start + 4 * len(times)] = times.tobytes()
        accessor["min"], accessor["max"] = [float(times[0])], [float(times[-1])]
    return joined(document, binary)


def without_clips(data):
    """Return a GLB without animation."""
    document, binary = parts(data)
    del document["animations"]
    return joined(document, binary)
