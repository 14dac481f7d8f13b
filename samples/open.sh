#!/usr/bin/env bash
# Sets rigview up and opens a sample, or FILE, in the window. Without a display it says so and renders
# the review picture instead.
#
#   bash samples/open.sh [FILE]
set -u
source "$(dirname "${BASH_SOURCE[0]}")/../.ci/setup.sh"

file=${1:-$repository/samples/biped.glb}
install_system && install_python || exit 1

if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
  exec "$environment/bin/rigview" "$file"
fi
name=$(basename "$file")
folder="${XDG_CACHE_HOME:-$HOME/.cache}/rigview"
mkdir -p "$folder" || exit 1
say "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so this is the review picture:"
exec "$environment/bin/rigview" shot "$file" -o "$folder/${name%.*}.review.png"
