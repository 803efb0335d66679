"""Belgian national numbers: birth, serial and a remainder by 97."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

BE_NATIONAL_NUMBER = national_id(
    "be_national_number",
    "mod97",
    Shape(r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}|[0-9]{11}", certain=r".*\..*"),
    "rijksregisternummer rijksregister nationaal_nummer registre_national numéro_national niss insz national_number",
    stdnum("be.nn"),
    r"(?i)rijksregister|nationaal|registre national|num.{1,2}ro national|niss|insz|national number"
    r"|[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}",
)
