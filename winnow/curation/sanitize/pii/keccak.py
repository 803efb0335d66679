"""Keccak-256 as Ethereum uses it: SHA-3 before the standard changed the padding, so hashlib has none.

Source: FIPS 202, sections 3.2 and 3.3, with the padding of the Keccak submission (one bit, zeros, one bit).
"""

_RATE = 136
_MASK = (1 << 64) - 1


def _round_constants() -> tuple[int, ...]:
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << ((1 << power) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return tuple(constants)


def _steps() -> tuple[tuple[int, int], ...]:
    """Where each lane goes in rho and pi, in the order of travel, and by how much it turns."""
    x, y = 1, 0
    steps = []
    for number in range(24):
        x, y = y, (2 * x + 3 * y) % 5
        steps.append((x + 5 * y, (number + 1) * (number + 2) // 2 % 64))
    return tuple(steps)


_ROUNDS = _round_constants()
_STEPS = _steps()


def keccak256(data: bytes) -> bytes:
    """The 32 bytes of the digest.

    >>> keccak256(b"").hex()[:16]
    'c5d2460186f7233c'
    """
    return sponge(data, 1)


def sponge(data: bytes, mark: int) -> bytes:
    """The 32 bytes after a padding that begins with `mark`: 1 is Keccak-256, 6 is SHA3-256."""
    padded = bytearray(data) + bytes([mark]) + bytes(-(len(data) + 1) % _RATE)
    padded[-1] |= 0x80
    lanes = [0] * 25
    for block in range(0, len(padded), _RATE):
        for lane in range(_RATE // 8):
            lanes[lane] ^= int.from_bytes(padded[block + 8 * lane : block + 8 * lane + 8], "little")
        lanes = _permuted(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def _permuted(lanes: list[int]) -> list[int]:
    for constant in _ROUNDS:
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        spread = [parity[(x - 1) % 5] ^ _turned(parity[(x + 1) % 5], 1) for x in range(5)]
        lanes = [lane ^ spread[place % 5] for place, lane in enumerate(lanes)]
        carried = lanes[1]
        for place, turn in _STEPS:
            lanes[place], carried = _turned(carried, turn), lanes[place]
        lanes = [
            lane ^ (~lanes[place - place % 5 + (place + 1) % 5] & lanes[place - place % 5 + (place + 2) % 5])
            for place, lane in enumerate(lanes)
        ]
        lanes[0] ^= constant
    return lanes


def _turned(lane: int, turn: int) -> int:
    return (lane << turn | lane >> (64 - turn)) & _MASK
