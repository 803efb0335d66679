"""The rule by which an interval of worsening promotes a candidate or does not."""

from typing import Literal

from evaluation.outcomes import Scale

Verdict = Literal["promote", "reject", "inconclusive"]
THRESHOLD = 0.05
# Resampling fewer items than this says nothing about other items
MIN_ITEMS = 8


def judge(
    low: float, high: float, threshold: float = THRESHOLD, n: int = MIN_ITEMS, min_items: int = MIN_ITEMS
) -> Verdict:
    """`promote`: the interval is wholly at or below the threshold; `reject`: wholly above; or `inconclusive`.

    >>> judge(-0.2, 0.05), judge(0.051, 0.3), judge(0.0, 0.06)
    ('promote', 'reject', 'inconclusive')
    """
    if n < min_items:
        return "inconclusive"
    if high <= threshold:
        return "promote"
    return "reject" if low > threshold else "inconclusive"


def reason_of(
    verdict: Verdict,
    low: float,
    high: float,
    threshold: float,
    n: int,
    min_items: int = MIN_ITEMS,
    scale: Scale = "relative",
) -> str:
    """Why `judge` came to this verdict; a relative worsening reads in percent, an absolute one as it is."""
    if n < min_items:
        return f"{n} items; {min_items} are needed to judge"
    share = scale == "relative"
    limit = f"{100 * threshold:g}%" if share else f"{threshold:g}"
    bounds = f"{low:+.2%}, {high:+.2%}" if share else f"{low:+.3f}, {high:+.3f}"
    place = {
        "promote": f"lies wholly at or below {limit}",
        "reject": f"lies wholly above {limit}",
        "inconclusive": f"reaches beyond {limit}",
    }[verdict]
    return f"the interval of {scale} worsening [{bounds}] {place}"
