"""Chilean RUT: seven or eight digits and a check digit or K."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

CL_RUT = national_id(
    "cl_rut",
    "mod11",
    Shape(r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}-?[0-9Kk]", certain=r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]"),
    "rut rol_único",
    stdnum("cl.rut"),
    r"(?i)rut[^a-z]|[0-9]\.[0-9]{3}\.[0-9]{3}-[0-9k]",
)
