"""Tokens of GitHub: personal, OAuth, app and refresh tokens, and the fine-grained kind."""

from winnow.curation.sanitize.detector import Detector, pattern, varied

GITHUB_TOKEN = Detector(
    "github_token",
    "classic",
    ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    pattern(r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    varied(10),
)
GITHUB_FINE_GRAINED = Detector(
    "github_token",
    "fine_grained",
    ("github_pat_",),
    pattern(r"github_pat_[A-Za-z0-9_]{40,255}"),
    varied(16),
)
