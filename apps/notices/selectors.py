"""Reads of notices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils.translation import ngettext

from apps.common.rich_text import sanitised
from apps.common.storage.files import file_signer, file_url, is_signed, signed_name, storage_name_in
from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead

EVERYBODY = ""
Kind = NoticeAudience.Kind


@dataclass(frozen=True)
class Audience:
    """Whom a notice is meant for: everybody, or the rows of one kind."""

    kind: str = EVERYBODY
    ids: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Reach:
    """How many can read a notice, or have."""

    companies: int
    buyers: int

    def __str__(self) -> str:
        companies = ngettext("%(count)s company", "%(count)s companies", self.companies)
        buyers = ngettext("%(count)s buyer", "%(count)s buyers", self.buyers)
        return ", ".join(
            (
                companies % {"count": f"{self.companies:,}"},
                buyers % {"count": f"{self.buyers:,}"},
            )
        )


class Reader(Protocol):
    """Who reads: a signed-in buyer, of whom this app need not know more."""

    @property
    def id(self) -> int:
        """The user's id."""

    @property
    def uuid(self) -> UUID:
        """The user's public id."""

    @property
    def company_id(self) -> int:
        """The company whose notices these are."""

    @property
    def session_version(self) -> int:
        """What file links die with, as tokens do."""


def ordered_by(company: Any) -> QuerySet[Any]:
    """Return the lines that a company has ordered of brands that are open to its country.

    Models are known by their names: orders and products stand above this app.
    """
    lines = apps.get_model("orders.OrderLine")._default_manager.filter(is_ordered=True)
    closures = apps.get_model("catalog.BrandClosure")._default_manager
    closed = closures.filter(
        brand=OuterRef("product__brand"), country=OuterRef("order__company__country")
    )
    ordered = lines.filter(order__company=company).exclude(order__status=0)
    return ordered.exclude(Exists(closed))


def notices_for(company_id: Any, now: Any) -> QuerySet[Notice]:
    """Return the published notices that are meant for a company: for everybody, by its name, its
    country, or a brand that it has ordered.
    """
    companies = apps.get_model("accounts.Company")._default_manager.filter(pk=company_id)
    lines = ordered_by(company_id).filter(product__brand=OuterRef("object_id"))
    audience = NoticeAudience.objects.values("notice")
    for_buyer = (
        Q(for_everybody=True)
        | Q(pk__in=audience.filter(kind=Kind.COMPANY, object_id=company_id))
        | Q(pk__in=audience.filter(kind=Kind.COUNTRY, object_id__in=companies.values("country")))
        | Q(pk__in=audience.filter(Exists(lines), kind=Kind.BRAND))
    )
    return Notice.objects.filter(for_buyer, published_at__lte=now)


def notice_list(*, company_id: int, now: datetime) -> Sequence[Mapping[str, Any]]:
    """Return every published notice meant for a company, newest first. One statement."""
    notices = notices_for(company_id, now).annotate(
        notice_id=F("pk"), build_date=TruncDate("published_at")
    )
    return list(notices.values("notice_id", "title", "build_date"))


def get_notice(*, notice_id: int, company_id: int, now: datetime) -> Notice | None:
    """Return a published notice if it is meant for the company; its HTML is sanitised again on the
    way out.
    """
    notice = notices_for(company_id, now).filter(pk=notice_id).first()
    if notice is not None:
        notice.content = sanitised(notice.content)
    return notice


def notice_files(*, notice_id: int, reader: Reader, now: datetime) -> list[dict[str, Any]]:
    """Return the files of a notice with links that work for this reader for an hour."""
    files = (
        NoticeFile.objects.filter(notice_id=notice_id)
        .order_by("id")
        .values_list("storage_name", "title")
    )
    links = []
    for stored, title in files:
        # The name carries the reader, so that a link is checked without asking everybody; which of
        # the notice's few files it means, its signature tells.
        name = signed_name(
            signer=file_signer(reader.uuid, reader.session_version),
            scope=_scope(notice_id, stored),
            storage_name=f"{reader.uuid.hex}.{stored.rpartition('.')[2]}",
            now=now,
        )
        url = file_url(scope=f"notice/{notice_id}", name=name)
        links.append({"notice_id": notice_id, "filename": name, "name": title, "url": url})
    return links


def _scope(notice_id: int, stored: str) -> str:
    return f"notice/{notice_id}/{stored}"


def reader_of(name: str) -> UUID | None:
    """Return whose link a file's name claims to be; None if it does not look like one."""
    stored = storage_name_in(name)
    return UUID(stored.partition(".")[0]) if stored else None


def get_linked_file(
    *, notice_id: int, name: str, reader: Reader, now: datetime
) -> NoticeFile | None:
    """Return the file of a signed name, if the link still holds and the notice is still the
    reader's to see.
    """
    if get_notice(notice_id=notice_id, company_id=reader.company_id, now=now) is None:
        return None
    signer = file_signer(reader.uuid, reader.session_version)
    for file in NoticeFile.objects.filter(notice_id=notice_id):
        scope = _scope(notice_id, file.storage_name)
        if is_signed(name, scope=scope, signers=[signer], now=now):
            return file
    return None


def audience_of(notice: Notice) -> Audience:
    """Return whom a notice is meant for."""
    if notice.for_everybody:
        return Audience()
    rows = list(notice.audience.values_list("kind", "object_id"))
    return Audience(
        rows[0][0] if rows else Kind.COMPANY,
        frozenset(object_id for _, object_id in rows),
    )


def reach_of(audience: Audience) -> Reach:
    """Return how many companies and buyers who can sign in an audience holds now. One statement."""
    buyers = get_user_model()._default_manager.who_may_come_in()
    match audience.kind:
        case Kind.COUNTRY:
            buyers = buyers.filter(company__country__in=audience.ids)
        case Kind.COMPANY:
            buyers = buyers.filter(company__in=audience.ids)
        case Kind.BRAND:
            lines = ordered_by(OuterRef("company")).filter(product__brand__in=audience.ids)
            buyers = buyers.filter(Exists(lines))
    return _reach(buyers, company="company")


def readers_of(notice: Notice) -> QuerySet[NoticeRead]:
    """Return who has opened a notice, with person and company, in the order of their
    first reading.
    """
    return NoticeRead.objects.filter(notice=notice).select_related("user__company")


def read_by(notice: Notice) -> Reach:
    """Return how many have opened a notice. One statement."""
    return _reach(readers_of(notice), company="user__company")


def _reach(rows: QuerySet[Any], *, company: str) -> Reach:
    figures = rows.aggregate(companies=Count(company, distinct=True), buyers=Count("pk"))
    return Reach(**figures)
