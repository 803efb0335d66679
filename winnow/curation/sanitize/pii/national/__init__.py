"""Numbers that states give to persons: the form, the words that announce it, and the check digits of each."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.national.ar_cuit import AR_CUIT
from winnow.curation.sanitize.pii.national.au_medicare import AU_MEDICARE
from winnow.curation.sanitize.pii.national.au_tfn import AU_TFN
from winnow.curation.sanitize.pii.national.be_national_number import BE_NATIONAL_NUMBER
from winnow.curation.sanitize.pii.national.br_cpf import BR_CPF
from winnow.curation.sanitize.pii.national.ca_sin import CA_SIN
from winnow.curation.sanitize.pii.national.ch_ahv import CH_AHV
from winnow.curation.sanitize.pii.national.cl_rut import CL_RUT
from winnow.curation.sanitize.pii.national.cn_resident_id import CN_RESIDENT_ID
from winnow.curation.sanitize.pii.national.cz_birth_number import CZ_BIRTH_NUMBER
from winnow.curation.sanitize.pii.national.de_tax_id import DE_TAX_ID
from winnow.curation.sanitize.pii.national.dk_cpr import DK_CPR
from winnow.curation.sanitize.pii.national.es_nie import ES_NIE
from winnow.curation.sanitize.pii.national.es_nif import ES_NIF
from winnow.curation.sanitize.pii.national.fi_personal_identity_code import FI_PERSONAL_IDENTITY_CODE
from winnow.curation.sanitize.pii.national.fr_nir import FR_NIR
from winnow.curation.sanitize.pii.national.gr_amka import GR_AMKA
from winnow.curation.sanitize.pii.national.hr_oib import HR_OIB
from winnow.curation.sanitize.pii.national.ie_pps import IE_PPS
from winnow.curation.sanitize.pii.national.il_id_number import IL_ID_NUMBER
from winnow.curation.sanitize.pii.national.in_aadhaar import IN_AADHAAR
from winnow.curation.sanitize.pii.national.in_pan import IN_PAN
from winnow.curation.sanitize.pii.national.it_fiscal_code import IT_FISCAL_CODE
from winnow.curation.sanitize.pii.national.jp_my_number import JP_MY_NUMBER
from winnow.curation.sanitize.pii.national.kr_rrn import KR_RRN
from winnow.curation.sanitize.pii.national.mx_curp import MX_CURP
from winnow.curation.sanitize.pii.national.nl_bsn import NL_BSN
from winnow.curation.sanitize.pii.national.no_fodselsnummer import NO_FODSELSNUMMER
from winnow.curation.sanitize.pii.national.pl_pesel import PL_PESEL
from winnow.curation.sanitize.pii.national.pt_nif import PT_NIF
from winnow.curation.sanitize.pii.national.ro_cnp import RO_CNP
from winnow.curation.sanitize.pii.national.se_personnummer import SE_PERSONNUMMER
from winnow.curation.sanitize.pii.national.sg_nric_fin import SG_NRIC_FIN
from winnow.curation.sanitize.pii.national.th_national_id import TH_NATIONAL_ID
from winnow.curation.sanitize.pii.national.tr_identity_number import TR_IDENTITY_NUMBER
from winnow.curation.sanitize.pii.national.uk_nhs import UK_NHS
from winnow.curation.sanitize.pii.national.uk_nino import UK_NINO
from winnow.curation.sanitize.pii.national.za_id_number import ZA_ID_NUMBER

NATIONAL: tuple[Detector, ...] = (
    AR_CUIT,
    AU_MEDICARE,
    AU_TFN,
    BE_NATIONAL_NUMBER,
    BR_CPF,
    CA_SIN,
    CH_AHV,
    CL_RUT,
    CN_RESIDENT_ID,
    CZ_BIRTH_NUMBER,
    DE_TAX_ID,
    DK_CPR,
    ES_NIE,
    ES_NIF,
    FI_PERSONAL_IDENTITY_CODE,
    FR_NIR,
    GR_AMKA,
    HR_OIB,
    IE_PPS,
    IL_ID_NUMBER,
    IN_AADHAAR,
    IN_PAN,
    IT_FISCAL_CODE,
    JP_MY_NUMBER,
    KR_RRN,
    MX_CURP,
    NL_BSN,
    NO_FODSELSNUMMER,
    PL_PESEL,
    PT_NIF,
    RO_CNP,
    SE_PERSONNUMMER,
    SG_NRIC_FIN,
    TH_NATIONAL_ID,
    TR_IDENTITY_NUMBER,
    UK_NHS,
    UK_NINO,
    ZA_ID_NUMBER,
)
