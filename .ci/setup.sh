# Sourced by samples/open.sh and tests/run.sh: brings a machine to where rigview runs.
# Debian 12 and Ubuntu are set up through apt; elsewhere what is missing is named.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
environment="$repository/.venv"

# What rigview loads at run time, and the Debian package that has it.
run_needs=(
  libGL.so.1:libgl1
  libEGL.so.1:libegl1
  libglib-2.0.so.0:libglib2.0-0
  libdbus-1.so.3:libdbus-1-3
  libfontconfig.so.1:libfontconfig1
  libxkbcommon.so.0:libxkbcommon0
  libxkbcommon-x11.so.0:libxkbcommon-x11-0
  libxcb-cursor.so.0:libxcb-cursor0
  libxcb-icccm.so.4:libxcb-icccm4
  libxcb-keysyms.so.1:libxcb-keysyms1
  libxcb-shape.so.0:libxcb-shape0
  libwayland-cursor.so.0:libwayland-cursor0
  libwayland-egl.so.1:libwayland-egl1
)

say() { printf 'rigview: %s\n' "$*" >&2; }

# Prints the packages that are missing, one a line; "tests" adds what the tests need.
missing_packages() {
  local libraries need
  libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null)
  for need in "${run_needs[@]}"; do
    case "$libraries" in
      *"${need%%:*}"*) ;;
      *) printf '%s\n' "${need##*:}" ;;
    esac
  done
  [ -e /usr/share/fonts/opentype/inter ] || printf 'fonts-inter\n'
  python3 -c 'import ensurepip, venv' 2>/dev/null || printf 'python3-venv\n'
  if [ "${1:-}" = tests ]; then
    command -v Xvfb >/dev/null || printf 'xvfb\n'
    command -v xauth >/dev/null || printf 'xauth\n'
    command -v git >/dev/null || printf 'git\n'
    command -v dbus-daemon >/dev/null || printf 'dbus-daemon\n'
    [ -e /usr/share/dbus-1/services/org.a11y.Bus.service ] || printf 'at-spi2-core\n'
  fi
}

install_system() {
  local packages run_as=()
  packages=$(missing_packages "${1:-}")
  [ -n "$packages" ] || return 0
  packages=$(printf '%s ' $packages)
  if ! command -v apt-get >/dev/null; then
    say "these Debian packages, or what your system calls them, are missing: $packages"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then
      run_as=(sudo)
    else
      say "system packages are missing; install them with: sudo apt-get install $packages"
      return 0
    fi
  fi
  say "installing system packages: $packages"
  "${run_as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null || true
  if ! "${run_as[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $packages >/dev/null; then
    say "apt-get could not install: $packages"
    return 1
  fi
}

# Makes the virtual environment once and again only when pyproject.toml or the versions in
# constraints.txt change; $1 is an extra.
install_python() {
  local extra=${1:-} wanted stamp
  if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    say "Python 3.11 or newer is needed as python3"
    return 1
  fi
  wanted="$(cat "$repository/pyproject.toml" "$repository/.ci/constraints.txt" | cksum) $extra"
  stamp="$environment/.ready${extra:+-$extra}"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    return 0
  fi
  say "installing rigview into .venv"
  [ -x "$environment/bin/python" ] || python3 -m venv "$environment" || return 1
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    -c "$repository/.ci/constraints.txt" -e "$repository${extra:+[$extra]}" || return 1
  printf '%s' "$wanted" >"$stamp"
}

# Puts the validator of Khronos, which tests/io/khronos.py runs, outside the repository. The tests that
# need it are left out where there is no node, or where npm cannot fetch it.
install_validator() {
  local version=2.0.0-dev.3.10 cache="${XDG_CACHE_HOME:-$HOME/.cache}/rigview/node"
  command -v node >/dev/null && command -v npm >/dev/null || return 0
  grep -qsF "\"version\": \"$version\"" "$cache/node_modules/gltf-validator/package.json" && return 0
  say "installing gltf-validator into $cache"
  mkdir -p "$cache" && npm install --silent --no-fund --no-audit --fetch-retries=1 \
    --fetch-timeout=30000 --prefix "$cache" \
    "gltf-validator@$version" >/dev/null || say "npm could not install gltf-validator"
}
