"""Brazilian CPF: eleven digits, two of them checks; with its dots and dash no word is needed."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

BR_CPF = national_id(
    "br_cpf",
    "mod11",
    Shape(
        r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{9}-?[0-9]{2}",
        certain=r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}",
    ),
    "cpf cadastro_de_pessoas cadastro",
    stdnum("br.cpf"),
    r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-|(?i:cpf|cadastro)",
)
