"""The privacy policy and the terms of use: the portal's own, or the seller's newest version that
holds.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from html import unescape
from typing import Any, NamedTuple

from django.db.models import Max
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_noop

from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.models import Policy
from apps.common.permissions import needs
from apps.common.rich_text import has_words, sanitised
from apps.common.seller import per_version, seller, touch_seller

OWN, HOLDS_FROM = 0, date(2022, 5, 17)  # of the portal's own text
HEADING = re.compile(r"<h([23])>(.*?)</h\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")


class Version(NamedTuple):
    """A version of the policy: its number, since when it holds, and its HTML."""

    number: int
    holds_from: date
    html: str


@dataclass(frozen=True)
class Heading:
    """A heading of a text: its anchor, its words, and whether it is a part's (2) or a section's
    (3).
    """

    id: str
    title: str
    level: int


class PolicyRefused(PortalError):
    """A version cannot be published like this; `errors` says why."""

    message = gettext_noop("Nothing was published.")


@per_version(list[Version])
def _published() -> list[Version]:
    rows = Policy.objects.order_by("number").values_list("number", "holds_from", "html")
    return [Version(*row) for row in rows]


def policy(now: datetime) -> Version:
    """Return the version that holds: the newest of those that begin to hold last."""
    today = timezone.localdate(now)
    current = [one for one in _published() if one.holds_from <= today]
    newest = max(current, key=lambda one: (one.holds_from, one.number), default=None)
    return newest or own_policy()


def is_published() -> bool:
    """Return whether the seller published a policy of their own."""
    return bool(_published())


def own_policy() -> Version:
    """Return the portal's own text, with the seller's name and mailbox."""
    current = seller()
    values = {
        "title": current.title,
        "mailbox": current.sales_email,
        "paypal": current.paypal_on,
    }
    return Version(OWN, HOLDS_FROM, render_to_string("policy.html", values))


def accepted_version(number: int | None, *, now: datetime) -> int:
    """Return which version somebody accepts: the one that was read, else the one that holds."""
    versions = {OWN, *(one.number for one in _published())}
    return number if number in versions else policy(now).number


def with_anchors(html: str) -> tuple[str, list[Heading]]:
    """Return a text with an anchor at each heading, and the headings."""
    headings: list[Heading] = []

    def anchored(match: re.Match[str]) -> str:
        level, inner = match.groups()
        title = unescape(TAG.sub("", inner)).strip()
        anchor = slugify(title, allow_unicode=True) or "part"
        if any(one.id == anchor for one in headings):
            anchor = f"{anchor}-{len(headings) + 1}"
        headings.append(Heading(anchor, title, int(level)))
        return f'<h{level} id="{anchor}" tabindex="-1">{inner}</h{level}>'

    return HEADING.sub(anchored, html), headings


@needs("common.add_policy")
@one_transaction
def publish_policy(*, html: str, holds_from: date, actor: Any, now: datetime) -> Policy:
    """Publish a version; it is never changed, and holds from a day on, today or later.

    Raises:
        PolicyRefused: no text, or a day that is past.
    """
    if not has_words(html):
        raise PolicyRefused(content=gettext("Write the text."))
    if holds_from < timezone.localdate(now):
        raise PolicyRefused(holds_from=gettext("This day is past."))
    touch_seller()  # first: its row lets one version wait for the other
    last = Policy.objects.aggregate(last=Max("number"))["last"] or OWN
    return Policy.objects.create(
        number=last + 1,
        html=sanitised(html),
        holds_from=holds_from,
        published_at=now,
        published_by=actor,
    )
