#!/usr/bin/env bash
# Resolves every extra once into lock.txt, then cuts the profiles that `make` installs out of it.
# torch and the CUDA wheels that its PyPI build drags along stay out: torch.txt installs them.
# Versions already locked stay: `requirements/compile.sh --upgrade` (or `--upgrade-package NAME`) moves them.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3.11 -m venv "$tools/venv"
"$tools/venv/bin/python" -m pip install --quiet --disable-pip-version-check "uv==0.13.9"

resolve() {
  env -u UV_FIND_LINKS -u UV_INDEX -u UV_EXTRA_INDEX_URL "$tools/venv/bin/uv" pip compile --no-config --quiet \
    --python-version 3.11 --python-platform x86_64-manylinux_2_28 --no-header --no-annotate \
    --no-emit-index-url --no-emit-find-links "$@"
}

lock() { resolve pyproject.toml --generate-hashes "${machine_wheels[@]}" "$@"; }

resolve pyproject.toml --all-extras -c requirements/torch.txt -o "$tools/everything.txt" >/dev/null
machine_wheels=()
for name in $(grep -oE '^(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z0-9-]+)==' "$tools/everything.txt" | tr -d =); do
  machine_wheels+=(--no-emit-package "$name")
done

lock --all-extras -c requirements/torch.txt -o requirements/lock.txt "$@" >/dev/null
# The profiles may hold nothing that the lock does not, so they resolve under it.
lock --extra core --extra build -c requirements/lock.txt -o requirements/core.txt >/dev/null
lock --extra core --extra build --extra calls --extra pii --extra train --extra dev -c requirements/lock.txt -c requirements/torch.txt \
  -o requirements/all.txt >/dev/null
resolve requirements/data.in --no-deps --generate-hashes -o requirements/data.txt >/dev/null
