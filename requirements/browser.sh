#!/usr/bin/env bash
# The browser tests need Chromium. As root it is installed; otherwise the command is shown and tests go on.
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing chromium for the browser tests"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null ||
    echo "chromium could not be installed; browser tests will be skipped" >&2
else
  echo "no Chromium found, browser tests will be skipped; to have them: sudo apt-get install chromium" >&2
fi
