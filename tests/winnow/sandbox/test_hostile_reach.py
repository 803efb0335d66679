"""Attacks on what lies outside of a box: files, the network, other processes. None reaches anything."""

import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

# A call by number or by name, of which only the errors are told.
LIBC = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    ctypes.set_errno(0)
    if getattr(libc, name)(*args) == -1: return ctypes.get_errno()
    return 0
"""


@pytest.fixture
def secrets() -> Iterator[list[Path]]:
    """An environment file, a lake and another run's files, which their permissions would let anyone read."""
    top = Path(tempfile.mkdtemp())
    places = [top / name for name in (".env", "lake/raw/part.parquet", "runs/other/answer.txt")]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("SECRET=planted", encoding="ascii")
        place.chmod(0o666)
    for folder in (top, *(path for path in top.rglob("*") if path.is_dir())):
        folder.chmod(0o777)
    yield places
    assert all(place.read_text(encoding="ascii") == "SECRET=planted" for place in places)
    shutil.rmtree(top)


def test_files_of_the_host_cannot_be_read(attack, secrets: list[Path]):
    code = f"""
import os
for path in {[str(place) for place in secrets]} + ["/etc/passwd", "/etc/shadow", "/proc/1/environ", "/sys/kernel"]:
    try: os.stat(path); print("reached", path)
    except OSError: pass
for top, folders, files in os.walk("/"):
    if top.startswith(("/usr", "/tmp", "/dev")): folders.clear(); continue
    for name in files:
        try:
            if b"planted" in open(os.path.join(top, name), "rb").read(1 << 20): print("read", top, name)
        except OSError: pass
print(os.environ.keys() - {{"PATH", "HOME", "LANG", "LC_CTYPE", "PWD", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"}})
"""
    assert attack.run(code).stdout == b"set()\n"


def test_only_named_folders_are_there(attack, shared: Path):
    result = attack.run("import os\nprint(*sorted(os.listdir('/')))")
    there = set(result.stdout.decode().split())
    assert there <= {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "tmp", "usr"} | {
        Path(path).parts[1] for path in (os.sys.base_prefix, shared)
    }
    listing = attack.run("import os\nprint(*os.listdir('/etc'), *os.listdir('/dev'))").stdout.decode().split()
    assert set(listing) <= {"ld.so.cache", "null", "zero", "full", "random", "urandom", "shm"}


def test_no_mount_can_be_made_writable(attack, shared: Path):
    code = f"""{LIBC}
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC = 1, 32, 4096, 16384
for place in ("/", "/usr", "/dev", "/lib", "/bin", "{shared}", "/etc/ld.so.cache", "/tmp"):
    for flags in (MS_REMOUNT, MS_REMOUNT | MS_BIND, MS_BIND | MS_REC):
        if call("mount", b"none" if flags & MS_REMOUNT else b"/tmp", place.encode(), None, flags, None) == 0:
            print("mounted", place, flags)
    for flags in (0, 2):
        if call("umount2", place.encode(), flags) == 0: print("unmounted", place)
for flags in (0x10000000, 0x20000, 0x10020000, 0x10000000 | 0x20000000):
    if call("unshare", flags) == 0: print("unshared", hex(flags))
if call("chroot", b"/tmp") == 0: print("chroot")
if call("setuid", 0) == 0 or call("setgid", 0) == 0: print("setuid")
if call("mknod", b"/tmp/disk", 0o60666, 0xfe00) == 0: print("mknod")
if call("sethostname", b"x", 1) == 0: print("hostname")
for name in ("umount", "mount", "su", "passwd", "newgrp"):
    path = "/usr/bin/" + name
    if os.path.exists(path) and os.path.exists("/usr/bin/id"):
        if os.system(path + " -c id </dev/null 2>/dev/null | grep -q uid=0") == 0: print("suid", name)
"""
    result = attack.run(code)
    assert (result.stdout, result.reason) == (b"", "exit 0")
    assert (shared / "file").read_text(encoding="ascii") == "as it was"


def test_no_bound_path_can_be_written(attack, shared: Path):
    code = f"""
import os, sys
def tried(what, *args):
    try: what(*args)
    except OSError: return
    print("wrote", what, args)
folders = ["/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/dev", "/bin", "/lib", "/home", "/proc", "/sys"]
folders += ["{shared}", "{shared}/inside", sys.base_prefix, os.path.dirname(os.__file__)]
parts = [folder for f in folders for folder in (f, os.path.dirname(f))]
for folder in parts:
    if folder == "/tmp": continue
    tried(open, folder + "/planted", "w")
    tried(os.mkdir, folder + "/planted.d")
    tried(os.symlink, "/tmp", folder + "/planted.l")
    tried(os.mkfifo, folder + "/planted.f")
    tried(os.chmod, folder, 0o777)
    tried(os.utime, folder)
for path in ("{shared}/file", os.__file__, sys.executable, "/etc/ld.so.cache", "/bin/sh"):
    tried(os.open, path, os.O_WRONLY)
    tried(os.open, path, os.O_RDWR | os.O_TRUNC)
    tried(os.truncate, path, 0)
    tried(os.unlink, path)
    tried(os.rename, path, path + ".moved")
    tried(os.chmod, path, 0o777)
    tried(os.utime, path)
    tried(os.link, path, "/tmp/hard")
    tried(os.setxattr, path, "user.x", b"x")
for device in ("/dev/sda", "/dev/vda", "/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/tty"):
    tried(os.open, device, os.O_RDWR)
"""
    assert attack.run(f"print(open('{shared}/file').read())").stdout == b"as it was\n"
    result = attack.run(code)
    assert (result.stdout, result.reason) == (b"", "exit 0")
    assert sorted(path.name for path in shared.iterdir()) == ["file", "inside"]
    assert (shared / "file").read_text(encoding="ascii") == "as it was"


def test_links_lead_nowhere(attack, shared: Path, secrets: list[Path]):
    code = f"""
import os
os.symlink("{secrets[0]}", "soft"); os.symlink("../../../../../../etc/passwd", "up"); os.symlink("/proc/1/root", "root")
for name in ("soft", "up", "root/etc/passwd", "../../../../../../../etc/passwd", "/proc/self/root/etc/passwd"):
    try: open(name).read(); print("read", name)
    except OSError: pass
try: open("soft", "w"); print("wrote")
except OSError: pass
for source in ("{shared}/file", "/usr/bin/env", "{secrets[0]}"):
    try: os.link(source, "hard"); print("linked")
    except OSError: pass
try: os.rename("soft", "{shared}/soft"); print("moved")
except OSError: pass
"""
    assert attack.run(code).stdout == b""


def test_what_a_run_wrote_the_next_does_not_see(attack):
    attack.run("open('/tmp/note', 'w').write('from before'); open('/tmp/box/note', 'w').write('x')")
    code = "import os\nprint([f for t, _, fs in os.walk('/tmp') for f in fs], os.listdir('/dev/shm'))"
    assert attack.run(code).stdout == b"['attack.py'] ['box']\n"


KINDS = {
    "tcp": (socket.AF_INET, socket.SOCK_STREAM),
    "udp": (socket.AF_INET, socket.SOCK_DGRAM),
    "unix": (socket.AF_UNIX, socket.SOCK_STREAM),
    "abstract": (socket.AF_UNIX, socket.SOCK_STREAM),
}


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[dict]:
    """Addresses at which the host listens. None hears anything before the host itself calls each of them."""
    reached: list[str] = []
    made = {kind: socket.socket(*how) for kind, how in KINDS.items()}
    addresses = {"tcp": ("127.0.0.1", 0), "udp": ("127.0.0.1", 0)}
    addresses |= {"unix": str(tmp_path / "s"), "abstract": f"\0winnow-test-{tmp_path}"}
    for kind, listener in made.items():
        listener.bind(addresses[kind])
        listener.settimeout(30)
        if kind != "udp":
            listener.listen()
    os.chmod(addresses["unix"], 0o777)

    def serve(kind: str) -> None:
        if kind == "udp":
            made[kind].recvfrom(10)
        else:
            made[kind].accept()[0].close()
        reached.append(kind)

    threads = [threading.Thread(target=serve, args=(kind,), daemon=True) for kind in made]
    for thread in threads:
        thread.start()
    addresses |= {kind: made[kind].getsockname() for kind in ("tcp", "udp")}
    yield addresses
    assert reached == []
    for kind, how in KINDS.items():
        with socket.socket(*how) as caller:
            caller.connect(addresses[kind])
            if kind == "udp":
                caller.send(b"x")
    for thread in threads:
        thread.join()
    assert sorted(reached) == sorted(KINDS)
    for listener in made.values():
        listener.close()


def test_nothing_is_reached_over_any_socket(attack, listeners: dict):
    code = f"""
import socket
def tried(kind, what):
    try: what()
    except OSError: return
    print("reached", kind)
def tcp(address): socket.create_connection((address, {listeners["tcp"][1]}), timeout=2)
def udp(address): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", (address, {listeners["udp"][1]}))
def unix(address):
    s = socket.socket(socket.AF_UNIX); s.settimeout(2); s.connect(address)
for address in ("127.0.0.1", "10.0.0.1", "192.168.0.1", "8.8.8.8", "169.254.169.254"): tried(address, lambda: tcp(address))
for address in ("10.0.0.1", "8.8.8.8", "255.255.255.255"): tried(address, lambda: udp(address))
tried("unix", lambda: unix({listeners["unix"]!r}))
tried("abstract", lambda: unix({listeners["abstract"]!r}))
tried("raw", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
tried("netlink", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
tried("name", lambda: socket.getaddrinfo("example.com", 80))
try: udp("127.0.0.1")
except OSError: pass
print(socket.if_nameindex())
"""
    result = attack.run(code)
    assert result.stdout == b"[(1, 'lo')]\n"


def test_other_processes_cannot_be_seen_traced_read_or_killed(attack):
    witness = os.getpid()
    code = f"""{LIBC}
import signal
print(os.path.exists("/proc/self"), os.getppid())
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
buffer = ctypes.create_string_buffer(64)
class Vec(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
here, there = Vec(ctypes.addressof(buffer), 64), Vec(0x400000, 64)
for pid in [1, {witness}, {os.getppid()}, *range(3, 400)]:
    if pid == os.getpid(): continue
    for request in (PTRACE_ATTACH, PTRACE_SEIZE):
        if pid != 1 and call("ptrace", request, pid, None, None) == 0: print("traced", pid)
    if pid != 1 and call("process_vm_readv", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) == 0: print("read", pid)
    try:
        if pid != 1: os.kill(pid, 9); print("killed", pid)
    except OSError: pass
    try: os.pidfd_open(pid); pid == 1 or print("pidfd", pid)
    except OSError: pass
if call("mount", b"proc", b"/tmp", b"proc", 0, None) == 0: print("proc")
for who in (signal.SIGKILL,):
    os.kill(1, who)
print("alive")
"""
    result = attack.run(code)
    assert result.stdout == b"False 1\nalive\n"


def test_the_init_of_a_box_can_be_stopped_only_to_its_own_harm(attack):
    code = f"{LIBC}\nprint(call('ptrace', 16, 1, None, None))\nos.kill(-1, 9)\nprint('alive')"
    assert attack.run(code, wall_seconds=3).outcome in ("exited", "signalled", "limit", "sandbox")


def test_nothing_of_the_host_is_inherited(attack):
    """Descriptors, groups, a terminal, the process group and the session of whoever starts the box."""
    read, write = os.pipe()
    os.set_inheritable(write, True)
    code = """
import os
held = []
for fd in range(1024):
    try: os.fstat(fd); held.append(fd)
    except OSError: pass
print(held, os.getgroups(), os.getppid())
try: os.open("/dev/tty", os.O_RDWR); print("tty")
except OSError: pass
"""
    try:
        result = attack.run(code)
    finally:
        os.close(read)
        os.close(write)
    held, rest = result.stdout.decode().split("] ", 1)
    assert held == "[0, 1, 2"
    groups, parent = rest.split("]")
    assert "0" not in groups.strip("[").split(", ")
    assert parent == " 1\n"
    assert attack.run("import fcntl, termios\nfcntl.ioctl(0, termios.TIOCSTI, b'x')").exit_code == 1
