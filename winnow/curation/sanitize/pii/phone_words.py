"""Words that say whether a number is a telephone's, in the languages in which people give theirs."""

LABELS = """
whats_app ph mobile_no tel_no phone_no phones_no cell_no contact_no phone phones telephone
telephones tel tele telefon telefono teléfono telefone téléphone telefoon telefonnummer
telefoonnummer telefonnumer telefonszám puhelin puhelinnumero sími τηλέφωνο phonenumber
telephonenumber telno phoneno mobile mobil móvil mobiel mobilnummer mobilenumber cell cellphone
cellular celular cellulare handy handynummer portable kännykkä komórka landline voicemail fax
faxnumber telefax hotline helpline whatsapp viber msisdn sms desk pager rufnummer mob tlf телефон
телефона тел моб мобильный факс номер телефону 电话 電話 手机 手機 携帯 전화 휴대폰 โทร office_phone home_phone
work_phone phone_number contact_number call_back callback_number numéro_de_téléphone
número_de_teléfono numero_di_telefono número_de_telefone office_fax office_line direct_line
switchboard
"""
"""What stands beside a number and means a telephone."""

REQUESTS = """
call_me call_us call_him call_her call_them call_back call_at call_on call_my call_our call_this
ring_me ring_us ring_him ring_her ring_them ring_at ring_on text_me text_us text_him text_her
text_them text_at text_on phone_me phone_us phone_him phone_her phone_them phone_at phone_on dial_me
dial_us dial_him dial_her dial_them dial_at dial_on reach_me reach_us reach_him reach_her reach_them
reached_at reachable_at contact_me contact_us contact_him contact_her contact_them contact_at
contacted_at message_to messages_to messages_from message_from texts_from texts_to answering_at
answering_on answer_at available_at get_me_at my_number his_number her_number our_number your_number
their_number number_is new_number work_number home_number office_number number_to numbers_are
the_number appelez appeler llámame llamar chiamare chiamami ligue ligar anrufen bel erreichen
zadzwoń позвоните звоните joindre bellen soita 拨打 致电
"""
"""What is said before a telephone's number and of little else: the number has to look like one as well."""

HINTS = """
call calls called calling caller kontakt contact contacts number numbers numéro numero número nummer
answer answered answering answers pick_up picked_up reply send sent rang rings reach reached
reachable dial dialed dialled dialing ring text texted texts message messages voicemail line office
home work direct emergency extension ext hello speak talk
"""
"""What is said of telephones and of much else: the number has to be cut into groups, or be in a numbering plan."""

NO_PHONE = """
isbn ar_xiv issn doi rfc arxiv pmid uuid guid sha commit hash timestamp epoch unix seed seeds size bytes
port ports pid uid gid revision bug issue ticket order invoice tracking serial sku vin imei iccid
price total amount balance account iban bic swift version release width height offset card visa
mastercard amex ssn latitude longitude lat lon lng coordinates pixels call_number call_stack
call_site call_id function_call system_call error_code
"""
"""What names a number of another kind."""
