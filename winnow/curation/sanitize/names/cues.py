"""What stands beside a name: words before and after it that say a person is meant, and words that deny it."""

import re
from functools import lru_cache

_REACH = 48
"""How far a cue may reach, in code points."""

_DONE = """
    written|authored|created|developed|designed|implemented|contributed|reviewed|reported|suggested|proposed|requested
  | maintained|approved|signed|assigned|edited|translated|submitted|prepared|posted|sent|owned|described|discovered
  | fixed|committed|ported|adapted|inspired|invented|raised|introduced|given|presented|filed|handled"""
_ROLE = """
    author|maintainer|manager|boss|colleague|coworker|co-worker|teammate|friend|wife|husband|brother|sister|son
  | daughter|mother|father|uncle|aunt|neighbour|neighbor|doctor|teacher|professor|engineer|developer|nurse|lawyer
  | customer|client|patient|employee|candidate|tenant|student|user|owner|reviewer|assignee|contact|director|ceo|cto
  | founder|president|senator|minister|artist|singer|actor|actress|writer|poet|novelist|physicist|mathematician"""
_ACT = """
    says|said|wrote|writes|asked|asks|told|called|calls|emailed|mailed|thinks|thought|suggested|suggests|noticed
  | reported|reports|wants|wanted|lives|lived|works|worked|joined|left|met|moved|replied|reply|answered|pointed
  | found|discovered|proposed|complained|confirmed|mentioned|agreed|signed|approved|reviewed|explained|began|changed
  | was[ ]born|has[ ]been|is[ ]on|is[ ]the|is[ ]our|is[ ]my|will[ ]be|needs|needed|bought|paid|ordered|married
  | died|explains|knows|likes|loves"""
_PAPER = "letter|email|e-mail|message|mail|call|note|gift|invoice|work|paper|report|ticket|request|package|reminder"

_BEFORE = re.compile(
    rf"""(?ix) (?<!\w) (?:
        (?:{_DONE}) [ ](?:by|to|from|with|for)
      | \(c\) | thanks[ ]?(?:to|,)? | thank[ ]you,? | kudos[ ]to | credits?[ ](?:to|go[ ]to)
      | contact | blame | notify | greet | invite[sd]? | ask(?:ed|ing)? | tell | told | e?mail(?:ed)?
      | call(?:ed|ing)? | ping(?:ed)? | cc:? | attn:? | hi | hello | hey | dear | hallo | hola | bonjour | ciao
      | liebe[r]? | named | heard | speak(?:ing)?[ ](?:to|with) | spoke[ ](?:to|with) | talk(?:ed|ing)?[ ](?:to|with)
      | met(?:[ ]with)? | meet(?:ing)?(?:[ ]with)? | follow[ ]up[ ]with | (?:my[ ])?name[ ]is | i['’]?[ ]?a?m
      | this[ ]is | (?:my|our|your|his|her|their|the|a|an)[ ](?:new[ ]|old[ ]|best[ ])?(?:{_ROLE})[,:]?
      | (?:{_ROLE})[ ](?:is|was|named|called) | (?:{_PAPER})[ ](?:to|from|for|by|of|is[ ]for)
    ) [ ]["'“(]? \Z"""
)
_WEAK_BEFORE = re.compile(
    r"""(?ix) (?<!\w) (?: by|from|with|to|for|and|is|owner|via|when|after|because|that|yesterday|today|of|about|did
      | does|has|was|per|under[ ]the[ ]name|&|, ) [ ]["'“(]? \Z"""
)
_AFTER = re.compile(
    rf"""(?ix) ['"”)]? (?:
        [,;\t|][ ]?["']?(?:[\w.+-]{{1,64}}@\w|\d{{4}}-\d\d-\d\d)
      | [ ]from[ ](?-i:[A-Z]) | ,?[ ](?:and|or)[ ](?:I|me|my)\b | ,?[ ]born\b | ,?[ ]who\b | [ ]?<[^<>\s@]{{1,64}}@
      | ['’]s[ ](?:e?mail|phone|address|number|team|desk|birthday|idea|suggestion|patch|opinion)\b
      | ,?[ ](?:also[ ]|just[ ]|still[ ]|already[ ])?(?:{_ACT})\b )"""
)
_LINE_START = re.compile(r"(?:\A|\n)[ \t>#/*-]{0,12}(?:\[[^\]\n]{0,24}\] ?)?\Z")
"""Nothing but a mark between the start of the line and the name; a colon after it makes it a speaker."""

_SCIENCE = r"""
    algorithm|method|theorem|lemma|transform\w{0,8}|distribution|equation|formula|identity|inequality|filter|matrix|matrices
  | test|statistic|distance|index|coefficient|polynomial|series|sequence|law|rule|principle|conjecture|cipher|curve
  | criterion|constant|estimator|kernel|norm|integral|decomposition|factori[sz]ation|approximation|expansion|iteration
  | sampling|scheme|triangle|paradox|notation|procedure|correction|interpolation|quadrature|smoothing|bound|entropy
  | dimension|rounding|primes?|symbol|curvature|shuffle|sieve|constraint|axiom|calculus"""
_THING = r"""
    score|number|function|product|problem|process|model|graph|tree|sort|search|code|coding|cycle|diagram|effect|loss|space
  | set|sum|machine|form|plot|window|hash|field|connection|framework|library|protocol|server|client|database|language
  | license|prize|award|cup|university|college|school|hospital|museum|street|avenue|road|bridge|park|beach|city|airport
  | river|lake|mount|valley|bay|island|division
  | lagoon|mountains?|sign|vowel|consonant|letter|mark|tone|digit"""
_EPONYM = re.compile(
    rf"""(?ix) ['’]s? (?:[ ]\w{{1,14}}){{0,2}} [ ] (?:{_SCIENCE}) (?:e?s)?\b
      | (?-i:[ –-][A-Z][\w-]{{1,20}}(?:['’]s)?){{0,2}} [ ] (?:{_SCIENCE}|{_THING}) (?:e?s)?\b"""
)
_ORGANISATION = re.compile(
    r"""(?ix) ,?[ ] (?: inc|ltd|llc|gmbh|ag|corp|co|plc|b\.?v|s\.?a|s\.?r\.?l|foundation|institute|university|college
      | laborator\w{1,4}|labs?|group|team|project|contributors|authors|developers|software|systems|technologies
      | company|corporation|association|society|consortium|committee|press|publish\w{1,4}|holdings|bank|studios?
      | media|networks?|solutions|services|community|council|department|research ) \b"""
)


_RANGE_AFTER = re.compile(r"[ \w-]{0,24}\.\.\w")
_RANGE_BEFORE = re.compile(r"\w[ ]{0,16}\.\.[\w -]{0,30}\Z")
"""An entry of a table of ranges, as lists of characters are."""


@lru_cache(maxsize=1 << 10)
def _is_before_person(before: str) -> bool:
    return _BEFORE.search(before) is not None


def says_person(text: str, start: int, end: int) -> bool:
    """Whether the words just before or after are such as stand beside persons."""
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    if _is_before_person(before) or _AFTER.match(after):
        return True
    return after[:2] in (": ", ":\n") and _LINE_START.search(before) is not None


def hints_person(text: str, start: int, end: int) -> bool:
    """Whether a preposition or conjunction stands before, as before persons and much else."""
    return _WEAK_BEFORE.search(text[max(0, start - _REACH) : start]) is not None


def denies_person(text: str, start: int, end: int) -> bool:
    """Whether it is the name of a thing, an organisation, an end of a range: Powell's method, the Nobel prize."""
    after = text[end : end + _REACH]
    if _EPONYM.match(after) or _ORGANISATION.match(after):
        return True
    return bool(_RANGE_AFTER.match(after) or _RANGE_BEFORE.search(text[max(0, start - _REACH) : start]))
