"""The review page: a rig, its clips and our shaders in one HTML file that any browser opens."""
