"""On the PYTHONPATH of `dg dev`: its daemon looks at backfills every second, so that a test need not wait for it."""

import sys

if "dagster._daemon" in sys.orig_argv:
    from dagster._daemon import controller

    controller.DEFAULT_DAEMON_INTERVAL_SECONDS = 1
