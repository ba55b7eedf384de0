"""E-mail addresses: what is one and what is none."""

import pytest
from django.core.exceptions import ValidationError

from apps.common.email_addresses import check_email

INVISIBLE = "\u00ad\u115f\u200b\u200d\u202e\u2060\u3164\ufe0f\ufeff\x00\t\n\x7f\u2028\u2800\ud800"


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


@pytest.mark.parametrize("place", ["a{}b@glow.com", "a@gl{}ow.com", "a@glow.com{}"])
def test_what_nobody_sees_is_refused(place: str) -> None:
    for character in INVISIBLE:
        with pytest.raises(ValidationError):
            check_email(place.format(character))


@pytest.mark.parametrize(
    "email",
    [
        "",
        "a@localhost",
        "a@[127.0.0.1]",
        "a@127.0.0.1",
        "a@printer.local",
        "a@glow.com.",
        "a@glow..com",
        "a@xn--0.com",
        "a@ｇlow.com",
        "a@straße.de",  # `strasse.de` to those who send
        "ä@glow.com",
        '"a b"@glow.com',
        "a@glow.com,b@glow.com",
        "Ines <a@glow.com>",
        f"{'a' * 65}@glow.com",
        f"a@{'b' * 64}.com",
    ],
)
def test_what_no_mail_reaches_is_refused(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        check_email(email)
    assert len(refused.value.messages[0]) < 150


def test_a_text_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(ValidationError, match="at most 254 characters"):
        check_email(f"{'a' * 1_000_000}@glow.com")
