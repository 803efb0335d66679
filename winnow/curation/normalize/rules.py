"""The rules under which `normalize` parks or flags a record."""

PARKED = {
    "malformed-json": "The record is not one JSON value.",
    "duplicate-json-key": "An object holds the same key twice.",
    "not-an-object": "The record is a JSON value but no object.",
    "missing-field": "Neither messages nor text, or a message without its role, content or call name.",
    "field-type": "A field holds another type than its place asks for.",
    "unknown-role": "A role other than system, developer, user, assistant, tool or function.",
    "empty-messages": "The list of messages is empty.",
    "empty": "There is no text and no call but blanks.",
    "non-text-content": "A content part that is not text: an image, a file, a tool block.",
    "too-deep": "Values nested deeper than MAX_DEPTH.",
    "invalid-utf8": "The bytes are not UTF-8.",
    "invalid-encoding": "A Python file's declared encoding is unknown, or does not fit its bytes.",
    "nul-byte": "A NUL stands in the text.",
    "lone-surrogate": "Half of a surrogate pair stands in the text, which no encoding can write.",
}
FLAGGED = {
    "bom-removed": "A UTF-8 byte order mark at the start of a file was removed.",
    "declared-encoding": "A Python file was decoded by the encoding that it declares.",
    "role-mapped": "Role `developer` became `system`, or `function` became `tool`.",
    "parts-joined": "Several text parts of one content were joined by newlines.",
    "arguments-as-text": "The arguments of a call came as an object and became JSON text.",
    "arguments-not-object": "The arguments of a call are text, but not the JSON text of an object.",
    "unmapped-field": "A message, part or call holds a field without a place in the row form, or the "
    "record has text or a language beside its messages, or tools beside its text; what is left out stays "
    "in raw.",
}
MAX_DEPTH = 100


class ParkError(Exception):
    """The record cannot become a row; `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule
