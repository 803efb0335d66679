import pytest

from winnow.curation.sanitize.names import may_hold_name

PROSE = [
    "Return the parsed header, or None when the stream is closed.",
    "# TODO: remove this once Python 3.8 is gone",
    "Apache Kafka and Redis must be running on Ubuntu.",
    "Raises ValueError if `x` is negative. See RFC 2616 and https://example.org/Foo",
    "How do I sort a list of dictionaries by a key in Python?",
    "sha256:9f86d081884c7d659a2feaa0c55ad015",
    "Uses Dijkstra's algorithm to find the shortest path.",
    "The Gaussian kernel of the Fourier transform",
]
LOWER_AND_FOREIGN = (
    """
nijito asano|siobhan kovalenko|pavel hrubesch|ludwig oosterhuis|fatima benkirane|priya venkataraman|tomasz wojciechowski
ngozi okonkwo|thabo mokoena|yusuf karahan|ingrid solheim|mateo quintanilla|chiara bellandi|oksana hrytsenko
王伟|李娜|欧阳锋|佐藤 太郎|鈴木 花子|김민수|박지영|محمد علي|فاطمة الزهراء|خالد بن سعيد|अमित शर्मा|प्रिया वर्मा|राजेश कुमार
Иван Петров|Анна Сергеевна Коваленко|Олена Шевченко|Дмитрий Медведев|Γιώργος Παπαδόπουλος|Ελένη Νικολάου|דוד כהן|שרה לוי
สมชาย ใจดี|Nguyễn Văn An|Žofie Dvořáková|Øyvind Bjørnstad|Łukasz Wiśniewski
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.mark.parametrize("text", PROSE)
def test_technical_prose_is_skipped(text):
    assert not may_hold_name(text)


@pytest.mark.parametrize("name", LOWER_AND_FOREIGN)
@pytest.mark.parametrize(
    "context", ["have you talked to {} about the release?", "# contact {} before changing this"]
)
def test_names_without_capitals_and_of_other_scripts_pass(name, context):
    assert len(LOWER_AND_FOREIGN) == 40
    assert may_hold_name(context.format(name))
