import pytest

from winnow.curation.sanitize.names.addresses.asian import find


@pytest.mark.parametrize(
    "address",
    ["愛媛県町田市油井24丁目20番16号", "江苏省淑华市永川罗街I座 762328", "北京市朝阳区建国路88号", "경상북도 영동군 테헤란10길 265-87", "97/91 दुर्गा सेनगुप्ता\nअलीगढ 887623", "12 شارع الملك فهد، الرياض"],
)  # fmt: skip
def test_an_address_is_found_whole(address):
    assert any(
        address == f"送到 {address} 。"[start:end]
        for text in [f"送到 {address} 。"]
        for start, end, _ in find(text)
    )


@pytest.mark.parametrize("text", ["返回第 3 行的路径", "第12章の説明", "Row 5", "문서 3 페이지"])
def test_other_numbers_are_none(text):
    assert list(find(text)) == []
