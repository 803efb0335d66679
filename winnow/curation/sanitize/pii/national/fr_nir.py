"""French social security numbers (NIR): sex, year, month, place, rank and a remainder by 97."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

FR_NIR = national_id(
    "fr_nir",
    "mod97",
    Shape(
        r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
        certain=r"[12] [0-9]{2} [0-9]{2} [0-9A-Z]{2} [0-9]{3} [0-9]{3} [0-9]{2}",
    ),
    "nir insee sécu sécurité_sociale securite_sociale numéro_de_sécurité sécurité secu nss carte_vitale vitale",
    stdnum("fr.nir"),
    r"[12] ?[0-9]{2} ?[0-9]{2} ?[0-9][0-9AB] ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
)
