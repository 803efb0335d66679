"""Addresses in Han, Kana, Hangul, Arabic and Devanagari."""

import re
from collections.abc import Iterator

_HAN = "\u4e00-\u9fff\u3005\u30f6"
_MIXED = f"{_HAN}\u3041-\u30ff"
_FORMS = (
    re.compile(
        rf"""(?x) (?:〒?\d{{3}}-\d{{4}}[ \n]?)? [{_HAN}]{{1,3}}[都道府県][{_MIXED}]{{1,48}}
          \d{{1,4}}(?:丁目|番地?|号|[-−ー])?(?:\d{{1,4}}(?:番地?|号|[-−ー])?){{0,3}}
          (?:[ \u3000][{_MIXED}]{{1,20}}\d{{1,4}}(?:号室)?)?"""
    ),
    re.compile(
        r"""(?x) [\u4e00-\u9fff]{2,8}?(?:省|自治区|市)
          [\u4e00-\u9fff]{1,40}?(?:路|街|道|巷|弄|村|镇|大厦|小区|胡同)[\u4e00-\u9fff]{0,4}
          (?: [A-Za-z]座
            | \d{1,5}(?:号|弄|栋|幢|单元|室|楼|层)?(?:[\u4e00-\u9fff]{0,6}\d{1,5}(?:号|室|楼|层|栋)?){0,3} )
          (?:[ ]?\d{6})?"""
    ),
    re.compile(
        r"""(?x) [가-힣]{2,7}(?:도|시)[ ](?:[가-힣]{1,6}(?:시|군|구)[ ]){0,2}[가-힣\d]{1,12}(?:로|길|동|가|리|대로|거리)
          [ ](?:지하)?\d{1,4}(?:-\d{1,4})?(?:[ ]\([^()\n]{1,20}\))?"""
    ),
    re.compile(
        r"""(?x) \d{1,5}(?:/\d{1,4})?,?[ ][\u0900-\u0963 ]{2,40}[ ,]{0,2}\n?[ \t#*/]{0,6}
          [\u0900-\u0963 ]{2,24}[ -]\d{6}(?!\d)"""
    ),
    re.compile(
        r"""(?x) (?:\d{1,5}[ ،]{1,2})?(?:شارع|طريق|حي|جادة)[ ][\u0620-\u06ff]{2,16}(?:[ ][\u0620-\u06ff]{2,16}){0,3}
          (?: [ ،,]{1,3}(?:رقم[ ])?\d{1,6}
            | [،,][ ][\u0620-\u06ff]{2,16}(?:[ ][\u0620-\u06ff]{2,16}){0,2}(?:[ ]\d{4,6})? )"""
    ),
)
"""Japanese, Chinese, Korean, Hindi, Arabic."""


def find(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, end, confidence) in ascending order within each form."""
    if text.isascii():
        return
    for form in _FORMS:
        for match in form.finditer(text):
            yield *match.span(), 0.9
