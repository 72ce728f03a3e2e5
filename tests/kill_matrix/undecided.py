"""What cannot be decided on a variation, where that is known and right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

UNDECIDED: Final[Mapping[str, frozenset[str]]] = {
    "apm-payments-decided-in-background": frozenset({"APM-ANS-02", "APM-ANS-03", "APM-ANS-04", "APM-C2V-35"}),
    "apm-authorizations-confirmed-a-moment-later": frozenset({"APM-ANS-03"}),
    "apm-authorizations-confirmed-unnoticed": frozenset({"APM-CAP-01", "APM-VOI-05"}),
    "card-payments-decided-in-background": frozenset(
        {"S2C-ANS-02", "S2C-ANS-03", "S2C-ANS-04", "S2C-ANS-05", "S2C-CAP-03", "S2C-DEB-05", "S2C-DEB-08"}
        | {"S2C-PAY-04", "S2C-PAY-05", "S2C-PAY-11", "S2C-PAY-12"}
    ),
    "scheduled-charges-by-schedule-id": frozenset({"CHK-SCH-03", "CHK-SCH-05", "CHK-SCH-06", "CHK-SCH-07"}),
    "callbacks-come-again-as-the-payment-stands": frozenset({"CBK-DEL-06"}),
    "card-challenges-of-sales-alone": frozenset({"CBK-S2C-11", "S2C-TDS-05", "S2C-TDS-12", "S2C-TDS-14"}),
    "card-callbacks-three-ds-in-challenge": frozenset({"CBK-S2C-17"}),
    "card-callbacks-without-browser": frozenset({"CBK-S2C-17", "CBK-S2C-27"}),
    "checkout-every-card-challenged": frozenset(
        {"CBK-ATT-05", "CBK-ATT-32", "CBK-ATT-46", "CHK-TRN-01", "CHK-URL-01", "HPF-PAY-01", "HPF-PAY-15", "HPP-OUT-02"}
    ),
    "page-drawn-by-script": frozenset({"CHK-LIF-03"}),
    **dict.fromkeys(("page-challenge-by-any-code", "page-challenge-decided-by-card"), frozenset({"HPP-OUT-11"})),
    "page-returns-by-script": frozenset({"CHK-URL-12", "CHK-URL-13"}),
    **dict.fromkeys(
        ("page-left-by-a-final-decline", "page-shows-a-final-decline"), frozenset({"CHK-URL-12", "HPP-OUT-02"})
    ),
    "checkout-issuer-declines-payouts": frozenset({"CHK-TOK-07"}),
    "checkout-issuer-declines-debits": frozenset({"HPF-PAY-02", "HPF-PAY-06", "HPF-PAY-20"}),
    "checkout-holds-confirmed-elsewhere": frozenset({"CHK-CAP-01", "CHK-CAP-03", "CHK-MID-04", "CHK-TRN-03"}),
    "checkout-callbacks-of-outcomes-only": frozenset({"CBK-ATT-06"}),
    "card-callbacks-of-outcomes-only": frozenset({"CBK-S2C-03"}),
    "look-up-failed-challenge": frozenset({"CHK-TRN-06", "CHK-TRN-07", "HPF-PAY-21", "HPF-PAY-22"}),
    "amounts-within-limits-of-the-account": frozenset({"CHK-AMT-01", "CHK-AMT-02", "CHK-AMT-05", "CHK-AMT-06"}),
    "hosted-answers-before-the-outcome": frozenset({"HPF-PAY-01", "HPF-PAY-05", "HPF-PAY-07", "HPF-PAY-15"}),
    "checkout-captures-check-amounts-only": frozenset({"CHK-CAP-01", "CHK-CAP-12", "CHK-CAP-14"}),
    "checkout-chains-of-a-card-share-their-token": frozenset({"CHK-REC-05"}),
    "values-have-to-make-sense": frozenset({"CHK-CUS-01", "CHK-SES-77"}),
    "card-arn-never-known": frozenset({"S2C-STA-13"}),
    "apm-captures-carried-out-after-minutes": frozenset({"APM-CAP-01", "APM-CAP-02", "APM-CAP-04"}),
    "payments-changed-without-content": frozenset(
        {"APM-CAP-03", "APM-CVD-04", "APM-VOI-03", "S2C-CAP-01", "S2C-CAP-03", "S2C-CAP-05", "S2C-VOI-01", "S2C-VOI-03"}
    ),
    "schedules-changed-without-content": frozenset({"S2C-SCH-31", "S2C-SCH-43", "S2C-SCH-50"}),
    "card-payments-settle-after-minutes": frozenset({"S2C-AMT-02", "S2C-AMT-13"}),
    "card-captures-carried-out-after-minutes": frozenset({"S2C-CAP-02", "S2C-CAP-03"}),
    "card-authorizations-confirmed-a-moment-later": frozenset({"S2C-ANS-03"}),
    "card-issuer-declines-card2card": frozenset({"S2C-PAY-01", "S2C-PAY-04"}),
    "card-issuer-declines-debits": frozenset({"S2C-DEB-01", "S2C-DEB-05", "S2C-TOK-05", "S2C-WAL-02"}),
    "card-issuer-asks-nothing": frozenset({"S2C-TDS-09", "S2C-TDS-13"}),
    "card-issuer-asks-whether-its-payer-is-sure": frozenset({"S2C-TDS-12", "S2C-TDS-13"}),
    "card-issuer-has-one-button": frozenset({"S2C-TDS-16"}),
    "card-issuer-asks-for-a-code-of-the-holder": frozenset(
        {"CBK-S2C-11", "CBK-SIG-08", "S2C-AMT-01", "S2C-STA-03", "S2C-TDS-05", "S2C-TDS-06", "S2C-TDS-08"}
    ),
    "checkout-arn-never-known": frozenset({"CHK-STA-39"}),
    "card-callbacks-three-ds-of-the-scheme-only": frozenset({"CBK-S2C-17"}),
    "card-some-discriminators": frozenset({"CBK-S2C-18", "S2C-COF-04"}),
    "checkout-callbacks-some-attributes": frozenset({"CBK-ATT-39", "CBK-ATT-40", "CBK-ATT-42", "CHK-COF-02"}),
    "checkout-callbacks-three-ds-of-the-scheme-only": frozenset({"CBK-ATT-45", "CBK-ATT-46"}),
    "apm-payouts-within-a-balance": frozenset(f"APM-C2V-{number}" for number in range(15, 24)),
    "apm-without-sha256": frozenset({"CBK-SIG-17"}),
    "card-credit-is-always-a-payout": frozenset({"CHK-RFD-01"}),
    "card-credit-gives-back-the-newest": frozenset({"CBK-ATT-07", "CHK-CRD-03", "CHK-CRD-15"}),
    "card-weekdays-by-name": frozenset({"S2C-SCH-21"}),
    "card-no-zero-in-one-message": frozenset({"S2C-AMT-07"}),
    "debit-takes-no-wallet": frozenset({"S2C-SIG-30"}),
    "further-account-of-another-protocol": frozenset({"CHK-SIG-15"}),
    "further-account-in-another-currency": frozenset(
        {"APM-SIG-23", "APM-SIG-24", "CBK-SIG-12", "CHK-SIG-15", "S2C-SIG-54", "S2C-SIG-55"}
    ),
    **dict.fromkeys(
        ("further-accounts-lack-the-usual-brand", "further-accounts-refuse-the-usual-brand"),
        frozenset({"APM-REQ-14", "APM-REQ-17", "APM-SIG-23", "APM-SIG-24", "APM-SIG-25", "CBK-SIG-17", "GEN-AGR-05"}),
    ),
    "further-account-has-less": frozenset({"APM-SIG-23", "APM-SIG-24", "CBK-SIG-17"}),
    **dict.fromkeys(
        ("card-token-signed-as-its-card", "card-token-signed-by-a-formula-of-its-own"),
        frozenset({"S2C-SIG-06", "S2C-SIG-07"}),
    ),
    **dict.fromkeys(
        ("apm-payments-settle-after-minutes", "apm-payers-always-sent-elsewhere", "apm-payers-decide-on-the-page"),
        frozenset({"APM-AUT-02", "APM-AUT-05", "APM-STA-02", "CBK-APM-06"}),
    ),
}
"""Variations on which something cannot be decided, and what; beside it what once failed on them.

Callbacks may say of which schedule they are while three chains share it, and need not have attributes of a browser
of which the merchant sent none. Where every card is challenged, no payment is frictionless; an answer that comes before
the outcome shows none. What a payment by token is signed with only TOKEN of the profile says, and what an account has
not it cannot sign, nor show what becomes of zero. A decline for good ends a session by itself. Nor is it
known how soon a method of S2S APM pays, or its payer.
"""
