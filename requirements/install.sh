#!/usr/bin/env bash
# Makes .venv hold what the lock says. What is there already stays, so a second run takes no time.
# install.sh all: everything that `make demo` and `make test` need. install.sh core: no training, no tests.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-all}
case $profile in all | core) ;; *) echo "error: PROFILE is '$profile'; use all or core" >&2 && exit 2 ;; esac

fail() { echo "error: $1" >&2 && exit 1; }
is_311() { "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; }

make_environment() {
  local python candidate
  for candidate in python3.11 python3 python; do
    if command -v "$candidate" >/dev/null && is_311 "$candidate"; then python=$candidate && break; fi
  done
  [ -n "${python:-}" ] || fail "Python 3.11 not found; install it (python3.11 on PATH) and run this again"
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    # Debian ships these two apart from its Python.
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "Python's venv is missing: sudo apt-get install python3.11-venv"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3.11-venv >/dev/null
  fi
  echo "making .venv with $("$python" --version)"
  "$python" -m venv .venv || { rm -rf .venv && fail "could not make .venv; see above"; }
}

# step NAME FILES... -- PIP ARGUMENTS...: runs pip unless it ran before with the same content of FILES.
step() {
  local name=$1 files=() stamp
  shift
  while [ "$1" != -- ]; do files+=("$1") && shift; done
  shift
  stamp=.venv/.winnow-$name-$(cat "${files[@]}" | sha256sum | cut -c1-16)
  if [ -e "$stamp" ]; then return; fi
  echo "installing $name"
  .venv/bin/python -m pip install -qq --disable-pip-version-check --no-input "$@"
  rm -f .venv/.winnow-"$name"-*
  touch "$stamp"
}

[ -x .venv/bin/python ] || make_environment
is_311 .venv/bin/python || fail ".venv is not a Python 3.11; remove it (rm -r .venv) and run this again"

if [ "$profile" = core ]; then
  step core requirements/core.txt -- --no-deps --require-hashes --only-binary :all: -r requirements/core.txt
else
  # First, so that what it brings along without hashes is then set to the locked versions.
  step torch requirements/torch.txt -- -r requirements/torch.txt
  step all requirements/torch.txt requirements/all.txt -- --no-deps --require-hashes --only-binary :all: -r requirements/all.txt
  step data requirements/data.txt -- --no-deps --require-hashes --only-binary :all: -r requirements/data.txt
fi
step winnow pyproject.toml -- --no-deps --no-build-isolation --editable .
