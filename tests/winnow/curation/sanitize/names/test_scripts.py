import pytest

from winnow.curation.sanitize.names.scripts import find


def found(text):
    return [text[h.start : h.end] for h in find(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# reviewed by 王伟 in May", "王伟"),
        ("我叫王小明，我住在上海", "王小明"),
        ("请联系李娜女士", "李娜"),
        ("ask 佐藤 太郎 about it", "佐藤 太郎"),
        ("田中さんに聞いてください", "田中"),
        ("please email 김민수 today", "김민수"),
        ("contact محمد علي before", "محمد علي"),
        ("ask فاطمة الزهراء", "فاطمة الزهراء"),
        ("by अमित शर्मा in May", "अमित शर्मा"),
        ("Меня зовут Иван Петров", "Иван Петров"),
        ("спросите Анну Сергеевну Коваленко", "Анну Сергеевну Коваленко"),
        ("ask Иван about it", "Иван"),
    ],
)
def test_names_of_other_scripts_are_found_where_a_person_is_expected(text, name):
    assert name in found(text)


@pytest.mark.parametrize(
    "text",
    ["这个方法返回文件的路径", "# 计算张量的平均值", "関数の説明を書く", "Функция возвращает Строку", "'مرحبا'", "print('你好世界')", "Hello 世界", "데이터 처리 방법", "текст в кодировке"],
)  # fmt: skip
def test_prose_of_other_scripts_is_left_alone(text):
    assert found(text) == []
