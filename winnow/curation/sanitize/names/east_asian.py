"""Chinese, Japanese and Korean names."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names.cues import hints_person, says_person
from winnow.curation.sanitize.names.hit import NameHit

HAN = "\u3400-\u4dbf\u4e00-\u9fff\u3005"
KANA = "\u3041-\u3096\u30a1-\u30fa\u30fc"
HANGUL = "\uac00-\ud7a3"

_FAMILY = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳"
    "鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊"
    "纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓"
    "郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊惠甄曲家封芮羿储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫"
    "宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵"
    "冉宰郦雍却璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙"
    "东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾毋沙乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓公覃闫肖付佟代苟苑岳帅"
)
"""One-character family names: those of the Hundred Family Names, a primer of the Song dynasty, and ten since."""
_DOUBLE_FAMILY = frozenset(
    ["欧阳", "司马", "上官", "诸葛", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐", "司徒", "夏侯"]
)
_KOREAN_FAMILY = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공"
)
_WORDS = re.compile(
    r"""(?x) 方法|方向|文件|文本|文档|文字|时|项目|安全|单|常|程序|程度|金额|计算|计划|温度|广告|路|空|查|张量
      | 高度|高级|平|全|公|应|成|明确|相|关于|关键|关系|关闭|通|连|解|管理|经过|经济|支|都|国家|利用|从|和|向|于
      | 可|能|后|农|别名|古|终|容|简|益|强|包|步|满|白色|黑|红色|花|双|左|右|家|那|居|易于|乐|米|段|石|边|游戏
      | 权|明|任务|任何|任意|司|宣|封"""
)
"""Words of prose that begin with a character that is also a family name."""
_GREETED = re.compile("世界|你好|您好|大家|各位|朋友|皆さん|みんな|全員|注意|中文|日本語|漢字|汉字")
_HONORIFIC = re.compile(
    "[ ]?(?:先生|女士|小姐|老师|教授|博士|医生|经理|同学|律师|主任|さん|様|さま|氏|くん|君|ちゃん|殿|と申します)"
)
_CUE = re.compile("我叫|我是|名叫|联系|感谢|谢谢|私は|私の名前は|名前は|作者[:：]|姓名[:：]|@")
_CUED = re.compile(
    rf"[{HAN}]{{2,4}}?(?=です|と申します|さん|様|先生|女士|小姐|老师|教授|经理|[^{HAN}]|的|吗|说|在|是|，|\Z)"
)
_HONOURED = re.compile(rf"(?:(?<=[^{HAN}])|\A)[{HAN}]{{1,4}}(?:[ \u3000][{HAN}]{{1,3}})?\Z")
_WORD_BEFORE = re.compile(r"[a-z][a-z][ ]\Z")
_WORD_AFTER = re.compile(r"[ ][a-z/(-]|,[ ]?[a-z\d]|['’]s")
_PARTS = re.compile("[ \u3000・]")
_KOREAN_CUE = re.compile(r"(?:제[ ]이름은|저는|이름은|담당자:?|작성자:?)[ ]?\Z")
_KOREAN_HONORIFIC = re.compile(r"[ ]?(?:씨|님|선생님|입니다|교수|대리|과장|부장)")


def find(text: str, start: int, end: int, latin: bool) -> Iterator[NameHit]:
    """Names in a run of Han and Kana; `latin` says that the text around it is in Latin letters."""
    if latin:
        if _is_island_name(text, start, end):
            yield NameHit(start, end, "person", 0.8)
        return
    low = max(0, start - 4)
    for cue in _CUE.finditer(text, low, end):
        name = _CUED.match(text, cue.end(), min(len(text), cue.end() + 12))
        if name and _is_believed(text, *name.span()):
            yield NameHit(*name.span(), "person", 0.7)
    for honorific in _HONORIFIC.finditer(text, start, min(len(text), end + 5)):
        low = max(0, honorific.start() - 8)
        name = _HONOURED.search(text[low : honorific.start()])
        if name and len(name.group()) > 1:
            yield NameHit(low + name.start(), honorific.start(), "person", 0.7)


def _is_island_name(text: str, start: int, end: int) -> bool:
    run = text[start:end]
    if run[0] < "\u3400":
        return says_person(text, start, end)
    parts = _PARTS.split(run)
    if len(parts) == 2 and max(map(len, parts)) <= 4:
        return True
    if len(parts) == 1 and run[0] in _FAMILY and (len(run) in (2, 3) or run[:2] in _DOUBLE_FAMILY):
        if hints_person(text, start, end):
            return True
        if not _WORDS.match(run) and _is_beside_latin(text, start, end):
            return True
    heading = text[end : end + 1] in (":", "：")
    return len(run) <= 9 and not heading and not _GREETED.match(run) and says_person(text, start, end)


def _is_beside_latin(text: str, start: int, end: int) -> bool:
    """Whether a word in lower case, or a slash or comma of a record, stands right before or after."""
    return bool(
        _WORD_BEFORE.search(text[max(0, start - 3) : start]) or _WORD_AFTER.match(text[end : end + 3])
    )


def _is_believed(text: str, start: int, end: int) -> bool:
    """A family name first, or Japanese grammar after it."""
    if _WORDS.match(text, start, end):
        return False
    return text[start] in _FAMILY or "\u3041" <= text[end : end + 1] <= "\u30ff"


def find_korean(text: str, start: int, end: int, latin: bool) -> Iterator[NameHit]:
    """A family name and one or two syllables where a person is expected."""
    run = text[start:end].replace(" ", "")
    if run[0] not in _KOREAN_FAMILY or not 2 <= len(run) <= 4:
        return
    cued = _KOREAN_CUE.search(text[max(0, start - 8) : start]) or _KOREAN_HONORIFIC.match(text, end)
    if cued or (latin and (says_person(text, start, end) or hints_person(text, start, end))):
        yield NameHit(start, end, "person", 0.75)
