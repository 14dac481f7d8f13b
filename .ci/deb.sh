#!/usr/bin/env bash
# Builds dist/rigview_VERSION_ARCH.deb: the folder that PyInstaller makes in /opt/rigview, with desktop file,
# MIME types and icon. It needs no Python on the machine that it is installed on.
#
#   bash .ci/deb.sh
#   apt-get install ./dist/rigview_*.deb
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
environment=${RIGVIEW_BUILD_ENVIRONMENT:-build/environment}
[ -x "$environment/bin/pyinstaller" ] || {
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet -c .ci/constraints.txt pyinstaller .
}
# What an earlier build has installed may be an older rigview.
"$environment/bin/pip" install --quiet --no-deps --force-reinstall .
"$environment/bin/pyinstaller" --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller \
  resources/packaging/rigview.spec

version=$("dist/rigview/rigview" --version | cut -d' ' -f2)
architecture=$(dpkg --print-architecture)
root=build/deb
rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/opt" "$root/usr/bin"
cp -a dist/rigview "$root/opt/rigview"
ln -s /opt/rigview/rigview "$root/usr/bin/rigview"
install -Dm644 resources/desktop/rigview.desktop "$root/usr/share/applications/rigview.desktop"
install -Dm644 resources/desktop/rigview.xml "$root/usr/share/mime/packages/rigview.xml"
install -Dm644 resources/desktop/rigview.svg "$root/usr/share/icons/hicolor/scalable/apps/rigview.svg"
install -Dm644 LICENSE "$root/usr/share/doc/rigview/copyright"
# The libraries that Qt's wheels leave to the system; rigview/ui/preflight.py names the same.
cat >"$root/DEBIAN/control" <<CONTROL
Package: rigview
Version: $version
Section: graphics
Priority: optional
Architecture: $architecture
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: libgl1, libegl1, libglib2.0-0 | libglib2.0-0t64, libdbus-1-3, libfontconfig1, libxkbcommon0, libxkbcommon-x11-0, libxcb-cursor0, libxcb-icccm4, libxcb-keysyms1, libxcb-shape0, libxcb-image0, libxcb-render-util0, libxcb-util1
Recommends: fonts-inter
Maintainer: rigview contributors <rigview@localhost>
Description: see, check and repair skinned rigs
 Shows linear blend, dual quaternion and compensated skinning side by side, finds what is wrong with a
 rig, and repairs what can be repaired exactly.
CONTROL
dpkg-deb --build --root-owner-group -Zxz -z1 "$root" "dist/rigview_${version}_$architecture.deb" >/dev/null
echo "dist/rigview_${version}_$architecture.deb"
