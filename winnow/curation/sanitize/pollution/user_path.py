r"""The account name in a home directory (`/home/NAME`, `/Users/NAME`, `C:\Users\NAME`), and only the name.

Policy, not redacted: accounts that belong to no person (a CI runner, an image's default user, placeholders).
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector, pattern

_NOBODY_WORDS = """
admin administrator all anonymous app appuser builder circleci coder codespace default default_user
deploy developer docker dummy ec2-user ftp git gitlab-runner gitpod guest home http httpd jenkins
jovyan linuxbrew local main me my myname mysql myuser name nginx nobody node nonroot oracle pi
postgres public root runner runneradmin sandbox service shared somebody someone someuser test
testuser travis ubuntu user user1 user2 user_name username users vagrant vscode vsts web www
www-data xxx xxxx you your your-name your-username your_name your_username yourname yourusername
"""
_NOBODY = frozenset(_NOBODY_WORDS.split())
_FILE = re.compile(
    r".*\.(?:html?|php|js|jsx|tsx?|css|json|xml|aspx?|jsp|md|py|txt|png|svg|vue)\Z", re.IGNORECASE
)


def _is_person(name: str) -> bool:
    return name.lower() not in _NOBODY and not _FILE.match(name)


_HOME = re.compile(r"/(?:home|Users)/(?P<name>[^\W\d][\w-]*+(?:\.[\w-]++)*+)(?![({])")
_IN_PATH = re.compile(r"[\w.%~}\])]\Z")
_FLAG = re.compile(r"(?<![\w-])-[A-Za-z]\Z")


def search_posix(text: str) -> Iterator[tuple[int, int]]:
    """Names after a root that begins a path: not after a host name, but after a flag (`-I/home/ann`).

    A home directly behind a home counts, so that replacing one does not bring up the next.
    """
    last = -1
    for match in _HOME.finditer(text):
        start = match.start()
        before = text[max(0, start - 3) : start]
        if start == last or not _IN_PATH.search(before) or _FLAG.search(before):
            yield match.span("name")
            last = match.end()


POSIX_HOME = Detector("user_name", "posix_home", ("/home/", "/Users/"), search_posix, _is_person)
WINDOWS_HOME = Detector(
    "user_name",
    "windows_home",
    ("Users", "Documents and Settings"),
    pattern(
        r"(?<![A-Za-z0-9])[A-Za-z]:(?:\\{1,4}|/)(?:Users|Documents and Settings)(?:\\{1,4}|/)"
        r"(?P<name>[^\W_][\w.~-]{0,62}(?:(?: [\w.~-]{1,30}){1,2}(?=[\\/]))?)",
        "name",
    ),
    _is_person,
)
