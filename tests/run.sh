#!/usr/bin/env bash
# Sets rigview up and runs everything that must pass: formatting, lint, types, import contracts and
# the tests, those of the real window included (under Xvfb). Arguments go to pytest; --thorough runs
# every case.
#
#   bash tests/run.sh [PYTEST ARGUMENTS]
set -u
source "$(dirname "${BASH_SOURCE[0]}")/../.ci/setup.sh"

cd "$repository" || exit 1
# Tests start hundreds of processes: each would compile all modules anew.
unset PYTHONDONTWRITEBYTECODE
install_system tests && install_python dev || exit 1
install_validator
export PATH="$environment/bin:$PATH"

failed=()
step() {
  local name=$1
  shift
  if "$@"; then
    printf 'ok      %s\n' "$name"
  else
    printf 'FAILED  %s\n' "$name"
    failed+=("$name")
  fi
}
step formatting ruff format --check --quiet .
step lint ruff check --quiet .
step types mypy --no-error-summary
step 'import contracts' lint-imports --no-cache
# Windows wait for one another and for timers: one more process than cores keeps the cores at work.
workers=$(($(nproc) < 8 ? $(nproc) + 1 : 8))
step tests python -m pytest -n "$workers" --dist worksteal "$@"

if [ ${#failed[@]} -gt 0 ]; then
  printf 'failed: %s\n' "$(IFS=,; echo "${failed[*]}")"
  exit 1
fi
