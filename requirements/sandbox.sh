#!/usr/bin/env bash
# The sandbox needs bubblewrap. Without it everything else works, and what runs code says how to get it.
set -euo pipefail
if command -v bwrap >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing bubblewrap for the sandbox"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bubblewrap >/dev/null; } ||
    echo "bubblewrap could not be installed; code is not run until it is: apt-get install bubblewrap" >&2
else
  echo "no bubblewrap found, code is not run until it is there: sudo apt-get install bubblewrap" >&2
fi
