"""Names of countries and of the states that the page offers, in English."""

from typing import Final


def _named(text: str) -> dict[str, str]:
    pairs = (entry.strip().partition(" ") for entry in text.replace("\n", " ").split("|"))
    return {code: name.strip() for code, _, name in pairs}


COUNTRY_NAMES: Final = _named("""
AD Andorra | AE United Arab Emirates | AF Afghanistan | AG Antigua & Barbuda | AI Anguilla | AL Albania | AM Armenia |
AO Angola | AQ Antarctica | AR Argentina | AS American Samoa | AT Austria | AU Australia | AW Aruba | AX Åland Islands |
AZ Azerbaijan | BA Bosnia & Herzegovina | BB Barbados | BD Bangladesh | BE Belgium | BF Burkina Faso | BG Bulgaria |
BH Bahrain | BI Burundi | BJ Benin | BL St. Barthélemy | BM Bermuda | BN Brunei | BO Bolivia |
BQ Caribbean Netherlands | BR Brazil | BS Bahamas | BT Bhutan | BV Bouvet Island | BW Botswana | BY Belarus |
BZ Belize | CA Canada | CC Cocos (Keeling) Islands | CD Congo - Kinshasa | CF Central African Republic |
CG Congo - Brazzaville | CH Switzerland | CI Côte d'Ivoire | CK Cook Islands | CL Chile | CM Cameroon | CN China |
CO Colombia | CR Costa Rica | CU Cuba | CV Cape Verde | CW Curaçao | CX Christmas Island | CY Cyprus | CZ Czechia |
DE Germany | DJ Djibouti | DK Denmark | DM Dominica | DO Dominican Republic | DZ Algeria | EC Ecuador | EE Estonia |
EG Egypt | EH Western Sahara | ER Eritrea | ES Spain | ET Ethiopia | FI Finland | FJ Fiji | FK Falkland Islands |
FM Micronesia | FO Faroe Islands | FR France | GA Gabon | GB United Kingdom | GD Grenada | GE Georgia |
GF French Guiana | GG Guernsey | GH Ghana | GI Gibraltar | GL Greenland | GM Gambia | GN Guinea | GP Guadeloupe |
GQ Equatorial Guinea | GR Greece | GS South Georgia & South Sandwich Islands | GT Guatemala | GU Guam |
GW Guinea-Bissau | GY Guyana | HK Hong Kong SAR China | HM Heard & McDonald Islands | HN Honduras | HR Croatia |
HT Haiti | HU Hungary | ID Indonesia | IE Ireland | IL Israel | IM Isle of Man | IN India |
IO British Indian Ocean Territory | IQ Iraq | IR Iran | IS Iceland | IT Italy | JE Jersey | JM Jamaica | JO Jordan |
JP Japan | KE Kenya | KG Kyrgyzstan | KH Cambodia | KI Kiribati | KM Comoros | KN St. Kitts & Nevis | KP North Korea |
KR South Korea | KW Kuwait | KY Cayman Islands | KZ Kazakhstan | LA Laos | LB Lebanon | LC St. Lucia |
LI Liechtenstein | LK Sri Lanka | LR Liberia | LS Lesotho | LT Lithuania | LU Luxembourg | LV Latvia | LY Libya |
MA Morocco | MC Monaco | MD Moldova | ME Montenegro | MF St. Martin | MG Madagascar | MH Marshall Islands |
MK North Macedonia | ML Mali | MM Myanmar (Burma) | MN Mongolia | MO Macao SAR China | MP Northern Mariana Islands |
MQ Martinique | MR Mauritania | MS Montserrat | MT Malta | MU Mauritius | MV Maldives | MW Malawi | MX Mexico |
MY Malaysia | MZ Mozambique | NA Namibia | NC New Caledonia | NE Niger | NF Norfolk Island | NG Nigeria | NI Nicaragua |
NL Netherlands | NO Norway | NP Nepal | NR Nauru | NU Niue | NZ New Zealand | OM Oman | PA Panama | PE Peru |
PF French Polynesia | PG Papua New Guinea | PH Philippines | PK Pakistan | PL Poland | PM St. Pierre & Miquelon |
PN Pitcairn Islands | PR Puerto Rico | PS Palestinian Territories | PT Portugal | PW Palau | PY Paraguay | QA Qatar |
RE Réunion | RO Romania | RS Serbia | RU Russia | RW Rwanda | SA Saudi Arabia | SB Solomon Islands | SC Seychelles |
SD Sudan | SE Sweden | SG Singapore | SH St. Helena | SI Slovenia | SJ Svalbard & Jan Mayen | SK Slovakia |
SL Sierra Leone | SM San Marino | SN Senegal | SO Somalia | SR Suriname | SS South Sudan | ST São Tomé & Príncipe |
SV El Salvador | SX Sint Maarten | SY Syria | SZ Eswatini | TC Turks & Caicos Islands | TD Chad |
TF French Southern Territories | TG Togo | TH Thailand | TJ Tajikistan | TK Tokelau | TL Timor-Leste | TM Turkmenistan |
TN Tunisia | TO Tonga | TR Türkiye | TT Trinidad & Tobago | TV Tuvalu | TW Taiwan | TZ Tanzania | UA Ukraine |
UG Uganda | UM U.S. Outlying Islands | US United States | UY Uruguay | UZ Uzbekistan | VA Vatican City |
VC St. Vincent & Grenadines | VE Venezuela | VG British Virgin Islands | VI U.S. Virgin Islands | VN Vietnam |
VU Vanuatu | WF Wallis & Futuna | WS Samoa | YE Yemen | YT Mayotte | ZA South Africa | ZM Zambia | ZW Zimbabwe
""")

# ISO 3166-2 without the country.
STATES: Final = {
    "US": _named("""
AL Alabama | AK Alaska | AZ Arizona | AR Arkansas | CA California | CO Colorado | CT Connecticut | DE Delaware |
DC District of Columbia | FL Florida | GA Georgia | HI Hawaii | ID Idaho | IL Illinois | IN Indiana | IA Iowa |
KS Kansas | KY Kentucky | LA Louisiana | ME Maine | MD Maryland | MA Massachusetts | MI Michigan | MN Minnesota |
MS Mississippi | MO Missouri | MT Montana | NE Nebraska | NV Nevada | NH New Hampshire | NJ New Jersey | NM New Mexico |
NY New York | NC North Carolina | ND North Dakota | OH Ohio | OK Oklahoma | OR Oregon | PA Pennsylvania |
RI Rhode Island | SC South Carolina | SD South Dakota | TN Tennessee | TX Texas | UT Utah | VT Vermont | VA Virginia |
WA Washington | WV West Virginia | WI Wisconsin | WY Wyoming
"""),
    "CA": _named("""
AB Alberta | BC British Columbia | MB Manitoba | NB New Brunswick | NL Newfoundland and Labrador |
NT Northwest Territories | NS Nova Scotia | NU Nunavut | ON Ontario | PE Prince Edward Island | QC Quebec |
SK Saskatchewan | YT Yukon
"""),
    "AU": _named("""
ACT Australian Capital Territory | NSW New South Wales | NT Northern Territory | QLD Queensland | SA South Australia |
TAS Tasmania | VIC Victoria | WA Western Australia
"""),
    "JP": _named("""
01 Hokkaido | 02 Aomori | 03 Iwate | 04 Miyagi | 05 Akita | 06 Yamagata | 07 Fukushima | 08 Ibaraki | 09 Tochigi |
10 Gunma | 11 Saitama | 12 Chiba | 13 Tokyo | 14 Kanagawa | 15 Niigata | 16 Toyama | 17 Ishikawa | 18 Fukui |
19 Yamanashi | 20 Nagano | 21 Gifu | 22 Shizuoka | 23 Aichi | 24 Mie | 25 Shiga | 26 Kyoto | 27 Osaka | 28 Hyogo |
29 Nara | 30 Wakayama | 31 Tottori | 32 Shimane | 33 Okayama | 34 Hiroshima | 35 Yamaguchi | 36 Tokushima | 37 Kagawa |
38 Ehime | 39 Kochi | 40 Fukuoka | 41 Saga | 42 Nagasaki | 43 Kumamoto | 44 Oita | 45 Miyazaki | 46 Kagoshima |
47 Okinawa
"""),
    "IN": _named("""
AN Andaman and Nicobar Islands | AP Andhra Pradesh | AR Arunachal Pradesh | AS Assam | BR Bihar | CH Chandigarh |
CG Chhattisgarh | DH Dadra and Nagar Haveli and Daman and Diu | DL Delhi | GA Goa | GJ Gujarat | HR Haryana |
HP Himachal Pradesh | JK Jammu and Kashmir | JH Jharkhand | KA Karnataka | KL Kerala | LA Ladakh | LD Lakshadweep |
MP Madhya Pradesh | MH Maharashtra | MN Manipur | ML Meghalaya | MZ Mizoram | NL Nagaland | OD Odisha | PY Puducherry |
PB Punjab | RJ Rajasthan | SK Sikkim | TN Tamil Nadu | TS Telangana | TR Tripura | UP Uttar Pradesh | UK Uttarakhand |
WB West Bengal
"""),
}
