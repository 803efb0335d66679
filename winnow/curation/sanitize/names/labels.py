"""Keys, column titles and labels whose value is a person."""

import re
from functools import lru_cache

_WHO_TEXT = """
customer client patient employee user contact person student guest passenger owner author sender recipient buyer
seller billing shipping cardholder account tenant driver member holder real maintainer reviewer manager
"""
_WHO = _WHO_TEXT.split()
_DONE_TEXT = """
reviewed signed-off co-authored acked reported tested written created authored maintained contributed suggested
approved requested prepared submitted updated modified edited developed designed implemented uploaded posted
"""
_DONE = _DONE_TEXT.split()
_PARTS = ["full", "first", "last", "given", "family", "display", "middle", "maiden", "legal"]

_SURE_WORDS = """
author authors coauthor maintainer maintainers contributor contributors committer reviewer reviewers assignee
fullname firstname lastname surname givenname familyname displayname realname middlename cardholder passenger
recipient attn patient employee contactperson borrower beneficiary attendee requester approver
auteur autrice auteurs autor autora autore autori autoren verfasser verfasserin nom prénom prenom nombre apellido
apellidos nome cognome sobrenome vorname nachname ansprechpartner ansprechpartnerin kunde kundin mitarbeiter imię
imie nazwisko имя фамилия фио автор клиент получатель отправитель 姓名 名字 作者 联系人 客户 收件人 氏名 名前
お名前 著者 担当者 担当 宛先 الاسم اسم المؤلف الكاتب العميل नाम लेखक ग्राहक
"""
_SURE_PHRASES = """
assigned to,account holder,card holder,contact person,co author,nom complet,nom de famille,nombre completo,
nome completo,imię i nazwisko,imie i nazwisko,nome e cognome,vollständiger name
"""
_SURE = frozenset(
    [
        *_SURE_WORDS.split(),
        *(phrase.strip() for phrase in _SURE_PHRASES.split(",")),
        *(
            f"{who} {name}"
            for who in _WHO
            for name in ("name", "full name", "fullname", "first name", "last name")
        ),
        *(f"{done.replace('-', ' ')} by" for done in _DONE),
        *(f"{part} name" for part in _PARTS),
    ]
)
_LIKELY_WORDS = """
user username owner contact customer client reporter manager sender buyer seller creator participant member student
tenant driver login account person assistant guest holder supervisor director editor artist singer actor teacher
doctor nurse engineer developer candidate applicant signed respondent witness
"""
_LIKELY = frozenset(
    [*_LIKELY_WORDS.split(), "user name", "reply to", "led by", "hosted by", "directed by", "on behalf of"]
)
_VAGUE = frozenset(["name", "from", "to", "cc", "bcc", "by", "host", "lead", "speaker", "cn"])
_OF_THINGS_WORDS = """
file class host product service package table column field event project domain path key repo branch group team
company model device node cluster city country brand item metric tag schema database function method module variable
type parameter argument attribute test task job step queue topic bucket image container command option layer tensor
index short long new old default base the a an their this that its each
"""
_OF_THINGS = frozenset(_OF_THINGS_WORDS.split())
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_LETTERS = re.compile(r"[\s_.-]+")


@lru_cache(maxsize=1 << 14)
def trust(title: str) -> int | None:
    """How far a label is believed: 2 where it only ever labels persons, 1 where mostly, 0 where at times.

    >>> trust("customerName"), trust("Reviewed-by"), trust("user"), trust("name"), trust("file name")
    (2, 2, 1, 0, None)
    """
    words = _NOT_LETTERS.sub(" ", _CAMEL.sub(" ", title)).strip().lower()
    if words in _SURE:
        return 2
    if words in _LIKELY:
        return 1
    return 0 if words in _VAGUE else None


def trust_ending(before: str) -> int | None:
    """The same for the label that `before` ends with, which may be up to three words long.

    A word that says whose name is meant takes the trust away: a "class name" is nobody's.
    """
    words = before.split()
    for count in (3, 2, 1):
        found = trust(" ".join(words[-count:])) if len(words) >= count else None
        if found is not None:
            of_thing = count == 1 and found < 2 and len(words) > 1 and words[-2].lower() in _OF_THINGS
            return None if of_thing else found
    return None
