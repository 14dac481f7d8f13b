#!/usr/bin/env bash
# Runs the tests on the oldest versions of all direct dependencies that pyproject.toml allows, in a
# throwaway environment. No part of every run: it downloads a second set of packages. Arguments go to pytest.
#
#   bash .ci/floors.sh [PYTEST ARGUMENTS]
set -u
source "$(dirname "${BASH_SOURCE[0]}")/uv.sh"

"$uv" venv -q --python "$(command -v python3)" "$scratch/floors" || exit 1
VIRTUAL_ENV="$scratch/floors" "$uv" pip install -q --resolution lowest-direct -e '.[dev]' || exit 1
VIRTUAL_ENV="$scratch/floors" "$uv" pip list 2>/dev/null
export PATH="$scratch/floors/bin:$PATH"
python -m pytest -n auto --maxprocesses 8 --dist worksteal "$@"
