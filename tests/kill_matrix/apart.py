"""Variations that are tried apart from the others: a profile would describe them, or they leave something undecided."""

from __future__ import annotations

from collections.abc import Mapping

from tests.kill_matrix.undecided import UNDECIDED

DESCRIBED_OTHERWISE = {"customer-name-unchecked": {"customer_name_validation": None}}
"""Variations that a profile would describe: what its account settings say then."""

KEYS_OF_ONE_PROTOCOL = {
    "keys-are-of-one-protocol": {
        **dict.fromkeys(("second", "sha256"), ("s2s_card",)),
        **dict.fromkeys(("sms", "no_zero_amount"), ("checkout",)),
        **dict.fromkeys(("dms", "options"), ("s2s_apm",)),
    }
}
"""Variations that a profile would describe: what the protocols of its accounts are then."""

OF_FEW_CURRENCIES = "main-account-is-of-few-currencies"
"""A variation whose profile would say which currencies its accounts take."""

IN_ONE_EACH = "further-accounts-in-one-currency-each"
OF_THEIR_COUNTRY = "methods-take-the-currency-of-their-country"
"""The same of further accounts, and of methods: tried in test_currencies_of_accounts.py."""

DECIDED_ON_A_PAGE = ("apm-payers-always-sent-elsewhere", "apm-payers-decide-on-the-page")
"""Variations on which a profile would say what the payer presses."""

REPORTS_LATER = "apm-bank-reports-a-second-later"
"""The same of a bank that takes its time: tried in targets/test_banks_that_report_later.py."""

WITH_A_LOGIN = "apm-bank-with-a-login"
"""A page of a bank that asks for what a profile would say: tried in targets/test_bank_logins.py."""

CODES_BY_AMOUNT = "apm-qr-bank-goes-by-amount"
"""A bank of tests of which a profile would say what it goes by: tried in targets/test_codes_by_amount.py."""

POOR = {
    "s2s_card": (
        "card-details-without-status",
        "card-members-of-the-contract-only",
        "card-callbacks-without-first-date",
        "card-answers-without-first-date",
        "card-schedule-info-nested",
    ),
    "s2s_apm": ("apm-members-of-the-contract-only",),
    "checkout": ("checkout-callback-members-of-the-contract-only", "checkout-look-up-members-of-the-contract-only"),
}
"""Variations of each protocol that leave out what only public documents promise."""

ALONE = (
    "checkout-changes-reported-as-pending-first",
    "apm-payments-decided-later",
    "apm-payments-settle-later",
    "card-payments-settle-later",
    "checkout-payments-settle-later",
    "page-continues-in-a-window-beside-the-form",
    "page-continues-in-a-window-and-returns-by-page",
    "page-method-by-radio-that-is-on",
    "page-reviewed-before-payment",
    "page-stored-cards-above-the-methods",
    "page-stored-cards-in-a-table",
    "form-state-after-the-country",
)
"""Tried alone: what they change is undone, or has no place, where statuses are small, a declined payer goes back, or
another variation has a template of its own, words of its own for the same, or a script that these leave out."""

LEFT_OPEN: Mapping[str, frozenset[str]] = {
    "apm-payments-decided-later": frozenset({"APM-ANS-02", "APM-ANS-03"}),
    "page-errors-stand-in-a-class": frozenset(
        {f"HPP-{name}" for name in ("CRD-02", "CRD-03", "CRD-04", "CRD-05", "CVV-01", "CVV-02", "EXP-02", "EXP-03")}
    ),
    "page-asks-no-phone": frozenset({"HPP-ADR-13", "HPP-ADR-14"}),
    "page-challenge-of-an-issuer-with-one-button": frozenset({"HPP-OUT-11"}),
}
"""What stays undecided on a variation: an answer that comes before the outcome shows none, of a phone that nobody asks
for nothing shows how long it may be, and a challenge that can only be passed is never failed."""

SAID_BY_SCRIPT = "page-says-by-script"
LEADS_LATER = "page-returns-a-second-later"
DRAWN_BY_SCRIPT = "page-qr-drawn-by-script"
"""Need a browser: tried in test_in_browser.py."""

SLOW = "slow"
"""Makes every answer wait: tried alone, with the checks that watch the time and a tenth of the others."""

WITHOUT = {"creditvoid-releases-only": "creditvoid_refunds"}
"""Variations of a gateway that does not offer something: the capability that its profile says it has not."""

WITHOUT_LISTS: Mapping[str, str] = {
    "apm-without-parameter-lists": "s2s_apm",
    "card-without-parameter-lists": "s2s_card",
}
"""Variations of a gateway whose lists of parameters are its own: the protocol of which its profile says so."""

PAYOUT_AS_ITS_CARD = "payout-token-signed-as-its-card"
"""Signs by a formula that the profile names: tried in targets/test_own_formulas.py."""

WITH_ITS_ADDRESS = "page-always-shows-the-address"
"""Shows the address whatever the session said: tried in targets/test_address_on_the_page.py."""

BY_TRANS_ID = "captures-by-trans-id"
"""A member that the profile names: tried in targets/test_unshown.py."""

ELSEWHERE = "look-ups-by-order-elsewhere"
"""An address that the profile names: tried in targets/test_look_ups_elsewhere.py."""

OWN_FORMULAS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "card-formulas-of-its-own": (
        "s2s_card",
        {
            **dict.fromkeys(
                ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD"),
                "md5(upper(reverse(PASSWORD)) + payer_email + CARD)",
            ),
            **dict.fromkeys(
                ("CAPTURE", "VOID", "CREDITVOID", "RETRY", "GET_TRANS_STATUS", "GET_TRANS_DETAILS"),
                "md5(upper(strrev(PASSWORD) + trans_id) + payer_email + substr(CARD, 0, 6) + substr(CARD, -4))",
            ),
            **dict.fromkeys(
                ("UPDATE_SCHEDULE", "DELETE_SCHEDULE", "SCHEDULE_INFO", "PAUSE", "RUN", "DESCHEDULE"),
                "md5(upper(reverse(PASSWORD) + schedule_id))",
            ),
            "CREATE_SCHEDULE": "md5(strtoupper(strrev(PASSWORD)))",
            "CREDIT2CARD": "md5(upper(reverse(PASSWORD)) + CARD + card_token)",
            "GET_TRANS_STATUS_BY_ORDER": "md5(upper(reverse(PASSWORD) + order_id) + payer_email + CARD)",
            "TOKEN": "md5(upper(reverse(PASSWORD)) + payer_email + card_token)",
            "WALLET": "md5(upper(reverse(PASSWORD)) + payer_email)",
            "CALLBACK": "md5(upper(trans_id + reverse(CARD)) + PASSWORD)",
        },
    ),
    "apm-formulas-of-its-own": (
        "s2s_apm",
        {
            "SALE": "md5(upper(order_id + reverse(order_amount + order_currency)) + identifier + PASSWORD)",
            "CREDITVOID": "md5(upper(PASSWORD + trans_id))",
            "CREDIT2VIRTUAL": "md5(upper(PASSWORD + reverse(order_id + order_amount)) + order_currency)",
            "CALLBACK": "md5(upper(reverse(PASSWORD) + REVERSED_VALUES))",
        },
    ),
    "checkout-formulas-of-its-own": (
        "checkout",
        {
            "status": "sha1(md5(upper(reverse(PASSWORD)) + payment_id))",
            "status_by_order": "sha1(md5(upper(reverse(PASSWORD)) + order_id))",
            "capture": "sha1(md5(upper(reverse(PASSWORD)) + payment_id + amount))",
            "refund": "sha1(md5(upper(reverse(PASSWORD)) + payment_id + amount))",
            "void": "sha1(md5(upper(reverse(PASSWORD)) + payment_id))",
            "retry": "sha1(md5(upper(reverse(PASSWORD)) + payment_id))",
            "recurring": "sha1(md5(upper(reverse(PASSWORD)) + recurring_init_trans_id + recurring_token + order.number"
            " + order.amount + order.description))",
            "callback": "sha1(md5(upper(reverse(order_number + order_amount) + id) + order_description + PASSWORD))",
            "return": "sha1(md5(upper(payment_id + trans_id + order_id) + PASSWORD))",
        },
    ),
}
"""Variations that sign by formulas of their own: the protocol, and what its profile writes."""

_TOKEN_MEMBERS = {"session_token_member": "session_token", "processing_token_member": "session_token"}
_NESTED_CARD = {
    "number": "card.number",
    "expiry": "card.expiry_date",
    "expiry_format": "MM/YYYY",
    "security_code": "card.security_code",
    "holder": "card.holder",
}
_FLAT_CARD = {
    "number": "card_number",
    "expiry_month": "expiry_month",
    "expiry_year": "expiry_year",
    "security_code": "cvv",
    "holder": "card_holder",
}
IN_THE_PAYMENT: Mapping[str, Mapping[str, object]] = {
    "hosted-token-in-the-payment": _TOKEN_MEMBERS,
    "hosted-card-in-the-payment": {"processing_card": _NESTED_CARD},
    "hosted-card-in-members-of-the-payment": {"processing_card": _FLAT_CARD},
}
"""Variations whose payments with hosted fields have token or card in their body: what the dialect of a profile says."""

DECLINED_CHARGES = ("charges-are-declined-by-card", "charges-are-declined-by-amount")
"""Variations of which a profile names the card or the amount: tried in test_declined_charges.py."""

BY_AMOUNT = "s2s-declined-by-amount"
"""Declines what some checks pay, whatever the profile says: tried in test_declined_charges.py."""

KEPT_BACK = "page-form-of-another-card-kept-back"
"""Has a form that a browser alone knows to be hidden: tried in targets/test_forms_kept_back.py."""

ANOTHER_MID = "apm-another-mid-without-refunds"
"""Gives back what is plain and nothing else: tried in targets/test_refunds_elsewhere.py."""

SOLD_WHATEVER_THE_MODE = "apm-mode-holds-for-a-second"
"""Pays a second later what the mode of an account seems to hold: tried in test_decided_later.py."""

PAYS_NOTHING_OUT = "main-account-pays-nothing-out"
"""Leaves payouts to another account, which no profile can name yet: tried in targets/test_accounts_of_payouts.py."""

FOR_ONE_PURPOSE = "payouts-and-wallets-have-accounts"
"""Payouts and wallets have accounts of their own: tried in test_accounts_for_one_purpose.py."""

FOR_PART_OF_ONE = "payouts-and-wallets-share-accounts"
"""The main account serves a part of both: tried there as well."""

OF_ONE_ACCOUNT = (
    "pages-of-one-account-offer-wallets",
    "account-without-cards",
    "methods-of-one-account",
    "channels-of-the-account-that-holds",
)
"""Leave options to accounts that a profile would name: tried in test_accounts_of_few_options.py."""

MODES_BY_CHANNEL = "channels-decide-the-mode"
"""Settles and holds by the channel that a profile gives to an account: tried in targets/test_modes_by_channel.py."""

SETTLED_ONLY = "checkout-callbacks-of-settled-payments-only"
"""Notifies less than public documents say: tried in targets/test_events_that_are_notified.py."""

NOTHING_OF_CHANGES: Mapping[str, str] = {
    "checkout-callbacks-of-changed-debits-without-token": "CBK-ATT-58",
    "card-callbacks-of-payments-only": "CBK-S2C-07",
    "apm-callbacks-of-payments-only": "CBK-APM-05",
}
"""Variations that say less of what is done to a payment than public documents do, and what asks for it: likewise."""

OWN_WORKERS = (
    "callbacks-come-again-by-real-time",
    "checkout-payments-decided-by-real-time",
    "schedules-charge-by-real-time",
)
"""Carry out what is due by real time, however the clock is moved: tried in targets/test_workers_of_their_own.py."""

PROCESSING = "s2s-payments-processing-for-minutes"
"""Calls what is open by a word that only public documents rule out: tried in test_decided_later.py."""

REFUNDS_DECIDED_LATER = "checkout-refunds-decided-after-minutes"
"""Keeps refunds open for longer than anybody waits: tried in test_decided_later.py."""

ARN_IN_CALLBACKS = "card-arn-in-callbacks-alone"
"""Look-ups have no ARN, as its profile would say: tried in targets/test_arn_in_callbacks.py."""

HOLDS_END: Mapping[str, str] = {"card": "card-holds-end", "checkout": "checkout-holds-end"}
"""Authorizations that end by themselves, which others share: tried in targets/test_holds_that_end.py."""

OLD_HOLDS = "apm-captures-of-old-holds-declined"
"""Authorizations that stay, and of which nothing can be had any more: tried there as well."""

HELD_IN_PART = "captured-in-part-until-released"
"""Holds on after a capture of a part, as its profile would say: tried in targets/test_parts_that_stay_held.py."""
HELD_IN_CHECKOUT = "captured-in-part-until-released-by-creditvoid"
"""Likewise, and S2S CARD alone releases the rest: tried there as well."""

READ_IN_ONE_WAY: Mapping[str, frozenset[str]] = {
    "look-up-amounts-without-needless-decimals": frozenset({"HPP-AMT-02"}),
    "checkout-charges-reported-by-success-alone": frozenset({"CBK-ATT-10", "CBK-DEL-01"}),
    "amounts-that-floats-cut-refused": frozenset({"CHK-RFD-01", "CHK-RFD-07", "CHK-RFD-09", "CHK-RFD-15"}),
    "urls-with-appended-names-refused": frozenset({"CHK-URL-03", "CHK-URL-04", "CHK-URL-05", "CHK-URL-06"}),
}
"""Variations that few checks can meet, and what those claim: tried in targets/test_read_in_one_way.py."""

POOR_NAMES = tuple(name for names in POOR.values() for name in names)
APART = {
    *DESCRIBED_OTHERWISE,
    OF_FEW_CURRENCIES,
    *(IN_ONE_EACH, OF_THEIR_COUNTRY),
    *KEYS_OF_ONE_PROTOCOL,
    *OWN_FORMULAS,
    PAYOUT_AS_ITS_CARD,
    BY_TRANS_ID,
    *IN_THE_PAYMENT,
    *DECLINED_CHARGES,
    CODES_BY_AMOUNT,
    *POOR_NAMES,
    *WITHOUT,
    *WITHOUT_LISTS,
    ELSEWHERE,
    SAID_BY_SCRIPT,
    LEADS_LATER,
    DRAWN_BY_SCRIPT,
    WITH_ITS_ADDRESS,
    REPORTS_LATER,
    WITH_A_LOGIN,
    BY_AMOUNT,
    SLOW,
    *ALONE,
    KEPT_BACK,
    ANOTHER_MID,
    SOLD_WHATEVER_THE_MODE,
    PAYS_NOTHING_OUT,
    FOR_ONE_PURPOSE,
    FOR_PART_OF_ONE,
    *OF_ONE_ACCOUNT,
    MODES_BY_CHANNEL,
    SETTLED_ONLY,
    *NOTHING_OF_CHANGES,
    *OWN_WORKERS,
    PROCESSING,
    REFUNDS_DECIDED_LATER,
    ARN_IN_CALLBACKS,
    *HOLDS_END.values(),
    OLD_HOLDS,
    HELD_IN_PART,
    HELD_IN_CHECKOUT,
    *READ_IN_ONE_WAY,
    *UNDECIDED,
}
"""Variations that have a test of their own."""
