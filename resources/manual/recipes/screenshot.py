"""Draw a pose under three methods: ``python screenshot.py hero.glb Walk 0.5 hero.png``."""

import sys

import rigview

path, clip, time, out = sys.argv[1:]
loaded = rigview.load(path)
methods = ["lbs", "dqs", "compensated"]
image = rigview.shot(loaded, clip, float(time), methods, size=(1200, 500), shading="heat")
image.save(out)
print(f"wrote {out}, {image.width} × {image.height} pixels")
