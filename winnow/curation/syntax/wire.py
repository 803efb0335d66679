"""What the reader and its child say to each other over two pipes."""

import struct

REQUEST = struct.Struct("<BdII")
"""Index of the grammar, CPU seconds, depth limit, bytes of UTF-8 that follow."""

REPLY = struct.Struct("<BdI")
"""Status, CPU seconds taken, bytes that follow: start, end and kind of each region as 32-bit integers, in code points.

The same follows for each span that the grammar could not read; its kind is the number of kinds.
"""

OK, TOO_DEEP = range(2)
