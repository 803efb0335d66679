#!/usr/bin/env bash
# Resolves every extra once into lock.txt, then cuts the profiles that `make` installs out of it.
# torch and the CUDA wheels that its PyPI build drags along stay out: torch.txt installs them.
set -euo pipefail
cd "$(dirname "$0")/.."
cuda=$(for p in torch triton cuda-bindings cuda-pathfinder cuda-toolkit nvidia-cublas nvidia-cuda-cupti \
  nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand \
  nvidia-cusolver nvidia-cusparse nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink \
  nvidia-nvshmem-cu13 nvidia-nvtx nvidia-cuda-cccl; do printf -- '--no-emit-package %s ' "$p"; done)
compile() {
  # shellcheck disable=SC2086
  uv pip compile pyproject.toml --python-version 3.11 --generate-hashes --no-header --quiet \
    --no-emit-index-url --no-emit-find-links --no-annotate $cuda "$@"
}
compile --all-extras -c requirements/torch.txt -o requirements/lock.txt
compile --extra core -c requirements/lock.txt -o requirements/core.txt
compile --extra core --extra train --extra dev -c requirements/lock.txt -o requirements/all.txt
