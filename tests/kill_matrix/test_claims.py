"""What checks share: one that claims several requirements and finds one of them broken fails that one alone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.kill_matrix.collected import suite

BROKEN = (
    ("form-field-without-name-breaks", "test_malformed_form_breaks_nothing", "GEN-ERR-11"),
    ("checkout-unusual-callback-amount-whole", "test_order_comes_back_in_a_callback_that_is_signed", "CBK-ATT-02"),
    ("checkout-callback-id-unsigned", "test_order_comes_back_in_a_callback_that_is_signed", "CBK-SIG-03"),
    ("checkout-look-up-size-one-short", "test_newest_of_more_than_ten_payments", "CHK-STA-06"),
    ("checkout-look-up-size-oldest", "test_newest_of_more_than_ten_payments", "CHK-STA-07"),
    ("redirect-url-relative", "test_redirect_url_is_absolute_on", "CHK-RSP-02"),
    ("order.amount.optional.required", "test_amount_may_be_left_out_of_a_crypto", "CHK-ORD-12"),
    ("session-hash-zero-for-no-amount", "test_amount_may_be_left_out_of_a_crypto", "CHK-SIG-14"),
    ("checkout-look-up-hash-other-text", "test_signature_with_sha256_is_refused_without", "CHK-STA-30"),
    ("hosted-parameters-other-payment-id", "test_return_parameters_of_a_success_fit", "CHK-STA-21"),
    ("hosted-parameters-other-order-id", "test_return_parameters_of_a_success_fit", "CHK-URL-04"),
    ("return-other-order-id", "test_success_carries_the_return_parameter_beside", "CHK-URL-04"),
    ("apm-creditvoid-parts-refused", "test_parts_with_odd_cents_add_up", "APM-CVD-07"),
    ("apm-order-id-cut-in-answers", "test_long_order_ids_that_begin_alike", "APM-ANS-01"),
    ("s2s-apm.CAPTURE.key-of-nobody", "test_capture_with_an_unknown_client_key", "APM-REQ-04"),
    ("apm-live-key-other-pair", "test_operation_with_a_live_key", "APM-REQ-10"),
    ("details-capture-whole", "test_details_show_which_part_was_captured", "S2C-CAP-05"),
    ("s2s-card.RETRY.any-hash", "test_retry_without_hash_or_with_a_key", "S2C-SIG-11"),
    ("capture-unreported", "test_callback_of_an_operation_is_signed", "CBK-S2C-05"),
)

ONLY_LOOKED_AT = {
    "paid_to_be_credited",
    "open_qr",
    "open_given",
    "held_and_captured",
    "paid_and_voided",
    "executed",
    "rejected",
}
"""What is started for several deferred checks, since looking at it changes nothing on any target."""


def test_no_two_deferred_checks_share_what_looking_at_it_may_change() -> None:
    marks = [mark for check in suite().items if (mark := check.get_closest_marker("deferred"))]
    shared = {start.__name__ for start, checks in Counter(mark.kwargs["start"] for mark in marks).items() if checks > 1}

    assert shared == ONLY_LOOKED_AT


@pytest.mark.parametrize(("fault", "name", "broken"), BROKEN, ids=[f"{row[0]}-{row[2]}" for row in BROKEN])
def test_what_is_not_broken_does_not_fail(fault: str, name: str, broken: str) -> None:
    checks = [check for check in suite().items if f"::{name}" in check.nodeid]

    said = suite().run(checks, faults=(fault,))

    failed = {requirement for one in said.checks if one.check in said.named("fail") for requirement in one.requirements}
    claimed = {requirement for check in checks for requirement in said_by(check)}
    assert failed & claimed == {broken}, said.details("fail", "error")


def said_by(check: pytest.Item) -> tuple[str, ...]:
    return tuple(claim for mark in check.iter_markers("requirement") for claim in mark.args)
