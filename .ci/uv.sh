# Sourced by .ci/floors.sh and .ci/lock.sh: puts uv, which resolves versions, into a throwaway folder.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/uv" || exit 1
"$scratch/uv/bin/python" -m pip install -q --disable-pip-version-check 'uv>=0.13,<0.14' || exit 1
uv="$scratch/uv/bin/uv"
cd "$repository" || exit 1
