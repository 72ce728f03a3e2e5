"""Faults that break in one rare place what must hold everywhere, and the checks that come by that place.

None of these checks is about what the fault breaks: it is noticed since every exchange of a run is watched.
"""

from __future__ import annotations

from collections.abc import Mapping

PLACES: Mapping[str, str] = {
    "seldom-password-in-payout-header": "suites/s2s_apm/payouts/test_payouts.py::*",
    "seldom-password-in-schedule-info": "suites/s2s_card/stored_cards/test_schedules.py::*",
    "seldom-password-in-void-callback": "suites/s2s_card/changes/test_transitions.py::*void*",
    "seldom-password-in-return-address": "suites/hosted_page/test_returns.py::*",
    "seldom-password-in-page-header": "suites/checkout/look_ups/test_status.py::*",
    "seldom-card-number-in-details": "suites/s2s_card/look_ups/test_look_ups_agree.py::*",
    "seldom-card-number-in-void-answer": "suites/s2s_card/changes/test_transitions.py::*void*",
    "seldom-security-code-in-debit-refusal": "suites/s2s_card/sales/test_debit.py::*",
    "seldom-security-code-in-credit-lookup": "suites/s2s_card/look_ups/test_look_ups.py::*",
    "seldom-payment-of-another-merchant": "suites/s2s_card/changes/test_changes.py::*",
    "seldom-server-error-on-some-look-ups": "suites/s2s_card/look_ups/test_look_ups*.py::*",
    "seldom-server-error-on-look-up-of-void": "suites/s2s_apm/test_transitions.py::*void*",
    "seldom-bad-gateway-on-look-ups": "suites/checkout/look_ups/test_status*.py::*",
    "seldom-hash-refusal-of-secondary-charge-401": "suites/checkout/changes/test_operation_signatures.py::*recurring*",
    "seldom-errors-missing-in-refused-capture": "suites/checkout/changes/test_captures.py::*",
    "seldom-errors-empty-in-refused-debit": "suites/s2s_card/sales/test_debit.py::*",
    "seldom-errors-missing-in-refused-payout": "suites/s2s_apm/payouts/*",
    "seldom-not-found-code-of-retry": "suites/checkout/changes/test_operation_signatures.py::*retry*",
    "seldom-result-in-lower-case-on-details": "suites/s2s_card/messages/test_wrong_signatures.py::*get_trans_details*",
    "seldom-refusal-without-code-on-apm-void": "suites/s2s_apm/test_transitions.py::*void*",
    "seldom-refusal-without-result-on-void": "suites/checkout/changes/test_operation_signatures.py::*void*",
    "seldom-nan-in-details": "suites/s2s_card/look_ups/test_look_ups_agree.py::*",
    "seldom-member-twice-in-capture": "suites/checkout/changes/test_captures.py::*",
    "seldom-charset-of-schedules": "suites/s2s_card/stored_cards/test_schedules.py::*",
    "seldom-refund-answer-as-html": "suites/checkout/changes/test_transitions.py::*refund*",
    "seldom-card-less-masked-in-details": "suites/s2s_card/look_ups/test_look_ups_agree.py::*",
    "seldom-order-of-refunded-payment": "suites/s2s_card/changes/test_transitions.py::*",
    "seldom-hash-of-recurring-callback": "suites/checkout/stored_cards/test_recurring.py::*",
    "seldom-hash-of-release-callback": "suites/s2s_apm/callbacks/test_callbacks.py::*",
    "seldom-hash-of-declined-secondary-charge": "suites/s2s_card/stored_cards/test_recurring.py::*",
    "seldom-expiry-date-of-recurring-callback": "suites/s2s_card/stored_cards/test_recurring.py::*",
    "seldom-schedule-id-of-scheduled-charge": "suites/checkout/stored_cards/test_schedules.py::*",
    "seldom-card-token-of-refund-callback": "suites/s2s_card/callbacks/test_callback*.py::*",
    "seldom-flow-of-declined-payment": "suites/checkout/callbacks/test_callback*.py::*",
    "seldom-status-of-void-callback": "suites/checkout/callbacks/test_callbacks.py::*",
    "seldom-currency-of-refund-callback": "suites/s2s_apm/test_transitions.py::*",
    "seldom-amount-of-capture-callback": "suites/s2s_card/changes/test_changes.py::*",
    "seldom-captures-beyond-authorization": "suites/s2s_card/changes/test_changes.py::*",
    "seldom-hash-of-challenged-decline": "suites/hosted_page/test_returns.py::*",
    "seldom-card-of-void-callback": "suites/s2s_card/changes/test_transitions.py::*void*",
    "seldom-expiry-date-of-details": "suites/s2s_card/look_ups/test_look_ups_agree.py::*",
    "seldom-city-cut-off": "suites/s2s_apm/test_payments_of_one_payer.py::*",
    "seldom-voided-payment-not-found": "suites/s2s_card/changes/test_transitions.py::*void*",
    "seldom-declined-payment-settled-by-order": "suites/s2s_card/look_ups/test_look_ups.py::*",
    "creditvoid-of-declined-with-code-of-captures": "suites/s2s_card/changes/test_transitions.py::*declined*",
    "details-expiry-without-leading-zero": "suites/s2s_card/look_ups/test_details.py::*",
    "look-up-other-order-amount": "suites/s2s_card/look_ups/test_details.py::*",
    "seldom-refused-sale-done": "suites/s2s_apm/sales/test_sale_signature.py::*",
    "e-apm-refused-capture-notified-as-done": "suites/s2s_apm/test_transitions.py::*more-than-the-amount*",
    "e-apm-payout-callback-of-francs-in-hundredths": "suites/s2s_apm/payouts/test_payout_corridors.py::*XOF*",
}
"""By the name of a fault, a pattern of the node ids of checks."""
