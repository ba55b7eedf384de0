"""E-mail addresses: what is none, and what only looks like another."""

import pytest
from django.core.exceptions import ValidationError

from apps.common.email_addresses import check_email, lookalikes


@pytest.mark.parametrize(
    "email",
    [
        "ines@glow.test",
        "o'neil+orders@sub.glow.co.kr",
        "a@MÜNCHEN.de",
        "a@xn--mnchen-3ya.de",
        "a@한국.kr",
        f"{'a' * 64}@{'b' * 63}.com",
        f"a@{'b.' * 124}comm",  # 254 characters
    ],
)
def test_an_address_is_taken(email: str) -> None:
    check_email(email)


INVISIBLE = "\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\u3164\ufe0f\ufeff"


@pytest.mark.parametrize(
    "character", [*INVISIBLE, *"\x00\t\n\r\x1f\x7f\x85\u2028\u2800\ue000\ud800\uffff"], ids=ascii
)
@pytest.mark.parametrize(
    "place", ["{}a@glow.com", "a{}b@glow.com", "a@gl{}ow.com", "a@glow.{}com", "a@glow.com{}"]
)
def test_what_nobody_sees_is_refused(character: str, place: str) -> None:
    with pytest.raises(ValidationError):
        check_email(place.format(character))


@pytest.mark.parametrize(
    "email",
    [
        "",
        "a",
        "a@",
        "@glow.com",
        "a@localhost",
        "a@intranet",
        "a@[127.0.0.1]",
        "a@[IPv6:::1]",
        "a@127.0.0.1",
        "a@127.1",
        "a@x.localhost",
        "a@printer.local",
        "a@glow.com.",
        "a@.glow.com",
        "a@glow..com",
        "a@-glow.com",
        "a@gl_ow.com",
        "a@xn--0.com",
        "a@ｇlow.com",
        "a@glow。com",
        "a@straße.de",  # `strasse.de` to those who send
        "ä@glow.com",
        '"a b"@glow.com',
        "a b@glow.com",
        "a@glow.com,b@glow.com",
        "Ines <a@glow.com>",
        f"{'a' * 65}@glow.com",
        f"a@{'b' * 64}.com",
        f"a@{'b.' * 125}com",
    ],
)
def test_what_no_mail_reaches_is_refused(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        check_email(email)
    assert len(refused.value.messages[0]) < 150


def test_a_text_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(ValidationError, match="at most 254 characters"):
        check_email(f"{'a' * 1_000_000}@glow.com")


@pytest.mark.parametrize(
    ("host", "doubts"),
    [
        ("glow.com", []),
        ("münchen.de", []),
        ("lg전자.kr", []),
        ("日本ソニー.jp", []),
        ("почта.com", []),
        ("раураӏ.com", ["“раураӏ” reads like “paypai” and is another name"]),
        ("xn--80ak6aa92e.com", ["“аррӏе” reads like “appie” and is another name"]),
        (
            "paуpal.com",
            ["“paуpal” mixes Cyrillic and Latin letters, reads like “paypal” and is another name"],
        ),
        ("ɡlow.com", ["“ɡlow” reads like “glow” and is another name"]),
        ("gлow.shop.com", ["“gлow” mixes Cyrillic and Latin letters"]),
        (
            "gлow.ɡlow.com",
            [
                "“gлow” mixes Cyrillic and Latin letters",
                "“ɡlow” reads like “glow” and is another name",
            ],
        ),
        ("localhost", []),
    ],
)
def test_look_alikes_are_told_in_words(host: str, doubts: list[str]) -> None:
    assert lookalikes(f"ines@{host}") == doubts
