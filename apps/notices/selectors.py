"""Reads of notices."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import connection
from django.db.models import Count, QuerySet
from django.utils import timezone

from apps.common.storage.files import file_signer, file_url, parse_name, signed_name
from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead
from apps.notices.rules import sanitised

EVERYBODY = ""

# Companies, countries and orders are known by their tables' names: their apps stand beside or above
# this one.
ORDERED = """EXISTS (SELECT 1 FROM orders_order o
  JOIN orders_orderline l ON l.order_id = o.id AND l.is_ordered
  JOIN catalog_product p ON p.id = l.product_id
  WHERE o.company_id = {company} AND o.status <> 0 AND p.brand_id IN ({brands}))"""
# The notices `mine` meant for a company by name, by its country, or by a brand that it has ordered.
# The company's id comes three times.
MINE = f"""WITH mine AS (
 SELECT a.notice_id FROM notices_noticeaudience a WHERE a.kind = 'company' AND a.object_id = %s
 UNION ALL SELECT a.notice_id FROM accounts_company c
  JOIN notices_noticeaudience a ON a.kind = 'country' AND a.object_id = c.country_id WHERE c.id = %s
 UNION ALL SELECT a.notice_id FROM notices_noticeaudience a
  WHERE a.kind = 'brand' AND {ORDERED.format(company="%s", brands="a.object_id")})"""  # noqa: S608
# A notice `n` for everybody, or one of those.
MEANT_FOR = "(n.for_everybody OR n.id IN (SELECT notice_id FROM mine))"

ALL = f"""{MINE}
SELECT n.id, n.title, CAST({{day}} AS text) FROM notices_notice n WHERE n.published_at <= %s
AND {MEANT_FOR}
ORDER BY n.published_at DESC, n.id DESC
"""  # noqa: S608 - constants only
ONE = f"""{MINE}
SELECT n.title, n.content FROM notices_notice n WHERE n.id = %s AND n.published_at <= %s
AND {MEANT_FOR}
"""  # noqa: S608 - constants only

# Buyers who can sign in, with their companies; a condition on the company follows.
REACHED = """
SELECT COUNT(DISTINCT c.id), COUNT(*) FROM accounts_user u
JOIN accounts_company c ON c.id = u.company_id
WHERE c.is_open AND u.is_active AND NOT u.is_staff AND u.approval = 'approved'"""
CONDITIONS = {
    NoticeAudience.Kind.COUNTRY: "c.country_id IN ({})",
    NoticeAudience.Kind.COMPANY: "c.id IN ({})",
    NoticeAudience.Kind.BRAND: ORDERED.format(company="c.id", brands="{}"),
}


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
        companies = "1 company" if self.companies == 1 else f"{self.companies:,} companies"
        return f"{companies}, {'1 buyer' if self.buyers == 1 else f'{self.buyers:,} buyers'}"


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


@dataclass(frozen=True)
class NoticeText:
    """A notice's title and its sanitised HTML."""

    title: str
    content: str


def day_of(at: datetime) -> str:
    """Return the seller's day of a time, which SQLite hands over in UTC without saying so."""
    return timezone.localtime(at if at.tzinfo else at.replace(tzinfo=UTC)).date().isoformat()


def notice_list(*, company_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return every published notice meant for a company, newest first. One statement.

    There may be thousands: the database writes their days, several times faster than they are read
    and written here.
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    day, zone = connection.ops.datetime_cast_date_sql(
        "n.published_at", (), timezone.get_default_timezone_name()
    )
    with connection.cursor() as cursor:
        cursor.execute(ALL.format(day=day), [*[company_id] * 3, *zone, moment])
        rows = cursor.fetchall()
    return [{"notice_id": number, "title": title, "build_date": day} for number, title, day in rows]


def get_notice(*, notice_id: int, company_id: int, now: datetime) -> NoticeText | None:
    """Return a published notice if it is meant for the company; its HTML is sanitised again on the
    way out.
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(ONE, [*[company_id] * 3, notice_id, moment])
        row = cursor.fetchone()
    return NoticeText(row[0], sanitised(row[1])) if row else None


def notice_files(*, notice_id: int, reader: Reader, now: datetime) -> list[dict[str, Any]]:
    """Return the files of a notice with links that work for this reader for an hour."""
    files = (
        NoticeFile.objects.filter(notice_id=notice_id)
        .order_by("id")
        .values_list("storage_name", "title")
    )
    return [
        {
            "notice_id": notice_id,
            "filename": name,
            "name": title,
            "url": file_url(scope=f"notice/{notice_id}", name=name),
        }
        for stored, title in files
        for name in [_link_name(notice_id=notice_id, stored=stored, reader=reader, now=now)]
    ]


def _link_name(*, notice_id: int, stored: str, reader: Reader, now: datetime) -> str:
    # The name carries the reader, so that a link is checked without asking everybody; which of the
    # notice's few files it means, its signature tells.
    return signed_name(
        signer=file_signer(reader.uuid, reader.session_version),
        scope=_scope(notice_id, stored),
        storage_name=f"{reader.uuid.hex}.{stored.rpartition('.')[2]}",
        now=now,
    )


def _scope(notice_id: int, stored: str) -> str:
    return f"notice/{notice_id}/{stored}"


def reader_of(name: str) -> UUID | None:
    """Return whose link a file's name claims to be; None if it does not look like one."""
    signed = parse_name(name, scope="")
    return UUID(signed.storage_name.partition(".")[0]) if signed else None


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
        signed = parse_name(name, scope=_scope(notice_id, file.storage_name))
        if signed is not None and signed.is_fresh(now=now) and signed.is_for(signer):
            return file
    return None


def audience_of(notice: Notice) -> Audience:
    """Return whom a notice is meant for."""
    if notice.for_everybody:
        return Audience()
    rows = list(notice.audience.values_list("kind", "object_id"))
    return Audience(
        rows[0][0] if rows else NoticeAudience.Kind.COMPANY,
        frozenset(object_id for _, object_id in rows),
    )


def reach_of(audience: Audience) -> Reach:
    """Return how many companies and buyers an audience holds now. One statement."""
    if audience.kind == EVERYBODY:
        statement, ids = REACHED, []
    elif audience.ids:
        ids = sorted(audience.ids)
        condition = CONDITIONS[NoticeAudience.Kind(audience.kind)].format(
            ", ".join(["%s"] * len(ids))
        )
        statement = f"{REACHED} AND {condition}"
    else:
        return Reach(0, 0)
    with connection.cursor() as cursor:
        cursor.execute(statement, ids)
        companies, buyers = cursor.fetchone()
    return Reach(companies, buyers)


def readers_of(notice: Notice) -> QuerySet[NoticeRead]:
    """Return who has opened a notice, with person and company, in the order of their
    first reading.
    """
    return NoticeRead.objects.filter(notice=notice).select_related("user__company")


def read_by(notice: Notice) -> Reach:
    """Return how many have opened a notice. One statement."""
    figures = readers_of(notice).aggregate(
        companies=Count("user__company_id", distinct=True), buyers=Count("id")
    )
    return Reach(figures["companies"], figures["buyers"])
