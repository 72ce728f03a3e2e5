"""What the reference gateway makes of requests that nobody should send, and what its pages say."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

from emulator.app import public_address
from emulator.settings import Settings
from tests.unit.emulator.probes.probe import BY_NAME, Gateway, sale_form, session_request

GATEWAY = Gateway()
VALID = json.dumps(session_request()).encode()

UNREADABLE = {
    "empty": b"",
    "not json": b"{order",
    "array": b"[]",
    "text": b'"x"',
    "null": b"null",
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "repeated key": VALID.replace(b'"operation"', b'"operation": "debit", "operation"'),
    "not a number": VALID.replace(b'"purchase"', b"NaN"),
    "huge number": VALID.replace(b'"purchase"', b"9" * 10_000),
    "lone surrogate": VALID.replace(b"purchase", b"\\ud800"),
    "not utf-8": VALID.replace(b"purchase", b"\xff\xfe"),
    "utf-16": json.dumps(session_request()).encode("utf-16"),
}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(body: bytes) -> None:
    answer = GATEWAY.session(body)

    assert (answer.status, answer.body["result"], answer.body["error_code"]) == (400, "ERROR", 100000)
    assert answer.body["errors"]


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_another_content_type_is_refused(content_type: str) -> None:
    assert GATEWAY.send("POST", "/api/v1/session", VALID, content_type).body["result"] == "ERROR"


def test_a_body_beyond_the_bound_is_refused() -> None:
    answer = GATEWAY.session(b'{"a": "' + b"x" * (1024 * 1024) + b'"}')

    assert (answer.status, answer.body["result"]) == (413, "ERROR")


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/v1/other"), ("POST", "/post/"), ("GET", "/api/v1/session/"), ("GET", "//")]
)
def test_what_does_not_exist_is_not_found(method: str, path: str) -> None:
    answer = GATEWAY.send(method, path)

    assert (answer.status, answer.body["result"]) == (404, "ERROR")


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("GET", "/api/v1/session", b"POST"), ("PUT", "/post", b"POST")]
)
def test_another_method_is_refused_and_the_right_one_named(method: str, path: str, allowed: bytes) -> None:
    answer = GATEWAY.send(method, path)

    assert (answer.status, answer.body["result"]) == (405, "ERROR")
    assert dict(answer.headers)[b"allow"] == allowed


def test_head_is_answered_like_get() -> None:
    left, right = GATEWAY.send("HEAD", "/health"), GATEWAY.send("GET", "/health")

    assert (left.status, left.headers) == (right.status, right.headers)


@pytest.mark.parametrize("path", ["/api/v1/other", "/post"])
def test_a_body_beyond_the_bound_is_refused_wherever_it_is_sent(path: str) -> None:
    assert GATEWAY.send("PUT", path, b"x" * (1024 * 1024 + 1)).status == 413


def _fields(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return [path]
    return [path] * bool(path) + [found for name, below in value.items() for found in _fields(below, (*path, name))]


TEMPLATE = session_request(
    session_expiry=5,
    methods=["card"],
    customer={"name": "John Doe"},
    billing_address={"country": "US", "state": "CA"},
    payee={"name": "John"},
    parameters={"card": {"shipping": {"cost": "1"}, "cart": {"items": [{"name": "x"}]}, "bnrg_installm_def": "00"}},
    crypto={"network": "x"},
    card_token=["a" * 64],
    custom_data={"a": 1},
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(path=st.sampled_from(_fields(TEMPLATE)), value=JSON)
def test_no_value_of_any_field_is_a_server_error(path: tuple[str, ...], value: object) -> None:
    request = json.loads(json.dumps(TEMPLATE))
    place = request
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value

    assert GATEWAY.session(request).status in {200, 400}


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(name=st.sampled_from(sorted(sale_form())), value=st.text(max_size=30), raw=st.binary(max_size=40))
def test_no_form_is_a_server_error(name: str, value: str, raw: bytes) -> None:
    encoded = value.encode("utf-8", "ignore").decode()

    assert GATEWAY.post({**sale_form(), name: encoded}).status in {200, 400, 404}
    assert GATEWAY.send("POST", "/post", raw, "application/x-www-form-urlencoded").status in {400, 404}


class _Reader(HTMLParser):
    """Collects what the accessibility of a page hangs on."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_start_page_says_how_the_gateway_was_started() -> None:
    page = Gateway(release="6.6.5", faults=("duplicate-accepted",), variations=("errors-as-text",), control=True).send(
        "GET", "/"
    )
    text = page.raw.decode()
    reader = _Reader()
    reader.feed(text)
    tags = [tag for tag, _ in reader.tags]

    assert page.status == 200
    for said in ("6.6.5", "duplicate-accepted", "errors-as-text", "10000000-0000-4000-8000-000000000001", "/-/clock"):
        assert said in text
    assert ("html", {"lang": "en"}) in reader.tags
    assert tags.count("h1") == 1
    assert {"title", "main", "caption"} <= set(tags)
    assert all(attributes.get("scope") == "col" for tag, attributes in reader.tags if tag == "th")
    assert not {"script", "link", "img"} & set(tags)


def test_the_start_page_lists_what_there_is_to_test_with() -> None:
    text = Gateway().send("GET", "/").raw.decode()

    for listed in (
        "/post-va",
        "4111111111111111",
        "success@gmail.com",
        "instant-qr",
        "mtn-gh",
        "takes no authorizations",
    ):
        assert listed in text


def test_the_public_address_is_that_of_the_settings_or_of_a_trusted_proxy() -> None:
    forwarded = {"x-forwarded-host": "shop.example", "x-forwarded-proto": "https"}

    def base(settings: Settings) -> str:
        headers = [(name.encode(), value.encode()) for name, value in forwarded.items()]
        scope = {"type": "http", "headers": headers, "server": ("127.0.0.1", 8000), "scheme": "http"}
        return public_address(Request(scope), settings)

    assert base(Settings()) == "http://127.0.0.1:8000"
    assert base(Settings(trusts_proxy=True)) == "https://shop.example"
    assert base(Settings(trusts_proxy=True, public_url="https://box.example/")) == "https://box.example"


def test_the_example_of_the_start_page_works() -> None:
    text = GATEWAY.send("GET", "/").raw.decode()
    body = text[text.index("-d &#x27;") + len("-d &#x27;") :].partition("&#x27;")[0].replace("&quot;", '"')

    assert Gateway().session(body.encode()).opened


def test_the_page_behind_a_session_opens_until_the_session_expires() -> None:
    gateway = Gateway(control=True)
    request = session_request(order={"description": "<b>gift</b>"}, session_expiry=1)
    path = gateway.session(request).body["redirect_url"].partition(":8000")[2]

    page = gateway.send("GET", path)
    assert page.status == 200
    assert b"&lt;b&gt;gift" in page.raw
    gateway.advance(61)
    assert gateway.send("GET", path).status == 410
    assert gateway.send("GET", "/pay/nothing").status == 404


def test_health_answers() -> None:
    assert GATEWAY.send("GET", "/health").body == {"status": "ok", "release": "6.7.0"}


def test_the_clock_can_be_moved_only_where_control_was_asked_for() -> None:
    assert GATEWAY.send("GET", "/-/clock").status == 404
    assert GATEWAY.advance(16).status == 404
    moved = Gateway(control=True)
    assert moved.advance(16).body["advanced_seconds"] == 16
    assert moved.send("GET", "/-/clock").body["seconds"] >= 16
    for wrong in (-1, "16", True, None, 1e300):
        assert moved.advance(wrong).status == 400  # type: ignore[arg-type]


def test_all_invalid_fields_are_reported_together_and_before_the_signature() -> None:
    answer = Gateway().session(session_request(operation="x", session_expiry=0, customer={"email": "x"}, hash="0" * 40))

    assert answer.named() == ["operation", "session_expiry", "customer.email"]


def test_an_address_on_the_allowlist_is_served() -> None:
    assert Gateway(client="192.0.2.10").session(session_request(BY_NAME["ip_allowlist"])).opened


def test_a_field_named_twice_is_refused() -> None:
    body = b"action=SALE&order_id=1&order_id=2"

    assert GATEWAY.send("POST", "/post", body, "application/x-www-form-urlencoded").status == 400
