"""Currencies that the reference gateway knows, and how many decimals an amount of each is written with."""

from typing import Final


def _codes(text: str) -> list[str]:
    return text.split()


_TWO_DECIMALS: Final = _codes("""
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS
INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP
SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWL ZWG
""")
_NO_MINOR_UNIT: Final = _codes("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF")
_THREE_DECIMALS: Final = _codes("BHD IQD JOD KWD LYD OMR TND")
_FOUR_DECIMALS: Final = _codes("CLF UYW")

EXPONENTS: Final = {
    **dict.fromkeys(_TWO_DECIMALS, 2),
    **dict.fromkeys(_NO_MINOR_UNIT, 0),
    **dict.fromkeys(_THREE_DECIMALS, 3),
    **dict.fromkeys(_FOUR_DECIMALS, 4),
}
CRYPTO: Final = {
    "BTC": 8,
    "ETH": 8,
    "LTC": 8,
    "BCH": 8,
    "BTG": 8,
    "USDT": 6,
    "USDC": 6,
    "DAI": 8,
    "DOGE": 8,
    "MATIC": 8,
    "USDTRC": 6,
}
