#!/usr/bin/env bash
# Writes .ci/constraints.txt anew: one version of every package that rigview and its tests need, for every
# Python and system that they run on. .ci/setup.sh installs by it.
#
#   bash .ci/lock.sh [--upgrade]
set -u
source "$(dirname "${BASH_SOURCE[0]}")/uv.sh"

"$uv" pip compile -q --universal --all-extras --python-version 3.11 --no-annotate \
  --custom-compile-command 'bash .ci/lock.sh --upgrade' "$@" \
  pyproject.toml -o .ci/constraints.txt
