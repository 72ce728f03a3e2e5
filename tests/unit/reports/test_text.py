"""What a reader of a report would take for something else is written out."""

from __future__ import annotations

import json

import pytest

from reports.text import markdown, one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("card 411111******111\uff11", r"card 411111******111\uff11"),
        ("\uff14\uff11", r"\uff14\uff11"),
        ("10\uff0e00", r"10\uff0e00"),
        ("12\u0663", r"12\u0663"),
        ("U\u0405D", r"U\u0405D"),
        ("V\u0399SA", r"V\u0399SA"),
        ("10\u00a0000", r"10\u00a0000"),
        ("a\u200bb\u2028c", r"a\u200bb\u2028c"),
    ],
)
def test_what_looks_like_ascii_and_is_none_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == one_line(text, 100) == shown
    assert markdown(text).replace("\\\\", "\\").replace("\\*", "*") == shown


@pytest.mark.parametrize(
    "text",
    [
        "\u041e\u043f\u043b\u0430\u0442\u0430 \u0441 \u043a\u0430\u0440\u0442\u044b 10.00",
        "\u0391\u03c1\u03b9\u03b8\u03bc\u03cc\u03c2",
        "kart\u0131n\u0131z \u0141\u00f3d\u017a",
        "\u0663\u0664 \u062a\u062c\u0631\u0628\u0629",
        "\u5361\u53f7\uff1a\uff08\u4e00\uff09",
        "5 \u03bcs",
    ],
)
def test_text_of_a_language_stays_as_it_is(text: str) -> None:
    assert visible(text) == one_line(text, 100) == text


def test_what_is_written_out_is_the_same_to_json() -> None:
    sent = json.dumps({"year": "203\uff18", "name": "a\u00a0b"}, ensure_ascii=False)

    assert json.loads(visible(sent)) == json.loads(sent)


def test_lines_become_one_and_blanks_of_ascii_one_blank() -> None:
    assert one_line(" a \n\t b ", 100) == "a b"
