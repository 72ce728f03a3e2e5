"""Session requests with every kind of wrong signature."""

import hashlib

from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Json, session_hash, session_request


def signed_sessions() -> list[Json]:
    """One request of each kind."""

    def signed(text: str, inner: str = "md5") -> Json:
        request = session_request()
        order = dict(request["order"])
        return request | {
            "hash": session_hash({**order, "description": order["description"] + text}, MAIN.password, inner)
        }

    request = session_request()
    order = request["order"]
    reordered = {
        "number": order["amount"],
        "amount": order["number"],
        **{k: order[k] for k in ("currency", "description")},
    }
    raw = "".join(order.values()) + MAIN.password
    return [
        signed("x"),
        signed("", "sha256"),
        session_request(hash="0" * 40),
        session_request(hash=""),
        session_request(hash=...),
        request | {"hash": request["hash"].upper()},
        request | {"hash": session_hash(reordered, MAIN.password)},
        request | {"hash": session_hash(order, MAIN.key)},
        request | {"hash": session_hash(order, BY_NAME["second"].password)},
        request | {"hash": session_hash(order, "")},
        request | {"hash": session_hash({**order, "amount": "10"}, MAIN.password)},
        request | {"hash": _digest(_digest(raw, "md5"), "sha1")},
        request | {"hash": _raw_digest(raw.upper())},
        _altered("number", "other-number"),
        session_request(operation="debit", hash="0" * 40),
        session_request(auth=True, hash="0" * 40),
        session_request(hash=True),
        request | {"hash": request["hash"][:-1]},
        request | {"hash": _digest(_digest(raw.upper(), "md5").upper(), "sha1")},
        request | {"hash": _digest(raw.upper(), "sha1")},
        request | {"hash": _digest(raw.upper(), "md5")},
        request | {"hash": _digest(_digest(raw.upper(), "md5"), "md5")},
    ]


def _digest(text: str, algorithm: str) -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


def _raw_digest(text: str) -> str:
    return hashlib.sha1(hashlib.md5(text.encode(), usedforsecurity=False).digest(), usedforsecurity=False).hexdigest()


def _altered(name: str, value: str) -> Json:
    request = session_request()
    request["order"][name] = value
    return request
