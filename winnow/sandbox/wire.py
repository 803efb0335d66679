"""Plain values as bytes, and frames on a pipe: all that passes between the boxes of a program and of its tests.

This file is also the first part of both guest scripts, so it imports only what starts fast. A value is a tag and
what follows: None, bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, Fraction,
Decimal. A subclass is sent as its base, so whatever it says about its own equality stays behind. A frame is its
length, a kind, a number that an answer repeats, and a value or nothing.
"""

import os
import struct
import sys
from typing import Any

DEEPEST, LARGEST = 100, 8 << 20
# Kinds of frames: what a box is given, what the tests ask, what the program answers, how the tests end.
LOAD, LOADED, CALL, ANSWER, RAISED, TEST, PASSED, FAILED, OVER = b"LlCAXTPFO"
_COUNTED: dict[Any, bytes] = {list: b"[", tuple: b"(", set: b"<", frozenset: b">"}
_MADE: dict[int, Any] = {tag[0]: kind for kind, tag in _COUNTED.items()}
_BASES = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset)


class WireError(ValueError):
    """A value that cannot be sent, or bytes that are no value."""


def encode(value: Any) -> bytes:
    """The bytes of a plain value.

    >>> decode(encode({"a": [1, -2.5, (None, True)], 3: {"x"}}))
    {'a': [1, -2.5, (None, True)], 3: {'x'}}
    """
    out = bytearray()
    _encode(value, out, 0)
    return bytes(out)


def _encode(value: Any, out: bytearray, depth: int) -> None:
    if depth > DEEPEST or len(out) > LARGEST:
        raise WireError("a value is too deep" if depth > DEEPEST else "a value is too large")
    kind = type(value)
    if value is None or value is True or value is False:
        out += b"N" if value is None else b"T" if value else b"F"
    elif kind is int:
        _sized(b"i", value.to_bytes((value.bit_length() + 8) // 8, "big", signed=True), out)
    elif kind is float:
        out += b"f" + struct.pack(">d", value)
    elif kind is complex:
        out += b"c" + struct.pack(">dd", value.real, value.imag)
    elif kind is str:
        _sized(b"s", value.encode("utf-8", "surrogatepass"), out)
    elif kind is bytes:
        _sized(b"b", value, out)
    elif kind in _COUNTED:
        out += _COUNTED[kind] + struct.pack(">I", len(value))
        for item in value:
            _encode(item, out, depth + 1)
    elif kind is dict:
        out += b"{" + struct.pack(">I", len(value))
        for key, item in value.items():
            _encode(key, out, depth + 1)
            _encode(item, out, depth + 1)
    else:
        _encode_other(value, out, depth)


def _encode_other(value: Any, out: bytearray, depth: int) -> None:
    kind = type(value)
    if kind is range:
        out += b"r"
        _encode((value.start, value.stop, value.step), out, depth + 1)
    elif kind is getattr(sys.modules.get("fractions"), "Fraction", None):
        out += b"Q"
        _encode((value.numerator, value.denominator), out, depth + 1)
    elif kind is getattr(sys.modules.get("decimal"), "Decimal", None):
        out += b"D"
        _encode(str(value), out, depth + 1)
    else:
        base = next((base for base in _BASES if isinstance(value, base)), None)
        plain = bytes(value) if base is bytearray else base(value) if base else value
        if type(plain) is kind:
            raise WireError(f"a value of type {kind.__name__} cannot be sent")
        _encode(plain, out, depth + 1)


def _sized(tag: bytes, content: bytes, out: bytearray) -> None:
    if len(content) > LARGEST:
        raise WireError("a value is too large")
    out += tag + struct.pack(">I", len(content)) + content


def scan(data: bytes) -> None:
    """Raises WireError unless `data` is one whole value; builds nothing, so nothing can be hashed or grow."""
    if len(data) > 2 * LARGEST or _end(data, 0, 0) != len(data):
        raise WireError("not one value")


def _end(data: bytes, at: int, depth: int) -> int:
    """Where the value that begins at `at` ends."""
    tag = data[at : at + 1]
    if depth > DEEPEST + 2 or not tag:
        raise WireError("too deep, or cut off")
    if tag in b"NTF":
        return at + 1
    if tag in b"fc":
        return _within(data, at + (9 if tag == b"f" else 17))
    if tag in b"isb":
        return _within(data, at + 5 + _length(data, at))
    if tag in b"rQD":
        return _end(data, at + 1, depth + 1)
    if tag not in b"[(<>{":
        raise WireError("no such tag")
    count = _length(data, at) * (2 if tag == b"{" else 1)
    at += 5
    for _ in range(count):
        at = _end(data, at, depth + 1)
    return at


def _length(data: bytes, at: int) -> int:
    _within(data, at + 5)
    return int.from_bytes(data[at + 1 : at + 5], "big")


def _within(data: bytes, end: int) -> int:
    if end > len(data):
        raise WireError("cut off")
    return end


def decode(data: bytes) -> Any:
    """The value of bytes that `encode` made. Raises WireError for any other."""
    scan(data)
    try:
        return _decode(data, 0)[0]
    except (ValueError, TypeError, ArithmeticError) as error:
        raise WireError(f"{type(error).__name__} in a value") from None


def _decode(data: bytes, at: int) -> tuple[Any, int]:
    tag = data[at]
    if tag in b"NTF":
        return {78: None, 84: True, 70: False}[tag], at + 1
    if tag == 102:  # f
        return struct.unpack_from(">d", data, at + 1)[0], at + 9
    if tag == 99:  # c
        return complex(*struct.unpack_from(">dd", data, at + 1)), at + 17
    if tag in b"rQD":
        inner, end = _decode(data, at + 1)
        return _special(tag, inner), end
    count, at = _length(data, at), at + 5
    if tag in b"isb":
        content = data[at : at + count]
        if tag == 115:  # s
            return content.decode("utf-8", "surrogatepass"), at + count
        return int.from_bytes(content, "big", signed=True) if tag == 105 else content, at + count
    items = []
    for _ in range(2 * count if tag == 123 else count):
        item, at = _decode(data, at)
        items.append(item)
    if tag == 123:  # {
        return dict(zip(items[::2], items[1::2], strict=True)), at
    return items if tag == 91 else _MADE[tag](items), at


def _special(tag: int, inner: Any) -> object:
    if tag == 114:  # r
        return range(*inner)
    if tag == 81:  # Q
        from fractions import Fraction

        return Fraction(*inner)
    from decimal import Decimal

    return Decimal(inner)


def frame(kind: int, number: int, payload: bytes = b"") -> bytes:
    return struct.pack(">IBI", len(payload), kind, number) + payload


HEAD = struct.calcsize(">IBI")


def head(data: bytes) -> tuple[int, int, int]:
    """Length of the payload, kind and number of a frame."""
    return struct.unpack(">IBI", data)


def read_frame(descriptor: int) -> tuple[int, int, bytes]:
    """The next frame of a pipe: kind, number, payload. Raises EOFError where there is none."""
    length, kind, number = head(_exactly(descriptor, HEAD))
    return kind, number, _exactly(descriptor, length)


def _exactly(descriptor: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_frame(descriptor: int, kind: int, number: int, payload: bytes = b"") -> None:
    left = memoryview(frame(kind, number, payload))
    while left:
        left = left[os.write(descriptor, left) :]
