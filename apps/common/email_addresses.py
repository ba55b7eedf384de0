"""What an e-mail address may be, wherever one is taken, and which hosts only look like another."""

from collections.abc import Set
from functools import cache

from django.core.exceptions import ValidationError

MAX_EMAIL = 254  # characters
TOO_LONG = f"An e-mail address has at most {MAX_EMAIL} characters."
NOT_ITS_HOST = "Write the part after the @-sign in its usual letters."
# Scripts that are written together in one word; others are not (Unicode TR 39, highly restrictive).
WRITTEN_TOGETHER = (
    frozenset({"COMMON", "LATIN", "HAN", "HANGUL"}),
    frozenset({"COMMON", "LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"COMMON", "LATIN", "HAN", "BOPOMOFO"}),
)


def check_email(email: str) -> None:
    """Refuse an address that no mail of ours reaches, or that is not what it shows.

    Its host is a domain with a dot; the part before it is ASCII, because mails go out without
    SMTPUTF8.

    Raises:
        ValidationError: it is no address; the text says why.
    """
    if len(email) > MAX_EMAIL:
        raise ValidationError(TOO_LONG, code="invalid")
    try:
        host, ascii_host = _host(email)
        # A host is kept as it was typed: no letter of it may stand for another. Mails are sent by
        # the older of two ways to write a host in ASCII; where they differ, they lead to two hosts.
        typed = email.rpartition("@")[2].lower()
        is_itself = typed in (host, ascii_host) and host.encode("idna").decode() == ascii_host
    except UnicodeError:
        is_itself = False
    if not is_itself:
        raise ValidationError(NOT_ITS_HOST, code="invalid")


def _host(email: str) -> tuple[str, str]:
    """Return the host of an address in its own letters, and in ASCII.

    Raises:
        ValidationError: it is no address.
    """
    from email_validator import EmailNotValidError, validate_email

    try:
        # `.test` is the domain of the demo data. Whether an address exists is found out by the mail
        # that is sent there.
        found = validate_email(
            email,
            allow_smtputf8=False,
            strict=True,
            check_deliverability=False,
            test_environment=True,
        )
    except EmailNotValidError as error:
        raise ValidationError(str(error), code="invalid") from error
    return found.domain, found.ascii_domain


def lookalikes(email: str) -> list[str]:
    """Return, in words, each part of an address's host that may pass for another: in letters that
    look like others.
    """
    try:
        host, _ = _host(email)
    except ValidationError:  # kept before addresses were checked like this
        return []
    return [words for label in host.split(".") if not label.isascii() and (words := _doubt(label))]


def _doubt(label: str) -> str:
    from confusable_homoglyphs.categories import (
        unique_aliases,
    )  # here: a megabyte that few addresses need

    scripts: Set[str] = unique_aliases(label)
    if (
        not any(scripts <= together for together in WRITTEN_TOGETHER)
        and len(scripts - {"COMMON"}) > 1
    ):
        mixed = " and ".join(sorted(script.capitalize() for script in scripts - {"COMMON"}))
        doubt = f"“{label}” mixes {mixed} letters"
    else:
        doubt = ""
    looks = [_ascii_like(letter) for letter in label]
    if all(looks):
        reads = f"reads like “{''.join(looks)}” and is another name"
        doubt = f"{doubt}, {reads}" if doubt else f"“{label}” {reads}"
    return doubt


@cache
def _ascii_like(letter: str) -> str:
    """Return the ASCII letters that a letter looks like; itself if it is one, none if it looks like
    none.
    """
    from confusable_homoglyphs.confusables import is_confusable

    if letter.isascii():
        return letter
    like = is_confusable(letter)
    return (
        next((found["c"].lower() for found in like[0]["homoglyphs"] if found["c"].isascii()), "")
        if like
        else ""
    )
