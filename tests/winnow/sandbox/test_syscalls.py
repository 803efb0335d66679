"""The filter of system calls, run here as the kernel would run it."""

import struct

import pytest

from winnow.sandbox.syscalls import REFUSED, refusals

ALLOWED, REFUSED_WITH_EPERM = 0x7FFF0000, 0x00050001
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(program: bytes, architecture: int, number: int) -> int:
    """What a classic BPF machine makes of one call; only the four instructions that the filter uses."""
    instructions = list(struct.iter_unpack("=HBBI", program))
    held, at = 0, 0
    while True:
        code, yes, no, value = instructions[at]
        at += 1
        if code == 0x20:
            held = {0: number, 4: architecture}[value]
        elif code == 0x06:
            return value
        else:
            at += yes if (held == value if code == 0x15 else held >= value) else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_exactly_the_listed_calls_are_refused(machine: str):
    column, architecture = ARCHITECTURES[machine]
    numbers = {call[column] for call in REFUSED.values()}
    program = refusals(machine)
    found = {n for n in range(500) if verdict(program, architecture, n) == REFUSED_WITH_EPERM}
    assert found == numbers
    assert len(numbers) == len(REFUSED)
    assert {verdict(program, architecture, n) for n in set(range(500)) - numbers} == {ALLOWED}


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_another_architecture_on_the_same_machine_is_refused(machine: str):
    _, architecture = ARCHITECTURES[machine]
    program = refusals(machine)
    assert verdict(program, 0x40000003, 1) == REFUSED_WITH_EPERM
    assert verdict(program, architecture, 0x40000000 + 1) == REFUSED_WITH_EPERM


def test_an_unknown_architecture_has_no_filter():
    assert refusals("riscv64") is None
